"""What a run has seen of each record, over the index as it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from consumer.adapters.recordindex import schema
from consumer.ports import Sighting

#: Seen records that are kept in memory before they are written away.
BUFFERED: Final = 1000
#: Checksum (None: deleted), updated_at, occurred_at.
_Seen = tuple[str | None, str, str]


class SqliteSightings:
    """consumer.ports.Sightings: the index as it was, read-only, under what this run has seen so far.

    What was seen lives in SQLite's own temporary file, so that memory does not grow with the user.
    """

    def __init__(self, index: Path) -> None:
        self._base = schema.open_read_only(index) if index.is_file() else None
        # An empty name is a private on-disk database that vanishes with the connection.
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("pragma journal_mode = off")
        self._db.execute(
            "create table seen (source text, record_id text, checksum text, updated_at text, occurred_at text,"
            " primary key (source, record_id)) without rowid"
        )
        # One transaction to the end: a look-up outside of one costs six times as much.
        self._db.execute("begin")
        self._buffer: dict[tuple[str, str], _Seen] = {}
        self._written = False

    def last(self, source: str, record_id: str) -> Sighting | None:
        key = (source, record_id)
        row = self._buffer.get(key) or self._in(self._db if self._written else None, "seen", key)
        row = row or self._in(self._base, "records", key)
        return Sighting(row[0], row[1], row[2]) if row and row[0] is not None else None

    def _in(self, db: sqlite3.Connection | None, table: str, key: tuple[str, str]) -> _Seen | None:
        if db is None:
            return None
        query = f"select checksum, updated_at, occurred_at from {table} where source = ? and record_id = ?"
        found: _Seen | None = db.execute(query, key).fetchone()
        return found

    def note(self, source: str, record_id: str, checksum: str | None, updated_at: str, occurred_at: str) -> None:
        self._buffer[source, record_id] = (checksum, updated_at, occurred_at)
        if len(self._buffer) >= BUFFERED:
            self._flush()

    def live(self, source: str) -> int:
        self._flush()
        (count,) = self._db.execute(
            "select count(*) from seen where source = ? and checksum is not null", (source,)
        ).fetchone()
        return int(count)

    def unseen(self, source: str) -> Iterator[str]:
        self._flush()
        if self._base is None:
            return
        for (record_id,) in self._base.execute("select record_id from records where source = ? order by 1", (source,)):
            seen = self._db.execute("select 1 from seen where source = ? and record_id = ?", (source, record_id))
            if seen.fetchone() is None:
                yield record_id

    def close(self) -> None:
        self._db.close()
        if self._base:
            self._base.close()

    def _flush(self) -> None:
        rows = [(*key, *seen) for key, seen in self._buffer.items()]
        if rows:
            self._db.executemany("insert or replace into seen values (?,?,?,?,?)", rows)
            self._written = True
            self._buffer.clear()


def open_sightings(path: Path) -> SqliteSightings:
    """What this run has seen, over the index at ``path``; nothing is written there. Close it.

    Raises:
        SnapshotIncomplete: the file is there but is no index.
    """
    return SqliteSightings(path)
