"""Implements consumer.evidence.records.RecordIndex with one SQLite file. New rows are written in batches."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

from consumer.evidence.index import schema
from consumer.evidence.index.pending import Pending
from consumer.evidence.index.schema import Key
from consumer.evidence.records import IndexedRecord, ReadingRow, RefRow, Stamp
from contract.records import record_digest
from renderers.base import EntityKind, Mention
from renderers.days import Happened
from renderers.entities import Evidence, Facts, Named

#: Rows fetched at a time while the table under the cursor changes.
CHUNK: Final = 500
#: The newest records that mention an entity. "cross join" keeps the order of the index, so that nothing is sorted.
_EVIDENCE: Final = """
select m.name, m.role, m.facts, r.page, r.anchor, r.day, r.title, coalesce(r.lead, ''), m.source, m.record_id
from mentions m cross join records r on r.source = m.source and r.record_id = m.record_id
where m.kind = :kind and m.key = :key {stated} order by m.occurred_at desc, m.source, m.record_id limit :limit
"""
_TOTAL: Final = "select count(*) from mentions m where kind = :kind and key = :key {stated}"
#: Of the mentions ``m``, those with certain facts.
_STATED: Final = "and m.facts in (select value from json_each(:stated))"
_OTHERS: Final = """
select o.kind, o.key, o.name, count(*)
from (select source, record_id from mentions m where kind = :kind and key = :key {stated}
      order by occurred_at desc, source, record_id limit :limit) e
join mentions o on o.source = e.source and o.record_id = e.record_id
where not (o.kind = :kind and o.key = :key) group by 1, 2, 3
"""
_HAPPENED: Final = """
select source, time, page, anchor, title, lead from records
where lead is not null and day = ? order by occurred_at, source, record_id
"""
_NAMED: Final = """
select m.kind, m.key, m.name, count(*)
from records r join mentions m on m.source = r.source and m.record_id = r.record_id
where r.lead is not null and r.day = ? group by 1, 2, 3
"""
_NOT_READ: Final = """
not exists (select 1 from readings d where d.reader = ? and d.source = r.source and d.record_id = r.record_id
  and d.version = ? and d.checksum = r.checksum)
"""
_UNREAD: Final = f"""
{schema.RECORD} r where {_NOT_READ} and r.source = ? and r.record_id > ? order by r.record_id limit ?
"""
_WAITING: Final = f"""
{schema.RECORD} r where {_NOT_READ} and (r.occurred_at, r.source, r.record_id) < (?, ?, ?)
order by r.occurred_at desc, r.source desc, r.record_id desc limit ?
"""
_COUNT_WAITING: Final = f"select count(*) from records r where {_NOT_READ}"
#: One record, by its key.
_OF_RECORD: Final = "where source = ? and record_id = ?"
#: After every time, source and id: their texts are ASCII at their beginning.
_LAST: Final = ("\U0010ffff", "", "")
#: A checksum is "" once the record is of another version.
_READINGS: Final = (
    "select source, record_id, body from readings where reader = ? and checksum <> '' order by source, record_id"
)
_READ_BEFORE: Final = "select * from readings where reader = ? and source = ? and record_id = ?"


class SqliteRecordIndex:
    """Open it with ``open_index``."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._pending = Pending(db)
        #: Prefetched records; ``put`` removes an entry.
        self._expected: dict[Key, IndexedRecord | None] = {}
        #: Whether a record may have a stamp; in most workspaces none has.
        self._stamped = schema.has_stamps(db)

    def expect(self, keys: Sequence[Key]) -> None:
        # Waiting rows are not in the tables yet.
        self._pending.flush()
        # One query for many records takes a fifth of the time of single queries.
        self._expected = dict.fromkeys(keys)
        for source, record_ids, marks in schema.together(keys):
            rows = self._db.execute(
                f"{schema.RECORD} where source = ? and record_id in ({marks})", (source, *record_ids)
            )
            self._expected.update(((row[0], row[1]), schema.record(row)) for row in rows)

    def find(self, source: str, record_id: str) -> IndexedRecord | None:
        key = (source, record_id)
        waiting = self._pending.records.get(key)
        if waiting is not None:
            return waiting
        if key in self._expected:
            return self._expected[key]
        row = self._db.execute(schema.RECORD + _OF_RECORD, key).fetchone()
        return schema.record(row) if row else None

    def put(
        self,
        record: IndexedRecord,
        mentions: Sequence[Mention],
        refs: Sequence[Key],
        previous: IndexedRecord | None,
    ) -> None:
        key = (record.source, record.record_id)
        self._expected.pop(key, None)
        if previous is None:
            self._pending.renamed.append(key)
        else:
            self._pending.flush()
            before = (previous.title, previous.page, previous.anchor)
            if before != (record.title, record.page, record.anchor) or self._own_mentions(*key) != tuple(mentions):
                self._pending.renamed.append(key)
            self._touch(key)
            if previous.checksum != record.checksum:
                # Readings of an earlier version are void, but notes that were paid for may serve again.
                self._db.execute(f"update readings set checksum = '' {_OF_RECORD}", key)
        self._pending.put(record, mentions, refs)

    def drop(self, source: str, record_id: str) -> bool:
        self._pending.flush()
        if self.find(source, record_id) is None:
            return False
        key = (source, record_id)
        self._expected.pop(key, None)
        self._touch(key)
        self._pending.renamed.append(key)
        for table in ("records", "relinks", "readings"):
            self._db.execute(f"delete from {table} {_OF_RECORD}", key)
        return True

    def put_reading(self, reading: ReadingRow) -> None:
        self._pending.read(reading)

    def unread(self, source: str, reader: str, version: str) -> Iterator[IndexedRecord]:
        rows = self._chunks(_UNREAD, (reader, version, source), ("",), slice(1, 2))
        yield from map(schema.record, rows)

    def waiting(self, reader: str, version: str) -> Iterator[IndexedRecord]:
        last = _LAST
        while True:
            self._pending.flush()
            rows = self._db.execute(_WAITING, (reader, version, *last, CHUNK)).fetchall()
            if not rows:
                return
            for record in map(schema.record, rows):
                yield record
                last = (record.occurred_at, record.source, record.record_id)

    def count_waiting(self, reader: str, version: str) -> int:
        self._pending.flush()
        return int(self._db.execute(_COUNT_WAITING, (reader, version)).fetchone()[0])

    def has_read(self, reader: str) -> bool:
        self._pending.flush()
        return self._db.execute("select 1 from readings where reader = ? limit 1", (reader,)).fetchone() is not None

    def read_before(self, reader: str, source: str, record_id: str) -> ReadingRow | None:
        self._pending.flush()
        row = self._db.execute(_READ_BEFORE, (reader, source, record_id)).fetchone()
        return ReadingRow(*row) if row else None

    def readings(self, reader: str) -> Iterator[tuple[str, str, bytes]]:
        self._pending.flush()
        yield from self._db.execute(_READINGS, (reader,))

    def stamp(self, stamps: Sequence[Stamp]) -> None:
        rows = [(bytes.fromhex(record), at) for record, at in stamps if at]
        self._db.executemany("insert or replace into stamps values (?,?)", rows)
        gone = [(bytes.fromhex(record),) for record, at in stamps if not at]
        self._db.executemany("delete from stamps where record = ?", gone)
        self._stamped = True

    def unstamp(self, source: str, record_id: str) -> None:
        if self._stamped:
            self.stamp([Stamp(record_digest(source, record_id), "")])

    def _touch(self, key: Key) -> None:
        """Mark the record's current page and entities for rendering; delete its old mentions and references."""
        self._db.execute(f"insert or ignore into dirty_stems select stem from records {_OF_RECORD}", key)
        self._dirty_entities(key)
        self._db.execute(f"delete from mentions {_OF_RECORD}", key)
        self._db.execute(f"delete from refs {_OF_RECORD}", key)

    def _dirty_entities(self, key: Key) -> None:
        """Mark the record's entities and its day for rendering."""
        self._db.execute(
            f"insert or ignore into dirty_days select day from records {_OF_RECORD} and lead is not null", key
        )
        self._db.execute(f"insert or ignore into dirty_entities select kind, key from mentions {_OF_RECORD}", key)

    def refs(self, source: str, record_id: str) -> list[RefRow]:
        return self._refs("f.source = ? and f.record_id = ?", (source, record_id))

    def title_of_named(self, source: str, record_id: str, to_source: str) -> str | None:
        row = self._db.execute(
            "select t.title from refs f join records t on t.source = f.to_source and t.record_id = f.to_id"
            " where f.source = ? and f.record_id = ? and f.to_source = ? order by t.record_id limit 1",
            (source, record_id, to_source),
        ).fetchone()
        return row[0] if row else None

    def refs_of(self, stem: str) -> list[RefRow]:
        return self._refs("(f.source, f.record_id) in (select source, record_id from records where stem = ?)", (stem,))

    def _refs(self, which: str, values: tuple[str, ...]) -> list[RefRow]:
        self._pending.flush()
        rows = self._db.execute(
            "select distinct r.source, r.record_id, r.title, r.page, r.anchor from refs f"
            f" join records r on r.source = f.to_source and r.record_id = f.to_id where {which}",
            values,
        ).fetchall()
        return [
            RefRow(source, record_id, title, page, anchor, self._own_mentions(source, record_id))
            for source, record_id, title, page, anchor in rows
        ]

    def _own_mentions(self, source: str, record_id: str) -> tuple[Mention, ...]:
        rows = self._db.execute(
            f"select kind, key, name, role, facts from mentions {_OF_RECORD} and own order by kind, key",
            (source, record_id),
        )
        return tuple(schema.mention(*row) for row in rows)

    def relink(self) -> Iterator[IndexedRecord]:
        self._settle()
        # "cross join" fixes the join order: few records are renamed, many refer to others.
        self._db.execute(
            "insert or ignore into relinks select f.source, f.record_id from renamed n"
            " cross join refs f on f.to_source = n.source and f.to_id = n.record_id"
        )
        self._db.execute(
            "insert or ignore into dirty_stems select r.stem from relinks l"
            " cross join records r on r.source = l.source and r.record_id = l.record_id"
        )
        query = "select source, record_id from relinks where (source, record_id) > (?, ?) order by 1, 2 limit ?"
        yield from (record for row in self._chunks(query, (), ("", "")) if (record := self.find(*row)))

    def inherit(self, record: IndexedRecord, mentions: Sequence[Mention]) -> None:
        key = (record.source, record.record_id)
        self._dirty_entities(key)
        self._db.execute(f"delete from mentions {_OF_RECORD} and not own", key)
        rows = [schema.mention_values(record, mention, own=False) for mention in mentions]
        schema.insert(self._db, schema.MENTIONS, rows)
        # Pages of this record's other mentions name the changed ones too.
        self._dirty_entities(key)
        self._db.execute("insert or ignore into dirty_stems values (?)", (record.stem,))

    def sources(self) -> list[str]:
        self._pending.flush()
        names: list[str] = []
        # Step from source to source: "distinct" would read every row.
        after = "select min(source) from records where source > ?"
        while (source := self._db.execute(after, (names[-1] if names else "",)).fetchone()[0]) is not None:
            names.append(source)
        return names

    def outdated(self, source: str, profile: str) -> Iterator[IndexedRecord]:
        query = schema.RECORD + "where source = ? and profile <> ? and record_id > ? order by record_id limit ?"
        yield from map(schema.record, self._chunks(query, (source, profile), ("",), slice(1, 2)))

    def dirty_stems(self) -> Iterator[str]:
        self._pending.flush()
        while rows := self._db.execute("select stem from dirty_stems order by stem limit ?", (CHUNK,)).fetchall():
            for (stem,) in rows:
                self._db.execute("delete from dirty_stems where stem = ?", (stem,))
                yield stem

    def members(self, stem: str) -> list[IndexedRecord]:
        self._pending.flush()
        rows = self._db.execute(schema.RECORD + "where stem = ? order by source, record_id", (stem,))
        return [schema.record(row) for row in rows]

    def member_keys(self, stem: str) -> list[Key]:
        self._pending.flush()
        # The index on stems has these columns, so no row of the table is read.
        return self._db.execute(
            "select source, record_id from records where stem = ? order by source, record_id", (stem,)
        ).fetchall()

    def group(self, stem: str) -> tuple[str, str] | None:
        row: tuple[str, str] | None = self._db.execute(
            "select checksum, job_id from groups where stem = ?", (stem,)
        ).fetchone()
        return row

    def pages(self, stem: str) -> dict[str, bytes]:
        return dict(self._db.execute("select path, digest from pages where stem = ?", (stem,)).fetchall())

    def set_group(self, stem: str, checksum: str, job_id: str, pages: Mapping[str, bytes]) -> None:
        run = self._db.execute
        if not pages:
            run("delete from pages where stem = ?", (stem,))
            run("delete from groups where stem = ?", (stem,))
            return
        # A stem that was not there has no pages to delete: most of a first run.
        if run("insert or ignore into groups values (?,?,?)", (stem, checksum, job_id)).rowcount == 0:
            run("update groups set checksum = ?, job_id = ? where stem = ?", (checksum, job_id, stem))
            run("delete from pages where stem = ?", (stem,))
        for path, digest in pages.items():
            run("insert into pages values (?,?,?)", (path, stem, digest))

    def locate(self, places: Sequence[tuple[IndexedRecord, str, str]]) -> None:
        news = [
            (page, anchor, record.source, record.record_id)
            for record, page, anchor in places
            if (record.page, record.anchor) != (page, anchor)
        ]
        self._expected.clear()
        self._db.executemany("update records set page = ?, anchor = ? where source = ? and record_id = ?", news)
        for _, _, *key in news:
            self._dirty_entities((key[0], key[1]))
            self._db.execute(
                "insert or ignore into dirty_stems select r.stem from refs f"
                " join records r on r.source = f.source and r.record_id = f.record_id"
                " where f.to_source = ? and f.to_id = ?",
                key,
            )

    def dirty_entities(self) -> Iterator[tuple[EntityKind, str]]:
        query = "select kind, key from dirty_entities where (kind, key) > (?, ?) order by kind, key limit ?"
        yield from self._chunks(query, (), ("", ""))

    def stated(self, kind: EntityKind, key: str) -> dict[str, Facts]:
        rows = self._db.execute("select distinct facts from mentions where kind = ? and key = ?", (kind, key))
        return {facts: schema.mention(kind, key, "", "", facts).facts for (facts,) in rows}

    def entity(
        self, kind: EntityKind, key: str, limit: int, stated: Sequence[str] | None = None
    ) -> tuple[int, list[Evidence], list[Named]]:
        which = {"kind": kind, "key": key, "limit": limit, "stated": json.dumps(stated)}
        only = "" if stated is None else _STATED
        (total,) = self._db.execute(_TOTAL.format(stated=only), which).fetchone()
        evidence = [
            schema.evidence(
                (page, anchor, day, title, lead, schema.mention(kind, key, name, role, facts), source, record_id)
            )
            for name, role, facts, page, anchor, day, title, lead, source, record_id in self._db.execute(
                _EVIDENCE.format(stated=only), which
            )
        ]
        return total, evidence, list(map(schema.named, self._db.execute(_OTHERS.format(stated=only), which)))

    def dirty_days(self) -> Iterator[str]:
        self._pending.flush()
        for (day,) in self._db.execute("select day from dirty_days order by day"):
            yield day

    def happened(self, day: str) -> tuple[list[Happened], list[Named]]:
        happened = map(schema.happened, self._db.execute(_HAPPENED, (day,)))
        return list(happened), list(map(schema.named, self._db.execute(_NAMED, (day,))))

    def digests(self, under: str) -> dict[str, bytes]:
        rows = self._db.execute(
            "select path, digest from pages where path >= ? and path < ?", (under, under[:-1] + chr(ord(under[-1]) + 1))
        )
        return dict(rows)

    def all_pages(self) -> Iterator[str]:
        for (path,) in self._db.execute("select path from pages order by path"):
            yield path

    def pages_total(self) -> int:
        (total,) = self._db.execute("select count(*) from pages").fetchone()
        return int(total)

    def _chunks(
        self, query: str, values: tuple[str, ...], last: tuple[str, ...], ordered: slice = slice(None)
    ) -> Iterator[Any]:
        """The rows of a query behind the ``last``, in chunks, so that rows may change meanwhile. ``ordered``: the
        columns that the query is ordered by.
        """
        while True:
            self._pending.flush()
            rows = self._db.execute(query, (*values, *last, CHUNK)).fetchall()
            if not rows:
                return
            last = rows[-1][ordered]
            yield from rows

    def _settle(self) -> None:
        """Write all waiting rows and create the missing indexes."""
        self._pending.flush()
        schema.make_indexes(self._db)

    def commit(self) -> None:
        self._settle()
        self._db.execute("commit")

    def compact(self) -> None:
        self.commit()
        # A deleted row stays in the file's free pages until the file is rewritten.
        self._db.execute("vacuum")
        self._db.execute("begin")

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, raised: BaseException | None, trace: object) -> None:
        self.close()
        schema.raise_if_damaged(raised)


def open_index(path: Path) -> SqliteRecordIndex:
    """The index at ``path``, created if absent. The caller closes it; without ``commit`` all changes are lost.

    Raises SnapshotIncomplete: the file exists but is not an index.
    """
    return SqliteRecordIndex(schema.open_writable(path))
