"""Values that two statements can disagree about: dates, amounts, shares, counts, and whether something is settled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, Literal

from consumer.core.detectors.words import MONTHS

ValueKind = Literal["date", "amount", "share", "count", "state"]

_MONTH: Final = "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTHS) + r"|sept)\.?"
_DATES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<year>20\d\d)-(?P<number>\d\d)-(?P<day>\d\d)\b",
        rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>20\d\d))?",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b(?:,?\s+(?P<year>20\d\d))?",
    )
)
_NUMBER: Final = r"(?P<number>\d{1,3}(?:[,\u202f\u00a0 ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_SCALE: Final = r"(?:\s?(?P<scale>k|m|mn|million|thousand|bn|billion)\b)?"
_SIGN: Final = r"[$\u20ac\u00a3]|\b(?:USD|EUR|GBP|CHF)\b"
_WORD: Final = r"\b(?:dollars?|euros?|pounds?|usd|eur|gbp|chf)\b"
_AMOUNTS: Final = (
    re.compile(rf"(?P<sign>{_SIGN})\s?{_NUMBER}{_SCALE}", re.IGNORECASE),
    re.compile(rf"(?<![\w.$\u20ac\u00a3-]){_NUMBER}{_SCALE}\s?(?P<sign>[$\u20ac\u00a3]|{_WORD})", re.IGNORECASE),
    re.compile(
        r"(?<![\w.$\u20ac\u00a3-])(?P<number>\d+(?:\.\d+)?)\s?(?P<scale>k|million|thousand)\b(?P<sign>)",
        re.IGNORECASE,
    ),
)
_DIGIT: Final = re.compile(r"\d")
_SHARE: Final = re.compile(r"(?<![\w.])(?P<number>\d+(?:\.\d+)?)\s?(?:%|percent\b|per cent\b)", re.IGNORECASE)
_COUNT: Final = re.compile(
    r"(?<![\w.,$\u20ac\u00a3-])(?P<number>\d{1,3}(?:,\d{3})+|\d{1,6})\s+(?:\w+\s+)?"
    r"(?P<what>seats?|users?|people|customers?|engineers?|hires?|employees|licen[cs]es?|accounts?|attendees"
    r"|guests|sites?|stores?|weeks|months|days|units|members)\b",
    re.IGNORECASE,
)
_SCALES: Final = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "mn": 1_000_000, "million": 1_000_000}
_BILLION: Final = {"bn": 1_000_000_000, "billion": 1_000_000_000}
_CURRENCIES: Final = {"$": "USD", "\u20ac": "EUR", "\u00a3": "GBP"}
_SPELLED: Final = {"dollar": "USD", "euro": "EUR", "pound": "GBP"}
_OPEN: Final = re.compile(
    r"\b(?:not (?:yet )?(?:signed|approved|confirmed|paid|done|shipped|live|closed|sent"
    r"|finished|agreed)"
    r"|unsigned|unpaid|still (?:waiting|pending|open|blocked|unsigned|missing)|on hold|cancel+ed|rejected|declined"
    r"|postponed)\b",
    re.IGNORECASE,
)
_SETTLED: Final = re.compile(
    r"\b(?:(?:is|was|are|has been|have been|got|already|now)"
    r" (?:signed|approved|confirmed|paid|done|shipped|live|closed|finished)"
    r"|(?:signed|approved|confirmed|closed) (?:it|the|on|by|yesterday|today))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Value:
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
    found = list(_states(text))
    # All other values are written with a digit, and most sentences have none.
    if _DIGIT.search(text):
        found += [*_dates(text, said_on), *_amounts(text), *_shares(text), *_counts(text)]
    kept: list[Value] = []
    for value in sorted(found, key=lambda v: (v.start, -v.end)):
        if all(value.start >= other.end or value.kind == "state" or other.kind == "state" for other in kept):
            kept.append(value)
    return kept


def settles(text: str) -> bool:
    """Whether a statement says that something is settled, or is not."""
    return bool(_OPEN.search(text) or _SETTLED.search(text))


def _dates(text: str, said_on: date | None) -> Iterator[Value]:
    for pattern in _DATES:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            month = int(parts["number"]) if parts.get("number") else _month(parts["month"])
            moment = _date(parts.get("year"), month, int(parts["day"]), said_on)
            if moment:
                yield Value("date", moment.isoformat(), parts.get("year") or "", match.start(), match.end())


def _month(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name.lower()[:3]))


def _date(year: str | None, month: int, day: int, said_on: date | None) -> date | None:
    around = [int(year)] if year else [said_on.year + step for step in (-1, 0, 1)] if said_on else [2000]
    found = []
    for one in around:
        try:
            found.append(date(one, month, day))
        except ValueError:
            continue
    return min(found, key=lambda d: abs((d - said_on).days) if said_on else 0, default=None)


def _amounts(text: str) -> Iterator[Value]:
    for pattern in _AMOUNTS:
        for match in pattern.finditer(text):
            sign = match["sign"].lower()
            currency = _CURRENCIES.get(sign) or _SPELLED.get(sign.rstrip("s")) or sign.upper()
            yield Value("amount", _scaled(match["number"], match["scale"]), currency, match.start(), match.end())


def _scaled(number: str, scale: str | None) -> str:
    factor = {**_SCALES, **_BILLION}.get((scale or "").lower(), 1)
    value = Decimal(re.sub(r"[,\s\u202f\u00a0]", "", number)) * factor
    return format(value.normalize(), "f")


def _shares(text: str) -> Iterator[Value]:
    for match in _SHARE.finditer(text):
        yield Value("share", _scaled(match["number"], None), "%", match.start(), match.end())


def _counts(text: str) -> Iterator[Value]:
    for match in _COUNT.finditer(text):
        what = match["what"].lower().replace("licences", "licenses").rstrip("s")
        yield Value("count", _scaled(match["number"], None), what, match.start(), match.end())


def _states(text: str) -> Iterator[Value]:
    found = _OPEN.search(text)
    if found:
        yield Value("state", "open", "", found.start(), found.end())
        return
    found = _SETTLED.search(text)
    if found:
        yield Value("state", "settled", "", found.start(), found.end())
