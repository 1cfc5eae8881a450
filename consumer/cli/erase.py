"""Erasing everything of a user (``workspace purge --everything``, ``user disable --purge``), and beginning anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from consumer.cli import workspace_writes
from consumer.cli.output import emit_json, fail, pairs

if TYPE_CHECKING:
    from consumer.erasure.erase import Erased

#: Pages of jobs looked through; fifty jobs a page.
MAX_PAGES: Final = 10_000


def confirmed(user: str, what: str, *, yes: bool) -> None:
    """Go on only if the operator typed the user's id, or said so before. Exits 1 otherwise."""
    if yes:
        return
    typer.echo(f"This will {what}. It cannot be undone.", err=True)
    if typer.prompt("Type the user's id to go on", default="", show_default=False, err=True).strip() != user:
        fail("that is not the user's id; nothing was changed", code=1)


def erased(operations: workspace_writes.Operations, user: str, reason: str) -> Erased:
    """Erase everything under the user's lock. The user must be disabled.

    Raises RequestRefused (the user is enabled), LockBusy, SuppressionsUnreadable, BlobUnavailable.
    """
    from consumer.erasure.erase import erase  # noqa: PLC0415 (--help stays fast)

    operations.api.mark_erased(user, reason)
    job_ids, seq = _jobs(operations, user)
    with workspace_writes.exclusive(operations).hold_to_erase(user, "erase") as hold:
        workspace_writes.note(operations, "workspace.purge", user, reason, what="everything")
        return erase(
            operations.workspaces,
            user,
            reason,
            hold,
            job_ids,
            suppressions=operations.suppressions,
            seq_floor=seq,
        )


def told(done: Erased) -> dict[str, Any]:
    """What was done, as commands print it."""
    body = done.to_json()
    removed = body.pop("removed")
    return {
        **body,
        "deleted_objects": sum(removed["objects"].values()),
        "bytes": removed["bytes"],
        **removed["objects"],
    }


def _jobs(operations: workspace_writes.Operations, user: str) -> tuple[list[str], int]:
    """Ids of all the user's jobs, and the highest commit number that their rows know."""
    found: list[str] = []
    highest, after = 0, ""
    for _ in range(MAX_PAGES):
        page = operations.api.jobs({"user_id": user, "after": after} if after else {"user_id": user})
        found += [job.job_id for job in page.jobs]
        highest = max([highest, *(job.commit.seq for job in page.jobs if job.commit)])
        after = page.next_after or ""
        if not after:
            break
    return found, highest


def add_reset(app: typer.Typer, open_operations: workspace_writes.OpenOperations) -> None:
    @app.command()
    def reset(
        *,
        user: workspace_writes.User,
        history: Annotated[
            Literal["archive", "erase"],
            typer.Option(help="Set the old history aside in the bucket (archive), or delete it (erase)."),
        ],
        reason: Annotated[
            str, typer.Option("--reason", help="Kept in the audit.", callback=workspace_writes.is_reason)
        ],
        yes: Annotated[bool, typer.Option("--yes", help="Do not ask for the user's id.")] = False,
        as_json: workspace_writes.Json = False,
    ) -> None:
        """Begin a memory anew from the app's data; what was purged stays away. Works on a damaged workspace.

        Example: cloop-memory workspace reset --user 0a6e...-... --history archive --reason "catalog lost"
        """
        from consumer.erasure.reset import NothingToReset, PurgeUnfinished  # noqa: PLC0415
        from consumer.erasure.reset import reset as act  # noqa: PLC0415

        verb = "set aside" if history == "archive" else "delete"
        confirmed(user, f"{verb} the whole memory of {user} and begin it anew from the app's data", yes=yes)
        operations = open_operations()
        writer = workspace_writes.exclusive(operations)
        try:
            with writer.hold_to_erase(user, "reset") as hold:
                workspace_writes.note(operations, "workspace.reset", user, reason, history=history)
                done = act(writer.store, user, reason, hold, history=history, suppressions=operations.suppressions)
        except NothingToReset as exc:
            fail(str(exc), code=3)
        except PurgeUnfinished as exc:
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
