"""HEAD: read, fence, swap. After a lost reply or a failed precondition, read back and decide.

HEAD's content identifies its writer, because the epoch is unique to one acquisition of the lock.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from consumer import paths
from consumer.errors import (
    BlobUnavailable,
    HeadMoved,
    LockLost,
    PreconditionFailed,
    SnapshotIncomplete,
    WorkspaceFrozen,
    text_of,
)
from consumer.ports import BlobStore, Clock
from consumer.snapshot.snapshot import Head, decode_head
from consumer.storage.conditional import existing

#: Rounds of write and read back; if all fail, the bucket is down or another writer interferes.
ROUNDS = 5
#: Seconds before the second round; each later pause is twice as long.
FIRST_PAUSE_S = 0.1


@dataclass(frozen=True, slots=True)
class Heads:
    """One user's HEAD."""

    blobs: BlobStore
    clock: Clock
    user_id: str

    @property
    def name(self) -> str:
        return paths.head(self.user_id)

    def read(self) -> Head | None:
        """The current HEAD, or None if there is none.

        Raises BlobUnavailable: the bucket does not answer. SnapshotIncomplete: the object is not a HEAD.
        """
        if (blob := existing(self.blobs, self.name)) is None:
            return None
        try:
            return decode_head(blob.data, blob.stat.generation)
        except ValueError as exc:
            raise SnapshotIncomplete(f"{self.name}: {text_of(exc)}") from exc

    def peek(self) -> tuple[Head | None, int]:
        """HEAD if it can be parsed, and the object's generation (0: no object). Raises BlobUnavailable."""
        if (blob := existing(self.blobs, self.name)) is None:
            return None, 0
        try:
            return decode_head(blob.data, blob.stat.generation), blob.stat.generation
        except ValueError:
            return None, blob.stat.generation

    def overwrite(self, new: Head) -> Head:
        """Write ``new`` over the current object, a HEAD or not. Only for erasure and reset; repeatable.

        Raises LockLost (HEAD has a higher epoch), BlobUnavailable.
        """
        for pause in self._rounds():
            head, generation = self.peek()
            if head and head.epoch > new.epoch:
                raise LockLost(f"HEAD of {self.user_id} has epoch {head.epoch}; this holder's is {new.epoch}")
            if head and head.encode() == new.encode():
                return head
            if written := self._try(new, generation):
                return written
            pause()
        raise BlobUnavailable(f"HEAD of {self.user_id} could not be overwritten in {ROUNDS} rounds")

    def fence(self, epoch: int) -> Head:
        """Raise HEAD's epoch, so that no earlier lock holder's swap succeeds any more; create HEAD if there is none.

        Repeatable. Raises LockLost (HEAD has a higher epoch), BlobUnavailable.
        """
        for pause in self._rounds():
            head = self.read() or Head()
            if head.epoch > epoch:
                raise LockLost(f"HEAD of {self.user_id} has epoch {head.epoch}; this holder's is {epoch}")
            if head.epoch == epoch and head.generation:
                return head
            if written := self._try(replace(head, epoch=epoch), head.generation):
                return written
            pause()
        raise BlobUnavailable(f"HEAD of {self.user_id} could not be fenced at epoch {epoch} in {ROUNDS} rounds")

    def swap(self, old: Head, new: Head) -> Head:
        """Replace ``old`` by ``new``. The one write that makes a commit visible.

        Raises LockLost, HeadMoved, WorkspaceFrozen, BlobUnavailable (the outcome is unknown; read HEAD before a retry).
        """
        for pause in self._rounds():
            if written := self._try(new, old.generation):
                return written
            current = self.read() or Head()
            if current.encode() == new.encode():
                return current
            old = self._require_same(old, new, current)
            pause()
        raise BlobUnavailable(f"HEAD of {self.user_id} could not be swapped to commit {new.seq} in {ROUNDS} rounds")

    def freeze(self, reason: str, head: Head) -> None:
        """Freeze exactly this HEAD. If HEAD has changed meanwhile, do nothing."""
        if not head.frozen:
            self._try(replace(head, frozen=reason[:500]), head.generation)

    def _require_same(self, old: Head, new: Head, current: Head) -> Head:
        """The current HEAD, if ``new`` may still replace it."""
        if current.epoch > new.epoch:
            raise LockLost(f"HEAD of {self.user_id} was fenced at epoch {current.epoch}; this holder's is {new.epoch}")
        if current.frozen and not old.frozen:
            raise WorkspaceFrozen(f"the workspace of {self.user_id} was frozen: {current.broken}")
        if (current.commit, current.index, current.erased) != (old.commit, old.index, old.erased):
            raise HeadMoved(f"HEAD of {self.user_id} moved from commit {old.seq} to {current.seq}")
        return current

    def _try(self, head: Head, if_generation: int) -> Head | None:
        try:
            stat = self.blobs.write(
                self.name, head.encode(), if_generation=if_generation, content_type="application/json"
            )
        except (PreconditionFailed, BlobUnavailable):
            return None
        return head.at(stat.generation)

    def _rounds(self) -> list[partial[None]]:
        return [partial(self.clock.sleep, FIRST_PAUSE_S * 2**n) for n in range(ROUNDS)]
