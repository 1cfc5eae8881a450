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


ICS = """BEGIN:VCALENDAR
BEGIN:VEVENT
UID:u1
DTSTART{}
DTEND{}
STATUS:CONFIRMED
ORGANIZER;CN=Ann:mailto:ann@lee.example
ATTENDEE;CN=Bob;ROLE=REQ-PARTICIPANT:mailto:
 bob@marsh.example
END:VEVENT
END:VCALENDAR"""


def test_the_text_of_a_calendars_file_is_read() -> None:
    timed = read(body=ICS.format(";TZID=Europe/Berlin:20261128T100000", ":20261128T100000Z"))
    assert (timed.starts, timed.ends) == ("2026-11-28 10:00 +01:00", "2026-11-28 11:00 +01:00")
    assert (timed.key, timed.organizer, timed.attendees) == ("u1", "ann@lee.example", ["bob@marsh.example"])
    days = read("America/Los_Angeles", body=ICS.format(";VALUE=DATE:20261128", ";VALUE=DATE:20261130"))
    assert (days.starts, days.ends, days.cancelled) == ("2026-11-28", "2026-11-29", False)
    assert read(body=ICS.format(":20261128", ":20261129").replace("CONFIRMED", "CANCELLED")).cancelled


def test_one_is_true() -> None:
    assert read(body=orjson.dumps({"all_day": 1, "start": "2026-11-28T00:00:00Z"}).decode()).starts == "2026-11-28"
