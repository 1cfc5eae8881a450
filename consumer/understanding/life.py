"""
Life: what all current readings together say is true now.

``fold`` is pure. Nothing of its answer is stored, so it cannot depend on the order in which records arrived, and when
the record that closed a loop is purged, the loop is open again. docs/memory.md explains the rules to a user.

Closing needs the same object and the right person, later. Likeness of words closes nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache, partial
from itertools import chain, groupby
from operator import attrgetter, eq, itemgetter
from typing import Final, Literal

from consumer.understanding import contacts, languages, mentions, objects
from consumer.understanding.acquaintances import Acquaintances
from consumer.understanding.corrections import Corrected
from consumer.understanding.languages.words import words as table
from consumer.understanding.memory import (
    Change,
    Contradiction,
    Correction,
    DecisionMade,
    EarlierValue,
    Loop,
    LoopBasis,
    LoopState,
    Meeting,
    Memory,
    PersonSeen,
    Side,
    Stage,
    StandingFact,
    StatementEvidence,
)
from consumer.understanding.moments import Moment, moment
from consumer.understanding.people import CONTACTS, PROFILES, USER, Directory, PersonId, conversation
from consumer.understanding.reading import names as spelled
from consumer.understanding.reading.messages import INBOUND, OUTBOUND, is_chat, is_direct
from consumer.understanding.statements import (
    CONVERSATION,
    KINDS,
    Answer,
    CalledOff,
    Commitment,
    Decision,
    Due,
    Event,
    Fact,
    Quote,
    Reading,
    Request,
    Statement,
    StatementIds,
    Task,
)
from consumer.understanding.text import tokens
from consumer.understanding.threads import Threads, is_called
from consumer.understanding.utterances import UNKNOWN, Person

#: A promise or a request is worth reminding of for that many days after its day, or after it was last spoken of.
REMINDED_DAYS: Final = 45
#: A call or a visit, of which nobody writes that it took place, and what a messenger promises, for fewer days.
CONTACT_DAYS: Final = 3
#: What a messenger promises or asks for without a day is for fewer days after it was last spoken of.
MESSENGER_DAYS: Final = 7
#: On a messenger, a request without a day counts as answered so many minutes after whom it asked wrote again.
ANSWERED_MINUTES: Final = 60
#: In a room, what has no day counts as done once whoever owes it writes again so many minutes later.
ROOM_MINUTES: Final = 5
#: A statement is compared with at most so many open loops of the same person and thing, or conversation: the newest.
#: Otherwise a text of thousands of requests would cost every later hour.
COMPARED: Final = 200
#: A recorded task speaks for promises of the same object made up to that many days after it, once it is over.
TASK_DAYS: Final = 14
#: Two records are one meeting when they begin within that many minutes and share attendees.
SAME_START_MINUTES: Final = 10
#: Records in which the user and others meet or write; a list's item or a draft only names somebody.
_IN_TOUCH: Final = frozenset({INBOUND, OUTBOUND, "granola_transcripts", "meeting_notes"})
#: People count as seen lately within that many days.
LATELY_DAYS: Final = 14
_MINUTES: Final = 24 * 60
#: Days before a day whose meetings may have to do with those of that day.
_DAYS_BEFORE: Final = 4
#: Sources whose tasks are the user's own where no owner is recorded.
_OWN_TASKS: Final = "checklist"


def fold(
    readings: Iterable[Reading],
    corrections: Iterable[Correction] = (),
    now_local: str = "",
    directory: Directory | None = None,
    key: str = "",
) -> Memory:
    """Current readings, at most one a record and reader, in any order, and the user's corrections -> Memory.

    ``now_local``: the user's time, ``2026-11-27 20:10 -08:00``. ``directory``: see ``Directory.of``; made here when
    absent, with the corrections that join people and keep them apart. ``key``: what the corrections' digests were made
    with.
    """
    current = list(readings)
    corrected = Corrected.of(current, corrections, key)
    if directory is None:
        pairs = {
            kind: [(each.target, each.other) for each in corrected.corrections if each.kind == kind]
            for kind in ("same_person", "different_person")
        }
        directory = Directory.of(current, pairs["same_person"], pairs["different_person"])
    return _Fold(directory, moment(now_local), now_local, corrected).run(current)


def stage_of(due: Due | None, state: LoopState, now_local: str) -> Stage:
    """How near a loop's date is. ``now_local``: the user's time; "" or a day alone for a time that is not known."""
    if state != "open":
        return "closed"
    today, clock = now_local[:10], now_local[11:16]
    if due is None or not today or not due.day:
        return "open"
    last = due.last_day
    if last < today or (last == today and due.time and due.time < clock):
        return "overdue"
    ahead = _ordinal(last) - _ordinal(today)
    return "due" if ahead == 0 or (ahead == 1 and (not due.time or due.time <= clock)) else "open"


_Place = tuple[int, str, str, int]


class _LifeRecord:
    """A reading, with what its statements share."""

    __slots__ = ("ids", "reading", "talk")

    def __init__(self, reading: Reading) -> None:
        self.reading, self.talk, self.ids = reading, conversation(reading), StatementIds(reading)

    def author(self, statement: Statement) -> Person:
        """Who says it."""
        return self.reading.cited.get(_number_of(statement), _NOWHERE)[0]


@dataclass(slots=True, eq=False)
class _LifeEntry:
    """A statement with all that its place in the world says of it."""

    statement: Statement
    record: _LifeRecord
    talk: str
    said_at: str
    moment: Moment
    number: int
    #: (minute, source, record id, number): the order in which everything is folded.
    place: _Place
    author: Person
    addressees: tuple[Person, ...]
    _id: str = ""

    @property
    def id(self) -> str:
        """See ``StatementIds``. Made when first asked for: of most facts and meetings nobody asks it."""
        self._id = self._id or self.record.ids.of(self.statement)
        return self._id

    @property
    def reading(self) -> Reading:
        return self.record.reading

    @property
    def quoted(self) -> str:
        """The first words that it rests on; "" for recorded state."""
        return self.statement.quotes[0].text if self.statement.quotes else ""

    @property
    def language(self) -> str:
        """Of the record's words; English where that cannot be told."""
        return self.record.reading.language or "en"

    def after(self, other: _LifeEntry) -> bool:
        """Whether it was said after the other; in one record the order of the text decides."""
        if self.record is other.record:
            return self.number > other.number
        return self.moment.not_before(other.moment)


@dataclass(slots=True, eq=False)
class _Loop:
    """A loop while it is folded."""

    lead: _LifeEntry
    kind: Literal["commitment", "request", "task"]
    object: str
    owner: PersonId | None
    asked: frozenset[PersonId]
    beneficiaries: frozenset[PersonId]
    due: Due | None
    condition: str = ""
    state: LoopState = "open"
    closed_by: _LifeEntry | None = None
    entries: list[_LifeEntry] = field(default_factory=list)
    talks: set[str] = field(default_factory=set)
    supersedes: list[_LifeEntry] = field(default_factory=list)

    @property
    def active(self) -> bool:
        return self.state == "open"

    @property
    def newest(self) -> _LifeEntry:
        return self.entries[-1]

    def add(self, entry: _LifeEntry) -> None:
        self.entries.append(entry)
        self.talks.add(entry.talk)

    def close(self, state: LoopState, by: _LifeEntry) -> None:
        self.state, self.closed_by = state, by


@dataclass(slots=True, eq=False)
class _LoopSource:
    """Implements memory.LoopSource once everything is folded."""

    loop: _Loop
    people: Directory
    corrected: Corrected

    def id(self) -> str:
        return self.loop.lead.id

    def statements(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(entry.id for entry in self.loop.entries))

    def records(self) -> tuple[tuple[str, str], ...]:
        readings = (entry.reading for entry in self.loop.entries if entry.statement.quotes)
        return tuple(dict.fromkeys((reading.source, reading.record_id) for reading in readings))

    def rests_on(self, record_ids: Set[str]) -> bool:
        return any(entry.reading.record_id in record_ids for entry in self.loop.entries if entry.statement.quotes)

    def supersedes(self) -> tuple[str, ...]:
        return tuple(entry.id for entry in self.loop.supersedes)

    def moves(self) -> int:
        return len(self.loop.supersedes)

    def basis(self) -> LoopBasis:
        loop = self.loop
        return LoopBasis(
            evidence=tuple(chain.from_iterable(_cites(entry, self.people) for entry in loop.entries)),
            closed_by=tuple(_cites(loop.closed_by, self.people)) if loop.closed_by else (),
            again=self.corrected.again(loop.lead.reading, loop.lead.statement),
        )


@dataclass(slots=True)
class _Fold:
    """One run of ``fold``."""

    people: Directory
    now: Moment
    now_local: str
    corrected: Corrected
    loops: list[_Loop] = field(default_factory=list)
    #: Loops by who does them and the head of their object, and by conversation: nothing else is ever compared.
    _by_thing: dict[tuple[PersonId, str], list[_Loop]] = field(default_factory=lambda: defaultdict(list))
    #: The same of tasks, which promises are compared with apart.
    _tasks: dict[tuple[PersonId, str], list[_Loop]] = field(default_factory=lambda: defaultdict(list))
    _by_talk: dict[str, list[_Loop]] = field(default_factory=lambda: defaultdict(list))
    changes: list[Change] = field(default_factory=list)
    #: What speaks of loops by record, once it is asked for.
    _by_record: dict[tuple[str, str], list[_LifeEntry]] = field(default_factory=dict)
    threads: Threads = field(init=False)

    def run(self, readings: Sequence[Reading]) -> Memory:
        statements = _Statements.of(readings, self.corrected)
        self.people.read_names(statements.named())
        entries = statements.entries(_FOLDED)
        self._read_authors(entries)
        self.threads = Threads(readings, self._author_of)
        acquaintances = Acquaintances(readings, self.people)
        entries = _to_user(entries, acquaintances)
        facts: list[_LifeEntry] = []
        for entry in entries:
            if isinstance(entry.statement, Task):
                self._task(entry, entry.statement)
        for entry in entries:
            statement = entry.statement
            if isinstance(statement, Commitment):
                self._commitment(entry, statement)
            elif isinstance(statement, Request):
                self._request(entry, statement)
            elif isinstance(statement, Answer):
                self._answer(entry, statement)
            elif isinstance(statement, Fact):
                facts.append(entry)
        meetings = _Meetings(self.people, self.changes, statements)
        meetings.find_moves()
        self._lapse(meetings, readings)
        contradictions = self._facts(facts)
        return Memory(
            now=self.now_local,
            loops=self._sorted_loops(),
            contradictions=contradictions,
            changes=tuple(sorted(self.changes, key=lambda change: (change.at, change.id))),
            people=self._people(readings),
            directory=self.people,
            find_decisions=lambda: self._decisions(_to_user(statements.entries(_DECISIONS), acquaintances)),
            find_meetings=meetings.all,
            find_meetings_from=meetings.beginning,
            find_cancelled_from=meetings.cancelled,
            find_facts=lambda: self._standing_facts(facts),
            loop_statements_of=self._loop_statements_of,
        )

    def _read_authors(self, entries: Iterable[_LifeEntry]) -> None:
        """Learn how all who speak are written, before anything is told: what is asked for later must not change it."""
        before: tuple[Person, str] | None = None
        for entry in entries:
            # Most statements of a record have one author.
            if before is None or before[0] is not entry.author or before[1] is not entry.talk:
                before = entry.author, entry.talk
                self.people.who(*before)

    # --- loops ---------------------------------------------------------------------------------------------------

    def _who(self, people: tuple[Person, ...], talk: str) -> frozenset[PersonId]:
        return self.people.all_of(people, talk)

    def _open(self, loop: _Loop) -> None:
        loop.add(loop.lead)
        self.loops.append(loop)
        thing = objects.head(loop.object, loop.lead.language)
        by_thing = self._tasks if loop.kind == "task" else self._by_thing
        for who in {loop.owner, *loop.asked} - {None}:
            by_thing[who or "", thing].append(loop)
        self._by_talk[loop.lead.talk].append(loop)

    def _about(self, owner: PersonId, object_: str, entry: _LifeEntry) -> Sequence[_Loop]:
        """What somebody does, tasks apart, that is open and may be this object."""
        return _newest(self._by_thing.get((owner, objects.head(object_, entry.language)), []))

    def _in_talk(self, entry: _LifeEntry) -> Sequence[_Loop]:
        """What is open of what the conversation speaks of; what it spoke of twice may be there twice."""
        return _newest(self._by_talk.get(entry.talk, []))

    def _task(self, entry: _LifeEntry, task: Task) -> None:
        owner = self.people.who(task.owner, entry.talk)
        if owner is None and entry.reading.source.startswith(_OWN_TASKS):
            owner = USER
        loop = _Loop(
            entry, "task", task.title, owner, frozenset(), self._who(task.people, entry.talk) - {owner or ""}, task.due
        )
        self._open(loop)
        if task.state != "open":
            loop.close("delivered" if task.state == "done" else "withdrawn", entry)

    def _commitment(self, entry: _LifeEntry, made: Commitment) -> None:
        owner = self.people.who(made.owner, entry.talk)
        if owner is None:
            return
        beneficiaries = self._receivers(entry, made) - {owner}
        accepted = self._requested(entry, made, owner, beneficiaries)
        if self._joins_task(entry, made, owner, beneficiaries):
            if accepted is not None:
                self._forget(accepted)
            return
        if accepted is not None:
            self._accept(accepted, entry, owner, made.due, made.object)
            return
        before = self._same_promise(entry, made, owner, beneficiaries)
        if before is not None and (made.due is None or before.due is None or made.due.day == before.due.day):
            before.add(entry)
            self._by_talk[entry.talk].append(before)
            before.due = before.due or made.due
            before.beneficiaries |= beneficiaries
            return
        loop = _Loop(entry, "commitment", made.object, owner, frozenset(), beneficiaries, made.due, made.condition)
        self._open(loop)
        if before is not None:
            before.close("superseded", entry)
            loop.supersedes.extend((*before.supersedes, before.lead))
            self._redated(before, loop)

    def _receivers(self, entry: _LifeEntry, made: Commitment) -> frozenset[PersonId]:
        """Whom a promise is to: whom its words name, else who is addressed, in a group who is called or answered."""
        to_all = made.beneficiaries in ((), entry.addressees)
        named = self._who(made.beneficiaries, entry.talk) or self._who(entry.addressees, entry.talk)
        if not to_all or not self.threads.is_group(entry.talk):
            return named
        if called := self._called(entry, asks=False):
            return called
        answered = self.threads.answered(entry.talk, entry.place[:3], self.people.who(entry.author, entry.talk) or "")
        return frozenset({answered} if answered else ())

    def _called(self, entry: _LifeEntry, *, asks: bool) -> frozenset[PersonId]:
        """Who in a group is called by name."""
        members = self.threads.members(entry.talk) - {self.people.who(entry.author, entry.talk)}
        return frozenset(who for who in members if is_called(self.people.known(who).name, entry.quoted, asks=asks))

    def _asked(self, entry: _LifeEntry, made: Request) -> frozenset[PersonId]:
        """Whom a request asks; in a group all who read it, unless it calls somebody."""
        to_all = made.asked in ((), entry.addressees)
        named = self._who(made.asked, entry.talk) or self._who(entry.addressees, entry.talk)
        if not to_all:
            return named
        if self.threads.is_group(entry.talk):
            return self._called(entry, asks=True) or self.threads.members(entry.talk)
        return self._called_elsewhere(entry, named)

    def _called_elsewhere(self, entry: _LifeEntry, read_by: frozenset[PersonId]) -> frozenset[PersonId]:
        """Whom "Rosa, could you ..." asks in a message that is not to Rosa: her, if only one of that name is known. Of
        several, nobody can say which one.
        """
        call = _CALL.match(entry.quoted)
        others = self.people.carriers(call["name"]) if call and call["name"][0].isupper() else frozenset()
        known = [Person(self.people.known(who).name) for who in sorted(read_by)]
        if call is None or not others or others & read_by or spelled.nicknamed(call["name"], known):
            return read_by
        return others if len(others) == 1 else frozenset()

    def _redated(self, before: _Loop, after: _Loop) -> None:
        if before.due and after.due:
            self.changes.append(
                Change(
                    id=after.lead.id,
                    kind="due",
                    subject=after.object,
                    attribute="due",
                    before=before.due.day,
                    after=after.due.day,
                    at=after.lead.said_at,
                    who=after.owner,
                    evidence=(*self._evidence(before.newest), *self._evidence(after.lead)),
                )
            )

    def _joins_task(
        self, entry: _LifeEntry, made: Commitment | Request, owner: PersonId, others: frozenset[PersonId]
    ) -> bool:
        """What is promised or asked for and stands in a recorded task is told by the task alone, and lives as it does.

        A task that is over speaks for promises, since they may be older than its last change; who asks asks anew.
        """
        promised = isinstance(made, Commitment)
        fitting = [
            loop
            for loop in self._tasks.get((owner, objects.head(made.object, entry.language)), ())
            if self._same_task(made, loop, entry, others)
            and _same_day(made.due, loop.due)
            and (loop.active or (promised and _days_between(loop.lead.moment, entry.moment) <= TASK_DAYS))
        ]
        if not fitting:
            return False
        best = min(fitting, key=lambda loop: (not loop.active, loop.lead.id))
        best.add(entry)
        best.due = best.due or made.due
        return True

    def _same_task(
        self, made: Commitment | Request, loop: _Loop, entry: _LifeEntry, others: frozenset[PersonId]
    ) -> bool:
        """Whether a task is to do this: the same object, or all that its title says is said.

        Names of those who get it need not be: in "Send the report to Bob" as in "I'll send you the report" Bob gets it.
        """
        if _identical(made.object, loop.object, entry):
            return True
        if not _compatible(made.object, loop.object, entry):
            return False
        getting = [self.people.known(who).name for who in sorted(others & loop.beneficiaries)]
        texts = (made.object, *(quote.text for quote in made.quotes), *getting)
        words = frozenset().union(*(objects.telling(text, entry.language) for text in texts))
        return objects.telling(loop.object, entry.language) <= words

    def _forget(self, loop: _Loop) -> None:
        """A request that a task tells of, with the promise that accepts it."""
        self.loops.remove(loop)
        loop.state = "superseded"

    def _requested(
        self, entry: _LifeEntry, made: Commitment, owner: PersonId, beneficiaries: frozenset[PersonId]
    ) -> _Loop | None:
        """The request that a promise answers: the same object, of the one who promises, by the one it is promised."""
        for loop in reversed(self._about(owner, made.object, entry)):
            if loop.kind != "request" or not loop.active or owner not in loop.asked or not entry.after(loop.newest):
                continue
            if entry.talk in loop.talks and _compatible(made.object, loop.object, entry):
                return loop
            if loop.beneficiaries & beneficiaries and _identical(made.object, loop.object, entry):
                return loop
        return None

    def _same_promise(
        self, entry: _LifeEntry, made: Commitment, owner: PersonId, beneficiaries: frozenset[PersonId]
    ) -> _Loop | None:
        for loop in reversed(self._about(owner, made.object, entry)):
            if loop.kind != "commitment" or not loop.active or loop.owner != owner:
                continue
            near = entry.talk in loop.talks or bool(loop.beneficiaries & beneficiaries)
            if (near or not (loop.beneficiaries and beneficiaries)) and _identical(made.object, loop.object, entry):
                return loop
            # "Sure, I'll fetch the boxes from school." "OK, I'll fetch the boxes then."
            if entry.talk in loop.talks and is_direct(entry.talk) and _compatible(made.object, loop.object, entry):
                return loop
        return None

    def _request(self, entry: _LifeEntry, made: Request) -> None:
        asker = self.people.who(made.asker, entry.talk)
        asked = self._asked(entry, made) - {asker or ""}
        if asker is None or not asked:
            return
        if USER in asked and self._joins_task(entry, made, USER, frozenset({asker})):
            return
        for loop in reversed(self._in_talk(entry)):
            same = loop.kind == "request" and asker in loop.beneficiaries and loop.asked & asked
            owed = loop.kind == "commitment" and loop.owner in asked and asker in loop.beneficiaries
            if loop.active and (same or owed) and _identical(made.object, loop.object, entry):
                # Asked again, or reminded of what is promised already.
                loop.add(entry)
                loop.due = loop.due or made.due
                return
        owner = next(iter(asked)) if len(asked) == 1 else None
        for loop in self._about(owner, made.object, entry) if owner else ():
            lead = loop.lead.statement
            if loop.kind == "request" and isinstance(lead, Request) and _is_sent_again(lead, made):
                loop.add(entry)
                loop.beneficiaries |= {asker}
                return
        self._open(_Loop(entry, "request", made.object, owner, asked, frozenset({asker}), made.due))

    def _accept(self, loop: _Loop, entry: _LifeEntry, owner: PersonId, due: Due | None, object_: str = "") -> None:
        before = loop.due
        loop.kind, loop.owner, loop.asked = "commitment", owner, frozenset()
        # The one who promises says by when; the longer description of the two is the one to tell.
        loop.due = due or before
        loop.object = max(loop.object, object_, key=len)
        loop.add(entry)
        self._by_talk[entry.talk].append(loop)

    def _answer(self, entry: _LifeEntry, answer: Answer) -> None:
        by = self.people.who(answer.by, entry.talk)
        if by is None:
            return
        to = (self._who(answer.to, entry.talk) or self._who(entry.addressees, entry.talk)) - {by}
        settle = {
            "accepted": self._accepted,
            "declined": self._declined,
            "delivered": self._delivered,
            "received": self._received,
            "released": self._released,
        }[answer.verdict]
        settle(entry, answer.object, by, to)

    def _accepted(self, entry: _LifeEntry, object_: str, by: PersonId, to: frozenset[PersonId]) -> None:
        def asked(loop: _Loop) -> bool:
            return loop.kind == "request" and by in loop.asked and (bool(object_) or self._is_next(loop, entry, by))

        for loop in self._settled(entry, object_, asked, to, [by]):
            self._accept(loop, entry, by, entry.statement.due if isinstance(entry.statement, Answer) else None)
            if "tells" in entry.reading.turn and _is_told(loop):
                loop.close("delivered", entry)  # "All right. It is Becka.", to "give me the name"

    def _is_next(self, loop: _Loop, entry: _LifeEntry, by: PersonId) -> bool:
        """Whether "sure" can answer this: in a chat not what was answered before, nor what a later question follows."""
        between = self.threads.between(entry.talk, loop.newest.place[:3], entry.place[:3])
        askers = loop.beneficiaries
        return not any(
            # Whoever asks may add words, whoever is asked may ask back, and all may say "oh".
            "parts" not in message.turn and ("asks" in message.turn) != (message.author not in askers)
            for message in between
        )

    def _declined(self, entry: _LifeEntry, object_: str, by: PersonId, to: frozenset[PersonId]) -> None:
        for loop in self._settled(entry, object_, _done_by(by), to, [by]):
            loop.close("withdrawn", entry)

    def _delivered(self, entry: _LifeEntry, object_: str, by: PersonId, to: frozenset[PersonId]) -> None:
        settled = self._settled(entry, object_, _done_by(by), to, [by])
        if not settled and by == USER and not to and object_:
            settled = self._done_as_told(entry, object_)
        for loop in settled:
            loop.close("delivered", entry)

    def _done_as_told(self, entry: _LifeEntry, object_: str) -> list[_Loop]:
        """What the user says is done where nobody listens, in a note or to the assistant: the same object, or a like
        one that somebody gets whom the words name. Of several, nobody can say which one is meant.
        """
        quoted = " ".join(quote.text for quote in entry.statement.quotes).casefold()

        def is_named(loop: _Loop) -> bool:
            names = (self.people.known(who).name.casefold().split()[:1] for who in loop.beneficiaries)
            return any(name and name[0] in quoted for name in names)

        several = [
            loop
            for loop in self._about(USER, object_, entry)
            if loop.kind != "task" and _done_by(USER)(loop) and entry.after(loop.newest)
        ]
        same = [loop for loop in several if _identical(object_, loop.object, entry)]
        fitting = same or [loop for loop in several if is_named(loop) and _compatible(object_, loop.object, entry)]
        if len(fitting) > 1:
            fitting = [loop for loop in fitting if is_named(loop)]
        return fitting if len(fitting) == 1 else []

    def _received(self, entry: _LifeEntry, object_: str, by: PersonId, to: frozenset[PersonId]) -> None:
        # "Got it, thanks" after a promise means that it was heard: only a named object is one that has arrived.
        if object_:
            for loop in self._settled(entry, object_, _owed_to(by, to), frozenset({by}), sorted(to)):
                loop.close("delivered", entry)

    def _released(self, entry: _LifeEntry, object_: str, by: PersonId, to: frozenset[PersonId]) -> None:
        for loop in self._settled(entry, object_, _owed_to(by, to), frozenset({by}), sorted(to)):
            loop.close("withdrawn", entry)

    def _settled(
        self,
        entry: _LifeEntry,
        object_: str,
        fits: Callable[[_Loop], bool],
        to: frozenset[PersonId],
        owners: Sequence[PersonId],
    ) -> list[_Loop]:
        """Which loops an answer speaks of; ``owners``: who does what is settled.

        In the same conversation a compatible object is enough where only one loop has it; without an object it is what
        was said just before, if that is one thing. Elsewhere the object must be identical, and somebody shared.
        A task's own state is the only thing that closes it.
        """

        def earlier(several: Iterable[_Loop]) -> list[_Loop]:
            return [
                loop
                for loop in several
                if loop.active and loop.kind != "task" and fits(loop) and entry.after(loop.newest)
            ]

        here = list(dict.fromkeys(earlier(self._in_talk(entry))))
        if not object_:
            # One message may promise two things: then nobody can say which of them is meant.
            last = max((loop.newest.place[:3] for loop in here), default=None)
            here = [loop for loop in here if loop.newest.place[:3] == last]
            return here if len(here) == 1 else []
        same = [loop for loop in here if _identical(object_, loop.object, entry)]
        alike = same or [loop for loop in here if _compatible(object_, loop.object, entry)]
        settled = alike if same or len(alike) == 1 else []
        for owner in owners:
            shared = [
                loop for loop in self._about(owner, object_, entry) if loop.beneficiaries & to and loop not in alike
            ]
            settled += [loop for loop in earlier(shared) if _identical(object_, loop.object, entry)]
        return list(dict.fromkeys(settled))

    def _lapse(self, meetings: _Meetings, readings: Sequence[Reading]) -> None:
        self._lapse_answered(readings)
        for loop in self.loops:
            if not loop.active:
                continue
            if meetings.are_off(loop):
                loop.state = "lapsed"
                loop.closed_by = None
            elif loop.kind != "task" and self._is_long_past(loop):
                loop.state = "lapsed"

    def _lapse_answered(self, readings: Sequence[Reading]) -> None:
        """What was settled without a word that says so: on a messenger, requests that somebody answered in any words;
        in a chat, what was to be sent and came as a photo, a file or a link; anywhere, an answer promised or asked for.
        """
        open_there = defaultdict[str, list[_Loop]](list)
        for loop in self.loops:
            if not loop.active or loop.kind == "task":
                continue
            if is_chat(loop.newest.talk) or contacts.is_answer(loop.object):
                open_there[loop.newest.talk].append(loop)
        for reading in readings if open_there else ():
            waiting = open_there.get(reading.thread)
            author = self._author_of(reading) if waiting else None
            for loop in waiting or ():
                due = loop.active and author in (loop.asked or {loop.owner})
                if due and (_is_handed(reading, loop) or self._is_answered(reading, loop)):
                    loop.state = "lapsed"

    def _is_answered(self, reading: Reading, loop: _Loop) -> bool:
        """Whether it came an hour ago or more, behind a request; a question back and a good-bye answer nothing.

        What has a day is answered by what follows at once.
        """
        wrote, asked = moment(reading.said_at).minute, loop.newest.moment.minute
        if not (asked < wrote <= self.now.minute - ANSWERED_MINUTES) or "parts" in reading.turn:
            return False
        if contacts.is_answer(loop.object):
            return loop.kind == "request" or "asks" not in reading.turn
        if loop.due is None and _is_told(loop):
            return "asks" not in reading.turn
        if loop.kind != "request":
            # In a room, whoever said yes and goes on there some minutes later has done it, or tells of it.
            return loop.due is None and not is_direct(loop.newest.talk) and wrote > asked + ROOM_MINUTES
        at_once = loop.due is None or wrote <= asked + ANSWERED_MINUTES
        return at_once and "asks" not in reading.turn

    def _author_of(self, reading: Reading) -> PersonId | None:
        """Who wrote a message, which may state nothing."""
        if reading.source == OUTBOUND:
            return USER
        return self.people.who(reading.people[0], reading.thread) if reading.people else None

    def _is_long_past(self, loop: _Loop) -> bool:
        """Whether both its day, if it has one, and the last words on it are long ago."""
        days = CONTACT_DAYS if loop.due and contacts.is_contact(loop.object) else REMINDED_DAYS
        if is_chat(loop.newest.talk) and loop.due and loop.due.last_day == loop.newest.moment.day:
            days = 0  # "tonight": nobody writes that it was done
        elif is_direct(loop.newest.talk):
            days = CONTACT_DAYS if loop.due else MESSENGER_DAYS
        if _days_between(loop.newest.moment, self.now) <= days:
            return False
        return loop.due is None or _ordinal(self.now.day) - _ordinal(loop.due.last_day) > days

    def _sorted_loops(self) -> tuple[Loop, ...]:
        """By the time that they were opened, then by id."""
        ordered: list[_Loop] = []
        by_time = sorted(self.loops, key=lambda loop: loop.lead.said_at)
        for _, group in groupby(by_time, key=lambda loop: loop.lead.said_at):
            several = list(group)
            # Ids cost as much as all the rest: they are made where they decide.
            ordered += several if len(several) == 1 else sorted(several, key=lambda loop: loop.lead.id)
        return tuple(map(self._loop, ordered))

    def _loop(self, loop: _Loop) -> Loop:
        state, disowned, snoozed = loop.state, False, ""
        for correction in self._corrections_of(loop):
            if correction.kind == "done":
                state = "delivered"
            elif correction.kind == "not_mine":
                disowned = True
            elif correction.kind == "snooze":
                snoozed = max(snoozed, correction.until)
        return Loop(
            kind=loop.kind,
            object=loop.object,
            owner=None if disowned and loop.owner == USER else loop.owner,
            asked=tuple(sorted(loop.asked)),
            beneficiaries=tuple(sorted(loop.beneficiaries)),
            direction="others" if disowned else self._direction(loop),
            due=loop.due,
            condition=loop.condition,
            state=state,
            stage=stage_of(loop.due, state, self.now_local),
            since=loop.lead.said_at,
            changed_at=(loop.closed_by or loop.newest).said_at,
            snoozed_until=snoozed,
            source=_LoopSource(loop, self.people, self.corrected),
        )

    def _corrections_of(self, loop: _Loop) -> list[Correction]:
        """Those that speak of a loop and still hold: not where it was promised or asked for again since."""
        if not self.corrected.corrections:
            return []
        given = dict.fromkeys(
            chain.from_iterable(self.corrected.about(entry.reading, entry.statement) for entry in loop.entries)
        )
        return [correction for correction in given if not _said_since(loop, moment(correction.at))]

    def _loop_statements_of(self, source: str, record_id: str) -> frozenset[str]:
        if not self._by_record:
            for entry in chain.from_iterable(loop.entries for loop in self.loops):
                key = (entry.reading.source, entry.reading.record_id)
                self._by_record.setdefault(key, []).append(entry)
        return frozenset(entry.id for entry in self._by_record.get((source, record_id), ()))

    def _direction(self, loop: _Loop) -> Literal["you_owe", "owed_to_you", "asked_of_you", "asked_by_you", "others"]:
        if loop.kind == "request":
            # Nobody owes what several are asked: each of them may leave it to the others.
            if loop.owner == USER:
                return "asked_of_you"
            if USER in loop.asked or (len(loop.asked) > 1 and self.threads.is_group(loop.lead.talk)):
                return "others"
            return "asked_by_you" if USER in loop.beneficiaries else "others"
        if loop.owner == USER:
            return "you_owe"
        # Said to a room without a name: to everybody in it, and it is the user's record.
        if loop.owner and (USER in loop.beneficiaries or not loop.beneficiaries):
            return "owed_to_you"
        return "others"

    def _evidence(self, entry: _LifeEntry) -> Iterator[StatementEvidence]:
        return _cites(entry, self.people)

    # --- decisions, facts ----------------------------------------------------------------------------------------

    def _decisions(self, several: Sequence[_LifeEntry]) -> tuple[DecisionMade, ...]:
        made: list[DecisionMade] = []
        #: Later decisions by what they are about, the latest first: only these can replace one.
        later: dict[str, list[DecisionMade]] = defaultdict(list)
        known: set[tuple[str, str]] = set()
        for entry in reversed(several):
            decision = entry.statement
            assert isinstance(decision, Decision)
            # The same words in a second record of the same talk say it once.
            about = decision.about.casefold()
            key = (decision.what.casefold(), about)
            if key in known:
                continue
            known.add(key)
            replaced = next(
                (
                    other.id
                    for other in reversed(later[about])
                    if about and not _identical(other.what, decision.what, entry)
                ),
                "",
            )
            who = self._who(decision.who, entry.talk) or self._who((entry.author,), entry.talk)
            made.append(
                DecisionMade(
                    id=entry.id,
                    who=tuple(sorted(who)),
                    what=decision.what,
                    about=decision.about,
                    at=entry.said_at,
                    replaced_by=replaced,
                    evidence=tuple(self._evidence(entry)),
                )
            )
            later[about].append(made[-1])
        return tuple(reversed(made))

    def _facts(self, several: Sequence[_LifeEntry]) -> tuple[Contradiction, ...]:
        contradictions = []
        for bucket in _buckets(several):
            for entries in _comparable(bucket):
                contradiction = self._bucket(entries)
                if contradiction:
                    contradictions.append(contradiction)
        return tuple(contradictions)

    def _bucket(self, entries: Sequence[_LifeEntry]) -> Contradiction | None:
        """What a subject's values over time are: one value, a development (into ``changes``), or a contradiction."""
        values = {_fact(entry).value for entry in entries}
        if len(values) < 2:
            first = min(entries, key=_BY_PLACE)
            # An amount is told to have changed only beside the one before: "the fee goes up to 30" may be of any fee.
            if _fact(first).valid_from and not _is_amount(_fact(first)) and not _is_past(first, first.said_at):
                self._changed(first)
            return None
        if not any(_fact(entry).valid_from for entry in entries) and _fact(entries[0]).attribute == "total":
            return None  # Each order, account and form has its own.
        entries = _in_order(entries)
        final = entries[-1]
        contradiction = self._disputed(entries)
        if contradiction:
            return contradiction
        before = next(entry for entry in reversed(entries) if _fact(entry).value != _fact(final).value)
        after = next(
            entry for entry in entries[entries.index(before) + 1 :] if _fact(entry).value == _fact(final).value
        )
        fact = _fact(after)
        # Whoever names both values tells a change, even if the first day is past.
        in_one_breath = bool(fact.valid_from) and before.place == after.place
        if _are_listed(entries) or (_is_past(before, after.said_at) and not in_one_breath):
            return None
        together = before.record is after.record and before.said_at == after.said_at
        if _is_amount(fact) and together and _fact(before).valid_from:
            return None  # "The price was changed to 5. The price was changed to 7.": of two things.
        self._changed(after, before, entries[: entries.index(after)])
        return None

    def _changed(self, after: _LifeEntry, before: _LifeEntry | None = None, earlier: Sequence[_LifeEntry] = ()) -> None:
        """A change. Without ``before``, its words say that there was another value, which nobody has named."""
        fact = _fact(after)
        self.changes.append(
            Change(
                id=after.id,
                kind="fact",
                subject=fact.subject,
                attribute=fact.attribute,
                before=_shown(before) if before else "",
                after=_shown(after),
                at=after.said_at,
                who=self.people.who(self._by(after), after.talk),
                evidence=(*(self._evidence(before) if before else ()), *self._evidence(after)),
                find_earlier=partial(_earlier, earlier, _shown, self.people),
            )
        )

    def _disputed(self, entries: Sequence[_LifeEntry]) -> Contradiction | None:
        """The contradiction of the last value with what somebody else last said, and nobody has replaced."""
        final = entries[-1]
        last = {self._voice(entry): entry for entry in entries}
        standing = [
            entry
            for entry in last.values()
            if _fact(entry).value != _fact(final).value and not _is_over(entry, final.said_at)
        ]
        knowing = _Knowing.of(entries)
        open_ = [entry for entry in standing if not knowing.of_change(entry, self._may_replace)]
        return self._contradiction(max(open_, key=_BY_PLACE), final) if open_ else None

    def _may_replace(self, new: _LifeEntry, old: _LifeEntry) -> bool:
        """Whether "40 instead of 50" replaces the 50: only of one's own, of a change, or before whoever said 50.

        Anybody else may have heard it wrong; then there are two voices.
        """
        if _fact(new).valid_from or new.talk == old.talk or self._voice(new) == self._voice(old):
            return True
        present = self.people.all_of((*new.reading.people, *new.addressees), new.talk)
        return self._voice(old) in present

    def _standing_facts(self, several: Sequence[_LifeEntry]) -> tuple[StandingFact, ...]:
        return tuple(self._standing_fact(_in_order(bucket)) for bucket in _buckets(several))

    def _standing_fact(self, entries: Sequence[_LifeEntry]) -> StandingFact:
        final = entries[-1]
        fact = _fact(final)
        before = next(
            (number for number in reversed(range(len(entries))) if _fact(entries[number]).value != fact.value), -1
        )
        first = entries[before + 1]
        return StandingFact(
            id=final.id,
            subject=fact.subject,
            attribute=fact.attribute,
            unit=fact.unit,
            scope=fact.scope,
            value=fact.value,
            by=self.people.who(self._by(final), final.talk),
            since=_fact(first).valid_from or first.said_at,
            replaced=_fact(entries[before]).value if before >= 0 else "",
            disputed=self._disputed(entries) if before >= 0 else None,
            evidence=tuple(self._evidence(final)),
        )

    def _by(self, entry: _LifeEntry) -> Person:
        fact = _fact(entry)
        return fact.by if fact.by != UNKNOWN else entry.author

    def _voice(self, entry: _LifeEntry) -> str:
        who = self.people.who(self._by(entry), entry.talk)
        return who or f"record/{entry.reading.source}/{entry.reading.record_id}"

    def _contradiction(self, first: _LifeEntry, second: _LifeEntry) -> Contradiction:
        fact = _fact(second)
        sides = tuple(
            Side(
                value=_fact(entry).value,
                shown=_shown(entry),
                by=self.people.who(self._by(entry), entry.talk),
                said_at=entry.said_at,
                evidence=tuple(self._evidence(entry)),
            )
            for entry in (first, second)
        )
        return Contradiction(
            id="".join(sorted((first.id, second.id))),
            subject=fact.subject,
            attribute=fact.attribute,
            unit=fact.unit,
            scope=fact.scope,
            sides=sides,
            again=self.corrected.again(second.reading, fact),
        )

    # --- people --------------------------------------------------------------------------------------------------

    def _people(self, readings: Sequence[Reading]) -> tuple[PersonSeen, ...]:
        records: dict[PersonId, int] = defaultdict(int)
        lately: dict[PersonId, int] = defaultdict(int)
        last: dict[PersonId, tuple[str, str, str, str, str]] = {}
        # The sources whose records name somebody as more than another recipient of a message to the user.
        ways: dict[PersonId, set[str]] = defaultdict(set)
        who, today = self.people.all_of, self.now.day
        since = date.fromordinal(max(1, self.now.minute // _MINUTES - LATELY_DAYS)).isoformat() if today else "9"
        for reading in readings:
            people = reading.people
            # An out-of-office reply is no word of the person, and a mail of a list knows nobody whom it is sent to.
            if not people or reading.machines or reading.source in (CONTACTS, PROFILES):
                continue
            talk, said_at = conversation(reading), reading.said_at
            is_lately = since <= said_at[:10] <= today
            in_touch = self._in_touch(reading)
            for person_id in who(people, talk):
                if person_id == USER:
                    continue
                records[person_id] += 1
                if is_lately:
                    lately[person_id] += 1
                if reading.source != INBOUND or person_id in in_touch:
                    ways[person_id].add(reading.source)
                touched = said_at if person_id in in_touch else ""
                before = last.get(person_id)
                if before is None or (touched, said_at) >= before[:2]:
                    person = next(person for person in people if person_id in who((person,), talk))
                    written = person.name or person.address
                    place = (touched, said_at, reading.source, reading.record_id, written)
                    last[person_id] = place if before is None else max(before, place)
        return tuple(
            PersonSeen(
                id=person_id,
                records=records[person_id],
                lately=lately[person_id],
                last_day=last[person_id][0][:10],
                source=last[person_id][2],
                record_id=last[person_id][3],
                written=last[person_id][4],
            )
            for person_id in sorted(records, key=lambda person_id: (-lately[person_id], -records[person_id], person_id))
            if not self.people.is_nobody(person_id)
            and not self.people.is_unclear(person_id)
            and self._is_sure(person_id, ways[person_id])
        )

    def _is_sure(self, person_id: PersonId, sources: Set[str]) -> bool:
        """Whether name and records tell that it is a person.

        Desks, lists and products have one word for a name or none, and a mistyped address never writes.
        """
        naming = self.people.named_by(person_id)
        if naming == "name" or not sources <= {INBOUND, OUTBOUND}:
            return True
        return INBOUND in sources and (naming == "address" or OUTBOUND in sources)

    def _in_touch(self, reading: Reading) -> frozenset[PersonId]:
        """Who wrote or spoke with the user: not whoever else got a message, and nobody whom only a draft names."""
        if reading.source not in _IN_TOUCH or (self.now.day and reading.said_at[:10] > self.now.day):
            return frozenset()
        people = reading.people[:1] if reading.source == INBOUND else reading.people
        return self.people.all_of(people, conversation(reading))


# --- meetings ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Meetings:
    people: Directory
    changes: list[Change]
    statements: _Statements
    _groups: list[list[_LifeEntry]] | None = None
    #: By language and by one word of the title, and planned ones by language and head.
    _cancelled: dict[str, dict[str, list[Event]]] = field(default_factory=dict)
    _planned: dict[str, dict[str, list[Event]]] = field(default_factory=dict)
    #: Planned meetings that somebody called off in words, by the number of their group; None: not looked for yet.
    _called_off: frozenset[int] | None = None

    def find_moves(self) -> None:
        """Tell the changes of calendar entries that were moved."""
        for versions in self._keyed(self.statements.entries(_EVENTS, lambda statement: _event_of(statement).key != "")):
            self._moved(versions)

    def all(self) -> tuple[Meeting, ...]:
        return self._in_order(self.groups())

    def beginning(self, day: str) -> tuple[Meeting, ...]:
        """Those of ``all`` that begin on this day or later: a workspace has years of meetings, and most callers ask for
        the next ones."""
        groups = self._groups
        if groups is None:
            groups = self._late_groups(day)
        return self._in_order(group for group in groups if _event(group[0]).starts[:10] >= day)

    def cancelled(self, day: str) -> tuple[Meeting, ...]:
        """Those of ``beginning`` that were called off; most workspaces have none."""
        if not self.statements.cancelled:
            return ()
        return tuple(meeting for meeting in self.beginning(day) if meeting.state == "cancelled")

    def _in_order(self, groups: Iterable[list[_LifeEntry]]) -> tuple[Meeting, ...]:
        return tuple(sorted(map(self._meeting, groups), key=lambda meeting: (meeting.starts, meeting.id)))

    def _late_groups(self, day: str) -> list[list[_LifeEntry]]:
        """The groups of meetings that begin on this day or later, and some of earlier ones.

        Which meetings are one depends on those that begin up to ``SAME_START_MINUTES`` before, and so on. Where no such
        chain reaches further back than the days that are looked at, nothing earlier counts.
        """
        try:
            # The longest difference of two clocks is 26 hours: nothing before the first day is as late as the second.
            first = date.fromisoformat(day).toordinal() - _DAYS_BEFORE
            oldest = date.fromordinal(first).isoformat()
        except ValueError:
            return self.groups()
        late = [event for event in self.statements.events() if event.starts[:10] >= oldest]
        timed = [(when.minute, event.starts[:10] >= day) for event in late if (when := moment(event.starts)).timed]
        reach = min((minute for minute, is_asked_for in timed if is_asked_for), default=None)
        if reach is not None:
            for minute, _ in sorted(timed, reverse=True):
                if reach - SAME_START_MINUTES <= minute < reach:
                    reach = minute
            if reach < (first + 2) * _MINUTES:
                return self.groups()
        keys = {event.key for event in late if event.key}
        return self._put_together(
            self.statements.entries(
                _EVENTS, lambda each: _event_of(each).key in keys or _event_of(each).starts[:10] >= oldest
            )
        )

    def groups(self) -> list[list[_LifeEntry]]:
        """Statements of each meeting; what the first of them says counts. Put together when first asked for."""
        if self._groups is None:
            self._groups = self._put_together(self.statements.entries(_EVENTS))
        return self._groups

    def are_off(self, loop: _Loop) -> bool:
        """Whether a loop is there only for a meeting that was cancelled and is not planned again."""
        if not self.statements.cancelled:
            return False
        language = loop.lead.language
        if language not in self._cancelled:
            self._index(language)
        cancelled = self._cancelled[language]
        return any(
            _prepares(loop, event) and not self._is_planned_again(event, loop.lead)
            for word in objects.telling(loop.object, language)
            for event in cancelled.get(word, ())
        )

    def _index(self, language: str) -> None:
        cancelled: dict[str, list[Event]] = defaultdict(list)
        planned: dict[str, list[Event]] = defaultdict(list)
        called_off = self._find_called_off()
        for number, group in enumerate(self.groups()):
            event = _event(group[0])
            if event.state == "planned" and number not in called_off:
                planned[objects.head(event.title, language)].append(event)
            elif words := objects.telling(event.title, language):
                cancelled[min(words)].append(event)
        self._cancelled[language], self._planned[language] = cancelled, planned

    def _find_called_off(self) -> frozenset[int]:
        """Planned meetings that their organiser, the user or a calendar's message calls off."""
        if self._called_off is None:
            planned = [
                (number, group) for number, group in enumerate(self.groups()) if _event(group[0]).state == "planned"
            ]
            numbers: set[int] = set()
            for entry in self.statements.entries(_CALLED_OFF):
                fitting = [number for number, group in planned if self._is_meant(entry, group)]
                # Without its day, the title has to be of one meeting to come.
                if len(fitting) == 1 or _off(entry).day or _off(entry).key:
                    numbers.update(fitting)
            self._called_off = frozenset(numbers)
        return self._called_off

    def _is_meant(self, entry: _LifeEntry, group: Sequence[_LifeEntry]) -> bool:
        off, event = _off(entry), _event(group[0])
        day = event.starts[:10]
        if off.day and off.day != day:
            return False
        if off.key:
            local = off.key.partition("@")[0]
            return event.key in (off.key, local) or event.key.startswith(f"{local}_")
        if not day or not entry.moment.day or entry.moment.day > day:
            return False
        title = objects.telling(event.title, entry.language)
        named = title and title <= objects.telling(off.object, entry.language)
        return bool(named or _identical(off.object, event.title, entry)) and self._may_call_off(entry, group)

    def _may_call_off(self, entry: _LifeEntry, group: Sequence[_LifeEntry]) -> bool:
        """Whether somebody is the user, the organiser, or, where nobody is named as such, the only other attendee."""
        by = self.people.who(_off(entry).by, entry.talk)
        organizer = self.people.who(_event(group[0]).organizer, group[0].talk)
        attendees: frozenset[PersonId] = frozenset().union(*(self._attendees(each) for each in group))
        return by is not None and (by in (USER, organizer) or (organizer is None and attendees == {by}))

    def _is_planned_again(self, cancelled: Event, entry: _LifeEntry) -> bool:
        planned = self._planned[entry.language].get(objects.head(cancelled.title, entry.language), ())
        return any(
            event.starts >= cancelled.starts and _identical(event.title, cancelled.title, entry) for event in planned
        )

    @staticmethod
    def _keyed(several: Sequence[_LifeEntry]) -> Iterator[list[_LifeEntry]]:
        """The versions of each calendar id. The highest counts and comes last; of equal ones the one told last."""
        keyed: dict[str, list[_LifeEntry]] = defaultdict(list)
        for entry in several:
            if key := _event(entry).key:
                keyed[key].append(entry)
        for key in sorted(keyed):
            yield sorted(keyed[key], key=lambda entry: (_event(entry).version, entry.place))

    def _put_together(self, several: Sequence[_LifeEntry]) -> list[list[_LifeEntry]]:
        groups = [[versions[-1]] for versions in self._keyed(several)]
        # Only meetings that begin about then are compared: a year has thousands.
        about: dict[int, list[list[_LifeEntry]]] = defaultdict(list)
        for group in groups:
            about[_ten(group[0])].append(group)
        for entry in several:
            if _event(entry).key:
                continue
            near = chain.from_iterable(about.get(_ten(entry) + step, ()) for step in (-1, 0, 1))
            fitting = next((group for group in near if self._same(group[0], entry)), None)
            if fitting is not None:
                fitting.append(entry)
            else:
                groups.append([entry])
                about[_ten(entry)].append(groups[-1])
        return groups

    def _same(self, left: _LifeEntry, right: _LifeEntry) -> bool:
        first, second = moment(_event(left).starts), moment(_event(right).starts)
        if not (first.timed and second.timed) or abs(first.minute - second.minute) > SAME_START_MINUTES:
            return False
        return bool(self._attendees(left) & self._attendees(right))

    def _attendees(self, entry: _LifeEntry) -> frozenset[PersonId]:
        event = _event(entry)
        people = (*event.attendees, event.organizer)
        # The user attends all of their meetings: that they do tells none from another.
        return frozenset(who for person in people if (who := self.people.who(person, entry.talk)) not in (None, USER))

    def _moved(self, versions: Sequence[_LifeEntry]) -> None:
        """Earlier versions that other records of the same entry still hold are what it was before."""
        last = versions[-1]
        before = next((entry for entry in reversed(versions) if _event(entry).starts != _event(last).starts), None)
        if before is None or _event(last).state == "cancelled" or not _event(last).starts:
            return
        self.changes.append(
            Change(
                id=last.id,
                kind="meeting",
                subject=_event(last).title,
                attribute="start",
                before=_event(before).starts,
                after=_event(last).starts,
                at=last.said_at,
                who=self.people.who(_event(last).organizer, last.talk),
                evidence=(*_cites(before, self.people), *_cites(last, self.people)),
                zone=_event(last).zone,
                find_earlier=partial(_earlier, versions[:-1], _starts, self.people),
            )
        )

    def _meeting(self, group: Sequence[_LifeEntry]) -> Meeting:
        lead = group[0]
        event = _event(lead)
        attendees: frozenset[PersonId] = frozenset().union(*(self._attendees(entry) for entry in group))
        return Meeting(
            id=event.key or lead.id,
            title=event.title,
            starts=event.starts,
            ends=event.ends,
            state=event.state,
            organizer=self.people.who(event.organizer, lead.talk),
            attendees=tuple(sorted(attendees)),
            evidence=tuple(chain.from_iterable(_cites(entry, self.people) for entry in group)),
            zone=event.zone,
        )


def _earlier(
    entries: Iterable[_LifeEntry], value_of: Callable[[_LifeEntry], str], people: Directory
) -> tuple[EarlierValue, ...]:
    """What these said. No method: a change that holds the list of all changes would be a cycle."""
    return tuple(
        EarlierValue(value_of(entry), entry.id, entry.reading.record_id, tuple(_cites(entry, people)))
        for entry in entries
    )


# --- words that several use --------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Statements:
    """The statements of all readings by kind, each with its reading."""

    by_kind: dict[type[Statement], list[tuple[_LifeRecord, Statement]]]
    #: Whether any meeting was cancelled, or called off.
    cancelled: bool

    @classmethod
    def of(cls, readings: Iterable[Reading], corrected: Corrected) -> _Statements:
        """Without statements that the user called wrong, or no task."""
        by_kind: dict[type[Statement], list[tuple[_LifeRecord, Statement]]] = {kind: [] for kind in KINDS.values()}
        corrects = bool(corrected.corrections)
        for reading in readings:
            if not reading.statements:
                continue
            record = _LifeRecord(reading)
            for statement in reading.statements:
                if not (corrects and corrected.drops(reading, statement)):
                    by_kind[type(statement)].append((record, statement))
        made = cls(by_kind, cancelled=False)
        made.cancelled = bool(by_kind[CalledOff]) or any(event.state == "cancelled" for event in made.events())
        return made

    def events(self) -> Iterator[Event]:
        return map(_event_of, map(itemgetter(1), self.by_kind[Event]))

    def named(self) -> set[Person]:
        """Whom meetings and decisions name, and who tells of them."""
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
    ) -> list[_LifeEntry]:
        """Those of these kinds with their place, in one order that does not depend on that of the readings."""
        made = [
            _entry(record, statement)
            for kind in kinds
            for record, statement in self.by_kind[kind]
            if wanted is None or wanted(statement)
        ]
        made.sort(key=_BY_PLACE)
        # Ids cost as much as all the rest: they are made where they decide.
        for start, end in _breaths(made):
            made[start:end] = sorted(made[start:end], key=lambda entry: entry.id)
        return made


def _entry(record: _LifeRecord, statement: Statement) -> _LifeEntry:
    reading, quotes = record.reading, statement.quotes
    number = quotes[0].utterance if len(quotes) == 1 else _number_of(statement)
    author, addressees, said_at = reading.cited.get(number, _NOWHERE)
    said_at = said_at or reading.said_at
    when = moment(said_at)
    place = (when.minute, reading.source, reading.record_id, number)
    return _LifeEntry(statement, record, record.talk, said_at, when, number, place, author, addressees)


def _to_user(entries: Iterable[_LifeEntry], acquaintances: Acquaintances) -> list[_LifeEntry]:
    """Without what others promise, ask for or decide in mail that is not meant for the user."""
    owed = (Commitment, Request, Decision)
    return [
        entry for entry in entries if not isinstance(entry.statement, owed) or acquaintances.is_meant(entry.reading)
    ]


def _number_of(statement: Statement) -> int:
    """The number of the utterance that a statement stands in; -1: in the record's header."""
    quotes: tuple[Quote, ...] = statement.quotes
    return quotes[0].utterance if len(quotes) == 1 else min((quote.utterance for quote in quotes), default=-1)


#: "Rosa, could you", "Rosa - please", "Rosa will you".
_CALL: Final = re.compile(
    r"\W*(?:(?:hi|hey|hello|dear|ok|okay|hallo|liebe[rs]?|salut|bonjour|hola|ciao)\s+)?(?P<name>[^\W\d_][\w'\u2019-]+)"
    r"(?:\s*[,:]\s|\s*[-\u2013\u2014]+\s|\s+(?=(?:please|bitte|(?:can|could|will|would)\s+you|(?:kannst|könntest)\s+du)\b))",
    re.IGNORECASE,
)


def _comparable(bucket: list[_LifeEntry]) -> Iterator[list[_LifeEntry]]:
    """Facts of one bucket, together where they are of one thing.

    In two conversations "Kestrel" and "the kitchen" are, and "this report" or "my phone number" are not. No label is
    compared: each form has its own "Order total: 80", and each signature its "Phone: ...".
    """
    if len({_fact(entry).value for entry in bucket}) < 2:
        yield bucket
        return
    apart: dict[str, list[_LifeEntry]] = defaultdict(list)
    is_telling = any(map(_is_telling, bucket))
    for entry in bucket:
        apart[f"label/{entry.place}" if _is_label(entry) else "" if is_telling else entry.talk].append(entry)
    yield from apart.values()


def _is_telling(entry: _LifeEntry) -> bool:
    fact = _fact(entry)
    if CONVERSATION in dict(fact.scope):
        return True  # its bucket is that of one conversation already
    words = [word for word in _NAME.findall(fact.subject) if not mentions.is_ordinary(word, entry.language)]
    pointed = _THIS.findall(fact.quotes[0].text)
    return bool(words) and not any(word.casefold() in words for word in pointed)


def _is_label(entry: _LifeEntry) -> bool:
    """Whether a fact stands behind a label, "Participant fee: 700", or in capitals: any form has it."""
    fact = _fact(entry)
    label = _LABEL.match(fact.quotes[0].text)
    words = _NAME.findall(fact.subject.casefold())
    is_before = label is not None and not {*words}.isdisjoint(_NAME.findall(label[0].casefold()))
    return is_before or fact.quotes[0].text.isupper()


_NAME: Final = re.compile(r"[^\W_][\w'-]*")
#: What is pointed to: "this offer".
_THIS: Final = re.compile(
    r"\b(?:this|these|dies\w{1,2}|ce|cet|cette|este|esta|questo|questa|dit|deze)\s+([\w'-]+)", re.IGNORECASE
)
#: "Fee: 700", "FEE = 700".
_LABEL: Final = re.compile(r"[^:=.!?]{1,60}[:=](?!\d)")


#: (author, addressees, said_at) of an utterance that no reading has.
_NOWHERE: Final[tuple[Person, tuple[Person, ...], str]] = (UNKNOWN, (), "")
_BY_PLACE: Final = attrgetter("place")


def _breaths(entries: Sequence[_LifeEntry]) -> Iterator[tuple[int, int]]:
    """Where several entries in order stand at one place: from where to where. Most stand alone."""
    places, end = list(map(_BY_PLACE, entries)), 0
    for start in [number for number, is_same in enumerate(map(eq, places, places[1:])) if is_same]:
        if start >= end:
            end = start + 2
            while places[end : end + 1] == [places[start]]:
                end += 1
            yield start, end


def _is_told(loop: _Loop) -> bool:
    """English: whether a chat tells it in the words that follow a yes: "give me the name"."""
    asked = is_chat(loop.newest.talk) and isinstance(loop.lead.statement, Request)
    return asked and objects.head(loop.object, loop.lead.language) in _TOLD_AT_ONCE


_TOLD_AT_ONCE: Final = frozenset(
    objects.head(thing, "en")
    for thing in table("name number address recipe location link price code password email size details info")
)
#: What opens and closes loops, and what may contradict; the other kinds are put together when they are asked for.
_FOLDED: Final = (Task, Commitment, Request, Answer, Fact)
_EVENTS: Final = (Event,)
_DECISIONS: Final = (Decision,)
_CALLED_OFF: Final = (CalledOff,)


def _buckets(facts: Iterable[_LifeEntry]) -> Iterator[list[_LifeEntry]]:
    """Facts of one attribute of one subject in one unit and scope together, in order of these."""
    buckets: dict[tuple[str, str, str, tuple[tuple[str, str], ...]], list[_LifeEntry]] = defaultdict(list)
    for entry in facts:
        fact = _fact(entry)
        buckets[fact.subject.casefold(), fact.attribute.casefold(), fact.unit, fact.scope].append(entry)
    for key in sorted(buckets):
        yield buckets[key]


def _fact(entry: _LifeEntry) -> Fact:
    assert isinstance(entry.statement, Fact)
    return entry.statement


def _event(entry: _LifeEntry) -> Event:
    return _event_of(entry.statement)


def _event_of(statement: Statement) -> Event:
    assert isinstance(statement, Event)
    return statement


def _off(entry: _LifeEntry) -> CalledOff:
    assert isinstance(entry.statement, CalledOff)
    return entry.statement


@dataclass(slots=True)
class _Knowing:
    """Statements that know that a value is no more: they say from when theirs holds, or name both in one breath."""

    dated: list[_LifeEntry] = field(default_factory=list)
    by_value: dict[str, list[_LifeEntry]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, entries: Sequence[_LifeEntry]) -> _Knowing:
        made = cls([entry for entry in entries if _fact(entry).valid_from])
        for start, end in _breaths(entries):
            several = entries[start:end]
            values = {_fact(entry).value for entry in several}
            for entry in several:
                for value in values - {_fact(entry).value}:
                    made.by_value[value].append(entry)
        return made

    def of_change(self, old: _LifeEntry, may_replace: Callable[[_LifeEntry, _LifeEntry], bool]) -> bool:
        """Whether a later statement of another value knows of this one, and may replace it."""
        value = _fact(old).value
        dated = (entry for entry in reversed(self.dated) if _fact(entry).value != value)
        named = (entry for entry in reversed(self.by_value.get(value, ())) if may_replace(entry, old))
        return any(entry.after(old) for entry in chain(named, dated))


#: What somebody said more than so many days ago is no side of a contradiction today.
_DISPUTED_DAYS: Final = 365
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


def _is_over(entry: _LifeEntry, now: str) -> bool:
    """Whether a value can no longer be what is true: its day is past, or it was said long ago."""
    first, second = moment(entry.said_at), moment(now)
    return _is_past(entry, now) or second.minute - first.minute > _DISPUTED_DAYS * _MINUTES


def _is_past(entry: _LifeEntry, now: str) -> bool:
    """Whether its value is a day before this one: the deadline of an earlier year, and not the same one moved."""
    value = _fact(entry).value
    return _DAY.fullmatch(value) is not None and value < now[:10]


def _is_amount(fact: Fact) -> bool:
    return fact.unit not in ("", "time")


def _are_listed(entries: Sequence[_LifeEntry]) -> bool:
    """Whether all stand in one text, and none says that anything changed: values of several things."""
    first, last = entries[0], entries[-1]
    if first.record is not last.record or first.said_at != last.said_at:
        return False
    together = {(id(entry.reading), entry.said_at) for entry in entries}
    quotes = {entry.statement.quotes for entry in entries}
    return len(together) == 1 and len(quotes) > 1 and not any(_fact(entry).valid_from for entry in entries)


def _in_order(entries: Sequence[_LifeEntry]) -> list[_LifeEntry]:
    """As they were said; of two values in one breath the one that was said before comes first."""
    known: set[str] = set()
    order, counted = list(entries), 0
    for start, end in _breaths(entries):
        known.update(_fact(entry).value for entry in order[counted:start])
        counted = start
        order[start:end] = sorted(
            order[start:end],
            key=lambda entry: (_fact(entry).value not in known, bool(_fact(entry).valid_from), entry.id),
        )
    return order


def _newest(loops: list[_Loop]) -> list[_Loop]:
    """The open ones, the newest at most; the list keeps no others. Nothing opens a closed loop again."""
    loops[:] = [loop for loop in loops if loop.active][-COMPARED:]
    return loops


def _identical(left: str, right: str, entry: _LifeEntry) -> bool:
    """Whether both name the same thing wherever they are said; ``entry`` tells the language."""
    if left.casefold() == right.casefold():
        return True
    return objects.same_object(left, right, entry.language) == "identical"


def _compatible(left: str, right: str, entry: _LifeEntry) -> bool:
    """Whether both may name one thing within a conversation."""
    return objects.same_object(left, right, entry.language) != ""


def _ten(entry: _LifeEntry) -> int:
    """In which stretch of ten minutes a meeting begins."""
    return moment(_event(entry).starts).minute // SAME_START_MINUTES


def _starts(entry: _LifeEntry) -> str:
    return _event(entry).starts


def _shown(entry: _LifeEntry) -> str:
    fact = _fact(entry)
    return fact.value if fact.unit == "time" else f"{fact.value} {fact.unit}".strip()


def _cites(entry: _LifeEntry, people: Directory) -> Iterator[StatementEvidence]:
    by = people.who(entry.author, entry.talk)
    for quote in entry.statement.quotes:
        yield StatementEvidence(entry.reading.source, entry.reading.record_id, quote.text, entry.said_at, by, entry.id)


def _done_by(who: PersonId) -> Callable[[_Loop], bool]:
    return lambda loop: loop.owner == who or who in loop.asked


def _owed_to(who: PersonId, by: frozenset[PersonId]) -> Callable[[_Loop], bool]:
    return lambda loop: who in loop.beneficiaries and (loop.owner in by or bool(loop.asked & by))


def _said_since(loop: _Loop, at: Moment) -> bool:
    """Whether somebody speaks of a loop after that. A task's row may be touched without anything said."""
    return any(entry.moment.is_after(at) for entry in loop.entries if not isinstance(entry.statement, Task))


def _same_day(left: Due | None, right: Due | None) -> bool:
    """Whether two due dates can be one; none agrees with all."""
    return left is None or right is None or left.day == right.day


def _is_sent_again(before: Request, now: Request) -> bool:
    """Whether somebody of the same name asks for the same in the same words, from another address."""
    words = [tuple(quote.text for quote in each.quotes) for each in (before, now)]
    return words[0] == words[1] and before.asker.name.casefold() == now.asker.name.casefold() != ""


def _is_handed(reading: Reading, loop: _Loop) -> bool:
    """Whether a message within the hour hands something over, where the words of the loop speak of sending, or says
    that it is done in minutes.
    """
    passed = moment(reading.said_at).minute - loop.newest.moment.minute
    if not 0 <= passed <= ANSWERED_MINUTES:
        return False
    asked = isinstance(loop.lead.statement, Request) or any(map(_speaks_of_sending, loop.entries))
    return "soon" in reading.turn or ("hands" in reading.turn and asked)


def _speaks_of_sending(entry: _LifeEntry) -> bool:
    known = languages.get(entry.language or "en")
    spoken = {token.word for quote in entry.statement.quotes for token in tokens(quote.text.casefold())}
    return known is not None and not known.sending.isdisjoint(spoken)


def _days_between(start: Moment, end: Moment) -> int:
    """Days on the user's calendar; 0 where either is unknown."""
    return _ordinal(end.day) - _ordinal(start.day) if start.day and end.day else 0


@lru_cache(maxsize=4096)
def _ordinal(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def _prepares(loop: _Loop, meeting: Event) -> bool:
    """Whether a loop is there only for this meeting: it names it, and is due by it."""
    language = loop.lead.language
    title = objects.telling(meeting.title, language)
    if not title or not title <= objects.telling(loop.object, language):
        return False
    if loop.due is None:
        return not loop.lead.moment.day or loop.lead.moment.day <= (meeting.starts[:10] or loop.lead.moment.day)
    return not meeting.starts or loop.due.day <= meeting.starts[:10]
