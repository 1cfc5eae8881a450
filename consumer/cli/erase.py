"""Erasing everything of a user (``workspace purge --everything``, ``user disable --purge``), and beginning anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from consumer.cli.options import Json, User, is_reason
from consumer.cli.output import emit_json, fail, pairs
from consumer.cli.session import connect
from consumer.cli.writing import exclusive, note
from consumer.erasure import erase as erasing
from consumer.erasure import reset as resetting

if TYPE_CHECKING:
    from consumer.bootstrap import Operations

#: Pages of jobs looked through; fifty jobs a page.
MAX_PAGES: Final = 10_000

app = typer.Typer()


def confirmed(user: str, what: str, *, yes: bool) -> None:
    """Go on only if the operator typed the user's id, or said so before. Exits 1 otherwise."""
    if yes:
        return
    typer.echo(f"This will {what}. It cannot be undone.", err=True)
    if typer.prompt("Type the user's id to go on", default="", show_default=False, err=True).strip() != user:
        fail("that is not the user's id; nothing was changed", code=1)


def erased(operations: Operations, user: str, reason: str) -> erasing.Erased:
    """Erase everything under the user's lock. The user must be disabled.

    Raises RequestRefused (the user is enabled), LockBusy, SuppressionsUnreadable, BlobUnavailable.
    """
    operations.api.mark_erased(user, reason)
    job_ids, seq = _jobs(operations, user)
    with exclusive(operations).hold_to_erase(user, "erase") as hold:
        note(operations, "workspace.purge", user, reason, what="everything")
        return erasing.erase(
            operations.workspaces,
            user,
            reason,
            hold,
            job_ids,
            suppressions=operations.suppressions,
            seq_floor=seq,
        )


def counts(done: erasing.Erased) -> dict[str, Any]:
    """What was done, as commands print it."""
    body = done.to_json()
    removed = body.pop("removed")
    return {
        **body,
        "deleted_objects": sum(removed["objects"].values()),
        "bytes": removed["bytes"],
        **removed["objects"],
    }


def _jobs(operations: Operations, user: str) -> tuple[list[str], int]:
    """Ids of all the user's jobs, and the highest commit number that their rows know."""
    job_ids: list[str] = []
    highest, after = 0, ""
    for _ in range(MAX_PAGES):
        page = operations.api.jobs({"user_id": user, "after": after} if after else {"user_id": user})
        job_ids += [job.job_id for job in page.jobs]
        highest = max([highest, *(job.commit.seq for job in page.jobs if job.commit)])
        after = page.next_after or ""
        if not after:
            break
    return job_ids, highest


@app.command()
def reset(
    ctx: typer.Context,
    *,
    user: User,
    history: Annotated[
        Literal["archive", "erase"],
        typer.Option(help="Set the old history aside in the bucket (archive), or delete it (erase)."),
    ],
    reason: Annotated[str, typer.Option("--reason", help="Kept in the audit.", callback=is_reason)],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for the user's id.")] = False,
    as_json: Json = False,
) -> None:
    """Begin a memory anew from the app's data; what was purged stays away. Works on a damaged workspace.

    Example: cloop-memory workspace reset --user 0a6e...-... --history archive --reason "catalog lost"
    """
    verb = "set aside" if history == "archive" else "delete"
    confirmed(user, f"{verb} the whole memory of {user} and begin it anew from the app's data", yes=yes)
    operations = connect(ctx)
    writer = exclusive(operations)
    try:
        with writer.hold_to_erase(user, "reset") as hold:
            note(operations, "workspace.reset", user, reason, history=history)
            done = resetting.reset(
                writer.store, user, reason, hold, history=history, suppressions=operations.suppressions
            )
    except resetting.NothingToReset as exc:
        fail(str(exc), code=3)
    except resetting.PurgeUnfinished as exc:
        fail(str(exc), code=1)
    body = {
        "history": history,
        "archive": done.archive,
        "archived_objects": done.archived.count,
        "deleted_objects": done.removed.count,
        "suppressed": done.suppressed,
        "next": f"cloop-memory user backfill {user}",
    }
    emit_json(body) if as_json else pairs(body)
