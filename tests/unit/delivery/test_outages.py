"""A service that all jobs share is away for half an hour: fifty users' jobs wait, and lose nothing by it.

Virtual time. A queue plays Pub/Sub, which repeats a refused message later and later; the publisher's poll and its sweep
publish rows as the real statements do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from consumer.breakers import Breakers
from consumer.delivery import outcome as out
from consumer.delivery.envelope import Delivery
from consumer.delivery.handler import Handler
from consumer.delivery.ledger import LONGEST_WAIT_S, wait_delay_s
from consumer.errors import (
    BlobUnavailable,
    ConsumerError,
    ControlPlaneUnavailable,
    Dependency,
    IdentityUnavailable,
    LauncherUnavailable,
    ModelUnavailable,
)
from consumer.ports import Guard
from consumer.run import Run, Synthesized
from consumer.storage.memory import Killed, Op
from contract.api import TERMINAL
from contract.event import JobEvent
from tests.spine import USER, FakeStage, Row, World, a_delivery, an_event, failing_calls, job_id, raising
from tests.spine_crowd import user

pytestmark = pytest.mark.properties

USERS = 50
#: The outage begins while the jobs run: some are done, one is in its stages, the others wait.
BEGINS_S, LASTS_S, BACK_IN_S = 31.0, 1800.0, 600.0
WORK_S = 2.0
POLL_S, SILENT_S = 5.0, 180.0
MIN_BACKOFF_S, MAX_BACKOFF_S = 10.0, 60.0

ERRORS: dict[str, ConsumerError] = {
    "bucket": BlobUnavailable("GET ledger: no answer", passing=True),
    "controlplane": ControlPlaneUnavailable("POST /token: ConnectError"),
    "database": ControlPlaneUnavailable("POST /token: 503 database_unavailable"),
    "issuer": IdentityUnavailable("no ID token within 30 s"),
    "launcher": LauncherUnavailable("run_job: ServiceUnavailable"),
    "model": ModelUnavailable("the model answered 503"),
}


@dataclass
class Message:
    delivery: Delivery
    due: datetime
    refusals: int = 0


@dataclass
class Fleet:
    """One instance of the consumer, its messages, and the publisher of its rows. ``away``: the service, while it is."""

    world: World
    service: str
    answers: Counter[str] = field(default_factory=Counter)
    tried_in_outage: Counter[str] = field(default_factory=Counter)
    messages: list[Message] = field(default_factory=list)
    published: dict[str, list[datetime]] = field(default_factory=dict)
    launched: int = 0

    def __post_init__(self) -> None:
        self.began = self.world.clock.now()
        self.breakers = Breakers(self.world.clock)
        self.handler = self._handler()
        self.world.plane.fault = self._fail_if("controlplane", "database", "issuer")
        self.world.launcher.fault = lambda: self._fail_if("launcher")("launch")
        in_bucket = self._fail_if("bucket")
        self.world.blobs.set_fault(lambda op: in_bucket(op.verb) if op.phase == "before" else None)

    def _handler(self) -> Handler:
        return self.world.handler(stages={"synthesize": FakeStage("synthesize", self._ask)}, breakers=self.breakers)

    @property
    def now(self) -> datetime:
        return self.world.clock.now()

    @property
    def is_away(self) -> bool:
        return BEGINS_S <= (self.now - self.began).total_seconds() < BEGINS_S + LASTS_S

    def _fail_if(self, *services: str) -> Callable[[str], None]:
        def fail(call: str) -> None:
            if self.service in services and self.is_away:
                self.tried_in_outage[call] += 1
                raise ERRORS[self.service]

        return fail

    def _ask(self, run: Run, _guard: Guard) -> Run:
        """The stage that asks a model, and keeps its answers."""
        self.world.clock.advance(WORK_S)
        if not self.answers[run.job.job_id]:
            self.breakers.require_model()
            self._fail_if("model")("ask")
            self.answers[run.job.job_id] += 1
        return replace(run, synthesized=Synthesized("claims.json", "m", "agent", "s", 1))

    def insert(self, event: JobEvent) -> None:
        self.world.plane.add(event)
        self._publish(event)

    def _publish(self, event: JobEvent) -> None:
        self.published.setdefault(event.job_id, []).append(self.now)
        self.messages.append(Message(replace(a_delivery(event), publish_time=self.now), self.now))

    def run_until_over(self) -> None:
        """Until every row is over, or long after it should be."""
        until = self.began + timedelta(seconds=BEGINS_S + LASTS_S + 4 * BACK_IN_S)
        while self.now < until and not all(row.status in TERMINAL for row in self.world.plane.rows.values()):
            self.step()

    def step(self) -> None:
        self._deliver()
        self._execute()
        self._poll()
        self.world.clock.advance(POLL_S)

    def _deliver(self) -> None:
        for message in [message for message in self.messages if message.due <= self.now]:
            outcome = self.handler.job(replace(message.delivery, attempt=message.refusals + 1))
            if outcome.http_status == 204:
                self.messages.remove(message)
                continue
            backoff_s = min(MIN_BACKOFF_S * 2**message.refusals, MAX_BACKOFF_S)
            message.refusals += 1
            message.due = self.now + timedelta(seconds=backoff_s)

    def _execute(self) -> None:
        """The executions that Cloud Run took, each in a process of its own."""
        for env in self.world.launcher.launched[self.launched :]:
            self.launched += 1
            self._handler().execute(env["JOB_ID"], int(env["FENCE"]), {})

    def _poll(self) -> None:
        for row in self.world.plane.rows.values():
            last = self.published[row.event.job_id][-1]
            if row.status not in TERMINAL and (self._is_due(row, last) or self._is_silent(row)):
                self._publish(row.event)

    def _is_due(self, row: Row, published_at: datetime) -> bool:
        return row.retry_at is not None and published_at < row.retry_at <= self.now

    def _is_silent(self, row: Row) -> bool:
        if row.status != "running" or row.heard_at is None:
            return False
        copies = [at for at in self.published[row.event.job_id] if at >= row.heard_at]
        last = copies[-1] if copies else row.heard_at
        return self.now - last > timedelta(seconds=SILENT_S * 2 ** len(copies))


@pytest.mark.parametrize("service", ERRORS)
def test_half_an_hour_costs_no_job_an_attempt(tmp_path: Path, service: str) -> None:
    world = World(tmp_path, setting="cloud-run-job" if service == "launcher" else "inline")
    fleet = Fleet(world, service)
    for number in range(1, USERS + 1):
        fleet.insert(an_event(number, user_id=user(number), period="2026-11-27T09"))
    fleet.run_until_over()
    late_s = (fleet.now - fleet.began).total_seconds() - BEGINS_S - LASTS_S
    assert [row.status for row in world.plane.rows.values()] == ["completed"] * USERS
    assert late_s <= BACK_IN_S
    assert world.dead_letters() == []
    ledgers = [world.ledger(number) for number in range(1, USERS + 1)]
    assert {ledger["failures"] for ledger in ledgers} == {0}
    assert {ledger["interruptions"] for ledger in ledgers} == {0}
    assert {ledger["waiting_for"] for ledger in ledgers} == {None}
    assert fleet.answers == Counter(dict.fromkeys(world.plane.rows, 1)), "an answer was asked for twice"
    copies = sum(map(len, fleet.published.values()))
    if service in ("bucket", "controlplane", "database", "issuer"):
        # Pub/Sub kept the messages, so nothing had to be published again but what was running when it began.
        assert copies <= 1.2 * USERS
    # The breaker keeps the others from trying: about once a minute, not once a job and minute.
    assert sum(fleet.tried_in_outage.values()) <= 6 * LASTS_S / 60


@pytest.mark.parametrize("service", ["bucket", "controlplane", "issuer"])
def test_a_job_that_begins_after_an_outage_does_not_wait_for_it(tmp_path: Path, service: str) -> None:
    """A of the same user has waited through it, and its next try is still to come."""
    world = World(tmp_path)
    fleet = Fleet(world, service)
    world.clock.advance(BEGINS_S)
    fleet.insert(an_event(1))
    while fleet.is_away:
        fleet.step()
    assert world.plane.rows[job_id(1)].status not in TERMINAL
    after = fleet.now
    fleet.insert(an_event(2, job_type="insight", period="2026-11-27"))
    fleet.step()
    assert world.ledger(2)["state"] == "DONE"
    assert fleet.now - after <= timedelta(seconds=5 + WORK_S)


def test_the_delivery_of_a_job_that_has_just_begun_is_kept(tmp_path: Path) -> None:
    """Its instance may die before the row says that the job runs; then the sweep would look at it after an hour."""
    world = World(tmp_path)
    world.plane.add(an_event())

    def die(_call: str) -> None:
        raise Killed

    world.plane.fault = die
    with pytest.raises(Killed):
        world.handler().job(a_delivery(an_event()))
    world.plane.fault = lambda _call: None
    assert (world.ledger()["state"], world.plane.rows[job_id(1)].status) == ("RUNNING", "queued")
    assert world.handler().job(a_delivery(an_event())).http_status == 503
    world.clock.advance(world.lease.ttl_s + world.lease.grace_s + 1)
    assert world.handler().job(a_delivery(an_event())).name == "done"


def test_a_job_that_fails_where_others_succeed_is_at_fault_itself(tmp_path: Path) -> None:
    world = World(tmp_path)
    breakers = Breakers(world.clock)
    poisoned = {"export": FakeStage("export", raising(ControlPlaneUnavailable("POST /batches: 500 internal_error")))}
    world.plane.add(an_event(1))
    names = []
    for number in range(2, 40):
        names.append(world.handler(stages=poisoned, breakers=breakers).job(a_delivery(an_event(1))).name)
        if names[-1] == "dead_lettered":
            break
        world.clock.advance(300)
        world.plane.add(other := an_event(number, user_id=user(number)))
        assert world.handler(breakers=breakers).job(a_delivery(other)).name == "done"
        world.clock.advance(300)
    # What looks like an outage costs nothing the first time; then the others' success says that it is none.
    assert names.count("retry_recorded") == 4
    assert names[-1] == "dead_lettered"
    [dead_letter] = world.dead_letters()
    assert (dead_letter["code"], dead_letter["failures"]) == ("controlplane_unavailable", 5)


def away_for(world: World, hours: float, event: JobEvent) -> list[str]:
    """The outcomes of a job whose model is away for so long."""
    world.plane.add(event)
    names, began = [], world.clock.now()
    while world.clock.now() - began < timedelta(hours=hours):
        stages = {"synthesize": FakeStage("synthesize", raising(ERRORS["model"]))}
        names.append(world.handler(stages=stages).job(a_delivery(event)).name)
        world.clock.advance(1800)
    return names


def test_after_a_day_of_waiting_a_digest_is_superseded(tmp_path: Path) -> None:
    world = World(tmp_path)
    names = away_for(world, 25, an_event(1))
    assert set(names[:49]) == {"retry_recorded"}
    assert (world.ledger()["outcome_body"]["outcome"], world.dead_letters()) == ("superseded", [])
    assert world.plane.rows[job_id(1)].status == "completed"


def test_after_a_day_of_waiting_any_other_job_dies_and_no_machine_reopens_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    event = an_event(1, job_type="insight", period="2026-11-27")
    away_for(world, 25, event)
    [dead_letter] = world.dead_letters()
    assert (dead_letter["code"], dead_letter["failures"]) == ("interrupted", 0)
    assert "waiting for model for over 24 h" in dead_letter["message"]
    assert isinstance(world.handler().job(a_delivery(event)), out.Duplicate)
    assert world.ledger()["state"] == "DEAD"


def test_a_job_that_waits_for_the_model_does_not_repeat_its_stages_meanwhile(tmp_path: Path) -> None:
    world = World(tmp_path)
    breakers = Breakers(world.clock)
    world.plane.add(an_event())
    stages = {"synthesize": FakeStage("synthesize", raising(ERRORS["model"]))}
    world.handler(stages=stages, breakers=breakers).job(a_delivery(an_event()))
    row = world.plane.rows[job_id(1)]
    assert (row.waiting_for, world.ledger()["waiting_for"], world.lock()["state"]) == ("model", "model", "free")
    world.clock.advance(30)
    breakers.failed("model", "model_unavailable")
    stages = {"hydrate": FakeStage("hydrate", raising(AssertionError("a stage ran")))}
    outcome = world.handler(stages=stages, breakers=breakers).job(a_delivery(an_event()))
    assert isinstance(outcome, out.RetryRecorded)
    assert outcome.code == "model_unavailable"
    assert world.ledger()["failures"] == 0


def test_the_end_of_an_attempt_is_written_once_the_bucket_is_back(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.plane.add(an_event(1))
    world.plane.add(an_event(2, user_id=user(2)))

    def fail(_op: Op) -> None:
        raise ERRORS["bucket"]

    def go_away(run: Run, _guard: Guard) -> None:
        if run.job.job_id == job_id(1):
            world.blobs.set_fault(fail)

    handler = world.handler(stages={"index": FakeStage("index", go_away)})
    assert handler.job(a_delivery(an_event(1))).http_status == 503
    world.clock.advance(600)
    world.blobs.set_fault(lambda _op: None)
    # A message of another user is enough: the first one's ledger says RUNNING with a lease that expired long ago.
    handler.job(a_delivery(an_event(2, user_id=user(2))))
    ledger = world.ledger(1)
    assert (ledger["state"], ledger["failures"], ledger["waiting_for"]) == ("RETRYING", 0, "bucket")
    world.clock.advance(10)
    assert world.handler().job(a_delivery(an_event(1))).name == "done"
    assert world.ledger(1)["failures"] == 0


def test_an_outcome_that_cannot_be_told_keeps_its_message(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.plane.add(an_event())
    handler = world.handler()
    world.plane.fault = failing_calls("complete", ControlPlaneUnavailable("POST /complete: 503"), times=1)
    assert handler.job(a_delivery(an_event())) == out.Waiting(
        job_id(1), "completed: POST /complete: 503", code="controlplane_unavailable"
    )
    world.clock.advance(60)
    assert handler.job(a_delivery(an_event())).name == "done"
    assert world.plane.rows[job_id(1)].completions == 1


@pytest.mark.parametrize("name", ["model", "controlplane"])
def test_no_hourly_job_is_planned_while_a_service_is_away(tmp_path: Path, name: Dependency) -> None:
    world = World(tmp_path)
    breakers = Breakers(world.clock)
    handler = world.handler(breakers=breakers)
    breakers.failed(name, "away")

    def tick(kind: str, published: datetime) -> Delivery:
        data = f'{{"schema":"memory.tick.v1","kind":"{kind}"}}'.encode()
        return Delivery("1", data, {"kind": kind}, publish_time=published)

    hourly = tick("hourly", world.clock.now())
    assert handler.tick(hourly).http_status == 503
    assert handler.tick(tick("sweep", world.clock.now())).name == "planned"
    world.clock.advance(3700)
    breakers.failed(name, "away")
    assert handler.tick(hourly).name == "planned", "the next hour's tick covers it"
    assert [call for call in world.plane.calls if call.startswith("tick hourly")] == []
    breakers.answered(name)
    handler.tick(tick("hourly", world.clock.now()))
    assert [call for call in world.plane.calls if call.startswith("tick hourly")]


def test_a_digest_older_than_the_last_committed_one_is_superseded(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.plane.add(an_event())
    world.plane.overrides = {"newer_digest": "2026-11-27T11"}
    assert world.handler().job(a_delivery(an_event())) == out.Done(job_id(1), result="superseded")
    assert world.heads.chain(USER) == []


def test_waits_grow_are_spread_and_stay_short_enough_for_ten_minutes() -> None:
    delays = [wait_delay_s(job_id(number), waited_s, None) for number in range(99) for waited_s in (0, 60, 600, 1e6)]
    assert max(delays) <= 1.1 * LONGEST_WAIT_S < BACK_IN_S / 2
    assert len(set(delays)) > 150
    assert wait_delay_s(job_id(1), 0, 500.0) == 500.0
