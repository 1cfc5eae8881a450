"""Days of the calendar by their numbers, where a year or a month may be missing."""

from __future__ import annotations

import calendar
from datetime import date
from typing import Final

#: A day and a month without a year that lie no more than this many days back were meant; else the next ones.
BACK: Final = 45


def valid(year: int, month: int, day: int) -> date | None:
    """The day, if there is one with these numbers."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def nearest(month: int, day: int, said_on: date) -> date | None:
    """The day of this or the next year that is still to come, or only just gone."""
    several = [each for year in (said_on.year, said_on.year + 1) if (each := valid(year, month, day))]
    return next((each for each in several if (said_on - each).days <= BACK), None)


def next_of_month(number: int, said_on: date) -> date | None:
    """The next day with this number, today included; None where neither this month nor the next has it."""
    first = said_on.replace(day=1)
    for month in (first, months_later(first, 1)):
        day = valid(month.year, month.month, number) if month else None
        if day and day >= said_on:
            return day
    return None


def months_later(day: date, months: int) -> date | None:
    """The same day of a later month, or its last one; None behind the end of the calendar."""
    number = day.year * 12 + day.month - 1 + months
    if number // 12 > date.max.year:
        return None
    last = calendar.monthrange(number // 12, number % 12 + 1)[1]
    return date(number // 12, number % 12 + 1, min(day.day, last))
