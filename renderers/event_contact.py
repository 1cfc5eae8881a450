"""Event contacts -> a page per week: each contact's role in each event."""

from __future__ import annotations

from renderers import fields
from renderers import markdown as md
from renderers.base import Item, RecordRenderer, RecordSection, Ref

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "role") or "participant"


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(item.data, ("Role", "role"))


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Note", item.data, "note")]


def _refs(item: Item) -> list[Ref]:
    data = item.data
    role = md.one_line(fields.text(data, "role")) or "participant"
    return [
        *fields.refs(data, ("Contact", "contact_id", "contacts"), inherit_role=role),
        *fields.refs(data, ("Event", "event_id", "activity_events")),
    ]


RENDERER = RecordRenderer(
    "event_contact",
    VERSION,
    _title,
    _facts,
    _sections,
    "Event contacts",
    "Event contact",
    refs=_refs,
    eventful=False,
    told_by="activity_events",
)
