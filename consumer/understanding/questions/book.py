"""Memory by the words and people of its statements, so that a question looks at few of thousands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from consumer.understanding.memory import Change, DecisionMade, Loop, Meeting, Memory, PersonSeen, StandingFact
from consumer.understanding.people import PersonId
from consumer.understanding.questions.stems import keys, starts
from consumer.understanding.statements import CONVERSATION
from consumer.understanding.support import KnownPeople

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shelf(Generic[T]):
    """Statements of one kind, and their numbers by the first letters of their words and by person."""

    entries: Sequence[T]
    by_start: Mapping[str, frozenset[int]]
    by_person: Mapping[PersonId, frozenset[int]]

    @classmethod
    def of(
        cls, entries: Sequence[T], text: Callable[[T], str], people: Callable[[T], Iterable[PersonId | None]]
    ) -> Shelf[T]:
        by_start: dict[str, set[int]] = defaultdict(set)
        by_person: dict[PersonId, set[int]] = defaultdict(set)
        for number, entry in enumerate(entries):
            for start in starts(text(entry)):
                by_start[start].add(number)
            for who in people(entry):
                if who:
                    by_person[who].add(number)
        frozen = {start: frozenset(numbers) for start, numbers in by_start.items()}
        return cls(entries, frozen, {who: frozenset(numbers) for who, numbers in by_person.items()})

    def near(self, words: Iterable[str], people: Iterable[frozenset[PersonId]] = ()) -> list[T]:
        """In order: those that have a word that begins as one of these does, and those of one of these people."""
        numbers: set[int] = set()
        for start in {start for word in words for start in starts(word)}:
            numbers |= self.by_start.get(start, frozenset())
        for who in {each for several in people for each in several}:
            numbers |= self.by_person.get(who, frozenset())
        return [self.entries[number] for number in sorted(numbers)]


@dataclass(frozen=True, slots=True)
class QuestionBook:
    """What ``answering`` needs of memory; worth keeping as long as the memory itself."""

    memory: Memory
    people: KnownPeople
    loops: Shelf[Loop]
    facts: Shelf[StandingFact]
    meetings: Shelf[Meeting]
    decisions: Shelf[DecisionMade]
    changes: Shelf[Change]
    seen: Mapping[PersonId, PersonSeen]
    #: All words by which entries are found, see ``mentions.key``.
    words: frozenset[str]

    @classmethod
    def of(cls, memory: Memory) -> QuestionBook:
        names = [
            (known.id, name)
            for known in memory.directory.everybody()
            for name in (known.name, *known.aliases)
            if name
        ]  # fmt: skip
        # Somebody whom only calendars, promises and transcripts name.
        others = {who for meeting in memory.meetings for who in meeting.attendees}
        others |= {who for loop in memory.loops for who in (loop.owner, *loop.asked, *loop.beneficiaries) if who}
        others |= {who for seen in memory.people for who in seen.ids}
        spelled = {who for who, _ in names}
        names += [(who, name) for who in others - spelled if "@" not in (name := memory.directory.known(who).name)]
        decisions = [f"{decision.what} {decision.about}" for decision in memory.decisions]
        named = {loop.object for loop in memory.loops} | {meeting.title for meeting in memory.meetings}
        named |= {*map(_fact_text, memory.facts), *decisions, *(change.subject for change in memory.changes)}
        return cls(
            memory=memory,
            people=KnownPeople.of(names),
            loops=Shelf.of(
                memory.loops, lambda loop: loop.object, lambda loop: (loop.owner, *loop.asked, *loop.beneficiaries)
            ),
            facts=Shelf.of(memory.facts, _fact_text, lambda fact: (fact.by,)),
            meetings=Shelf.of(
                memory.meetings, lambda meeting: meeting.title, lambda meeting: (meeting.organizer, *meeting.attendees)
            ),
            decisions=Shelf.of(
                memory.decisions, lambda decision: f"{decision.what} {decision.about}", lambda decision: decision.who
            ),
            changes=Shelf.of(memory.changes, lambda change: change.subject, lambda change: (change.who,)),
            seen={each.id: each for seen in memory.people for each in seen.each or (seen,)},
            words=frozenset(word for text in named for word in keys(text)),
        )


def _fact_text(fact: StandingFact) -> str:
    return " ".join([fact.subject, *(value for name, value in fact.scope if name != CONVERSATION)])
