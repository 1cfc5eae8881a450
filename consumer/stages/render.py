"""
Stage 3 of 8, render: raw evidence into pages.

Reads    the raw export files of this job, earlier raw lines of groups that changed, the record index, entity pages.
Writes   brain/sources/cloop/**, brain/{people,projects,meetings}/** above their marker, the record index; run.rendered.
Repeats  safely: pages are replaced as wholes, and the index changes in one transaction at the end.

A page is a function of all live records of its group, so increments end at the bytes that a fresh backfill would give.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Final

import orjson

import renderers
from consumer.core import layout
from consumer.core.errors import SnapshotIncomplete
from consumer.ports import EntityRow, Guard, IndexedRecord, MentionRow, RawRef, RecordIndex
from consumer.stages import rawfiles
from consumer.stages.base import Rendered, Run
from contract.manifest import ExportManifest, SourceEntry
from renderers import markdown as md
from renderers.base import Item, Mention, RenderContext, Target

#: Raw files kept open at a time: a group's records come from few jobs.
OPEN_FILES: Final = 16
#: Records or pages between two questions to the guard.
GUARD_EVERY: Final = 200
#: Raw bytes of new records that are kept from reading them until their group is rendered, so as not to read them twice.
KEPT_BYTES: Final = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Render:
    manifest: ExportManifest
    open_index: Callable[[Path], RecordIndex]
    name: ClassVar[str] = "render"

    def run(self, run: Run, guard: Guard) -> Run:
        with closing(self.open_index(run.root / layout.RENDER_INDEX)) as index, closing(_Raw(run.root)) as raw:
            work = _Work(run, guard, self.manifest, index, raw)
            work.ingest()
            work.outdated()
            work.relink()
            work.groups()
            work.entities()
            rendered = work.result()
            index.commit()
        return replace(run, rendered=rendered)


@dataclass(slots=True)
class _Work:
    """One run of the stage."""

    job: Run
    guard: Guard
    manifest: ExportManifest
    index: RecordIndex
    raw: _Raw
    changed: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    unchanged: int = 0
    _entries: dict[str, SourceEntry] = field(default_factory=dict)
    _profiles: dict[str, str] = field(default_factory=dict)
    _zone: str = "UTC"
    _asked: int = 0
    _kept: dict[tuple[str, str], Item] = field(default_factory=dict)
    _kept_bytes: int = 0

    def __post_init__(self) -> None:
        self._entries = {entry.source_key: entry for entry in self.manifest.sources}
        self._zone = renderers.zone_name(self.job.job.timezone)
        self._profiles = {key: renderers.profile(entry, self._zone) for key, entry in self._entries.items()}

    def ingest(self) -> None:
        """What export brought, in the order it came: the last version of a record is the one that counts."""
        if self.job.exported is None or self.job.exported.manifest is None:
            return
        manifest = self.job.root / self.job.exported.manifest
        for entry in rawfiles.read_manifest(manifest)["files"]:
            path = manifest.with_name(entry["path"])
            relative = path.relative_to(self.job.root).as_posix()
            for offset, line in rawfiles.lines(path):
                self._ask()
                self._ingest(orjson.loads(line), RawRef(relative, offset, len(line)))
        absent = manifest.with_name(rawfiles.ABSENT)
        if absent.is_file():
            for _, line in rawfiles.lines(absent):
                gone = orjson.loads(line)
                self.index.drop(gone["source_key"], gone["record_id"])

    def _ingest(self, record: dict[str, Any], raw: RawRef) -> None:
        source, record_id = record["source_key"], record["record_id"]
        if record["deleted"]:
            self.index.drop(source, record_id)
            return
        known = self.index.find(source, record_id)
        here = (record["checksum"], record["updated_at"], self._profiles[source])
        if known and (known.checksum, known.updated_at, known.profile) == here:
            self.unchanged += 1
            return
        item = renderers.item(record)
        self._keep(item, raw)
        self._put(item, raw, known)

    def _keep(self, item: Item, raw: RawRef) -> None:
        """The newest version of a record may stay in memory until its group is rendered."""
        key = (item.source_key, item.record_id)
        self._kept.pop(key, None)
        if self._kept_bytes + raw.length <= KEPT_BYTES:
            self._kept_bytes += raw.length
            self._kept[key] = item

    def _put(self, item: Item, raw: RawRef, known: IndexedRecord | None) -> None:
        entry = self._entries[item.source_key]
        title = renderers.renderer_of(entry).title(item)
        stem = renderers.place(item, entry, self._zone)
        stays = known is not None and known.stem == stem
        record = IndexedRecord(
            source=item.source_key,
            record_id=item.record_id,
            checksum=item.checksum,
            updated_at=md.utc(item.updated_at),
            occurred_at=md.utc(item.occurred_at) if item.occurred_at else "",
            title=md.one_line(title),
            stem=stem,
            page=known.page if known and stays else "",
            anchor=known.anchor if known and stays else "",
            profile=self._profiles[item.source_key],
            raw=raw,
        )
        found = _rows(renderers.own_mentions(item, entry))
        self.index.put(record, found, [(ref.source_key, ref.record_id) for ref in renderers.refs(item, entry)])

    def outdated(self) -> None:
        """Records placed under another zone, page rule or renderer version are placed anew."""
        for source, profile in self._profiles.items():
            for record in self.index.outdated(source, profile):
                self._ask()
                self._put(self._load(record), record.raw, record)

    def relink(self) -> None:
        """Records that name others that changed: whom they speak of through them, and what they link to."""
        for record in self.index.relink():
            self._ask()
            entry = self._entries[record.source]
            item = self._load(record)
            self.index.inherit(record, _rows(renderers.inherited_mentions(item, entry, self._targets([record]))))

    def _targets(self, members: Iterable[IndexedRecord]) -> dict[tuple[str, str], Target]:
        return {
            (row.source, row.record_id): Target(row.title, row.page, row.anchor, tuple(map(_mention, row.mentions)))
            for record in members
            if self._names_others(record.source)
            for row in self.index.refs(record.source, record.record_id)
        }

    def _names_others(self, source: str) -> bool:
        return renderers.names_others(self._entries[source])

    def groups(self) -> None:
        """Every page group that gained, lost or changed a record."""
        for stem in self.index.dirty_stems():
            self._ask()
            self._group(stem)

    def _group(self, stem: str) -> None:
        members = self.index.members(stem)
        before = self.index.pages(stem)
        if not members:
            self._replace_pages(before, {})
            self.index.set_group(stem, "", "", {})
            return
        records = {record.record_id: record for record in members}
        items = sorted((self._load(record) for record in members), key=renderers.page_order)
        checksum = renderers.group_checksum(items)
        job_id = self._first_job(stem, checksum)
        ctx = RenderContext(self.job.job.user_id, self._zone, job_id, self._targets(members))
        pages = renderers.render_group(stem, self._entries[members[0].source], items, ctx)
        after = self._replace_pages(before, {page.path: page.text.encode() for page in pages})
        self.index.set_group(stem, checksum, job_id, after)
        for page in pages:
            for record_id, anchor in page.anchors.items():
                self.index.locate(records[record_id], page.path, anchor)

    def _first_job(self, stem: str, checksum: str) -> str:
        group = self.index.group(stem)
        return group[1] if group and group[0] == checksum else self.job.job.job_id

    def _replace_pages(self, before: dict[str, bytes], pages: dict[str, bytes]) -> dict[str, bytes]:
        """Write what differs, remove what is no more; path -> digest as it is now."""
        after = {path: hashlib.sha256(data).digest() for path, data in pages.items()}
        for path in before.keys() - after.keys():
            self._remove(path)
        for path, data in pages.items():
            if before.get(path) != after[path]:
                self._write(path, data)
        return after

    def _write(self, path: str, data: bytes) -> None:
        rawfiles.write_atomic(self.job.root / layout.BRAIN / path, data)
        self.removed.discard(path)
        self.changed.add(path)

    def _remove(self, path: str) -> None:
        (self.job.root / layout.BRAIN / path).unlink(missing_ok=True)
        self.changed.discard(path)
        self.removed.add(path)

    def entities(self) -> None:
        """Pages of people, projects and meetings that gained, lost or changed evidence."""
        for kind, key in self.index.dirty_entities():
            self._ask()
            self._entity(kind, key)

    def _entity(self, kind: str, key: str) -> None:
        total, rows = self.index.entity(kind, key, renderers.entities.EVIDENCE_LIMIT)
        path = renderers.entities.path(_mention_kind(kind), key)
        file = self.job.root / layout.BRAIN / path
        below = renderers.entities.kept(file.read_text()) if file.is_file() else ""
        if not rows and not below:
            self._replace_pages(self.index.pages(path), {})
            self.index.set_group(path, "", "", {})
            return
        entity = _entity(kind, key, total, rows, self._zone)
        checksum = renderers.entities.checksum(entity)
        job_id = self._first_job(path, checksum)
        text = renderers.entities.render(entity, self.job.job.user_id, job_id)
        digest = hashlib.sha256(text.encode()).digest()
        if self.index.pages(path).get(path) != digest:
            self._write(path, renderers.entities.join(text, below).encode())
        self.index.set_group(path, checksum, job_id, {path: digest})

    def result(self) -> Rendered:
        """What changed, sorted."""
        return Rendered(
            changed=tuple(sorted(self.changed)),
            removed=tuple(sorted(self.removed)),
            unchanged=self.unchanged,
            pages_total=self.index.pages_total(),
        )

    def _load(self, record: IndexedRecord) -> Item:
        kept = self._kept.get((record.source, record.record_id))
        return kept if kept and kept.checksum == record.checksum else renderers.item(self.raw.read(record))

    def _ask(self) -> None:
        self._asked += 1
        if self._asked % GUARD_EVERY == 0:
            self.guard.check()


class _Raw:
    """Reads single lines of raw export files, keeping a few of them open."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._open: dict[str, int] = {}

    def read(self, record: IndexedRecord) -> dict[str, Any]:
        """The raw record that an index entry points at.

        Raises:
            SnapshotIncomplete: the line is gone or is another record's.
        """
        ref = record.raw
        try:
            document: dict[str, Any] = orjson.loads(os.pread(self._file(ref.path), ref.length, ref.offset))
        except (OSError, orjson.JSONDecodeError) as exc:
            raise SnapshotIncomplete(f"{ref.path} at {ref.offset}: no record there: {type(exc).__name__}") from exc
        if (document["record_id"], document["checksum"]) != (record.record_id, record.checksum):
            raise SnapshotIncomplete(f"{ref.path} at {ref.offset}: another record than the index says")
        return document

    def _file(self, path: str) -> int:
        if path not in self._open:
            if len(self._open) >= OPEN_FILES:
                os.close(self._open.pop(next(iter(self._open))))
            self._open[path] = os.open(self._root / path, os.O_RDONLY)
        return self._open[path]

    def close(self) -> None:
        while self._open:
            os.close(self._open.popitem()[1])


def _rows(mentions: Iterable[Mention]) -> list[MentionRow]:
    return [MentionRow(m.kind, m.key, m.name, m.role, m.facts) for m in mentions]


def _entity(kind: str, key: str, total: int, rows: Iterable[EntityRow], timezone: str) -> renderers.Entity:
    evidence = [
        renderers.Evidence(
            page=row.page,
            anchor=row.anchor,
            day=renderers.local_day(datetime.fromisoformat(row.occurred_at) if row.occurred_at else None, timezone),
            title=row.title,
            mention=_mention(row.mention),
        )
        for row in rows
    ]
    connected = [_mention(other) for row in rows for other in row.others]
    return renderers.Entity(_mention_kind(kind), key, total, evidence, connected)


def _mention(row: MentionRow) -> Mention:
    return Mention(_mention_kind(row.kind), row.key, row.name, row.role, row.facts)


def _mention_kind(kind: str) -> renderers.EntityKind:
    return renderers.entities.KINDS[kind]
