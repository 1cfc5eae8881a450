"""The record versions that a run has read, on top of the index of the last snapshot."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Self

from consumer.evidence.index import schema
from consumer.evidence.records import Sighting, Stamp, Version
from contract.records import record_digest

#: Seen records that are kept in memory before they are written away.
BUFFERED: Final = 1000
_END: Final = (None,)
#: Source, record_id, checksum (None: deleted), updated_at, occurred_at, at.
_Row = tuple[str, str, str | None, str, str, str]


class SqliteSightings:
    """Implements consumer.evidence.records.Sightings: the read-only index, overlaid with the versions read in this run.

    The overlay is stored in SQLite's temporary file, so that memory use does not depend on the number of records.
    """

    def __init__(self, index: Path) -> None:
        self._base = schema.open_read_only(index) if index.is_file() else None
        # An empty name is a private on-disk database that vanishes with the connection.
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("pragma journal_mode = off")
        self._db.execute(
            "create table seen (source text, record_id text, checksum text, updated_at text, occurred_at text, at text,"
            " primary key (source, record_id)) without rowid"
        )
        # One transaction to the end: a look-up outside of one costs six times as much.
        self._db.execute("begin")
        self._buffer: dict[schema.Key, _Row] = {}
        self._written = False
        #: Prefetched sightings; ``note`` removes an entry.
        self._known: dict[schema.Key, Sighting | None] = {}
        self._stamped = bool(self._base) and self._any_stamps()

    def _any_stamps(self) -> bool:
        try:
            return self._base is not None and schema.has_stamps(self._base)
        except sqlite3.DatabaseError as exc:
            self.close()
            schema.raise_if_damaged(exc)
            raise

    def expect(self, keys: Sequence[schema.Key]) -> None:
        # What waits is not found in the tables, and may be written before it is asked for.
        self._flush()
        # One query for many costs a fifth of as many queries.
        stamps = self._stamps_of(keys)
        self._known = {key: Sighting(None, stamps[key], fresh=False) if key in stamps else None for key in keys}
        for source, record_ids, marks in schema.together(keys):
            where = f"where source = ? and record_id in ({marks})"
            values = (source, *record_ids)
            if self._base is not None:
                query = f"select source, record_id, checksum, updated_at, occurred_at, updated_at from records {where}"
                for row in self._base.execute(query, values):
                    sighting = _sighting(row, fresh=False)
                    self._known[row[0], row[1]] = sighting._replace(at=stamps.get((row[0], row[1]), sighting.at))
            if self._written:
                query = f"select source, record_id, checksum, updated_at, occurred_at, at from seen {where}"
                for row in self._db.execute(query, values):
                    self._known[row[0], row[1]] = _sighting(row, fresh=True)

    def _stamps_of(self, keys: Iterable[schema.Key]) -> dict[schema.Key, str]:
        if not self._stamped or self._base is None:
            return {}
        stamps: dict[schema.Key, str] = {}
        for key in keys:
            query = "select at from stamps where record = ?"
            row = self._base.execute(query, (bytes.fromhex(record_digest(*key)),)).fetchone()
            if row:
                stamps[key] = row[0]
        return stamps

    def last(self, source: str, record_id: str) -> Sighting | None:
        key = (source, record_id)
        row = self._buffer.get(key)
        if row is not None:
            return _sighting(row, fresh=True)
        if key not in self._known:
            self.expect([key])
        return self._known[key]

    def note(self, source: str, record_id: str, version: Version | None, at: str) -> None:
        key = (source, record_id)
        self._known.pop(key, None)
        self._buffer[key] = (source, record_id, *(version or (None, "", "")), at)
        if len(self._buffer) >= BUFFERED:
            self._flush()

    def stamps(self) -> Iterator[Stamp]:
        self._flush()
        query = "select source, record_id, at from seen where checksum is null or at <> updated_at order by 1, 2"
        for source, record_id, at in self._db.execute(query):
            yield Stamp(record_digest(source, record_id), at)
        # Rows that had a stamp and now state their time themselves.
        query = "select source, record_id from seen where at = updated_at order by 1, 2"
        for key in self._db.execute(query) if self._stamped else ():
            if self._stamps_of([key]):
                yield Stamp(record_digest(*key), "")

    def live(self, source: str) -> int:
        self._flush()
        (count,) = self._db.execute(
            "select count(*) from seen where source = ? and checksum is not null", (source,)
        ).fetchone()
        return int(count)

    def unseen(self, source: str) -> Iterator[tuple[str, str]]:
        self._flush()
        if self._base is None:
            return
        # A merge of both in id order: a query for each record would take four times as long.
        seen = self._db.execute("select record_id from seen where source = ? order by 1", (source,))
        (next_seen,) = next(seen, _END)
        query = "select record_id, updated_at from records where source = ? order by 1"
        for record_id, updated_at in self._base.execute(query, (source,)):
            while next_seen is not None and next_seen < record_id:
                (next_seen,) = next(seen, _END)
            if next_seen != record_id:
                yield record_id, updated_at

    def close(self) -> None:
        self._db.close()
        if self._base:
            self._base.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, raised: BaseException | None, trace: object) -> None:
        self.close()
        schema.raise_if_damaged(raised)

    def _flush(self) -> None:
        if self._buffer:
            rows: Iterable[_Row] = self._buffer.values()
            self._db.executemany("insert or replace into seen values (?,?,?,?,?,?)", rows)
            self._written = True
            self._buffer.clear()


def _sighting(row: _Row, *, fresh: bool) -> Sighting:
    return Sighting(Version(row[2], row[3], row[4]) if row[2] is not None else None, row[5], fresh)


def open_sightings(path: Path) -> SqliteSightings:
    """Sightings over the index at ``path``, which is not written. The caller closes them.

    Raises SnapshotIncomplete: the file exists but is not an index.
    """
    return SqliteSightings(path)
