"""Erase the memories of deleted accounts: of the users that an hourly tick names, one by one, within a time limit.

The control plane decides which step is due. An erasure is not a job of the user, so what stops jobs does not stop it.
A step is requested and reported under the user's lock. If the process dies in between, the next tick names the user
again, and every step is repeatable.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from consumer.erasure import late_writers, walks
from consumer.erasure.erase import erase, sweep_again
from consumer.erasure.suppressions import Suppressions
from consumer.errors import ConsumerError, LockBusy
from consumer.locking.exclusive import Exclusive, Hold
from consumer.ports import Clock, Deletions
from contract.api import ErasureOrder, ErasureReport
from service import telemetry

#: The purpose stored in the lock.
WHY: Final = "account deletion"


@dataclass(frozen=True, slots=True)
class Erasures:
    """``limit_s``: after this many seconds of a walk, no further user is started."""

    exclusive: Exclusive
    suppressions: Suppressions
    deletions: Deletions
    clock: Clock
    limit_s: float
    shutdown: threading.Event

    def walk(self, user_ids: Sequence[str]) -> int:
        """Do one step for each user and return how many were done and reported. One user's failure stops no other."""
        finished, unreached = 0, "erasures left for the next tick"
        for user_id in walks.in_time(user_ids, self.clock, self.limit_s, self.shutdown, unreached):
            result = self._step(user_id)
            telemetry.count("erasure_steps", result=result)
            finished += result == "done"
        return finished

    def _step(self, user_id: str) -> str:
        try:
            with self.exclusive.hold_to_erase(user_id, WHY) as hold:
                order = self.deletions.begin_erasure(user_id)
                report = self._report(order, hold)
                if report is None:
                    return "not_due"
                self.deletions.report_erasure(user_id, report)
        except LockBusy:
            telemetry.log("erasure waits for the user's lock", user_id=user_id, code=LockBusy.code)
            return "busy"
        except ConsumerError as exc:
            telemetry.log("erasure failed", user_id=user_id, code=exc.code, level=telemetry.ERROR)
            return "failed"
        telemetry.log("erasure step done", user_id=user_id, step=report.step, objects=sum(report.objects.values()))
        return "done"

    def _report(self, order: ErasureOrder, hold: Hold) -> ErasureReport | None:
        """Do the ordered step. None: no step is ordered, or the second sweep is not due yet."""
        store, user_id = self.exclusive.store, order.user_id
        if order.step is None:
            telemetry.log("erasure not due any more", user_id=user_id)
            return None
        if order.step == "erase":
            erased = erase(
                store.of(user_id),
                order.reason,
                hold,
                order.job_ids,
                suppressions=self.suppressions,
                seq_floor=order.seq_floor,
            )
            return ErasureReport(step="erase", epoch=erased.epoch, objects=dict(erased.removed.objects))
        # A late message may have created a ledger again before it found its job settled.
        ledgers = late_writers.delete_jobs(store.of(user_id), order.job_ids, hold)
        swept = sweep_again(store.of(user_id), hold)
        if not swept.complete:
            return None
        removed = ledgers.plus(swept.removed)
        return ErasureReport(step=order.step, epoch=swept.epoch, objects=dict(removed.objects))
