"""Activity events -> a page per local day and source, an anchor per event; a long event has its own page."""

from __future__ import annotations

from collections.abc import Mapping

from renderers import fields
from renderers.base import Item, Mention, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "title") or fields.text(item.data, "event_type")


def _facts(item: Item) -> list[tuple[str, str]]:
    facts = fields.facts(
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
    return [*facts, *_location(item.data.get("body"))]


def _location(body: object) -> list[tuple[str, str]]:
    """Where an entry of a calendar takes place, which only its body says: a text, or an object with a name."""
    if not isinstance(body, Mapping):
        return []
    location = body.get("location")
    if isinstance(location, Mapping):
        return fields.facts(location, ("Location", "displayName"))
    return fields.facts(body, ("Location", "location")) if isinstance(location, str) else []


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Summary", item.data, "summary"), fields.section("Body", item.data, "body")]


def _mentions(item: Item) -> list[Mention]:
    return fields.project(fields.text(item.data, "project"), fields.text(item.data, "event_type"))


RENDERER = RecordRenderer("activity_event", VERSION, _title, _facts, _sections, "Activity", "Activity", _mentions)
