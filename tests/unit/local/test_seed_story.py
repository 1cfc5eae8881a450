"""The sample user's story as memory sees it: rendered to pages, its contradictions and open loops are found in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import manifests
from consumer.evidence.index import open_index
from consumer.evidence.pages import Page
from consumer.reports import evidence
from consumer.reports.detectors import Findings
from consumer.reports.evidence import PageCache
from consumer.run import Run
from local.seed.rows import Row as SeedRow
from local.seed.sample import main_rows, sample_users
from tests.fake_export import EPOCH, FakeExport, OpenGuard, Row, export_and_render, run_of

TODAY = date(2026, 11, 28)
#: Sources that the scenes are in; the everyday rows of the others only take time here.
SOURCES = ("user_profiles", "granola_transcripts", "meeting_notes", "briefings", "checklist_items")


def plain(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    return value


def record(row: SeedRow, included: tuple[str, ...]) -> Row:
    changed = row["updated_at"]
    data: Mapping[str, Any] = {name: plain(row[name]) for name in included if name in row}
    occurred = row.get("meeting_started_at") or row["created_at"]
    return Row(int((changed - EPOCH).total_seconds()), occurred, data)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder after export and render."""
    tables, export = main_rows(TODAY).tables, FakeExport()
    for source in SOURCES:
        entry = manifests.export_manifest().source(source)
        for row in tables[entry.table_or_wrapper]:
            export.put(source, str(row.get("id", row["user_id"])), record(row, entry.include_fields))
    _add_chats(tables, export)
    root = tmp_path_factory.mktemp("run")
    export_and_render(_run(root, export))
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


def _add_chats(tables: Mapping[str, list[SeedRow]], export: FakeExport) -> None:
    entry = manifests.export_manifest().source("chat_sessions")
    messages: dict[str, list[dict[str, Any]]] = {}
    for row in tables["public.chat_messages"]:
        message = {
            "id": row["id"],
            "role": row["role"],
            "content": row["content"],
            "created_at": plain(row["created_at"]),
        }
        messages.setdefault(row["session_id"], []).append(message)
    for row in tables["public.chat_sessions"]:
        whole = {**row, "messages": messages[row["id"]]}
        export.put("chat_sessions", row["id"], record(whole, entry.include_fields))


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


def test_subjects_end_at_a_word() -> None:
    tables = main_rows(TODAY).tables
    (view,) = {entry.table_or_wrapper for entry in [manifests.export_manifest().source("inbound_messages")]}
    mails = [(str(row["thread_id"]), str(row["normalized_text"])) for row in tables[view]]
    cut = [(subject.removesuffix(" …"), text) for subject, text in mails if subject.endswith(" …")]
    assert cut
    for subject, text in cut:
        topic = subject.split(": ", 1)[-1]
        assert re.search(rf"{re.escape(topic)}(?!\w)", text), subject
