"""Rewrite older trees and packs without purged content. This module creates objects; it does not change HEAD.

An erased entry leaves its leaf hash, so every old Merkle root, and with it every signature, stays valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from consumer import paths
from consumer.errors import SnapshotIncomplete
from consumer.ports import Guard
from consumer.repository import packs as packing
from consumer.repository.loading import Loader
from consumer.repository.objects import Objects
from consumer.repository.packs import PackWriter
from consumer.snapshot import catalog
from consumer.snapshot.catalog import Catalog, CatalogBase, DiffRun, MetadataObject, Pack
from consumer.snapshot.snapshot import Delta, Entry, Tree

Tainted = Callable[[Entry], bool]


@dataclass(slots=True)
class Erasure:
    """Rewrites the trees of a catalog. For one use."""

    loader: Loader
    tainted: Tainted
    guard: Guard
    #: Leaves (hexadecimal) of all erased entries.
    leaves: set[str] = field(default_factory=set)
    #: Keys of contents that the rewritten trees still need.
    needed: set[str] = field(default_factory=set)
    objects: list[MetadataObject] = field(default_factory=list)
    #: HEAD's tree after the rewrite.
    tree: Tree = field(default_factory=Tree)

    def rewrite(self, index: Catalog) -> Catalog:
        """The same catalog over rewritten trees. Raises SnapshotIncomplete, BlobUnavailable."""
        epochs: list[CatalogBase] = []
        recent: list[tuple[int, Delta]] = []
        for epoch in index.epochs:
            self.guard.check()
            tree, runs, recent = self._epoch(index, epoch)
            epochs.append(tree.as_base(epoch.seq, runs))
        return replace(index, epochs=tuple(epochs), recent=tuple(recent))

    def _epoch(
        self, index: Catalog, epoch: CatalogBase
    ) -> tuple[MetadataObject, tuple[DiffRun, ...], list[tuple[int, Delta]]]:
        original = self.loader.whole_tree(epoch.digest)
        self.tree = self._without(original)
        stored_tree = self._keep(catalog.store_tree(self.tree))
        runs: list[DiffRun] = []
        for run in epoch.runs:
            original, deltas = self._deltas(original, self.loader.run(run.digest))
            runs.append(self._keep(catalog.store_run(deltas)).as_run(run.first, run.last))
        original, recent = self._deltas(original, list(index.recent) if epoch == index.epochs[-1] else [])
        return stored_tree, tuple(runs), recent

    def _deltas(self, original: Tree, deltas: list[tuple[int, Delta]]) -> tuple[Tree, list[tuple[int, Delta]]]:
        rewritten: list[tuple[int, Delta]] = []
        for seq, delta in deltas:
            rewritten.append((seq, self._delta(original, delta)))
            original = original.apply(delta)
            self.tree = self.tree.apply(rewritten[-1][1])
        return original, rewritten

    def _delta(self, before: Tree, delta: Delta) -> Delta:
        replaced_tainted = [
            before.entries[path] for path in (*delta.drop, *(e.path for e in delta.put)) if path in before.entries
        ]
        replaced_tainted = [entry for entry in replaced_tainted if self.tainted(entry)]
        tainted_puts = [entry for entry in delta.put if self.tainted(entry)]
        self._need(entry for entry in delta.put if not self.tainted(entry))
        erased = [self._erase(entry) for entry in tainted_puts]
        # The removal of an erased path must not name the path either. What an erased entry replaced is removed by name.
        names, spoiled = {entry.path for entry in replaced_tainted}, {entry.path for entry in tainted_puts}
        replaced = [entry.path for entry in tainted_puts if entry.path in before.entries]
        return Delta(
            put=tuple(entry for entry in delta.put if entry.path not in spoiled),
            drop=tuple(path for path in (*delta.drop, *replaced) if path not in names),
            put_erased=tuple(sorted({*delta.put_erased, *erased})),
            drop_erased=tuple(sorted({*delta.drop_erased, *(entry.leaf().hex() for entry in replaced_tainted)})),
        )

    def _without(self, tree: Tree) -> Tree:
        tainted = [entry for entry in tree.entries.values() if self.tainted(entry)]
        erased = frozenset(self._erase(entry) for entry in tainted)
        names = {entry.path for entry in tainted}
        remaining = {path: entry for path, entry in tree.entries.items() if path not in names}
        self._need(remaining.values())
        return Tree(remaining, tree.erased | erased)

    def _erase(self, entry: Entry) -> str:
        leaf = entry.leaf().hex()
        self.leaves.add(leaf)
        return leaf

    def _need(self, entries: Iterable[Entry]) -> None:
        self.needed |= catalog.keys(entries)

    def _keep(self, stored: MetadataObject) -> MetadataObject:
        self.objects.append(stored)
        return stored


def entries(loader: Loader, index: Catalog) -> Iterator[Entry]:
    """Every entry of every tree of a history; an unchanged entry once per epoch.

    Raises SnapshotIncomplete, BlobUnavailable.
    """
    for epoch in index.epochs:
        yield from loader.whole_tree(epoch.digest).entries.values()
        for run in epoch.runs:
            for _, delta in loader.run(run.digest):
                yield from delta.put
    for _, delta in index.recent:
        yield from delta.put


def unreadable(objects: Objects, packs: Iterable[Pack], guard: Guard) -> set[str]:
    """Digests of the packs that are missing or damaged, by reading each past all caches. Raises BlobUnavailable."""
    fresh = Objects(objects.blobs, objects.clock, objects.user_id)
    damaged: set[str] = set()
    for digest in sorted({pack.digest for pack in packs}):
        guard.check()
        try:
            fresh.get(paths.pack(objects.user_id, digest), digest)
        except SnapshotIncomplete:
            damaged.add(digest)
    return damaged


def repack(
    objects: Objects, pool: ThreadPoolExecutor, packs: Iterable[Pack], needed: set[str], guard: Guard
) -> list[Pack]:
    """Packs with the needed contents only: a pack without others is kept, the rest are written again.

    Raises SnapshotIncomplete, BlobUnavailable.
    """
    packs = list(packs)
    places = catalog.places(packs)
    repacked: list[Pack] = []
    writer = PackWriter(pool, lambda digest, data: objects.put(paths.pack(objects.user_id, digest), data))
    for pack in {pack.digest: pack for pack in packs}.values():
        guard.check()
        keys = {name for frame in pack.frames for name, _ in frame.contents}
        needed_keys = {name for name in keys if name in needed and places[name].pack == pack.digest}
        if needed_keys == keys:
            repacked.append(pack)
        elif needed_keys:
            for name, content in contents(objects, pack):
                if name in needed_keys:
                    writer.add(name, bytes(content))
    return [*repacked, *writer.finish()]


def contents(objects: Objects, pack: Pack) -> Iterable[tuple[str, memoryview]]:
    """(key, bytes) of every content of a pack. Raises SnapshotIncomplete, BlobUnavailable."""
    data = memoryview(objects.get(paths.pack(objects.user_id, pack.digest), pack.digest))
    offset = 0
    for frame in pack.frames:
        raw = memoryview(packing.unpack(data[offset : offset + frame.stored], frame.raw, pack.digest))
        offset += frame.stored
        start = 0
        for name, length in frame.contents:
            yield name, raw[start : start + length]
            start += length
