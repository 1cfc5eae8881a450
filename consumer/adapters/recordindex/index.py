"""consumer.ports.RecordIndex over one SQLite file. New rows are gathered and written many at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from consumer.adapters.recordindex import schema
from consumer.adapters.recordindex.pending import Pending
from consumer.ports import EntityRow, HappenedRow, IndexedRecord, MentionRow, RefRow

#: Rows fetched at a time while the table under the cursor changes.
CHUNK: Final = 500
Key = tuple[str, str]
#: The newest records that mention an entity, each as many times as there are others that it mentions, at least once.
_EVIDENCE: Final = """
select r.source, r.record_id, r.page, r.anchor, r.occurred_at, r.title, e.name, e.role, e.facts,
  o.kind, o.key, o.name, o.role, o.facts
from (select * from mentions where kind = :kind and key = :key
  order by occurred_at desc, source, record_id limit :limit) e
join records r on r.source = e.source and r.record_id = e.record_id
left join mentions o on o.source = e.source and o.record_id = e.record_id and not (o.kind = :kind and o.key = :key)
order by e.occurred_at desc, e.source, e.record_id, o.kind, o.key
"""
EVIDENCE_COLUMNS: Final = 9
#: Records that pages of days show, each as many times as there are others that it mentions, at least once.
_HAPPENED: Final = """
select r.source, r.record_id, r.occurred_at, r.page, r.anchor, r.title, r.lead, m.kind, m.key, m.name, m.role, m.facts
from records r left join mentions m on m.source = r.source and m.record_id = r.record_id
where r.lead is not null and r.occurred_at between ? and ?
order by r.occurred_at, r.source, r.record_id, m.kind, m.key
"""
HAPPENED_COLUMNS: Final = 7


class SqliteRecordIndex:
    """Open it with ``open_index``."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._pending = Pending(db)

    def find(self, source: str, record_id: str) -> IndexedRecord | None:
        waiting = self._pending.records.get((source, record_id))
        if waiting is not None:
            return waiting
        row = self._db.execute(schema.RECORD + "where source = ? and record_id = ?", (source, record_id)).fetchone()
        return schema.record(row) if row else None

    def put(
        self,
        record: IndexedRecord,
        mentions: Sequence[MentionRow],
        refs: Sequence[Key],
        known: IndexedRecord | None,
    ) -> None:
        key = (record.source, record.record_id)
        if known is None:
            self._pending.renamed.append(key)
        else:
            self._pending.flush()
            before = (known.title, known.page, known.anchor)
            if before != (record.title, record.page, record.anchor) or self._own_mentions(*key) != tuple(mentions):
                self._pending.renamed.append(key)
            self._touch(key)
        self._pending.put(record, mentions, refs)

    def drop(self, source: str, record_id: str) -> bool:
        self._pending.flush()
        if self.find(source, record_id) is None:
            return False
        key = (source, record_id)
        self._touch(key)
        self._pending.renamed.append(key)
        self._db.execute("delete from records where source = ? and record_id = ?", key)
        self._db.execute("delete from relinks where source = ? and record_id = ?", key)
        return True

    def _touch(self, key: Key) -> None:
        """What the record was part of so far has to be rendered again; its old mentions and references go."""
        self._db.execute(
            "insert or ignore into dirty_stems select stem from records where source = ? and record_id = ?", key
        )
        self._dirty_entities(key)
        self._db.execute("delete from mentions where source = ? and record_id = ?", key)
        self._db.execute("delete from refs where source = ? and record_id = ?", key)

    def _dirty_entities(self, key: Key) -> None:
        """And the day that shows the record beside them."""
        self._db.execute(
            "insert or ignore into dirty_moments select occurred_at from records"
            " where source = ? and record_id = ? and lead is not null",
            key,
        )
        self._db.execute(
            "insert or ignore into dirty_entities select kind, key from mentions where source = ? and record_id = ?",
            key,
        )

    def refs(self, source: str, record_id: str) -> list[RefRow]:
        return self._refs("f.source = ? and f.record_id = ?", (source, record_id))

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

    def _own_mentions(self, source: str, record_id: str) -> tuple[MentionRow, ...]:
        rows = self._db.execute(
            "select kind, key, name, role, facts from mentions where source = ? and record_id = ? and own"
            " order by kind, key",
            (source, record_id),
        )
        return tuple(schema.mention(*row) for row in rows)

    def relink(self) -> Iterator[IndexedRecord]:
        self._pending.flush()
        # "cross join" keeps the order of the join: what was renamed may be little, what refers to anything is much.
        self._db.execute(
            "insert or ignore into relinks select f.source, f.record_id from renamed n"
            " cross join refs f on f.to_source = n.source and f.to_id = n.record_id"
        )
        self._db.execute(
            "insert or ignore into dirty_stems select r.stem from relinks l"
            " cross join records r on r.source = l.source and r.record_id = l.record_id"
        )
        last = ("", "")
        while rows := self._db.execute(
            "select source, record_id from relinks where (source, record_id) > (?, ?) order by 1, 2 limit ?",
            (*last, CHUNK),
        ).fetchall():
            last = rows[-1]
            yield from (record for row in rows if (record := self.find(*row)))

    def inherit(self, record: IndexedRecord, mentions: Sequence[MentionRow]) -> None:
        key = (record.source, record.record_id)
        self._dirty_entities(key)
        self._db.execute("delete from mentions where source = ? and record_id = ? and not own", key)
        self._db.executemany(schema.MENTION, [schema.mention_values(record, one, own=False) for one in mentions])
        # Other mentions of this record show it beside the ones that changed.
        self._dirty_entities(key)
        self._db.execute("insert or ignore into dirty_stems values (?)", (record.stem,))

    def outdated(self, source: str, profile: str) -> Iterator[IndexedRecord]:
        self._pending.flush()
        last = ""
        while rows := self._db.execute(
            schema.RECORD + "where source = ? and profile <> ? and record_id > ? order by record_id limit ?",
            (source, profile, last, CHUNK),
        ).fetchall():
            last = rows[-1][1]
            yield from map(schema.record, rows)

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

    def group(self, stem: str) -> tuple[str, str] | None:
        row: tuple[str, str] | None = self._db.execute(
            "select checksum, job_id from groups where stem = ?", (stem,)
        ).fetchone()
        return row

    def pages(self, stem: str) -> dict[str, bytes]:
        return dict(self._db.execute("select path, digest from pages where stem = ?", (stem,)).fetchall())

    def set_group(self, stem: str, checksum: str, job_id: str, pages: Mapping[str, bytes]) -> None:
        self._db.execute("delete from pages where stem = ?", (stem,))
        if not pages:
            self._db.execute("delete from groups where stem = ?", (stem,))
            return
        self._db.execute("insert or replace into groups values (?,?,?)", (stem, checksum, job_id))
        rows = [(path, stem, digest) for path, digest in pages.items()]
        self._db.executemany("insert into pages values (?,?,?)", rows)

    def locate(self, places: Sequence[tuple[IndexedRecord, str, str]]) -> None:
        news = [
            (page, anchor, record.source, record.record_id)
            for record, page, anchor in places
            if (record.page, record.anchor) != (page, anchor)
        ]
        self._db.executemany("update records set page = ?, anchor = ? where source = ? and record_id = ?", news)
        for _, _, *key in news:
            self._dirty_entities((key[0], key[1]))
            self._db.execute(
                "insert or ignore into dirty_stems select r.stem from refs f"
                " join records r on r.source = f.source and r.record_id = f.record_id"
                " where f.to_source = ? and f.to_id = ?",
                key,
            )

    def dirty_entities(self) -> Iterator[Key]:
        self._pending.flush()
        last = ("", "")
        while rows := self._db.execute(
            "select kind, key from dirty_entities where (kind, key) > (?, ?) order by kind, key limit ?", (*last, CHUNK)
        ).fetchall():
            last = rows[-1]
            yield from rows

    def entity(self, kind: str, key: str, limit: int) -> tuple[int, list[EntityRow]]:
        (total,) = self._db.execute("select count(*) from mentions where kind = ? and key = ?", (kind, key)).fetchone()
        rows = self._db.execute(_EVIDENCE, {"kind": kind, "key": key, "limit": limit})
        grouped = groupby(rows, itemgetter(slice(0, EVIDENCE_COLUMNS)))
        return total, [_entity_row(kind, key, row, others) for row, others in grouped]

    def dirty_moments(self) -> Iterator[str]:
        self._pending.flush()
        for (moment,) in self._db.execute("select occurred_at from dirty_moments order by occurred_at"):
            yield moment

    def happened(self, start: str, end: str) -> list[HappenedRow]:
        rows = self._db.execute(_HAPPENED, (start, end))
        return [_happened_row(row, others) for row, others in groupby(rows, itemgetter(slice(0, HAPPENED_COLUMNS)))]

    def stems(self, prefix: str) -> list[str]:
        rows = self._db.execute("select stem from groups where substr(stem, 1, ?) = ?", (len(prefix), prefix))
        return [stem for (stem,) in rows]

    def pages_total(self) -> int:
        (total,) = self._db.execute("select count(*) from pages").fetchone()
        return int(total)

    def records_total(self) -> int:
        self._pending.flush()
        (total,) = self._db.execute("select count(*) from records").fetchone()
        return int(total)

    def commit(self) -> None:
        self._pending.flush()
        self._db.execute("commit")

    def close(self) -> None:
        self._db.close()


def _entity_row(kind: str, key: str, row: tuple[Any, ...], others: Iterable[tuple[Any, ...]]) -> EntityRow:
    _, _, page, anchor, occurred_at, title, name, role, facts = row
    named = (other[EVIDENCE_COLUMNS:] for other in others)
    return EntityRow(
        *(page, anchor, occurred_at, title),
        schema.mention(kind, key, name, role, facts),
        tuple(schema.mention(*other) for other in named if other[0] is not None),
    )


def _happened_row(row: tuple[Any, ...], others: Iterable[tuple[Any, ...]]) -> HappenedRow:
    source, _, occurred_at, page, anchor, title, lead = row
    named = (other[HAPPENED_COLUMNS:] for other in others)
    mentions = tuple(schema.mention(*other) for other in named if other[0] is not None)
    return HappenedRow(source, occurred_at, page, anchor, title, lead, mentions)


def open_index(path: Path) -> SqliteRecordIndex:
    """The index at ``path``, made where there is none. Close it; without ``commit`` nothing has happened.

    Raises:
        SnapshotIncomplete: the file is there but is no index.
    """
    return SqliteRecordIndex(schema.open_writable(path))
