"""What is true now: the fold's answer, and the user's corrections that it obeys. Values only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple, Protocol

from consumer.understanding.people import Directory, PersonId
from consumer.understanding.statements import ID_CHARS, Due

#: ``superseded``: promised again with another date. ``lapsed``: its reason is gone, or nobody spoke of it for long.
LoopState = Literal["open", "delivered", "withdrawn", "superseded", "lapsed"]
#: ``due``: within 24 hours. What was told of a loop is told again when this changes, never otherwise.
Stage = Literal["open", "due", "overdue", "closed"]
#: From the user's side. ``others``: between other people.
Direction = Literal["you_owe", "owed_to_you", "asked_of_you", "asked_by_you", "others"]

CorrectionKind = Literal[
    "done", "wrong", "not_mine", "not_a_task", "snooze", "private", "same_person", "different_person"
]
#: The source of what was said aloud.
_TALK: Final = "granola_transcripts"


# Not hashable by its values: a correction is compared by which one it is.
@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """The user's own word, which counts more than any record.

    ``done``, ``not_mine``, ``not_a_task``, ``snooze`` (with ``until``, a day) speak of a loop by the id of one of its
    statements, ``wrong`` and ``private`` of any statement by its id, and of a contradiction by both of its ids in one.
    ``same_person`` joins two person ids, ``target`` and ``other``; ``different_person`` keeps them apart.

    ``at``: when the user said so, on their clock; what is said after it counts again. "" means always.
    ``places``: record digest -> marks, and ``about``: see ``corrections``; ``placed``: a run has looked for them.
    """

    kind: CorrectionKind
    target: str
    other: str = ""
    until: str = ""
    id: str = ""
    at: str = ""
    about: str = ""
    places: Mapping[str, frozenset[str]] = field(default_factory=dict)
    placed: bool = False

    @property
    def of_people(self) -> bool:
        return self.kind in ("same_person", "different_person")

    @property
    def targets(self) -> tuple[str, ...]:
        """Ids of statements: one, or both of a contradiction; none where it speaks of people."""
        if self.of_people or not self.target:
            return ()
        return tuple(self.target[start : start + ID_CHARS] for start in range(0, len(self.target), ID_CHARS))


class StatementEvidence(NamedTuple):
    """Words that a record holds. ``by``: who says them, None where that is unknown."""

    source: str
    record_id: str
    quote: str
    said_at: str
    by: PersonId | None
    statement: str


class LoopBasis(NamedTuple):
    """What a loop rests on. ``closed_by``: the words that closed it. ``again``: the user called the same wrong, where
    other records said it.
    """

    evidence: tuple[StatementEvidence, ...]
    closed_by: tuple[StatementEvidence, ...]
    again: bool = False


class LoopSource(Protocol):
    """What stands behind a loop. Each answer is put together when it is asked for."""

    def id(self) -> str: ...
    def statements(self) -> tuple[str, ...]: ...
    def records(self) -> tuple[tuple[str, str], ...]: ...
    def rests_on(self, record_ids: Set[str]) -> bool: ...
    def supersedes(self) -> tuple[str, ...]: ...
    def moves(self) -> int: ...
    def basis(self) -> LoopBasis: ...


# Not frozen, which would make it cost three times as much: a large brain has thousands.
@dataclass(eq=False)
class Loop:
    """Something that somebody owes, is asked for, or has on a list.

    ``since``, ``changed_at``: when it was opened, and when it was last spoken of or closed. What it rests on is put
    together when first asked for: of thousands of loops a report tells some twenty. Ask as little as is enough:
    ``records`` costs a tenth of ``evidence``.
    """

    kind: Literal["commitment", "request", "task"]
    object: str
    owner: PersonId | None
    asked: tuple[PersonId, ...]
    beneficiaries: tuple[PersonId, ...]
    direction: Direction
    due: Due | None
    condition: str
    state: LoopState
    stage: Stage
    since: str
    changed_at: str
    snoozed_until: str
    source: LoopSource = field(compare=False, repr=False)

    def __eq__(self, other: Any) -> bool:
        lazy = ("statements", "records", "supersedes", "basis")
        return isinstance(other, Loop) and _parts(self, *lazy) == _parts(other, *lazy)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def basis(self) -> LoopBasis:
        return self.source.basis()

    @property
    def id(self) -> str:
        """Of the statement that opened it; costs no ids of the others."""
        return self.source.id()

    @cached_property
    def statements(self) -> tuple[str, ...]:
        """Ids of all that speak of it, first the one that opened it."""
        return self.source.statements()

    @property
    def records(self) -> tuple[tuple[str, str], ...]:
        """(source, record id) of the records of ``evidence``, in its order, each once."""
        return self.source.records()

    def rests_on(self, record_ids: Set[str]) -> bool:
        """Whether one of these is among ``records``; of thousands of loops it is asked about a few."""
        return self.source.rests_on(record_ids)

    @property
    def supersedes(self) -> tuple[str, ...]:
        """Ids of the loops that it replaced, the oldest first."""
        return self.source.supersedes()

    @property
    def moves(self) -> int:
        """How many loops it replaced; costs no ids."""
        return self.source.moves()

    @property
    def evidence(self) -> tuple[StatementEvidence, ...]:
        return self.basis.evidence

    @property
    def words(self) -> str:
        """The words to tell it by: of a request that was accepted those of who accepted it; "" where none are known.

        A recorder may have cut a sentence of a talk into several lines.
        """
        evidence = self.basis.evidence
        own = (each for each in evidence if self.kind == "commitment" and each.by == self.owner)
        first = next(own, evidence[0] if evidence else None)
        if first is None or first.source != _TALK:
            return first.quote if first else ""
        return " ".join(each.quote for each in evidence if each.statement == first.statement)

    @property
    def closed_by(self) -> tuple[StatementEvidence, ...]:
        return self.basis.closed_by

    @property
    def again(self) -> bool:
        return self.basis.again


@dataclass(frozen=True, slots=True)
class DecisionMade:
    """``replaced_by``: id of the later decision about the same thing, "" while it stands."""

    id: str
    who: tuple[PersonId, ...]
    what: str
    about: str
    at: str
    replaced_by: str
    evidence: tuple[StatementEvidence, ...]


class Side(NamedTuple):
    """One of two values that do not agree; ``shown`` as it is told."""

    value: str
    shown: str
    by: PersonId | None
    said_at: str
    evidence: tuple[StatementEvidence, ...]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two values of one attribute of one subject in one scope, and nobody has said which replaced which."""

    id: str
    subject: str
    attribute: str
    unit: str
    scope: tuple[tuple[str, str], ...]
    sides: tuple[Side, ...]
    #: The user called a value of this attribute wrong, where other records said it.
    again: bool = False


@dataclass(frozen=True, slots=True)
class StandingFact:
    """What was last stated of one attribute of one subject in one scope.

    ``value`` is normalised, see ``statements.Fact``. ``since``: when it was first stated, without another value in
    between. ``replaced``: the value before, "" for none. ``disputed``: the contradiction where two people disagree.
    """

    id: str
    subject: str
    attribute: str
    unit: str
    scope: tuple[tuple[str, str], ...]
    value: str
    by: PersonId | None
    since: str
    replaced: str
    disputed: Contradiction | None
    evidence: tuple[StatementEvidence, ...]


class EarlierValue(NamedTuple):
    """A value of something that changed, and the statement that gives it. ``record_id``: the statement's record."""

    value: str
    statement: str
    record_id: str
    evidence: tuple[StatementEvidence, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A development: ``before`` became ``after``, and somebody knows of it.

    ``earlier``: of a meeting or a fact, all values before ``after``, the oldest first.
    """

    id: str
    kind: Literal["due", "fact", "meeting"]
    subject: str
    attribute: str
    before: str
    after: str
    at: str
    who: PersonId | None
    evidence: tuple[StatementEvidence, ...]
    #: Of a meeting: as ``Meeting.zone``.
    zone: str = ""
    #: Of years of changes only the latest are asked for what was before.
    find_earlier: Callable[[], tuple[EarlierValue, ...]] = field(default=tuple, compare=False, repr=False)

    @property
    def earlier(self) -> tuple[EarlierValue, ...]:
        return self.find_earlier()


@dataclass(frozen=True, slots=True)
class Meeting:
    """``id``: the calendar's, or that of the statement. ``attendees`` are the others, without the user.

    ``zone``: IANA name of the zone in which it was planned, if the local time there differs from the user's; else "".
    """

    id: str
    title: str
    starts: str
    ends: str
    state: Literal["planned", "cancelled"]
    organizer: PersonId | None
    attendees: tuple[PersonId, ...]
    evidence: tuple[StatementEvidence, ...]
    zone: str = ""


class PersonSeen(NamedTuple):
    """How often records' headers name somebody: in all, and in the last 14 days.

    ``last_day``: when they last wrote to, heard from or met the user; "" for never. The record is that one, else the
    newest that names them. ``written``: the name, else the address, that this record has. ``each``: where several may
    be one person, every one of them by itself, and the other fields are of all together.
    """

    id: PersonId
    records: int
    lately: int
    last_day: str
    source: str
    record_id: str
    written: str
    each: tuple[PersonSeen, ...] = ()

    @property
    def ids(self) -> tuple[PersonId, ...]:
        """The person, and whoever else it may be."""
        return (self.id, *(seen.id for seen in self.each if seen.id != self.id))


@dataclass(frozen=True, eq=False)
class Memory:
    """Everything that ``life.fold`` found. ``loops`` holds closed ones too, in the order they were opened.

    Decisions, meetings and facts are put together when first asked for.
    """

    now: str
    loops: tuple[Loop, ...]
    contradictions: tuple[Contradiction, ...]
    changes: tuple[Change, ...]
    people: tuple[PersonSeen, ...]
    directory: Directory = field(compare=False, repr=False)
    find_decisions: Callable[[], tuple[DecisionMade, ...]] = field(compare=False, repr=False)
    find_meetings: Callable[[], tuple[Meeting, ...]] = field(compare=False, repr=False)
    #: Those of ``find_meetings`` that begin on this day or later.
    find_meetings_from: Callable[[str], tuple[Meeting, ...]] = field(compare=False, repr=False)
    #: Of these, the ones that were called off.
    find_cancelled_from: Callable[[str], tuple[Meeting, ...]] = field(compare=False, repr=False)
    find_facts: Callable[[], tuple[StandingFact, ...]] = field(compare=False, repr=False)
    #: Ids of open loops that a second reader does not take for open.
    doubted: frozenset[str] = field(default=frozenset(), compare=False, repr=False, kw_only=True)
    #: (source, record id) -> ids of the record's statements that speak of a loop, closed ones too.
    loop_statements_of: Callable[[str, str], frozenset[str]] = field(compare=False, repr=False)

    def __eq__(self, other: Any) -> bool:
        lazy = ("decisions", "meetings", "facts")
        return isinstance(other, Memory) and _parts(self, *lazy) == _parts(other, *lazy)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def decisions(self) -> tuple[DecisionMade, ...]:
        return self.find_decisions()

    @cached_property
    def meetings(self) -> tuple[Meeting, ...]:
        return self.find_meetings()

    @cached_property
    def facts(self) -> tuple[StandingFact, ...]:
        return self.find_facts()

    def open_loops(self) -> tuple[Loop, ...]:
        """Those that still wait, and that the user has not put off to a later day."""
        today = self.now[:10]
        return tuple(loop for loop in self.loops if loop.state == "open" and not loop.snoozed_until > today)

    def own_loops(self) -> list[Loop]:
        """Open loops that the user has a part in, without those that are doubted."""
        return [loop for loop in self.open_loops() if loop.direction != "others" and not self.is_doubted(loop)]

    def doubted_loops(self) -> list[Loop]:
        """The others that the user would have a part in."""
        return [loop for loop in self.open_loops() if loop.direction != "others" and self.is_doubted(loop)]

    def is_doubted(self, loop: Loop) -> bool:
        """Whether a second reader does not take it for open."""
        return bool(self.doubted) and loop.id in self.doubted

    def own_loops_by_due(self) -> list[Loop]:
        """The same, those with a date first, soonest first; then the newest."""

        def due(loop: Loop) -> tuple[str, str]:
            return (loop.due.day, loop.due.time) if loop.due and loop.due.day else ("9", "")

        return sorted(sorted(self.own_loops(), key=lambda loop: loop.changed_at, reverse=True), key=due)

    def upcoming(self) -> tuple[Meeting, ...]:
        """Planned meetings that begin today or later, soonest first."""
        return self._upcoming

    @cached_property
    def _upcoming(self) -> tuple[Meeting, ...]:
        return tuple(meeting for meeting in self.find_meetings_from(self.now[:10]) if meeting.state == "planned")


def _parts(whole: Loop | Memory, *lazy: str) -> list[object]:
    """What two of them are compared by: all fields, and what is put together when first asked for."""
    return [getattr(whole, each.name) for each in fields(whole) if each.compare] + [
        getattr(whole, name) for name in lazy
    ]
