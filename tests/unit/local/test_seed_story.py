"""The sample user's story as memory sees it: rendered to pages, its contradictions and open loops are found in them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from consumer.evidence.index import open_index
from consumer.evidence.pages import Page
from consumer.reports import evidence
from consumer.reports.detectors import Findings
from consumer.reports.evidence import PageCache
from consumer.run import Run
from local.seed.sample import main_rows, main_story, sample_users
from local.seed.story import STORY_DAY, load
from tests import sample_user
from tests.fake_export import FakeExport, OpenGuard, export_and_render, run_of

TODAY = STORY_DAY


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder after export and render."""
    root = tmp_path_factory.mktemp("run")
    export_and_render(_run(root, sample_user.export(main_rows(TODAY))))
    return root


def _run(root: Path, export: FakeExport) -> Run:
    now = datetime(2026, 11, 28, 9, tzinfo=UTC)
    return run_of(root, export, "backfill_digest", timezone="Europe/Stockholm", requested_at=now)


@pytest.fixture(scope="module")
def pages(root: Path) -> Mapping[str, Page]:
    return evidence.load(root, OpenGuard())


@pytest.fixture(scope="module")
def findings(root: Path, pages: Mapping[str, Page]) -> Findings:
    return PageCache(open_index).detect(_run(root, FakeExport()), pages)


def test_every_page_parses_whatever_the_user_wrote(root: Path, pages: Mapping[str, Page]) -> None:
    written = {str(path.relative_to(root / "brain"))[: -len(".md")] for path in (root / "brain").rglob("*.md")}
    assert len(written) > 100
    assert written - set(pages) == set()
    text = "\n".join(page.body for page in pages.values())
    assert all(word in text for word in ("漢字かな", "مراجعة العقد", "not front matter", "👩🏽\u200d🔬"))


def test_the_contradictions_of_the_story_are_found_and_no_others(findings: Findings) -> None:
    quoted = [" ".join(citation.quote for citation in finding.citations) for finding in findings.contradictions]
    written = [(value, other) for _, value, other in sample_users(TODAY).contradictions]
    assert all(any(value in text and other in text for text in quoted) for value, other in written)
    assert all(any(value in text and other in text for value, other in written) for text in quoted)


def test_open_loops_with_dates_are_found(findings: Findings) -> None:
    text = "\n".join(finding.text for finding in findings.open_loops)
    for title in sample_users(TODAY).open_loops:
        assert title in text


def test_people_and_projects_are_found(findings: Findings) -> None:
    people = "\n".join(finding.text for finding in findings.people)
    projects = "\n".join(finding.text for finding in findings.projects)
    users = sample_users(TODAY)
    assert sum(name in people for name in users.people) >= 8
    assert all(name in projects for name in users.projects)


def test_greetings_signatures_and_quotes_are_no_themes(findings: Findings) -> None:
    themes = "\n".join(finding.text.partition(":")[0] for finding in findings.themes)
    assert "Harbour pilot" in themes
    for word in ("Mara", "regards", "wishes", "marketing lead", "Northlight Instruments", "Finance partner"):
        assert word.casefold() not in themes.casefold(), themes


def test_strangers_who_wrote_once_have_not_gone_silent(findings: Findings) -> None:
    assert [finding.text for finding in findings.stale if "Odd" in finding.text] == []


def test_the_story_moves_with_the_day_and_keeps_its_weekdays() -> None:
    """Whatever the day, a mail that speaks of a weekday means the same day after it."""
    for days in range(1, 8):
        today = date.fromordinal(TODAY.toordinal() + days)
        rows, records = main_story(today)
        assert set(records) == set(main_story(TODAY)[1])
        [mail] = [row for row in rows.tables["msg.inbound_messages"] if row["id"] == records["move-3"][1]]
        due = date.fromordinal(today.toordinal() + 2)
        assert f"the new invitation by {due:%A}." in mail["normalized_text"]
        assert mail["received_at"].date() == date.fromordinal(today.toordinal() - 1)


def test_an_answer_quotes_its_mail_as_the_senders_program_does() -> None:
    rows, records = sample_user.story()
    mails = {row["id"]: row["normalized_text"] for row in rows.tables["msg.inbound_messages"]}
    assert "On Thu, 26 Nov 2026 at 17:31, Mara Lindqvist <mara.lindqvist@" in mails[records["move-3"][1]]
    assert "> Could you ask Anna Berg" in mails[records["move-3"][1]]
    assert "Gesendet: Montag, 16. November 2026 09:10" in mails[records["housing-3"][1]]
    assert "Sent: Friday" not in mails[records["move-3"][1]]


def test_the_story_is_of_sixty_days_in_many_forms() -> None:
    scenes = load()
    assert {scene["kind"] for scene in scenes} >= {"mail", "sent", "messages", "chat", "event", "series", "draft"}
    days = [date.fromisoformat(str(scene["at"])[:10]) for scene in scenes if "at" in scene]
    assert (STORY_DAY - min(days)).days <= 60
    assert max(days) < STORY_DAY
