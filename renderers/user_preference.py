"""User preferences -> one page, an anchor per preference."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "key")


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(item.data, ("Key", "key"))


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Value", item.data, "value")]


RENDERER = RecordRenderer(
    "user_preference", VERSION, _title, _facts, _sections, "User preferences", "User preference", eventful=False
)
