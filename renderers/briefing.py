"""Briefings -> a page per briefing. Generated text: evidence of what the user was told, not of facts."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, RecordSection

VERSION = 2


def _title(item: Item) -> str:
    return (
        fields.text(item.data, "title")
        or " ".join((fields.text(item.data, "kind"), fields.text(item.data, "briefing_date"))).strip()
    )


def _facts(item: Item) -> list[tuple[str, str]]:
    return [
        *fields.facts(item.data, ("Kind", "kind"), ("Model", "model")),
        *fields.times(item.data, ("Generated", "generated_at")),
    ]


def _sections(item: Item) -> list[RecordSection]:
    return [
        fields.section("Summary", item.data, "summary"),
        fields.section("Briefing", item.data, "content_markdown"),
        fields.section("Sections", item.data, "sections"),
    ]


RENDERER = RecordRenderer("briefing", VERSION, _title, _facts, _sections, "Briefings", "Briefing")
