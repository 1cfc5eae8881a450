"""A conditional write whose reply may be lost: ask again, and recognise our own success.

The object carries the writer's ``put_id``. A repeated write that meets its own first success gets 412; reading back
shows the id, and the write counts as done. Only the writes are repeated here: the store repeats reads by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from consumer import retry
from consumer.errors import BlobNotFound, BlobUnavailable, PreconditionFailed
from consumer.ports import Blob, BlobStat, BlobStore, Clock

T = TypeVar("T")


class Overtaken(Exception):
    """Another writer was first. ``found`` is what it wrote, None if the object is gone."""

    def __init__(self, name: str, found: Blob | None) -> None:
        super().__init__(f"{name}: another writer was first")
        self.found = found


@dataclass(frozen=True, slots=True)
class ConditionalWriter:
    blobs: BlobStore
    clock: Clock

    def put(self, name: str, data: bytes, *, if_generation: int, is_mine: Callable[[bytes], bool]) -> BlobStat:
        """Write over exactly that generation (0: only if absent).

        Raises:
            Overtaken: the object is not what the caller read, and not what it wrote.
            BlobUnavailable: the outcome stays unknown; the object may or may not be ours.
        """

        try:
            return self._repeating(
                lambda: self.blobs.write(name, data, if_generation=if_generation, content_type="application/json")
            )
        except PreconditionFailed:
            return self._mine_or_overtaken(name, is_mine)

    def read(self, name: str) -> Blob | None:
        """The live object, or None. Raises BlobUnavailable."""

        try:
            return self.blobs.read(name)
        except BlobNotFound:
            return None

    def delete(self, name: str, *, if_generation: int) -> None:
        """Delete exactly that generation; gone already is as good. Raises Overtaken, BlobUnavailable."""

        try:
            self._repeating(lambda: self.blobs.delete(name, if_generation=if_generation))
        except BlobNotFound:
            return
        except PreconditionFailed:
            raise Overtaken(name, None) from None

    def _mine_or_overtaken(self, name: str, is_mine: Callable[[bytes], bool]) -> BlobStat:
        try:
            found = self.blobs.read(name)
        except BlobNotFound:
            raise Overtaken(name, None) from None
        if is_mine(found.data):
            return found.stat
        raise Overtaken(name, found) from None

    def _repeating(self, act: Callable[[], T]) -> T:
        return retry.repeated(act, retry.BLOB_WRITE, self.clock, lambda error: isinstance(error, BlobUnavailable))


class Held:
    """One object that we hold: every write goes over the generation of our last one.

    A write whose outcome stayed unknown may have landed; when a later one meets it, it is ours and we go on from there.
    Not thread-safe: its owner locks.
    """

    def __init__(self, writer: ConditionalWriter, stat: BlobStat, put_id_of: Callable[[bytes], str | None]) -> None:
        self._writer = writer
        self._put_id_of = put_id_of
        self._doubts: set[str] = set()
        self.stat = stat

    def put(self, data: bytes, put_id: str) -> BlobStat:
        """Raises Overtaken, BlobUnavailable (outcome unknown; may be repeated)."""
        try:
            self.stat = self._put(data, put_id)
        except Overtaken as exc:
            if exc.found is None or self._put_id_of(exc.found.data) not in self._doubts:
                raise
            self.stat = exc.found.stat
            self.stat = self._put(data, put_id)
        return self.stat

    def delete(self) -> None:
        """Delete the object as we wrote it last. Raises Overtaken, BlobUnavailable."""
        self._writer.delete(self.stat.name, if_generation=self.stat.generation)

    def _put(self, data: bytes, put_id: str) -> BlobStat:
        try:
            return self._writer.put(
                self.stat.name,
                data,
                if_generation=self.stat.generation,
                is_mine=lambda found: self._put_id_of(found) == put_id,
            )
        except BlobUnavailable:
            self._doubts.add(put_id)
            raise
