"""``cloop-memory user ...`` about deleted accounts: list, state of the erasure, receipt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from consumer.cli.options import Json, UserId, is_reason
from consumer.cli.output import emit_json, listed, minute, pairs, say_more, table
from consumer.cli.session import connect
from contract.api import DeletionView, ReasonRequest

if TYPE_CHECKING:
    from consumer.bootstrap import Operations

app = typer.Typer()


@app.command()
def show(ctx: typer.Context, user_id: UserId, as_json: Json = False) -> None:
    """Show a user's memory, and the progress of its erasure if the account was deleted.

    Example: cloop-memory user show 0a6e...-...
    """
    user = connect(ctx).api.user(user_id)
    if as_json:
        emit_json(user.model_dump(mode="json"))
        return
    pairs(user.model_dump(mode="json", exclude_none=True, exclude={"deletion"}))
    if user.deletion is not None:
        typer.echo("\nThe account was deleted:")
        pairs(user.deletion.model_dump(mode="json", exclude_none=True, exclude={"user_id"}))


@app.command()
def receipt(ctx: typer.Context, user_id: UserId, as_json: Json = False) -> None:
    """Show the receipt of a deleted account's erasure: times and counts. Exit code 3: there is no receipt yet.

    Example: cloop-memory user receipt 0a6e...-... --json
    """
    proof = connect(ctx).api.receipt(user_id).model_dump(mode="json")
    emit_json(proof) if as_json else pairs(proof)


@app.command("keep-deleted")
def keep_deleted(
    ctx: typer.Context,
    user_id: UserId,
    reason: Annotated[str, typer.Option(help="Recorded in the audit.", callback=is_reason)],
    as_json: Json = False,
) -> None:
    """Cancel the erasure of a deleted account's memory before it begins; the memory stays disabled.

    Example: cloop-memory user keep-deleted 0a6e...-... --reason "legal hold 2026-17"
    """
    kept = connect(ctx).api.keep_deleted(user_id, ReasonRequest(reason=reason)).model_dump(mode="json")
    emit_json(kept) if as_json else pairs({name: value for name, value in kept.items() if value is not None})


def list_deleted(operations: Operations, limit: int, *, as_json: bool) -> None:
    """Deleted accounts, newest first, each with the state of its erasure."""

    def fetch(after: str) -> tuple[Sequence[DeletionView], str | None]:
        page = operations.api.deletions({"after": after})
        return page.deletions, page.next_after

    accounts, more = listed(fetch, limit)
    if as_json:
        emit_json([account.model_dump(mode="json") for account in accounts])
        return
    table(
        ("user_id", "state", "source", "seen_at", "purge_after", "erased_at"),
        [
            (a.user_id, a.state, a.source, minute(a.seen_at), minute(a.purge_after), minute(a.erased_at))
            for a in accounts
        ],
    )
    if more:
        say_more(limit)
