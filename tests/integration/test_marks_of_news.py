"""Marks of news, in PostgreSQL: what leaves them, whom a tick finds by them, and that nobody is lost without one."""

from __future__ import annotations

import re
import uuid
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest

from contract.api import TickRequest, TickResponse
from controlplane.db import Database
from controlplane.errors import ApiFault
from controlplane.planning import Planning, hours_share
from tests.fixtures_controlplane import BUCKET, World
from tests.integration.test_controlplane_triggers import APP_TIMEOUT, rule, session

pytestmark = pytest.mark.integration
#: An hour that is over, so that every planned job may start at once.
DAY = "2026-11-27"
TRIGGERS = """
select tgrelid::regclass::text as name, tgtype & 4 > 0 as on_insert, tgtype & 16 > 0 as on_update from pg_trigger
where tgfoid = 'memory_private.mark_news()'::regprocedure and tgenabled = 'O'
"""


def a_user(world: World, email: str = "ada@example.com", user_id: uuid.UUID | None = None) -> str:
    """A user with a backfill and a digest of an hour ago, and no news since."""
    user = str(user_id or uuid.uuid4())
    world.sql("insert into auth.users (id, email) values (%s, %s)", user, email)
    world.sql(
        "insert into memory_workspaces (user_id, workspace_uri, last_backfill_at, last_digest_at)"
        " values (%s, %s, now() - interval '1 day', now() - interval '1 hour')",
        user,
        f"gs://{BUCKET}/users/{user}/",
    )
    return user


def outside(hour: int) -> uuid.UUID:
    """A user's id that the daily look of this hour leaves out."""
    return uuid.UUID(int=hours_share((hour + 1) % 24)[0].int + 1 + uuid.uuid4().int % 2**100)


def marks(world: World) -> list[str]:
    return [str(row["user_id"]) for row in world.sql("select user_id from memory_news order by at")]


def age(world: World, interval: str) -> None:
    world.sql("update memory_news set at = at - %s::interval", interval)


def tick(world: World, hour: int, *, page_size: int = 500) -> int:
    """One hourly tick, all its pages: the jobs planned."""
    planning, planned, page = Planning(world.services.database, timedelta(0), page_size), 0, None
    seen: set[str | None] = set()
    while page not in seen:
        seen.add(page)
        reply: TickResponse = planning.tick(
            TickRequest(kind="hourly", period=f"{DAY}T{hour:02}", tick_id="t", page=page)
        )
        planned, page = planned + reply.planned, reply.next_page
        if page is None:
            return planned
    raise AssertionError(f"the planner repeats page {page}")


def planned_for(world: World) -> list[str]:
    return [str(row["user_id"]) for row in world.sql("select user_id from memory_jobs order by user_id")]


def test_each_table_that_can_have_news_leaves_marks(world: World) -> None:
    [body] = world.sql(
        "select prosrc from pg_proc where oid = 'memory_private.has_news(uuid,timestamptz)'::regprocedure"
    )
    read = {name.removeprefix("public.") for name in re.findall(r"from (\w+\.\w+)", body["prosrc"])}
    triggers = world.sql(TRIGGERS)
    assert len(read) > 20
    for event in ("on_insert", "on_update"):
        assert {row["name"].removeprefix("public.") for row in triggers if row[event]} == read


def test_a_change_leaves_one_mark_for_an_enabled_user_and_a_second_one_none(world: World) -> None:
    ada, bob = a_user(world), a_user(world, "bob@example.com")
    world.sql("update memory_workspaces set status = 'disabled' where user_id = %s", bob)
    first = rule(world, ada)
    rule(world, bob)
    rule(world, ada)
    assert marks(world) == [ada]
    age(world, "6 minutes")
    world.sql("update user_rules set rule_text = 'y' where id = %s", first)
    assert marks(world) == [ada, ada]
    age(world, "6 minutes")
    world.sql("delete from user_rules where id = %s", first)
    assert marks(world) == [ada] * 3, "a deletion is news: its tombstone leaves the mark"
    world.operate("POST", "/memory-users", {"user_id": bob})
    assert marks(world)[-1] == bob, "nobody noted what changed while the user was disabled"


def test_a_marked_user_is_planned_each_hour_until_a_digest_has_told_the_news(world: World) -> None:
    user = a_user(world, user_id=outside(9))
    rule(world, user)
    for hour in (9, 10, 11):
        assert tick(world, hour) == 1, "the digest of the hour before failed"
        assert marks(world) == [user]
        age(world, "1 hour")
    assert tick(world, 11) == 0, "a tick that is delivered twice plans nothing twice"
    world.sql("update memory_workspaces set last_digest_at = now() + interval '1 hour' where user_id = %s", user)
    age(world, "1 hour")
    assert tick(world, 12) == 0
    assert marks(world) == []


def test_marks_of_the_last_minutes_stay(world: World) -> None:
    """A change may be on its way whose trigger saw this mark, and left none."""
    user = a_user(world, user_id=outside(9))
    rule(world, user)
    world.sql("update memory_workspaces set last_digest_at = now() + interval '1 hour' where user_id = %s", user)
    age(world, "29 minutes")
    assert (tick(world, 9), marks(world)) == (0, [user])


def test_a_user_whose_triggers_did_nothing_is_found_within_the_day(world: World) -> None:
    users = [a_user(world, f"{hour}@example.com", outside((hour - 1) % 24)) for hour in (0, 13, 23)]
    for user in users:
        world.without_triggers("insert into user_rules (user_id, rule_text) values (%s, 'bulk load')", user)
    assert marks(world) == []
    hours = [hour for hour in range(24) if tick(world, hour)]
    assert hours == [0, 13, 23]
    assert planned_for(world) == sorted(users)


def test_the_shares_of_the_hours_leave_nobody_out() -> None:
    shares = [hours_share(hour) for hour in range(24)]
    assert (shares[0][0].int, shares[23][1].int) == (0, 2**128 - 1)
    assert [share[0] for share in shares[1:]] == [share[1] for share in shares[:-1]]


def test_what_falls_due_needs_no_mark(world: World) -> None:
    users = [a_user(world, f"{n}@example.com", outside(9)) for n in range(3)]
    for user, at in zip(users, ("09:00", "09:59:59", "10:00"), strict=True):
        world.sql(f"update memory_workspaces set wake_at = '{DAY}T{at}Z' where user_id = %s", user)
    assert tick(world, 9, page_size=1) == 2
    assert planned_for(world) == sorted(users[:2])


def test_pages_of_every_round_are_walked_and_nobody_is_planned_twice(world: World) -> None:
    before, last = (share.int for share in hours_share(9))
    users = [a_user(world, f"{n}@example.com", uuid.UUID(int=before + (last - before) // 9 * n)) for n in range(1, 8)]
    for user in users:
        rule(world, user)
    world.sql(f"update memory_workspaces set wake_at = '{DAY}T09:30Z'")
    assert tick(world, 9, page_size=3) == 7
    assert planned_for(world) == sorted(users)


@pytest.mark.parametrize(
    "page", ["x", "marked/x/2026-11-27T14:00:00Z", "other/" + str(uuid.UUID(int=1)) + "/x", "waking/"]
)
def test_a_page_of_somebody_elses_is_refused_and_an_earlier_releases_is_read(world: World, page: str) -> None:
    user = a_user(world, user_id=outside(9))
    rule(world, user)
    planning = Planning(world.services.database, timedelta(0))
    request = {"kind": "hourly", "period": f"{DAY}T09", "tick_id": "t"}
    with pytest.raises(ApiFault, match="not a next_page that this server issued"):
        planning.tick(TickRequest.model_validate({**request, "page": page}))
    earlier = str(uuid.UUID(int=uuid.UUID(user).int - 1))
    assert planning.tick(TickRequest.model_validate({**request, "page": earlier})).planned == 1


def starts_of(world: World, *, before_the_end: timedelta) -> tuple[datetime, datetime, dict[str, list[Any]]]:
    """After a daily and an hourly tick for 40 users: the time before them, the end of the spread, and by job type when
    its jobs start. The spread of this hour ends ``before_the_end`` from now.
    """
    for number in range(40):
        rule(world, a_user(world, f"{number}@example.com"))
    [clock] = world.sql("select now() as now, date_trunc('hour', now(), 'UTC') as hour")
    end = clock["now"] + before_the_end
    planning = Planning(world.services.database, end - clock["hour"])
    for kind, form in (("daily", "%Y-%m-%d"), ("hourly", "%Y-%m-%dT%H")):
        planning.tick(TickRequest.model_validate({"kind": kind, "period": f"{clock['now']:{form}}", "tick_id": "t"}))
    planned = world.sql("select job_type, retry_at from memory_jobs")
    starts = {
        kind: [row["retry_at"] for row in planned if row["job_type"] == kind] for kind in ("insight", "hourly_digest")
    }
    assert len(starts["insight"]) == len(starts["hourly_digest"]) == 40
    return clock["now"], end, starts


def test_a_daily_tick_and_a_late_hourly_one_do_not_start_everybody_at_once(world: World) -> None:
    """The daily tick is sent at half past three: the first hour of its day is over by then."""
    now, end, starts = starts_of(world, before_the_end=timedelta(minutes=50))
    for times in starts.values():
        assert all(times)
        assert now < min(filter(None, times))
        assert max(filter(None, times)) - min(filter(None, times)) > timedelta(minutes=25)
    assert max(filter(None, starts["hourly_digest"])) <= end


def test_the_jobs_of_an_hour_that_is_over_start_at_once(world: World) -> None:
    _now, _end, starts = starts_of(world, before_the_end=timedelta(seconds=-1))
    assert set(starts["hourly_digest"]) == {None}


def test_marks_that_no_tick_looks_at_go_in_the_end(world: World) -> None:
    user = world.user()
    rule(world, user)
    assert tick(world, 9) == 0, "there is no backfill yet"
    assert marks(world) == [user]
    age(world, "49 hours")
    Planning(Database(world.services.database.pool), timedelta(0)).tick(
        TickRequest(kind="sweep", period=f"{DAY}T09", tick_id="t")
    )
    assert marks(world) == []


# --- the app goes on -----------------------------------------------------------------------------------------------


def test_a_table_that_a_migration_holds_is_waited_for_once_at_most(world: World) -> None:
    user = a_user(world)
    notices: list[Any] = []
    world.db.add_notice_handler(lambda notice: notices.append(notice.message_primary))
    with session(world) as migration:
        migration.execute("lock table memory_news in access exclusive mode")
        world.sql(APP_TIMEOUT)
        with world.db.transaction():
            for _ in range(5):
                rule(world, user)
    assert marks(world) == []
    assert [text for text in notices if "within a day" in (text or "")] == [
        "memory: news of this transaction are found within a day only: 55P03"
    ]
    assert len(world.sql("select 1 from user_rules")) == 5


def test_two_serializable_transactions_of_one_user_do_not_fail_each_other(world: World) -> None:
    user = a_user(world)
    with psycopg.connect(world.dsn) as first, psycopg.connect(world.dsn) as second:
        for connection in (first, second):
            connection.isolation_level = psycopg.IsolationLevel.SERIALIZABLE
            connection.execute("insert into user_rules (user_id, rule_text) values (%s, 'x')", (user,))
        first.commit()
        second.commit()
    assert marks(world) == [user, user]


def test_a_statement_timeout_within_our_part_ends_our_part_alone(own_world: World) -> None:
    world, user = own_world, a_user(own_world)
    world.sql(
        "create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(600); return new; end $$"
    )
    world.sql("create trigger slow before insert on memory_news for each row execute function slow()")
    world.sql("set statement_timeout = '100ms'")
    rule(world, user)
    world.sql("set statement_timeout = 0")
    assert len(world.sql("select 1 from user_rules")) == 1
    assert marks(world) == []
