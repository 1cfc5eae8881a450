"""How long a failing push subscription waits."""

from __future__ import annotations

from local.pubsub.push import Backoff


class Clock:
    at = 100.0

    def __call__(self) -> float:
        return self.at


def test_failures_in_a_row_double_the_wait_up_to_the_cap() -> None:
    clock = Clock()
    backoff = Backoff(clock, cap_s=1.0)
    waits = []
    for _ in range(6):
        backoff.failed()
        waits.append(round(backoff.wait_s(), 6))
        clock.at += backoff.wait_s()
    assert waits == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


def test_failures_of_one_burst_count_once() -> None:
    backoff = Backoff(Clock())
    for _ in range(50):
        backoff.failed()
    assert round(backoff.wait_s(), 6) == 0.1


def test_a_success_ends_the_wait() -> None:
    clock = Clock()
    backoff = Backoff(clock)
    backoff.failed()
    clock.at += 1
    backoff.failed()
    backoff.succeeded()
    assert backoff.wait_s() == 0
    backoff.failed()
    assert round(backoff.wait_s(), 6) == 0.1
