"""
The right to erasure: a signed commit that records when and why records were purged, and nothing about their content.

docs/erasure.md states the guarantees, and what is left when a purge dies at any point. In order:

1. the query is resolved again and compared with what an operator confirmed;
2. the purged records are stored as keyed hashes, so that no export brings them back;
3. HEAD's workspace is rebuilt without them: raw lines are blanked, pages and record index are rendered again, files
   that rest on purged records lose those parts or are deleted, and rebuilt stores are deleted;
4. older trees lose the entries with purged content, and packs are written again without it;
5. HEAD is swapped; 6. objects that nothing names any more are deleted.

A crash before the swap leaves the old state; after it, a second call deletes the leftovers.
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
from consumer.evidence import pagefiles, search
from consumer.evidence.records import Rerender
from consumer.locking.exclusive import Hold
from consumer.maintenance import gc
from consumer.repository import hydrating
from consumer.repository.loading import Snapshot
from consumer.repository.packs import PackWriter
from consumer.repository.persisting import Collector, UploadedFolder
from consumer.repository.workspace import Repository
from consumer.snapshot import catalog, snapshot, suppression
from consumer.snapshot.catalog import Catalog, Pack
from consumer.snapshot.chain import CommitMeta
from consumer.snapshot.snapshot import Entry, SnapshotLimits
from consumer.snapshot.suppression import Suppressed
from contract import canonical, derived
from contract.api import CommitRef

#: Bytes checked on both sides of a cut in a large file, to find a quotation across the cut.
SEAM_BYTES: Final = 4096


class SelectionChanged(Exception):
    """The query does not match what was confirmed. Nothing was purged; the message says what differs."""


#: Called under the lock with the records about to be purged, before anything is written; may refuse by raising.
Announce = Callable[[Matched], None]


@dataclass(frozen=True, slots=True)
class Purged:
    """The result of a purge. ``commit`` None: no record matched (any more); only leftovers were deleted.

    ``unreadable_entries``: erased entries whose contents could not be read.
    """

    commit: CommitRef | None
    records: int
    erased_entries: int
    deleted_objects: int
    unreadable_entries: int = 0


def as_shown(shown: Matched) -> Announce:
    """Refuse unless the same records match in the same commit as when they were shown."""

    def check(matched: Matched) -> None:
        if matched.digest != shown.digest:
            raise SelectionChanged(f"nothing was purged: {matched.difference(shown)}")

    return check


def as_many(expected: int) -> Announce:
    """Refuse if another number of records matches; none is accepted, as an earlier call may have purged them."""

    def check(matched: Matched) -> None:
        if matched.records and len(matched.records) != expected:
            raise SelectionChanged(
                f"nothing was purged: {len(matched.records)} records match, {expected} were expected"
            )

    return check


@dataclass(slots=True)
class Purge:
    """One purge of some records of one user, under the user's lock. One use."""

    repository: Repository
    query: Selection
    reason: str
    hold: Hold
    rerender: Rerender
    suppressions: Suppressions
    #: Called in this order; the one that writes the audit comes last.
    announce: tuple[Announce, ...] = ()
    #: Also erase entries of older commits whose packs are missing or damaged, since their contents cannot be checked.
    drop_unreadable: bool = False
    matcher: ErasureMatcher = field(default_factory=ErasureMatcher)
    records: frozenset[RecordKey] = frozenset()
    #: Keys of stored contents that match purged records, and pairs of adjacent contents that match only together.
    dirty: set[str] = field(default_factory=set)
    seams: set[tuple[str, str]] = field(default_factory=set)
    #: Digests of raw files with a line of a purged record.
    raw: set[str] = field(default_factory=set)
    #: Entries that cannot be read; empty unless ``drop_unreadable``.
    unreadable: frozenset[Entry] = frozenset()

    def run(self) -> Purged:
        """Raises SelectionChanged, SnapshotIncomplete, WorkspaceFrozen, HeadMoved, LockLost, BlobUnavailable."""
        snapshot_now = self.repository.load()
        purged: Purged | None = None
        if snapshot_now.commit is not None:
            with tempfile.TemporaryDirectory(prefix="cloop-purge-") as folder:
                purged = self._commit(snapshot_now, Path(folder))
        else:
            self._announced(Matched())
        return replace(purged or Purged(None, 0, 0, 0), deleted_objects=sweep(self.repository, self.hold))

    def _commit(self, snapshot_now: Snapshot, folder: Path) -> Purged | None:
        root = folder / "workspace"
        past = rawhistory.history(self.repository, snapshot_now, self.hold, drop_unreadable=self.drop_unreadable)
        self.unreadable = past.unreadable
        hydrating.write(past.showing(snapshot_now.tree), root, self.repository.fetcher, SnapshotLimits(), self.hold)
        raw = self._raw_files(past, root, folder / "raw")
        self._announced(rawhistory.match(self.query, raw.values(), snapshot_now, self.hold))
        if not self.records:
            return None
        self.suppressions.add(self.repository.user_id, self.records, carried(root))
        # A paused run may still write after the swap; a second sweep deletes that once the run's tokens have expired.
        late_writers.remember(self.repository, "purge", self.hold, seq=snapshot_now.head.seq)
        self._select(raw)
        self._keep_older(raw, past.readable, root)
        self._clean(root)
        base, erased, collected = self._rewrite(past, root)
        delta = snapshot.diff(base.tree, collected.entries)
        meta = self._meta(snapshot_now, erased)
        committed = self.repository.committer.commit(base, delta, collected.packs, meta, self.hold)
        self.repository.forget_locally()
        commit = CommitRef(seq=committed.head.seq, digest=committed.head.commit or "")
        return Purged(commit, len(self.records), len(erased), 0, len({entry.leaf() for entry in past.unreadable}))

    def _announced(self, matched: Matched) -> None:
        for announce in self.announce:
            announce(matched)
        self.records = matched.records

    def _raw_files(self, past: RawHistory, root: Path, beside: Path) -> dict[str, Path]:
        """Digest -> file of all raw lines: HEAD's files in ``root``, older ones in ``beside``."""
        head_entries = past.snapshot.tree.entries
        files = {entry.digest: root / path for path, entry in head_entries.items() if rawhistory.is_raw(path)}
        older = [entry for entry in past.readable if entry.digest not in files]
        return files | rawhistory.write(self.repository, past, older, root=beside, guard=self.hold)

    # --- filling the matcher

    def _select(self, raw: Mapping[str, Path]) -> None:
        """Fill the matcher from the purged records' lines, then exclude what remaining records contain too."""
        by_path = {path: digest for digest, path in raw.items()}
        titles: dict[RecordKey, set[str]] = {}
        for record, path in rawhistory.records(raw.values(), self.hold):
            key = matching.key_of(record)
            if key in self.records:
                self.raw.add(by_path[path])
                self.matcher.add(record, self.rerender.mark(*key))
                titles.setdefault(key, set()).add(self.rerender.title(record))
        for record, _ in rawhistory.records(raw.values(), self.hold):
            key = matching.key_of(record)
            if key not in self.records:
                self.matcher.spare_record(record)
                for title in titles.get(self.rerender.titled_by(record) or key, ()):
                    self.matcher.add_titled(self.rerender.mark(*key), title)

    def _spare_rendered(self, root: Path, rendered: Iterable[str]) -> None:
        """Exclude the texts of rendered pages, which hold remaining records only, and of the workspace template."""
        for path in rendered:
            self.hold.check()
            text = (root / path).read_text(encoding="utf-8", errors="replace")
            self.matcher.spare(text if path.startswith(f"{layout.EVIDENCE}/") else derived.split(text)[0])
        for template in sorted(self.repository.store.templates.folder.rglob("*.md")):
            self.matcher.spare(template.read_text(encoding="utf-8", errors="replace"))

    # --- HEAD's workspace

    def _keep_older(self, raw: Mapping[str, Path], history: Iterable[Entry], root: Path) -> None:
        """Copy raw files that only older trees have, and now lose, to HEAD without the purged lines: a restore to one
        of those trees needs the files' other records.
        """
        for entry in history:
            path = root / entry.path
            if rawhistory.is_raw(entry.path) and entry.digest in self.raw and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(raw[entry.digest].read_bytes())
                path.chmod(entry.mode)

    def _clean(self, root: Path) -> None:
        self._blank(root)
        had_index = (root / layout.SEARCH_INDEX).is_file()
        write_views = self.rerender.views(root, self.hold)
        job = f"purge-{self.hold.epoch}"
        rendered = self.rerender.without(root, self.repository.user_id, job, sorted(self.records), self.hold)
        self._spare_rendered(root, rendered)
        as_rendered = {path for path in rendered if path.startswith(f"{layout.EVIDENCE}/")} | {layout.RENDER_INDEX}
        for path in sorted(root.rglob("*"), reverse=True):
            self.hold.check()
            name = path.relative_to(root).as_posix()
            if path.is_dir():
                if matching.rebuilt(name) or (self.matcher.names(name) and not any(path.iterdir())):
                    path.rmdir()
            elif name not in as_rendered and not rawhistory.is_raw(name):
                self._clean_file(path, name)
        if had_index:
            search.update(root, pagefiles.digests(root, self.hold), self.hold)
        write_views()
        for name in (layout.TODAY, layout.HOLDS):
            # They are made without the purged records; what they nevertheless name is not kept.
            if (root / name).is_file() and self.matcher.matches((root / name).read_bytes()):
                (root / name).unlink()

    def _clean_file(self, path: Path, name: str) -> None:
        if matching.rebuilt(name) or self.matcher.names(name):
            path.unlink()
            return
        data = path.read_bytes()
        if not self.matcher.matches(data):
            return
        clean = matching.redact(name, data, self.matcher) if name.endswith((".md", ".json", ".txt")) else None
        if clean is None or name.startswith(f"{layout.EVIDENCE}/"):
            path.unlink()  # An evidence page is either exactly as rendered, or absent.
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
        """The old history without purged content, the erased leaves, and HEAD's new folder as entries."""
        packs = list(past.packs)
        self._find_dirty(packs, past.readable)
        return _rewritten(
            self.repository,
            past.snapshot,
            packs=packs,
            root=root,
            tainted=self._tainted,
            hold=self.hold,
        )

    def _find_dirty(self, packs: Iterable[Pack], history: Iterable[Entry]) -> None:
        """Check every content that may stay, and the cuts of large files."""
        files = [entry for entry in history if not self._tainted(entry) and not rawhistory.is_raw(entry.path)]
        unchecked = catalog.keys(files)
        pairs = {pair for entry in files for pair in _neighbours(entry)}
        cut_keys = {key for pair in pairs for key in pair}
        seams: dict[str, tuple[bytes, bytes]] = {}
        objects = self.repository.objects
        for pack in {pack.digest: pack for pack in packs}.values():
            self.hold.check()
            for name, content in purge_history.contents(objects, pack):
                if name in unchecked and self.matcher.matches(bytes(content)):
                    self.dirty.add(name)
                if name in cut_keys:
                    seams[name] = (bytes(content[:SEAM_BYTES]), bytes(content[-SEAM_BYTES:]))
        for left, right in pairs:
            if left in seams and right in seams and self.matcher.matches(seams[left][1] + seams[right][0]):
                self.seams.add((left, right))

    def _tainted(self, entry: Entry) -> bool:
        if entry in self.unreadable or matching.rebuilt(entry.path) or self.matcher.names(entry.path):
            return True
        if rawhistory.is_raw(entry.path):
            return entry.digest in self.raw
        is_dirty = any(catalog.key(digest) in self.dirty for digest in entry.contents)
        return is_dirty or not self.seams.isdisjoint(_neighbours(entry))

    def _meta(self, snapshot_now: Snapshot, erased: set[str]) -> CommitMeta:
        assert snapshot_now.commit is not None
        return CommitMeta(
            job_id=f"purge-{self.hold.epoch}",
            attempt=0,
            epoch=self.hold.epoch,
            job_type="purge",
            template_version=snapshot_now.commit.template_version,
            created_at=self.repository.store.clock.now(),
            cursors=snapshot_now.commit.cursors,
            counts={"purged_records": len(self.records), "erased_entries": len(erased)},
            reason=self.reason,
            purged=tuple(sorted(erased)),
        )


def carried(root: Path) -> Suppressed:
    """Remove the suppressions that an earlier release kept in the tree, and return them: they now lie beside HEAD.

    Raises SnapshotIncomplete if they cannot be read, as earlier purges are then unknown.
    """
    path = root / suppression.PATH
    if not path.is_file():
        return Suppressed()
    try:
        suppressed = suppression.decode(path.read_bytes())
    except ValueError as exc:
        raise SnapshotIncomplete(f"{suppression.PATH}: {exc}") from exc
    path.unlink()
    return suppressed


def sweep(repository: Repository, hold: Hold) -> int:
    """Delete unnamed objects of any age, and return their number. Under lock and fence, nobody can start to name one.

    Exports that users ordered go. If a purge's second sweep is owed, the history that a reset archived is deleted as a
    whole: it may hold purged records and cannot be rewritten. Repeatable: the next purge deletes what a dead one left.
    """
    swept = gc.collect(repository, hold, grace=timedelta(0))
    note = late_writers.noted(repository)
    archived = 0
    if note is not None and note.why == "purge":
        archived = late_writers.delete_below(repository, paths.archive(repository.user_id), hold).count
    # An export of before holds what is purged.
    exported = late_writers.delete_below(repository, paths.takeouts(repository.user_id), hold).count
    return len(swept.deleted) + archived + exported + _unpublish(repository, hold)


def _unpublish(repository: Repository, hold: Hold) -> int:
    """Delete published copies of files that their commit lost, and return their number."""
    snapshot_now = repository.load()
    blobs, prefix, count = repository.blobs, f"{paths.user(repository.user_id)}published/", 0
    loader = repository.loader
    for stat in blobs.list(prefix):
        hold.check()
        number, _, path = stat.name.removeprefix(prefix).partition("/")
        tree = loader.tree(snapshot_now.catalog, int(number)) if 1 <= int(number) <= snapshot_now.head.seq else None
        if tree and tree.erased and path not in tree.entries:
            try:
                blobs.delete(stat.name, if_generation=stat.generation)
            except (BlobNotFound, PreconditionFailed):
                continue
            count += 1
    return count


# --- the next commit ---------------------------------------------------------------------------------------------


def _rewritten(
    repository: Repository,
    snapshot_now: Snapshot,
    *,
    packs: list[Pack],
    root: Path,
    tainted: Callable[[Entry], bool],
    hold: Hold,
) -> tuple[Snapshot, set[str], UploadedFolder]:
    """Upload the folder and the history without tainted entries: (base, erased leaves, the folder as entries)."""
    objects = repository.objects
    history = Erasure(repository.loader, tainted, hold)
    rewritten = history.rewrite(snapshot_now.catalog)
    repacked = purge_history.repack(objects, repository.store.pool, packs, history.needed, hold)
    segment = catalog.store_segment(repacked)
    for item in [*history.objects, segment]:
        objects.add(item)
    base = Snapshot(
        snapshot_now.head,
        snapshot_now.commit,
        _with_packs(rewritten, segment.digest),
        history.tree,
        segments=tuple(repacked),
    )
    writer = PackWriter(
        repository.store.pool, lambda digest, data: objects.put(paths.pack(repository.user_id, digest), data)
    )
    collector = Collector(root, base, writer, repository.store.entropy, trust_stats=False)
    return base, history.leaves, collector.collect(repository.store.volatile, hold)


def _with_packs(index: Catalog, segment: str) -> Catalog:
    return Catalog(index.seq, index.epochs, index.recent, (segment,), (), (), index.frontier)


def _neighbours(entry: Entry) -> Iterator[tuple[str, str]]:
    """Pairs of keys of adjacent contents of a large file."""
    names = [catalog.key(digest) for digest in entry.contents]
    return itertools.pairwise(names)


def _rewrite(path: Path, data: bytes) -> None:
    """Replace a file's bytes and keep its mode, even if the mode forbids writing."""
    mode = path.stat().st_mode & 0o777
    path.chmod(0o600)
    path.write_bytes(data)
    path.chmod(mode)


def _correct_manifest(path: Path) -> None:
    """Write the digest of a blanked raw file into its export's manifest."""
    manifest = path.with_name("manifest.json")
    if not manifest.is_file():
        return
    document = orjson.loads(manifest.read_bytes())
    for entry in document.get("files", []):
        if entry.get("path") == path.name:
            entry["sha256"] = canonical.sha256_hex(path.read_bytes())
    _rewrite(manifest, orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n")
