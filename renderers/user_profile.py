"""User profile -> one page about the user: identity, location, and their own statements about themselves."""

from __future__ import annotations

from renderers import fields
from renderers.base import Item, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "display_name") or "User"


def _facts(item: Item) -> list[tuple[str, str]]:
    return fields.facts(item.data, ("Name", "display_name"), ("Time zone", "timezone"))


def _sections(item: Item) -> list[RecordSection]:
    return [
        fields.section("About", item.data, "user_md"),
        fields.section("Onboarding responses", item.data, "onboarding_responses"),
        fields.section("Preferences", item.data, "preferences"),
    ]


RENDERER = RecordRenderer(
    "user_profile", VERSION, _title, _facts, _sections, "User profile", "User profile", eventful=False
)
