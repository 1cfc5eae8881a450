"""A job that finds the model provider full comes back later, however often, and has not failed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from consumer.breakers import Breakers
from consumer.delivery import outcome as out
from consumer.delivery.resolving import PROVIDER_DELAY_S
from consumer.errors import ConsumerError, ModelUnavailable, ProviderBusy
from tests.spine import FakeStage, World, a_delivery, an_event, raising


def test_a_full_provider_delays_a_job_and_never_fails_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.plane.add(an_event())
    full = {"synthesize": FakeStage("synthesize", raising(ProviderBusy("all 2 slots are taken")))}
    for _ in range(8):
        outcome = world.handler(stages=full).job(a_delivery(an_event()))
        assert isinstance(outcome, out.RetryRecorded)
        assert outcome.retry_at == world.clock.now() + timedelta(seconds=PROVIDER_DELAY_S)
        assert (world.ledger()["state"], world.ledger()["failures"]) == ("RETRYING", 0)
        assert world.lock()["state"] == "free"
        world.clock.advance(PROVIDER_DELAY_S)
    assert isinstance(world.handler().job(a_delivery(an_event())), out.Done)
    assert world.dead_letters() == []


@pytest.mark.parametrize(
    ("error", "refused"), [(ModelUnavailable("the model answered 503"), "model"), (ProviderBusy("all taken"), None)]
)
def test_a_job_that_waits_tells_other_jobs_what_is_away_but_not_what_is_full(
    tmp_path: Path, error: ConsumerError, refused: str | None
) -> None:
    world = World(tmp_path)
    world.plane.add(an_event())
    breakers = Breakers(world.clock)
    stages = {"synthesize": FakeStage("synthesize", raising(error))}
    assert isinstance(world.handler(stages=stages, breakers=breakers).job(a_delivery(an_event())), out.RetryRecorded)
    assert breakers.refuses("model") == refused
