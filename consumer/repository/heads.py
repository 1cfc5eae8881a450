"""HEAD: read, fence, swap. Every lost or refused write is a question that reading back answers.

HEAD's whole content says whose write it was: the epoch is unique to an acquisition of the lock.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from consumer import paths
from consumer.errors import (
    BlobNotFound,
    BlobUnavailable,
    HeadMoved,
    LockLost,
    PreconditionFailed,
    SnapshotIncomplete,
    WorkspaceFrozen,
    said,
)
from consumer.ports import BlobStore, Clock
from consumer.snapshot.snapshot import Head, decode_head

#: Rounds of write and read back. More means that the bucket is down or that somebody else is busy here.
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
        """HEAD as it is, or None.

        Raises:
            BlobUnavailable: the bucket does not answer.
            SnapshotIncomplete: the object is not a HEAD.
        """
        try:
            blob = self.blobs.read(self.name)
        except BlobNotFound:
            return None
        try:
            return decode_head(blob.data, blob.stat.generation)
        except ValueError as exc:
            raise SnapshotIncomplete(f"{self.name}: {said(exc)}") from exc

    def peek(self) -> tuple[Head | None, int]:
        """HEAD if it can be read, and the generation of whatever is there (0: nothing). Raises BlobUnavailable."""
        try:
            blob = self.blobs.read(self.name)
        except BlobNotFound:
            return None, 0
        try:
            return decode_head(blob.data, blob.stat.generation), blob.stat.generation
        except ValueError:
            return None, blob.stat.generation

    def overwrite(self, new: Head) -> Head:
        """Put ``new`` over whatever is there, a HEAD or not. Only for who erases or begins anew; repeatable.

        Raises LockLost (a younger epoch is there), BlobUnavailable.
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
        """Raise HEAD's epoch, so that no older holder's swap succeeds any more; create HEAD where there is none.

        Repeatable. Raises LockLost (a younger epoch is there), BlobUnavailable.
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

        Raises LockLost, HeadMoved, WorkspaceFrozen, BlobUnavailable (nobody knows: look again before trying again).
        """
        for pause in self._rounds():
            if written := self._try(new, old.generation):
                return written
            found = self.read() or Head()
            if found.encode() == new.encode():
                return found
            old = self._still(old, new, found)
            pause()
        raise BlobUnavailable(f"HEAD of {self.user_id} could not be swapped to commit {new.seq} in {ROUNDS} rounds")

    def freeze(self, reason: str, head: Head) -> None:
        """Mark exactly this HEAD as not to be written. Another HEAD by now is another story, and is left alone."""
        if not head.frozen:
            self._try(replace(head, frozen=reason[:500]), head.generation)

    def _still(self, old: Head, new: Head, found: Head) -> Head:
        """HEAD as found, if ``new`` may still be put on it."""
        if found.epoch > new.epoch:
            raise LockLost(f"HEAD of {self.user_id} was fenced at epoch {found.epoch}; this holder's is {new.epoch}")
        if found.frozen and not old.frozen:
            raise WorkspaceFrozen(f"the workspace of {self.user_id} was frozen: {found.broken}")
        if (found.commit, found.index, found.erased) != (old.commit, old.index, old.erased):
            raise HeadMoved(f"HEAD of {self.user_id} moved from commit {old.seq} to {found.seq}")
        return found

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
