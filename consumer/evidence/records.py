"""The record index: which records are rendered where, and what a run has seen of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, Self

from consumer.ports import Guard


class RawRef(NamedTuple):
    """One line of a raw export file; ``path`` is relative to the run folder, ``offset`` and ``length`` in bytes."""

    path: str
    offset: int
    length: int


class IndexedRecord(NamedTuple):
    """A live record as it is rendered. Times are RFC 3339 UTC texts, "" for none.

    ``stem``: the page group it belongs on; ``page`` and ``anchor``: where it stands (below ``brain/``), or will most
    likely stand before it is rendered; ``profile``: what decided its page besides its data.
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
    raw: RawRef
    #: On the user's clock, ``2026-11-27`` or ``undated``, and ``15:00`` or "".
    day: str
    time: str
    #: The first words of a record that the page of its day shows; None: no day shows it.
    lead: str | None = None


class MentionRow(NamedTuple):
    """That a record speaks of a person, project or meeting."""

    kind: str
    key: str
    name: str
    role: str
    facts: tuple[tuple[str, str], ...]


class ReadingRow(NamedTuple):
    """What one reader found in one version of a record, in the reader's own form.

    ``version``: of the reader; ``checksum``: of the record that it read.
    """

    source: str
    record_id: str
    reader: str
    version: str
    checksum: str
    body: bytes


class RefRow(NamedTuple):
    """A record names another; where that one stands and whom its own data mentions. ``page`` "": it is not there."""

    source: str
    record_id: str
    title: str
    page: str
    anchor: str
    mentions: tuple[MentionRow, ...]


class NamedRow(NamedTuple):
    """Of some records, how many speak of a person, project or meeting by one name."""

    kind: str
    key: str
    name: str
    records: int


class EntityRow(NamedTuple):
    """One record that mentions an entity, and where it stands."""

    source: str
    record_id: str
    page: str
    anchor: str
    day: str
    title: str
    lead: str | None
    mention: MentionRow


class HappenedRow(NamedTuple):
    """One record that the page of its day shows."""

    source: str
    time: str
    page: str
    anchor: str
    title: str
    lead: str


class Version(NamedTuple):
    """One version of a live record."""

    checksum: str
    updated_at: str
    #: "" for none. Not a part of the checksum, but it decides the page.
    occurred_at: str


class Sighting(NamedTuple):
    """The newest version of a record that is known; ``version`` None: deleted.

    ``at``: the time by which it is compared with another: its change or deletion, but never after the start of the
    export that read it. ``fresh``: this run has read it.
    """

    version: Version | None
    at: str
    fresh: bool


class Stamp(NamedTuple):
    """The ``at`` of a record that its own row does not say: it is deleted, or dated in the future.

    ``record``: ``contract.records.record_digest``. ``at`` "": the row says it again.
    """

    record: str
    at: str


class Sightings(Protocol):
    """What export has seen: the index as the snapshot has it, under what this run read since. Writes nothing there."""

    def expect(self, keys: Sequence[tuple[str, str]]) -> None:
        """These (source, record_id) are asked for next: look them up together. Changes no answer."""
        ...

    def last(self, source: str, record_id: str) -> Sighting | None:
        """What is known of a record; None: it was never seen, alive or deleted."""
        ...

    def note(self, source: str, record_id: str, version: Version | None, at: str) -> None:
        """This run has now seen this version; None: deleted. Repeatable."""
        ...

    def stamps(self) -> Iterator[Stamp]:
        """Of the records that this run has seen, those that need one to be compared rightly next time."""
        ...

    def live(self, source: str) -> int:
        """How many different records of a source this run has seen alive."""
        ...

    def unseen(self, source: str) -> Iterator[tuple[str, str]]:
        """(id, ``updated_at``) of indexed records that this run has not seen, in order of their ids."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: object, raised: BaseException | None, trace: object) -> None:
        """Close. Raises SnapshotIncomplete instead of what an index that is damaged made fail."""
        ...


class RecordIndex(Protocol):
    """Which records are rendered where. Changes become durable together with ``commit``, or not at all."""

    def expect(self, keys: Sequence[tuple[str, str]]) -> None:
        """These (source, record_id) are asked for next: look them up together. Changes no answer."""
        ...

    def find(self, source: str, record_id: str) -> IndexedRecord | None: ...

    def put(
        self,
        record: IndexedRecord,
        mentions: Sequence[MentionRow],
        refs: Sequence[tuple[str, str]],
        known: IndexedRecord | None,
    ) -> None:
        """Insert or replace; its old and new stem and entities become dirty. Records that name it are to relink when
        its title, its place or its own mentions are news. What was read in another version of it counts no more, and
        goes when the same reader reads it again.

        ``mentions``: its own; ``refs``: (source, record_id) of the records it names; ``known``: what ``find`` gives of
        it now. Repeatable.
        """
        ...

    def drop(self, source: str, record_id: str) -> bool:
        """Forget a record and what was read in it; what ``put`` makes dirty becomes dirty.

        False when it was not there.
        """
        ...

    def stamp(self, stamp: Stamp) -> None:
        """Keep it, or with an empty ``at`` forget it. Repeatable."""
        ...

    def put_reading(self, reading: ReadingRow) -> None:
        """Keep what a reader found in a record that is there, in place of what the same reader found before. It goes
        when the record does. Repeatable.
        """
        ...

    def unread(self, source: str, reader: str, version: str) -> Iterator[IndexedRecord]:
        """Records of a source that this version of a reader has not read as they are now, in order of their ids; may be
        read while iterating.
        """
        ...

    def waiting(self, reader: str, version: str) -> Iterator[IndexedRecord]:
        """The same of all sources, the newest records first."""
        ...

    def count_waiting(self, reader: str, version: str) -> int: ...

    def has_read(self, reader: str) -> bool:
        """Whether it has read any record, in whatever version."""
        ...

    def read_before(self, reader: str, source: str, record_id: str) -> ReadingRow | None:
        """What a reader found in a record last, in whatever version of the record."""
        ...

    def readings(self, reader: str) -> Iterator[tuple[str, str, bytes]]:
        """(source, record id, body) of all records that a reader has read as they are now, in order."""
        ...

    def places(self, keys: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], IndexedRecord]:
        """Where these (source, record_id) stand; those that are not there are left out."""
        ...

    def refs(self, source: str, record_id: str) -> list[RefRow]:
        """The records that this one names and that are there."""
        ...

    def title_of_named(self, source: str, record_id: str, to_source: str) -> str | None:
        """The title of the record of ``to_source`` that this one names; None: it names none that is there."""
        ...

    def refs_of(self, stem: str) -> list[RefRow]:
        """The records that any record of this stem names and that are there, each once."""
        ...

    def relink(self) -> Iterator[IndexedRecord]:
        """Records whose own references, or what these lead to, changed: each once; may be changed while iterating.

        Their stems become dirty.
        """
        ...

    def inherit(self, record: IndexedRecord, mentions: Sequence[MentionRow]) -> None:
        """Replace what a record mentions through the records it names; its stem and entities become dirty."""
        ...

    def sources(self) -> list[str]:
        """The sources of all records, in order."""
        ...

    def outdated(self, source: str, profile: str) -> Iterator[IndexedRecord]:
        """Records of a source whose profile is another; may be replaced or dropped while iterating."""
        ...

    def dirty_stems(self) -> Iterator[str]:
        """Each is clean again once it is given; ends when none is left, also of those that become dirty meanwhile."""
        ...

    def members(self, stem: str) -> list[IndexedRecord]: ...

    def group(self, stem: str) -> tuple[str, str] | None:
        """(checksum, job that first delivered it) of a rendered stem."""
        ...

    def pages(self, stem: str) -> dict[str, bytes]:
        """Path -> SHA-256 of the pages rendered for a stem."""
        ...

    def set_group(self, stem: str, checksum: str, job_id: str, pages: Mapping[str, bytes]) -> None:
        """What a stem is rendered as now; no pages: the stem is gone. Repeatable."""
        ...

    def locate(self, places: Sequence[tuple[IndexedRecord, str, str]]) -> None:
        """Where records stand now (page, anchor); where that is news, their entities and the stems of records that name
        them become dirty. Repeatable.
        """
        ...

    def dirty_entities(self) -> Iterator[tuple[str, str]]:
        """(kind, key) in order."""
        ...

    def entity(self, kind: str, key: str, limit: int) -> tuple[int, list[EntityRow], list[NamedRow]]:
        """How many records mention it, the newest of them, and whom else these name."""
        ...

    def dirty_days(self) -> Iterator[str]:
        """In order: the days of records that came, went or changed and that a day's page shows."""
        ...

    def happened(self, day: str) -> tuple[list[HappenedRow], list[NamedRow]]:
        """What the page of a day shows, in the order of time, and whom those records name."""
        ...

    def digests(self, under: str) -> Mapping[str, bytes]:
        """SHA-256 of each page below a folder (``sources/``) as it was rendered, by path."""
        ...

    def all_pages(self) -> Iterator[str]:
        """The paths below ``brain/`` of all rendered pages, in order."""
        ...

    def pages_total(self) -> int: ...

    def commit(self) -> None: ...

    def compact(self) -> None:
        """``commit``, and leave nothing in the file of what was deleted from it."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: object, raised: BaseException | None, trace: object) -> None:
        """Close. Raises SnapshotIncomplete instead of what an index that is damaged made fail."""
        ...


class Rerender(Protocol):
    """Rendering outside of a job, for what changes a workspace by hand. Works on a hydrated folder, and repeats safely.

    All raise what the render stage raises.
    """

    def mark(self, source: str, record_id: str) -> str:
        """12 signs that stand for this record and no other in the names and anchors of its pages, behind a dash."""
        ...

    def without(
        self, root: Path, user_id: str, name: str, records: Sequence[tuple[str, str]], guard: Guard
    ) -> list[str]:
        """Render ``root`` as if these (source_key, record_id) had never been; ``name`` tells this call from others.

        What an agent wrote on the page of a person, project or meeting that only these records spoke of goes with it.
        -> the paths of all pages that are rendered now, relative to ``root``.
        """
        ...

    def again(self, root: Path, user_id: str, job_ids: Sequence[str], zone: str, guard: Guard) -> None:
        """Make the record index anew from the raw exports of these jobs, in their order, and render what differs.
        Nothing is done where the index and all of its pages are there.

        Pages that say what their records give stay as they are, byte for byte. ``zone``: the time zone to render in
        where no page says it.
        """
        ...
