"""Forgetting a record renders the rest as it was, also where an earlier release rendered it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import manifests
import renderers
from consumer.adapters.recordindex import open_index
from consumer.core import layout
from consumer.stages.forget import Forget
from consumer.stages.render import Render
from tests.fake_export import USER, FakeExport, OpenGuard, Row, export_and_render, run_of

#: A day later in Tokyo than in UTC.
EVENING = datetime(2026, 3, 3, 20, tzinfo=UTC)
NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


def _rendered(root: Path) -> Path:
    server = FakeExport()
    for number, name in enumerate(("kept", "gone")):
        server.put("checklist_items", name, Row(number, EVENING, {"title": name, "people": ["Ann"]}))
    export_and_render(run_of(root, server, "backfill_digest", timezone="Asia/Tokyo"))
    return root / layout.BRAIN


def _pages(brain: Path) -> list[str]:
    return sorted(path.relative_to(brain).as_posix() for path in brain.rglob("*.md"))


def _forget(root: Path, *names: str) -> None:
    render = Render(manifests.export_manifest(), open_index)
    records = [("checklist_items", name) for name in names or ("gone",)]
    Forget(render, open_index)(root, USER, "purge-1", records, OpenGuard())


@pytest.mark.parametrize("release", ["this one", "an earlier one"])
def test_the_rest_stays_on_its_days(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: str) -> None:
    """Placing records by other rules than before is for the next job: a purge knows no rules but those it finds."""
    with monkeypatch.context() as earlier:
        if release == "an earlier one":
            earlier.setattr(renderers.days, "VERSION", 0)
        brain = _rendered(tmp_path)
    before = _pages(brain)
    assert "daily/2026-03-04.md" in before
    _forget(tmp_path)
    assert _pages(brain) == before
    text = (brain / "sources/cloop/checklist-items/2026-03-04.md").read_text()
    assert "kept" in text
    assert "gone" not in text


def test_a_page_that_does_not_say_its_zone_stops_no_purge(tmp_path: Path) -> None:
    brain = _rendered(tmp_path)
    (brain / "sources/cloop/checklist-items/2026-03-04.md").write_text("---\nno: [end")
    _forget(tmp_path)
    assert not any("gone" in path.read_text() for path in brain.rglob("*.md"))


def test_another_page_says_the_zone_that_a_damaged_one_does_not(tmp_path: Path) -> None:
    server = FakeExport()
    for number, (name, when) in enumerate((("gone", NOON), ("gone too", EVENING), ("kept", EVENING))):
        server.put("checklist_items", name, Row(number, when, {"title": name}))
    export_and_render(run_of(tmp_path, server, "backfill_digest", timezone="Asia/Tokyo"))
    brain = tmp_path / layout.BRAIN
    (brain / "sources/cloop/checklist-items/2026-03-03.md").write_text("---\nno: [end")
    _forget(tmp_path, "gone", "gone too")
    assert _pages(brain) == ["daily/2026-03-04.md", "sources/cloop/checklist-items/2026-03-04.md"]
