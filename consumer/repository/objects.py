"""Objects named by the digest of their bytes: checked on each read, written repeatably."""

from __future__ import annotations

from dataclasses import dataclass

from consumer import paths
from consumer.errors import BlobNotFound, SnapshotIncomplete
from consumer.ports import BlobStore, Clock
from consumer.repository.cache import Cache
from consumer.snapshot.catalog import MetadataObject
from consumer.storage import conditional
from contract.canonical import sha256_hex


@dataclass(frozen=True, slots=True)
class Objects:
    """One user's immutable objects."""

    blobs: BlobStore
    clock: Clock
    user_id: str
    cache: Cache | None = None

    def get(self, name: str, digest: str) -> bytes:
        """The object's bytes, of exactly this digest.

        Raises SnapshotIncomplete: the object is missing, or two reads returned wrong bytes. BlobUnavailable: the bucket
        does not answer.
        """
        if self.cache and (cached := self.cache.get(self.user_id, digest)) is not None:
            return cached
        data = self._read(name, digest)
        if self.cache:
            self.cache.put(self.user_id, digest, data)
        return data

    def get_range(self, name: str, offset: int, length: int) -> bytes:
        """A part of an object; the caller checks its contents. Raises as ``get``."""
        try:
            return self.blobs.read_range(name, offset, length)
        except BlobNotFound:
            raise SnapshotIncomplete(f"{name} is named by the workspace's history but is not in the bucket") from None

    def put(self, name: str, data: bytes) -> None:
        """Write the object, even over an existing one: all writers of a digest write the same bytes, and a delete that
        was decided for the old generation does not remove the new one.

        Raises BlobUnavailable: the bucket does not answer.
        """
        conditional.repeated(lambda: self.blobs.write(name, data, if_generation=None), self.clock)
        if self.cache:
            self.cache.put(self.user_id, name.rpartition("/")[2].rpartition("-")[2], data)

    def add(self, item: MetadataObject) -> None:
        """Write an object of the snapshot's metadata under its name. As ``put``."""
        self.put(f"{paths.user(self.user_id)}{item.folder}/{item.digest}", item.data)

    def _read(self, name: str, digest: str) -> bytes:
        data = self._bytes(name)
        if sha256_hex(data) != digest:
            data = self._bytes(name)  # The transfer may have been at fault, not the stored object.
        if sha256_hex(data) != digest:
            raise SnapshotIncomplete(f"{name}: {len(data)} bytes whose digest differs from the name's")
        return data

    def _bytes(self, name: str) -> bytes:
        try:
            return self.blobs.read(name).data
        except BlobNotFound:
            raise SnapshotIncomplete(f"{name} is named by the workspace's history but is not in the bucket") from None
