"""Connections -> one page of source coverage: provider and health, never an account or a secret."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "display_name") or fields.text(item.data, "provider")


def _facts(item: Item) -> list[tuple[str, str]]:
    return [
        *fields.facts(
            item.data,
            ("Provider", "provider"),
            ("Status", "status"),
            ("Heartbeats", "heartbeat_count"),
            ("Failures", "heartbeat_failures"),
        ),
        *fields.times(
            item.data,
            ("Last heartbeat", "last_heartbeat_at"),
            ("Last success", "last_success_at"),
            ("Connected", "created_at"),
        ),
    ]


def _sections(item: Item) -> list[RecordSection]:
    return []


RENDERER = RecordRenderer("connection", VERSION, _title, _facts, _sections, "Connections", "Connection", eventful=False)
