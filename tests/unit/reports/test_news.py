"""What matters in an hour: told when it is new, when it is due and when it is overdue, and never twice."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, time
from typing import Any

import pytest

from consumer.reports import news, told, waking
from consumer.reports.news import Gathered, News, needs_judgement
from consumer.reports.told import Ledger
from consumer.understanding.life import fold
from consumer.understanding.memory import Memory
from consumer.understanding.statements import Reading
from consumer.understanding.utterances import ME
from contract.records import record_digest
from tests.tables import table
from tests.unit.understanding.talks import (
    ANN,
    BOB,
    answer,
    decision,
    event,
    fact,
    item,
    promise,
    record,
    request,
    task,
)

#: A Friday, ten in the morning.
NOW = "2026-11-27 10:00 +00:00"
BEGUN = Ledger(begun=True)


def said(
    statement: Any, author: Any = ME, to: Any = (ANN,), at: str = "2026-11-27 09:00 +00:00", **more: Any
) -> Reading:
    return record(statement, author=author, to=to, said_at=at, thread=more.pop("thread", "t"), **more)


def gather(
    *readings: Reading, now: str = NOW, ledger: Ledger = BEGUN, touched: Iterable[str] = (), last: str = ""
) -> Gathered:
    return news.gather(fold(readings, (), now), ledger, frozenset(touched), last)


def kinds(gathered: Gathered) -> list[str]:
    return [one.kind for one in gathered.items]


def after(gathered: Gathered, ledger: Ledger = BEGUN) -> Ledger:
    """The ledger once everything was told."""
    marks = [mark for one in gathered.items for mark in one.marks]
    return ledger.with_marks([*gathered.known, *marks])


#: The table of docs/memory.md, "What matters": what came in or fell due, and how it is told; "" is not told at all.
MATTERS: list[tuple[str, list[Reading], str]] = [
    ("you promise something", [said(promise(ME, "the deck", (ANN,)))], "you_owe"),
    ("somebody promises you something", [said(promise(ANN, "the deck", (ME,)), ANN, (ME,))], "owed_to_you"),
    ("somebody asks you for something", [said(request(ANN, "the deck", (ME,)), ANN, (ME,))], "asked_of_you"),
    ("you ask somebody for something", [said(request(ME, "the deck", (ANN,)))], ""),
    ("what you asked for is overdue", [said(request(ME, "the deck", (ANN,), by="2026-11-26"))], "due"),
    ("a task is due tomorrow", [item("Call the bank", by="2026-11-28", said_at="2026-11-20 09:00 +00:00")], "due"),
    ("a task is due next week", [item("Call the bank", by="2026-12-04", said_at=NOW)], "you_owe"),
    ("a task was due yesterday", [item("Call the bank", by="2026-11-26", said_at="2026-11-20 09:00 +00:00")], "due"),
    ("a task of last month arrives only now", [item("Call", by="2026-10-20", said_at="2026-10-01 09:00 +00:00")], ""),
    ("others promise each other something", [said(promise(ANN, "the deck", (BOB,)), ANN, (BOB,))], ""),
    ("somebody decides something", [said(decision("to ship", "the launch"), ANN, (ME,))], "decided"),
    ("a decision of last month arrives", [said(decision("to ship"), ANN, (ME,), at="2026-10-20 09:00 +00:00")], ""),
    (
        "two people say different things",
        [said(fact("Harbor", "budget", "48000"), ANN, (ME,)), said(fact("Harbor", "budget", "62000"), BOB, (ME,))],
        "contradicts",
    ),
    ("a meeting without anything open", [record(event("Sync", "2026-11-27 15:00 +00:00", (ANN,), key="k"))], ""),
    ("a done task", [item("Call the bank", "done", by="2026-11-28")], ""),
    ("a newsletter", [record(source="inbound_messages", people=(ANN,))], ""),
]


@table(("what", "readings", "kind"), MATTERS)
def test_what_matters(what: str, readings: list[Reading], kind: str) -> None:
    assert kinds(gather(*readings)) == [kind] * bool(kind), what


def test_a_meeting_is_told_with_what_is_open_with_its_people() -> None:
    meeting = record(event("Sync", "2026-11-28 09:30 +00:00", (ANN,), key="k"), said_at="2026-11-20 09:00 +00:00")
    owed = said(promise(ME, "the deck", (ANN,), by="2026-12-01"), at="2026-11-20 09:00 +00:00")
    gathered = gather(meeting, owed)
    assert kinds(gathered) == ["you_owe", "prepare"]
    assert [loop.object for loop in gathered.items[1].between] == ["the deck"]
    moved = record(
        event("Sync", "2026-11-28 08:00 +00:00", (ANN,), key="k", version=2), said_at="2026-11-27 09:00 +00:00"
    )
    again = gather(moved, owed, ledger=after(gathered))
    assert "prepare" in kinds(again), "at another time it is told again"
    assert kinds(gather(meeting, owed, ledger=after(gathered))) == []


@table(
    ("now", "kind"),
    [
        ("2026-11-27 10:00 +00:00", ["you_owe"]),
        ("2026-11-27 11:00 +00:00", []),
        ("2026-11-28 16:59 +00:00", []),
        ("2026-11-28 17:00 +00:00", ["due"]),
        ("2026-11-28 18:00 +00:00", []),
        ("2026-11-29 17:00 +00:00", []),
        ("2026-11-29 17:01 +00:00", ["due"]),
        ("2026-11-30 09:00 +00:00", []),
    ],
)
def test_a_loop_is_told_when_new_when_due_and_when_overdue(now: str, kind: list[str]) -> None:
    """Each row is the hour after those before it."""
    times = ["2026-11-27 10:00", "2026-11-27 11:00", "2026-11-28 16:59", "2026-11-28 17:00", "2026-11-28 18:00"]
    times += ["2026-11-29 17:00", "2026-11-29 17:01", "2026-11-30 09:00"]
    owed = said(_timed(promise(ME, "the deck", (ANN,), by="2026-11-29"), "17:00"), record_id="r")
    ledger = BEGUN
    for earlier in (f"{one} +00:00" for one in times):
        gathered = gather(owed, now=earlier, ledger=ledger)
        if earlier == now:
            assert kinds(gathered) == kind
            return
        ledger = after(gathered, ledger)


def _timed(statement: Any, clock: str) -> Any:
    due = statement.due._replace(time=clock)
    return type(statement)(statement.owner, statement.beneficiaries, statement.object, statement.quotes, due)


def test_what_waits_stays_untold_and_is_told_later() -> None:
    owed = said(promise(ME, "the deck", (ANN,)), record_id="r")
    (one,) = gather(owed).items
    ledger = BEGUN.with_marks(one.waiting())
    assert kinds(gather(owed, now="2026-12-24 10:00 +00:00", ledger=ledger)) == ["you_owe"], "however long it waits"
    assert kinds(gather(owed, ledger=ledger.with_marks(one.marks))) == []
    assert ledger.with_marks(one.marks).with_marks(one.waiting()) == ledger.with_marks(one.marks)


def test_another_date_is_told_as_before_and_after_and_once() -> None:
    ledger = after(gather(item("Call the bank", by="2026-12-04", said_at=NOW, record_id="c")))
    moved = item("Call the bank", by="2026-12-08", said_at=NOW, record_id="c")
    gathered = gather(moved, ledger=ledger, touched=["c"])
    assert [(one.kind, one.before) for one in gathered.items] == [("changed", "2026-12-04")]
    assert kinds(gather(moved, ledger=after(gathered, ledger))) == []


def test_a_promise_with_another_date_is_one_line_and_not_a_new_promise() -> None:
    first = said(promise(ANN, "the deck", (ME,), by="2026-12-02"), ANN, (ME,), at="2026-11-26 09:00 +00:00")
    ledger = after(gather(first, now="2026-11-26 10:00 +00:00"))
    second = said(promise(ANN, "the deck", (ME,), by="2026-12-09"), ANN, (ME,))
    gathered = gather(first, second, ledger=ledger)
    assert kinds(gathered) == ["changed"]
    assert kinds(gather(first, second, ledger=after(gathered, ledger))) == []


def test_what_somebody_delivers_is_told_if_it_was_told_as_open() -> None:
    owed = said(promise(ANN, "the deck", (ME,)), ANN, (ME,), at="2026-11-26 09:00 +00:00", record_id="o")
    sent = said(answer(ANN, "delivered", "the deck", (ME,)), ANN, (ME,))
    assert kinds(gather(owed, sent)) == [], "nobody was told that it was owed"
    ledger = after(gather(owed, now="2026-11-26 10:00 +00:00"))
    gathered = gather(owed, sent, ledger=ledger)
    assert [(one.kind, one.marks[0].stage) for one in gathered.items] == [("changed", "closed")]
    assert kinds(gather(owed, sent, ledger=after(gathered, ledger))) == []


def test_words_that_a_model_reads_anew_are_not_told_again() -> None:
    ledger = after(gather(said(promise(ME, "deck", (ANN,)), record_id="r")))
    reread = said(promise(ME, "the price deck for Ann", (ANN,)), record_id="r")
    assert kinds(gather(reread, ledger=ledger)) == []
    assert kinds(gather(reread, ledger=ledger, touched=["r"])) == ["you_owe"], "the record itself changed"


def test_a_second_promise_in_a_told_record_is_told() -> None:
    first = said(promise(ME, "the deck", (ANN,)), record_id="r")
    ledger = after(gather(first))
    both = first._replace(statements=(*first.statements, promise(ME, "a room", (ANN,))))
    assert kinds(gather(both, ledger=ledger)) == ["you_owe"]


def test_without_a_ledger_what_the_last_report_could_know_counts_as_told() -> None:
    old = said(promise(ME, "the deck", (ANN,)), at="2026-11-27 08:00 +00:00")
    new = said(promise(ME, "a room", (ANN,)), at="2026-11-27 09:30 +00:00", thread="u")
    due = item("Call", by="2026-11-28", said_at="2026-11-20 09:00 +00:00")
    unbegun = Ledger()
    assert kinds(gather(old, new, ledger=unbegun, last="2026-11-27 09:00 +00:00")) == ["you_owe"]
    assert kinds(gather(old, new, ledger=unbegun)) == []
    fell_due = gather(due, ledger=unbegun, last="2026-11-26 09:00 +00:00")
    assert kinds(fell_due) == ["due"], "it fell due since"


def test_a_backfill_tells_everything_but_leaves_what_waits() -> None:
    owed = said(promise(ME, "the deck", (ANN,)), record_id="r")
    (one,) = gather(owed).items
    memory = fold([owed], (), NOW)
    assert news.baseline(memory, Ledger()).items == ()
    ledger = Ledger().with_marks(news.baseline(memory, Ledger()).known)
    assert kinds(gather(owed, ledger=ledger)) == []
    waiting = BEGUN.with_marks(one.waiting())
    assert kinds(gather(owed, ledger=waiting.with_marks(news.baseline(memory, waiting).known))) == ["you_owe"]


# --- the ledger --------------------------------------------------------------------------------------------------


def test_each_mark_names_its_records_by_digest_and_none_by_name() -> None:
    ledger = after(gather(said(promise(ME, "the deck", (ANN,)), record_id="mail-8842")))
    (mark,) = ledger.marks.values()
    assert mark.rests_on == (record_digest("inbound_messages", "mail-8842"),)
    assert b"mail-8842" not in ledger.encode()
    assert b"deck" not in ledger.encode()
    assert told.parse(ledger.encode()) == ledger


@pytest.mark.parametrize("bent", [b"", b"[]", b'{"told": 7}', b'{"told": [{"key": ""}], "wake_at": "tomorrow"}'])
def test_a_damaged_ledger_has_not_begun(bent: bytes) -> None:
    assert not told.parse(bent).begun


def test_marks_of_what_is_gone_are_dropped_after_a_while() -> None:
    ledger = after(gather(said(promise(ME, "the deck", (ANN,)))))
    today = datetime(2027, 3, 1, tzinfo=UTC).date()
    assert ledger.without_old(today, []).marks == {}
    assert ledger.without_old(today, ledger.marks).marks == ledger.marks
    assert ledger.without_old(datetime(2026, 12, 1, tzinfo=UTC).date(), []).marks == ledger.marks


# --- judgement ---------------------------------------------------------------------------------------------------


JUDGED: list[tuple[str, list[Reading], bool]] = [
    ("a promise", [said(promise(ME, "the deck", (ANN,)))], False),
    ("something due", [item("Call", by="2026-11-28", said_at="2026-11-20 09:00 +00:00")], False),
    ("a request", [said(request(ANN, "the deck", (ME,)), ANN, (ME,))], False),
    ("a decision that nothing depends on", [said(decision("to eat out", "lunch"), ANN, (ME,))], False),
    (
        "a decision that something open depends on",
        [said(decision("to move it", "Kestrel"), ANN, (ME,)), item("Announce Kestrel", said_at=NOW)],
        True,
    ),
    (
        "a decision that replaces another",
        [
            said(decision("to ship in May", "Kestrel"), ANN, (ME,), at="2026-11-26 09:00 +00:00"),
            said(decision("to ship in June", "Kestrel"), ANN, (ME,)),
        ],
        True,
    ),
    (
        "a contradiction",
        [said(fact("Harbor", "budget", "48000"), ANN, (ME,)), said(fact("Harbor", "budget", "62000"), BOB, (ME,))],
        True,
    ),
    (
        "a reply that moves a promise",
        [
            said(promise(ANN, "the deck", (ME,), by="2026-12-02"), ANN, (ME,), at="2026-11-26 09:00 +00:00"),
            said(promise(ANN, "the deck", (ME,), by="2026-12-09"), ANN, (ME,)),
        ],
        True,
    ),
    ("nothing", [], False),
]


@table(("what", "readings", "judged"), JUDGED)
def test_when_an_agent_is_asked(what: str, readings: list[Reading], judged: bool) -> None:
    items = gather(*readings).items
    assert needs_judgement("hourly_digest", items) is judged, what
    assert needs_judgement("hourly_digest", items, daily=True) is (bool(items)), "the morning's report has one if any"


def test_backfills_and_insights_always_ask() -> None:
    assert needs_judgement("backfill_digest", ())
    assert needs_judgement("insight", ())


# --- waking ------------------------------------------------------------------------------------------------------


def memory_of(*readings: Reading, now: str = NOW) -> Memory:
    return fold(readings, (), now)


@table(
    ("readings", "zone", "wake"),
    [
        ([], "UTC", None),
        ([said(promise(ME, "the deck", (ANN,)))], "UTC", None),
        # A date without a time counts from the morning: the day before, the day, the day after.
        ([item("Call", by="2026-11-30")], "UTC", "2026-11-29T07:00:00+00:00"),
        ([item("Call", by="2026-11-28")], "UTC", "2026-11-28T07:00:00+00:00"),
        ([item("Call", by="2026-11-27")], "UTC", "2026-11-28T07:00:00+00:00"),
        ([item("Call", by="2026-11-20")], "UTC", None),
        # Half past five in the morning there: their morning is at half past one in UTC.
        ([item("Call", by="2026-11-30")], "Asia/Kolkata", "2026-11-29T01:30:00+00:00"),
        ([item("Call", "done", by="2026-11-30")], "UTC", None),
        ([said(promise(ANN, "the deck", (BOB,), by="2026-11-30"), ANN, (BOB,))], "UTC", None),
    ],
)
def test_what_falls_due_next_wakes_the_user(readings: list[Reading], zone: str, wake: str | None) -> None:
    at = datetime(2026, 11, 27, 10, tzinfo=UTC)
    moment = waking.next_wake(memory_of(*readings), BEGUN, at, zone, time(7))
    assert (moment and moment.isoformat()) == wake


def test_a_time_wakes_a_day_before_in_the_morning_and_when_it_has_passed() -> None:
    owed = said(_timed(promise(ME, "the deck", (ANN,), by="2026-11-29"), "17:00"), record_id="r")
    at, moments = datetime(2026, 11, 27, 10, tzinfo=UTC), []
    while (wake := waking.next_wake(memory_of(owed), BEGUN, at, "UTC", time(7))) is not None:
        moments.append(wake.isoformat()[:16])
        at = wake
    assert moments == ["2026-11-28T17:00", "2026-11-29T07:00", "2026-11-29T17:01"]


def test_what_waits_for_room_wakes_an_hour_later_but_not_at_night() -> None:
    (one,) = gather(said(promise(ME, "the deck", (ANN,)))).items
    waiting, memory = BEGUN.with_marks(one.waiting()), memory_of()

    def wake(hour: int) -> str:
        moment = waking.next_wake(memory, waiting, datetime(2026, 11, 27, hour, tzinfo=UTC), "UTC", time(7))
        assert moment is not None
        return moment.isoformat()[:16]

    assert [wake(hour) for hour in (10, 3, 21)] == ["2026-11-27T11:00", "2026-11-27T07:00", "2026-11-28T07:00"]


def test_tasks_without_an_owner_are_on_the_users_list() -> None:
    (one,) = gather(record(task("Renew the contract"), source="checklist_items", said_at=NOW)).items
    assert isinstance(one, News)
    assert one.kind == "you_owe"
