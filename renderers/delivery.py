"""Deliveries -> a page per local day and channel: each attempt to deliver a message."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, RecordSection, Ref

VERSION = 2


def _title(item: Item) -> str:
    return ": ".join(part for part in (fields.text(item.data, "provider"), fields.text(item.data, "status")) if part)


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(
        item.data,
        ("Status", "status"),
        ("Channel", "channel"),
        ("Attempt", "attempt"),
        ("Provider", "provider"),
        ("Error", "error_code"),
    )


def _sections(item: Item) -> list[RecordSection]:
    return []


def _refs(item: Item) -> list[Ref]:
    return fields.refs(item.data, ("Message", "message_id", "outbound_messages"))


RENDERER = RecordRenderer(
    "delivery", VERSION, _title, _facts, _sections, "Deliveries", "Delivery", refs=_refs, eventful=False
)
