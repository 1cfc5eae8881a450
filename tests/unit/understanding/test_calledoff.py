"""Who says that a meeting is off, and what that ends."""

from __future__ import annotations

from typing import Any

from consumer.understanding import calledoff, life, reading
from consumer.understanding.statements import CalledOff, Quote, Reading
from consumer.understanding.utterances import ME, Person
from renderers.base import Item
from tests.tables import table
from tests.unit.understanding import test_reading
from tests.unit.understanding.talks import ANN, BOB, at, event, quotes, record, task

ZONE = "Europe/London"
#: A Thursday.
DAY = "2026-12-03"


def item(text: str, **columns: Any) -> Item:
    data = {"channel": "email", "sender_name": "Ann Lee", "sender_address": "ann@lee.example", **columns}
    return test_reading.item("inbound_messages", {"normalized_text": text, **data}, zone=ZONE)


def called_off(text: str, **columns: Any) -> list[tuple[str, str, str]]:
    """(what, day, id of the calendar) of each; said on Friday, 27 November 2026."""
    mail = item(text, **columns)
    several = calledoff.statements(mail, reading.read(mail, ZONE), "GB")
    return [(each.object, each.day, each.key) for each in several]


@table(
    ("text", "what", "day"),
    [
        ("The Kestrel review on Thursday is cancelled.", "Kestrel review", DAY),
        ("Sorry, I have to cancel Thursday's Kestrel review.", "Kestrel review", DAY),
        ("We've called off the Kestrel review.", "Kestrel review", ""),
        ("Die Kestrel-Besprechung am Donnerstag fällt leider aus.", "Kestrel-Besprechung", DAY),
        ("Ich muss die Kestrel-Besprechung am Donnerstag absagen.", "Kestrel-Besprechung", DAY),
        ("La réunion Kestrel de jeudi est annulée.", "réunion Kestrel", DAY),
        ("Tengo que cancelar la reunión Kestrel del jueves.", "reunión Kestrel", DAY),
        ("A reunião Kestrel de quinta-feira foi cancelada.", "reunião Kestrel", DAY),
        ("La riunione Kestrel di giovedì è annullata.", "riunione Kestrel", DAY),
        ("De Kestrel-vergadering van donderdag gaat niet door.", "Kestrel-vergadering", DAY),
        ("There will be no Kestrel review on Thursday.", "Kestrel review", DAY),
        ("I'm ill, so let's scrap the Kestrel review on Thursday.", "Kestrel review", DAY),
        ("Kestrel review on Thursday: cancelled, a new one follows in January.", "Kestrel review", DAY),
        ("The Kestrel review on Thursday is cancelled, we meet on Friday instead.", "Kestrel review", DAY),
        ("La Kestrel review del jueves se ha cancelado.", "Kestrel review", DAY),
        ("Se ha cancelado la Kestrel review del jueves.", "Kestrel review", DAY),
        ("La Kestrel review di giovedì non si terrà.", "Kestrel review", DAY),
        ("The Falcon review is on, the Kestrel review is cancelled.", "Kestrel review", ""),
        ("Please note that the Kestrel review is cancelled.", "Kestrel review", ""),
        ("The Kestrel review on Thursday won't take place after all.", "Kestrel review", DAY),
        ("The Kestrel review on Thursday isn't going ahead.", "Kestrel review", DAY),
        ("Die Kestrel-Besprechung am Donnerstag findet nun doch nicht statt.", "Kestrel-Besprechung", DAY),
        ("La réunion Kestrel de jeudi n'a plus lieu.", "réunion Kestrel", DAY),
        ("La reunión Kestrel del jueves ya no se celebra.", "reunión Kestrel", DAY),
        ("A reunião Kestrel de quinta já não se realiza.", "reunião Kestrel", DAY),
        ("La riunione Kestrel di giovedì non si terrà più.", "riunione Kestrel", DAY),
    ],
)
def test_words_say_which_meeting_is_off(text: str, what: str, day: str) -> None:
    assert called_off(text) == [(what, day, "")]


@table(
    "text",
    [
        "Is the Kestrel review on Thursday cancelled?", "The Kestrel review on Thursday is not cancelled.",
        "If the Kestrel review is cancelled, we save a day.", "The Kestrel review might be cancelled.",
        "The Kestrel review is off to a good start.", "This is cancelled.",
        "The Kestrel reviews on Thursday and on Friday are cancelled.",
        "Das Kestrel review am Donnerstag fällt nicht aus.", "De Kestrel review is niet geannuleerd.",
        "La réunion Kestrel n'est pas annulée.", "La reunión Kestrel no se cancela.",
        "La riunione Kestrel non è annullata.", "A reunião Kestrel não foi cancelada.",
        "The Kestrel review was cancelled, but it is on again.", "Last month's Kestrel review was cancelled.",
        "Tom denkt, das Kestrel review fällt aus.",
        "On Mon, 23 Nov 2026, Bob wrote:\n> The Kestrel review on Thursday is cancelled.",
    ],
)  # fmt: skip
def test_what_is_asked_denied_supposed_or_quoted_calls_nothing_off(text: str) -> None:
    assert called_off(text) == []


def test_this_meeting_is_the_one_in_the_subject() -> None:
    subject = {"subject": "Re: Invitation: Kestrel review @ Thu 3 Dec 2026 10am - 11am (GMT) (Mara)"}
    assert called_off("I have to cancel this, sorry.", parse_result=subject) == [("Kestrel review", DAY, "")]
    cancelled = {"subject": "Canceled: Kestrel review @ Thu Dec 3, 2026 10am - 11am (GMT)"}
    assert called_off("See you soon.", parse_result=cancelled) == [("Kestrel review", DAY, "")]


ICS = (
    "BEGIN:VCALENDAR\nMETHOD:{}\nBEGIN:VEVENT\nUID:u1@x\nSUMMARY:Kestrel\n  review\nDESCRIPTION:{}\nEND:VEVENT\n"
    "END:VCALENDAR"
)


def test_a_calendars_message_names_the_entry_by_its_id_and_says_nothing_else() -> None:
    text = ICS.format("CANCEL", "I will send you the minutes by Friday.")
    assert called_off(f"Hello,\n{text}\nBye") == [("Kestrel review", "", "u1@x")]
    assert called_off(ICS.format("REQUEST", "")) == []
    kinds = {each.text: each.kind for each in reading.read(item(f"Hello there.\n{text}"), ZONE).utterances}
    assert kinds.pop("Hello there.") == "written" and set(kinds.values()) == {"boilerplate"}


@table(
    ("lines", "what"),
    [
        ("STATUS:CANCELLED", [("Kestrel review", "", "u1@x")]),
        ("STATUS:cancelled", [("Kestrel review", "", "u1@x")]),
        ("STATUS:CONFIRMED", []),
        ("STATUS:CANCELLED\nRECURRENCE-ID:20261203T100000Z", [("Kestrel review", DAY, "u1@x")]),
        ("STATUS:CANCELLED\nRECURRENCE-ID;VALUE=DATE:2026-12-03", [("Kestrel review", DAY, "u1@x")]),
        ("STATUS:CANCELLED\nRECURRENCE-ID:soon", [("Kestrel review", "", "u1@x")]),
        # Another entry of the same message, without an id.
        (
            "STATUS:CANCELLED\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:Other\nSTATUS:CANCELLED",
            [("Kestrel review", "", "u1@x")],
        ),
        (
            "END:VEVENT\nBEGIN:VEVENT\nUID:u2@x\nSUMMARY:Other\nSTATUS:CANCELLED",
            [("Other", "", "u2@x")],
        ),
    ],
)
def test_an_entry_is_called_off_by_its_own_status(lines: str, what: list[tuple[str, str, str]]) -> None:
    text = ICS.replace("DESCRIPTION:{}", lines).format("REQUEST")
    assert called_off(text) == what


def off(by: Person, what: str = "Kestrel review", day: str = DAY, key: str = "") -> Reading:
    source = "outbound_messages" if by == ME else "inbound_messages"
    statement = CalledOff(what, day, key, by, (Quote(-1, key),) if key else quotes("It is off."))
    return record(statement, author=by, said_at=at(26), source=source)


@table(
    ("by", "what", "day", "key", "state"),
    [
        (ANN, "Kestrel review", DAY, "", "lapsed"), (ME, "the Kestrel review meeting", DAY, "", "lapsed"),
        (ANN, "Kestrel review", "", "", "lapsed"), (BOB, "", "", "k1@calendar", "lapsed"),
        # Not the organiser, another day, another title, an unknown entry.
        (BOB, "Kestrel review", DAY, "", "open"), (ANN, "Kestrel review", "2026-12-04", "", "open"),
        # Another thing that goes with it, and somebody's thought.
        (ANN, "Kestrel review dinner", DAY, "", "open"), (ANN, "room for the Kestrel review", DAY, "", "open"),
        (ANN, "I was afraid the Kestrel review", "", "", "open"), (ANN, "I wish the Kestrel review", "", "", "open"),
        (ANN, "Tom thinks that the Kestrel review", "", "", "open"),
        (ANN, "Kestrel", DAY, "", "open"), (ANN, "", "", "k2@calendar", "open"),
    ],
)  # fmt: skip
def test_preparing_a_meeting_lapses_when_who_may_calls_it_off(
    by: Person, what: str, day: str, key: str, state: str
) -> None:
    planned = event("Kestrel review", f"{DAY} 10:00 +00:00", (ANN, BOB), key="k1", organizer=ANN)
    prepare = record(task("Slides for the Kestrel review", owner=ME, by=DAY), source="checklist_items")
    memory = life.fold([record(planned, source="activity_events"), prepare, off(by, what, day, key)], (), at(27))
    assert [loop.state for loop in memory.loops] == [state]


def test_a_title_alone_that_two_meetings_have_calls_neither_off() -> None:
    planned = [
        record(event("Kestrel review", f"{day} 10:00 +00:00", (ANN,), key=day, organizer=ANN), source="activity_events")
        for day in (DAY, "2026-12-10")
    ]
    prepare = record(task("Slides for the Kestrel review", owner=ME, by=DAY), source="checklist_items")
    memory = life.fold([*planned, prepare, off(ANN, day="")], (), at(27))
    assert [loop.state for loop in memory.loops] == ["open"]
