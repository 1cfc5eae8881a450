"""The desk between synthesize and report: nothing is done twice, and nothing old is believed."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from consumer import layout
from consumer.evidence import pagefiles, pages
from consumer.evidence.index import open_index
from consumer.evidence.pages import Page
from consumer.reports import citations, detectors, evidence
from consumer.reports.detectors import Findings
from consumer.reports.evidence import PageCache
from consumer.run import Run
from consumer.stages.report import Report
from tests import brains

BRIEFING = "sources/cloop/briefings/2026-11-07-d4"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    brains.write(tmp_path, brains.STORY)
    return brains.run(tmp_path)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is parsed (its slug) and detected (the word), in order."""
    done: list[str] = []
    parse, detect = pages.parse, detectors.detect

    def parsed(slug: str, data: bytes) -> Page:
        done.append(slug)
        return parse(slug, data)

    def detected(*given: Any, **named: Any) -> Findings:
        done.append("detect")
        return detect(*given, **named)

    monkeypatch.setattr(pages, "parse", parsed)
    monkeypatch.setattr(detectors, "detect", detected)
    return done


def both(desk: PageCache, run: Run) -> None:
    desk.detect(run, desk.load(run, brains.Free()))


def test_the_second_stage_of_a_run_parses_and_detects_nothing(run: Run, counted: list[str]) -> None:
    desk = PageCache()
    both(desk, run)
    assert sorted(counted) == sorted([*(name.removesuffix(".md") for name in brains.STORY), "detect"])
    counted.clear()
    both(desk, run)
    assert counted == []


def test_what_it_gives_is_what_the_plain_functions_give(run: Run) -> None:
    desk = PageCache()
    both(desk, run)
    by_slug = evidence.load(run.root, brains.Free())
    assert desk.load(run, brains.Free()) == by_slug
    assert desk.detect(run, by_slug) == evidence.detect(run, by_slug)


def test_a_page_with_the_same_size_and_times_but_other_bytes_is_read_again(run: Run, counted: list[str]) -> None:
    desk = PageCache()
    both(desk, run)
    path = run.root / layout.BRAIN / f"{BRIEFING}.md"
    status = path.stat()
    path.write_text(path.read_text().replace("62k", "63k"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_size == status.st_size
    counted.clear()
    assert "63k" in desk.load(run, brains.Free())[BRIEFING].body
    both(desk, run)
    assert counted == [BRIEFING, "detect"]


def test_a_file_that_is_no_page_stays_none_beside_a_page_of_its_name(run: Run) -> None:
    desk = PageCache()
    before = desk.load(run, brains.Free())
    (run.root / layout.BRAIN / BRIEFING).write_text("an agent's note")
    (run.root / layout.BRAIN / "people" / "README.md").write_text("a folder's own index")
    assert desk.load(run, brains.Free()) == before


def test_evidence_pages_are_those_that_the_record_index_names(run: Run) -> None:
    path, brain = f"{BRIEFING}.md", run.root / layout.BRAIN
    rendered = {path: hashlib.sha256((brain / path).read_bytes()).digest()}
    (brain / "people" / "eve.md").write_text("# Eve")
    by_slug = evidence.load(run.root, brains.Free(), rendered=rendered)
    assert {slug for slug in by_slug if slug.startswith("sources/")} == {BRIEFING}
    assert list(by_slug) == sorted(by_slug)
    everything = evidence.load(run.root, brains.Free())
    assert "sources/cloop/chat-sessions/dates-b2" in everything
    assert by_slug[BRIEFING].body == everything[BRIEFING].body
    digests = pagefiles.digests(run.root, brains.Free(), rendered=rendered)
    assert digests == {
        name: digest
        for name, digest in pagefiles.digests(run.root, brains.Free()).items()
        if pages.slug_of(name) in by_slug
    }
    assert list(digests) == sorted(digests)


def test_what_memory_holds_is_told_beside_what_the_pages_show(run: Run) -> None:
    desk = brains.desk()
    by_slug = desk.load(run, brains.Free())
    findings = desk.detect(run, by_slug)
    assert [finding.text for finding in findings.open_loops] == [
        "\u201cRenew the Borealis contract\u201d is on your list, due Mon 30 Nov.",
        "\u201csend the deck\u201d is assigned to Anna Kowal, was due Fri 6 Nov, 21 days ago.",
        "\u201cBook the venue for the offsite\u201d is on your list.",
    ]
    assert [finding.text for finding in findings.contradictions] == [
        "Harbor, budget: Tom Berg says 48,000 USD (Fri 6 Nov) but one record says 62,000 USD (Sat 7 Nov).",
        "Lighthouse, launch: one record says Fri 20 Nov (Mon 2 Nov) but you say Fri 4 Dec (Thu 5 Nov).",
    ]
    assert [finding.text.split(":")[0] for finding in findings.people] == ["Anna Kowal"]
    for finding in findings.all():
        assert finding.citations
        assert all(
            isinstance(citations.resolve(citation, by_slug.get), citations.Resolved) for citation in finding.citations
        )


def test_what_stands_on_no_page_is_not_told_but_counted(run: Run) -> None:
    (run.root / layout.BRAIN / f"{BRIEFING}.md").unlink()
    desk = brains.desk()
    findings = desk.detect(run, desk.load(run, brains.Free()))
    assert [finding.text.split(",")[0] for finding in findings.contradictions] == ["Lighthouse"]
    assert findings.counts["uncited"] == 1


@pytest.mark.parametrize(
    ("period", "zone", "requested", "expected"),
    [
        ("2026-11-27", "America/Los_Angeles", "2026-11-27T04:10:00+00:00", "2026-11-26 20:10 -08:00"),
        ("2026-11-27T04", "America/Los_Angeles", "2026-11-27T04:10:00+00:00", "2026-11-26 20:10 -08:00"),
        ("2026-11-27T04", "America/Los_Angeles", "2026-11-29T09:00:00+00:00", "2026-11-26 20:00 -08:00"),
        ("2026-11-27", "Asia/Tokyo", "2026-11-29T09:00:00+00:00", "2026-11-27 21:00 +09:00"),
        ("2026-11-27", "No/Such", "2026-11-27T09:30:00+02:00", "2026-11-27 07:30 +00:00"),
    ],
)
def test_today_is_the_users(run: Run, period: str, zone: str, requested: str, expected: str) -> None:
    asked = datetime.fromisoformat(requested)
    job = run.job.model_copy(update={"period": period, "timezone": zone, "requested_at": asked})
    moved = replace(run, job=job)
    assert evidence.now(moved) == expected
    assert evidence.day(moved).isoformat() == expected[:10]


def test_a_page_that_went_is_gone(run: Run) -> None:
    desk = PageCache()
    both(desk, run)
    (run.root / layout.BRAIN / f"{BRIEFING}.md").unlink()
    assert BRIEFING not in desk.load(run, brains.Free())


def test_another_report_page_is_no_reason_to_detect_again(run: Run, counted: list[str]) -> None:
    desk = PageCache()
    both(desk, run)
    brains.write(run.root, {"reports/insights/x.md": brains.page("Earlier", "Told.")})
    counted.clear()
    both(desk, run)
    assert counted == []


@pytest.mark.parametrize("slug", ["meetings/board", "daily/2026-11-27", "reports/insights/x"])
def test_what_no_detector_reads_is_read_as_it_is_when_a_claim_asks_for_it(
    run: Run, counted: list[str], slug: str
) -> None:
    desk = PageCache()
    brains.write(run.root, {f"{slug}.md": brains.page("Board", "Rendered.")})
    both(desk, run)
    path = run.root / layout.BRAIN / f"{slug}.md"
    path.write_text(path.read_text().replace("Rendered.", "Written by an agent."))
    counted.clear()
    page = desk.load(run, brains.Free())[slug]
    assert counted == []
    assert page.checksum == f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
    assert "Written by an agent." in page.body
    assert counted == [slug]
    path.write_bytes(b"---\ntitle: [\n---\nrest\xff")
    assert desk.load(run, brains.Free())[slug].is_empty


def rendered(run: Run) -> Path:
    """Tell the record index that the briefing's file is as it was rendered; -> the file."""
    path = run.root / layout.BRAIN / f"{BRIEFING}.md"
    with open_index(run.root / layout.RENDER_INDEX) as index:
        index.set_group("stem", "c", "job", {f"{BRIEFING}.md": hashlib.sha256(path.read_bytes()).digest()})
        index.commit()
    return path


def test_a_page_that_the_index_knows_is_read_when_its_text_is_asked_for(run: Run, counted: list[str]) -> None:
    plain = evidence.load(run.root, brains.Free())[BRIEFING]
    rendered(run)
    counted.clear()
    page = brains.desk().load(run, brains.Free())[BRIEFING]
    assert BRIEFING not in counted
    assert page.checksum == plain.checksum
    assert (page.title, page.head, page.body, page.sections) == (plain.title, plain.head, plain.body, plain.sections)
    assert counted.count(BRIEFING) == 1


def test_a_page_with_other_bytes_than_the_index_knows_has_their_checksum_once_it_is_read(run: Run) -> None:
    path = rendered(run)
    path.write_text(path.read_text().replace("62k", "63k"))
    page = brains.desk().load(run, brains.Free())[BRIEFING]
    assert "63k" in page.body
    assert page.checksum == f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def test_a_page_that_the_index_knows_and_that_is_none_any_more_has_no_text(run: Run) -> None:
    rendered(run).write_bytes(b"---\ntitle: [\n---\nrest\0")
    assert brains.desk().load(run, brains.Free())[BRIEFING].sections == ()


def test_an_agents_page_is_read_whatever_the_index_knows(run: Run, counted: list[str]) -> None:
    """Agents write below the marker of pages of people: only evidence is sealed."""
    brains.write(run.root, {"people/anna.md": brains.page("Anna", "Rendered.")})
    path = run.root / layout.BRAIN / "people/anna.md"
    with open_index(run.root / layout.RENDER_INDEX) as index:
        index.set_group("people", "c", "job", {"people/anna.md": hashlib.sha256(path.read_bytes()).digest()})
        index.commit()
    path.write_text(path.read_text().replace("Rendered.", "Written by an agent."))
    assert "Written by an agent." in brains.desk().load(run, brains.Free())["people/anna"].body
    assert "people/anna" in counted


def test_another_job_another_day_and_another_memory_of_the_last_report_start_anew(run: Run, counted: list[str]) -> None:
    desk = PageCache()
    both(desk, run)
    counted.clear()
    tomorrow = replace(run, job=run.job.model_copy(update={"period": "2026-11-28"}))
    both(desk, tomorrow)
    assert counted == ["detect"]
    evidence.cover(tomorrow, desk.load(tomorrow, brains.Free()))
    both(desk, tomorrow)
    assert counted == ["detect", "detect"]
    counted.clear()
    both(desk, brains.run(run.root, job_id="11111111-5c1d-4c55-9d55-0f6d2f3f1a01"))
    assert len(counted) == len(brains.STORY) + 1


def test_the_caller_may_change_what_it_was_given(run: Run) -> None:
    desk = PageCache()
    desk.load(run, brains.Free()).clear()
    assert len(desk.load(run, brains.Free())) == len(brains.STORY)


def test_the_report_leaves_the_desk_empty(run: Run, counted: list[str]) -> None:
    desk = PageCache()
    both(desk, run)
    counted.clear()
    Report(desk).run(run, brains.Free())
    assert counted == []
    both(desk, run)
    assert "detect" in counted


def test_what_is_no_file_is_no_page(run: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A pipe would be waited for; a link may lead to what nobody put into this brain."""
    before = evidence.load(run.root, brains.Free())
    outside = tmp_path_factory.mktemp("elsewhere") / "page.md"
    outside.write_bytes((run.root / layout.BRAIN / pages.path_of(next(iter(before)))).read_bytes())
    folder = run.root / layout.BRAIN / "people"
    folder.mkdir(exist_ok=True)
    os.mkfifo(folder / "pipe.md")
    (folder / "link.md").symlink_to(outside)
    assert evidence.load(run.root, brains.Free()) == before


def test_a_page_of_any_size_is_read_whole(run: Run) -> None:
    data = b"# Long\n\n" + b"word " * 60_000
    (run.root / layout.BRAIN / "long.md").write_bytes(data)
    page = evidence.load(run.root, brains.Free())["long"]
    assert page == pages.parse("long", data)


def test_without_a_brain_there_are_no_pages(tmp_path: Path) -> None:
    assert evidence.load(tmp_path, brains.Free()) == {}
