"""The day that a mail program writes above what it quotes: "On Fri, Nov 27, 2026 at 9:03", "Am 27.11.26 um 09:03"."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "jan janv ene gen led sty янв",
            "feb febr fev fév févr únor lut фев",
            "mar mär märz mars mrt maa bře мар",
            "apr avr abr dub kwi апр",
            "may mai maj mag mei kvě май мая",
            "jun juin giu čer июн",
            "jul juil lug lip июл",
            "aug août aou ago aoû srp sie авг",
            "sep sept set zář wrz сен",
            "oct okt out ott říj paź окт",
            "nov lis ноя",
            "dec dez déc dic des pro gru дек",
        ),
        1,
    )
    for name in names.split()
}
_ISO: Final = re.compile(
    r"\b((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)|\b((?:19|20)\d\d)年(\d{1,2})月(\d{1,2})日"
)
_NUMBERS: Final = re.compile(r"(?<![\d.:])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d:])")
_DAY_MONTH: Final = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er)?[. ]{0,2}(?:de |d')?\s?([^\W\d_]{3,12})[.,]{0,2} ?(?:de |del )?((?:19|"
    r"20)\d\d)",
    re.IGNORECASE,
)
_MONTH_DAY: Final = re.compile(r"([^\W\d_]{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\d\d)")
_LONGEST: Final = 400


def day(text: str) -> str:
    """``2026-11-27``; "" for a text that states no whole date, or one that can be read in two ways."""
    text = text[:_LONGEST]
    if match := _ISO.search(text):
        numbers = [int(part) for part in match.groups() if part]
        return _day(numbers[0], numbers[1], numbers[2])
    if (match := _DAY_MONTH.search(text)) and (month := _month(match[2])):
        return _day(int(match[3]), month, int(match[1]))
    if (match := _MONTH_DAY.search(text)) and (month := _month(match[1])):
        return _day(int(match[3]), month, int(match[2]))
    if match := _NUMBERS.search(text):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        year += 2000 if year < 100 else 0
        if match[2] == "." or first > 12 or first == second:
            return _day(year, second, first)
        return _day(year, first, second) if second > 12 else ""
    return ""


def _month(word: str) -> int:
    word = word.casefold()
    return _MONTHS.get(word) or _MONTHS.get(word[:4]) or _MONTHS.get(word[:3]) or 0


def _day(year: int, month: int, number: int) -> str:
    try:
        return date(year, month, number).isoformat()
    except ValueError:
        return ""
