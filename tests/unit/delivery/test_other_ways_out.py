"""Not every run ends in a commit: dying, parking, cancelling, replaying and delivering are as mortal as running."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from consumer import paths
from consumer.delivery import outcome as out
from consumer.errors import ControlPlaneUnavailable, TenantMismatch, TopicUnavailable
from consumer.storage.memory import Fault, Faults, Killed, MemoryTopic, no_fault
from contract.event import JobEvent
from tests.fixtures_telemetry import logs
from tests.spine import USER, FakeStage, World, a_delivery, an_event, failing_calls, job_id, raising

Plant = Callable[[Faults, int], Faults]
FAULTS: dict[str, Plant] = {
    "killed before": lambda faults, n: faults.kill(n),
    "killed after": lambda faults, n: faults.kill(n, after=True),
    "refused": lambda faults, n: faults.refuse(n),
    "reply lost": lambda faults, n: faults.lose_reply(n),
}


@dataclass
class Way:
    """``start`` brings a fresh world to the moment before; ``event`` is then delivered under a fault."""

    start: Callable[[World], None]
    stages: Callable[[], dict[str, FakeStage]]
    status: str
    commits: int
    event: Callable[[], JobEvent] = an_event


def queued(world: World) -> None:
    world.plane.add(an_event())


def cancelled(world: World) -> None:
    world.plane.add(an_event()).cancel_requested = True


def dead_and_replayed(world: World) -> None:
    world.plane.add(an_event())
    deliver(world, an_event(), stages=dying())
    row = world.plane.rows[job_id(1)]
    row.status, row.replay_id, row.completion, row.completions = "queued", REPLAY, None, 0


def undelivered(world: World) -> None:
    world.plane.add(an_event())
    world.plane.fault = failing_calls("complete", ControlPlaneUnavailable("503"))
    deliver(world, an_event())


def parked(world: World) -> None:
    """Behind a holder that died: the lock becomes stale later."""
    world.plane.add(an_event())
    handler = world.handler()
    handler.parts.locks.acquire(USER, owner="dead", job_id=job_id(99), attempt=1, head_epoch=0)


def dying() -> dict[str, FakeStage]:
    return {"export": FakeStage("export", raising(TenantMismatch("x")))}


REPLAY = "bbbbbbbb-0000-4000-8000-000000000001"
WAYS = {
    "dies": Way(queued, dying, "failed", 0),
    "is cancelled": Way(cancelled, dict, "cancelled", 0),
    "is replayed": Way(dead_and_replayed, dict, "completed", 1, lambda: an_event(replay_id=REPLAY)),
    "is delivered": Way(undelivered, dict, "completed", 1),
    "parks": Way(parked, dict, "completed", 1),
}


def deliver(
    world: World, event: JobEvent, fault: Fault = no_fault, stages: dict[str, FakeStage] | None = None
) -> out.Outcome | None:
    try:
        return world.handler(world.blobs.as_seen_by(fault), stages=stages or {}).job(a_delivery(event))
    except Killed:
        return None


def finish(world: World, way: Way) -> None:
    row = world.plane.rows[job_id(1)]
    for _ in range(12):
        if row.status == way.status and world.ledger()["delivered"]:
            break
        world.clock.advance(300)
        deliver(world, way.event(), stages=way.stages())
    assert (row.status, row.completions) == (way.status, 1), world.ledger()
    assert world.heads.chain(USER) == [job_id(1)] * way.commits
    assert world.plane.conflicts == 0
    world.clock.advance(300)
    world.plane.add(an_event(2))
    assert deliver(world, an_event(2)) == out.Done(job_id(2), result="completed")
    assert world.blobs.names(paths.parked(USER)) == []


@pytest.mark.properties
@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("name", WAYS)
def test_a_fault_at_every_request_of_another_way_out(tmp_path: Path, name: str, kind: str) -> None:
    way = WAYS[name]
    number = 0
    while True:
        number += 1
        world = World(tmp_path / f"at-{number}")
        way.start(world)
        done = len(world.blobs.ops)
        deliver(world, way.event(), FAULTS[kind](Faults(world.clock), done + number), way.stages())
        reached = len(world.blobs.ops) >= done + number
        finish(world, way)
        if name == "dies":
            assert world.dead_letters()
            assert world.dead_topic.messages
        if not reached:
            break
    assert number > 5


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_death_at_the_announcement_of_a_death(tmp_path: Path, *, after: bool) -> None:
    """Recorded, announced or not, ledger not DEAD yet: the next attempt records and announces again."""
    world = World(tmp_path)
    queued(world)
    topic = MemoryTopic(world.clock, Faults().kill(1, after=after))
    with pytest.raises(Killed):
        world.handler(stages=dying(), dead_topic=topic).job(a_delivery(an_event()))
    assert world.ledger()["state"] == "RUNNING"
    finish(world, WAYS["dies"])
    assert len(topic.messages) == (1 if after else 0)
    assert len(world.dead_topic.messages) == 1


@logs("outcome not recorded")
def test_an_announcement_that_fails_is_503_and_repeated(tmp_path: Path) -> None:
    world = World(tmp_path)
    queued(world)
    topic = MemoryTopic(world.clock, Faults().refuse(1, TopicUnavailable("down")))
    outcome = world.handler(stages=dying(), dead_topic=topic).job(a_delivery(an_event()))
    assert outcome.http_status == 503
    finish(world, WAYS["dies"])
