"""A bounded memory of completed jobs: a duplicate message for one of them costs no request to the bucket.

Only jobs that are DONE and delivered are remembered, because no job leaves that state. A forgotten job costs one read.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

from consumer.delivery.ledger import StoredLedger

#: About 3 MB of ids and digests; Pub/Sub redelivers within minutes, so the last few thousand jobs matter.
CAPACITY: Final = 20_000


class CompletedJobs:
    """Thread-safe."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._digests: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def learn(self, stored: StoredLedger | None) -> None:
        """Remember the job if its ledger cannot change any more."""
        if stored is None or stored.ledger.state != "DONE" or not stored.ledger.delivered:
            return
        with self._lock:
            self._digests[stored.ledger.job_id] = stored.ledger.payload_digest or ""
            self._digests.move_to_end(stored.ledger.job_id)
            while len(self._digests) > self._capacity:
                self._digests.popitem(last=False)

    def is_done(self, job_id: str, payload_digest: str) -> bool:
        """Whether this job is completed. Another payload under the same id gives False, so that the ledger is read."""
        with self._lock:
            return self._digests.get(job_id) == payload_digest
