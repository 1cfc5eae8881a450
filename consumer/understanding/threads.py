"""What the order of a chat's messages says: who speaks with whom in a group, and what a "sure" answers."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from consumer.understanding.moments import moment
from consumer.understanding.people import USER, PersonId
from consumer.understanding.reading.messages import is_chat
from consumer.understanding.signs import TAKES
from consumer.understanding.statements import Reading

#: (minute, source, record id): the order of the messages of a thread.
Place = tuple[int, str, str]


class ThreadMessage(NamedTuple):
    """``turn`` as in ``Reading``."""

    place: Place
    author: PersonId
    turn: str


class Threads:
    """The messages of each chat in their order. Those without a known author count for nobody."""

    def __init__(self, readings: Iterable[Reading], author_of: Callable[[Reading], PersonId | None]) -> None:
        self._messages: dict[str, list[ThreadMessage]] = defaultdict(list)
        for reading in readings:
            if is_chat(reading.thread) and (author := author_of(reading)):
                place = (moment(reading.said_at).minute, reading.source, reading.record_id)
                self._messages[reading.thread].append(ThreadMessage(place, author, reading.turn))
        for several in self._messages.values():
            several.sort()
        #: Kept apart, since a thread may have thousands of messages and is searched for many of them.
        self._places = {thread: [each.place for each in several] for thread, several in self._messages.items()}
        self._members = {thread: frozenset(each.author for each in all_) for thread, all_ in self._messages.items()}

    def members(self, thread: str) -> frozenset[PersonId]:
        """Who writes in a chat; the user reads along in any case."""
        return self._members.get(thread, frozenset()) | {USER}

    def is_group(self, thread: str) -> bool:
        """Whether more than one other than the user writes there."""
        return len(self.members(thread)) > _TWO

    def answered(self, thread: str, place: Place, author: PersonId) -> PersonId | None:
        """Whose words a message follows: those of the last other one who wrote more than "great" before it."""
        several, anybody = self._messages.get(thread, []), None
        for number in range(bisect_left(self._places.get(thread, []), place) - 1, -1, -1):
            message = several[number]
            if message.author != author:
                anybody = anybody or message.author
                if "parts" not in message.turn:
                    return message.author
        return anybody

    def taker(self, thread: str, place: Place, author: PersonId, sign: str) -> PersonId | None:
        """Who takes up what the author proposes: the author of the next message of another, if it has this sign; None
        if nobody does. To do something may be the last word: "" takes it up.
        """
        several = self._messages.get(thread, [])
        for number in range(bisect_right(self._places.get(thread, []), place), len(several)):
            message = several[number]
            if message.place[0] > place[0] + _TAKEN_MINUTES:
                break
            turn = message.turn.split()
            # "Which restaurant?" asks back, and a yes may follow.
            if message.author != author and (sign in turn or "asks" not in turn):
                return message.author if sign in turn else None
        return "" if sign == TAKES else None

    def between(self, thread: str, first: Place, last: Place) -> Iterator[ThreadMessage]:
        """The messages after one and before another."""
        several, places = self._messages.get(thread, []), self._places.get(thread, [])
        for number in range(bisect_right(places, first), bisect_left(places, last)):
            yield several[number]


#: What is proposed is taken up within so many minutes.
_TAKEN_MINUTES: Final = 60
#: People in a chat that is no group.
_TWO: Final = 2


def is_called(name: str, text: str, *, asks: bool) -> bool:
    """Whether a sentence calls somebody: "Bob, could you ...", "could you ..., Bob?"; ``asks``: without a comma too."""
    given = re.escape(name.partition(" ")[0])
    if not given:
        return False
    front = rf"\W*(?:(?:hi|hey|hello|ok|okay|yes|sure|thanks|so|and|hallo|salut|hola|ciao)\W+)?{given}"
    after = r"\b" if asks else r"\s*[,:!]"
    return re.search(rf"\A@?{front}{after}|[,@]\s*{given}\W*\Z", text, re.IGNORECASE) is not None
