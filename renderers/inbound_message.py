"""Inbound messages -> a page per local day, channel and thread; the sender is a person."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, Mention, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "sender_name") or fields.text(item.data, "sender_address") or "Unknown sender"


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(
        item.data,
        ("From", "sender_name"),
        ("Address", "sender_address"),
        ("Channel", "channel"),
        ("Thread", "thread_id"),
    )


def _sections(item: Item) -> list[RecordSection]:
    return [
        fields.section("Message", item.data, "normalized_text"),
        fields.section("Parsed", item.data, "parse_result"),
    ]


def _mentions(item: Item) -> list[Mention]:
    return fields.person(fields.text(item.data, "sender_name"), fields.text(item.data, "sender_address"), "sender")


RENDERER = RecordRenderer(
    "inbound_message", VERSION, _title, _facts, _sections, "Inbound messages", "Inbound message", _mentions
)
