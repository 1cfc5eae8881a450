"""The labelled set of tests/data/labelled as records that a reader takes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import manifests
import renderers
from consumer.understanding import reading
from consumer.understanding.utterances import RecordText

FOLDER = Path(__file__).parent / "data/labelled"
#: Utterances that the rules were not developed on; see the folder's README.
HELD_OUT = FOLDER / "held-out.jsonl"
#: The user's zone.
ZONE = "Europe/Berlin"


class Labelled(NamedTuple):
    """``labels`` and ``optional`` as tests/data/labelled/README.md has them."""

    language: str
    record: RecordText
    labels: list[dict[str, Any]]
    optional: list[dict[str, Any]]


def load() -> Iterator[Labelled]:
    """The set that a reader is developed on: a file a language."""
    return _load(sorted(FOLDER.glob("??.jsonl")))


def load_held_out() -> Iterator[Labelled]:
    return _load([HELD_OUT])


def _load(files: Sequence[Path]) -> Iterator[Labelled]:
    entries = {entry.source_key: entry for entry in manifests.export_manifest().sources}
    for path in files:
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
            yield Labelled(row["id"].partition("-")[0], record, row["labels"], row.get("optional", []))
