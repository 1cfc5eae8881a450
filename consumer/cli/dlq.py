"""``cloop-memory dlq ...``: inspect, replay and discard dead letters. Exit code 3: no record matches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from consumer.cli.options import Json, Limit, is_reason
from consumer.cli.output import emit_json, fail, pairs, say_more, table
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
Keys = Annotated[
    list[str] | None, typer.Argument(help="Keys or job ids of dead letters. Default: all that match the filters.")
]
Reason = Annotated[
    str, typer.Option("--reason", help="Recorded in the dead letter and in the audit.", callback=is_reason)
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be done without doing it.")]
SECONDS = "%Y-%m-%d %H:%M:%S"
NOTHING = 3

app = typer.Typer()


@app.command("list")
def list_records(
    ctx: typer.Context,
    *,
    filters: Filters = None,
    every: Annotated[bool, typer.Option("--all", help="Include replayed and discarded dead letters.")] = False,
    limit: Limit = 200,
    as_json: Json = False,
) -> None:
    """List the newest open dead letters, up to --limit of them, in order from oldest to newest.

    Example: cloop-memory dlq list --filter code=tool_failed --filter since=2026-11-27
    """
    query = _query(filters, None, every=every)
    stored = connect(ctx).dead_letters.entries(query.may_match, newest_first=True)
    matches = list(
        islice((entry for entry in stored if entry.dead_letter and query.matches(entry.dead_letter)), limit + 1)
    )
    entries = matches[:limit][::-1]
    if len(matches) > limit:
        say_more(limit)
    if as_json:
        emit_json([_view(entry) for entry in entries])
        return
    columns = ("key", "state", "code", "stage", "type", "failures", "last_seen", "user_id")
    table(columns, [_row(entry.dead_letter) for entry in entries if entry.dead_letter])


@app.command()
def show(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(help="Key of a dead letter, or job id for its latest one.")],
    *,
    as_json: Json = False,
) -> None:
    """Show a dead letter: failure, hint and original message. Example: cloop-memory dlq show 7d1e...-...-3"""
    entry = connect(ctx).dead_letters.find(key)
    if entry is None:
        fail(f"no dead letter {key!r}; `cloop-memory dlq list --all` shows all of them", code=NOTHING)
    view = _view(entry)
    emit_json(view) if as_json else pairs(view)


@app.command()
def stats(ctx: typer.Context, *, filters: Filters = None, as_json: Json = False) -> None:
    """Count dead letters by fingerprint, largest group first. Example: cloop-memory dlq stats"""
    groups = deadquery.groups(entry.dead_letter for entry in _select(connect(ctx), filters, None) if entry.dead_letter)
    if as_json:
        emit_json(groups)
        return
    columns = ("count", "code", "stage", "users", "first_seen", "last_seen", "fingerprint", "hint")
    times = [(f"{group.first_seen:{SECONDS}}", f"{group.last_seen:{SECONDS}}") for group in groups]
    rows = [
        (g.count, g.code, g.stage, g.users, *at, g.fingerprint, g.hint) for g, at in zip(groups, times, strict=True)
    ]
    table(columns, rows)


@app.command()
def replay(
    ctx: typer.Context,
    keys: Keys = None,
    *,
    reason: Reason,
    filters: Filters = None,
    from_stage: Annotated[str | None, typer.Option("--from-stage", help="Stage to continue at, e.g. report.")] = None,
    rate: Annotated[float, typer.Option("--rate", min=0.01, help="Replays per second.")] = 10.0,
    force: Annotated[bool, typer.Option("--force", help="Replay discarded dead letters too.")] = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Queue failed jobs again. A repeated command replays no job twice. A discarded dead letter needs --force.

    Example: cloop-memory dlq replay --filter fingerprint=3f2a... --reason "gbrain fixed" --dry-run
    """
    _require_choice(keys, filters)
    _require_stage(from_stage)
    operations = connect(ctx)
    results = []
    for number, entry in enumerate(_select(operations, filters, keys)):
        if number and not dry_run:
            operations.clock.sleep(1 / rate)
        refusal = _refusal(entry, force=force)
        results.append(refusal or _replay(operations, entry, reason, from_stage, dry_run=dry_run))
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
    """Close dead letters without a replay; their jobs stay failed.

    Example: cloop-memory dlq discard m-4711 --reason "test message"
    """
    _require_choice(keys, filters)
    operations = connect(ctx)
    results = [_discard(operations, entry, reason, dry_run=dry_run) for entry in _select(operations, filters, keys)]
    _done(results, as_json)


def _select(
    operations: Operations, filters: Sequence[str] | None, keys: Sequence[str] | None
) -> list[StoredDeadLetter]:
    query = _query(filters, keys)
    return deadquery.select(operations.dead_letters.entries(query.may_match), query)


def _query(
    filters: Sequence[str] | None, keys: Sequence[str] | None, *, every: bool = False
) -> deadquery.DeadLetterQuery:
    try:
        return deadquery.parse(filters or (), keys or (), every_state=every)
    except deadquery.QueryError as exc:
        fail(str(exc), code=2)


def _require_choice(keys: Sequence[str] | None, filters: Sequence[str] | None) -> None:
    # Without this, a forgotten filter would replay or discard everything.
    if not keys and not filters:
        fail(
            "give keys or job ids, or select dead letters with --filter (--filter state=open selects all open ones)",
            code=2,
        )


def _refusal(entry: StoredDeadLetter, *, force: bool) -> dict[str, Any] | None:
    """The result for a record that cannot be replayed; None: replay it."""
    dead_letter = entry.dead_letter
    refusal = dead_letter.replay_refusal(force=force) if dead_letter else "not_a_job"
    if dead_letter and refusal == "discarded":
        why = f"{_handled(dead_letter)}; use --force to replay it all the same"
        return {"key": dead_letter.key, "job_id": dead_letter.job_id, "result": "refused", "why": why}
    if refusal:
        return {"key": dead_letter.key if dead_letter else entry.name, "result": "skipped", "why": "it is not a job"}
    return None


def _replay(
    operations: Operations, entry: StoredDeadLetter, reason: str, from_stage: str | None, *, dry_run: bool
) -> dict[str, Any]:
    dead_letter = entry.dead_letter
    assert dead_letter is not None and dead_letter.job_id is not None
    # Derived from the record's key, so that a repeated command finds its own replay.
    replay_id = dead_letter.replay_id
    result = {"key": dead_letter.key, "job_id": dead_letter.job_id, "replay_id": replay_id}
    if dry_run and not dead_letter.replayed:
        return {**result, "result": "would replay"}
    if dry_run:
        return {**result, "result": "already", "why": _handled(dead_letter)}
    request = ReplayRequest.model_validate({"replay_id": replay_id, "from_stage": from_stage, "reason": reason})
    try:
        job = operations.api.replay(dead_letter.job_id, request)
        if dead_letter.replayed:
            why = f"{_handled(dead_letter)}; its job is {job.status}"
            return {**result, "result": "already", "why": why, "status": job.status}
        noted = operations.dead_letters.mark(entry, "replayed", reason=reason, by=operations.operator)
    except ConsumerError as exc:
        return {**result, "result": "failed", "why": f"{exc}. {exc.hint}"}
    return {**result, **_outcome(noted, "replayed", operations.operator, reason), "status": job.status}


def _require_stage(name: str | None) -> None:
    """Refuse an unknown stage before anything is sent."""
    if name is not None and name not in get_args(StageName):
        raise typer.BadParameter(f"{name!r} is not a stage; use one of {', '.join(get_args(StageName))}")


def _discard(operations: Operations, entry: StoredDeadLetter, reason: str, *, dry_run: bool) -> dict[str, Any]:
    result = {"key": entry.dead_letter.key if entry.dead_letter else entry.name}
    if entry.dead_letter and entry.dead_letter.state != "open":
        return {**result, "result": "already", "why": _handled(entry.dead_letter)}
    if dry_run:
        return {**result, "result": "would discard"}
    try:
        # The audit first: a discard without a trace would look like a fault.
        operations.api.note_discard(deadquery.discard_request(entry, reason))
        noted = operations.dead_letters.mark(entry, "discarded", reason=reason, by=operations.operator)
    except ConsumerError as exc:
        return {**result, "result": "failed", "why": f"{exc}. {exc.hint}"}
    return {**result, **_outcome(noted, "discarded", operations.operator, reason)}


def _outcome(noted: DeadLetter, verb: str, operator: str, reason: str) -> dict[str, Any]:
    """The result: done by this command, or by another operator a moment before."""
    done = noted.handled
    if noted.state == verb and done and (done.by, done.reason) == (operator, reason):
        return {"result": verb}
    return {"result": "already", "why": _handled(noted)}


def _handled(dead_letter: DeadLetter) -> str:
    """Who dealt with it, and when."""
    done = dead_letter.handled
    return f"{dead_letter.state} {done.at:%Y-%m-%d %H:%M:%S} by {done.by}: {done.reason}" if done else dead_letter.state


def _done(results: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        emit_json(results)
    else:
        table(("key", "result", "why"), [(r["key"], r["result"], r.get("why", "")) for r in results])
    if not results:
        fail("no dead letter matches", code=NOTHING)
    if any(r["result"] in {"failed", "refused"} for r in results):
        raise typer.Exit(1)


def _row(dead_letter: DeadLetter) -> tuple[Any, ...]:
    seen = f"{dead_letter.last_seen:{SECONDS}}"
    where = (dead_letter.state, dead_letter.code, dead_letter.stage, dead_letter.job_type)
    return (dead_letter.key, *where, dead_letter.failures, seen, dead_letter.user_id)


def _view(entry: StoredDeadLetter) -> dict[str, Any]:
    if entry.dead_letter is None:
        return {"name": entry.name, "state": "unreadable"}
    return {"state": entry.dead_letter.state, **entry.dead_letter.model_dump(mode="json", exclude={"schema_version"})}
