"""
The record index in SQLite: which checksum of every record is rendered, where, and from which raw line.

One file, runtime/manifests/render-index.sqlite, with a rollback journal so that nothing but the file itself has to be
kept. All of a run's changes are one transaction: until ``commit`` the file is as the last snapshot had it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from consumer.core.errors import SnapshotIncomplete
from consumer.ports import EntityRow, IndexedRecord, MentionRow, RawRef, RefRow, Sighting

#: Bumped when the tables change, together with a step that carries an older file over.
SCHEMA_VERSION: Final = 1
#: Rows fetched at a time while the table under the cursor changes.
CHUNK: Final = 500
_SCHEMA = """
create table files (id integer primary key, path text not null unique);
create table records (
  source text not null, record_id text not null, checksum text not null, updated_at text not null,
  occurred_at text not null, title text not null, stem text not null, page text not null, anchor text not null,
  profile text not null, file integer not null, offset integer not null, length integer not null,
  primary key (source, record_id)) without rowid;
create index records_stem on records (stem);
create table groups (stem text primary key, checksum text not null, job_id text not null) without rowid;
create table pages (path text primary key, stem text not null, digest blob not null) without rowid;
create index pages_stem on pages (stem);
create table mentions (
  source text not null, record_id text not null, kind text not null, key text not null,
  name text not null, role text not null, facts text not null, own integer not null,
  primary key (source, record_id, kind, key)) without rowid;
create index mentions_entity on mentions (kind, key);
create table refs (
  source text not null, record_id text not null, to_source text not null, to_id text not null,
  primary key (source, record_id, to_source, to_id)) without rowid;
create index refs_target on refs (to_source, to_id);
"""
_TEMPORARY = """
create temp table dirty_stems (stem text primary key) without rowid;
create temp table dirty_entities (kind text, key text, primary key (kind, key)) without rowid;
create temp table relinks (source text, record_id text, primary key (source, record_id)) without rowid;
"""
_RECORD = (
    "select source, record_id, checksum, updated_at, occurred_at, title, stem, page, anchor, profile,"
    " (select path from files where id = file), offset, length from records "
)


class SqliteRecordIndex:
    """consumer.ports.RecordIndex over one SQLite file; open it with ``open_index``."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._files: dict[str, int] = {}

    def find(self, source: str, record_id: str) -> IndexedRecord | None:
        row = self._db.execute(_RECORD + "where source = ? and record_id = ?", (source, record_id)).fetchone()
        return _record(row) if row else None

    def put(self, record: IndexedRecord, mentions: Sequence[MentionRow], refs: Sequence[tuple[str, str]]) -> None:
        key = (record.source, record.record_id)
        before = self._shown(*key)
        if before is not None:
            self._touch(*key)
        if before != (record.title, tuple(mentions)):
            self._relink_referrers(*key)
        self._db.execute(
            "insert or replace into records values (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                *(*key, record.checksum, record.updated_at, record.occurred_at),
                *(record.title, record.stem, record.page, record.anchor, record.profile),
                *(self._file(record.raw.path), record.raw.offset, record.raw.length),
            ),
        )
        self._mention(record, mentions, own=True)
        if refs:
            self._db.executemany("insert or ignore into refs values (?,?,?,?)", [(*key, *ref) for ref in refs])
            self._db.execute("insert or ignore into relinks values (?,?)", key)
        self._db.execute("insert or ignore into dirty_stems values (?)", (record.stem,))

    def drop(self, source: str, record_id: str) -> bool:
        if self.find(source, record_id) is None:
            return False
        self._touch(source, record_id)
        self._relink_referrers(source, record_id)
        self._db.execute("delete from records where source = ? and record_id = ?", (source, record_id))
        self._db.execute("delete from relinks where source = ? and record_id = ?", (source, record_id))
        return True

    def _touch(self, source: str, record_id: str) -> None:
        """What the record was part of so far has to be rendered again; its old mentions and references go."""
        key = (source, record_id)
        self._db.execute(
            "insert or ignore into dirty_stems select stem from records where source = ? and record_id = ?", key
        )
        self._dirty_entities(*key)
        self._db.execute("delete from mentions where source = ? and record_id = ?", key)
        self._db.execute("delete from refs where source = ? and record_id = ?", key)

    def _shown(self, source: str, record_id: str) -> tuple[str, tuple[MentionRow, ...]] | None:
        """What records that name this one show of it, besides its place."""
        row = self._db.execute(
            "select title from records where source = ? and record_id = ?", (source, record_id)
        ).fetchone()
        return (row[0], self._own_mentions(source, record_id)) if row else None

    def _relink_referrers(self, source: str, record_id: str) -> None:
        self._db.execute(
            "insert or ignore into relinks select source, record_id from refs where to_source = ? and to_id = ?",
            (source, record_id),
        )

    def _dirty_entities(self, source: str, record_id: str) -> None:
        self._db.execute(
            "insert or ignore into dirty_entities select kind, key from mentions where source = ? and record_id = ?",
            (source, record_id),
        )

    def _mention(self, record: IndexedRecord, mentions: Sequence[MentionRow], *, own: bool) -> None:
        if not mentions:
            return
        rows = [
            (record.source, record.record_id, m.kind, m.key, m.name, m.role, json.dumps(m.facts), own) for m in mentions
        ]
        self._db.executemany("insert or ignore into mentions values (?,?,?,?,?,?,?,?)", rows)
        self._db.executemany("insert or ignore into dirty_entities values (?,?)", [(m.kind, m.key) for m in mentions])

    def refs(self, source: str, record_id: str) -> list[RefRow]:
        rows = self._db.execute(
            "select r.source, r.record_id, r.title, r.page, r.anchor from refs f"
            " join records r on r.source = f.to_source and r.record_id = f.to_id"
            " where f.source = ? and f.record_id = ?",
            (source, record_id),
        ).fetchall()
        return [
            RefRow(to_source, to_id, title, page, anchor, self._own_mentions(to_source, to_id))
            for to_source, to_id, title, page, anchor in rows
        ]

    def _own_mentions(self, source: str, record_id: str) -> tuple[MentionRow, ...]:
        rows = self._db.execute(
            "select kind, key, name, role, facts from mentions where source = ? and record_id = ? and own"
            " order by kind, key",
            (source, record_id),
        )
        return tuple(_mention(*row) for row in rows)

    def relink(self) -> Iterator[IndexedRecord]:
        last = ("", "")
        while rows := self._db.execute(
            "select source, record_id from relinks where (source, record_id) > (?, ?) order by 1, 2 limit ?",
            (*last, CHUNK),
        ).fetchall():
            last = rows[-1]
            yield from (record for row in rows if (record := self.find(*row)))

    def inherit(self, record: IndexedRecord, mentions: Sequence[MentionRow]) -> None:
        key = (record.source, record.record_id)
        self._dirty_entities(*key)
        self._db.execute("delete from mentions where source = ? and record_id = ? and not own", key)
        self._mention(record, mentions, own=False)
        # Other mentions of this record show it beside the ones that changed.
        self._dirty_entities(*key)
        self._db.execute("insert or ignore into dirty_stems values (?)", (record.stem,))

    def outdated(self, source: str, profile: str) -> Iterator[IndexedRecord]:
        last = ""
        while rows := self._db.execute(
            _RECORD + "where source = ? and profile <> ? and record_id > ? order by record_id limit ?",
            (source, profile, last, CHUNK),
        ).fetchall():
            last = rows[-1][1]
            yield from map(_record, rows)

    def dirty_stems(self) -> Iterator[str]:
        while rows := self._db.execute("select stem from dirty_stems order by stem limit ?", (CHUNK,)).fetchall():
            for (stem,) in rows:
                self._db.execute("delete from dirty_stems where stem = ?", (stem,))
                yield stem

    def members(self, stem: str) -> list[IndexedRecord]:
        rows = self._db.execute(_RECORD + "where stem = ? order by source, record_id", (stem,))
        return [_record(row) for row in rows]

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

    def locate(self, record: IndexedRecord, page: str, anchor: str) -> None:
        if (record.page, record.anchor) == (page, anchor):
            return
        key = (record.source, record.record_id)
        self._db.execute(
            "update records set page = ?, anchor = ? where source = ? and record_id = ?", (page, anchor, *key)
        )
        # A record that had no place yet was put in this run: its entities are dirty already.
        if record.page:
            self._dirty_entities(*key)
        self._db.execute(
            "insert or ignore into dirty_stems select r.stem from refs f"
            " join records r on r.source = f.source and r.record_id = f.record_id"
            " where f.to_source = ? and f.to_id = ?",
            key,
        )

    def dirty_entities(self) -> Iterator[tuple[str, str]]:
        last = ("", "")
        while rows := self._db.execute(
            "select kind, key from dirty_entities where (kind, key) > (?, ?) order by kind, key limit ?", (*last, CHUNK)
        ).fetchall():
            last = rows[-1]
            yield from rows

    def entity(self, kind: str, key: str, limit: int) -> tuple[int, list[EntityRow]]:
        (total,) = self._db.execute("select count(*) from mentions where kind = ? and key = ?", (kind, key)).fetchone()
        rows = self._db.execute(
            "select r.source, r.record_id, r.page, r.anchor, r.occurred_at, r.title, m.name, m.role, m.facts"
            " from mentions m join records r on r.source = m.source and r.record_id = m.record_id"
            " where m.kind = ? and m.key = ? order by r.occurred_at desc, r.source, r.record_id limit ?",
            (kind, key, limit),
        ).fetchall()
        return total, [self._entity_row(kind, key, row) for row in rows]

    def _entity_row(self, kind: str, key: str, row: tuple[Any, ...]) -> EntityRow:
        source, record_id, page, anchor, occurred_at, title, name, role, facts = row
        others = self._db.execute(
            "select kind, key, name, role, facts from mentions where source = ? and record_id = ?"
            " and not (kind = ? and key = ?) order by kind, key",
            (source, record_id, kind, key),
        )
        own = _mention(kind, key, name, role, facts)
        return EntityRow(page, anchor, occurred_at, title, own, tuple(_mention(*other) for other in others))

    def pages_total(self) -> int:
        (total,) = self._db.execute("select count(*) from pages").fetchone()
        return int(total)

    def records_total(self) -> int:
        (total,) = self._db.execute("select count(*) from records").fetchone()
        return int(total)

    def commit(self) -> None:
        self._db.execute("commit")

    def close(self) -> None:
        self._db.close()

    def _file(self, path: str) -> int:
        if path not in self._files:
            self._db.execute("insert or ignore into files (path) values (?)", (path,))
            (self._files[path],) = self._db.execute("select id from files where path = ?", (path,)).fetchone()
        return self._files[path]


class SqliteSightings:
    """consumer.ports.Sightings: the index as it was, read-only, under what this run has seen so far.

    What was seen lives in SQLite's own temporary file, so that memory does not grow with the user.
    """

    def __init__(self, index: Path) -> None:
        self._base = _read_only(index) if index.is_file() else None
        # An empty name is a private on-disk database that vanishes with the connection.
        self._db = sqlite3.connect("")
        self._db.execute(
            "create table seen (source text, record_id text, checksum text, updated_at text,"
            " primary key (source, record_id)) without rowid"
        )
        self._db.commit()

    def last(self, source: str, record_id: str) -> Sighting | None:
        key = (source, record_id)
        row = self._db.execute(
            "select checksum, updated_at from seen where source = ? and record_id = ?", key
        ).fetchone()
        if row is None and self._base:
            row = self._base.execute(
                "select checksum, updated_at from records where source = ? and record_id = ?", key
            ).fetchone()
        return Sighting(*row) if row and row[0] is not None else None

    def note(self, source: str, record_id: str, checksum: str | None, updated_at: str) -> None:
        self._db.execute("insert or replace into seen values (?,?,?,?)", (source, record_id, checksum, updated_at))

    def live(self, source: str) -> int:
        (count,) = self._db.execute(
            "select count(*) from seen where source = ? and checksum is not null", (source,)
        ).fetchone()
        return int(count)

    def unseen(self, source: str) -> Iterator[str]:
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


def open_index(path: Path) -> SqliteRecordIndex:
    """The index at ``path``, made where there is none. Close it; without ``commit`` nothing has happened.

    Raises:
        SnapshotIncomplete: the file is there but is no index.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("pragma journal_mode = delete")
        # The run folder is thrown away after a crash; what lasts is the commit in the bucket.
        db.execute("pragma synchronous = off")
        db.execute("pragma cache_size = -16384")
        if _version(db) == 0:
            db.executescript(f"begin; {_SCHEMA}; pragma user_version = {SCHEMA_VERSION}; commit;")
        _require_version(db)
        db.executescript(_TEMPORARY)
        db.execute("begin")
    except sqlite3.DatabaseError as exc:
        db.close()
        raise SnapshotIncomplete(f"{path.name} is not a record index: {exc}") from exc
    return SqliteRecordIndex(db)


def open_sightings(path: Path) -> SqliteSightings:
    """What this run has seen, over the index at ``path``; nothing is written there. Close it.

    Raises:
        SnapshotIncomplete: the file is there but is no index.
    """
    return SqliteSightings(path)


def _read_only(path: Path) -> sqlite3.Connection:
    # immutable: no lock, no journal, no -shm: a run without changes leaves the workspace as it found it.
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        _require_version(db)
    except sqlite3.DatabaseError as exc:
        db.close()
        raise SnapshotIncomplete(f"{path.name} is not a record index: {exc}") from exc
    return db


def _version(db: sqlite3.Connection) -> int:
    (version,) = db.execute("pragma user_version").fetchone()
    return int(version)


def _require_version(db: sqlite3.Connection) -> None:
    if _version(db) != SCHEMA_VERSION:
        raise sqlite3.DatabaseError(f"version {_version(db)}, this worker reads {SCHEMA_VERSION}")


def _record(row: tuple[Any, ...]) -> IndexedRecord:
    source, record_id, checksum, updated_at, occurred_at, title, stem, page, anchor, profile, *raw = row
    return IndexedRecord(
        *(source, record_id, checksum, updated_at, occurred_at),
        *(title, stem, page, anchor, profile),
        RawRef(*raw),
    )


def _mention(kind: str, key: str, name: str, role: str, facts: str) -> MentionRow:
    return MentionRow(kind, key, name, role, tuple((label, value) for label, value in json.loads(facts)))
