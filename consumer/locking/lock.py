"""One writer per user: ``users/{user_id}/lock.json``, taken, renewed and released by conditional writes.

The lock makes two concurrent jobs of one user rare; HEAD's epoch makes them safe. So after taking a lock that was not
released cleanly, the caller must first fence HEAD (Workspaces.fence).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from consumer import paths
from consumer.errors import LockBusy, LockLost
from consumer.locking.lease import Lease
from consumer.ports import Blob, BlobStat, Clock
from consumer.storage.conditional import ConditionalWriter, Held, Overtaken
from contract import canonical
from service import telemetry

LOCK_SCHEMA: Final = "memory.lock.v1"
#: No history reaches it, and its successors still have a JSON form.
MAX_EPOCH: Final = 2**50


class LockRecord(BaseModel):
    """``free``: anyone may take it. ``dirty``: anyone may, but a HEAD write of its last holder may still land."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: Literal["memory.lock.v1"] = Field(default=LOCK_SCHEMA, alias="schema")
    state: Literal["held", "free", "dirty"]
    epoch: Annotated[int, Field(ge=1)]
    owner: str
    job_id: str
    attempt: int
    ttl_s: Annotated[float, Field(gt=0)]
    put_id: str

    def encode(self) -> bytes:
        return canonical.dumps(self.model_dump(mode="json", by_alias=True))


def parse(data: bytes) -> LockRecord | None:
    """None for an object that is not a lock: it counts as held until it is stale by the server's time.

    An epoch above ``MAX_EPOCH`` is a damaged number, and no epoch above it could be written.
    """
    try:
        record = LockRecord.model_validate_json(data)
    except ValidationError:
        return None
    return record if record.epoch <= MAX_EPOCH else None


@dataclass(frozen=True, slots=True)
class LockView:
    """A lock as an operator sees it."""

    record: LockRecord | None
    generation: int
    updated: datetime
    expires_at: datetime
    stale: bool


@dataclass(frozen=True, slots=True)
class Locks:
    writer: ConditionalWriter
    clock: Clock
    ids: Callable[[], str]
    lease: Lease

    def acquire(self, user_id: str, *, owner: str, job_id: str, attempt: int, head_epoch: int) -> Lock:
        """Take the user's lock with an epoch above the lock's and HEAD's.

        Raises LockBusy: the message names owner, job, age and expiry. BlobUnavailable: the outcome is unknown; a lock
        that was taken all the same becomes stale by itself.
        """
        name = paths.lock(user_id)
        current = self.writer.read(name)
        previous = parse(current.data) if current else None
        if current:
            self._require_takeable(current, previous)
        record = LockRecord(
            state="held",
            epoch=max(previous.epoch if previous else 0, head_epoch) + 1,
            owner=owner,
            job_id=job_id,
            attempt=attempt,
            ttl_s=self.lease.ttl_s,
            put_id=self.ids(),
        )
        sent_at = self.clock.monotonic()
        stat = self._put(name, record, current.stat.generation if current else 0)
        state = previous.state if previous else None
        if state == "held":
            telemetry.count("lock_steals")
        return Lock(self, record, Held(self.writer, stat, put_id), sent_at, clean=state == "free")

    def show(self, user_id: str) -> LockView | None:
        """The lock, or None if it was never taken. Raises BlobUnavailable."""
        blob = self.writer.read(paths.lock(user_id))
        if blob is None:
            return None
        record, stat = parse(blob.data), blob.stat
        expires_at = self._expiry(blob, record)
        return LockView(record, stat.generation, stat.updated, expires_at, stale=stat.server_time >= expires_at)

    def unlock(self, user_id: str, *, generation: int, owner: str) -> None:
        """Release exactly this generation of the lock for an operator. Its holder notices at its next renewal; the next
        holder fences HEAD, because the state becomes ``dirty``.

        Raises LockBusy: the lock is not at that generation any more. BlobUnavailable: the outcome is unknown; read the
        lock again.
        """
        name = paths.lock(user_id)
        current = self.writer.read(name)
        if current is None or current.stat.generation != generation:
            raise self._busy(name, current)
        previous = parse(current.data)
        record = LockRecord(
            state="dirty",
            epoch=previous.epoch if previous else 1,
            owner=owner,
            job_id=previous.job_id if previous else "",
            attempt=previous.attempt if previous else 0,
            ttl_s=self.lease.ttl_s,
            put_id=self.ids(),
        )
        self._put(name, record, generation)

    def _put(self, name: str, record: LockRecord, generation: int) -> BlobStat:
        try:
            return self.writer.put(
                name, record.encode(), if_generation=generation, is_mine=lambda data: put_id(data) == record.put_id
            )
        except Overtaken as exc:
            raise self._busy(name, exc.current) from exc

    def _require_takeable(self, current: Blob, previous: LockRecord | None) -> None:
        if previous is not None and previous.state != "held":
            return
        if current.stat.server_time < self._expiry(current, previous):
            raise self._busy(current.stat.name, current)
        if previous is None:
            telemetry.log(
                "unreadable lock taken", name=current.stat.name, bytes=len(current.data), level=telemetry.WARNING
            )

    def _expiry(self, blob: Blob, record: LockRecord | None) -> datetime:
        return self.lease.lock_expiry(blob.stat.updated, record.ttl_s if record else None)

    def _busy(self, name: str, current: Blob | None) -> LockBusy:
        telemetry.count("lock_busy")
        if current is None:
            return LockBusy(f"{name}: another writer changed it at the same time", expires_at=None)
        record, expires_at = parse(current.data), self._expiry(current, parse(current.data))
        if record is None:
            return LockBusy(f"{name}: unreadable, counts as held until {expires_at:%H:%M:%S}", expires_at=expires_at)
        age_s = (current.stat.server_time - current.stat.updated).total_seconds()
        if record.state == "free":
            return LockBusy(f"{name}: free, left {age_s:.0f} s ago by {record.owner}", expires_at=expires_at)
        return LockBusy(
            f"{name}: {record.state} by {record.owner} for job {record.job_id} (attempt {record.attempt}, epoch "
            f"{record.epoch}), renewed {age_s:.0f} s ago, expires {expires_at:%H:%M:%S}Z",
            expires_at=expires_at,
        )


def put_id(data: bytes) -> str | None:
    record = parse(data)
    return record.put_id if record else None


class Lock:
    """A held lock. Thread-safe. ``clean`` False: the holder must first fence HEAD."""

    def __init__(self, locks: Locks, record: LockRecord, held_object: Held, sent_at: float, *, clean: bool) -> None:
        self._locks = locks
        self._record = record
        self._object = held_object
        self._mutex = threading.Lock()
        self._is_lost = False
        # Counted from the request, not the reply: the server's time of the write is between the two.
        self._renewed_at = sent_at
        self.clean = clean

    @property
    def epoch(self) -> int:
        return self._record.epoch

    def check(self) -> None:
        """Raises LockLost if this holder must not trust the lock any more."""
        self._require_ours()
        age_s = self._locks.clock.monotonic() - self._renewed_at
        if age_s > self._locks.lease.valid_s:
            raise LockLost(
                f"{self._object.stat.name}: not renewed for {age_s:.0f} s, epoch {self.epoch} may be taken over"
            )

    def renew(self) -> None:
        """Extend the lease. Raises LockLost (for good), BlobUnavailable (try again soon)."""
        with self._mutex:
            self.check()
            sent_at = self._locks.clock.monotonic()
            self._put("held")
            self._renewed_at = sent_at

    def release(self, *, doubt: bool) -> None:
        """Release the lock. ``doubt``: a HEAD write of this holder may still land, so the next holder must fence.

        Raises LockLost: the lock is not ours any more; there is nothing to release. BlobUnavailable: the outcome is
        unknown; the lock becomes stale by itself.
        """
        with self._mutex:
            self._require_ours()
            self._put("dirty" if doubt else "free")
            self._is_lost = True

    def _require_ours(self) -> None:
        if self._is_lost:
            raise LockLost(f"{self._object.stat.name}: epoch {self.epoch} was taken over")

    def _put(self, state: Literal["held", "free", "dirty"]) -> None:
        record = self._record.model_copy(update={"state": state, "put_id": self._locks.ids()})
        try:
            self._object.put(record.encode(), record.put_id)
        except Overtaken as exc:
            self._is_lost = True
            raise LockLost(f"{self._object.stat.name}: epoch {self.epoch} was taken over") from exc
        self._record = record
