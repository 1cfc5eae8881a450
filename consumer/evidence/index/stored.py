"""Reads the record index of a commit, in memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import NamedTuple

from consumer import layout
from consumer.errors import SnapshotIncomplete
from consumer.evidence.index import schema


class StoredReading(NamedTuple):
    """What a reader found in a record, as it encoded it, and where the record is rendered below ``brain/``."""

    source: str
    record_id: str
    page: str
    anchor: str
    body: bytes


class StoredRecord(NamedTuple):
    """A record as it is rendered. ``day``: of when it happened, or else of its last change. ``page``: of ``brain/``."""

    source: str
    record_id: str
    day: str
    title: str
    page: str
    anchor: str


_READINGS = (
    "select r.source, r.record_id, r.page, r.anchor, g.body from readings g join records r"
    " on r.source = g.source and r.record_id = g.record_id"
    " where g.reader = ? and g.checksum = r.checksum order by r.source, r.record_id"
)


def records(data: bytes) -> list[tuple[str, str]]:
    """(source, record id) of every record. ``data``: the index file. Raises SnapshotIncomplete as ``readings``."""
    with _opened(data) as database:
        return list(database.execute("select source, record_id from records"))


def rendered(data: bytes) -> list[StoredRecord]:
    """Every record with where it stands, oldest first. ``data``: the index file. Raises SnapshotIncomplete."""
    with _opened(data) as database:
        rows = database.execute(
            "select source, record_id, substr(iif(occurred_at <> '', occurred_at, updated_at), 1, 10) as at,"
            " title, page, anchor from records order by at, source, record_id"
        )
        return [StoredRecord(*row) for row in rows]


def digests(data: bytes) -> tuple[dict[str, bytes], str]:
    """(path below ``brain/`` -> SHA-256 of each evidence page, the index's fault, "" for none).

    ``data``: the index file.
    """
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(data)
        try:
            # SQLite's message may quote the file, so only the result of the check is used.
            intact = database.execute("pragma quick_check(1)").fetchone() == ("ok",)
            rows = database.execute("select path, digest from pages where path like 'sources/%'").fetchall()
        except sqlite3.DatabaseError as exc:
            return {}, f"cannot be read: {getattr(exc, 'sqlite_errorname', type(exc).__name__)}"
    return dict(rows), "" if intact else "is damaged"


def readings(data: bytes, reader: str) -> list[StoredReading]:
    """A reader's readings of the current versions of all records, in order. ``data``: the index file.

    Raises SnapshotIncomplete: the file is damaged, or not an index that this release can read.
    """
    if not data:
        raise SnapshotIncomplete(f"{layout.RENDER_INDEX} is empty")
    with _opened(data) as database:
        schema.require_readings(database)
        return [StoredReading(*row) for row in database.execute(_READINGS, (reader,))]


@contextmanager
def _opened(data: bytes) -> Iterator[sqlite3.Connection]:
    """The index file in memory. Raises SnapshotIncomplete: it is damaged."""
    with closing(sqlite3.connect(":memory:")) as database:
        try:
            database.deserialize(data)
            yield database
        except sqlite3.DatabaseError as exc:
            schema.raise_if_damaged(exc)
            raise
