"""Activity events: messages of other apps read like messages, calendars like invitations, programs like programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from consumer.understanding.reading import messages
from consumer.understanding.reading.messages import text
from consumer.understanding.reading.passages import TextPassage
from consumer.understanding.reading.tables import word_set
from consumer.understanding.utterances import ME, UNKNOWN
from renderers import fields
from renderers.base import Item

#: Sources and types whose text a person wrote to somebody.
_MESSAGES: Final = word_set(
    "gmail email mail outlook imap exchange slack whatsapp telegram signal sms imessage messenger teams msteams "
    "discord linkedin intercom message dm direct_message chat reply email_sent email_received"
)
_NOTES: Final = word_set("note notes memo journal voice_memo voice_note")
_CALENDARS: Final = word_set(
    "calendar google_calendar gcal googlecalendar outlook_calendar ical icloud_calendar caldav exchange_calendar "
    "cal calendly"
)
_OUT: Final = word_set("out outbound outgoing sent from_me")
_IN: Final = word_set("in inbound incoming received to_me")


def event(item: Item) -> Iterator[TextPassage]:
    """The words of one event; its summary is generated, unless it is all there is of a message."""
    data = item.data
    source, kind = _word(item, "source"), _word(item, "event_type")
    body, summary = text(data, "body"), text(data, "summary")
    if is_calendar(item):
        yield from _invitation(body, summary, item.local)
    elif source in _MESSAGES or (kind in _MESSAGES and source not in ("github", "gitlab", "linear", "jira")):
        yield from _message(item, body, summary)
    elif kind in _NOTES:
        yield TextPassage(ME, (), item.local, "written", body or summary)
        if body:
            yield TextPassage(UNKNOWN, (), item.local, "generated", summary)
    else:
        yield TextPassage(UNKNOWN, (ME,), item.local, "machine", summary)
        yield TextPassage(UNKNOWN, (ME,), item.local, "machine", body)


def is_calendar(item: Item) -> bool:
    """Whether this event is an entry of a calendar."""
    return _word(item, "source") in _CALENDARS


def is_entry(item: Item) -> bool:
    """Whether a record is an entry of a calendar."""
    return item.source_key == "activity_events" and is_calendar(item)


def thread(item: Item) -> str:
    """Calendar entries share the calendar's id with their meetings; others stand alone, since they name no thread."""
    ident = fields.text(item.data, "source_ref").strip()
    return f"meeting:{ident}" if ident and is_calendar(item) else ""


def _message(item: Item, body: str, summary: str) -> Iterator[TextPassage]:
    direction = _word(item, "direction")
    mine = direction in _OUT
    author, to = (ME, ()) if mine else (UNKNOWN, (ME,) if direction in _IN else ())
    title = messages.subject(item.data)
    words = body or (summary if direction in _OUT | _IN else "")
    if body or words != summary:
        yield TextPassage(UNKNOWN, (), item.local, "generated", summary)
    sender = author
    yield from messages.message(words, sender, to, item.local, subject=title)


def _invitation(body: str, summary: str, said_at: str) -> Iterator[TextPassage]:
    """Text that an organiser wrote into an entry; what the conference service added is boilerplate, JSON no words."""
    yield TextPassage(UNKNOWN, (), said_at, "generated", summary)
    if not body.lstrip().startswith(("{", "[")):
        yield from messages.message(body, UNKNOWN, (ME,), said_at)


def _word(item: Item, name: str) -> str:
    return fields.text(item.data, name).strip().casefold().replace(" ", "_").replace("-", "_")
