"""Pages of concepts: what themes rest on, kept true to the evidence, with whatever others wrote below the marker."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from consumer import layout
from consumer.evidence import pages
from consumer.reports import evidence
from consumer.run import Run
from consumer.stages.report import Report
from contract import derived
from renderers import concepts as renderer
from tests import brains
from tests.unit.stages.test_report import GOOD, claimed

NAME = "data room"
SLUG = pages.slug_of(renderer.path(NAME))
SAID = {
    f"sources/cloop/{source.replace('_', '-')}/d-{day}.md": brains.evidence(
        f"Note of {day}", f"```text\nSee the data room {extra}.\n```", source, f"2026-11-{day}"
    )
    for source, day, extra in (
        ("meeting_notes", "20", "<b>now</b>"),
        ("chat_sessions", "22", "[please](x)"),
        ("inbound_messages", "24", "again"),
    )
}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    brains.write(tmp_path, {**brains.STORY, **SAID})
    return brains.run(tmp_path)


def report(run: Run, number: int = 1, **claim: object) -> None:
    job = run.job.model_copy(update={"job_id": f"{number:08d}-5c1d-4c55-9d55-0f6d2f3f1a01"})
    given = [{**GOOD, **claim}] if claim else []
    Report(brains.desk()).run(claimed(dataclasses.replace(run, job=job), *given), brains.Free())


def file(run: Run) -> Path:
    return run.root / layout.BRAIN / pages.path_of(SLUG)


def test_a_theme_has_a_page_whose_links_lead_to_the_words(run: Run) -> None:
    report(run)
    page = pages.parse(SLUG, file(run).read_bytes())
    assert (page.title, page.text("type")) == (NAME, "concept")
    assert "- Said: 3 records on 3 days, 2026-11-20 to 2026-11-24" in page.body
    assert "<b>" not in page.body
    assert [link.target for link in page.links] == [pages.slug_of(path) for path in reversed(SAID)]
    by_slug = evidence.load(run.root, brains.Free())
    for link in page.links:
        assert link.target in by_slug


def test_the_same_evidence_writes_the_same_bytes_and_only_once(run: Run) -> None:
    report(run)
    once, stamp = file(run).read_bytes(), file(run).stat().st_mtime_ns
    report(run, number=2)
    assert (file(run).read_bytes(), file(run).stat().st_mtime_ns) == (once, stamp)


def test_a_claim_that_names_the_concept_becomes_its_note(run: Run) -> None:
    report(run, text="The data room is late")
    above, below = derived.split(file(run).read_text("utf-8"))
    assert "The data room is late" in below
    assert "The data room is late" not in above
    report(run, number=2)
    assert "The data room is late" in derived.split(file(run).read_text("utf-8"))[1]


def test_a_concept_goes_with_its_evidence(run: Run) -> None:
    report(run)
    for path in SAID:
        (run.root / layout.BRAIN / path).unlink()
    report(run, number=2)
    assert not file(run).exists()


def test_words_that_somebody_wrote_below_the_marker_outlive_the_concept(run: Run) -> None:
    report(run)
    file(run).write_text(f"{file(run).read_text('utf-8')}\n## Mine\n\nKeep this.\n", "utf-8")
    for path in SAID:
        (run.root / layout.BRAIN / path).unlink()
    report(run, number=2)
    text = file(run).read_text("utf-8")
    assert text.endswith(f"{derived.MARKER}\n\n## Mine\n\nKeep this.\n")
    assert "See the data room" not in text
    assert renderer.GONE in text


def test_a_page_that_an_agent_made_keeps_its_text(run: Run) -> None:
    brains.write(run.root, {renderer.path(NAME): "---\ntitle: Data room\n---\n\nWhat the agent knew.\n"})
    other = renderer.path("of the agent alone")
    brains.write(run.root, {other: "---\ntitle: Alone\n---\n\nUntouched.\n"})
    report(run)
    assert file(run).read_text("utf-8").endswith(f"{derived.MARKER}\n\nWhat the agent knew.\n")
    assert (run.root / layout.BRAIN / other).read_text("utf-8") == "---\ntitle: Alone\n---\n\nUntouched.\n"
