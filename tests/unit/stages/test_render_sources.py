"""A source that leaves the manifest takes its records along, and one that comes back brings them again."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

import manifests
from consumer import layout
from consumer.evidence.index import open_index, open_sightings
from consumer.run import Run
from consumer.stages.export import Export
from consumer.stages.render import Render
from contract.manifest import ExportManifest
from tests import goldens
from tests.fake_export import FakeExport, OpenGuard, Row, run_of

WHOLE = manifests.export_manifest()


def _server() -> FakeExport:
    """The golden records of all sources: they name each other."""
    server = FakeExport()
    for record_type, entry in goldens.entries().items():
        for number, document in enumerate(json.loads((goldens.FOLDER / record_type / "records.json").read_text())):
            when = document["occurred_at"] and datetime.fromisoformat(document["occurred_at"])
            server.put(entry.source_key, document["record_id"], Row(number, when, document["data"]))
    return server


def _run(root: Path, manifest: ExportManifest, number: int, after: Run | None = None) -> Run:
    job_type = "hourly_digest" if after else "backfill_digest"
    run = replace(run_of(root, _server(), job_type, number), cursors=after.cursors if after else {})
    run = Export(manifest, open_sightings, force=True).run(run, OpenGuard())
    return Render(manifest, open_index).run(run, OpenGuard())


def _pages(root: Path) -> dict[str, str]:
    brain = root / layout.BRAIN
    texts = {path.relative_to(brain).as_posix(): path.read_text() for path in sorted(brain.rglob("*.md"))}
    return {path: re.sub(r'(?m)^digest_job_id: ".*"$', "", text) for path, text in texts.items()}


@pytest.mark.parametrize("left", ["contacts", "activity_events", "checklist_items", "granola_transcripts"])
def test_the_pages_are_those_of_a_fresh_backfill_before_and_after(tmp_path: Path, left: str) -> None:
    fewer = WHOLE.model_copy(update={"sources": tuple(source for source in WHOLE.sources if source.source_key != left)})
    first = _run(tmp_path / "one", WHOLE, 1)
    before = _pages(tmp_path / "one")
    second = _run(tmp_path / "one", fewer, 2, first)
    _run(tmp_path / "two", fewer, 2)
    assert _pages(tmp_path / "one") == _pages(tmp_path / "two") != before
    assert second.rendered is not None
    assert second.rendered.removed
    _run(tmp_path / "one", WHOLE, 3, second)
    assert _pages(tmp_path / "one") == before
