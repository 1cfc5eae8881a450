"""Checklist actions -> a page per local day: who did what to which item."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, RecordSection, Ref

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "action")


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(item.data, ("Action", "action"), ("Actor", "actor"))


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Details", item.data, "details")]


def _refs(item: Item) -> list[Ref]:
    return fields.refs(item.data, ("Item", "item_id", "checklist_items"))


RENDERER = RecordRenderer(
    "checklist_action",
    VERSION,
    _title,
    _facts,
    _sections,
    "Checklist actions",
    "Checklist action",
    refs=_refs,
    eventful=False,
)
