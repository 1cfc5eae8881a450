"""Repeat calls to other services: one budget per kind of call, and no second layer of repeats above it.

Besides these budgets, only a job's recorded retry repeats calls (``retry_delays`` in manifests/limits.yaml), so this
table bounds the requests to a dead service. docs/delivery.md shows it with the reasons.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, stop_before_delay
from tenacity.wait import wait_random_exponential

from consumer.errors import Retryable, ShuttingDown
from consumer.ports import Clock

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Budget:
    """At most ``tries`` requests; none starts later than ``within_s`` seconds after the first.

    Pauses grow from ``first_pause_s`` to ``longest_pause_s``, with jitter. A pause that the service requests
    (Retry-After) is kept up to ``longest_requested_s``.
    """

    tries: int
    within_s: float
    first_pause_s: float = 0.1
    longest_pause_s: float = 4.0
    longest_requested_s: float = 5.0


#: Reads and listings of the bucket. Under the lock's margin (30 s), so that a renewal still fits.
BLOB_READ: Final = Budget(tries=5, within_s=20.0, longest_requested_s=20.0)
#: Writes that are safe to repeat: conditional writes that recognise their own, and objects named by their digest.
BLOB_WRITE: Final = Budget(tries=5, within_s=60.0)
#: Calls of the control plane's contract, all idempotent.
CONTROL_PLANE: Final = Budget(tries=3, within_s=120.0, first_pause_s=0.5)


#: A pause looks so often whether the process is stopping.
SLICE_S: Final = 2.0


def repeated(
    act: Callable[[], T],
    budget: Budget,
    clock: Clock,
    passing: Callable[[BaseException], bool],
    shutdown: threading.Event | None = None,
) -> T:
    """Call ``act()``, and repeat it within the budget after errors that ``passing`` classifies as transient.

    Raises the last error; ShuttingDown if a pause would go on after ``shutdown`` is set.
    """
    # Nearly all calls succeed at once, so they skip the setup of tenacity.
    started_s = clock.monotonic()
    try:
        return act()
    except Exception as exc:
        if not passing(exc):
            raise
        left_s = budget.within_s - (clock.monotonic() - started_s)
        retrying = Retrying(
            retry=retry_if_exception(passing),
            stop=stop_after_attempt(budget.tries) | stop_before_delay(left_s),
            wait=lambda state: _pause_s(state, budget),
            sleep=lambda seconds: _sleep(seconds, clock, shutdown),
            reraise=True,
        )
        return retrying(_failed_first(exc, act))


def _sleep(seconds: float, clock: Clock, shutdown: threading.Event | None) -> None:
    while seconds > 0:
        if shutdown is not None and shutdown.is_set():
            raise ShuttingDown("the instance is shutting down, and a call to another service is to be repeated")
        clock.sleep(min(seconds, SLICE_S))
        seconds -= SLICE_S


def _failed_first(error: Exception, act: Callable[[], T]) -> Callable[[], T]:
    """``act``, but its first call raises ``error``, which stands for the first try."""
    errors = [error]

    def call() -> T:
        if errors:
            raise errors.pop()
        return act()

    return call


def _pause_s(state: RetryCallState, budget: Budget) -> float:
    error = state.outcome.exception() if state.outcome else None
    requested_s = error.retry_after_s if isinstance(error, Retryable) else None
    if requested_s:
        return min(requested_s, budget.longest_requested_s)
    pause_s: float = wait_random_exponential(multiplier=budget.first_pause_s, max=budget.longest_pause_s)(state)
    return pause_s
