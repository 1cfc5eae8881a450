"""What a delivery and a tick count and measure, as docs/operations.md lists it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from consumer.delivery.envelope import Delivery
from consumer.delivery.resolving import ALARM_INTERRUPTIONS
from consumer.delivery.ticks import Ticks
from consumer.errors import CancelRequested, LockLost, TemplateUnknown
from consumer.storage.memory import FakeClock
from contract.api import TickResponse, Usefulness
from contract.event import TickEvent
from tests.fixtures_telemetry import Metrics
from tests.spine import REQUESTED, FakeControlPlane, FakeStage, World, a_delivery, an_event, raising

#: Of the one job type that these tests run.
DIGEST = {"job_type": "hourly_digest"}


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.plane.add(an_event())
    world.plane.add(an_event(2))
    return world


def named(metrics: Metrics, *names: str) -> Metrics:
    return [metric for metric in metrics if metric[0] in names]


def test_a_job_measures_its_wait_and_its_stages_and_counts_lock_citations_and_outcome(
    world: World, metrics: Metrics
) -> None:
    age_s = (world.clock.now() - REQUESTED).total_seconds()
    world.handler().job(a_delivery(an_event()))
    assert metrics[0] == ("queue_age", age_s, DIGEST)
    stages = [labels["stage"] for _, _, labels in named(metrics, "stage_duration")]
    assert stages == ["hydrate", "export", "render", "index", "synthesize", "report", "persist"]
    assert named(metrics, "locks", "lock_wait", "outcomes", "dead_letters") == [
        ("locks", 1, {"clean": "False"}),
        ("outcomes", 1, {"outcome": "done"}),
    ]
    assert [labels for _, _, labels in named(metrics, "citations")] == [
        {"result": "resolved", **DIGEST},
        {"result": "refused", **DIGEST},
    ]
    metrics.clear()
    world.handler().job(a_delivery(an_event(2)))
    assert named(metrics, "locks") == [("locks", 1, {"clean": "True"})], "its holder had released it"


def test_a_message_of_a_clock_that_is_ahead_waited_for_no_time(world: World, metrics: Metrics) -> None:
    event = an_event()
    later = world.clock.now() + timedelta(seconds=5)
    world.handler().job(Delivery("1", event.encode(), event.attributes(), publish_time=later))
    assert named(metrics, "queue_age") == [("queue_age", 0.0, DIGEST)]


def test_a_job_and_a_message_that_cannot_succeed_are_counted_once_each(world: World, metrics: Metrics) -> None:
    stages = {"hydrate": FakeStage("hydrate", raising(TemplateUnknown("no such template")))}
    world.handler(stages=stages).job(a_delivery(an_event()))
    world.handler().job(Delivery("9", b"{}", {}, publish_time=REQUESTED))
    world.handler().dead_letter(Delivery("10", b"{}", {}, publish_time=REQUESTED))
    counted = [labels["code"] for _, _, labels in named(metrics, "dead_letters")]
    assert counted == ["template_unknown", "malformed_message", "delivery_exhausted"]
    assert len(world.dead_letters()) == 3
    metrics.clear()
    world.handler().dead_letter(a_delivery(an_event(2)))
    assert [name for name, _, _ in metrics] == ["exhausted_messages", "outcomes"], "the sweep brings it back"


def test_interruptions_without_progress_are_counted_from_the_alarm_on(world: World, metrics: Metrics) -> None:
    stages = {"synthesize": FakeStage("synthesize", raising(LockLost("taken over")))}
    for _ in range(ALARM_INTERRUPTIONS + 2):
        world.handler(stages=stages).job(a_delivery(an_event()))
        world.clock.advance(600)
    assert named(metrics, "interruption_alarms") == [("interruption_alarms", 1, {})] * 2


def test_a_cancelled_job_makes_no_dead_letter(world: World, metrics: Metrics) -> None:
    stages = {"hydrate": FakeStage("hydrate", raising(CancelRequested("stop")))}
    world.handler(stages=stages).job(a_delivery(an_event()))
    assert named(metrics, "dead_letters") == []


def test_a_tick_tells_pauses_usefulness_and_a_comparison_that_is_not_reliable(metrics: Metrics) -> None:
    plane = FakeControlPlane(FakeClock())
    replies: tuple[tuple[str, TickResponse, Metrics], ...] = (
        ("sweep", TickResponse(pauses=2, withheld=7), [("queue_pauses", 2, {}), ("withheld_jobs", 7, {})]),
        ("sweep", TickResponse(), [("queue_pauses", 0, {}), ("withheld_jobs", 0, {})]),
        (
            "daily",
            TickResponse(usefulness=Usefulness(marks=5, useful=3), reconciliation_alarm="too many"),
            [("reconciliation_alarms", 1, {}), ("marked_claims", 5, {}), ("useful_claims", 3, {})],
        ),
        ("daily", TickResponse(), []),
    )
    for kind, reply, counted in replies:
        metrics.clear()
        plane.pages = [reply]
        Ticks(plane).plan(TickEvent.model_validate({"kind": kind}), datetime(2026, 11, 27, 3, tzinfo=UTC), "t")
        assert metrics == counted
