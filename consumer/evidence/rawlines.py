"""Reads single lines of raw export files at the offsets that the record index gives."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import orjson

from consumer.errors import SnapshotIncomplete
from consumer.evidence.records import IndexedRecord

#: Raw files kept open at a time. The records of one group come from few jobs.
OPEN_FILES: Final = 16


class RawLines:
    """Keeps a few files open. Close it."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._open: dict[str, int] = {}

    def read(self, record: IndexedRecord) -> dict[str, Any]:
        """The raw record that an index entry points at.

        Raises SnapshotIncomplete: the line is missing or belongs to another record.
        """
        place = f"{record.raw} at {record.offset}"
        try:
            document: dict[str, Any] = orjson.loads(os.pread(self._file(record.raw), record.length, record.offset))
        except (OSError, orjson.JSONDecodeError) as exc:
            raise SnapshotIncomplete(f"{place}: no record there: {type(exc).__name__}") from exc
        if (document["record_id"], document["checksum"]) != (record.record_id, record.checksum):
            raise SnapshotIncomplete(f"{place}: another record than the index says")
        return document

    def _file(self, path: str) -> int:
        if path not in self._open:
            if len(self._open) >= OPEN_FILES:
                os.close(self._open.pop(next(iter(self._open))))
            self._open[path] = os.open(self._root / path, os.O_RDONLY)
        return self._open[path]

    def close(self) -> None:
        while self._open:
            os.close(self._open.popitem()[1])
