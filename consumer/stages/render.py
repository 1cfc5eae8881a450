"""
Stage 3 of 8, render: raw evidence into pages.

Reads    the raw export files of this job, earlier raw lines of groups that changed, the record index, entity pages;
         with a reader by model, what it notes of records that no model has read.
Writes   brain/sources/cloop/**, brain/{people,projects,meetings,daily}/** above their marker, the record index with
         what each record says; run.rendered. With a reader by model, the bucket's readings/ and its list of calls;
         run.usage.
Repeats  safely: pages are replaced as wholes, and the index changes in one transaction at the end. What a model was
         paid for is in the bucket at once, so a repeat pays for nothing twice.

A page is a function of all live records of its group, so increments end at the bytes that a fresh backfill would give.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Protocol

import orjson

import renderers
from consumer import layout
from consumer.evidence import rawfiles
from consumer.evidence.pagefiles import PageFiles
from consumer.evidence.rawlines import RawLines
from consumer.evidence.records import (
    EntityRow,
    IndexedRecord,
    MentionRow,
    NamedRow,
    RawRef,
    ReadingRow,
    RecordIndex,
    RefRow,
    Stamp,
)
from consumer.ports import Guard
from consumer.run import Rendered, Run
from consumer.understanding import encoding, modelform, paid, reader, reading
from consumer.understanding.paid import PaidReading
from consumer.understanding.readers import PayingReader, ReadRecord, Stopped
from contract import derived
from contract.api import Usage
from contract.manifest import ExportManifest, SourceEntry
from contract.records import record_digest
from renderers import markdown as md
from renderers.base import Item, Mention, RenderContext, Target

#: Records or pages between two questions to the guard.
GUARD_EVERY: Final = 200
#: Raw bytes of new records that are kept from reading them until their group is rendered, so as not to read them twice.
KEPT_BYTES: Final = 16 * 1024 * 1024


#: Records that are given to the reader by model at a time.
READ_TOGETHER: Final = 200
#: Marks the version of a model's notes of only some parts of a record: the record still waits for the rest.
INCOMPLETE: Final = " incomplete"


class OpensModelReader(Protocol):
    """The reader by model, opened for one run. ``earlier``: the notes kept for some fingerprints."""

    def open(
        self, run: Run, guard: Guard, earlier: Callable[[Collection[str]], Mapping[str, PaidReading]]
    ) -> AbstractContextManager[PayingReader]: ...


@dataclass(frozen=True, slots=True)
class Render:
    manifest: ExportManifest
    open_index: Callable[[Path], RecordIndex]
    #: Whether notes stay on the page of an entity or a day that no record speaks of any more.
    keep_notes: bool = True
    #: Asked about records that no model has read; None: the rules read them.
    by_model: OpensModelReader | None = None
    name: ClassVar[str] = "render"

    def run(self, run: Run, guard: Guard) -> Run:
        exported = run.exported
        manifest = run.root / exported.manifest if exported and exported.manifest else None
        return self.render(run, [manifest.parent] if manifest else [], guard)

    def render(self, run: Run, folders: Sequence[Path], guard: Guard) -> Run:
        """Take what these raw exports brought, in their order, and render what is news. Raises as ``run``."""
        with self.open_index(run.root / layout.RENDER_INDEX) as index, closing(RawLines(run.root)) as raw:
            files = PageFiles(run.root / layout.BRAIN, look=run.job.force_render)
            work = _Work(run, guard, self.manifest, index, raw, files, self.keep_notes)
            for folder in folders:
                work.ingest(folder)
            work.outdated()
            work.understand()
            if self.by_model is not None and run.job.flags.get("synthesis", True):
                run = replace(run, usage=run.usage.plus(work.ask_model(self.by_model)))
            work.relink()
            work.groups()
            work.entities()
            work.days()
            rendered = work.result()
            index.commit()
        return replace(run, rendered=rendered)


class _Read(NamedTuple):
    """A record as it was read, and whom it mentions."""

    item: Item
    mentions: Sequence[Mention]


@dataclass(slots=True)
class _Work:
    """One run of the stage."""

    job: Run
    guard: Guard
    manifest: ExportManifest
    index: RecordIndex
    raw: RawLines
    files: PageFiles
    keep_notes: bool = True
    unchanged: int = 0
    _entries: dict[str, SourceEntry] = field(default_factory=dict)
    _profiles: dict[str, str] = field(default_factory=dict)
    _zone: str = "UTC"
    _reader: str = ""
    _unread: int = 0
    _unread_why: Stopped = ""
    _asked: int = 0
    _kept: dict[tuple[str, str], _Read] = field(default_factory=dict)
    _kept_bytes: int = 0

    def __post_init__(self) -> None:
        self._entries = {entry.source_key: entry for entry in self.manifest.sources}
        self._zone = renderers.zone_name(self.job.job.timezone)
        self._reader = reader.version(self._zone, renderers.zone_rules(self._zone))
        self._profiles = {key: renderers.profile(entry, self._zone) for key, entry in self._entries.items()}

    def ingest(self, folder: Path) -> None:
        """What one export brought, in the order it came: the last version of a record is the one that counts."""
        for path in rawfiles.batch_files(folder):
            relative = path.relative_to(self.job.root).as_posix()
            for lines in rawfiles.batches(path):
                # A line that was purged is no record any more.
                found = [(record, raw) for raw in lines if "record_id" in (record := orjson.loads(raw[1]))]
                self.index.expect([(record["source_key"], record["record_id"]) for record, _ in found])
                for record, (offset, line) in found:
                    self._ask()
                    self._ingest(record, RawRef(relative, offset, len(line)))
        self._stamps(folder / rawfiles.STAMPS)
        absent = folder / rawfiles.ABSENT
        if absent.is_file():
            for _, line in rawfiles.lines(absent):
                gone = orjson.loads(line)
                if "record_id" in gone:
                    self.index.drop(gone["source_key"], gone["record_id"])
                    digest = record_digest(gone["source_key"], gone["record_id"])
                    self.index.stamp(Stamp(digest, gone.get("updated_at", "")))

    def _stamps(self, path: Path) -> None:
        for _, line in rawfiles.lines(path) if path.is_file() else ():
            self._ask()
            self.index.stamp(Stamp(*line.decode().rstrip("\n").split(" ")))

    def _ingest(self, record: dict[str, Any], raw: RawRef) -> None:
        source, record_id = record["source_key"], record["record_id"]
        if record["deleted"]:
            self.index.drop(source, record_id)
            return
        # It is alive, and of the time that its row says; what is to be said beside comes in STAMPS.
        self.index.stamp(Stamp(record_digest(source, record_id), ""))
        known = self.index.find(source, record_id)
        here = (record["checksum"], record["updated_at"], record["occurred_at"] or "", self._profiles[source])
        if known and (known.checksum, known.updated_at, known.occurred_at, known.profile) == here:
            self.unchanged += 1
            return
        self._put(self._read(record), raw, known)

    def _read(self, record: dict[str, Any]) -> _Read:
        entry = self._entries[record["source_key"]]
        item = renderers.item(record, entry, self._zone)
        return _Read(item, renderers.own_mentions(item, entry))

    def _keep(self, read: _Read, raw: RawRef) -> None:
        """The newest version of a record may stay in memory until its group is rendered."""
        key = (read.item.source_key, read.item.record_id)
        self._kept.pop(key, None)
        if self._kept_bytes + raw.length <= KEPT_BYTES:
            self._kept_bytes += raw.length
            self._kept[key] = read

    def _put(self, read: _Read, raw: RawRef, known: IndexedRecord | None) -> None:
        item = read.item
        entry = self._entries[item.source_key]
        stem = renderers.place(item, entry)
        stays = known is not None and known.stem == stem
        page, anchor = (known.page, known.anchor) if known and stays else renderers.first_place(item, entry, stem)
        record = IndexedRecord(
            source=item.source_key,
            record_id=item.record_id,
            checksum=item.checksum,
            updated_at=item.updated_at,
            occurred_at=item.occurred_at,
            title=md.one_line(renderers.renderer_of(entry).title(item)),
            stem=stem,
            page=page,
            anchor=anchor,
            profile=self._profiles[item.source_key],
            raw=raw,
            day=item.day,
            time=item.time,
            lead=renderers.lead(item, entry),
        )
        self._keep(read, raw)
        refs = [(ref.source_key, ref.record_id) for ref in renderers.refs(item, entry)]
        self.index.put(record, _rows(read.mentions), refs, known)

    def outdated(self) -> None:
        """Records placed under another zone, page rule or renderer version are placed anew; on request all are.

        What no rule places any more, because its source has left the manifest, a fresh backfill would not show.
        """
        for source in self.index.sources():
            for record in self.index.outdated(source, "") if source not in self._profiles else ():
                self._ask()
                self.index.drop(source, record.record_id)
        for source, profile in self._profiles.items():
            for record in self.index.outdated(source, "" if self.job.job.force_render else profile):
                self._ask()
                self._put(self._load(record), record.raw, record)

    def understand(self) -> None:
        """Read what no reader of this version has read as it is now: unchanged records are never read again.

        What a model noted of a record, in this run or long ago, counts as long as the record says the same.
        """
        paid_before = self.index.has_read(reader.PAID)
        for source in self._profiles:
            for record in self.index.unread(source, reader.NAME, self._reader):
                self._ask()
                self._understand(record, self._noted(record) if paid_before else {})

    def _understand(self, record: IndexedRecord, noted: Mapping[str, PaidReading]) -> None:
        item = self._load(record).item
        said = reader.read(item, self._zone, noted=noted) if noted else reader.read(item, self._zone)
        key = (record.source, record.record_id)
        self.index.put_reading(ReadingRow(*key, reader.NAME, self._reader, record.checksum, encoding.encode(said)))

    def _noted(self, record: IndexedRecord) -> Mapping[str, PaidReading]:
        """By fingerprint of a part: what a model noted of this record, in whatever version of it."""
        kept = self.index.read_before(reader.PAID, record.source, record.record_id)
        if kept is None or kept.version.removesuffix(INCOMPLETE) != modelform.VERSION:
            return {}
        return paid.decode(kept.body)

    def ask_model(self, by_model: OpensModelReader) -> Usage:
        """Let a model read the records that none has read as they are now, the newest first, within the reader's
        limits. The others are read by the rules, as before, and wait for a later run. -> what was paid.
        """
        waiting = self.index.waiting(reader.PAID, modelform.VERSION)
        first = next(waiting, None)
        if first is None:
            return Usage()
        earlier: dict[str, PaidReading] = {}
        with by_model.open(self.job, self.guard, lambda _: earlier) as model:
            rest = chain([first], waiting)
            while records := list(islice(rest, READ_TOGETHER)):
                self.guard.check()
                earlier.clear()
                for record in records:
                    earlier |= self._noted(record)
                texts = [reading.read(self._load(record).item, self._zone) for record in records]
                for record, result in zip(records, model.read(texts), strict=True):
                    self._keep_paid(record, result)
                if model.exhausted:
                    break
            self._unread = self.index.count_waiting(reader.PAID, modelform.VERSION)
            self._unread_why = model.stopped
            return model.usage()

    def _keep_paid(self, record: IndexedRecord, result: ReadRecord) -> None:
        whole = result.reader == modelform.VERSION
        if not (whole or result.paid):
            return
        noted = {key: paid.reading_of(orjson.loads(data)) for key, data in result.paid}
        version = modelform.VERSION + ("" if whole else INCOMPLETE)
        key = (record.source, record.record_id)
        self.index.put_reading(ReadingRow(*key, reader.PAID, version, record.checksum, paid.encode(noted)))
        if whole and noted:
            self._understand(record, noted)

    def relink(self) -> None:
        """Records that name others that changed: whom they speak of through them, and what they link to."""
        for record in self.index.relink():
            self._ask()
            entry = self._entries[record.source]
            item = self._load(record).item
            if any(ref.inherit_role for ref in renderers.refs(item, entry)):
                targets = _targets(self.index.refs(record.source, record.record_id))
                self.index.inherit(record, _rows(renderers.inherited_mentions(item, entry, targets)))

    def groups(self) -> None:
        """Every page group that gained, lost or changed a record."""
        for stem in self.index.dirty_stems():
            self._ask()
            self._group(stem)

    def _group(self, stem: str) -> None:
        members = self.index.members(stem)
        before = self.index.pages(stem)
        if not members:
            self.files.replace(before, {})
            self.index.set_group(stem, "", "", {})
            return
        records = {record.record_id: record for record in members}
        entry = self._entries[members[0].source]
        loaded = [self._load(record) for record in members]
        items = sorted([one.item for one in loaded], key=renderers.page_order)
        checksum = renderers.group_checksum(items)
        # One record alone was first delivered by the job whose raw line it is, also when it moves to another page.
        job_id = self._first_job(stem, checksum, rawfiles.job_of(members[0].raw.path) if len(members) == 1 else None)
        ctx = RenderContext(
            user_id=self.job.job.user_id,
            timezone=self._zone,
            digest_job_id=job_id,
            targets=_targets(self.index.refs_of(stem)) if renderers.names_others(entry) else {},
            mentions={one.item.record_id: one.mentions for one in loaded},
            anchors={record.record_id: record.anchor for record in members},
            checksum=checksum,
        )
        pages = renderers.render_group(stem, entry, items, ctx)
        after = self.files.replace(before, {page.path: page.text.encode() for page in pages})
        self.index.set_group(stem, checksum, job_id, after)
        self.index.locate([(records[one], page.path, anchor) for page in pages for one, anchor in page.anchors.items()])

    def _first_job(self, stem: str, checksum: str, delivered: str | None = None) -> str:
        group = self.index.group(stem)
        return group[1] if group and group[0] == checksum else delivered or self.job.job.job_id

    def entities(self) -> None:
        """Pages of people, projects and meetings that gained, lost or changed evidence."""
        for kind, key in self.index.dirty_entities():
            self._ask()
            self._entity(kind, key)

    def _entity(self, kind: str, key: str) -> None:
        total, rows, named = self.index.entity(kind, key, renderers.entities.EVIDENCE_LIMIT)
        evidence = [
            renderers.Evidence(row.page, row.anchor, row.day, self._title(row), row.lead or "", _mention(row.mention))
            for row in rows
        ]
        entity = renderers.Entity(_kind(kind), key, total, evidence, _named(named))
        self._derived(renderers.entities.page(entity))

    def _title(self, row: EntityRow) -> str:
        through = renderers.renderer_of(self._entries[row.source]).told_by
        return (through and self.index.title_of_named(row.source, row.record_id, through)) or row.title

    def days(self) -> None:
        """Pages of local days on which something happened that is news, or happened no more."""
        for day in self.index.dirty_days():
            self._ask()
            self._day(day)

    def _day(self, day: str) -> None:
        rows, named = self.index.happened(day)
        happened = [
            renderers.days.Happened(renderers.renderer_of(self._entries[source]).plural, *shown)
            for source, *shown in rows
        ]
        self._derived(renderers.days.page(renderers.days.Day(day, happened, _named(named))))

    def _derived(self, page: renderers.Derived) -> None:
        """A page of which only what stands above the marker is ours."""
        path, below = page.path, derived.notes(self.files.text(page.path))
        if not page.evidence_count and not (below and self.keep_notes):
            self.files.replace(self.index.pages(path), {})
            self.index.set_group(path, "", "", {})
            return
        job_id = self._first_job(path, page.checksum)
        text = page.text(self.job.job.user_id, job_id)
        digest = hashlib.sha256(text.encode()).digest()
        whole = derived.join(text, below).encode()
        if self.index.pages(path).get(path) != digest or self.files.differs(path, whole):
            self.files.write(path, whole)
        self.index.set_group(path, page.checksum, job_id, {path: digest})

    def result(self) -> Rendered:
        """What changed, sorted."""
        return Rendered(
            changed=tuple(sorted(self.files.changed)),
            removed=tuple(sorted(self.files.removed)),
            unchanged=self.unchanged,
            pages_total=self.index.pages_total(),
            unread=self._unread,
            unread_why=self._unread_why,
        )

    def _load(self, record: IndexedRecord) -> _Read:
        kept = self._kept.get((record.source, record.record_id))
        return kept if kept and kept.item.checksum == record.checksum else self._read(self.raw.read(record))

    def _ask(self) -> None:
        self._asked += 1
        if self._asked % GUARD_EVERY == 0:
            self.guard.check()


def _rows(mentions: Iterable[Mention]) -> list[MentionRow]:
    # The same fields in the same order.
    return list(map(MentionRow._make, mentions))


def _targets(rows: Iterable[RefRow]) -> dict[tuple[str, str], Target]:
    return {
        (row.source, row.record_id): Target(row.title, row.page, row.anchor, tuple(map(_mention, row.mentions)))
        for row in rows
    }


def _mention(row: MentionRow) -> Mention:
    # The same fields in the same order; the kind came from a Mention.
    return Mention._make(row)


def _named(rows: Iterable[NamedRow]) -> list[renderers.Named]:
    return [renderers.Named._make(row) for row in rows]


def _kind(kind: str) -> renderers.EntityKind:
    return renderers.entities.KINDS[kind]
