"""Times on the user's clock, to the minute or to the day, and which of two is the later."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

_MINUTES: Final = 24 * 60


class Moment(NamedTuple):
    """A time on the user's clock. ``minute``: since year 1 in UTC; of a day alone its beginning on the user's clock."""

    day: str
    minute: int
    timed: bool

    def not_before(self, other: Moment) -> bool:
        """Whether this may be as late as the other. Where one has a day only, days are compared; unknown is not."""
        if not (self.day and other.day):
            return False
        return self.minute >= other.minute if self.timed and other.timed else self.day >= other.day

    def is_after(self, other: Moment) -> bool:
        """Whether this is surely later: of one day, only where both have a time. Unknown is not."""
        if not (self.day and other.day):
            return False
        return self.minute > other.minute if self.timed and other.timed else self.day > other.day


def day_of(text: str) -> date | None:
    """The day at the beginning of a text; None: there is none."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


@lru_cache(maxsize=65536)
def moment(text: str) -> Moment:
    """``2026-11-27 09:03 -05:00``, ``2026-11-27`` or "" -> Moment."""
    try:
        start = date.fromisoformat(text[:10]).toordinal() * _MINUTES
    except ValueError:
        return Moment("", 0, timed=False)
    if len(text) < 16:
        return Moment(text[:10], start, timed=False)
    minute = start + int(text[11:13]) * 60 + int(text[14:16])
    if len(text) >= 23:
        offset = int(text[18:20]) * 60 + int(text[21:23])
        minute -= -offset if text[17] == "-" else offset
    return Moment(text[:10], minute, timed=True)
