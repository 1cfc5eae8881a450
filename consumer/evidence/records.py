"""Ports of the record index: where each record is rendered, and which versions a run has read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

from consumer.ports import Guard
from renderers.base import EntityKind, Mention
from renderers.days import Happened
from renderers.entities import Evidence, Facts, Named


class IndexedRecord(NamedTuple):
    """A live record as it is rendered. Times are RFC 3339 UTC texts, "" for none.

    ``stem``: its page group; ``page`` and ``anchor``: its place below ``brain/``, an estimate until it is rendered;
    ``profile``: what decides its page besides its data.
    """

    source: str
    record_id: str
    checksum: str
    updated_at: str
    occurred_at: str
    title: str
    stem: str
    page: str
    anchor: str
    profile: str
    #: Its line in a raw export file, whose path is relative to the run folder; in bytes.
    raw: str
    offset: int
    length: int
    #: In the user's time zone: ``2026-11-27`` or ``undated``, and ``15:00`` or "".
    day: str
    time: str
    #: The first words, which the page of its day shows; None: no day page shows the record.
    lead: str | None = None


class ReadingRow(NamedTuple):
    """The result of one reader for one version of a record, encoded by the reader.

    ``version``: the reader's; ``checksum``: the record's.
    """

    source: str
    record_id: str
    reader: str
    version: str
    checksum: str
    body: bytes


class RefRow(NamedTuple):
    """A record that another one names, with its place and its own mentions. ``page`` "": not indexed."""

    source: str
    record_id: str
    title: str
    page: str
    anchor: str
    mentions: tuple[Mention, ...]


class Version(NamedTuple):
    """One version of a live record."""

    checksum: str
    updated_at: str
    #: "" for none. The checksum does not cover it, but it decides the page.
    occurred_at: str


class Sighting(NamedTuple):
    """The newest known version of a record; ``version`` None: deleted.

    ``at``: when it was changed or deleted, at most the start of the export that read it; versions are compared by
    it. ``fresh``: read in this run.
    """

    version: Version | None
    at: str
    fresh: bool


class Stamp(NamedTuple):
    """The ``at`` of a record whose row does not state it, because the record is deleted or dated in the future.

    ``record``: ``contract.records.record_digest``. ``at`` "": the row states it again; remove the stamp.
    """

    record: str
    at: str


class Sightings(Protocol):
    """The versions that export knows: the snapshot's index, which it does not write, under those that this run read."""

    def expect(self, keys: Sequence[tuple[str, str]]) -> None:
        """Prefetch these (source, record_id). Changes no result."""

    def last(self, source: str, record_id: str) -> Sighting | None:
        """The last sighting of a record; None: no run has read it."""

    def note(self, source: str, record_id: str, version: Version | None, at: str) -> None:
        """Record that this run has read this version; None: deleted. Repeatable."""

    def stamps(self) -> Iterator[Stamp]:
        """The stamps that the next run needs to compare the records of this run."""

    def live(self, source: str) -> int:
        """The number of live records of a source that this run has read."""

    def unseen(self, source: str) -> Iterator[tuple[str, str]]:
        """(id, ``updated_at``) of indexed records that this run has not read, in id order."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: object, raised: BaseException | None, trace: object) -> None:
        """Close. Raises SnapshotIncomplete instead of an error that a damaged index caused."""


class RecordIndex(Protocol):
    """Where records are rendered. ``commit`` makes all changes durable together; without it none is."""

    def expect(self, keys: Sequence[tuple[str, str]]) -> None:
        """Prefetch these (source, record_id). Changes no result."""

    def find(self, source: str, record_id: str) -> IndexedRecord | None: ...

    def put(
        self,
        record: IndexedRecord,
        mentions: Sequence[Mention],
        refs: Sequence[tuple[str, str]],
        previous: IndexedRecord | None,
    ) -> None:
        """Insert or replace a record; its old and new stem and entities become dirty. Records that name it are relinked
        when its title, place or own mentions change. Readings of another version are void, and go when the same reader
        reads the record again.

        ``mentions``: its own; ``refs``: (source, record_id) of the records it names; ``previous``: the result of
        ``find`` before this call. Repeatable.
        """

    def drop(self, source: str, record_id: str) -> bool:
        """Delete a record and its readings; marks dirty what ``put`` does.

        False when the record is not indexed.
        """

    def stamp(self, stamps: Sequence[Stamp]) -> None:
        """Store the stamps; an empty ``at`` deletes one. Repeatable."""

    def unstamp(self, source: str, record_id: str) -> None:
        """Delete the stamp of a record, if it has one."""

    def put_reading(self, reading: ReadingRow) -> None:
        """Store a reading of an indexed record in place of the same reader's earlier one. Deleting the record deletes
        it. Repeatable.
        """

    def unread(self, source: str, reader: str, version: str) -> Iterator[IndexedRecord]:
        """Records of a source whose current version this version of a reader has not read, in id order. Readings may be
        stored while iterating.
        """

    def waiting(self, reader: str, version: str) -> Iterator[IndexedRecord]:
        """The same of all sources, the newest records first."""

    def count_waiting(self, reader: str, version: str) -> int: ...

    def has_read(self, reader: str) -> bool:
        """Whether it has read any record, in whatever version."""

    def read_before(self, reader: str, source: str, record_id: str) -> ReadingRow | None:
        """What a reader found in a record last, in whatever version of the record."""

    def readings(self, reader: str) -> Iterator[tuple[str, str, bytes]]:
        """(source, record id, body) of a reader's readings of current versions, in order."""

    def refs(self, source: str, record_id: str) -> list[RefRow]:
        """The indexed records that this one names."""

    def title_of_named(self, source: str, record_id: str, to_source: str) -> str | None:
        """The title of the record of ``to_source`` that this one names; None: it names none that is indexed."""

    def refs_of(self, stem: str) -> list[RefRow]:
        """The indexed records that records of this stem name, each once."""

    def relink(self) -> Iterator[IndexedRecord]:
        """Records whose references, or the records they name, changed; each once. May be changed while iterating.

        Their stems become dirty.
        """

    def inherit(self, record: IndexedRecord, mentions: Sequence[Mention]) -> None:
        """Replace a record's mentions that come from the records it names; its stem and entities become dirty."""

    def sources(self) -> list[str]:
        """The sources of all records, in order."""

    def outdated(self, source: str, profile: str) -> Iterator[IndexedRecord]:
        """Records of a source with another profile; may be replaced or dropped while iterating."""

    def dirty_stems(self) -> Iterator[str]:
        """Yields each dirty stem and marks it clean; includes stems that become dirty meanwhile."""

    def members(self, stem: str) -> list[IndexedRecord]:
        """The records of a stem, in order of source and id."""

    def member_keys(self, stem: str) -> list[tuple[str, str]]:
        """(source, record_id) of ``members``: a sixth of the time."""

    def group(self, stem: str) -> tuple[str, str] | None:
        """(checksum, first job that delivered it) of a rendered stem."""

    def pages(self, stem: str) -> dict[str, bytes]:
        """Path -> SHA-256 of the pages rendered for a stem."""

    def set_group(self, stem: str, checksum: str, job_id: str, pages: Mapping[str, bytes]) -> None:
        """Store how a stem is rendered; without pages the stem is deleted. Repeatable."""

    def locate(self, places: Sequence[tuple[IndexedRecord, str, str]]) -> None:
        """Store the places (page, anchor) of records. For a changed place, the entities of the record and the stems of
        records that name it become dirty. Repeatable.
        """

    def dirty_entities(self) -> Iterator[tuple[EntityKind, str]]:
        """(kind, key) in order."""

    def stated(self, kind: EntityKind, key: str) -> dict[str, Facts]:
        """What records state of an entity: as they hold it, and each label with its value."""

    def entity(
        self, kind: EntityKind, key: str, limit: int, stated: Sequence[str] | None = None
    ) -> tuple[int, list[Evidence], list[Named]]:
        """(number of records that mention it, the newest of them, the other entities that these name).

        ``stated``: only records that state these facts of it, as they hold them.
        """

    def dirty_days(self) -> Iterator[str]:
        """Days whose page shows a record that was added, removed or changed; in order."""

    def happened(self, day: str) -> tuple[list[Happened], list[Named]]:
        """(the records of a day's page by time, the entities that they name)."""

    def digests(self, under: str) -> Mapping[str, bytes]:
        """SHA-256 of each rendered page below a folder (``sources/``), by path."""

    def all_pages(self) -> Iterator[str]:
        """The paths below ``brain/`` of all rendered pages, in order."""

    def pages_total(self) -> int: ...

    def commit(self) -> None: ...

    def compact(self) -> None:
        """``commit``, and remove all traces of deleted rows from the file."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: object, raised: BaseException | None, trace: object) -> None:
        """Close. Raises SnapshotIncomplete instead of an error that a damaged index caused."""


class Rerender(Protocol):
    """Rendering outside of a job, for commands that change a workspace. Works on a hydrated folder; repeatable.

    All methods raise what the render stage raises.
    """

    def mark(self, source: str, record_id: str) -> str:
        """The 12 characters that identify this record in the names and anchors of its pages, after a dash."""

    def title(self, record: Mapping[str, Any]) -> str:
        """The title that pages give this raw record; "" for a record that has no page."""

    def titled_by(self, record: Mapping[str, Any]) -> tuple[str, str] | None:
        """(source_key, record_id) of the record whose title links to this raw record have; None: its own title."""

    def without(
        self, root: Path, user_id: str, name: str, records: Sequence[tuple[str, str]], guard: Guard
    ) -> list[str]:
        """Render ``root`` as if these (source_key, record_id) had never existed; ``name`` identifies the call.

        If only these records mention a person, project or meeting, its page goes, with an agent's notes on it.
        Returns the paths of all rendered pages, relative to ``root``.
        """

    def views(self, root: Path, guard: Guard) -> Callable[[], None]:
        """Remember as of when the files are that the owner sees first; the result, called when the pages are as they
        shall be, writes these files from what is there then.
        """

    def again(self, root: Path, user_id: str, job_ids: Sequence[str], zone: str, guard: Guard) -> None:
        """Rebuild the record index from the raw exports of these jobs, in their order, and render the differences.
        Does nothing where the index and all of its pages exist.

        Pages that match their records are not changed. ``zone``: the time zone to render in where no page states
        one.
        """
