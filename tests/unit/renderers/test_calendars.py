"""What is read from an activity event that is an entry of a calendar."""

from __future__ import annotations

from typing import Any

import orjson

from renderers.calendars import CalendarEntry, entry
from tests.tables import table

NINE = "2026-11-30T09:00:00+01:00"


def read(timezone: str = "Europe/Vienna", **data: Any) -> CalendarEntry:
    made = entry({"source": "google_calendar", "event_type": "created", "occurred_at": NINE, **data}, timezone)
    assert made is not None
    return made


def planned_in(zone: str, begins: str = NINE) -> str:
    return orjson.dumps({"start": {"dateTime": begins, "timeZone": zone}}).decode()


@table(
    ("planned", "named"),
    [
        ("Asia/Tokyo", "Asia/Tokyo"),
        ("America/New_York", "America/New_York"),
        ("Europe/Vienna", ""),
        ("Europe/Madrid", ""),  # Its clocks agree with the user's.
        ("UTC", ""),  # Programs write it.
        ("Etc/GMT+5", ""),
        ("Nowhere", ""),
    ],
)
def test_an_entry_names_the_zone_it_was_planned_in_if_its_clocks_differ(planned: str, named: str) -> None:
    assert read(body=planned_in(planned)).zone == named


def test_an_entry_without_a_readable_start_names_no_zone() -> None:
    assert read(body=planned_in("Asia/Tokyo", "soon"), occurred_at="soon").zone == ""


@table("name", ["source_ref", "body"])
def test_the_key_is_the_calendars_id_and_at_most_500_characters_of_it(name: str) -> None:
    for length, kept in ((1, 1), (500, 500), (501, 500)):
        reference = "r" * length
        given = reference if name == "source_ref" else orjson.dumps({"event_id": reference}).decode()
        assert read(**{name: given}).key == "r" * kept
