"""The daily round over the users that a tick names: one after the other, within a time limit.

No error here fails the tick: a skipped user is verified on a later day.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from consumer.erasure import late_writers, walks
from consumer.errors import ConsumerError, LockBusy
from consumer.locking.exclusive import Exclusive
from consumer.maintenance.maintenance import maintain
from consumer.ports import Clock
from service import telemetry


@dataclass(frozen=True, slots=True)
class Rounds:
    """``limit_s``: after this many seconds of a round, no further user is started."""

    exclusive: Exclusive
    clock: Clock
    limit_s: float
    shutdown: threading.Event

    def walk(self, user_ids: Sequence[str]) -> int:
        """Verify these users' histories and return the number of users tried. Repeatable."""
        tried, unreached = 0, "verification left for another day"
        for user_id in walks.in_time(user_ids, self.clock, self.limit_s, self.shutdown, unreached):
            telemetry.count("histories_verified", result=self._verify(user_id))
            tried += 1
        return tried

    def sweep_late(self) -> int:
        """Run the second sweeps of purges and erasures that are due, and return how many finished."""
        started_s, finished = self.clock.monotonic(), 0
        try:
            for owed_sweep in late_writers.owed(self.exclusive.store.bucket):
                if self.shutdown.is_set() or self.clock.monotonic() - started_s >= self.limit_s:
                    telemetry.log("second sweeps left for the next tick")
                    break
                finished += self._swept(owed_sweep.user_id)
        except ConsumerError as exc:
            telemetry.log("second sweeps not looked for", code=exc.code, level=telemetry.ERROR)
        return finished

    def _swept(self, user_id: str) -> bool:
        try:
            with self.exclusive.hold(user_id, "second sweep") as hold:
                swept = late_writers.sweep(self.exclusive.store.of(user_id), hold)
        except LockBusy:
            return False
        except ConsumerError as exc:
            telemetry.log("late writers not swept", user_id=user_id, code=exc.code, level=telemetry.ERROR)
            return False
        removed = swept.removed
        telemetry.log("late writers swept", user_id=user_id, objects=removed.count, bytes=removed.bytes)
        return swept.due is None

    def _verify(self, user_id: str) -> str:
        try:
            result = maintain(self.exclusive, user_id)
        except LockBusy:
            telemetry.log("history not verified", user_id=user_id, code=LockBusy.code)
            return "busy"
        except ConsumerError as exc:
            telemetry.log("history not verified", user_id=user_id, code=exc.code, level=telemetry.ERROR)
            return "unavailable"
        if result.frozen:
            # HEAD records the full message, which may name a page; a log must not name pages.
            invariants = sorted(result.report.broken())
            telemetry.log(
                "history does not verify: frozen", user_id=user_id, invariants=invariants, level=telemetry.CRITICAL
            )
            return "frozen"
        if result.damaged:
            invariants = sorted(result.report.broken())
            telemetry.log(
                "older commits are damaged; HEAD is whole",
                user_id=user_id,
                invariants=invariants,
                level=telemetry.ERROR,
            )
            return "damaged"
        telemetry.log("history verified", user_id=user_id, commits=result.report.seq, deleted=result.deleted_objects)
        return "sound"
