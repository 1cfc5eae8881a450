"""A week in virtual time: the real planner and completions over a PostgreSQL whose clock is moved, the real handler,
ledgers and locks over a bucket in memory. Stages only take time.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from psycopg.conninfo import make_conninfo

from consumer.locking.lease import Lease
from consumer.ports import Guard
from consumer.run import Run
from consumer.storage.memory import FakeClock
from contract.api import TickRequest
from contract.event import decode_job
from controlplane.completion import CompletionService
from controlplane.planning import Planning, share
from controlplane.tokens import COMPLETE, JobClaims
from local.logins import SUPERUSER
from tests import spine
from tests.fixtures_controlplane import BUCKET, Issuer, World, opened_world
from tests.spine import FakeStage, a_delivery, an_event

MONDAY: Final = datetime(2027, 3, 1, tzinfo=UTC)
NIGHTS: Final = 7
SPREAD: Final = timedelta(minutes=50)
#: Seconds that jobs take: a dream with GBrain on a large memory, and the others.
DREAM_S: Final = 900.0
OTHERS_S: Final = 60.0
#: As terraform/scheduler.tf sends it.
DAILY: Final = timedelta(hours=3, minutes=30)

#: The queries read the time by unqualified names, which the search path resolves to these.
MOVED_CLOCK: Final = """
create schema virtual;
create table virtual.moment (at timestamptz not null);
insert into virtual.moment values (now());
create function virtual.now() returns timestamptz language sql stable as 'select at from virtual.moment';
create function virtual.clock_timestamp() returns timestamptz language sql as 'select at from virtual.moment';
create function virtual.statement_timestamp() returns timestamptz language sql stable as
  'select at from virtual.moment';
grant usage on schema virtual to public;
grant select on virtual.moment to public;
"""


@pytest.fixture
def virtual_world(
    database: str, issuer: Issuer, signing_key: ec.EllipticCurvePrivateKey, tmp_path: Path
) -> Iterator[World]:
    """A control plane whose database has the time of ``virtual.moment``."""
    with psycopg.connect(make_conninfo(database, user=SUPERUSER), autocommit=True) as superuser:
        superuser.execute(MOVED_CLOCK)
        superuser.execute(f'alter database "{superuser.info.dbname}" set search_path = virtual, pg_catalog, public')
        superuser.execute("grant update on virtual.moment to postgres")
    with opened_world(database, issuer, signing_key, tmp_path) as made:
        yield made


@dataclass
class Week:
    """One user's week. ``news``: whether something is new in an hour of the day (UTC)."""

    world: World
    user_id: str
    news: Callable[[int], bool]
    folder: Path
    due: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=itertools.count)
    known: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.clock = FakeClock(MONDAY)
        # Nobody renews while a stage lets the clock jump.
        self.spine = spine.World(self.folder, clock=self.clock, lease=Lease(ttl_s=3600))
        database = self.world.services.database
        self.planning = Planning(database, SPREAD)
        self.completion = CompletionService(database, SPREAD)

    def run(self) -> None:
        for hour in range(24 * (NIGHTS + 1)):
            self._at(timedelta(hours=hour), lambda hour=hour: self._hour(hour))  # type: ignore[misc]
        for day in range(NIGHTS + 1):
            self._at(timedelta(days=day) + DAILY, lambda: self._tick("daily", "%Y-%m-%d"))
        self._until(timedelta(days=NIGHTS + 1).total_seconds())

    def _at(self, when: timedelta, act: Callable[[], None]) -> None:
        heapq.heappush(self.due, (max(when.total_seconds(), self.clock.monotonic()), next(self.numbers), act))

    def _until(self, end_s: float) -> None:
        """Whatever is due by then happens, also in the middle of a job."""
        while self.due and self.due[0][0] <= end_s:
            when, _, act = heapq.heappop(self.due)
            self._move(when)
            act()
        self._move(end_s)

    def _move(self, to_s: float) -> None:
        self.clock.advance(max(0.0, to_s - self.clock.monotonic()))
        self.world.sql("update virtual.moment set at = %s", self.clock.now())

    def _hour(self, hour: int) -> None:
        if self.news(hour % 24):
            text, at = f"rule of hour {hour}", self.clock.now()
            self.world.sql(
                "insert into user_rules (user_id, rule_text, updated_at) values (%s, %s, %s)", self.user_id, text, at
            )
        self._tick("hourly", "%Y-%m-%dT%H")

    def _tick(self, kind: str, form: str) -> None:
        page = None
        while True:
            period = f"{self.clock.now():{form}}"
            request = TickRequest.model_validate({"kind": kind, "period": period, "tick_id": "t", "page": page})
            page = self.planning.tick(request).next_page
            if page is None:
                break
        self._publish_new()

    def _publish_new(self) -> None:
        """As the publisher does: each planned job once, when it may start."""
        for row in self.world.sql("select * from memory_jobs where status = 'queued' order by requested_at, id"):
            job_id = str(row["id"])
            if job_id in self.known:
                continue
            self.known.add(job_id)
            fields = {name: row[name] for name in ("job_type", "period")}
            event = an_event(job_id=job_id, user_id=self.user_id, workspace_id=str(row["workspace_id"]), **fields)
            self.spine.plane.add(event)
            start = (row["retry_at"] or self.clock.now()) - MONDAY
            self._at(start, lambda event=event: self._deliver(event))  # type: ignore[misc]

    def _deliver(self, event: Any) -> None:
        # An instance of its own, since another job may run meanwhile.
        self.spine.handler(stages={"synthesize": FakeStage("synthesize", self._work)}).job(a_delivery(event))
        for published in self.spine.jobs_topic.messages:
            again = decode_job(published.data, published.attributes)
            self._at(timedelta(seconds=self.clock.monotonic()), lambda again=again: self._deliver(again))  # type: ignore[misc]
        self.spine.jobs_topic.messages.clear()
        self._complete(event.job_id)

    def _work(self, run: Run, _guard: Guard) -> None:
        self._start(run.job.job_id, run.attempt)
        self._until(self.clock.monotonic() + (DREAM_S if run.job.job_type == "dream" else OTHERS_S))

    def _start(self, job_id: str, attempt: int) -> None:
        with self.world.services.database.transaction() as tx:
            tx.run("start_attempt", job_id=job_id, attempt=attempt, owner="an instance")

    def _complete(self, job_id: str) -> None:
        """What the consumer reported goes to the real control plane."""
        request = self.spine.plane.rows[job_id].completion
        if request is None or self.world.row(job_id)["status"] == "completed":
            return
        self._start(job_id, request.attempt)
        row = self.world.row(job_id)
        claims = JobClaims(
            job_id, self.user_id, row["job_type"], "x", frozenset({COMPLETE}), frozenset(), request.attempt, None, "j"
        )
        self.completion.complete(claims, job_id, request)
        self._publish_new()


def of_share(low: float, high: float) -> str:
    """A user whose jobs start in this part of an hour."""
    made = (f"11111111-1111-4111-8111-{number:012d}" for number in itertools.count())
    return next(user_id for user_id in made if low <= share(user_id) < high)


@pytest.mark.parametrize("news", ["every hour", "by day"])
@pytest.mark.parametrize(
    ("zone", "user_id"),
    [
        # The daily tick comes in these users' night, and plans an insight as well.
        pytest.param("UTC", of_share(0, 0.02), id="early in the hour"),
        pytest.param("Europe/Berlin", of_share(0.6, 0.65), id="late in the hour"),
        # The night is over when it comes, and nothing is new since the last dream.
        pytest.param("Europe/Helsinki", of_share(0.3, 0.4), id="after the night"),
        pytest.param("America/Los_Angeles", of_share(0.45, 0.5), id="in the evening"),
    ],
)
def test_in_a_week_of_news_a_memory_dreams_every_night(
    virtual_world: World, tmp_path: Path, zone: str, user_id: str, news: str
) -> None:
    world = virtual_world
    world.sql("update virtual.moment set at = %s", MONDAY)
    world.sql("insert into auth.users (id, email) values (%s, 'ada@example.com')", user_id)
    world.sql("insert into user_profiles (user_id, display_name, timezone) values (%s, 'Ada', %s)", user_id, zone)
    world.sql(
        "insert into memory_workspaces (user_id, workspace_uri, last_backfill_at) values (%s, %s, %s)",
        user_id,
        f"gs://{BUCKET}/users/{user_id}/",
        MONDAY - timedelta(hours=1),
    )
    week = Week(world, user_id, lambda hour: news == "every hour" or 8 <= hour < 20, tmp_path)
    week.run()
    dreams = world.sql("select period, outcome from memory_jobs where job_type = 'dream' order by period")
    done = {row["period"]: row["outcome"] for row in dreams}
    nights = [f"{MONDAY + timedelta(days=day):%Y-%m-%d}" for day in range(1, NIGHTS + 1)]
    assert {night: done.get(night) for night in nights} == dict.fromkeys(nights, "completed")
