"""
The right to erasure: a signed commit that says that, when and why records were purged, and nothing of what they were.

docs/erasure.md has what is promised, and what is found when a purge dies anywhere. In order:

1. the query is resolved again, and compared with what a person confirmed;
2. what is purged is written down as keyed hashes, so that no export brings it back;
3. HEAD's workspace is made without it: raw lines are blanked, pages and record index rendered again, what rests on it
   loses those parts or goes, stores that are rebuilt go;
4. older trees lose the entries that hold something of it, and packs are written again without the contents;
5. HEAD is swapped; 6. what nothing names any more is deleted.

A crash before the swap leaves the old state; after it, the same call again deletes what was left over.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

import orjson

from consumer import layout, paths
from consumer.erasure import late_writers, matching, purge_history, rawhistory
from consumer.erasure.matching import ErasureMatcher, RecordKey
from consumer.erasure.purge_history import Erasure
from consumer.erasure.rawhistory import RawHistory
from consumer.erasure.selecting import Matched, Selection
from consumer.erasure.suppressions import Suppressions
from consumer.errors import BlobNotFound, PreconditionFailed, SnapshotIncomplete
from consumer.evidence.records import Rerender
from consumer.locking.exclusive import Hold
from consumer.maintenance import gc
from consumer.repository import hydrating
from consumer.repository.loading import Snapshot
from consumer.repository.packs import PackWriter
from consumer.repository.persisting import Collector, UploadedFolder
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import catalog, snapshot, suppression
from consumer.snapshot.catalog import Catalog, Pack
from consumer.snapshot.chain import CommitMeta
from consumer.snapshot.snapshot import Entry, SnapshotLimits
from consumer.snapshot.suppression import Suppressed
from contract import canonical, derived
from contract.api import CommitRef

#: Bytes on either side of the place where a large file is cut: a quotation that lies across it is found there.
SEAM_BYTES: Final = 4096
#: Contents between two questions to the guard.
GUARD_EVERY: Final = 256


class SelectionChanged(Exception):
    """What the query matches is not what was confirmed. Nothing was done; the message says what differs."""


#: Called under the lock with what is about to be purged, before anything is written; it may refuse by raising.
Announce = Callable[[Matched], None]


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge did. ``commit`` None: nothing matched (any more); only leftovers were deleted.

    ``unreadable_entries``: of the erased ones, those whose contents could not be looked into.
    """

    commit: CommitRef | None
    records: int
    erased_entries: int
    deleted_objects: int
    unreadable_entries: int = 0


def as_shown(shown: Matched) -> Announce:
    """Refuse unless the same records match in the same commit as when they were shown."""

    def check(now: Matched) -> None:
        if now.digest != shown.digest:
            raise SelectionChanged(f"nothing was purged: {now.difference(shown)}")

    return check


def as_many(expected: int) -> Announce:
    """Refuse another number of records. None at all is no reason: an earlier call may have purged them."""

    def check(now: Matched) -> None:
        if now.records and len(now.records) != expected:
            raise SelectionChanged(f"nothing was purged: {len(now.records)} records match, {expected} were expected")

    return check


@dataclass(slots=True)
class Purge:
    """One purge of some records of one user, under the user's lock. One use."""

    store: WorkspaceStore
    user_id: str
    query: Selection
    reason: str
    hold: Hold
    rerender: Rerender
    suppressions: Suppressions
    #: In their order; what tells the audit comes last.
    announce: tuple[Announce, ...] = ()
    #: Also erase from older commits what lies in packs that are missing or damaged, since nobody can look into it.
    drop_unreadable: bool = False
    needles: ErasureMatcher = field(default_factory=ErasureMatcher)
    records: frozenset[RecordKey] = frozenset()
    #: Keys of stored contents that hold something of them, and pairs of neighbours in a file that do together.
    dirty: set[str] = field(default_factory=set)
    seams: set[tuple[str, str]] = field(default_factory=set)
    #: Digests of raw files with a line of them.
    raw: set[str] = field(default_factory=set)
    #: Entries that nobody can read any more; empty unless they are to be dropped.
    lost: frozenset[Entry] = frozenset()

    def run(self) -> Purged:
        """Raises SelectionChanged, SnapshotIncomplete, WorkspaceFrozen, HeadMoved, LockLost, BlobUnavailable."""
        found = self.store.load(self.user_id)
        done: Purged | None = None
        if found.commit is not None:
            with tempfile.TemporaryDirectory(prefix="cloop-purge-") as folder:
                done = self._commit(found, Path(folder))
        else:
            self._announced(Matched())
        deleted = sweep(self.store, self.user_id, self.hold)
        return replace(done, deleted_objects=deleted) if done else Purged(None, 0, 0, deleted)

    def _commit(self, found: Snapshot, folder: Path) -> Purged | None:
        root = folder / "workspace"
        past = rawhistory.history(self.store, self.user_id, found, self.hold, drop_unreadable=self.drop_unreadable)
        self.lost = past.lost
        hydrating.write(past.showing(found.tree), root, self.store.fetcher(self.user_id), SnapshotLimits(), self.hold)
        raw = self._raw_files(past, root, folder / "raw")
        self._announced(rawhistory.match(self.query, raw.values(), found, self.hold))
        if not self.records:
            return None
        self.suppressions.add(self.user_id, self.records, carried(root))
        # A run that was paused may still write after the swap; what it leaves is swept once its tokens have expired.
        late_writers.remember(self.store, self.user_id, "purge", self.hold, seq=found.head.seq)
        self._select(raw)
        self._keep_older(raw, past.kept, root)
        self._clean(root)
        base, erased, collected = self._rewrite(past, root)
        commit = _committed(
            self.store,
            self.user_id,
            found,
            made=(base, collected),
            meta=self._meta(found, erased),
            hold=self.hold,
        )
        return Purged(commit, len(self.records), len(erased), 0, len({entry.leaf() for entry in past.lost}))

    def _announced(self, matched: Matched) -> None:
        for announce in self.announce:
            announce(matched)
        self.records = matched.records

    def _raw_files(self, past: RawHistory, root: Path, beside: Path) -> dict[str, Path]:
        """Digest -> file of all raw lines: HEAD's in its folder, others beside it."""
        now = past.found.tree.entries
        files = {entry.digest: root / path for path, entry in now.items() if rawhistory.is_raw(path)}
        older = [entry for entry in past.kept if entry.digest not in files]
        return files | rawhistory.write(self.store, self.user_id, past, older, root=beside, guard=self.hold)

    # --- what is looked for

    def _select(self, raw: Mapping[str, Path]) -> None:
        """The purged records' lines fill the needles; then those of records that stay spare what is theirs too."""
        by_path = {path: digest for digest, path in raw.items()}
        for record, path in rawhistory.records(raw.values(), self.hold):
            key = matching.key_of(record)
            if key in self.records:
                self.raw.add(by_path[path])
                self.needles.add(record, self.rerender.mark(*key))
        for record, _ in rawhistory.records(raw.values(), self.hold):
            if matching.key_of(record) not in self.records:
                self.needles.spare_record(record)

    def _spare_rendered(self, root: Path, rendered: Iterable[str]) -> None:
        """Pages are made of records that stay alone; so is what every workspace is given by its template."""
        for path in rendered:
            self.hold.check()
            text = (root / path).read_text(encoding="utf-8", errors="replace")
            self.needles.spare(text if path.startswith(f"{layout.EVIDENCE}/") else derived.split(text)[0])
        for given in sorted(self.store.templates.folder.rglob("*.md")):
            self.needles.spare(given.read_text(encoding="utf-8", errors="replace"))

    # --- HEAD's workspace

    def _keep_older(self, raw: Mapping[str, Path], history: Iterable[Entry], root: Path) -> None:
        """Raw files that only older trees have, and lose now, go on in HEAD without the purged lines: a restore to one
        of these trees needs the other records of theirs.
        """
        for entry in history:
            path = root / entry.path
            if rawhistory.is_raw(entry.path) and entry.digest in self.raw and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(raw[entry.digest].read_bytes())
                path.chmod(entry.mode)

    def _clean(self, root: Path) -> None:
        self._blank(root)
        job = f"purge-{self.hold.epoch}"
        rendered = self.rerender.without(root, self.user_id, job, sorted(self.records), self.hold)
        self._spare_rendered(root, rendered)
        as_rendered = {path for path in rendered if path.startswith(f"{layout.EVIDENCE}/")} | {layout.RENDER_INDEX}
        for path in sorted(root.rglob("*"), reverse=True):
            self.hold.check()
            name = path.relative_to(root).as_posix()
            if path.is_dir():
                if matching.rebuilt(name) or (self.needles.names(name) and not any(path.iterdir())):
                    path.rmdir()
            elif name not in as_rendered and not rawhistory.is_raw(name):
                self._clean_file(path, name)

    def _clean_file(self, path: Path, name: str) -> None:
        if matching.rebuilt(name) or self.needles.names(name):
            path.unlink()
            return
        data = path.read_bytes()
        if not self.needles.hit(data):
            return
        clean = matching.redact(name, data, self.needles) if name.endswith((".md", ".json", ".txt")) else None
        if clean is None or name.startswith(f"{layout.EVIDENCE}/"):
            path.unlink()  # evidence is either as rendered or not there
        else:
            _rewrite(path, clean)

    def _blank(self, root: Path) -> None:
        for path in sorted((root / layout.EXPORTS).rglob("*.jsonl")):
            lines = path.read_bytes().splitlines(keepends=True)
            clean = [matching.blank(line) if self._is_purged(line) else line for line in lines]
            if clean != lines:
                _rewrite(path, b"".join(clean))
                _correct_manifest(path)

    def _is_purged(self, line: bytes) -> bool:
        record = matching.record_of(line)
        return record is not None and matching.key_of(record) in self.records

    # --- history

    def _rewrite(self, past: RawHistory, root: Path) -> tuple[Snapshot, set[str], UploadedFolder]:
        """The old history without what is purged, HEAD's new tree, and the leaves that were erased."""
        packs = list(past.packs)
        self._find_dirty(packs, past.kept)
        return _rewritten(
            self.store, self.user_id, past.found, packs=packs, root=root, tainted=self._tainted, hold=self.hold
        )

    def _find_dirty(self, packs: Iterable[Pack], history: Iterable[Entry]) -> None:
        """Look into every content that may stay; into large files also where they are cut."""
        files = [entry for entry in history if not self._tainted(entry) and not rawhistory.is_raw(entry.path)]
        wanted = catalog.keys(files)
        pairs = {pair for entry in files for pair in _neighbours(entry)}
        ends = {key for pair in pairs for key in pair}
        seams: dict[str, tuple[bytes, bytes]] = {}
        objects = self.store.objects(self.user_id)
        for pack in {pack.digest: pack for pack in packs}.values():
            self.hold.check()
            for name, content in purge_history.contents(objects, pack):
                if name in wanted and self.needles.hit(bytes(content)):
                    self.dirty.add(name)
                if name in ends:
                    seams[name] = (bytes(content[:SEAM_BYTES]), bytes(content[-SEAM_BYTES:]))
        for left, right in pairs:
            if left in seams and right in seams and self.needles.hit(seams[left][1] + seams[right][0]):
                self.seams.add((left, right))

    def _tainted(self, entry: Entry) -> bool:
        if entry in self.lost:
            return True
        if matching.rebuilt(entry.path) or self.needles.names(entry.path):
            return True
        if rawhistory.is_raw(entry.path):
            return entry.digest in self.raw
        if any(catalog.key(digest) in self.dirty for digest in entry.contents):
            return True
        return bool(self.seams) and not self.seams.isdisjoint(_neighbours(entry))

    def _meta(self, found: Snapshot, erased: set[str]) -> CommitMeta:
        assert found.commit is not None
        return CommitMeta(
            job_id=f"purge-{self.hold.epoch}",
            attempt=0,
            epoch=self.hold.epoch,
            job_type="purge",
            template_version=found.commit.template_version,
            created_at=self.store.clock.now(),
            cursors=found.commit.cursors,
            counts={"purged_records": len(self.records), "erased_entries": len(erased)},
            reason=self.reason,
            purged=tuple(sorted(erased)),
        )


def carried(root: Path) -> Suppressed:
    """The list that an earlier version kept in the tree, taken out of it: it lies beside HEAD now.

    Raises SnapshotIncomplete: it cannot be read, so what was purged before is not known.
    """
    path = root / suppression.PATH
    if not path.is_file():
        return Suppressed()
    try:
        known = suppression.decode(path.read_bytes())
    except ValueError as exc:
        raise SnapshotIncomplete(f"{suppression.PATH}: {exc}") from exc
    path.unlink()
    return known


def sweep(store: WorkspaceStore, user_id: str, hold: Hold) -> int:
    """Delete what nothing names, of any age: under lock and fence nobody can begin to name it. How many objects.

    A history that a reset set aside goes whole, if there is a purge to sweep after: it may hold what was purged, and
    cannot be rewritten. Repeatable: what a purge that died left behind goes with the next one.
    """
    swept = gc.collect(store, user_id, hold, grace=timedelta(0))
    note = late_writers.noted(store, user_id)
    aside = 0
    if note is not None and note.why == "purge":
        aside = late_writers.delete_below(store, user_id, paths.archive(user_id), hold).count
    return len(swept.deleted) + aside + _unpublish(store, user_id, hold)


def _unpublish(store: WorkspaceStore, user_id: str, hold: Hold) -> int:
    """Published copies of files that their commit has no more."""
    found = store.load(user_id)
    blobs, prefix, count = store.blobs(user_id), f"{paths.user(user_id)}published/", 0
    loader = store.loader(user_id)
    for stat in blobs.list(prefix):
        hold.check()
        number, _, path = stat.name.removeprefix(prefix).partition("/")
        tree = loader.tree(found.catalog, int(number)) if 1 <= int(number) <= found.head.seq else None
        if tree and tree.erased and path not in tree.entries:
            try:
                blobs.delete(stat.name, if_generation=stat.generation)
            except (BlobNotFound, PreconditionFailed):
                continue
            count += 1
    return count


# --- the next commit ---------------------------------------------------------------------------------------------


def _rewritten(
    store: WorkspaceStore,
    user_id: str,
    found: Snapshot,
    *,
    packs: list[Pack],
    root: Path,
    tainted: Callable[[Entry], bool],
    hold: Hold,
) -> tuple[Snapshot, set[str], UploadedFolder]:
    """Upload the history without tainted entries and the folder: (base, erased leaves, the folder as entries)."""
    objects = store.objects(user_id)
    history = Erasure(store.loader(user_id), tainted, hold)
    rewritten = history.rewrite(found.catalog)
    kept = purge_history.repack(objects, store.pool, packs, history.needed, hold)
    segment = catalog.store_segment(kept)
    for item in [*history.objects, segment]:
        objects.put(f"{paths.user(user_id)}{item.folder}/{item.digest}", item.data)
    base = Snapshot(
        found.head, found.commit, _with_packs(rewritten, segment.digest), history.tree, segments=tuple(kept)
    )
    writer = PackWriter(store.pool, lambda digest, data: objects.put(paths.pack(user_id, digest), data))
    collector = Collector(root, base, writer, store.entropy, trust_stats=False)
    return base, history.leaves, collector.collect(store.volatile, hold)


def _committed(
    store: WorkspaceStore,
    user_id: str,
    found: Snapshot,
    *,
    made: tuple[Snapshot, UploadedFolder],
    meta: CommitMeta,
    hold: Hold,
) -> CommitRef:
    base, collected = made
    delta = snapshot.diff(base.tree, collected.entries)
    done = store.committer(user_id).commit(base, delta, collected.packs, meta, hold)
    if store.cache:
        store.cache.forget(user_id)
    if store.warm:
        store.warm.forget(user_id)
    return CommitRef(seq=done.head.seq, digest=done.head.commit or "")


def _with_packs(index: Catalog, segment: str) -> Catalog:
    return Catalog(index.seq, index.epochs, index.recent, (segment,), (), (), index.frontier)


def _neighbours(entry: Entry) -> Iterator[tuple[str, str]]:
    """Keys of the contents of a large file that follow each other."""
    names = [catalog.key(digest) for digest in entry.contents]
    return itertools.pairwise(names)


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
