"""
What matters now, and was not told before. Pure: memory, the ledger of what was told and the time decide.

docs/reports.md, "What matters", has a table of examples; ``tests/unit/reports/test_news.py`` checks it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Final, Literal, NamedTuple, get_args

from consumer.reports import toldledger
from consumer.reports.preferences import ReaderPreferences
from consumer.reports.toldledger import Mark, ToldLedger
from consumer.understanding.life import stage_of
from consumer.understanding.memory import (
    Change,
    Contradiction,
    DecisionMade,
    EarlierValue,
    Loop,
    Meeting,
    Memory,
    StatementEvidence,
)
from consumer.understanding.moments import moment
from consumer.understanding.people import USER, PersonId
from consumer.understanding.statements import Due
from contract import canonical
from contract.event import JobType
from contract.records import record_digest
from renderers import grouping

#: The kinds of news in the order in which a digest tells them. ``due``: within 24 hours, or overdue.
NewsKind = Literal[
    "due", "you_owe", "owed_to_you", "asked_of_you", "decided", "changed", "contradicts", "prepare", "noted"
]
KINDS: Final[tuple[NewsKind, ...]] = get_args(NewsKind)
#: What was said longer ago than that is no news when memory first sees it; the list of open loops has it.
NEWS_DAYS: Final = 14
#: A meeting is told within that many hours before it begins.
AHEAD_HOURS: Final = 24
_MINUTES: Final = 60
#: How a promise begins that holds in a case that may never come. "When" and "once" are no such words.
_IF: Final = re.compile(r"(?:if|in case|falls|sofern|si|se|als|indien)\b", re.IGNORECASE)

#: With which somebody tells a decision of theirs alone. What a group decided is told to its members as well: the
#: record may be somebody else's notes.
_I_DECIDED: Final = re.compile(
    r"\bi(?:['\u2019]ve| have| had)? (?:\w+ )?decided\b|\bich habe\b.{0,80}\b(?:entschieden|entschlossen|beschlossen)\b"
    r"|\bj['\u2019]ai (?:\w+ )?d\u00e9cid\u00e9\b|\bhe decidido\b|\bdecidi\b|\bho deciso\b"
    r"|\bik heb\b.{0,80}\bbesloten\b",
    re.IGNORECASE,
)

Subject = Loop | DecisionMade | Change | Contradiction | Meeting


@dataclass(frozen=True, slots=True)
class News:
    """One thing to tell. ``marks``: what the ledger says once it is told. ``weight``: of one kind the highest first.

    ``between``: of a meeting, the loops that are open with its people. ``before``: of a loop with another date, the
    earlier one. ``replaces``: whether a decision replaces an earlier one.
    """

    kind: NewsKind
    subject: Subject
    marks: tuple[Mark, ...]
    weight: float = 0.0
    between: tuple[Loop, ...] = ()
    before: str = ""
    replaces: bool = False
    #: Other words that its line cites: of the decision that made a change, and of the date that another replaced.
    beside: tuple[StatementEvidence, ...] = ()

    def waiting(self) -> tuple[Mark, ...]:
        """The marks while it waits for a digest with room."""
        return tuple(mark.model_copy(update={"is_told": False}) for mark in self.marks)


class Gathered(NamedTuple):
    """``items`` in the order in which they are told. ``known``: marks of what needs no telling.

    ``live``: keys of all that memory holds and that may be told.
    """

    items: tuple[News, ...] = ()
    known: tuple[Mark, ...] = ()
    live: frozenset[str] = frozenset()


def gather(
    memory: Memory,
    ledger: ToldLedger,
    touched: Set[str] = frozenset(),
    last_report: str = "",
    *,
    reads_as: ReaderPreferences | None = None,
    is_own: Callable[[Loop], bool] = lambda _: False,
    zone: str = "",
) -> Gathered:
    """What a digest at ``memory.now`` has to tell.

    ``zone``: IANA name of the user's zone. A date that was told in another zone counts as the same date.

    ``is_own``: whether the user recorded a task themselves. They know of it from then on, as of what was told as new.

    ``reads_as``: says when it is the user's night, in which news is told, but nothing that only time brings: that what
    was told falls due, or a meeting comes near. The morning tells it. None: there is no night.

    ``touched``: ids of the records that this run exported. ``last_report``: the user's time of the last report, for a
    workspace whose ledger has not begun: what was said before it counts as told. "" there: everything does.
    """
    rebased = list(_rebased(memory.loops, ledger, zone))
    ledger = ledger.with_marks(rebased) if rebased else ledger
    return _Gathering(memory, ledger, touched, last_report, reads_as, is_own, known=rebased).all()


def baseline(memory: Memory, ledger: ToldLedger) -> Gathered:
    """Of a backfill, whose portrait says everything: nothing is news, and all that the ledger lacks becomes told."""
    gathered = _Gathering(memory, ledger, frozenset(), "").all()
    fresh = [mark for item in gathered.items for mark in item.marks if mark.key not in ledger.marks]
    return Gathered((), (*gathered.known, *fresh), gathered.live)


def needs_judgement(job_type: JobType, items: Iterable[News], *, daily: bool = False) -> bool:
    """Whether an agent is asked. Code alone tells what is due, promised or asked for; an hour needs judgement if

    - two statements contradict each other,
    - a decision replaces an earlier one, or speaks of a thing that something open or a meeting depends on,
    - somebody else's word changes a date, a meeting or a value that the user relies on, or takes a promise back.

    A backfill and an insight always ask, and so does a morning's report (``daily``) that has anything to tell; an hour
    in which nothing matters never does.
    """
    if job_type in ("backfill_digest", "insight"):
        return True
    return daily or any(map(_needs_judgement, items))


def _needs_judgement(item: News) -> bool:
    match item.subject:
        case Contradiction():
            return True
        case DecisionMade():
            return item.replaces or bool(item.between)
        case Change():
            return item.subject.who != USER
        case Loop():
            return item.subject.state == "withdrawn" or bool(item.before and item.subject.owner != USER)
    return False


@dataclass
class _Gathering:
    memory: Memory
    ledger: ToldLedger
    touched: Set[str]
    last_report: str
    reads_as: ReaderPreferences | None = None
    is_own: Callable[[Loop], bool] = lambda _: False
    known: list[Mark] = field(default_factory=list)
    live: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._today = date.fromisoformat(self.memory.now[:10])
        self._oldest = (self._today - timedelta(days=NEWS_DAYS)).isoformat()
        self._open = self.memory.own_loops()
        self._by_night = self._is_of_night(self.memory.now)
        self._inherited: set[str] = set()
        #: Statements of loops that are told as a development.
        self._redated: set[str] = set()

    def all(self) -> Gathered:
        items = [
            *self._moved(),
            *(item for loop in self._open for item in self._loop(loop)),
            *self._closed(),
            *self._decisions(),
            *self._contradictions(),
            *self._cancelled(),
            *self._meetings(),
        ]
        self._wait_for_doubted()
        items = self._without_repeats(items)
        order = sorted(items, key=lambda item: (KINDS.index(item.kind), -item.weight, item.marks[0].key))
        return Gathered(tuple(order), tuple(self.known), frozenset(self.live))

    def _without_repeats(self, items: Sequence[News]) -> list[News]:
        """Without decisions whose words say a change that is told, and without meetings with only one thing open, which
        is told itself.
        """
        told_keys = {mark.key for item in items if isinstance(item.subject, Loop) for mark in item.marks}
        decisions = [(item, item.subject) for item in items if isinstance(item.subject, DecisionMade)]
        absorbed: list[News] = []
        kept: list[News] = []
        for item in items:
            if isinstance(item.subject, Change):
                same = [(other, decision) for other, decision in decisions if _made(decision, item.subject)]
                absorbed += [other for other, _ in same]
                marks = tuple(mark for other, _ in same for mark in other.marks)
                words = tuple(place for _, decision in same for place in decision.evidence[:1])
                kept.append(replace(item, marks=(*item.marks, *marks), beside=words))
            elif len(item.between) == 1 and item.kind == "prepare" and told_keys & set(item.between[0].statements):
                self.known += item.marks
            else:
                kept.append(item)
        return [item for item in kept if item not in absorbed]

    # --- loops ---------------------------------------------------------------------------------------------------

    def _loop(self, loop: Loop) -> Iterator[News]:
        self.live.update(loop.statements)
        if not self._redated.isdisjoint(loop.statements):
            return
        rows = self.ledger.of(loop.statements) or self._rows_of_earlier_words(loop)
        # What was told as done, and is open again, is news: the record that closed it changed or is gone.
        told_rows = [row for row in rows if row.is_told and row.stage != "closed"]
        if not rows and not self._is_news(loop):
            self.known += self._marks(loop)
            return
        if not rows and loop.kind == "task" and self.is_own(loop):
            told_rows = [mark.model_copy(update={"stage": "open", "at": loop.since[:16]}) for mark in self._marks(loop)]
            self.known += told_rows
        if told_rows:
            yield from self._loop_again(loop, told_rows)
        elif loop.stage == "open" and loop.direction == "asked_by_you":
            # The user knows what they asked for; it is news when the answer is late.
            self.known += self._marks(loop)
        else:
            yield self._news_of(loop)

    def _wait_for_doubted(self) -> None:
        """What a second reader doubts and nobody was told of waits: it is news once it is doubted no more."""
        for loop in self.memory.doubted_loops():
            self.live.update(loop.statements)
            if not self.ledger.of(loop.statements):
                self.known += (mark.model_copy(update={"is_told": False}) for mark in self._marks(loop))

    def _news_of(self, loop: Loop, kind: NewsKind | None = None, before: str = "") -> News:
        return News(kind or self._kind(loop), loop, self._marks(loop), self._weight(loop), before=before)

    def _loop_again(self, loop: Loop, told_rows: Sequence[Mark]) -> Iterator[News]:
        """A loop that the user was told of."""
        due = _due_text(loop.due)
        # What was told of another date says nothing of this one.
        reached = max((row.rank for row in told_rows if _agree(row.due, due) or row.stage == "open"), default=-1)
        if toldledger.ORDER[loop.stage] > max(reached, 0):
            if not self._was_just_told(loop, told_rows) and not (
                self._by_night and any(_agree(row.due, due) for row in told_rows)
            ):
                yield self._news_of(loop)
        elif self._is_accepted(loop, told_rows):
            yield self._news_of(loop)
        elif loop.stage == "open" and due and not any(_agree(row.due, due) for row in told_rows):
            before = max(told_rows, key=lambda row: row.at).due
            yield self._news_of(loop, "changed" if before else None, before)
        elif not self.ledger.marks.keys() >= set(loop.statements):
            # Statements that joined the loop since are told with it.
            self.known += [mark for mark in self._marks(loop) if mark.key not in self.ledger.marks]

    def _was_just_told(self, loop: Loop, told_rows: Sequence[Mark]) -> bool:
        """Whether what comes near was told with its date in the 24 hours before. The user hears of what others owe them
        when it is overdue, and of what is theirs to do on its day.
        """
        if loop.due is None or loop.stage != "due":
            return False
        due = _due_text(loop.due)
        told_at = max((row.at for row in told_rows if row.stage == "open" and _agree(row.due, due)), default="")
        morning = self.reads_as.morning.isoformat("minutes") if self.reads_as else "00:00"
        day_before_near = date.fromisoformat(loop.due.last_day) - timedelta(days=2)
        if told_at < f"{day_before_near} {loop.due.time or morning}":
            return False
        if loop.direction not in ("you_owe", "asked_of_you"):
            return True
        if self.reads_as and loop.due.time and self.reads_as.is_early(time.fromisoformat(loop.due.time)):
            # Its own morning comes too late.
            return False
        is_its_day = loop.due.last_day == self.memory.now[:10]
        return not (is_its_day and told_at[:10] < loop.due.last_day)

    def _is_accepted(self, loop: Loop, told_rows: Sequence[Mark]) -> bool:
        """Whether the user knows of the request alone, and somebody, or the user, has promised it since."""
        if loop.direction not in ("you_owe", "owed_to_you") or loop.stage != "open":
            return False
        told_keys = {row.key for row in told_rows}
        if told_keys.issuperset(loop.statements):
            return False
        known = {place.by for place in loop.evidence if place.statement in told_keys}
        since = {place.by for place in loop.evidence if place.statement not in told_keys}
        return loop.owner in since and bool(known - {None}) and loop.owner not in known

    def _kind(self, loop: Loop) -> NewsKind:
        if loop.stage in ("due", "overdue"):
            return "due"
        match loop.direction:
            case "you_owe":
                return "you_owe"
            case "asked_of_you":
                return "asked_of_you"
        return "owed_to_you"

    def _weight(self, loop: Loop) -> float:
        """Of what is due the user's own and the soonest first; of the rest the newest."""
        if loop.due and loop.stage in ("due", "overdue"):
            own = 0.5 if loop.direction in ("you_owe", "asked_of_you") else 0.0
            late = date.fromisoformat(loop.due.last_day).toordinal() - self._today.toordinal()
            return own - abs(late)
        return float(moment(loop.since).minute)

    def _is_news(self, loop: Loop) -> bool:
        """Whether a loop without any mark is told. What somebody promises for a case that may never come is not."""
        if _may_never_come(loop):
            return False
        if not self.ledger.begun and self._was_told_by_last_report(loop):
            return False
        if loop.stage == "overdue" and loop.due:
            return loop.due.last_day >= self._oldest
        return loop.stage == "due" or loop.since[:10] >= self._oldest

    def _was_told_by_last_report(self, loop: Loop) -> bool:
        if not self.last_report:
            return True
        said_before = moment(loop.since).minute <= moment(self.last_report).minute
        return said_before and stage_of(loop.due, "open", self.last_report) == loop.stage

    def _marks(self, loop: Loop) -> tuple[Mark, ...]:
        """A mark for each statement of a loop, so that it stays told when the record of one is purged."""
        records = {place.statement: record_digest(place.source, place.record_id) for place in loop.evidence}
        due = _due_text(loop.due)
        return tuple(
            Mark(
                key=statement,
                stage=loop.stage,
                due=due,
                at=self.memory.now[:16],
                rests_on=(records[statement],) if statement in records else (),
            )
            for statement in loop.statements
        )

    def _rows_of_earlier_words(self, loop: Loop) -> list[Mark]:
        """A record that a model reads after the rules may say the same in other words, and so under another id. Where
        the record itself did not change, the marks of its words that memory no longer holds are those of the new ones.
        """
        for place in loop.evidence[:1]:
            if place.record_id in self.touched:
                continue
            for mark in self.ledger.resting_on(record_digest(place.source, place.record_id)):
                if len(mark.rests_on) == 1 and mark.key not in self._inherited and not self._holds(mark, place):
                    self._inherited.add(mark.key)
                    return [mark]
        return []

    def _holds(self, mark: Mark, place: StatementEvidence) -> bool:
        """Whether memory holds the statement of a mark that rests on this record alone."""
        of_record = self.memory.loop_statements_of(place.source, place.record_id)
        return mark.key in of_record or any(mark.key == decision.id for decision in self.memory.decisions)

    @cached_property
    def _by_statement(self) -> Mapping[str, Loop]:
        """The open loop that each statement speaks of; of several the one that was opened first."""
        return {statement: loop for loop in reversed(self._open) for statement in loop.statements}

    def _closed(self) -> Iterator[News]:
        """What somebody else delivered or called off, of what the user was told as open."""
        for loop in self.memory.loops:
            if loop.state not in ("delivered", "withdrawn") or loop.changed_at[:10] < self._oldest:
                continue
            if loop.direction == "others" or not loop.closed_by:
                continue
            is_the_users = loop.direction not in ("owed_to_you", "asked_by_you")
            if is_the_users and (loop.state == "delivered" or loop.closed_by[0].by is None):
                # What the user did or dismissed themselves, whoever says thank you for it.
                continue
            # Told, perhaps, with the date that it had before.
            rows = self.ledger.of((*loop.statements, *loop.supersedes))
            self.live.update(loop.statements)
            if not any(row.is_told for row in rows) or any(row.stage == "closed" and row.is_told for row in rows):
                continue
            if loop.closed_by[0].by != USER:
                closing = toldledger.rests_on(loop.closed_by)
                marks = [mark.model_copy(update={"rests_on": (*mark.rests_on, *closing)}) for mark in self._marks(loop)]
                yield News("changed", loop, tuple(marks), float(moment(loop.changed_at).minute))

    def _moved(self) -> Iterator[News]:
        """Developments: a promise with another date, a meeting at another time, a value that somebody replaced.

        Each is compared with what the user knows. If something moves several times in an hour, the user knows its last
        value from before that hour.
        """
        for change in self.memory.changes:
            loop = self._by_statement.get(change.id) if change.kind == "due" else None
            if change.kind == "due" and loop is None:
                # Of a promise that is over by now its end is told, if anything, and not its last date.
                continue
            news = self._dated("changed", change, change.id, change.at, toldledger.rests_on(change.evidence))
            if news is None:
                continue
            if loop is not None:
                yield from self._moved_loop(news, change, loop)
                continue
            known = self._known_before(change)
            if known is None or known.value == change.before:
                yield news
            elif known.value == change.after:
                # It moved away and back.
                self.known += news.marks
            else:
                last = [place for place in change.evidence if place.statement == change.id]
                subject = replace(change, before=known.value, evidence=(*known.evidence, *last))
                yield replace(news, subject=subject)

    def _moved_loop(self, news: News, change: Change, loop: Loop) -> Iterator[News]:
        """A promise with another date. A promise that the user does not know yet is told as new."""
        rows = [row for row in self.ledger.of((*loop.statements, *loop.supersedes)) if row.is_told]
        if self.ledger.begun and not rows:
            return
        due = _due_text(loop.due)
        before = max(rows, key=lambda row: row.at).due if rows else change.before
        if _agree(before, due):
            if loop.stage == "open":
                self.known += self._marks(loop)
                self._redated.update(loop.statements)
            else:
                self.known += news.marks
            return
        superseded = frozenset(loop.supersedes)
        earlier = [other for other in self.memory.loops if other.id in superseded]
        words = next((other.evidence[:1] for other in earlier if _agree(_due_text(other.due), before)), ())
        places = (*words, *(place for place in change.evidence if not words or place.statement == change.id))
        if loop.stage != "open":
            yield replace(news, subject=replace(change, before=before or change.before, evidence=places))
            return
        # A promise that is told with its old and its new date is not told again as new. The change has the id of its
        # loop, so a single mark covers both.
        marks = self._marks(loop)
        self._redated.update(mark.key for mark in marks)
        kind: NewsKind = "changed" if before else self._kind(loop)
        yield replace(news, kind=kind, subject=loop, before=before, marks=marks, beside=places)

    def _known_before(self, change: Change) -> EarlierValue | None:
        """The last value that the user knows: it neither came in this run nor waits to be told. If they know none of a
        meeting's times: the first time. None: they know no value, and the caller uses ``before``.
        """
        for value in reversed(change.earlier):
            row = self.ledger.marks.get(value.statement)
            if value.record_id not in self.touched and (row is None or row.is_told):
                return value
        return next(iter(change.earlier), None) if change.kind == "meeting" else None

    # --- decisions, contradictions, meetings ---------------------------------------------------------------------

    def _decisions(self) -> Iterator[News]:
        replacing = {decision.replaced_by for decision in self.memory.decisions}
        for decision in self.memory.decisions:
            if decision.at[:10] < self._oldest and decision.id not in self.ledger.marks:
                # Of years of decisions only the latest can be news, and need a mark.
                continue
            news = self._dated("decided", decision, decision.id, decision.at, toldledger.rests_on(decision.evidence))
            if news is not None and _is_own(decision):
                self.known += news.marks
            elif news is not None and not decision.replaced_by:
                about = tuple(self._depending(decision))
                yield replace(news, replaces=decision.id in replacing, between=about)

    def _depending(self, decision: DecisionMade) -> Iterator[Loop]:
        """Open loops that name what a decision is about."""
        about = decision.about.casefold().strip()
        if about:
            yield from (loop for loop in self._open if about in loop.object.casefold())

    def _contradictions(self) -> Iterator[News]:
        for contradiction in self.memory.contradictions:
            newest = max((side.said_at for side in contradiction.sides), default="")
            places = [place for side in contradiction.sides for place in side.evidence]
            news = self._dated("contradicts", contradiction, contradiction.id, newest, toldledger.rests_on(places))
            if news is not None:
                yield news

    def _dated(self, kind: NewsKind, subject: Subject, key: str, at: str, records: tuple[str, ...]) -> News | None:
        """News of something that was said at a time, unless it was told or is old."""
        self.live.add(key)
        row = self.ledger.marks.get(key)
        if row is not None and row.is_told:
            return None
        mark = Mark(key=key, at=self.memory.now[:16], rests_on=records)
        before_ledger = not self.ledger.begun and not (
            self.last_report and moment(at).minute > moment(self.last_report).minute
        )
        if row is None and (before_ledger or at[:10] < self._oldest):
            self.known.append(mark)
            return None
        return News(kind, subject, (mark,), float(moment(at).minute))

    def _cancelled(self) -> Iterator[News]:
        """Meetings still to come that were called off."""
        now = moment(self.memory.now).minute
        # On another clock what is still to come may begin a day earlier.
        earliest = (self._today - timedelta(days=2)).isoformat()
        for meeting in self.memory.find_cancelled_from(earliest):
            if moment(meeting.starts).minute > now and meeting.evidence:
                at = max(place.said_at for place in meeting.evidence)
                records = toldledger.rests_on(meeting.evidence)
                news = self._dated("changed", meeting, cancellation(meeting), at, records)
                if news is not None:
                    yield news

    def _meetings(self) -> Iterator[News]:
        """Meetings of the next 24 hours with people with whom something is open, or that begin before the morning."""
        now = moment(self.memory.now).minute
        for meeting in () if self._by_night else self.memory.upcoming():
            starts = moment(meeting.starts)
            if not (starts.timed and now < starts.minute <= now + AHEAD_HOURS * _MINUTES):
                continue
            between = tuple(open_with(meeting.attendees, self._open, self._today))
            # Moved to another time, it is told again.
            key, series = _ahead(meeting.id, meeting.starts), self._series(meeting)
            self.live.update((key, series))
            row = self._row_ahead(meeting.id, meeting.starts)
            if row is not None and row.key != key:
                # The next ledger has it under the key of this release.
                self.known.append(row.model_copy(update={"key": key}))
            if (row is None or not row.is_told) and self._is_worth_it(meeting, between):
                records, at = toldledger.rests_on(meeting.evidence), self.memory.now[:16]
                marks = (
                    Mark(key=key, at=at, rests_on=records),
                    Mark(key=series, due=meeting.starts, at=at, rests_on=records),
                )
                yield News("prepare", meeting, marks, -float(starts.minute), between)

    def _row_ahead(self, meeting_id: str, starts: str) -> Mark | None:
        """The mark that a meeting at this time was told ahead. Ledgers of earlier releases have it under the time as
        the user's clock writes it.
        """
        marks = self.ledger.marks
        return marks.get(_ahead(meeting_id, starts)) or marks.get(_key(meeting_id, starts))

    def _is_worth_it(self, meeting: Meeting, between: Iterable[Loop]) -> bool:
        """Whether a meeting is told ahead: it begins early, or something is open with its people. Where another meeting
        of its series was told, something must have been opened since.
        """
        pressing = [loop for loop in between if self._is_pressing(loop)]
        before = self.ledger.marks.get(self._series(meeting))
        # If the last one told is this meeting, at another time, it is no series.
        if before is not None and before.is_told and self._row_ahead(meeting.id, before.due) is None:
            return any(loop.since[:16] > before.at for loop in pressing)
        is_early = self.reads_as is not None and self.reads_as.is_early(clock_of(meeting.starts))
        return is_early or bool(pressing)

    def _series(self, meeting: Meeting) -> str:
        """The key of the mark that a meeting of this title with these people was told ahead."""
        directory = self.memory.directory
        # A calendar may list the user as somebody of their name, until something joins the two.
        own = directory.known(USER).name.casefold()
        people = {who for who in meeting.attendees if directory.known(who).name.casefold() != own}
        return _key("series", meeting.title.casefold().strip(), *sorted(people))

    def _is_of_night(self, local: str) -> bool:
        return self.reads_as is not None and self.reads_as.is_night(clock_of(local))

    def _is_pressing(self, loop: Loop) -> bool:
        """Whether a meeting is a reason to speak of a loop now: it has a date, or came up in these weeks. Of what has
        neither, every meeting of a series would tell the same; what is long overdue was told when it became so.
        """
        if loop.due is not None:
            return not _is_long_overdue(loop, self._today)
        return loop.since[:10] >= self._oldest


def _rebased(loops: Iterable[Loop], ledger: ToldLedger, zone: str) -> Iterator[Mark]:
    """Marks of dates that the ledger has in another zone and that are the same moment in the user's zone: travelling
    changes no promise.
    """
    if not (zone and ledger.zone) or zone == ledger.zone:
        return
    for loop in loops:
        due = _due_text(loop.due) if loop.state == "open" else ""
        for mark in ledger.of(loop.statements) if due else ():
            if not _agree(mark.due, due) and any(
                _agree(there, due) for there in _on_clock(mark.due, ledger.zone, zone)
            ):
                yield mark.model_copy(update={"due": due})


def _on_clock(due: str, before: str, now: str) -> Iterator[str]:
    """A date of one zone in another zone; for a day, its first and its last minute."""
    for clock in (due[11:],) if due[11:] else ("00:00", "23:59"):
        try:
            there = datetime.fromisoformat(f"{due[:10]} {clock}").replace(tzinfo=grouping.zone(before))
            yield there.astimezone(grouping.zone(now)).strftime("%Y-%m-%d %H:%M")
        except (OverflowError, ValueError):
            continue


def _is_own(decision: DecisionMade) -> bool:
    """Whether it is the user's alone, and they said so themselves: they know."""
    words = decision.evidence[0].quote if decision.evidence else ""
    return decision.who == (USER,) and bool(_I_DECIDED.search(words))


def _made(decision: DecisionMade, change: Change) -> bool:
    """Whether these are one: the same record says both, of the same subject."""
    records = {(place.source, place.record_id) for place in change.evidence}
    subject = change.subject.casefold()
    return any(
        (place.source, place.record_id) in records and subject in place.quote.casefold() for place in decision.evidence
    )


def clock_of(local: str) -> time:
    """``2026-11-29 17:00 +01:00`` -> 17:00."""
    return time.fromisoformat(local[11:16])


def cancellation(meeting: Meeting) -> str:
    """The key of the mark that a meeting was told as cancelled."""
    return _key(meeting.id, "cancelled")


def _ahead(meeting_id: str, starts: str) -> str:
    """The key of the mark of a meeting at this time that was told ahead; the same key in every zone."""
    return _key(meeting_id, str(moment(starts).minute))


def _key(*parts: str) -> str:
    """A key of the length of others: a calendar's ids are of any length."""
    return canonical.sha256_hex("\0".join(parts).encode("utf-8", "surrogatepass"))[:16]


def open_with(people: Collection[PersonId], loops: Sequence[Loop], today: date) -> Iterator[Loop]:
    """The loops that are open between the user and any of these people: what is due first, then as they were opened;
    what is long overdue comes last.
    """
    wanted = set(people) - {USER}
    several = [loop for loop in loops if is_open_with(loop, wanted)]
    yield from sorted(
        several,
        key=lambda loop: (_is_long_overdue(loop, today), _due_text(loop.due) or "9", loop.since, loop.object),
    )


def is_open_with(loop: Loop, people: Set[PersonId]) -> bool:
    """Whether one of these people (not the user) owes it to the user, or the user owes it to one of them."""
    if _may_never_come(loop):
        return False
    doing, getting = {loop.owner or "", *loop.asked}, set(loop.beneficiaries)
    if USER in doing and people & getting:
        return True
    # What is said to a room, without a name, is promised to the user as well.
    return bool(people & doing) and (USER in getting or not getting)


def _is_long_overdue(loop: Loop, today: date) -> bool:
    """Whether it was told as overdue on an earlier day than yesterday: such a thing is no reason to tell a meeting."""
    if loop.due is None or loop.stage != "overdue":
        return False
    # Without a time it is overdue from the morning after its day.
    days = 1 if loop.due.time else 2
    return loop.due.last_day < (today - timedelta(days=days)).isoformat()


def _may_never_come(loop: Loop) -> bool:
    """Whether somebody promises it only for a case: "If the soup is good, I'll bring you the recipe." """
    return loop.direction == "owed_to_you" and loop.due is None and bool(_IF.match(loop.words))


def _agree(before: str, due: str) -> bool:
    """Whether two dates are one, of which one may lack its time: ``2026-12-04``, ``2026-12-04 17:00``."""
    return before == due or (before[:10] == due[:10] and min(len(before), len(due)) == len("2026-12-04"))


def _due_text(due: Due | None) -> str:
    """``2026-11-29 17:00``, a day alone, or ""."""
    return f"{due.day} {due.time}".strip() if due else ""
