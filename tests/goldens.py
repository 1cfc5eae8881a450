"""
Goldens: texts that the code made. A test compares them with what the code makes now and shows each difference.

Per record type: the records that go in (records.json) and the pages that must come out (pages/). An intended change of
a page bumps the renderer's VERSION in one commit. ``WRITERS``: modules with goldens of their own.

``python -m tests.goldens`` writes all of them anew. Read the difference: a golden says what changes, not what is right.
"""

from __future__ import annotations

import difflib
import importlib
import json
import shutil
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import manifests
import renderers
from contract import canonical
from contract.event import utc_text
from contract.manifest import SourceEntry
from renderers.base import Item, RenderContext

#: Each has ``write_golden``.
WRITERS: Final = (
    "tests.readings",
    "tests.unit.renderers.test_record_types",
    "tests.unit.reports.test_question_set",
    "tests.unit.understanding.test_support",
)
FOLDER: Final = Path(__file__).parent / "golden"
CONTEXT: Final = RenderContext("11111111-1111-4111-8111-111111111111", "America/New_York", "golden-job")


def item_of(entry: SourceEntry, document: dict[str, Any]) -> Item:
    """A plain record -> what renderers take."""
    times = {
        name: document[name] and utc_text(datetime.fromisoformat(document[name]))
        for name in ("occurred_at", "updated_at")
    }
    whole = {**document, **times, "source_key": entry.source_key, "checksum": canonical.digest(document["data"])}
    return renderers.item(whole, entry, CONTEXT.timezone)


def render(entry: SourceEntry, items: list[Item], ctx: RenderContext = CONTEXT) -> dict[str, str]:
    """Path -> text of every evidence page of these records."""
    groups: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[renderers.place(item, entry)].append(item)
    pages = {}
    for stem, members in groups.items():
        ordered = sorted(members, key=renderers.page_order)
        pages.update({page.path: page.text for page in renderers.render_group(stem, entry, ordered, ctx)})
    return pages


def entries() -> dict[str, SourceEntry]:
    """Record type -> its manifest entry."""
    return {entry.record_type: entry for entry in manifests.export_manifest().sources}


def records(record_type: str) -> list[Item]:
    """What goes in."""
    documents = json.loads((FOLDER / record_type / "records.json").read_text())
    return [item_of(entries()[record_type], document) for document in documents]


def expected(record_type: str) -> dict[str, str]:
    """What must come out."""
    pages = FOLDER / record_type / "pages"
    return {path.relative_to(pages).as_posix(): path.read_text() for path in sorted(pages.rglob("*.md"))}


def write(record_type: str) -> None:
    """Replace the expected pages of one record type."""
    pages = FOLDER / record_type / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    for path, text in render(entries()[record_type], records(record_type)).items():
        target = pages / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def compare(path: Path, text: str) -> None:
    """Fail with the difference if a golden file does not have this text."""
    golden = path.read_text("utf-8")
    difference = difflib.unified_diff(golden.splitlines(), text.splitlines(), "golden", "now", lineterm="", n=1)
    assert text == golden, "\n".join(["python -m tests.goldens writes it anew", *difference])


if __name__ == "__main__":
    for module in WRITERS:
        importlib.import_module(module).write_golden()
    for name in sorted(entries()):
        write(name)
