"""One job from its request to its end: what the row and the run ledger know, as data and as lines."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from consumer.core.claim import Ledger
    from contract.api import JobView

#: Characters of the longest stage's bar.
BAR: Final = 30


def timeline(job: JobView, ledger: Ledger | None) -> dict[str, Any]:
    """What happened when. ``stages`` are those of the current attempt: an attempt's marks end with it."""
    found: dict[str, Any] = {
        "requested_at": job.requested_at.isoformat(),
        "started_after_s": _after(job.requested_at, job.started_at),
        "finished_after_s": _after(job.requested_at, job.finished_at),
        "attempts": max(job.attempt, ledger.fence if ledger else 0),
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
        "stages": [{"stage": mark.stage, "seconds": mark.seconds} for mark in ledger.stages],
        "last_failure": ledger.failure.model_dump(mode="json") if ledger.failure else None,
    }


def draw(job: JobView, told: dict[str, Any]) -> Iterator[str]:
    """Lines for people: the time since the request on the left, a bar for each stage."""
    yield f"{job.requested_at:%Y-%m-%d %H:%M:%S} UTC  requested by {job.triggered_by or 'the app'}"
    if job.started_at:
        yield _at(told["started_after_s"], f"started; now attempt {told['attempts']}{_marks(told)}")
    yield from _bars(told["stages"])
    if told.get("last_failure"):
        yield from _failure(job, told["last_failure"])
    if job.finished_at:
        commit = f", commit {job.commit.seq}" if job.commit else ""
        outcome = f"{job.status} ({job.substate})" if job.substate else job.status
        yield _at(told["finished_after_s"], f"{outcome}{commit}")
    else:
        yield _at(None, _open(job))


def _marks(told: dict[str, Any]) -> str:
    counted = (("failures", "failed"), ("replays", "replayed"))
    words = [f"{word} {told[name]} times" for name, word in counted if told.get(name)]
    if told.get("execution"):
        words.append(f"in {str(told['execution']).rsplit('/', 1)[-1]}")
    return f" ({', '.join(words)})" if words else ""


def _bars(stages: list[dict[str, Any]]) -> Iterator[str]:
    longest = max((mark["seconds"] for mark in stages), default=0.0) or 1.0
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
