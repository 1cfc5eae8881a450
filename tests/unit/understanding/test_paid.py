"""What a model was paid for, and which of its statements and the rules' hold together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from consumer.understanding import modelform, paid
from consumer.understanding.paid import PaidReading
from consumer.understanding.readers import fingerprint
from consumer.understanding.statements import Answer, Commitment, Decision, Fact, Quote, Refusal, Request
from consumer.understanding.utterances import Person
from tests.tables import table
from tests.unit.understanding.test_modelform import RECORD, note

BOB, MARA = Person("Bob Lee", "bob@x.example"), Person("Mara Silva", "mara@x.example")


def quotes(utterance: int, text: str) -> tuple[Quote, ...]:
    return (Quote(utterance, text),)


PROMISE = Commitment(BOB, (MARA,), "lease", quotes(2, "I'll send the lease"))
ASKED = Request(BOB, (MARA,), "plans", quotes(4, "Could you send the plans?"))
SAME = Commitment(BOB, (MARA,), "the revised lease", quotes(2, "Well, I'll send the lease by Friday"))
CLOSES = Answer(BOB, (MARA,), "delivered", "lease", quotes(2, "I'll send the lease"))


def test_the_models_word_counts_for_a_sentence_about_which_it_says_something() -> None:
    assert paid.together([SAME], [PROMISE]) == ((SAME,), ())
    # Whichever of the two quotes is the shorter one.
    longer = Commitment(BOB, (MARA,), "lease", quotes(2, "Yes: Well, I'll send the lease by Friday"))
    assert paid.together([SAME], [longer]) == ((SAME,), ())


def test_what_the_rules_find_in_a_sentence_without_a_note_stays_in_the_order_of_the_text() -> None:
    assert paid.together([SAME], [ASKED]) == ((SAME, ASKED), ())
    elsewhere = Commitment(BOB, (MARA,), "lease", quotes(1, "I'll send the lease"))
    assert paid.together([SAME], [elsewhere]) == ((elsewhere, SAME), ())
    assert paid.together([], [ASKED, PROMISE]) == ((PROMISE, ASKED), ())


def test_a_model_turns_no_promise_and_no_request_into_an_answer() -> None:
    assert paid.together([CLOSES], [PROMISE]) == ((PROMISE,), (Refusal("answer", "rules"),))
    assert paid.together([CLOSES, CLOSES], [PROMISE])[1] == (Refusal("answer", "rules"),) * 2
    # With a note of the same promise beside it, the model has read the sentence as more than an answer.
    assert paid.together([CLOSES, SAME], [PROMISE]) == ((CLOSES, SAME), ())
    # The rules read an answer, too.
    assert paid.together([CLOSES], [CLOSES]) == ((CLOSES,), ())


DECIDED = Decision((BOB,), "send the lease", "lease", PROMISE.quotes)
STATED = Fact("lease", "by", "Friday", "", (), PROMISE.quotes, by=BOB)


@table(
    ("by_model", "by_rules", "both", "refused"),
    [
        ([CLOSES, DECIDED], [PROMISE], [DECIDED, PROMISE], ["answer"]),
        ([DECIDED], [PROMISE], [DECIDED, PROMISE], []),
        ([STATED], [PROMISE], [STATED, PROMISE], []),
        ([replace(PROMISE, quotes=ASKED.quotes)], [ASKED], [ASKED], ["commitment"]),
        ([replace(PROMISE, owner=MARA)], [PROMISE], [PROMISE], ["commitment"]),
        ([replace(ASKED, asked=(BOB,))], [ASKED], [ASKED], ["request"]),
        ([replace(ASKED, asked=())], [ASKED], [replace(ASKED, asked=())], []),
        # A note less than the rules found: one of theirs would be gone.
        (
            [SAME],
            [PROMISE, replace(PROMISE, object="keys")],
            [PROMISE, replace(PROMISE, object="keys")],
            ["commitment"],
        ),
        ([PROMISE], [STATED], [PROMISE, STATED], []),
    ],
)
def test_a_model_silences_nothing_that_the_rules_found(by_model: Any, by_rules: Any, both: Any, refused: Any) -> None:
    assert paid.together(by_model, by_rules) == (tuple(both), tuple(Refusal(kind, "rules") for kind in refused))


def known(*readings: PaidReading) -> dict[str, PaidReading]:
    parts = modelform.parts(RECORD)
    return {fingerprint(part): reading for part, reading in zip(parts, readings, strict=True)}


def test_notes_make_statements_once_every_part_was_read() -> None:
    assert paid.statements(RECORD, {}) is None
    malformed = (Refusal("fact", "form"),)
    read = paid.statements(RECORD, known(PaidReading((note(), note(quote="of another record")), malformed)))
    assert read is not None
    assert [type(statement) for statement in read.statements] == [Commitment]
    assert read.refusals == (*malformed, Refusal("commitment", "quote"))
    assert read.readable


def test_a_part_without_a_usable_answer_leaves_the_record_to_the_rules() -> None:
    malformed = (Refusal("fact", "form"),)
    read = paid.statements(RECORD, known(PaidReading((note(),), malformed, unreadable=True)))
    assert read == ((), malformed, False)


def test_what_was_paid_for_is_stored_and_read_again() -> None:
    readings = known(PaidReading((note(),), (Refusal("fact", "form"),), unreadable=True))
    assert paid.decode(paid.encode(readings)) == readings
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError)):
        paid.decode(b'{"a": {"noted": []}}')
