"""Commit a run folder: read changed files, upload packs meanwhile, then tree, catalog and commit, then swap HEAD."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from consumer import paths
from consumer.errors import SnapshotRefused
from consumer.guarding import guarded
from consumer.ports import Guard, Signer
from consumer.repository import content
from consumer.repository.descriptors import Opened
from consumer.repository.heads import Heads
from consumer.repository.loading import Snapshot
from consumer.repository.objects import Objects
from consumer.repository.packs import PackWriter
from consumer.repository.scan import ScannedFile, Volatile, change_time, scan, settled, shows_every_write
from consumer.snapshot import catalog, chain, merkle, snapshot
from consumer.snapshot.catalog import Catalog, MetadataObject, Pack, Place
from consumer.snapshot.chain import Commit, CommitMeta
from consumer.snapshot.snapshot import (
    BLOCK_BYTES,
    FOLDER,
    NONCE_BYTES,
    Delta,
    Entry,
    Head,
    SnapshotLimits,
    StatCache,
    StatKey,
    Tree,
)

Entropy = Callable[[int], bytes]
_UNRECORDED: Final = (None, None)

#: Nonces drawn at once, since random numbers cost per system call, not per byte.
NONCES = 256


@dataclass(slots=True)
class UploadedFolder:
    """The folder as entries, and the packs uploaded for it."""

    entries: dict[str, Entry]
    stats: StatCache
    packs: list[Pack]
    skipped: int


@dataclass(slots=True)
class Collector:
    """Compares a run folder with the snapshot it came from. For one use."""

    root: Path
    base: Snapshot
    writer: PackWriter
    entropy: Entropy
    #: Treat a file whose stat is unchanged as unchanged, if the file system updates stats at every write.
    trust_stats: bool = True
    #: Files that no other program can have changed since their stat was taken: a stat that is still the same proves
    #: their content on any file system.
    sealed: StatCache = field(default_factory=dict)
    places: dict[str, Place] = field(init=False)
    rewrite: set[str] = field(init=False)
    _nonces: list[str] = field(default_factory=list)
    #: Records of files whose stat proves their content.
    _trusted: tuple[StatCache, ...] = ()

    def __post_init__(self) -> None:
        self.places = self.base.places()
        needed = catalog.keys(self.base.tree.entries.values())
        packs = catalog.to_repack(self.base.packs, self.places, needed)
        places = self.places if packs else {}
        self.rewrite = {name for name in needed if (place := places.get(name)) and place.pack in packs}

    def collect(self, volatile: Volatile, guard: Guard) -> UploadedFolder:
        """Hash what changed and hand the new contents to the pack writer. Raises OSError: a file cannot be read."""
        scanned = scan(self.root, volatile)
        sealed_ns = change_time(self.root)
        trusts_base = self.trust_stats and shows_every_write(self.root)
        self._trusted = (self.base.stats, self.sealed) if trusts_base else (self.sealed,)
        entries: dict[str, Entry] = {}
        stats: StatCache = {}
        for item in guarded(scanned.files, guard):
            entry, key = self._entry(item)
            entries[item.path] = entry
            if key:
                stats[item.path] = (key, entry)
        return UploadedFolder(entries, settled(stats, sealed_ns), self.writer.finish(), scanned.skipped)

    def _entry(self, item: ScannedFile) -> tuple[Entry, StatKey | None]:
        if item.stat is None:
            return self._named(Entry(item.path, item.mode, FOLDER, "", "")), None
        # The stat was taken before the read, so a change in between is detected at the next persist.
        recorded = self._recorded(item)
        if recorded is None:
            return self._as_before(item) or self._read(item, item.stat.size), item.stat
        return self._named(recorded._replace(mode=item.mode)), item.stat

    def _recorded(self, item: ScannedFile) -> Entry | None:
        """The entry of a file whose stat proves that its content is as recorded, and stored where it should be; of a
        large file the blocks that are not stored yet are read and kept.
        """
        for stats in self._trusted:
            key, recorded = stats.get(item.path, _UNRECORDED)
            if recorded is None or key != item.stat:
                continue
            if self._is_stored(recorded) or (recorded.blocks and self._keep_missing(recorded)):
                return recorded
        return None

    def _keep_missing(self, recorded: Entry) -> bool:
        """Whether the file has the blocks that are not stored yet; a database has few of them after an hour."""
        places, rewrite = self.places, self.rewrite
        with Opened(f"{self.root}/{recorded.path}", os.O_RDONLY | os.O_NOFOLLOW) as handle:
            for number, digest in enumerate(recorded.blocks):
                name = catalog.key(digest)
                if name in places and name not in rewrite:
                    continue
                piece = os.pread(handle, BLOCK_BYTES, number * BLOCK_BYTES)
                if hashlib.sha256(piece).hexdigest() != digest:
                    return False
                self.writer.add(name, piece)
        return True

    def _as_before(self, item: ScannedFile) -> Entry | None:
        """The base's entry of a file that is read and found to be as it was, and stored where it should be."""
        before = self.base.tree.entries.get(item.path)
        if before is None or before.blocks or before.mode != item.mode or not self._is_stored(before):
            return None
        return before if content.read_if_same(str(self.root), item.path, before) else None

    def _read(self, item: ScannedFile, expected: int) -> Entry:
        with Opened(f"{self.root}/{item.path}", os.O_RDONLY | os.O_NOFOLLOW) as handle:
            digests, size = [], 0
            for piece in content.pieces(handle, expected):
                digests.append(self._keep(piece))
                size += len(piece)
        return self._named(content.entry(item.path, item.mode, size, digests))

    def _keep(self, piece: bytes) -> str:
        digest = hashlib.sha256(piece).hexdigest()
        name = catalog.key(digest)
        if name not in self.places or name in self.rewrite:
            self.writer.add(name, piece)
        return digest

    def _is_stored(self, entry: Entry) -> bool:
        """Whether all of its contents are in packs that stay."""
        places, rewrite = self.places, self.rewrite
        if entry.size > 0 and not entry.blocks:
            name = catalog.key(entry.digest)
            return name in places and name not in rewrite
        names = [catalog.key(digest) for digest in entry.contents]
        return all(name in places and name not in rewrite for name in names)

    def _named(self, entry: Entry) -> Entry:
        """The entry with its previous nonce, or with a new one if it changed: a nonce hides exactly one entry."""
        before = self.base.tree.entries.get(entry.path)
        if before is not None and entry.same(before):
            return before
        return Entry(entry.path, entry.mode, entry.size, entry.digest, self._nonce(), entry.blocks)

    def _nonce(self) -> str:
        if not self._nonces:
            drawn, digits = self.entropy(NONCES * NONCE_BYTES).hex(), 2 * NONCE_BYTES
            self._nonces = [drawn[n : n + digits] for n in range(0, len(drawn), digits)]
        return self._nonces.pop()


@dataclass(frozen=True, slots=True)
class Committer:
    """Makes the next commit of one user."""

    objects: Objects
    heads: Heads
    signer: Signer
    pool: ThreadPoolExecutor
    limits: SnapshotLimits

    def commit(
        self,
        base: Snapshot,
        delta: Delta,
        packs: list[Pack],
        meta: CommitMeta,
        guard: Guard,
        *,
        last_look: Callable[[], None] | None = None,
    ) -> Snapshot:
        """Upload tree, catalog and commit, then swap HEAD. The packs are uploaded already.

        ``last_look``: called right before the swap; what it raises prevents it.

        Raises SnapshotRefused: the next hydrate would refuse this tree. LockLost, HeadMoved, WorkspaceFrozen,
        BlobUnavailable: as ``Heads.swap``.
        """
        tree = base.tree.apply(delta)
        # Before all else, because a name that is not UTF-8 has no leaf.
        if fault := snapshot.fault(tree.entries, self.limits, delta.put):
            raise SnapshotRefused(f"the folder of job {meta.job_id} cannot be committed: {fault}")
        frontier = [bytes.fromhex(item) for item in base.catalog.frontier]
        commit, digest = self._sign(base.head, tree, frontier, meta)
        before = base.head.seq + 1 - base.catalog.origin
        frontier = merkle.append(frontier, before, chain.history_leaf(digest))
        new_catalog, objects = catalog.advance(base.catalog, delta, tree, packs, frontier)
        new_catalog, segments, merged = self._merge(base, new_catalog, objects, tree)
        root = catalog.store_catalog(new_catalog)
        self._upload([*objects, *merged, root], commit, digest)
        head = Head(commit.seq, digest, root.digest, meta.epoch, meta.job_id, meta.attempt)
        if last_look is not None:
            last_look()
        guard.check()
        return Snapshot(self.heads.swap(base.head, head), commit, new_catalog, tree, segments)

    def _sign(self, head: Head, tree: Tree, frontier: list[bytes], meta: CommitMeta) -> tuple[Commit, str]:
        counts = {**meta.counts, "files": tree.files, "bytes": tree.total_bytes}
        commit = chain.build(head.seq + 1, head.commit, tree.merkle_root(), frontier, replace(meta, counts=counts))
        commit = commit.with_signature(self.signer.key_id, self.signer.sign(commit.signed_part()))
        return commit, chain.digest(commit)

    def _merge(
        self, base: Snapshot, new_catalog: Catalog, objects: list[MetadataObject], tree: Tree
    ) -> tuple[Catalog, tuple[Pack, ...], list[MetadataObject]]:
        """The segments of the new catalog, merged if there are too many."""
        segments = base.segments
        for item in objects:
            if item.digest in new_catalog.live:
                segments = (*segments, *catalog.load_segment(item.data))
        if len(new_catalog.live) <= catalog.MAX_SEGMENTS:
            return new_catalog, segments, []
        places = catalog.places((*segments, *new_catalog.packs))
        needed = catalog.keys(tree.entries.values())
        needed_packs = {place.pack for name, place in places.items() if name in needed}
        new_catalog, merged = catalog.merge_segments(new_catalog, segments, needed_packs)
        return new_catalog, tuple(pack for pack in segments if pack.digest in needed_packs), merged

    def _upload(self, objects: list[MetadataObject], commit: Commit, digest: str) -> None:
        name = paths.commit(self.objects.user_id, commit.seq, digest)
        # No HEAD names these objects yet, so their order does not matter.
        jobs = [self.pool.submit(self.objects.add, item) for item in objects]
        for job in [*jobs, self.pool.submit(self.objects.put, name, commit.encode())]:
            job.result()
