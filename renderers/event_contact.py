"""Event contacts -> a page a week: which contact took which part in which event."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, Section

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "role") or "participant"


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(item.data, ("Role", "role"), ("Event", "event_id"), ("Contact", "contact_id"))


def _sections(item: Item) -> list[Section]:
    return [fields.section("Note", item.data, "note")]


RENDERER = RecordRenderer("event_contact", VERSION, _title, _facts, _sections, "Event contacts", "Event contact")
