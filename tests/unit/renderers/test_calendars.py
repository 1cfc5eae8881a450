"""What is read from an activity event that is an entry of a calendar."""

from __future__ import annotations

from typing import Any

import orjson

from renderers.calendars import CalendarEntry, entry, plain_title, whole_day
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


def in_body(**details: Any) -> str:
    return orjson.dumps(details).decode()


@table(
    ("stated", "is_all_day"),
    [
        *((value, True) for value in (True, 1, "true", "YES", "1")),
        *((value, False) for value in (False, 0, 2, "no", "false", ["true"], {"true": True})),
    ],
)
def test_an_entry_says_whether_it_takes_the_whole_day(stated: Any, is_all_day: bool) -> None:
    made = read("UTC", body=in_body(all_day=stated, start="2026-11-28T00:00:00Z", end="2026-11-29T00:00:00Z"))
    assert (made.starts, made.ends) == (
        ("2026-11-28", "2026-11-28") if is_all_day else ("2026-11-28 00:00 +00:00", "2026-11-29 00:00 +00:00")
    )


@table(
    ("data", "is_all_day"),
    [
        ({}, False),
        ({"event_type": "all-day event"}, True),
        ({"event_type": "allDay"}, True),
        ({"title": "Fair (all day)"}, True),
        ({"summary": "ganztägig"}, True),
        ({"summary": f"{'x' * 192} all day"}, True),
        ({"summary": f"{'x' * 193} all day"}, False),  # It says something of another day by then.
        ({"title": "All day fair", "body": in_body(start="2026-11-28T09:00:00Z")}, False),
        ({"body": "A fair.\nAll day"}, True),
        ({"body": f"all day {'x' * 71}"}, True),
        ({"body": f"all day {'x' * 72}"}, False),
        ({"body": "All day: ja"}, True),
        ({"body": "All-day: nein"}, False),
        # Midnights of two days say it too, and of one day do not.
        ({"body": in_body(end="2026-11-29T00:00:00Z")}, True),
        ({"body": in_body(end="2026-11-28T00:00:00Z")}, False),
        ({"body": in_body(end="2026-11-29T00:00:01Z")}, False),
        ({"body": in_body(end="2026-11-29T00:01:00Z")}, False),
        ({"body": in_body(end="2026-11-29T01:00:00Z")}, False),
    ],
)
def test_an_entry_that_does_not_say_so_takes_the_whole_day_by_its_words_and_times(
    data: dict[str, Any], is_all_day: bool
) -> None:
    given = {"source": "gcal", "event_type": "created", "occurred_at": "2026-11-28T00:00:00Z", **data}
    made = read("America/New_York", **given)
    assert (len(made.starts) == len("2026-11-28")) == is_all_day
    assert whole_day(given, "America/New_York") == ("2026-11-28" if is_all_day else "")
    assert whole_day({**given, "source": "gmail"}, "America/New_York") == ""


@table(
    ("data", "version"),
    [
        ({"external_seq": 7}, 7),
        ({"external_seq": "12"}, 12),
        ({"external_seq": 10**18 - 1}, 10**18 - 1),
        ({"external_seq": -3}, -3),
        ({"external_seq": 4, "body": in_body(sequence=5)}, 4),
        # What is no number that a calendar counts with is none, and then the time of its change counts.
        *(({"external_seq": value}, 1000) for value in (10**18, True, "1e3", "9" * 19, None, 1.5)),
        ({"external_seq": "x", "body": in_body(sequence=5)}, 5),
        ({"body": in_body(version="6", seq=9)}, 6),
    ],
)
def test_of_two_versions_of_an_entry_the_later_one_has_the_larger_number(data: dict[str, Any], version: int) -> None:
    given = {"source": "gcal", "event_type": "created", "occurred_at": NINE, **data}
    made = entry(given, "UTC", "1970-01-01T00:00:01Z")
    assert made is not None
    assert made.version == version
    if version == 1000:
        assert read(**data).version == 0, "without a time of change"


@table(
    ("data", "is_cancelled"),
    [
        ({}, False),
        ({"title": "Cancelled: Board review"}, True),
        ({"event_type": "event_deleted"}, True),
        ({"body": in_body(status="CANCELLED")}, True),
        ({"body": in_body(status=f"{'x' * 51}cancelled")}, True),
        ({"body": in_body(status=f"{'x' * 52}cancelled")}, False),
        ({"event_type": f"{'x' * 51}cancelled"}, True),
        ({"event_type": f"{'x' * 52}cancelled"}, False),
        ({"body": in_body(isCancelled=True)}, True),
        ({"body": in_body(isCancelled="yes")}, False),
        ({"body": in_body(cancelled=False)}, False),
    ],
)
def test_an_entry_is_cancelled_by_its_title_type_status_or_mark(data: dict[str, Any], is_cancelled: bool) -> None:
    assert read(**data).cancelled == is_cancelled


@table(
    ("title", "plain"),
    [
        ("Board review", "Board review"),
        ("Canceled: Board review", "Board review"),
        ("[Abgesagt] Board review", "Board review"),
        ("Canceled event: Board review @ Fri 28 Nov 2026 10:00 (ann@lee.example)", "Board review"),
        ("Board review @ Fri 28 Nov 2026", "Board review @ Fri 28 Nov 2026"),
        ("Board review (cancelled)", "Board review"),
        ("Board review - annulé", "Board review"),
        ("Canceled: Board review [cancelled]", "Board review"),
        ("Canceled:", "Canceled:"),
        (f"Board review{' ' * 69}[cancelled]", "Board review"),
        ("Cancelled flights", "Cancelled flights"),
    ],
)
def test_a_title_without_what_says_that_its_entry_is_cancelled(title: str, plain: str) -> None:
    assert plain_title(title) == plain


def test_only_an_event_of_a_calendar_is_an_entry() -> None:
    for data, is_it in (
        ({"source": "Google Calendar", "event_type": ""}, True),
        ({"source": "google-calendar", "event_type": None}, True),
        ({"source": "gcal"}, False),
        ({"source": "gmail", "event_type": "x"}, False),
        ({"source": ["gcal"], "event_type": "x"}, False),
        ({"event_type": "x"}, False),
    ):
        assert (entry(data, "UTC") is not None) == is_it, data


def test_details_are_taken_from_the_most_reliable_place() -> None:
    body = in_body(start="2026-11-28T09:00:00Z", end="", event={"end": "2026-11-28T10:00:00Z"}, attendees=["bob"])
    assert read("UTC", body=body, attendees=["ann"]) == read(
        "UTC", start="2026-11-28T09:00:00Z", end="2026-11-28T10:00:00Z", attendees=["ann"]
    )
    lines = "- When: 2026-11-28T09:00:00Z\nStart: 2026-11-29T09:00:00Z\nEnds: some day\nGuests: Bob\nAlso: this"
    made = read("UTC", body=lines)
    assert (made.starts, made.ends, made.attendees) == ("2026-11-28 09:00 +00:00", "", "Bob")
    assert read("UTC", body=f"Guests: {'x' * 1991}").attendees == "x" * 1991
    assert read("UTC", body=f"Guests: {'x' * 1992}").attendees is None
    assert read("UTC", body="\n" * 59 + "Guests: Bob").attendees == "Bob"
    assert read("UTC", body="\n" * 60 + "Guests: Bob").attendees is None
    for length, attendees in ((60_000, ["Bob"]), (60_001, None)):
        text = in_body(attendees=["Bob"], text="")
        assert read("UTC", body=text.replace('""', f'"{"x" * (length - len(text))}"')).attendees == attendees
    assert read("UTC", body={"attendees": ["Bob"]}).attendees == ["Bob"]
    assert read("UTC", body="{not json").attendees is None


def test_a_text_that_is_no_time_is_none() -> None:
    made = read("UTC", body=in_body(start="2026-02-30", end=5), occurred_at="soon")
    assert (made.starts, made.ends) == ("", "")
    assert read("UTC", body=in_body(start={"date": "2026-02-28"}, end={"date": "2026-02-28"})).ends == "2026-02-28"


@table(
    ("details", "declined"),
    [
        ({"attendees": [{"self": True, "responseStatus": "declined"}]}, True),
        (
            {"attendees": [{"self": False, "responseStatus": "declined"}, {"responseStatus": "declined"}, "declined"]},
            False,
        ),
        ({"attendees": [{"self": True, "responseStatus": "accepted"}]}, False),
        ({"attendees": "declined"}, False),
        ({"my_response": "declined"}, True),
        ({"responseStatus": {"response": "declined"}}, True),
        ({"responseStatus": {"response": "none"}}, False),
        ({}, False),
    ],
)
def test_only_the_users_own_response_declines(details: dict[str, Any], declined: bool) -> None:
    assert read(body=in_body(**details)).declined is declined
