"""Loops that end without an answer: their meeting is off, they were settled without a word, or are long past."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from consumer.understanding import acquaintances, contacts, languages, signs
from consumer.understanding.life.entries import LifeEntry, author_of, days_between, ordinal
from consumer.understanding.life.loops import FoldedLoop, asks_for_reach, is_told, is_told_at_once
from consumer.understanding.life.meetings import Meetings
from consumer.understanding.moments import Moment, moment
from consumer.understanding.people import USER, Directory, PersonId
from consumer.understanding.reading.messages import OUTBOUND, is_chat, is_direct
from consumer.understanding.statements import Reading, Request
from consumer.understanding.text import tokens
from consumer.understanding.threads import Threads
from consumer.understanding.utterances import Person

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
#: The clocks of two mailboxes differ by so many minutes at most.
SKEW_MINUTES: Final = 10


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
        """Lapse what was settled without a word that says so: requests that somebody answered in any words, questions
        and answers promised or asked for, and in a chat what came as a photo, a file or a link.
        """
        open_there = defaultdict[str, list[FoldedLoop]](list)
        for loop in self.loops:
            if not loop.active or loop.kind == "task":
                continue
            if is_chat(loop.newest.talk) or is_told(loop) or _is_asked_of_user_by_mail(loop):
                open_there[loop.newest.talk].append(loop)
                for sign in _signs_of(loop):
                    open_there[sign].append(loop)
        for reading in readings if open_there else ():
            repeated = (sign for sign in reading.turn.split() if sign.startswith(signs.REPEATS))
            waiting = [loop for key in (reading.thread, *repeated) for loop in open_there.get(key, ())]
            author = author_of(reading, self.people) if waiting else None
            for loop in waiting:
                if loop.active and self._is_over(reading, loop, author):
                    loop.state = "lapsed"

    def _is_over(self, reading: Reading, loop: FoldedLoop, author: PersonId | None) -> bool:
        """Whether a message of the same conversation settles the loop."""
        if _is_asked_of_user_by_mail(loop):
            return self._is_replied(reading, loop)
        is_by_owner = author in (loop.asked or {loop.owner})
        return is_by_owner and (_is_handed(reading, loop) or self._is_answered(reading, loop))

    def _is_answered(self, reading: Reading, loop: FoldedLoop) -> bool:
        """Whether a message answers the loop: it came after it, and an hour ago or more.

        A question back and a good-bye answer nothing. A request with a day needs an answer within the hour.
        """
        wrote, asked, turn = moment(reading.said_at).minute, loop.newest.moment.minute, reading.turn.split()
        if not (asked < wrote <= self.now.minute - ANSWERED_MINUTES) or "parts" in turn:
            return False
        if is_told(loop):
            return loop.kind == "request" or signs.ASKS not in turn
        if loop.due is None and is_told_at_once(loop):
            return signs.ASKS not in turn
        if loop.kind != "request":
            # In a room, an owner who writes again some minutes later has done it, or reports on it.
            return loop.due is None and not is_direct(loop.newest.talk) and wrote > asked + ROOM_MINUTES
        if signs.ASKS in turn:
            return False
        return loop.due is None or (wrote <= asked + ANSWERED_MINUTES and self._follows_asker(reading, loop))

    def _is_replied(self, reading: Reading, loop: FoldedLoop) -> bool:
        """Whether the user has answered by mail what they were asked: their own later mail to the asker shows it, or
        one of the asker's that quotes it.

        Any answer gives what words can give, unless it only puts it off. Another request without a day ends with one
        that quotes the asker and says where the thing is. To ask back is no answer. What repeats the words of the
        request came after it, in whichever conversation, even if its sender's clock is slow.
        """
        quoted, turn = self._quoted(reading), reading.turn.split()
        repeats = not _signs_of(loop).isdisjoint(turn)
        after = loop.newest.moment.minute - (SKEW_MINUTES if repeats else 0)
        if moment(reading.said_at).minute <= after:
            return False
        if reading.source == OUTBOUND:
            if signs.ASKS in turn or not loop.beneficiaries & self.people.all_of(reading.people, ""):
                return False
            quotes = repeats or quoted in loop.beneficiaries
        else:
            # The user's words that the request itself quotes came before it.
            quotes = quoted == USER and (repeats or self._quoted(loop.newest.reading) != USER)
            if not quotes or author_of(reading, self.people) not in loop.beneficiaries:
                return False
        if is_told(loop):
            return signs.DEFERS not in turn
        if signs.GIVES in turn and asks_for_reach(loop):
            return True
        return quotes and loop.due is None and signs.PLACES in turn

    def _quoted(self, reading: Reading) -> PersonId | None:
        """Whom a mail quotes first."""
        sign = next((sign for sign in reading.turn.split() if sign.startswith(acquaintances.QUOTES)), "")
        name = sign.removeprefix(acquaintances.QUOTES)
        person = Person("", name) if "@" in name else Person(name.replace("_", " "))
        return self.people.who(person, reading.thread) if name else None

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


def _is_asked_of_user_by_mail(loop: FoldedLoop) -> bool:
    return loop.kind == "request" and loop.owner == USER and not is_chat(loop.newest.talk)


def _signs_of(loop: FoldedLoop) -> frozenset[str]:
    """The signs of a mail that repeats what the user is asked for by mail."""
    if not _is_asked_of_user_by_mail(loop):
        return frozenset()
    return frozenset(signs.of_words(quote.text) for quote in loop.newest.statement.quotes) - {""}


def _is_handed(reading: Reading, loop: FoldedLoop) -> bool:
    """Whether a message within the hour hands something over, for a loop about sending, or says that it is done in
    minutes.
    """
    turn, passed = reading.turn.split(), moment(reading.said_at).minute - loop.newest.moment.minute
    if not 0 <= passed <= ANSWERED_MINUTES:
        return False
    asked = isinstance(loop.lead.statement, Request) or any(map(_speaks_of_sending, loop.entries))
    return "soon" in turn or ("hands" in turn and asked)


def _speaks_of_sending(entry: LifeEntry) -> bool:
    known = languages.get(entry.language or "en")
    spoken = {token.word for quote in entry.statement.quotes for token in tokens(quote.text.casefold())}
    return known is not None and not known.sending.isdisjoint(spoken)
