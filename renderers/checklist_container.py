"""Checklist containers -> one page: the areas by which a user groups work, each a project."""

from __future__ import annotations

from renderers import fields
from renderers import markdown as md
from renderers.base import Item, Mention, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "name")


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(item.data, ("Status", "status"), ("Priority", "priority"), ("Color", "color"))


def _sections(item: Item) -> list[RecordSection]:
    return [
        fields.section("Description", item.data, "description"),
        fields.section("Landscape", item.data, "landscape"),
    ]


def _mentions(item: Item) -> list[Mention]:
    status = md.one_line(fields.text(item.data, "status"))
    return fields.project(_title(item), "container", (("Status", status),) if status else ())


RENDERER = RecordRenderer(
    "checklist_container",
    VERSION,
    _title,
    _facts,
    _sections,
    "Checklist containers",
    "Checklist container",
    _mentions,
    eventful=False,
)
