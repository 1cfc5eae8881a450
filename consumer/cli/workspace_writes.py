"""The ``workspace`` verbs that write history: each takes the user's lock, and says why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, Protocol

import typer

from consumer.cli.output import emit_json, fail, is_reason, is_user_id, pairs, table, tell

if TYPE_CHECKING:
    from datetime import datetime

    from consumer.erasure.suppressions import Suppressions
    from consumer.evidence.records import Rerender
    from consumer.locking.exclusive import Exclusive
    from consumer.locking.lock import Locks
    from consumer.maintenance.rescue import Candidate
    from consumer.repository.workspace import WorkspaceStore
    from contract.api import BucketDeed, BucketDeedRequest, ErasureResponse, JobList

User = Annotated[str, typer.Option("--user", help="user_id", callback=is_user_id)]
Reason = Annotated[str, typer.Option("--reason", help="Kept for ever in the commit.", callback=is_reason)]
RepairReason = Annotated[
    str, typer.Option("--reason", help="Kept in the audit; a repair makes no commit.", callback=is_reason)
]
#: Of the commits that a lost HEAD may name again.
SHOWN_CANDIDATES: Final = 10
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]


class AuditApi(Protocol):
    """The control plane's audit."""

    def note_deed(self, request: BucketDeedRequest) -> None: ...


class Audited(Protocol):
    """What can tell the audit."""

    @property
    def api(self) -> AuditApi: ...


class Api(AuditApi, Protocol):
    """For erasing everything also the user's jobs, and the note that all is about to go."""

    def mark_erased(self, user_id: str, reason: str) -> ErasureResponse: ...
    def jobs(self, filters: Mapping[str, str]) -> JobList: ...


class Operations(Audited, Protocol):
    """What these verbs need. ``operator``: who is asking."""

    @property
    def api(self) -> Api: ...
    @property
    def suppressions(self) -> Suppressions: ...
    @property
    def workspaces(self) -> WorkspaceStore: ...
    @property
    def locks(self) -> Locks: ...
    @property
    def operator(self) -> str: ...
    @property
    def rerender(self) -> Callable[[], Rerender]: ...


OpenOperations = Callable[[], Operations]


def writing_verbs(app: typer.Typer, open_operations: OpenOperations) -> None:
    """Add restore, gc and repair."""
    _add_restore(app, open_operations)
    _add_gc(app, open_operations)
    _add_repair(app, open_operations)


def exclusive(found: Operations) -> Exclusive:
    from consumer.locking.exclusive import Exclusive  # noqa: PLC0415

    return Exclusive(found.locks, found.workspaces, found.operator)


def note(operations: Audited, action: BucketDeed, user: str, reason: str, **details: str | int) -> None:
    """Tell the audit first: what is done to the bucket and left no trace could not be told from what a fault did.

    Under the lock, so that a deed which has to wait is told once. Raises ControlPlaneUnavailable, NotAllowed.
    """
    from contract.api import BucketDeedRequest  # noqa: PLC0415 (--help stays fast)

    request = {"action": action, "user_id": user, "reason": reason, "details": details}
    operations.api.note_deed(BucketDeedRequest.model_validate(request))


def _add_restore(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def restore(
        user: User,
        to: Annotated[int, typer.Option(help="The commit whose content HEAD shall have again.")],
        reason: Reason,
        as_json: Json = False,
    ) -> None:
        """A new commit that equals an old one. Example: workspace restore --to 3 --user 0a6e...-... --reason "..." """
        from consumer.erasure import restore_erased  # noqa: PLC0415
        from consumer.maintenance.restore import restore as act  # noqa: PLC0415
        from consumer.repository.history import NoSuchCommit  # noqa: PLC0415

        operations = open_operations()
        writer = exclusive(operations)
        try:
            with writer.hold(user, "restore") as hold:
                note(operations, "workspace.restore", user, reason, to=to)
                compose = restore_erased.composer(writer.store, user, operations.rerender(), hold)
                ref = act(writer.store, user, to, reason, hold, compose=compose)
        except NoSuchCommit as exc:
            fail(str(exc), code=3)
        body = {"seq": ref.seq, "commit": ref.digest, "equals": to}
        emit_json(body) if as_json else pairs(body)


def _add_gc(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command("gc")
    def collect(
        user: User,
        dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be deleted, delete nothing.")] = False,
        as_json: Json = False,
    ) -> None:
        """Delete what no commit names and is older than a day. Example: workspace gc --dry-run --user 0a6e...-..."""
        from consumer.maintenance import gc  # noqa: PLC0415

        operations = open_operations()
        writer = exclusive(operations)
        with writer.hold(user, "gc") as hold:
            if not dry_run:
                note(operations, "workspace.gc", user, "collect what nothing names")
            done = gc.collect(writer.store, user, hold, dry_run=dry_run)
        body = {
            "dry_run": dry_run,
            "deleted": len(done.deleted),
            "bytes": done.bytes,
            "kept_young": len(done.young),
            "named": done.named,
            "objects": [name for name, _ in done.deleted],
        }
        emit_json(body) if as_json else pairs(body)


def _add_repair(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def repair(
        user: User,
        reason: RepairReason,
        head: Annotated[
            str,
            typer.Option("--head", help="Where HEAD itself is lost: the commit that it shall name, as told without."),
        ] = "",
        as_json: Json = False,
    ) -> None:
        """Make again what can be, verify, and thaw or freeze the workspace by the verdict; exit 1 if it stays frozen.

        Example: cloop-memory workspace repair --user 0a6e...-... --reason "index lost"
        """
        from consumer.maintenance import rescue  # noqa: PLC0415
        from consumer.maintenance.repair import repair as act  # noqa: PLC0415

        operations = open_operations()
        writer = exclusive(operations)
        done_before: tuple[str, ...] = ()
        if fault := rescue.fault(writer.store, user):
            tell_audit = partial(note, operations, "workspace.repair", user, reason)
            erased_at = operations.suppressions.read(user).erased_at if head else None
            done_before = _rescued(writer, user, fault, (head, erased_at), tell_audit, as_json=as_json)
        elif head:
            fail(
                f"HEAD of {user} names a commit: --head is for one that is lost; `workspace restore` goes back", code=2
            )
        elif writer.store.read_head(user) is None:
            fail(f"the workspace of {user} has no commit yet: there is nothing to repair", code=3)
        with writer.hold(user, "repair") as hold:
            if not done_before:
                note(operations, "workspace.repair", user, reason)
            done = act(writer.store, user, reason, hold)
        actions = (*done_before, *done.actions)
        body = {"actions": actions, "ok": done.report.ok, "frozen": done.frozen}
        emit_json(body) if as_json else pairs({**body, "actions": "; ".join(actions) or "nothing to do"})
        if done.frozen:
            raise typer.Exit(1)
        if not done.report.ok and not as_json:
            damaged = ", ".join(sorted({fault.object for fault in done.report.faults}))
            tell(f"HEAD is whole, and jobs go on; older commits are damaged: {damaged}")


def _rescued(
    writer: Exclusive,
    user: str,
    fault: str,
    choice: tuple[str, datetime | None],
    tell_audit: Callable[..., None],
    *,
    as_json: bool,
) -> tuple[str, ...]:
    """HEAD names the commit that was chosen; what was done, in words. Without a choice: what there is, and exit 1.

    ``choice``: that commit, and when everything was erased last.
    """
    from consumer.maintenance import rescue  # noqa: PLC0415
    from consumer.run import NoDeadline  # noqa: PLC0415

    head, erased_at = choice
    known = rescue.candidates(writer.store, user, NoDeadline())
    if not head:
        _tell_candidates(known, as_json=as_json)
        fail(
            f"{fault}. Nothing was done. Say with --head which commit it shall name: the first, unless you know better"
        )
    try:
        commit = rescue.chosen(known, head, erased_at)
    except rescue.CannotChoose as exc:
        fail(str(exc))
    with writer.hold_without_head(user, "repair", rescue.newest_epoch(known)) as hold:
        tell_audit(head=commit.digest)
        written = rescue.write(writer.store, user, commit, hold)
    lost = [f"commit {one.commit.seq} of job {one.commit.job_id}" for one in rescue.left_out(known, commit)]
    gone = f"; no part of the history any more: {', '.join(lost)}" if lost else ""
    return (f"HEAD names commit {written.seq} again{gone}",)


def _tell_candidates(known: Sequence[Candidate], *, as_json: bool) -> None:
    rows = [
        {
            "seq": one.commit.seq,
            "commit": one.digest[:12],
            "created_at": one.commit.created_at,
            "type": one.commit.job_type,
            "job_id": one.commit.job_id,
            "continued": "" if one.last else "yes",
        }
        for one in known[:SHOWN_CANDIDATES]
    ]
    if as_json:
        emit_json(rows)
    else:
        table(("seq", "commit", "created_at", "type", "job_id", "continued"), [tuple(row.values()) for row in rows])
