"""``cloop-memory dlq ...``: from a failed job to its replay. Exit 3: no record matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from consumer.cli.options import Json, is_reason
from consumer.cli.output import emit_json, fail, pairs, table
from consumer.cli.session import connect
from consumer.delivery import deadquery
from consumer.delivery.deadletter import DeadLetter, StoredDeadLetter
from consumer.errors import ConsumerError
from contract.api import ReplayRequest
from contract.event import StageName

if TYPE_CHECKING:
    from consumer.bootstrap import Operations

Filters = Annotated[
    list[str] | None,
    typer.Option(
        "--filter", help="field=value: code, stage, user, job, type, fingerprint, state, since, until. Repeatable."
    ),
]
Keys = Annotated[list[str] | None, typer.Argument(help="record keys or job ids; none: all that the filters select")]
Reason = Annotated[str, typer.Option("--reason", help="kept with the record and in the audit", callback=is_reason)]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, do nothing.")]
SECONDS = "%Y-%m-%d %H:%M:%S"
NOTHING = 3

app = typer.Typer()


@app.command("list")
def list_records(
    ctx: typer.Context,
    *,
    filters: Filters = None,
    every: Annotated[bool, typer.Option("--all", help="Also those replayed or discarded.")] = False,
    as_json: Json = False,
) -> None:
    """Open records. Example: cloop-memory dlq list --filter code=tool_failed --filter since=2026-11-27"""
    entries = _select(connect(ctx), filters, None, every=every)
    if as_json:
        emit_json([_view(entry) for entry in entries])
        return
    columns = ("key", "state", "code", "stage", "type", "failures", "last_seen", "user_id")
    table(columns, [_row(entry.letter) for entry in entries if entry.letter])


@app.command()
def show(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(help="record key or job id (its latest record)")],
    *,
    as_json: Json = False,
) -> None:
    """One record with its hint and original message. Example: cloop-memory dlq show 7d1e...-...-3"""
    entry = connect(ctx).dead_letters.find(key)
    if entry is None:
        fail(f"no dead letter {key!r}; `cloop-memory dlq list --all` shows what there is", code=NOTHING)
    view = _view(entry)
    emit_json(view) if as_json else pairs(view)


@app.command()
def stats(ctx: typer.Context, *, filters: Filters = None, as_json: Json = False) -> None:
    """Failures grouped by fingerprint, largest first. Example: cloop-memory dlq stats"""
    groups = deadquery.groups(entry.letter for entry in _select(connect(ctx), filters, None) if entry.letter)
    if as_json:
        emit_json(groups)
        return
    columns = ("count", "code", "stage", "users", "first_seen", "last_seen", "fingerprint", "hint")
    table(
        columns,
        [
            (
                g.count,
                g.code,
                g.stage,
                g.users,
                f"{g.first_seen:{SECONDS}}",
                f"{g.last_seen:{SECONDS}}",
                g.fingerprint,
                g.hint,
            )
            for g in groups
        ],
    )


@app.command()
def replay(
    ctx: typer.Context,
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
    operations = connect(ctx)
    results = []
    for number, entry in enumerate(_select(operations, filters, keys)):
        if number and not dry_run:
            operations.clock.sleep(1 / rate)
        if not force and entry.letter and entry.letter.state == "discarded":
            results.append(_refused(entry.letter))
            continue
        results.append(_replay(operations, entry, reason, from_stage, dry_run=dry_run))
    _done(results, as_json)


@app.command()
def discard(
    ctx: typer.Context,
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
    operations = connect(ctx)
    results = [_discard(operations, entry, reason, dry_run=dry_run) for entry in _select(operations, filters, keys)]
    _done(results, as_json)


def _select(
    operations: Operations, filters: Sequence[str] | None, keys: Sequence[str] | None, *, every: bool = False
) -> list[StoredDeadLetter]:
    try:
        query = deadquery.parse(filters or (), keys or (), every_state=every)
    except deadquery.QueryError as exc:
        fail(str(exc), code=2)
    return deadquery.select(operations.dead_letters.letters(), query)


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
    letter = entry.letter
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
    if name is not None and name not in get_args(StageName):
        raise typer.BadParameter(f"{name!r} is no stage; there are {', '.join(get_args(StageName))}")


def _discard(operations: Operations, entry: StoredDeadLetter, reason: str, *, dry_run: bool) -> dict[str, Any]:
    result = {"key": entry.letter.key if entry.letter else entry.name}
    if entry.letter and entry.letter.state != "open":
        return {**result, "result": "already", "why": _handled(entry.letter)}
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
    if entry.letter is None:
        return {"name": entry.name, "state": "unreadable"}
    return {"state": entry.letter.state, **entry.letter.model_dump(mode="json", exclude={"schema_version"})}
