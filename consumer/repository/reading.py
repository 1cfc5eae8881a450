"""Read files of one commit without hydrating it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from consumer.errors import SnapshotIncomplete
from consumer.repository.hydrating import ContentsByFrame, Fetcher
from consumer.snapshot import catalog
from consumer.snapshot.catalog import Pack
from consumer.snapshot.snapshot import FOLDER, Entry, Tree


@dataclass(slots=True)
class Reader:
    """One commit's tree and the places of its contents. The cold directories are read when first needed."""

    seq: int
    tree: Tree
    fetcher: Fetcher
    packs: tuple[Pack, ...]
    cold: Callable[[], Iterable[Pack]]
    _located: dict[str, catalog.Place] | None = field(default=None, init=False)

    def entry(self, path: str) -> Entry:
        """The entry of a path. Raises KeyError if this commit has no such file or folder."""
        try:
            return self.tree.entries[path]
        except KeyError:
            raise KeyError(f"commit {self.seq} has no {path!r}") from None

    def read(self, path: str) -> bytes:
        """One file's bytes, checked. Raises KeyError, IsADirectoryError, SnapshotIncomplete, BlobUnavailable."""
        entry = self.entry(path)
        if entry.size == FOLDER:
            raise IsADirectoryError(f"{path!r} is a folder of commit {self.seq}")
        pieces = {digest: bytes(data) for digest, data in self.contents(entry.contents)}
        return b"".join(pieces[digest] for digest in entry.contents)

    def contents(self, digests: Iterable[str]) -> Iterator[tuple[str, memoryview]]:
        """(digest, content) of each of these contents, checked, in the order of the packs."""
        needed: dict[str, ContentsByFrame] = {}
        for digest in dict.fromkeys(digests):
            place = self._place(digest)
            needed.setdefault(place.pack, {}).setdefault(place.frame, []).append((place, digest))
        return self.fetcher.contents(needed, {pack.digest: pack for pack in self.packs})

    def _place(self, digest: str) -> catalog.Place:
        name = catalog.key(digest)
        place = self._places().get(name)
        if place is None and (cold := self.cold()):
            # Cold packs come first: a content in both was packed again later.
            self.packs, self.cold = (*cold, *self.packs), tuple
            self._located = None
            place = self._places().get(name)
        if place is None:
            raise SnapshotIncomplete(f"content {digest} is in no pack that the catalog names")
        return place

    def _places(self) -> dict[str, catalog.Place]:
        if self._located is None:
            self._located = catalog.places(self.packs)
        return self._located
