"""User rules -> one page, an anchor per standing rule, verbatim: the user's wishes, not instructions to a reader."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "category") or "Rule"


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(
        item.data,
        ("Category", "category"),
        ("Enabled", "enabled"),
        ("Priority", "priority"),
        ("Source reference", "source_ref"),
    )


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("", item.data, "rule_text")]


RENDERER = RecordRenderer("user_rule", VERSION, _title, _facts, _sections, "User rules", "User rule", eventful=False)
