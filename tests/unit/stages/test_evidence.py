"""The desk between synthesize and report: nothing is done twice, and nothing old is believed."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumer import layout
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.reports import detectors, evidence
from consumer.reports.detectors import Findings, open_loops
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

    def detected(*given: Any) -> Findings:
        done.append("detect")
        return detect(*given)

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
    found = evidence.load(run.root, brains.Free())
    assert desk.load(run, brains.Free()) == found
    assert desk.detect(run, found) == evidence.detect(run, found)


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
    assert counted == ["reports/insights/x"]


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


WORDS = st.frozensets(st.sampled_from(["venue", "badge", "budget", "invoice", "contract"]))
NUMBERS = st.frozensets(st.sampled_from(["1", "2"]))
ABOUT = st.builds(open_loops._About, WORDS, NUMBERS)
TOLD = st.lists(st.tuples(st.dates(date(2026, 1, 1), date(2026, 1, 5)), ABOUT), max_size=12)


@given(ABOUT, st.dates(date(2026, 1, 1), date(2026, 1, 5)), TOLD)
def test_what_was_kept_is_found_by_its_words_as_by_comparing_all(
    about: open_loops._About, said: date, told: list[tuple[date, open_loops._About]]
) -> None:
    enough = max(2, 0.6 * len(about.words))
    compared = any(
        when >= said and len(about.words & other.words) >= enough and not about.numbered_apart(other)
        for when, other in told
    )
    assert open_loops._Done.of(told).covers(about, said) == (len(about.words) >= 2 and compared)


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
