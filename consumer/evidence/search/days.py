"""
The days that a question names: "on 11 December, 2023", "in the week before 16 November", "last May", "gestern".

A question looks back, so a day without a year is the last one of that name; the next one counts as well, as a calendar
looks ahead. Months, weekdays and units are those of the seven languages of ``consumer.understanding``.
"""

from __future__ import annotations

import calendar
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from typing import Final

from consumer.understanding.languages import LANGUAGES
from consumer.understanding.numerals import up_to_twenty
from consumer.understanding.text import overlaps

#: What happened is often told some days later: so long after its end a range still counts, each day less.
TOLD_AFTER_DAYS: Final = 10
_WEEK: Final = 7
_MONTH: Final = 30
_YEAR: Final = 365
_ANY_YEAR: Final = r"(?:19|20)\d\d"
#: Between a unit and a day: "the week before 16 November".
_BEFORE: Final = "before|prior to|preceding|vor|avant|antes de|antes del|antes do|prima di|prima del|voor"
_AFTER: Final = "after|following|nach|après|después de|después del|depois de|depois do|dopo|na"
_OF: Final = "of|from|vom|von|du|de|del|di|do|da|van"
#: Before a month that stands alone, since "may" and "mar" are words too.
_IN: Final = "in|during|since|of|early|late|mid|this|im|seit|en|depuis|desde|em|nel|a|da|sinds"
_LAST: Final = (
    "last|past|letzten|letzter|letzte|vergangenen|vergangene|dernier|dernière|pasado|pasada|passado|passada|scorso"
    "|scorsa|vorige|afgelopen"
)
#: Between the two ends of a range.
_TO: Final = re.compile(
    r"\s*(?:and|to|until|till|through|-|\u2013|und|bis|et|au|y|al|e|a|en|tot)\s*(?:the|dem|den|le|el|il|o)?\s*"
)
_DAYS_BACK: Final = {
    "today": 0, "yesterday": 1, "heute": 0, "gestern": 1, "vorgestern": 2, "aujourd'hui": 0, "avant-hier": 2, "hoy": 0,
    "ayer": 1, "anteayer": 2, "hoje": 0, "ontem": 1, "anteontem": 2, "oggi": 0, "ieri": 1, "vandaag": 0,
    "gisteren": 1, "eergisteren": 2, "hier soir": 1, "hier matin": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DayRange:
    """From the first to the last day, both inclusive. ``start`` and ``end``: the place of the words in the question."""

    first: date
    last: date
    start: int
    end: int

    def closeness(self, day: date) -> float:
        """1 for a day of the range, less for one soon after it, else 0. Of a long range each day says less."""
        length = (self.last - self.first).days
        weight = 1.0 if length <= 2 * _WEEK else 0.7 if length <= 2 * _MONTH else 0.25
        if self.first <= day <= self.last:
            return weight
        late = (day - self.last).days
        return 0.6 * weight * (1 - late / (TOLD_AFTER_DAYS + 1)) if 0 < late <= TOLD_AFTER_DAYS else 0.0


def find(text: str, today: date | None) -> tuple[DayRange, ...]:
    """The days that a question names, in no order.

    ``today``: where "yesterday" and a missing year are counted from; None: only days with their year are read.
    """
    folded = unicodedata.normalize("NFKC", text).replace("\u2019", "'").lower()
    matches = list(_tables().day.finditer(folded))
    ranges: list[DayRange] = []
    for number, match in enumerate(matches):
        # "between August 11 and August 15 2023": the first day is of the same year.
        following = matches[number + 1] if number + 1 < len(matches) else None
        joined = following is not None and _TO.fullmatch(folded, match.end(), following.start())
        year = _year(match) or (_year(following) if joined and following else 0)
        own = [_shifted(DayRange(*days, *match.span()), folded) for days in _days(match, year, today)]
        before = number and _TO.fullmatch(folded, matches[number - 1].end(), match.start())
        if before and len(own) == 1 and ranges and ranges[-1].last <= own[0].first:
            ranges[-1] = replace(ranges[-1], last=own[0].last, end=own[0].end)
        else:
            ranges += own
    if today is not None:
        # "Last weekend before 10 April" is counted from that day, not from today.
        taken = [(each.start, each.end) for each in ranges]
        ranges += [each for each in _relative(folded, today) if not overlaps((each.start, each.end), taken)]
    return tuple(ranges)


def _days(match: re.Match[str], year: int, today: date | None) -> Iterator[tuple[date, date]]:
    """The first and the last day of what matched; two such where the year is not said."""
    parts = match.groupdict()
    if parts["iso"]:
        yield from _valid(parts["iso"])
        return
    name = next((parts[key] for key in ("m1", "m2", "m3", "m4", "m5", "m6") if parts[key]), "")
    month = _tables().months[name] if name else 0
    day = int(parts["d1"] or parts["d2"] or 0)
    if year:
        yield from _span(year, month, day)
    elif today is not None and month:
        is_past = bool(parts["m4"] or parts["m5"])
        several = [span for each in (-1, 0, 1) for span in _span(today.year + each, month, day)]
        past = [span for span in several if span[0] <= today]
        yield from past[-1:]
        if not is_past:
            yield from several[len(past) : len(past) + 1]


def _valid(iso: str) -> Iterator[tuple[date, date]]:
    try:
        day = date.fromisoformat(iso)
    except ValueError:
        return
    yield day, day


def _span(year: int, month: int, day: int) -> Iterator[tuple[date, date]]:
    """A day, a month (day 0) or a year (month 0); nothing for the 31st of June."""
    if not month:
        yield date(year, 1, 1), date(year, 12, 31)
        return
    length = calendar.monthrange(year, month)[1]
    if not day:
        yield date(year, month, 1), date(year, month, length)
    elif day <= length:
        yield date(year, month, day), date(year, month, day)


def _year(match: re.Match[str]) -> int:
    parts = match.groupdict()
    return int(next((parts[key] for key in ("y1", "y2", "y3", "y6", "y7") if parts[key]), 0))


def _shifted(days: DayRange, folded: str) -> DayRange:
    """The range with the words before it: "the week before 16 November" is the seven days up to it."""
    match = _tables().unit.search(folded, max(0, days.start - 60), days.start)
    if match is None:
        return days
    reach = timedelta(_tables().units[match["unit"]] * _count(match["count"]))
    if match["before"]:
        return replace(days, first=days.first - reach, start=match.start())
    if match["after"]:
        return replace(days, last=days.last + reach, start=match.start())
    if days.first == days.last:
        return replace(days, last=days.last + reach - timedelta(1), start=match.start())
    return days


def _relative(folded: str, today: date) -> Iterator[DayRange]:
    """ "Yesterday", "last week", "three months ago"."""
    tables = _tables()
    for match in tables.back.finditer(folded):
        day = today - timedelta(_DAYS_BACK[match[0]])
        yield DayRange(day, day, *match.span())
    for match in tables.last.finditer(folded):
        name = match["u1"] or match["u2"]
        if name in tables.weekdays:
            day = today - timedelta((today.weekday() - tables.weekdays[name] - 1) % _WEEK + 1)
            yield DayRange(day, day, *match.span())
        elif name:
            yield DayRange(today - timedelta(2 * tables.units[name]), today, *match.span())
    for match in tables.ago.finditer(folded):
        unit = tables.units[match["u1"] or match["u2"]]
        middle = today - timedelta(unit * _count(match["c1"] or match["c2"]))
        around = timedelta(unit // 2)
        yield DayRange(middle - around, middle + around, *match.span())


def _count(word: str | None) -> int:
    if not word:
        return 1
    return int(word) if word.isdigit() else _tables().numbers[word]


@dataclass(frozen=True, slots=True)
class _DayTables:
    day: re.Pattern[str]
    unit: re.Pattern[str]
    back: re.Pattern[str]
    last: re.Pattern[str]
    ago: re.Pattern[str]
    months: dict[str, int]
    weekdays: dict[str, int]
    units: dict[str, int]
    numbers: dict[str, int]


@cache
def _tables() -> _DayTables:
    dates = [words.dates for words in LANGUAGES.values()]
    months = {name: number for each in dates for name, number in each.months.items()}
    weekdays = {name: number for each in dates for name, number in each.weekdays.items()}
    lengths = {"w": _WEEK, "m": _MONTH, "y": _YEAR}
    units = {name: lengths[kind] for each in dates for name, kind in each.periods.items() if kind in lengths}
    units |= {name: days for each in dates for name, days in each.units.items() if days in (1, _WEEK)}
    units |= {name: _MONTH for each in dates for name, days in each.units.items() if days == -1}
    units |= {name: _WEEK for each in dates for name in each.weekend}
    numbers = {word: count for code in LANGUAGES for word, count in up_to_twenty(code).items()}
    month, unit, weekday, last = _any(months), _any(units), _any(weekdays), f"(?:{_LAST})"
    count = rf"\d{{1,2}}|{_any(numbers)}"
    of = r"(?:\s+(?:of|de|del|di|do))?"
    article = r"(?:\s+(?:the|dem|den|le|el|il|o))?"
    return _DayTables(
        day=re.compile(
            rf"(?<![\w.-])(?:(?P<iso>{_ANY_YEAR}-[01]\d-[0-3]\d)"
            rf"|(?P<d1>[0-3]?\d)(?:\.|st|nd|rd|th|er|\u00ba|\u00b0)?{of}\s+(?P<m1>{month})\b\.?"
            rf"(?:,?{of}\s*(?P<y1>{_ANY_YEAR}))?"
            rf"|(?P<m2>{month})\.?\s+(?:the\s+)?(?P<d2>[0-3]?\d)(?:st|nd|rd|th)?(?!\d)(?:,?\s*(?P<y2>{_ANY_YEAR}))?"
            rf"|(?P<m3>{month}){of},?\s+(?P<y3>{_ANY_YEAR})"
            rf"|{last}\s+(?P<m4>{month})|(?P<m5>{month})\s+{last}|(?:{_IN})[\s-]+(?P<m6>{month})(?:{of},?\s+(?P<y6>{_ANY_YEAR}))?"
            rf"|(?P<y7>{_ANY_YEAR}))(?!\w)"
        ),
        unit=re.compile(
            rf"(?<!\w)(?:(?P<count>{count})\s+)?(?P<unit>{unit})\s+"
            rf"(?:(?P<before>{_BEFORE})|(?P<after>{_AFTER})|(?:{_OF})){article}\s*\Z"
        ),
        back=re.compile(rf"(?<![\w-]){_any(_DAYS_BACK)}(?![\w-])"),
        last=re.compile(rf"(?<!\w)(?:{last}\s+(?P<u1>{unit}|{weekday})|(?P<u2>{unit}|{weekday})\s+{last})(?!\w)"),
        ago=re.compile(
            rf"(?<!\w)(?:(?P<c1>{count})\s+(?P<u1>{unit})\s+(?:ago|geleden|fa|atr\u00e1s)"
            rf"|(?:vor|il y a|hace|h\u00e1)\s+(?P<c2>{count})\s+(?P<u2>{unit}))(?!\w)"
        ),
        months=months,
        weekdays=weekdays,
        units=units,
        numbers=numbers,
    )


def _any(names: Iterable[str]) -> str:
    """One of these, the longest first."""
    ordered: Sequence[str] = sorted(names, key=lambda name: (-len(name), name))
    return "(?:" + "|".join(map(re.escape, ordered)) + ")"
