"""Checklist items -> a page per local day, an anchor per item: open, done, or dismissed and why."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, Mention, RecordRenderer, RecordSection, Ref

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "title")


def _facts(item: Item) -> list[tuple[str, str]]:
    return [
        ("State", _state(item)),
        *fields.times(item.data, ("Due", "due_at"), ("Checked", "checked_at"), ("Dismissed", "dismissed_at")),
        *fields.facts(
            item.data,
            ("Dismissed because", "dismissed_reason"),
            ("Priority", "priority"),
            ("Project", "project"),
            ("Source", "source"),
            ("Source reference", "source_ref"),
        ),
    ]


def _state(item: Item) -> str:
    if fields.yes(item.data, "checked"):
        return "done"
    return "dismissed" if fields.yes(item.data, "dismissed") else "open"


def _sections(item: Item) -> list[RecordSection]:
    return [
        fields.section("Description", item.data, "description"),
        fields.section("Reasoning", item.data, "reasoning"),
    ]


def _mentions(item: Item) -> list[Mention]:
    state = f"{_state(item)} item"
    return [*fields.people(item.data.get("people"), state), *fields.project(fields.text(item.data, "project"), state)]


def _refs(item: Item) -> list[Ref]:
    return fields.refs(
        item.data, ("Checklist", "checklist_id", "checklists"), ("Container", "container_id", "checklist_containers")
    )


RENDERER = RecordRenderer(
    "checklist_item", VERSION, _title, _facts, _sections, "Checklist items", "Checklist item", _mentions, refs=_refs
)
