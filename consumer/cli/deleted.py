"""``cloop-memory user ...`` about deleted accounts: who they are, how far their erasure is, and its receipt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from consumer.cli.output import emit_json, is_reason, is_user_id, pairs, table

if TYPE_CHECKING:
    from contract.api import DeletionList, DeletionReceipt, DeletionView, ReasonRequest, UserDetails

UserId = Annotated[str, typer.Argument(help="user_id", callback=is_user_id)]
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]


class Api(Protocol):
    """The calls of the operator API that these verbs make."""

    def user(self, user_id: str) -> UserDetails: ...
    def deletions(self, filters: Mapping[str, str]) -> DeletionList: ...
    def receipt(self, user_id: str) -> DeletionReceipt: ...
    def keep_deleted(self, user_id: str, request: ReasonRequest) -> DeletionView: ...


class Operations(Protocol):
    """What these verbs need."""

    @property
    def api(self) -> Api: ...


OpenOperations = Callable[[], Operations]


def add_deleted(app: typer.Typer, open_operations: OpenOperations) -> None:
    """Add ``show``, ``receipt`` and ``keep-deleted``. Nothing is opened before a verb runs."""

    @app.command()
    def show(user_id: UserId, as_json: Json = False) -> None:
        """One user: the memory's state, and how far the erasure is if the account was deleted.

        Example: cloop-memory user show 0a6e...-...
        """
        user = open_operations().api.user(user_id)
        if as_json:
            emit_json(user.model_dump(mode="json"))
            return
        pairs(user.model_dump(mode="json", exclude_none=True, exclude={"deletion"}))
        if user.deletion is not None:
            typer.echo("\nThe account was deleted:")
            pairs(user.deletion.model_dump(mode="json", exclude_none=True, exclude={"user_id"}))

    @app.command()
    def receipt(user_id: UserId, as_json: Json = False) -> None:
        """The proof that a deleted account's memory was erased: times and counts. Exit 3 before the second sweep.

        Example: cloop-memory user receipt 0a6e...-... --json
        """
        proof = open_operations().api.receipt(user_id).model_dump(mode="json")
        emit_json(proof) if as_json else pairs(proof)

    @app.command("keep-deleted")
    def keep_deleted(
        user_id: UserId,
        reason: Annotated[str, typer.Option(help="kept in the audit", callback=is_reason)],
        as_json: Json = False,
    ) -> None:
        """Cancel the erasure of a deleted account's memory, before it has begun; the memory stays disabled.

        Example: cloop-memory user keep-deleted 0a6e...-... --reason "legal hold 2026-17"
        """
        from contract.api import ReasonRequest  # noqa: PLC0415 (--help stays fast)

        kept = open_operations().api.keep_deleted(user_id, ReasonRequest(reason=reason)).model_dump(mode="json")
        emit_json(kept) if as_json else pairs({name: value for name, value in kept.items() if value is not None})


def list_deleted(api: Api, limit: int, *, as_json: bool) -> None:
    """Deleted accounts, newest first, each with the state of its erasure."""
    found: list[DeletionView] = []
    after = ""
    while len(found) < limit:
        page = api.deletions({"after": after})
        found += page.deletions
        after = page.next_after or ""
        if not after:
            break
    if as_json:
        emit_json([one.model_dump(mode="json") for one in found[:limit]])
        return
    table(
        ("user_id", "state", "source", "seen_at", "purge_after", "erased_at"),
        [
            (one.user_id, one.state, one.source, *map(minute, (one.seen_at, one.purge_after, one.erased_at)))
            for one in found[:limit]
        ],
    )
    if after or len(found) > limit:
        typer.echo(f"there are more than {limit}: --limit {limit * 4} shows them", err=True)


def minute(moment: object) -> str:
    """To the minute; empty for None."""
    return f"{moment:%Y-%m-%d %H:%M}" if moment else ""
