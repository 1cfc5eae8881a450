"""Statements with who said them, to whom, when and where. Memory is made from these, in one fixed order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import chain
from operator import attrgetter, eq, itemgetter
from typing import Final

from consumer.understanding import languages, objects
from consumer.understanding.acquaintances import Acquaintances
from consumer.understanding.corrections import Corrected
from consumer.understanding.memory import EarlierValue, StatementEvidence
from consumer.understanding.moments import Moment, moment
from consumer.understanding.people import USER, Directory, PersonId, conversation
from consumer.understanding.reading.messages import INBOUND, OUTBOUND, is_chat
from consumer.understanding.statements import (
    KINDS,
    Answer,
    CalledOff,
    Commitment,
    Decision,
    Event,
    Fact,
    Quote,
    Reading,
    Request,
    Statement,
    StatementIds,
    Task,
)
from consumer.understanding.text import fold
from consumer.understanding.utterances import UNKNOWN, Person

Place = tuple[int, str, str, int]
MINUTES: Final = 24 * 60
#: Kinds that open or close loops or may contradict. The other kinds are collected when they are asked for.
FOLDED: Final = (Task, Commitment, Request, Answer, Fact)
EVENTS: Final = (Event,)
DECISIONS: Final = (Decision,)
CALLED_OFF: Final = (CalledOff,)
#: (author, addressees, said_at) of an utterance that no reading has.
_NOWHERE: Final[tuple[Person, tuple[Person, ...], str]] = (UNKNOWN, (), "")
BY_PLACE: Final = attrgetter("place")


class LifeRecord:
    """A reading, with what its statements share."""

    __slots__ = ("ids", "reading", "talk")

    def __init__(self, reading: Reading) -> None:
        self.reading, self.talk, self.ids = reading, conversation(reading), StatementIds(reading)

    def author(self, statement: Statement) -> Person:
        """Who says it."""
        return self.reading.cited.get(_number_of(statement), _NOWHERE)[0]


@dataclass(slots=True, eq=False)
class LifeEntry:
    """A statement with its record, its speaker, its addressees and its time."""

    statement: Statement
    record: LifeRecord
    talk: str
    said_at: str
    moment: Moment
    number: int
    #: (minute, source, record id, number): the order in which everything is folded.
    place: Place
    author: Person
    addressees: tuple[Person, ...]
    _id: str = ""

    @property
    def id(self) -> str:
        """See ``StatementIds``. Made on first use, since most facts and meetings never need it."""
        self._id = self._id or self.record.ids.of(self.statement)
        return self._id

    @property
    def reading(self) -> Reading:
        return self.record.reading

    @property
    def quoted(self) -> str:
        """The first words that it quotes; "" for recorded state."""
        return self.statement.quotes[0].text if self.statement.quotes else ""

    @property
    def language(self) -> str:
        """The language of the record's words, else the one that the sentence is read in; English if it is unknown."""
        return self.record.reading.language or _language(self.quoted) or "en"

    def after(self, other: LifeEntry) -> bool:
        """Whether it was said after the other; in one record the order of the text decides."""
        if self.record is other.record:
            return self.number > other.number
        return self.moment.not_before(other.moment)


@lru_cache(maxsize=4096)
def _language(text: str) -> str:
    return languages.guess(fold(text))


@dataclass(slots=True)
class Statements:
    """The statements of all readings by kind, each with its reading."""

    by_kind: dict[type[Statement], list[tuple[LifeRecord, Statement]]]
    #: Whether any meeting was cancelled, or called off.
    cancelled: bool

    @classmethod
    def of(cls, readings: Iterable[Reading], corrected: Corrected) -> Statements:
        """Collects all statements, except those that the user called wrong or no task."""
        by_kind: dict[type[Statement], list[tuple[LifeRecord, Statement]]] = {kind: [] for kind in KINDS.values()}
        corrects = bool(corrected.corrections)
        for reading in readings:
            if not reading.statements:
                continue
            record = LifeRecord(reading)
            for statement in reading.statements:
                if not (corrects and corrected.drops(reading, statement)):
                    by_kind[type(statement)].append((record, statement))
        made = cls(by_kind, cancelled=False)
        made.cancelled = bool(by_kind[CalledOff]) or any(event.state == "cancelled" for event in made.events())
        return made

    def events(self) -> Iterator[Event]:
        return map(event_of, map(itemgetter(1), self.by_kind[Event]))

    def named(self) -> set[Person]:
        """The people whom meetings and decisions name, and those who report them."""
        events = list(self.events())
        named = set(chain.from_iterable([event.attendees for event in events]))
        named.update([event.organizer for event in events])
        for record, statement in self.by_kind[Event]:
            named.add(record.author(statement))
        for record, statement in self.by_kind[Decision]:
            assert isinstance(statement, Decision)
            named.update(statement.who)
            named.add(record.author(statement))
        return named

    def entries(
        self,
        kinds: Iterable[type[Statement]],
        wanted: Callable[[Statement], bool] | None = None,
    ) -> list[LifeEntry]:
        """Entries of these kinds, in an order that does not depend on that of the readings."""
        made = [
            _entry(record, statement)
            for kind in kinds
            for record, statement in self.by_kind[kind]
            if wanted is None or wanted(statement)
        ]
        made.sort(key=BY_PLACE)
        # Ids cost as much as all the rest, so they are made only where they decide the order.
        for start, end in breaths(made):
            made[start:end] = sorted(made[start:end], key=lambda entry: entry.id)
        return made


def _entry(record: LifeRecord, statement: Statement) -> LifeEntry:
    reading, quotes = record.reading, statement.quotes
    number = quotes[0].utterance if len(quotes) == 1 else _number_of(statement)
    author, addressees, said_at = reading.cited.get(number, _NOWHERE)
    said_at = said_at or reading.said_at
    when = moment(said_at)
    place = (when.minute, reading.source, reading.record_id, number)
    return LifeEntry(statement, record, record.talk, said_at, when, number, place, author, addressees)


def meant_for_user(entries: Iterable[LifeEntry], acquaintances: Acquaintances) -> list[LifeEntry]:
    """Without what others promise, ask for or decide in mail that is not meant for the user, or that several write in
    the same words: a campaign.
    """
    several = list(entries)
    writers = defaultdict[str, set[Person]](set)
    for entry in several:
        if words := _form_words(entry):
            writers[words].add(entry.author)
    return [
        entry
        for entry in several
        if not isinstance(entry.statement, _OWED)
        or (acquaintances.is_meant(entry.reading) and len(writers.get(_form_words(entry), ())) < _CAMPAIGN)
    ]


def _form_words(entry: LifeEntry) -> str:
    """The beginning of a long request of a mail to the user; "" for anything else."""
    if not isinstance(entry.statement, Request) or entry.reading.source != INBOUND:
        return ""
    words = fold(entry.quoted).split()
    return " ".join(words[:_FORM_WORDS]) if len(words) >= _FORM_WORDS else ""


#: So many people do not begin a request with so many words alike by themselves.
_CAMPAIGN: Final = 3
_FORM_WORDS: Final = 12


def by_first_authors(entries: Iterable[LifeEntry], people: Directory) -> list[LifeEntry]:
    """Without what a mail promises, asks for or decides in another person's earlier words: a quote without a mark.

    ``entries`` in the order in which they were said.
    """
    kept, authors = list[LifeEntry](), dict[tuple[str, str], PersonId | None]()
    for entry in entries:
        words = fold(entry.quoted)
        is_mail = entry.reading.source in (INBOUND, OUTBOUND) and entry.talk and not is_chat(entry.talk)
        if is_mail and isinstance(entry.statement, _OWED) and words.count(" ") >= _TELLING_WORDS - 1:
            author = people.who(entry.author, entry.talk)
            if authors.setdefault((entry.talk, words), author) != author:
                continue
        kept.append(entry)
    return kept


_OWED: Final = (Commitment, Request, Decision)
#: In one conversation, two people hardly say so many words alike.
_TELLING_WORDS: Final = 6


def _number_of(statement: Statement) -> int:
    """The number of the utterance that a statement stands in; -1: in the record's header."""
    quotes: tuple[Quote, ...] = statement.quotes
    return quotes[0].utterance if len(quotes) == 1 else min((quote.utterance for quote in quotes), default=-1)


def breaths(entries: Sequence[LifeEntry]) -> Iterator[tuple[int, int]]:
    """The ranges (from, to) of ordered entries that stand at one place. Most entries stand alone."""
    places, end = list(map(BY_PLACE, entries)), 0
    for start in [number for number, is_same in enumerate(map(eq, places, places[1:])) if is_same]:
        if start >= end:
            end = start + 2
            while places[end : end + 1] == [places[start]]:
                end += 1
            yield start, end


def event_of(statement: Statement) -> Event:
    assert isinstance(statement, Event)
    return statement


def cites(entry: LifeEntry, people: Directory) -> Iterator[StatementEvidence]:
    by = people.who(entry.author, entry.talk)
    for quote in entry.statement.quotes:
        yield StatementEvidence(entry.reading.source, entry.reading.record_id, quote.text, entry.said_at, by, entry.id)


def earlier_values(
    entries: Iterable[LifeEntry], value_of: Callable[[LifeEntry], str], people: Directory
) -> tuple[EarlierValue, ...]:
    """The values that these stated. Not a method, since a change that held all changes would be a cycle."""
    return tuple(
        EarlierValue(value_of(entry), entry.id, entry.reading.record_id, tuple(cites(entry, people)))
        for entry in entries
    )


def identical(left: str, right: str, entry: LifeEntry) -> bool:
    """Whether both name the same thing in any conversation; ``entry`` gives the language."""
    if left.casefold() == right.casefold():
        return True
    return objects.same_object(left, right, entry.language) == "identical"


def compatible(left: str, right: str, entry: LifeEntry) -> bool:
    """Whether both may name one thing within a conversation."""
    return objects.same_object(left, right, entry.language) != ""


def telling(answer: LifeEntry, lead: LifeEntry) -> LifeEntry:
    """Whichever tells the language: an answer of few words may not, and is in that of what it answers."""
    return answer if answer.reading.language else lead


def may_be(answered: str, wanted: str, answer: LifeEntry, lead: LifeEntry) -> bool:
    """Whether an answer may mean in its conversation what ``lead`` wanted; of a compound, its end may stand for it."""
    entry = telling(answer, lead)
    return compatible(answered, wanted, entry) or objects.is_part_of_compound(answered, wanted, entry.language)


def days_between(start: Moment, end: Moment) -> int:
    """Days on the user's calendar; 0 if either is unknown."""
    return ordinal(end.day) - ordinal(start.day) if start.day and end.day else 0


@lru_cache(maxsize=4096)
def ordinal(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def author_of(reading: Reading, people: Directory) -> PersonId | None:
    """Who wrote a message, even if it has no statement."""
    if reading.source == OUTBOUND:
        return USER
    return people.who(reading.people[0], reading.thread) if reading.people else None
