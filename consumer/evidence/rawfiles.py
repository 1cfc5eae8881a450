"""
Raw export files: canonical JSON lines, written while streaming, and a manifest that describes them.

``runtime/exports/{backfill,hourly}/{job_id}/<source>.batch-NNN.jsonl`` and ``manifest.json``; no other
job rewrites them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

import orjson

from contract import canonical
from contract.event import utc_text
from contract.records import Record

MANIFEST: Final = "manifest.json"
#: Records that the source of a backfill no longer has, one {"source_key", "record_id", "updated_at"} a line.
ABSENT: Final = "absent.jsonl"
#: Broken records that were left out, one {"source_key", "record_id", "reason"} a line. Records without a readable id,
#: and those above the limit, are counted: {"source_key", "records", "reason"}.
REFUSED: Final = "refused.jsonl"
#: Times of deleted records and of those dated in the future (ports.records.Stamp), one "<record> <at>" a line.
STAMPS: Final = "stamps.txt"
#: A batch file is closed when it grows past this size: small enough to open, large enough to keep the list short.
BATCH_BYTES: Final = 8 * 1024 * 1024
#: Limits of one batch of lines: large enough for few queries, small enough for memory.
TOGETHER_LINES: Final = 500
TOGETHER_BYTES: Final = 1024 * 1024


def line(record: Record, data: bytes) -> bytes:
    """The record as one line of canonical JSON; ``data`` is its data, encoded canonically already."""
    before = {"checksum": record.checksum}
    after = {
        "deleted": record.deleted,
        "occurred_at": utc_text(record.occurred_at) if record.occurred_at else None,
        "record_id": record.record_id,
        "record_type": record.record_type,
        "source_key": record.source_key,
        "updated_at": utc_text(record.updated_at),
        "user_id": record.user_id,
    }
    # "data" sorts between "checksum" and "deleted", so the parts can be joined without encoding data again.
    return canonical.dumps(before)[:-1] + b',"data":' + data + b"," + canonical.dumps(after)[1:] + b"\n"


@dataclass(slots=True)
class _OpenFile:
    path: Path
    file: IO[bytes]
    records: int = 0
    size: int = 0
    digest: Any = field(default_factory=hashlib.sha256)


class BatchWriter:
    """Writes one source's lines into numbered files. Creates the folder and the first file with the first line."""

    def __init__(self, folder: Path, source: str, limit: int = BATCH_BYTES) -> None:
        self._folder = folder
        self._source = source
        self._limit = limit
        self._open: _OpenFile | None = None
        #: The manifest's entry of each finished file.
        self.files: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        """Append one line."""
        current = self._open or self._start()
        current.file.write(data)
        current.digest.update(data)
        current.records += 1
        current.size += len(data)
        if current.size >= self._limit:
            self.close()

    def close(self) -> None:
        """Finish the current file. Repeatable."""
        if self._open is None:
            return
        done, self._open = self._open, None
        done.file.close()
        self.files.append(
            {
                "path": done.path.name,
                "source_key": self._source,
                "records": done.records,
                "bytes": done.size,
                "sha256": done.digest.hexdigest(),
            }
        )

    def _start(self) -> _OpenFile:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{self._source}.batch-{len(self.files):03d}.jsonl"
        self._open = _OpenFile(path, path.open("wb"))
        return self._open


def write_lines(path: Path, lines: Iterable[bytes]) -> int:
    """Write these lines, each with a line end, and return their number. Without lines no file is created."""
    count, file = 0, None
    try:
        for data in lines:
            if file is None:
                path.parent.mkdir(parents=True, exist_ok=True)
                file = path.open("wb")
            file.write(data + b"\n")
            count += 1
    finally:
        if file is not None:
            file.close()
    return count


def write_json(path: Path, document: Mapping[str, Any]) -> None:
    """Write indented JSON with sorted keys, replacing the file atomically."""
    write_atomic(path, orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n")


def write_atomic(path: Path, data: bytes) -> None:
    """Replace the file atomically. Not synced: only the commit in the bucket is durable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name[:100]}.tmp")
    beside.write_bytes(data)
    beside.replace(path)


def job_of(path: str) -> str:
    """The job that wrote a raw export file, by its path in the workspace."""
    return path.split("/")[-2]


def batch_files(folder: Path) -> list[Path]:
    """The batch files of a raw export, each source's in the order in which they were written."""
    paths = folder.glob("*.batch-*.jsonl")
    return sorted(paths, key=lambda path: (path.name.partition(".")[0], len(path.name), path.name))


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """(offset, line with its end) of a JSONL file."""
    offset = 0
    with path.open("rb") as file:
        for data in file:
            yield offset, data
            offset += len(data)


def batches(path: Path) -> Iterator[list[tuple[int, bytes]]]:
    """``lines`` in batches of at most TOGETHER_LINES; a batch ends when it reaches TOGETHER_BYTES."""
    batch: list[tuple[int, bytes]] = []
    size = 0
    for offset, data in lines(path):
        batch.append((offset, data))
        size += len(data)
        if len(batch) >= TOGETHER_LINES or size >= TOGETHER_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
