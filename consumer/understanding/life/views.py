"""Loops as memory presents them: with the user's corrections, and from the user's point of view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Literal

from consumer.understanding.corrections import Corrected
from consumer.understanding.life.entries import LifeEntry
from consumer.understanding.life.loops import FoldedLoop, FoldedLoopSource, stage_of
from consumer.understanding.memory import Correction, Loop
from consumer.understanding.moments import Moment, moment
from consumer.understanding.people import USER, Directory
from consumer.understanding.statements import Task
from consumer.understanding.threads import Threads


@dataclass(slots=True)
class LoopViews:
    people: Directory
    threads: Threads
    corrected: Corrected
    now_local: str
    loops: Sequence[FoldedLoop]
    #: The statements about loops by record, made on first use.
    _by_record: dict[tuple[str, str], list[LifeEntry]] = field(default_factory=dict)

    def in_order(self) -> tuple[Loop, ...]:
        """By the time that they were opened, then by id."""
        ordered: list[FoldedLoop] = []
        by_time = sorted(self.loops, key=lambda loop: loop.lead.said_at)
        for _, group in groupby(by_time, key=lambda loop: loop.lead.said_at):
            several = list(group)
            # Ids cost as much as all the rest, so they are made only where they decide the order.
            ordered += several if len(several) == 1 else sorted(several, key=lambda loop: loop.lead.id)
        return tuple(map(self._loop, ordered))

    def _loop(self, loop: FoldedLoop) -> Loop:
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
            source=FoldedLoopSource(loop, self.people, self.corrected),
        )

    def _corrections_of(self, loop: FoldedLoop) -> list[Correction]:
        """The corrections of a loop that still hold: none if it was promised or asked for again since."""
        if not self.corrected.corrections:
            return []
        given = dict.fromkeys(
            chain.from_iterable(self.corrected.about(entry.reading, entry.statement) for entry in loop.entries)
        )
        return [correction for correction in given if not _said_since(loop, moment(correction.at))]

    def statements_of(self, source: str, record_id: str) -> frozenset[str]:
        if not self._by_record:
            for entry in chain.from_iterable(loop.entries for loop in self.loops):
                key = (entry.reading.source, entry.reading.record_id)
                self._by_record.setdefault(key, []).append(entry)
        return frozenset(entry.id for entry in self._by_record.get((source, record_id), ()))

    def _direction(
        self, loop: FoldedLoop
    ) -> Literal["you_owe", "owed_to_you", "asked_of_you", "asked_by_you", "others"]:
        if loop.kind == "request":
            # If several people are asked, nobody owes it: each of them may leave it to the others.
            if loop.owner == USER:
                return "asked_of_you"
            if USER in loop.asked or (len(loop.asked) > 1 and self.threads.is_group(loop.lead.talk)):
                return "others"
            return "asked_by_you" if USER in loop.beneficiaries else "others"
        if loop.owner == USER:
            return "you_owe"
        # Said to a room without naming anybody: it is to everybody there, the user included.
        if loop.owner and (USER in loop.beneficiaries or not loop.beneficiaries):
            return "owed_to_you"
        return "others"


def _said_since(loop: FoldedLoop, at: Moment) -> bool:
    """Whether somebody mentions a loop after that time. A task's row may change without a mention."""
    return any(entry.moment.is_after(at) for entry in loop.entries if not isinstance(entry.statement, Task))
