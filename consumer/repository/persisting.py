"""A run folder into the bucket: read what changed, upload packs meanwhile, then tree, catalog and commit, then HEAD."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from consumer import paths
from consumer.errors import SnapshotRefused
from consumer.ports import Guard, Signer
from consumer.repository.heads import Heads
from consumer.repository.loading import Snapshot
from consumer.repository.objects import Objects
from consumer.repository.packs import PackWriter
from consumer.repository.scan import (
    ScannedFile,
    StatCache,
    StatKey,
    Volatile,
    change_time,
    scan,
    settled,
    shows_every_write,
)
from consumer.snapshot import catalog, chain, merkle, snapshot
from consumer.snapshot.catalog import Catalog, MetadataObject, Pack, Place
from consumer.snapshot.chain import Commit, CommitMeta
from consumer.snapshot.snapshot import BLOCK_BYTES, FOLDER, NONCE_BYTES, Delta, Entry, Head, SnapshotLimits, Tree

Entropy = Callable[[int], bytes]

#: Files between two questions whether this run may go on: some ten milliseconds.
GUARD_EVERY = 256
#: Nonces drawn at once: the system's random numbers cost a call, not a byte.
NONCES = 256


@dataclass(slots=True)
class UploadedFolder:
    """The folder as entries, and what was uploaded for it."""

    entries: dict[str, Entry]
    stats: StatCache
    packs: list[Pack]
    skipped: int


@dataclass(slots=True)
class Collector:
    """Reads a run folder against the snapshot it came from. One use."""

    root: Path
    base: Snapshot
    writer: PackWriter
    entropy: Entropy
    #: Believe that a file whose stat is unchanged is unchanged, where the file system bears that out.
    trust_stats: bool = True
    places: dict[str, Place] = field(init=False)
    rewrite: set[str] = field(init=False)
    _nonces: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.places = self.base.places()
        wanted = catalog.keys(self.base.tree.entries.values())
        packs = catalog.to_repack(self.base.packs, self.places, wanted)
        located = (name for name in wanted if name in self.places) if packs else ()
        self.rewrite = {name for name in located if self.places[name].pack in packs}

    def collect(self, volatile: Volatile, guard: Guard) -> UploadedFolder:
        """Hash what changed and hand the new contents to the pack writer.

        Raises:
            OSError: a file cannot be read.
        """
        found = scan(self.root, volatile)
        sealed_ns = change_time(self.root)
        self.trust_stats = self.trust_stats and shows_every_write(self.root)
        entries: dict[str, Entry] = {}
        stats: StatCache = {}
        for number, item in enumerate(found.found):
            if number % GUARD_EVERY == 0:
                guard.check()
            entry, key = self._entry(item)
            entries[item.path] = entry
            if key:
                stats[item.path] = (key, entry)
        return UploadedFolder(entries, settled(stats, sealed_ns), self.writer.finish(), found.skipped)

    def _entry(self, item: ScannedFile) -> tuple[Entry, StatKey | None]:
        if item.stat is None:
            return self._named(Entry(item.path, item.mode, FOLDER, "", "")), None
        # The stat is from before the reading: a change in between is seen as one next time.
        key, known = self.base.stats.get(item.path, (None, None))
        if self.trust_stats and known and key == item.stat and not self._must_rewrite(known):
            if known.mode == item.mode and self.base.tree.entries.get(item.path) is known:
                return known, key
            return self._named(known._replace(mode=item.mode)), key
        return self._read(item, item.stat.size), item.stat

    def _read(self, item: ScannedFile, expected: int) -> Entry:
        handle = os.open(f"{self.root}/{item.path}", os.O_RDONLY | os.O_NOFOLLOW)
        try:
            digests, size = [], 0
            for piece in pieces(handle, expected):
                digests.append(self._keep(piece))
                size += len(piece)
        finally:
            os.close(handle)
        blocks = tuple(digests) if size > BLOCK_BYTES else ()
        whole = snapshot.file_digest(blocks) if blocks else (digests or [_EMPTY])[0]
        return self._named(Entry(item.path, item.mode, size, whole, "", blocks))

    def _keep(self, piece: bytes) -> str:
        digest = hashlib.sha256(piece).hexdigest()
        name = catalog.key(digest)
        if name not in self.places or name in self.rewrite:
            self.writer.add(name, piece)
        return digest

    def _must_rewrite(self, entry: Entry) -> bool:
        return bool(self.rewrite) and not self.rewrite.isdisjoint(map(catalog.key, entry.contents))

    def _named(self, entry: Entry) -> Entry:
        """With the nonce it had, or a new one if anything about it is new: a nonce hides exactly one entry."""
        before = self.base.tree.entries.get(entry.path)
        if before is not None and entry.same(before):
            return before
        return Entry(entry.path, entry.mode, entry.size, entry.digest, self._nonce(), entry.blocks)

    def _nonce(self) -> str:
        if not self._nonces:
            drawn, digits = self.entropy(NONCES * NONCE_BYTES).hex(), 2 * NONCE_BYTES
            self._nonces = [drawn[n : n + digits] for n in range(0, len(drawn), digits)]
        return self._nonces.pop()


_EMPTY = hashlib.sha256(b"").hexdigest()


def pieces(handle: int, size: int) -> Iterator[bytes]:
    """The blocks of a file that was of this size a moment ago."""
    if size == 0:
        return
    if size < BLOCK_BYTES and len(whole := os.read(handle, BLOCK_BYTES)) == size:
        yield whole  # almost every file: one read, not three
        return
    os.lseek(handle, 0, os.SEEK_SET)
    while piece := _full_read(handle):
        yield piece


def _full_read(handle: int) -> bytes:
    """A whole block, unless the file ends: a short read in the middle would cut the blocks elsewhere."""
    piece = os.read(handle, BLOCK_BYTES)
    while piece and len(piece) < BLOCK_BYTES and (more := os.read(handle, BLOCK_BYTES - len(piece))):
        piece += more
    return piece


@dataclass(frozen=True, slots=True)
class Committer:
    """Makes the next commit of one user."""

    objects: Objects
    heads: Heads
    signer: Signer
    pool: ThreadPoolExecutor
    limits: SnapshotLimits

    def commit(self, base: Snapshot, delta: Delta, packs: list[Pack], meta: CommitMeta, guard: Guard) -> Snapshot:
        """Upload tree, catalog and commit, then swap HEAD. Packs are up already.

        Raises:
            SnapshotRefused: the next hydrate would refuse this tree.
            LockLost, HeadMoved, WorkspaceFrozen, BlobUnavailable: as ``Heads.swap``.
        """
        tree = base.tree.apply(delta)
        # First of all: a name that is no UTF-8 has not even a leaf.
        if fault := snapshot.fault(tree.entries, self.limits, delta.put):
            raise SnapshotRefused(f"the folder of job {meta.job_id} cannot be committed: {fault}")
        frontier = [bytes.fromhex(item) for item in base.catalog.frontier]
        commit, digest = self._sign(base.head, tree, frontier, meta)
        before = base.head.seq + 1 - base.catalog.origin
        frontier = merkle.append(frontier, before, chain.history_leaf(digest))
        grown, objects = catalog.advance(base.catalog, delta, tree, packs, frontier)
        grown, segments, merged = self._merge(base, grown, objects, tree)
        root = catalog.store_catalog(grown)
        self._upload([*objects, *merged, root], commit, digest)
        head = Head(commit.seq, digest, root.digest, meta.epoch, meta.job_id, meta.attempt)
        guard.check()
        return Snapshot(self.heads.swap(base.head, head), commit, grown, tree, segments)

    def _sign(self, head: Head, tree: Tree, frontier: list[bytes], meta: CommitMeta) -> tuple[Commit, str]:
        counts = {**meta.counts, "files": tree.files, "bytes": tree.total_bytes}
        commit = chain.build(head.seq + 1, head.commit, tree.merkle_root(), frontier, replace(meta, counts=counts))
        commit = commit.with_signature(self.signer.key_id, self.signer.sign(commit.signed_part()))
        return commit, chain.digest(commit)

    def _merge(
        self, base: Snapshot, grown: Catalog, objects: list[MetadataObject], tree: Tree
    ) -> tuple[Catalog, tuple[Pack, ...], list[MetadataObject]]:
        """Segments of the grown catalog, merged if there are too many."""
        segments = base.segments
        for item in objects:
            if item.digest in grown.live:
                segments = (*segments, *catalog.load_segment(item.data))
        if len(grown.live) <= catalog.MAX_SEGMENTS:
            return grown, segments, []
        places = catalog.places((*segments, *grown.packs))
        needed = catalog.keys(tree.entries.values())
        wanted = {place.pack for name, place in places.items() if name in needed}
        grown, merged = catalog.merge_segments(grown, segments, wanted)
        return grown, tuple(pack for pack in segments if pack.digest in wanted), merged

    def _upload(self, objects: list[MetadataObject], commit: Commit, digest: str) -> None:
        user = self.objects.user_id
        named = [(f"{paths.user(user)}{item.folder}/{item.digest}", item.data) for item in objects]
        named.append((paths.commit(user, commit.seq, digest), commit.encode()))
        # All names are known and nothing points here yet, so the order does not matter.
        for job in [self.pool.submit(self.objects.put, name, data) for name, data in named]:
            job.result()
