"""Which days a question names, in each language, and how much a day near them counts."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from consumer.evidence.search import days
from consumer.evidence.search.days import DayRange
from tests.tables import table

#: A Friday.
TODAY = date(2026, 11, 27)
#: Words for a day -> how many days ago it is.
BACK = {
    0: "today, heute, aujourd'hui, hoy, hoje, oggi, vandaag",
    1: "yesterday, gestern, ayer, ontem, ieri, gisteren, hier soir, hier matin",
    2: "vorgestern, avant-hier, anteayer, anteontem, eergisteren",
}


def named(text: str, today: date | None = TODAY) -> list[tuple[str, str]]:
    return [(each.first.isoformat(), each.last.isoformat()) for each in days.find(text, today)]


@table(("word", "back"), [(word, back) for back, words in BACK.items() for word in words.split(", ")])
def test_a_word_names_a_day_back_from_today(word: str, back: int) -> None:
    day = (TODAY - timedelta(back)).isoformat()
    assert named(f"... {word} ...") == [(day, day)]
    assert named(f"... {word} ...", None) == []


@table(
    ("text", "ranges"),
    [
        ("on 11 December, 2023", [("2023-12-11", "2023-12-11")]),
        ("on 2023-12-11", [("2023-12-11", "2023-12-11")]),
        ("on 31 June 2023", []),
        ("in March 2024", [("2024-03-01", "2024-03-31")]),
        # Without a year: the last one of that name, and the next.
        ("on 11 December", [("2025-12-11", "2025-12-11"), ("2026-12-11", "2026-12-11")]),
        ("last May", [("2026-05-01", "2026-05-31")]),
        ("in the week before 16 November 2026", [("2026-11-09", "2026-11-16")]),
        ("in the week after 16 November 2026", [("2026-11-16", "2026-11-23")]),
        ("the week of 16 November 2026", [("2026-11-16", "2026-11-22")]),
        ("between August 11 and August 15 2023", [("2023-08-11", "2023-08-15")]),
        ("last Friday", [("2026-11-20", "2026-11-20")]),
        ("last Thursday", [("2026-11-26", "2026-11-26")]),
        ("last week", [("2026-11-13", "2026-11-27")]),
        ("two weeks ago", [("2026-11-10", "2026-11-16")]),
        # So many days ago is that day; with a longer unit, half of it around.
        ("0 days ago", [("2026-11-27", "2026-11-27")]),
        ("a day ago", [("2026-11-26", "2026-11-26")]),
        ("three days ago", [("2026-11-24", "2026-11-24")]),
        ("vor drei Tagen", [("2026-11-24", "2026-11-24")]),
        ("il y a trois jours", [("2026-11-24", "2026-11-24")]),
        ("hace tres días", [("2026-11-24", "2026-11-24")]),
        ("há três dias", [("2026-11-24", "2026-11-24")]),
        ("tre giorni fa", [("2026-11-24", "2026-11-24")]),
        ("drie dagen geleden", [("2026-11-24", "2026-11-24")]),
        ("a month ago", [("2026-10-13", "2026-11-12")]),
        ("two months ago", [("2026-09-13", "2026-10-13")]),
        ("a year ago", [("2025-05-29", "2026-05-28")]),
        ("last weekend", [("2026-11-13", "2026-11-27")]),
        ("last month", [("2026-09-28", "2026-11-27")]),
        ("last year", [("2024-11-27", "2026-11-27")]),
        ("three hours ago", []),
    ],
)
def test_a_question_names_days(text: str, ranges: list[tuple[str, str]]) -> None:
    assert named(f"What was said {text}?") == ranges


def test_a_day_soon_after_a_range_says_less_and_a_long_range_says_less_of_each_day() -> None:
    day = DayRange(TODAY, TODAY, 0, 1)
    late = [day.closeness(TODAY + timedelta(after)) for after in range(days.TOLD_AFTER_DAYS + 2)]
    assert late[0] == 1.0
    assert late[1] == pytest.approx(0.6 * 10 / 11)
    assert late == sorted(late, reverse=True)
    assert late[-2] > 0.0
    assert late[-1] == day.closeness(TODAY - timedelta(1)) == 0.0
    spans = [DayRange(TODAY - timedelta(length), TODAY, 0, 1).closeness(TODAY) for length in (14, 15, 60, 61)]
    assert spans == [1.0, 0.7, 0.7, 0.25]
