"""One budget a call: how often, how long, and which errors are worth another request."""

from __future__ import annotations

import pytest

from consumer import retry
from consumer.errors import BlobUnavailable, passing
from consumer.storage.memory import FakeClock

BUDGET = retry.Budget(tries=3, within_s=60.0, first_pause_s=1.0, longest_pause_s=4.0, longest_requested_s=5.0)


class Service:
    """Raises the given errors in order, then answers; counts the requests."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.requests = 0

    def __call__(self) -> int:
        self.requests += 1
        if self.errors:
            raise self.errors.pop(0)
        return self.requests


def refused(retry_after_s: float | None = None) -> BlobUnavailable:
    return BlobUnavailable("503", retry_after_s=retry_after_s, passing=True)


def test_an_answer_ends_the_repeats() -> None:
    clock = FakeClock()
    assert retry.repeated(Service(), BUDGET, clock, passing) == 1
    assert clock.slept == []
    assert retry.repeated(Service(refused(), refused()), BUDGET, clock, passing) == 3


def test_the_last_error_is_raised_when_the_tries_are_spent() -> None:
    errors = [refused() for _ in range(9)]
    service = Service(*errors)
    with pytest.raises(BlobUnavailable) as caught:
        retry.repeated(service, BUDGET, FakeClock(), passing)
    assert service.requests == BUDGET.tries
    assert caught.value is errors[2]


def test_an_error_that_will_not_pass_is_raised_at_once() -> None:
    service = Service(BlobUnavailable("403"))
    with pytest.raises(BlobUnavailable):
        retry.repeated(service, BUDGET, FakeClock(), passing)
    assert service.requests == 1
    with pytest.raises(ValueError, match="a bug"):
        retry.repeated(Service(refused(), ValueError("a bug")), BUDGET, FakeClock(), passing)


def test_a_pause_that_is_asked_for_is_kept_up_to_the_longest() -> None:
    clock = FakeClock()
    retry.repeated(Service(refused(2.0), refused(900.0)), BUDGET, clock, passing)
    # In pieces, so that a process that must end does not sleep on.
    assert clock.slept == [2.0, 2.0, 2.0, 1.0]


def test_pauses_grow_within_their_bounds() -> None:
    clock = FakeClock()
    retry.repeated(Service(refused(), refused()), BUDGET, clock, passing)
    assert len(clock.slept) == 2
    assert all(0 <= pause <= BUDGET.longest_pause_s for pause in clock.slept)


def test_a_first_call_that_took_the_whole_time_is_the_only_one() -> None:
    clock = FakeClock()
    service = Service(refused())

    def slow() -> int:
        clock.advance(BUDGET.within_s + 1)
        return service()

    with pytest.raises(BlobUnavailable):
        retry.repeated(slow, BUDGET, clock, passing)
    assert service.requests == 1
