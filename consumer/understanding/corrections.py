"""
Which statements a user's corrections speak of, although records are read anew and worded differently. Pure.

A correction names a statement by its id. When a run first sees it, ``placed`` finds the records that the statement
rests on and makes *marks* of it: keyed digests of what it is about and of the sentence it stands in, each for one
record. From then on ``Corrected`` knows the statement again by a mark in such a record, whatever its words are by
then. In another record the same thing is newer evidence: it is told again, and ``again`` says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from consumer.understanding import objects
from consumer.understanding.memory import Correction, CorrectionKind, Memory
from consumer.understanding.moments import Moment, moment
from consumer.understanding.people import PersonId, identities
from consumer.understanding.statements import (
    Answer,
    CalledOff,
    Commitment,
    Decision,
    Event,
    Fact,
    Reading,
    Request,
    Statement,
    StatementIds,
    Task,
)
from contract.overlay import (
    CorrectionPlace,
    CorrectionVerdict,
    Overlay,
    PlacedCorrection,
    digest,
    person_digest,
    record_digest,
)

#: Statements of one family can be wordings of the same thing: a promise may be read as a task.
_FAMILY: Final[dict[type[Statement], str]] = {
    Commitment: "loop",
    Request: "loop",
    Task: "loop",
    Answer: "answer",
    Decision: "decision",
    Fact: "fact",
    Event: "event",
    CalledOff: "event",
}
#: Verdicts after which a statement is as if it had never been read.
DROPPING: Final = frozenset({"wrong", "not_a_task"})
#: Places and marks that one correction keeps; a loop that a hundred records repeat is told by its first ones.
PLACES: Final = 100
MARKS: Final = 20
_NO_WORD: Final = re.compile(r"[\W_]+")

RecordKey = tuple[str, str]


def family(statement: Statement) -> str:
    return _FAMILY[type(statement)]


@dataclass(frozen=True, slots=True)
class Corrected:
    """The corrections of one user over one set of readings. ``of`` makes it."""

    corrections: tuple[Correction, ...] = ()
    key: str = ""
    #: Record and ``id()`` of a statement in it -> the corrections that speak of it.
    _by_statement: Mapping[tuple[RecordKey, int], tuple[Correction, ...]] = field(default_factory=dict)
    _by_about: Mapping[str, Correction] = field(default_factory=dict)
    #: Those statements, which must live as long as their ``id()`` is a key.
    _statements: tuple[tuple[RecordKey, Statement], ...] = ()

    @classmethod
    def of(cls, readings: Sequence[Reading], corrections: Iterable[Correction], key: str = "") -> Corrected:
        """``key``: what the digests of the corrections were made with; "": none was placed."""
        given = tuple(corrections)
        matches: dict[tuple[RecordKey, int], list[Correction]] = {}
        statements: list[tuple[RecordKey, Statement]] = []
        for reading, about_record in _touched(readings, given, key):
            for correction in about_record:
                for statement in _spoken_of(reading, correction, key):
                    matches.setdefault((_place(reading), id(statement)), []).append(correction)
                    statements.append((_place(reading), statement))
        by_about = {
            correction.about: correction for correction in given if correction.about and correction.kind == "wrong"
        }
        by_statement = {place: tuple(dict.fromkeys(several)) for place, several in matches.items()}
        return cls(given, key, by_statement, by_about, tuple(statements))

    def about(self, reading: Reading, statement: Statement) -> tuple[Correction, ...]:
        """The corrections that speak of this statement."""
        return self._by_statement.get((_place(reading), id(statement)), ()) if self._by_statement else ()

    def drops(self, reading: Reading, statement: Statement) -> bool:
        """Whether a statement is as if it had never been read."""
        return any(correction.kind in DROPPING for correction in self.about(reading, statement))

    def again(self, reading: Reading, statement: Statement) -> bool:
        """Whether the user called the same wrong, where other records said it."""
        return bool(self._by_about) and digest(self.key, "about", *_subject(reading, statement)) in self._by_about

    def pairs(self) -> Iterator[tuple[RecordKey, Statement, tuple[Correction, ...]]]:
        """Each statement that a correction speaks of, with its record."""
        statements = {(record, id(statement)): statement for record, statement in self._statements}
        for place, about in self._by_statement.items():
            yield place[0], statements[place], about


def _touched(
    readings: Sequence[Reading], corrections: Sequence[Correction], key: str
) -> Iterator[tuple[Reading, list[Correction]]]:
    """Each reading of which a correction may speak, with those corrections."""
    placed: dict[str, list[Correction]] = {}
    unplaced: dict[str, list[int]] = {}
    for number, correction in enumerate(corrections):
        for record in correction.places:
            placed.setdefault(record, []).append(correction)
        for target in () if correction.placed else correction.targets:
            unplaced.setdefault(target, []).append(number)
    if not placed and not unplaced:
        return
    for reading in readings:
        # A correction that no run has placed speaks of statements by their ids alone.
        ids = map(StatementIds(reading).of, reading.statements) if unplaced else ()
        numbers = {number for identity in ids for number in unplaced.get(identity, ())}
        about = [corrections[number] for number in sorted(numbers)]
        if placed:
            about += placed.get(record_digest(key, reading.source, reading.record_id), [])
        if about:
            yield reading, about


def _spoken_of(reading: Reading, correction: Correction, key: str) -> list[Statement]:
    """The statements of one record of which a correction speaks: by id or subject, and by sentence only where neither
    finds any, because a sentence may say two things. What was said after the correction is never meant.
    """
    wanted, at = correction.targets, moment(correction.at)
    marks = correction.places.get(record_digest(key, reading.source, reading.record_id)) if correction.places else None
    before = [statement for statement in reading.statements if not _said_at(reading, statement).is_after(at)]
    ids = StatementIds(reading)
    surely = [
        statement
        for statement in before
        if ids.of(statement) in wanted
        or (marks and digest(key, "subject", *_place(reading), *_subject(reading, statement)) in marks)
    ]
    if surely or not marks:
        return surely
    return [statement for statement in before if not marks.isdisjoint(_sentence_marks(reading, statement, key))]


def _said_at(reading: Reading, statement: Statement) -> Moment:
    """When somebody said it. A task or an event is a row, whose time changes without anything said: unknown."""
    if isinstance(statement, (Task, Event)):
        return moment("")
    number = min((quote.utterance for quote in statement.quotes), default=-1)
    said_at = reading.cited[number][2] if number in reading.cited else ""
    return moment(said_at or reading.said_at)


# --- placing -----------------------------------------------------------------------------------------------------


def placed(
    readings: Sequence[Reading], memory: Memory, corrections: Iterable[Correction], key: str
) -> tuple[PlacedCorrection, ...]:
    """What corrections that no run has placed speak of, as digests. ``places`` is empty where it is nothing.

    ``memory``: the fold of these readings without corrections, which tells what a loop rests on.
    """
    matches: list[PlacedCorrection] = []
    waiting = [correction for correction in corrections if correction.targets and not correction.placed]
    if not waiting:
        return ()
    together = _together(memory, frozenset(each for correction in waiting for each in correction.targets))
    wanted = {each for ids in together.values() for each in ids}
    by_id: dict[str, list[tuple[Reading, Statement]]] = {}
    for reading in readings:
        known = StatementIds(reading)
        for statement in reading.statements:
            identity = known.of(statement)
            if identity in wanted:
                by_id.setdefault(identity, []).append((reading, statement))
    for correction in waiting:
        ids = dict.fromkeys(each for target in correction.targets for each in together[target])
        pairs = [pair for identity in ids for pair in by_id.get(identity, ())]
        matches.append(_placed(correction.id, pairs, key))
    return tuple(matches)


def _together(memory: Memory, targets: Set[str]) -> dict[str, tuple[str, ...]]:
    """Statement -> all statements of its loop, itself first."""
    rests_on: dict[str, tuple[str, ...]] = {target: (target,) for target in targets}
    for loop in memory.loops:
        for target in targets & set(loop.statements):
            rests_on[target] = tuple(dict.fromkeys((target, *loop.statements)))
    return rests_on


def _placed(correction_id: str, pairs: Sequence[tuple[Reading, Statement]], key: str) -> PlacedCorrection:
    marks: dict[str, dict[str, None]] = {}
    for reading, statement in pairs:
        record = record_digest(key, reading.source, reading.record_id)
        of_record = marks.setdefault(record, {})
        of_record[digest(key, "subject", *_place(reading), *_subject(reading, statement))] = None
        of_record |= dict.fromkeys(_sentence_marks(reading, statement, key))
    places = [
        CorrectionPlace(record=record, marks=tuple(of_record)[:MARKS])
        for record, of_record in list(marks.items())[:PLACES]
    ]
    about = digest(key, "about", *_subject(*pairs[0])) if pairs else None
    return PlacedCorrection(id=correction_id, about=about, places=tuple(places))


def _place(reading: Reading) -> RecordKey:
    return reading.source, reading.record_id


def _subject(reading: Reading, statement: Statement) -> tuple[str, ...]:
    """Family, subject and attribute of a statement, however it words them."""
    language = reading.language or "en"
    match statement:
        case Fact():
            what: tuple[str, ...] = (statement.subject.casefold(), statement.attribute.casefold())
        case Event():
            what = (statement.key or _plain(statement.title),)
        case Decision():
            what = (_plain(statement.about) or _telling(statement.what, language),)
        case Task():
            what = (_telling(statement.title, language),)
        case Answer():
            what = (statement.verdict, _telling(statement.object, language))
        case _:
            what = (_telling(statement.object, language),)
    return (family(statement), *what)


def _telling(text: str, language: str) -> str:
    return " ".join(sorted(objects.telling(text, language))) or _plain(text)


def _sentence_marks(reading: Reading, statement: Statement, key: str) -> Iterator[str]:
    """Of the sentences that a statement stands in. Of two facts in one sentence the value tells which."""
    value = (statement.value,) if isinstance(statement, Fact) else ()
    for quote in statement.quotes:
        if quote.utterance >= 0:
            words = _plain(quote.text)
            yield digest(key, "sentence", *_place(reading), family(statement), words, *value)


def _plain(text: str) -> str:
    """Words alone: a reader may quote a sentence with or without its marks."""
    return _NO_WORD.sub(" ", text.casefold()).strip()


# --- people ------------------------------------------------------------------------------------------------------


def people(readings: Iterable[Reading], digests: Set[str], key: str) -> dict[str, PersonId]:
    """The person ids behind these digests that records name."""
    if not digests:
        return {}
    known = identities(readings)
    return {mark: identity for identity in known if (mark := person_digest(key, identity)) in digests}


# --- from the control plane --------------------------------------------------------------------------------------

#: The overlay's verdicts by the kind of correction that they are here.
_KINDS: Final[dict[CorrectionVerdict, CorrectionKind]] = {
    "done": "done",
    "not_mine": "not_mine",
    "not_a_task": "not_a_task",
    "wrong": "wrong",
    "private": "private",
    "later": "snooze",
    "same_person": "same_person",
    "different_person": "different_person",
}


def given(
    overlay: Overlay, readings: Sequence[Reading], local: Callable[[datetime], str]
) -> tuple[tuple[Correction, ...], frozenset[str]]:
    """The corrections of statements and people in an overlay; and the ids of those that name people nobody names.

    Verdicts on claims are not among them: claims are no statements. ``local``: a time on the user's clock.
    """
    views = [view for view in overlay.corrections if view.job_id is None]
    digests = {mark for view in views for mark in (view.person, view.other) if mark}
    known = people(readings, digests, overlay.key or "")
    made: list[Correction] = []
    unknown: set[str] = set()
    for view in views:
        target, other = view.statement or known.get(view.person or "", ""), known.get(view.other or "", "")
        if not target or (view.other and not other):
            unknown.add(view.id)
            continue
        made.append(
            Correction(
                _KINDS[view.verdict],
                target,
                other,
                view.until or "",
                id=view.id,
                at=local(view.made_at),
                about=view.about or "",
                places={place.record: frozenset(place.marks) for place in view.places},
                placed=view.placed_at is not None,
            )
        )
    return tuple(made), frozenset(unknown)
