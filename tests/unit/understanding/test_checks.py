"""A reader that lies is refused, by reason; one that does not is accepted."""
# ruff: noqa: E501 - tables of cases

from __future__ import annotations

from dataclasses import replace
from typing import Final

from consumer.understanding import checks
from consumer.understanding.statements import (
    Answer,
    Commitment,
    Decision,
    Due,
    Event,
    Fact,
    Quote,
    Request,
    Statement,
    Task,
)  # fmt: skip
from consumer.understanding.utterances import UNKNOWN, Person, RecordText, Utterance
from tests.tables import table

MARA: Final = Person("Mara Silva", "mara@example.org")
BOB: Final = Person("Bob Stone", "bob@example.org")
EVE: Final = Person("Eve Novak", "eve@example.org")
FRIDAY: Final = Due("2026-11-27", "", "Friday", "relative")
TEXT: Final = "I'll send you the contract by Friday. Bob will book the room."
RECORD: Final = RecordText(
    "email",
    "1",
    "thread",
    (
        Utterance(0, MARA, (BOB,), "2026-11-26 09:00 -05:00", "written", TEXT, "en"),
        Utterance(1, BOB, (MARA,), "2026-11-26 10:00 -05:00", "written", "Thanks, got it.", "en"),
        Utterance(2, BOB, (MARA,), "2026-11-26 10:00 -05:00", "quoted", TEXT, "en"),
    ),
    (MARA, BOB),
)
QUOTES: Final = (Quote(0, "I'll send you the contract by Friday."),)
TRUE: Final = Commitment(MARA, (BOB,), "contract", QUOTES, FRIDAY)


@table(
    "statement",
    [
        TRUE,
        replace(TRUE, due=None),
        replace(TRUE, owner=BOB, beneficiaries=(MARA,), object="room", due=None, quotes=(Quote(0, "Bob will book the room."),)),
        replace(TRUE, owner=Person("Bob"), beneficiaries=(), due=None),
        Request(MARA, (BOB,), "contract", QUOTES),
        Answer(BOB, (MARA,), "received", "", (Quote(1, "Thanks, got it."),)),
        Decision((MARA,), "to send it", "", QUOTES),
        Fact("contract", "deadline", "2026-11-27", "", (), QUOTES, by=MARA),
        Fact("contract", "deadline", "2026-11-27", "", (), QUOTES, by=UNKNOWN),
    ],
)  # fmt: skip
def test_a_statement_that_holds_is_accepted(statement: Statement) -> None:
    assert checks.Checks(RECORD).refusal(statement) is None


@table(
    ("reason", "statement"),
    [
        ("quote", replace(TRUE, quotes=(Quote(0, "I will send you the contract by Friday."),))),
        ("quote", replace(TRUE, quotes=(Quote(0, "I'll send you the Contract by Friday."),))),
        ("quote", replace(TRUE, quotes=(Quote(1, QUOTES[0].text),))),
        ("quote", replace(TRUE, quotes=(Quote(7, QUOTES[0].text),))),
        ("quote", replace(TRUE, quotes=(*QUOTES, Quote(0, "")))),
        ("form", replace(TRUE, quotes=())),
        ("form", replace(TRUE, object=" ")),
        ("form", Fact("contract", "price", "", "EUR", (), QUOTES, by=MARA)),
        ("form", Fact("contract", "price", "5", "EUR", (("z", "1"), ("a", "1")), QUOTES, by=MARA)),
        ("form", Decision((MARA,), "", "", QUOTES)),
        ("form", Task("Send the contract", "open", QUOTES)),
        ("form", Event("", "Meeting", "", "", "planned", MARA, (), QUOTES)),
        ("text_kind", replace(TRUE, quotes=(Quote(2, QUOTES[0].text),))),
        ("author", replace(TRUE, owner=EVE)),
        ("author", replace(TRUE, quotes=(*QUOTES, Quote(1, "Thanks, got it.")))),
        ("author", Request(BOB, (MARA,), "contract", QUOTES)),
        ("author", Answer(BOB, (MARA,), "delivered", "contract", QUOTES)),
        ("author", Decision((EVE,), "to send it", "", QUOTES)),
        ("author", Fact("contract", "price", "5", "EUR", (), QUOTES, by=BOB)),
        ("person", replace(TRUE, beneficiaries=(EVE,))),
        ("person", replace(TRUE, beneficiaries=(Person("Eve Novak"),))),
        ("person", replace(TRUE, beneficiaries=(Person("Bob Stone", "bob@elsewhere.example"),))),
        ("person", Answer(MARA, (EVE,), "delivered", "contract", QUOTES)),
        ("date", replace(TRUE, due=FRIDAY._replace(day="2026-12-04"))),
        ("date", replace(TRUE, due=FRIDAY._replace(time="17:00"))),
        ("date", replace(TRUE, due=FRIDAY._replace(words="Monday"))),
        ("date", replace(TRUE, due=FRIDAY._replace(words=""))),
        ("date", replace(TRUE, due=FRIDAY._replace(words="contract"))),
        ("date", Request(MARA, (BOB,), "contract", QUOTES, FRIDAY._replace(day="2025-11-27"))),
    ],
)  # fmt: skip
def test_a_lie_is_refused_by_its_reason(reason: str, statement: Statement) -> None:
    refusal = checks.Checks(RECORD).refusal(statement)
    assert refusal is not None and refusal.reason == reason
    assert refusal.kind == type(statement).__name__.lower()


def test_words_of_a_date_are_resolved_where_they_stand() -> None:
    assert checks.Checks(RECORD).due_of(QUOTES[0], "by Friday") == FRIDAY._replace(words="by Friday")
    assert checks.Checks(RECORD).due_of(QUOTES[0], "Monday") is None
    assert checks.Checks(RECORD).due_of(Quote(9, "x"), "Friday") is None


def test_a_day_of_portuguese_is_resolved_by_the_word_before_it() -> None:
    utterance = Utterance(0, MARA, (BOB,), "2026-11-26", "written", "Envio o contrato na sexta às 17h.", "pt")
    record = RECORD._replace(utterances=(utterance,))
    due = checks.Checks(record).due_of(Quote(0, utterance.text), "sexta às 17h")
    assert due is not None and (due.day, due.time) == ("2026-11-27", "17:00")


def test_a_text_without_a_day_resolves_nothing() -> None:
    undated = RECORD._replace(utterances=tuple(each._replace(said_at="") for each in RECORD.utterances))
    refusal = checks.Checks(undated).refusal(TRUE)
    assert refusal is not None and refusal.reason == "date"


@table(
    ("text", "words", "day"),
    [
        ("j'appelle le plombier lundi matin", "lundi matin", "2026-11-30"),
        ("lunedì sento l'idraulico", "lunedì", "2026-11-30"),
        ("ga maandag de loodgieter bellen", "maandag", "2026-11-30"),
        ("xx 03/12/2026 yy", "03/12/2026", None),  # the day comes first or the month
        ("blip blop", "blop", None),
    ],
)
def test_in_a_sentence_too_short_to_tell_its_language_a_date_is_what_every_language_makes_of_it(
    text: str, words: str, day: str | None
) -> None:
    record = RECORD._replace(utterances=(Utterance(0, MARA, (BOB,), "2026-11-26", "written", text, ""),))
    due = checks.Checks(record).due_of(Quote(0, text), words)
    assert (due.day if due else None) == day
