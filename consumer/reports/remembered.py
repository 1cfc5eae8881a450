"""
The content of memory as findings: who owes what to whom, what changed, what contradicts, who matters.

Each finding quotes pages of this snapshot. A finding that cannot be cited is left out and counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, partial
from itertools import groupby
from typing import Final, NamedTuple

from consumer.reports import news
from consumer.reports.citing import Citing
from consumer.reports.claims import Citation
from consumer.reports.detectors.findings import Finding, FindingKind, clipped
from consumer.reports.phrases import DEFAULT
from consumer.reports.withholding import KeptOut, Withheld, sifted
from consumer.reports.wording import Wording, sentence
from consumer.understanding.memory import Change, Contradiction, DecisionMade, Loop, Meeting, Memory, PersonSeen, Side
from consumer.understanding.moments import day_of
from consumer.understanding.people import USER, PersonId

LOOPS: Final = 25
CONTRADICTIONS: Final = 12
PEOPLE: Final = 12
#: Loops on the page of open loops, and decisions on that of decisions; the others are counted there.
LISTED: Final = 100
#: Changes are reported for this many days.
NEWS_DAYS: Final = 14
#: A person with this many records who has been silent for this many days is reported.
STALE_RECORDS: Final = 3
STALE_DAYS: Final = 21
#: Sources whose pages are meetings, and characters of a meeting's title in a sentence.
MEETINGS: Final = frozenset({"meeting_notes", "granola_transcripts"})
TITLE: Final = 60


class Remembered(NamedTuple):
    """Findings of each kind in order. ``counts``: all ``open_loops``, those ``due_this_week``, and the ``uncited``
    findings left out. ``kept_out``: what the user's rules hold.
    """

    open_loops: tuple[Finding, ...] = ()
    contradictions: tuple[Finding, ...] = ()
    changes: tuple[Finding, ...] = ()
    people: tuple[Finding, ...] = ()
    stale: tuple[Finding, ...] = ()
    counts: Mapping[str, int] = {}
    kept_out: KeptOut = KeptOut()


class _FindingDraft(NamedTuple):
    """A finding before it is put in words and its places are looked up; ``cite`` gives none where it cannot be told."""

    kind: FindingKind
    text: Callable[[], str]
    weight: float
    cite: Callable[[], tuple[Citation, ...]]
    due: date | None = None
    subject: str = ""
    #: Gives the id of the statement; of thousands of loops only those told are asked.
    statement: Callable[[], str] = str


NOTHING: Final = Withheld()


class Telling:
    """Memory in sentences of one language, each with its citations. ``withheld``: what is not told, only counted."""

    def __init__(self, memory: Memory, citing: Citing, language: str = DEFAULT, withheld: Withheld = NOTHING) -> None:
        self.memory, self.citing, self.withheld = memory, citing, withheld
        self._today = date.fromisoformat(memory.now[:10])
        self.wording = Wording(language, self._today, memory.directory, memory.now[11:16])
        #: Open loops that the user's rules do not hold.
        self.loops, self._held_loops = sifted(memory.own_loops(), withheld.of_loop)
        self._uncited = 0

    def all(self) -> Remembered:
        hold = self.withheld
        contradictions, held_contradictions = sifted(self.memory.contradictions, hold.of_contradiction)
        news_of = (each for each in self.memory.changes if self._is_news(each) and each.id not in self.memory.doubted)
        changes, held_changes = sifted(news_of, hold.of_change)
        people, held_people = sifted(self.memory.people, lambda person: hold.of_people(person.ids))
        owed = self._open_with(self.loops)
        return Remembered(
            self._best([self._loop(loop) for loop in self.loops], LOOPS),
            self._best([self._contradiction(contradiction) for contradiction in contradictions], CONTRADICTIONS),
            self._best([draft for change in changes for draft in self._change(change)], LOOPS),
            self._best([self._person(person, owed) for person in people if self._has_news_of(person, owed)], PEOPLE),
            self._best([self._stale(person) for person in self._gone_silent(people)], PEOPLE),
            {
                "open_loops": len(self.loops),
                "due_this_week": due_this_week(self.loops, self._today),
                "uncited": self._uncited,
            },
            self._held_loops.plus(held_contradictions).plus(held_changes).plus(held_people),
        )

    def holds(self, text: str, cited: Iterable[Citation]) -> bool:
        """Whether the user's rules keep a sentence with these places out of what is told."""
        return bool(self.withheld.of_told(text, cited))

    def meeting_of(self, decision: DecisionMade) -> str:
        """The title of the meeting whose record says it; "" for none."""
        for place in decision.evidence[:1]:
            if place.source in MEETINGS:
                for cited in self.citing.of([place], 1):
                    page = self.citing.find(cited.page)
                    return clipped(page.title.partition(": ")[2], TITLE) if page else ""
        return ""

    def open_loops(self) -> tuple[Finding, ...]:
        """All open loops for a page of their own, without words that depend on the day. ``subject``: the direction."""
        return self._listed(self.loops)

    def doubted(self) -> tuple[Finding, ...]:
        """The same of the loops that a second reader doubts."""
        return self._listed(self.doubted_loops())

    def doubted_loops(self) -> list[Loop]:
        """Those that the user's rules do not hold."""
        return sifted(self.memory.doubted_loops(), self.withheld.of_loop)[0]

    def _listed(self, loops: Iterable[Loop]) -> tuple[Finding, ...]:
        ordered = sorted(loops, key=lambda loop: ((loop.due.day, loop.due.time) if loop.due else ("9", ""), loop.since))
        return self._first(
            (
                _FindingDraft(
                    *("open_loop", partial(self._lasting, loop), float(-number), partial(self._cited_loop, loop)),
                    day_of(loop.due.day) if loop.due else None,
                    loop.direction,
                )
                for number, loop in enumerate(ordered)
            ),
            LISTED,
        )

    def _lasting(self, loop: Loop) -> str:
        """A loop's sentence that stays the same until its evidence changes: the date in full, and no "tomorrow"."""
        words = self.wording.loop(loop, dated=False)
        due = self.wording.full_due(loop.due) if loop.due else ""
        return f"{due}: {words}" if due else words

    def decisions(self) -> tuple[Finding, ...]:
        """All decisions for a page of their own, the newest first."""
        ordered = sorted(self.memory.decisions, key=lambda decision: (decision.at, decision.id), reverse=True)
        drafts = [
            _FindingDraft(
                *("change", partial(self._decided, decision), float(-number)),
                partial(self.citing.of, decision.evidence),
            )
            for number, decision in enumerate(ordered[: 2 * LISTED])
        ]
        return tuple(entry for entry in self._best(drafts, LISTED) if not self.holds(entry.text, entry.citations))

    def _decided(self, decision: DecisionMade) -> str:
        return self.wording.decision(decision, self.meeting_of(decision), full=True)

    def _best(self, drafts: Iterable[_FindingDraft], limit: int) -> tuple[Finding, ...]:
        """The weightiest that can be cited, of one weight by their text.

        Only these are put in words and looked up: a large brain has thousands of others.
        """
        by_weight = sorted(drafts, key=lambda draft: -draft.weight)
        return self._first(
            (
                draft
                for _, group in groupby(by_weight, key=lambda draft: draft.weight)
                for draft in _by_text(list(group))
            ),
            limit,
        )

    def _first(self, drafts: Iterable[_FindingDraft], limit: int) -> tuple[Finding, ...]:
        """The first that can be cited. One sentence that promises two things is told once."""
        findings: list[Finding] = []
        spoken: set[tuple[str, tuple[Citation, ...]]] = set()
        for draft in drafts:
            if len(findings) == limit:
                break
            cited = draft.cite()
            if not cited:
                self._uncited += 1
                continue
            made = Finding(draft.kind, draft.text(), cited, draft.weight, draft.due, subject=draft.subject)
            if (made.text, cited) not in spoken:
                spoken.add((made.text, cited))
                findings.append(replace(made, statement=draft.statement()))
        return tuple(findings)

    # --- loops ---------------------------------------------------------------------------------------------------

    def _loop(self, loop: Loop) -> _FindingDraft:
        day = day_of(loop.due.day) if loop.due else None
        text, cite = partial(self.wording.loop, loop), partial(self._cited_loop, loop)
        weight = self._weight(loop, day)
        return _FindingDraft("open_loop", text, weight, cite, day, loop.direction, lambda: loop.id)

    def _cited_loop(self, loop: Loop) -> tuple[Citation, ...]:
        return self.citing.of(loop.evidence)

    def _weight(self, loop: Loop, due: date | None) -> float:
        """Loops due soon or just overdue first, the user's own before others', then the newest."""
        near = 0.0
        if due is not None:
            # What is late stays near for longer than what is still to come.
            left = (due - self._today).days
            near = 2.0 / (1 + (left / 7 if left >= 0 else -left / 21))
        own = {"you_owe": 1.0, "asked_of_you": 0.7, "owed_to_you": 0.6}.get(loop.direction, 0.3)
        since = day_of(loop.since) or self._today
        return round(near + own + 0.5 / (1 + max((self._today - since).days, 0) / 14), 4)

    # --- contradictions and changes ------------------------------------------------------------------------------

    def _contradiction(self, contradiction: Contradiction) -> _FindingDraft:
        newest = max((day_of(side.said_at) or date.min for side in contradiction.sides), default=date.min)
        text = partial(self.wording.contradiction, contradiction)
        return _FindingDraft(
            "contradiction", text, float(newest.toordinal()), partial(self.cite_both, contradiction.sides)
        )

    def cite_both(self, sides: Sequence[Side]) -> tuple[Citation, ...]:
        """A citation of each side; none where a side cannot be cited."""
        cited = [self.citing.of(side.evidence)[:1] for side in sides]
        return tuple(citation for several in cited for citation in several) if all(cited) else ()

    def _is_news(self, change: Change) -> bool:
        day = day_of(change.at)
        return day is not None and (self._today - day).days <= NEWS_DAYS

    def _change(self, change: Change) -> Iterator[_FindingDraft]:
        day = day_of(change.at)
        if day is not None:
            text, cite = partial(self.wording.change, change), partial(self.citing.of, change.evidence)
            weight = float(day.toordinal()) + 0.5
            yield _FindingDraft("change", text, weight, cite, day, statement=lambda: change.id)

    # --- people --------------------------------------------------------------------------------------------------

    def _open_with(self, loops: Iterable[Loop]) -> Mapping[PersonId, list[Loop]]:
        loops_of: dict[PersonId, list[Loop]] = defaultdict(list)
        for loop in loops:
            for who in {loop.owner or USER, *loop.beneficiaries, *loop.asked} - {USER}:
                if news.is_open_with(loop, {who}):
                    loops_of[who].append(loop)
        return loops_of

    def _has_news_of(self, seen: PersonSeen, owed: Mapping[PersonId, list[Loop]]) -> bool:
        """Whether there is more to tell of somebody than a name among the recipients of others' mail."""
        return bool(seen.last_day) or any(who in owed or who in self._attending for who in seen.ids)

    @cached_property
    def _upcoming(self) -> list[Meeting]:
        """The next meetings that the user's rules do not hold."""
        return [meeting for meeting in self.memory.upcoming() if not self.withheld.of_meeting(meeting)]

    @cached_property
    def _attending(self) -> frozenset[PersonId]:
        return frozenset(who for meeting in self._upcoming for who in meeting.attendees)

    def _next_meeting(self, seen: PersonSeen) -> Meeting | None:
        return next((meeting for meeting in self._upcoming if not {*seen.ids}.isdisjoint(meeting.attendees)), None)

    def _person(self, seen: PersonSeen, owed: Mapping[PersonId, list[Loop]]) -> _FindingDraft:
        loops = list({loop.id: loop for who in seen.ids for loop in owed.get(who, ())}.values())
        weight = round(seen.lately + seen.records / 10 + len(loops), 4)
        return _FindingDraft(
            "person", partial(self._person_text, seen, loops), weight, partial(self.cited_person, seen)
        )

    def _person_text(self, seen: PersonSeen, loops: Sequence[Loop]) -> str:
        """How somebody and the user stand: what is owed both ways, the next meeting, the last contact."""
        table, parts = self.wording.phrases, []
        for directions, phrase in (
            (("you_owe",), table.you_owe_them),
            (("owed_to_you", "asked_by_you"), table.they_owe_you),
            (("asked_of_you",), table.they_ask_you),
        ):
            if count := sum(loop.direction in directions for loop in loops):
                parts.append(self.wording.many(phrase, count))
        if meeting := self._next_meeting(seen):
            when = self.wording.begins(meeting.starts, meeting.zone)
            parts.append(table.next_meeting.format(when=when, title=meeting.title))
        if last := day_of(seen.last_day):
            parts.append(table.last_contact.format(day=self.wording.day(last)))
        name = self.wording.seen(seen)
        return sentence(f"{name}: {'; '.join(parts)}" if parts else name)

    def cited_person(self, seen: PersonSeen) -> tuple[Citation, ...]:
        """Where a record names somebody, under any of their names and addresses."""
        several = map(self.memory.directory.known, seen.ids)
        names = (seen.written, *(name for each in several for name in (each.name, *each.aliases, *each.addresses)))
        return tuple(self.citing.first(seen.source, seen.record_id, names))

    def _gone_silent(self, people: Iterable[PersonSeen]) -> Iterator[PersonSeen]:
        for person in people:
            last = day_of(person.last_day)
            if person.records >= STALE_RECORDS and last and (self._today - last).days > STALE_DAYS:
                yield person

    def _stale(self, seen: PersonSeen) -> _FindingDraft:
        def text() -> str:
            last = day_of(seen.last_day) or self._today
            name = self.wording.seen(seen)
            return sentence(self.wording.phrases.faded.format(who=name, day=self.wording.full_day(last)))

        return _FindingDraft("stale", text, float(seen.records), partial(self.cited_person, seen))


def _by_text(drafts: list[_FindingDraft]) -> list[_FindingDraft]:
    return drafts if len(drafts) == 1 else sorted(drafts, key=lambda draft: draft.text())


def due_this_week(loops: Iterable[Loop], today: date) -> int:
    """How many are due in the seven days from today, or overdue."""
    return sum(
        loop.due is not None and (day_of(loop.due.last_day) or date.max).toordinal() < today.toordinal() + 7
        for loop in loops
    )
