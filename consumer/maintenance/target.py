"""
Prove that a commit is complete by reading everything that a hydrate of it would read, past all caches.

One proof reads no object twice, even for a search over the whole history. This module writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from consumer import paths
from consumer.errors import SnapshotIncomplete, WorkspaceFrozen
from consumer.ports import Guard
from consumer.repository import packs as packing
from consumer.repository.cache import MemoryCache
from consumer.repository.history import History
from consumer.repository.hydrating import PACKS_AHEAD, ContentsByFrame, ahead
from consumer.repository.loading import Loader, Snapshot
from consumer.repository.objects import Objects
from consumer.repository.workspace import Repository
from consumer.snapshot import catalog
from consumer.snapshot.catalog import Pack, Place
from consumer.snapshot.snapshot import Entry


@dataclass(frozen=True, slots=True)
class Damage:
    """One missing or damaged object that a commit needs. ``files``: how many of the commit's files are in it."""

    detail: str
    files: int

    def __str__(self) -> str:
        return f"{self.detail} ({self.files} {'file' if self.files == 1 else 'files'})"


@dataclass(frozen=True, slots=True)
class Contents:
    """``added``: packs to append, so that every content is found undamaged. ``damages``: what is still lost."""

    added: tuple[Pack, ...]
    damages: tuple[Damage, ...]


@dataclass(slots=True)
class Prover:
    """Proofs of one user's commits. For one use, under the user's lock: without it a writer may repack packs."""

    repository: Repository
    guard: Guard
    #: (pack, content) -> the content's fault in that pack, "" for none.
    _judged: dict[tuple[str, str], str] = field(default_factory=dict)
    _objects: Objects = field(init=False)
    _loader: Loader = field(init=False)
    _cold: tuple[Pack, ...] | None = None

    def __post_init__(self) -> None:
        self._objects = replace(self.repository.objects, cache=None)
        # Trees share objects, which this proof keeps in memory.
        self._loader = replace(self.repository.loader, objects=replace(self._objects, cache=MemoryCache()))

    def head(self) -> Snapshot:
        """HEAD's snapshot without its contents: commit, catalog, tree and live pack directories, read anew.

        Raises SnapshotIncomplete, WorkspaceFrozen, BlobUnavailable.
        """
        # ``load`` comes first, because it distinguishes a lost HEAD from a new user's.
        return self._loader.snapshot(self.repository.load().head)

    def commit(self, head: Snapshot, seq: int) -> Snapshot:
        """A commit of HEAD's history without its contents, its signature and its tree's Merkle root checked.

        Raises NoSuchCommit: the history has no commit of this number. SnapshotIncomplete, WorkspaceFrozen: the commit
        is not proven. BlobUnavailable.
        """
        digest, _ = History(self.repository).commit(seq)
        commit = self._loader.commit(seq, digest)
        try:
            tree = self._loader.tree(head.catalog, seq)
        except KeyError as exc:
            raise SnapshotIncomplete(f"the catalog of {self.repository.user_id} has no tree of commit {seq}") from exc
        if tree.merkle_root() != commit.merkle_root:
            raise WorkspaceFrozen(
                f"the tree of commit {seq} of {self.repository.user_id} is not the one that was signed"
            )
        if self._cold is None:
            self._cold = self._loader.segments(head.catalog.cold)
        return Snapshot(
            replace(head.head, seq=seq, commit=digest), commit, head.catalog, tree, (*self._cold, *head.segments)
        )

    def contents(self, entries: Mapping[str, Entry], packs: Sequence[Pack], copies: Sequence[Pack]) -> Contents:
        """Read every content of these entries.

        ``packs``: where a hydrate looks for them. ``copies``: packs that may have a second copy of a content, as
        repacking leaves for history; an intact copy replaces a damaged one.

        Raises BlobUnavailable, and whatever the guard raises.
        """
        files = [entry.contents for entry in entries.values() if entry.size > 0]
        digests = {digest for contents in files for digest in contents}
        lost: set[str] = set()
        damaged: set[str] = set()
        while True:
            added = [pack for pack in copies if pack.digest not in damaged and not lost.isdisjoint(_keys(pack))]
            places = catalog.places((*packs, *added))
            faults = {digest: why for digest, why in self._read(digests, places).items() if why}
            faulty_keys = {catalog.key(digest) for digest in faults}
            faulty_packs = {places[key].pack for key in faulty_keys if key in places}
            if faulty_keys <= lost and faulty_packs <= damaged:
                return Contents(tuple(added), _damages(files, faults))
            # A lookup finds appended copies first, so all contents of these packs are then read from there.
            lost, damaged = lost | faulty_keys, damaged | faulty_packs

    def _read(self, digests: Iterable[str], places: Mapping[str, Place]) -> dict[str, str]:
        """The fault of each of these contents, "" for none. A pack is read as a whole, as a hydrate may read it."""
        faults: dict[str, str] = {}
        unread: dict[str, ContentsByFrame] = {}
        for digest in digests:
            place = places.get(catalog.key(digest))
            if place is None:
                faults[digest] = "a content is in no pack that the catalog names"
            elif (judged := self._judged.get((place.pack, digest))) is not None:
                faults[digest] = judged
            else:
                unread.setdefault(place.pack, {}).setdefault(place.frame, []).append((place, digest))
        calls = (partial(self._judge, pack, frames) for pack, frames in unread.items())
        for pack, verdicts in ahead(self.repository.store.pool, calls, PACKS_AHEAD):
            self.guard.check()
            faults |= verdicts
            self._judged |= {(pack, digest): why for digest, why in verdicts.items()}
        return faults

    def _judge(self, pack: str, frames: ContentsByFrame) -> tuple[str, dict[str, str]]:
        """-> (pack, the fault of each requested content in it)."""
        name = paths.pack(self.repository.user_id, pack)
        try:
            data = memoryview(self._objects.get(name, pack))
        except SnapshotIncomplete as exc:
            return pack, {digest: str(exc) for contents in frames.values() for _, digest in contents}
        verdicts: dict[str, str] = {}
        for contents in frames.values():
            place = contents[0][0]
            try:
                raw = packing.unpack(data[place.offset : place.offset + place.stored], place.raw, pack)
            except SnapshotIncomplete as exc:
                verdicts |= {digest: str(exc) for _, digest in contents}
                continue
            verdicts |= {digest: _fault(placed, raw, digest) for placed, digest in contents}
        return pack, verdicts


def _damages(files: Sequence[Sequence[str]], faults: Mapping[str, str]) -> tuple[Damage, ...]:
    first_faults = (next((faults[digest] for digest in contents if digest in faults), "") for contents in files)
    counted = Counter(fault for fault in first_faults if fault)
    return tuple(Damage(why, number) for why, number in sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def _keys(pack: Pack) -> set[str]:
    return {name for frame in pack.frames for name, _ in frame.contents}


def _fault(place: Place, raw: bytes, digest: str) -> str:
    try:
        next(packing.contents([(place, digest)], raw))
    except SnapshotIncomplete as exc:
        return str(exc)
    return ""
