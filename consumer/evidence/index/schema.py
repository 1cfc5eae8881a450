"""The index's tables, how its file is opened, and how its rows become the types of the ports."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from consumer import layout
from consumer.errors import SnapshotIncomplete
from consumer.evidence.records import IndexedRecord
from renderers.base import EntityKind, Mention
from renderers.days import Happened
from renderers.entities import Evidence, Named

#: Increased when the tables change, together with a step that migrates an older file.
SCHEMA_VERSION: Final = 6
_SCHEMA: Final = """
create table files (id integer primary key, path text not null unique);
create table records (
  source text not null, record_id text not null, checksum text not null, updated_at text not null,
  occurred_at text not null, title text not null, stem text not null, page text not null, anchor text not null,
  profile text not null, file integer not null, offset integer not null, length integer not null, lead text,
  day text not null default '', time text not null default '', primary key (source, record_id)) without rowid;
create table groups (stem text primary key, checksum text not null, job_id text not null) without rowid;
create table pages (path text primary key, stem text not null, digest blob not null) without rowid;
create table mentions (
  source text not null, record_id text not null, kind text not null, key text not null,
  name text not null, role text not null, facts text not null, own integer not null,
  occurred_at text not null default '', primary key (source, record_id, kind, key)) without rowid;
create table refs (
  source text not null, record_id text not null, to_source text not null, to_id text not null,
  primary key (source, record_id, to_source, to_id)) without rowid;
create table stamps (record blob primary key, at text not null) without rowid;
create table readings (
  source text not null, record_id text not null, reader text not null, version text not null, checksum text not null,
  body blob not null, primary key (source, record_id, reader)) without rowid;
"""
#: Created once all records of a run are written: one sort is faster than keeping them sorted.
INDEXES: Final[Mapping[str, str]] = {
    "records_stem": "records (stem)",
    "records_day": "records (day, occurred_at) where lead is not null",
    "pages_stem": "pages (stem)",
    "mentions_entity": "mentions (kind, key, occurred_at desc)",
    "refs_target": "refs (to_source, to_id)",
}
#: KiB of the file's pages kept in memory; a sort takes the same again.
CACHE_KIB: Final = 16 * 1024
#: The same while an index is created: a sort in smaller pieces takes no longer.
SORT_KIB: Final = 2 * 1024
#: Version 1 had no time in a mention.
_FROM_1: Final = """
alter table mentions add column occurred_at text not null default '';
update mentions set occurred_at = (select r.occurred_at from records r
  where r.source = mentions.source and r.record_id = mentions.record_id);
drop index mentions_entity;
"""
#: Version 2 had no day pages.
_FROM_2: Final = """
alter table records add column lead text;
"""
#: Version 3 had no local days, which only rendering can compute. Until rendering places a record again, no day shows
#: it; every day that has a page is rendered again.
_FROM_3: Final = """
alter table records add column day text not null default '';
alter table records add column time text not null default '';
drop index if exists records_time;
update records set lead = null;
insert into dirty_days select substr(stem, 7, 10) from groups where stem like 'daily/____-__-__.md';
"""
#: Version 4 did not keep deletion times.
_FROM_4: Final = """
create table stamps (record blob primary key, at text not null) without rowid;
"""
#: Version 5 had no readings: each record is read again from its raw line.
_FROM_5: Final = """
create table readings (
  source text not null, record_id text not null, reader text not null, version text not null, checksum text not null,
  body blob not null, primary key (source, record_id, reader)) without rowid;
"""
#: Version of the file -> the steps to SCHEMA_VERSION.
_STEPS: Final = {
    0: _SCHEMA,
    1: _FROM_1 + _FROM_2 + _FROM_3 + _FROM_4 + _FROM_5,
    2: _FROM_2 + _FROM_3 + _FROM_4 + _FROM_5,
    3: _FROM_3 + _FROM_4 + _FROM_5,
    4: _FROM_4 + _FROM_5,
    5: _FROM_5,
}
#: Versions that can be read without a step.
_READABLE: Final = frozenset(range(1, SCHEMA_VERSION + 1))
#: What this run must render again. ``renamed``: records whose title, place or own mentions changed; a key
#: would cost more than a few that stand there twice.
_TEMPORARY: Final = """
create temp table dirty_stems (stem text primary key) without rowid;
create temp table dirty_entities (kind text, key text, primary key (kind, key)) without rowid;
create temp table dirty_days (day text primary key) without rowid;
create temp table relinks (source text, record_id text, primary key (source, record_id)) without rowid;
create temp table renamed (source text, record_id text);
"""
#: Ids in one query: SQLite binds at least 999 values.
TOGETHER: Final = 500
#: Rows of the widest table in one statement, likewise.
ROWS_TOGETHER: Final = 50
#: Rows as the types of the ports, without a call of Python's: a backfill has several of each record.
record: Final[Callable[[Sequence[Any]], IndexedRecord]] = partial(tuple.__new__, IndexedRecord)
happened: Final[Callable[[Sequence[Any]], Happened]] = partial(tuple.__new__, Happened)
evidence: Final[Callable[[Sequence[Any]], Evidence]] = partial(tuple.__new__, Evidence)
named: Final[Callable[[Sequence[Any]], Named]] = partial(tuple.__new__, Named)
#: (source, record_id).
Key = tuple[str, str]
READING: Final = "insert or replace into readings values (?,?,?,?,?,?)"
#: For ``insert``: rows are an IndexedRecord with the id of its raw file instead of the path, and ``mention_values``.
RECORDS: Final = (
    "insert or replace into records (source, record_id, checksum, updated_at, occurred_at, title, stem, page, anchor,"
    " profile, file, offset, length, day, time, lead)"
)
MENTIONS: Final = "insert or ignore into mentions"
RECORD: Final = (
    "select source, record_id, checksum, updated_at, occurred_at, title, stem, page, anchor, profile,"
    " coalesce((select path from files where id = file), ''), offset, length, day, time, lead from records "
)


def open_writable(path: Path) -> sqlite3.Connection:
    """Open the index file for writing, created if absent, in a transaction.

    Raises SnapshotIncomplete: the file exists but is not an index that this release can read.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    return _opened(sqlite3.connect(path, isolation_level=None), _begin_writing)


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open the index file of the last snapshot for reading.

    Raises SnapshotIncomplete: the file is not an index that this release can read.
    """
    # immutable: no lock, no journal, no -shm: a run without changes leaves the workspace as it found it.
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    return _opened(db, _begin_reading)


def raise_if_damaged(exc: BaseException | None) -> None:
    """Raise SnapshotIncomplete for an SQLite error that a damaged file causes."""
    # SQLite's message may quote the file's content; its error name does not.
    if isinstance(exc, sqlite3.DatabaseError) and not isinstance(exc, sqlite3.ProgrammingError):
        why = getattr(exc, "sqlite_errorname", "text that is none")
        raise SnapshotIncomplete(f"{layout.RENDER_INDEX} cannot be used: {why}") from exc


def _opened(db: sqlite3.Connection, begin: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    try:
        begin(db)
    except Exception as exc:
        db.close()
        raise_if_damaged(exc)
        raise
    return db


def _begin_writing(db: sqlite3.Connection) -> None:
    db.execute("pragma journal_mode = delete")
    # A crash discards the run folder; only the commit in the bucket is durable.
    db.execute("pragma synchronous = off")
    # Overwrite deleted rows: a purge searches the file's bytes and must not find remains.
    db.execute("pragma secure_delete = on")
    db.execute(f"pragma cache_size = -{CACHE_KIB}")
    # Inside the run's transaction, so that a run without changes leaves the file unchanged.
    db.execute("begin")
    version = _require_version(db, _STEPS.keys() | {SCHEMA_VERSION})
    for step in filter(str.strip, (_TEMPORARY + _STEPS.get(version, "")).split(";")):
        db.execute(step)
    if version != SCHEMA_VERSION:
        db.execute(f"pragma user_version = {SCHEMA_VERSION}")


def _begin_reading(db: sqlite3.Connection) -> None:
    _require_version(db, _READABLE)
    db.execute("begin")


def require_readings(db: sqlite3.Connection) -> None:
    """Raises SnapshotIncomplete where the file is of a version that keeps no readings, or of another release's."""
    _require_version(db, {SCHEMA_VERSION})


def has_stamps(db: sqlite3.Connection) -> bool:
    """Whether any record has a stamp: a time other than its row states."""
    tables = db.execute("select 1 from sqlite_master where name = 'stamps'").fetchone()
    return bool(tables and db.execute("select 1 from stamps limit 1").fetchone())


def make_indexes(db: sqlite3.Connection) -> None:
    """Create the missing indexes. Repeatable."""
    existing = {name for (name,) in db.execute("select name from sqlite_master where type = 'index'")}
    missing = [name for name in INDEXES if name not in existing]
    if not missing:
        return
    db.execute(f"pragma cache_size = -{SORT_KIB}")
    for name in missing:
        db.execute(f"create index {name} on {INDEXES[name]}")
    db.execute(f"pragma cache_size = -{CACHE_KIB}")


def together(keys: Iterable[Key]) -> Iterator[tuple[str, list[str], str]]:
    """(source, record_id) pairs -> (source, ids for one query, the query's placeholders)."""
    for source, group in groupby(sorted(keys), itemgetter(0)):
        ids = [record_id for _, record_id in group]
        for start in range(0, len(ids), TOGETHER):
            chunk = ids[start : start + TOGETHER]
            yield source, chunk, ",".join("?" * len(chunk))


def insert(db: sqlite3.Connection, into: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert these rows, many with each statement: one for each row takes an eighth to a fifth longer."""
    for start in range(0, len(rows), ROWS_TOGETHER):
        some = rows[start : start + ROWS_TOGETHER]
        row = f"({','.join('?' * len(some[0]))})"
        db.execute(f"{into} values {','.join([row] * len(some))}", list(chain.from_iterable(some)))


def mention(kind: EntityKind, key: str, name: str, role: str, facts: str) -> Mention:
    """Columns of ``mentions``."""
    # Nearly all mentions have no facts.
    stated = () if facts == "[]" else tuple((label, value) for label, value in json.loads(facts))
    return tuple.__new__(Mention, (kind, key, name, role, stated))


def mention_values(of: IndexedRecord, mention: Mention, *, own: bool) -> tuple[Any, ...]:
    """A row of ``mentions``, for MENTIONS."""
    facts = json.dumps(mention.facts) if mention.facts else "[]"
    return (of.source, of.record_id, *mention[:4], facts, own, of.occurred_at)


def _require_version(db: sqlite3.Connection, readable: Collection[int]) -> int:
    (version,) = db.execute("pragma user_version").fetchone()
    if version not in readable:
        raise SnapshotIncomplete(
            f"{layout.RENDER_INDEX} has version {version}, this release knows {min(_READABLE)} to {SCHEMA_VERSION}"
        )
    return int(version)
