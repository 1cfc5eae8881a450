"""One writer per user: ``users/{user_id}/lock.json``, taken, renewed and left by conditional writes.

The lock makes two jobs of one user rare company; HEAD's epoch makes them safe. So a lock that was not left cleanly is
taken only together with a rewrite of HEAD (Workspaces.fence), done by the caller before anything else.
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
from consumer.ports import Blob, Clock
from consumer.storage.conditional import ConditionalWriter, Held, Overtaken
from contract import canonical
from service import telemetry

LOCK_SCHEMA: Final = "memory.lock.v1"


class LockRecord(BaseModel):
    """``free``: anyone may take it. ``dirty``: anyone may, but a HEAD write of its last holder is in doubt."""

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
    """None for an object that is no lock: it counts as held until its server time is stale."""
    try:
        return LockRecord.model_validate_json(data)
    except ValidationError:
        return None


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

        Raises:
            LockBusy: names owner, job, age and expiry.
            BlobUnavailable: unknown; if it was taken after all, it becomes stale by itself.
        """
        name = paths.lock(user_id)
        found = self.writer.read(name)
        old = parse(found.data) if found else None
        if found:
            self._require_takeable(found, old)
        record = LockRecord(
            state="held",
            epoch=max(old.epoch if old else 0, head_epoch) + 1,
            owner=owner,
            job_id=job_id,
            attempt=attempt,
            ttl_s=self.lease.ttl_s,
            put_id=self.ids(),
        )
        sent_at = self.clock.monotonic()
        try:
            stat = self.writer.put(
                name,
                record.encode(),
                if_generation=found.stat.generation if found else 0,
                is_mine=lambda data: put_id(data) == record.put_id,
            )
        except Overtaken as exc:
            raise self._busy(name, exc.found) from exc
        if old and old.state == "held":
            telemetry.count("lock_steals")
        return Lock(self, record, Held(self.writer, stat, put_id), sent_at, clean=bool(old and old.state == "free"))

    def show(self, user_id: str) -> LockView | None:
        """None: nobody ever took it. Raises BlobUnavailable."""
        blob = self.writer.read(paths.lock(user_id))
        if blob is None:
            return None
        record = parse(blob.data)
        expires_at = self._expiry(blob, record)
        return LockView(
            record, blob.stat.generation, blob.stat.updated, expires_at, stale=blob.stat.server_time >= expires_at
        )

    def unlock(self, user_id: str, *, generation: int, owner: str) -> None:
        """An operator takes the lock away from exactly that generation. Its holder notices at its next renewal, and the
        next taker fences HEAD: the state left behind is ``dirty``.

        Raises:
            LockBusy: the lock is not at that generation any more.
            BlobUnavailable: unknown; look again.
        """
        name = paths.lock(user_id)
        found = self.writer.read(name)
        if found is None or found.stat.generation != generation:
            raise self._busy(name, found)
        old = parse(found.data)
        record = LockRecord(
            state="dirty",
            epoch=old.epoch if old else 1,
            owner=owner,
            job_id=old.job_id if old else "",
            attempt=old.attempt if old else 0,
            ttl_s=self.lease.ttl_s,
            put_id=self.ids(),
        )
        try:
            self.writer.put(
                name, record.encode(), if_generation=generation, is_mine=lambda data: put_id(data) == record.put_id
            )
        except Overtaken as exc:
            raise self._busy(name, exc.found) from exc

    def _require_takeable(self, found: Blob, old: LockRecord | None) -> None:
        if old is not None and old.state != "held":
            return
        if found.stat.server_time < self._expiry(found, old):
            raise self._busy(found.stat.name, found)
        if old is None:
            telemetry.log("unreadable lock taken", name=found.stat.name, bytes=len(found.data), level=30)

    def _expiry(self, blob: Blob, record: LockRecord | None) -> datetime:
        return self.lease.lock_expiry(blob.stat.updated, record.ttl_s if record else None)

    def _busy(self, name: str, found: Blob | None) -> LockBusy:
        telemetry.count("lock_busy")
        if found is None:
            return LockBusy(f"{name}: changed while it was being taken", expires_at=None)
        record, expires_at = parse(found.data), self._expiry(found, parse(found.data))
        if record is None:
            return LockBusy(f"{name}: unreadable, counts as held until {expires_at:%H:%M:%S}", expires_at=expires_at)
        age_s = (found.stat.server_time - found.stat.updated).total_seconds()
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
    """A held lock. Thread-safe. ``clean`` False: fence HEAD before anything else."""

    def __init__(self, locks: Locks, record: LockRecord, held: Held, sent_at: float, *, clean: bool) -> None:
        self._locks = locks
        self._record = record
        self._held = held
        self._mutex = threading.Lock()
        self._lost = False
        # From the sending, not from the reply: the server's own time of the write is between the two.
        self._renewed_at = sent_at
        self.clean = clean

    @property
    def epoch(self) -> int:
        return self._record.epoch

    def check(self) -> None:
        """May this holder still believe in the lock? Raises LockLost."""
        age_s = self._locks.clock.monotonic() - self._renewed_at
        if self._lost:
            raise LockLost(f"{self._held.stat.name}: epoch {self.epoch} was taken over")
        if age_s > self._locks.lease.valid_s:
            raise LockLost(
                f"{self._held.stat.name}: not renewed for {age_s:.0f} s, epoch {self.epoch} may be taken over"
            )

    def renew(self) -> None:
        """Raises LockLost (now, for good), BlobUnavailable (try again soon)."""
        with self._mutex:
            self.check()
            sent_at = self._locks.clock.monotonic()
            self._put("held")
            self._renewed_at = sent_at

    def release(self, *, doubt: bool) -> None:
        """Leave the lock. ``doubt``: a HEAD write of ours may still land, so the next taker must fence.

        Raises:
            LockLost: it is not ours any more; nothing to release.
            BlobUnavailable: unknown; it becomes stale by itself.
        """
        with self._mutex:
            if self._lost:
                raise LockLost(f"{self._held.stat.name}: epoch {self.epoch} was taken over")
            self._put("dirty" if doubt else "free")
            self._lost = True

    def _put(self, state: Literal["held", "free", "dirty"]) -> None:
        record = self._record.model_copy(update={"state": state, "put_id": self._locks.ids()})
        try:
            self._held.put(record.encode(), record.put_id)
        except Overtaken as exc:
            self._lost = True
            raise LockLost(f"{self._held.stat.name}: epoch {self.epoch} was taken over") from exc
        self._record = record
