"""
The sample user's days told hour by hour: each row as the app wrote it then, and the digests that the stages make of it.

Export and render run as in a job, without a brain, a model, or a bucket between the jobs; so does report for the
``whole`` of it, else only what its lines, its ledger and its ``wake_at`` come from. Jobs are planned as the control
plane plans them: an hour runs with news, and whatever its ``wake_at`` is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson

from consumer import layout
from consumer.delivery.pipeline import is_idle
from consumer.evidence.index import open_index
from consumer.evidence.pages import Page
from consumer.reports import evidence, recall, reporting
from consumer.reports.detectors import Findings, changes, records
from consumer.reports.evidence import PageCache, ReportBasis
from consumer.reports.reporting import Statement
from consumer.run import Reported, Run
from consumer.stages.report import Report, remember_told
from contract.overlay import EMPTY
from local.seed.rows import Rows
from local.seed.sample import MAIN
from tests import sample_user
from tests.fake_export import FakeExport, OpenGuard, Row, export_and_render, run_of

#: When in its hour a job of this user starts.
START: Final = timedelta(minutes=5)
_HOUR: Final = timedelta(hours=1)
#: Sources of what says who the user is, whom they know, and what they want.
_SETTINGS: Final = frozenset({"contacts", "user_profiles", "user_rules"})

#: Where a record stands: page below ``brain/`` without its extension, and anchor.
Place = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class ToldDigest:
    """One report. ``at``: when it was written, on the user's clock. ``records``: place -> (source, record id)."""

    at: datetime
    document: Mapping[str, Any]
    page: str
    records: Mapping[Place, tuple[str, str]]


@dataclass(slots=True)
class Replay:
    """One user's workspace below ``root``, and the rows that are still to come.

    ``written``: (time, source, record id, row) of each version of each row, in place of those of ``rows``.

    ``profile``: fields of the user's profile that replace those of the sample, such as another locale. ``whole``:
    whether reports are written, with all that the stage writes besides. ``story_only``: without the quiet days around
    the story, in a tenth of the time.
    """

    root: Path
    rows: Rows | None = None
    profile: Mapping[str, Any] = field(default_factory=dict)
    whole: bool = False
    story_only: bool = False
    zone: ZoneInfo = field(default=ZoneInfo(MAIN.timezone))
    written: Sequence[tuple[datetime, str, str, Row]] = ()
    #: Jobs that ran, and those of them that had anything to do.
    jobs: int = 0
    _server: FakeExport = field(default_factory=FakeExport)
    _cursors: Mapping[str, Any] = field(default_factory=dict)
    _wake_at: datetime | None = None
    _pages: Mapping[str, Page] = field(default_factory=dict)
    _coming: list[tuple[datetime, str, str, Row]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._coming = sorted(self.written, key=lambda version: version[:3], reverse=True)
        if self.rows is None:
            return
        wanted = set(sample_user.story()[1].values()) if self.story_only else None
        self._coming = [
            version
            for version in sample_user.history(self.rows)
            if wanted is None or version[1:3] in wanted or version[1] in _SETTINGS
        ][::-1]

    def backfill(self, at: datetime) -> ToldDigest:
        """The first report, of all that was written by then."""
        self._write_until(at)
        digest = self._job("backfill_digest", at, f"{at.astimezone(UTC):%Y-%m-%d}")
        assert digest is not None, "a backfill always reports"
        return digest

    def until(self, start: datetime, end: datetime) -> Iterator[ToldDigest]:
        """The digests of the hours from ``start`` (a full hour) to ``end``."""
        hour = start
        while hour < end:
            at = hour + START
            has_news = self._write_until(at)
            wakes = self._wake_at is not None and self._wake_at < hour + _HOUR
            if has_news or wakes:
                if not has_news and self._wake_at is not None:
                    at = max(at, self._wake_at)
                digest = self._job("hourly_digest", at, f"{hour.astimezone(UTC):%Y-%m-%dT%H}")
                if digest is not None:
                    yield digest
            hour += _HOUR

    def _write_until(self, at: datetime) -> bool:
        """Write the rows up to a time; whether there were any."""
        count = len(self._coming)
        while self._coming and self._coming[-1][0] <= at:
            _, source, ident, row = self._coming.pop()
            if source == "user_profiles":
                row = replace(row, data={**(row.data or {}), **self.profile})
            self._server.put(source, ident, row)
        return len(self._coming) < count

    def _job(self, job_type: str, at: datetime, period: str) -> ToldDigest | None:
        self.jobs += 1
        run = run_of(
            self.root,
            self._server,
            job_type,
            self.jobs,
            timezone=str(self.zone),
            requested_at=at.astimezone(UTC),
            period=period,
        )
        wake_at = evidence.told_ledger(self.root).wake_at
        woken_at = wake_at if wake_at and wake_at <= at else None
        run = replace(run, started_at=at.astimezone(UTC), cursors=self._cursors, woken_at=woken_at, wake_at=wake_at)
        # The story, and mail alone, begin with fewer records than a backfill asks for.
        is_partial = self.story_only or self.rows is None
        run = export_and_render(run, force=is_partial and job_type == "backfill_digest")
        digest = None
        if not is_idle(run):
            run, digest = self._report(run, at) if self.whole else self._lines(run, at)
        self._cursors, self._wake_at = run.cursors, run.wake_at
        return digest

    def _report(self, run: Run, at: datetime) -> tuple[Run, ToldDigest | None]:
        run = Report(PageCache(open_index)).run(run, OpenGuard())
        if run.reported is None:
            return run, None
        document = orjson.loads((self.root / run.reported.json).read_bytes())
        page = (self.root / run.reported.markdown).read_text("utf-8")
        return run, ToldDigest(at.astimezone(self.zone), document, page, self._places())

    def _lines(self, run: Run, at: datetime) -> tuple[Run, ToldDigest | None]:
        """What the report stage does for the lines of a digest alone, by its own functions."""
        with open_index(self.root / layout.RENDER_INDEX) as index:
            rendered = index.digests(records.EVIDENCE)
            self._pages = evidence.load(self.root, OpenGuard(), self._pages, rendered)
            recalled = recall.recall(run, EMPTY, index, self._pages, evidence.now(run))
            assert recalled.telling is not None, "memory was recalled"
            telling, ledger = recalled.telling, evidence.told_ledger(self.root)
            before = evidence.covered(self.root, run.job.job_type)
            revised = run.rendered.revisions if run.rendered else ()
            rewritten, _ = changes.find(self._pages, before, evidence.touched(run), revised)
            edition = evidence.edition_of(run, ledger, telling, recalled.reads_as, rewritten)
            tells = edition.matters or run.job.job_type == "backfill_digest"
            if tells:
                evidence.cover(run, self._pages)
                run = replace(run, reported=Reported("", "", "", 0, 0))
        basis = ReportBasis(Findings(), telling.memory, ledger=ledger, reads_as=recalled.reads_as, edition=edition)
        run = remember_told(run, basis)
        if not tells:
            return run, None
        printed = reporting.printed_lines(edition, self._pages.get)
        document = {
            "edition": "daily" if printed.daily else run.job.job_type.removesuffix("_digest"),
            "more": printed.more,
            "lines": _plain(printed.lines),
            "day_ahead": _plain(printed.day_ahead),
            "since_evening": _plain(printed.since_evening),
        }
        return run, ToldDigest(at.astimezone(self.zone), document, "", self._places())

    def _places(self) -> dict[Place, tuple[str, str]]:
        """Where the records of the story stand by now."""
        keys = {version[1:3] for version in self.written} or set(sample_user.story()[1].values())
        with open_index(self.root / layout.RENDER_INDEX) as index:
            placed = {key: index.find(*key) for key in keys}
        return {
            (record.page.removesuffix(".md"), record.anchor or None): key for key, record in placed.items() if record
        }


def _plain(statements: Sequence[Statement]) -> list[dict[str, Any]]:
    return [{"kind": statement.group, **statement.to_json()} for statement in statements]
