"""Days of the sample user's story told hour by hour, and what falls due after its last record. ``bench.digests`` tells
all sixty, with the quiet days around them.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests import sample_user, told
from tests.replay import Replay
from tests.told import ToldLine, Verdict

FIRST = datetime(2026, 11, 20, 18, tzinfo=told.ZONE)
#: The story ends on the 28th.
LAST = datetime(2026, 11, 30, 18, tzinfo=told.ZONE)
#: The most that a reader may find not worth reading, of all lines of the sixty days.
NOT_WORTH_IT = 0.05
#: Lines above the fold of a digest.
FOLD = 7


@pytest.fixture(scope="module")
def verdict(tmp_path_factory: pytest.TempPathFactory) -> Verdict:
    replay = Replay(tmp_path_factory.mktemp("days"), sample_user.story()[0], story_only=True)
    replay.backfill(FIRST)
    return told.judge(list(replay.until(FIRST + timedelta(hours=1), LAST)), FIRST, LAST)


def test_what_a_careful_reader_wants_told_is_told_in_its_time(verdict: Verdict) -> None:
    assert len(verdict.moments) >= 25
    assert [(moment.kind, moment.entry.gist) for moment in verdict.missed] == []


def test_nothing_else_is_told(verdict: Verdict) -> None:
    assert [told.row_of(line) for line in (*verdict.unexpected, *verdict.untimely)] == []
    assert verdict.leaked == ()


def test_a_reader_has_judged_each_line_and_called_none_wrong(verdict: Verdict) -> None:
    """Whoever changes the words of a line has it read again: ``bench.digests --unread`` prints those to judge."""
    readings = told.readings()
    assert list(told.unread_rows(told.unread(verdict, readings))) == []
    verdicts = [readings[told.reading_key(line)] for line in verdict.above]
    assert "wrong" not in verdicts
    assert told.share([given for given in readings.values() if given != "worth"], readings) <= NOT_WORTH_IT


def test_nobody_is_told_at_night_what_only_time_brings(verdict: Verdict) -> None:
    at_night = [line for line in verdict.lines if line.part == "lines" and not 7 <= line.at.hour < 21]
    assert [told.row_of(line) for line in at_night if line.kind in ("due", "prepare")] == []


def test_each_digest_has_a_few_lines_and_none_twice(verdict: Verdict) -> None:
    by_digest: dict[datetime, list[ToldLine]] = {}
    for line in verdict.lines:
        by_digest.setdefault(line.at, []).append(line)
    for lines in by_digest.values():
        assert sum(line.part == "lines" for line in lines) <= FOLD
        assert len({line.text for line in lines}) == len(lines), [line.text for line in lines]
