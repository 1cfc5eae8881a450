"""Erase everything of a user (``workspace purge --everything``, ``user disable --purge``), or reset the memory."""

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

#: Pages of jobs that are read; a page has fifty jobs.
MAX_PAGES: Final = 10_000

app = typer.Typer()


def confirmed(user: str, what: str, *, yes: bool) -> None:
    """Ask the operator for the user's id unless ``yes``. Exits with code 1 where another is typed."""
    if yes:
        return
    typer.echo(f"This will {what}. It cannot be undone.", err=True)
    if typer.prompt("Type the user's id to continue", default="", show_default=False, err=True).strip() != user:
        fail("that is not the user's id, so nothing was changed", code=1)


def erased(operations: Operations, user: str, reason: str) -> erasing.Erased:
    """Erase everything under the user's lock. The user must be disabled.

    Raises RequestRefused (the user is enabled), LockBusy, SuppressionsUnreadable, BlobUnavailable.
    """
    operations.api.mark_erased(user, reason)
    job_ids, seq = _jobs(operations, user)
    with exclusive(operations).hold_to_erase(user, "erase") as hold:
        note(operations, "workspace.purge", user, reason, what="everything")
        return erasing.erase(
            operations.workspaces.of(user),
            reason,
            hold,
            job_ids,
            suppressions=operations.suppressions,
            seq_floor=seq,
        )


def counts(done: erasing.Erased) -> dict[str, Any]:
    """What was erased, as commands print it."""
    body = done.to_json()
    removed = body.pop("removed")
    return {
        **body,
        "deleted_objects": sum(removed["objects"].values()),
        "bytes": removed["bytes"],
        **removed["objects"],
    }


def _jobs(operations: Operations, user: str) -> tuple[list[str], int]:
    """Ids of all jobs of the user, and the highest commit number among them."""
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
        typer.Option(help="What to do with the old history: archive it in the bucket, or erase it."),
    ],
    reason: Annotated[str, typer.Option("--reason", help="Recorded in the audit.", callback=is_reason)],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for the user's id.")] = False,
    as_json: Json = False,
) -> None:
    """Start a memory again from the app's data, without purged records. Works on a damaged workspace.

    Example: cloop-memory workspace reset --user 0a6e...-... --history archive --reason "catalog lost"
    """
    verb = "archive" if history == "archive" else "delete"
    confirmed(user, f"{verb} the whole memory of {user} and start it again from the app's data", yes=yes)
    operations = connect(ctx)
    writer = exclusive(operations)
    try:
        with writer.hold_to_erase(user, "reset") as hold:
            note(operations, "workspace.reset", user, reason, history=history)
            done = resetting.reset(
                writer.store.of(user), reason, hold, history=history, suppressions=operations.suppressions
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
