"""The law: pages after a backfill and increments are, byte for byte, the pages of a fresh backfill."""

from __future__ import annotations

import re
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cases import cases
from tests.fake_export import OVERLAP_S, FakeExport, Row, export_and_render, run_of

#: `make soak` tries 25 times as many.
HISTORIES = cases(60)
ZONES = ["UTC", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "No/Such_Zone"]
NAMES = ["Ann Lee", "ann  lee", "Bob", "", "Zoë", "张伟"]
#: Around a change of New York's clocks, and around midnight in several zones.
MOMENTS = [datetime(2026, 3, 8, 4, 30, tzinfo=UTC) + timedelta(hours=h) for h in range(0, 60, 5)]

_text = st.sampled_from(["", "plan", "Plan: the rest", "---\n# x", "a" * 300, "line\n\nline\n" * 30])
_when = st.none() | st.sampled_from(MOMENTS)


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _granola(title: str, when: datetime | None, name: str, text: str) -> dict[str, Any]:
    return {"title": title, "meeting_started_at": _iso(when), "attendees": [{"name": name}], "transcript": text}


def _item(title: str, when: datetime | None, name: str, text: str) -> dict[str, Any]:
    return {"title": title, "people": [name], "project": text[:20], "checked": bool(text)}


def _event(title: str, when: datetime | None, name: str, text: str) -> dict[str, Any]:
    return {"title": title, "source": name, "event_type": "mail", "project": title, "body": text * 8}


def _note(title: str, when: datetime | None, name: str, text: str) -> dict[str, Any]:
    return {"title": title, "meeting_started_at": _iso(when), "attendees": [name], "note_text": text}


def _contact(title: str, when: datetime | None, name: str, text: str) -> dict[str, Any]:
    return {"display_name": name, "summary": text, "company": title}


def _edge(title: str, when: datetime | None, name: str, text: str) -> dict[str, Any]:
    return {"contact_id": f"id-{len(title) % 6}", "event_id": f"id-{len(text) % 6}", "role": name}


def _briefing(title: str, when: datetime | None, name: str, text: str) -> dict[str, Any]:
    return {"title": title, "briefing_date": (_iso(when) or name or "2026-03-08")[:10], "summary": text}


def _message(title: str, when: datetime | None, name: str, text: str) -> dict[str, Any]:
    return {"channel": "email", "thread_id": title[:4], "sender_name": name, "normalized_text": text}


def _action(title: str, when: datetime | None, name: str, text: str) -> dict[str, Any]:
    return {"item_id": f"id-{len(text) % 6}", "action": title}


SHAPES = {
    "contacts": _contact,
    "event_contacts": _edge,
    "checklist_action_log": _action,
    "granola_transcripts": _granola,
    "checklist_items": _item,
    "activity_events": _event,
    "meeting_notes": _note,
    "briefings": _briefing,
    "inbound_messages": _message,
}
_change = st.tuples(
    st.sampled_from(sorted(SHAPES)), st.integers(0, 5), _text, _when, st.sampled_from(NAMES), _text, st.integers(0, 3)
)
_step = st.one_of(
    st.tuples(st.just("put"), _change),
    st.tuples(st.just("put"), _change),
    st.tuples(st.just("late"), _change),
    st.tuples(st.just("delete"), st.sampled_from(sorted(SHAPES)), st.integers(0, 5)),
    st.tuples(st.just("zone"), st.sampled_from(ZONES)),
    st.tuples(st.just("export"), st.integers(1, 7)),
    st.tuples(st.just("backfill"), st.integers(1, 7)),
)


class History:
    """One user's tables and one workspace that follows them."""

    def __init__(self, root: Path) -> None:
        self.server = FakeExport()
        self.root = root
        self.now_s = 0
        self.exported_s = 0
        self.jobs = 0
        self.zone = "UTC"
        self.cursors: dict[str, Any] = {}

    def apply(self, step: tuple[Any, ...]) -> None:
        kind, *rest = step
        getattr(self, f"_{kind}")(*rest)

    def _put(self, change: tuple[Any, ...]) -> None:
        # A step of 0 s makes equal change times.
        self.now_s += change[-1]
        self._row(change, self.now_s)

    def _late(self, change: tuple[Any, ...]) -> None:
        """Committed now, with a change time that an export has passed already, but not by more than the overlap."""
        self._row(change, max(self.now_s - OVERLAP_S + 60, -999_999))

    def _row(self, change: tuple[Any, ...], changed_s: int) -> None:
        source, number, title, when, name, text, _ = change
        known = self.server.rows.get(source, {}).get(f"id-{number}")
        if known and known.changed_s > changed_s:
            return  # a row's own change time never goes back
        self.server.put(source, f"id-{number}", Row(changed_s, when, SHAPES[source](title, when, name, text)))

    def _delete(self, source: str, number: int) -> None:
        self.now_s += 1
        self.server.delete(source, f"id-{number}", self.now_s)

    def _zone(self, zone: str) -> None:
        self.zone = zone

    def _export(self, page: int) -> None:
        self._job("hourly_digest", page)

    def _backfill(self, page: int) -> None:
        self._job("backfill_digest", page)

    def _job(self, job_type: str, page: int) -> None:
        self.jobs += 1
        run = run_of(self.root, self.server, job_type, self.jobs, timezone=self.zone)
        done = export_and_render(replace(run, cursors=self.cursors), page)
        self.cursors = dict(done.cursors)


def pages(root: Path) -> dict[str, str]:
    """Path -> text of every page, the one field that the law masks left out."""
    brain = root / "brain"
    return {
        path.relative_to(brain).as_posix(): re.sub(r'(?m)^digest_job_id: ".*"$', "", path.read_text())
        for path in sorted(brain.rglob("*"))
        if path.is_file()
    }


@pytest.mark.timeout(1800)
@settings(max_examples=HISTORIES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(_step, max_size=25), st.integers(1, 7))
def test_increments_end_at_the_bytes_of_a_fresh_backfill(steps: list[tuple[Any, ...]], page: int) -> None:
    with tempfile.TemporaryDirectory() as stepwise, tempfile.TemporaryDirectory() as two:
        history = History(Path(stepwise))
        for step in steps:
            history.apply(step)
        history.apply(("export", page))
        fresh = History(Path(two))
        fresh.server, fresh.zone = history.server, history.zone
        fresh.apply(("backfill", 500))
        assert pages(Path(stepwise)) == pages(Path(two))
