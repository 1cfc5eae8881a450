"""Whatever order versions of records come in, on whatever pages and in whatever runs: the newest one is there."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consumer import layout
from consumer.evidence.index import open_index
from consumer.run import Run
from contract.api import BatchRequest, BatchResponse
from contract.records import Record
from tests.cases import cases
from tests.fake_export import EPOCH, FakeExport, export_and_render, record, run_of

SOURCE = "checklist_items"
IDS = ["a", "b", "c"]
#: Seconds after EPOCH; a run starts at most at 40, so that later times lie in its future.
TIMES = st.integers(0, 60)

#: (id, changed at, title or None for a deletion).
Change = tuple[str, int, str | None]
_change = st.tuples(st.sampled_from(IDS), TIMES, st.none() | st.sampled_from(["one", "two", "three"]))
_pages = st.lists(st.lists(_change, max_size=4), min_size=1, max_size=3)


@dataclass(frozen=True)
class Job:
    """One run: an increment or a backfill, and the pages that it is given; ``after_s``: seconds since the last."""

    backfill: bool
    after_s: int
    pages: list[list[Change]]


_job = st.builds(Job, st.booleans(), st.integers(0, 15), _pages)


class Scripted(FakeExport):
    """Gives these pages, whatever a real server would do."""

    def __init__(self, pages: list[list[Change]]) -> None:
        super().__init__()
        self._pages = pages

    def batch(self, request: BatchRequest) -> BatchResponse:
        number = int(request.cursor.get("page", 0)) if request.mode != "inventory" else len(self._pages)
        page = self._pages[number] if number < len(self._pages) else []
        more = number + 1 < len(self._pages)
        return BatchResponse(records=tuple(map(_record, page)), next_cursor={"page": number + 1}, has_more=more)


def _record(change: Change) -> Record:
    record_id, at, title = change
    data = None if title is None else {"title": title}
    return record(SOURCE, record_id, data, EPOCH + timedelta(seconds=at), EPOCH if title else None)


@dataclass
class Model:
    """id -> (time that counts, change time, title); the rule in as few words as possible."""

    known: dict[str, tuple[int, int, str | None]] = field(default_factory=dict)

    def run(self, job: Job, started: int) -> None:
        stored, fresh = self.known, dict[str, tuple[int, int, str | None]]()
        news = False
        for record_id, changed, title in (change for page in job.pages for change in page):
            at = min(changed, started)
            last = fresh.get(record_id) or (None if job.backfill else stored.get(record_id))
            if last and at < last[0]:
                continue
            before = (fresh.get(record_id) or stored.get(record_id) or (0, 0, None))[1:]
            news |= (title is not None or before[1] is not None) and before != (changed, title)
            fresh[record_id] = (at, changed, title)
        if job.backfill:
            for record_id, (_, changed, title) in stored.items():
                if title is not None and record_id not in fresh:
                    fresh[record_id] = (min(changed, started), changed, None)
        elif not news:
            return  # nothing is committed
        self.known = {**stored, **fresh}


def _rendered(root: Path) -> dict[str, tuple[str, str]]:
    with closing(open_index(root / layout.RENDER_INDEX)) as index:
        records = ((record_id, index.find(SOURCE, record_id)) for record_id in IDS)
        return {record_id: (record.updated_at, record.title) for record_id, record in records if record}


def _expected(model: Model) -> dict[str, tuple[str, str]]:
    times = {key: EPOCH + timedelta(seconds=changed) for key, (_, changed, _) in model.known.items()}
    return {
        key: (times[key].strftime("%Y-%m-%dT%H:%M:%S.%fZ"), title)
        for key, (_, _, title) in model.known.items()
        if title is not None
    }


def _run(root: Path, job: Job, number: int, started: int) -> Run:
    kind = "backfill_digest" if job.backfill else "hourly_digest"
    run = run_of(root, Scripted(job.pages), kind, number, allowed_sources=(SOURCE,))
    return export_and_render(replace(run, started_at=EPOCH + timedelta(seconds=started)))


@settings(max_examples=cases(40), deadline=None)
@given(st.lists(_job, min_size=1, max_size=5))
def test_the_newest_version_is_there_in_any_order_on_any_page_and_in_any_run(jobs: list[Job]) -> None:
    model, started = Model(), 0
    with tempfile.TemporaryDirectory() as folder:
        for number, job in enumerate(jobs, start=1):
            started = min(started + job.after_s, 40)
            _run(Path(folder), job, number, started)
            model.run(job, started)
            assert _rendered(Path(folder)) == _expected(model)


def _increments(*changes: list[Change]) -> Iterator[Job]:
    return (Job(backfill=False, after_s=10, pages=[change]) for change in changes)


def _after(root: Path, jobs: list[Job], starts: list[int]) -> dict[str, str]:
    for number, (job, started) in enumerate(zip(jobs, starts, strict=True), start=1):
        _run(root, job, number, started)
    return {record_id: title for record_id, (_, title) in _rendered(root).items()}


@pytest.mark.parametrize(
    ("changes", "title"),
    [
        ([[("a", 9, "new")], [("a", 5, "old")]], "new"),
        ([[("a", 9, "new"), ("a", 5, "old")]], "new"),
        ([[("a", 5, "old")], [("a", 9, "new")]], "new"),
        ([[("a", 5, "first")], [("a", 5, "second")]], "second"),
        ([[("a", 3, "x")], [("a", 9, None)], [("a", 5, "old")]], None),
        ([[("a", 9, None), ("b", 1, "b")], [("a", 5, "old")]], None),
        ([[("a", 3, "x")], [("a", 9, None)], [("a", 9, "back")]], "back"),
        ([[("a", 9, "x")], [("a", 5, None)]], "x"),
    ],
    ids=["older", "same-page", "newer", "equal", "deleted", "deleted-unseen", "came-back", "old-deletion"],
)
def test_which_version_wins(tmp_path: Path, changes: list[list[Change]], title: str | None) -> None:
    jobs = list(_increments(*changes))
    titles = _after(tmp_path, jobs, [100] * len(jobs))
    assert titles.get("a") == title


def test_a_clock_that_runs_ahead_does_not_freeze_a_record(tmp_path: Path) -> None:
    jobs = list(_increments([("a", 1_000_000, "of the future")], [("a", 150, "changed since")], [("a", 90, "stale")]))
    assert _after(tmp_path, jobs, [100, 200, 300]) == {"a": "changed since"}


def test_a_deletion_dated_ahead_does_not_keep_a_record_away(tmp_path: Path) -> None:
    jobs = list(_increments([("a", 1, "x")], [("a", 1_000_000, None)], [("a", 250, "back")]))
    assert _after(tmp_path, jobs, [100, 200, 300]) == {"a": "back"}


def test_a_backfill_is_the_authority_and_knows_newest_in_itself(tmp_path: Path) -> None:
    jobs = [
        *_increments([("a", 50, "stored"), ("b", 50, "gone since")]),
        Job(backfill=True, after_s=0, pages=[[("a", 9, "older, and true")], [("a", 5, "older still")]]),
        *_increments([("b", 40, "an old version of what is gone")]),
    ]
    assert _after(tmp_path, jobs, [100, 200, 300]) == {"a": "older, and true"}


def test_what_is_kept_of_a_deletion_does_not_name_the_record(tmp_path: Path) -> None:
    _after(tmp_path, list(_increments([("b", 1, "x"), ("a", 9, None)])), [100])
    kept: list[Any] = [path for path in tmp_path.rglob("stamps.txt")]
    assert len(kept) == 1
    assert len(kept[0].read_text().split()[0]) == 64
