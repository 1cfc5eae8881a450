"""The messages that follow an open loop: they may settle it in words that no rule reads. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from consumer.understanding.memory import Loop
from consumer.understanding.moments import moment
from consumer.understanding.people import USER, Directory, PersonId
from consumer.understanding.reading.messages import INBOUND, OUTBOUND
from consumer.understanding.statements import Reading

#: The first messages of its conversation since a loop was last spoken of, and the user's first ones to its people
#: elsewhere within some days. The first, not the last: once they are there, nothing changes any more.
HERE: Final = 4
ELSEWHERE: Final = 2
_WITHIN_MINUTES: Final = 7 * 24 * 60


class LaterMessage(NamedTuple):
    """In the order of their times."""

    minute: int
    source: str
    record_id: str
    thread: str

    @property
    def record(self) -> tuple[str, str]:
        return self.source, self.record_id


class Sequels:
    """What follows each of these loops. ``readings``: of all records."""

    def __init__(self, loops: Sequence[Loop], readings: Iterable[Reading], people: Directory) -> None:
        wanted = {record for loop in loops for record in loop.records}
        since = min((moment(loop.changed_at).minute for loop in loops), default=0)
        self._threads: dict[tuple[str, str], str] = {}
        by_thread: dict[str, list[LaterMessage]] = defaultdict(list)
        self._sent: dict[PersonId, list[LaterMessage]] = defaultdict(list)
        for reading in readings:
            if reading.source not in (INBOUND, OUTBOUND):
                continue
            message = LaterMessage(moment(reading.said_at).minute, reading.source, reading.record_id, reading.thread)
            if message.record in wanted and reading.thread:
                self._threads[message.record] = reading.thread
            if message.minute < since or reading.machines:
                continue
            by_thread[reading.thread].append(message)
            if reading.source == OUTBOUND:
                for who in people.all_of(reading.people, reading.thread):
                    self._sent[who].append(message)
        self._by_thread = {thread: sorted(by_thread[thread]) for thread in set(self._threads.values())}
        for several in self._sent.values():
            several.sort()

    def conversation(self, loop: Loop) -> str:
        """The conversation in which it was opened; that of a record without a thread is the record itself."""
        record = next(iter(loop.records), ("", ""))
        return self._threads.get(record) or "\0".join(record)

    def of(self, loop: Loop) -> tuple[LaterMessage, ...]:
        """The messages after a loop: those of its conversation, then the others."""
        own, after = set(loop.records), moment(loop.changed_at).minute
        threads = {self._threads[record] for record in own if record in self._threads}
        others = {loop.owner or USER, *loop.asked, *loop.beneficiaries} - {USER}
        # In one minute, a conversation has no order that anybody knows.
        here = {message for thread in threads for message in _from(self._by_thread[thread], after, HERE + len(own))}
        sent = {message for who in others for message in _from(self._sent[who], after + 1, len(own) + 2 * HERE)}
        elsewhere = [message for message in sorted(sent) if message.thread not in threads]
        near = [message for message in elsewhere if message.minute <= after + _WITHIN_MINUTES]
        return (*sorted(message for message in here if message.record not in own)[:HERE], *near[:ELSEWHERE])


def _from(several: Sequence[LaterMessage], minute: int, most: int) -> Sequence[LaterMessage]:
    start = bisect_left(several, minute, key=lambda message: message.minute)
    return several[start : start + most]
