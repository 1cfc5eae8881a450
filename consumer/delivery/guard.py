"""Whether a run may go on, from lock, control plane, deadline and shutdown; and the threads that renew and report."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Final

from consumer.delivery.ledgers import LedgerClaim
from consumer.errors import AttemptStale, BudgetExceeded, ConsumerError, LockLost, Retryable, ShuttingDown, Superseded
from consumer.locking.lock import Lock
from consumer.ports import Clock
from service import telemetry

#: How long the end of a run waits for a renewal or heartbeat in progress.
JOIN_S: Final = 3.0


class RunGuard:
    """The Guard of one run. Only the first reason to stop counts."""

    def __init__(self, clock: Clock, budget_s: float, shutdown: threading.Event) -> None:
        self._clock = clock
        self._deadline = clock.monotonic() + budget_s
        self._budget_s = budget_s
        self._shutdown = shutdown
        self._lock: Lock | None = None
        self._reason: ConsumerError | None = None

    def attach(self, lock: Lock) -> None:
        """From now on the run may go on only while it holds this lock."""
        self._lock = lock

    def stop(self, reason: ConsumerError) -> None:
        """The next check raises this. Called from any thread."""
        self._reason = self._reason or reason

    def check(self) -> None:
        if self._reason:
            raise self._reason
        if self._shutdown.is_set():
            raise ShuttingDown("the instance is shutting down")
        if self._lock:
            self._lock.check()
        if self.time_left() <= 0:
            raise BudgetExceeded(f"the run's {self._budget_s:.0f} s are over")

    def time_left(self) -> float:
        return max(0.0, self._deadline - self._clock.monotonic())


class Renewer:
    """Renews ledger and lock every ``every_s`` seconds in one thread and sends heartbeats in another, so that a slow
    control plane cannot cost the lock. Tests call ``renew`` and ``heartbeat`` instead of starting the threads.
    """

    def __init__(self, claim: LedgerClaim, guard: RunGuard, *, renew_every_s: float, heartbeat_every_s: float) -> None:
        self._claim = claim
        self._guard = guard
        self._lock: Lock | None = None
        self._heartbeat: Callable[[], None] | None = None
        self._watch: Callable[[], None] | None = None
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._every, args=(renew_every_s, self.renew), name="renew", daemon=True),
            threading.Thread(
                target=self._every, args=(heartbeat_every_s, self.heartbeat), name="heartbeat", daemon=True
            ),
        ]

    def attach(self, lock: Lock) -> None:
        self._lock = lock
        self._guard.attach(lock)

    def report(self, heartbeat: Callable[[], None]) -> None:
        """Call ``heartbeat`` at every heartbeat from now on."""
        self._heartbeat = heartbeat

    def watch(self, look: Callable[[], None]) -> None:
        """Call ``look`` at every renewal from now on; what it raises stops the run, unless it is retryable."""
        self._watch = look

    def renew(self) -> None:
        """Renew once. A lost ledger or lock stops the run; a failed call is tried again at the next renewal."""
        lock, watch = [self._lock.renew] if self._lock else [], [self._watch] if self._watch else []
        for renewal in [self._claim.renew, *lock, *watch]:
            try:
                renewal()
            except (AttemptStale, LockLost, Superseded) as exc:
                self._guard.stop(exc)
            except Retryable as exc:
                telemetry.log("renewal failed", job_id=self._claim.ledger.job_id, code=exc.code)

    def heartbeat(self) -> None:
        """Send one heartbeat. A cancelled job or stale attempt stops the run; an unreachable control plane does not."""
        if self._heartbeat is None:
            return
        try:
            self._heartbeat()
        except Retryable as exc:
            telemetry.log("heartbeat failed", job_id=self._claim.ledger.job_id, code=exc.code)
        except ConsumerError as exc:
            self._guard.stop(exc)

    def __enter__(self) -> Renewer:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        for thread in self._threads:
            # A hanging call must not delay the release of the lock. When it returns, it finds the ledger settled.
            thread.join(JOIN_S)

    def _every(self, seconds: float, act: Callable[[], None]) -> None:
        while not self._stopped.wait(seconds):
            act()
