"""Loops that end without an answer: their meeting is off, they were settled without a word, or are long past."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from consumer.understanding import contacts, languages
from consumer.understanding.life.entries import LifeEntry, author_of, days_between, ordinal
from consumer.understanding.life.loops import FoldedLoop, asks_to_know, is_told_at_once
from consumer.understanding.life.meetings import Meetings
from consumer.understanding.moments import Moment, moment
from consumer.understanding.people import Directory
from consumer.understanding.reading.messages import is_chat, is_direct
from consumer.understanding.statements import Reading, Request
from consumer.understanding.text import tokens
from consumer.understanding.threads import Threads

#: A promise or a request stays open for so many days after its day, or after its last mention.
REMINDED_DAYS: Final = 45
#: The same for a call or a visit, since nobody writes that it took place, and for a loop with a day on a messenger.
CONTACT_DAYS: Final = 3
#: The same for a loop without a day, after the day of the event that the words around it speak of.
EVENT_DAYS: Final = 2
#: The same for a loop without a day on a messenger.
MESSENGER_DAYS: Final = 7
#: In a chat, a request without a day counts as answered so many minutes after the person asked wrote again.
ANSWERED_MINUTES: Final = 60
#: In a room, a promise without a day counts as done if its owner writes again more than so many minutes later.
ROOM_MINUTES: Final = 5


@dataclass(slots=True)
class Lapses:
    people: Directory
    now: Moment
    threads: Threads
    loops: Sequence[FoldedLoop]

    def lapse(self, meetings: Meetings, readings: Sequence[Reading]) -> None:
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
        """Lapse what was settled without a word that says so: in a chat, requests that somebody answered in any words,
        and things that came as a photo, a file or a link; anywhere, questions and answers promised or asked for.
        """
        open_there = defaultdict[str, list[FoldedLoop]](list)
        for loop in self.loops:
            if not loop.active or loop.kind == "task":
                continue
            if is_chat(loop.newest.talk) or _is_for_answer(loop):
                open_there[loop.newest.talk].append(loop)
        for reading in readings if open_there else ():
            waiting = open_there.get(reading.thread)
            author = author_of(reading, self.people) if waiting else None
            for loop in waiting or ():
                due = loop.active and author in (loop.asked or {loop.owner})
                if due and (_is_handed(reading, loop) or self._is_answered(reading, loop)):
                    loop.state = "lapsed"

    def _is_answered(self, reading: Reading, loop: FoldedLoop) -> bool:
        """Whether a message answers the loop: it came after it, and an hour ago or more.

        A question back and a good-bye answer nothing. A request with a day needs an answer within the hour.
        """
        wrote, asked = moment(reading.said_at).minute, loop.newest.moment.minute
        if not (asked < wrote <= self.now.minute - ANSWERED_MINUTES) or "parts" in reading.turn:
            return False
        if _is_for_answer(loop):
            return loop.kind == "request" or "asks" not in reading.turn
        if loop.due is None and is_told_at_once(loop):
            return "asks" not in reading.turn
        if loop.kind != "request":
            # In a room, an owner who writes again some minutes later has done it, or reports on it.
            return loop.due is None and not is_direct(loop.newest.talk) and wrote > asked + ROOM_MINUTES
        if "asks" in reading.turn:
            return False
        return loop.due is None or (wrote <= asked + ANSWERED_MINUTES and self._follows_asker(reading, loop))

    def _follows_asker(self, reading: Reading, loop: FoldedLoop) -> bool:
        """In a group, words behind somebody else's may answer those."""
        if not self.threads.is_group(reading.thread):
            return True
        place = (moment(reading.said_at).minute, reading.source, reading.record_id)
        answered = self.threads.answered(reading.thread, place, author_of(reading, self.people) or "")
        return answered in loop.beneficiaries

    def _is_long_past(self, loop: FoldedLoop) -> bool:
        """Whether its day, if it has one, and its last mention are both long ago."""
        days = CONTACT_DAYS if loop.due and contacts.is_contact(loop.object) else REMINDED_DAYS
        if is_chat(loop.newest.talk) and loop.due and loop.due.last_day == loop.newest.moment.day:
            days = 0  # "tonight": nobody writes that it was done
        elif is_direct(loop.newest.talk):
            days = CONTACT_DAYS if loop.due else MESSENGER_DAYS
        elif loop.due is None and self._is_past_event(loop):
            return True
        if days_between(loop.newest.moment, self.now) <= days:
            return False
        return loop.due is None or ordinal(self.now.day) - ordinal(loop.due.last_day) > days

    def _is_past_event(self, loop: FoldedLoop) -> bool:
        """Whether the event is over that its words spoke of, and nobody has mentioned it since."""
        event_day = loop.event_day
        if not event_day or not self.now.day or loop.newest.moment.day > event_day:
            return False
        return ordinal(self.now.day) - ordinal(event_day) > EVENT_DAYS


def _is_for_answer(loop: FoldedLoop) -> bool:
    return contacts.is_answer(loop.object) or asks_to_know(loop)


def _is_handed(reading: Reading, loop: FoldedLoop) -> bool:
    """Whether a message within the hour hands something over, for a loop about sending, or says that it is done in
    minutes.
    """
    passed = moment(reading.said_at).minute - loop.newest.moment.minute
    if not 0 <= passed <= ANSWERED_MINUTES:
        return False
    asked = isinstance(loop.lead.statement, Request) or any(map(_speaks_of_sending, loop.entries))
    return "soon" in reading.turn or ("hands" in reading.turn and asked)


def _speaks_of_sending(entry: LifeEntry) -> bool:
    known = languages.get(entry.language or "en")
    spoken = {token.word for quote in entry.statement.quotes for token in tokens(quote.text.casefold())}
    return known is not None and not known.sending.isdisjoint(spoken)
