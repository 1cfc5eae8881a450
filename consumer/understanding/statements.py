"""
Statements: what utterances and recorded state say, typed. Each carries the words that it rests on.

A statement names people as its record does (``Person``) and dates as resolved days. Who is who, and what is still
true, is decided by the fold (``life``), not here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from typing import Final, Literal, NamedTuple

from consumer.understanding.utterances import UNKNOWN, Person

#: How sure the words of a date are. ``recorded``: a field holds it. ``stated``: a full date. ``relative``: resolved
#: against the day of the utterance ("Friday", "tomorrow"). ``period``: the last day of a stretch ("end of the week").
DueBasis = Literal["recorded", "stated", "relative", "period"]


class Due(NamedTuple):
    """A day in the user's zone; ``time`` is ``17:00`` on the user's clock or ""; ``words``: as written or spoken.

    ``before``: it is late as soon as ``day`` begins ("before Friday").
    """

    day: str
    time: str
    words: str
    basis: DueBasis
    before: bool = False

    @property
    def last_day(self) -> str:
        """The last day on which it is not late."""
        return (date.fromisoformat(self.day) - timedelta(days=1)).isoformat() if self.before else self.day


#: Name of the scope of a fact that holds in one conversation; its value is an id and is shown to nobody.
CONVERSATION: Final = "conversation"


class Quote(NamedTuple):
    """``text`` stands letter by letter in the utterance of this number; -1: in a field of the record's header."""

    utterance: int
    text: str


# Nothing changes a statement. Not declared frozen, which would make each cost three times as much: a workspace has tens
# of thousands.
@dataclass(slots=True, unsafe_hash=True)
class Commitment:
    """``owner`` has said that they will do ``object`` for ``beneficiaries`` (empty: nobody is named)."""

    owner: Person
    beneficiaries: tuple[Person, ...]
    object: str
    quotes: tuple[Quote, ...]
    due: Due | None = None
    #: Words of a condition; a conditional commitment is told as one, never as a promise.
    condition: str = ""
    #: The day of the event that the words around speak of, if it has no due date: soon after, nobody waits for it.
    event_day: str = ""
    #: Of a chat: it counts only once the other side has taken it up; see ``proposals``.
    tentative: bool = False


@dataclass(slots=True, unsafe_hash=True)
class Request:
    """``asker`` wants ``object`` of ``asked``. It becomes a commitment when the asked person accepts."""

    asker: Person
    asked: tuple[Person, ...]
    object: str
    quotes: tuple[Quote, ...]
    due: Due | None = None
    #: As of a commitment.
    event_day: str = ""
    tentative: bool = False


@dataclass(slots=True, unsafe_hash=True)
class Answer:
    """A reply in a conversation that settles something said there before, or elsewhere about the same object.

    ``accepted``: "Sure, will do." ``declined``: "I can't." ``delivered``: "Please find attached the deck."
    ``received``: "Got it, thanks." ``released``: "No longer needed." ``moved``: "Make that Wednesday."
    ``object`` "": only what stands just before in the same conversation.
    """

    by: Person
    to: tuple[Person, ...]
    verdict: Literal["accepted", "declined", "delivered", "received", "released", "moved"]
    object: str
    quotes: tuple[Quote, ...]
    #: By when it will be done: "sure, I'll do it on Friday", "make that Wednesday".
    due: Due | None = None


@dataclass(slots=True, unsafe_hash=True)
class Decision:
    who: tuple[Person, ...]
    what: str
    about: str
    quotes: tuple[Quote, ...]


@dataclass(slots=True, unsafe_hash=True)
class Fact:
    """``scope``: what else must agree before two values contradict, e.g. period, variant, place; sorted pairs.

    ``value`` is normalised (see ``values``), ``unit`` "" for none. ``valid_from`` "" means since it was said.
    """

    subject: str
    attribute: str
    value: str
    unit: str
    scope: tuple[tuple[str, str], ...]
    quotes: tuple[Quote, ...]
    valid_from: str = ""
    #: The one who says so.
    by: Person = UNKNOWN


@dataclass(slots=True, unsafe_hash=True)
class Task:
    """Recorded state: a checklist item, an action item of a note. Text never overrides it."""

    title: str
    state: Literal["open", "done", "dismissed"]
    quotes: tuple[Quote, ...]
    owner: Person = UNKNOWN
    people: tuple[Person, ...] = ()
    project: str = ""
    due: Due | None = None
    #: Id within its record where one record holds several, else "".
    item: str = ""


@dataclass(slots=True, unsafe_hash=True)
class Event:
    """A calendar entry or a meeting. ``key``: the calendar's id; "" where the record has none.

    ``starts``, ``ends``: on the user's clock, ``2026-11-28 15:00 -08:00``; a day alone for an all-day entry; ""
    unknown.
    """

    key: str
    title: str
    starts: str
    ends: str
    state: Literal["planned", "cancelled"]
    organizer: Person
    attendees: tuple[Person, ...]
    quotes: tuple[Quote, ...]
    #: Milliseconds or a version counter of the calendar; the highest of one key counts.
    version: int = 0
    #: IANA name of the zone in which it was planned, if the local time there differs from the user's.
    zone: str = ""


@dataclass(slots=True, unsafe_hash=True)
class CalledOff:
    """Somebody says that a meeting is off. ``object`` names it; ``key``: the calendar's id, where a calendar says so.

    ``day``: of the meeting, "" where it is not named.
    """

    object: str
    day: str
    key: str
    by: Person
    quotes: tuple[Quote, ...]


Statement = Commitment | Request | Answer | Decision | Fact | Task | Event | CalledOff
#: Name by which a statement's type is stored.
KINDS: Final[dict[str, type[Statement]]] = {
    kind.__name__.lower(): kind for kind in (Commitment, Request, Answer, Decision, Fact, Task, Event, CalledOff)
}


class Refusal(NamedTuple):
    """Why a reader's statement was not accepted: a word for counting, never content."""

    kind: str
    reason: Literal["quote", "person", "date", "text_kind", "author", "form", "rules", "fault"]


class Reading(NamedTuple):
    """What one version of one record says. Stored; the fold reads nothing else of a record.

    ``said_at``: the record's own time on the user's clock; each statement's quotes give its utterance's, ``cited``.
    """

    source: str
    record_id: str
    thread: str
    said_at: str
    people: tuple[Person, ...]
    statements: tuple[Statement, ...]
    #: By utterance number, of those that a statement quotes: (author, addressees, said_at).
    cited: dict[int, tuple[Person, tuple[Person, ...], str]]
    refusals: tuple[Refusal, ...] = ()
    #: The user as this record's own form names them: the profile, the sender of an outgoing message.
    own: tuple[Person, ...] = ()
    #: Senders of this record whose text is ``machine`` only: a newsletter, a notification, an out-of-office reply.
    machines: tuple[Person, ...] = ()
    #: ISO 639-1 of the utterances that its statements quote, "" where that cannot be told.
    language: str = ""
    #: Of a message of a chat: what it does beside what it states; see ``signs.turn``.
    turn: str = ""


#: Hexadecimal digits of a statement's id.
ID_CHARS: Final = 16


def statement_id(reading: Reading, statement: Statement) -> str:
    """The id of one statement of a reading. Of several, ask ``StatementIds`` once."""
    return StatementIds(reading).of(statement)


class StatementIds:
    """The ids of a reading's statements: ``ID_CHARS`` hexadecimal digits that stay the same when a record is read again
    and says the same.

    A task's id is that of its place, so that it stays when its title changes. Where one record says the same words
    several times, each time but the first has its number: what a chat adds below changes no id above.
    """

    __slots__ = ("_reading", "_repeats")

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._repeats: dict[int, int] | None = None

    def of(self, statement: Statement) -> str:
        """``statement``: one of the reading's own."""
        kind = type(statement)
        parts = [self._reading.source, self._reading.record_id, kind.__name__, *_identity(statement)]
        if kind in _REPEATABLE:
            if self._repeats is None:
                self._repeats = _repeats(self._reading.statements)
            if self._repeats and (repeated := self._repeats.get(id(statement), 0)):
                parts.append(str(repeated))
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:ID_CHARS]


_REPEATABLE: Final = (Commitment, Request, Answer, Decision, Fact, CalledOff)


def _identity(statement: Statement) -> tuple[str, ...]:
    match statement:
        case Task():
            return (statement.item,)
        case Event():
            return (statement.key,)
        case Fact():
            return (statement.subject, statement.attribute, statement.value, *_words_of(statement))
        case Decision():
            return (statement.what, *_words_of(statement))
        case _:
            return (statement.object, *_words_of(statement))


def _words_of(statement: Statement) -> list[str]:
    return [quote.text for quote in statement.quotes]


def _said(quotes: tuple[Quote, ...]) -> str | tuple[str, ...]:
    """Words to tell statements apart by; most have one quote."""
    return quotes[0].text if len(quotes) == 1 else tuple([quote.text for quote in quotes])


def _repeats(statements: Sequence[Statement]) -> dict[int, int]:
    """``id()`` of a statement -> how many of the same words stand further up in the record; without those of none."""
    if len({_said(statement.quotes) for statement in statements}) == len(statements):
        # Most records say nothing twice. Other words are another statement.
        return {}
    places: dict[tuple[type[Statement], tuple[str, ...]], list[tuple[int, int]]] = {}
    for number, statement in enumerate(statements):
        if isinstance(statement, _REPEATABLE):
            utterance = min((quote.utterance for quote in statement.quotes), default=-1)
            places.setdefault((type(statement), _identity(statement)), []).append((utterance, number))
    return {
        id(statements[number]): before
        for several in places.values()
        if len(several) > 1
        for before, (_, number) in enumerate(sorted(several))
    }
