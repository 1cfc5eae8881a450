"""A reading as bytes, compact: people are named once, and everything else points to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import orjson

from consumer.understanding.statements import (
    Answer,
    CalledOff,
    Commitment,
    Decision,
    Due,
    Event,
    Fact,
    Quote,
    Reading,
    Refusal,
    Request,
    Statement,
    Task,
)
from consumer.understanding.utterances import UNKNOWN, Person

#: A part of every reader's version: readings of another form are read again.
FORM: Final = "1"


class _Table:
    """People of one reading by number, in the order they are first named."""

    def __init__(self) -> None:
        self.numbers: dict[Person, int] = {}

    def number_of(self, person: Person) -> int:
        return self.numbers.setdefault(person, len(self.numbers))

    def numbers_of(self, people: Sequence[Person]) -> list[int]:
        return [self.number_of(person) for person in people]


def encode(reading: Reading) -> bytes:
    """Without source and record id, which the caller keeps beside it."""
    table = _Table()
    people = table.numbers_of(reading.people)
    own, machines = table.numbers_of(reading.own), table.numbers_of(reading.machines)
    statements = [_encode(statement, table) for statement in reading.statements]
    cited = [
        [number, table.number_of(author), table.numbers_of(addressees), said_at]
        for number, (author, addressees, said_at) in reading.cited.items()
    ]
    names = [list(person) for person in table.numbers]
    parts: list[Any] = [
        reading.thread,
        reading.said_at,
        names,
        people,
        statements,
        cited,
        list(map(list, reading.refusals)),
        own,
        machines,
        reading.language,
        reading.turn,
    ]
    while parts and not parts[-1]:
        parts.pop()
    return orjson.dumps(parts)


def decode(source: str, record_id: str, data: bytes) -> Reading:
    """Raises ValueError (IndexError, KeyError, TypeError) for bytes that ``encode`` did not make."""
    parts = orjson.loads(data)
    parts += _NONE[len(parts) :]
    thread, said_at, names, people, statements, cited, refusals, own, machines, language, turn = parts
    table = list(map(_person, names))
    everybody = _many(people, table)
    if not (statements or cited or refusals):
        # Most records state nothing: their people are all that is asked of them.
        return Reading(
            source, record_id, thread, said_at, everybody, (), {}, (), _many(own, table), _many(machines, table),
            language, turn,
        )  # fmt: skip
    return Reading(
        source,
        record_id,
        thread,
        said_at,
        everybody,
        tuple([_DECODERS[fields[0]](fields, table) for fields in statements]),
        _cited(cited, table),
        tuple([Refusal(*fields) for fields in refusals]),
        _many(own, table),
        _many(machines, table),
        language,
        turn,
    )


#: What ``encode`` leaves out at the end.
_NONE: Final[list[Any]] = ["", "", [], [], [], [], [], [], [], "", ""]


def _encode(statement: Statement, table: _Table) -> list[Any]:
    return [_LETTERS[type(statement)], [list(quote) for quote in statement.quotes], *_fields(statement, table)]


def _fields(  # noqa: C901 - one branch a kind
    statement: Statement, table: _Table
) -> list[Any]:
    number_of, numbers_of = table.number_of, table.numbers_of
    fields: list[Any]
    match statement:
        case Commitment(owner, beneficiaries, object_, _, due, condition, event_day, tentative):
            fields = [number_of(owner), numbers_of(beneficiaries), object_, due and list(due), condition]
            fields += _rare(event_day, tentative)
        case Request(asker, asked, object_, _, due, event_day, tentative):
            fields = [number_of(asker), numbers_of(asked), object_, due and list(due)]
            fields += _rare(event_day, tentative)
        case Answer(by, to, verdict, object_, _, due):
            fields = [number_of(by), numbers_of(to), verdict, object_, due and list(due)]
        case Decision(who, what, about):
            fields = [numbers_of(who), what, about]
        case Fact(subject, attribute, value, unit, scope, _, valid_from, by):
            fields = [subject, attribute, value, unit, scope, valid_from, number_of(by)]
        case Task(title, state, _, owner, people, project, due, item):
            fields = [title, state, number_of(owner), numbers_of(people), project, due and list(due), item]
        case Event(key, title, starts, ends, state, organizer, attendees, _, version, zone):
            fields = [key, title, starts, ends, state, number_of(organizer), numbers_of(attendees), version]
            # Few entries have a zone.
            fields += [zone] if zone else []
        case CalledOff(object_, day, key, by):
            fields = [object_, day, key, number_of(by)]
    return fields


def _rare(event_day: str, tentative: bool) -> list[Any]:
    """The fields of a loop that few have."""
    return [event_day, True] if tentative else [event_day] if event_day else []


#: Named tuples from rows without a call of Python's: a workspace has tens of thousands of them.
_person: Final[Callable[[Sequence[Any]], Person]] = partial(tuple.__new__, Person)
_quote: Final[Callable[[Sequence[Any]], Quote]] = partial(tuple.__new__, Quote)


def _quotes(row: Sequence[Any]) -> tuple[Quote, ...]:
    quotes = row[1]
    return (_quote(quotes[0]),) if len(quotes) == 1 else tuple(map(_quote, quotes))


def _due(row: Sequence[Any] | None) -> Due | None:
    return Due(*row) if row else None


def _many(numbers: Sequence[int], table: Sequence[Person]) -> tuple[Person, ...]:
    return tuple(map(table.__getitem__, numbers)) if numbers else ()


def _cited(rows: Sequence[Sequence[Any]], table: Sequence[Person]) -> dict[int, tuple[Person, tuple[Person, ...], str]]:
    """By utterance; those of one author to the same people at one time share what is said of them."""
    made: dict[int, tuple[Person, tuple[Person, ...], str]] = {}
    before: tuple[int, Sequence[int], str] = (-1, (), "")
    shared: tuple[Person, tuple[Person, ...], str] = (UNKNOWN, (), "")
    for number, author, addressees, at in rows:
        if (author, addressees, at) != before:
            before = (author, addressees, at)
            shared = (table[author], _many(addressees, table), at)
        made[number] = shared
    return made


def _commitment(row: Sequence[Any], table: Sequence[Person]) -> Commitment:
    return Commitment(table[row[2]], _many(row[3], table), row[4], _quotes(row), _due(row[5]), row[6], *row[7:])


def _request(row: Sequence[Any], table: Sequence[Person]) -> Request:
    return Request(table[row[2]], _many(row[3], table), row[4], _quotes(row), _due(row[5]), *row[6:])


def _answer(row: Sequence[Any], table: Sequence[Person]) -> Answer:
    return Answer(table[row[2]], _many(row[3], table), row[4], row[5], _quotes(row), _due(row[6]))


def _decision(row: Sequence[Any], table: Sequence[Person]) -> Decision:
    return Decision(_many(row[2], table), row[3], row[4], _quotes(row))


def _fact(row: Sequence[Any], table: Sequence[Person]) -> Fact:
    scope: tuple[tuple[str, str], ...] = tuple([(name, value) for name, value in row[6]]) if row[6] else ()
    return Fact(row[2], row[3], row[4], row[5], scope, _quotes(row), row[7], table[row[8]])


def _task(row: Sequence[Any], table: Sequence[Person]) -> Task:
    return Task(row[2], row[3], _quotes(row), table[row[4]], _many(row[5], table), row[6], _due(row[7]), row[8])


def _event(row: Sequence[Any], table: Sequence[Person]) -> Event:
    zone = row[10] if len(row) > 10 else ""
    return Event(
        row[2], row[3], row[4], row[5], row[6], table[row[7]], _many(row[8], table), _quotes(row), row[9], zone
    )


def _called_off(row: Sequence[Any], table: Sequence[Person]) -> CalledOff:
    return CalledOff(row[2], row[3], row[4], table[row[5]], _quotes(row))


_LETTERS: Final[Mapping[type[Statement], str]] = {
    Commitment: "c",
    Request: "r",
    Answer: "a",
    Decision: "d",
    Fact: "f",
    Task: "t",
    Event: "e",
    CalledOff: "o",
}
_DECODERS: Final[Mapping[str, Callable[[Sequence[Any], Sequence[Person]], Statement]]] = {
    "c": _commitment,
    "r": _request,
    "a": _answer,
    "d": _decision,
    "f": _fact,
    "t": _task,
    "e": _event,
    "o": _called_off,
}
