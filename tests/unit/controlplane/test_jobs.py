"""The calls of a run: who gets a token for a job and who does not, what its progress leaves, and how a job ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import manifests
from contract.api import Artifact, CommitRef, CompleteRequest, FailureRef, ProgressRequest, TokenRequest, Usage
from contract.event import planned_job_id, utc_text
from controlplane.completion import CompletionService
from controlplane.errors import ApiFault
from controlplane.jobs import DISABLED, PAUSE_SETTLE_S, JobGrants, known_zone
from controlplane.planning import next_dream
from controlplane.tokens import COMPLETE, EXPORT, SKEW, TTL, JobClaims
from tests.tables import table
from tests.unit.controlplane import test_job_tokens
from tests.unit.controlplane.scripted import Scripted
from tests.unit.controlplane.test_assistants import AT, ID, USER, fault

JOB, REPLAY = ID, "33333333-3333-4333-8333-333333333333"
OWNER = "run-1"
PAUSE = {"target": "*", "resumed_at": None}


def row(**columns: Any) -> dict[str, Any]:
    """A job as it waits, of an enabled user."""
    nothing = (
        "period",
        "substate",
        "owner",
        "replay_id",
        "cancel_requested_at",
        "outcome",
        "report_uri",
        "error_summary",
    )
    return {
        **dict.fromkeys((*nothing, "commit_seq", "commit_digest", "source_counts", "output_counts")),
        "id": JOB,
        "user_id": USER,
        "workspace_id": USER,
        "job_type": "hourly_digest",
        "runtime_profile": "digest",
        "template_version": "v1",
        "requested_at": AT,
        "status": "queued",
        "attempt": 0,
        "workspace_uri": "gs://workspaces/users/x/",
        "timezone": "Europe/Berlin",
        "forced": False,
        "force_render": False,
        "now": AT,
        "workspace_status": "enabled",
        "account_deleted": False,
        **columns,
    }


def grant(database: Scripted, **request: Any) -> Any:
    tokens = test_job_tokens.tokens(AT)
    given = TokenRequest(**{"attempt": 1, "owner": OWNER, **request})
    return JobGrants(database.database, tokens).grant(JOB, given)


def test_an_attempt_begins_with_a_token_for_what_its_job_may_do() -> None:
    flags = [
        {"name": "synthesis", "value": False, "scope": "user", "reason": "too often wrong"},
        {"name": "dream", "value": True, "scope": "all", "reason": ""},
    ]
    database = Scripted(lock_job=row(), flags_of=flags, newer_digest={"period": "2026-11-27T10"})
    answer = grant(database)
    assert (answer.job.status, answer.job.attempt, answer.job.newer_digest) == ("running", 1, "2026-11-27T10")
    assert answer.job.allowed_sources == tuple(each.source_key for each in manifests.export_manifest().sources)
    assert answer.job.flags == {"synthesis": False, "dream": True}
    assert answer.job.flag_notes == {"synthesis": "user: too often wrong"}
    assert (answer.job.timezone, answer.job.timezone_unknown) == ("Europe/Berlin", False)
    assert (answer.job.cancel_requested, answer.job.now, answer.job.queue_resumed_at) == (False, AT, None)
    assert database.values("start_attempt") == [{"job_id": JOB, "attempt": 1, "owner": OWNER}]
    assert answer.expires_at == AT + TTL
    [kept] = database.values("remember_token")
    assert (kept["attempt"], kept["may_export"], kept["expires_at"]) == (1, True, AT + TTL + SKEW)
    assert database.values("forget_tokens") == [{"job_id": JOB, "attempt": 1}]
    claims = test_job_tokens.tokens(AT).verify(f"Bearer {answer.token}")
    assert (claims.job_id, claims.attempt, claims.replay_id) == (JOB, 1, None)
    assert database.changes("beat", "withhold_job", "request_cancel") == []


def test_an_insight_exports_nothing_and_a_deleted_accounts_job_reads_no_more() -> None:
    insight = Scripted(lock_job=row(job_type="insight", replay_id=REPLAY, timezone="Europe"))
    answer = grant(insight, replay_id=REPLAY)
    assert (answer.job.allowed_sources, answer.job.newer_digest) == ((), None)
    assert (answer.job.timezone, answer.job.timezone_unknown) == ("UTC", True)
    assert not insight.values("remember_token")[0]["may_export"]
    assert test_job_tokens.tokens(AT).verify(f"Bearer {answer.token}").replay_id == REPLAY
    gone = Scripted(lock_job=row(account_deleted=True))
    grant(gone)
    assert not gone.values("remember_token")[0]["may_export"]


RUNNING = {"status": "running", "attempt": 2, "owner": OWNER}
DISPATCHED = {"status": "queued", "substate": "dispatched", "attempt": 2, "owner": OWNER}


@table(
    ("columns", "request", "begins"),
    [
        # A later attempt takes over; the run's own goes on.
        (RUNNING, {"attempt": 3, "owner": "run-2"}, True),
        (RUNNING, {"attempt": 2}, True),
        (RUNNING, {"attempt": 2, "renew": True}, True),
        # What was handed to an execution belongs to the run that takes it up.
        (DISPATCHED, {"attempt": 2, "owner": "execution-1"}, True),
        (RUNNING, {"attempt": 2, "owner": "run-2"}, False),
        (RUNNING, {"attempt": 1}, False),
        (RUNNING, {"attempt": 3, "renew": True}, False),
        (RUNNING, {"attempt": 2, "owner": "run-2", "renew": True}, False),
        (DISPATCHED, {"attempt": 1, "owner": "execution-1"}, False),
    ],
)
def test_one_run_at_a_time_has_an_attempt(columns: Any, request: Any, begins: bool) -> None:
    database = Scripted(lock_job=row(**columns))
    if begins:
        grant(database, **request)
        renewed = request.get("renew", False)
        assert database.changes("beat", "start_attempt") == ["beat" if renewed else "start_attempt"]
    else:
        assert fault(lambda: grant(database, **request))[:2] == (409, "attempt_stale")
        assert database.ran == []


@table(
    ("columns", "request", "status", "code"),
    [
        (None, {}, 404, "job_not_found"),
        ({"status": "cancelled"}, {}, 409, "job_terminal"),
        ({"replay_id": REPLAY}, {}, 409, "replay_stale"),
        ({}, {"replay_id": REPLAY}, 409, "replay_stale"),
        ({"replay_id": REPLAY}, {"replay_id": ID}, 409, "replay_stale"),
    ],
)
def test_no_token_for_what_is_over_or_of_another_replay(columns: Any, request: Any, status: int, code: str) -> None:
    database = Scripted(lock_job=columns if columns is None else row(**columns))
    with pytest.raises(ApiFault) as refused:
        grant(database, **request)
    assert (refused.value.status, refused.value.code) == (status, code)
    # A job may be asked for before the row that its event announced is visible.
    assert refused.value.retryable == (code == "job_not_found")
    assert database.ran == []


@table(
    ("columns", "result"),
    [
        (
            {"status": "completed", "outcome": "completed", "commit_seq": 3, "commit_digest": "d", "report_uri": "r"},
            {"outcome": "completed", "commit": {"seq": 3, "digest": "d"}, "report_uri": "r"},
        ),
        (
            {"status": "failed", "outcome": "failed", "error_summary": {"code": "x"}},
            {"outcome": "failed", "commit": None, "error": {"code": "x"}},
        ),
    ],
)
def test_who_asks_for_a_job_that_is_over_gets_its_result(columns: Any, result: Any) -> None:
    with pytest.raises(ApiFault) as refused:
        grant(Scripted(lock_job=row(**columns)))
    body = refused.value.body()
    assert body["status"] == columns["status"]
    empty = dict.fromkeys(("commit", "report_uri", "source_counts", "output_counts", "error"))
    assert body["result"] == {**empty, **result}


@table(
    ("pause", "columns", "request", "withheld"),
    [
        (PAUSE, {}, {}, True),
        ({**PAUSE, "target": USER}, {}, {}, True),
        ({**PAUSE, "resumed_at": AT}, {}, {}, False),
        (None, {}, {}, False),
        # What runs goes on; what is to be cancelled only ends.
        (PAUSE, RUNNING, {"attempt": 2, "renew": True}, False),
        (PAUSE, {"cancel_requested_at": AT}, {}, False),
    ],
)
def test_a_paused_queue_withholds_what_would_begin(pause: Any, columns: Any, request: Any, withheld: bool) -> None:
    database = Scripted(lock_job=row(**columns), pause_of=pause)
    if not withheld:
        assert grant(database, **request).job.queue_resumed_at == (pause and pause["resumed_at"])
        assert database.changes("withhold_job") == []
        return
    with pytest.raises(ApiFault) as refused:
        grant(database, **request)
    assert (refused.value.status, refused.value.code, refused.value.retryable) == (503, "queue_paused", True)
    assert ("everybody" in refused.value.message) == (pause["target"] == "*")
    # The refusal stands in the database, and begins nothing.
    assert database.values("withhold_job") == [{"job_id": JOB, "settle_s": PAUSE_SETTLE_S}]
    assert database.changes("start_attempt", "remember_token") == []


def test_a_job_of_a_disabled_user_is_told_to_stop_before_it_reads() -> None:
    cancelled = {"cancel_requested_at": AT}
    database = Scripted(lock_job=row(workspace_status="disabled"), request_cancel=cancelled, pause_of=PAUSE)
    assert grant(database).job.cancel_requested
    assert database.values("request_cancel") == [{"job_id": JOB, "reason": DISABLED}]
    asked = Scripted(lock_job=row(workspace_status="disabled", cancel_requested_at=AT))
    assert grant(asked).job.cancel_requested
    assert asked.changes("request_cancel") == []


@table(("name", "zone"), [("Europe/Berlin", "Europe/Berlin"), ("Europe", None), ("Mars/Base", None), ("../x", None)])
def test_a_zone_that_does_not_exist_is_none(name: str, zone: str | None) -> None:
    assert known_zone(name) == zone


# --- progress


CLAIMS = JobClaims(
    job_id=JOB,
    user_id=USER,
    job_type="hourly_digest",
    runtime_profile="digest",
    scope=frozenset((COMPLETE, EXPORT)),
    allowed_sources=frozenset(),
    attempt=2,
    replay_id=None,
    jti="t",
)


def progress(database: Scripted, claims: JobClaims = CLAIMS, job_id: str = JOB, **request: Any) -> bool:
    given = ProgressRequest(**{"attempt": 2, "state": "running", **request})
    grants = JobGrants(database.database, test_job_tokens.tokens(AT))
    return grants.progress(claims, job_id, given).cancel_requested


@table(
    ("request", "status", "substate", "retry_at", "shown"),
    [
        ({"stage": "render", "counts": {"pages": 3}}, "running", None, None, {"counts": {"pages": 3}}),
        # A run that goes on is not due.
        ({"retry_at": AT}, "running", None, None, {"counts": {}}),
        ({"state": "retrying", "retry_at": AT, "message": "no"}, "queued", "retrying", AT,
         {"counts": {}, "message": "no"}),
        ({"state": "parked", "retry_at": AT, "waiting_for": "model"}, "queued", "parked", AT,
         {"counts": {}, "waiting_for": "model"}),
        ({"state": "queued"}, "queued", "dispatched", None, {"counts": {}}),
    ],
)  # fmt: skip
def test_progress_is_what_an_operator_sees(request: Any, status: str, substate: Any, retry_at: Any, shown: Any) -> None:
    database = Scripted(lock_job=row(**RUNNING))
    assert progress(database, **request) is False
    assert database.values("report_progress") == [
        {
            "job_id": JOB,
            "status": status,
            "substate": substate,
            "stage": request.get("stage"),
            "retry_at": retry_at,
            "progress": shown,
        }
    ]


def test_a_run_learns_from_its_progress_that_it_is_to_stop() -> None:
    assert progress(Scripted(lock_job=row(**RUNNING, cancel_requested_at=AT)))
    disabled = row(**RUNNING, workspace_status="disabled")
    assert progress(Scripted(lock_job=disabled, request_cancel={"cancel_requested_at": AT}))


STRANGERS: list[Any] = [
    (row(**RUNNING), CLAIMS, {"job_id": REPLAY}, 403, "wrong_job"),
    (row(**RUNNING), replace(CLAIMS, scope=frozenset((EXPORT,))), {}, 403, "scope_missing"),
    (None, CLAIMS, {}, 404, "job_not_found"),
    (row(**RUNNING, user_id=REPLAY), CLAIMS, {}, 403, "wrong_user"),
    (row(**RUNNING, job_type="insight"), CLAIMS, {}, 403, "wrong_user"),
    (row(**RUNNING, replay_id=REPLAY), CLAIMS, {}, 409, "replay_stale"),
    (row(**{**RUNNING, "attempt": 3}), CLAIMS, {"attempt": 3}, 409, "attempt_stale"),
    (row(**RUNNING), CLAIMS, {"attempt": 3}, 409, "attempt_stale"),
]


@table(
    ("job", "claims", "request", "status", "code"),
    [*STRANGERS, (row(**{**RUNNING, "status": "failed"}), CLAIMS, {}, 409, "job_terminal")],
)
def test_no_other_run_reports_progress(job: Any, claims: JobClaims, request: Any, status: int, code: str) -> None:
    database = Scripted(lock_job=job)
    assert fault(lambda: progress(database, claims, **request))[:2] == (status, code)
    assert database.ran == []


# --- the end of a job


def complete(database: Scripted, claims: JobClaims = CLAIMS, job_id: str = JOB, **request: Any) -> Any:
    given = CompleteRequest(**{"attempt": 2, "outcome": "completed", **request})
    return CompletionService(database.database, timedelta(minutes=50)).complete(claims, job_id, given).status


WAKE = datetime(2026, 11, 27, 11, 30, tzinfo=UTC)


def test_a_result_is_stored_with_what_it_left_and_what_comes_next() -> None:
    night, start_at = next_dream(USER, ZoneInfo("Europe/Berlin"), timedelta(minutes=50), AT)
    due = {"user_id": USER, "workspace_id": REPLAY, "timezone": "Europe/Berlin", "now": AT}
    database = Scripted(lock_job=row(**RUNNING), dream_due=due)
    artifact = Artifact(artifact_type="digest_report", workspace_path="brain/reports/x.md", metadata={"a": 1})
    status = complete(
        database,
        commit=CommitRef(seq=3, digest="d"),
        report_uri="r",
        source_counts={"mails": 2},
        output_counts={"pages": 1},
        usage=Usage(requests=4),
        artifacts=(artifact,),
        wake_at=WAKE,
    )
    assert status == "completed"
    [stored] = database.values("finish_job")
    assert stored == {
        "job_id": JOB,
        "status": "completed",
        "substate": None,
        "outcome": "completed",
        "commit_seq": 3,
        "commit_digest": "d",
        "report_uri": "r",
        "source_counts": {"mails": 2},
        "output_counts": {"pages": 1},
        "usage": Usage(requests=4).model_dump(),
        "error_summary": None,
    }
    assert database.changes("drop_artifacts", "add_artifact") == ["drop_artifacts", "add_artifact"]
    [kept] = database.values("add_artifact")
    assert (kept["user_id"], kept["job_id"], kept["metadata"]) == (USER, JOB, {"a": 1})
    assert database.values("advance_workspace") == [{"job_id": JOB, "wake_at": WAKE}]
    wake_id = planned_job_id(USER, "hourly_digest", utc_text(WAKE))
    assert database.values("plan_wake") == [{"id": wake_id, "job_id": JOB, "period": "2026-11-27T11", "wake_at": WAKE}]
    assert database.values("plan_job") == [
        {
            "id": planned_job_id(USER, "dream", night.isoformat()),
            "user_id": USER,
            "workspace_id": REPLAY,
            "job_type": "dream",
            "period": night.isoformat(),
            "start_at": start_at,
        }
    ]


@table(
    ("outcome", "status", "substate", "news_end"),
    [
        ("no_change", "completed", "no_change", True),
        ("superseded", "completed", "superseded", False),
        ("failed", "failed", None, False),
        ("cancelled", "cancelled", None, False),
    ],
)
def test_only_what_was_told_is_no_news_any_more(outcome: str, status: str, substate: Any, news_end: bool) -> None:
    database = Scripted(lock_job=row(**RUNNING))
    error = FailureRef(code="x") if outcome == "failed" else None
    assert complete(database, outcome=outcome, error=error) == status
    [stored] = database.values("finish_job")
    assert (stored["status"], stored["substate"], stored["commit_digest"]) == (status, substate, None)
    assert stored["error_summary"] == (error.model_dump() if error else None)
    assert database.changes("advance_workspace") == ["advance_workspace"] * news_end
    assert database.changes("plan_wake", "plan_job") == [], "nothing is due"
    assert complete(Scripted(lock_job=row(**RUNNING)), outcome=outcome, wake_at=WAKE) == status


def test_a_job_that_failed_wakes_nobody() -> None:
    database = Scripted(lock_job=row(**RUNNING))
    complete(database, outcome="failed", wake_at=WAKE)
    assert database.changes("plan_wake") == []


@table(("job", "claims", "request", "status", "code"), STRANGERS)
def test_no_other_run_ends_a_job(job: Any, claims: JobClaims, request: Any, status: int, code: str) -> None:
    database = Scripted(lock_job=job)
    assert fault(lambda: complete(database, claims, **request))[:2] == (status, code)
    assert database.ran == []


@table(
    ("request", "same"),
    [
        ({"commit": CommitRef(seq=3, digest="d")}, True),
        # A run of another attempt may deliver the same.
        ({"commit": CommitRef(seq=3, digest="d"), "attempt": 9}, True),
        ({"commit": CommitRef(seq=3, digest="other")}, False),
        ({}, False),
        ({"outcome": "no_change", "commit": CommitRef(seq=3, digest="d")}, False),
    ],
)
def test_a_result_is_stored_once(request: Any, same: bool) -> None:
    ended = row(**{**RUNNING, "status": "completed"}, outcome="completed", commit_digest="d")
    database = Scripted(lock_job=ended)
    if same:
        assert complete(database, **request) == "completed"
        assert [query for query, _ in database.ran] == ["lock_job"]
    else:
        assert fault(lambda: complete(database, **request))[:2] == (409, "completion_conflict")


def test_what_a_replay_ended_is_no_answer_to_the_run_before_it() -> None:
    ended = row(**{**RUNNING, "status": "completed"}, outcome="completed", commit_digest="d", replay_id=REPLAY)
    commit = CommitRef(seq=3, digest="d")
    assert fault(lambda: complete(Scripted(lock_job=ended), commit=commit))[:2] == (409, "replay_stale")
    assert complete(Scripted(lock_job=ended), replace(CLAIMS, replay_id=REPLAY), commit=commit) == "completed"
