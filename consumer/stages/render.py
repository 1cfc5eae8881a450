"""
Stage 3 of 8, render: raw evidence into pages.

Reads    the raw export files of this job, earlier raw lines of groups that changed, the record index, entity pages.
Writes   brain/sources/cloop/**, brain/{people,projects,meetings,daily}/** above their marker, the record index with
         what each record says; run.rendered.
Repeats  safely: pages are replaced as wholes, and the index changes in one transaction at the end.

A page is a function of all live records of its group, so increments end at the bytes that a fresh backfill would give.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import orjson

import renderers
from consumer import layout
from consumer.evidence import pages, rawfiles
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
from consumer.reports.detectors import revisions
from consumer.reports.detectors.records import PageRecord
from consumer.run import Rendered, Revision, Run
from consumer.understanding import encoding, reader
from consumer.understanding.people import PROFILES
from contract import derived
from contract.manifest import ExportManifest, SourceEntry
from contract.records import record_digest
from renderers import markdown as md
from renderers.base import Item, Mention, RenderContext, Target

#: Changed records whose earlier words are kept for the report, which shows fewer.
REVISED: Final = 200
#: Records or pages between two questions to the guard.
GUARD_EVERY: Final = 200
#: Raw bytes of new records that are kept from reading them until their group is rendered, so as not to read them twice.
KEPT_BYTES: Final = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Render:
    manifest: ExportManifest
    open_index: Callable[[Path], RecordIndex]
    #: Whether notes stay on the page of an entity or a day that no record speaks of any more.
    keep_notes: bool = True
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
            work.relink()
            work.remember_revised()
            work.groups()
            work.entities()
            work.days()
            work.compare_revised()
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
    #: Records that came in another version -> as they were; and what their pages said of them.
    _revised: dict[tuple[str, str], IndexedRecord] = field(default_factory=dict)
    _shown: dict[tuple[str, str], PageRecord] = field(default_factory=dict)
    _revisions: list[Revision] = field(default_factory=list)
    _asked: int = 0
    _kept: dict[tuple[str, str], _Read] = field(default_factory=dict)
    _kept_bytes: int = 0

    def __post_init__(self) -> None:
        self._entries = {entry.source_key: entry for entry in self.manifest.sources}
        self._zone = renderers.zone_name(self.job.job.timezone)
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
        if known and known.checksum != record["checksum"] and len(self._revised) < REVISED:
            self._revised.setdefault((source, record_id), known)
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
        """Read what no reader of this version has read as it is now: unchanged records are never read again."""
        region = reader.region(self._user_profiles(), renderers.country(self._zone))
        version = reader.version(self._zone, renderers.zone_rules(self._zone), region)
        for source in self._profiles:
            for record in self.index.unread(source, reader.NAME, version):
                self._ask()
                said = encoding.encode(reader.read(self._load(record).item, self._zone, region))
                row = ReadingRow(source, record.record_id, reader.NAME, version, record.checksum, said)
                self.index.put_reading(row)

    def _user_profiles(self) -> list[Mapping[str, Any]]:
        """The user's own profile, as it is now; a user who has none is no fault."""
        return [self._load(record).item.data for record in self.index.outdated(PROFILES, "")]

    def relink(self) -> None:
        """Records that name others that changed: whom they speak of through them, and what they link to."""
        for record in self.index.relink():
            self._ask()
            entry = self._entries[record.source]
            item = self._load(record).item
            if any(ref.inherit_role for ref in renderers.refs(item, entry)):
                targets = _targets(self.index.refs(record.source, record.record_id))
                self.index.inherit(record, _rows(renderers.inherited_mentions(item, entry, targets)))

    def remember_revised(self) -> None:
        """What the pages of changed records say of them, before they are written anew."""
        for key, known in self._revised.items():
            self._ask()
            if shown := self._shown_at(known):
                self._shown[key] = shown

    def compare_revised(self) -> None:
        """The words of changed records that differ from before."""
        for key, before in self._shown.items():
            self._ask()
            known, now = self._revised[key], self.index.find(*key)
            after = self._shown_at(now) if now else None
            if after:
                self._revisions += revisions.compare(before, after, known.checksum, known.raw.path)

    def _shown_at(self, record: IndexedRecord) -> PageRecord | None:
        """A record as its page shows it; None where the page is gone or no page any more."""
        try:
            page = pages.parse(pages.slug_of(record.page), self.files.text(record.page).encode())
        except pages.PageError:
            return None
        return revisions.on_page(page, record.anchor)

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
        made = renderers.render_group(stem, entry, items, ctx)
        after = self.files.replace(before, {page.path: page.text.encode() for page in made})
        self.index.set_group(stem, checksum, job_id, after)
        self.index.locate([(records[one], page.path, anchor) for page in made for one, anchor in page.anchors.items()])

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
            revisions=tuple(self._revisions),
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
