"""Agentic drafts -> a page per local day. The system's own proposals, and whether they were sent."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, Mention, RecordRenderer, RecordSection, Ref

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "title") or fields.text(item.data, "kind")


def _facts(item: Item) -> list[tuple[str, str]]:
    return [
        *fields.facts(
            item.data,
            ("Kind", "kind"),
            ("Status", "status"),
            ("Recipients", "recipients"),
            ("Model", "model"),
            ("Source reference", "source_ref"),
        ),
        *fields.times(item.data, ("Sent", "sent_at")),
    ]


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Draft", item.data, "body")]


def _mentions(item: Item) -> list[Mention]:
    return fields.people(item.data.get("recipients"), "draft recipient")


def _refs(item: Item) -> list[Ref]:
    return fields.refs(item.data, ("Item", "item_id", "checklist_items"))


RENDERER = RecordRenderer(
    "agentic_draft", VERSION, _title, _facts, _sections, "Agentic drafts", "Agentic draft", _mentions, refs=_refs
)
