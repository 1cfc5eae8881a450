"""What this process knows about the services that all jobs share: which of them are away.

A service that is away fails every job that needs it. Such a failure is not the job's, so it counts as nothing, and
while it lasts no other job of this process tries the same service. docs/delivery.md, "A shared service is away".
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Final, get_args

from consumer.errors import ConsumerError, Dependency, ModelUnavailable
from consumer.ports import Clock
from service import telemetry

#: Without these three, nothing can be recorded where the next delivery or the publisher would find it.
RECORDING: Final[tuple[Dependency, ...]] = ("bucket", "controlplane", "issuer")
#: After a failure nobody tries for so long; doubled with each failure in a row, up to the longest.
FIRST_PAUSE_S: Final = 5.0
LONGEST_PAUSE_S: Final = 60.0
#: The pause for a message that was not refused before: a job that begins after an outage must not wait for the pause
#: that those before it have earned.
NEW_PAUSE_S: Final = 2.0
#: A failure that old says nothing about now, if nobody has tried since.
FORGET_S: Final = 600.0
#: The log lines of an alert and of its end.
AWAY: Final = "shared service is away"
BACK: Final = "shared service is back"


@dataclass(slots=True)
class _State:
    """Times in seconds of the monotonic clock; None: not yet."""

    failures: int = 0
    failed_at: float | None = None
    open_until: float = 0.0
    #: A job needed the service and ended well.
    proven_at: float | None = None


@dataclass(slots=True)
class Breakers:
    """Thread-safe: pushes and runs share them."""

    clock: Clock
    _states: dict[Dependency, _State] = field(default_factory=lambda: {name: _State() for name in get_args(Dependency)})
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def failed(self, name: Dependency, code: str) -> None:
        """A call failed, with all its repeats."""
        telemetry.count("dependency_failures", dependency=name)
        now = self.clock.monotonic()
        with self._lock:
            state = self._states[name]
            began = not self._is_away(state, now)
            state.failures = 1 if began else state.failures + 1
            state.failed_at = now
            state.open_until = now + min(FIRST_PAUSE_S * 2 ** (state.failures - 1), LONGEST_PAUSE_S)
        if began:
            telemetry.log(AWAY, dependency=name, code=code, level=telemetry.ERROR)

    def note(self, error: ConsumerError) -> None:
        """``failed`` for the service that this error is about; other errors say nothing."""
        if error.dependency:
            self.failed(error.dependency, error.code)

    def answered(self, *names: Dependency) -> None:
        """These services have answered, so others may try them."""
        with self._lock:
            back = [name for name in names if self._states[name].failed_at is not None]
            for name in back:
                state = self._states[name]
                state.failures, state.failed_at, state.open_until = 0, None, 0.0
        for name in back:
            telemetry.log(BACK, dependency=name)

    def proven(self, *names: Dependency) -> None:
        """A job that needed these services has ended well."""
        self.answered(*names)
        now = self.clock.monotonic()
        with self._lock:
            for name in names:
                self._states[name].proven_at = now

    def refuses(self, *names: Dependency, new: bool = False) -> Dependency | None:
        """The first of these services that must not be tried now; None: all may be. ``new``: see NEW_PAUSE_S."""
        now = self.clock.monotonic()
        with self._lock:
            return next((name for name in names if now < self._closed_at(self._states[name], new)), None)

    def require_model(self) -> None:
        """Raises ModelUnavailable while the model must not be tried."""
        if self.refuses("model"):
            raise ModelUnavailable("the model was away a moment ago")

    def away(self) -> Dependency | None:
        """A service whose last call failed, or None. Unlike ``refuses``, also between two tries."""
        now = self.clock.monotonic()
        with self._lock:
            return next((name for name, state in self._states.items() if self._is_away(state, now)), None)

    def proven_within(self, name: Dependency, seconds: float) -> bool:
        """Whether another job needed the service and ended well within the last ``seconds``."""
        now = self.clock.monotonic()
        with self._lock:
            proven_at = self._states[name].proven_at
        return proven_at is not None and now - proven_at < seconds

    def _closed_at(self, state: _State, new: bool) -> float:
        if new and state.failed_at is not None:
            return min(state.open_until, state.failed_at + NEW_PAUSE_S)
        return state.open_until

    def _is_away(self, state: _State, now: float) -> bool:
        return state.failed_at is not None and now - state.failed_at < FORGET_S
