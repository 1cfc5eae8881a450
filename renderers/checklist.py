"""Checklists -> a page per week, an anchor per daily list with its state."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, RecordSection

VERSION = 2


def _title(item: Item) -> str:
    return fields.text(item.data, "title") or fields.text(item.data, "checklist_date")


def _facts(item: Item) -> list[tuple[str, str]]:
    return [
        *fields.facts(
            item.data,
            ("Status", "status"),
            ("Items", "item_count"),
            ("Completed", "completed_count"),
        ),
        *fields.times(item.data, ("Generated", "generated_at")),
    ]


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Summary", item.data, "summary")]


RENDERER = RecordRenderer("checklist", VERSION, _title, _facts, _sections, "Checklists", "Checklist", eventful=False)
