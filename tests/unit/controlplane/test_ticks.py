"""What a tick plans: for whom, from when on, and what it leaves to the next page."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import manifests
from contract.api import TickRequest
from contract.event import planned_job_id
from controlplane.errors import ApiFault
from controlplane.planning import MARKS_KEEP_S, MARKS_PIECE, OUTBOX_PIECE, Planning, PlanningPlace, hours_share, share
from tests.tables import table
from tests.unit.controlplane.scripted import Scripted
from tests.unit.controlplane.test_assistants import USER

START = datetime(2026, 11, 27, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
NONE, SPREAD = timedelta(0), timedelta(minutes=50)
ONE, TWO, THREE = (uuid.UUID(int=number) for number in (1, 2, 3))


def due(user: uuid.UUID = ONE, **columns: Any) -> dict[str, Any]:
    given = {"user_id": user, "workspace_id": USER, "wants_hourly": True, "has_news": True, "wake_at": None}
    return {**given, **columns}


def tick(
    database: Scripted, kind: Any = "hourly", spread: timedelta = timedelta(0), size: int = 2, **fields: Any
) -> Any:
    period = {"hourly": "2026-11-27T09", "daily": "2026-11-27", "sweep": "2026-11-27"}[kind]
    request = TickRequest(**{"kind": kind, "period": period, "tick_id": "t", **fields})
    return Planning(database.database, spread, page_size=size, verify_size=2).tick(request)


def test_who_has_news_gets_a_digest_of_the_hour() -> None:
    database = Scripted(marked_users=[{"user_id": ONE}], due_workspaces=[due()])
    assert (tick(database).planned, tick(database).next_page) == (1, None)
    [job] = database.values("plan_job")[:1]
    assert job == {
        "id": planned_job_id(str(ONE), "hourly_digest", "2026-11-27T09"),
        "user_id": str(ONE),
        "workspace_id": USER,
        "job_type": "hourly_digest",
        "period": "2026-11-27T09",
        "start_at": START,
    }
    overlap_s = manifests.export_manifest().overlap_s
    assert database.values("renew_marks")[0] == {"user_ids": [ONE], "with_news": [ONE], "keep_s": 2 * overlap_s}
    assert database.values("due_workspaces")[0] == {"user_ids": [ONE], "overlap_s": overlap_s}


WAKE = START + timedelta(minutes=30)


@table(
    ("columns", "start_at"),
    [
        ({}, START),
        ({"wants_hourly": False}, None),
        ({"has_news": False}, None),
        # Before that time it would have nothing to tell.
        ({"has_news": False, "wake_at": WAKE}, WAKE),
        ({"has_news": False, "wake_at": START - HOUR}, START),
        ({"wake_at": WAKE}, START),
        ({"has_news": False, "wake_at": START + HOUR}, None),
        ({"has_news": False, "wake_at": WAKE, "wants_hourly": False}, None),
    ],
)
def test_a_digest_is_due_with_news_or_when_something_falls_due_in_its_hour(columns: Any, start_at: Any) -> None:
    database = Scripted(marked_users=[{"user_id": ONE}], due_workspaces=[due(**columns)])
    assert tick(database).planned == (start_at is not None)
    assert [job["start_at"] for job in database.values("plan_job")] == ([start_at] if start_at else [])
    assert database.values("renew_marks")[0]["with_news"] == ([ONE] if columns.get("has_news", True) else [])


def test_a_tick_looks_at_three_rounds_of_users_a_page_at_a_time() -> None:
    rounds = {
        "marked_users": [{"user_id": ONE}],
        "waking_users": [{"user_id": TWO, "wake_at": WAKE}],
        "users_between": [{"user_id": THREE}],
    }
    database = Scripted(**rounds)
    first = tick(database, size=2)
    # The page is full after the second round began, and goes on behind its last user.
    assert PlanningPlace.read(first.next_page) == PlanningPlace("waking", TWO, WAKE)
    assert database.changes(*rounds) == ["marked_users", "waking_users"]
    assert database.values("waking_users")[0] | {"after": None} == {
        "after": None,
        "after_at": datetime(1970, 1, 1, tzinfo=UTC),
        "until": START + HOUR,
        "limit": 1,
    }
    # Marks belong to the first round alone.
    assert len(database.values("renew_marks")) == 1
    rest = Scripted(users_between=[{"user_id": THREE}])
    assert tick(rest, size=2, page=first.next_page).next_page is None
    assert (rest.values("waking_users")[0]["after"], rest.values("waking_users")[0]["after_at"]) == (TWO, WAKE)
    before, last = hours_share(9)
    assert rest.values("users_between") == [{"after": before, "to": last, "limit": 2}]
    behind = str(PlanningPlace("daily", uuid.UUID(int=last.int - 1)))
    late = Scripted()
    tick(late, page=behind)
    assert late.values("users_between")[0]["after"].int == last.int - 1
    nobody = Scripted()
    assert tick(nobody).next_page is None
    assert nobody.changes("due_workspaces", "renew_marks", "plan_job") == []


@table(
    ("kind", "now", "begin", "whole"),
    [
        # On time, late, and after its hour.
        ("hourly", START, START, SPREAD),
        ("hourly", START + timedelta(minutes=20), START + timedelta(minutes=20), timedelta(minutes=30)),
        ("hourly", START + timedelta(minutes=55), START + timedelta(minutes=55), timedelta(0)),
        ("hourly", START - timedelta(minutes=5), START, SPREAD),
        # A daily tick comes hours after its day began.
        ("daily", START, START, SPREAD),
    ],
)
def test_jobs_start_spread_over_what_is_left_of_the_hour(kind: str, now: Any, begin: Any, whole: timedelta) -> None:
    database = Scripted(
        planning_time={"now": now},
        marked_users=[{"user_id": ONE}],
        due_workspaces=[due()],
        unseen_workspaces=[due()],
    )
    tick(database, kind, SPREAD)
    assert [job["start_at"] for job in database.values("plan_job")] == [begin + whole * share(str(ONE))]


def test_a_day_plans_an_insight_for_each_and_chooses_whom_to_verify() -> None:
    database = Scripted(unseen_workspaces=[due(ONE), due(TWO)], chosen_for_verification=[{"user_id": THREE}])
    answer = tick(database, "daily")
    assert (answer.planned, answer.next_page, answer.verify) == (2, str(TWO), (str(THREE),))
    assert {job["job_type"] for job in database.values("plan_job")} == {"insight"}
    assert database.values("plan_job")[0]["start_at"] == datetime(2026, 11, 27, tzinfo=UTC)
    assert database.values("choose_for_verification") == [{"period": "2026-11-27", "limit": 2}]
    second = Scripted(unseen_workspaces=[due(THREE)])
    answer = tick(second, "daily", page=str(TWO))
    assert (answer.planned, answer.next_page, answer.verify) == (1, None, ())
    assert second.values("unseen_workspaces") == [{"after": TWO, "limit": 2}]


def test_a_sweep_removes_the_old_and_publishes_what_nobody_works_on() -> None:
    limits = manifests.limits()
    database = Scripted(republish_stale=3, count_withheld={"withheld": 2})
    answer = tick(database, "sweep", size=7)
    assert (answer.republished, answer.withheld) == (3, 2)
    assert database.values("delete_published") == [{"keep_s": limits["outbox_keep"], "limit": OUTBOX_PIECE}]
    assert database.values("drop_old_marks") == [{"keep_s": MARKS_KEEP_S, "limit": MARKS_PIECE}]
    assert database.values("catch_up") == [{"limit": 7}]
    assert database.values("republish_stale") == [{"stale_s": limits["sweep_stale_after"], "limit": 7}]


@table(("kind", "fields"), [
    ("hourly", {"period": "2026-11-27"}), ("daily", {"period": "2026-11-27T09"}), ("daily", {"page": "x"}),
    ("hourly", {"page": "x"}),
])  # fmt: skip
def test_a_tick_of_another_form_is_refused(kind: str, fields: Any) -> None:
    database = Scripted()
    with pytest.raises(ApiFault) as refused:
        tick(database, kind, **fields)
    assert refused.value.status == 422
    assert database.ran == []
