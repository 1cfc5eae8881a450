"""Index rows waiting to be written together. Flush them before reading a table."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from consumer.evidence.index import schema
from consumer.evidence.records import IndexedRecord, ReadingRow
from renderers.base import Mention

#: Maximum of waiting records. Writing them singly takes three times as long; a larger batch is no faster.
RECORDS: Final = 500


class Pending:
    """``records``: the newest unwritten versions by (source, record_id). ``renamed``: see the schema."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.records: dict[tuple[str, str], IndexedRecord] = {}
        self.renamed: list[tuple[str, str]] = []
        self._mentions: list[tuple[Any, ...]] = []
        self._refs: list[tuple[str, str, str, str]] = []
        self._stems: set[tuple[str]] = set()
        self._entities: set[tuple[str, str]] = set()
        self._readings: list[ReadingRow] = []

    def put(self, record: IndexedRecord, mentions: Sequence[Mention], refs: Sequence[tuple[str, str]]) -> None:
        """Add a record that is not waiting yet. Its older version is written and its old mentions are deleted."""
        key = (record.source, record.record_id)
        self.records[key] = record
        self._stems.add((record.stem,))
        for mention in mentions:
            self._mentions.append(schema.mention_values(record, mention, own=True))
            self._entities.add(mention[:2])
        if refs:
            self._refs.extend([(*key, *ref) for ref in refs])
        if len(self.records) >= RECORDS:
            self.flush()

    def read(self, reading: ReadingRow) -> None:
        """Add a reading; it replaces the same reader's earlier one."""
        self._readings.append(reading)
        if len(self._readings) >= RECORDS:
            self.flush()

    def flush(self) -> None:
        """Write all waiting rows. Repeatable."""
        if self._readings:
            self._db.executemany(schema.READING, self._readings)
            self._readings.clear()
        if self.renamed:
            self._db.executemany("insert into renamed values (?,?)", self.renamed)
            self.renamed.clear()
        if not self.records:
            return
        insert = self._db.executemany
        insert("insert or ignore into files (path) values (?)", {(record.raw,) for record in self.records.values()})
        files = dict(self._db.execute("select path, id from files"))
        # In key order, so that neighbours in the tree are written together.
        records = [self.records[key] for key in sorted(self.records)]
        schema.insert(self._db, schema.RECORDS, [(*record[:10], files[record.raw], *record[11:]) for record in records])
        days = {(record.day,) for record in self.records.values() if record.lead is not None}
        insert("insert or ignore into dirty_days values (?)", days)
        schema.insert(self._db, schema.MENTIONS, self._mentions)
        insert("insert or ignore into refs values (?,?,?,?)", self._refs)
        insert("insert or ignore into relinks values (?,?)", {ref[:2] for ref in self._refs})
        insert("insert or ignore into dirty_stems values (?)", self._stems)
        insert("insert or ignore into dirty_entities values (?,?)", self._entities)
        for rows in (self.records, self._mentions, self._refs, self._stems, self._entities):
            rows.clear()
