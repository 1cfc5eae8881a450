"""Flags by scope, with audit; marks on claims, and the rule that pauses a user's synthesis."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.profile import DEFAULT_PROFILE
from controlplane.feedback import LEAST_MARKS, too_often
from tests.fixtures_controlplane import CONSUMER, OPERATOR, World

UNKNOWN = "00000000-0000-4000-8000-000000000000"
HOUR = "2026-11-27T14"
CLAIMS = 40


def code(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def put(world: World, scope: str, target: str, *, value: bool, name: str = "synthesis") -> Any:
    body = {"name": name, "scope": scope, "target": target, "value": value, "reason": f"because of {scope}"}
    return world.operate("POST", "/memory-flags", body)


def unset(world: World, scope: str, target: str, name: str = "synthesis") -> Any:
    body = {"name": name, "scope": scope, "target": target, "reason": "enough"}
    return world.operate("POST", "/memory-flags/unset", body)


def flags(world: World, user: str) -> dict[str, bool]:
    response = world.open(world.job(user))
    assert response.status_code == 200, response.text
    job_flags: dict[str, bool] = response.json()["job"]["flags"]
    return job_flags


def reported(world: World, user: str) -> str:
    """A completed job whose report numbers CLAIMS claims; the id."""
    job = world.job(user)
    report = {"artifact_type": "backfill_report", "workspace_path": "brain/r.md", "metadata": {"claims": CLAIMS}}
    world.complete(job, world.token(job), commit={"seq": 1, "digest": "sha256:" + "0" * 64}, artifacts=[report])
    return job


def mark(world: World, job: str, claim: int, verdict: str = "useful") -> Any:
    body = {"claim": claim, "verdict": verdict, "reason": "looked it up"}
    return world.operate("POST", f"/memory-jobs/{job}/marks", body)


# --- flags -------------------------------------------------------------------------------------------------------


def test_nothing_set_is_everything_on(world: World) -> None:
    assert flags(world, world.user()) == {}


def test_the_narrowest_setting_counts_and_taking_it_away_brings_back_the_wider(world: World) -> None:
    user = world.user()
    cohort = {"cohort": "pilot", "user_id": user, "reason": "first wave"}
    assert world.operate("POST", "/memory-cohorts", cohort).json()["member"] is True
    steps = [("all", "*", False), ("profile", DEFAULT_PROFILE, True), ("cohort", "pilot", False), ("user", user, True)]
    for scope, target, value in steps:
        assert put(world, scope, target, value=value).status_code == 200
        assert flags(world, user) == {"synthesis": value}
    for index in range(3, 0, -1):
        scope, target, _ = steps[index]
        assert unset(world, scope, target).status_code == 200
        assert flags(world, user) == {"synthesis": steps[index - 1][2]}


def test_between_two_cohorts_off_counts_and_leaving_one_ends_it(world: World) -> None:
    user = world.user()
    for cohort, value in (("one", True), ("two", False)):
        world.operate("POST", "/memory-cohorts", {"cohort": cohort, "user_id": user, "reason": "r"})
        put(world, "cohort", cohort, value=value)
    assert flags(world, user) == {"synthesis": False}
    world.operate("POST", "/memory-cohorts", {"cohort": "two", "user_id": user, "member": False, "reason": "r"})
    assert flags(world, user) == {"synthesis": True}


def test_another_user_is_not_touched(world: World) -> None:
    put(world, "user", world.user(), value=False)
    assert flags(world, world.user("bob@example.com")) == {}


def test_an_off_flag_says_why(world: World) -> None:
    user = world.user()
    put(world, "user", user, value=False)
    assert world.open(world.job(user)).json()["job"]["flag_notes"] == {"synthesis": "user: because of user"}


def test_without_the_hourly_flag_no_digest_is_planned_but_insights_are(world: World) -> None:
    user = world.user()
    world.without_triggers("update memory_workspaces set last_backfill_at = '2026-11-01'")
    world.sql("insert into public.user_rules (user_id, rule_text) values (%s, 'be brief')", user)
    put(world, "user", user, value=False, name="hourly")

    def tick(kind: str, period: str) -> int:
        body = {"kind": kind, "period": period, "tick_id": "t"}
        planned: int = world.call("POST", "/memory-ticks", world.issuer.token(CONSUMER), body).json()["planned"]
        return planned

    assert tick("hourly", HOUR) == 0
    assert tick("daily", HOUR[:10]) == 1
    unset(world, "user", user, name="hourly")
    assert tick("hourly", HOUR) == 1


@pytest.mark.parametrize(
    ("scope", "target", "expected"),
    [
        ("user", UNKNOWN, (404, "user_not_found")),
        ("user", "ann@example.com", (422, "invalid_request")),
        ("user", UNKNOWN.replace("8000", "8A00"), (422, "invalid_request")),
        ("user", "*", (422, "invalid_request")),
        ("all", "everyone", (422, "invalid_request")),
        ("profile", "no-such", (422, "invalid_request")),
        ("cohort", "Not A Cohort", (422, "invalid_request")),
        ("planet", "mars", (422, "invalid_request")),
    ],
)
def test_a_target_that_is_none_of_its_scope(world: World, scope: str, target: str, expected: tuple[int, str]) -> None:
    assert code(put(world, scope, target, value=False)) == expected
    assert world.sql("select 1 from memory_flags") == []
    assert world.sql("select 1 from memory_audit") == []


def test_flags_need_a_known_name_a_reason_and_an_operator(world: World) -> None:
    assert code(put(world, "all", "*", value=False, name="everything")) == (422, "invalid_request")
    body = {"name": "synthesis", "scope": "all", "target": "*", "value": False, "reason": ""}
    assert code(world.operate("POST", "/memory-flags", body)) == (422, "invalid_request")
    assert world.call("POST", "/memory-flags", None, {**body, "reason": "r"}).status_code == 401
    job = world.job(world.user())
    assert world.call("POST", "/memory-flags", world.token(job), {**body, "reason": "r"}).status_code == 401


def test_what_is_not_set_cannot_be_unset(world: World) -> None:
    assert code(unset(world, "all", "*")) == (404, "flag_not_set")


def test_every_change_is_in_the_audit_with_who_and_why(world: World) -> None:
    user = world.user()
    put(world, "user", user, value=False)
    unset(world, "user", user)
    world.operate("POST", "/memory-cohorts", {"cohort": "pilot", "user_id": user, "reason": "first"})
    world.operate("POST", "/memory-cohorts", {"cohort": "pilot", "user_id": user, "reason": "again"})
    lines = world.sql("select actor, action, user_id::text, details from memory_audit order by id")
    assert [(line["actor"], line["action"], line["user_id"]) for line in lines] == [
        (OPERATOR, "flag.set", user),
        (OPERATOR, "flag.unset", user),
        (OPERATOR, "cohort.join", user),
    ]
    assert lines[0]["details"]["reason"] == "because of user"
    assert lines[1]["details"] == {
        **{"name": "synthesis", "scope": "user", "target": user, "reason": "enough"},
        "value": False,
    }


def test_listing_filters(world: World) -> None:
    user = world.user()
    put(world, "all", "*", value=True)
    put(world, "user", user, value=False, name="hourly")
    listed = world.operate("GET", "/memory-flags").json()["flags"]
    assert [(flag["name"], flag["scope"]) for flag in listed] == [("hourly", "user"), ("synthesis", "all")]
    assert len(world.operate("GET", f"/memory-flags?target={user}").json()["flags"]) == 1
    assert code(world.operate("GET", "/memory-flags?name=x")) == (422, "invalid_request")


@pytest.mark.parametrize("table", ["memory_flags", "memory_cohorts", "memory_claim_marks"])
def test_app_users_see_none_of_it(world: World, table: str) -> None:
    with world.db.transaction(), pytest.raises(psycopg.errors.InsufficientPrivilege):
        world.db.execute("set local role authenticated")
        world.db.execute(f"select * from public.{table}".encode())


# --- marks -------------------------------------------------------------------------------------------------------


def test_a_mark_is_kept_and_a_later_one_replaces_it_while_the_audit_keeps_both(world: World) -> None:
    job = reported(world, world.user())
    assert mark(world, job, 3, "wrong").json() == {"marks": 1, "wrong": 1, "paused": False}
    assert mark(world, job, 3, "useful").json() == {"marks": 1, "wrong": 0, "paused": False}
    (kept,) = world.operate("GET", f"/memory-jobs/{job}/marks").json()["marks"]
    assert (kept["claim"], kept["verdict"], kept["marked_by"]) == (3, "useful", OPERATOR)
    verdicts = [line["details"]["verdict"] for line in world.sql("select details from memory_audit order by id")]
    assert verdicts == ["wrong", "useful"]


def test_marks_that_are_refused(world: World) -> None:
    user = world.user()
    job = reported(world, user)
    assert code(mark(world, UNKNOWN, 1)) == (404, "job_not_found")
    assert code(mark(world, job, CLAIMS + 1)) == (404, "claim_not_found")
    assert code(mark(world, world.job(user, "insight"), 1)) == (404, "claim_not_found")
    assert code(mark(world, job, 0)) == (422, "invalid_request")
    assert code(mark(world, job, 1, "funny")) == (422, "invalid_request")
    assert code(world.operate("GET", f"/memory-jobs/{UNKNOWN}/marks")) == (404, "job_not_found")


def test_too_many_wrong_claims_pause_this_user_and_a_decision_resumes_and_counts_anew(world: World) -> None:
    user, other = world.user(), world.user("bob@example.com")
    job = reported(world, user)
    for claim in range(1, LEAST_MARKS - 1):
        mark(world, job, claim)
    assert mark(world, job, LEAST_MARKS - 1, "wrong").json()["paused"] is False
    assert flags(world, user) == {}
    assert mark(world, job, LEAST_MARKS, "wrong").json() == {"marks": LEAST_MARKS, "wrong": 2, "paused": True}
    assert flags(world, user) == {"synthesis": False}
    assert flags(world, other) == {}
    (line,) = world.sql("select actor, details from memory_audit where action = 'flag.set'")
    assert line["actor"] == "pause rule"
    assert line["details"]["reason"] == f"paused: 2 of {LEAST_MARKS} marked claims are wrong"
    assert unset(world, "user", user).status_code == 200
    assert mark(world, job, LEAST_MARKS + 1, "wrong").json() == {"marks": 1, "wrong": 1, "paused": False}
    assert flags(world, user) == {}


@given(st.integers(0, 500), st.integers(0, 500))
def test_the_rule_needs_enough_marks_and_never_one_slip(marks: int, wrong: int) -> None:
    wrong = min(wrong, marks)
    assert too_often(marks, wrong) == (marks >= LEAST_MARKS and wrong * 20 > marks)
    assert not too_often(marks, min(wrong, 1))


def usefulness(world: World) -> dict[str, Any]:
    counted: dict[str, Any] = world.operate("GET", "/memory-queue").json()["usefulness"]
    return counted


def test_operators_are_told_whose_claims_are_useful_in_less_than_half(world: World) -> None:
    pleased, bored = world.user(), world.user("bob@example.com")
    reports = {user: reported(world, user) for user in (pleased, bored)}
    for claim in range(1, LEAST_MARKS + 1):
        mark(world, reports[pleased], claim)
        mark(world, reports[bored], claim, "useful" if claim % 2 else "not-useful")
    half = LEAST_MARKS // 2
    assert usefulness(world) == {"marks": 2 * LEAST_MARKS, "useful": LEAST_MARKS + half, "users": [], "low": False}
    mark(world, reports[bored], 1, "not-useful")
    low = {"marks": 2 * LEAST_MARKS, "useful": LEAST_MARKS + half - 1, "users": [bored], "low": True}
    assert usefulness(world) == low
    daily = {"kind": "daily", "period": "2026-11-27", "tick_id": "t"}
    token = world.issuer.token(CONSUMER)
    assert world.call("POST", "/memory-ticks", token, daily).json()["usefulness"] == low
    assert world.call("POST", "/memory-ticks", token, {**daily, "kind": "sweep"}).json()["usefulness"] is None
    # What is older than 14 days does not count, and few verdicts say nothing.
    world.sql("update memory_claim_marks set marked_at = now() - interval '15 days' where claim > 1")
    assert usefulness(world) == {"marks": 2, "useful": 1, "users": [], "low": False}


def test_few_verdicts_of_each_of_many_users_count_together(world: World) -> None:
    for number in range(4):
        job = reported(world, world.user(f"user{number}@example.com"))
        for claim in range(1, LEAST_MARKS // 4 + 1):
            mark(world, job, claim, "not-useful")
    assert usefulness(world) == {"marks": LEAST_MARKS, "useful": 0, "users": [], "low": True}
