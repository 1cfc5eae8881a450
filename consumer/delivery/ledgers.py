"""Claims on jobs: the ledger's conditional writes. consumer.delivery.ledger decides what to write."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from consumer import paths
from consumer.delivery import ledger as core
from consumer.delivery.ledger import Ledger, NewClaim, StageMark, StoredLedger
from consumer.errors import AttemptStale
from consumer.ports import Clock
from consumer.storage.conditional import ConditionalWriter, Held, Overtaken
from contract.event import StageName

#: An execution competes at most with the dispatcher's note and with other executions of the same launch.
ADOPT_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Ledgers:
    """All ledgers of the bucket. ``ids`` gives a fresh random id at each call."""

    writer: ConditionalWriter
    clock: Clock
    ids: Callable[[], str]

    def find(self, job_id: str) -> StoredLedger | None:
        """Raises LedgerUnreadable, BlobUnavailable."""
        blob = self.writer.read(paths.ledger(job_id))
        if blob is None:
            return None
        return StoredLedger(
            core.decode(job_id, blob.data), blob.stat.generation, blob.stat.updated, blob.stat.server_time
        )

    def create(self, claim: NewClaim) -> LedgerClaim:
        """The first claim of a job. Raises Overtaken, BlobUnavailable."""
        return self._write(core.first_ledger(claim.event.job_id, claim), 0)

    def take(self, stored: StoredLedger, claim: NewClaim) -> LedgerClaim:
        """Claim an existing ledger: the next attempt, a new owner. Raises Overtaken, BlobUnavailable."""
        return self.replace(stored, stored.ledger.claimed(claim))

    def replace(self, stored: StoredLedger, ledger: Ledger) -> LedgerClaim:
        """Write ``ledger`` over exactly the stored version. Raises Overtaken, BlobUnavailable."""
        return self._write(ledger, stored.generation)

    def adopt(self, job_id: str, attempt: int) -> LedgerClaim | None:
        """An execution's claim: QUEUED of this attempt -> RUNNING, same owner. None: another execution has claimed it.

        Raises LedgerUnreadable, BlobUnavailable.
        """
        for _ in range(ADOPT_TRIES):
            stored = self.find(job_id)
            if stored is None or stored.ledger.state != "QUEUED" or stored.ledger.attempt != attempt:
                return None
            try:
                return self.replace(stored, stored.ledger.started())
            except Overtaken:
                # Overtaken by another execution, or by the dispatcher noting this one's name: read again.
                continue
        return None

    def _write(self, ledger: Ledger, if_generation: int) -> LedgerClaim:
        ledger = ledger.written_as(self.ids())
        name = paths.ledger(ledger.job_id)
        stat = self.writer.put(
            name,
            ledger.encode(),
            if_generation=if_generation,
            is_mine=lambda data: core.put_id(ledger.job_id, data) == ledger.put_id,
        )
        return LedgerClaim(self, ledger, Held(self.writer, stat, lambda data: core.put_id(ledger.job_id, data)))


class LedgerClaim:
    """This process's claim on one ledger. Thread-safe: the renewing thread and the run share it.

    Stage marks wait for the next write: GCS accepts about one write per second and object.
    """

    def __init__(self, ledgers: Ledgers, ledger: Ledger, held_object: Held) -> None:
        self._ledgers = ledgers
        self._ledger = ledger
        self._object = held_object
        self._lock = threading.Lock()
        self._overtaken = False
        self._seen_at = ledgers.clock.monotonic()

    @property
    def ledger(self) -> Ledger:
        return self._ledger

    @property
    def attempt(self) -> int:
        return self._ledger.attempt

    def server_now(self) -> datetime:
        """The bucket's time at our last write plus the time elapsed since by our monotonic clock."""
        stat = self._object.stat
        elapsed = timedelta(seconds=self._ledgers.clock.monotonic() - self._seen_at)
        return max(stat.server_time, stat.updated) + elapsed

    def mark(self, stage: StageName, seconds: float) -> None:
        """Note a finished stage; the next change or renewal writes it."""
        with self._lock:
            self._ledger = self._ledger.marked(StageMark(stage=stage, seconds=round(seconds, 3)))

    def write(self, ledger: Ledger) -> None:
        """Write a ledger that a transition of ``self.ledger`` returned.

        Only the run makes transitions; the renewing thread writes the current ledger. So neither loses an update.

        Raises AttemptStale: another claim has taken this ledger over. BlobUnavailable: the outcome is unknown; the same
        ledger may be written again.
        """
        with self._lock:
            self._put(ledger)

    def renew(self) -> None:
        """Extend the lease of a RUNNING ledger; other states have no lease. Raises as ``write``."""
        with self._lock:
            if self._ledger.state == "RUNNING":
                self._put(self._ledger)

    def withdraw(self) -> None:
        """Delete the ledger that this claim created, as if its message had never arrived. Repeatable.

        Raises AttemptStale: another claim has taken the ledger over. BlobUnavailable: the outcome is unknown.
        """
        with self._lock:
            if self._overtaken:
                raise self._stale()
            self._overtaken = True
            try:
                self._object.delete()
            except Overtaken as exc:
                raise self._stale() from exc

    def _put(self, ledger: Ledger) -> None:
        if self._overtaken:
            raise self._stale()
        ledger = ledger.written_as(self._ledgers.ids())
        try:
            self._object.put(ledger.encode(), ledger.put_id)
        except Overtaken as exc:
            self._overtaken = True
            raise self._stale() from exc
        self._ledger = ledger
        self._seen_at = self._ledgers.clock.monotonic()

    def _stale(self) -> AttemptStale:
        return AttemptStale(f"job {self._ledger.job_id}: attempt {self._ledger.attempt} was taken over")
