"""Themes and projects of a large brain are counted once a day; what is used again still stands where it is cited."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from consumer import layout
from consumer.erasure import matching
from consumer.reports import citations, detectors, evidence, standing
from consumer.reports.detectors import Findings, Standing
from consumer.run import Run
from contract.event import JobType
from tests import brains

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


def page(number: int, says: str) -> str:
    source = ("granola_transcripts", "meeting_notes")[number % 2]
    front = {"source_key": source, "occurred_at": f"2026-11-{10 + number:02d}T09:00:00Z", "source_id": f"n{number}"}
    return brains.page(f"Note {number}", says, **front)


def story() -> dict[str, str]:
    """Twelve notes that name one project."""
    notes = {
        f"sources/cloop/notes/n{number}.md": page(
            number, f"We spoke about [Harbor Pilot](../../../projects/harbor.md) in note {number} and its quay lease."
        )
        for number in range(12)
    }
    return {**notes, "projects/harbor.md": brains.page("Harbor Pilot", "A project.")}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(standing, "LEAST_PAGES", 5)
    brains.write(tmp_path, story())
    return hour(brains.run(tmp_path))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    done: list[str] = []
    count = detectors.count

    def counts(*given: Any) -> Standing:
        done.append("count")
        return count(*given)

    monkeypatch.setattr(detectors, "count", counts)
    return done


def hour(run: Run, at: datetime = NOON, job_type: JobType = "hourly_digest") -> Run:
    period = at.strftime("%Y-%m-%d" if job_type != "hourly_digest" else "%Y-%m-%dT%H")
    job = run.job.model_copy(update={"job_type": job_type, "period": period, "requested_at": at, "timezone": "UTC"})
    return replace(run, job=job)


def findings(run: Run) -> Findings:
    return evidence.detect(run, evidence.load(run.root, brains.Free()))


def test_the_days_next_digest_has_the_same_without_counting(run: Run, counted: list[str]) -> None:
    first = findings(run)
    assert first.projects
    assert first.themes
    assert first.topics
    again = findings(hour(run, NOON.replace(hour=13)))
    assert counted == ["count"]
    assert (again.projects, again.themes, again.topics) == (first.projects, first.themes, first.topics)
    assert again.counts == first.counts


@pytest.mark.parametrize(
    ("at", "job_type"),
    [(NOON.replace(day=28), "hourly_digest"), (NOON, "backfill_digest"), (NOON, "insight")],
)
def test_another_day_and_every_other_job_count_anew(
    run: Run, counted: list[str], at: datetime, job_type: JobType
) -> None:
    findings(run)
    findings(hour(run, at, job_type))
    assert counted == ["count", "count"]


@pytest.mark.parametrize("stored", [b"", b"{", b"[]", b'{"version": 0}'])
def test_what_cannot_be_read_is_counted_anew(run: Run, counted: list[str], stored: bytes) -> None:
    first = findings(run)
    (run.root / layout.STANDING).write_bytes(stored)
    assert findings(run).themes == first.themes
    assert counted == ["count", "count"]


def test_a_small_brain_is_counted_each_time_and_keeps_nothing(
    run: Run, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    findings(run)
    assert (run.root / layout.STANDING).is_file()
    monkeypatch.setattr(standing, "LEAST_PAGES", 500)
    findings(run)
    assert counted == ["count", "count"]
    assert not (run.root / layout.STANDING).exists()


def test_a_brain_that_has_grown_by_more_than_a_tenth_is_counted_anew(run: Run, counted: list[str]) -> None:
    findings(run)
    brains.write(run.root, {f"sources/cloop/notes/more{n}.md": page(n, "Something else entirely.") for n in range(2)})
    findings(run)
    assert counted == ["count", "count"]


def test_what_no_longer_stands_on_its_page_is_not_told(run: Run, counted: list[str]) -> None:
    first = findings(run)
    newest = first.topics[0].evidence[0][1].page
    path = run.root / layout.BRAIN / f"{newest}.md"
    path.write_text(page(11, "Nothing of the kind."))
    by_slug = evidence.load(run.root, brains.Free())
    later = evidence.detect(run, by_slug)
    assert counted == ["count"]
    cited = [citation for finding in (*later.themes, *later.projects) for citation in finding.citations]
    cited += [citation for theme in later.topics for _, citation in theme.evidence]
    assert cited
    assert newest not in {citation.page for citation in cited}
    assert all(isinstance(citations.resolve(citation, by_slug.get), citations.Resolved) for citation in cited)


def test_a_purge_takes_it_whole() -> None:
    """It quotes records; nothing is lost, since it is counted anew."""
    assert layout.STANDING in matching.REBUILT
