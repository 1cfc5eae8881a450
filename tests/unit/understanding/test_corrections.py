"""The user's word outlives rereading: the same thing in the same records is known again, and nothing else is."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from itertools import permutations
from typing import Any

import pytest

from consumer.understanding import corrections, statements
from consumer.understanding.life import fold
from consumer.understanding.memory import Correction, Memory
from consumer.understanding.people import Directory
from consumer.understanding.statements import Fact, Quote, Reading, StatementIds, statement_id
from consumer.understanding.utterances import ME, Person
from contract.overlay import CorrectionView, Overlay, person_digest
from tests.unit.understanding.talks import (
    ANN,
    BOB,
    NOW,
    at,
    contact,
    decision,
    fact,
    item,
    profile,
    promise,
    record,
    request,
)

KEY = "5e" * 32
FIRST, SECOND = "aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"
MADE = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
MADE_AT = "2026-11-24 12:00 +00:00"
DECK = promise(ME, "the price deck", (ANN,))


def mail(*statements: Any, record_id: str = "m1", day: int = 20, to: Any = (ANN,), **more: Any) -> Reading:
    return record(*statements, record_id=record_id, said_at=at(day), author=ME, to=to, thread="t", **more)


def placed(readings: list[Reading], kind: Any, *ids: str, **fields: Any) -> Correction:
    """A correction as it is once a run has placed it against these readings."""
    correction = Correction(kind, "".join(ids), id=FIRST, at=MADE_AT, **fields)
    [placement] = corrections.placed(readings, fold(readings, (), NOW), [correction], KEY)
    places = {place.record: frozenset(place.marks) for place in placement.places}
    return replace(correction, about=placement.about or "", places=places, placed=True)


def folded(readings: list[Reading], *several: Correction) -> Memory:
    return fold(readings, several, NOW, key=KEY)


def first_id(reading: Reading, number: int = 0) -> str:
    return statement_id(reading, reading.statements[number])


# --- ids ---------------------------------------------------------------------------------------------------------


def test_the_same_words_twice_in_a_record_have_two_ids_and_what_is_added_below_changes_none() -> None:
    again = replace(DECK, quotes=(Quote(3, DECK.quotes[0].text),))
    short, long = mail(DECK), mail(again, DECK)
    assert first_id(short) == statement_id(long, DECK)
    assert statement_id(long, DECK) != statement_id(long, again)
    more = mail(DECK, promise(ME, "the lease"), again, replace(DECK, quotes=(Quote(9, DECK.quotes[0].text),)))
    assert [statement_id(more, each) for each in (DECK, again)] == [statement_id(long, each) for each in (DECK, again)]


def test_the_ids_of_a_long_record_cost_what_it_has_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at, words_of = 0, statements._words_of

    def counting(statement: Any) -> list[str]:
        nonlocal looked_at
        looked_at += 1
        return words_of(statement)

    chat = mail(*(promise(ME, f"the deck {number}") for number in range(100)))
    monkeypatch.setattr(statements, "_words_of", counting)
    memory = fold([chat], (), NOW)
    assert len({each for loop in memory.loops for each in loop.statements}) == 100
    assert looked_at <= 3 * 100


# --- loops -------------------------------------------------------------------------------------------------------

#: What another reader, or another version of one, may make of the same sentence.
WORDINGS = {
    "another object": replace(DECK, object="deck with the prices"),
    "an article": replace(DECK, object="price deck"),
    "a request": request(ANN, "the price deck", (ME,)),
    "another quote": replace(DECK, quotes=(Quote(0, "I will do it: the price deck, promised"),)),
    "marks and case": replace(DECK, object="the deck", quotes=(Quote(0, "i will do it - The price deck."),)),
}


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("kind", ["wrong", "not_a_task"])
def test_what_is_wrong_does_not_come_back_in_other_words(kind: str, wording: str) -> None:
    before = [mail(DECK)]
    correction = placed(before, kind, first_id(before[0]))
    assert folded(before, correction).loops == ()
    assert folded([mail(WORDINGS[wording])], correction).loops == ()


@pytest.mark.parametrize("wording", WORDINGS)
def test_what_is_done_stays_done_in_other_words(wording: str) -> None:
    before = [mail(DECK)]
    correction = placed(before, "done", first_id(before[0]))
    assert [loop.state for loop in folded([mail(WORDINGS[wording])], correction).loops] == ["delivered"]


def test_another_promise_of_the_same_record_stays() -> None:
    lease = promise(ME, "the lease", (ANN,))
    both = [mail(DECK, lease)]
    for kind in ("wrong", "not_a_task", "done"):
        memory = folded(both, placed(both, kind, first_id(both[0])))
        assert [loop.object for loop in memory.open_loops()] == ["the lease"], kind


def test_two_promises_of_one_sentence_are_told_apart_by_what_they_are_about() -> None:
    sentence = (Quote(0, "I'll send the deck and sign the lease"),)
    deck, lease = replace(DECK, quotes=sentence), promise(ME, "the lease", (ANN,))
    both = [mail(deck, replace(lease, quotes=sentence))]
    memory = folded(both, placed(both, "done", first_id(both[0])))
    assert [(loop.object, loop.state) for loop in memory.loops] == [
        ("the price deck", "delivered"),
        ("the lease", "open"),
    ]


def test_a_loop_that_several_records_repeat_is_wrong_in_all_of_them() -> None:
    both = [mail(DECK), mail(DECK, record_id="m2", day=21)]
    correction = placed(both, "wrong", first_id(both[0]))
    assert folded(both, correction).loops == ()
    assert folded(both[1:], correction).loops == (), "the purge of one record leaves the correction of the other"


def test_newer_evidence_is_told_again_and_marked() -> None:
    before = [mail(DECK)]
    correction = placed(before, "wrong", first_id(before[0]))
    newer = mail(DECK, record_id="m2", day=25)
    [loop] = folded([*before, newer], correction).loops
    assert (loop.state, loop.again) == ("open", True)
    assert [place.record_id for place in loop.evidence] == ["m2"]
    [other] = folded([mail(promise(ME, "the lease"), record_id="m3")], correction).loops
    assert not other.again


def test_a_promise_that_is_made_again_after_it_was_done_is_open() -> None:
    before = [mail(DECK)]
    correction = placed(before, "done", first_id(before[0]))
    again = mail(DECK, record_id="m2", day=25)
    assert [loop.state for loop in folded([*before, again], correction).open_loops()] == ["open"]


def test_a_chat_that_goes_on_in_the_same_record_is_newer_evidence() -> None:
    before = [mail(DECK)]
    correction = placed(before, "not_a_task", first_id(before[0]))
    later = replace(DECK, quotes=(Quote(5, DECK.quotes[0].text),))
    chat = before[0]._replace(statements=(DECK, later), cited={**before[0].cited, 5: (ME, (ANN,), at(26))})
    [loop] = folded([chat], correction).loops
    assert loop.since == at(26)


def test_a_task_that_is_touched_stays_no_task() -> None:
    before = [item("Call the landlord", record_id="t1")]
    correction = placed(before, "not_a_task", first_id(before[0]))
    touched = item("Call the landlord today", record_id="t1", said_at=at(26))
    assert folded([touched], correction).loops == ()


def test_not_mine_and_later_hold_in_other_words() -> None:
    before = [mail(DECK)]
    other = [mail(WORDINGS["an article"])]
    [disowned] = folded(other, placed(before, "not_mine", first_id(before[0]))).loops
    assert (disowned.owner, disowned.direction) == (None, "others")
    later = placed(before, "snooze", first_id(before[0]), until="2026-12-02")
    assert folded(other, later).open_loops() == ()
    assert len(fold(other, (later,), "2026-12-02 08:00 +00:00", key=KEY).open_loops()) == 1


# --- facts and decisions -----------------------------------------------------------------------------------------


def budget(value: str, record_id: str, by: Person, subject: str = "Falcon", **more: Any) -> Reading:
    return record(fact(subject, "budget", value, by), record_id=record_id, author=by, said_at=at(20), **more)


def test_a_contradiction_that_is_wrong_is_gone_with_the_records_that_said_it() -> None:
    readings = [budget("40000", "f1", ANN), budget("55000", "f2", BOB)]
    [contradiction] = folded(readings).contradictions
    correction = placed(readings, "wrong", contradiction.id)
    assert folded(readings, correction).contradictions == ()
    newer = [budget("60000", "f3", ANN), budget("70000", "f4", BOB)]
    [again] = folded([*readings, *newer], correction).contradictions
    assert again.again
    assert {side.value for side in again.sides} == {"60000", "70000"}


def test_another_fact_of_the_same_sentence_stays() -> None:
    sentence = (Quote(0, "The Falcon budget is 40k and the fee is 5k"),)
    readings = [
        record(
            Fact("Falcon", "budget", "40000", "EUR", (), sentence, by=ANN),
            Fact("Falcon", "fee", "5000", "EUR", (), sentence, by=ANN),
            record_id="f1",
            author=ANN,
        ),
        record(fact("Falcon", "fee", "7000", BOB), record_id="f2", author=BOB),
    ]
    correction = placed(readings, "wrong", first_id(readings[0]))
    assert [contradiction.attribute for contradiction in folded(readings, correction).contradictions] == ["fee"]
    renamed = Fact("the Falcon project", "cost", "40000", "EUR", (), sentence, by=ANN)
    reread = [
        readings[0]._replace(statements=(renamed,)),
        record(fact("the Falcon project", "cost", "9", BOB), author=BOB),
    ]
    assert folded(reread, correction).contradictions == (), "the same sentence and value, whatever it is called"


def test_a_wrong_decision_is_no_decision() -> None:
    readings = [record(decision("launch on 3 March", "Falcon launch"), record_id="d1", author=ANN)]
    correction = placed(readings, "wrong", first_id(readings[0]))
    reread = [record(decision("we launch in March", "Falcon launch"), record_id="d1", author=ANN)]
    assert folded(readings, correction).decisions == folded(reread, correction).decisions == ()


# --- edges -------------------------------------------------------------------------------------------------------


def test_an_unknown_statement_changes_nothing_and_is_placed_nowhere() -> None:
    readings = [mail(DECK)]
    correction = placed(readings, "wrong", "0" * 16)
    assert correction.places == {}
    assert folded(readings, correction) == folded(readings)


def test_before_it_is_placed_a_correction_holds_by_its_id() -> None:
    readings = [mail(DECK)]
    assert folded(readings, Correction("wrong", first_id(readings[0]))).loops == ()


def test_a_mark_of_another_users_key_means_nothing() -> None:
    readings = [mail(WORDINGS["an article"])]
    correction = placed([mail(DECK)], "wrong", first_id(mail(DECK)))
    assert len(fold(readings, (correction,), NOW, key="77" * 32).loops) == 1


def test_the_order_of_records_and_corrections_makes_no_difference() -> None:
    readings = [mail(DECK), mail(promise(ME, "the lease"), record_id="m2"), item("Call Bob", record_id="t1")]
    correction = [
        replace(placed(readings, "done", first_id(readings[0])), id=FIRST),
        replace(placed(readings, "not_a_task", first_id(readings[2])), id=SECOND),
    ]
    wanted = fold(readings, correction, NOW, key=KEY)
    for seed in range(5):
        shuffled = random.Random(seed).sample(readings, 3)
        assert fold(shuffled, correction[:: 1 if seed % 2 else -1], NOW, key=KEY) == wanted


# --- people ------------------------------------------------------------------------------------------------------


def view(verdict: Any, person: str, other: str) -> CorrectionView:
    return CorrectionView(
        id="aaaaaaaa-0000-4000-8000-000000000001",
        verdict=verdict,
        person=person_digest(KEY, person),
        other=person_digest(KEY, other),
        made_at=MADE,
    )


def overlaid(readings: list[Reading], *views: CorrectionView) -> tuple[Memory, frozenset[str]]:
    overlay = Overlay(version="1", key=KEY, corrections=views)
    correction, unknown = corrections.given(overlay, readings, lambda _: MADE_AT)
    return fold(readings, correction, NOW, key=KEY), unknown


def test_two_addresses_become_one_person_by_their_digests() -> None:
    home = Person("A. L.", "ann@home.example")
    readings = [record(people=(ANN,)), record(people=(home,))]
    assert len(fold(readings, (), NOW).people) == 2
    memory, unknown = overlaid(readings, view("same_person", "address/ann@lee.example", "address/ann@home.example"))
    assert (len(memory.people), unknown) == (1, frozenset())


def test_people_whom_no_record_names_are_told_as_unknown() -> None:
    correction = view("same_person", "address/ann@lee.example", "address/nobody@nowhere.example")
    memory, unknown = overlaid([record(people=(ANN,))], correction)
    assert (len(memory.people), unknown) == (1, {correction.id})


def test_two_people_stay_two_in_whatever_order_their_records_come() -> None:
    shared = "house@lee.example"
    readings = [
        contact("ann", "Ann Lee", ANN.address, shared),
        contact("lou", "Anna Lee", "lou@lee.example", shared),
        record(people=(ANN, Person("Anna Lee", "lou@lee.example"))),
    ]
    assert Directory.of(readings).who(ANN) == Directory.of(readings).who(Person("", "lou@lee.example"))
    answers = set()
    for order in permutations(readings):
        memory, _ = overlaid(list(order), view("different_person", "contact/ann", "contact/lou"))
        who = memory.directory.who
        answers.add((who(ANN), who(Person("", "lou@lee.example")), who(Person("", shared))))
    assert len(answers) == 1
    ann, lou, _ = answers.pop()
    assert (ann, lou) == ("contact/ann", "contact/lou")


def test_somebody_with_the_users_name_is_not_the_user_once_they_say_so() -> None:
    namesake = Person("Mara Lind", "mara@other.example")
    readings = [profile("Mara Lind"), record(people=(namesake,))]
    assert Directory.of(readings).who(namesake) == "me"
    memory, _ = overlaid(readings, view("different_person", "me", "address/mara@other.example"))
    assert memory.directory.who(namesake) == "address/mara@other.example"


def test_what_corrections_cost_follows_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user of years has made thousands: each record is looked at once for all of them, not once for each."""
    made, identify = 0, StatementIds.of

    def counting(ids: StatementIds, statement: Any) -> str:
        nonlocal made
        made += 1
        return identify(ids, statement)

    readings = [mail(promise(ME, f"the deck {number}"), record_id=f"m{number}") for number in range(40)]
    given = [Correction("done", first_id(reading), id=f"c{number}") for number, reading in enumerate(readings)]
    monkeypatch.setattr(StatementIds, "of", counting)
    spoken_of = corrections.Corrected.of(readings, given, KEY)
    pairs_of_records = [(record[1], [each.id for each in about]) for record, _, about in spoken_of.pairs()]
    assert pairs_of_records == [(f"m{number}", [f"c{number}"]) for number in range(40)]
    assert made <= 3 * len(readings)
