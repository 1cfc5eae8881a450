"""One job from its request to its end: what the row and the run ledger know, as data and as lines."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from consumer.delivery.ledger import Ledger, PastAttempt, StageMark
    from contract.api import JobView

#: Characters of the longest stage's bar.
BAR: Final = 30
#: How an attempt without a failure of its own ended, by its ledger's state.
_ENDS: Final = {
    "RUNNING": "stopped renewing its lease; another attempt took over",
    "RETRYING": "interrupted",
    "PARKED": "parked: another job of this user was running",
    "QUEUED": "queued for an execution",
    "DEAD": "failed",
}


def timeline(job: JobView, ledger: Ledger | None) -> dict[str, Any]:
    """What happened when. ``stages`` are the current attempt's, ``history`` has every attempt that is remembered, in
    order, the current one last.
    """
    found: dict[str, Any] = {
        "requested_at": job.requested_at.isoformat(),
        "started_after_s": _after(job.requested_at, job.started_at),
        "finished_after_s": _after(job.requested_at, job.finished_at),
        "attempts": max(job.attempt, ledger.attempt if ledger else 0),
        "stages": [],
    }
    if ledger is None:
        return found
    return found | {
        "ledger": ledger.state,
        "failures": ledger.failures,
        "replays": len(ledger.replays),
        "execution": ledger.execution,
        "launches": ledger.launches,
        "delivered": ledger.delivered,
        "stages": _stages(ledger.stages),
        "history": [*(_past(job, one) for one in ledger.earlier), _current(job, ledger)],
        "last_failure": ledger.failure.model_dump(mode="json") if ledger.failure else None,
    }


def draw(job: JobView, told: dict[str, Any]) -> Iterator[str]:
    """Lines for people: the time since the request on the left, a bar for each stage."""
    yield f"{job.requested_at:%Y-%m-%d %H:%M:%S} UTC  requested by {job.triggered_by or 'the app'}"
    if "history" in told:
        yield from _history(job, told)
    elif job.started_at:
        yield _at(told["started_after_s"], f"started; now attempt {told['attempts']}")
    if job.finished_at:
        commit = f", commit {job.commit.seq}" if job.commit else ""
        outcome = f"{job.status} ({job.substate})" if job.substate else job.status
        yield _at(told["finished_after_s"], f"{outcome}{commit}")
    else:
        yield _at(None, _open(job))


def _stages(marks: tuple[StageMark, ...]) -> list[dict[str, Any]]:
    return [{"stage": mark.stage, "seconds": mark.seconds} for mark in marks]


def _past(job: JobView, one: PastAttempt) -> dict[str, Any]:
    return {
        "attempt": one.attempt,
        "began_after_s": _after(job.requested_at, one.began_at),
        "replayed": one.replayed,
        "stages": _stages(one.stages),
        "ended": _ENDS.get(one.state, one.state.lower()) if one.code is None else "failed",
        "ended_after_s": _after(job.requested_at, one.failed_at or one.ended_at),
        "code": one.code,
        "stage": one.stage,
    }


def _current(job: JobView, ledger: Ledger) -> dict[str, Any]:
    failure = ledger.failure
    # Left from an attempt before, while this one has none of its own.
    own = failure if failure and all(one.failed_at != failure.last_seen for one in ledger.earlier) else None
    # A ledger of before this was kept has no time.
    began = ledger.began_at or (None if ledger.earlier else job.started_at)
    return {
        "attempt": ledger.attempt,
        "began_after_s": _after(job.requested_at, began),
        "replayed": ledger.replayed,
        "stages": _stages(ledger.stages),
        "ended": "failed" if own else None,
        "ended_after_s": _after(job.requested_at, own.last_seen) if own else None,
        "code": own.code if own else None,
        "stage": own.stage if own else None,
    }


def _history(job: JobView, told: dict[str, Any]) -> Iterator[str]:
    """Attempt by attempt; the message and the hint only of the last failure."""
    history = told["history"]
    longest = max((mark["seconds"] for one in history for mark in one["stages"]), default=0.0) or 1.0
    for one in history:
        last = one is history[-1]
        where = f" in {str(told['execution']).rsplit('/', 1)[-1]}" if last and told.get("execution") else ""
        replayed = ", replayed" if one["replayed"] else ""
        yield _at(one["began_after_s"], f"attempt {one['attempt']}{replayed}{where}")
        yield from _bars(one["stages"], longest)
        if one["code"]:
            yield from _failed(job, one, told["last_failure"])
        elif one["ended"]:
            yield _at(one["ended_after_s"], one["ended"])


def _failed(job: JobView, one: dict[str, Any], last: dict[str, Any]) -> Iterator[str]:
    if _after(job.requested_at, datetime.fromisoformat(last["last_seen"])) == one["ended_after_s"]:
        yield from _failure(job, last)
        return
    where = f" at {one['stage']}" if one["stage"] else ""
    yield _at(one["ended_after_s"], f"failed: {one['code']}{where}")


def _bars(stages: list[dict[str, Any]], longest: float) -> Iterator[str]:
    for mark in stages:
        bar = "#" * max(1, round(BAR * mark["seconds"] / longest))
        yield f"{'':12}{mark['stage']:<11}{mark['seconds']:>8.2f} s  {bar}"


def _failure(job: JobView, failure: dict[str, Any]) -> Iterator[str]:
    seen = datetime.fromisoformat(failure["last_seen"])
    where = f" at {failure['stage']}" if failure["stage"] else ""
    yield _at(_after(job.requested_at, seen), f"failed: {failure['code']}{where}: {failure['message']}")
    yield f"{'':12}{failure['hint']}"


def _open(job: JobView) -> str:
    state = f"{job.status} ({job.substate})" if job.substate else job.status
    stage = f" in {job.stage}" if job.stage else ""
    retry = f", due again at {job.retry_at:%H:%M:%S} UTC" if job.retry_at else ""
    cancel = ", cancel requested" if job.cancel_requested_at else ""
    return f"{state}{stage}{retry}{cancel}"


def _at(seconds: float | None, text: str) -> str:
    mark = "" if seconds is None else f"+{seconds:.1f} s"
    return f"{mark:>10}  {text}"


def _after(start: datetime, end: datetime | None) -> float | None:
    return round((end - start).total_seconds(), 3) if end else None
