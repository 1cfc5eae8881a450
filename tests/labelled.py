"""The labelled set of tests/data/labelled as records that a reader takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import manifests
import renderers
from consumer.understanding import reading
from consumer.understanding.utterances import RecordText

FOLDER = Path(__file__).parent / "data/labelled"
#: The user's zone.
ZONE = "Europe/Berlin"


class Labelled(NamedTuple):
    """``labels`` and ``optional`` as tests/data/labelled/README.md has them."""

    language: str
    record: RecordText
    labels: list[dict[str, Any]]
    optional: list[dict[str, Any]]


def load() -> Iterator[Labelled]:
    entries = {entry.source_key: entry for entry in manifests.export_manifest().sources}
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            exported = {
                "source_key": row["source"],
                "record_id": row["id"],
                "occurred_at": row["at"],
                "updated_at": row["at"],
                "data": row["data"],
                "checksum": "sha256:0",
            }
            record = reading.read(renderers.item(exported, entries[row["source"]], ZONE), ZONE)
            yield Labelled(path.stem, record, row["labels"], row.get("optional", []))
