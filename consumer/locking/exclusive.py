"""The lock of a command that writes history: restore, gc, purge, repair. Held, renewed and left like a job's."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from consumer import paths
from consumer.errors import BlobNotFound, BlobUnavailable, Interrupted, SigningKeyMissing
from consumer.locking.lock import Lock, Locks
from consumer.repository.workspace import WorkspaceStore

#: Seconds that leaving waits for a renewal that is under way.
JOIN_S = 5.0


@dataclass(slots=True)
class Hold:
    """The lock as its holder sees it; it is the Guard of what is done under it."""

    lock: Lock
    who: str
    #: A HEAD write of ours may still land.
    doubt: bool = field(default=False)

    @property
    def epoch(self) -> int:
        return self.lock.epoch

    def check(self) -> None:
        """Raises LockLost."""
        self.lock.check()

    def time_left(self) -> float:
        return float("inf")


@dataclass(frozen=True, slots=True)
class Exclusive:
    """Takes users' locks for an operator. ``threads`` False: nothing renews; for work that takes no time."""

    locks: Locks
    store: WorkspaceStore
    who: str
    threads: bool = True

    @contextmanager
    def hold(self, user_id: str, why: str) -> Iterator[Hold]:
        """The lock, with HEAD fenced: from here on nobody else's swap succeeds.

        Raises:
            SigningKeyMissing: history is written here, and nothing could be signed.
            LockBusy: a job of this user runs; try again when it is over.
            BlobUnavailable, LockLost.
        """
        self._require_key(user_id, why)
        head = self.store.read_head(user_id)
        with self._taken(user_id, why, head.epoch if head else 0) as hold:
            self.store.fence(user_id, hold.epoch)
            yield hold

    @contextmanager
    def hold_without_head(self, user_id: str, why: str, epoch: int) -> Iterator[Hold]:
        """The lock alone, above ``epoch``, where HEAD cannot be read. Whoever hydrated before HEAD was damaged cannot
        swap it: its generation is gone. Raises as ``hold``.
        """
        self._require_key(user_id, why)
        with self._taken(user_id, why, epoch) as hold:
            yield hold

    @contextmanager
    def hold_to_erase(self, user_id: str, why: str) -> Iterator[Hold]:
        """The lock for who erases without reading: no key is needed, and HEAD may be lost or damaged.

        Its epoch is above every one that can be read, and above the server's time in seconds: holders count from 1, so
        even one whose lock and HEAD were lost has a lower epoch. HEAD is not fenced: the eraser overwrites it at once.

        Raises LockBusy, BlobUnavailable, LockLost.
        """
        head, _ = self.store.heads(user_id).peek()
        epoch = max(head.epoch if head else 0, self._server_seconds(user_id))
        with self._taken(user_id, why, epoch) as hold:
            yield hold

    def _server_seconds(self, user_id: str) -> int:
        blobs = self.store.blobs(user_id)
        for name in (paths.lock(user_id), paths.head(user_id)):
            try:
                return int(blobs.stat(name).server_time.timestamp()) + 1
            except BlobNotFound:
                continue
        # Nothing is there that could tell the server's time, and so no holder but those of lost objects.
        return int(self.store.clock.now().timestamp()) + 1

    def _require_key(self, user_id: str, why: str) -> None:
        if not self.store.signer.key_id:
            raise SigningKeyMissing(f"{why} of {user_id}: the key ring has no private key")

    @contextmanager
    def _taken(self, user_id: str, why: str, epoch: int) -> Iterator[Hold]:
        lock = self.locks.acquire(user_id, owner=self.who, job_id=why, attempt=0, head_epoch=epoch)
        hold = Hold(lock, self.who)
        stopped = threading.Event()
        thread = threading.Thread(target=self._renew, args=(lock, stopped), name="renew", daemon=True)
        if self.threads:
            thread.start()
        try:
            yield hold
        except BaseException:
            # Whatever went wrong may have been the swap: the next taker fences HEAD before it believes anything.
            hold.doubt = True
            raise
        finally:
            stopped.set()
            if self.threads:
                thread.join(JOIN_S)
            self._leave(hold)

    def _renew(self, lock: Lock, stopped: threading.Event) -> None:
        while not stopped.wait(self.locks.lease.renew_every_s):
            try:
                lock.renew()
            except BlobUnavailable:
                continue
            except Interrupted:
                return  # the holder's next check says so

    def _leave(self, hold: Hold) -> None:
        # Not ours any more, or stale by itself soon: nothing to do either way.
        with contextlib.suppress(Interrupted, BlobUnavailable):
            hold.lock.release(doubt=hold.doubt)
