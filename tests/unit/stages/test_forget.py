"""Forgetting a record renders the rest as it was, also where an earlier release rendered it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import manifests
import renderers
from consumer import layout
from consumer.erasure import matching
from consumer.erasure.forget import Forget
from consumer.evidence.index import open_index
from consumer.stages.render import Render
from tests.fake_export import USER, FakeExport, OpenGuard, Row, export_and_render, job_id, run_of

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
    records = [("checklist_items", name) for name in names or ("gone",)]
    _rerender().without(root, USER, "purge-1", records, OpenGuard())


def _rerender() -> Forget:
    manifest = manifests.export_manifest()
    return Forget(Render(manifest, open_index))


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


def test_the_index_keeps_no_byte_of_what_is_forgotten(tmp_path: Path) -> None:
    server = FakeExport()
    title = "Nobody may hear of the merger"
    server.put("checklist_items", "gone-0001", Row(1, NOON, {"title": title, "people": ["Xaver Quist"]}))
    server.put("checklist_items", "kept-0001", Row(2, NOON, {"title": "Water the plants", "people": ["Ann"]}))
    export_and_render(run_of(tmp_path, server, "backfill_digest"))
    index = tmp_path / layout.RENDER_INDEX
    records = [("checklist_items", "gone-0001")]
    rendered = _rerender().without(tmp_path, USER, "purge-1", records, OpenGuard())
    assert not [text for text in (b"gone-0001", b"merger", b"Quist") if text in index.read_bytes()]
    assert "brain/sources/cloop/checklist-items/2026-03-03.md" in rendered
    assert all((tmp_path / path).is_file() for path in rendered)


def test_notes_go_with_the_last_record_that_they_can_rest_on(tmp_path: Path) -> None:
    brain = _rendered(tmp_path)
    (page,) = (brain / "people").glob("ann-*.md")
    page.write_text(page.read_text() + "\nAnn is said to leave.\n")
    _forget(tmp_path)
    assert "said to leave" in page.read_text()
    _forget(tmp_path, "kept")
    assert not page.exists()


def test_pages_and_index_are_made_again_from_raw_lines_and_what_is_right_stays(tmp_path: Path) -> None:
    """As a restore finds a workspace after a purge: no index, some pages gone, one line blank."""
    server = FakeExport()
    for number, name in enumerate(("gone", "kept", "alone")):
        when = EVENING if name != "alone" else NOON
        server.put("checklist_items", name, Row(number, when, {"title": name, "people": ["Ann", name]}))
    export_and_render(run_of(tmp_path, server, "backfill_digest", timezone="Asia/Tokyo"))
    server.put("checklist_items", "later", Row(9, NOON, {"title": "later"}))
    export_and_render(run_of(tmp_path, server, "hourly_digest", 2, timezone="Asia/Tokyo"))
    brain = tmp_path / layout.BRAIN
    before = {path: path.read_bytes() for path in brain.rglob("*.md")}
    (tmp_path / layout.RENDER_INDEX).unlink()
    changed = [path for path in before if b"gone" in before[path] or "gone" in path.name]
    assert len(changed) >= 3
    for path in changed:
        path.unlink()
    for raw in (tmp_path / layout.EXPORTS).rglob("*.jsonl"):
        lines = raw.read_bytes().splitlines(keepends=True)
        raw.write_bytes(b"".join(matching.blank(line) if b'"gone"' in line else line for line in lines))
    _rerender().again(tmp_path, USER, [job_id(1), job_id(2)], "", OpenGuard())
    after = {path: path.read_bytes() for path in brain.rglob("*.md")}
    assert {path: data for path, data in before.items() if path not in changed}.items() <= after.items()
    assert not [path for path, data in after.items() if b"gone" in data]
    assert b"kept" in after[brain / "sources/cloop/checklist-items/2026-03-04.md"]
    index = (tmp_path / layout.RENDER_INDEX).read_bytes()
    _rerender().again(tmp_path, USER, [job_id(1), job_id(2)], "", OpenGuard())
    assert (tmp_path / layout.RENDER_INDEX).read_bytes() == index, "nothing was missing"
