"""Granola transcripts -> a page per meeting: notes, analysis, full transcript, attendees."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, Mention, RecordRenderer, RecordSection

VERSION = 2


def _title(item: Item) -> str:
    return fields.text(item.data, "title")


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.times(item.data, ("Started", "meeting_started_at"), ("Ended", "meeting_ended_at"))


def _sections(item: Item) -> list[RecordSection]:
    return [
        fields.section("Notes", item.data, "notes"),
        fields.section("Analysis", item.data, "analysis"),
        fields.section("Transcript", item.data, "transcript"),
    ]


def _mentions(item: Item) -> list[Mention]:
    data = item.data
    meeting = fields.meeting(item, _title(item), "meeting_started_at", "transcript")
    return [*fields.people(data.get("attendees"), "attendee"), *meeting]


RENDERER = RecordRenderer(
    "granola_transcript", VERSION, _title, _facts, _sections, "Granola transcripts", "Granola", _mentions
)
