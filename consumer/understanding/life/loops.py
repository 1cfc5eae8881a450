"""Loops while memory is made, and how to find those that a statement may be about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Literal

from consumer.understanding import acts, contacts, objects
from consumer.understanding.corrections import Corrected
from consumer.understanding.languages.words import words as table
from consumer.understanding.life.entries import LifeEntry, cites, ordinal
from consumer.understanding.memory import LoopBasis, LoopState, Stage
from consumer.understanding.people import Directory, PersonId
from consumer.understanding.reading.messages import is_chat
from consumer.understanding.statements import Commitment, Due, Request

#: A statement is compared with at most this many open loops of the same person and thing, or conversation: the newest.
#: Otherwise a text of thousands of requests would cost every later hour.
COMPARED: Final = 200


@dataclass(slots=True, eq=False)
class FoldedLoop:
    """A loop while it is folded."""

    lead: LifeEntry
    kind: Literal["commitment", "request", "task"]
    object: str
    owner: PersonId | None
    asked: frozenset[PersonId]
    beneficiaries: frozenset[PersonId]
    due: Due | None
    condition: str = ""
    #: Who gets the thing, if it is promised to somebody else: Tom, in "I'll send Tom the plan" to Ann.
    gets: frozenset[PersonId] = frozenset()
    state: LoopState = "open"
    closed_by: LifeEntry | None = None
    entries: list[LifeEntry] = field(default_factory=list)
    talks: set[str] = field(default_factory=set)
    supersedes: list[LifeEntry] = field(default_factory=list)
    #: The earlier day for which a promised thing was asked, while nobody has agreed to it.
    wanted: Due | None = None

    @property
    def active(self) -> bool:
        return self.state == "open"

    @property
    def served(self) -> frozenset[PersonId]:
        """All for whom it is done."""
        return self.beneficiaries | self.gets

    @property
    def newest(self) -> LifeEntry:
        return self.entries[-1]

    @property
    def event_day(self) -> str:
        """The last day of the events of which its promises and requests speak; "" for none."""
        several = [entry.statement for entry in self.entries]
        return max((each.event_day for each in several if isinstance(each, Commitment | Request)), default="")

    def add(self, entry: LifeEntry) -> None:
        self.entries.append(entry)
        self.talks.add(entry.talk)

    def close(self, state: LoopState, by: LifeEntry) -> None:
        self.state, self.closed_by = state, by


@dataclass(slots=True, eq=False)
class FoldedLoopSource:
    """Implements memory.LoopSource once everything is folded."""

    loop: FoldedLoop
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
            evidence=tuple(chain.from_iterable(cites(entry, self.people) for entry in loop.entries)),
            closed_by=tuple(cites(loop.closed_by, self.people)) if loop.closed_by else (),
            again=self.corrected.again(loop.lead.reading, loop.lead.statement),
        )


def stage_of(due: Due | None, state: LoopState, now_local: str) -> Stage:
    """How near a loop's date is. ``now_local``: the user's time; "" or only a day if the time is unknown."""
    if state != "open":
        return "closed"
    today, clock = now_local[:10], now_local[11:16]
    if due is None or not today or not due.day:
        return "open"
    last = due.last_day
    if last < today or (last == today and due.time and due.time < clock):
        return "overdue"
    ahead = ordinal(last) - ordinal(today)
    return "due" if ahead == 0 or (ahead == 1 and (not due.time or due.time <= clock)) else "open"


@dataclass(slots=True)
class FoldedLoops:
    """All loops so far. A statement is compared only with those of the same person and thing, or conversation."""

    all: list[FoldedLoop] = field(default_factory=list)
    _by_thing: dict[tuple[PersonId, str], list[FoldedLoop]] = field(default_factory=lambda: defaultdict(list))
    #: The same for tasks, with which promises are compared separately.
    _tasks: dict[tuple[PersonId, str], list[FoldedLoop]] = field(default_factory=lambda: defaultdict(list))
    _by_talk: dict[str, list[FoldedLoop]] = field(default_factory=lambda: defaultdict(list))

    def open(self, loop: FoldedLoop) -> None:
        loop.add(loop.lead)
        self.all.append(loop)
        thing = objects.head(loop.object, loop.lead.language)
        by_thing = self._tasks if loop.kind == "task" else self._by_thing
        for who in {loop.owner, *loop.asked} - {None}:
            by_thing[who or "", thing].append(loop)
        self._by_talk[loop.lead.talk].append(loop)

    def about(self, owner: PersonId, object_: str, entry: LifeEntry) -> Sequence[FoldedLoop]:
        """Somebody's open loops that may have this object, without tasks."""
        return _newest(self._by_thing.get((owner, objects.head(object_, entry.language)), []))

    def in_talk(self, entry: LifeEntry) -> Sequence[FoldedLoop]:
        """The open loops that the conversation mentions. A loop that it mentions twice may be there twice."""
        return _newest(self._by_talk.get(entry.talk, []))

    def tasks(self, owner: PersonId, object_: str, entry: LifeEntry) -> Sequence[FoldedLoop]:
        """Somebody's recorded tasks that may have this object, in any state."""
        return self._tasks.get((owner, objects.head(object_, entry.language)), ())

    def speaks(self, entry: LifeEntry, loop: FoldedLoop) -> None:
        """Note that the conversation of this statement mentions the loop, too."""
        self._by_talk[entry.talk].append(loop)

    def accept(self, loop: FoldedLoop, entry: LifeEntry, owner: PersonId, due: Due | None, object_: str = "") -> None:
        before = loop.due
        loop.kind, loop.owner, loop.asked = "commitment", owner, frozenset()
        # The promise decides the due date; of the two descriptions, the longer one is reported.
        loop.due, loop.wanted = due or loop.wanted or before, None
        loop.object = max(loop.object, object_, key=len)
        loop.add(entry)
        self._by_talk[entry.talk].append(loop)

    def forget(self, loop: FoldedLoop) -> None:
        """Drop a request that a task covers, with the promise that accepts it."""
        self.all.remove(loop)
        loop.state = "superseded"


def _newest(loops: list[FoldedLoop]) -> list[FoldedLoop]:
    """The newest open ones. The others are dropped from the list, since nothing opens a closed loop again."""
    loops[:] = [loop for loop in loops if loop.active][-COMPARED:]
    return loops


def asks_to_know(loop: FoldedLoop) -> bool:
    """English: whether a request only asks a question, which any reply answers: "Which price should I add?"

    "Have you sent it?" and "when can you send it?" ask to hand something over.
    """
    return isinstance(loop.lead.statement, Request) and _QUESTION.match(loop.lead.quoted) is not None


_QUESTION: Final = re.compile(
    r"\A\W*(?:by the way,? |btw,? )?(?:(?:hi |hey |hello |also,? |and )?[^\W\d_]+[,:-]+ )?"
    r"(?:what|which|who|whose|where|why|how|when(?! (?:can|could|will|would) you)|is|are|was|were|do|does|any|should"
    r"|(?:can|could|may|shall) (?:i|we) (?!get (?!back\b)|have|see|borrow))"
    r"\b[^?]*\?\W*\Z",
    re.IGNORECASE,
)


def is_told(loop: FoldedLoop) -> bool:
    """Whether words give what is promised or asked for, and so any answer does: an answer, an opinion."""
    if contacts.is_answer(loop.object) or asks_to_know(loop):
        return True
    if not isinstance(loop.lead.statement, Request):
        return False
    words_asked = acts.is_question(loop.object) or _TELL_ME.search(loop.lead.quoted) is not None
    return words_asked or not _OPINIONS.isdisjoint(loop.object.casefold().split())


_TELL_ME: Final = re.compile(
    r"\b(?:(?:tell|inform|advise|remind) (?:me|us)|sag(?:e|t|en sie)? (?:mir|uns)|teilen? sie (?:mir|uns)"
    r"|(?:dis|dites)-(?:moi|nous)|d[ií](?:me|ganme|game|nos)|dimmi|mi dica|di[zg]a?-(?:me|nos)|zeg (?:me|ons))\b",
    re.IGNORECASE,
)

_OPINIONS: Final = table(
    """
    information info thoughts comment comments opinion opinions view views feedback input advice suggestion suggestions
    meinung meinungen rückmeldung vorschläge informationen avis commentaires retour informations opinión comentarios
    información opinião comentários informação informações parere pareri opinione commenti informazione informazioni
    mening reactie suggesties informatie advies
    """
)


def asks_for_reach(loop: FoldedLoop) -> bool:
    """Whether it is a number or an address at which somebody is reached, which a mail gives in its words."""
    return loop.object.casefold().rpartition(" ")[2] in _REACHES


_REACHES: Final = table(
    "number nummer telefonnummer handynummer numéro número numero telefoonnummer email e-mail mail mailadresse"
)


def is_told_at_once(loop: FoldedLoop) -> bool:
    """English: whether the words after a yes can give what was asked for in a chat: "give me the name"."""
    asked = is_chat(loop.newest.talk) and isinstance(loop.lead.statement, Request)
    return asked and objects.head(loop.object, loop.lead.language) in _TOLD_AT_ONCE


_TOLD_AT_ONCE: Final = frozenset(
    objects.head(thing, "en")
    for thing in table("name number address recipe location link price code password email size details info")
)
