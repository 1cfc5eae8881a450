"""
A record as utterances: who says what to whom, when, and in which kind of text. Pure, and never raises on any JSON.

One function per family of records (``messages``, ``chats``, ``meetings``, ``activities``, ``texts``) finds passages; a
passage becomes utterances in one place. Texts are taken as their pages show them, so that each can be quoted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from consumer.understanding.reading import activities, chats, meetings, messages, names, texts
from consumer.understanding.reading.passages import TextPassage, utterances
from consumer.understanding.utterances import Person, RecordText
from renderers.base import Item


def _no_thread(_: Item) -> str:
    return ""


def _nobody(_: Item) -> tuple[Person, ...]:
    return ()


class _Family(NamedTuple):
    passages: Callable[[Item, str], Iterator[TextPassage]]
    thread: Callable[[Item], str] = _no_thread
    people: Callable[[Item], tuple[Person, ...]] = _nobody


def _plain(passages: Callable[[Item], Iterator[TextPassage]]) -> Callable[[Item, str], Iterator[TextPassage]]:
    """For families whose only time is the record's own."""
    return lambda item, _: passages(item)


#: Source -> how it is read. A source that is not here says nothing: settings, logs, deliveries.
_FAMILIES: Final[Mapping[str, _Family]] = {
    "inbound_messages": _Family(_plain(messages.inbound), messages.thread, messages.people),
    "outbound_messages": _Family(_plain(messages.outbound), messages.thread, messages.people),
    "agentic_drafts": _Family(_plain(messages.draft), _no_thread, messages.people),
    "chat_sessions": _Family(chats.session, lambda item: f"chat:{item.record_id}"),
    "granola_transcripts": _Family(_plain(meetings.transcript), meetings.thread, meetings.people),
    "meeting_notes": _Family(_plain(meetings.note), meetings.thread, meetings.people),
    "activity_events": _Family(_plain(activities.event), activities.thread),
    "briefings": _Family(_plain(texts.briefing)),
    "checklists": _Family(_plain(texts.checklist)),
    "checklist_items": _Family(_plain(texts.checklist_item), _no_thread, texts.listed_people),
    "checklist_containers": _Family(_plain(texts.container)),
    "contacts": _Family(_plain(texts.contact), _no_thread, texts.contact_people),
    "event_contacts": _Family(_plain(texts.event_contact)),
    "feedback": _Family(_plain(texts.feedback)),
    "user_profiles": _Family(_plain(texts.profile)),
}


def read(item: Item, zone: str) -> RecordText:
    """What a record says. ``zone``: IANA name of the user's zone; UTC for a name that the tz database does not have."""
    family = _FAMILIES.get(item.source_key)
    if family is None:
        return RecordText(item.source_key, item.record_id, "", ())
    lines = tuple(utterances(family.passages(item, zone)))
    return RecordText(item.source_key, item.record_id, family.thread(item), lines, names.distinct(family.people(item)))
