"""Stories: rows of a user's tables through the export, render and report stages, to what their report says.

A story holds few rows, each as its source has it. ``report()`` gives the lines of the report that a person would read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from consumer.stages.report import Report
from tests import brains
from tests.fake_export import EPOCH, FakeExport, Row, export_and_render, run_of


@dataclass(frozen=True, slots=True)
class Told:
    """What a report says: its findings by kind, as lines, and its whole page."""

    findings: Mapping[str, tuple[str, ...]]
    page: str
    document: Mapping[str, Any]

    @property
    def loops(self) -> tuple[str, ...]:
        return self.findings.get("open_loops", ())

    @property
    def contradictions(self) -> tuple[str, ...]:
        return self.findings.get("contradictions", ())

    @property
    def changes(self) -> tuple[str, ...]:
        return self.findings.get("changes", ())

    @property
    def people(self) -> tuple[str, ...]:
        return self.findings.get("people", ())


@dataclass
class Story:
    """One user's rows. Times without a zone are the user's."""

    root: Path
    zone: str = "Europe/London"
    user: str = "Mara Lindqvist"
    server: FakeExport = field(default_factory=FakeExport)
    _rows: Any = field(default_factory=lambda: count(1))
    _runs: Any = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.put("user_profiles", "2026-11-01", display_name=self.user, timezone=self.zone)

    def time(self, text: str) -> datetime:
        """``2026-11-20``, ``2026-11-20 09:30`` in the user's zone, or an ISO time with a zone."""
        moment = datetime.fromisoformat(text)
        if len(text) == 10:
            moment = moment.replace(hour=9)
        return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(self.zone))

    def put(self, table: str, at: str, row_id: str = "", /, *, written: str = "", **data: Any) -> str:
        """Write a row, or another version of the row with this id.

        ``written``: when; "" for months ago. A calendar entry says what it says then, so only with it is it news.
        """
        number = next(self._rows)
        row_id = row_id or f"{table[:3]}-{number}"
        when = self.time(at)
        # Later versions change later, whatever day they speak of.
        changed = int((self.time(written) - EPOCH).total_seconds()) if written else 1000 * number
        self.server.put(table, row_id, Row(changed, when, data))
        return row_id

    def delete(self, source: str, row_id: str) -> None:
        self.server.delete(source, row_id, 1000 * next(self._rows))

    def item(self, title: str, at: str = "2026-11-20", row_id: str = "", **data: Any) -> str:
        return self.put("checklist_items", at, row_id, title=title, **{"checked": False, "dismissed": False, **data})

    def received(
        self, sender: str, text: str, at: str = "2026-11-20", thread: str = "", row_id: str = "", **data: Any
    ) -> str:
        """A mail from ``Name <address>``."""
        name, address = _sides(sender)
        return self.put(
            *("inbound_messages", at, row_id),
            **{
                "channel": "email",
                "thread_id": thread or None,
                "sender_name": name,
                "sender_address": address,
                "normalized_text": text,
                "received_at": self.time(at).isoformat(),
                **data,
            },
        )

    def sent(
        self, recipient: str, text: str, at: str = "2026-11-20", thread: str = "", row_id: str = "", **data: Any
    ) -> str:
        """A mail of the user's to ``Name <address>``."""
        name, address = _sides(recipient)
        return self.put(
            *("outbound_messages", at, row_id),
            **{
                "channel": "email",
                "thread_id": thread or None,
                "recipient_name": name,
                "recipient_address": address,
                "body_text": text,
                "status": "sent",
                "sent_at": self.time(at).isoformat(),
                **data,
            },
        )

    def chat(self, *lines: tuple[str, str], at: str = "2026-11-20", title: str = "Chat", **data: Any) -> str:
        """A session with the assistant: (role, text)."""
        start = self.time(at)
        messages = [
            {
                "role": role,
                "content": text,
                "created_at": (start + timedelta(minutes=number)).isoformat(),
                "updated_at": (start + timedelta(minutes=number)).isoformat(),
            }
            for number, (role, text) in enumerate(lines)
        ]
        return self.put(
            *("chat_sessions", at), title=title, started_at=start.isoformat(), **{"messages": messages, **data}
        )

    def transcript(self, title: str, *lines: str, at: str = "2026-11-20", attendees: Any = ()) -> str:
        return self.put(
            *("granola_transcripts", at),
            title=title,
            meeting_started_at=self.time(at).isoformat(),
            attendees=list(attendees),
            transcript="\n".join(lines),
        )

    def note(self, title: str, text: str, at: str = "2026-11-20", row_id: str = "", **data: Any) -> str:
        fields = {"title": title, "meeting_started_at": self.time(at).isoformat(), "note_text": text, **data}
        return self.put("meeting_notes", at, row_id, **fields)

    def briefing(self, text: str, at: str = "2026-11-20") -> str:
        return self.put(
            *("briefings", at), briefing_date=at[:10], kind="daily", title="Daily briefing", content_markdown=text
        )

    def contact(self, name: str, *emails: str, at: str = "2026-11-01", row_id: str = "", **data: Any) -> str:
        return self.put("contacts", at, row_id, display_name=name, emails=list(emails), **data)

    def event(self, title: str, at: str = "2026-11-20", row_id: str = "", **data: Any) -> str:
        """A calendar event, as the app's stream of activity has it."""
        return self.put(
            *("activity_events", at, row_id),
            **{"source": "calendar", "event_type": "calendar_event", "title": title, **data},
        )

    def report(self, now: str, job_type: Any = None, **spec: Any) -> Told:
        """Run a job at this time of the user's; the first is a backfill, later ones hourly digests."""
        number = next(self._runs)
        job_type = job_type or ("backfill_digest" if number == 1 else "hourly_digest")
        started_at = self.time(now).astimezone(UTC)
        run = run_of(self.root, self.server, job_type, number, timezone=self.zone, requested_at=started_at, **spec)
        run = export_and_render(replace(run, started_at=started_at))
        run = replace(run, timings={})
        after = Report(brains.desk()).run(run, brains.Free())
        if after.reported is None:
            return QUIET
        document = orjson.loads((self.root / after.reported.json).read_bytes())
        page = (self.root / after.reported.markdown).read_text("utf-8")
        return Told(_findings(document), page, document)


#: An hour in which nothing mattered: no report was written.
QUIET = Told({}, "", {})


def _sides(text: str) -> tuple[str, str]:
    """Name and address of ``Name <address>``."""
    name, _, address = text.rpartition("<")
    return name.strip(), address.strip(" >")


def _findings(document: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(entry["text"] for entry in entries) for key, entries in document["sections"].items()}
