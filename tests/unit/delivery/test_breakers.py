"""What a process knows of services that all jobs share: pauses after failures, what is logged, and when it forgets."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from consumer.breakers import AWAY, BACK, FIRST_PAUSE_S, FORGET_S, LONGEST_PAUSE_S, NEW_PAUSE_S, Breakers
from consumer.errors import BlobUnavailable, ModelUnavailable, ToolFailed
from consumer.storage.memory import FakeClock
from service import telemetry
from tests.fixtures_telemetry import Metrics
from tests.tables import table

Lines = list[tuple[str, int, dict[str, Any]]]
#: Fractions of a second on both sides of a bound.
BIT_S = 0.25


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> Lines:
    lines: Lines = []

    def log(message: str, *, level: int = logging.INFO, **fields: Any) -> None:
        lines.append((message, level, fields))

    monkeypatch.setattr(telemetry, "log", log)
    return lines


def failed(times: int) -> tuple[Breakers, FakeClock]:
    """After so many failures of the bucket in a row, each at the end of the pause before."""
    clock = FakeClock()
    breakers = Breakers(clock)
    for number in range(times):
        clock.advance(min(FIRST_PAUSE_S * 2 ** max(number - 1, 0), LONGEST_PAUSE_S) if number else 0)
        breakers.failed("bucket", "bucket_unavailable")
    return breakers, clock


@table("failures, pause_s", [(1, 5), (2, 10), (3, 20), (4, 40), (5, 60), (6, 60), (30, 60)])
def test_the_pause_doubles_with_each_failure_up_to_a_minute(failures: int, pause_s: float) -> None:
    breakers, clock = failed(failures)
    clock.advance(pause_s - BIT_S)
    assert breakers.refuses("bucket") == "bucket"
    assert breakers.refuses("model", "issuer") is None
    assert breakers.refuses("model", "bucket") == "bucket"
    clock.advance(BIT_S)
    assert breakers.refuses("bucket") is None


def test_a_new_message_waits_for_two_seconds_after_the_last_failure_alone() -> None:
    breakers, clock = failed(5)
    clock.advance(NEW_PAUSE_S - BIT_S)
    assert breakers.refuses("bucket", new=True) == "bucket"
    clock.advance(BIT_S)
    assert breakers.refuses("bucket", new=True) is None
    assert breakers.refuses("bucket") == "bucket"
    assert Breakers(FakeClock()).refuses("bucket", new=True) is None


def test_a_failure_that_is_forgotten_begins_anew() -> None:
    breakers, clock = failed(3)
    clock.advance(FORGET_S - BIT_S)
    assert breakers.away() == "bucket"
    clock.advance(BIT_S)
    assert breakers.away() is None
    breakers.failed("bucket", "bucket_unavailable")
    clock.advance(FIRST_PAUSE_S)
    assert breakers.refuses("bucket") is None


def test_an_outage_is_logged_at_its_beginning_and_at_its_end(logged: Lines) -> None:
    breakers = Breakers(FakeClock())
    breakers.answered("bucket")
    assert logged == []
    breakers.failed("bucket", "bucket_unavailable")
    breakers.failed("bucket", "bucket_unavailable")
    assert logged == [(AWAY, logging.ERROR, {"dependency": "bucket", "code": "bucket_unavailable"})]
    breakers.answered("bucket", "model")
    breakers.answered("bucket")
    assert logged[1:] == [(BACK, logging.INFO, {"dependency": "bucket"})]
    assert (breakers.away(), breakers.refuses("bucket")) == (None, None)
    breakers.failed("bucket", "bucket_unavailable")
    assert [line[0] for line in logged] == [AWAY, BACK, AWAY]


def test_only_an_error_of_a_shared_service_counts() -> None:
    breakers = Breakers(FakeClock())
    breakers.note(ToolFailed("no JSON"))
    assert breakers.away() is None
    breakers.note(BlobUnavailable("no answer"))
    assert breakers.away() == "bucket"
    breakers.require_model()
    breakers.failed("model", "model_unavailable")
    with pytest.raises(ModelUnavailable):
        breakers.require_model()


def test_a_job_that_ended_well_proves_its_services_for_a_while() -> None:
    breakers, clock = failed(1)
    assert not breakers.proven_within("bucket", 60)
    breakers.proven("bucket")
    assert breakers.away() is None
    clock.advance(60 - BIT_S)
    assert breakers.proven_within("bucket", 60)
    assert not breakers.proven_within("model", 60)
    clock.advance(BIT_S)
    assert not breakers.proven_within("bucket", 60)


def test_each_failure_of_a_service_is_counted_and_no_other_error(metrics: Metrics) -> None:
    breakers = Breakers(FakeClock())
    breakers.failed("bucket", "blob_unavailable")
    breakers.note(ModelUnavailable("away"))
    breakers.note(ToolFailed("broke"))
    assert [(name, labels["dependency"]) for name, _, labels in metrics] == [
        ("dependency_failures", "bucket"),
        ("dependency_failures", "model"),
    ]
