"""Values that two statements can disagree about: dates, amounts, shares, counts, and whether something is settled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from consumer.reports.detectors.words import MONTHS, fold

ValueKind = Literal["date", "amount", "share", "count", "state"]

# All of these are searched in folded text, which costs a fraction of a search that ignores case. Where they can they
# begin with the sign that a value begins with and look back from it, so that the engine leaps from digit to digit.
_MONTH: Final = "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTHS) + r"|sept)\.?"
_A_MONTH: Final = re.compile("|".join(name[:3] for name in MONTHS))
_NUMBERED: Final = re.compile(r"(?P<year>2(?<=\b2)0\d\d)-(?P<number>\d\d)-(?P<day>\d\d)\b")
_NAMED: Final = (
    re.compile(rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>20\d\d))?"),
    re.compile(
        rf"(?P<day>\d(?<=\b\d)\d?)(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b(?:,?\s+(?P<year>20\d\d))?",
    ),
)
_GROUPED: Final = r"(?:[,\u202f\u00a0 ]\d{3})+(?:\.\d+)?"
_NUMBER: Final = rf"(?P<number>\d{{1,3}}{_GROUPED}|\d+(?:\.\d+)?)"
_SCALE: Final = r"(?:\s?(?P<scale>k|m|mn|million|thousand|bn|billion)\b)?"
_SIGN: Final = r"[$\u20ac\u00a3]|\b(?:usd|eur|gbp|chf)\b"
_WORD: Final = r"\b(?:dollars?|euros?|pounds?|usd|eur|gbp|chf)\b"
#: A digit that continues neither a word nor another number.
_FIRST: Final = r"\d(?<![\w.$\u20ac\u00a3-]\d)"
_A_CURRENCY: Final = re.compile(r"\$|\u20ac|\u00a3|usd|eur|gbp|chf|dollar|pound")
_SIGNED: Final = (
    re.compile(rf"(?P<sign>{_SIGN})\s?{_NUMBER}{_SCALE}"),
    re.compile(
        rf"(?P<number>{_FIRST}(?:\d{{0,2}}{_GROUPED}|\d*(?:\.\d+)?)){_SCALE}\s?(?P<sign>[$\u20ac\u00a3]|{_WORD})"
    ),
)
_SCALED: Final = re.compile(rf"(?P<number>{_FIRST}\d*(?:\.\d+)?)\s?(?P<scale>k|million|thousand)\b(?P<sign>)")
_DIGIT: Final = re.compile(r"\d")
_SHARE: Final = re.compile(r"(?P<number>\d(?<![\w.]\d)\d*(?:\.\d+)?)\s?(?:%|percent\b|per cent\b)")
_COUNT: Final = re.compile(
    r"(?P<number>\d(?<![\w.,$\u20ac\u00a3-]\d)(?:\d{0,2}(?:,\d{3})+|\d{0,5}))\s+(?:\w+\s+)?"
    r"(?P<what>seats?|users?|people|customers?|engineers?|hires?|employees|licen[cs]es?|accounts?|attendees"
    r"|guests|sites?|stores?|weeks|months|days|units|members)\b"
)
_SCALES: Final = {
    "k": 1_000, "thousand": 1_000, "m": 1_000_000, "mn": 1_000_000, "million": 1_000_000, "bn": 1_000_000_000,
    "billion": 1_000_000_000
}  # fmt: skip
_MONTH_NUMBERS: Final = {name[:3]: number for number, name in enumerate(MONTHS, 1)}
_BETWEEN_DIGITS: Final = re.compile(r"[,\s\u202f\u00a0]")
_CURRENCIES: Final = {"$": "USD", "\u20ac": "EUR", "\u00a3": "GBP"}
_SPELLED: Final = {"dollar": "USD", "euro": "EUR", "pound": "GBP"}
# These begin with what stands before a word, so they are searched in text with a blank before it.
_OPEN: Final = re.compile(
    r"\W(?:not (?:yet )?(?:signed|approved|confirmed|paid|done|shipped|live|closed|sent|finished|agreed)"
    r"|unsigned|unpaid|still (?:waiting|pending|open|blocked|unsigned|missing)|on hold|cancel+ed|rejected|declined"
    r"|postponed)\b"
)
_SETTLED: Final = re.compile(
    r"\W(?:(?:is|was|are|has been|have been|got|already|now)"
    r" (?:signed|approved|confirmed|paid|done|shipped|live|closed|finished)"
    r"|(?:signed|approved|confirmed|closed) (?:it|the|on|by|yesterday|today))\b"
)


class Value(NamedTuple):
    """``key`` is equal exactly where two statements agree; ``unit`` a currency, a counted thing, or empty: unknown."""

    kind: ValueKind
    key: str
    unit: str
    start: int
    end: int

    def agrees(self, other: Value) -> bool:
        """Equal, or equal where one of them leaves the unit or the year out."""
        if self.kind != other.kind:
            return False
        if self.kind == "date":
            return self.key[-5:] == other.key[-5:] and ("" in (self.unit, other.unit) or self.key == other.key)
        return self.key == other.key and (self.unit == other.unit or "" in (self.unit, other.unit))

    def comparable(self, other: Value) -> bool:
        """Whether a difference would mean something: the same kind, and no two different units."""
        return self.kind == other.kind and (
            self.kind == "date" or self.unit == other.unit or "" in (self.unit, other.unit)
        )


def find(text: str, said_on: date | None) -> list[Value]:
    """All values of a statement, in order; a date without a year gets the one nearest to ``said_on``."""
    folded = fold(text)
    found = _states(folded)
    # All other values are written with a digit, and most sentences have none.
    if _DIGIT.search(folded):
        found += [*_dates(folded, said_on), *_amounts(folded), *_shares(folded), *_counts(folded)]
    if len(found) < 2:
        return found
    kept: list[Value] = []
    for value in sorted(found, key=lambda v: (v.start, -v.end)):
        if all(value.start >= other.end or value.kind == "state" or other.kind == "state" for other in kept):
            kept.append(value)
    return kept


def dates(text: str, said_on: date | None) -> list[Value]:
    """The dates among the values of a statement: most have none, which is told without looking for the others."""
    if not _DIGIT.search(text) or not any(_dates(fold(text), said_on)):
        return []
    return [value for value in find(text, said_on) if value.kind == "date"]


def _dates(folded: str, said_on: date | None) -> Iterator[Value]:
    for pattern in (_NUMBERED, *_NAMED) if _A_MONTH.search(folded) else (_NUMBERED,):
        for match in pattern.finditer(folded):
            parts = match.groupdict()
            month = int(parts["number"]) if parts.get("number") else _MONTH_NUMBERS[parts["month"][:3]]
            moment = _date(parts.get("year"), month, int(parts["day"]), said_on)
            if moment:
                yield Value("date", moment.isoformat(), parts.get("year") or "", match.start(), match.end())


def _date(year: str | None, month: int, day: int, said_on: date | None) -> date | None:
    around = [int(year)] if year else [said_on.year + step for step in (-1, 0, 1)] if said_on else [2000]
    found = []
    for one in around:
        try:
            found.append(date(one, month, day))
        except ValueError:
            continue
    return min(found, key=lambda d: abs((d - said_on).days) if said_on else 0, default=None)


def _amounts(folded: str) -> Iterator[Value]:
    for pattern in (*_SIGNED, _SCALED) if _A_CURRENCY.search(folded) else (_SCALED,):
        for match in pattern.finditer(folded):
            sign = match["sign"]
            currency = _CURRENCIES.get(sign) or _SPELLED.get(sign.rstrip("s")) or sign.upper()
            yield Value("amount", _scaled(match["number"], match["scale"]), currency, match.start(), match.end())


def _scaled(number: str, scale: str | None) -> str:
    value = Decimal(_BETWEEN_DIGITS.sub("", number)) * _SCALES.get(scale or "", 1)
    return format(value.normalize(), "f")


def _shares(folded: str) -> Iterator[Value]:
    for match in _SHARE.finditer(folded):
        yield Value("share", _scaled(match["number"], None), "%", match.start(), match.end())


def _counts(folded: str) -> Iterator[Value]:
    for match in _COUNT.finditer(folded):
        what = match["what"].replace("licences", "licenses").rstrip("s")
        yield Value("count", _scaled(match["number"], None), what, match.start(), match.end())


def _states(folded: str) -> list[Value]:
    """One at most: what is not settled is open, whatever else is."""
    spaced = f" {folded}"
    key, found = "open", _OPEN.search(spaced)
    if not found:
        key, found = "settled", _SETTLED.search(spaced)
    # Where the word begins: without the sign before it, and without the blank.
    return [Value("state", key, "", found.start(), found.end() - 1)] if found else []
