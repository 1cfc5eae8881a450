"""``cloop-memory dlq ...`` and ``cloop-memory lock ...``: from a failed job to its replay.

Exit codes as in ops.py; 3: nothing matches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from consumer.cli.output import emit_json, fail, is_reason, is_user_id, pairs, table
from consumer.cli.workspace_writes import AuditApi, note

if TYPE_CHECKING:
    from consumer.delivery.deadletter import DeadLetter, DeadLetters, StoredDeadLetter
    from consumer.locking.lock import Locks, LockView
    from consumer.ports import Clock
    from contract.api import DiscardRequest, JobView, ReplayRequest

Filters = Annotated[
    list[str] | None,
    typer.Option(
        "--filter", help="field=value: code, stage, user, job, type, fingerprint, state, since, until. Repeatable."
    ),
]
Keys = Annotated[list[str] | None, typer.Argument(help="record keys or job ids; none: all that the filters select")]
Reason = Annotated[str, typer.Option("--reason", help="kept with the record and in the audit", callback=is_reason)]
SECONDS = "%Y-%m-%d %H:%M:%S"
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, do nothing.")]
UserId = Annotated[str, typer.Argument(help="user_id", callback=is_user_id)]
NOTHING = 3


class ReplayApi(AuditApi, Protocol):
    def replay(self, job_id: str, request: ReplayRequest) -> JobView: ...
    def note_discard(self, request: DiscardRequest) -> None: ...


class Operations(Protocol):
    """What these verbs need. ``operator``: who is asking, for records and audit."""

    @property
    def api(self) -> ReplayApi: ...
    @property
    def dead_letters(self) -> DeadLetters: ...
    @property
    def locks(self) -> Locks: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def operator(self) -> str: ...


def dlq_app(open_operations: Callable[[], Operations]) -> typer.Typer:
    """The ``dlq`` group. Nothing is opened before a verb runs."""
    app = typer.Typer(help="Failed jobs and refused messages.", no_args_is_help=True)
    for add in (_add_list, _add_show, _add_stats, _add_replay, _add_discard):
        add(app, open_operations)
    return app


def _add_list(app: typer.Typer, open_operations: Callable[[], Operations]) -> None:
    @app.command("list")
    def list_records(
        *,
        filters: Filters = None,
        every: Annotated[bool, typer.Option("--all", help="Also those replayed or discarded.")] = False,
        as_json: Json = False,
    ) -> None:
        """Open records. Example: cloop-memory dlq list --filter code=tool_failed --filter since=2026-11-27"""
        found = _select(open_operations(), filters, None, every=every)
        if as_json:
            emit_json([_view(entry) for entry in found])
            return
        columns = ("key", "state", "code", "stage", "type", "failures", "last_seen", "user_id")
        table(columns, [_row(entry.dead_letter) for entry in found if entry.dead_letter])


def _add_show(app: typer.Typer, open_operations: Callable[[], Operations]) -> None:
    @app.command()
    def show(
        key: Annotated[str, typer.Argument(help="record key or job id (its latest record)")], *, as_json: Json = False
    ) -> None:
        """One record with its hint and original message. Example: cloop-memory dlq show 7d1e...-...-3"""
        entry = open_operations().dead_letters.find(key)
        if entry is None:
            fail(f"no dead letter {key!r}; `cloop-memory dlq list --all` shows what there is", code=NOTHING)
        view = _view(entry)
        emit_json(view) if as_json else pairs(view)


def _add_stats(app: typer.Typer, open_operations: Callable[[], Operations]) -> None:
    @app.command()
    def stats(*, filters: Filters = None, as_json: Json = False) -> None:
        """Failures grouped by fingerprint, largest first. Example: cloop-memory dlq stats"""
        from consumer.delivery import deadquery  # noqa: PLC0415 (--help stays fast)

        found = deadquery.groups(e.dead_letter for e in _select(open_operations(), filters, None) if e.dead_letter)
        if as_json:
            emit_json(found)
            return
        columns = ("count", "code", "stage", "users", "first_seen", "last_seen", "fingerprint", "hint")
        seen = [(f"{g.first_seen:{SECONDS}}", f"{g.last_seen:{SECONDS}}") for g in found]
        rows = [
            (g.count, g.code, g.stage, g.users, *at, g.fingerprint, g.hint) for g, at in zip(found, seen, strict=True)
        ]
        table(columns, rows)


def _add_replay(app: typer.Typer, open_operations: Callable[[], Operations]) -> None:
    @app.command()
    def replay(
        keys: Keys = None,
        *,
        reason: Reason,
        filters: Filters = None,
        from_stage: Annotated[str | None, typer.Option("--from-stage", help="where to go on, e.g. report")] = None,
        rate: Annotated[float, typer.Option("--rate", min=0.01, help="replays a second")] = 10.0,
        force: Annotated[bool, typer.Option("--force", help="also records that somebody discarded")] = False,
        dry_run: DryRun = False,
        as_json: Json = False,
    ) -> None:
        """Queue failed jobs again; repeating it replays nothing twice. What was discarded is refused without --force.

        Example: cloop-memory dlq replay --filter fingerprint=3f2a... --reason "gbrain fixed" --dry-run
        """
        _require_choice(keys, filters)
        _require_stage(from_stage)
        operations = open_operations()
        results = []
        for number, entry in enumerate(_select(operations, filters, keys)):
            if number and not dry_run:
                operations.clock.sleep(1 / rate)
            if not force and entry.dead_letter and entry.dead_letter.state == "discarded":
                results.append(_refused(entry.dead_letter))
                continue
            results.append(_replay(operations, entry, reason, from_stage, dry_run=dry_run))
        _done(results, as_json)


def _add_discard(app: typer.Typer, open_operations: Callable[[], Operations]) -> None:
    @app.command()
    def discard(
        keys: Keys = None,
        *,
        reason: Reason,
        filters: Filters = None,
        dry_run: DryRun = False,
        as_json: Json = False,
    ) -> None:
        """Mark records as dealt with; their jobs stay failed.

        Example: cloop-memory dlq discard m-4711 --reason "test message"
        """
        _require_choice(keys, filters)
        operations = open_operations()
        results = [_discard(operations, entry, reason, dry_run=dry_run) for entry in _select(operations, filters, keys)]
        _done(results, as_json)


def lock_app(open_operations: Callable[[], Operations]) -> typer.Typer:
    """The ``lock`` group."""
    app = typer.Typer(help="Who writes a user's workspace.", no_args_is_help=True)

    @app.command()
    def show(user_id: UserId, as_json: Json = False) -> None:
        """Holder, job, age and expiry. Example: cloop-memory lock show 0a6e...-..."""
        view = open_operations().locks.show(user_id)
        if view is None:
            fail(f"user {user_id} has no lock: no job ever ran", code=NOTHING)
        values = _lock_values(view)
        emit_json(values) if as_json else pairs(values)

    @app.command()
    def unlock(
        user_id: UserId,
        generation: Annotated[int, typer.Option("--generation", help="as `lock show` says; another one is refused")],
        reason: Reason,
    ) -> None:
        """Take a lock away. Its holder notices at the next renewal, the next job fences it off: nothing is lost.

        Example: cloop-memory lock unlock 0a6e...-... --generation 1764236 --reason "instance is gone"
        """
        from consumer.errors import LockBusy  # noqa: PLC0415 (--help stays fast)

        operations = open_operations()
        owner = f"operator {operations.operator}: {reason}"[:200]
        view = operations.locks.show(user_id)
        if view and view.generation == generation:
            note(operations, "lock.unlock", user_id, reason, generation=generation)
        try:
            operations.locks.unlock(user_id, generation=generation, owner=owner)
        except LockBusy as exc:
            fail(f"{exc}; not at generation {generation} any more: look again with `lock show`")
        typer.echo(f"lock of {user_id} taken away at generation {generation}")

    return app


def _lock_values(view: LockView) -> dict[str, Any]:
    record = view.record
    if record and record.state == "free":
        # Nobody holds it, so nothing can expire; who wrote it last is history.
        return {
            "state": "free",
            "since": view.updated.isoformat(),
            "last_owner": record.owner,
            "last_job_id": record.job_id,
            "last_attempt": record.attempt,
            "epoch": record.epoch,
            "generation": view.generation,
        }
    known = record.model_dump(mode="json", exclude={"schema_version", "put_id"}) if record else {"state": "unreadable"}
    return {
        **known,
        "generation": view.generation,
        "updated": view.updated.isoformat(),
        "expires_at": view.expires_at.isoformat(),
        "stale": view.stale,
    }


def _select(
    operations: Operations, filters: Sequence[str] | None, keys: Sequence[str] | None, *, every: bool = False
) -> list[StoredDeadLetter]:
    from consumer.delivery import deadquery  # noqa: PLC0415 (--help stays fast)

    try:
        query = deadquery.parse(filters or (), keys or (), every_state=every)
    except deadquery.QueryError as exc:
        fail(str(exc), code=2)
    return deadquery.select(operations.dead_letters.entries(), query)


def _require_choice(keys: Sequence[str] | None, filters: Sequence[str] | None) -> None:
    # Without this, a forgotten filter would replay or discard everything.
    if not keys and not filters:
        fail("name records, or select them with --filter (--filter state=open takes all)", code=2)


def _refused(letter: DeadLetter) -> dict[str, Any]:
    """Somebody decided that this job stays failed; another must say that they know."""
    why = f"{_handled(letter)}; --force with your --reason replays it all the same"
    return {"key": letter.key, "job_id": letter.job_id, "result": "refused", "why": why}


def _replay(
    operations: Operations, entry: StoredDeadLetter, reason: str, from_stage: str | None, *, dry_run: bool
) -> dict[str, Any]:
    from consumer.errors import ConsumerError  # noqa: PLC0415 (--help stays fast)
    from contract.api import ReplayRequest  # noqa: PLC0415

    letter = entry.dead_letter
    if letter is None or letter.job_id is None or letter.attempt is None:
        return {"key": letter.key if letter else entry.name, "result": "skipped", "why": "it is no job"}
    # From the record's key, so that a repeated command finds it done.
    replay_id = letter.replay_id
    result = {"key": letter.key, "job_id": letter.job_id, "replay_id": replay_id}
    if dry_run and not letter.replayed:
        return {**result, "result": "would replay"}
    if dry_run:
        return {**result, "result": "already", "why": _handled(letter)}
    request = ReplayRequest.model_validate({"replay_id": replay_id, "from_stage": from_stage, "reason": reason})
    try:
        job = operations.api.replay(letter.job_id, request)
        if letter.replayed:
            why = f"{_handled(letter)}; its job is {job.status}"
            return {**result, "result": "already", "why": why, "status": job.status}
        noted = operations.dead_letters.mark(entry, "replayed", reason=reason, by=operations.operator)
    except ConsumerError as exc:
        return {**result, "result": "failed", "why": f"{exc}. {exc.hint}"}
    return {**result, **_outcome(noted, "replayed", operations.operator, reason), "status": job.status}


def _require_stage(name: str | None) -> None:
    """A misspelt stage is told before anything is asked for, with those there are."""
    from typing import get_args  # noqa: PLC0415 (--help stays fast)

    from contract.event import StageName  # noqa: PLC0415

    if name is not None and name not in get_args(StageName):
        raise typer.BadParameter(f"{name!r} is no stage; there are {', '.join(get_args(StageName))}")


def _discard(operations: Operations, entry: StoredDeadLetter, reason: str, *, dry_run: bool) -> dict[str, Any]:
    from consumer.delivery import deadquery  # noqa: PLC0415
    from consumer.errors import ConsumerError  # noqa: PLC0415 (--help stays fast)

    result = {"key": entry.dead_letter.key if entry.dead_letter else entry.name}
    if entry.dead_letter and entry.dead_letter.state != "open":
        return {**result, "result": "already", "why": _handled(entry.dead_letter)}
    if dry_run:
        return {**result, "result": "would discard"}
    try:
        # Said first: what was done and left no trace could not be told from what a fault did.
        operations.api.note_discard(deadquery.discard_request(entry, reason))
        noted = operations.dead_letters.mark(entry, "discarded", reason=reason, by=operations.operator)
    except ConsumerError as exc:
        return {**result, "result": "failed", "why": f"{exc}. {exc.hint}"}
    return {**result, **_outcome(noted, "discarded", operations.operator, reason)}


def _outcome(noted: DeadLetter, verb: str, operator: str, reason: str) -> dict[str, Any]:
    """What was done, or what somebody else had done a moment before."""
    done = noted.handled
    if noted.state == verb and done and (done.by, done.reason) == (operator, reason):
        return {"result": verb}
    return {"result": "already", "why": _handled(noted)}


def _handled(letter: DeadLetter) -> str:
    """Who dealt with it, and when."""
    done = letter.handled
    return f"{letter.state} {done.at:%Y-%m-%d %H:%M:%S} by {done.by}: {done.reason}" if done else letter.state


def _done(results: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        emit_json(results)
    else:
        table(("key", "result", "why"), [(r["key"], r["result"], r.get("why", "")) for r in results])
    if not results:
        fail("no record matches", code=NOTHING)
    if any(r["result"] in {"failed", "refused"} for r in results):
        raise typer.Exit(1)


def _row(letter: DeadLetter) -> tuple[Any, ...]:
    seen = f"{letter.last_seen:{SECONDS}}"
    where = (letter.state, letter.code, letter.stage, letter.job_type)
    return (letter.key, *where, letter.failures, seen, letter.user_id)


def _view(entry: StoredDeadLetter) -> dict[str, Any]:
    if entry.dead_letter is None:
        return {"name": entry.name, "state": "unreadable"}
    return {"state": entry.dead_letter.state, **entry.dead_letter.model_dump(mode="json", exclude={"schema_version"})}
