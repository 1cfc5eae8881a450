"""When the bench of digests fails, and which moments it counts as told on the very day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta

import pytest

from bench import digests
from tests import told
from tests.expected import expected
from tests.told import Moment, ToldLine, Verdict

AT = datetime(2026, 11, 27, 10, 5, tzinfo=told.ZONE)
LINES = tuple(ToldLine(AT, "lines", "changed", f"Line {number}.", frozenset(), "") for number in range(40))
FOLDED = ToldLine(AT, "day_ahead", "due", "A line of the day ahead.", frozenset(), "")


def verdict(unexpected: tuple[ToldLine, ...] = ()) -> Verdict:
    return Verdict((), (), (*LINES, FOLDED), unexpected, (), ())


def given(**other: str) -> Mapping[tuple[str, str], str]:
    """Every line above the fold was called worth reading; ``other``: verdicts by ``line_<number>``, "" for none."""
    verdicts = {told.reading_key(line): "worth" for line in LINES}
    verdicts |= {told.reading_key(LINES[int(name.removeprefix("line_"))]): word for name, word in other.items()}
    return {key: word for key, word in verdicts.items() if word}


def test_a_run_whose_lines_are_all_judged_worth_reading_passes_whether_expected_or_not() -> None:
    assert list(digests.below_bars(verdict(unexpected=LINES), given())) == []


@pytest.mark.parametrize(("unread", "fails"), [(2, False), (3, True)])
def test_more_than_one_line_of_twenty_without_a_verdict_fails(unread: int, fails: bool) -> None:
    without = {f"line_{number}": "" for number in range(unread)}
    doubted = told.doubtful(verdict(), given(**without))
    assert doubted == LINES[:unread]
    assert list(digests.below_bars(verdict(), given(**without))) == (["lines in doubt: 3 of 40 (8%)"] if fails else [])


def test_a_line_about_nothing_expected_is_in_doubt_unless_a_reader_called_it_worth_reading() -> None:
    several = verdict(unexpected=LINES[:3])
    # The third is worth reading, and the fifth is expected.
    assert told.doubtful(several, given(line_0="noise", line_1="", line_4="unclear")) == LINES[:2]
    assert list(digests.below_bars(several, given(line_0="noise", line_1=""))) == []
    assert list(digests.below_bars(several, given(line_0="noise", line_1="", line_2="unclear"))) == [
        "lines not worth reading: 2 of 39 (5%)",
        "lines in doubt: 3 of 40 (8%)",
    ]


def test_a_line_that_a_rule_holds_and_moments_that_are_missed_fail() -> None:
    entry = expected()[0]
    moment = Moment(entry, "new", AT, AT + timedelta(days=1))
    missing = Verdict((moment,), (moment,), LINES, (), (), LINES[:1])
    assert list(digests.below_bars(missing, given())) == [
        "things told at each of their moments: 0 of 1 (0%)",
        "lines about what a rule holds: 1",
    ]


def test_news_has_until_the_next_noon_and_of_that_the_very_day() -> None:
    moved = next(entry for entry in expected() if entry.kind == "changed" and entry.day == date(2026, 11, 27))
    (moment,) = told.moments_of(moved)
    assert moment.until == datetime(2026, 11, 28, 12, tzinfo=told.ZONE)
    assert moment.on_the_day().until == datetime(2026, 11, 28, tzinfo=told.ZONE)
    due = moment._replace(kind="due")
    assert due.on_the_day() == due
