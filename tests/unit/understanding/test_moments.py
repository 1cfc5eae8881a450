"""Times on the user's clock: how they are read, and which of two is the later."""

from __future__ import annotations

from consumer.understanding.moments import Moment, moment
from tests.tables import table

DAY, NEXT_DAY = "2026-11-27", "2026-11-28"
NINE, TEN = f"{DAY} 09:00 +00:00", f"{DAY} 10:00 +00:00"
#: The same minute as NINE and TEN, on other clocks.
NINE_ELSEWHERE, TEN_ELSEWHERE = f"{DAY} 04:00 -05:00", f"{DAY} 15:30 +05:30"
NIGHT_ELSEWHERE = f"{NEXT_DAY} 00:30 +14:00"


@table(
    "left, right, after, not_before",
    [
        # Both have a time: the minute counts, on whatever clock.
        (TEN, NINE, True, True),
        (NINE, TEN, False, False),
        (NINE, NINE_ELSEWHERE, False, True),
        (TEN_ELSEWHERE, NINE_ELSEWHERE, True, True),
        (TEN, NIGHT_ELSEWHERE, False, False),
        (NIGHT_ELSEWHERE, TEN, True, True),
        # One has a day only: the days count, so of one day neither is surely later and either may be as late.
        (TEN, DAY, False, True),
        (DAY, TEN, False, True),
        (NINE, NEXT_DAY, False, False),
        (NEXT_DAY, NINE, True, True),
        (DAY, f"{NEXT_DAY} 00:00 +00:00", False, False),
        # Both have a day only.
        (DAY, DAY, False, True),
        (NEXT_DAY, DAY, True, True),
        (DAY, NEXT_DAY, False, False),
        # Unknown is neither.
        ("", DAY, False, False),
        (TEN, "", False, False),
        ("", "", False, False),
    ],
)
def test_which_of_two_moments_is_the_later(left: str, right: str, after: bool, not_before: bool) -> None:
    assert moment(left).is_after(moment(right)) is after
    assert moment(left).not_before(moment(right)) is not_before


MIDNIGHT = moment(DAY).minute


@table(
    "text, expected",
    [
        ("", Moment("", 0, timed=False)),
        ("soon", Moment("", 0, timed=False)),
        ("2026-02-30 09:00", Moment("", 0, timed=False)),
        ("0001-01-01", Moment("0001-01-01", 24 * 60, timed=False)),
        (f"{DAY} 10:0", Moment(DAY, MIDNIGHT, timed=False)),
        (f"{DAY} 10:07", Moment(DAY, MIDNIGHT + 607, timed=True)),
        (f"{DAY} 10:07 +01:0", Moment(DAY, MIDNIGHT + 607, timed=True)),
        (f"{DAY} 10:07 +01:30", Moment(DAY, MIDNIGHT + 517, timed=True)),
        (f"{DAY} 10:07 -01:30", Moment(DAY, MIDNIGHT + 697, timed=True)),
    ],
)
def test_a_moment_is_read_to_the_minute_or_to_the_day(text: str, expected: Moment) -> None:
    assert moment(text) == expected
