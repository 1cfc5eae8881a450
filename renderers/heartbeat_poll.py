"""Heartbeat polls -> a page per local day: how much each source delivered, and when it failed."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, RecordSection, Ref

VERSION = 2


def _title(item: Item) -> str:
    return ": ".join(part for part in (fields.text(item.data, "provider"), fields.text(item.data, "status")) if part)


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(
        item.data,
        ("Provider", "provider"),
        ("Status", "status"),
        ("Seen", "items_seen"),
        ("New", "items_new"),
        ("Bytes", "bytes_fetched"),
        ("Milliseconds", "duration_ms"),
        ("Error", "error_code"),
    )


def _sections(item: Item) -> list[RecordSection]:
    return []


def _refs(item: Item) -> list[Ref]:
    return fields.refs(item.data, ("Connection", "connection_id", "connections"))


RENDERER = RecordRenderer(
    "heartbeat_poll", VERSION, _title, _facts, _sections, "Source health", "Poll", refs=_refs, eventful=False
)
