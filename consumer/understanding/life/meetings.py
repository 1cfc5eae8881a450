"""Meetings: which records are one, which were moved, called off or planned again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, partial
from itertools import chain
from typing import Final

from consumer.understanding import objects
from consumer.understanding.languages.words import words as table
from consumer.understanding.life.entries import (
    CALLED_OFF,
    EVENTS,
    MINUTES,
    LifeEntry,
    Statements,
    cites,
    earlier_values,
    event_of,
    identical,
)
from consumer.understanding.life.loops import FoldedLoop
from consumer.understanding.memory import Change, Meeting
from consumer.understanding.moments import moment
from consumer.understanding.people import USER, Directory, PersonId
from consumer.understanding.statements import CalledOff, Event

#: Two records are one meeting if they begin within this many minutes and share attendees.
SAME_START_MINUTES: Final = 10
#: Days before a day whose meetings may have to do with those of that day.
_DAYS_BEFORE: Final = 4


@cache
def _meetings(language: str) -> frozenset[str]:
    """Words that say what kind of thing a title names, without endings."""
    return frozenset[str]().union(*(objects.telling(word, language) for word in _MEETING_WORDS))


_MEETING_WORDS: Final = table(
    """
    meeting meetings call session appointment event zoom teams video online weekly monthly regular planned scheduled
    upcoming our termin besprechung treffen sitzung anruf telefonat unser unsere geplante
    réunion rendez-vous rdv séance appel notre reunión cita llamada sesión nuestra reunião encontro sessão chamada nossa
    riunione incontro appuntamento chiamata nostra vergadering afspraak overleg bijeenkomst onze
    """
)


@dataclass(slots=True)
class Meetings:
    people: Directory
    changes: list[Change]
    statements: Statements
    _groups: list[list[LifeEntry]] | None = None
    #: By language and by one word of the title, and planned ones by language and head.
    _cancelled: dict[str, dict[str, list[Event]]] = field(default_factory=dict)
    _planned: dict[str, dict[str, list[Event]]] = field(default_factory=dict)
    #: Planned meetings that somebody called off in words, by the number of their group; None: not looked for yet.
    _called_off: frozenset[int] | None = None

    def find_moves(self) -> None:
        """Add the changes of calendar entries that were moved."""
        for versions in self._keyed(self.statements.entries(EVENTS, lambda statement: event_of(statement).key != "")):
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

    def _in_order(self, groups: Iterable[list[LifeEntry]]) -> tuple[Meeting, ...]:
        return tuple(sorted(map(self._meeting, groups), key=lambda meeting: (meeting.starts, meeting.id)))

    def _late_groups(self, day: str) -> list[list[LifeEntry]]:
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
            if reach < (first + 2) * MINUTES:
                return self.groups()
        keys = {event.key for event in late if event.key}
        return self._put_together(
            self.statements.entries(
                EVENTS, lambda each: event_of(each).key in keys or event_of(each).starts[:10] >= oldest
            )
        )

    def groups(self) -> list[list[LifeEntry]]:
        """The statements of each meeting, of which the first counts. Made on first use."""
        if self._groups is None:
            self._groups = self._put_together(self.statements.entries(EVENTS))
        return self._groups

    def are_off(self, loop: FoldedLoop) -> bool:
        """Whether a loop only prepares a meeting that was cancelled and is not planned again."""
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
            for entry in self.statements.entries(CALLED_OFF):
                fitting = [number for number, group in planned if self._is_meant(entry, group)]
                # Without a day, only one planned meeting may have the title.
                if len(fitting) == 1 or _off(entry).day or _off(entry).key:
                    numbers.update(fitting)
            self._called_off = frozenset(numbers)
        return self._called_off

    def _is_meant(self, entry: LifeEntry, group: Sequence[LifeEntry]) -> bool:
        off, event = _off(entry), _event(group[0])
        day = event.starts[:10]
        if off.day and off.day != day:
            return False
        if off.key:
            local = off.key.partition("@")[0]
            return event.key in (off.key, local) or event.key.startswith(f"{local}_")
        if not day or not entry.moment.day or entry.moment.day > day:
            return False
        title, called_off = objects.telling(event.title, entry.language), objects.telling(off.object, entry.language)
        # "The Kestrel review meeting" is the Kestrel review; its dinner, and last month's, are not.
        named = title and title <= called_off and called_off - title <= _meetings(entry.language)
        return bool(named or identical(off.object, event.title, entry)) and self._may_call_off(entry, group)

    def _may_call_off(self, entry: LifeEntry, group: Sequence[LifeEntry]) -> bool:
        """Whether somebody is the user, the organiser, or, if no organiser is named, the only other attendee."""
        by = self.people.who(_off(entry).by, entry.talk)
        organizer = self.people.who(_event(group[0]).organizer, group[0].talk)
        attendees: frozenset[PersonId] = frozenset().union(*(self._attendees(each) for each in group))
        return by is not None and (by in (USER, organizer) or (organizer is None and attendees == {by}))

    def _is_planned_again(self, cancelled: Event, entry: LifeEntry) -> bool:
        planned = self._planned[entry.language].get(objects.head(cancelled.title, entry.language), ())
        return any(
            event.starts >= cancelled.starts and identical(event.title, cancelled.title, entry) for event in planned
        )

    @staticmethod
    def _keyed(several: Sequence[LifeEntry]) -> Iterator[list[LifeEntry]]:
        """The versions of each calendar id. The highest counts and comes last; of equal ones, the latest does."""
        keyed: dict[str, list[LifeEntry]] = defaultdict(list)
        for entry in several:
            if key := _event(entry).key:
                keyed[key].append(entry)
        for key in sorted(keyed):
            yield sorted(keyed[key], key=lambda entry: (_event(entry).version, entry.place))

    def _put_together(self, several: Sequence[LifeEntry]) -> list[list[LifeEntry]]:
        groups = [[versions[-1]] for versions in self._keyed(several)]
        # Only meetings that begin about then are compared: a year has thousands.
        about: dict[int, list[list[LifeEntry]]] = defaultdict(list)
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

    def _same(self, left: LifeEntry, right: LifeEntry) -> bool:
        first, second = moment(_event(left).starts), moment(_event(right).starts)
        if not (first.timed and second.timed) or abs(first.minute - second.minute) > SAME_START_MINUTES:
            return False
        return bool(self._attendees(left) & self._attendees(right))

    def _attendees(self, entry: LifeEntry) -> frozenset[PersonId]:
        event = _event(entry)
        people = (*event.attendees, event.organizer)
        # The user attends all of their meetings, so they do not tell two meetings apart.
        return frozenset(who for person in people if (who := self.people.who(person, entry.talk)) not in (None, USER))

    def _moved(self, versions: Sequence[LifeEntry]) -> None:
        """Add a change from the earlier versions that other records of the same entry still hold."""
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
                evidence=(*cites(before, self.people), *cites(last, self.people)),
                zone=_event(last).zone,
                find_earlier=partial(earlier_values, versions[:-1], _starts, self.people),
            )
        )

    def _meeting(self, group: Sequence[LifeEntry]) -> Meeting:
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
            evidence=tuple(chain.from_iterable(cites(entry, self.people) for entry in group)),
            zone=event.zone,
        )


def _ten(entry: LifeEntry) -> int:
    """The ten-minute slot in which a meeting begins."""
    return moment(_event(entry).starts).minute // SAME_START_MINUTES


def _starts(entry: LifeEntry) -> str:
    return _event(entry).starts


def _event(entry: LifeEntry) -> Event:
    return event_of(entry.statement)


def _off(entry: LifeEntry) -> CalledOff:
    assert isinstance(entry.statement, CalledOff)
    return entry.statement


def _prepares(loop: FoldedLoop, meeting: Event) -> bool:
    """Whether a loop only prepares this meeting: it names it, and is due by it."""
    language = loop.lead.language
    title = objects.telling(meeting.title, language)
    if not title or not title <= objects.telling(loop.object, language):
        return False
    if loop.due is None:
        return not loop.lead.moment.day or loop.lead.moment.day <= (meeting.starts[:10] or loop.lead.moment.day)
    return not meeting.starts or loop.due.day <= meeting.starts[:10]
