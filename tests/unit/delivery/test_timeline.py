"""One job's timeline in text: every line that its row and its ledger can lead to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from consumer.delivery.ledger import Failure, PastAttempt, StageMark
from consumer.delivery.timeline import draw, timeline
from contract.api import CommitRef, JobView, PauseView
from tests.tables import table
from tests.unit.delivery.test_ledger import JOB, R1, USER, a_ledger

THEN = datetime(2026, 11, 27, 9, tzinfo=UTC)
HEAD = "2026-11-27 09:00:00 UTC  requested by the app"


def at(seconds: float) -> datetime:
    return THEN + timedelta(seconds=seconds)


def a_job(**fields: Any) -> JobView:
    values = {
        "job_id": JOB,
        "user_id": USER,
        "workspace_id": USER,
        "job_type": "hourly_digest",
        "runtime_profile": "standard",
        "template_version": "v1",
        "status": "running",
        "requested_at": THEN,
        **fields,
    }
    return JobView.model_validate(values)


def a_failure(seen: datetime, stage: str | None = "render") -> Failure:
    return Failure.model_validate({
        "code": "tool_failed", "error_class": "ToolFailed", "message": "it ended", "hint": "Look.", "stage": stage,
        "fingerprint": "f", "first_seen": THEN, "last_seen": seen,
    })  # fmt: skip


def past(number: int, **fields: Any) -> PastAttempt:
    return PastAttempt(attempt=number, **{"began_at": at(1), "ended_at": at(2), "state": "RETRYING", **fields})


def lines(job: JobView, **ledger: Any) -> list[str]:
    summary = timeline(job, a_ledger(**{"attempt": 1, "began_at": at(5), **ledger}) if ledger else None)
    drawn = list(draw(job, summary))
    assert drawn[0] == HEAD
    return drawn[1:]


@table(
    ("fields", "drawn"),
    [
        ({"status": "queued"}, ["            queued"]),
        (
            {"started_at": at(1.25), "attempt": 2, "stage": "render", "substate": "busy"},
            ["    +1.2 s  started; now attempt 2", "            running (busy) in render"],
        ),
        (
            {"retry_at": at(60), "progress": {"waiting_for": "model"}, "cancel_requested_at": at(3)},
            ["            running, waits for the model, due again at 09:01:00 UTC, cancel requested"],
        ),
        ({"status": "completed", "finished_at": at(90)}, ["   +90.0 s  completed"]),
        (
            {"status": "completed", "substate": "quiet", "finished_at": at(90), "commit": CommitRef(seq=7, digest="d")},
            ["   +90.0 s  completed (quiet), commit 7"],
        ),
        # A pause withholds nothing from a job that is over.
        *(
            (
                {"pause": PauseView(target=target, paused_at=at(3), paused_by="ann", reason="outage"), **end},
                drawn,
            )
            for target, end, drawn in (
                (
                    "*",
                    {},
                    [
                        "            running",
                        "            the queue of everybody is paused since 2026-11-27 09:00:03 UTC by ann: outage",
                    ],
                ),
                (
                    USER,
                    {},
                    [
                        "            running",
                        "            the queue of this user is paused since 2026-11-27 09:00:03 UTC by ann: outage",
                    ],
                ),
                ("*", {"status": "failed", "finished_at": at(9)}, ["    +9.0 s  failed"]),
            )
        ),
    ],
)
def test_a_job_without_a_ledger_is_told_by_its_row(fields: dict[str, Any], drawn: list[str]) -> None:
    assert lines(a_job(**fields)) == drawn


def test_an_operators_job_tells_who_asked() -> None:
    job = a_job(triggered_by="ann")
    assert next(draw(job, timeline(job, None))) == HEAD.replace("the app", "ann")


@table(
    ("ledger", "drawn"),
    [
        ({"attempt": 3}, ["    +5.0 s  attempt 3"]),
        (
            {"replayed": True, "execution": "projects/p/executions/run-x7"},
            ["    +5.0 s  attempt 1, replayed in run-x7"],
        ),
        # Bars are as long as their share of the longest stage; the shortest is seen.
        (
            {
                "stages": tuple(
                    StageMark(stage=stage, seconds=seconds)  # type: ignore[arg-type]  # names of stages
                    for stage, seconds in (("hydrate", 0.0), ("export", 10.0), ("render", 20.0))
                )
            },
            [
                "    +5.0 s  attempt 1",
                "            hydrate        0.00 s  #",
                f"            export        10.00 s  {'#' * 15}",
                f"            render        20.00 s  {'#' * 30}",
            ],
        ),
        (
            {"stages": (StageMark(stage="hydrate", seconds=0.0),)},
            ["    +5.0 s  attempt 1", "            hydrate        0.00 s  #"],
        ),
        # Of the failures only the last one has its message and its hint.
        (
            {
                "attempt": 3,
                "failure": a_failure(at(9)),
                "earlier": (
                    past(1, code="lock_lost", stage="export", failed_at=at(2), ended_at=at(3)),
                    past(2, code="tool_failed", failed_at=at(4)),
                ),
            },
            [
                "    +1.0 s  attempt 1",
                "    +2.0 s  failed: lock_lost at export",
                "    +1.0 s  attempt 2",
                "    +4.0 s  failed: tool_failed",
                "    +5.0 s  attempt 3",
                "    +9.0 s  failed: tool_failed at render: it ended",
                "            Look.",
            ],
        ),
        # The ledger's failure may be that of an earlier attempt.
        (
            {
                "attempt": 2,
                "failure": a_failure(at(2), stage=None),
                "earlier": (past(1, code="tool_failed", failed_at=at(2)),),
            },
            [
                "    +1.0 s  attempt 1",
                "    +2.0 s  failed: tool_failed: it ended",
                "            Look.",
                "    +5.0 s  attempt 2",
            ],
        ),
        *(
            (
                {"attempt": 2, "earlier": (past(1, state=state),)},
                ["    +1.0 s  attempt 1", f"    +2.0 s  {ended}", "    +5.0 s  attempt 2"],
            )
            for state, ended in (
                ("RUNNING", "stopped renewing its lease; another attempt took over"),
                ("RETRYING", "interrupted"),
                ("PARKED", "parked: another job of this user was running"),
                ("QUEUED", "queued for an execution"),
                ("DEAD", "failed"),
                ("DONE", "done"),
            )
        ),
        # Ledgers of earlier releases have no time at which an attempt began: the first one began with the job.
        ({"began_at": None}, ["    +4.0 s  attempt 1"]),
        (
            {"attempt": 2, "began_at": None, "earlier": (past(1),)},
            ["    +1.0 s  attempt 1", "    +2.0 s  interrupted", "            attempt 2"],
        ),
    ],
)
def test_a_ledger_tells_each_attempt(ledger: dict[str, Any], drawn: list[str]) -> None:
    assert lines(a_job(started_at=at(4)), **ledger) == [*drawn, "            running"]


def test_the_summary_counts_what_row_and_ledger_know() -> None:
    job = a_job(attempt=2, started_at=at(1.0004), finished_at=at(61))
    assert timeline(job, None) == {
        "requested_at": "2026-11-27T09:00:00+00:00",
        "started_after_s": 1.0,
        "finished_after_s": 61.0,
        "attempts": 2,
        "stages": [],
    }
    ledger = a_ledger(attempt=3, failures=2, replays=(R1,), failure=a_failure(at(9)), began_at=at(5))
    summary = timeline(job, ledger)
    assert (summary["attempts"], summary["ledger"], summary["failures"], summary["replays"]) == (3, "RUNNING", 2, 1)
    assert summary["last_failure"] == a_failure(at(9)).model_dump(mode="json")
    assert summary["history"] == [
        {
            "attempt": 3, "began_after_s": 5.0, "replayed": False, "stages": [], "ended": "failed",
            "ended_after_s": 9.0, "code": "tool_failed", "stage": "render",
        }
    ]  # fmt: skip
    assert timeline(a_job(attempt=4), ledger)["attempts"] == 4
