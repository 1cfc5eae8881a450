"""Chat session with its messages -> a page a session; every message is quoted under who said it and when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from renderers import fields, visible
from renderers import markdown as md
from renderers.base import Item, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "title")


def _facts(item: Item) -> list[tuple[str, str]]:
    return [
        *fields.facts(item.data, ("Surface", "surface"), ("Model", "model")),
        *fields.times(item.data, ("Started", "started_at"), ("Last message", "last_message_at")),
    ]


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Summary", item.data, "summary"), *(_message(one) for one in messages(item))]


def messages(item: Item) -> list[Mapping[str, Any]]:
    """The session's messages, oldest first."""
    return sorted((one for one in fields.items(item.data.get("messages")) if isinstance(one, Mapping)), key=_order)


def content(message: Mapping[str, Any]) -> str:
    """What a message says, as its page shows it. It may speak of HTML, so that tags stay as they are."""
    return visible.seen(fields.text(message, "content"))


def _order(message: Mapping[str, Any]) -> tuple[str, str]:
    # The export promises no order inside a session.
    return fields.text(message, "created_at"), fields.text(message, "id")


def _message(message: Mapping[str, Any]) -> RecordSection:
    role = fields.line(message, "role", 40) or "unknown"
    tool = fields.line(message, "tool_name", 60)
    byline = ", ".join(part for part in (role, tool and f"tool {tool}", fields.when(message, "created_at")) if part)
    texts = [content(message), visible.seen(fields.text(message, "tool_payload"))]
    kept = tuple(text for text in texts if text.strip())
    return RecordSection(f"Message: {byline}", kept, () if kept else (md.inline("(no text)"),))


RENDERER = RecordRenderer("chat_session", VERSION, _title, _facts, _sections, "Chat sessions", "Chat")
