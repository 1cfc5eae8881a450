"""What a run has seen of each record, over the index as it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Self

from consumer.adapters.recordindex import schema
from consumer.ports.records import Sighting

#: Seen records that are kept in memory before they are written away.
BUFFERED: Final = 1000
_END: Final = (None,)
#: Source, record_id, checksum (None: deleted), updated_at, occurred_at.
_Seen = tuple[str, str, str | None, str, str]


class SqliteSightings:
    """consumer.ports.records.Sightings: the index as it was, read-only, under what this run has seen so far.

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
        self._buffer: dict[schema.Key, _Seen] = {}
        self._written = False
        #: What is known of the records expected next, as long as nothing newer is noted.
        self._known: dict[schema.Key, _Seen | None] = {}

    def expect(self, keys: Sequence[schema.Key]) -> None:
        # What waits is not found in the tables, and may be written before it is asked for.
        self._flush()
        # One query for many costs a fifth of as many queries.
        self._known = dict.fromkeys(keys)
        for source, record_ids, marks in schema.together(keys):
            for row in self._rows(source, record_ids, marks):
                self._known[row[0], row[1]] = row

    def _rows(self, source: str, record_ids: Sequence[str], marks: str) -> Iterator[_Seen]:
        """The newest last."""
        places = ((self._base, "records"), (self._db if self._written else None, "seen"))
        where = f"where source = ? and record_id in ({marks})"
        for db, table in places:
            if db is not None:
                query = f"select source, record_id, checksum, updated_at, occurred_at from {table} {where}"
                yield from db.execute(query, (source, *record_ids))

    def last(self, source: str, record_id: str) -> Sighting | None:
        key = (source, record_id)
        row = self._buffer.get(key)
        if row is None:
            if key not in self._known:
                self.expect([key])
            row = self._known[key]
        return Sighting(row[2], row[3], row[4]) if row and row[2] is not None else None

    def note(self, source: str, record_id: str, checksum: str | None, updated_at: str, occurred_at: str) -> None:
        key = (source, record_id)
        self._known.pop(key, None)
        self._buffer[key] = (source, record_id, checksum, updated_at, occurred_at)
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
        # Both in the order of their ids, side by side: asking for each would cost four times as much.
        seen = self._db.execute("select record_id from seen where source = ? order by 1", (source,))
        (now,) = next(seen, _END)
        for (record_id,) in self._base.execute("select record_id from records where source = ? order by 1", (source,)):
            while now is not None and now < record_id:
                (now,) = next(seen, _END)
            if now != record_id:
                yield record_id

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
            rows: Iterable[_Seen] = self._buffer.values()
            self._db.executemany("insert or replace into seen values (?,?,?,?,?)", rows)
            self._written = True
            self._buffer.clear()


def open_sightings(path: Path) -> SqliteSightings:
    """What this run has seen, over the index at ``path``; nothing is written there. Close it.

    Raises:
        SnapshotIncomplete: the file is there but is no index.
    """
    return SqliteSightings(path)
