"""Activity events -> a page per local day and source, an anchor per event; a long event has its own page."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, Mention, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "title") or fields.text(item.data, "event_type")


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(
        item.data,
        ("Source", "source"),
        ("Type", "event_type"),
        ("Direction", "direction"),
        ("Project", "project"),
        ("Importance", "importance"),
        ("Amount", "amount"),
        ("Sequence", "external_seq"),
        ("Source reference", "source_ref"),
        ("Address", "url"),
    )


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Summary", item.data, "summary"), fields.section("Body", item.data, "body")]


def _mentions(item: Item) -> list[Mention]:
    return fields.project(fields.text(item.data, "project"), fields.text(item.data, "event_type"))


RENDERER = RecordRenderer("activity_event", VERSION, _title, _facts, _sections, "Activity", "Activity", _mentions)
