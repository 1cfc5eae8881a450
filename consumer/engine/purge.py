"""
The right to erasure: a signed commit that says that, when and why something was purged, and nothing of what it was.

HEAD's workspace is made anew without the selected records (raw lines blanked, pages rendered again, reports redacted,
brain and agent stores dropped, to be rebuilt by the next run); older trees lose every entry that holds anything of
them; packs are written again without the contents. Then HEAD is swapped, and what nothing names is deleted.

A crash before the swap leaves the old state; after it, the same call again deletes what was left over.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson

from consumer.core import catalog, erasure, layout, paths, snapshot, suppression
from consumer.core.catalog import Catalog, Pack
from consumer.core.chain import CommitMeta
from consumer.core.erasure import Needles, Selection
from consumer.core.errors import BlobNotFound, PreconditionFailed
from consumer.core.snapshot import Entry, Limits
from consumer.core.suppression import Suppressed
from consumer.engine import gc, purge_history
from consumer.engine.exclusive import Hold
from consumer.engine.purge_history import Erasure
from consumer.engine.snapshots import hydrating
from consumer.engine.snapshots.loading import Snapshot
from consumer.engine.snapshots.packs import PackWriter
from consumer.engine.snapshots.persisting import Collected, Collector
from consumer.engine.workspace import WorkspaceStore
from consumer.ports import Guard
from contract import canonical
from contract.api import CommitRef

#: (root, user_id, name, records, guard): render a hydrated folder again without these (source_key, record_id).
Rerender = Callable[[Path, str, str, Sequence[tuple[str, str]], Guard], None]


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge did. ``commit`` None: no such record (any more); only leftovers were deleted."""

    commit: CommitRef | None
    records: int
    erased_entries: int
    deleted_objects: int


@dataclass(slots=True)
class Purge:
    """One purge of one user, under the user's lock. One use."""

    store: WorkspaceStore
    user_id: str
    selection: Selection
    reason: str
    hold: Hold
    rerender: Rerender
    needles: Needles = field(default_factory=Needles)
    #: (source_key, record_id) of every selected record that a raw line speaks of.
    records: set[tuple[str, str]] = field(default_factory=set)
    #: Keys of stored contents that hold something of them.
    dirty: set[str] = field(default_factory=set)

    def run(self) -> Purged:
        """Raises SnapshotIncomplete, WorkspaceFrozen, HeadMoved, LockLost, BlobUnavailable."""
        found = self.store.load(self.user_id)
        commit, erased = None, 0
        if found.commit is not None:
            with tempfile.TemporaryDirectory(prefix="cloop-purge-") as folder:
                commit, erased = self._commit(found, Path(folder) / "workspace")
        return Purged(commit, len(self.records), erased, self._sweep())

    def _commit(self, found: Snapshot, root: Path) -> tuple[CommitRef | None, int]:
        hydrating.write(found, root, self.store.fetcher(self.user_id), Limits(), self.hold)
        self._select(root)
        if not self.records and not self.selection.everything:
            return None, 0
        suppressed = self._suppressed(root / suppression.PATH)
        if self.selection.everything:
            root = root.with_name("fresh")
            hydrating.prepare(root)
            self.store.templates.instantiate(_template(found), root)
        else:
            self._clean(root)
        (root / suppression.PATH).parent.mkdir(parents=True, exist_ok=True)
        (root / suppression.PATH).write_bytes(suppressed.encode())
        base, erased, collected = self._rewrite(found, root)
        delta = snapshot.diff(base.tree, collected.entries)
        done = self.store.committer(self.user_id).commit(
            base, delta, collected.packs, self._meta(found, erased), self.hold
        )
        if self.store.cache:
            self.store.cache.forget(self.user_id)
        if self.store.warm:
            self.store.warm.forget(self.user_id)
        return CommitRef(seq=done.head.seq, digest=done.head.commit or ""), len(erased)

    # --- HEAD's workspace

    def _select(self, root: Path) -> None:
        """Raw lines of the selected records fill the needles; then those that stay spare what is theirs too."""
        for _, _, line in _raw_lines(root):
            record = _record(line)
            if record and self.selection.takes(record):
                self.records.add((record["source_key"], record["record_id"]))
                self.needles.add(record)
        for _, _, line in _raw_lines(root):
            self.hold.check()
            record = _record(line)
            if record and not self.selection.takes(record):
                self.needles.spare(record, line)
        for stem in _own_pages(root / layout.RENDER_INDEX, self.records):
            self.needles.add_page(stem)

    def _clean(self, root: Path) -> None:
        self._blank(root)
        self.rerender(root, self.user_id, f"purge-{self.hold.epoch}", sorted(self.records), self.hold)
        _compact(root / layout.RENDER_INDEX)
        for path in sorted(root.rglob("*"), reverse=True):
            self.hold.check()
            name = path.relative_to(root).as_posix()
            raw = name.startswith(f"{layout.EXPORTS}/") and name.endswith(".jsonl")
            if path.is_file() and not raw:
                self._clean_file(path, name)
            elif path.is_dir() and erasure.rebuilt(name):
                path.rmdir()

    def _suppressed(self, path: Path) -> Suppressed:
        """The next export may still bring these records: those that must stay away, by keyed hashes."""
        known = suppression.decode(path.read_bytes()) if path.is_file() else Suppressed()
        return known.adding(self.records, self.store.entropy(suppression.KEY_BYTES))

    def _clean_file(self, path: Path, name: str) -> None:
        if erasure.rebuilt(name):
            path.unlink()
            return
        data = path.read_bytes()
        if not self.needles.hit(data):
            return
        clean = erasure.redact(name, data, self.needles) if name.endswith((".md", ".json")) else None
        if clean is None or name.startswith(f"{layout.EVIDENCE}/"):
            path.unlink()  # evidence is either as rendered or not there
        else:
            _rewrite(path, clean)

    def _blank(self, root: Path) -> None:
        for path in sorted((root / layout.EXPORTS).rglob("*.jsonl")):
            lines = path.read_bytes().splitlines(keepends=True)
            clean = [erasure.blank(line) if self._selected(line) else line for line in lines]
            if clean != lines:
                _rewrite(path, b"".join(clean))
                _correct_manifest(path)

    def _selected(self, line: bytes) -> bool:
        record = _record(line)
        return record is not None and self.selection.takes(record)

    # --- history

    def _rewrite(self, found: Snapshot, root: Path) -> tuple[Snapshot, set[str], Collected]:
        """The old history without what is purged, HEAD's new tree, and the leaves that were erased."""
        user, loader = self.user_id, self.store.loader(self.user_id)
        cold = loader.segments(found.catalog.cold)
        packs = [*cold, *found.packs]
        if not self.selection.everything:
            self._find_dirty(packs)
        history = Erasure(loader, self._tainted, self.hold)
        rewritten = history.rewrite(found.catalog)
        objects = self.store.objects(user)
        kept = purge_history.repack(objects, self.store.pool, packs, history.needed, self.hold)
        segment = catalog.store_segment(kept)
        for item in [*history.objects, segment]:
            objects.put(f"{paths.user(user)}{item.folder}/{item.digest}", item.data)
        base = Snapshot(
            found.head, found.commit, _with_packs(rewritten, segment.digest), history.tree, segments=tuple(kept)
        )
        writer = PackWriter(self.store.pool, lambda digest, data: objects.put(paths.pack(user, digest), data))
        collector = Collector(root, base, writer, self.store.entropy, trust_stats=False)
        return base, history.leaves, collector.collect(self.store.volatile, self.hold)

    def _find_dirty(self, packs: Sequence[Pack]) -> None:
        """Look into every content that history knows."""
        objects = self.store.objects(self.user_id)
        for pack in {pack.digest: pack for pack in packs}.values():
            self.hold.check()
            contents = purge_history.contents(objects, pack)
            self.dirty |= {name for name, data in contents if self.needles.hit(bytes(data))}

    def _tainted(self, entry: Entry) -> bool:
        if self.selection.everything or erasure.rebuilt(entry.path) or entry.path in erasure.RECOMPUTED:
            return True
        return any(catalog.key(digest) in self.dirty for digest in entry.contents)

    def _meta(self, found: Snapshot, erased: set[str]) -> CommitMeta:
        everything = self.selection.everything
        assert found.commit is not None
        return CommitMeta(
            job_id=f"purge-{self.hold.epoch}",
            attempt=0,
            epoch=self.hold.epoch,
            job_type="purge",
            template_version=found.commit.template_version,
            created_at=self.store.clock.now(),
            cursors={} if everything else found.commit.cursors,
            counts={"purged_records": len(self.records), "erased_entries": len(erased)},
            reason=self.reason,
            purged=tuple(sorted(erased)),
        )

    # --- afterwards

    def _sweep(self) -> int:
        """Delete what nothing names, of any age: under lock and fence nobody can begin to name it."""
        swept = gc.collect(self.store, self.user_id, self.hold, grace=timedelta(0))
        return len(swept.deleted) + self._unpublish()

    def _unpublish(self) -> int:
        """Published copies of files that their commit has no more."""
        found = self.store.load(self.user_id)
        blobs, prefix, count = self.store.blobs(self.user_id), f"{paths.user(self.user_id)}published/", 0
        loader = self.store.loader(self.user_id)
        for stat in blobs.list(prefix):
            self.hold.check()
            number, _, path = stat.name.removeprefix(prefix).partition("/")
            tree = loader.tree(found.catalog, int(number)) if 1 <= int(number) <= found.head.seq else None
            if self.selection.everything or (tree and tree.erased and path not in tree.entries):
                try:
                    blobs.delete(stat.name, if_generation=stat.generation)
                except (BlobNotFound, PreconditionFailed):
                    continue
                count += 1
        return count


def _with_packs(index: Catalog, segment: str) -> Catalog:
    return Catalog(index.seq, index.epochs, index.recent, (segment,), (), (), index.frontier)


def _template(found: Snapshot) -> str:
    return found.commit.template_version if found.commit else "v1"


def _raw_lines(root: Path) -> Iterator[tuple[Path, int, bytes]]:
    """(file, offset, line) of every raw export."""
    for path in sorted((root / layout.EXPORTS).rglob("*.jsonl")):
        offset = 0
        with path.open("rb") as file:
            for line in file:
                yield path, offset, line
                offset += len(line)


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return document if isinstance(document, dict) and "record_id" in document else None


def _rewrite(path: Path, data: bytes) -> None:
    """Other bytes under the same mode, also where the mode forbids writing."""
    mode = path.stat().st_mode & 0o777
    path.chmod(0o600)
    path.write_bytes(data)
    path.chmod(mode)


def _correct_manifest(path: Path) -> None:
    """The raw export's manifest says what its files hash to; a blanked one hashes to something else."""
    manifest = path.with_name("manifest.json")
    if not manifest.is_file():
        return
    document = orjson.loads(manifest.read_bytes())
    for entry in document.get("files", []):
        if entry.get("path") == path.name:
            entry["sha256"] = canonical.sha256_hex(path.read_bytes())
    _rewrite(manifest, orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n")


def _own_pages(database: Path, records: set[tuple[str, str]]) -> list[str]:
    """Stems of the pages that show nothing but purged records."""
    if not database.is_file():
        return []
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("select stem, source, record_id from records").fetchall()
    shared = {stem for stem, source, record_id in rows if (source, record_id) not in records}
    return sorted({stem for stem, _, _ in rows} - shared)


def _compact(database: Path) -> None:
    """Deleted rows stay in a database's free pages until it is written anew."""
    if database.is_file():
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("vacuum")
