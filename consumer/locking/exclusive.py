"""The lock of a command that writes history: restore, gc, purge, repair. Held, renewed and released like a job's."""

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

#: Seconds that the release waits for a renewal in progress.
JOIN_S = 5.0


@dataclass(slots=True)
class Hold:
    """A held lock; it is the Guard of the work done under it."""

    lock: Lock
    owner: str
    #: A HEAD write of this holder may still land.
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
    """Takes users' locks for an operator. ``threads`` False: without renewal, for work that takes no time."""

    locks: Locks
    store: WorkspaceStore
    owner: str
    threads: bool = True

    @contextmanager
    def hold(self, user_id: str, purpose: str) -> Iterator[Hold]:
        """Hold the lock with HEAD fenced: from here on no other holder's swap succeeds.

        Raises SigningKeyMissing: the work writes history, and no key could sign it. LockBusy: a job of this user is
        running; try again when it has ended. BlobUnavailable, LockLost.
        """
        self._require_key(user_id, purpose)
        head = self.store.of(user_id).read_head()
        with self._acquired(user_id, purpose, head.epoch if head else 0) as hold:
            self.store.of(user_id).fence(hold.epoch)
            yield hold

    @contextmanager
    def hold_without_head(self, user_id: str, purpose: str, epoch: int) -> Iterator[Hold]:
        """Hold the lock with an epoch above ``epoch``, without a fence, where HEAD cannot be read. A run that hydrated
        before HEAD was damaged cannot swap it, as the generation it read is gone. Raises as ``hold``.
        """
        self._require_key(user_id, purpose)
        with self._acquired(user_id, purpose, epoch) as hold:
            yield hold

    @contextmanager
    def hold_to_erase(self, user_id: str, purpose: str) -> Iterator[Hold]:
        """Hold the lock for an erasure without reading: it needs no key, and HEAD may be lost or damaged.

        The epoch is above every readable one and above the server's time in seconds. Epochs count from 1, so it also
        exceeds that of a holder whose lock and HEAD were lost. HEAD is not fenced: the erasure overwrites it at once.

        Raises LockBusy, BlobUnavailable, LockLost.
        """
        head, _ = self.store.of(user_id).heads.peek()
        epoch = max(head.epoch if head else 0, self._server_seconds(user_id))
        with self._acquired(user_id, purpose, epoch) as hold:
            yield hold

    def _server_seconds(self, user_id: str) -> int:
        blobs = self.store.of(user_id).blobs
        for name in (paths.lock(user_id), paths.head(user_id)):
            try:
                return int(blobs.stat(name).server_time.timestamp()) + 1
            except BlobNotFound:
                continue
        # No object tells the server's time, so there is no holder except those of lost objects.
        return int(self.store.clock.now().timestamp()) + 1

    def _require_key(self, user_id: str, purpose: str) -> None:
        if not self.store.signer.key_id:
            raise SigningKeyMissing(f"{purpose} of {user_id}: the key ring has no private key")

    @contextmanager
    def _acquired(self, user_id: str, purpose: str, epoch: int) -> Iterator[Hold]:
        lock = self.locks.acquire(user_id, owner=self.owner, job_id=purpose, attempt=0, head_epoch=epoch)
        hold = Hold(lock, self.owner)
        stopped = threading.Event()
        thread = threading.Thread(target=self._renew, args=(lock, stopped), name="renew", daemon=True)
        if self.threads:
            thread.start()
        try:
            yield hold
        except BaseException:
            # The failure may have been the swap's, so the next holder must fence HEAD first.
            hold.doubt = True
            raise
        finally:
            stopped.set()
            if self.threads:
                thread.join(JOIN_S)
            self._release(hold)

    def _renew(self, lock: Lock, stopped: threading.Event) -> None:
        while not stopped.wait(self.locks.lease.renew_every_s):
            try:
                lock.renew()
            except BlobUnavailable:
                continue
            except Interrupted:
                return  # The holder's next check raises it.

    def _release(self, hold: Hold) -> None:
        # The lock is not ours any more, or becomes stale by itself; either way nothing is left to do.
        with contextlib.suppress(Interrupted, BlobUnavailable):
            hold.lock.release(doubt=hold.doubt)
