"""What is open, what is closed, what contradicts: the life of statements."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consumer.understanding import encoding
from consumer.understanding.life import fold, stage_of
from consumer.understanding.memory import Correction, Loop, Memory
from consumer.understanding.moments import moment
from consumer.understanding.people import USER
from consumer.understanding.statements import CONVERSATION, Commitment, Due, Event, Quote, Reading, Request
from consumer.understanding.utterances import ME, UNKNOWN, Person
from tests.tables import table
from tests.unit.understanding.talks import (
    ANN,
    BOB,
    CAT,
    NOW,
    answer,
    at,
    contact,
    decision,
    event,
    fact,
    item,
    profile,
    promise,
    record,
    request,
    task,
)

ANN_ID, BOB_ID = "address/ann@lee.example", "address/bob@marsh.example"


def loops(*readings: Reading, now: str = NOW, corrections: tuple[Correction, ...] = ()) -> dict[str, Loop]:
    """Loops by object; where one replaced another, the later one."""
    return {loop.object: loop for loop in fold(readings, corrections, now).loops}


def states(*readings: Reading, **more: Any) -> dict[str, str]:
    return {what: loop.state for what, loop in loops(*readings, **more).items()}


def mail(
    *statements: Any, day: int = 20, hour: int = 9, author: Person = ME, to: Any = (ANN,), thread: str = "t"
) -> Reading:
    return record(*statements, said_at=at(day, hour), author=author, to=to, thread=thread)


@table(("newer", "expected"), [(2, 3), (3, 5)])
def test_a_statement_is_compared_with_the_newest_open_loops_alone(newer: int, expected: int) -> None:
    """Or a text of thousands of requests would cost every later hour."""
    first = mail(request(BOB, "the plan of quay 0", (ME,)), day=20, author=BOB, to=(ME,))
    others = [
        mail(request(BOB, f"the plan of quay {number}", (ME,)), day=20, hour=9 + number, author=BOB, to=(ME,))
        for number in range(1, newer + 1)
    ]
    again = mail(request(BOB, "the plan of quay 0", (ME,)), day=21, author=BOB, to=(ME,))
    with patch("consumer.understanding.life.loops.COMPARED", 3):
        assert len(fold([first, *others, again], (), NOW).loops) == expected


@table(
    ("words", "known", "direction"),
    [
        ("Cat, could you do it?", (CAT,), "others"),
        ("Cat could you do it?", (CAT,), "others"),
        ("Cat - please do it.", (CAT,), "others"),
        ("Hi Cat, could you do it?", (CAT,), "others"),
        # Nobody is called Cat, so it may be the user; or several are.
        ("Cat, could you do it?", (), "asked_of_you"),
        ("Cat, could you do it?", (CAT, Person("Cat Stone", "cat@stone.example")), ""),
        ("Could you do it, before Cat sees it?", (CAT,), "asked_of_you"),
        ("Cat will do it, could you help?", (CAT,), "asked_of_you"),
    ],
)
def test_a_message_to_the_user_that_calls_somebody_else_asks_them(
    words: str, known: tuple[Person, ...], direction: str
) -> None:
    asked = replace(request(BOB, "the plan", (ME,)), quotes=(Quote(0, words),))
    others = [mail(author=each, to=(ME,), thread=each.address) for each in known]
    memory = fold([*others, mail(asked, author=BOB, to=(ME,), thread="b")], (), NOW)
    assert [loop.direction for loop in memory.loops] == ([direction] if direction else [])


# --- 1: a task's own state is the only thing that closes it --------------------------------------------------------


@table(
    ("done", "open_"),
    [
        ("Call the landlord about the heating", "Call the landlord about the lease"),
        ("Send draft 2 to Ann", "Send draft 3 to Ann"),
        ("Call Ann", "Call Bob"),
        ("Pay the invoice of March", "Pay the invoice of April"),
        ("Book the venue", "Book the venue for the offsite"),
        ("Review the contract with Ann", "Review the contract with Bob"),
        ("Order chairs", "Order chairs and tables"),
        ("Sign the lease", "Sign the lease again"),
        ("Email Bob about the quay", "Email Bob about the pier"),
        ("Renew passport", "Renew passport photo"),
    ],
)
def test_a_done_task_closes_no_other(done: str, open_: str) -> None:
    assert states(item(done, "done"), item(open_, by="2026-11-29")) == {done: "delivered", open_: "open"}


@table("verdict", ["delivered", "received", "released", "declined", "accepted"])
@table("what", ["Send the quarterly report to the board", "the quarterly report", ""])
def test_no_words_close_a_task(verdict: str, what: str) -> None:
    mine = mail(answer(ME, verdict, what), day=25, thread="t")
    theirs = mail(answer(ANN, verdict, what), day=25, author=ANN, to=(ME,), thread="t")
    assert states(item("Send the quarterly report to the board", thread="t"), mine, theirs) == {
        "Send the quarterly report to the board": "open"
    }


def test_what_the_user_says_is_done_where_nobody_listens_closes_what_they_mean() -> None:
    def note(what: str) -> Reading:
        return record(answer(ME, "delivered", what), author=ME, said_at=at(25), source="chat_sessions", thread="chat:1")

    to_ann = mail(promise(ME, "the price deck", (ANN,)), day=20, thread="a")
    to_bob = mail(promise(ME, "the price deck", (BOB,)), day=20, thread="b")
    assert states(to_ann, note("the price deck")) == {"the price deck": "delivered"}
    assert states(to_ann, note("deck")) == {"the price deck": "open"}
    both = fold([to_ann, to_bob, note("the price deck")], (), NOW)
    assert [loop.state for loop in both.loops] == ["open", "open"]
    named = fold([to_ann, to_bob, note("the price deck for Ann")], (), NOW)
    assert sorted(loop.state for loop in named.loops) == ["delivered", "open"]


def test_tasks_of_one_title_each_have_their_own_state() -> None:
    memory = fold([item("Call Ann", "done"), item("Call Ann"), item("Call Ann", "dismissed")], (), NOW)
    assert sorted(loop.state for loop in memory.loops) == ["delivered", "open", "withdrawn"]


def test_a_promise_of_what_a_task_holds_is_told_once_and_lives_as_the_task_does() -> None:
    promised = mail(promise(ME, "book the venue", (ANN,)), day=19)
    memory = fold([item("Book the venue", by="2026-11-28"), promised], (), NOW)
    (loop,) = memory.loops
    assert (loop.kind, loop.state, len(loop.evidence)) == ("task", "open", 2)
    assert states(item("Book the venue", "done"), promised) == {"Book the venue": "delivered"}
    later = mail(promise(ME, "book the venue", (ANN,), by="2027-01-09"), day=26)
    assert states(item("Book the venue", "done", by="2026-11-20"), later) == {
        "Book the venue": "delivered",
        "book the venue": "open",
    }


@table(
    ("title", "what", "words", "joined"),
    [
        ("Sign or refuse the quay lease", "quay lease", "I will sign or refuse the quay lease by Monday.", True),
        ("Book the venue", "the venue", "I will book the venue tomorrow.", True),
        ("Sign the quay lease", "quay lease", "I will send the quay lease by Monday.", False),
        ("Book the venue for the offsite", "the venue", "I will book the venue tomorrow.", False),
        ("Call the landlord about the lease", "the lease", "I will send the lease.", False),
    ],
)
def test_a_promise_is_of_a_task_when_it_says_all_that_the_title_says(
    title: str, what: str, words: str, joined: bool
) -> None:
    promised = mail(Commitment(ME, (ANN,), what, (Quote(0, words),)))
    assert len(fold([item(title), promised], (), NOW).loops) == (1 if joined else 2)


REPORT = "the calibration report of probe four"
ANN_KNOWN = contact("ann", "Ann Lee", ANN.address)


def report_task(state: Any = "open") -> Reading:
    made = task(f"Send {REPORT} to Ann Lee", state, by="2026-11-29", people=(ANN,))
    return record(made, source="checklist_items", people=(ANN,), said_at=at(23))


def report_asked_for(what: str = REPORT, day: int = 22) -> Reading:
    asked = Request(ANN, (ME,), what, (Quote(0, "Could you send it?"),))
    return mail(asked, author=ANN, to=(ME,), day=day)


def report_promised(to: Person = ANN) -> Reading:
    return mail(Commitment(ME, (), REPORT, (Quote(0, "I'll send it."),)), to=(to,), day=23)


@table(
    "readings",
    [
        (report_task(), report_promised()),
        (report_task(), report_asked_for()),
        (report_task(), report_asked_for(), report_promised()),
        (report_task(), report_asked_for("the report"), report_promised()),
    ],
)
def test_what_is_asked_and_promised_to_the_one_whom_a_task_names_is_told_by_the_task(readings: Any) -> None:
    (loop,) = fold([ANN_KNOWN, *readings], (), NOW).loops
    assert (loop.kind, loop.state, loop.direction) == ("task", "open", "you_owe")


def test_a_promise_to_somebody_else_is_not_of_the_task() -> None:
    memory = fold([ANN_KNOWN, report_task(), report_promised(BOB)], (), NOW)
    assert sorted(loop.kind for loop in memory.loops) == ["commitment", "task"]


def test_who_asks_again_after_a_task_is_over_asks_anew() -> None:
    memory = fold([ANN_KNOWN, report_task("done"), report_asked_for(day=26)], (), NOW)
    assert sorted((loop.kind, loop.state) for loop in memory.loops) == [("request", "open"), ("task", "delivered")]


# --- 2, 4: promises, and what closes them --------------------------------------------------------------------------


def test_my_promise_is_mine_to_the_recipient_and_closes_nothing() -> None:
    earlier = mail(promise(ME, "the price deck", (ANN,), by="2026-11-23"), day=18)
    by_object = loops(earlier, mail(promise(ME, "the signed Harbor contract", (ANN,), by="2026-11-27"), day=24))
    loop = by_object["the signed Harbor contract"]
    assert (loop.owner, loop.beneficiaries, loop.direction) == (USER, (ANN_ID,), "you_owe")
    assert (loop.state, loop.stage, by_object["the price deck"].stage) == ("open", "due", "overdue")


def test_without_a_named_beneficiary_a_promise_is_to_those_it_was_said_to() -> None:
    loop = loops(mail(promise(ME, "the deck"), to=(ANN, BOB)))["the deck"]
    assert loop.beneficiaries == (ANN_ID, BOB_ID)


DECK = promise(ME, "the price deck", (ANN,), by="2026-11-23")
CLOSING = [
    (mail(answer(ME, "delivered", "the price deck"), day=22), "delivered"),
    (mail(answer(ME, "delivered", "deck"), day=22), "delivered"),
    (mail(answer(ME, "delivered"), day=22), "delivered"),
    (mail(answer(ME, "delivered", "the price deck"), day=20, hour=10), "delivered"),
    (mail(answer(ME, "delivered", "the price deck"), day=22, thread="another"), "delivered"),
    (mail(answer(ANN, "received", "the price deck"), day=22, author=ANN, to=(ME,)), "delivered"),
    (mail(answer(ANN, "received", "price deck"), day=22, author=ANN, to=(ME,), thread="another"), "delivered"),
    (mail(answer(ANN, "released"), day=22, author=ANN, to=(ME,)), "withdrawn"),
    (mail(answer(ANN, "released", "the price deck"), day=22, author=ANN, to=(ME,)), "withdrawn"),
    (mail(answer(ANN, "released", "the price deck"), day=22, author=ANN, to=(ME,), thread="another"), "withdrawn"),
    (mail(answer(ME, "declined", "the price deck"), day=22), "withdrawn"),
]
#: Another object, another person, another time, another place.
NOT_CLOSING = [
    mail(answer(ME, "delivered", "the price list"), day=22),
    mail(answer(ME, "delivered", "the deck for Harbor"), day=22),
    mail(answer(BOB, "delivered", "the price deck"), day=22, author=BOB, to=(ANN,)),
    mail(answer(ANN, "delivered", "the price deck"), day=22, author=ANN, to=(ME,)),
    mail(answer(BOB, "received", "the price deck"), day=22, author=BOB, to=(ME,)),
    mail(answer(BOB, "released", "the price deck"), day=22, author=BOB, to=(ME,)),
    mail(answer(ME, "delivered", "the price deck"), day=19),
    mail(answer(ME, "delivered", "the price deck"), day=22, to=(BOB,), thread="another"),
    mail(answer(ME, "delivered", "deck"), day=22, thread="another"),
    mail(answer(ME, "delivered"), day=22, thread="another"),
    mail(answer(ANN, "received"), day=22, author=ANN, to=(ME,)),
    mail(answer(UNKNOWN, "delivered", "the price deck"), day=22, author=UNKNOWN),
    mail(answer(ANN, "accepted"), day=22, author=ANN, to=(ME,)),
    mail(request(ANN, "has the price deck been sent", (ME,)), day=22, author=ANN, to=(ME,), thread="u"),
]


@table(("closing", "state"), CLOSING)
def test_a_promise_is_closed_by_the_right_person_with_the_same_object(closing: Reading, state: str) -> None:
    promised = mail(DECK)
    loop = loops(promised, closing)["the price deck"]
    assert (loop.state, loop.stage) == (state, "closed")
    assert [evidence.record_id for evidence in loop.closed_by] == [closing.record_id]
    assert states(promised) == {"the price deck": "open"}, "gone with the record that closed it"


@table("other", NOT_CLOSING)
def test_nothing_else_closes_it(other: Reading) -> None:
    loop = loops(mail(DECK), other)["the price deck"]
    assert (loop.state, loop.stage) == ("open", "overdue")


def test_an_answer_without_an_object_closes_what_was_said_just_before_and_only_that() -> None:
    first, second = mail(promise(ME, "the deck", (ANN,))), mail(promise(ME, "the lease", (ANN,)), day=21)
    attached = mail(answer(ME, "delivered"), day=22)
    assert states(first, second, attached) == {"the deck": "open", "the lease": "delivered"}
    both = mail(promise(ME, "the deck", (ANN,)), promise(ME, "the lease", (ANN,)))
    assert states(both, attached) == {"the deck": "open", "the lease": "open"}, "either may be meant"


def test_a_shorter_name_that_fits_two_closes_neither() -> None:
    two = [mail(promise(ME, f"the {which} deck", (ANN,))) for which in ("price", "launch")]
    assert set(states(*two, mail(answer(ME, "delivered", "deck"), day=22)).values()) == {"open"}


def test_in_one_record_the_order_of_the_text_decides() -> None:
    def chat(first: int, second: int) -> Reading:
        promised = replace(promise(ME, "the deck", (ANN,)), quotes=(Quote(first, "words"),))
        sent = replace(answer(ME, "delivered", "the deck"), quotes=(Quote(second, "words"),))
        to: tuple[Person, ...] = (ANN,)
        cited = {number: (ME, to, at(20)) for number in (first, second)}
        return record(promised, sent, thread="t")._replace(cited=cited)

    assert states(chat(1, 2)) == {"the deck": "delivered"}
    assert states(chat(2, 1)) == {"the deck": "open"}


def test_what_a_loop_tells_of_itself_is_what_it_tells_in_full() -> None:
    later, again = promise(ME, "price deck", (ANN,), by="2026-11-30"), promise(ME, "price deck", (ANN,))
    memory = fold([mail(DECK), mail(later, day=22), mail(again, day=23)], (), NOW)
    for loop in memory.loops:
        assert (loop.id, loop.moves) == (loop.statements[0], len(loop.supersedes))
        records = {record_id for _, record_id in loop.records}
        assert all(loop.rests_on({record_id}) for record_id in records)
        assert not loop.rests_on({"another"})
    first, second = memory.loops
    assert (first.moves, second.moves, len(second.statements)) == (0, 1, 2)


def test_promised_again_with_another_date_is_one_open_loop_and_a_change() -> None:
    memory = fold([mail(DECK), mail(promise(ME, "price deck", (ANN,), by="2026-11-30"), day=22)], (), NOW)
    first, second = memory.loops
    assert (first.state, second.state, second.supersedes) == ("superseded", "open", (first.id,))
    (change,) = memory.changes
    assert (change.kind, change.before, change.after) == ("due", "2026-11-23", "2026-11-30")
    assert len(change.evidence) == 2


def test_the_same_promise_in_a_chat_and_a_mail_is_one_loop() -> None:
    memory = fold([mail(DECK), mail(DECK, day=21, thread="chat")], (), NOW)
    (loop,) = memory.loops
    assert len(loop.statements) == 1 or len(loop.evidence) == 2


@table(("days", "due"), [(("2026-11-30", ""), "2026-11-30"), (("", "2026-11-30"), "2026-11-30"), (("", ""), None)])
def test_a_promise_that_is_said_again_has_the_day_that_it_was_given_once(days: Any, due: str | None) -> None:
    made = [promise(ME, "price deck", (ANN,), **({"by": day} if day else {})) for day in days]
    (loop,) = fold([mail(made[0], day=20), mail(made[1], day=21)], (), NOW).loops
    assert (loop.due and loop.due.day) == due


# --- requests ------------------------------------------------------------------------------------------------------


def test_what_several_are_asked_is_nobodys_until_one_accepts_it() -> None:
    asked = mail(request(ANN, "the lease draft", (ME, BOB)), author=ANN, to=(ME, BOB))
    assert loops(asked)["the lease draft"].direction == "others"
    assert loops(asked, mail(answer(ME, "accepted"), day=21))["the lease draft"].direction == "you_owe"
    own = mail(request(ME, "the lease draft", (ANN, BOB)), to=(ANN, BOB))
    assert loops(own)["the lease draft"].direction == "asked_by_you"


def test_a_request_is_no_promise_until_it_is_accepted() -> None:
    asked = mail(request(ANN, "the lease draft", (ME,), by="2026-12-03"), author=ANN, to=(ME,))
    before = loops(asked)["the lease draft"]
    assert (before.kind, before.direction, before.beneficiaries) == ("request", "asked_of_you", (ANN_ID,))
    after = loops(asked, mail(answer(ME, "accepted"), day=21))["the lease draft"]
    assert (after.kind, after.direction, after.due and after.due.day) == ("commitment", "you_owe", "2026-12-03")
    assert after.id == before.id


@table(
    ("reply", "state", "kind"),
    [
        (answer(ME, "declined"), "withdrawn", "request"),
        (answer(ME, "delivered"), "delivered", "request"),
        (answer(ME, "delivered", "the lease draft"), "delivered", "request"),
        (promise(ME, "the lease draft", (ANN,), by="2026-12-05"), "open", "commitment"),
        (answer(ME, "accepted", "the price list"), "open", "request"),
    ],
)
def test_what_becomes_of_a_request(reply: Any, state: str, kind: str) -> None:
    asked = mail(request(ANN, "the lease draft", (ME,)), author=ANN, to=(ME,))
    (loop,) = fold([asked, mail(reply, day=21)], (), NOW).loops
    assert (loop.state, loop.kind) == (state, kind)


def test_a_request_that_comes_from_two_addresses_of_one_sender_is_told_once() -> None:
    other = Person("Ann Lee", "ann@home.example")
    asked = [mail(request(who, "the lease draft", (ME,)), author=who, to=(ME,), thread="") for who in (ANN, other)]
    assert len(fold(asked, (), NOW).loops) == 1
    bob = mail(request(BOB, "the lease draft", (ME,)), author=BOB, to=(ME,), thread="")
    assert len(fold([asked[0], bob], (), NOW).loops) == 2


@table(
    ("what", "thread", "directions"),
    [
        # Ann's answer holds Max's words without a mark of a quote.
        ("the signed lease of the north quay", "t", ["asked_by_you"]),
        ("it", "t", ["asked_by_you", "asked_of_you"]),
        ("the signed lease of the north quay", "other", ["asked_by_you", "asked_of_you"]),
    ],
)
def test_the_same_words_in_one_conversation_are_those_of_whoever_wrote_them_first(
    what: str, thread: str, directions: list[str]
) -> None:
    again = mail(request(ANN, what, (ME,)), day=21, author=ANN, to=(ME,), thread=thread)
    memory = fold([again, mail(request(ME, what, (ANN,)))], (), NOW)
    assert sorted(loop.direction for loop in memory.loops) == directions


def test_what_i_ask_of_others_is_not_mine_to_do() -> None:
    assert loops(mail(request(ME, "the numbers", (ANN,))))["the numbers"].direction == "asked_by_you"


def test_asking_again_for_what_is_promised_opens_nothing() -> None:
    reminder = mail(request(ANN, "the price deck", (ME,)), day=22, author=ANN, to=(ME,))
    assert states(mail(DECK), reminder) == {"the price deck": "open"}


# --- 8: whose it is ------------------------------------------------------------------------------------------------


def test_in_a_transcript_each_promise_is_its_speakers() -> None:
    mara, bob = Person("Mara"), Person("Bob")
    talk = record(
        promise(bob, "the numbers"),
        promise(mara, "the room"),
        source="granola_transcripts",
        people=(Person("Bob Marsh"), Person("Mara Lind")),
    )
    by_object = loops(talk, profile("Mara Lind"))
    assert by_object["the numbers"].direction == "owed_to_you"
    assert by_object["the numbers"].owner == "name/bob marsh"
    assert by_object["the room"].direction == "you_owe"


def test_a_promise_between_others_is_theirs_and_one_of_nobody_is_none() -> None:
    between = record(promise(ANN, "the numbers", (BOB,)), author=ANN, to=(BOB,))
    assert loops(between)["the numbers"].direction == "others"
    assert loops(record(promise(UNKNOWN, "the numbers"))) == {}


def test_a_machines_words_have_no_owner() -> None:
    shop = Person("Shop", "no-reply@shop.example")
    assert loops(record(promise(shop, "a free mug", (ME,)), author=shop, to=(ME,), machines=(shop,))) == {}


# --- time ----------------------------------------------------------------------------------------------------------


@table(
    ("now", "day", "time", "stage"),
    [
        ("2026-11-27 20:10 -08:00", "2026-11-27", "", "due"),
        ("2026-11-27 20:10 -08:00", "2026-11-27", "17:00", "overdue"),
        ("2026-11-27 20:10 -08:00", "2026-11-27", "23:30", "due"),
        ("2026-11-26 20:10 -08:00", "2026-11-27", "", "due"),
        ("2026-11-26 20:10 -08:00", "2026-11-27", "21:00", "open"),
        ("2026-11-26 20:10 -08:00", "2026-11-27", "17:00", "due"),
        ("2026-11-25 20:10 -08:00", "2026-11-27", "", "open"),
        ("2026-11-28 00:10 -08:00", "2026-11-27", "", "overdue"),
        ("2026-12-31 23:59 +14:00", "2027-01-01", "", "due"),
        ("2026-11-27 20:10 -08:00", "", "", "open"),
    ],
)
def test_due_and_overdue_are_on_the_users_clock(now: str, day: str, time: str, stage: str) -> None:
    reading = item("Call", by=day) if day else item("Call")
    if time:
        statement = task("Call", by=day)
        due = statement.due
        assert due is not None
        reading = reading._replace(statements=(type(statement)(
            "Call", "open", statement.quotes, due=due._replace(time=time)),))  # fmt: skip
    assert loops(reading, now=now)["Call"].stage == stage


@table(
    ("now", "stage"),
    [
        ("2026-11-24 20:10", "open"),
        ("2026-11-25 20:10", "due"),
        ("2026-11-26 23:59", "due"),
        ("2026-11-27 00:00", "overdue"),
    ],
)
def test_before_friday_it_is_overdue_when_friday_begins(now: str, stage: str) -> None:
    assert stage_of(Due("2026-11-27", "", "Friday", "relative", before=True), "open", now) == stage


def test_times_of_two_zones_are_compared_as_instants() -> None:
    assert moment("2026-11-27 23:30 -08:00").minute == moment("2026-11-28 07:30 +00:00").minute
    assert moment("2026-11-27 09:00 +05:30").minute == moment("2026-11-27 03:30 +00:00").minute
    assert moment("2026-11-27").not_before(moment("2026-11-27 09:00 +00:00"))
    assert not moment("").not_before(moment("2026-11-27"))
    assert moment("nonsense").day == ""


def test_an_undated_promise_is_remembered_for_a_while_and_a_task_until_it_is_done() -> None:
    promised = mail(promise(ME, "the deck", (ANN,)))
    assert states(promised, now="2027-01-04 09:00 +00:00") == {"the deck": "open"}
    assert states(promised, item("Call"), now="2027-01-05 09:00 +00:00") == {"the deck": "lapsed", "Call": "open"}


def test_a_dated_promise_lapses_long_after_its_day_unless_somebody_speaks_of_it() -> None:
    promised = mail(promise(ME, "the deck", (ANN,), "2027-01-10"))
    assert states(promised, now="2027-02-24 09:00 +00:00") == {"the deck": "open"}
    assert states(promised, now="2027-02-25 09:00 +00:00") == {"the deck": "lapsed"}
    repeated = [mail(promise(ME, "the deck", (ANN,), "2026-11-22"), day=day) for day in (21, 29)]
    assert states(*repeated, now="2027-01-13 09:00 +00:00") == {"the deck": "open"}
    assert states(*repeated, now="2027-01-14 09:00 +00:00") == {"the deck": "lapsed"}
    assert states(item("Call", by="2026-11-22"), now="2027-02-25 09:00 +00:00") == {"Call": "open"}


def test_what_belongs_to_an_event_lapses_soon_after_it_unless_somebody_speaks_of_it() -> None:
    asked = replace(request(ANN, "which table you want", (ME,)), event_day="2026-11-27")
    invitation = mail(asked, author=ANN, to=(ME,))
    for day, state in ((29, "open"), (30, "lapsed")):
        assert states(invitation, now=at(day)) == {"which table you want": state}
    again = mail(request(ANN, "which table you want", (ME,)), author=ANN, to=(ME,), day=28)
    assert states(invitation, again, now=at(30)) == {"which table you want": "open"}
    accepted = mail(answer(ME, "accepted", to=(ANN,)), day=21)
    assert states(invitation, accepted, now=at(29)) == {"which table you want": "open"}
    assert states(invitation, accepted, now=at(30)) == {"which table you want": "lapsed"}


# --- 30: meetings --------------------------------------------------------------------------------------------------


def meeting(title: str, starts: str, *people: Person, said_at: str = at(20), **more: Any) -> Reading:
    return record(event(title, starts, people, **more), source="activity_events", said_at=said_at)


@table(
    ("prepare", "state"),
    [
        ("Prepare slides for the Harbor review", "lapsed"),
        ("Agenda Harbor review", "lapsed"),
        ("Prepare slides for the Quay review", "open"),
        ("Call Harbor", "open"),
    ],
)
@table("by", ["", "2026-11-29", "2026-11-30"])
def test_preparing_a_meeting_that_was_cancelled_lapses(prepare: str, state: str, by: str) -> None:
    cancelled = meeting("Harbor review", "2026-11-30 15:00 +00:00", ANN, key="k", version=2, state="cancelled")
    planned = meeting("Harbor review", "2026-11-30 15:00 +00:00", ANN, key="k", version=1)
    assert states(item(prepare, by=by), planned, cancelled) == {prepare: state}
    assert states(item(prepare, by=by), planned) == {prepare: "open"}


def test_what_is_due_after_it_or_moved_with_it_stays() -> None:
    cancelled = meeting("Harbor review", "2026-11-30 15:00 +00:00", ANN, key="k", state="cancelled")
    again = meeting("Harbor review", "2026-12-04 15:00 +00:00", ANN, key="l")
    assert states(item("Notes of the Harbor review", by="2026-12-01"), cancelled) == {
        "Notes of the Harbor review": "open"
    }
    assert states(item("Slides for the Harbor review"), cancelled, again) == {"Slides for the Harbor review": "open"}


@table(
    ("first", "second", "number"),
    [
        (("Sync", "2026-11-30 15:00 +00:00", ANN), ("Call with Ann", "2026-11-30 15:10 +00:00", ANN), 1),
        (("Sync", "2026-11-30 15:00 +00:00", ANN), ("Sync", "2026-11-30 16:10 +01:00", ANN), 1),
        (("Sync", "2026-11-30 15:00 +00:00", ANN), ("Sync", "2026-11-30 15:11 +00:00", ANN), 2),
        (("Sync", "2026-11-30 15:00 +00:00", ANN), ("Sync", "2026-11-30 15:00 +00:00", BOB), 2),
        (("Sync", "2026-11-30 15:00 +00:00"), ("Sync", "2026-11-30 15:00 +00:00"), 2),
        (("Sync", "2026-11-30 15:00 +00:00", ME), ("Sync", "2026-11-30 15:00 +00:00", ME), 2),
        (("Sync", "2026-11-30", ANN), ("Sync", "2026-11-30", ANN), 2),
        (("Sync", "", ANN), ("Sync", "", ANN), 2),
    ],
)
def test_two_records_are_one_meeting_by_start_and_attendees(first: Any, second: Any, number: int) -> None:
    assert len(fold([meeting(*first), meeting(*second)], (), NOW).meetings) == number


@table("seed", range(300))
def test_the_next_meetings_are_those_of_all_meetings(seed: int) -> None:
    """However meetings follow each other across midnight, on whatever clock they are told."""
    dice = random.Random(seed)
    minute, several = 27 * 1440 - dice.choice([25, 15, 3 * 1440, 6 * 1440]), []
    for _ in range(dice.randint(1, 8)):
        minute += dice.choice([0, 4, 9, 9, 10, 11, 1400, 4000])
        day, hour = minute // 1440, f"{minute // 60 % 24:02}:{minute % 60:02}"
        zone = dice.choice(["+00:00", "+00:00", "+00:00", "+14:00", "-12:00"])
        starts = f"2026-11-{day}" if dice.random() < 0.1 else f"2026-11-{day} {hour} {zone}"
        key, version = dice.choice(["", "", "", "k", "l"]), dice.randint(0, 3)
        state = dice.choice(["planned", "planned", "planned", "cancelled"])
        several.append(meeting("Sync", starts, dice.choice([ANN, ANN, BOB]), key=key, version=version, state=state))
    memory, other = fold(several, (), NOW), fold(several, (), NOW)
    wanted = [each for each in other.meetings if each.state == "planned" and each.starts[:10] >= NOW[:10]]
    assert list(memory.upcoming()) == wanted


def test_a_calendar_id_is_one_meeting_and_its_move_is_a_development() -> None:
    old = meeting("Sync", "2026-11-30 15:00 +00:00", ANN, key="k", version=1, organizer=ANN)
    new = meeting("Sync", "2026-12-01 15:00 +00:00", ANN, key="k", version=2, organizer=ANN)
    memory = fold([new, old], (), NOW)
    (sync,) = memory.meetings
    (change,) = memory.changes
    assert sync.starts == "2026-12-01 15:00 +00:00"
    assert (change.before, change.after, change.who) == ("2026-11-30 15:00 +00:00", sync.starts, ANN_ID)
    assert not memory.contradictions
    assert memory.upcoming() == (sync,)


@table(
    "named",
    [
        meeting("Sync", "2026-11-30 15:00 +00:00", Person("JO LUND")),
        meeting("Sync", "2026-11-30 15:00 +00:00", ANN, organizer=Person("JO LUND")),
        record(event("Sync", "2026-11-30 15:00 +00:00"), author=Person("JO LUND"), to=(ME,)),
        record(decision("to run", "the race", (Person("JO LUND"),)), author=ANN, to=(ME,)),
        record(decision("to run", "the race", (ANN,)), author=Person("JO LUND"), to=(ME,)),
    ],
)
def test_who_is_nobody_known_is_written_one_way_before_all_is_asked_for(named: Reading) -> None:
    promised = record(promise(Person("Jo Lund"), "the deck"), author=Person("Jo Lund"), to=(ME,))
    memory = fold([promised, named], (), NOW)
    (loop,) = memory.loops
    assert loop.owner
    assert memory.directory.name(loop.owner) == "JO LUND"
    assert memory.meetings or memory.decisions
    assert memory.directory.name(loop.owner) == "JO LUND"


# --- 14, 15: facts -------------------------------------------------------------------------------------------------


def facts(*several: Any, author: Person = UNKNOWN, day: int = 20, to: tuple[Person, ...] = ()) -> Reading:
    return record(*several, said_at=at(day), author=author, to=to)


Q1, Q2 = {"period": "2027-Q1"}, {"period": "2027-Q2"}
HERE = {CONVERSATION: "mail/1"}
FORTY, FIFTY = fact("Falcon", "budget", "40000", scope=Q1), fact("Falcon", "budget", "55000", scope=Q1)


@table(
    ("readings", "contradictions", "changes"),
    [
        ([facts(FORTY, author=ANN), facts(FIFTY, author=BOB, day=22)], 1, 0),
        ([facts(FORTY, author=ANN), facts(fact("falcon", "Budget", "55000", scope=Q1), author=BOB, day=22)], 1, 0),
        ([facts(FORTY), facts(FIFTY, day=22)], 1, 0),
        ([facts(FORTY, author=ANN), facts(FORTY, author=BOB, day=22)], 0, 0),
        ([facts(FORTY, author=ANN), facts(fact("Falcon", "budget", "55000", scope=Q2), author=BOB)], 0, 0),
        ([facts(FORTY, author=ANN), facts(fact("Falcon", "cost", "55000", scope=Q1), author=BOB)], 0, 0),
        ([facts(FORTY, author=ANN), facts(fact("Falcon", "budget", "5", scope=Q1, unit="people"), author=BOB)], 0, 0),
        ([facts(FORTY, author=ANN), facts(fact("Heron", "budget", "55000", scope=Q1), author=BOB)], 0, 0),
        # A value of nothing named disagrees with its own conversation only.
        ([facts(fact("budget", "budget", "40000", scope=HERE), author=ANN),
          facts(fact("budget", "budget", "55000", scope={CONVERSATION: "mail/2"}), author=BOB)], 0, 0),
        ([facts(fact("budget", "budget", "40000", scope=HERE), author=ANN),
          facts(fact("budget", "budget", "55000", scope=HERE), author=BOB, day=22)], 1, 0),
        # Who says it anew knows that it changed.
        ([facts(FORTY, author=ANN), facts(FIFTY, author=ANN, day=22)], 0, 1),
        # Somebody else says from when the new value holds.
        ([facts(FORTY, author=ANN),
          facts(fact("Falcon", "budget", "55000", scope=Q1, valid_from="2026-11-22"), author=BOB, day=22)], 0, 1),
        # Or names both in one breath, before whoever said the first, or of their own. A stranger may be wrong.
        ([facts(FORTY, author=ANN), facts(FORTY, FIFTY, author=BOB, day=22, to=(ANN,))], 0, 1),
        ([facts(FORTY, author=ANN), facts(FORTY, FIFTY, author=ANN, day=22)], 0, 1),
        ([facts(FORTY, author=ANN), facts(FORTY, FIFTY, author=BOB, day=22)], 1, 0),
        # The first voice comes round.
        ([facts(FORTY, author=ANN), facts(FIFTY, author=BOB, day=22), facts(FIFTY, author=ANN, day=23)], 0, 1),
        # The deadline of an earlier year; a value of years ago is no side of a dispute.
        ([facts(fact("abstracts", "deadline", "2026-11-10"), author=ANN, day=2),
          facts(fact("abstracts", "deadline", "2027-11-12"), author=BOB, day=22)], 0, 0),
        ([facts(fact("abstracts", "deadline", "2026-11-10"), author=ANN, day=2),
          facts(fact("abstracts", "deadline", "2027-11-12"), author=ANN, day=22)], 0, 0),
        ([record(FORTY, said_at="2024-11-20 09:00", author=ANN), facts(FIFTY, author=BOB)], 0, 1),
        # A list of values in one text.
        ([facts(fact("Version", "version", "1.2"),
                fact("Version", "version", "1.0"), author=ANN)], 0, 0),
        # Before it was said nobody could know.
        ([facts(FORTY, author=ANN, day=23),
          facts(fact("Falcon", "budget", "55000", scope=Q1, valid_from="2026-11-01"), author=BOB, day=22)], 1, 0),
    ],
)  # fmt: skip
def test_values_agree_develop_or_contradict(readings: list[Reading], contradictions: int, changes: int) -> None:
    memory = fold(readings, (), NOW)
    assert (len(memory.contradictions), len(memory.changes)) == (contradictions, changes)
    for contradiction in memory.contradictions:
        assert {side.value for side in contradiction.sides} == {"40000", "55000"}
        assert all(side.evidence for side in contradiction.sides)
    for change in memory.changes:
        assert (change.before, change.after) == ("40000 EUR", "55000 EUR")


def test_a_later_decision_about_the_same_takes_the_place_of_the_earlier() -> None:
    first, second = decision("launch on 3 March", "Falcon launch"), decision("launch on 9 March", "Falcon launch")
    old, new = fold([facts(first), facts(second, day=22)], (), NOW).decisions
    assert (old.replaced_by, new.replaced_by) == (new.id, "")


# --- corrections ---------------------------------------------------------------------------------------------------


def test_the_users_word_counts_most() -> None:
    promised = mail(DECK)
    (loop,) = fold([promised], (), NOW).loops
    ids = loop.statements
    assert states(promised, corrections=(Correction("done", ids[0]),)) == {"the price deck": "delivered"}
    assert states(promised, corrections=(Correction("wrong", ids[0]),)) == {}
    disowned = loops(promised, corrections=(Correction("not_mine", ids[0]),))["the price deck"]
    assert (disowned.owner, disowned.direction) == (None, "others")
    later = Correction("snooze", ids[0], until="2026-12-02")
    assert fold([promised], (later,), NOW).open_loops() == ()
    assert len(fold([promised], (later,), "2026-12-02 08:00 +00:00").open_loops()) == 1


def test_joining_two_people_joins_what_they_promised() -> None:
    home = Person("A. L.", "ann@home.example")
    readings = [mail(DECK), mail(answer(home, "released", "the price deck"), day=22, author=home, to=(ME,), thread="x")]
    assert states(*readings) == {"the price deck": "open"}
    joined = Correction("same_person", ANN_ID, "address/ann@home.example")
    assert states(*readings, corrections=(joined,)) == {"the price deck": "withdrawn"}


# --- people --------------------------------------------------------------------------------------------------------


def test_people_are_those_that_headers_name_without_the_user_and_machines() -> None:
    shop = Person("Shop", "no-reply@shop.example")
    readings = [
        record(people=(ANN, Person("Mara Lind")), said_at=at(25)),
        record(people=(Person("Lee, Ann", ANN.address),), said_at=at(3)),
        record(people=(shop,), machines=(shop,)),
        profile("Mara Lind"),
    ]
    (seen,) = fold(readings, (), NOW).people
    assert (seen.id, seen.records, seen.lately, seen.last_day) == (ANN_ID, 2, 1, "2026-11-25")


# --- the law -------------------------------------------------------------------------------------------------------

_people = st.sampled_from([ME, ANN, BOB, CAT, Person("Ann"), Person("Bob Marsh"), UNKNOWN])
_objects = st.sampled_from(["the deck", "the price deck", "the lease", "deck"])
_days = st.sampled_from(["", "2026-11-25", "2026-12-01"])
_to = st.lists(_people, max_size=2).map(tuple)
_statement = st.one_of(
    st.builds(promise, _people, _objects, _to, _days),
    st.builds(request, _people, _objects, _to, _days),
    st.builds(answer, _people, st.sampled_from(["accepted", "declined", "delivered", "received", "released"]),
              st.sampled_from(["", "the deck", "deck"])),
    st.builds(task, _objects, st.sampled_from(["open", "done", "dismissed"]), _days, _people),
    st.builds(fact, st.just("Falcon"), st.just("budget"), st.sampled_from(["1", "2", "3"])),
    st.builds(decision, _objects, st.sampled_from(["", "Falcon"])),
    st.builds(event, _objects, st.sampled_from(["2026-11-30 15:00 +00:00", "2026-11-30 15:08 +00:00", ""]), _to,
              st.sampled_from(["planned", "cancelled"]), key=st.sampled_from(["", "k"]), version=st.integers(0, 2)),
)  # fmt: skip
_reading = st.builds(
    record,
    said_at=st.sampled_from([at(18), at(20), at(20, 10), "2026-11-20", ""]),
    author=_people,
    to=_to,
    thread=st.sampled_from(["", "t", "u"]),
    source=st.sampled_from(["inbound_messages", "checklist_items", "contacts", "user_profiles"]),
)
_readings = st.lists(st.tuples(_reading, st.lists(_statement, max_size=3)), max_size=10).map(
    lambda rows: [
        reading._replace(record_id=f"r{number}", statements=tuple(several),
                     cited={0: (ANN if number % 2 else ME, (BOB,), reading.said_at)})
        for number, (reading, several) in enumerate(rows)
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(_readings, st.integers(0, 10_000), st.integers(0, 10))
def test_any_order_and_any_split_into_increments_gives_the_same_memory(
    readings: list[Reading], seed: int, cut: int
) -> None:
    whole = fold(readings, (), NOW)
    shuffled = random.Random(seed).sample(readings, len(readings))
    stored: dict[tuple[str, str], bytes] = {}
    for increment in (shuffled[:cut], shuffled[cut:], shuffled[:1]):
        stored |= {(reading.source, reading.record_id): encoding.encode(reading) for reading in increment}
    again = [encoding.decode(*key, data) for key, data in stored.items()]
    assert sorted(again) == sorted(readings) if not readings else len(again) == len(readings)
    assert fold(again, (), NOW) == whole


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(_readings)
def test_a_reading_comes_back_from_its_bytes(readings: list[Reading]) -> None:
    for reading in readings:
        assert encoding.decode(reading.source, reading.record_id, encoding.encode(reading)) == reading


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(_readings)
def test_what_is_put_together_when_it_is_asked_for_is_the_same_in_any_order(readings: list[Reading]) -> None:
    first, last = fold(readings, (), NOW), fold(readings, (), NOW)
    asked = first.meetings, first.decisions, [loop.basis for loop in first.loops]
    names = {who: first.directory.name(who) for who in _who_is_told(first)}
    basis = [loop.basis for loop in reversed(last.loops)]
    assert {who: last.directory.name(who) for who in _who_is_told(last)} == names
    assert (last.meetings, last.decisions, basis[::-1]) == asked
    assert {who: last.directory.name(who) for who in _who_is_told(last)} == names
    speakers = {words.by for each in asked[2] for words in (*each.evidence, *each.closed_by) if words.by}
    unasked = fold(readings, (), NOW).directory
    assert {who: unasked.name(who) for who in speakers} == {who: last.directory.name(who) for who in speakers}


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(_readings)
def test_a_loops_records_are_those_of_its_evidence(readings: list[Reading]) -> None:
    for loop in fold(readings, (), NOW).loops:
        assert loop.records == tuple(dict.fromkeys((words.source, words.record_id) for words in loop.evidence))


def _who_is_told(memory: Memory) -> set[str]:
    several = ((loop.owner, *loop.asked, *loop.beneficiaries) for loop in memory.loops)
    return {who for each in several for who in each if who is not None}


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(_readings, _readings)
def test_strangers_who_say_the_same_change_nothing(readings: list[Reading], others: list[Reading]) -> None:
    """Loops are looked for by person, object and conversation; what these keep apart never meets."""
    whole = fold([*readings, *map(_of_strangers, others)], (), NOW)
    mine = {(reading.source, reading.record_id) for reading in readings}
    alone = fold(readings, (), NOW)
    assert [loop for loop in whole.loops if (loop.evidence[0].source, loop.evidence[0].record_id) in mine] == list(
        alone.loops
    )


def _of_strangers(reading: Reading) -> Reading:
    """A mail with the same statements, between two people whom no other record names."""
    yan, zoe = Person("Yan Qi", "yan@qi.example"), Person("Zoe Ray", "zoe@ray.example")
    named = {"owner": yan, "asker": zoe, "by": zoe}
    nobody = dict.fromkeys(("beneficiaries", "asked", "to", "people", "who"), ())
    statements = []
    for statement in reading.statements:
        if not isinstance(statement, Event):
            others: dict[str, Any] = {
                name: who for name, who in {**named, **nobody}.items() if hasattr(statement, name)
            }
            statements.append(replace(statement, **others))
    return reading._replace(
        source="outside",
        thread=f"strangers {reading.thread}",
        people=(yan, zoe),
        statements=tuple(statements),
        cited=dict.fromkeys(reading.cited, (yan, (zoe,), reading.said_at)),
    )


def test_memories_of_other_words_are_not_equal() -> None:
    first, second = (
        mail(Commitment(ME, (ANN,), "the deck", (Quote(0, words),))) for words in ("I will.", "I'll do it.")
    )
    second = second._replace(record_id=first.record_id)
    assert fold([first], (), NOW) == fold([first], (), NOW) != fold([second], (), NOW)


def test_only_what_prepares_the_cancelled_meeting_lapses_among_many() -> None:
    cancelled = [
        meeting(f"{name} review", "2026-11-30 15:00 +00:00", ANN, key=name, state="cancelled")
        for name in ("Harbor", "Quay", "Pier")
    ]
    again = meeting("Quay review", "2026-12-04 15:00 +00:00", ANN)
    prepared = [item(f"Slides for the {name} review") for name in ("Harbor", "Quay", "Pier", "Lighthouse")]
    assert states(*prepared, *cancelled, again) == {
        "Slides for the Harbor review": "lapsed",
        "Slides for the Quay review": "open",
        "Slides for the Pier review": "lapsed",
        "Slides for the Lighthouse review": "open",
    }


def test_removing_a_reading_is_as_if_it_had_never_been() -> None:
    kept = [mail(DECK), item("Call")]
    before: Memory = fold(kept, (), NOW)
    assert fold([*kept, mail(answer(ME, "delivered", "the price deck"), day=22)], (), NOW) != before
    assert fold(kept, (), NOW) == before
