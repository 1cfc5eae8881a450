"""Files of one commit, without hydrating it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from consumer.errors import SnapshotIncomplete
from consumer.repository.hydrating import Fetcher, Wanted
from consumer.snapshot import catalog
from consumer.snapshot.catalog import Pack
from consumer.snapshot.snapshot import FOLDER, Entry, Tree


@dataclass(slots=True)
class Reader:
    """One commit's tree and where its contents are. The cold directories are read when first needed."""

    seq: int
    tree: Tree
    fetcher: Fetcher
    packs: tuple[Pack, ...]
    cold: Callable[[], Iterable[Pack]]
    _known: dict[str, catalog.Place] | None = field(default=None, init=False)

    def entry(self, path: str) -> Entry:
        """Raises KeyError: no such file or folder in this commit."""
        try:
            return self.tree.entries[path]
        except KeyError:
            raise KeyError(f"commit {self.seq} has no {path!r}") from None

    def read(self, path: str) -> bytes:
        """One file, whole and checked. Raises KeyError, IsADirectoryError, SnapshotIncomplete, BlobUnavailable."""
        entry = self.entry(path)
        if entry.size == FOLDER:
            raise IsADirectoryError(f"{path!r} is a folder of commit {self.seq}")
        pieces = {digest: bytes(data) for digest, data in self.contents(entry.contents)}
        return b"".join(pieces[digest] for digest in entry.contents)

    def contents(self, digests: Iterable[str]) -> Iterator[tuple[str, memoryview]]:
        """(digest, content) of each of these, checked, in the order in which packs give them."""
        wanted: dict[str, Wanted] = {}
        for digest in dict.fromkeys(digests):
            place = self._place(digest)
            wanted.setdefault(place.pack, {}).setdefault(place.frame, []).append((place, digest))
        return self.fetcher.contents(wanted, {pack.digest: pack for pack in self.packs})

    def _place(self, digest: str) -> catalog.Place:
        name = catalog.key(digest)
        found = self._places().get(name)
        if found is None and (cold := self.cold()):
            # Cold ones come first: what lies in both was packed again later.
            self.packs, self.cold = (*cold, *self.packs), tuple
            self._known = None
            found = self._places().get(name)
        if found is None:
            raise SnapshotIncomplete(f"content {digest} is in no pack that the catalog names")
        return found

    def _places(self) -> dict[str, catalog.Place]:
        if self._known is None:
            self._known = catalog.places(self.packs)
        return self._known
