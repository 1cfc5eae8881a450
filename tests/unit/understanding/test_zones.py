"""Hours of another zone, on the user's clock."""

from __future__ import annotations

from consumer.understanding import rules, zones
from consumer.understanding.statements import Commitment, Request
from consumer.understanding.utterances import ME, Person, RecordText, Utterance
from tests.tables import table

BOB = Person("Bob Stone", "bob@example.org")


def due(text: str, language: str, zone: str, said_at: str) -> str:
    record = RecordText("email", "1", "t", (Utterance(0, BOB, (ME,), said_at, "written", text, language),), (BOB,))
    statements, _ = rules.read(record, region="GB")
    [made] = [zones.on_users_clock(each, record, zone) for each in statements]
    assert isinstance(made, Commitment | Request) and made.due
    return f"{made.due.day[5:]} {made.due.time}".strip()


@table(
    ("language", "text", "london", "los_angeles"),
    [
        ("en", "I'll send you the plan on Monday by 15:00 UTC.", "11-30 15:00", "11-30 07:00"),
        ("en", "I'll send you the plan on Monday at 3 pm London time.", "11-30 15:00", "11-30 07:00"),
        ("en", "I'll send you the plan on Monday at 9am Pacific.", "11-30 17:00", "11-30 09:00"),
        ("en", "I'll send you the plan on Monday at 10am PT.", "11-30 18:00", "11-30 10:00"),
        ("en", "I'll send you the plan by 5pm EST on Tuesday.", "12-01 22:00", "12-01 14:00"),
        ("en", "Please send it by Friday 17:00 GMT+2.", "11-27 15:00", "11-27 07:00"),
        # On another day here than there.
        ("en", "I'll send you the plan on Monday, 3am (Tokyo time).", "11-29 18:00", "11-29 10:00"),
        ("en", "I'll send you the plan on Monday at 10pm Eastern time.", "12-01 03:00", "11-30 19:00"),
        ("de", "Ich schicke dir den Plan am Montag um 15 Uhr Londoner Zeit.", "11-30 15:00", "11-30 07:00"),
        ("de", "Ich schicke dir den Plan am Montag um 9 Uhr MEZ.", "11-30 08:00", "11-30 00:00"),
        ("fr", "Je t'envoie le plan lundi \u00e0 15 h heure de Paris.", "11-30 14:00", "11-30 06:00"),
        ("es", "Te mando el plano el lunes a las 15:00 hora de Madrid.", "11-30 14:00", "11-30 06:00"),
        ("pt", "Envio-te o plano na segunda \u00e0s 15h hora de Lisboa.", "11-30 15:00", "11-30 07:00"),
        ("it", "Ti mando la pianta luned\u00ec alle 15:00 ora di Roma.", "11-30 14:00", "11-30 06:00"),
        ("nl", "Ik stuur je de tekening maandag om 15 uur Londense tijd.", "11-30 15:00", "11-30 07:00"),
        # Whose hour it is, is not sure.
        ("en", "I'll send you the plan on Monday at 9am IST.", "11-30", "11-30"),
        ("en", "I'll send you the plan on Monday at 10am my time.", "11-30", "11-30"),
        ("en", "I'll send you the plan on Monday at 3pm.", "11-30 15:00", "11-30 15:00"),
    ],
)
def test_an_hour_of_another_zone_is_told_on_the_users_clock(
    language: str, text: str, london: str, los_angeles: str
) -> None:
    assert due(text, language, "Europe/London", "2026-11-26 09:00 +00:00") == london
    assert due(text, language, "America/Los_Angeles", "2026-11-26 09:00 -08:00") == los_angeles


def test_an_hour_alone_is_of_the_day_that_it_is_there() -> None:
    """On Friday morning in Auckland it is Thursday in New York."""
    said_at = "2026-11-27 03:00 +13:00"
    assert due("I'll send you the plan by 5pm EST.", "en", "Pacific/Auckland", said_at) == "11-27 11:00"


def test_what_may_be_another_zone_where_the_user_lives_is_left_without_an_hour() -> None:
    text, said_at = "I'll send you the plan on Monday by 5pm EST.", "2026-11-26 09:00 +11:00"
    assert due(text, "en", "Australia/Sydney", said_at) == "11-30"
