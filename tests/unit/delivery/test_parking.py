"""Two jobs of one user: one waits without holding anything, and is brought back by whoever leaves the lock."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from consumer import paths
from consumer.delivery import outcome as out
from consumer.delivery.parking import Parking
from consumer.entrypoints import job
from consumer.errors import TopicUnavailable
from consumer.locking.lock import Lock, Locks
from consumer.run import Run
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import Faults, Killed
from contract.event import JobEvent, decode_job
from service import telemetry
from tests.fixtures_telemetry import logs
from tests.spine import USER, FakeStage, World, a_delivery, an_event, job_id


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def during(act: Callable[[], object]) -> dict[str, FakeStage]:
    """A run in whose middle something else happens."""

    def stage(_run: Run, _guard: object) -> None:
        act()

    return {"render": FakeStage("render", stage)}


def hold(world: World) -> Lock:
    """Somebody has the user's lock, whoever it is."""
    locks = Locks(ConditionalWriter(world.blobs, world.clock), world.clock, world.ids, world.lease)
    return locks.acquire(USER, owner="somebody", job_id=job_id(99), attempt=4, head_epoch=0)


def names(world: World) -> list[str]:
    return [decode_job(m.data, m.attributes).job_id for m in world.jobs_topic.messages]


def test_the_second_job_parks_and_runs_when_the_first_leaves(world: World) -> None:
    for number in (1, 2):
        world.plane.add(an_event(number))
    seen: list[out.Outcome] = []
    other = during(lambda: seen.append(world.handler().job(a_delivery(an_event(2)))))
    assert world.handler(stages=other).job(a_delivery(an_event(1))).name == "done"

    [parked] = seen
    assert isinstance(parked, out.Parked)
    assert f"job {job_id(1)} (attempt 1, epoch 1)" in parked.detail
    assert parked.retry_at == world.clock.now() + timedelta(seconds=135)
    # Leaving the lock published the parked job again, in its user's order.
    assert names(world) == [job_id(2)]
    assert world.jobs_topic.messages[0].attributes["user_id"] == USER
    assert world.handler().job(a_delivery(an_event(2))) == out.Done(job_id(2), result="completed")
    assert world.blobs.names(paths.parked(USER)) == []
    assert world.heads.chain(USER) == [job_id(1), job_id(2)]


def test_how_long_a_job_waited_for_the_lock_is_measured(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = InMemoryMetricReader()
    provider = MeterProvider([reader], shutdown_on_exit=False)
    monkeypatch.setattr(telemetry, "_METER", provider.get_meter("test"))
    world.plane.add(an_event())
    lock = hold(world)
    assert world.handler().job(a_delivery(an_event())).name == "parked"
    world.clock.advance(90)
    lock.release(doubt=False)
    world.clock.advance(60)
    assert world.handler().job(a_delivery(an_event())).name == "done"
    data = reader.get_metrics_data()
    assert data is not None
    metrics = {m.name: m for r in data.resource_metrics for s in r.scope_metrics for m in s.metrics}
    point: Any
    [point] = metrics["cloop_memory.lock_wait"].data.data_points
    assert (point.count, point.sum) == (1, 150)
    provider.shutdown()


def test_a_parked_job_is_no_failure_and_its_row_says_when(world: World) -> None:
    row = world.plane.add(an_event())
    hold(world)
    outcome = world.handler().job(a_delivery(an_event()))
    assert isinstance(outcome, out.Parked)
    assert (row.substate, row.retry_at) == ("parked", outcome.retry_at)
    assert (world.ledger()["state"], world.ledger()["failures"]) == ("PARKED", 0)
    again = world.handler().job(a_delivery(an_event()))
    assert isinstance(again, out.Parked)
    assert world.ledger()["fence"] == 2
    assert world.blobs.names(paths.parked(USER)) == [paths.parked(USER, job_id(1))]


def test_a_holder_that_leaves_while_we_park_is_noticed(world: World) -> None:
    """It left before our file was there, so nobody will call us: we must look once more."""
    world.plane.add(an_event())
    lock = hold(world)
    probe = len(world.blobs.ops)
    world.handler().job(a_delivery(an_event()))
    park = next(op.number for op in world.blobs.ops if op.verb == "write" and "/parked/" in op.name)
    assert park > probe

    again = World(world.tmp / "again")
    again.plane.add(an_event())
    lock = hold(again)
    faults = Faults().call(park, lambda: lock.release(doubt=False))
    assert again.handler(again.blobs.as_seen_by(faults)).job(a_delivery(an_event())) == out.Done(
        job_id(1), result="completed"
    )
    assert again.ledger()["state"] == "DONE"


def test_the_oldest_parked_job_is_called_first(world: World) -> None:
    lock = hold(world)
    for number in (3, 1, 2):
        world.plane.add(an_event(number, job_type="insight", period="2026-11-27"))
        world.handler().job(a_delivery(an_event(number, job_type="insight", period="2026-11-27")))
        world.clock.advance(1)
    lock.release(doubt=False)
    Parking(world.blobs, world.jobs_topic).hand_over(USER, None)
    for expected in (3, 1, 2):
        # Each that runs calls the next when it leaves.
        assert names(world)[-1] == job_id(expected)
        event = an_event(expected, job_type="insight", period="2026-11-27")
        assert world.handler().job(a_delivery(event)).name == "done"


def test_waiting_digests_coalesce_to_the_newest(world: World) -> None:
    lock = hold(world)
    for number in (1, 2, 3):
        world.plane.add(an_event(number))
        assert world.handler().job(a_delivery(an_event(number))).name == "parked"
    insight = an_event(4, job_type="insight", period="2026-11-27")
    world.plane.add(insight)
    world.handler().job(a_delivery(insight))
    lock.release(doubt=False)

    results = {n: world.handler().job(a_delivery(an_event(n))) for n in (1, 2, 3)}
    assert results[1] == out.Done(job_id(1), result="superseded")
    assert results[2] == out.Done(job_id(2), result="superseded")
    assert results[3] == out.Done(job_id(3), result="completed")
    assert world.handler().job(a_delivery(insight)) == out.Done(job_id(4), result="completed")
    assert world.heads.chain(USER) == [job_id(3), job_id(4)]
    assert [world.plane.rows[job_id(n)].status for n in (1, 2, 3, 4)] == ["completed"] * 4
    assert world.blobs.names(paths.parked(USER)) == []


def test_waiting_digests_coalesce_before_an_execution_is_launched(tmp_path: Path) -> None:
    world = World(tmp_path, setting="cloud-run-job")
    events = [world.plane.add(an_event(number)).event for number in (1, 2, 3)]
    lock = hold(world)
    for event in events:
        assert isinstance(world.handler().job(a_delivery(event)), out.Launched)
        execute(world)
    assert len(world.blobs.names(f"users/{USER}/parked/")) == 3
    lock.release(doubt=False)

    for event in events[:2]:
        assert world.handler().job(a_delivery(event)) == out.Done(event.job_id, result="superseded")
    assert len(world.launcher.launched) == 3  # none for the two that a newer one makes superfluous
    assert isinstance(world.handler().job(a_delivery(events[2])), out.Launched)
    assert execute(world) == out.Done(events[2].job_id, result="completed")
    assert world.heads.chain(USER) == [events[2].job_id]
    assert world.blobs.names(f"users/{USER}/parked/") == []
    assert [row.completions for row in world.plane.rows.values()] == [1, 1, 1]


@pytest.mark.properties
@pytest.mark.parametrize("when", range(1, 25))
def test_a_death_while_a_dispatched_digest_is_superseded(tmp_path: Path, when: int) -> None:
    world = World(tmp_path, setting="cloud-run-job")
    events = [world.plane.add(an_event(number)).event for number in (1, 2)]
    lock = hold(world)
    for event in events:
        world.handler().job(a_delivery(event))
        execute(world)
    lock.release(doubt=False)
    faults = Faults(world.clock).kill(len(world.blobs.ops) + when, after=when % 2 == 0)
    with suppress(Killed):
        world.handler(world.blobs.as_seen_by(faults)).job(a_delivery(events[0]))
    for _ in range(12):
        for event in events:
            if isinstance(world.handler().job(a_delivery(event)), out.Launched):
                execute(world)
        world.clock.advance(700)
    assert events[1].job_id in world.heads.chain(USER)
    assert [row.completions for row in world.plane.rows.values()] == [1, 1]
    assert world.blobs.names(f"users/{USER}/parked/") == []


def a_dream(number: int = 7) -> JobEvent:
    return an_event(number, job_type="dream", period="2026-11-27")


def test_a_dream_makes_way_for_a_job_that_arrives_and_that_counts_nowhere(tmp_path: Path) -> None:
    world = World(tmp_path, setting="inline")
    dream, digest = a_dream(), an_event(1)
    for event in (dream, digest):
        world.plane.add(event)
    seen: list[out.Outcome] = []

    def arrive(_run: Run, _guard: object) -> None:
        seen.append(world.handler().job(a_delivery(digest)))

    outcome = world.handler(stages={"index": FakeStage("index", arrive)}).job(a_delivery(dream))
    assert [parked.name for parked in seen] == ["parked"]
    assert outcome == out.Done(dream.job_id, result="superseded")
    assert (world.ledger(7)["failures"], world.ledger(7)["fence"]) == (0, 1)
    assert world.plane.rows[dream.job_id].status == "completed"
    # Leaving the lock calls the job that waits.
    assert names(world) == [digest.job_id]
    assert world.handler().job(a_delivery(digest)) == out.Done(digest.job_id, result="completed")
    assert world.heads.chain(USER) == [digest.job_id]
    assert world.handler().job(a_delivery(dream)).name == "duplicate"


def test_a_dream_that_waited_runs_only_if_nobody_else_waits(tmp_path: Path) -> None:
    world = World(tmp_path, setting="inline")
    dream, digest = a_dream(), an_event(1)
    lock = hold(world)
    for event in (dream, digest):
        world.plane.add(event)
        assert world.handler().job(a_delivery(event)).name == "parked"
    lock.release(doubt=False)
    assert world.handler().job(a_delivery(dream)) == out.Done(dream.job_id, result="superseded")
    assert world.handler().job(a_delivery(digest)) == out.Done(digest.job_id, result="completed")
    again = a_dream(8)
    world.plane.add(again)
    assert world.handler().job(a_delivery(again)) == out.Done(again.job_id, result="completed")


@pytest.mark.properties
@pytest.mark.parametrize("when", range(1, 41))
def test_a_death_while_a_dream_makes_way_loses_no_job(tmp_path: Path, when: int) -> None:
    world = World(tmp_path, setting="inline")
    dream, digest = a_dream(), an_event(1)
    for event in (dream, digest):
        world.plane.add(event)

    def arrive(_run: Run, _guard: object) -> None:
        world.handler().job(a_delivery(digest))

    faults = Faults(world.clock).kill(when, after=when % 2 == 0)
    with suppress(Killed):
        dying = world.handler(world.blobs.as_seen_by(faults), stages={"index": FakeStage("index", arrive)})
        dying.job(a_delivery(dream))
    for _ in range(8):
        for event in (dream, digest):
            world.handler().job(a_delivery(event))
        world.clock.advance(700)
    assert [row.completions for row in world.plane.rows.values()] == [1, 1]
    assert world.heads.chain(USER).count(digest.job_id) == 1
    assert world.heads.chain(USER).count(dream.job_id) <= 1
    assert world.ledger(7)["state"] == world.ledger(1)["state"] == "DONE"
    assert world.blobs.names(paths.parked(USER)) == []


def execute(world: World) -> out.Outcome:
    """The execution that was launched last."""
    execution = job.parse(world.launcher.launched[-1])
    return world.handler().execute(execution.job_id, execution.attempt, execution.expected)


def test_an_unreadable_parked_file_is_passed_over(world: World) -> None:
    world.blobs.write(paths.parked(USER, job_id(8)), b"{", if_generation=0)
    world.clock.advance(1)
    world.blobs.write(paths.parked(USER, job_id(9)), b'{"schema": 1}', if_generation=0)
    world.clock.advance(1)
    Parking(world.blobs, world.jobs_topic).park(an_event(2))
    assert Parking(world.blobs, world.jobs_topic).hand_over(USER, None) == job_id(2)
    assert world.blobs.names(paths.parked(USER)) == []


def test_a_file_left_behind_by_a_finished_job_is_called_once(world: World) -> None:
    """Its job was finished elsewhere while it was parked; those behind it must get their turn."""
    parking = Parking(world.blobs, world.jobs_topic)
    parking.park(an_event(1))
    world.clock.advance(1)
    parking.park(an_event(2))
    assert [parking.hand_over(USER, None) for _ in range(3)] == [job_id(1), job_id(2), None]
    assert world.blobs.names(paths.parked(USER)) == []


@logs("hand-over failed")
def test_a_hand_over_that_fails_fails_nothing_else(world: World) -> None:
    world.plane.add(an_event(1))
    Parking(world.blobs, world.jobs_topic).park(an_event(2))

    def down(_op: object) -> None:
        raise TopicUnavailable("down")

    world.jobs_topic.fault = down
    assert world.handler().job(a_delivery(an_event(1))) == out.Done(job_id(1), result="completed")
    assert world.blobs.names(paths.parked(USER)) == [paths.parked(USER, job_id(2))]


def test_parking_twice_keeps_the_place_in_the_queue(world: World) -> None:
    parking = Parking(world.blobs, world.jobs_topic)
    parking.park(an_event(1))
    before = world.blobs.contents()
    world.clock.advance(60)
    parking.park(an_event(1))
    assert world.blobs.contents() == before


def test_a_job_parked_behind_a_dead_holder_takes_over_when_the_lock_is_stale(world: World) -> None:
    world.plane.add(an_event())
    hold(world)
    world.handler().job(a_delivery(an_event()))
    world.clock.advance(134)
    assert world.handler().job(a_delivery(an_event())).name == "parked"
    world.clock.advance(1)
    assert world.handler().job(a_delivery(an_event())).name == "done"
    assert world.lock()["epoch"] == 2


def test_a_row_cancelled_while_its_job_was_parked_takes_its_file_along(world: World) -> None:
    row = world.plane.add(an_event())
    hold(world)
    world.handler().job(a_delivery(an_event()))
    row.status = "cancelled"
    assert world.handler().job(a_delivery(an_event())).name == "duplicate"
    assert world.blobs.names(paths.parked(USER)) == []
