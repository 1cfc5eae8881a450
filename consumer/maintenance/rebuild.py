"""
HEAD's catalog made again, where it is lost: from the chain, the stored trees and runs, catalogs of earlier commits that
no gc has met yet, and the packs' own directories.

Every tree is proven by the Merkle root of its signed commit, so a wrong guess cannot get in. The difference of the last
commits lies in the catalog alone until it is moved to a run: if nothing else holds it, nothing can be made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from consumer import paths
from consumer.errors import SnapshotIncomplete
from consumer.ports import Guard
from consumer.repository import packs as packing
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import catalog, chain, merkle
from consumer.snapshot.catalog import Catalog, CatalogBase, DiffRun, MetadataObject, Pack
from consumer.snapshot.chain import Commit
from consumer.snapshot.snapshot import Delta, Head, Tree

T = TypeVar("T")


class CannotRebuild(Exception):
    """The tree of some commit is in no object that is left; the message says of which."""


@dataclass(slots=True)
class Rebuild:
    """One user's catalog. One use, under the user's lock."""

    store: WorkspaceStore
    user_id: str
    guard: Guard
    #: What to write beside the catalog.
    objects: list[MetadataObject] = field(default_factory=list)
    _wholes: dict[str, tuple[MetadataObject, Tree]] = field(default_factory=dict)
    #: Differences that some object holds for a commit; writers that lost may have left others of the same number.
    _deltas: dict[int, list[Delta]] = field(default_factory=dict)

    def catalog(self, head: Head) -> Catalog:
        """Raises CannotRebuild, SnapshotIncomplete (the chain itself is broken), WorkspaceFrozen, BlobUnavailable."""
        commits = self._chain(head)
        self._gather()
        epochs, recent = self._trees(commits)
        segment = catalog.store_segment(directories(self.store, self.user_id, set(), self.guard))
        self.objects.append(segment)
        frontier: list[bytes] = []
        for size, (digest, _) in enumerate(commits):
            frontier = merkle.append(frontier, size, chain.history_leaf(digest))
        hexes = tuple(item.hex() for item in frontier)
        return Catalog(head.seq, epochs, recent, live=(segment.digest,), frontier=hexes)

    def _chain(self, head: Head) -> list[tuple[str, Commit]]:
        found: list[tuple[str, Commit]] = []
        loader, seq, digest = self.store.loader(self.user_id), head.seq, head.commit
        while digest is not None:
            self.guard.check()
            commit = loader.commit(seq, digest)
            found.append((digest, commit))
            seq, digest = seq - 1, commit.parent
        return found[::-1]

    def _gather(self) -> None:
        """Every whole tree by its Merkle root, and every difference by its commit's number."""
        for stored in self._stored("trees"):
            if (tree := _decoded(catalog.load_tree, stored.data)) is not None:
                self._wholes[tree.merkle_root()] = (stored, tree)
            self._add(_decoded(catalog.load_run, stored.data) or ())
        for stored in self._stored("index"):
            if (index := _decoded(catalog.load_catalog, stored.data)) is not None:
                self._add(index.recent)

    def _add(self, deltas: Sequence[tuple[int, Delta]]) -> None:
        for seq, delta in deltas:
            if delta not in (known := self._deltas.setdefault(seq, [])):
                known.append(delta)

    def _stored(self, folder: str) -> Iterator[MetadataObject]:
        """Objects of a folder that are whole."""
        prefix = f"{paths.user(self.user_id)}{folder}/"
        objects = self.store.objects(self.user_id)
        for stat in self.store.blobs(self.user_id).list(prefix):
            self.guard.check()
            digest = stat.name.removeprefix(prefix)
            try:
                yield MetadataObject(folder, digest, objects.get(stat.name, digest))
            except SnapshotIncomplete:
                continue

    def _trees(
        self, commits: Sequence[tuple[str, Commit]]
    ) -> tuple[tuple[CatalogBase, ...], tuple[tuple[int, Delta], ...]]:
        epochs: list[CatalogBase] = []
        recent: list[tuple[int, Delta]] = []
        tree = Tree()
        for _, commit in commits:
            self.guard.check()
            step = self._step(tree, commit) if epochs else None
            if step is not None:
                recent.append((commit.seq, step[0]))
                tree = step[1]
                continue
            if commit.merkle_root not in self._wholes:
                raise CannotRebuild(f"the tree of commit {commit.seq} is in no object that is left")
            self._close(epochs, recent)
            recent = []
            stored, tree = self._wholes[commit.merkle_root]
            epochs.append(CatalogBase(commit.seq, stored.digest, len(stored.data)))
        if len(catalog.store_run(recent).data) > catalog.INLINE_BYTES:
            self._close(epochs, recent)
            recent = []
        return tuple(epochs), tuple(recent)

    def _step(self, tree: Tree, commit: Commit) -> tuple[Delta, Tree] | None:
        """The difference that leads from this tree to the commit's, as its Merkle root proves."""
        for delta in (*self._deltas.get(commit.seq, ()), Delta()):
            after = tree.apply(delta)
            if after.merkle_root() == commit.merkle_root:
                return delta, after
        return None

    def _close(self, epochs: list[CatalogBase], recent: Sequence[tuple[int, Delta]]) -> None:
        """Move the differences after the last whole tree to a run of their own."""
        if recent:
            run = catalog.store_run(recent)
            self.objects.append(run)
            named = DiffRun(recent[0][0], recent[-1][0], run.digest, len(run.data))
            epochs[-1] = epochs[-1]._replace(runs=(named,))


def directories(store: WorkspaceStore, user_id: str, known: set[str], guard: Guard) -> list[Pack]:
    """Directories of all packs in the bucket but the known ones, oldest first, each read from its pack.

    Raises SnapshotIncomplete, BlobUnavailable.
    """
    prefix = paths.pack(user_id, "")
    found = sorted(store.blobs(user_id).list(prefix), key=lambda stat: stat.updated)
    packs: list[Pack] = []
    for digest in [stat.name.removeprefix(prefix) for stat in found]:
        guard.check()
        if digest not in known:
            data = store.objects(user_id).get(paths.pack(user_id, digest), digest)
            packs.append(packing.directory(data, digest))
    return packs


def _decoded(decode: Callable[[bytes], T], data: bytes) -> T | None:
    try:
        return decode(data)
    except ValueError:
        return None
