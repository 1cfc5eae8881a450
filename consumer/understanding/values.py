"""
Amounts, shares, counts and versions as numbers with a unit, so that "\u20ac48.000" (German), "48,000 euros"
and "48k EUR" are equal.

A digit of a date, a time or a phone number is never part of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Final, Literal, NamedTuple

from consumer.understanding import dates, languages
from consumer.understanding.languages import Words
from consumer.understanding.text import fold, overlaps

Kind = Literal["amount", "share", "count", "number", "version"]
_SIGNS: Final = {
    "\u20ac": "EUR",
    "$": "USD",
    "\u00a3": "GBP",
    "\u00a5": "JPY",
    "r$": "BRL",
    "us$": "USD",
    "\u20b9": "INR",
    "rs": "INR",
    "rs.": "INR",
}
_CODES: Final = ("eur", "usd", "gbp", "chf", "jpy", "brl", "sek", "nok", "dkk", "pln", "cad", "aud", "inr", "cny")
#: With thousands in groups; Indian numbers have two digits in the groups before the last.
_NUMBER: Final = r"\d{1,2}(?:,\d{2})+,\d{3}(?!\d)|\d{1,3}(?:[.,'\u2019 ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?"
#: A day is no amount whatever the day of the utterance.
_ANY_DAY: Final = date(2024, 1, 1)
PHONE: Final = re.compile(r"(?<![\w.])(?:\+|00)?\(?\d[\d ()/.\-]{6,}\d(?![\w%])")
_VERSION: Final = re.compile(
    r"(?<![\w.])(?:v(?:ersion|ersi\u00f3n|ers\u00e3o|ersione|ersie)?\.?\s?)(\d+(?:\.\d+){0,3})(?![\w,]|\.\d)"
)


class Value(NamedTuple):
    """``number`` as a plain decimal ("48000"), ``unit`` a currency code, a counted thing, "%", or "" for none."""

    kind: Kind
    number: str
    unit: str
    start: int
    end: int


def _measures(several: str) -> dict[str, str]:
    """Words of a unit -> the unit, from lines "unit: word | word"."""
    lines = (line.split(":") for line in several.strip().splitlines())
    return {word.strip(): unit.strip() for unit, written in lines for word in written.split("|")}


#: Units of measure, which are written alike in several languages; a bare "m" is a metre or a million.
_MEASURES: Final = _measures(
    """
    m2: m\u00b2 | m2 | qm | sqm | square metres | square meters | square metre | quadratmeter | vierkante meter
    m2: m\u00e8tres carr\u00e9s | metros cuadrados | metros quadrados | metri quadrati | mq
    ft2: sq ft | sqft | square feet | square foot | quadratfu\u00df | pieds carr\u00e9s | pies cuadrados
    ft2: p\u00e9s quadrados | piedi quadrati
    mile: mile | miles | meile | meilen | millas | milhas | miglia | mijl
    km: kilometres | kilometers | kilometer | kilom\u00e8tres | kil\u00f3metros | quil\u00f4metros | chilometri
    """
)


def find(text: str, language: str, region: str = "") -> tuple[Value, ...]:
    """Amounts with a currency, shares, counts with their unit, scaled numbers ("40k") and versions, in order."""
    words = languages.get(language)
    if words is None or not any(c.isdigit() for c in text):
        return ()
    folded = fold(text)
    taken = [(hit.start, hit.end) for hit in dates.scan(text, _ANY_DAY, language, region)]
    taken += [match.span() for match in PHONE.finditer(folded) if is_phone(match[0])]
    versions = [
        Value("version", match[1], "", match.start(), match.end())
        for match in _VERSION.finditer(folded)
        if not overlaps(match.span(), taken)
    ]
    taken += [(value.start, value.end) for value in versions]
    values = [
        value
        for match in _expression(words.code).finditer(folded)
        if not overlaps(match.span("number"), taken) and (value := _value(match, words))
    ]
    return tuple(sorted(versions + values, key=lambda value: value.start))


def same(left: Value, right: Value) -> bool:
    """Whether both are the same value; a unit that one of them leaves out contradicts nothing."""
    if "version" in (left.kind, right.kind):
        return left.kind == right.kind and left.number == right.number
    return Decimal(left.number) == Decimal(right.number) and (left.unit == right.unit or "" in (left.unit, right.unit))


def is_currency(word: str) -> bool:
    """Whether a word is a currency's code: "EUR"."""
    return word.lower() in _CODES


def is_phone(text: str) -> bool:
    """Whether digits and signs are a phone number: "+49 30 1234567", "0171/2345678", and not "48.000.000"."""
    digits = re.sub(r"\D", "", text)
    if not 7 <= len(digits) <= 15 or re.fullmatch(r"\d{1,3}(?:([., ])\d{3})(?:\1\d{3})*", text):
        return False
    return text.startswith(("+", "0", "(")) or bool(re.search(r"\d[ \-/]\d{3,4}[ \-]\d{2,}", text))


def number(text: str, language: str) -> Decimal | None:
    """``1.234,50`` by the language's way of writing numbers; None where it is no number."""
    words = languages.get(language)
    return _number(text, words.grouping if words else ",")


@cache
def _expression(code: str) -> re.Pattern[str]:
    words = languages.LANGUAGES[code]
    scale = _any(each for each in words.scales)
    sign = "|".join(re.escape(each) for each in sorted(_SIGNS, key=len, reverse=True))
    name = _any([*words.currencies, *_CODES])
    return re.compile(
        rf"(?<![\w.,:/-])(?:(?P<before>{sign}|(?:{'|'.join(_CODES)})(?=[\s\d]))\s?)?"
        rf"(?P<number>{_NUMBER})(?![.,:/]?\d)"
        rf"(?:\s?(?P<scale>{scale})(?!\w)\.?)?"
        rf"(?:\s?(?P<after>{sign})|\s?(?:de\s|d'|di\s)?(?P<name>{name})(?!\w)|\s?(?P<percent>{_any(words.percent)})"
        rf"|\s(?:\w+\s)?(?P<counted>{_any({**words.counted, **_MEASURES})})(?!\w))?"
    )


def _any(several: Iterable[str]) -> str:
    return "(?:" + "|".join(re.escape(each) for each in sorted(set(several), key=lambda e: (-len(e), e))) + ")"


def _value(match: re.Match[str], words: Words) -> Value | None:
    is_money = bool(match["before"] or match["after"] or match["name"]) and not match["scale"]
    kind, unit = _unit(match, words)
    # English unit prices have three decimals: "$2.455 a gallon".
    has_cents = is_money and not (words.grouping == "," and unit in _POINTED)
    amount = _number(match["number"], words.grouping, is_money=has_cents)
    if amount is None:
        return None
    if match["scale"]:
        amount *= words.scales[match["scale"]]
    if kind == "number" and not match["scale"]:
        return None
    return Value(kind, _plain(amount), unit, match.start(), match.end())


def _unit(match: re.Match[str], words: Words) -> tuple[Kind, str]:
    sign = match["before"] or match["after"]
    if sign:
        return "amount", _SIGNS.get(sign) or sign.upper()
    if match["name"]:
        return "amount", words.currencies.get(match["name"]) or match["name"].upper()
    if match["percent"]:
        return "share", "%"
    counted = match["counted"]
    unit = words.counted.get(counted) or _MEASURES.get(counted, "") if counted else ""
    return ("count", unit) if unit else ("number", "")


#: Currencies of countries that write a decimal point.
_POINTED: Final = frozenset({"USD", "GBP"})


def _plain(amount: Decimal) -> str:
    text = format(amount, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _number(text: str, grouping: str, *, is_money: bool = False) -> Decimal | None:
    """Of two different signs the last parts the decimals; one sign with three digits after it goes by the language.

    Few prices have three decimals, so "\u20ac48.000" is the same in all languages.
    """
    plain = re.sub(r"[ '\u2019]", "", fold(text))
    signs = [c for c in plain if c in ".,"]
    if not signs:
        return Decimal(plain) if plain.isdigit() else None
    last = signs[-1]
    after = len(plain) - plain.rindex(last) - 1
    if len(set(signs)) == 2:
        other = "," if last == "." else "."
        return Decimal(plain.replace(other, "").replace(last, "."))
    goes_by_three = last == grouping or (grouping == " " and last == ".") or (is_money and plain[0] != "0")
    grouped = len(signs) > 1 or (after == 3 and goes_by_three)
    return Decimal(plain.replace(last, "")) if grouped else Decimal(plain.replace(last, "."))
