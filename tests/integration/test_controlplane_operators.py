"""Operators and ticks: users, listings, cancel, replay, rerun, planning; each repeatable, each with its refusals."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
import pytest

import manifests
from contract.event import planned_job_id
from contract.profile import DEFAULT_PROFILE
from controlplane.planning import Planning, share
from tests.fixtures_controlplane import BUCKET, CONSUMER, World
from tests.tables import table
from tests.waiting import PATIENCE_S

UNKNOWN = "00000000-0000-4000-8000-000000000000"
HOUR = "2026-11-27T14"


def code(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def outbox(world: World, job: str) -> int:
    return len(world.sql("select 1 from memory_outbox where job_id = %s", job))


def failed_job(world: World, user: str) -> str:
    job = world.job(user)
    world.complete(job, world.token(job), outcome="failed", error={"code": "tool_failed", "stage": "index", "hint": ""})
    return job


# --- users -------------------------------------------------------------------------------------------------------


def test_a_user_is_enabled_by_id_or_email_and_disabled(world: World) -> None:
    user = str(world.sql("insert into auth.users (email) values ('Ada@Example.com') returning id")[0]["id"])
    by_mail = world.operate("POST", "/memory-users", {"email": "ada@example.com"}).json()
    assert by_mail["workspace_uri"] == f"gs://{BUCKET}/users/{user}/"
    by_id = world.operate("POST", "/memory-users", {"user_id": user, "runtime_profile": "internal-full"}).json()
    assert by_id["workspace_id"] == by_mail["workspace_id"]
    job = world.job(user)
    gone = world.operate("DELETE", f"/memory-users/{user}").json()
    assert gone["status"] == "disabled"
    assert world.row(job)["cancel_requested_at"] is not None
    assert code(world.operate("POST", "/memory-jobs", {"user_id": user, "job_type": "insight"})) == (
        409,
        "user_disabled",
    )
    assert world.operate("POST", "/memory-users", {"user_id": user}).json()["status"] == "enabled"
    actions = [row["action"] for row in world.sql("select action from memory_audit order by id")]
    assert actions == ["user.enable", "user.enable", "user.disable", "user.enable"]


def test_new_users_get_the_narrow_profile_and_enabling_again_keeps_a_users_own(world: World) -> None:
    user = str(world.sql("insert into auth.users (email) values ('ada@example.com') returning id")[0]["id"])

    def enabled(**more: str) -> str:
        return str(world.operate("POST", "/memory-users", {"user_id": user, **more}).json()["runtime_profile"])

    assert enabled() == DEFAULT_PROFILE == "user-memory-prod"
    assert enabled(runtime_profile="internal-full") == "internal-full"
    world.operate("DELETE", f"/memory-users/{user}")
    assert enabled() == "internal-full", "who is staff stays staff"
    entries = [
        row["profile"] for row in world.sql("select details ->> 'profile' as profile from memory_audit order by id")
    ]
    assert entries == [DEFAULT_PROFILE, "internal-full", None, "internal-full"]
    app = world.user("made-by-the-app@example.com")
    assert world.sql("select runtime_profile from memory_workspaces where user_id = %s", app) == [
        {"runtime_profile": DEFAULT_PROFILE}
    ]
    wave = {"size": 1, "cap": 9}
    world.sql("insert into auth.users (email) values ('wave@example.com')")
    [waved] = world.operate("POST", "/memory-users/waves", wave).json()["user_ids"]
    assert world.sql("select runtime_profile from memory_workspaces where user_id = %s", waved) == [
        {"runtime_profile": DEFAULT_PROFILE}
    ]


def test_refusals_about_users(world: World) -> None:
    assert code(world.operate("POST", "/memory-users", {"user_id": UNKNOWN})) == (404, "user_not_found")
    assert code(world.operate("POST", "/memory-users", {"email": "no@example.com"})) == (404, "user_not_found")
    assert code(world.operate("POST", "/memory-users", {})) == (422, "invalid_request")
    both = {"user_id": UNKNOWN, "email": "a@b"}
    assert code(world.operate("POST", "/memory-users", both)) == (422, "invalid_request")
    assert code(world.operate("DELETE", f"/memory-users/{UNKNOWN}")) == (404, "user_not_found")
    submit = {"user_id": UNKNOWN, "job_type": "insight"}
    assert code(world.operate("POST", "/memory-jobs", submit)) == (404, "user_not_found")


def test_operator_calls_want_an_operator(world: World) -> None:
    calls = [
        ("POST", "/memory-users"),
        ("DELETE", f"/memory-users/{UNKNOWN}"),
        ("POST", "/memory-jobs"),
        ("GET", "/memory-jobs"),
        ("GET", f"/memory-jobs/{UNKNOWN}"),
        ("POST", f"/memory-jobs/{UNKNOWN}/cancel"),
        ("POST", f"/memory-jobs/{UNKNOWN}/replay"),
        ("POST", f"/memory-jobs/{UNKNOWN}/rerun"),
    ]
    for method, path in calls:
        assert code(world.call(method, path, None, {})) == (401, "token_missing")
        assert code(world.call(method, path, world.issuer.token(CONSUMER), {})) == (403, "not_allowed")


# --- jobs --------------------------------------------------------------------------------------------------------


def test_submit_list_and_filters(world: World) -> None:
    ada, bob = world.user("ada@example.com"), world.user("bob@example.com")
    jobs = [
        world.operate("POST", "/memory-jobs", {"user_id": user, "job_type": kind}).json()["job_id"]
        for user, kind in ((ada, "inventory"), (ada, "insight"), (bob, "inventory"))
    ]
    assert all(outbox(world, job) == 1 for job in jobs)
    world.token(jobs[0])

    def listed(query: str) -> set[str]:
        return {job["job_id"] for job in world.operate("GET", f"/memory-jobs?{query}").json()["jobs"]}

    assert listed("") == set(jobs)
    assert listed("status=running") == {jobs[0]}
    assert listed(f"user_id={bob}") == {jobs[2]}
    assert listed("type=insight") == {jobs[1]}
    for query in ("status=lost", "user_id=x", "after=x"):
        assert code(world.operate("GET", f"/memory-jobs?{query}")) == (422, "invalid_request")
    assert code(world.operate("GET", f"/memory-jobs/{UNKNOWN}")) == (404, "job_not_found")


def test_a_listing_pages_through_equal_times_without_loss(world: World) -> None:
    user = world.user()
    world.sql("insert into memory_jobs (user_id, job_type) select %s, 'insight' from generate_series(1, 120)", user)
    seen: list[str] = []
    after = ""
    while after is not None:
        page = world.operate("GET", f"/memory-jobs?after={after}").json()
        seen += [job["job_id"] for job in page["jobs"]]
        after = page["next_after"]
    assert len(seen) == len(set(seen)) == 120


def test_cancel_wakes_the_job_once(world: World) -> None:
    job = world.job(world.user())
    for _ in range(2):
        view = world.operate("POST", f"/memory-jobs/{job}/cancel", {"reason": "wrong user"}).json()
        assert view["cancel_requested_at"] is not None
    assert outbox(world, job) == 2
    assert code(world.operate("POST", f"/memory-jobs/{job}/cancel", {"reason": ""})) == (422, "invalid_request")
    world.complete(job, world.token(job), outcome="cancelled")
    assert code(world.operate("POST", f"/memory-jobs/{job}/cancel", {"reason": "x"})) == (409, "job_terminal")


def test_replay_reopens_a_failed_job_once(world: World) -> None:
    job = failed_job(world, world.user())
    first, second = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))
    body = {"replay_id": first, "from_stage": "synthesize", "reason": "model is back"}
    for _ in range(2):
        view = world.operate("POST", f"/memory-jobs/{job}/replay", body).json()
        assert (view["status"], view["replay_id"]) == ("queued", first)
    assert outbox(world, job) == 2
    assert world.row(job)["from_stage"] == "synthesize"
    # Whoever does not know of the replay is told so; the token of the replay goes on counting attempts.
    assert code(world.open(job, 2)) == (409, "replay_stale")
    assert code(world.open(job, 2, replay_id=second)) == (409, "replay_stale")
    assert world.row(job)["status"] == "queued"
    token = world.token(job, 2, replay_id=first)
    assert world.complete(job, token, attempt=2, outcome="failed").json() == {"status": "failed"}
    assert world.operate("POST", f"/memory-jobs/{job}/replay", body).json()["status"] == "failed"
    again = world.operate("POST", f"/memory-jobs/{job}/replay", body | {"replay_id": second}).json()
    assert again["status"] == "queued"
    assert code(world.complete(job, token, attempt=2, outcome="failed")) == (409, "replay_stale")
    assert code(world.operate("POST", f"/memory-jobs/{job}/replay", body)) == (409, "replay_stale")


def test_what_cannot_be_replayed(world: World) -> None:
    user = world.user()
    job = world.job(user)
    body = {"replay_id": UNKNOWN, "reason": "x"}
    assert code(world.operate("POST", f"/memory-jobs/{job}/replay", body)) == (409, "not_failed")
    world.complete(job, world.token(job))
    assert code(world.operate("POST", f"/memory-jobs/{job}/replay", body)) == (409, "not_failed")
    assert code(world.operate("POST", f"/memory-jobs/{UNKNOWN}/replay", body)) == (404, "job_not_found")
    assert code(world.operate("POST", f"/memory-jobs/{job}/replay", {"reason": "x"})) == (422, "invalid_request")


def test_a_failed_job_of_a_disabled_user_stays_failed(world: World) -> None:
    """A purge erased what that user had: a replay would fetch all of it again."""
    user = world.user()
    job = failed_job(world, user)
    world.operate("DELETE", f"/memory-users/{user}")
    body = {"replay_id": str(uuid.uuid4()), "reason": "mended"}
    wakes = outbox(world, job)
    assert code(world.operate("POST", f"/memory-jobs/{job}/replay", body)) == (409, "user_disabled")
    assert (world.row(job)["status"], outbox(world, job)) == ("failed", wakes)
    world.operate("POST", "/memory-users", {"user_id": user})
    assert world.operate("POST", f"/memory-jobs/{job}/replay", body).json()["status"] == "queued"


def test_force_travels_with_the_token_and_leaves_the_event_as_it_is(world: World) -> None:
    user = world.user()
    submit = {"user_id": user, "job_type": "backfill_digest"}
    plain = world.operate("POST", "/memory-jobs", submit).json()
    forced = world.operate("POST", "/memory-jobs", submit | {"force": True}).json()
    assert (plain["force"], forced["force"]) == (False, True)
    assert not world.open(plain["job_id"]).json()["job"]["force"]
    opened = world.open(forced["job_id"]).json()
    assert opened["job"]["force"]
    world.complete(forced["job_id"], opened["token"])
    assert world.operate("POST", f"/memory-jobs/{forced['job_id']}/rerun").json()["force"]
    audit = world.sql("select details from memory_audit where job_id = %s and action = 'job.submit'", forced["job_id"])
    assert audit[0]["details"]["force"] is True


def test_a_forced_render_is_asked_for_once_and_only_of_jobs_that_render(world: World) -> None:
    user = world.user()
    backfill, insight = world.job(user), world.job(user, "insight")
    for job in (backfill, insight):
        world.complete(job, world.token(job))
    forced = world.operate("POST", f"/memory-jobs/{backfill}/rerun", {"force_render": True}).json()
    assert forced["force_render"]
    opened = world.open(forced["job_id"]).json()
    assert opened["job"]["force_render"]
    world.complete(forced["job_id"], opened["token"])
    again = world.operate("POST", f"/memory-jobs/{forced['job_id']}/rerun", {}).json()
    assert not again["force_render"]
    refused = world.operate("POST", f"/memory-jobs/{insight}/rerun", {"force_render": True})
    assert code(refused) == (422, "invalid_request")


def test_rerun_is_a_new_job_that_names_the_old(world: World) -> None:
    job = world.job(world.user())
    assert code(world.operate("POST", f"/memory-jobs/{job}/rerun")) == (409, "job_open")
    world.complete(job, world.token(job))
    view = world.operate("POST", f"/memory-jobs/{job}/rerun").json()
    assert view["rerun_of"] == job
    assert view["job_id"] != job
    assert outbox(world, view["job_id"]) == 1


# --- ticks -------------------------------------------------------------------------------------------------------


def tick(world: World, kind: str = "hourly", period: str = HOUR, page: str | None = None) -> dict[str, Any]:
    body = {"kind": kind, "period": period, "tick_id": "t-1", "page": page}
    response = world.call("POST", "/memory-ticks", world.issuer.token(CONSUMER), body)
    assert response.status_code == 200, response.text
    reply: dict[str, Any] = response.json()
    return reply


def backfilled(world: World, email: str, *, quiet: bool = False) -> str:
    user = world.user(email)
    ago = "1 hour" if quiet else "1 day"
    world.sql(f"update memory_workspaces set last_backfill_at = now() - interval '{ago}' where user_id = %s", user)
    if quiet:
        world.without_triggers(
            "update user_profiles set updated_at = now() - interval '1 year' where user_id = %s", user
        )
    else:
        world.sql("update user_profiles set display_name = 'Ada L.' where user_id = %s", user)
    return user


def test_a_tick_plans_each_user_with_news_once(world: World) -> None:
    busy, quiet = backfilled(world, "busy@example.com"), backfilled(world, "quiet@example.com", quiet=True)
    world.user("new@example.com")
    off = backfilled(world, "off@example.com")
    world.operate("DELETE", f"/memory-users/{off}")
    assert tick(world) == {
        **{"planned": 1, "republished": 0, "next_page": None, "verify": []},
        **{"erase": [], "orders": [], "reconciliation_alarm": None, "pauses": 0, "all_paused": False, "withheld": 0},
        "usefulness": None,
    }
    assert tick(world)["planned"] == 0
    rows = world.sql("select id, user_id, period, triggered_by, job_type from memory_jobs")
    assert [(str(r["id"]), str(r["user_id"]), r["period"], r["triggered_by"], r["job_type"]) for r in rows] == [
        (planned_job_id(busy, "hourly_digest", HOUR), busy, HOUR, "schedule", "hourly_digest")
    ]
    world.sql(
        "insert into social.activity_events (user_id, source, event_type, occurred_at) values (%s, 'x', 'y', now())",
        quiet,
    )
    assert tick(world, period="2026-11-27T15")["planned"] == 2


@pytest.mark.parametrize("change", ["chat message", "deletion", "correction"])
def test_messages_deletions_and_corrections_are_news(world: World, change: str) -> None:
    user = backfilled(world, "ada@example.com", quiet=True)
    old = "now() - interval '1 year'"
    session = world.sql(f"insert into chat_sessions (user_id, updated_at) values (%s, {old}) returning id", user)[0][
        "id"
    ]
    assert tick(world)["planned"] == 0
    if change == "deletion":
        world.sql("delete from chat_sessions")
    elif change == "correction":
        body = {"verdict": "done", "statement": "0123456789abcdef"}
        assert world.operate("POST", f"/memory-users/{user}/corrections", body).status_code == 200
    else:
        world.sql("insert into chat_messages (session_id, user_id, role) values (%s, %s, 'user')", session, user)
    assert tick(world)["planned"] == 1


def test_late_commits_stay_news_for_the_overlap(world: World) -> None:
    user = backfilled(world, "ada@example.com", quiet=True)
    late = "now() - interval '1 hour 10 minutes'"
    world.sql(f"insert into user_rules (user_id, rule_text, updated_at) values (%s, 'late', {late})", user)
    assert tick(world)["planned"] == 1


def test_a_daily_tick_plans_insights_where_something_was_learnt(world: World) -> None:
    user = backfilled(world, "ada@example.com")
    world.sql("update memory_workspaces set last_dream_at = now() + interval '1 h' where user_id = %s", user)
    assert tick(world, "daily", "2026-11-27")["planned"] == 1
    world.sql("update memory_workspaces set last_insight_at = now() where user_id = %s", user)
    assert tick(world, "daily", "2026-11-28")["planned"] == 0


def dreams(world: World) -> list[dict[str, Any]]:
    return world.sql(
        "select *, id::text as job_id, now() as now from memory_jobs where job_type = 'dream' order by period"
    )


def ended(world: World, user: str, job_type: str = "backfill_digest", **result: Any) -> None:
    job = world.job(user, job_type)
    assert world.complete(job, world.token(job), **result).is_success


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York", "Nowhere/Land"])
def test_a_dream_is_planned_once_for_the_users_next_night(world: World, zone: str) -> None:
    user = world.user(timezone=zone)
    ended(world, user)
    ended(world, user, "insight")
    tick(world, "daily", "2026-11-27")
    (row,) = dreams(world)
    known = ZoneInfo(zone if "Nowhere" not in zone else "UTC")
    starts = row["retry_at"].astimezone(known)
    first, end = manifests.limits()["dream_hours"]
    assert first <= starts.hour < end
    assert row["now"] <= starts <= row["now"] + timedelta(days=1, hours=end - first)
    assert (row["job_id"], row["period"]) == (planned_job_id(user, "dream", row["period"]), f"{starts:%Y-%m-%d}")


@pytest.mark.parametrize("why", ["no backfill", "nothing new", "flag", "disabled", "news"])
def test_a_dream_needs_news_since_the_last_one_and_its_flag(world: World, why: str) -> None:
    user = world.user()
    if why == "flag":
        body = {"name": "dream", "scope": "user", "target": user, "value": False, "reason": "test"}
        assert world.operate("POST", "/memory-flags", body).status_code == 200
    if why == "nothing new":
        world.sql("update memory_workspaces set last_dream_at = now() + interval '1 h' where user_id = %s", user)
    if why == "disabled":
        world.sql("update memory_workspaces set status = 'disabled' where user_id = %s", user)
    if why == "no backfill":
        ended(world, user, "inventory")
    else:
        ended(world, user)
    assert len(dreams(world)) == (1 if why == "news" else 0)


@pytest.mark.parametrize("outcome", ["completed", "no_change", "superseded", "failed", "cancelled"])
def test_a_dream_without_effect_is_followed_by_another(world: World, outcome: str) -> None:
    user = backfilled(world, "ada@example.com", quiet=True)
    error = {"code": "tool_failed", "message": "x"} if outcome == "failed" else None
    ended(world, user, "dream", outcome=outcome, error=error)
    planned = [row for row in dreams(world) if row["triggered_by"] == "schedule"]
    assert len(planned) == (0 if outcome in ("completed", "no_change") else 1)


def test_ticks_go_page_by_page(world: World) -> None:
    for n in range(5):
        backfilled(world, f"u{n}@example.com")
    object.__setattr__(world.services.planning, "page_size", 2)
    pages, page, planned = 0, None, 0
    while pages == 0 or page:
        reply = tick(world, page=page)
        pages, page, planned = pages + 1, reply["next_page"], planned + reply["planned"]
    # Five users with marks, and those whose daily look falls into this hour.
    assert pages >= 3
    assert planned == 5


def test_planned_jobs_spread_over_the_hour_and_wait_for_their_time(world: World) -> None:
    user = backfilled(world, "ada@example.com")
    planning = Planning(world.services.database, timedelta(minutes=50))
    object.__setattr__(world.services, "planning", planning)
    period = world.sql("select to_char(now() at time zone 'UTC' + interval '2 hours', 'YYYY-MM-DD\"T\"HH24') as p")[0][
        "p"
    ]
    assert tick(world, period=period)["planned"] == 1
    row = world.row(planned_job_id(user, "hourly_digest", period))
    assert row["retry_at"].strftime("%Y-%m-%dT%H") == period
    assert row["retry_at"].minute == int(share(user) * 50)
    assert outbox(world, str(row["id"])) == 0
    late = tick(world, period=HOUR)
    assert late["planned"] == 1
    assert outbox(world, planned_job_id(user, "hourly_digest", HOUR)) == 1


@table(
    ("wake", "planned"),
    [
        ("2026-11-27T14:00:00Z", 1),
        ("2026-11-27T14:59:00Z", 1),
        # Missed while nothing ran: the next tick makes up for it.
        ("2026-11-26T09:00:00Z", 1),
        ("2026-11-27T15:00:00Z", 0),
        (None, 0),
    ],
)
def test_what_falls_due_without_news_is_planned_in_its_hour(world: World, wake: str | None, planned: int) -> None:
    world.sql("update memory_workspaces set status = 'disabled'")
    user = backfilled(world, f"{uuid.uuid4()}@example.com", quiet=True)
    world.sql("update memory_workspaces set wake_at = %s where user_id = %s", wake, user)
    assert tick(world, period="2026-11-27T14")["planned"] == planned
    assert tick(world, period="2026-11-27T14")["planned"] == 0


def test_a_digest_that_only_something_due_asked_for_starts_when_it_is_due(world: World) -> None:
    soon = world.sql("select date_trunc('hour', now()) + interval '2 hours 37 minutes' as at")[0]["at"]
    quiet, busy = backfilled(world, "quiet@example.com", quiet=True), backfilled(world, "busy@example.com")
    world.sql("update memory_workspaces set wake_at = %s", soon)
    period = soon.strftime("%Y-%m-%dT%H")
    assert tick(world, period=period)["planned"] == 2
    assert world.row(planned_job_id(quiet, "hourly_digest", period))["retry_at"] == soon
    assert world.row(planned_job_id(busy, "hourly_digest", period))["retry_at"] < soon, "news need not wait"


def test_the_last_completion_says_when_a_user_is_woken(world: World) -> None:
    user = backfilled(world, "ada@example.com")

    def wake_after(job_type: str, outcome: str, **body: Any) -> Any:
        job = world.job(user, job_type)
        token = world.token(job)
        assert world.complete(job, token, attempt=1, outcome=outcome, **body).status_code == 200
        row = world.sql("select wake_at from memory_workspaces where user_id = %s", user)[0]
        return row["wake_at"] and row["wake_at"].isoformat()

    at, later = "2026-11-28T06:00:00+00:00", "2026-11-29T06:00:00+00:00"
    commit = {"seq": 1, "digest": "d"}
    assert wake_after("hourly_digest", "completed", wake_at=at, commit=commit) == at
    assert wake_after("insight", "completed", commit={"seq": 2, "digest": "e"}) == at
    assert wake_after("hourly_digest", "failed", error={"code": "x"}) == at
    assert wake_after("hourly_digest", "no_change", wake_at=later) == later
    assert wake_after("backfill_digest", "completed", commit={"seq": 3, "digest": "f"}) is None


def test_what_falls_due_later_in_an_hour_that_had_its_digest_gets_one_of_its_own(world: World) -> None:
    user = backfilled(world, f"{uuid.uuid4()}@example.com")
    hour = world.sql("select date_trunc('hour', now(), 'UTC') as at")[0]["at"]

    def planned_after(wake_at: datetime, job_type: str = "hourly_digest") -> list[Any]:
        job = world.job(user, job_type)
        commit = {"seq": 1, "digest": "d"}
        body = {"outcome": "completed", "wake_at": wake_at.isoformat(), "commit": commit}
        assert world.complete(job, world.token(job), attempt=1, **body).status_code == 200
        query = "select period, retry_at from memory_jobs where user_id = %s and triggered_by = 'wake'"
        return [(row["period"], row["retry_at"]) for row in world.sql(query, user)]

    assert planned_after(hour + timedelta(hours=1)) == [], "the next tick plans it"
    soon = hour + timedelta(minutes=59, seconds=59)
    assert planned_after(soon, "insight") == []
    assert planned_after(soon) == [(f"{hour:%Y-%m-%dT%H}", soon)]
    assert planned_after(soon) == [(f"{hour:%Y-%m-%dT%H}", soon)], "once"
    passed = hour - timedelta(minutes=1)
    assert (f"{passed:%Y-%m-%dT%H}", None) in planned_after(passed), "what has passed in the meantime starts at once"
    before = planned_after(passed)
    assert planned_after(hour - timedelta(days=3)) == before, (
        "a late digest of an old hour is followed by none of each day"
    )


def test_shares_are_even() -> None:
    counts = [0] * 60
    for n in range(60_000):
        counts[int(share(str(uuid.UUID(int=n))) * 60)] += 1
    assert max(counts) < 1.2 * 1000
    assert min(counts) > 0.8 * 1000


def test_a_sweep_republishes_what_nobody_touched(world: World) -> None:
    user = world.user()
    stale, fresh, waiting, over = world.job(user), world.job(user), world.job(user), world.job(user)
    world.complete(over, world.token(over))
    world.sql("update memory_outbox set published_at = now() - interval '1 hour'")
    world.without_triggers(
        "update memory_jobs set created_at = now() - interval '2 hours', heartbeat_at = null where id <> %s", fresh
    )
    world.sql("update memory_jobs set retry_at = now() + interval '1 hour' where id = %s", waiting)
    assert tick(world, "sweep")["republished"] == 1
    assert outbox(world, stale) == 2
    assert tick(world, "sweep")["republished"] == 0


def test_a_daily_tick_names_those_who_waited_longest_for_verification_once_a_day(world: World) -> None:
    object.__setattr__(world.services.planning, "verify_size", 2)
    users = sorted(backfilled(world, f"u{n}@example.com") for n in range(5))
    new, off = world.user("new@example.com"), backfilled(world, "off@example.com")
    world.operate("DELETE", f"/memory-users/{off}")
    named = [tick(world, "daily", f"2026-11-{day}")["verify"] for day in (25, 26, 27, 28)]
    assert [len(page) for page in named] == [2, 2, 2, 2]
    assert {user for page in named[:3] for user in page} == set(users)
    assert all(new not in page for page in named)
    # The same tick again names the same users; a late one for an earlier day takes nobody's turn.
    assert tick(world, "daily", "2026-11-28")["verify"] == named[3]
    assert tick(world, "daily", "2026-11-20")["verify"] == []
    assert tick(world, "daily", "2026-11-28")["verify"] == named[3]
    # Only with the first page, and never with another kind of tick.
    assert tick(world, "daily", "2026-11-29", page=users[0])["verify"] == []
    assert tick(world)["verify"] == []


def test_a_sweep_forgets_wake_ups_that_were_published_long_ago(world: World) -> None:
    user = world.user()
    jobs = [world.job(user) for _ in range(3)]
    for job, published in zip(jobs, ("now() - interval '8 days'", "now() - interval '6 days'", "null"), strict=True):
        world.sql(f"update memory_outbox set published_at = {published}, created_at = 'epoch' where job_id = %s", job)
    tick(world, "sweep")
    assert outbox(world, jobs[2]) == 1  # never published: never forgotten, however old
    assert outbox(world, jobs[1]) == 1
    assert world.sql("select 1 from memory_outbox where published_at < now() - interval '7 days'") == []


def test_the_publisher_is_woken_only_where_there_is_something_to_publish(world: World) -> None:
    user = world.user()
    with psycopg.connect(world.dsn, autocommit=True) as listener:
        listener.execute("listen memory_outbox")
        world.sql("insert into memory_outbox (job_id, user_id) select id, user_id from memory_jobs where false")
        assert list(listener.notifies(timeout=0.2, stop_after=1)) == []
        world.job(user)
        assert len(list(listener.notifies(timeout=PATIENCE_S, stop_after=1))) == 1


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "hourly", "period": "2026-11-27", "tick_id": "t"},
        {"kind": "daily", "period": HOUR, "tick_id": "t"},
        {"kind": "hourly", "period": "2026-13-27T14", "tick_id": "t"},
        {"kind": "weekly", "period": HOUR, "tick_id": "t"},
        {"kind": "hourly", "period": HOUR, "tick_id": "t", "page": "1; drop table x"},
        {"kind": "hourly", "period": HOUR, "tick_id": ""},
    ],
)
def test_bad_ticks(world: World, body: dict[str, Any]) -> None:
    response = world.call("POST", "/memory-ticks", world.issuer.token(CONSUMER), body)
    assert code(response) == (422, "invalid_request")


# --- what the app's own INSERT may do ----------------------------------------------------------------------------


def test_a_row_for_a_user_without_a_workspace_is_refused_with_advice(world: World) -> None:
    with pytest.raises(psycopg.errors.ForeignKeyViolation, match="no memory workspace"):
        world.job(UNKNOWN)


def test_an_insert_that_rolls_back_leaves_no_wake_up(world: World) -> None:
    user = world.user()
    with psycopg.connect(world.dsn) as connection:
        connection.execute("insert into memory_jobs (user_id, job_type) values (%s, 'insight')", (user,))
        connection.rollback()
    assert world.sql("select * from memory_outbox") == []


def test_ten_thousand_rows_are_ten_thousand_wake_ups_and_one_notice(world: World) -> None:
    user = world.user()
    with psycopg.connect(world.dsn, autocommit=True) as listener:
        listener.execute("listen memory_outbox")
        world.sql(
            "insert into memory_jobs (user_id, job_type) select %s, 'insight' from generate_series(1, 10000)", user
        )
        assert len(list(listener.notifies(timeout=PATIENCE_S, stop_after=1))) == 1
        assert list(listener.notifies(timeout=0.1)) == []
    assert world.sql("select count(*) as n from memory_outbox")[0]["n"] == 10_000
