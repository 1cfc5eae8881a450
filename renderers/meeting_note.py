"""Meeting notes -> a page per note, linked to its meeting and attendees."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, Mention, RecordRenderer, RecordSection

VERSION = 2


def _title(item: Item) -> str:
    return fields.text(item.data, "title")


def _facts(item: Item) -> list[tuple[str, str]]:
    return [
        *fields.times(item.data, ("Started", "meeting_started_at")),
        *fields.facts(item.data, ("Calendar event", "calendar_event_id"), ("Source", "source_ref")),
    ]


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Note", item.data, "note_text"), fields.section("Structured note", item.data, "note_json")]


def _mentions(item: Item) -> list[Mention]:
    data = item.data
    meeting = fields.meeting(item, _title(item), "meeting_started_at", "note")
    return [*fields.people(data.get("attendees"), "attendee"), *meeting]


RENDERER = RecordRenderer(
    "meeting_note", VERSION, _title, _facts, _sections, "Meeting notes", "Meeting note", _mentions
)
