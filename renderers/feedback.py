"""Feedback -> one page, an anchor per piece of feedback."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "kind") or "feedback"


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(item.data, ("Kind", "kind"), ("Rating", "rating"))


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Message", item.data, "message"), fields.section("Context", item.data, "context")]


RENDERER = RecordRenderer("feedback", VERSION, _title, _facts, _sections, "Feedback", "Feedback")
