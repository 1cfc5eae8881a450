"""What operators may do to users and jobs, what each deed leaves in the audit, and what is refused."""

from __future__ import annotations

import base64
from datetime import timedelta
from typing import Any

import pytest

import manifests
from contract.api import (
    BucketDeedRequest,
    CohortRequest,
    DiscardRequest,
    EnableUserRequest,
    MarkRequest,
    PauseRequest,
    ReasonRequest,
    ReplayRequest,
    RerunRequest,
    SetFlagRequest,
    SubmitJobRequest,
    SuppressRequest,
    UnsetFlagRequest,
    Usage,
    WaveRequest,
)
from contract.profile import DEFAULT_PROFILE
from controlplane import feedback, flags, operators, pauses, provisioning, suppressions
from controlplane.errors import ApiFault
from controlplane.feedback import LEAST_MARKS, Feedback, too_often
from controlplane.flags import Flags
from controlplane.operators import Operators
from controlplane.pauses import Pauses
from controlplane.provisioning import LATEST_JOBS, Provisioning
from controlplane.suppressions import Suppressing
from tests.tables import table
from tests.unit.controlplane.scripted import Scripted
from tests.unit.controlplane.test_assistants import AT, ID, USER, correction, fault
from tests.unit.controlplane.test_jobs import row

OP = "op@x.example"
JOB, OTHER = ID, "33333333-3333-4333-8333-333333333333"
WORKSPACE = {
    "id": OTHER,
    "user_id": USER,
    "workspace_uri": f"gs://workspaces/users/{USER}/",
    "runtime_profile": "digest",
    "template_version": "v1",
    "status": "enabled",
}
SHOWN = {"user_id": USER, "workspace_id": OTHER} | {
    name: WORKSPACE[name] for name in ("workspace_uri", "runtime_profile", "template_version", "status")
}
REASON = ReasonRequest(reason="asked for")


def job(**columns: Any) -> dict[str, Any]:
    nothing = ("stage", "retry_at", "rerun_of", "started_at", "finished_at")
    usage = {"usage": Usage(requests=2).model_dump(), "progress": {}, "source_counts": {}, "output_counts": {}}
    return {**row(), **dict.fromkeys(nothing), **usage, "triggered_by": "schedule", **columns}


def operator(database: Scripted) -> Operators:
    return Operators(database.database, "workspaces")


# --- users


@table(
    ("request", "finds", "asked"),
    [
        ({"user_id": USER}, {"user_by_id": {"id": USER}}, "user_by_id"),
        ({"email": "ann@x.example"}, {"user_by_email": {"id": USER}}, "user_by_email"),
    ],
)
def test_a_user_gets_a_workspace_of_their_own(request: Any, finds: Any, asked: str) -> None:
    database = Scripted(**finds, enable_workspace=WORKSPACE)
    assert operator(database).enable(OP, EnableUserRequest(**request)) == SHOWN
    assert database.changes("user_by_id", "user_by_email") == [asked]
    [enabled] = database.values("enable_workspace")
    assert (enabled["workspace_uri"], enabled["default_profile"]) == (SHOWN["workspace_uri"], DEFAULT_PROFILE)
    assert database.values("mark_users") == [{"user_ids": [USER]}]
    assert database.audits() == [(OP, "user.enable", {"profile": "digest"})]


ERASED = {"erased": True, "erased_at": AT}


@table(
    ("request", "finds", "status", "code"),
    [
        ({}, {}, 422, "invalid_request"),
        ({"user_id": USER, "email": "ann@x.example"}, {}, 422, "invalid_request"),
        ({"user_id": USER}, {}, 404, "user_not_found"),
        ({"email": "ann@x.example"}, {}, 404, "user_not_found"),
        ({"user_id": USER}, {"user_by_id": {"id": USER}, "lock_deletion": {"erasing_at": AT}}, 409, "erasure_begun"),
        ({"user_id": USER}, {"user_by_id": {"id": USER}, "erasure_of": ERASED}, 409, "user_erased"),
    ],
)
def test_who_is_unknown_or_erased_is_not_enabled(request: Any, finds: Any, status: int, code: str) -> None:
    database = Scripted(**finds)
    with pytest.raises(ApiFault) as refused:
        operator(database).enable(OP, EnableUserRequest(**request))
    assert (refused.value.status, refused.value.code) == (status, code)
    assert "ann@x.example" not in refused.value.message
    assert database.ran == []


def test_only_who_says_so_brings_an_erased_user_back() -> None:
    finds = {"user_by_id": {"id": USER}, "enable_workspace": WORKSPACE}
    database = Scripted(**finds, erasure_of=ERASED)
    operator(database).enable(OP, EnableUserRequest(user_id=USER, begin_anew=True))
    assert database.values("begin_anew") == [{"user_id": USER}]
    assert database.audits()[0][2] == {"profile": "digest", "begin_anew": True}
    # A user of whom single records were purged was not erased.
    purged = Scripted(**finds, erasure_of={"erased": False, "erased_at": None})
    operator(purged).enable(OP, EnableUserRequest(user_id=USER, begin_anew=True))
    assert purged.changes("begin_anew") == []
    assert purged.audits()[0][2] == {"profile": "digest"}


def test_a_disabled_users_open_jobs_are_asked_to_stop() -> None:
    database = Scripted(
        disable_workspaces={**WORKSPACE, "status": "disabled"}, cancel_open_jobs=[{"user_id": USER}] * 2
    )
    assert operator(database).disable(OP, USER)["status"] == "disabled"
    assert database.values("cancel_open_jobs") == [{"user_ids": [USER], "reason": "user disabled"}]
    assert database.audits() == [(OP, "user.disable", {"cancelled": 2})]
    assert fault(lambda: operator(Scripted()).disable(OP, USER))[:2] == (404, "user_not_found")


def test_a_user_is_shown_with_or_without_a_workspace() -> None:
    from tests.unit.controlplane.test_deletions import row as deletion

    gone = operator(Scripted(deletion_of=deletion())).user(USER)
    assert (gone.status, gone.deletion is not None) == ("none", True)
    assert fault(lambda: operator(Scripted()).user(USER))[:2] == (404, "user_not_found")
    there = operator(Scripted(user_details={"status": "enabled"})).user(USER)
    assert (there.user_id, there.status, there.deletion) == (USER, "enabled", None)


# --- jobs


PAUSE = {
    **{"target": "*", "reason": "repairs", "paused_by": OP, "paused_at": AT},
    **{"resumed_at": None, "resumed_by": None},
}


def test_a_job_is_queued_and_says_what_withholds_it() -> None:
    database = Scripted(workspace_of=WORKSPACE, submit_job=job(), pause_of=PAUSE)
    request = SubmitJobRequest(user_id=USER, job_type="hourly_digest", force=True)
    view = operator(database).submit(OP, request)
    assert (view.job_id, view.status, view.commit, view.error) == (JOB, "queued", None, None)
    assert view.usage.requests == 2
    assert view.pause is not None and view.pause.reason == "repairs"
    [queued] = database.values("submit_job")
    assert (queued["user_id"], queued["job_type"], queued["rerun_of"], queued["force_render"]) == (
        *(USER, "hourly_digest"),
        *(None, False),
    )
    assert database.audits() == [(OP, "job.submit", {"type": "hourly_digest", "force": True})]
    free = Scripted(workspace_of=WORKSPACE, submit_job=job(), pause_of={**PAUSE, "resumed_at": AT})
    assert operator(free).submit(OP, request).pause is None


@table(("workspace", "status", "code"), [
    (None, 404, "user_not_found"), ({**WORKSPACE, "status": "disabled"}, 409, "user_disabled"),
])  # fmt: skip
def test_nothing_is_queued_for_who_is_not_enabled(workspace: Any, status: int, code: str) -> None:
    def refused(act: Any, **finds: Any) -> None:
        database = Scripted(workspace_of=workspace, **finds)
        assert fault(lambda: act(operator(database)))[:2] == (status, code)
        assert database.ran == []

    request = SubmitJobRequest(user_id=USER, job_type="hourly_digest")
    refused(lambda by: by.submit(OP, request))
    refused(lambda by: by.rerun(OP, JOB, RerunRequest()), lock_job=job(status="failed"))
    refused(lambda by: by.replay(OP, JOB, ReplayRequest(replay_id=OTHER, reason="x")), lock_job=job(status="failed"))


def test_a_job_that_has_ended_runs_again_as_another_job() -> None:
    old = job(status="completed", forced=True, period="2026-11-27T09")
    database = Scripted(lock_job=old, workspace_of=WORKSPACE, submit_job=job(rerun_of=JOB, id=OTHER))
    view = operator(database).rerun(OP, JOB, RerunRequest(force_render=True))
    assert (view.job_id, view.rerun_of) == (OTHER, JOB)
    [queued] = database.values("submit_job")
    assert queued == {
        "user_id": USER,
        "job_type": "hourly_digest",
        "period": "2026-11-27T09",
        "triggered_by": "operator",
        "rerun_of": JOB,
        "force": True,
        "force_render": True,
    }
    assert database.audits() == [(OP, "job.rerun", {"of": JOB, "force_render": True})]


@table(
    ("old", "request", "status", "code"),
    [
        (None, RerunRequest(), 404, "job_not_found"),
        (job(status="running"), RerunRequest(), 409, "job_open"),
        (job(status="completed", job_type="dream"), RerunRequest(force_render=True), 422, "invalid_request"),
    ],
)
def test_a_job_that_runs_or_renders_nothing_is_not_run_again_so(old: Any, request: Any, status: int, code: str) -> None:
    database = Scripted(lock_job=old, workspace_of=WORKSPACE, submit_job=job())
    assert fault(lambda: operator(database).rerun(OP, JOB, request))[:2] == (status, code)


def test_a_job_is_asked_to_stop_once() -> None:
    asked = job(cancel_requested_at=AT)
    database = Scripted(lock_job=job(), request_cancel=asked)
    assert operator(database).cancel(OP, JOB, REASON).cancel_requested_at == AT
    # No run would read the request of a job that waits.
    assert database.values("wake_job") == [{"job_id": JOB}]
    assert database.audits() == [(OP, "job.cancel", {"reason": "asked for"})]
    again = Scripted(lock_job=asked, request_cancel=asked)
    operator(again).cancel(OP, JOB, REASON)
    assert again.changes("wake_job", "audit") == []
    over = Scripted(lock_job=job(status="completed"))
    assert fault(lambda: operator(over).cancel(OP, JOB, REASON))[:2] == (409, "job_terminal")
    assert fault(lambda: operator(Scripted()).cancel(OP, JOB, REASON))[:2] == (404, "job_not_found")


REPLAY = ReplayRequest(replay_id=OTHER, reason="try again")


def test_a_failed_job_is_replayed_once_for_each_replay() -> None:
    finds = {"workspace_of": WORKSPACE, "reopen_job": job(replay_id=OTHER), "was_replayed": {"known": False}}
    database = Scripted(lock_job=job(status="failed"), **finds)
    assert operator(database).replay(OP, JOB, REPLAY).replay_id == OTHER
    assert database.changes("reopen_job", "wake_job") == ["reopen_job", "wake_job"]
    assert database.audits() == [(OP, "job.replay", {"replay_id": OTHER, "reason": "try again"})]
    again = Scripted(lock_job=job(status="running", replay_id=OTHER), **finds)
    assert operator(again).replay(OP, JOB, REPLAY).status == "running"
    assert again.changes("reopen_job", "wake_job", "audit") == []
    for status in ("completed", "running"):
        other = Scripted(lock_job=job(status=status), **finds)
        assert fault(lambda: operator(other).replay(OP, JOB, REPLAY))[:2] == (409, "not_failed")  # noqa: B023
    stale = Scripted(lock_job=job(status="failed", replay_id=USER), was_replayed={"known": True})
    assert fault(lambda: operator(stale).replay(OP, JOB, REPLAY))[:2] == (409, "replay_stale")


def test_a_dead_letter_is_discarded_once_for_each_operator() -> None:
    request = DiscardRequest(key="dead/1", reason="known", user_id=USER, job_id=JOB)
    for noted, lines in (({"known": False}, 1), ({"known": True}, 0)):
        database = Scripted(was_discarded=noted)
        assert operator(database).discard(OP, request) == {"key": "dead/1"}
        assert database.audits() == [(OP, "dead_letter.discard", {"key": "dead/1", "reason": "known"})] * lines


def test_a_deed_in_the_bucket_is_in_the_audit_with_details_of_any_name() -> None:
    request = BucketDeedRequest(action="lock.unlock", user_id=USER, reason="stuck", details={"actor": "x", "n": 1})
    database = Scripted()
    assert operator(database).bucket_deed(OP, request) == {"action": "lock.unlock"}
    assert database.audits() == [(OP, "lock.unlock", {"actor": "x", "n": 1, "reason": "stuck"})]
    assert database.values("audit")[0]["user_id"] == USER


def test_a_job_is_shown_with_what_it_made() -> None:
    made = {"artifact_type": "digest_report", "workspace_path": "x.md", "summary": "", "metadata": {}}
    columns = {"status": "failed", "commit_seq": 3, "commit_digest": "d", "error_summary": {"code": "busy"}}
    database = Scripted(read_job=job(**columns, replay_id=OTHER, rerun_of=OTHER), job_artifacts=[made], pause_of=PAUSE)
    view = operator(database).job(JOB)
    assert view.commit is not None and view.error is not None
    assert (view.commit.seq, view.error.code, view.replay_id, view.rerun_of) == (3, "busy", OTHER, OTHER)
    assert [each.workspace_path for each in view.artifacts] == ["x.md"]
    assert view.pause is None, "nothing withholds what is over"
    assert fault(lambda: operator(Scripted()).job(JOB))[:2] == (404, "job_not_found")


def test_jobs_are_listed_a_page_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "PAGE", 2)
    rows = [job(id=str(name), requested_at=AT + timedelta(hours=n)) for n, name in enumerate((USER, JOB, OTHER))]
    artifact = {"artifact_type": "digest_report", "workspace_path": "x.md", "summary": "", "metadata": {}}
    database = Scripted(list_jobs=rows, job_artifacts=[{**artifact, "job_id": JOB}])
    page = operator(database).jobs({"status": "queued", "user_id": USER, "type": "hourly_digest"})
    assert [view.job_id for view in page.jobs] == [USER, JOB]
    assert [len(view.artifacts) for view in page.jobs] == [0, 1]
    [asked] = database.values("list_jobs")
    assert (asked["status"], asked["user_id"], asked["job_type"], asked["after_at"], asked["limit"]) == (
        *("queued", USER, "hourly_digest"),
        *(None, 3),
    )
    more = Scripted(list_jobs=rows[2:])
    last = operator(more).jobs({"after": page.next_after or ""})
    assert (len(last.jobs), last.next_after) == (1, None)
    [asked] = more.values("list_jobs")
    assert (asked["after_at"], asked["after_id"]) == (AT + timedelta(hours=1), JOB)
    assert operator(Scripted(list_jobs=rows[:2])).jobs({}).next_after is None


@table(
    "filters",
    [
        {"status": "done"},
        {"user_id": "ann"},
        {"after": "x"},
        {"after": base64.urlsafe_b64encode(b"soon x").decode()},
        {"after": base64.urlsafe_b64encode(AT.isoformat().encode()).decode()},
    ],
)
def test_a_filter_that_is_none_is_refused(filters: dict[str, str]) -> None:
    assert fault(lambda: operator(Scripted()).jobs(filters))[:2] == (422, "invalid_request")


# --- flags


FLAG = {
    "name": "synthesis",
    "scope": "all",
    "target": "*",
    "value": False,
    "reason": "costs",
    "set_by": OP,
    "set_at": AT,
}
SETTING = SetFlagRequest(name="synthesis", scope="all", target="*", value=False, reason="costs")


def test_a_flag_is_set_and_unset_with_its_reason() -> None:
    database = Scripted(set_flag=FLAG, unset_flag=FLAG)
    assert Flags(database.database).put(OP, SETTING).value is False
    request = UnsetFlagRequest(name="synthesis", scope="all", target="*", reason="cheaper")
    assert Flags(database.database).unset(OP, request).name == "synthesis"
    line = {"name": "synthesis", "scope": "all", "target": "*", "value": False}
    assert database.audits() == [
        (OP, "flag.set", {**line, "reason": "costs"}),
        (OP, "flag.unset", {**line, "reason": "cheaper"}),
    ]
    assert [values["user_id"] for values in database.values("audit")] == [None, None]
    assert database.values("set_flag")[0]["set_by"] == OP
    assert fault(lambda: Flags(Scripted().database).unset(OP, request))[:2] == (404, "flag_not_set")


@table(
    ("scope", "target", "code"),
    [
        ("all", USER, "invalid_request"),
        ("user", "*", "invalid_request"),
        ("user", "ann", "invalid_request"),
        ("user", USER.replace("1", "A"), "invalid_request"),
        ("user", OTHER, "user_not_found"),
        ("user", USER, ""),
        ("profile", "unknown", "invalid_request"),
        ("profile", next(iter(manifests.profiles())), ""),
        ("cohort", "Early birds", "invalid_request"),
        ("cohort", "early-birds", ""),
        ("all", "*", ""),
    ],
)
def test_a_flag_is_set_for_what_there_is(scope: Any, target: str, code: str) -> None:
    def known(values: dict[str, Any]) -> Any:
        return {"id": USER} if values["user_id"] == USER else None

    database = Scripted(set_flag={**FLAG, "scope": scope, "target": target}, user_by_id=known)
    request = SetFlagRequest(name="synthesis", scope=scope, target=target, value=False, reason="x")
    if code:
        assert fault(lambda: Flags(database.database).put(OP, request))[1] == code
        assert database.ran == []
    else:
        assert Flags(database.database).put(OP, request).target == target
        assert database.values("audit")[0]["user_id"] == (target if scope == "user" else None)


def test_flags_are_listed_by_name_and_target() -> None:
    database = Scripted(list_flags=[FLAG])
    [listed] = Flags(database.database).listed({"name": "synthesis", "target": ""}).flags
    assert listed.reason == "costs"
    assert database.values("list_flags") == [{"flag": "synthesis", "target": None, "limit": flags.LISTED}]
    assert fault(lambda: Flags(database.database).listed({"name": "x"}))[:2] == (422, "invalid_request")


@table(("member", "changed"), [(True, 1), (False, 1), (True, 0), (False, 0)])
def test_a_user_joins_and_leaves_a_cohort_once(member: bool, changed: int) -> None:
    query, name = ("join_cohort", "cohort.join") if member else ("leave_cohort", "cohort.leave")
    database = Scripted(user_by_id={"id": USER}, **{query: changed})
    request = CohortRequest(cohort="early", user_id=USER, member=member, reason="asked")
    answer = Flags(database.database).cohort(OP, request)
    assert answer == {"cohort": "early", "user_id": USER, "member": member}
    assert database.audits() == [(OP, name, {"cohort": "early", "reason": "asked"})] * changed
    assert fault(lambda: Flags(Scripted().database).cohort(OP, request))[:2] == (404, "user_not_found")


# --- pauses


@table("target", ["*", USER])
def test_a_pause_begins_once_and_ends_once(target: str) -> None:
    request = PauseRequest(target=target, reason="repairs")
    line = {"target": target, "reason": "repairs"}
    database = Scripted(workspace_of=WORKSPACE, pause_queue={**PAUSE, "target": target}, resume_queue=PAUSE)
    assert Pauses(database.database).pause(OP, request).reason == "repairs"
    assert Pauses(database.database).resume(OP, request).paused_by == OP
    assert database.audits() == [(OP, "queue.pause", line), (OP, "queue.resume", line)]
    assert [values["user_id"] for values in database.values("audit")] == [None if target == "*" else target] * 2
    # What waits is published now, not with the next sweep.
    assert database.changes("nudge_publisher") == ["nudge_publisher"]
    again = Scripted(workspace_of=WORKSPACE, read_pause={**PAUSE, "reason": "before"})
    assert Pauses(again.database).pause(OP, request).reason == "before"
    assert again.audits() == []
    status, code, message = fault(lambda: Pauses(Scripted().database).resume(OP, request))
    assert (status, code) == (404, "pause_not_found")
    assert ("everybody" in message) == (target == "*")


def test_only_a_user_with_a_workspace_can_be_paused() -> None:
    request = PauseRequest(target=USER, reason="x")
    assert fault(lambda: Pauses(Scripted().database).pause(OP, request))[:2] == (404, "user_not_found")
    everybody = Scripted(pause_queue=PAUSE)
    assert Pauses(everybody.database).pause(OP, PauseRequest(target="*", reason="x")).target == "*"


def test_a_listing_of_pauses_says_whether_there_are_more() -> None:
    for count, more in ((pauses.LISTED, False), (pauses.LISTED + 1, True)):
        database = Scripted(pauses=lambda values, count=count: [PAUSE] * min(count, values["limit"]))
        listed = Pauses(database.database).listed()
        assert (len(listed.pauses), listed.more) == (pauses.LISTED, more)


# --- waves, and the queue's state


COUNTS = {"enabled": 3, "waiting": 7, "open_backfills": 0}


def wave(request: WaveRequest, enabled: int = 3) -> tuple[Scripted, Any]:
    database = Scripted(
        count_users=lambda _: {**COUNTS, "enabled": enabled},
        next_wave=lambda values: [{"user_id": user} for user in (USER, OTHER)][: values["limit"]],
        enable_workspace=WORKSPACE,
        submit_job=lambda values: {"id": JOB, **values},
    )
    return database, Provisioning(database.database, "workspaces").wave(OP, request)


def test_a_wave_gives_the_next_users_a_workspace_and_a_backfill() -> None:
    database, answer = wave(WaveRequest(size=2, cap=100, backfill=True, runtime_profile="digest"))
    assert (answer.user_ids, answer.job_ids, answer.dry_run) == ((USER, OTHER), (JOB, JOB), False)
    assert [values["workspace_uri"] for values in database.values("enable_workspace")] == [
        f"gs://workspaces/users/{user}/" for user in (USER, OTHER)
    ]
    [first, _] = database.values("submit_job")
    assert (first["job_type"], first["triggered_by"], first["force"], first["force_render"]) == (
        *("backfill_digest", "wave"),
        *(False, False),
    )
    assert database.audits() == [(OP, "user.enable", {"wave": 2, "cap": 100, "profile": "digest"})] * 2
    assert [values["job_id"] for values in database.values("audit")] == [JOB, JOB]
    assert database.changes("lock_waves", "next_wave") == ["lock_waves", "next_wave"]


@table(
    ("request", "enabled", "limit", "workspaces"),
    [
        (WaveRequest(size=2, cap=4, runtime_profile="digest"), 3, 1, 1),
        (WaveRequest(size=1, cap=100, runtime_profile="digest"), 3, 1, 1),
        (WaveRequest(size=2, cap=3, runtime_profile="digest"), 5, 0, 0),
        (WaveRequest(size=2, cap=100, dry_run=True, runtime_profile="digest"), 3, 2, 0),
    ],
)
def test_a_wave_stays_below_its_cap(request: WaveRequest, enabled: int, limit: int, workspaces: int) -> None:
    database, answer = wave(request, enabled)
    assert database.values("next_wave") == [{"limit": limit}]
    assert len(answer.user_ids) == limit
    assert len(database.values("enable_workspace")) == len(database.audits()) == workspaces
    assert (len(answer.job_ids), answer.dry_run) == (workspaces, request.dry_run)


def test_users_are_listed_a_page_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provisioning, "PAGE", 1)
    users = [{"user_id": USER, "email": "a@x.example", "status": "enabled"}, {"user_id": OTHER, "status": "enabled"}]
    database = Scripted(list_users=users)
    page = Provisioning(database.database, "b").users({"status": "enabled", "after": ID})
    assert ([user.user_id for user in page.users], page.next_after) == ([USER], USER)
    assert database.values("list_users") == [{"status": "enabled", "after": ID, "limit": 2}]
    assert Provisioning(Scripted(list_users=users[:1]).database, "b").users({}).next_after is None
    for filters in ({"status": "x"}, {"after": "x"}):
        refused = fault(lambda: Provisioning(Scripted().database, "b").users(filters))  # noqa: B023
        assert refused[:2] == (422, "invalid_request")


def test_the_queue_says_whose_zone_is_unknown_and_whether_claims_are_useful() -> None:
    zones = [
        {"timezone": "Europe/Berlin", "users": 5},
        {"timezone": "Europe", "users": 2},
        {"timezone": "x", "users": 1},
    ]
    database = Scripted(
        queue_health={},
        erasure_health={},
        zones_of_latest_jobs=zones,
        pauses=[PAUSE],
        usefulness={"marks": LEAST_MARKS, "useful": LEAST_MARKS // 2 - 1, "users": []},
    )
    queue = Provisioning(database.database, "b").queue()
    assert (queue.unknown_zones, len(queue.pauses), queue.usefulness.low) == (3, 1, True)
    limits = manifests.limits()
    assert database.values("queue_health") == [{"stale_s": limits["sweep_stale_after"]}]
    assert database.values("erasure_health") == [{"overdue_s": limits["erasure_overdue"]}]
    assert database.values("zones_of_latest_jobs") == [{"jobs": LATEST_JOBS}]


# --- verdicts on claims


def marked(verdict: Any, marks: int = 1, wrong: int = 0, **finds: Any) -> tuple[Scripted, Any]:
    own = {
        "read_job": {"user_id": USER},
        "claims_of_job": {"claims": 3},
        "lock_user": {"user_id": USER},
        "erasure_of": {"key": "ab" * 32},
        "make_correction": correction,
        "count_marks": {"marks": marks, "wrong": wrong},
        "set_flag": FLAG,
    }
    database = Scripted(**{**own, **finds})
    return database, Feedback(database.database).mark(OP, JOB, MarkRequest(claim=3, verdict=verdict, reason="x"))


def test_a_wrong_claim_is_not_said_again_and_another_verdict_takes_that_back() -> None:
    database, answer = marked("wrong")
    [made] = database.values("make_correction")
    assert (made["verdict"], made["job_id"], made["claim"], made["by"]) == ("wrong", JOB, 3, OP)
    assert database.values("mark_claim") == [
        {"job_id": JOB, "user_id": USER, "marked_by": OP, "claim": 3, "verdict": "wrong", "reason": "x"}
    ]
    # One line of the audit for one deed.
    assert [action for _, action, _ in database.audits()] == ["claim.mark"]
    assert (answer.marks, answer.paused) == (1, False)
    standing = {"id": OTHER, "until": None}
    database, _ = marked("useful", same_correction=standing)
    assert database.values("undo_correction") == [{"user_id": USER, "id": OTHER, "by": OP}]
    assert database.values("same_correction")[0]["verdict"] == "wrong"
    assert database.changes("make_correction") == []
    database, _ = marked("useful")
    assert database.changes("undo_correction") == []


@table(
    ("verdict", "marks", "wrong", "pauses"),
    [("wrong", 20, 2, True), ("wrong", 20, 1, False), ("wrong", 19, 19, False), ("useful", 20, 2, False)],
)
def test_an_agent_that_is_wrong_too_often_is_paused_for_its_user(
    verdict: str, marks: int, wrong: int, pauses: bool
) -> None:
    database, answer = marked(verdict, marks, wrong)
    assert answer.paused is pauses
    assert len(database.values("set_flag")) == pauses
    if pauses:
        [setting] = database.values("set_flag")
        assert (setting["flag"], setting["scope"], setting["target"], setting["value"]) == (
            *("synthesis", "user", USER),
            False,
        )
        assert "2 of 20" in setting["reason"]
        assert setting["set_by"] == feedback.RULE


def test_one_mistaken_verdict_pauses_nobody() -> None:
    assert not any(too_often(marks, 1) for marks in range(1, 100))


@table(
    ("marks", "useful", "users", "low"),
    [(20, 9, [], True), (20, 10, [], False), (19, 0, [], False), (0, 0, [USER] * 11, True)],
)
def test_operators_hear_when_too_few_claims_are_useful(marks: int, useful: int, users: Any, low: bool) -> None:
    database = Scripted(usefulness={"marks": marks, "useful": useful, "users": users})
    answer = Feedback(database.database).usefulness()
    assert (answer.low, answer.marks, answer.useful, len(answer.users)) == (low, marks, useful, min(10, len(users)))


def test_verdicts_are_on_claims_that_there_are() -> None:
    for verdict in ("wrong", "useful"):
        assert fault(lambda: marked(verdict, read_job=None))[:2] == (404, "job_not_found")  # noqa: B023
        few = {"claims": 2}
        assert fault(lambda: marked(verdict, claims_of_job=few))[:2] == (404, "claim_not_found")  # noqa: B023
    mark = {"claim": 3, "verdict": "wrong", "reason": "x", "marked_by": OP, "marked_at": AT}
    listed = Feedback(Scripted(read_job={"user_id": USER}, list_marks=[mark]).database).marks(JOB)
    assert [each.claim for each in listed.marks] == [3]
    assert fault(lambda: Feedback(Scripted().database).marks(JOB))[:2] == (404, "job_not_found")


# --- what was purged stays away


KEY, HASHES = "ab" * 32, tuple(f"{number:064x}" for number in range(3))


def suppressed(request: SuppressRequest, **finds: Any) -> tuple[Scripted, Any]:
    database = Scripted(**finds)
    return database, Suppressing(database.database, page=2).union(USER, request)


def test_purged_records_are_kept_out_and_what_rests_on_them_goes() -> None:
    request = SuppressRequest(key=KEY, lists={KEY: HASHES[:1]})
    database, page = suppressed(request, erasure_of={"key": KEY, "erased_at": None, "begun_anew_at": None})
    assert (page.key, page.lists, page.next_after) == (KEY, {}, None)
    for query in ("add_suppressions", "drop_correction_places"):
        assert database.values(query) == [{"user_id": USER, "key": KEY, "hashes": [HASHES[0]]}]
    assert database.values("claim_suppression_key") == [{"user_id": USER, "key": KEY, "erased_at": None}]
    assert database.changes("drop_corrections", "drop_assistant_tokens") == []


def test_an_erasure_takes_corrections_and_tokens_along_and_reading_changes_nothing() -> None:
    database, _ = suppressed(SuppressRequest(key=KEY, erased_at=AT))
    assert database.changes("drop_corrections", "drop_assistant_tokens") == [
        "drop_corrections",
        "drop_assistant_tokens",
    ]
    reading, page = suppressed(SuppressRequest())
    assert [query for query, _ in reading.ran] == ["erasure_of", "suppressions_page"]
    assert page.key is None


def test_what_is_suppressed_comes_a_page_at_a_time() -> None:
    rows = [{"key": key, "hash": each} for key, each in zip(("0a" * 32, KEY, KEY), HASHES, strict=True)]
    database, first = suppressed(SuppressRequest(), suppressions_page=rows)
    assert (first.lists, first.next_after) == ({"0a" * 32: HASHES[:1], KEY: HASHES[1:2]}, KEY + HASHES[1])
    assert suppressed(SuppressRequest(), suppressions_page=rows[:2])[1].next_after is None
    assert database.values("suppressions_page")[0]["limit"] == 3
    database, last = suppressed(SuppressRequest(after=first.next_after), suppressions_page=rows[2:])
    assert (last.lists, last.next_after) == ({KEY: HASHES[2:]}, None)
    [asked] = database.values("suppressions_page")
    assert (asked["after_key"], asked["after_hash"]) == (KEY, HASHES[1])


@table(
    ("request", "words"),
    [
        (SuppressRequest(lists={KEY: HASHES[:1]}), "key is missing"),
        (SuppressRequest(erased_at=AT), "key is missing"),
        (SuppressRequest(after="x"), "did not issue|not a next_after"),
    ],
)
def test_a_request_without_a_key_or_of_another_server_is_refused(request: SuppressRequest, words: str) -> None:
    with pytest.raises(ApiFault, match=words) as refused:
        suppressed(request)
    assert refused.value.status == 422


def test_only_so_many_hashes_come_in_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suppressions, "MAX_SUPPRESSED", 3)
    assert suppressed(SuppressRequest(key=KEY, lists={KEY: HASHES}))[1].lists == {}
    with pytest.raises(ApiFault, match="at most 3 hashes"):
        suppressed(SuppressRequest(key=KEY, lists={KEY: HASHES, "cd" * 32: HASHES[:1]}))


def test_everything_of_a_disabled_user_is_recorded_as_erased() -> None:
    for workspace in (None, {**WORKSPACE, "status": "disabled"}):
        database = Scripted(workspace_of=workspace, mark_erased={"user_id": USER, "erased_at": AT})
        assert Suppressing(database.database).erase(OP, USER, REASON).erased_at == AT
        dropped = ("drop_corrections", "drop_assistant_tokens")
        assert database.changes(*dropped) == [*dropped]
        assert database.audits() == [(OP, "user.erase", {"reason": "asked for"})]
        assert len(bytes.fromhex(database.values("mark_erased")[0]["key"])) == 32
    enabled = Scripted(workspace_of=WORKSPACE)
    assert fault(lambda: Suppressing(enabled.database).erase(OP, USER, REASON))[:2] == (409, "user_enabled")


def test_a_wave_may_leave_the_backfills_for_later() -> None:
    database, answer = wave(WaveRequest(size=2, cap=100, backfill=False, runtime_profile="digest"))
    assert (len(answer.user_ids), answer.job_ids) == (2, ())
    assert database.changes("submit_job") == []
    assert [values["job_id"] for values in database.values("audit")] == [None, None]
