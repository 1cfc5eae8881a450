"""One job from its request to its end, from its row and its run ledger, as data and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from contract.api import EVERYBODY

if TYPE_CHECKING:
    from consumer.delivery.ledger import Ledger, PastAttempt, StageMark
    from contract.api import JobView, PauseView

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
    """The job's events with their times. ``stages`` are the current attempt's; ``history`` has every attempt that the
    ledger keeps, in order, the current one last.
    """
    summary: dict[str, Any] = {
        "requested_at": job.requested_at.isoformat(),
        "started_after_s": _after(job.requested_at, job.started_at),
        "finished_after_s": _after(job.requested_at, job.finished_at),
        "attempts": max(job.attempt, ledger.attempt if ledger else 0),
        "stages": [],
    }
    if ledger is None:
        return summary
    return summary | {
        "ledger": ledger.state,
        "failures": ledger.failures,
        "replays": len(ledger.replays),
        "execution": ledger.execution,
        "launches": ledger.launches,
        "delivered": ledger.delivered,
        "stages": _stages(ledger.stages),
        "history": [*(_past(job, past) for past in ledger.earlier), _current(job, ledger)],
        "last_failure": ledger.failure.model_dump(mode="json") if ledger.failure else None,
    }


def draw(job: JobView, summary: dict[str, Any]) -> Iterator[str]:
    """Lines of text: the time since the request on the left, a bar for each stage."""
    yield f"{job.requested_at:%Y-%m-%d %H:%M:%S} UTC  requested by {job.triggered_by or 'the app'}"
    if "history" in summary:
        yield from _history(job, summary)
    elif job.started_at:
        yield _line(summary["started_after_s"], f"started; now attempt {summary['attempts']}")
    if job.finished_at:
        commit = f", commit {job.commit.seq}" if job.commit else ""
        outcome = f"{job.status} ({job.substate})" if job.substate else job.status
        yield _line(summary["finished_after_s"], f"{outcome}{commit}")
    else:
        yield _line(None, _open(job))
        if job.pause:
            yield f"{'':12}{paused(job.pause)}"


def _stages(marks: tuple[StageMark, ...]) -> list[dict[str, Any]]:
    return [{"stage": mark.stage, "seconds": mark.seconds} for mark in marks]


def _past(job: JobView, past: PastAttempt) -> dict[str, Any]:
    return {
        "attempt": past.attempt,
        "began_after_s": _after(job.requested_at, past.began_at),
        "replayed": past.replayed,
        "stages": _stages(past.stages),
        "ended": _ENDS.get(past.state, past.state.lower()) if past.code is None else "failed",
        "ended_after_s": _after(job.requested_at, past.failed_at or past.ended_at),
        "code": past.code,
        "stage": past.stage,
    }


def _current(job: JobView, ledger: Ledger) -> dict[str, Any]:
    failure = ledger.failure
    # The ledger's failure may be that of an earlier attempt, while the current one has none.
    own_failure = failure if failure and all(past.failed_at != failure.last_seen for past in ledger.earlier) else None
    # Ledgers of earlier releases have no ``began_at``.
    began_at = ledger.began_at or (None if ledger.earlier else job.started_at)
    return {
        "attempt": ledger.attempt,
        "began_after_s": _after(job.requested_at, began_at),
        "replayed": ledger.replayed,
        "stages": _stages(ledger.stages),
        "ended": "failed" if own_failure else None,
        "ended_after_s": _after(job.requested_at, own_failure.last_seen) if own_failure else None,
        "code": own_failure.code if own_failure else None,
        "stage": own_failure.stage if own_failure else None,
    }


def _history(job: JobView, summary: dict[str, Any]) -> Iterator[str]:
    """The attempts in order; message and hint only for the last failure."""
    history = summary["history"]
    longest = max((mark["seconds"] for attempt in history for mark in attempt["stages"]), default=0.0) or 1.0
    for attempt in history:
        is_current = attempt is history[-1]
        place = f" in {str(summary['execution']).rpartition('/')[2]}" if is_current and summary.get("execution") else ""
        replayed = ", replayed" if attempt["replayed"] else ""
        yield _line(attempt["began_after_s"], f"attempt {attempt['attempt']}{replayed}{place}")
        yield from _bars(attempt["stages"], longest)
        if attempt["code"]:
            yield from _failed(job, attempt, summary["last_failure"])
        elif attempt["ended"]:
            yield _line(attempt["ended_after_s"], attempt["ended"])


def _failed(job: JobView, attempt: dict[str, Any], last_failure: dict[str, Any]) -> Iterator[str]:
    if _after(job.requested_at, datetime.fromisoformat(last_failure["last_seen"])) == attempt["ended_after_s"]:
        yield from _failure(job, last_failure)
        return
    where = f" at {attempt['stage']}" if attempt["stage"] else ""
    yield _line(attempt["ended_after_s"], f"failed: {attempt['code']}{where}")


def _bars(stages: list[dict[str, Any]], longest: float) -> Iterator[str]:
    for mark in stages:
        bar = "#" * max(1, round(BAR * mark["seconds"] / longest))
        yield f"{'':12}{mark['stage']:<11}{mark['seconds']:>8.2f} s  {bar}"


def _failure(job: JobView, failure: dict[str, Any]) -> Iterator[str]:
    seen = datetime.fromisoformat(failure["last_seen"])
    where = f" at {failure['stage']}" if failure["stage"] else ""
    yield _line(_after(job.requested_at, seen), f"failed: {failure['code']}{where}: {failure['message']}")
    yield f"{'':12}{failure['hint']}"


def paused(pause: PauseView) -> str:
    """Why and since when jobs are withheld."""
    whose = "everybody" if pause.target == EVERYBODY else "this user"
    since = f"{pause.paused_at:%Y-%m-%d %H:%M:%S} UTC"
    return f"the queue of {whose} is paused since {since} by {pause.paused_by}: {pause.reason}"


def _open(job: JobView) -> str:
    state = f"{job.status} ({job.substate})" if job.substate else job.status
    stage = f" in {job.stage}" if job.stage else ""
    retry = f", due again at {job.retry_at:%H:%M:%S} UTC" if job.retry_at else ""
    waits = f", waits for the {job.progress['waiting_for']}" if job.progress.get("waiting_for") else ""
    cancel = ", cancel requested" if job.cancel_requested_at else ""
    return f"{state}{stage}{waits}{retry}{cancel}"


def _line(seconds: float | None, text: str) -> str:
    mark = "" if seconds is None else f"+{seconds:.1f} s"
    return f"{mark:>10}  {text}"


def _after(start: datetime, end: datetime | None) -> float | None:
    return round((end - start).total_seconds(), 3) if end else None
