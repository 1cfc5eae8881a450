"""Contacts -> a page per contact; the page of the person, which connects all evidence, links to it."""

from __future__ import annotations

from renderers import entities, fields
from renderers import markdown as md
from renderers.base import Item, Mention, RecordRenderer, RecordSection

VERSION = 1


def _title(item: Item) -> str:
    return fields.text(item.data, "display_name")


def _facts(item: Item) -> list[tuple[str, str]]:
    return [
        *fields.facts(
            item.data,
            ("Company", "company"),
            ("Title", "job_title"),
            ("Relationship", "relationship"),
            ("Emails", "emails"),
            ("Phones", "phones"),
            ("Tags", "tags"),
            ("Importance", "importance"),
        ),
        *fields.times(item.data, ("First seen", "first_seen_at"), ("Last interaction", "last_interaction_at")),
    ]


def _sections(item: Item) -> list[RecordSection]:
    return [fields.section("Summary", item.data, "summary"), fields.section("Dossier", item.data, "dossier_md")]


def _mentions(item: Item) -> list[Mention]:
    stated = [("Company", "company"), ("Title", "job_title"), ("Relationship", "relationship")]
    facts = tuple((label, text) for label, name in stated if (text := md.one_line(fields.text(item.data, name))))
    emails = tuple(
        (entities.EMAIL, md.one_line(email).lower())
        for email in fields.items(item.data.get("emails"))
        if isinstance(email, str)
    )
    return fields.person(_title(item), role=fields.CONTACT, stated=(*facts, *emails))


RENDERER = RecordRenderer("contact", VERSION, _title, _facts, _sections, "Contacts", "Contact", _mentions)
