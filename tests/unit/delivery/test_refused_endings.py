"""How a delivery ends when the control plane or the bucket refuses what an ending needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumer.delivery import outcome as out
from consumer.delivery.envelope import Delivery
from consumer.errors import (
    AttemptStale,
    BlobUnavailable,
    CompletionConflict,
    ConsumerError,
    ControlPlaneUnavailable,
    JobTerminal,
    LedgerUnreadable,
    NotAllowed,
    RequestRefused,
    ToolFailed,
    TopicUnavailable,
)
from consumer.storage.conditional import Overtaken
from consumer.storage.memory import Faults, MemoryTopic
from contract.event import TickEvent
from tests.fixtures_telemetry import Lines, logs
from tests.spine import FakeStage, World, a_delivery, an_event, failing_calls, job_id, raising


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.plane.add(an_event())
    return world


@pytest.mark.parametrize(
    ("answer", "name", "status", "is_delivered"),
    [
        (JobTerminal("over", "completed"), "duplicate", 204, True),
        (AttemptStale("a newer attempt"), "stale", 204, False),
        (ControlPlaneUnavailable("503"), "waiting", 503, False),
        (NotAllowed("403"), "undelivered", 204, False),
    ],
)
def test_a_recorded_outcome_whose_delivery_gets_no_token(
    world: World, answer: ConsumerError, name: str, status: int, *, is_delivered: bool
) -> None:
    world.plane.fault = failing_calls("complete", ControlPlaneUnavailable("503"))
    world.handler().job(a_delivery(an_event()))
    world.plane.fault = failing_calls("open", answer)
    outcome = world.handler().job(a_delivery(an_event()))
    assert (outcome.name, outcome.http_status, world.ledger()["delivered"]) == (name, status, is_delivered)
    assert world.ledger()["state"] == "DONE"


@pytest.mark.parametrize(
    ("answer", "name", "status"),
    [
        (AttemptStale("a newer attempt"), "stale", 204),
        (ControlPlaneUnavailable("503"), "waiting", 503),
        (RequestRefused("422"), "undelivered", 204),
        (JobTerminal("over", "completed"), "done", 204),
    ],
)
def test_a_completion_that_is_refused_leaves_the_outcome_as_it_is(
    world: World, answer: ConsumerError, name: str, status: int
) -> None:
    world.plane.fault = failing_calls("complete", answer)
    outcome = world.handler().job(a_delivery(an_event()))
    assert (outcome.name, outcome.http_status, world.ledger()["state"]) == (name, status, "DONE")
    assert world.ledger()["delivered"] == (name == "done")
    # Only what an operator must look at is told to one.
    assert [letter["code"] for letter in world.dead_letters()] == [CompletionConflict.code] * (name == "undelivered")


@logs("refused completion not told")
def test_a_refused_completion_that_cannot_be_told_either_keeps_its_outcome(world: World) -> None:
    world.plane.fault = failing_calls("complete", RequestRefused("422"))
    silent = MemoryTopic(world.clock, Faults().refuse(1, TopicUnavailable("down")))
    assert world.handler(dead_topic=silent).job(a_delivery(an_event())).name == "undelivered"
    assert (world.ledger()["state"], world.ledger()["delivered"]) == ("DONE", False)


@pytest.mark.parametrize(
    ("error", "name", "status"),
    [
        (ControlPlaneUnavailable("503"), "not_recorded", 503),
        (RequestRefused("422"), "dead_lettered", 204),
    ],
)
def test_a_tick_that_cannot_be_planned_is_kept_or_told(
    world: World, error: ConsumerError, name: str, status: int
) -> None:
    world.plane.fault = failing_calls("tick", error)
    tick = Delivery("t", TickEvent(kind="hourly").encode(), {}, publish_time=world.clock.now())
    handler = world.handler()
    outcome = handler.tick(tick)
    assert (outcome.name, outcome.http_status, getattr(outcome, "code", "")) == (name, status, error.code)
    assert (handler.parts.breakers.away() == "controlplane") == (status == 503)


@pytest.mark.parametrize(
    ("error", "name", "why"),
    [
        (Overtaken("x", None), "duplicate", "running"),
        (AttemptStale("x"), "stale", ""),
        (LedgerUnreadable("x"), "dead_lettered", ""),
        (BlobUnavailable("x"), "not_recorded", ""),
    ],
)
def test_a_claim_that_fails_has_an_ending_too(world: World, error: Exception, name: str, why: str) -> None:
    def act() -> out.Outcome:
        raise error

    outcome = world.handler()._guarded(job_id(1), act)
    assert (outcome.name, getattr(outcome, "why", "")) == (name, why)


def test_a_new_message_waits_while_the_bucket_is_away_and_later_ones_try(world: World) -> None:
    handler = world.handler()
    for _ in range(3):
        handler.parts.breakers.failed("bucket", "bucket_unavailable")
    outcome = handler.job(a_delivery(an_event()))
    assert (outcome.name, outcome.http_status, world.blobs.names("jobs/")) == ("waiting", 503, [])


def test_progress_that_nobody_hears_stops_no_work(world: World, lines: Lines) -> None:
    world.plane.fault = failing_calls("progress running", ControlPlaneUnavailable("503"), times=2)
    assert world.handler().job(a_delivery(an_event())) == out.Done(job_id(1), result="completed")
    heard = [fields for text, fields in lines.seen if text == "progress not reported"]
    assert [(each["job_id"], each["code"]) for each in heard] == [(job_id(1), "controlplane_unavailable")] * 2


def test_a_retry_that_nobody_hears_is_recorded_all_the_same(world: World, lines: Lines) -> None:
    world.plane.fault = failing_calls("progress retrying", ControlPlaneUnavailable("503"))
    broken = {"index": FakeStage("index", raising(ToolFailed("exit 1")))}
    outcome = world.handler(stages=broken).job(a_delivery(an_event()))
    assert (outcome.name, world.ledger()["state"]) == ("retry_recorded", "RETRYING")
    assert "progress not reported" in {text for text, _ in lines.seen}
