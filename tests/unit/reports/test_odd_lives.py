"""Digests of a hostile or an odd life: too much at once, moves there and back, travel, clocks, strange names."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from consumer import layout
from consumer.reports import edition, evidence
from consumer.reports.news import News
from consumer.reports.remembered import Telling
from consumer.understanding.memory import Loop
from renderers import markdown as md
from tests.lives import Life
from tests.tables import table

ANN = "Ann Lee <ann@lee.example>"
PAGES = "brain/sources/cloop"


@pytest.fixture
def life(tmp_path: Path) -> Life:
    made = Life(tmp_path)
    made.backfill("2026-11-20 09:00")
    return made


def test_of_many_things_of_one_hour_seven_are_told_and_the_rest_later_and_none_twice(life: Life) -> None:
    for n in range(30):
        text = f"I'll send you report number {n} by 27 November 2026."
        life.received(f"P{n} Q{n} <p{n}@x.example>", text, at="2026-11-20 09:30", thread=f"t{n}")
    first = life.hour("2026-11-20 10:05")
    assert (len(first.texts()), first.document["more"]) == (7, 23)
    later = list(life.until("2026-11-20 11:00", "2026-11-22 09:00"))
    assert max(len(digest.texts()) for digest in later) <= 7
    assert all(7 <= digest.at.hour <= 21 for digest in later), "nobody is woken for what waits"
    numbers = [re.findall(r"number (\d+)", text)[0] for digest in (first, *later) for text in digest.texts()]
    assert Counter(numbers) == Counter(map(str, range(30)))
    assert later[-1].document["more"] == 0


def test_things_that_stand_on_no_page_do_not_keep_the_rest_from_being_told(life: Life) -> None:
    """Even if there are many of them and they come first."""
    for n in range(edition.LOOKED_UP + edition.LINES):
        life.item(f"Old thing {n}", at="2026-11-20 09:30", due_at="2026-11-20T15:00:00Z", source="meeting")
    run = life.hour("2026-11-20 09:40")
    assert run.texts()
    for page in (life.root / PAGES / "checklist-items").glob("*.md"):
        page.write_text(page.read_text("utf-8").replace("Old thing", "Unreadable"), "utf-8")
    life.received(ANN, "I'll send you the deck by 27 November 2026.", at="2026-11-20 10:30", thread="t")
    assert [text for text in life.hour("2026-11-20 11:05").texts() if "the deck" in text]


def test_look_ups_of_one_run_are_bounded_and_what_is_beyond_comes_first_in_the_next(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []
    line_of = edition._line

    def line(item: News, telling: Telling) -> edition.DigestLine | None:
        subject = item.subject
        looked_up.append(subject.object if isinstance(subject, Loop) else "")
        return None if looked_up[-1].startswith("Old thing") else line_of(item, telling)

    monkeypatch.setattr(edition, "_line", line)
    monkeypatch.setattr(edition, "LOOKED_UP_AT_MOST", 10)
    for n in range(12):
        life.item(f"Old thing {n}", at="2026-11-20 09:30", due_at="2026-11-20T15:00:00Z", source="meeting")
    life.received(ANN, "I'll send you the deck by 27 November 2026.", at="2026-11-20 09:30", thread="t")
    first = life.hour("2026-11-20 10:05")
    assert (first.texts(), len(looked_up)) == ([], 10)
    looked_up.clear()
    life.received(ANN, "I'll send you the figures by 27 November 2026.", at="2026-11-20 10:30", thread="u")
    second = life.hour("2026-11-20 11:05")
    assert [text for text in second.texts() if "the deck" in text]
    assert len(looked_up) == 10


def test_a_meeting_that_moves_more_than_once_is_told_from_the_time_that_the_user_knows(life: Life) -> None:
    life.meeting("2026-12-01T14:00:00+00:00", "2026-11-20 09:30", 1)
    life.hour("2026-11-20 10:05")
    life.meeting("2026-12-01T15:00:00+00:00", "2026-11-20 10:30", 2)
    life.meeting("2026-12-02T09:00:00+00:00", "2026-11-20 10:40", 3)
    assert life.hour("2026-11-20 11:05").texts() == ["Board: Tue 1 Dec, 14:00 \u2192 Wed 2 Dec, 09:00 (Fri 20 Nov)."]
    life.meeting("2026-12-03T09:00:00+00:00", "2026-11-20 11:30", 4)
    life.meeting("2026-12-02T09:00:00+00:00", "2026-11-20 11:40", 5)
    assert life.hour("2026-11-20 12:05").document == {}, "there and back is nothing"
    life.meeting("2026-12-04T09:00:00+00:00", "2026-11-20 12:30", 6)
    life.meeting("2026-12-04T09:00:00+00:00", "2026-11-20 12:40", 7, status="cancelled")
    assert life.hour("2026-11-20 13:05").texts() == ["Cancelled: \u201cBoard\u201d, Fri 4 Dec, 09:00, with Ann Lee."]


def test_a_promise_that_moves_more_than_once_is_told_from_the_date_that_the_user_knows(life: Life) -> None:
    def promised(day: str, at: str) -> None:
        life.received(ANN, f"I'll send you the price deck by {day} 2026.", at=f"2026-11-20 {at}", thread="t")

    promised("26 November", "09:30")
    promised("27 November", "09:40")
    first = life.hour("2026-11-20 10:05")
    assert (first.kinds(), "due Fri 27 Nov" in first.texts()[0]) == (["owed_to_you"], True), "it is new, not changed"
    promised("30 November", "10:30")
    promised("2 December", "10:40")
    (line,) = life.hour("2026-11-20 11:05").document["lines"]
    assert line["text"].endswith(", moved from Fri 27 Nov to Wed 2 Dec.")
    days = [re.findall(r"by (\d+ \w+)", cited["quote"])[0] for cited in line["citations"]]
    assert days == ["2 December", "27 November"], "it cites what was told and what is now"
    promised("4 December", "11:30")
    promised("2 December", "11:40")
    assert life.hour("2026-11-20 12:05").document == {}, "there and back is nothing"


def test_a_value_that_two_mails_of_an_hour_change_is_told_from_the_value_before(life: Life) -> None:
    life.received(ANN, "The Harbor budget is 48,000 EUR.", at="2026-11-20 09:10", thread="v")
    life.hour("2026-11-20 10:05")
    text = "The Harbor budget is now {} EUR instead of {} EUR."
    life.received(ANN, text.format("52,000", "48,000"), at="2026-11-20 10:10", thread="v")
    life.received(ANN, text.format("55,000", "52,000"), at="2026-11-20 10:20", thread="v")
    assert life.hour("2026-11-20 11:05").texts() == [
        "Harbor, budget: 48,000 EUR \u2192 55,000 EUR (Ann Lee, Fri 20 Nov)."
    ]


def test_who_travels_has_promised_nothing_else_and_is_told_nothing_twice(life: Life) -> None:
    life.item("Pay the rent", at="2026-11-20 09:30", due_at="2026-11-27T16:00:00Z", source="meeting")
    life.item("Pack", at="2026-11-20 09:30", due_at="2026-11-28T00:00:00Z", source="meeting")
    life.received(ANN, "I'll send you the deck by 27 November 2026 at 17:00.", at="2026-11-20 09:30", thread="t")
    life.meeting("2026-11-21T14:00:00+00:00", "2026-11-20 09:20", 1)
    assert life.hour("2026-11-20 10:05").kinds() == ["you_owe", "you_owe", "owed_to_you"]
    assert life.hour("2026-11-20 15:05").kinds() == ["prepare"]
    life.zone = "America/Los_Angeles"
    life.put("user_profiles", "2026-11-20 08:10", "use-1", display_name=life.user, timezone=life.zone)
    assert life.hour("2026-11-20 08:20").document == {}
    assert evidence.told_ledger(life.root).zone == life.zone
    rest = [text for digest in life.until("2026-11-20 09:00", "2026-12-01 09:00") for text in digest.texts()]
    assert sum("Pay the rent" in text for text in rest) == 2, "near and overdue, on the new clock"
    assert sum("due tomorrow, Fri 27 Nov, 08:00" in text for text in rest) == 1
    assert not [text for text in rest if "\u2192" in text or "moved" in text]


@table(
    ("zone", "day", "clock"),
    [
        ("Europe/London", "2026-03-29", "01:30"),  # There is no such time.
        ("Europe/London", "2026-10-25", "01:30"),  # It comes twice.
        ("Australia/Lord_Howe", "2026-10-04", "02:15"),  # Half an hour is left out.
        ("Africa/Cairo", "2026-04-24", "00:00"),  # Midnight is left out.
        ("Europe/London", "2026-11-27", "00:00"),
        ("Europe/London", "2026-11-27", "23:59"),
        ("Pacific/Kiritimati", "2026-11-27", "07:30"),
    ],
)
def test_what_falls_due_when_clocks_jump_is_told_near_and_overdue_once_each(
    tmp_path: Path, zone: str, day: str, clock: str
) -> None:
    life = Life(tmp_path / f"{zone.replace('/', '-')}-{day}-{clock[:2]}", zone=zone)
    due = datetime.fromisoformat(f"{day} {clock}").replace(tzinfo=ZoneInfo(zone))
    before, after = (f"{due + timedelta(days=days):%Y-%m-%d}" for days in (-4, 4))
    life.backfill(f"{before} 09:00")
    life.item("Pay the rent", at=f"{before} 09:30", due_at=due.isoformat(), source="meeting")
    assert life.hour(f"{before} 10:05").kinds() == ["you_owe"]
    later = list(life.until(f"{before} 11:00", f"{after} 09:00"))
    assert [digest.kinds() for digest in later if digest.texts()] == [["due"], ["due"]]
    near, overdue = (digest for digest in later if digest.texts())
    is_late = re.compile("overdue since .* today|was due yesterday")
    assert not is_late.search(near.texts()[0])
    assert is_late.search(overdue.texts()[0])
    assert life.wake_at is None


def test_a_clock_that_went_back_and_an_hour_that_comes_late_tell_nothing_again(life: Life) -> None:
    life.received(ANN, "I'll send you the deck by 21 November 2026 at 11:00.", at="2026-11-20 09:30", thread="t")
    told_once = life.hour("2026-11-21 08:05")
    assert told_once.kinds() == ["due"]
    assert life.hour("2026-11-21 11:05").kinds() == ["due"], "it is overdue"
    life.received(ANN, "I'll send you the map by 27 November 2026.", at="2026-11-21 09:30", thread="u")
    late = life.hour("2026-11-21 12:05", period="2026-11-20T10")
    assert [text for text in late.texts() if "the deck" in text] == []
    life.received(ANN, "I'll send you the plan by 27 November 2026.", at="2026-11-21 12:30", thread="w")
    back = life.hour("2026-11-20 07:05")
    assert [text for text in back.texts() if "deck" in text or "map" in text] == []
    rest = [text for digest in life.until("2026-11-21 13:00", "2026-11-25 09:00") for text in digest.texts()]
    assert [text for text in rest if "deck" in text] == []


@table("locale", ["pl-PL", "ja-JP", "ar", "xx-YY", "", "\u0000", 7, ["de"]])
def test_a_user_whose_language_has_no_phrases_reads_english(tmp_path: Path, locale: object) -> None:
    life = Life(tmp_path / repr(locale).encode().hex())
    life.put("user_profiles", "2026-11-01", "use-1", display_name=life.user, preferences={"locale": locale})
    life.backfill("2026-11-20 09:00")
    life.received(ANN, "I'll send you the deck by 27 November 2026.", at="2026-11-20 09:30", thread="t")
    digest = life.hour("2026-11-20 10:05")
    assert digest.document["language"] == "en"
    assert digest.texts() == [
        "Ann Lee promised you: \u201cI'll send you the deck by 27 November 2026\u201d, due Fri 27 Nov."
    ]


def test_names_and_titles_are_text_whatever_stands_in_them(life: Life) -> None:
    senders = [
        "**Bob** <script>x</script>",
        "[Bob](https://evil.example)",
        "| a | b",
        "- item",
        "X" * 600,
        "\u202eevil",
    ]
    for n, sender in enumerate(senders):
        life.received(f"{sender} <p{n}@x.example>", "I'll send you the deck.", at="2026-11-20 09:30", thread=f"t{n}")
    life.item("<img src=x onerror=alert(1)> `code` " + "T" * 300, at="2026-11-20 09:30", source="meeting")
    digest = life.hour("2026-11-20 10:05")
    body = digest.page.split("\n# ", 1)[1].split("<details>")[0]
    lines = [line for line in body.split("\n## ")[0].splitlines() if line.startswith("- ")]
    assert len(lines) == 7, "each is one line of the list"
    assert max(len(text) for text in digest.texts()) < 400
    assert not re.search(r"(?<!\\)<(?!a )|\u202e|(?<!\\)\*\*Bob|(?<!\\)\[Bob\]", body)
    assert "](https://evil" not in body


def test_words_from_right_to_left_keep_to_themselves() -> None:
    """A number beside such words is not displayed as part of them, and the earlier value stays before the later."""
    assert md.isolated("ميزني: 48,000 EUR → 62,000 EUR") == "\u2068ميزني\u2069: 48,000 EUR → 62,000 EUR"
    assert md.isolated("“عقد 12 سنة”, due, with محمد علي") == "“\u2068عقد 12 سنة\u2069”, due, with \u2068محمد علي\u2069"
    assert md.isolated("Zoë: “Fähre”") == "Zoë: “Fähre”"


def test_an_all_day_entry_wakes_nobody_and_stands_in_its_day(life: Life) -> None:
    life.meeting("2026-11-23", "2026-11-20 09:30", 1)
    assert life.hour("2026-11-20 10:05").document == {}
    life.item("Ask Ann", at="2026-11-20 10:10", due_at="2026-11-23T18:00:00Z", source="meeting")
    life.hour("2026-11-20 11:05")
    days = [digest for digest in life.until("2026-11-20 12:00", "2026-11-24 09:00") if digest.texts("day_ahead")]
    assert [text.split(",")[0] for text in days[0].texts("day_ahead")] == [
        "\u201cAsk Ann\u201d is on your list",
        "\u201cBoard\u201d",
    ]


def test_a_run_that_dies_before_the_swap_has_told_nothing_and_the_next_tells_it_once(
    life: Life, tmp_path: Path
) -> None:
    ledger = life.root / layout.TOLD
    life.received(ANN, "I'll send you the deck by 27 November 2026.", at="2026-11-20 09:30", thread="t")
    before, cursors = ledger.read_bytes(), life.cursors
    first = life.hour("2026-11-20 10:05")
    # If a run dies, its folder is deleted with the ledger.
    ledger.write_bytes(before)
    life.cursors = cursors
    life.received(ANN, "I'll send you the map by 27 November 2026.", at="2026-11-20 10:30", thread="u")
    second = life.hour("2026-11-20 11:05")
    assert [text for text in second.texts() if "deck" in text] == first.texts()
    assert life.hour("2026-11-20 12:05").document == {}
