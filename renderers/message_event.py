"""Message events -> a page per local day, channel and thread: the later states of messages."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, RecordSection, Ref

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "event_type")


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(item.data, ("Type", "event_type"), ("Channel", "channel"), ("Thread", "thread_id"))


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Details", item.data, "details")]


def _refs(item: Item) -> list[Ref]:
    return fields.refs(item.data, ("Message", "message_id", "outbound_messages"))


RENDERER = RecordRenderer(
    "message_event", VERSION, _title, _facts, _sections, "Message events", "Message event", refs=_refs, eventful=False
)
