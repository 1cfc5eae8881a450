"""Transcripts and notes of meetings: who speaks, who listens; what an assistant made of it is generated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from consumer.understanding.reading import mailtext, names, turns, wrapping
from consumer.understanding.reading.messages import text
from consumer.understanding.reading.passages import TextPassage
from consumer.understanding.reading.tables import word_set
from consumer.understanding.utterances import ME, THEM, UNKNOWN, Person, TextKind
from renderers import fields
from renderers.base import Item

#: Keys of ``source_ref`` and ``note_json`` that say that a program wrote the note.
_WRITERS: Final = ("author", "generated_by", "created_by", "kind", "type", "app", "source")
_PROGRAMS: Final = word_set("ai assistant cloop clo0p bot generated ai_summary summary llm gpt copilot auto")


def transcript(item: Item) -> Iterator[TextPassage]:
    """Notes of the user's, then what was said. A turn is heard by all others who are there."""
    present = names.people(item.data.get("attendees"))
    spoken = list(turns.turns(text(item.data, "transcript"), present))
    everybody = names.distinct((*present, *(turn.speaker for turn in spoken if turn.speaker != THEM)))
    yield from notes(text(item.data, "notes"), item.local, everybody, "written")
    for turn in spoken:
        if turn.machine:
            yield TextPassage(UNKNOWN, (), item.local, "boilerplate", turn.text)
        else:
            yield TextPassage(turn.speaker, hearers(turn.speaker, everybody), item.local, "spoken", turn.text)


def note(item: Item) -> Iterator[TextPassage]:
    """A note of the user's; its structured form is state (``recorded``), not words."""
    present = names.people(item.data.get("attendees"))
    kind: TextKind = "generated" if _by_program(item) else "written"
    yield from notes(text(item.data, "note_text"), item.local, present, kind)


def notes(body: str, said_at: str, present: tuple[Person, ...], kind: TextKind) -> Iterator[TextPassage]:
    """The user's own words, but for lines that somebody known says ("Bob: I'll send it")."""
    for turn in turns.turns("\n".join(wrapping.joined(list(_without_mail(body)))), present, minutes=True):
        spoken = turn.speaker not in (UNKNOWN, ME) and kind == "written"
        author = turn.speaker if spoken else (ME if kind == "written" else UNKNOWN)
        yield TextPassage(author, hearers(author, present), said_at, "spoken" if spoken else kind, turn.text)


def hearers(speaker: Person, present: Iterable[Person]) -> tuple[Person, ...]:
    """All but the speaker; the user, where nobody else is named: a meeting among their records is theirs."""
    if speaker == THEM:
        return (ME,)
    others = tuple(person for person in present if person != speaker)
    return others if others or speaker in (ME, UNKNOWN) else (ME,)


def thread(item: Item) -> str:
    """The calendar's id, else the start: one meeting's transcript and note may have other titles."""
    ident = fields.text(item.data, "calendar_event_id").strip()
    if ident:
        return f"meeting:{ident}"
    start = fields.moment(item.data.get("meeting_started_at"))
    return f"meeting:{start.isoformat(timespec='minutes')}" if start else ""


def people(item: Item) -> tuple[Person, ...]:
    """Attendees, and speakers whom the list of attendees forgets."""
    present = names.people(item.data.get("attendees"))
    body = text(item.data, "transcript")
    speakers = [turn.speaker for turn in turns.turns(body, present) if turn.speaker != THEM]
    return names.distinct((*present, *speakers))


def _without_mail(body: str) -> Sequence[str]:
    """A note's lines; what it quotes of a mail is left to that mail."""
    return (
        [line.text if line.part in ("own", "boilerplate") else "" for line in mailtext.lines(body)]
        if ">" in body
        else body.split("\n")
    )


def _by_program(item: Item) -> bool:
    for holder in (item.data.get("source_ref"), item.data.get("note_json")):
        if isinstance(holder, dict):
            for key in _WRITERS:
                value = holder.get(key)
                if isinstance(value, str) and value.strip().casefold() in _PROGRAMS:
                    return True
            if holder.get("generated") is True or holder.get("ai_generated") is True:
                return True
    return False
