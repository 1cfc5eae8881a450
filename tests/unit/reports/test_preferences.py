"""What a user's profile says of their language and their morning, and when their night is."""

from __future__ import annotations

from datetime import time
from typing import Any

from consumer.reports import preferences
from consumer.reports.preferences import ReaderPreferences
from consumer.understanding.people import Directory
from tests.tables import table

#: These leave the morning where it is.
NO_TIMES: tuple[Any, ...] = (24, -1, "7:60", "7:5", "soon", "", 7.5, True, None, [8], {})


def of(*profiles: dict[str, Any]) -> ReaderPreferences:
    return preferences.of(profiles, (), Directory())


@table(
    ("written", "morning"),
    [
        (6, time(6)),
        ("9", time(9)),
        ("06:30", time(6, 30)),
        ("23:59", time(23, 59)),
        (0, time(0)),
        *((no_time, time(7)) for no_time in NO_TIMES),
    ],
)
def test_a_morning_is_an_hour_or_a_time_of_the_day(written: Any, morning: time) -> None:
    assert of({"preferences": {"morning_hour": written}}).morning == morning


@table(
    ("locale", "language"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("DE_CH.UTF-8", "de"),
        *((locale, "en") for locale in ("en-US", "xx", "deutsch", "", "d", 5, None)),
    ],
)
def test_a_language_is_one_that_has_phrases(locale: Any, language: str) -> None:
    assert of({"preferences": {"locale": locale}}).language == language


def test_the_first_profile_names_the_language_and_the_last_the_morning() -> None:
    first = {"preferences": {"locale": "de", "morning_hour": 6}}
    last = {"preferences": {"locale": "en", "morning_hour": 8}}
    assert of({}, {"preferences": "none"}, first, last, {"preferences": {}}) == ReaderPreferences("de", time(8))


@table(
    ("morning", "clock", "is_night", "is_early"),
    [
        (time(7), time(6, 59), True, True),
        (time(7), time(7), False, True),
        (time(7), time(7, 59), False, True),
        (time(7), time(8), False, False),
        (time(7), time(20, 59), False, False),
        (time(7), time(21), True, True),
        # A day that begins at noon ends at two in the night.
        (time(12), time(1, 59), False, False),
        (time(12), time(2), True, True),
        (time(12), time(11, 59), True, True),
        (time(12), time(12), False, True),
    ],
)
def test_the_night_begins_fourteen_hours_after_the_morning(
    morning: time, clock: time, is_night: bool, is_early: bool
) -> None:
    preference = ReaderPreferences(morning=morning)
    assert (preference.is_night(clock), preference.is_early(clock)) == (is_night, is_early)
