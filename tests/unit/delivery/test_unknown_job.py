"""A message of a job that has no row: nothing would ever bring it back, so nothing of it may stay behind waiting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from consumer import paths
from consumer.delivery.envelope import Delivery
from consumer.delivery.ledgers import Ledgers
from consumer.errors import AttemptStale, ToolFailed
from consumer.ports import Clock
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import Faults
from tests.fixtures_telemetry import logs
from tests.spine import USER, FakeStage, World, a_claim, a_delivery, an_event, job_id, raising


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def fresh(world: World, number: int = 1) -> Delivery:
    """A message published now."""
    return replace(a_delivery(an_event(number)), publish_time=world.clock.now())


def test_a_young_message_is_kept_by_pubsub_and_leaves_no_ledger(world: World) -> None:
    outcome = world.handler().job(fresh(world))

    assert (outcome.name, outcome.http_status) == ("not_recorded", 503)
    assert world.blobs.names("jobs/") == []
    assert world.dead_letters() == []
    assert world.blobs.peek(paths.lock(USER)) is None


def test_a_row_that_becomes_visible_late_is_run(world: World) -> None:
    message = fresh(world)
    assert world.handler().job(message).http_status == 503
    world.clock.advance(20)
    world.plane.add(an_event())
    assert world.handler().job(message).name == "done"
    assert world.plane.rows[job_id(1)].attempt == 1


def test_an_old_message_becomes_a_dead_letter_under_its_own_id(world: World) -> None:
    message = fresh(world)
    world.clock.advance(600)
    assert world.handler().job(message).http_status == 503, "ten minutes are not over"
    world.clock.advance(1)

    outcome = world.handler().job(message)

    assert (outcome.name, outcome.http_status) == ("dead_lettered", 204)
    [record] = world.dead_letters()
    assert (record["key"], record["code"], record["job_id"]) == ("m-1", "job_unknown", job_id(1))
    assert world.blobs.names("jobs/") == []
    assert len(world.dead_topic.messages) == 1


def test_a_row_that_exists_after_all_is_run_when_the_sweep_publishes_it(world: World) -> None:
    message = fresh(world)
    world.clock.advance(601)
    assert world.handler().job(message).name == "dead_lettered"
    world.plane.add(an_event())
    assert world.handler().job(fresh(world)).name == "done"


def test_a_job_whose_row_is_gone_ends_in_its_ledger(world: World) -> None:
    world.plane.add(an_event())
    broken = {"render": FakeStage("render", raising(ToolFailed("code 1")))}
    assert world.handler(stages=broken).job(fresh(world)).name == "retry_recorded"
    del world.plane.rows[job_id(1)]
    world.clock.advance(60)

    young = fresh(world)
    assert world.handler().job(young).http_status == 503
    assert (world.ledger()["state"], world.ledger()["failures"]) == ("RETRYING", 1)

    world.clock.advance(601)
    assert world.handler().job(young).name == "dead_lettered"
    assert (world.ledger()["state"], world.ledger()["failure"]["code"]) == ("DEAD", "job_unknown")
    assert [dead_letter["code"] for dead_letter in world.dead_letters()] == ["job_unknown"]


@logs("launch not announced")
def test_an_execution_without_a_row_ends_at_once(tmp_path: Path) -> None:
    world = World(tmp_path, setting="cloud-run-job")
    assert world.handler().job(a_delivery(an_event())).name == "launched"

    outcome = world.handler().execute(job_id(1), 1, {})

    assert (outcome.name, outcome.exit_code) == ("dead_lettered", 0)
    assert [dead_letter["code"] for dead_letter in world.dead_letters()] == ["job_unknown"]
    assert world.blobs.names("jobs/") == []


def test_a_claim_that_was_taken_over_deletes_nothing(world: World) -> None:
    ledgers = Ledgers(ConditionalWriter(world.blobs, world.clock), world.clock, world.ids)
    claim = ledgers.create(a_claim())
    stored = ledgers.find(job_id(1))
    assert stored is not None
    ledgers.take(stored, a_claim(owner="o2"))
    with pytest.raises(AttemptStale):
        claim.withdraw()
    assert world.ledger()["fence"] == 2


def test_a_lost_reply_to_the_deletion_is_asked_again(world: World) -> None:
    blobs = world.blobs.as_seen_by(Faults().lose_reply(2))
    ledgers = Ledgers(ConditionalWriter(blobs, world.clock), world.clock, world.ids)
    claim = ledgers.create(a_claim())
    claim.withdraw()
    assert world.blobs.names("jobs/") == []


def test_a_clock_that_is_ahead_ages_no_message(world: World) -> None:
    """The message's age is by Google's times alone: this process's clock may be wrong."""
    handler = world.handler()
    ahead = Ahead(world.clock, timedelta(seconds=660))
    handler = replace(handler, parts=replace(handler.parts, clock=ahead))
    assert handler.job(fresh(world)).http_status == 503
    assert world.dead_letters() == []


@dataclass
class Ahead:
    clock: Clock
    by: timedelta

    def now(self) -> datetime:
        return self.clock.now() + self.by

    def monotonic(self) -> float:
        return self.clock.monotonic()

    def sleep(self, seconds: float) -> None:
        self.clock.sleep(seconds)
