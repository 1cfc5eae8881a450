"""A cap on how many jobs call one provider at a time, over all instances: counting slots kept as objects in the bucket.

A slot is an object that exists only while it is held; the job that creates it (only if absent) holds it. The holder
keeps rewriting it; a slot not rewritten for ``ttl_s``, by the bucket's clock, is abandoned and may be taken.
Losing a slot does not stop the job: the cap spares the provider; it protects no data.
"""

from __future__ import annotations

import contextlib
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import orjson

from consumer import paths
from consumer.errors import BlobNotFound, BlobUnavailable, PreconditionFailed, ProviderBusy, ShuttingDown
from consumer.ports import BlobStat, BlobStore, Clock

#: Renewals in a slot's life; two may fail in a row.
RENEWALS: Final = 3
#: Between two rounds over full slots, seconds.
POLL_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Slots:
    """``count`` slots at ``provider`` (a host name). ``wait_s``: how long a job waits for one before it gives up."""

    blobs: BlobStore
    clock: Clock
    provider: str
    count: int
    ttl_s: float = 60.0
    wait_s: float = 20.0
    #: Once it is set, no job waits for a slot.
    shutdown: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def hold(self, job_id: str) -> Iterator[None]:
        """Hold one slot until the context ends.

        Raises ProviderBusy when all stay taken, BlobUnavailable, ShuttingDown.
        """
        slot = _HeldSlot(self.blobs, job_id, self._acquire(job_id))
        stop = threading.Event()
        renewer = threading.Thread(
            target=slot.renew_until, args=(stop, self.ttl_s / RENEWALS), name="provider-slot", daemon=True
        )
        renewer.start()
        try:
            yield
        finally:
            stop.set()
            renewer.join()
            slot.release()

    def _acquire(self, job_id: str) -> BlobStat:
        deadline = self.clock.monotonic() + self.wait_s
        # Jobs start at different slots, so that the first request usually finds a free one.
        first = zlib.crc32(job_id.encode()) % self.count
        while True:
            for step in range(self.count):
                if slot := self._try(paths.provider_slot(self.provider, (first + step) % self.count), job_id):
                    return slot
            if self.clock.monotonic() >= deadline:
                raise ProviderBusy(f"job {job_id}: all {self.count} slots at {self.provider} are taken")
            if self.shutdown.is_set():
                raise ShuttingDown("the instance is shutting down while a job waits for the model provider")
            self.clock.sleep(POLL_S)

    def _try(self, name: str, job_id: str) -> BlobStat | None:
        """Take the slot if it is free or abandoned; None while another job holds it."""
        with contextlib.suppress(PreconditionFailed):
            return self.blobs.write(name, _body(job_id), if_generation=0, content_type="application/json")
        try:
            stat = self.blobs.stat(name)
        except BlobNotFound:
            return None
        if (stat.server_time - stat.updated).total_seconds() <= self.ttl_s:
            return None
        with contextlib.suppress(PreconditionFailed):
            return self.blobs.write(name, _body(job_id), if_generation=stat.generation)
        return None


class _HeldSlot:
    """A slot that this process holds, renewed from its own thread."""

    def __init__(self, blobs: BlobStore, job_id: str, slot: BlobStat) -> None:
        self._blobs = blobs
        self._job_id = job_id
        self._slot = slot

    def renew_until(self, stop: threading.Event, every_s: float) -> None:
        while not stop.wait(every_s):
            try:
                self._slot = self._blobs.write(
                    self._slot.name, _body(self._job_id), if_generation=self._slot.generation
                )
            except BlobUnavailable:
                continue
            except PreconditionFailed:
                return

    def release(self) -> None:
        # A slot that cannot be deleted now expires by itself.
        with contextlib.suppress(PreconditionFailed, BlobNotFound, BlobUnavailable):
            self._blobs.delete(self._slot.name, if_generation=self._slot.generation)


def _body(job_id: str) -> bytes:
    return orjson.dumps({"job_id": job_id})
