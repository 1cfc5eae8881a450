"""
The content of memory as findings: who owes what to whom, what changed, what contradicts, who matters.

Each finding quotes pages of this snapshot. A finding that cannot be cited is left out and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache, partial
from itertools import groupby
from typing import Final, NamedTuple

from consumer.evidence import pages
from consumer.evidence.records import IndexedRecord
from consumer.reports import citations
from consumer.reports.citations import Find, Resolved
from consumer.reports.claims import Citation
from consumer.reports.detectors.findings import Finding, FindingKind, titled
from consumer.reports.detectors.records import shorten
from consumer.understanding.memory import Change, Contradiction, Loop, Memory, PersonSeen, Side, StatementEvidence
from consumer.understanding.people import USER, PersonId
from consumer.understanding.statements import CONVERSATION, Due

LOOPS: Final = 25
CONTRADICTIONS: Final = 12
PEOPLE: Final = 12
#: Changes are reported for this many days.
NEWS_DAYS: Final = 14
#: A person with this many records who has been silent for this many days is reported.
STALE_RECORDS: Final = 3
STALE_DAYS: Final = 21
#: Maximum of places that a finding cites.
CITED: Final = 3
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

#: (source, record id) -> where the record stands; None: it is not there.
PlaceOf = Callable[[tuple[str, str]], IndexedRecord | None]


class Remembered(NamedTuple):
    """Findings of each kind in order. ``counts``: all ``open_loops``, and the ``uncited`` findings left out."""

    open_loops: tuple[Finding, ...] = ()
    contradictions: tuple[Finding, ...] = ()
    changes: tuple[Finding, ...] = ()
    people: tuple[Finding, ...] = ()
    stale: tuple[Finding, ...] = ()
    counts: Mapping[str, int] = {}


class _FindingDraft(NamedTuple):
    """A finding before it is put in words and its places are looked up; ``cite`` gives none where it cannot be told."""

    kind: FindingKind
    text: Callable[[], str]
    weight: float
    cite: Callable[[], tuple[Citation, ...]]
    due: date | None = None


def tell(memory: Memory, place_of: PlaceOf, find: Find) -> Remembered:
    """Memory as findings. ``find``: the pages of this snapshot."""
    return _Telling(memory, place_of, find).all()


class _Telling:
    def __init__(self, memory: Memory, place_of: PlaceOf, find: Find) -> None:
        self._memory, self._place_of, self._find = memory, place_of, find
        self._today = date.fromisoformat(memory.now[:10])
        self._uncited = 0

    def all(self) -> Remembered:
        open_loops = [loop for loop in self._memory.open_loops() if loop.direction != "others"]
        owed = self._open_with(open_loops)
        return Remembered(
            self._best([self._loop(loop) for loop in open_loops], LOOPS),
            self._best(
                [self._contradiction(contradiction) for contradiction in self._memory.contradictions], CONTRADICTIONS
            ),
            self._best([draft for change in self._memory.changes for draft in self._change(change)], LOOPS),
            self._best([self._person(person, owed) for person in self._memory.people], PEOPLE),
            self._best([self._stale(person) for person in self._gone_silent()], PEOPLE),
            {"open_loops": len(open_loops), "uncited": self._uncited},
        )

    def _best(self, drafts: Iterable[_FindingDraft], limit: int) -> tuple[Finding, ...]:
        """The weightiest that can be cited, of one weight by their text.

        Only these are put in words and looked up: a large brain has thousands of others.
        """
        findings: list[Finding] = []
        for _, group in groupby(sorted(drafts, key=lambda draft: -draft.weight), key=lambda draft: draft.weight):
            worded = [(draft.text(), draft) for draft in group]
            for text, draft in sorted(worded, key=lambda pair: pair[0]):
                if len(findings) == limit:
                    return tuple(findings)
                cited = draft.cite()
                if cited:
                    findings.append(Finding(draft.kind, text, cited, draft.weight, draft.due))
                else:
                    self._uncited += 1
        return tuple(findings)

    # --- citations -----------------------------------------------------------------------------------------------

    def _cite(self, source: str, record_id: str, quotes: Iterable[str]) -> Iterator[Citation]:
        """The first of these quotes that stands on the record's page."""
        place = self._place_of((source, record_id))
        for quote in quotes if place else ():
            if place is None or not quote.strip():
                continue
            cited = Citation(page=pages.slug_of(place.page), anchor=place.anchor or None, quote=shorten(quote))
            if isinstance(citations.resolve(cited, self._find), Resolved):
                yield cited
                return

    def _cited(self, evidence: Iterable[StatementEvidence]) -> tuple[Citation, ...]:
        distinct: dict[Citation, None] = {}
        for place in evidence:
            for cited in self._cite(place.source, place.record_id, [place.quote]):
                distinct[cited] = None
        return tuple(distinct)[:CITED]

    # --- loops ---------------------------------------------------------------------------------------------------

    def _loop(self, loop: Loop) -> _FindingDraft:
        def text() -> str:
            return f"{self._who_owes(loop)}{self._if(loop)}{self._due(loop.due)}."

        day = _day(loop.due.day) if loop.due else None
        return _FindingDraft("open_loop", text, self._weight(loop, day), lambda: self._cited(loop.evidence), day)

    def _who_owes(self, loop: Loop) -> str:
        """The owner, the other side, and the record's own words, in their language."""
        owner = self._name(loop.owner) if loop.owner else "nobody"
        others = self._names(loop.beneficiaries)
        what = titled(loop.object, 140)
        if loop.kind == "task":
            return f"{what} is on your list" if loop.direction == "you_owe" else f"{what} is assigned to {owner}"
        words = titled((loop.words or loop.object).rstrip(". "), 140)
        wordings = {
            "you_owe": f"You promised{f' {others}' if others else ''}: {words}",
            "owed_to_you": f"{_capital(owner)} promised {'you' if USER in loop.beneficiaries else 'everyone'}: {words}",
            "asked_of_you": f"{_capital(others)} asks you: {words}",
            "asked_by_you": f"You asked {self._names(loop.asked)}: {words}",
        }
        return wordings[loop.direction]

    def _if(self, loop: Loop) -> str:
        return f", if {titled(loop.condition, 80)}" if loop.condition else ""

    def _due(self, due: Due | None) -> str:
        day = _day(due.day) if due else None
        if due is None or day is None:
            return ""
        time = f", {due.time}" if due.time else ""
        days_left = (day - self._today).days
        if days_left < 0:
            return f", was due {self._shown(day)}{time}, {-days_left} day{'s' if days_left < -1 else ''} ago"
        near = {0: "today, ", 1: "tomorrow, "}.get(days_left, "")
        return f", due {near}{self._shown(day)}{time}"

    def _weight(self, loop: Loop, due: date | None) -> float:
        """Loops due soon or just overdue first, the user's own before others', then the newest."""
        near = 0.0 if due is None else 2.0 / (1 + abs((due - self._today).days) / 7)
        own = {"you_owe": 1.0, "asked_of_you": 0.7, "owed_to_you": 0.6}.get(loop.direction, 0.3)
        since = _day(loop.since) or self._today
        return round(near + own + 0.5 / (1 + max((self._today - since).days, 0) / 14), 4)

    # --- contradictions and changes -----------------------------------------------------------------------

    def _contradiction(self, contradiction: Contradiction) -> _FindingDraft:
        def text() -> str:
            sides = " but ".join(self._side(side) for side in contradiction.sides)
            scope = "".join(f", {value}" for name, value in contradiction.scope if name != CONVERSATION)
            subject, attribute = contradiction.subject, contradiction.attribute
            named = subject if subject.casefold() == attribute.casefold() else f"{subject}, {attribute}"
            return f"{named}{scope}: {sides}."

        newest = max((_day(side.said_at) or date.min for side in contradiction.sides), default=date.min)
        return _FindingDraft("contradiction", text, float(newest.toordinal()), partial(self._both, contradiction.sides))

    def _both(self, sides: Sequence[Side]) -> tuple[Citation, ...]:
        """A citation of each side; none where a side cannot be cited."""
        cited = [self._cited(side.evidence)[:1] for side in sides]
        return tuple(citation for several in cited for citation in several) if all(cited) else ()

    def _side(self, side: Side) -> str:
        day = _day(side.said_at)
        who = self._name(side.by) if side.by else "one record"
        says = "say" if side.by == USER else "says"
        return f"{who} {says} {self._words(side.shown)}{f' ({self._shown(day)})' if day else ''}"

    def _change(self, change: Change) -> Iterator[_FindingDraft]:
        day = _day(change.at)
        if day is None or (self._today - day).days > NEWS_DAYS:
            return
        text = partial(self._changed, change, day)
        yield _FindingDraft("change", text, float(day.toordinal()) + 0.5, partial(self._cited, change.evidence), day)

    def _changed(self, change: Change, day: date) -> str:
        by = f" ({_capital(self._name(change.who))}, {self._shown(day)})" if change.who else f" ({self._shown(day)})"
        before, after = (self._words(value) for value in (change.before, change.after))
        return f"{_capital(change.subject)}, {change.attribute}: {before} before, {after} now{by}."

    def _words(self, value: str) -> str:
        """A value for display: days with their weekday, numbers with thousands separators."""
        day = _day(value)
        if day is None:
            number, _, unit = value.partition(" ")
            return f"{int(number):,} {unit}".rstrip() if number.isdecimal() and number.isascii() else value
        return f"{self._shown(day)}{f', {value[11:16]}' if len(value) >= 16 else ''}"

    # --- people --------------------------------------------------------------------------------------------------

    def _open_with(self, loops: Iterable[Loop]) -> Mapping[PersonId, int]:
        counts: dict[PersonId, int] = {}
        for loop in loops:
            for who in {loop.owner or USER, *loop.beneficiaries, *loop.asked} - {USER}:
                counts[who] = counts.get(who, 0) + 1
        return counts

    def _person(self, seen: PersonSeen, owed: Mapping[PersonId, int]) -> _FindingDraft:
        open_ = owed.get(seen.id, 0)
        weight = round(seen.lately + seen.records / 10 + open_, 4)
        return _FindingDraft(
            "person", partial(self._person_text, seen, open_), weight, partial(self._cited_person, seen)
        )

    def _person_text(self, seen: PersonSeen, open_: int) -> str:
        last = _day(seen.last_day)
        return (
            f"{self._name(seen.id) or seen.written}: in {seen.records} record{'' if seen.records == 1 else 's'}"
            + (f", {seen.lately} of them in the last 14 days" if seen.lately else "")
            + (f", last on {self._shown(last)}" if last else "")
            + (f"; {open_} open loop{'' if open_ == 1 else 's'} with you" if open_ else "")
            + "."
        )

    def _cited_person(self, seen: PersonSeen) -> tuple[Citation, ...]:
        person = self._memory.directory.known(seen.id)
        names = (seen.written, person.name, *person.aliases, *person.addresses)
        return tuple(self._cite(seen.source, seen.record_id, names))

    def _gone_silent(self) -> Iterator[PersonSeen]:
        for person in self._memory.people:
            last = _day(person.last_day)
            if person.records >= STALE_RECORDS and last and (self._today - last).days > STALE_DAYS:
                yield person

    def _stale(self, seen: PersonSeen) -> _FindingDraft:
        def text() -> str:
            last = _day(seen.last_day) or self._today
            days = (self._today - last).days
            name = self._name(seen.id) or seen.written
            return f"{name}: in {seen.records} records, none since {self._shown(last)} ({days} days)."

        return _FindingDraft("stale", text, float(seen.records), partial(self._cited_person, seen))

    # --- words ---------------------------------------------------------------------------------------------------

    def _name(self, who: PersonId) -> str:
        return self._memory.directory.name(who)

    def _names(self, several: Iterable[PersonId]) -> str:
        names = [self._name(who) for who in several]
        return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

    def _shown(self, day: date) -> str:
        """``Fri 27 Nov``, with the year where it differs from today's."""
        year = "" if day.year == self._today.year else f" {day.year}"
        return f"{_WEEKDAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]}{year}"


def _day(text: str) -> date | None:
    return _date(text[:10])


@lru_cache(maxsize=4096)
def _date(day: str) -> date | None:
    try:
        return date.fromisoformat(day)
    except ValueError:
        return None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
