"""
Stage 3 of 8, render: raw evidence into pages.

Reads    the raw export files of this job, earlier raw lines of groups that changed, the record index, entity pages;
         with a reader by model, what it notes of records that no model has read.
Writes   brain/sources/cloop/**, brain/{people,projects,meetings,daily}/** above their marker, the record index with
         the readings of records; run.rendered. With a reader by model, the bucket's readings/ and its list of calls;
         run.usage.
Repeats  safely: pages are replaced atomically, and the index changes in one transaction at the end. A model's paid
         answers are in the bucket at once, so a repeat pays for nothing twice.

A page is a function of all live records of its group, so increments give the same bytes as a fresh backfill.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Protocol

import orjson

import renderers
from consumer import layout
from consumer.evidence import pages, rawfiles
from consumer.evidence.pagefiles import PageFiles
from consumer.evidence.rawlines import RawLines
from consumer.evidence.records import (
    IndexedRecord,
    ReadingRow,
    RecordIndex,
    RefRow,
    Stamp,
)
from consumer.ports import Guard
from consumer.reports.detectors import revisions
from consumer.reports.detectors.records import PageRecord, of_page
from consumer.run import Rendered, Revision, Run
from consumer.understanding import encoding, modelform, paid, reader, reading
from consumer.understanding.paid import PaidReading
from consumer.understanding.people import PROFILES
from consumer.understanding.readers import PayingReader, ReadRecord, Stopped
from contract import derived
from contract.api import Usage
from contract.manifest import ExportManifest, SourceEntry
from contract.records import record_digest
from renderers import entities
from renderers import markdown as md
from renderers.base import Item, RecordContent, RenderContext, Target
from service import telemetry

#: Changed records whose earlier words are kept for the report, which shows fewer.
REVISED: Final = 200
#: Records or pages between two checks of the guard.
GUARD_EVERY: Final = 200
#: Raw bytes of new records kept in memory until their group is rendered, to avoid reading them twice.
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


#: Opens the reader by model for one run, given the notes kept for some fingerprints.
OpenModel = Callable[[Callable[[Collection[str]], Mapping[str, PaidReading]]], AbstractContextManager[PayingReader]]


@dataclass(frozen=True, slots=True)
class RenderTarget:
    """A hydrated workspace to render. ``job_id``: the job that pages name; ``force``: render all records again."""

    root: Path
    user_id: str
    job_id: str
    timezone: str
    force: bool = False


@dataclass(frozen=True, slots=True)
class Render:
    manifest: ExportManifest
    open_index: Callable[[Path], RecordIndex]
    #: Reads records that no model has read; None: only the rules read.
    by_model: OpensModelReader | None = None
    name: ClassVar[str] = "render"

    def run(self, run: Run, guard: Guard) -> Run:
        exported = run.exported
        manifest = run.root / exported.manifest if exported and exported.manifest else None
        target = RenderTarget(run.root, run.job.user_id, run.job.job_id, run.job.timezone, run.job.force_render)
        asks = self.by_model is not None and run.job.flags.get("synthesis", True)
        open_model = partial(self.by_model.open, run, guard) if self.by_model and asks else None
        with self.rendering(target, guard, open_model=open_model) as rendering:
            if manifest:
                rendering.ingest(manifest.parent)
        return replace(run, rendered=rendering.result, usage=run.usage.plus(rendering.usage))

    @contextmanager
    def rendering(
        self, target: RenderTarget, guard: Guard, *, keep_notes: bool = True, open_model: OpenModel | None = None
    ) -> Iterator[Rendering]:
        """Change records inside of the block; its end renders what changed and commits the index. Raises as ``run``.

        ``keep_notes``: whether the page of an entity or a day that no record mentions any more is kept for its notes.
        ``open_model``: opens the reader by model; None: only the rules read.
        """
        with self.open_index(target.root / layout.RENDER_INDEX) as index, closing(RawLines(target.root)) as raw:
            files = PageFiles(target.root / layout.BRAIN, look=target.force)
            rendering = Rendering(target, guard, self.manifest, index, raw, files, keep_notes, open_model)
            yield rendering
            rendering.finish()
            index.commit()


#: A line of a raw export file: path, offset, length.
_Line = tuple[str, int, int]


class _Read(NamedTuple):
    """An indexed record, parsed, with what its renderer takes from it."""

    record: IndexedRecord
    item: Item
    content: RecordContent


@dataclass(slots=True)
class Rendering:
    """One rendering of a workspace. ``result``: what changed, once it is finished."""

    target: RenderTarget
    guard: Guard
    manifest: ExportManifest
    index: RecordIndex
    raw: RawLines
    files: PageFiles
    keep_notes: bool = True
    open_model: OpenModel | None = None
    unchanged: int = 0
    result: Rendered | None = None
    #: What the reader by model cost.
    usage: Usage = field(default_factory=Usage)
    _entries: dict[str, SourceEntry] = field(default_factory=dict)
    _profiles: dict[str, str] = field(default_factory=dict)
    #: By source: the title of a page of many records, and see RecordRenderer.told_by.
    _headings: dict[str, str] = field(default_factory=dict)
    _told_by: dict[str, str] = field(default_factory=dict)
    _zone: str = "UTC"
    #: Records that came in another version -> as they were; and what their pages said of them.
    _revised: dict[tuple[str, str], IndexedRecord] = field(default_factory=dict)
    _shown: dict[tuple[str, str], PageRecord] = field(default_factory=dict)
    _revisions: list[Revision] = field(default_factory=list)
    _region: str = ""
    _version: str = ""
    _unread: int = 0
    _unread_why: Stopped = ""
    _asked: int = 0
    _kept: dict[tuple[str, str], _Read] = field(default_factory=dict)
    _kept_bytes: int = 0

    def __post_init__(self) -> None:
        self._entries = {entry.source_key: entry for entry in self.manifest.sources}
        self._zone = renderers.zone_name(self.target.timezone)
        self._profiles = {key: renderers.profile(entry, self._zone) for key, entry in self._entries.items()}
        made_by = {key: renderers.renderer_of(entry) for key, entry in self._entries.items()}
        self._headings = {key: renderer.plural for key, renderer in made_by.items()}
        self._told_by = {key: renderer.told_by for key, renderer in made_by.items() if renderer.told_by}

    def ingest(self, folder: Path) -> None:
        """Ingest one raw export in its order; of several versions of a record, the last counts."""
        for path in rawfiles.batch_files(folder):
            relative = path.relative_to(self.target.root).as_posix()
            for lines in rawfiles.batches(path):
                # A purged line has no record id.
                records = [(record, raw) for raw in lines if "record_id" in (record := orjson.loads(raw[1]))]
                self.index.expect([(record["source_key"], record["record_id"]) for record, _ in records])
                for record, (offset, line) in records:
                    self._ask()
                    self._ingest(record, (relative, offset, len(line)))
        self._stamps(folder / rawfiles.STAMPS)
        absent = folder / rawfiles.ABSENT
        if absent.is_file():
            for _, line in rawfiles.lines(absent):
                gone = orjson.loads(line)
                if "record_id" in gone:
                    self.drop(gone["source_key"], gone["record_id"], gone.get("updated_at", ""))

    def drop(self, source: str, record_id: str, at: str = "") -> None:
        """Remove a record that its source no longer has. ``at``: when it was last changed; "" removes its stamp."""
        self.index.drop(source, record_id)
        self.index.stamp([Stamp(record_digest(source, record_id), at)])

    def finish(self) -> None:
        """Render everything that the changed records affect."""
        self._outdated()
        self._understand()
        if self.open_model is not None:
            self._ask_model(self.open_model)
        self._relink()
        self._remember_revised()
        for stem in self.index.dirty_stems():
            self._ask()
            self._group(stem)
        for kind, key in self.index.dirty_entities():
            self._ask()
            self._entity(kind, key)
        for day in self.index.dirty_days():
            self._ask()
            self._day(day)
        self._compare_revised()
        self.result = Rendered(
            changed=tuple(sorted(self.files.changed)),
            removed=tuple(sorted(self.files.removed)),
            unchanged=self.unchanged,
            pages_total=self.index.pages_total(),
            revisions=tuple(self._revisions),
            unread=self._unread,
            unread_why=self._unread_why,
        )

    def _stamps(self, path: Path) -> None:
        for lines in rawfiles.batches(path) if path.is_file() else ():
            self._ask()
            self.index.stamp([Stamp(*line.decode().rstrip("\n").split(" ")) for _, line in lines])

    def _ingest(self, record: dict[str, Any], line: _Line) -> None:
        source, record_id = record["source_key"], record["record_id"]
        if record["deleted"]:
            self.index.drop(source, record_id)
            return
        # It exists, at the time that its row states; exceptions follow in STAMPS.
        self.index.unstamp(source, record_id)
        previous = self.index.find(source, record_id)
        if previous:
            state = (record["checksum"], record["updated_at"], record["occurred_at"] or "", self._profiles[source])
            if (previous.checksum, previous.updated_at, previous.occurred_at, previous.profile) == state:
                self.unchanged += 1
                return
            if previous.checksum != record["checksum"] and len(self._revised) < REVISED:
                self._revised.setdefault((source, record_id), previous)
        item = renderers.item(record, self._entries[source], self._zone)
        self._put(item, self._content_of(item), line, previous)

    def _content_of(self, item: Item) -> RecordContent:
        return renderers.content_of(item, self._entries[item.source_key])

    def _keep(self, read: _Read) -> None:
        """Keep the newest version of a record in memory until its group is rendered, up to the limit."""
        key = (read.item.source_key, read.item.record_id)
        self._take(key)
        if self._kept_bytes + read.record.length <= KEPT_BYTES:
            self._kept_bytes += read.record.length
            self._kept[key] = read

    def _take(self, key: tuple[str, str]) -> _Read | None:
        """A record that is kept, for the last time: its memory is free again."""
        read = self._kept.pop(key, None)
        if read:
            self._kept_bytes -= read.record.length
        return read

    def _put(self, item: Item, content: RecordContent, line: _Line, previous: IndexedRecord | None) -> None:
        raw, offset, length = line
        entry = self._entries[item.source_key]
        stem = renderers.place(item, entry, content)
        stays = previous is not None and previous.stem == stem
        placed = (previous.page, previous.anchor) if previous and stays else None
        page, anchor = placed or renderers.first_place(item, entry, stem)
        # By position: with names it takes twice the time.
        record = IndexedRecord(
            item.source_key,
            item.record_id,
            item.checksum,
            item.updated_at,
            item.occurred_at,
            md.one_line(content.title),
            stem,
            page,
            anchor,
            self._profiles[item.source_key],
            raw,
            offset,
            length,
            item.day,
            item.time,
            renderers.lead(item, entry, content),
        )
        self._keep(_Read(record, item, content))
        refs = [(ref.source_key, ref.record_id) for ref in content.refs]
        self.index.put(record, content.mentions, refs, previous)

    def _outdated(self) -> None:
        """Place records of another zone, page rule or renderer version again; on request, all records.

        Drop records whose source is no longer in the manifest, as a fresh backfill would.
        """
        for source in self.index.sources():
            for record in self.index.outdated(source, "") if source not in self._profiles else ():
                self._ask()
                self.index.drop(source, record.record_id)
        for source, profile in self._profiles.items():
            for record in self.index.outdated(source, "" if self.target.force else profile):
                self._ask()
                read = self._kept_of(record) or self._load(record)
                self._put(read.item, read.content, (record.raw, record.offset, record.length), record)

    def _understand(self) -> None:
        """Read the records whose current version this version of the reader has not read.

        A model's notes on a record, of this run or an earlier one, count as long as the record says the same.
        """
        self._region = reader.region(self._user_profiles(), renderers.country(self._zone))
        self._version = reader.version(self._zone, renderers.zone_rules(self._zone), self._region)
        paid_before = self.index.has_read(reader.PAID)
        for source in self._profiles:
            for record in self.index.unread(source, reader.NAME, self._version):
                self._ask()
                self._read_by_rules(record, self._noted(record) if paid_before else {})
                if self.open_model is not None and not modelform.parts(reading.read(self._item(record), self._zone)):
                    # Nobody speaks in it. It waits for no model, and no report counts it.
                    self._keep_noted(record, modelform.VERSION, {})

    def _read_by_rules(self, record: IndexedRecord, noted: Mapping[str, PaidReading]) -> None:
        """Store what the rules read in a record, together with a model's notes on it."""
        record_reading = reader.read(self._item(record), self._zone, self._region, noted=noted)
        for refusal in record_reading.refusals:
            if refusal.reason == "fault":
                telemetry.log(
                    "the rules failed on a part of a record",
                    level=telemetry.ERROR,
                    source=record.source,
                    record_id=record.record_id,
                    code=refusal.kind,
                )
        row = ReadingRow(
            *(
                record.source,
                record.record_id,
                reader.NAME,
                self._version,
                record.checksum,
                encoding.encode(record_reading),
            )
        )
        self.index.put_reading(row)

    def _noted(self, record: IndexedRecord) -> Mapping[str, PaidReading]:
        """By fingerprint of a part: what a model noted of this record, in whatever version of it."""
        kept = self.index.read_before(reader.PAID, record.source, record.record_id)
        if kept is None or kept.version.removesuffix(INCOMPLETE) != modelform.VERSION:
            return {}
        return paid.decode(kept.body)

    def _ask_model(self, open_model: OpenModel) -> None:
        """Let a model read the records that none has read in their current version, the newest first, within the
        reader's limits. The rules have read the others, which wait for a later run.
        """
        waiting = self.index.waiting(reader.PAID, modelform.VERSION)
        first = next(waiting, None)
        if first is None:
            return
        earlier: dict[str, PaidReading] = {}
        with open_model(lambda _: earlier) as model:
            rest = chain([first], waiting)
            while records := list(islice(rest, READ_TOGETHER)):
                self.guard.check()
                earlier.clear()
                for record in records:
                    earlier |= self._noted(record)
                texts = [reading.read(self._item(record), self._zone) for record in records]
                for record, result in zip(records, model.read(texts), strict=True):
                    self._keep_paid(record, result)
                if model.exhausted:
                    break
            self._unread = self.index.count_waiting(reader.PAID, modelform.VERSION)
            self._unread_why = model.stopped
        # Now: the last call is recorded a moment after its answer.
        self.usage = model.usage()

    def _keep_paid(self, record: IndexedRecord, result: ReadRecord) -> None:
        whole = result.reader == modelform.VERSION
        if not (whole or result.paid):
            return
        noted = {key: paid.reading_of(orjson.loads(data)) for key, data in result.paid}
        self._keep_noted(record, modelform.VERSION + ("" if whole else INCOMPLETE), noted)
        if whole and noted:
            self._read_by_rules(record, noted)

    def _keep_noted(self, record: IndexedRecord, version: str, noted: Mapping[str, PaidReading]) -> None:
        key = (record.source, record.record_id)
        self.index.put_reading(ReadingRow(*key, reader.PAID, version, record.checksum, paid.encode(noted)))

    def _user_profiles(self) -> list[Mapping[str, Any]]:
        """The user's current profile; empty where there is none."""
        return [self._item(record).data for record in self.index.outdated(PROFILES, "")]

    def _relink(self) -> None:
        """Update records that name changed ones: inherited mentions and links."""
        for record in self.index.relink():
            self._ask()
            entry = self._entries[record.source]
            item = self._item(record)
            if any(ref.inherit_role for ref in renderers.refs(item, entry)):
                targets = _targets(self.index.refs(record.source, record.record_id))
                self.index.inherit(record, renderers.inherited_mentions(item, entry, targets))

    def _remember_revised(self) -> None:
        """Keep what the pages of changed records show of them, before these are rendered again."""
        self._shown = self._on_pages(self._revised)

    def _compare_revised(self) -> None:
        """Compare the words of changed records with those before."""
        now = self._on_pages({key: record for key in self._shown if (record := self.index.find(*key))})
        for key, previous in self._revised.items():
            before, after = self._shown.get(key), now.get(key)
            if before and after:
                self._revisions += revisions.compare(before, after, previous.checksum, previous.raw)

    def _on_pages(self, places: Mapping[tuple[str, str], IndexedRecord]) -> dict[tuple[str, str], PageRecord]:
        """Records as their pages show them, without those whose page is gone. Each page is parsed once."""
        keys: dict[str, dict[str, tuple[str, str]]] = {}
        for key, record in places.items():
            keys.setdefault(record.page, {})[record.anchor] = key
        shown: dict[tuple[str, str], PageRecord] = {}
        for path, by_anchor in keys.items():
            self._ask()
            try:
                page = pages.parse(pages.slug_of(path), self.files.text(path).encode())
            except pages.PageError:
                continue
            for record_shown in of_page(page):
                if (record_shown.anchor or "") in by_anchor:
                    shown[by_anchor[record_shown.anchor or ""]] = record_shown
        return shown

    def _group(self, stem: str) -> None:
        loaded = self._members(stem)
        before = self.index.pages(stem)
        if not loaded:
            self.files.replace(before, {})
            self.index.set_group(stem, "", "", {})
            return
        records = {each.record.record_id: each.record for each in loaded}
        first = loaded[0].record
        entry = self._entries[first.source]
        items = sorted([each.item for each in loaded], key=renderers.page_order)
        checksum = renderers.group_checksum(items)
        # A single record's first job is that of its raw line, also when the record moves to another page.
        job_id = self._first_job(stem, checksum, rawfiles.job_of(first.raw) if len(loaded) == 1 else None)
        ctx = RenderContext(
            user_id=self.target.user_id,
            timezone=self._zone,
            digest_job_id=job_id,
            targets=_targets(self.index.refs_of(stem)) if any(each.content.refs for each in loaded) else {},
            contents={each.item.record_id: each.content for each in loaded},
            anchors={record_id: record.anchor for record_id, record in records.items()},
            checksum=checksum,
        )
        made = renderers.render_group(stem, entry, items, ctx)
        after = self.files.replace(before, {page.path: page.text.encode() for page in made})
        self.index.set_group(stem, checksum, job_id, after)
        self.index.locate(
            [(records[record_id], page.path, anchor) for page in made for record_id, anchor in page.anchors.items()]
        )

    def _first_job(self, stem: str, checksum: str, delivered: str | None = None) -> str:
        group = self.index.group(stem)
        return group[1] if group and group[0] == checksum else delivered or self.target.job_id

    def _entity(self, kind: renderers.EntityKind, key: str) -> None:
        entity = self._told_of(kind, key)
        if kind == "person":
            self._person(entity)
        else:
            self._derived(entities.page(entity))

    def _person(self, entity: renderers.Entity) -> None:
        """Write the page of a name; if several people may have it, also a page for each of them."""
        kind, key = entity.kind, entity.key
        distinct = {piece.mention.facts for piece in entity.evidence if piece.mention.facts}
        is_told_apart = len(distinct) > 1 or entity.total > len(entity.evidence)
        stated = self.index.stated(kind, key) if is_told_apart else {}
        people = entities.namesakes(key, stated.values())
        for addresses in people:
            theirs = [text for text, facts in stated.items() if not addresses.isdisjoint(entities.addresses(facts))]
            self._derived(entities.page(self._told_of(kind, key, theirs), min(addresses)))
        if people:
            nobodys = [text for text, facts in stated.items() if not entities.addresses(facts)]
            self._derived(entities.page_of_namesakes(entity, self._told_of(kind, key, nobodys), map(min, people)))
        else:
            self._derived(entities.page(entity))
        now = {entities.path(kind, key, min(addresses)) for addresses in people}
        for path in self.index.digests(entities.path(kind, key).removesuffix(".md") + "-"):
            if path not in now:
                self._derived(entities.gone(kind, key, path))

    def _told_of(self, kind: renderers.EntityKind, key: str, stated: Sequence[str] | None = None) -> renderers.Entity:
        """An entity by all records that mention it, or by those that state these facts."""
        total, evidence, named = self.index.entity(kind, key, entities.EVIDENCE_LIMIT, stated)
        evidence = [self._titled(piece) if piece.source in self._told_by else piece for piece in evidence]
        return renderers.Entity(kind, key, total, evidence, named)

    def _titled(self, piece: renderers.Evidence) -> renderers.Evidence:
        """With the title of the record that names its subject, if it names one."""
        title = self.index.title_of_named(piece.source, piece.record_id, self._told_by[piece.source])
        return piece._replace(title=title) if title else piece

    def _day(self, day: str) -> None:
        happened, named = self.index.happened(day)
        self._derived(renderers.days.page(renderers.days.Day(day, happened, named, self._headings)))

    def _derived(self, page: renderers.Derived) -> None:
        """Write a derived page; its text below the marker is kept."""
        path, below = page.path, derived.notes(self.files.text(page.path))
        if not page.evidence_count and not (below and self.keep_notes):
            self.files.replace(self.index.pages(path), {})
            self.index.set_group(path, "", "", {})
            return
        job_id = self._first_job(path, page.checksum)
        text = page.text(self.target.user_id, job_id)
        digest = hashlib.sha256(text.encode()).digest()
        data = derived.join(text, below).encode()
        if self.index.pages(path).get(path) != digest or self.files.differs(path, data):
            self.files.write(path, data)
        self.index.set_group(path, page.checksum, job_id, {path: digest})

    def _members(self, stem: str) -> list[_Read]:
        """The records of a page group, in order of source and id."""
        kept = [self._take(key) for key in self.index.member_keys(stem)]
        loaded = [read for read in kept if read]
        if len(loaded) == len(kept):
            return loaded
        return [read or self._load(record) for read, record in zip(kept, self.index.members(stem), strict=True)]

    def _load(self, record: IndexedRecord) -> _Read:
        item = self._parsed(record)
        return _Read(record, item, self._content_of(item))

    def _item(self, record: IndexedRecord) -> Item:
        kept = self._kept_of(record)
        return kept.item if kept else self._parsed(record)

    def _kept_of(self, record: IndexedRecord) -> _Read | None:
        kept = self._kept.get((record.source, record.record_id))
        return kept if kept and kept.item.checksum == record.checksum else None

    def _parsed(self, record: IndexedRecord) -> Item:
        return renderers.item(self.raw.read(record), self._entries[record.source], self._zone)

    def _ask(self) -> None:
        self._asked += 1
        if self._asked % GUARD_EVERY == 0:
            self.guard.check()


def _targets(rows: Iterable[RefRow]) -> dict[tuple[str, str], Target]:
    return {(row.source, row.record_id): Target(row.title, row.page, row.anchor, row.mentions) for row in rows}
