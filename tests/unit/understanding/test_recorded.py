"""Tasks and calendar entries from recorded state: state beats words, days are the user's, shapes differ."""

from __future__ import annotations

import json
from typing import Any

import manifests
import renderers
from consumer.understanding import reading, recorded
from consumer.understanding.statements import Due, Event, Quote, Task
from consumer.understanding.utterances import ME, UNKNOWN, Person
from renderers.base import Item
from tests.tables import table

ENTRIES = {entry.source_key: entry for entry in manifests.export_manifest().sources}
LOS_ANGELES = "America/Los_Angeles"
BOB = Person("Bob Lee", "bob@x.example")
ATTENDEES = [{"name": "Bob Lee", "email": "bob@x.example"}, "Ana Ruiz"]


def item(source: str, data: dict[str, Any], at: str = "2026-11-27T14:03:00.000000Z", zone: str = LOS_ANGELES) -> Item:
    record = {
        "source_key": source,
        "record_id": "r1",
        "occurred_at": at,
        "updated_at": "2026-11-27T14:03:00.000000Z",
        "data": data,
        "checksum": "sha256:0",
    }
    return renderers.item(record, ENTRIES[source], zone)


def task(data: dict[str, Any], zone: str = LOS_ANGELES) -> Task:
    (statement,) = recorded.statements(item("checklist_items", {"title": "Call the landlord", **data}), zone)
    assert isinstance(statement, Task)
    return statement


def tasks(source: str, data: dict[str, Any]) -> list[Task]:
    statements = recorded.statements(item(source, {"attendees": ATTENDEES, **data}), LOS_ANGELES)
    return [statement for statement in statements if isinstance(statement, Task)]


def entry(data: dict[str, Any], at: str = "2026-11-28T00:00:00.000000Z", zone: str = LOS_ANGELES) -> Event:
    columns = {"source": "calendar", "event_type": "meeting", "title": "Offsite", "occurred_at": at, "source_ref": "ev"}
    (statement,) = recorded.statements(item("activity_events", {**columns, **data}, at, zone), zone)
    assert isinstance(statement, Event)
    return statement


@table(
    ("data", "state"),
    [
        ({}, "open"),
        ({"checked": True}, "done"),
        ({"dismissed": True}, "dismissed"),
        ({"checked": True, "dismissed": True}, "done"),
        ({"checked": "true"}, "open"),
        ({"checked": False, "description": "Done, it was sent."}, "open"),
    ],
)
def test_an_items_state_is_what_its_boxes_say(data: dict[str, Any], state: str) -> None:
    assert task(data).state == state
    assert task(data).owner == ME


@table(
    ("due_at", "zone", "day", "time"),
    [
        ("2026-11-28T07:30:00Z", LOS_ANGELES, "2026-11-27", "23:30"),
        ("2026-11-28T07:30:00+00:00", LOS_ANGELES, "2026-11-27", "23:30"),
        ("2026-11-28T08:00:00Z", LOS_ANGELES, "2026-11-28", ""),
        ("2026-11-27T18:00:00Z", "Pacific/Auckland", "2026-11-28", "07:00"),
        ("2026-11-27T18:00:00Z", "UTC", "2026-11-27", "18:00"),
        ("2026-11-28", LOS_ANGELES, "2026-11-28", ""),
        ("2026-11-28T07:59:00Z", LOS_ANGELES, "2026-11-27", ""),
        ("2026-07-01T06:30:00Z", LOS_ANGELES, "2026-06-30", "23:30"),
        ("2026-11-27T19:00:00Z", "Asia/Kolkata", "2026-11-28", "00:30"),
        ("2026-11-27T12:00:00-08:00", LOS_ANGELES, "2026-11-27", "12:00"),
    ],
)
def test_a_due_date_is_the_users_day(due_at: str, zone: str, day: str, time: str) -> None:
    assert task({"due_at": due_at}, zone).due == Due(day, time, due_at, "recorded")


@table("due_at", [None, "", "soon", 5, {}, "9999-99-99"])
def test_what_is_no_date_is_no_due_date(due_at: object) -> None:
    assert task({"due_at": due_at}).due is None


def test_a_title_longer_than_its_heading_is_quoted_as_far_as_the_heading_goes() -> None:
    long = task({"title": "word " * 60})
    assert long.title == ("word " * 60).strip()
    assert long.quotes == (Quote(-1, ("word " * 32).strip()),)


@table(
    ("shape", "expected"),
    [
        ("Send the numbers", ("Send the numbers", UNKNOWN, "open", "")),
        ("Bob: send the numbers", ("send the numbers", BOB, "open", "")),
        ("@ana: book the room", ("book the room", Person("Ana Ruiz"), "open", "")),
        ("Book the room (Bob Lee)", ("Book the room", BOB, "open", "")),
        ("[x] Me: pay", ("pay", ME, "done", "")),
        ("Budget: send it", ("Budget: send it", UNKNOWN, "open", "")),
        ({"task": "Pay", "owner": "Bob", "due": "2026-12-01"}, ("Pay", BOB, "open", "2026-12-01")),
        ({"title": "Pay", "assignee": {"email": "Bob@x.example"}}, ("Pay", Person("", "bob@x.example"), "open", "")),
        ({"text": "Pay", "assignee": "me", "status": "done"}, ("Pay", ME, "done", "")),
        ({"description": "Pay", "done": True}, ("Pay", UNKNOWN, "done", "")),
        ({"action": "Pay", "state": "cancelled"}, ("Pay", UNKNOWN, "dismissed", "")),
        ({"item": "Pay", "due_date": "2026-12-01T07:30:00Z"}, ("Pay", UNKNOWN, "open", "2026-11-30")),
        ({"task": "Pay", "owner": "unassigned", "deadline": "1 December 2026"}, ("Pay", UNKNOWN, "open", "2026-12-01")),
        ({"task": "Pay", "assignees": ["Bob Lee"], "completed": False}, ("Pay", BOB, "open", "")),
    ],
)
@table("place", [("meeting_notes", "note_json"), ("granola_transcripts", "analysis")])
def test_action_items_in_the_shapes_that_integrations_write(
    place: tuple[str, str], shape: Any, expected: tuple[str, Person, str, str]
) -> None:
    source, column = place
    (task,) = tasks(source, {column: {"action_items": [shape]}})
    assert (task.title, task.owner, task.state, task.due.day if task.due else "") == expected
    assert task.quotes == (Quote(-1, expected[0]),)


@table("holder", [None, [], "text", {"action_items": 5}, {"action_items": [None, 5, {}, ""]}])
def test_what_is_no_list_of_tasks_says_nothing(holder: Any) -> None:
    assert tasks("meeting_notes", {"note_json": holder}) == []


def test_boxes_of_a_note_are_tasks_and_quote_their_utterance() -> None:
    note = "Intro.\n- [ ] Drawings to Dr. Weber. Then call.\n* [x] Bob: book the room\n- [-] old\n☑ paid the bill\n- no"
    record = item("meeting_notes", {"attendees": ATTENDEES, "note_text": note})
    boxes = tasks("meeting_notes", {"note_text": note})
    assert [(each.title, each.owner, each.state) for each in boxes] == [
        ("Drawings to Dr. Weber. Then call.", ME, "open"),
        ("book the room", BOB, "done"),
        ("old", ME, "dismissed"),
        ("paid the bill", ME, "done"),
    ]
    utterances = reading.read(record, LOS_ANGELES).utterances
    for each in boxes:
        (quote,) = each.quotes
        assert quote.text in utterances[quote.utterance].text


ALL_DAY: list[dict[str, Any]] = [
    {"body": json.dumps({"all_day": True, "start": "2026-11-28T00:00:00Z"})},
    {"body": json.dumps({"allDay": True})},
    {"body": json.dumps({"start": {"date": "2026-11-28"}, "end": {"date": "2026-11-29"}})},
    {"body": json.dumps({"event": {"isAllDay": "true", "start": {"dateTime": "2026-11-28T00:00:00.0000000"}}})},
    {"body": json.dumps({"start": "2026-11-28T00:00:00Z", "end": "2026-11-29T00:00:00Z"})},
    {"body": "All day\nAttendees: Bob Lee <bob@x.example>"},
    {"body": "When: 2026-11-28\nLocation: Quay"},
    {"body": "All-day: yes"},
    {"summary": "Ganztägig"},
    {"body": "Ganztägiger Termin"},
    {"body": "Journée entière"},
    {"event_type": "all_day_event"},
    {"all_day": True},
    {"start": "2026-11-28"},
]


@table("data", ALL_DAY, ids=str)
@table("zone", [LOS_ANGELES, "Pacific/Auckland", "UTC"])
def test_an_all_day_entry_has_a_day_and_moves_with_no_zone(data: dict[str, Any], zone: str) -> None:
    event = entry(data, zone=zone)
    assert (event.starts, event.ends) == ("2026-11-28", "2026-11-28")
    columns = {"source": "calendar", "event_type": "meeting", "occurred_at": "2026-11-28T00:00:00.000000Z", **data}
    assert item("activity_events", columns, "2026-11-28T00:00:00.000000Z", zone).local == "2026-11-28"


@table(
    ("details", "starts", "zone"),
    [
        # Google's calendar writes an offset and a zone, Microsoft's a zone alone, in its own names.
        (
            {"start": {"dateTime": "2026-12-08T11:00:00+08:00", "timeZone": "Asia/Taipei"}},
            "2026-12-07 19:00 -08:00",
            "Asia/Taipei",
        ),
        (
            {"start": {"dateTime": "2026-12-08T11:00:00.0000000", "timeZone": "Taipei Standard Time"}},
            "2026-12-07 19:00 -08:00",
            "Asia/Taipei",
        ),
        (
            {
                "start": {"dateTime": "2026-12-08T03:00:00.0000000", "timeZone": "UTC"},
                "originalStartTimeZone": "Taipei Standard Time",
            },
            "2026-12-07 19:00 -08:00",
            "Asia/Taipei",
        ),
        ({"start": "2026-12-08T11:00:00", "timezone": "Asia/Taipei"}, "2026-12-07 19:00 -08:00", "Asia/Taipei"),
        # A zone with the same time, a zone that names no place, an unknown zone, and none.
        ({"start": "2026-12-08T11:00:00", "timezone": "America/Tijuana"}, "2026-12-08 11:00 -08:00", ""),
        ({"start": {"dateTime": "2026-12-08T11:00:00Z", "timeZone": "Etc/UTC"}}, "2026-12-08 03:00 -08:00", ""),
        ({"start": {"dateTime": "2026-12-08T11:00:00Z", "timeZone": "Mars/Base"}}, "2026-12-08 03:00 -08:00", ""),
        ({"start": {"dateTime": "2026-12-08T11:00:00Z", "timeZone": ["x"]}}, "2026-12-08 03:00 -08:00", ""),
        ({"start": "2026-12-08T11:00:00+08:00"}, "2026-12-07 19:00 -08:00", ""),
        ({"start": "2026-12-08", "timezone": "Asia/Taipei"}, "2026-12-08", ""),
        # A zone that differs only in summer, and a time at the end of the calendar.
        (
            {"start": {"dateTime": "2026-07-08T11:00:00-07:00", "timeZone": "America/Phoenix"}},
            "2026-07-08 11:00 -07:00",
            "",
        ),
        (
            {"start": {"dateTime": "2026-12-08T11:00:00-07:00", "timeZone": "America/Phoenix"}},
            "2026-12-08 10:00 -08:00",
            "America/Phoenix",
        ),
        ({"start": {"dateTime": "9999-12-31T23:59:59Z", "timeZone": "Asia/Taipei"}}, "9999-12-31 15:59 -08:00", ""),
    ],
    ids=str,
)  # fmt: skip
def test_an_entry_keeps_the_zone_that_it_was_planned_in(details: dict[str, Any], starts: str, zone: str) -> None:
    event = entry({"body": json.dumps(details)})
    assert (event.starts, event.zone) == (starts, zone)


def test_a_meeting_at_midnight_in_utc_is_no_day() -> None:
    event = entry({"body": json.dumps({"start": "2026-11-28T00:00:00Z", "end": "2026-11-28T00:30:00Z"})})
    assert (event.starts, event.ends) == ("2026-11-27 16:00 -08:00", "2026-11-27 16:30 -08:00")


def test_who_comes_and_which_version_counts() -> None:
    details = {"organizer": {"email": "Ana@x.example"}, "attendees": [{"email": "bob@x.example", "displayName": "Bob"}]}
    event = entry({"body": json.dumps(details), "external_seq": "7"})
    assert (event.key, event.version, event.state) == ("ev", 7, "planned")
    assert event.organizer == Person("", "ana@x.example")
    assert event.attendees == (Person("Bob", "bob@x.example"),)
    assert entry({}).version == 1795788180000


@table("mark", ["self", "is_self", "me"])
def test_calendars_mark_the_user_among_the_attendees(mark: str) -> None:
    attendees = [{"email": "mara@x.example", mark: True}, {"email": "bob@x.example", mark: False}]
    assert entry({"body": json.dumps({"attendees": attendees})}).attendees == (ME, Person("", "bob@x.example"))


@table(
    "data",
    [
        {"body": json.dumps({"status": "cancelled"})},
        {"body": json.dumps({"status": "Canceled"})},
        {"body": "Status: cancelled"},
        {"event_type": "event_cancelled"},
        {"event_type": "meeting_deleted"},
        {"title": "Canceled: Offsite"},
        {"title": "Abgesagt: Offsite"},
        {"status": "cancelled"},
        {"body": json.dumps({"deleted": True})},
        {"title": "Canceled event: Offsite"},
        {"title": "Canceled event: Offsite @ Mon Nov 30, 2026 9am (ann@lee.example)"},
        {"title": "[CANCELLED] Offsite"},
        {"title": "CANCELLED - Offsite"},
        {"title": "Offsite (abgesagt)"},
        {"title": "Offsite \u2013 entfällt"},
        {"title": "Annulé : Offsite"},
        {"title": "Cancelado: Offsite"},
        {"title": "Geannuleerd: Offsite"},
        {"body": json.dumps({"isCancelled": True})},
    ],
    ids=str,
)
def test_a_cancelled_entry_has_the_title_that_it_had(data: dict[str, Any]) -> None:
    assert (entry(data).state, entry(data).title) == ("cancelled", "Offsite")


@table("title", ["Cancelled flights: what to do", "Cancellation policy: review", "Abgesagte Reisen", "Cancelled"])
def test_an_entry_about_something_cancelled_is_planned(title: str) -> None:
    assert (entry({"title": title}).state, entry({"title": title}).title) == ("planned", title)


def test_other_events_are_no_entries() -> None:
    assert recorded.statements(item("activity_events", {"source": "gmail", "title": "x"}), LOS_ANGELES) == ()


def test_a_note_and_a_transcript_are_meetings() -> None:
    data = {"title": "Weekly", "meeting_started_at": "2026-11-27T14:03:00Z", "attendees": ATTENDEES}
    (note,) = recorded.statements(item("meeting_notes", {**data, "calendar_event_id": "ev-9"}), LOS_ANGELES)
    (transcript,) = recorded.statements(item("granola_transcripts", data), LOS_ANGELES)
    assert isinstance(note, Event)
    assert isinstance(transcript, Event)
    assert (note.key, transcript.key) == ("ev-9", "")
    assert note.starts == transcript.starts == "2026-11-27 06:03 -08:00"
    assert note.attendees == (BOB, Person("Ana Ruiz"))
