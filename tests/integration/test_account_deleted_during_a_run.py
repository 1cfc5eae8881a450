"""A person deletes their account while their job is at work: control plane, stages and stores are the real ones.

Only the agent and the model are played, the bucket is in memory, and time is the test's. At each point of a run the
deletion arrives, and the run goes on, or is paused until its lease has run out and the erasure has been there, or dies.
Its message is delivered again at every turn. In the end nothing of the person is anywhere, and a receipt says so.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

import manifests
import templates
from consumer import layout, paths
from consumer.agent.localbrain.brain import LocalBrain
from consumer.breakers import Breakers
from consumer.clients.controlplane import HttpControlPlane
from consumer.clients.signing import Ed25519Signer
from consumer.delivery.checkpoints import Checkpoints
from consumer.delivery.deadletter import DeadLetters
from consumer.delivery.deps import AttemptDeps
from consumer.delivery.envelope import Delivery
from consumer.delivery.handler import Handler
from consumer.delivery.ledger import DeliveryLimits
from consumer.delivery.ledgers import Ledgers
from consumer.delivery.outcome import Outcome
from consumer.delivery.parking import Parking
from consumer.delivery.pipeline import Pipeline
from consumer.delivery.plan import plans
from consumer.delivery.runfolder import RunFolder
from consumer.delivery.settlement import Settlement
from consumer.delivery.ticks import Ticks
from consumer.erasure.erasures import Erasures
from consumer.erasure.late_writers import HORIZON
from consumer.erasure.suppressions import Suppressions
from consumer.evidence.index import open_index, open_sightings
from consumer.locking.exclusive import Exclusive
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.ports import AgentResult, AgentTask, Guard
from consumer.reports.evidence import PageCache
from consumer.repository.workspace import WorkspaceStore
from consumer.run import Run, Stage
from consumer.stages.export import Export
from consumer.stages.hydrate import Hydrate
from consumer.stages.index import Index
from consumer.stages.persist import Persist
from consumer.stages.render import Render
from consumer.stages.report import Report
from consumer.stages.synthesize import Synthesize
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import Fault, Killed, MemoryBlobStore, MemoryTopic, Op, no_fault
from contract.api import Usage
from local.jobs import AppJobs
from service.clock import SystemClock
from tests import brains, erasing
from tests.fixtures_controlplane import BUCKET, CONSUMER, World
from tests.integration.test_controlplane_deletions import HOUR, SWEEP, delete_account, later, rows_with, state, tick
from tests.integration.test_controlplane_rights_lost import over
from tests.unit.repository.workspaces import PEM
from tests.unit.stages.test_synthesize import Gateway

pytestmark = pytest.mark.integration
#: Stands in every record of the person, and nowhere else.
CANARY = "Quillfeather"
LEASE = Lease()
LIMITS = manifests.limits()


class Clock(SystemClock):
    """The system's time, and how far the test has moved it; pauses cost nothing."""

    ahead_s = 0.0

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=self.ahead_s)

    def monotonic(self) -> float:
        return super().monotonic() + self.ahead_s

    def sleep(self, seconds: float) -> None:
        self.ahead_s += seconds


class Agent:
    """Leaves a session that quotes, and claims nothing; ``working`` is called while it is at it."""

    def __init__(self, working: Callable[[], None]) -> None:
        self.working = working

    def version(self) -> str:
        return "played 1.0"

    def run(self, root: Path, task: AgentTask, guard: Guard) -> AgentResult:
        session = root / layout.HERMES_HOME / "sessions" / "s.json"
        session.parent.mkdir(parents=True, exist_ok=True)
        session.write_text(json.dumps({"said": CANARY}))
        self.working()
        answer = {"schema": "memory.claims.v1", "job_id": task.job_id, "claims": []}
        return AgentResult("s1", Usage(), 3, 0.1, json.dumps(answer).encode())


@dataclass
class Reached:
    """A stage that lets the test act before it begins."""

    name: str
    stage: Stage
    act: Callable[[], None]

    def run(self, run: Run, guard: Guard) -> Run:
        self.act()
        return self.stage.run(run, guard)


class Moment:
    """Happens once, when its point is reached."""

    def __init__(self, point: str, act: Callable[[], None]) -> None:
        self.point, self.act, self.happened = point, act, False

    def reach(self, point: str) -> None:
        if point == self.point and not self.happened:
            self.happened = True
            self.act()


NEVER = Moment("never", lambda: None)


@dataclass
class System:
    """One person's job: the control plane's world, a bucket, and as many processes of the consumer as a test wants."""

    world: World
    tmp: Path
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        self.blobs = MemoryBlobStore(self.clock)
        self.topic = MemoryTopic(self.clock)
        self.numbers = itertools.count()
        self.user = self.world.user()
        for number in range(6):
            self.add(number)
        #: Others, so that the person is not the only account.
        self.world.user("bob@example.com")
        self.events: list[tuple[str, bytes, dict[str, str]]] = []

    def add(self, number: int) -> None:
        # The app found it in a meeting: what a user records themselves is no news, and asks no agent.
        self.world.sql(
            "insert into public.checklist_items (user_id, title, source) values (%s, %s, 'meeting')",
            self.user,
            f"Call {CANARY} number {number}",
        )

    def new_id(self) -> str:
        return f"id-{next(self.numbers)}"

    def insert(self, period: str) -> str:
        jobs = AppJobs(self.world.dsn)
        job_id = jobs.insert(self.user, "hourly_digest", period)
        event = jobs.event(job_id)
        self.events.append((job_id, event.encode(), event.attributes()))
        return job_id

    def deliver(self, moment: Moment = NEVER) -> Outcome:
        """The newest job's message, to a new process."""
        _, data, attributes = self.events[-1]
        delivery = Delivery(self.new_id(), data, attributes, publish_time=self.clock.now())
        return self.process(moment).job(delivery)

    # --- processes

    def store(self, fault: Fault = no_fault) -> WorkspaceStore:
        return WorkspaceStore(
            self.blobs.as_seen_by(fault),
            Ed25519Signer(PEM),
            self.clock,
            templates=templates.FOLDER,
            volatile=manifests.volatile(),
        )

    def plane(self, moment: Moment = NEVER) -> HttpControlPlane:
        client = over(self.world)
        asked = itertools.count(1)

        def sent(request: httpx.Request) -> None:
            if request.url.path.endswith("/batches"):
                moment.reach(f"export, request {next(asked)}")
            if request.url.path.endswith("/complete"):
                moment.reach("completion")

        client.event_hooks = {"request": [sent]}
        return HttpControlPlane(client, lambda: self.world.issuer.token(CONSUMER), self.clock)

    def process(self, moment: Moment) -> Handler:
        """An instance of the push app, with everything of its own but the bucket."""

        def fault(op: Op) -> None:
            if (op.verb, op.name) == ("write", paths.head(self.user)) and moment.point.startswith("swap"):
                moment.reach("swap sent" if op.phase == "before" else "swap landed")

        store, plane = self.store(fault), self.plane(moment)
        blobs = self.blobs.as_seen_by(fault)
        writer = ConditionalWriter(blobs, self.clock)
        limits = DeliveryLimits(
            lease=LEASE,
            max_failures=LIMITS["max_failures"],
            early_due=timedelta(seconds=LIMITS["early_due"]),
            execution_start=timedelta(seconds=LIMITS["execution_start"]),
            execution_launches=LIMITS["execution_launches"],
        )
        parts = AttemptDeps(
            controlplane=plane,
            heads=store,
            locks=Locks(writer, self.clock, self.new_id, LEASE),
            parking=Parking(blobs, self.topic),
            pipeline=Pipeline(self.stages(store, plane, moment), self.clock),
            settlement=Settlement(blobs, store),
            dead_letters=DeadLetters(blobs, self.topic, self.clock),
            clock=self.clock,
            shutdown=threading.Event(),
            breakers=Breakers(self.clock),
            bucket=BUCKET,
            limits=limits,
            retry_delays_s=tuple(LIMITS["retry_delays"]),
            heartbeat_s=60,
            mode="local",
            overrun=lambda: None,
            checkpoints=Checkpoints(store),
            # Each run leaves all that one can leave beside HEAD.
            checkpoint_after_s=0,
            threads=False,
        )
        return Handler(
            ledgers=Ledgers(writer, self.clock, self.new_id),
            plans=plans(manifests.pipelines(), setting="inline", push_limit_s=580),
            folder=RunFolder(self.tmp / f"process-{next(self.numbers)}"),
            parts=parts,
            ticks=Ticks(plane),
            dispatcher=None,
        )

    def stages(self, store: WorkspaceStore, plane: HttpControlPlane, moment: Moment) -> Any:
        manifest, desk = manifests.export_manifest(), PageCache(open_index)
        suppressions = Suppressions(store.narrowed, plane, self.clock)
        made: list[Stage] = [
            Hydrate(store, suppressions.read),
            Export(manifest, open_sightings, page_records=4),
            Render(manifest, open_index),
            Index(LocalBrain()),
            Synthesize(
                agent=Agent(lambda: moment.reach("synthesize, agent at work")),
                brain=LocalBrain(),
                gateway=Gateway(),
                bucket_of=store.narrowed,
                efforts=brains.efforts("m"),
                prompts={path.stem: path.read_text() for path in (templates.FOLDER / "v1/prompts").glob("*.md")},
                profiles=manifests.profiles(),
                desk=desk,
            ),
            Report(desk),
            Persist(store, self.clock),
        ]
        return {stage.name: Reached(stage.name, stage, partial(moment.reach, stage.name)) for stage in made}

    # --- the deletion

    def erasures(self, fault: Fault = no_fault) -> Erasures:
        store = self.store(fault)
        locks = Locks(ConditionalWriter(self.blobs.as_seen_by(fault), self.clock), self.clock, self.new_id, LEASE)
        exclusive = Exclusive(locks, store, "account deletion", threads=False)
        plane = self.plane()
        suppressions = Suppressions(store.narrowed, plane, self.clock)
        return Erasures(exclusive, suppressions, plane, self.clock, 300, threading.Event())

    def erase(self, fault: Fault = no_fault) -> int:
        """An hourly tick: the number of steps that it did."""
        return self.erasures(fault).walk(tick(self.world, HOUR)["erase"])

    def delete_account(self) -> None:
        """The row is gone, a tick has planned the erasure, and the grace period is over."""
        delete_account(self.world, self.user)
        tick(self.world, SWEEP)
        later(self.world, "purge_after", "8 days")

    def lease_runs_out(self) -> None:
        self.clock.ahead_s += LEASE.ttl_s + LEASE.grace_s + 1

    def state(self) -> str | None:
        return state(self.world, self.user)

    # --- what is left

    def names(self) -> set[str]:
        return set(self.blobs.names())

    def row(self) -> dict[str, Any]:
        return self.world.row(self.events[-1][0])

    def require_gone(self) -> None:
        """From the bucket, whatever is packed in it, and from each table of ours."""
        left = [
            name
            for name, (_, data) in self.blobs.contents().items()
            for part in erasing.unpacked(name, data)
            if CANARY.encode() in part
        ]
        assert left == []
        assert rows_with(self.world, CANARY) == []

    def kept(self) -> set[str]:
        return {paths.head(self.user), paths.lock(self.user), paths.suppressed(self.user)}

    def until_erased(self) -> None:
        """Hours go by: ticks come, and Pub/Sub brings the message again."""
        for _ in range(8):
            if self.state() == "erased":
                return
            self.lease_runs_out()
            self.deliver()
            self.erase()
        raise AssertionError(f"not erased: {self.state()}, {self.row()}")

    def until_forgotten(self) -> None:
        """The rest of the way, with late messages at each step of it."""
        self.deliver()
        self.clock.ahead_s += HORIZON.total_seconds() + 1
        later(self.world, "erased_at", "25 hours")
        assert self.erase() == 1
        assert self.state() == "receipt given"
        self.require_gone()
        assert self.row()["status"] in {"cancelled", "completed"}
        self.deliver()
        later(self.world, "swept_at", "30 days")
        assert self.erase() == 1
        assert self.names() == self.kept()
        assert rows_with(self.world, self.user) == ["memory_audit", "memory_deletions", "memory_erasures"]
        receipt = self.world.operate("GET", f"/memory-deletions/{self.user}/receipt").json()
        assert receipt["user_id"] == self.user
        assert CANARY not in json.dumps(receipt)
        listed = self.world.operate("GET", "/memory-deletions").json()["deletions"]
        assert self.user in {deletion["user_id"] for deletion in listed}
        assert self.user not in {user["user_id"] for user in self.world.operate("GET", "/memory-users").json()["users"]}


@pytest.fixture
def system(world: World, tmp_path: Path) -> System:
    return System(world, tmp_path)


#: Where the deletion arrives; each is inside of a stage, past the question whether the job is cancelled.
POINTS = (
    "hydrate",
    "export",
    "export, request 2",
    "render",
    "index",
    "synthesize",
    "synthesize, agent at work",
    "report",
    "persist",
    "swap sent",
    "swap landed",
    "completion",
)
#: Past the last question, or past the swap.
COMMITS = {"persist", "swap sent", "swap landed", "completion"}


def going_on(system: System) -> None:
    """The run notices nothing before its next question; the erasure waits for its lock."""
    system.delete_account()
    assert system.erase() == 0
    assert system.state() == "due"


def paused(system: System) -> None:
    """The run sleeps until its lease is over, and the erasure has come and gone."""
    system.delete_account()
    system.lease_runs_out()
    assert system.erase() == 1
    assert system.state() == "erased"


def killed(system: System) -> None:
    system.delete_account()
    raise Killed("with its account")


@pytest.mark.parametrize("meanwhile", [going_on, paused, killed], ids=lambda act: act.__name__)
@pytest.mark.parametrize("point", POINTS)
def test_the_account_goes_and_everything_with_it(
    system: System, point: str, meanwhile: Callable[[System], None]
) -> None:
    system.insert("2026-11-27T13")
    assert system.deliver().name == "done"
    system.add(99)
    system.insert("2026-11-27T14")
    moment = Moment(point, lambda: meanwhile(system))
    with suppress(Killed):
        system.deliver(moment)
    assert moment.happened
    if meanwhile is paused:
        head = system.store().of(system.user).read_head()
        assert head is not None
        assert head.erased, "whatever the run did when it woke, HEAD is the erasure's"
        assert head.commit is None
    system.until_erased()
    assert not [name for name in system.names() if name.startswith("dead/")]
    if meanwhile is going_on:
        row, ended = system.row(), "completed" if point in COMMITS else "cancelled"
        assert (row["status"], row["outcome"]) == (ended, ended)
    system.until_forgotten()
