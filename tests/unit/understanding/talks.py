"""Readings made by hand: what a record says, in the fewest words that a test can say it in."""

from __future__ import annotations

from itertools import count
from typing import Any

from consumer.understanding.statements import (
    Answer,
    Commitment,
    Decision,
    Due,
    Event,
    Fact,
    Quote,
    Reading,
    Request,
    Statement,
    Task,
)
from consumer.understanding.utterances import ME, UNKNOWN, Person

ANN = Person("Ann Lee", "ann@lee.example")
BOB = Person("Bob Marsh", "bob@marsh.example")
CAT = Person("Cat Ono", "cat@ono.example")
NOW = "2026-11-27 20:10 +00:00"
_numbers = count()


def at(day: int, hour: int = 9) -> str:
    """An hour of a day of November 2026."""
    return f"2026-11-{day:02} {hour:02}:00 +00:00"


def due(day: str, time: str = "") -> Due:
    return Due(day, time, day, "stated")


def record(
    *statements: Statement,
    said_at: str = at(20),
    author: Person = UNKNOWN,
    to: tuple[Person, ...] = (),
    thread: str = "",
    people: tuple[Person, ...] = (),
    source: str = "inbound_messages",
    record_id: str = "",
    **more: Any,
) -> Reading:
    """One record of one author; every quote without a number stands in its utterance 0."""
    named = (author, *to) if author not in (ME, UNKNOWN) else to
    return Reading(
        source=source,
        record_id=record_id or f"r{next(_numbers)}",
        thread=thread,
        said_at=said_at,
        people=people or tuple(person for person in named if person not in (ME, UNKNOWN)),
        statements=statements,
        cited={0: (author, to, said_at)} if statements else {},
        **more,
    )


def quotes(text: str) -> tuple[Quote, ...]:
    return (Quote(0, text),)


def promise(owner: Person, what: str, to: tuple[Person, ...] = (), by: str = "", **more: Any) -> Commitment:
    return Commitment(owner, to, what, quotes(f"I will do it: {what}"), due(by) if by else None, **more)


def request(asker: Person, what: str, asked: tuple[Person, ...] = (), by: str = "") -> Request:
    return Request(asker, asked, what, quotes(f"Could you do it: {what}?"), due(by) if by else None)


def answer(by: Person, verdict: Any, what: str = "", to: tuple[Person, ...] = ()) -> Answer:
    return Answer(by, to, verdict, what, quotes(f"{verdict}: {what or 'it'}"))


def decision(what: str, about: str = "", who: tuple[Person, ...] = ()) -> Decision:
    return Decision(who, what, about, quotes(f"We decided {what}"))


def fact(
    subject: str, attribute: str, value: str, by: Person = UNKNOWN, scope: dict[str, str] | None = None, **more: Any
) -> Fact:
    unit = more.pop("unit", "EUR")
    pairs = tuple(sorted((scope or {}).items()))
    text = f"{subject} {attribute} {' '.join(map(' '.join, pairs))} is {value} {unit}"
    return Fact(subject, attribute, value, unit, pairs, more.pop("quotes", quotes(text)), by=by, **more)


def task(title: str, state: Any = "open", by: str = "", owner: Person = UNKNOWN, **more: Any) -> Task:
    return Task(title, state, (Quote(-1, f"State: {state}"),), owner, due=due(by) if by else None, **more)


def item(title: str, state: Any = "open", by: str = "", **more: Any) -> Reading:
    """A checklist item."""
    return record(task(title, state, by), source="checklist_items", **more)


def event(title: str, starts: str, attendees: tuple[Person, ...] = (), state: Any = "planned", **more: Any) -> Event:
    return Event(
        more.pop("key", ""), title, starts, "", state, more.pop("organizer", UNKNOWN), attendees, quotes(title), **more
    )


def contact(record_id: str, name: str, *addresses: str) -> Reading:
    people = tuple(Person(name, address) for address in addresses) or (Person(name),)
    return record(source="contacts", record_id=record_id, people=people)


def profile(name: str, **more: Any) -> Reading:
    return record(source="user_profiles", record_id="me", people=(Person(name),), **more)
