"""Digest subscriptions -> one page: which digests the user wants, where and when."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "digest_kind")


def _facts(item: Item) -> list[tuple[str, str]]:
    return [
        *fields.facts(
            item.data,
            ("Kind", "digest_kind"),
            ("Channel", "channel"),
            ("Schedule", "schedule"),
            ("Time zone", "timezone"),
            ("Enabled", "enabled"),
        ),
        *fields.times(item.data, ("Last sent", "last_sent_at")),
    ]


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Preferences", item.data, "preferences")]


RENDERER = RecordRenderer(
    "digest_subscription",
    VERSION,
    _title,
    _facts,
    _sections,
    "Digest subscriptions",
    "Digest subscription",
    eventful=False,
)
