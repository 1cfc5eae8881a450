"""Older trees and packs without what is purged. Nothing here changes HEAD: it makes the objects that a new one names.

An erased entry leaves its bare leaf hash, so every old Merkle root, and with it every signature, stays what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from consumer import paths
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
    """Rewrites the trees of a catalog. One use."""

    loader: Loader
    tainted: Tainted
    guard: Guard
    #: Leaves (hexadecimal) of everything that was erased.
    leaves: set[str] = field(default_factory=set)
    #: Keys of contents that some tree still needs.
    needed: set[str] = field(default_factory=set)
    objects: list[MetadataObject] = field(default_factory=list)
    #: HEAD's tree after it all.
    tree: Tree = field(default_factory=Tree)

    def rewrite(self, index: Catalog) -> Catalog:
        """The same catalog over rewritten trees. Raises SnapshotIncomplete, BlobUnavailable."""
        epochs: list[CatalogBase] = []
        recent: list[tuple[int, Delta]] = []
        for epoch in index.epochs:
            self.guard.check()
            whole, runs, rest = self._epoch(index, epoch)
            epochs.append(CatalogBase(epoch.seq, whole.digest, len(whole.data), runs))
            recent = rest
        return replace(index, epochs=tuple(epochs), recent=tuple(recent))

    def _epoch(
        self, index: Catalog, epoch: CatalogBase
    ) -> tuple[MetadataObject, tuple[DiffRun, ...], list[tuple[int, Delta]]]:
        old = self.loader.whole_tree(epoch.digest)
        self.tree = self._without(old)
        whole = self._keep(catalog.store_tree(self.tree))
        runs: list[DiffRun] = []
        for run in epoch.runs:
            old, deltas = self._deltas(old, self.loader.run(run.digest))
            stored = self._keep(catalog.store_run(deltas))
            runs.append(DiffRun(run.first, run.last, stored.digest, len(stored.data)))
        old, rest = self._deltas(old, list(index.recent) if epoch == index.epochs[-1] else [])
        return whole, tuple(runs), rest

    def _deltas(self, old: Tree, deltas: list[tuple[int, Delta]]) -> tuple[Tree, list[tuple[int, Delta]]]:
        clean: list[tuple[int, Delta]] = []
        for seq, delta in deltas:
            clean.append((seq, self._delta(old, delta)))
            old = old.apply(delta)
            self.tree = self.tree.apply(clean[-1][1])
        return old, clean

    def _delta(self, old: Tree, delta: Delta) -> Delta:
        gone = [old.entries[path] for path in (*delta.drop, *(e.path for e in delta.put)) if path in old.entries]
        gone = [entry for entry in gone if self.tainted(entry)]
        bad = [entry for entry in delta.put if self.tainted(entry)]
        self._need(entry for entry in delta.put if not self.tainted(entry))
        erased = [self._erase(entry) for entry in bad]
        # An erased path may not be named by its removal either; what an erased entry replaced is removed by name.
        names, spoiled = {entry.path for entry in gone}, {entry.path for entry in bad}
        replaced = [entry.path for entry in bad if entry.path in old.entries]
        return Delta(
            put=tuple(entry for entry in delta.put if entry.path not in spoiled),
            drop=tuple(path for path in (*delta.drop, *replaced) if path not in names),
            put_erased=tuple(sorted({*delta.put_erased, *erased})),
            drop_erased=tuple(sorted({*delta.drop_erased, *(entry.leaf().hex() for entry in gone)})),
        )

    def _without(self, tree: Tree) -> Tree:
        bad = [entry for entry in tree.entries.values() if self.tainted(entry)]
        erased = frozenset(self._erase(entry) for entry in bad)
        names = {entry.path for entry in bad}
        kept = {path: entry for path, entry in tree.entries.items() if path not in names}
        self._need(kept.values())
        return Tree(kept, tree.erased | erased)

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
    """Every entry of every tree of a history, those that stay from tree to tree once an epoch.

    Raises SnapshotIncomplete, BlobUnavailable.
    """
    for epoch in index.epochs:
        yield from loader.whole_tree(epoch.digest).entries.values()
        for run in epoch.runs:
            for _, delta in loader.run(run.digest):
                yield from delta.put
    for _, delta in index.recent:
        yield from delta.put


def repack(
    objects: Objects, pool: ThreadPoolExecutor, packs: Iterable[Pack], needed: set[str], guard: Guard
) -> list[Pack]:
    """The packs with only what is needed: untouched where nothing else is in them, else written anew.

    Raises SnapshotIncomplete, BlobUnavailable.
    """
    packs = list(packs)
    places = catalog.places(packs)
    kept: list[Pack] = []
    writer = PackWriter(pool, lambda digest, data: objects.put(paths.pack(objects.user_id, digest), data))
    for pack in {pack.digest: pack for pack in packs}.values():
        guard.check()
        mine = {name for frame in pack.frames for name, _ in frame.contents}
        good = {name for name in mine if name in needed and places[name].pack == pack.digest}
        if good == mine:
            kept.append(pack)
        elif good:
            for name, content in contents(objects, pack):
                if name in good:
                    writer.add(name, bytes(content))
    return [*kept, *writer.finish()]


def contents(objects: Objects, pack: Pack) -> Iterable[tuple[str, memoryview]]:
    """(key, bytes) of everything in a pack. Raises SnapshotIncomplete, BlobUnavailable."""
    data = memoryview(objects.get(paths.pack(objects.user_id, pack.digest), pack.digest))
    offset = 0
    for frame in pack.frames:
        raw = memoryview(packing.unpack(data[offset : offset + frame.stored], frame.raw, pack.digest))
        offset += frame.stored
        start = 0
        for name, length in frame.contents:
            yield name, raw[start : start + length]
            start += length
