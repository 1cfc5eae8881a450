"""A reading's bytes keep all that it says; every person, quote and date has a value of its own here."""

from __future__ import annotations

import dataclasses

from consumer.understanding import encoding
from consumer.understanding.people import identities
from consumer.understanding.statements import (
    KINDS,
    Answer,
    CalledOff,
    Commitment,
    Decision,
    Due,
    Event,
    Fact,
    Quote,
    Reading,
    Refusal,
    Request,
    Statement,
    StatementIds,
    Task,
)
from consumer.understanding.utterances import UNKNOWN, Person
from tests.tables import table

PEOPLE = [Person(f"Person {letter}", f"{letter}@x.example") for letter in "abcdefghijklmnopqrst"]
(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T) = PEOPLE  # noqa: E741 (letters of a row)
DUE = Due("2026-12-04", "17:00", "Friday at five", "relative", True)
STATEMENTS: list[Statement] = [
    Commitment(
        A,
        (B, C),
        "the deck",
        (Quote(0, "I'll send it"), Quote(3, "the deck")),
        DUE,
        "if it is done",
        "2026-12-06",
        True,
    ),
    Request(
        D, (E,), "the key", (Quote(1, "Send it?"),), Due("2026-12-05", "", "Saturday", "stated"), "2026-12-06", True
    ),
    Answer(F, (G,), "received", "the plan", (Quote(2, "Got it"),), DUE),
    Decision((H, I), "move to Ghent", "the office", (Quote(0, "We move"),)),
    Fact(
        "Kestrel", "budget", "48000", "EUR", (("period", "11"), ("place", "Ghent")), (Quote(0, "48k"),), "2026-11-01", J
    ),
    Task("Call the bank", "dismissed", (Quote(-1, "State: x"),), K, (L, M), "Harbour", DUE, "item-7"),
    Event(
        "uid-1",
        "Sync",
        "2026-11-28 15:00 -08:00",
        "2026-11-28 16:00 -08:00",
        "cancelled",
        N,
        (O, P),
        (Quote(-1, "S"),),
        9,
        "Asia/Tokyo",
    ),
    CalledOff("the call", "2026-11-29", "uid-2", Q, (Quote(4, "is off"),)),
]
IDS = [
    "7ba57c8b911de6d0",
    "f9541ee7a04147ab",
    "25db40c40dcb29a2",
    "1dd65d36be431b91",
    "4558cf0365a9a28c",
    "615896c559589e6f",
    "b18d7636b1cc0986",
    "3b62115a35c3b96e",
]
READING = Reading(
    source="inbound_messages",
    record_id="r1",
    thread="thread-1",
    said_at="2026-11-26 09:00 -05:00",
    people=(A, R),
    statements=tuple(STATEMENTS),
    cited={0: (A, (B,), "2026-11-26 09:00 -05:00"), 3: (S, (T, UNKNOWN), "2026-11-26 09:30 -05:00")},
    refusals=(Refusal("commitment", "date"), Refusal("fact", "quote")),
    own=(R,),
    machines=(S,),
    language="de",
    turn="asks",
)


def test_one_of_each_kind_is_tried_here() -> None:
    assert [type(statement) for statement in STATEMENTS] == list(KINDS.values())
    for statement in STATEMENTS:
        for field in dataclasses.fields(statement):
            assert getattr(statement, field.name) not in ("", (), None, 0, UNKNOWN), field.name


@table("kind", list(KINDS))
def test_a_statement_comes_back_from_its_bytes(kind: str) -> None:
    statements = tuple(statement for statement in STATEMENTS if isinstance(statement, KINDS[kind]))
    reading = READING._replace(statements=statements)
    assert encoding.decode(reading.source, reading.record_id, encoding.encode(reading)) == reading


def test_a_whole_reading_and_an_empty_one_come_back_from_their_bytes() -> None:
    empty = Reading("notes", "r2", "", "2026-11-26 09:00 -05:00", (), (), {})
    for reading in (READING, empty):
        assert encoding.decode(reading.source, reading.record_id, encoding.encode(reading)) == reading


def test_whoever_a_reading_names_is_known_by_address_and_name() -> None:
    named = identities([READING])
    assert {f"address/{person.address}" for person in PEOPLE} <= named
    assert {f"name/person {letter}" for letter in "abcdefghijklmnopqrst"} <= named
    assert len(named) == 2 * len(PEOPLE) + 1


def test_the_ids_of_statements_stay() -> None:
    """Told marks and corrections name them: another id tells everything again."""
    ids = StatementIds(READING)
    assert [ids.of(statement) for statement in STATEMENTS] == IDS
