"""
Judges digests of the sample user's days by code: what of the expected was told in its time, and what else was told.

An expected thing has one or more *moments*: it is new, it falls due, it is overdue, somebody settles it. A moment is
told if a line of a digest within its time speaks of it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple
from zoneinfo import ZoneInfo

import yaml

from local.seed.sample import MAIN
from tests import sample_user
from tests.expected import BEFORE, LOOPS, ExpectedNews, expected
from tests.replay import ToldDigest

ZONE: Final = ZoneInfo(MAIN.timezone)
#: What falls due is told that long before. An hour more, because a job runs once in an hour.
AHEAD: Final = timedelta(hours=25)
#: What comes in late in the day, or waits for room, is told by the next day's noon.
NOON: Final = time(12)
#: Letters of a word that names something.
NAMING: Final = 3
_DAY: Final = timedelta(days=1)

#: What a reader who sees only a line and its quotations says of it: worth reading; true, and not worth it; not to be
#: understood without looking further; not what the quotations say.
VERDICTS: Final = ("worth", "noise", "unclear", "wrong")
#: The readings of the sixty days' lines, one a line.
READINGS: Final = Path(__file__).parent / "data/story/judged.yaml"

MomentKind = Literal["new", "due", "overdue", "settled"]
#: Kinds of lines that tell a moment of a loop.
_TELL: Final[Mapping[MomentKind, frozenset[str]]] = {
    "new": frozenset({"you_owe", "owed_to_you", "asked_of_you", "due", "changed"}),
    "due": frozenset({"due", "you_owe", "owed_to_you", "asked_of_you", "prepare"}),
    "overdue": frozenset({"due"}),
    "settled": frozenset({"changed", "owed_to_you"}),
}
#: Kinds of lines that tell everything else.
_TELL_FACT: Final[Mapping[str, frozenset[str]]] = {
    "decided": frozenset({"decided", "changed"}),
    "changed": frozenset({"changed", "owed_to_you"}),
    "contradicts": frozenset({"contradicts"}),
    "meeting": frozenset({"prepare"}),
    "cancelled": frozenset({"changed"}),
}


class Moment(NamedTuple):
    """When an expected thing is to be told, on the user's clock; both ends count."""

    entry: ExpectedNews
    kind: MomentKind
    since: datetime
    until: datetime
    #: Whether a reader misses it. They do not mind to hear of something on the day before it came anyway.
    required: bool = True

    def on_the_day(self) -> Moment:
        """Without the next morning that news may take. What falls due has its time anyway."""
        midnight = _morning(self.since.date() + _DAY)
        return self if self.kind == "due" else self._replace(until=min(self.until, midnight))

    def kinds(self) -> frozenset[str]:
        """The kinds of lines that tell it."""
        return _TELL[self.kind] if self.entry.kind in LOOPS else _TELL_FACT[self.entry.kind]


class ToldLine(NamedTuple):
    """``part``: lines, day_ahead or since_evening. ``keys``: the scenes of the story whose records it cites."""

    at: datetime
    part: str
    kind: str
    text: str
    keys: frozenset[str]
    quotes: str

    def tells(self, entry: ExpectedNews) -> bool:
        """Whether it speaks of this thing, at whatever time."""
        words = f"{self.text} {self.quotes}".casefold()
        named = [word for word in entry.what.casefold().split() if len(word) >= NAMING]
        return not self.keys.isdisjoint(entry.records) and all(word in words for word in named)


@dataclass(frozen=True)
class Verdict:
    """``missed``: moments in no line; ``late``: those told, but not on the very day.

    ``unexpected``: lines above the fold about nothing that is expected.
    ``untimely``: lines above the fold about something expected, at a time at which nothing of it was to be told.
    ``leaked``: lines about what a rule of the user keeps out.
    """

    moments: tuple[Moment, ...]
    missed: tuple[Moment, ...]
    lines: tuple[ToldLine, ...]
    unexpected: tuple[ToldLine, ...]
    untimely: tuple[ToldLine, ...]
    leaked: tuple[ToldLine, ...]
    late: tuple[Moment, ...] = ()

    @property
    def above(self) -> tuple[ToldLine, ...]:
        """The lines above the fold."""
        return tuple(line for line in self.lines if line.part == "lines")

    @property
    def entries(self) -> tuple[ExpectedNews, ...]:
        """The things that were to be told."""
        return tuple(dict.fromkeys(moment.entry for moment in self.moments))

    @property
    def told_in_time(self) -> tuple[ExpectedNews, ...]:
        """Those told at each of their moments."""
        missed = {moment.entry for moment in self.missed}
        return tuple(entry for entry in self.entries if entry not in missed)


def judge(digests: Sequence[ToldDigest], since: datetime, until: datetime) -> Verdict:
    """``since``, ``until``: the time of which the digests are; moments that do not lie wholly in it are left out."""
    every = [moment for entry in expected() if not entry.private for moment in moments_of(entry)]
    moments = [moment for moment in every if moment.required and since <= moment.since and moment.until <= until]
    lines = [line for digest in digests for line in lines_of(digest)]
    missed = [moment for moment in moments if not any(_tells(line, moment) for line in lines)]
    late = [m for m in moments if m not in missed and not any(_tells(line, m.on_the_day()) for line in lines)]
    above = [line for line in lines if line.part == "lines"]
    known = [line for line in above if any(line.tells(entry) for entry in expected())]
    return Verdict(
        tuple(moments),
        tuple(missed),
        tuple(lines),
        tuple(line for line in above if line not in known),
        tuple(line for line in known if not any(_tells(line, moment) for moment in every)),
        tuple(line for line in lines for entry in expected() if entry.private and line.tells(entry)),
        tuple(late),
    )


def _tells(line: ToldLine, moment: Moment) -> bool:
    return (
        moment.since <= line.at <= moment.until
        and line.kind in moment.kinds()
        and line.part != "since_evening"
        and line.tells(moment.entry)
    )


def lines_of(digest: ToldDigest) -> Iterator[ToldLine]:
    """The lines of one digest."""
    by_record = {record: key for key, record in sample_user.story()[1].items()}
    for part in ("lines", "day_ahead", "since_evening"):
        for line in digest.document[part]:
            places = [(cited["page"], cited["anchor"] or None) for cited in line["citations"]]
            keys = frozenset(by_record[digest.records[place]] for place in places if place in digest.records)
            quotes = " ".join(cited["quote"] for cited in line["citations"])
            yield ToldLine(digest.at, part, line["kind"], line["text"], keys, quotes)


# --- moments -----------------------------------------------------------------------------------------------------


def moments_of(entry: ExpectedNews) -> Iterator[Moment]:
    """When an expected thing is to be told."""
    if entry.kind == "meeting":
        # It is told in the day before it begins, or on its morning.
        yield _due(entry, "due")
    elif entry.kind not in LOOPS:
        yield Moment(entry, "new", _morning(entry.day), _next_noon(entry.day))
    else:
        yield from _of_loop(entry)


def _of_loop(entry: ExpectedNews) -> Iterator[Moment]:
    is_open = entry.state == "open"
    opened = _morning(entry.day) if is_open else min(map(_written, entry.records))
    end = datetime.max.replace(tzinfo=ZONE) if is_open else _next_noon(entry.day)
    # The user knows what they asked for, and what they put on their own list.
    own = entry.records[:1] if entry.kind == "task" else ()
    if entry.kind not in ("asked_by_you", "task"):
        yield Moment(entry, "new", opened, _next_noon(opened.date()))
    for key in entry.records:
        # A second record about it may be told when it comes, such as the promise that answers a request.
        if key not in own:
            yield Moment(entry, "new", _written(key), _next_noon(_written(key).date()), required=False)
    if entry.due:
        due, overdue = _due(entry, "due"), _due(entry, "overdue")
        # What others owe is not told again where it was told in the day before it comes near.
        near = due.since + timedelta(hours=1) - (_DAY if entry.kind in ("owed_to_you", "asked_by_you") else timedelta())
        is_needed = opened < near and end > due.until
        yield due._replace(until=min(due.until, end), required=is_needed)
        if end > overdue.until and entry.state != "lapsed":
            yield overdue
    if not is_open and entry.state != "lapsed" and _is_settled_by_another(entry):
        yield Moment(entry, "settled", _morning(entry.day), _next_noon(entry.day))


def _is_settled_by_another(entry: ExpectedNews) -> bool:
    """What the user did themselves is no news to them."""
    return entry.kind in ("owed_to_you", "asked_by_you") or entry.state == "withdrawn"


def _due(entry: ExpectedNews, kind: Literal["due", "overdue"]) -> Moment:
    due = entry.due.removeprefix(BEFORE)
    day, timed = date.fromisoformat(due[:10]), len(due) > 10
    if entry.due.startswith(BEFORE):
        day -= _DAY
    at = datetime.combine(day, time.fromisoformat(due[11:]), ZONE) if timed else _morning(day + _DAY)
    if kind == "overdue":
        return Moment(entry, kind, at, _next_noon(at.date()) if timed else at + _DAY)
    return Moment(entry, kind, at - AHEAD - (timedelta() if timed else _DAY), at)


def _morning(day: date) -> datetime:
    return datetime.combine(day, time(), ZONE)


def _next_noon(day: date) -> datetime:
    return datetime.combine(day + _DAY, NOON, ZONE)


@cache
def _first_written() -> Mapping[tuple[str, str], datetime]:
    times: dict[tuple[str, str], datetime] = {}
    for at, source, ident, _ in sample_user.history(sample_user.story()[0]):
        times.setdefault((source, ident), at)
    return times


def _written(key: str) -> datetime:
    """When the record of a scene was first written."""
    return _first_written()[sample_user.story()[1][key]].astimezone(ZONE)


# --- words -------------------------------------------------------------------------------------------------------


def told_rows(digests: Iterable[ToldDigest]) -> Iterator[str]:
    """Every digest as a person reads it, without its quotations."""
    for digest in digests:
        document: Mapping[str, Any] = digest.document
        more = f", {document['more']} more" if document["more"] else ""
        yield f"\n{digest.at:%a %d %b %H:%M}  {document['edition']}{more}"
        for line in lines_of(digest):
            mark = {"day_ahead": "today ", "since_evening": "since "}.get(line.part, "")
            yield f"  {mark}{line.kind}: {line.text}"


def row_of(line: ToldLine) -> str:
    """``Fri 27 Nov 10:05  changed: ...``."""
    return f"{line.at:%a %d %b %H:%M}  {line.kind}: {line.text}  [{', '.join(sorted(line.keys))}]"


# --- readers -----------------------------------------------------------------------------------------------------


def readings() -> dict[tuple[str, str], str]:
    """Time and text of each line that a reader judged -> the verdict, one of VERDICTS."""
    rows = yaml.load(READINGS.read_text("utf-8"), Loader=yaml.CSafeLoader)
    verdicts = {(str(row["at"]), str(row["text"])): str(row["verdict"]) for row in rows}
    unknown = set(verdicts.values()) - set(VERDICTS)
    if unknown:
        raise ValueError(f"{READINGS.name}: {sorted(unknown)} are no verdicts; use one of {', '.join(VERDICTS)}")
    return verdicts


def reading_key(line: ToldLine) -> tuple[str, str]:
    """A line's place in ``readings``: whoever changes its words has it read again."""
    return f"{line.at:%Y-%m-%d %H:%M}", line.text


def unread(verdict: Verdict, given: Mapping[tuple[str, str], str]) -> tuple[ToldLine, ...]:
    """Lines above the fold that nobody judged. ``given``: see ``readings``."""
    return tuple(line for line in verdict.above if reading_key(line) not in given)


def doubtful(verdict: Verdict, given: Mapping[tuple[str, str], str]) -> tuple[ToldLine, ...]:
    """Lines above the fold that nobody judged, or about nothing expected and not called worth reading."""
    nobodys, unexpected = unread(verdict, given), set(verdict.unexpected)
    return tuple(
        line
        for line in verdict.above
        if line in nobodys or (line in unexpected and given[reading_key(line)] != "worth")
    )


def unread_rows(lines: Iterable[ToldLine]) -> Iterator[str]:
    """Lines that nobody judged, as rows of READINGS to fill in, with what a judge may see: their quotations."""
    for line in lines:
        at, text = reading_key(line)
        row = json.dumps({"at": at, "verdict": "", "kind": line.kind, "text": text}, ensure_ascii=False)
        yield f"# {line.quotes}\n- {row}"


def share(part: Collection[object], whole: Collection[object]) -> float:
    """1.0 of nothing."""
    return len(part) / len(whole) if whole else 1.0
