"""
Is a commit whole? Proven by reading everything that a hydrate of it would read, from the bucket and past every cache.

What was read once serves every later question of the same proof, so a search over the whole history reads no object
twice. Nothing is written here.
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
from consumer.repository.hydrating import PACKS_AHEAD, Wanted, ahead
from consumer.repository.loading import Loader, Snapshot
from consumer.repository.objects import Objects
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import catalog
from consumer.snapshot.catalog import Pack, Place
from consumer.snapshot.snapshot import Entry


@dataclass(frozen=True, slots=True)
class Damage:
    """One object that a commit needs and that is not as it must be; ``files``: how many of its files lie in it."""

    detail: str
    files: int

    def __str__(self) -> str:
        return f"{self.detail} ({self.files} {'file' if self.files == 1 else 'files'})"


@dataclass(frozen=True, slots=True)
class Contents:
    """``added``: packs to put behind the others, so that every content is found whole. ``damages``: what is lost."""

    added: tuple[Pack, ...]
    damages: tuple[Damage, ...]


@dataclass(slots=True)
class Prover:
    """Proofs of one user's commits. Needs the user's lock: without it a writer may repack what was read. One use."""

    store: WorkspaceStore
    user_id: str
    guard: Guard
    #: (pack, content) -> what is wrong with it there, "" for nothing.
    _judged: dict[tuple[str, str], str] = field(default_factory=dict)
    _objects: Objects = field(init=False)
    _loader: Loader = field(init=False)
    _cold: tuple[Pack, ...] | None = None

    def __post_init__(self) -> None:
        self._objects = Objects(self.store.blobs(self.user_id), self.store.clock, self.user_id)
        # Trees share their objects: kept in memory for this proof alone.
        self._loader = Loader(
            Objects(self._objects.blobs, self._objects.clock, self.user_id, MemoryCache()),
            self.store.signer,
            self.store.pool,
        )

    def head(self) -> Snapshot:
        """HEAD's snapshot without its contents: commit, catalog, tree and live pack directories, read anew.

        Raises SnapshotIncomplete, WorkspaceFrozen, BlobUnavailable.
        """
        # The store's own look comes first: it knows a lost HEAD from a new user's.
        return self._loader.snapshot(self.store.load(self.user_id).head)

    def commit(self, head: Snapshot, seq: int) -> Snapshot:
        """A commit of HEAD's history without its contents, its signature and its tree's Merkle root checked.

        Raises:
            NoSuchCommit: the history has none of this number.
            SnapshotIncomplete, WorkspaceFrozen: it does not prove itself. BlobUnavailable.
        """
        digest, _ = History(self.store, self.user_id).commit(seq)
        found = self._loader.commit(seq, digest)
        try:
            tree = self._loader.tree(head.catalog, seq)
        except KeyError as exc:
            raise SnapshotIncomplete(f"the catalog of {self.user_id} holds no tree of commit {seq}") from exc
        if tree.merkle_root() != found.merkle_root:
            raise WorkspaceFrozen(f"the tree of commit {seq} of {self.user_id} is not the one that was signed")
        if self._cold is None:
            self._cold = self._loader.segments(head.catalog.cold)
        return Snapshot(
            replace(head.head, seq=seq, commit=digest), found, head.catalog, tree, (*self._cold, *head.segments)
        )

    def contents(self, entries: Mapping[str, Entry], packs: Sequence[Pack], copies: Sequence[Pack]) -> Contents:
        """Read every content of these entries.

        ``packs``: where a hydrate would look for them. ``copies``: packs that may hold a content a second time, as
        repacking leaves it for history; a whole copy makes up for a damaged one.

        Raises BlobUnavailable, the guard's.
        """
        files = [entry.contents for entry in entries.values() if entry.size > 0]
        digests = {digest for contents in files for digest in contents}
        lost: set[str] = set()
        damaged: set[str] = set()
        while True:
            added = [pack for pack in copies if pack.digest not in damaged and not lost.isdisjoint(_keys(pack))]
            places = catalog.places((*packs, *added))
            faults = {digest: why for digest, why in self._read(digests, places).items() if why}
            now = {catalog.key(digest) for digest in faults}
            where = {places[key].pack for key in now if key in places}
            if now <= lost and where <= damaged:
                return Contents(tuple(added), _damages(files, faults))
            # Copies come last and count first: what else they hold is judged where it then lies.
            lost, damaged = lost | now, damaged | where

    def _read(self, digests: Iterable[str], places: Mapping[str, Place]) -> dict[str, str]:
        """What is wrong with each of these contents, "" for nothing. A pack is read whole, as a hydrate may read it."""
        found: dict[str, str] = {}
        wanted: dict[str, Wanted] = {}
        for digest in digests:
            place = places.get(catalog.key(digest))
            if place is None:
                found[digest] = "a content that is in no pack which the catalog names"
            elif (known := self._judged.get((place.pack, digest))) is not None:
                found[digest] = known
            else:
                wanted.setdefault(place.pack, {}).setdefault(place.frame, []).append((place, digest))
        calls = (partial(self._judge, pack, frames) for pack, frames in wanted.items())
        for pack, verdicts in ahead(self.store.pool, calls, PACKS_AHEAD):
            self.guard.check()
            found |= verdicts
            self._judged |= {(pack, digest): why for digest, why in verdicts.items()}
        return found

    def _judge(self, pack: str, frames: Wanted) -> tuple[str, dict[str, str]]:
        """-> (pack, what is wrong with each content that is wanted of it)."""
        name = paths.pack(self.user_id, pack)
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
            verdicts |= {digest: _fault(where, raw, digest) for where, digest in contents}
        return pack, verdicts


def _damages(files: Sequence[Sequence[str]], faults: Mapping[str, str]) -> tuple[Damage, ...]:
    first = (next((faults[digest] for digest in contents if digest in faults), "") for contents in files)
    counted = Counter(why for why in first if why)
    return tuple(Damage(why, number) for why, number in sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def _keys(pack: Pack) -> set[str]:
    return {name for frame in pack.frames for name, _ in frame.contents}


def _fault(place: Place, raw: bytes, digest: str) -> str:
    try:
        packing.content(place, raw, digest)
    except SnapshotIncomplete as exc:
        return str(exc)
    return ""
