"""The other machine of the export test: reads a bucket that lies in a folder, and says what its export hashes to."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

from consumer.repository.history import History
from tests.unit.repository.workspaces import USER, Bench, Free


def exported(bucket: Path) -> str:
    bench = Bench(bucket)
    # In an order of its own, so that nothing can lean on the order of writing.
    for path in sorted(bucket.rglob("*"), key=lambda path: path.name[::-1]):
        if path.is_file():
            bench.blobs.write(path.relative_to(bucket).as_posix(), path.read_bytes(), if_generation=0)
    out = io.BytesIO()
    History(bench.store().of(USER)).export(out, Free())
    return hashlib.sha256(out.getvalue()).hexdigest()
