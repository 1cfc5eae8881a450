"""A virtual day of many users: the real planner, ledgers, locks and breakers, with as many instances as that takes.

    python -m bench.fleet [--users 10000] [--planned 1000000] [--instances N] [--seed 1] [--json]

Two parts. First the planner alone at a million users (bench.ticks; ``--planned 0`` leaves it out). Then a day in
virtual time: users of several time zones change data by day, a fifth of them all the time; the jobs of one in a hundred
fail always; the model is away for half an hour; and an operator submits a job every minute for one user, for two hours,
faster than they run. This user waits for their own jobs, so the bars are about everybody else. Ticks go through the
handler to the planner over a real PostgreSQL; each job through an instance's handler, with its ledger, lock and
breakers over a bucket in memory. Stages only take time, as bench/cost_measured.yaml says.

Two jobs of one user never overlap here: the second waits for the first where the real one parks. Exit code 1: a user
starved, or a bar was missed.
"""

from __future__ import annotations

import argparse
import heapq
import json
import logging
import math
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal

import psycopg
from psycopg.conninfo import make_conninfo

import manifests
from bench import cost, ticks
from bench.cost import Counters
from consumer.breakers import Breakers
from consumer.delivery import outcome as out
from consumer.delivery.envelope import Delivery
from consumer.delivery.handler import Handler
from consumer.errors import ModelUnavailable, ToolFailed
from consumer.locking.lease import Lease
from consumer.ports import Blob, Guard
from consumer.run import Run, Synthesized
from consumer.storage.memory import FakeClock, MemoryBlobStore
from contract.api import TickRequest, TickResponse
from contract.event import JobEvent, TickEvent
from controlplane.db import Database, open_pool
from controlplane.planning import Planning
from local.app import fixture
from local.logins import CONTROLPLANE, PASSWORDS
from local.postgres import Postgres
from service import telemetry
from tests.spine import WORKSPACE, FakeStage, World, job_id

HOUR = 3600.0
HOURS = 24
LIMITS = manifests.limits()
#: When the model is away, and when the hot tenant's jobs are submitted: seconds of the day.
OUTAGE = (13 * HOUR + 600, 13 * HOUR + 2400)
HOT = (9 * HOUR, 11 * HOUR)
HOT_EVERY_S = 60.0
HEAVY, FAILING = 0.2, 0.01
#: How likely a heavy user changes something in an hour of their day, from midnight on; others: a fifth of that.
BY_HOUR: Final = (
    *(0.02, 0.01, 0.01, 0.01, 0.02, 0.05, 0.2, 0.5, 0.8, 0.95, 0.95, 0.9),
    *(0.8, 0.9, 0.95, 0.95, 0.9, 0.8, 0.6, 0.5, 0.4, 0.3, 0.15, 0.05),
)
OFTEN_OF_OTHERS = 0.2
ZONES: Final = ((-8, 2), (-5, 2), (0, 2), (1, 6), (2, 3), (5, 2), (9, 1))
#: How busy instances are at the busiest, where --instances is not given.
BUSY = 0.7
#: A call to the model that is away fails after this time, with all its repeats.
MODEL_GIVES_UP_S = 20.0
#: The daily tick is sent at midnight: for the planner, whose clock is the database's, this day is still to come.
INSIGHTS_AT = 0
LEASE_S = HOUR

#: Bars: an untold change of a healthy user; jobs done after the outage; messages for each job; everybody else's waits
#: while one tenant is hot, by those of the same hours of other classes.
STARVED_S, RECOVERED_S, MESSAGES_BAR, HOT_BAR_S = 3 * HOUR, 600.0, 1.5, 60.0

MEMORY: Final = Path("/dev/shm")
Class = Literal["ordinary", "heavy", "failing", "hot"]
Kind = Literal["hourly_digest", "hourly_digest without changes", "hourly_digest told by code alone", "insight"]


class VirtualClock(FakeClock):
    """A clock that may go back: an attempt runs to its end at once, and others that began meanwhile come after it."""

    def move_to(self, seconds: float) -> None:
        with self._lock:
            self._elapsed_s = seconds


class VirtualBucket(dict[str, Blob]):
    """The bucket's objects, with the names of each user, so that a listing does not look at everybody's."""

    def __init__(self) -> None:
        super().__init__()
        self.names_of: defaultdict[str, set[str]] = defaultdict(set)

    def __setitem__(self, name: str, blob: Blob) -> None:
        super().__setitem__(name, blob)
        self.names_of[_owner(name)].add(name)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self.names_of[_owner(name)].discard(name)


class NoHistory(list[Any]):
    """A list of operations that nobody reads."""

    def append(self, _: Any) -> None:
        return


class Bucket(MemoryBlobStore):
    """The bucket in memory, for many users."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(clock)
        self._bucket.objects = VirtualBucket()
        self._bucket.ops = NoHistory()

    def names(self, prefix: str = "") -> list[str]:
        objects = self._bucket.objects
        assert isinstance(objects, VirtualBucket)
        mine = objects.names_of.get(_owner(prefix), ()) if prefix.startswith("users/") else objects
        return sorted(name for name in mine if name.startswith(prefix))


def _owner(name: str) -> str:
    return "/".join(name.split("/", 2)[:2])


@dataclass
class VirtualUser:
    number: int
    user_id: str
    group: Class
    zone_h: int
    #: Times of changes that no digest has told yet, oldest first.
    untold: deque[float] = field(default_factory=deque)
    longest_untold_s: float = 0.0
    untold_s: float = 0.0
    told_changes: int = 0
    busy_until: float = 0.0
    #: Jobs of this user that wait for the one that runs.
    behind: deque[VirtualMessage] = field(default_factory=deque)


@dataclass
class Job:
    """``due_at``: when it may begin at the earliest; ``waits``: seconds from being due to its first attempt."""

    event: JobEvent
    user: VirtualUser
    due_at: float
    began_at: float | None = None
    ended_at: float | None = None
    ended: str = ""
    kind: Kind = "hourly_digest"
    attempts: int = 0
    messages: int = 0
    waited_for_model: bool = False
    failures_in_outage: int = 0

    @property
    def wait_s(self) -> float:
        return max(0.0, (self.began_at or 0.0) - self.due_at)


@dataclass
class VirtualMessage:
    job: Job | None
    delivery: Delivery
    number: int = 1
    tick_hour: int | None = None


@dataclass
class Instance:
    number: int
    breakers: Breakers
    handler: Handler | None = None


@dataclass
class VirtualDay:
    """The whole simulation. Times are seconds of the virtual day."""

    users: list[VirtualUser]
    planner: Planner
    seed: int
    tmp: Path
    instances_wanted: int | None = None
    now: float = 0.0
    jobs: dict[str, Job] = field(default_factory=dict)
    backlog: list[tuple[float, int, int]] = field(default_factory=list)
    done: list[Job] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.clock = VirtualClock(self.planner.day)
        # No process dies here, and nobody renews while a stage lets the clock jump: leases outlast every run.
        self.world = World(self.tmp, clock=self.clock, lease=Lease(ttl_s=LEASE_S))
        self.world.blobs = Bucket(self.clock)
        self.world.heads.blobs = self.world.blobs
        self.world.plane.plan_tick = self._plan  # type: ignore[method-assign]
        self.by_id = {user.user_id: user for user in self.users}
        self.events: list[tuple[float, int, Callable[[], None]]] = []
        self.sequence = 0
        self.ready: deque[VirtualMessage] = deque()
        self.rates, measured = cost.prices(), cost.kept()["jobs"]
        self.counters = {kind: Counters.read(values) for kind, values in measured.items()}
        call_s = self.rates["run"]["model_call_s"]
        self.seconds = {kind: c.wall_s + len(c.agent) * call_s for kind, c in self.counters.items()}
        count = self.instances_wanted or self.needed()
        self.instances = [Instance(number, Breakers(self.clock)) for number in range(count)]
        self.idle = deque(self.instances)
        self.current: tuple[Instance, Job] | None = None
        self.wasted_s = 0.0
        self.outcomes: Counter[str] = Counter()

    # --- the load

    def needed(self) -> int:
        """Instances that are BUSY in the busiest hour. An hour's jobs start within the planner's spread."""
        hours = [0.0] * HOURS
        for user in self.users:
            often = 1.0 if user.group != "ordinary" else OFTEN_OF_OTHERS
            for hour in range(HOURS):
                hours[hour] += often * BY_HOUR[(hour + user.zone_h) % 24] * self.seconds["hourly_digest"]
        hours[INSIGHTS_AT] += len(self.users) * self.seconds["insight"]
        return math.ceil(max(hours) / ticks.SPREAD.total_seconds() / BUSY)

    def changes(self, hour: int) -> list[tuple[VirtualUser, float]]:
        """Who changes something in the hour, and when."""
        changed = []
        for user in self.users:
            often = 1.0 if user.group != "ordinary" else OFTEN_OF_OTHERS
            if self.random.random() < often * BY_HOUR[(hour + user.zone_h) % 24]:
                changed.append((user, hour * HOUR + self.random.random() * HOUR))
        return changed

    # --- running

    def run(self, say: Callable[[str], None]) -> None:
        pending: dict[int, list[tuple[VirtualUser, float]]] = {}
        for hour in range(HOURS + 2):
            self.at(hour * HOUR, self._hour(hour, pending, say))
        for minute in range((HOURS + 2) * 60):
            self.at(minute * 60.0, self._sample)
        hot = next(user for user in self.users if user.group == "hot")
        for number in range(int((HOT[1] - HOT[0]) / HOT_EVERY_S)):
            self.at(HOT[0] + number * HOT_EVERY_S, self._submit(hot, number))
        while self.events:
            self.now, _, act = heapq.heappop(self.events)
            act()
            self._assign()

    def at(self, when: float, act: Callable[[], None]) -> None:
        self.sequence += 1
        heapq.heappush(self.events, (max(when, self.now), self.sequence, act))

    def _hour(
        self, hour: int, pending: dict[int, list[tuple[VirtualUser, float]]], say: Callable[[str], None]
    ) -> Callable[[], None]:
        def act() -> None:
            changed = pending.pop(hour - 1, [])
            self.planner.advance(changed, self.done)
            self.done = []
            if hour < HOURS:
                pending[hour] = self.changes(hour)
                for user, when in pending[hour]:
                    self.at(when, lambda user=user, when=when: user.untold.append(when))  # type: ignore[misc]
            self._tick("hourly", hour)
            if hour == INSIGHTS_AT:
                self._tick("daily", hour)
            say(f"{hour:2} h: {len(self.jobs)} jobs, {len(self.ready)} wait, {self._busy()} instances run")

        return act

    def _submit(self, user: VirtualUser, number: int) -> Callable[[], None]:
        def act() -> None:
            event = self._event(job_id(number), user, "insight", None)
            self._add(event, user, self.now)

        return act

    def _tick(self, kind: str, hour: int) -> None:
        data = TickEvent.model_validate({"schema": "memory.tick.v1", "kind": kind}).encode()
        moment = self.planner.day + timedelta(hours=hour)
        self.ready.append(
            VirtualMessage(None, Delivery(f"tick-{kind}-{hour}", data, {}, publish_time=moment), tick_hour=hour)
        )

    def _plan(self, request: TickRequest) -> TickResponse:
        reply, planned = self.planner.tick(request)
        for row in planned:
            user = self.by_id[str(row["user_id"])]
            event = self._event(str(row["id"]), user, row["job_type"], row["period"])
            due_at = (row["retry_at"] - self.planner.day).total_seconds() if row["retry_at"] else self.now
            self.at(due_at, lambda event=event, user=user, due_at=due_at: self._add(event, user, due_at))  # type: ignore[misc]
        return reply

    def _event(self, job: str, user: VirtualUser, job_type: str, period: str | None) -> JobEvent:
        return JobEvent.model_validate(
            {
                "job_id": job,
                "user_id": user.user_id,
                "workspace_id": WORKSPACE,
                "job_type": job_type,
                "runtime_profile": "internal-full",
                "template_version": "v1",
                "period": period,
                "requested_at": self.planner.day + timedelta(seconds=self.now),
            }
        )

    def _add(self, event: JobEvent, user: VirtualUser, due_at: float) -> None:
        if event.job_id in self.jobs:
            return
        self.world.plane.add(event)
        self.jobs[event.job_id] = Job(event, user, due_at)
        self._publish(self.jobs[event.job_id])

    def _publish(self, job: Job) -> None:
        moment = self.planner.day + timedelta(seconds=self.now)
        delivery = Delivery(f"m{self.sequence}", job.event.encode(), job.event.attributes(), publish_time=moment)
        job.messages += 1
        self.ready.append(VirtualMessage(job, delivery))

    def _assign(self) -> None:
        """Give waiting messages to idle instances."""
        while self.ready and self.idle:
            message = self.ready.popleft()
            if message.job and message.job.user.busy_until > self.now:
                message.job.user.behind.append(message)
                continue
            self._deliver(self.idle.popleft(), message)

    def _deliver(self, instance: Instance, message: VirtualMessage) -> None:
        handler = instance.handler = instance.handler or self.world.handler(
            stages=self._stages(instance), breakers=instance.breakers
        )
        self.clock.move_to(self.now)
        if message.job is None:
            self._after(instance, message, handler.tick(message.delivery))
            return
        job = message.job
        self.current = (instance, job)
        result = handler.job(message.delivery)
        job.user.busy_until = self.clock.monotonic()
        self.outcomes[f"{result.name} {getattr(result, 'code', '') or getattr(result, 'why', '')}".strip()] += 1
        self._after(instance, message, result)

    def _after(self, instance: Instance, message: VirtualMessage, result: out.Outcome) -> None:
        """At the end of the delivery: what becomes of the message, and of the instance."""
        ended, job = self.clock.monotonic(), message.job

        def act() -> None:
            self.idle.append(instance)
            if job and job.user.behind:
                self.ready.appendleft(job.user.behind.popleft())
            if result.http_status != 204:
                backoff = min(LIMITS["push_min_backoff"] * 2 ** (message.number - 1), LIMITS["push_max_backoff"])
                again = replace(message, number=message.number + 1)
                self.at(self.now + backoff, lambda: self._redeliver(again))
            elif job and isinstance(result, out.RetryRecorded) and result.retry_at:
                due_at = (result.retry_at - self.planner.day).total_seconds()
                # The publisher looks for due rows every few seconds.
                poll = LIMITS["publisher_poll"]
                self.at(math.ceil(max(due_at, self.now) / poll) * poll, lambda: self._publish(job))
            elif job and isinstance(result, (out.Done, out.DeadLettered)) and job.ended_at is None:
                job.ended_at, job.ended = self.now, result.result if isinstance(result, out.Done) else "dead"
                self._ended(job)
            for published in self.world.jobs_topic.messages:
                self._publish(self.jobs[json.loads(published.data)["job_id"]])
            self.world.jobs_topic.messages.clear()

        self.at(ended, act)

    def _redeliver(self, message: VirtualMessage) -> None:
        if message.job:
            message.job.messages += 1
        self.ready.append(message)

    def _ended(self, job: Job) -> None:
        if job.ended != "dead":
            self.done.append(job)
        if job.ended == "dead" or job.event.job_type != "hourly_digest":
            return
        user = job.user
        while user.untold and user.untold[0] < (job.began_at or 0.0):
            untold_s = self.now - user.untold.popleft()
            user.longest_untold_s = max(user.longest_untold_s, untold_s)
            user.untold_s, user.told_changes = user.untold_s + untold_s, user.told_changes + 1

    # --- stages

    def _stages(self, instance: Instance) -> dict[str, FakeStage]:
        acts = {
            "export": self._export,
            "index": self._index,
            "synthesize": self._synthesize,
            "report": lambda run, _guard: run,
        }
        return {name: FakeStage(name, act) for name, act in acts.items()}

    def _running(self) -> tuple[Instance, Job]:
        assert self.current is not None
        return self.current

    def _export(self, run: Run, _guard: Guard) -> Run:
        _, job = self._running()
        job.attempts += 1
        if job.began_at is None:
            job.began_at = self.now
        if job.event.job_type == "hourly_digest":
            has_news = any(when < self.now for when in job.user.untold)
            job.kind = "hourly_digest" if has_news else "hourly_digest without changes"
        return run

    def _index(self, run: Run, _guard: Guard) -> Run:
        _, job = self._running()
        if job.event.job_type == "insight":
            self._export(run, _guard)
            job.kind = "insight"
        if job.user.group == "failing":
            self.clock.advance(2.0)
            raise ToolFailed("gbrain: exit 1")
        return run

    def _synthesize(self, run: Run, _guard: Guard) -> Run:
        instance, job = self._running()
        if not self.counters[job.kind].agent:
            self.clock.advance(self.seconds[job.kind])
            return run
        try:
            instance.breakers.require_model()
            self._ask_model()
        except ModelUnavailable:
            job.waited_for_model = True
            self.wasted_s += self.clock.monotonic() - self.now
            raise
        self.clock.advance(self.seconds[job.kind] * math.exp(self.random.gauss(0, 0.35)))
        return replace(run, synthesized=Synthesized("claims.json", "model", "hermes", "s", 3))

    def _ask_model(self) -> None:
        if OUTAGE[0] <= self.clock.monotonic() < OUTAGE[1]:
            self.clock.advance(MODEL_GIVES_UP_S)
            raise ModelUnavailable("no answer")

    # --- looking

    def _busy(self) -> int:
        return len(self.instances) - len(self.idle)

    def _sample(self) -> None:
        self.backlog.append((self.now, len(self.ready), self._busy()))


@dataclass
class Planner:
    """The real planner over PostgreSQL, one virtual hour after the other. ``day``: the virtual day's midnight (UTC)."""

    planning: Planning
    owner: psycopg.Connection[Any]
    day: datetime
    seconds: float = 0.0
    taken: int = 0

    def advance(self, changed: Sequence[tuple[VirtualUser, float]], done: Iterable[Job]) -> None:
        """What happened in the last hour: the app's rows, and what jobs reported. Marks age with the database's clock,
        so they are made an hour older.
        """
        self.owner.execute("update public.memory_news set at = at - interval '1 hour'")
        moments = [self.day + timedelta(seconds=when) for _, when in changed]
        self.owner.execute(
            "insert into public.checklist_items (user_id, title, created_at, updated_at)"
            " select u, 'x', at, at from unnest(%s::uuid[], %s::timestamptz[]) as new (u, at)",
            ([user.user_id for user, _ in changed], moments),
        )
        for column, job_type in (("last_digest_at", "hourly_digest"), ("last_insight_at", "insight")):
            ended = [job for job in done if job.event.job_type == job_type]
            self.owner.execute(
                f"update public.memory_workspaces w set {column} = greatest(w.{column}, d.at)"
                " from (select u, max(at) as at from unnest(%s::uuid[], %s::timestamptz[]) as d (u, at) group by u) d"
                " where w.user_id = d.u".encode(),
                (
                    [job.user.user_id for job in ended],
                    [self.day + timedelta(seconds=job.began_at or 0.0) for job in ended],
                ),
            )

    def tick(self, request: TickRequest) -> tuple[TickResponse, list[dict[str, Any]]]:
        """The planner's answer, and the jobs that it inserted."""
        began = time.perf_counter()
        reply = self.planning.tick(request)
        self.seconds += time.perf_counter() - began
        rows: list[dict[str, Any]] = []
        if reply.planned:
            cursor = self.owner.execute(
                "update public.memory_jobs set published_at = now() where published_at is null"
                " returning id, user_id, job_type, period, retry_at"
            )
            names = [column.name for column in cursor.description or ()]
            rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        self.taken += len(rows)
        return reply, rows


def fleet_of(count: int, seed: int) -> list[VirtualUser]:
    chooser = random.Random(seed)
    zones, weights = zip(*ZONES, strict=True)
    users = []
    for number in range(count):
        group: Class = "heavy" if chooser.random() < HEAVY else "ordinary"
        group = "failing" if chooser.random() < FAILING else group
        user_id = job_id(1_000_000 + number)
        users.append(VirtualUser(number, user_id, group, chooser.choices(zones, weights)[0]))
    users[0].group = "hot"
    return users


def filled(dsn: str, users: Sequence[VirtualUser], day: datetime) -> None:
    """All users are enabled, and have a digest of the evening before."""
    fixture.install(dsn)
    ids = [user.user_id for user in users]
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(
            "insert into auth.users (id, email) select u, u || '@example.com' from unnest(%s::uuid[]) u", (ids,)
        )
        connection.execute(
            "insert into public.memory_workspaces (user_id, workspace_uri, last_backfill_at, last_digest_at)"
            " select u, 'gs://b/users/' || u || '/', %s, %s from unnest(%s::uuid[]) u",
            (day - timedelta(days=2), day - timedelta(hours=1), ids),
        )
        connection.execute("analyze")


# --- what it says


@dataclass(frozen=True)
class Bar:
    name: str
    shown: str
    bar: str
    met: bool


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def waits(day: VirtualDay) -> dict[str, dict[str, float]]:
    """Seconds from being due to the first attempt, by class of user."""
    by_class: defaultdict[str, list[float]] = defaultdict(list)
    for job in day.jobs.values():
        if job.began_at is not None:
            by_class[job.user.group].append(job.wait_s)
    return {
        name: {
            "jobs": len(waits),
            "p50_s": round(quantile(waits, 0.5), 1),
            "p99_s": round(quantile(waits, 0.99), 1),
            "longest_s": round(max(waits), 1),
        }
        for name, waits in sorted(by_class.items())
    }


def fairness(day: VirtualDay) -> dict[str, float]:
    """How long changes stay untold, by user: Jain's index of the users' means (1: equal), and the worst mean."""
    means = [
        user.untold_s / user.told_changes
        for user in day.users
        if user.told_changes and user.group in ("ordinary", "heavy")
    ]
    index = sum(means) ** 2 / (len(means) * sum(mean * mean for mean in means)) if means else 1.0
    return {"jain": round(index, 3), "mean_s": round(statistics.fmean(means)), "worst_s": round(max(means))}


def bars(day: VirtualDay) -> list[Bar]:
    healthy = [user for user in day.users if user.group in ("ordinary", "heavy")]
    longest = max(max(user.longest_untold_s, _untold_s(day, user)) for user in healthy)
    starved = sum(max(user.longest_untold_s, _untold_s(day, user)) > STARVED_S for user in healthy)
    sound = [job for job in day.jobs.values() if job.user.group != "failing"]
    dead = sum(job.ended == "dead" for job in sound)
    waiting = [job for job in sound if job.waited_for_model and job.user.group != "hot"]
    recovered = max((job.ended_at or math.inf for job in waiting), default=0.0) - OUTAGE[1]
    repeated = sum(job.attempts > 1 and not job.waited_for_model for job in sound)
    open_jobs = sum(job.ended_at is None for job in sound)
    smooth = [job for job in sound if not job.waited_for_model and job.user.group != "hot"]
    messages = sum(job.messages for job in smooth) / max(1, len(smooth))
    beside = quantile([job.wait_s for job in smooth if HOT[0] <= job.due_at < HOT[1]], 0.99)
    after = f"{len(waiting)}, the last done {recovered / 60:.1f} min after"
    return [
        Bar("users who starved", f"{starved}; longest untold {longest / 60:.0f} min", "0 beyond 3 h", starved == 0),
        Bar("dead letters of healthy users", str(dead), "0", dead == 0),
        Bar("jobs that waited for the model", after, "<= 10 min", bool(waiting) and recovered <= RECOVERED_S),
        Bar("other jobs tried twice", str(repeated), "0", repeated == 0),
        Bar("jobs left open", str(open_jobs), "0", open_jobs == 0),
        Bar("messages for each job", f"{messages:.2f}", f"<= {MESSAGES_BAR}", messages <= MESSAGES_BAR),
        Bar("p99 wait beside the hot tenant", f"{beside:.0f} s", f"<= {HOT_BAR_S:.0f} s", beside <= HOT_BAR_S),
    ]


def _untold_s(day: VirtualDay, user: VirtualUser) -> float:
    """What is untold when the day ends has waited until then."""
    return day.now - user.untold[0] if user.untold else 0.0


def costs(day: VirtualDay) -> dict[str, float]:
    """USD of the day at list prices; ``wasted``: seconds of runs that an outage ended."""
    kinds = Counter(job.kind for job in day.jobs.values() if job.ended_at is not None and job.ended != "dead")
    each = {kind: cost.of_job(kind, day.counters[kind], day.rates) for kind in kinds}
    ours = sum((each[kind].run + each[kind].bucket) * number for kind, number in kinds.items())
    models = sum(each[kind].cached * number for kind, number in kinds.items())
    return {
        "ours_usd": round(ours, 2),
        "models_usd": round(models, 2),
        "a_user_usd": round((ours + models) / len(day.users), 4),
        "wasted_instance_s": round(day.wasted_s),
    }


def document(day: VirtualDay, planned: ticks.PlannedTick | None) -> dict[str, Any]:
    kinds = Counter(job.kind for job in day.jobs.values())
    return {
        "planning": planned.document() if planned else None,
        "users": len(day.users),
        "instances": len(day.instances),
        "jobs": dict(kinds),
        "ended": dict(Counter(job.ended or "open" for job in day.jobs.values())),
        "waits": waits(day),
        "untold": fairness(day),
        "backlog": {"most": max(size for _, size, _ in day.backlog), "by_hour": by_hour(day)},
        "cost": costs(day),
        "planner_s": round(day.planner.seconds, 1),
        "bars": {bar.name: bar.met for bar in bars(day)},
    }


def by_hour(day: VirtualDay) -> list[int]:
    """The longest queue of each hour."""
    hours: defaultdict[int, int] = defaultdict(int)
    for moment, size, _ in day.backlog:
        hours[int(moment // HOUR)] = max(hours[int(moment // HOUR)], size)
    return [hours[hour] for hour in range(HOURS + 2)]


def tell(day: VirtualDay, summary: dict[str, Any]) -> bool:
    """Print the day; whether every bar is met."""
    print(f"\n{summary['users']} users, {summary['instances']} instances, a day: {len(day.jobs)} jobs")
    for kind, number in sorted(summary["jobs"].items()):
        print(f"  {number:7} {kind}")
    print("ended: " + ", ".join(f"{number} {name}" for name, number in sorted(summary["ended"].items())))
    print("\nseconds from due to begun      jobs      p50      p99  longest")
    for name, wait in summary["waits"].items():
        print(f"  {name:25} {wait['jobs']:8} {wait['p50_s']:8} {wait['p99_s']:8} {wait['longest_s']:8}")
    untold = summary["untold"]
    print(
        f"a change stays untold for       {untold['mean_s'] / 60:.0f} min in the mean,"
        f" {untold['worst_s'] / 60:.0f} min for the worst-served user; fairness (Jain) {untold['jain']}"
    )
    print("longest queue of each hour     " + " ".join(map(str, summary["backlog"]["by_hour"])))
    spent = summary["cost"]
    print(
        f"cost of the day                {spent['ours_usd']} USD ours, {spent['models_usd']} USD models,"
        f" {spent['a_user_usd']} USD a user; {spent['wasted_instance_s']} s of runs that the outage ended"
    )
    print(f"the planner took               {summary['planner_s']} s in {HOURS + 2} ticks\n")
    results = bars(day)
    for bar in results:
        print(f"{bar.name:34} {bar.shown:38} {bar.bar:14} {'met' if bar.met else 'NOT MET'}")
    return all(bar.met for bar in results)


def simulate(users: int, seed: int, instances: int | None, say: Callable[[str], None]) -> VirtualDay:
    telemetry.LOGGER.setLevel(logging.CRITICAL + 1)
    day = (datetime.now(UTC) + timedelta(days=2)).replace(hour=0, minute=0, second=0, microsecond=0)
    fleet = fleet_of(users, seed)
    folder = Path(tempfile.mkdtemp(prefix="cloop-memory-fleet-"))
    # Run folders are made and removed for each job: in memory where there is such a disk.
    runs = Path(tempfile.mkdtemp(prefix="cloop-memory-runs-", dir=MEMORY if MEMORY.is_dir() else None))
    folder.chmod(0o755)  # the server may run under another account
    try:
        with Postgres(folder / "pg", durable=False) as server:
            filled(server.dsn(), fleet, day)
            login = make_conninfo(server.dsn(), user=CONTROLPLANE, password=PASSWORDS[CONTROLPLANE])
            with closing(open_pool(login, size=1)) as pool, psycopg.connect(server.dsn(), autocommit=True) as owner:
                planner = Planner(Planning(Database(pool), ticks.SPREAD), owner, day)
                simulated = VirtualDay(fleet, planner, seed, runs, instances)
                simulated.run(say)
                return simulated
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(runs, ignore_errors=True)


def main() -> int:
    """0: nobody starved, and every bar is met."""
    parser = argparse.ArgumentParser(prog="python -m bench.fleet", description=__doc__)
    parser.add_argument("--users", type=int, default=10_000, help="users of the virtual day")
    parser.add_argument("--planned", type=int, default=1_000_000, help="users of the planner alone; 0: leave it out")
    parser.add_argument("--instances", type=int, default=None, help="instances of the consumer; else what is needed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON document as the last line")
    args = parser.parse_args()
    planned = ticks.run(args.planned, 0.05) if args.planned else None
    met = ticks.tell(planned) if planned else True
    day = simulate(args.users, args.seed, args.instances, lambda line: print(line, file=sys.stderr, flush=True))
    summary = document(day, planned)
    met = tell(day, summary) and met
    if args.json:
        print(json.dumps(summary))
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
