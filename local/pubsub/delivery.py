"""The unacked messages of one subscription: their leases, deadlines and backoff. No I/O and no clock of its own.

With ordering, one message of a key is out at a time; the next becomes ready when it is acked or dead-lettered, so a
redelivery never overtakes. Without, a nacked message comes back after its backoff.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

#: Deadlines of ended leases stay in the heap until there are about this many.
STALE_DEADLINES = 1000


@dataclass(frozen=True, slots=True)
class DeliveryPolicy:
    """A subscription's delivery settings. ``min_backoff_s`` None: no retry policy; deliver again at once."""

    ack_deadline_s: float = 10.0
    ordered: bool = False
    min_backoff_s: float | None = None
    max_backoff_s: float = 600.0
    max_attempts: int | None = None
    retain_acked: bool = False

    def backoff(self, failures: int) -> float:
        """Seconds to wait after that many failed deliveries of a message."""
        if self.min_backoff_s is None:
            return 0.0
        return float(min(self.max_backoff_s, self.min_backoff_s * 2 ** min(failures - 1, 32)))


class Journal(Protocol):
    """Records every change that must survive the process."""

    def acked(self, message_id: int) -> None: ...

    def attempted(self, message_id: int, attempt: int) -> None: ...

    def dead_letter(self, message: Any, attempt: int) -> bool:
        """Forward it; False when the dead-letter topic is gone, and the message stays."""


@dataclass(slots=True)
class Holder:
    """A pull, a stream or a pusher. ``out`` counts its leases; ``wake`` is called when there may be more to take."""

    wake: Callable[[], None]
    out: int = 0


@dataclass(slots=True, eq=False)
class QueuedMessage:
    """``message`` is a PubsubMessage; ``attempt`` counts this delivery or, while it waits, the next."""

    message: Any
    attempt: int = 1
    ack_id: str = ""
    deadline: float = 0.0
    holder: Holder | None = None


@dataclass
class Queue:
    """``now`` is monotonic, in seconds; every time below is on its scale."""

    policy: DeliveryPolicy
    now: Callable[[], float]
    journal: Journal
    holders: list[Holder] = field(default_factory=list)
    _ready: deque[QueuedMessage] = field(default_factory=deque)
    _leased: dict[str, QueuedMessage] = field(default_factory=dict)
    #: (due, tie-break, entry): nacked, waiting for their backoff.
    _delayed: list[tuple[float, int, QueuedMessage]] = field(default_factory=list)
    #: (deadline, tie-break, ack id, entry): may be stale when a lease was extended or released.
    _deadlines: list[tuple[float, int, str, QueuedMessage]] = field(default_factory=list)
    #: By ordering key, the head included, which is ready, leased or delayed.
    _keys: dict[str, deque[QueuedMessage]] = field(default_factory=dict)
    _serial: Iterator[int] = field(default_factory=itertools.count)

    @contextmanager
    def holding(self, wake: Callable[[], None]) -> Iterator[Holder]:
        """A holder that is woken as long as the block lasts."""
        holder = Holder(wake)
        self.holders.append(holder)
        try:
            yield holder
        finally:
            self.holders.remove(holder)

    def add(self, entries: Iterable[QueuedMessage]) -> None:
        """New messages, in publish order."""
        for entry in entries:
            self._add(entry)
        self._wake_all()

    def reset(self, entries: Iterable[QueuedMessage]) -> None:
        """Forget everything, leases included, and start again with these (after a seek)."""
        for entry in self._leased.values():
            self._free(entry)
        for room in (self._ready, self._leased, self._delayed, self._deadlines, self._keys):
            room.clear()
        self.add(entries)

    def take(self, limit: int, holder: Holder | None = None, lease_s: float | None = None) -> list[QueuedMessage]:
        """Lease up to ``limit`` ready messages for ``lease_s`` (default: the ack deadline)."""
        taken: list[QueuedMessage] = []
        deadline = self.now() + (self.policy.ack_deadline_s if lease_s is None else lease_s)
        while self._ready and len(taken) < limit:
            entry = self._ready.popleft()
            entry.ack_id = f"{entry.message.message_id}:{entry.attempt}:{next(self._serial)}"
            entry.holder = holder
            if holder is not None:
                holder.out += 1
            self._leased[entry.ack_id] = entry
            self._lease_until(entry, deadline)
            taken.append(entry)
        return taken

    def ack(self, ack_id: str) -> bool:
        """False: the lease has ended and the message is delivered again."""
        entry = self._release(ack_id)
        if entry is None:
            return False
        self.journal.acked(int(entry.message.message_id))
        self._next_of_key(entry)
        return True

    def nack(self, ack_id: str) -> bool:
        """Deliver again after the backoff, or dead-letter after the last attempt."""
        entry = self._release(ack_id)
        if entry is None:
            return False
        last = self.policy.max_attempts is not None and entry.attempt >= self.policy.max_attempts
        if last and self.journal.dead_letter(entry.message, entry.attempt):
            self.journal.acked(int(entry.message.message_id))
            self._next_of_key(entry)
        else:
            self._retry(entry)
        return True

    def extend(self, ack_id: str, seconds: float) -> bool:
        """Lease for that long from now; 0 is a nack."""
        if seconds <= 0:
            return self.nack(ack_id)
        entry = self._leased.get(ack_id)
        if entry is None:
            return False
        self._lease_until(entry, self.now() + seconds)
        return True

    def tick(self) -> None:
        """End leases whose deadline has passed; make delayed messages ready that are due."""
        now = self.now()
        while self._deadlines and self._deadlines[0][0] <= now:
            _, _, ack_id, entry = heapq.heappop(self._deadlines)
            if self._leased.get(ack_id) is entry and entry.deadline <= now:
                self.nack(ack_id)
        woken = False
        while self._delayed and self._delayed[0][0] <= now:
            self._ready.append(heapq.heappop(self._delayed)[2])
            woken = True
        if woken:
            self._wake_all()

    def next_due(self) -> float | None:
        """When ``tick`` may have something to do."""
        heads = [heap[0][0] for heap in (self._deadlines, self._delayed) if heap]
        return min(heads, default=None)

    def __len__(self) -> int:
        """Unacked messages."""
        waiting = sum(len(queue) - 1 for queue in self._keys.values())
        return len(self._ready) + len(self._leased) + len(self._delayed) + waiting

    def _add(self, entry: QueuedMessage) -> None:
        key = entry.message.ordering_key if self.policy.ordered else ""
        if key:
            queue = self._keys.setdefault(key, deque())
            queue.append(entry)
            if len(queue) > 1:
                return
        self._ready.append(entry)

    def _retry(self, entry: QueuedMessage) -> None:
        wait = self.policy.backoff(entry.attempt)
        entry.attempt += 1
        self.journal.attempted(int(entry.message.message_id), entry.attempt)
        if wait > 0:
            heapq.heappush(self._delayed, (self.now() + wait, next(self._serial), entry))
        else:
            self._ready.appendleft(entry)
            self._wake_all()

    def _next_of_key(self, entry: QueuedMessage) -> None:
        queue = self._keys.get(entry.message.ordering_key)
        if not queue or queue[0] is not entry:
            return
        queue.popleft()
        if queue:
            self._ready.append(queue[0])
            self._wake_all()
        else:
            del self._keys[entry.message.ordering_key]

    def _lease_until(self, entry: QueuedMessage, deadline: float) -> None:
        entry.deadline = deadline
        if len(self._deadlines) > 2 * len(self._leased) + STALE_DEADLINES:
            self._deadlines = [lease for lease in self._deadlines if self._leased.get(lease[2]) is lease[3]]
            heapq.heapify(self._deadlines)
        heapq.heappush(self._deadlines, (deadline, next(self._serial), entry.ack_id, entry))

    def _release(self, ack_id: str) -> QueuedMessage | None:
        entry = self._leased.pop(ack_id, None)
        if entry is not None:
            self._free(entry)
        return entry

    def _free(self, entry: QueuedMessage) -> None:
        if entry.holder is not None:
            entry.holder.out -= 1
            entry.holder.wake()
            entry.holder = None

    def _wake_all(self) -> None:
        for holder in self.holders:
            holder.wake()
