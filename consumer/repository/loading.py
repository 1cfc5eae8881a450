"""Load what HEAD names: commit, catalog, tree, pack directories. Every object is checked against its digest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from consumer import paths
from consumer.errors import SnapshotIncomplete, WorkspaceFrozen, text_of
from consumer.ports import Signer
from consumer.repository.objects import Objects
from consumer.snapshot import catalog, chain
from consumer.snapshot.catalog import Catalog, CatalogBase, Pack, Place
from consumer.snapshot.chain import Commit
from consumer.snapshot.snapshot import Delta, Head, StatCache, Tree

T = TypeVar("T")


@dataclass(slots=True)
class Snapshot:
    """One HEAD, loaded. ``stats``: the run folder's files as the last hydrate or persist saw them."""

    head: Head
    commit: Commit | None = None
    catalog: Catalog = field(default_factory=Catalog)
    tree: Tree = field(default_factory=Tree)
    #: Directories of the live segments; those in the catalog come after them.
    segments: tuple[Pack, ...] = ()
    stats: StatCache = field(default_factory=dict)
    #: The result of ``places``, which hydrate and persist both need.
    located: dict[str, Place] | None = None

    @property
    def packs(self) -> tuple[Pack, ...]:
        return (*self.segments, *self.catalog.packs)

    def places(self) -> dict[str, Place]:
        """The place of every content. Do not modify the result."""
        if self.located is None:
            self.located = catalog.places(self.packs)
        return self.located


@dataclass(frozen=True, slots=True)
class Loader:
    """Reads one user's history objects."""

    objects: Objects
    signer: Signer
    pool: ThreadPoolExecutor

    def snapshot(self, head: Head, previous: Snapshot | None = None) -> Snapshot:
        """HEAD's snapshot, proven: the commit is signed, and the tree has the commit's Merkle root.

        ``previous``: an earlier snapshot of the same user, so that only later objects are read.

        Raises SnapshotIncomplete: an object is missing or damaged. WorkspaceFrozen: all objects exist, but a signature
        or Merkle root is wrong.
        """
        if head.commit is None or head.index is None:
            # After an erasure, numbers continue above the old ones, so that no old name can match a new commit.
            return Snapshot(head, catalog=Catalog(seq=head.seq))
        commit_job = self.pool.submit(self.commit, head.seq, head.commit)
        index = self.catalog(head.index)
        if index.seq != head.seq:
            raise SnapshotIncomplete(f"HEAD of {self._user} is at commit {head.seq}, its catalog at {index.seq}")
        if not any(epoch.seq <= head.seq for epoch in index.epochs):
            raise SnapshotIncomplete(f"the catalog of commit {head.seq} of {self._user} has no tree of it")
        segments_job = self.pool.submit(self._segments, index, previous)
        tree = (self._advanced_tree(previous, index, head.seq) if previous else None) or self.tree(index, head.seq)
        commit = commit_job.result()
        if tree.merkle_root() != commit.merkle_root:
            raise WorkspaceFrozen(f"the tree of commit {head.seq} of {self._user} is not the one that was signed")
        return Snapshot(head, commit, index, tree, segments_job.result())

    def commit(self, seq: int, digest: str) -> Commit:
        """One commit, its digest and signature checked. Raises as ``snapshot``."""
        name = paths.commit(self._user, seq, digest)
        commit = self._decode(name, self.objects.get(name, digest), chain.decode)
        signature = commit.signature
        if commit.seq != seq or signature is None:
            state = "signed" if signature else "unsigned"
            raise WorkspaceFrozen(f"{name} should be commit {seq}, signed; it is commit {commit.seq}, {state}")
        if not self.signer.verify(signature.key_id, commit.signed_part(), bytes.fromhex(signature.value)):
            raise WorkspaceFrozen(f"{name} is not signed by key {signature.key_id!r} of this keyring")
        return commit

    def catalog(self, digest: str) -> Catalog:
        name = paths.index(self._user, digest)
        return self._decode(name, self.objects.get(name, digest), catalog.load_catalog)

    def segments(self, digests: Sequence[str]) -> tuple[Pack, ...]:
        """The directories in these segments, in their order."""
        lists = self._all(paths.index, digests, catalog.load_segment)
        return tuple(pack for packs in lists for pack in packs)

    def _advanced_tree(self, previous: Snapshot, index: Catalog, seq: int) -> Tree | None:
        """The tree from an earlier one of the same epoch and the differences since; None: some of them are missing.

        Like any tree, it is proven by the Merkle root of HEAD's commit.
        """
        before, previous_epoch, epoch = previous.head.seq, previous.catalog.epochs[-1:], index.epoch_of(seq)
        if not previous_epoch or (previous_epoch[0].seq, previous_epoch[0].digest) != (epoch.seq, epoch.digest):
            return None
        runs = [run for run in epoch.runs if run.last > before]
        loaded_runs = self.pool.map(lambda run: self.run(run.digest), runs)
        deltas = [*(item for run in loaded_runs for item in run), *index.recent]
        later = [delta for number, delta in deltas if before < number <= seq]
        return previous.tree.apply(*later) if len(later) == seq - before else None

    def _segments(self, index: Catalog, previous: Snapshot | None) -> tuple[Pack, ...]:
        """The live directories. If they start with the previous snapshot's, only the others are read."""
        previous_live = previous.catalog.live if previous else ()
        if previous is None or index.live[: len(previous_live)] != previous_live:
            return self.segments(index.live)
        return (*previous.segments, *self.segments(index.live[len(previous_live) :]))

    def tree(self, index: Catalog, seq: int) -> Tree:
        """The tree of one commit. Raises KeyError if the catalog has no such commit."""
        epoch = index.epoch_of(seq)
        base, *runs = self._tree_objects(epoch, seq)
        tree = self._decode(epoch.digest, base, catalog.load_tree)
        deltas = [item for run in runs for item in self._decode(epoch.digest, run, catalog.load_run)]
        if epoch == index.epochs[-1]:
            deltas += index.recent
        return tree.apply(*(delta for number, delta in deltas if number <= seq))

    def whole_tree(self, digest: str) -> Tree:
        """A stored whole tree. Raises SnapshotIncomplete, BlobUnavailable."""
        name = paths.tree(self._user, digest)
        return self._decode(name, self.objects.get(name, digest), catalog.load_tree)

    def run(self, digest: str) -> list[tuple[int, Delta]]:
        """A stored run of differences. Raises SnapshotIncomplete, BlobUnavailable."""
        name = paths.tree(self._user, digest)
        return self._decode(name, self.objects.get(name, digest), catalog.load_run)

    @property
    def _user(self) -> str:
        return self.objects.user_id

    def _tree_objects(self, epoch: CatalogBase, seq: int) -> list[bytes]:
        digests = [epoch.digest, *(run.digest for run in epoch.runs if run.first <= seq)]
        return list(self.pool.map(lambda digest: self.objects.get(paths.tree(self._user, digest), digest), digests))

    def _all(self, name: Callable[[str, str], str], digests: Sequence[str], decode: Callable[[bytes], T]) -> list[T]:
        fetched = [self.pool.submit(self.objects.get, name(self._user, digest), digest) for digest in digests]
        return [self._decode(digest, job.result(), decode) for digest, job in zip(digests, fetched, strict=True)]

    def _decode(self, name: str, data: bytes, decode: Callable[[bytes], T]) -> T:
        try:
            return decode(data)
        except (ValueError, LookupError, TypeError) as exc:
            # The digest is right, so it was written like this: an unknown format, or not our object.
            raise SnapshotIncomplete(f"{name} of {self._user}: {text_of(exc)}") from exc


def contents_by_frame(
    digests: Iterable[str], places: dict[str, Place]
) -> dict[str, dict[int, list[tuple[Place, str]]]]:
    """pack -> frame -> the contents of ``digests`` in it, each once, as (place, digest).

    Raises SnapshotIncomplete: a content is in no pack.
    """
    frames: dict[str, dict[int, list[tuple[Place, str]]]] = defaultdict(lambda: defaultdict(list))
    for digest in digests:
        # ``catalog.key`` is inlined, since a hydrate calls this for every file.
        place = places.get(digest[: catalog.KEY_DIGITS])
        if place is None:
            raise SnapshotIncomplete(f"content {digest} is in no pack that the catalog names")
        frames[place.pack][place.frame].append((place, digest))
    return frames
