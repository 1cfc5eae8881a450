"""Jobs known to be done: a duplicate of one costs no request to the bucket.

Only DONE and delivered is remembered, because that state is never left. Bounded; forgetting costs one read.
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

    def learn(self, found: StoredLedger | None) -> None:
        """Remember this ledger if nothing can change about it any more."""
        if found is None or found.ledger.state != "DONE" or not found.ledger.delivered:
            return
        with self._lock:
            self._digests[found.ledger.job_id] = found.ledger.payload_digest or ""
            self._digests.move_to_end(found.ledger.job_id)
            while len(self._digests) > self._capacity:
                self._digests.popitem(last=False)

    def is_done(self, job_id: str, payload_digest: str) -> bool:
        """Another payload under a known id is not answered from memory: it is a fault, and must be looked at."""
        with self._lock:
            return self._digests.get(job_id) == payload_digest
