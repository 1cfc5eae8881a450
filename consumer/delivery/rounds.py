"""The daily round over the users that a tick names: one after the other, each for itself, within a time.

Nothing here fails the tick: who could not be looked at today comes up again in the rotation.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from consumer.erasure import late_writers
from consumer.errors import ConsumerError, LockBusy
from consumer.locking.exclusive import Exclusive
from consumer.maintenance.maintenance import maintain
from consumer.ports import Clock
from service import telemetry


@dataclass(frozen=True, slots=True)
class Rounds:
    """``limit_s``: no user is begun after that much of the round."""

    exclusive: Exclusive
    clock: Clock
    limit_s: float
    shutdown: threading.Event

    def walk(self, user_ids: Sequence[str]) -> int:
        """Verify these users' histories; how many were looked at. Repeatable."""
        began = self.clock.monotonic()
        for number, user_id in enumerate(user_ids):
            if self.shutdown.is_set() or self.clock.monotonic() - began >= self.limit_s:
                telemetry.log("verification left for another day", users=len(user_ids) - number)
                return number
            result = self._one(user_id)
            telemetry.count("histories_verified", result=result)
        return len(user_ids)

    def sweep_late(self) -> int:
        """The second sweeps that purges and erasures are owed, as far as their time has come; how many were done."""
        began, done = self.clock.monotonic(), 0
        try:
            for note in late_writers.owed(self.exclusive.store.bucket):
                if self.shutdown.is_set() or self.clock.monotonic() - began >= self.limit_s:
                    telemetry.log("second sweeps left for the next tick")
                    break
                done += self._swept(note.user_id)
        except ConsumerError as exc:
            telemetry.log("second sweeps not looked for", code=exc.code, level=40)
        return done

    def _swept(self, user_id: str) -> bool:
        try:
            with self.exclusive.hold(user_id, "second sweep") as hold:
                swept = late_writers.sweep(self.exclusive.store, user_id, hold)
        except LockBusy:
            return False
        except ConsumerError as exc:
            telemetry.log("late writers not swept", user_id=user_id, code=exc.code, level=40)
            return False
        removed = swept.removed
        telemetry.log("late writers swept", user_id=user_id, objects=removed.count, bytes=removed.bytes)
        return swept.due is None

    def _one(self, user_id: str) -> str:
        try:
            done = maintain(self.exclusive, user_id)
        except LockBusy:
            telemetry.log("history not verified", user_id=user_id, code=LockBusy.code)
            return "busy"
        except ConsumerError as exc:
            telemetry.log("history not verified", user_id=user_id, code=exc.code, level=40)
            return "unavailable"
        if done.frozen:
            # HEAD has the whole sentence, which may name a page; a log may not.
            broken = sorted(done.report.broken())
            telemetry.log("history does not verify: frozen", user_id=user_id, invariants=broken, level=50)
            return "frozen"
        if done.damaged:
            broken = sorted(done.report.broken())
            telemetry.log("older commits are damaged; HEAD is whole", user_id=user_id, invariants=broken, level=40)
            return "damaged"
        telemetry.log("history verified", user_id=user_id, commits=done.report.seq, deleted=done.deleted_objects)
        return "sound"
