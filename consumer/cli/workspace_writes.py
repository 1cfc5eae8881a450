"""The ``workspace`` commands that write history: each takes the user's lock and records a reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from consumer.cli.options import Json, User, is_reason
from consumer.cli.output import emit_json, fail, pairs, table, tell
from consumer.cli.session import connect
from consumer.cli.writing import exclusive, note
from consumer.erasure import restore_erased
from consumer.maintenance import gc, rescue
from consumer.maintenance import repair as repairing
from consumer.maintenance import restore as restoring
from consumer.repository.history import NoSuchCommit
from consumer.run import NoDeadline

if TYPE_CHECKING:
    from datetime import datetime

    from consumer.locking.exclusive import Exclusive
    from consumer.maintenance.rescue import Candidate
    from consumer.maintenance.restore import Composition
    from consumer.repository.loading import Snapshot

Reason = Annotated[str, typer.Option("--reason", help="Recorded in the commit for ever.", callback=is_reason)]
RepairReason = Annotated[
    str, typer.Option("--reason", help="Recorded in the audit; a repair makes no commit.", callback=is_reason)
]
#: Commits listed when HEAD is lost.
SHOWN_CANDIDATES: Final = 10

app = typer.Typer()


@app.command()
def restore(
    ctx: typer.Context,
    user: User,
    to: Annotated[int, typer.Option(help="Number of the commit to restore.")],
    reason: Reason,
    as_json: Json = False,
) -> None:
    """Commit the content of an old commit again, without records that were purged since.

    Example: cloop-memory workspace restore --to 3 --user 0a6e...-... --reason "..."
    """
    operations = connect(ctx)
    writer = exclusive(operations)
    purged = 0

    def composed(head: Snapshot, target: Snapshot) -> Composition:
        nonlocal purged
        if target.head.seq == to:
            purged = len(target.tree.erased)
        return compose(head, target)

    try:
        with writer.hold(user, "restore") as hold:
            note(operations, "workspace.restore", user, reason, to=to)
            compose = restore_erased.composer(writer.store.of(user), operations.rerender(), hold)
            ref = restoring.restore(writer.store.of(user), to, reason, hold, compose=composed)
    except NoSuchCommit as exc:
        fail(str(exc), code=3)
    body: dict[str, int | str] = {"seq": ref.seq, "commit": ref.digest}
    body |= {"made_again_from": to, "purged_entries": purged} if purged else {"equals": to}
    emit_json(body) if as_json else pairs(body)


@app.command("gc")
def collect(
    ctx: typer.Context,
    user: User,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be deleted without deleting it.")] = False,
    as_json: Json = False,
) -> None:
    """Delete objects over a day old that no commit needs.

    Example: cloop-memory workspace gc --dry-run --user 0a6e...-...
    """
    operations = connect(ctx)
    writer = exclusive(operations)
    with writer.hold(user, "gc") as hold:
        if not dry_run:
            note(operations, "workspace.gc", user, "collect what nothing names")
        done = gc.collect(writer.store.of(user), hold, dry_run=dry_run)
    body = {
        "dry_run": dry_run,
        "deleted": len(done.deleted),
        "bytes": done.bytes,
        "kept_young": len(done.young),
        "named": done.named,
        "objects": [name for name, _ in done.deleted],
    }
    emit_json(body) if as_json else pairs(body)


@app.command()
def repair(
    ctx: typer.Context,
    user: User,
    reason: RepairReason,
    head: Annotated[
        str,
        typer.Option(
            "--head", help="If HEAD is lost: the commit to point it to, from the list printed without --head."
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """Rebuild lost objects, verify the history, then thaw or freeze the workspace. Exit code 1: it stays frozen.

    Example: cloop-memory workspace repair --user 0a6e...-... --reason "index lost"
    """
    operations = connect(ctx)
    writer = exclusive(operations)
    done_before: tuple[str, ...] = ()
    if fault := rescue.fault(writer.store.of(user)):
        tell_audit = partial(note, operations, "workspace.repair", user, reason)
        erased_at = operations.suppressions.read(user).erased_at if head else None
        done_before = _rescued(writer, user, fault, (head, erased_at), tell_audit, as_json=as_json)
    elif head:
        fail(f"HEAD of {user} is intact; --head is for a lost HEAD. To go back, use `workspace restore`", code=2)
    elif writer.store.of(user).read_head() is None:
        fail(f"the workspace of {user} has no commit yet: there is nothing to repair", code=3)
    with writer.hold(user, "repair") as hold:
        if not done_before:
            note(operations, "workspace.repair", user, reason)
        done = repairing.repair(writer.store.of(user), reason, hold)
    actions = (*done_before, *done.actions)
    body = {"actions": actions, "ok": done.report.ok, "frozen": done.frozen}
    emit_json(body) if as_json else pairs({**body, "actions": "; ".join(actions) or "nothing to do"})
    if done.frozen:
        raise typer.Exit(1)
    if not done.report.ok and not as_json:
        damaged = ", ".join(sorted({fault.object for fault in done.report.faults}))
        tell(f"HEAD is intact and jobs go on, but older commits are damaged: {damaged}")


def _rescued(
    writer: Exclusive,
    user: str,
    fault: str,
    choice: tuple[str, datetime | None],
    tell_audit: Callable[..., None],
    *,
    as_json: bool,
) -> tuple[str, ...]:
    """Make HEAD name the chosen commit; returns what was done. Without a choice: list the commits and exit with code 1.

    ``choice``: the commit, and when everything was erased last.
    """
    head, erased_at = choice
    candidates = rescue.candidates(writer.store.of(user), NoDeadline())
    if not head:
        _print_candidates(candidates, as_json=as_json)
        fail(f"{fault}. Nothing was done. Choose the commit with --head: usually the first of the list")
    try:
        commit = rescue.chosen(candidates, head, erased_at)
    except rescue.CannotChoose as exc:
        fail(str(exc))
    with writer.hold_without_head(user, "repair", rescue.newest_epoch(candidates)) as hold:
        tell_audit(head=commit.digest)
        written = rescue.write(writer.store.of(user), commit, hold)
    lost = [f"commit {left.commit.seq} of job {left.commit.job_id}" for left in rescue.left_out(candidates, commit)]
    gone = f"; no longer part of the history: {', '.join(lost)}" if lost else ""
    return (f"HEAD names commit {written.seq} again{gone}",)


def _print_candidates(candidates: Sequence[Candidate], *, as_json: bool) -> None:
    rows = [
        {
            "seq": candidate.commit.seq,
            "commit": candidate.digest[:12],
            "created_at": candidate.commit.created_at,
            "type": candidate.commit.job_type,
            "job_id": candidate.commit.job_id,
            "continued": "" if candidate.last else "yes",
        }
        for candidate in candidates[:SHOWN_CANDIDATES]
    ]
    if as_json:
        emit_json(rows)
    else:
        table(("seq", "commit", "created_at", "type", "job_id", "continued"), [tuple(row.values()) for row in rows])
