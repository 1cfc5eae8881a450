"""
One edition of a digest: the lines that it tells, what waits for the next one, and the marks that both leave.

Pure. An edition in which nothing matters writes no report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final, NamedTuple

from consumer.reports import consequences, news
from consumer.reports.citations import Find
from consumer.reports.claims import Citation
from consumer.reports.detectors import records
from consumer.reports.detectors.findings import Finding
from consumer.reports.news import Gathered, News, NewsKind
from consumer.reports.remembered import Telling
from consumer.reports.toldledger import Mark, ToldLedger
from consumer.reports.wording import WORDS, only_points, sentence
from consumer.run import Revision
from consumer.understanding.memory import Change, Contradiction, DecisionMade, Loop, Meeting, Memory
from consumer.understanding.people import USER
from renderers import splitting

#: Lines above the fold.
LINES: Final = 7
#: If the lines are full after this many items, a run looks up no further citations. The other items wait for a later
#: run.
LOOKED_UP: Final = 60
#: Items whose citations are looked up in one run, even if the lines are not full. The rest waits, and comes first in
#: the next run: so what cannot be cited delays the rest, and does not keep it from being told.
LOOKED_UP_AT_MOST: Final = 600
#: Sources in which people write: that words of theirs became others is told. Of the rest, state and statements are.
WRITTEN: Final = frozenset(
    {"meeting_notes", "granola_transcripts", "inbound_messages", "contacts", "event_contacts", "checklist_items"}
)
#: Facts of a task that change when somebody ticks it off: tasks are told by their state.
_STATE: Final = re.compile(r"(?:State|Checked|Due|Updated|Completed): ")
#: The time of a calendar's entry, in the words of its page.
_TIME: Final = re.compile(r"When: ")
#: Places that a line cites.
CITED: Final = 2
#: Sources of tasks that the app draws up for a day.
DRAWN_UP: Final = frozenset({"briefing", "assistant"})
#: Sources of tasks that the user puts on their list themselves; "": the app does not say.
RECORDED_BY_USER: Final = frozenset({"", "app", "chat", "manual", "user"})
#: How the names of the tables of the user's own list begin.
_LIST: Final = "checklist"
#: Lines of the morning's sections.
DAILY_LINES: Final = 12
#: From this hour of the day before, the morning's report tells what came in.
EVENING: Final = "18:00"


class DigestLine(NamedTuple):
    """One line: what kind of news it is, its sentence, and where it stands."""

    kind: NewsKind
    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Edition:
    """``lines``: above the fold. ``more``: how many wait for the next edition. ``items``: the news of the lines.

    ``day_ahead``, ``since_evening``: of a morning's report. ``marks``: what the ledger says after this edition.
    """

    lines: tuple[DigestLine, ...] = ()
    more: int = 0
    items: tuple[News, ...] = ()
    daily: bool = False
    day_ahead: tuple[DigestLine, ...] = ()
    since_evening: tuple[DigestLine, ...] = ()
    marks: tuple[Mark, ...] = ()
    #: Keys of all that memory holds and that may be told.
    live: frozenset[str] = frozenset()

    @property
    def matters(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.lines or self.day_ahead or self.since_evening)


def of(
    gathered: Gathered, ledger: ToldLedger, telling: Telling, *, rewritten: Iterable[Finding] = (), daily: bool = False
) -> Edition:
    """The edition that tells what was gathered. Items that cannot be cited are neither told nor marked.

    ``rewritten``: findings of records whose words changed in this run; where there is no room for them, the report's
    JSON alone has them.
    """
    memory = telling.memory
    chosen: list[tuple[News, DigestLine]] = []
    waiting: list[News] = []
    # What is held takes nobody's place among those looked up.
    drawn_up = [
        item
        for item in gathered.items
        if item.kind == "you_owe" and isinstance(item.subject, Loop) and _is_drawn_up(item.subject, telling)
    ]
    open_items = (item for item in gathered.items if item not in drawn_up and not _is_held(item, telling))
    for number, item in enumerate(_in_turn(list(open_items), ledger)):
        is_beyond = number >= (LOOKED_UP if len(chosen) == LINES else LOOKED_UP_AT_MOST)
        line = None if is_beyond else _line(item, telling)
        if is_beyond or (line and len(chosen) == LINES):
            waiting.append(item)
        elif line:
            chosen.append((item, line))
    marks = [
        *gathered.known,
        *(mark for item in drawn_up for mark in item.marks),
        *(mark for item in waiting for mark in item.waiting()),
        *(mark for item, _ in chosen for mark in item.marks),
    ]
    lines = _without_repeats([line for _, line in chosen])
    ahead = _told(_day_ahead(memory), telling) if daily else iter(())
    since = _told(_since_evening(memory, ledger, telling), telling) if daily else iter(())
    at = sum(news.KINDS.index(line.kind) <= news.KINDS.index("changed") for line in lines)
    lines[at:at] = list(_rewritten(rewritten, telling))[: LINES - len(lines)]
    return Edition(
        lines=tuple(lines),
        more=len(waiting),
        items=tuple(item for item, _ in chosen),
        daily=daily,
        # What is due today, or has come in since, may be among the lines already.
        day_ahead=tuple(line for line in ahead if not _is_said(line, lines)),
        since_evening=tuple(line for line in since if not _is_said(line, lines)),
        marks=tuple(marks),
        live=gathered.live,
    )


def _without_repeats(lines: Sequence[DigestLine]) -> list[DigestLine]:
    """One sentence may promise two things, of which one has a date: then the line with the date says both."""
    kept: list[DigestLine] = []
    # Lines with a date are longer: of equals the first stays.
    for line in sorted(lines, key=lambda line: -len(line.text)):
        if not _is_said(line, kept):
            kept.append(line)
    return [line for line in lines if any(line is other for other in kept)]


def _is_said(line: DigestLine, others: Iterable[DigestLine]) -> bool:
    """Whether another line says the same, and perhaps more."""
    return any(other.text.startswith(line.text.rstrip(".")) for other in others)


def _in_turn(items: Sequence[News], ledger: ToldLedger) -> list[News]:
    """The items in their order; of more than one run looks up, those that waited come first."""
    if len(items) <= LOOKED_UP_AT_MOST:
        return list(items)

    def is_new(item: News) -> bool:
        rows = [ledger.marks.get(mark.key) for mark in item.marks]
        return not any(row is not None and not row.is_told for row in rows)

    return sorted(items, key=is_new)


def _told(items: Iterable[News], telling: Telling) -> Iterator[DigestLine]:
    count = 0
    for item in items:
        line = _line(item, telling) if count < DAILY_LINES and not _is_held(item, telling) else None
        if line:
            count += 1
            yield line


def _rewritten(several: Iterable[Finding], telling: Telling) -> Iterator[DigestLine]:
    """A line for each record that people wrote and whose words became others; what was only added, or is gone, is told
    by the statements in it. An entry of a calendar that is at another time is told, too, until it is over.
    """
    today = date.fromisoformat(telling.memory.now[:10])
    for finding in several:
        words = [revision for revision in finding.before if _is_rewritten(revision, today)]
        for revision in words[:1]:
            cited = [place for place in finding.citations if place.quote in revision.after] or finding.citations
            old, new = (_TIME.sub("", text) for text in (revision.before, revision.after))
            tell = telling.wording.rewritten if new == revision.after else telling.wording.rescheduled
            text = tell(finding.subject, old, new)
            yield DigestLine("changed", text, tuple(cited)[:1])


def _is_rewritten(revision: Revision, today: date) -> bool:
    if not (revision.before and revision.after) or _STATE.match(revision.after):
        return False
    if _TIME.match(revision.after):
        return _TIME.sub("", revision.after)[:10] >= today.isoformat()
    return revision.source in WRITTEN


# --- lines -------------------------------------------------------------------------------------------------------


def _line(item: News, telling: Telling) -> DigestLine | None:
    """A line; None: nothing of it stands on a page of this snapshot, or a rule of the user's holds its words."""
    if item.between:
        between = tuple(loop for loop in item.between if not telling.withheld.of_loop(loop))
        if isinstance(item.subject, Meeting) and item.marks and not between:
            return None
        item = replace(item, between=between)
    cited = _cited(item, telling)[:CITED]
    if not cited:
        return None
    text = _text(item, telling)
    if isinstance(item.subject, Loop) and item.subject.state == "open" and item.kind != "changed":
        following = _consequence(cited[0], telling.citing.find)
        if following:
            text = f"{text} {sentence(telling.wording.quoted(following.quote.rstrip('. '), WORDS))}"
            cited = (cited[0], following)
    return None if telling.holds(text, cited) else DigestLine(item.kind, text, cited)


def is_recorded_by_user(loop: Loop, telling: Telling) -> bool:
    """Whether the user put a task on their own list themselves."""
    return _is_listed(loop) and _origin(loop, telling) in RECORDED_BY_USER


def _is_drawn_up(loop: Loop, telling: Telling) -> bool:
    """Whether the app itself put an undated task on the user's list of the day, where the user sees it anyway."""
    return _is_listed(loop) and loop.due is None and _origin(loop, telling) in DRAWN_UP


def _is_listed(loop: Loop) -> bool:
    """Whether it is a task of the user's own list, and not an action item of a meeting's notes."""
    is_task = loop.kind == "task" and loop.owner == USER
    return is_task and any(place.source.startswith(_LIST) for place in loop.evidence[:1])


def _origin(loop: Loop, telling: Telling) -> str | None:
    """What the record says put a task on the list: ``chat``, ``briefing``; "" where it says nothing, None where the
    record has no page."""
    place = next(iter(telling.citing.of(loop.evidence[:1])), None)
    return None if place is None else _facts(place, telling.citing.find).get("Source", "").casefold()


def _is_held(item: News, telling: Telling) -> bool:
    """Whether a rule holds what an item is about; its sentence and its places are checked besides."""
    hold, subject = telling.withheld, item.subject
    if not hold:
        return False
    match subject:
        case Loop():
            return bool(hold.of_loop(subject))
        case Contradiction():
            return bool(hold.of_contradiction(subject))
        case Change():
            return bool(hold.of_change(subject))
        case DecisionMade():
            named = hold.of_text(f"{subject.what} {subject.about}") | hold.of_people(subject.who)
            return bool(named | hold.of_evidence(subject.evidence))
        case Meeting():
            return bool(hold.of_meeting(subject))


def _cited(item: News, telling: Telling) -> tuple[Citation, ...]:
    match item.subject:
        case Contradiction():
            return telling.cite_both(item.subject.sides)
        case Change():
            # What is now comes first: the words of before often stand on no page any more.
            newest, *before = reversed(item.subject.evidence)
            return telling.citing.of([newest, *item.beside, *before])
        case Meeting():
            between = [loop.evidence[0] for loop in item.between[:1] if loop.evidence]
            return telling.citing.of([*item.subject.evidence[:1], *between])
        case Loop() if item.subject.state != "open":
            return telling.citing.of([*item.subject.closed_by, *item.subject.evidence])
        case Loop() if item.beside:
            return telling.citing.of([*item.subject.evidence[:1], *item.beside])
        case _:
            return telling.citing.of(item.subject.evidence)


def _text(item: News, telling: Telling) -> str:
    wording = telling.wording
    match item.subject:
        case Contradiction():
            return wording.contradiction(item.subject)
        case Change():
            return wording.change(item.subject)
        case Meeting():
            return wording.meeting(item.subject, item.between)
        case DecisionMade():
            return wording.decision(item.subject, telling.meeting_of(item.subject), replaces=item.replaces)
        case Loop():
            return _loop_text(item.subject, item.before, telling)


def _loop_text(loop: Loop, before: str, telling: Telling) -> str:
    about = _about(loop, telling)
    if loop.state != "open":
        return telling.wording.closed(loop, about)
    if before:
        return telling.wording.moved(loop, before, about)
    return telling.wording.loop(loop, about=about)


def _about(loop: Loop, telling: Telling) -> str:
    """The subject of the conversation, where neither a loop's words nor memory name its object."""
    if not only_points(loop):
        return ""
    place = next(iter(telling.citing.of(loop.evidence)), None)
    facts = _facts(place, telling.citing.find) if place else {}
    thread = facts.get("Thread", "").strip("`")
    # Programs name a conversation by its subject or by an id, and only a subject has blanks.
    return thread if " " in thread else ""


def _facts(place: Citation, find: Find) -> Mapping[str, str]:
    """The facts that a page states of the record at a place."""
    page = find(splitting.first_part(place.page)) if place.anchor is None else find(place.page)
    several = records.of_page(page) if page else []
    return next((record.facts for record in several if record.anchor == place.anchor), {})


def _consequence(cited: Citation, find: Find) -> Citation | None:
    page = find(cited.page)
    if page is None:
        return None
    for record in records.of_page(page):
        if record.anchor == cited.anchor:
            beside = consequences.beside(cited.quote, record.statements)
            return record.cite(beside) if beside else None
    return None


# --- the morning -------------------------------------------------------------------------------------------------


def is_daily(now_local: str, ledger: ToldLedger, morning: str) -> bool:
    """Whether a digest at this time of the user is the first one of their day, while there is some of it left.
    ``morning``: ``07:00``.
    """
    clock = now_local[11:16]
    return ledger.daily < now_local[:10] and clock >= morning and (clock < EVENING or morning >= EVENING)


def _day_ahead(memory: Memory) -> Iterator[News]:
    """The day's meetings and what is due on it, in the order of their time; what has no time comes last."""
    today = memory.now[:10]
    open_loops = memory.own_loops()
    timed: list[tuple[str, News]] = []
    for meeting in memory.upcoming():
        if meeting.starts[:10] == today and not (
            len(meeting.starts) >= 16 and meeting.starts[11:16] < memory.now[11:16]
        ):
            between = tuple(news.open_with(meeting.attendees, open_loops, date.fromisoformat(today)))
            timed.append((meeting.starts[11:16] or "24", News("prepare", meeting, (), between=between)))
    due = [loop for loop in open_loops if loop.due and loop.due.last_day == today]
    timed += [(loop.due.time or "24" if loop.due else "", News("due", loop, ())) for loop in due]
    yield from (item for _, item in sorted(timed, key=lambda pair: pair[0]))


def _since_evening(memory: Memory, ledger: ToldLedger, telling: Telling) -> Iterator[News]:
    """What earlier editions told since last evening, when the user may not have read them."""
    evening = f"{date.fromisoformat(memory.now[:10]) - timedelta(days=1)} {EVENING}"
    chosen = {key: mark for key, mark in ledger.marks.items() if mark.is_told and evening <= mark.at < memory.now[:16]}
    if not chosen:
        return
    moved = {change.id: change for change in memory.changes if change.id in chosen and change.kind == "due"}
    oldest = (date.fromisoformat(memory.now[:10]) - timedelta(days=news.NEWS_DAYS)).isoformat()
    for loop in memory.loops:
        marks = [chosen[key] for key in loop.statements if key in chosen]
        if not marks or loop.direction == "others" or _is_old(loop, oldest) or memory.is_doubted(loop):
            continue
        if not _is_on_users_list(loop, marks, telling):
            change = next((moved[mark.key] for mark in marks if mark.key in moved), None)
            yield from _loop_since_evening(loop, marks, change.before if change else "", memory.now[:10])
    yield from _facts_since_evening(memory, set(chosen) - set(moved), oldest)


def _is_old(loop: Loop, oldest: str) -> bool:
    """Whether a backfill told it long after anybody spoke of it, and no date makes it news: the list of open loops has
    it.
    """
    return loop.state == "open" and loop.due is None and all(place.said_at[:10] < oldest for place in loop.evidence)


def _is_on_users_list(loop: Loop, marks: Iterable[Mark], telling: Telling) -> bool:
    """Whether nothing was told of it: the user has it on their list."""
    is_new = all(mark.stage == "open" for mark in marks)
    return is_new and (is_recorded_by_user(loop, telling) or _is_drawn_up(loop, telling))


def _facts_since_evening(memory: Memory, chosen: Set[str], oldest: str) -> Iterator[News]:
    """Not what was said before the day ``oldest``: a backfill told that, and it is no news."""
    for decision in memory.decisions:
        if decision.id in chosen and USER not in decision.who and decision.at >= oldest:
            yield News("decided", decision, ())
    yield from (News("changed", change, ()) for change in memory.changes if change.id in chosen and change.at >= oldest)
    for meeting in memory.meetings:
        if meeting.state == "cancelled" and news.cancellation(meeting) in chosen:
            yield News("changed", meeting, ())
    for contradiction in memory.contradictions:
        if contradiction.id in chosen:
            yield News("contradicts", contradiction, ())


def _loop_since_evening(loop: Loop, marks: Iterable[Mark], before: str, today: str) -> Iterator[News]:
    """``before``: the date that was told as replaced, "" for none."""
    kinds: dict[str, NewsKind] = {"you_owe": "you_owe", "asked_of_you": "asked_of_you", "owed_to_you": "owed_to_you"}
    if loop.state == "open":
        # What the user asked for they know. A loop that is due today stands in the day ahead.
        is_late = loop.due is not None and loop.due.last_day <= today
        if loop.direction in kinds and not is_late and loop.snoozed_until <= today:
            yield News("changed" if before else kinds[loop.direction], loop, (), before=before)
    elif any(mark.stage == "closed" for mark in marks):
        yield News("changed", loop, ())
