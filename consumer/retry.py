"""Repeating a call to another service: one budget per kind of call, and no second layer of repeats above it.

Below these budgets only a job's own recorded retry repeats anything (``retry_delays`` in manifests/limits.yaml), so the
number of requests that a dead service gets is the number in this table. docs/delivery.md shows it with the reasons.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, stop_before_delay
from tenacity.wait import wait_random_exponential

from consumer.errors import Retryable
from consumer.ports import Clock

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Budget:
    """At most ``tries`` requests; none begins later than ``within_s`` seconds after the first.

    Pauses grow from ``first_pause_s`` to ``longest_pause_s``, with jitter. A pause that the service asks for
    (Retry-After) is kept up to ``longest_asked_s``.
    """

    tries: int
    within_s: float
    first_pause_s: float = 0.1
    longest_pause_s: float = 4.0
    longest_asked_s: float = 5.0


#: Reads and listings of the bucket. Under the lock's margin (30 s), so that a renewal still fits.
BLOB_READ: Final = Budget(tries=5, within_s=20.0, longest_asked_s=20.0)
#: Writes that are safe to repeat: conditional ones that recognise themselves, and objects named by their digest.
BLOB_WRITE: Final = Budget(tries=5, within_s=60.0)
#: Calls of the control plane's contract, all idempotent.
CONTROL_PLANE: Final = Budget(tries=3, within_s=120.0, first_pause_s=0.5)


def repeated(act: Callable[[], T], budget: Budget, clock: Clock, passing: Callable[[BaseException], bool]) -> T:
    """``act()``, again within the budget after errors that ``passing`` says may pass by themselves.

    Raises the last error.
    """
    # A call that succeeds at once, as nearly all do, need not pay for the machinery of those that do not.
    began = clock.monotonic()
    try:
        return act()
    except Exception as exc:
        if not passing(exc):
            raise
        left_s = budget.within_s - (clock.monotonic() - began)
        retrying = Retrying(
            retry=retry_if_exception(passing),
            stop=stop_after_attempt(budget.tries) | stop_before_delay(left_s),
            wait=lambda state: _pause_s(state, budget),
            sleep=clock.sleep,
            reraise=True,
        )
        return retrying(_failed_first(exc, act))


def _failed_first(error: Exception, act: Callable[[], T]) -> Callable[[], T]:
    """``act``, whose first try is over already and raised ``error``."""
    first = [error]

    def again() -> T:
        if first:
            raise first.pop()
        return act()

    return again


def _pause_s(state: RetryCallState, budget: Budget) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked_s = error.retry_after_s if isinstance(error, Retryable) else None
    if asked_s:
        return min(asked_s, budget.longest_asked_s)
    grown: float = wait_random_exponential(multiplier=budget.first_pause_s, max=budget.longest_pause_s)(state)
    return grown
