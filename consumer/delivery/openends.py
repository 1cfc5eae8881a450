"""Attempts that ended while the bucket was away, so that their ledgers still say RUNNING.

This process writes their end as soon as the bucket answers again. Otherwise the expired lease of each would count as a
failure of its job, although the process lived on.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from consumer.delivery.ledger import waits_since
from consumer.delivery.ledgers import LedgerClaim
from consumer.errors import AttemptStale
from service import telemetry


@dataclass(slots=True)
class OpenEnds:
    """Thread-safe. Claims are kept in memory: a process that dies leaves expired leases, as any other death does."""

    _claims: list[LedgerClaim] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, claim: LedgerClaim) -> None:
        """Keep a claim on a RUNNING ledger whose attempt is over."""
        with self._lock:
            self._claims.append(claim)

    def write(self) -> None:
        """Record the ends: RETRYING, due now, no failure. Raises BlobUnavailable: the rest waits for the next call."""
        with self._lock:
            while self._claims:
                claim = self._claims[0]
                now = claim.server_now()
                try:
                    claim.write(claim.ledger.waiting(now, "bucket", waits_since(claim.ledger, "bucket", now)))
                except AttemptStale:
                    telemetry.log("attempt ended late, and was taken over", job_id=claim.ledger.job_id)
                del self._claims[0]
