"""A job that is interrupted without end, through no fault of its own: told at five, given up at twenty."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumer.delivery.resolving import ALARM_DELAY_S, ALARM_INTERRUPTIONS, INTERRUPTED, PROVIDER_DELAY_S
from consumer.errors import ConsumerError, LockLost, ProviderBusy, ShuttingDown
from tests.fixtures_telemetry import Lines
from tests.spine import FakeStage, World, a_delivery, an_event, job_id, raising


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.plane.add(an_event())
    return world


def run(world: World, stage: str, error: ConsumerError) -> str:
    stages = {stage: FakeStage(stage, raising(error))}
    outcome = world.handler(stages=stages).job(a_delivery(an_event()))
    world.clock.advance(ALARM_DELAY_S)
    return outcome.name


def lose(world: World, stage: str) -> str:
    return run(world, stage, LockLost("epoch 4 was taken over"))


def test_lock_losses_without_progress_end_after_twenty(world: World, lines: Lines) -> None:
    assert lose(world, "synthesize") == "retry_recorded"
    assert world.ledger()["interruptions"] == 0, "the first attempt got further than none"
    for number in range(1, 21):
        assert lose(world, "synthesize") == "retry_recorded"
        assert (world.ledger()["interruptions"], world.ledger()["failures"]) == (number, 0)
    alarms = [fields["interruptions"] for message, fields in lines.seen if message == INTERRUPTED]
    assert alarms == list(range(ALARM_INTERRUPTIONS, 21))
    assert lose(world, "hydrate") == "dead_lettered"
    [letter] = world.dead_letters()
    assert (letter["code"], letter["job_id"]) == ("interrupted", job_id(1))
    assert (world.ledger()["state"], world.plane.rows[job_id(1)].status) == ("DEAD", "failed")
    assert world.lock()["state"] == "free"


def test_progress_begins_the_count_anew(world: World) -> None:
    for _ in range(10):
        lose(world, "export")
    assert world.ledger()["interruptions"] == 9
    lose(world, "synthesize")
    assert world.ledger()["interruptions"] == 0


def test_shutdowns_are_not_counted(world: World) -> None:
    for _ in range(21):  # one more than give a job up
        assert run(world, "export", ShuttingDown("SIGTERM")) == "shut_down"
    assert world.ledger()["interruptions"] == 0
    assert world.handler().job(a_delivery(an_event())).name == "done"


def test_a_wait_for_the_provider_counts_nothing_and_ends_after_a_day(world: World) -> None:
    for _ in range(21):
        assert run(world, "synthesize", ProviderBusy("all slots are taken")) == "retry_recorded"
        world.clock.advance(PROVIDER_DELAY_S)
    ledger = world.ledger()
    assert (ledger["interruptions"], ledger["failures"], ledger["waiting_for"]) == (0, 0, "model")
    world.clock.advance(24 * 3600)
    assert run(world, "synthesize", ProviderBusy("all slots are taken")) == "done"
    assert (world.ledger()["outcome_body"]["outcome"], world.dead_letters()) == ("superseded", [])


def test_a_wait_that_ends_leaves_no_trace(world: World) -> None:
    run(world, "synthesize", ProviderBusy("all slots are taken"))
    assert world.handler().job(a_delivery(an_event())).name == "done"
    assert (world.ledger()["waiting_for"], world.ledger()["waiting_since"]) == (None, None)
