"""Reads the record index of a commit, in memory."""

from __future__ import annotations

import sqlite3
from contextlib import closing


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
