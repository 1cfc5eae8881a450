"""
Rebuild HEAD's lost catalog from the chain, the stored trees and runs, catalogs of earlier commits that gc has not
deleted yet, and the packs' own directories.

The Merkle root of its signed commit proves every tree, so a wrong guess is rejected. The differences of the last
commits are in the catalog only, until they are moved to a run; if no other object has them, the rebuild fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from consumer import paths
from consumer.errors import SnapshotIncomplete
from consumer.ports import Guard
from consumer.repository import packs as packing
from consumer.repository.workspace import Repository
from consumer.snapshot import catalog, chain, merkle
from consumer.snapshot.catalog import Catalog, CatalogBase, MetadataObject, Pack
from consumer.snapshot.chain import Commit
from consumer.snapshot.snapshot import Delta, Head, Tree

T = TypeVar("T")


class CannotRebuild(Exception):
    """No remaining object has the tree of some commit; the message names the commit."""


@dataclass(slots=True)
class Rebuild:
    """Rebuilds one user's catalog. For one use, under the user's lock."""

    repository: Repository
    guard: Guard
    #: Objects to write besides the catalog.
    objects: list[MetadataObject] = field(default_factory=list)
    _whole_trees: dict[str, tuple[MetadataObject, Tree]] = field(default_factory=dict)
    #: Differences found for each commit number; writers that lost may have left others of the same number.
    _deltas: dict[int, list[Delta]] = field(default_factory=dict)

    def catalog(self, head: Head) -> Catalog:
        """Raises CannotRebuild, SnapshotIncomplete (the chain itself is broken), WorkspaceFrozen, BlobUnavailable."""
        commits = self._chain(head)
        self._gather()
        epochs, recent = self._trees(commits)
        segment = catalog.store_segment(directories(self.repository, set(), self.guard))
        self.objects.append(segment)
        frontier: list[bytes] = []
        for size, (digest, _) in enumerate(commits):
            frontier = merkle.append(frontier, size, chain.history_leaf(digest))
        hexes = tuple(item.hex() for item in frontier)
        return Catalog(head.seq, epochs, recent, live=(segment.digest,), frontier=hexes)

    def _chain(self, head: Head) -> list[tuple[str, Commit]]:
        def commit_of(seq: int, digest: str) -> Commit:
            self.guard.check()
            return self.repository.loader.commit(seq, digest)

        return list(chain.walk(head.seq, head.commit, commit_of))[::-1]

    def _gather(self) -> None:
        """Collect every whole tree by its Merkle root, and every difference by its commit's number."""
        for stored in self._stored("trees"):
            if (tree := _decoded(catalog.load_tree, stored.data)) is not None:
                self._whole_trees[tree.merkle_root()] = (stored, tree)
            self._add(_decoded(catalog.load_run, stored.data) or ())
        for stored in self._stored("index"):
            if (index := _decoded(catalog.load_catalog, stored.data)) is not None:
                self._add(index.recent)

    def _add(self, deltas: Sequence[tuple[int, Delta]]) -> None:
        for seq, delta in deltas:
            if delta not in (deltas_of_seq := self._deltas.setdefault(seq, [])):
                deltas_of_seq.append(delta)

    def _stored(self, folder: str) -> Iterator[MetadataObject]:
        """Objects of a folder that match their digests."""
        prefix = f"{paths.user(self.repository.user_id)}{folder}/"
        objects = self.repository.objects
        for stat in self.repository.blobs.list(prefix):
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
            if commit.merkle_root not in self._whole_trees:
                raise CannotRebuild(f"no remaining object has the tree of commit {commit.seq}")
            self._close(epochs, recent)
            recent = []
            stored, tree = self._whole_trees[commit.merkle_root]
            epochs.append(stored.as_base(commit.seq))
        if len(catalog.store_run(recent).data) > catalog.INLINE_BYTES:
            self._close(epochs, recent)
            recent = []
        return tuple(epochs), tuple(recent)

    def _step(self, tree: Tree, commit: Commit) -> tuple[Delta, Tree] | None:
        """The difference from this tree to the commit's, proven by the Merkle root."""
        for delta in (*self._deltas.get(commit.seq, ()), Delta()):
            after = tree.apply(delta)
            if after.merkle_root() == commit.merkle_root:
                return delta, after
        return None

    def _close(self, epochs: list[CatalogBase], recent: Sequence[tuple[int, Delta]]) -> None:
        """Move the differences after the last whole tree to their own run."""
        if recent:
            run = catalog.store_run(recent)
            self.objects.append(run)
            epochs[-1] = epochs[-1]._replace(runs=(run.as_run(recent[0][0], recent[-1][0]),))


def directories(repository: Repository, known: set[str], guard: Guard) -> list[Pack]:
    """Directories of all packs in the bucket except ``known`` digests, oldest first, each read from its pack.

    Raises SnapshotIncomplete, BlobUnavailable.
    """
    prefix = paths.pack(repository.user_id, "")
    stats = sorted(repository.blobs.list(prefix), key=lambda stat: stat.updated)
    packs: list[Pack] = []
    for digest in [stat.name.removeprefix(prefix) for stat in stats]:
        guard.check()
        if digest not in known:
            data = repository.objects.get(paths.pack(repository.user_id, digest), digest)
            packs.append(packing.directory(data, digest))
    return packs


def _decoded(decode: Callable[[bytes], T], data: bytes) -> T | None:
    try:
        return decode(data)
    except ValueError:
        return None
