"""Everything else with words in it: what the user wrote, and what the app made for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from consumer.understanding.reading import names
from consumer.understanding.reading.messages import text
from consumer.understanding.reading.passages import TextPassage
from consumer.understanding.utterances import ME, UNKNOWN, Person
from renderers import fields
from renderers.base import Item

#: Where the user enters an item by hand. Items of any other source are drawn up by the assistant, with their texts.
_BY_HAND: Final = frozenset(("", "user", "manual", "app", "web", "mobile", "ios", "android", "me"))


def briefing(item: Item) -> Iterator[TextPassage]:
    """What the app told the user: it repeats, and promises nothing."""
    for name in ("summary", "content_markdown"):
        yield TextPassage(UNKNOWN, (ME,), item.local, "generated", text(item.data, name))


def checklist(item: Item) -> Iterator[TextPassage]:
    """The summary of a daily list."""
    yield TextPassage(UNKNOWN, (ME,), item.local, "generated", text(item.data, "summary"))


def checklist_item(item: Item) -> Iterator[TextPassage]:
    """An item's texts; its title and state are a task (``recorded``)."""
    by_hand = fields.text(item.data, "source").strip().casefold() in _BY_HAND
    description = text(item.data, "description")
    if by_hand:
        yield TextPassage(ME, names.people(item.data.get("people")), item.local, "written", description)
    else:
        yield TextPassage(UNKNOWN, (ME,), item.local, "generated", description)
    yield TextPassage(UNKNOWN, (ME,), item.local, "generated", text(item.data, "reasoning"))


def container(item: Item) -> Iterator[TextPassage]:
    """What the user says an area of work is about."""
    yield TextPassage(ME, (), item.local, "written", text(item.data, "description"))


def contact(item: Item) -> Iterator[TextPassage]:
    """Summary and dossier are drawn up by the app from other sources; the contact's fields are its facts."""
    for name in ("summary", "dossier_md"):
        yield TextPassage(UNKNOWN, (), item.local, "generated", text(item.data, name))


def event_contact(item: Item) -> Iterator[TextPassage]:
    """A note on somebody's part in an event; nobody says who wrote it."""
    yield TextPassage(UNKNOWN, (), item.local, "written", text(item.data, "note"))


def feedback(item: Item) -> Iterator[TextPassage]:
    """What the user says about the app, to the app."""
    yield TextPassage(ME, (), item.local, "written", text(item.data, "message"))


def profile(item: Item) -> Iterator[TextPassage]:
    """What users say about themselves."""
    yield TextPassage(ME, (), item.local, "written", text(item.data, "user_md"))


def contact_people(item: Item) -> tuple[Person, ...]:
    """One person under each address that the contact has."""
    name = fields.text(item.data, "display_name")
    listed = (*fields.items(item.data.get("emails")), *fields.items(item.data.get("phones")))
    addresses = [
        address for entry in listed[:50] if isinstance(entry, str) and (address := names.normal_address(entry))
    ]
    return names.distinct([names.person(name, address) for address in addresses] or [names.person(name)])


def listed_people(item: Item) -> tuple[Person, ...]:
    """Those whom a checklist item names."""
    return names.people(item.data.get("people"))
