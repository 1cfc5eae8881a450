"""A user's life, hour by hour, through the real export, render and report stages: what each hour's digest reports, and
when the next is due.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from consumer.delivery.pipeline import is_idle
from consumer.reports import evidence
from consumer.stages.report import Report
from tests import brains
from tests.fake_export import EPOCH, Row, export_and_render, run_of
from tests.stories import Story

_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Digest:
    """``at``: the user's time at which it was due. ``document`` and ``page``: empty if nothing was written."""

    at: datetime
    document: Mapping[str, Any]
    page: str

    def texts(self, part: str = "lines") -> list[str]:
        return [line["text"] for line in self.document.get(part, ())]

    def kinds(self, part: str = "lines") -> list[str]:
        return [line["kind"] for line in self.document.get(part, ())]


@dataclass
class Life(Story):
    """A story whose rows change at their own times. Each job continues from the job before."""

    cursors: Mapping[str, Any] = field(default_factory=dict)
    wake_at: datetime | None = None
    jobs: int = 0

    def put(self, table: str, at: str, row_id: str = "", /, **data: Any) -> str:
        row_id = row_id or f"{table[:3]}-{next(self._rows)}"
        when = self.time(at)
        self.server.put(table, row_id, Row(int((when - EPOCH).total_seconds()), when, data))
        return row_id

    def meeting(self, starts: str, at: str, version: int, **details: Any) -> str:
        """A version of the only entry of the calendar, with Ann."""
        body = {"start": starts, "end": starts, "attendees": [{"email": "ann@lee.example", "displayName": "Ann Lee"}]}
        fields = {"source_ref": "board", "external_seq": str(version), "occurred_at": starts}
        return self.event("Board", at, f"v{version}", body=orjson.dumps({**body, **details}).decode(), **fields)

    def backfill(self, at: str) -> Digest:
        return self._job(at, "backfill_digest")

    def hour(self, at: str, period: str = "") -> Digest:
        """The digest of the hour with this time. ``period``: another hour, in UTC."""
        return self._job(at, "hourly_digest", period)

    def until(self, start: str, end: str) -> Iterator[Digest]:
        """The digests of hours without news, in which something falls due."""
        at, last = self.time(start).astimezone(UTC), self.time(end)
        while at < last:
            if self.wake_at is not None and self.wake_at < at + _HOUR:
                due = max(at, self.wake_at).astimezone(ZoneInfo(self.zone))
                digest = self.hour(due.isoformat())
                if digest.document:
                    yield digest
            at += _HOUR

    def _job(self, at: str, job_type: Any, period: str = "") -> Digest:
        self.jobs += 1
        when = self.time(at).astimezone(UTC)
        form = "%Y-%m-%dT%H" if job_type == "hourly_digest" else "%Y-%m-%d"
        spec = {"timezone": self.zone, "requested_at": when, "period": period or when.strftime(form)}
        run = run_of(self.root, self.server, job_type, self.jobs, **spec)
        wake_at = evidence.told_ledger(self.root).wake_at
        woken_at = wake_at if wake_at and wake_at <= when else None
        run = replace(run, started_at=when, cursors=self.cursors, wake_at=wake_at, woken_at=woken_at)
        run = replace(export_and_render(run, force=job_type == "backfill_digest"), timings={})
        document: dict[str, Any] = {}
        page = ""
        if not is_idle(run):
            run = Report(brains.desk()).run(run, brains.Free())
            if run.reported is not None:
                document = orjson.loads((self.root / run.reported.json).read_bytes())
                page = (self.root / run.reported.markdown).read_text("utf-8")
        self.cursors, self.wake_at = run.cursors, run.wake_at
        return Digest(self.time(at), document, page)
