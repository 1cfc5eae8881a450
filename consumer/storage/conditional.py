"""A conditional write whose reply may be lost: repeat it, and recognise our own success.

The object contains the writer's ``put_id``. A repeated write whose first try succeeded gets 412; reading back shows the
id, and the write counts as done. This module repeats only writes; the store repeats reads itself.
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
    """Another writer was first. ``current`` is the object that it wrote, None if the object is gone."""

    def __init__(self, name: str, current: Blob | None) -> None:
        super().__init__(f"{name}: another writer was first")
        self.current = current


def repeated(write: Callable[[], T], clock: Clock) -> T:
    """A write or delete, repeated within the budget while the bucket does not answer. Raises as the last try."""
    return retry.repeated(write, retry.BLOB_WRITE, clock, lambda error: isinstance(error, BlobUnavailable))


def write_once(blobs: BlobStore, name: str, data: bytes, content_type: str) -> bool:
    """Write an object that never changes. Repeatable. False: it exists with other bytes. Raises BlobUnavailable."""
    try:
        blobs.write(name, data, if_generation=0, content_type=content_type)
    except PreconditionFailed:
        return blobs.read(name).data == data
    return True


def existing(blobs: BlobStore, name: str) -> Blob | None:
    """The live object, or None. Raises BlobUnavailable."""
    try:
        return blobs.read(name)
    except BlobNotFound:
        return None


@dataclass(frozen=True, slots=True)
class ConditionalWriter:
    blobs: BlobStore
    clock: Clock

    def put(self, name: str, data: bytes, *, if_generation: int, is_mine: Callable[[bytes], bool]) -> BlobStat:
        """Write over exactly that generation (0: only if absent).

        Raises Overtaken: the object is neither what the caller read nor what it wrote. BlobUnavailable: the outcome is
        unknown; the write may or may not have landed.
        """
        try:
            return repeated(
                lambda: self.blobs.write(name, data, if_generation=if_generation, content_type="application/json"),
                self.clock,
            )
        except PreconditionFailed:
            return self._mine_or_overtaken(name, is_mine)

    def read(self, name: str) -> Blob | None:
        """The live object, or None. Raises BlobUnavailable."""
        return existing(self.blobs, name)

    def delete(self, name: str, *, if_generation: int) -> None:
        """Delete exactly that generation, if it still exists. Raises Overtaken, BlobUnavailable."""
        try:
            repeated(lambda: self.blobs.delete(name, if_generation=if_generation), self.clock)
        except BlobNotFound:
            return
        except PreconditionFailed:
            raise Overtaken(name, None) from None

    def _mine_or_overtaken(self, name: str, is_mine: Callable[[bytes], bool]) -> BlobStat:
        current = existing(self.blobs, name)
        if current and is_mine(current.data):
            return current.stat
        raise Overtaken(name, current) from None


class Held:
    """An object that this process owns: every write requires the generation of its last write.

    A write with an unknown outcome may have landed. If a later write meets it, it is recognised as ours. Not
    thread-safe: the owner locks.
    """

    def __init__(self, writer: ConditionalWriter, stat: BlobStat, put_id_of: Callable[[bytes], str | None]) -> None:
        self._writer = writer
        self._put_id_of = put_id_of
        self._doubts: set[str] = set()
        self.stat = stat

    def put(self, data: bytes, put_id: str) -> BlobStat:
        """Write the object. Raises Overtaken, BlobUnavailable (the outcome is unknown; repeat it)."""
        try:
            self.stat = self._put(data, put_id)
        except Overtaken as exc:
            if exc.current is None or self._put_id_of(exc.current.data) not in self._doubts:
                raise
            self.stat = exc.current.stat
            self.stat = self._put(data, put_id)
        return self.stat

    def delete(self) -> None:
        """Delete the object as last written here. Raises Overtaken, BlobUnavailable."""
        self._writer.delete(self.stat.name, if_generation=self.stat.generation)

    def _put(self, data: bytes, put_id: str) -> BlobStat:
        try:
            return self._writer.put(
                self.stat.name,
                data,
                if_generation=self.stat.generation,
                is_mine=lambda written: self._put_id_of(written) == put_id,
            )
        except BlobUnavailable:
            self._doubts.add(put_id)
            raise
