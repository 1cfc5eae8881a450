"""Outbound messages -> a page per local day, channel and thread: clo0p's messages, recipients and their state."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, Mention, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return (
        fields.text(item.data, "recipient_name") or fields.text(item.data, "recipient_address") or "Unknown recipient"
    )


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(
        item.data,
        ("To", "recipient_name"),
        ("Address", "recipient_address"),
        ("Channel", "channel"),
        ("Thread", "thread_id"),
        ("Template", "template"),
        ("In reply to", "in_reply_to"),
        ("Status", "status"),
    )


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Message", item.data, "body_text")]


def _mentions(item: Item) -> list[Mention]:
    return fields.person(
        fields.text(item.data, "recipient_name"), fields.text(item.data, "recipient_address"), "recipient"
    )


RENDERER = RecordRenderer(
    "outbound_message", VERSION, _title, _facts, _sections, "Outbound messages", "Outbound message", _mentions
)
