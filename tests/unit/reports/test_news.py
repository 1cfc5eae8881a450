"""What matters in an hour: told when it is new, when it is due and when it is overdue, and never twice."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from datetime import UTC, datetime, time
from typing import Any

import orjson
import pytest

from consumer.reports import news, toldledger, waking
from consumer.reports.news import Gathered, News, needs_judgement
from consumer.reports.preferences import ReaderPreferences
from consumer.reports.toldledger import Mark, ToldLedger
from consumer.understanding.life import fold
from consumer.understanding.memory import Loop, Meeting, Memory
from consumer.understanding.statements import Commitment, Quote, Reading
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
BEGUN = ToldLedger(begun=True)


def stated(
    statement: Any, author: Any = ME, to: Any = (ANN,), at: str = "2026-11-27 09:00 +00:00", **more: Any
) -> Reading:
    return record(statement, author=author, to=to, said_at=at, thread=more.pop("thread", "t"), **more)


def gather(
    *readings: Reading,
    now: str = NOW,
    ledger: ToldLedger = BEGUN,
    touched: Iterable[str] = (),
    last: str = "",
    own: bool = False,
) -> Gathered:
    """``own``: whether the user recorded the tasks themselves."""
    return news.gather(fold(readings, (), now), ledger, frozenset(touched), last, is_own=lambda _: own)


def kinds(gathered: Gathered) -> list[str]:
    return [item_.kind for item_ in gathered.items]


def decided(by: Any, words: str) -> Reading:
    """A decision of this person, in their words to the user or to Ann."""
    made = dataclasses.replace(decision("to run again", "the race", (by,)), quotes=(Quote(0, words),))
    return stated(made, by, (ANN,) if by == ME else (ME,))


def after(gathered: Gathered, ledger: ToldLedger = BEGUN) -> ToldLedger:
    """The ledger once everything was told."""
    marks = [mark for item_ in gathered.items for mark in item_.marks]
    return ledger.with_marks([*gathered.known, *marks])


#: The table of docs/reports.md, "What matters": what came in or fell due, and how it is told; "" is not told at all.
MATTERS: list[tuple[str, list[Reading], str]] = [
    ("you promise something", [stated(promise(ME, "the deck", (ANN,)))], "you_owe"),
    ("somebody promises you something", [stated(promise(ANN, "the deck", (ME,)), ANN, (ME,))], "owed_to_you"),
    ("somebody asks you for something", [stated(request(ANN, "the deck", (ME,)), ANN, (ME,))], "asked_of_you"),
    ("you ask somebody for something", [stated(request(ME, "the deck", (ANN,)))], ""),
    ("what you asked for is overdue", [stated(request(ME, "the deck", (ANN,), by="2026-11-26"))], "due"),
    ("a task is due tomorrow", [item("Call the bank", by="2026-11-28", said_at="2026-11-20 09:00 +00:00")], "due"),
    (
        "somebody puts a task of next week on your list",
        [item("Call the bank", by="2026-12-04", said_at=NOW)],
        "you_owe",
    ),
    ("a task was due yesterday", [item("Call the bank", by="2026-11-26", said_at="2026-11-20 09:00 +00:00")], "due"),
    ("a task of last month arrives only now", [item("Call", by="2026-10-20", said_at="2026-10-01 09:00 +00:00")], ""),
    ("others promise each other something", [stated(promise(ANN, "the deck", (BOB,)), ANN, (BOB,))], ""),
    ("somebody decides something", [stated(decision("to ship", "the launch"), ANN, (ME,))], "decided"),
    ("you tell what you decided", [decided(ME, "Last week, I've finally decided to run again.")], ""),
    ("the same in German", [decided(ME, "Ich habe mich f\u00fcr den Kurs entschieden.")], ""),
    ("somebody tells what they decided", [decided(ANN, "I have decided to run again.")], "decided"),
    ("you and others decide", [decided(ME, "We decided to run again.")], "decided"),
    ("a decision of last month arrives", [stated(decision("to ship"), ANN, (ME,), at="2026-10-20 09:00 +00:00")], ""),
    (
        "two people say different things",
        [stated(fact("Harbor", "budget", "48000"), ANN, (ME,)), stated(fact("Harbor", "budget", "62000"), BOB, (ME,))],
        "contradicts",
    ),
    ("a meeting without anything open", [record(event("Sync", "2026-11-27 15:00 +00:00", (ANN,), key="k"))], ""),
    ("a done task", [item("Call the bank", "done", by="2026-11-28")], ""),
    ("a newsletter", [record(source="inbound_messages", people=(ANN,))], ""),
]


@table(("what", "readings", "kind"), MATTERS)
def test_what_matters(what: str, readings: list[Reading], kind: str) -> None:
    assert kinds(gather(*readings)) == [kind] * bool(kind), what


def test_of_what_is_due_the_nearest_day_comes_first_and_on_one_day_the_users_own() -> None:
    def due(owner: Any, what: str, by: str) -> Reading:
        other = ANN if owner == ME else ME
        return stated(promise(owner, what, (other,), by=by), owner, (other,), "2026-11-20 09:00 +00:00", thread=what)

    gathered = gather(
        due(ANN, "the plan", "2026-11-27"),
        due(ME, "the lease", "2026-11-25"),
        due(ME, "the deck", "2026-11-27"),
        due(ME, "the keys", "2026-11-28"),
        due(ANN, "the cake", "2026-11-26"),
        stated(promise(ANN, "the list", (ME,)), ANN, (ME,), "2026-11-27 08:00 +00:00", thread="new"),
        stated(promise(ANN, "the song", (ME,)), ANN, (ME,), "2026-11-27 09:00 +00:00", thread="newer"),
    )
    objects = [each.subject.object for each in gathered.items if isinstance(each.subject, Loop)]
    assert objects == ["the deck", "the plan", "the keys", "the cake", "the lease", "the song", "the list"]


def test_a_meeting_is_told_with_what_is_open_with_its_people() -> None:
    meeting = record(event("Sync", "2026-11-28 09:30 +00:00", (ANN,), key="k"), said_at="2026-11-20 09:00 +00:00")
    owed = stated(promise(ME, "the deck", (ANN,), by="2026-12-01"), at="2026-11-20 09:00 +00:00")
    new = gather(meeting, owed)
    assert kinds(new) == ["you_owe"], "the one open thing is told itself"
    assert kinds(gather(meeting, owed, ledger=after(new))) == []
    ledger_after = after(gather(owed))
    gathered = gather(meeting, owed, ledger=ledger_after)
    assert kinds(gathered) == ["prepare"]
    assert [loop.object for loop in gathered.items[0].between] == ["the deck"]
    moved = record(
        event("Sync", "2026-11-28 08:00 +00:00", (ANN,), key="k", version=2), said_at="2026-11-27 09:00 +00:00"
    )
    again = gather(moved, owed, ledger=after(gathered, ledger_after))
    assert "prepare" in kinds(again), "at another time it is told again"
    assert kinds(gather(meeting, owed, ledger=after(gathered, ledger_after))) == []


def test_a_meeting_that_an_earlier_release_told_is_not_told_again() -> None:
    meeting = record(event("Sync", "2026-11-28 09:30 +00:00", (ANN,), key="k"), said_at="2026-11-20 09:00 +00:00")
    owed = stated(promise(ME, "the deck", (ANN,), by="2026-12-02"), at="2026-11-20 09:00 +00:00", record_id="o")
    ledger = after(gather(owed))
    new = gather(meeting, owed, ledger=ledger)
    (item_,) = new.items
    subject = item_.subject
    assert isinstance(subject, Meeting)
    # Its mark had the time as text in its key.
    key, earlier = item_.marks[0].key, news._key(subject.id, subject.starts)
    marks = dict(after(new, ledger).marks)
    marks[earlier] = marks.pop(key).model_copy(update={"key": earlier})
    again = gather(meeting, owed, ledger=ToldLedger(marks, begun=True))
    assert kinds(again) == []
    assert key in {mark.key for mark in again.known}, "from now on under its new key"


def test_an_old_thing_without_a_date_is_no_reason_to_tell_every_meeting_of_a_series() -> None:
    meeting = record(event("Sync", "2026-11-28 09:30 +00:00", (ANN,), key="k"), said_at="2026-11-20 09:00 +00:00")
    old = stated(promise(ANN, "the deck", (ME,)), ANN, (ME,), at="2026-11-01 09:00 +00:00")
    assert kinds(gather(meeting, old)) == []


@table(("clock", "is_told"), [("07:10", True), ("05:00", True), ("08:00", False), ("21:30", True)])
def test_what_begins_before_the_morning_can_tell_it_is_told_the_day_before(clock: str, is_told: bool) -> None:
    train = record(event("Train", f"2026-11-28 {clock} +00:00", key="k"), said_at="2026-11-20 09:00 +00:00")
    # Nobody goes with the user, so no open thing is a reason to tell it.
    memory = memory_of(train, now="2026-11-27 20:00 +00:00" if clock < "20" else "2026-11-28 07:00 +00:00")
    gathered = news.gather(memory, BEGUN, reads_as=ReaderPreferences())
    assert kinds(gathered) == ["prepare"] * is_told


def stand_up(day: str, *people: Any, number: int) -> Reading:
    """One of a series: the calendar has an id for each."""
    made = event("Stand-up", f"{day} 09:30 +00:00", people or (ANN,), key=f"k{number}")
    return record(made, said_at="2026-11-01 09:00 +00:00", record_id=f"k{number}")


def test_a_meeting_of_a_series_is_told_again_only_with_something_new() -> None:
    series = [stand_up(day, number=number) for number, day in enumerate(("2026-11-28", "2026-12-02", "2026-12-04"))]
    owed = stated(promise(ME, "the deck", (ANN,), by="2026-12-20"), at="2026-11-20 09:00 +00:00", record_id="o")
    ledger = after(gather(owed, now="2026-11-20 10:00 +00:00"))
    first = gather(*series, owed, ledger=ledger)
    assert kinds(first) == ["prepare"]
    ledger, evening = after(first, ledger), "2026-12-01 20:00 +00:00"
    assert kinds(gather(*series, owed, now=evening, ledger=ledger)) == []
    asked = stated(request(ANN, "a room", (ME,)), ANN, (ME,), at="2026-12-01 09:00 +00:00", thread="n", record_id="a")
    fresh = gather(*series, owed, asked, now=evening, ledger=ledger)
    assert kinds(fresh) == ["asked_of_you", "prepare"]
    ledger = after(fresh, ledger)
    assert kinds(gather(*series, owed, asked, now="2026-12-03 20:00 +00:00", ledger=ledger)) == []
    # With other people it is another meeting.
    other = stand_up("2026-12-04", ANN, BOB, number=3)
    assert kinds(gather(other, owed, asked, now="2026-12-03 20:00 +00:00", ledger=ledger)) == ["prepare"]


def test_an_early_train_that_was_told_before_is_told_again_only_if_it_is_another_one() -> None:
    def train(day: str, title: str = "Train") -> Reading:
        made = event(title, f"{day} 07:10 +00:00", key=f"{title}{day}")
        return record(made, said_at="2026-11-01 09:00 +00:00", record_id=f"{title}{day}")

    def ahead(*readings: Reading, day: str, ledger: ToldLedger) -> Gathered:
        return news.gather(memory_of(*readings, now=f"{day} 20:00 +00:00"), ledger, reads_as=ReaderPreferences())

    first = ahead(train("2026-11-28"), day="2026-11-27", ledger=BEGUN)
    assert kinds(first) == ["prepare"]
    weekly = (train("2026-12-04"), train("2026-12-04", "Train to Jena"))
    second = ahead(*weekly, day="2026-12-03", ledger=after(first))
    assert [item_.subject.title for item_ in second.items if isinstance(item_.subject, Meeting)] == ["Train to Jena"]


def test_only_what_is_open_between_the_user_and_those_who_come_counts() -> None:
    meeting = record(event("Sync", "2026-11-28 09:30 +00:00", (ANN,), key="k"), said_at="2026-11-20 09:00 +00:00")
    before = "2026-11-20 09:00 +00:00"
    both = (ANN, ME)
    readings = [
        stated(promise(ME, "the deck", (ANN,)), at=before, record_id="a", thread="a"),
        stated(promise(ANN, "the figures", (ME,)), ANN, (ME,), at=before, record_id="b", thread="b"),
        stated(request(ANN, "a room", (ME,)), ANN, (ME,), at=before, record_id="c", thread="c"),
        # Bob is not there, nor does Ann owe what Bob asks of the user and of her.
        stated(promise(BOB, "the plan", both), BOB, both, at=before, record_id="d", thread="d"),
        stated(request(BOB, "the list", both), BOB, both, at=before, record_id="e", thread="e"),
    ]
    told_of = after(gather(*readings))
    (item_,) = gather(meeting, *readings, ledger=told_of).items
    assert sorted(loop.object for loop in item_.between) == ["a room", "the deck", "the figures"]


def test_what_is_long_overdue_is_no_reason_to_tell_a_meeting_and_comes_last() -> None:
    meeting = record(event("Sync", "2026-11-28 09:30 +00:00", (ANN,), key="k"), said_at="2026-11-20 09:00 +00:00")
    at_noon = _timed(promise(ANN, "the deck", (ME,), by="2026-11-25"), "12:00")
    late = stated(at_noon, ANN, (ME,), at="2026-11-20 09:00 +00:00", record_id="l")
    ledger = after(gather(late, now="2026-11-25 13:00 +00:00"))
    assert kinds(gather(meeting, late, ledger=ledger)) == []
    yesterday = stated(
        promise(ANN, "a room", (ME,), by="2026-11-25"), ANN, (ME,), at="2026-11-20 09:00 +00:00", record_id="y"
    )
    ledger = after(gather(yesterday, now="2026-11-27 08:00 +00:00"), ledger)
    (item_,) = gather(meeting, late, yesterday, ledger=ledger).items
    assert [loop.object for loop in item_.between] == ["a room", "the deck"]


def test_a_meeting_that_is_called_off_is_told_once() -> None:
    meeting = record(event("Dinner", "2026-12-03 19:00 +00:00", (ANN,), key="k"), said_at="2026-11-20 09:00 +00:00")
    off = record(event("Dinner", "2026-12-03 19:00 +00:00", (ANN,), key="k", version=2, state="cancelled"), said_at=NOW)
    gathered = gather(meeting, off)
    assert kinds(gathered) == ["changed"]
    assert kinds(gather(meeting, off, ledger=after(gathered))) == []
    assert kinds(gather(meeting, off, now="2026-12-03 20:00 +00:00")) == [], "over anyway"


def test_a_meeting_that_is_called_off_may_begin_days_earlier_on_another_clock() -> None:
    """00:30 of the 28th at UTC+14 is 10:30 of the 27th in UTC, an hour before 23:30 of the 26th at UTC-12."""
    starts = "2026-11-26 23:30 -12:00"
    off = record(event("Dinner", starts, (ANN,), key="k", state="cancelled"), said_at="2026-11-25 09:00 +14:00")
    assert kinds(gather(off, now="2026-11-28 00:30 +14:00")) == ["changed"]
    assert kinds(gather(off, now="2026-11-28 01:31 +14:00")) == []


def test_a_decision_and_the_change_that_it_makes_are_one_line() -> None:
    words = "We decided to move the Osprey launch from 20 January to 3 February."
    before = stated(fact("Osprey launch", "date", "2027-01-20", ANN, unit=""), ANN, (ME,), at="2026-11-20 09:00 +00:00")
    moved = dataclasses.replace(fact("Osprey launch", "date", "2027-02-03", ANN, unit=""), quotes=(Quote(0, words),))
    decided = dataclasses.replace(decision("to move the Osprey launch"), quotes=(Quote(0, words),))
    record_read = record(moved, decided, author=ANN, to=(ME,), said_at=NOW, record_id="d")
    gathered = gather(before, record_read)
    assert kinds(gathered) == ["changed"]
    assert kinds(gather(before, record_read, ledger=after(gathered))) == []


@table(
    ("words", "record_id"),
    [("We decided to hire two more people.", "d"), ("We decided to move the Osprey launch.", "another mail")],
)
def test_a_decision_of_something_else_or_somewhere_else_is_told_beside_a_change(words: str, record_id: str) -> None:
    before = stated(fact("Osprey launch", "date", "2027-01-20", ANN, unit=""), ANN, (ME,), at="2026-11-20 09:00 +00:00")
    moved = dataclasses.replace(
        fact("Osprey launch", "date", "2027-02-03", ANN, unit=""), quotes=(Quote(0, "The Osprey launch is now 3 Feb."),)
    )
    decided = dataclasses.replace(decision(words.removeprefix("We decided ").rstrip(".")), quotes=(Quote(0, words),))
    together = [moved, decided] if record_id == "d" else [moved]
    read = [record(*together, author=ANN, to=(ME,), said_at=NOW, record_id="d")]
    if record_id != "d":
        read.append(record(decided, author=ANN, to=(ME,), said_at=NOW, record_id=record_id, thread="x"))
    assert sorted(kinds(gather(before, *read))) == ["changed", "decided"]


def test_who_releases_the_user_from_a_promise_is_told() -> None:
    owed = stated(promise(ME, "the spreadsheet", (ANN,), by="2026-12-04"), record_id="p")
    ledger_after = after(gather(owed))
    gathered = gather(
        owed, stated(answer(ANN, "released", "the spreadsheet", (ME,)), ANN, (ME,), at=NOW), ledger=ledger_after
    )
    assert kinds(gathered) == ["changed"]


@table(
    ("words", "kind"),
    [
        ("If the soup is good, I'll bring you the recipe.", ""),
        ("When legal approves, I'll send you the contract.", "owed_to_you"),
    ],
)
def test_a_promise_for_a_case_that_may_never_come_is_no_news(words: str, kind: str) -> None:
    record_read = dataclasses.replace(promise(ANN, "it", (ME,)), quotes=(Quote(0, words),))
    assert kinds(gather(stated(record_read, ANN, (ME,)))) == [kind] * bool(kind)


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
    owed = stated(_timed(promise(ME, "the deck", (ANN,), by="2026-11-29"), "17:00"), record_id="r")
    ledger = BEGUN
    for earlier in (f"{clock} +00:00" for clock in times):
        gathered = gather(owed, now=earlier, ledger=ledger)
        if earlier == now:
            assert kinds(gathered) == kind
            return
        ledger = after(gathered, ledger)


@table(
    "day, by, kind",
    [
        # What memory learns late is told if it is new, due, or overdue for few days.
        ("2026-11-13", "", ["you_owe"]), ("2026-11-12", "", []),
        ("2026-11-13", "2026-12-15", ["you_owe"]), ("2026-11-12", "2026-12-15", []),
        ("2026-11-01", "2026-11-28", ["due"]), ("2026-11-01", "2026-11-13", ["due"]), ("2026-11-01", "2026-11-12", []),
    ],
)  # fmt: skip
def test_an_old_promise_that_nobody_told_is_told_only_while_it_matters(day: str, by: str, kind: list[str]) -> None:
    assert kinds(gather(stated(promise(ME, "the deck", (ANN,), by=by), at=f"{day} 09:00 +00:00"))) == kind


def _timed(statement: Any, clock: str) -> Any:
    due = statement.due._replace(time=clock)
    return type(statement)(statement.owner, statement.beneficiaries, statement.object, statement.quotes, due)


def test_what_waits_stays_untold_and_is_told_later() -> None:
    owed = stated(promise(ME, "the deck", (ANN,)), record_id="r")
    (item_,) = gather(owed).items
    ledger = BEGUN.with_marks(item_.waiting())
    assert kinds(gather(owed, now="2026-12-24 10:00 +00:00", ledger=ledger)) == ["you_owe"], "however long it waits"
    assert kinds(gather(owed, ledger=ledger.with_marks(item_.marks))) == []
    assert ledger.with_marks(item_.marks).with_marks(item_.waiting()) == ledger.with_marks(item_.marks)


def test_another_date_is_told_as_before_and_after_and_once() -> None:
    ledger = after(gather(item("Call the bank", by="2026-12-04", said_at=NOW, record_id="c")))
    moved = item("Call the bank", by="2026-12-08", said_at=NOW, record_id="c")
    gathered = gather(moved, ledger=ledger, touched=["c"])
    assert [(item_.kind, item_.before) for item_ in gathered.items] == [("changed", "2026-12-04")]
    assert kinds(gather(moved, ledger=after(gathered, ledger))) == []


def test_a_promise_with_another_date_is_one_line_and_not_a_new_promise() -> None:
    first = stated(promise(ANN, "the deck", (ME,), by="2026-12-02"), ANN, (ME,), at="2026-11-26 09:00 +00:00")
    ledger = after(gather(first, now="2026-11-26 10:00 +00:00"))
    second = stated(promise(ANN, "the deck", (ME,), by="2026-12-09"), ANN, (ME,))
    gathered = gather(first, second, ledger=ledger)
    assert kinds(gathered) == ["changed"]
    assert kinds(gather(first, second, ledger=after(gathered, ledger))) == []


@table(
    ("due", "moments"),
    [
        ("2026-12-04 17:00", ["2026-12-03 17:00", "2026-12-04 17:01"]),
        ("2026-12-04", ["2026-12-03 07:00", "2026-12-05 07:00"]),
        # It comes near on the day on which it was recorded: its own day tells it.
        ("2026-11-29", ["2026-11-29 07:00", "2026-11-30 07:00"]),
        ("2026-11-28 11:00", ["2026-11-28 07:00", "2026-11-28 11:01"]),
        # Of the same day there is nothing to tell until it is late.
        ("2026-11-27 17:00", ["2026-11-27 17:01"]),
        # The morning of its day comes too late.
        ("2026-11-29 05:00", ["2026-11-28 07:00", "2026-11-29 07:00"]),
        ("", []),
    ],
)
def test_a_task_that_the_user_recorded_is_told_when_it_comes_near_and_not_as_new(due: str, moments: list[str]) -> None:
    """It was recorded at ten on the 27th, and every hour and minute that could tell it has a digest."""
    recorded = item("Call the bank", by=due[:10], said_at=NOW, record_id="c")
    if due[11:]:
        recorded = recorded._replace(statements=tuple(_at_time(each, due[11:]) for each in recorded.statements))
    assert told_at(recorded, own=True) == moments


def _at_time(statement: Any, clock: str) -> Any:
    return dataclasses.replace(statement, due=statement.due._replace(time=clock))


def told_at(*readings: Reading, own: bool = False) -> list[str]:
    """When the digests of the next days, hour by hour and a minute after each, tell anything."""
    moments, ledger = list[str](), BEGUN
    days = [f"2026-11-{day}" for day in range(27, 31)] + [f"2026-12-0{day}" for day in range(1, 6)]
    for now in (f"{day} {hour:02}:{minute}" for day in days for hour in range(24) for minute in ("00", "01")):
        if now >= NOW[:16]:
            memory = fold(readings, (), f"{now} +00:00")
            gathered = news.gather(memory, ledger, reads_as=ReaderPreferences(), is_own=lambda _: own)
            moments += [now] * bool(gathered.items)
            ledger = after(gathered, ledger)
    return moments


def test_what_others_owe_and_was_told_the_day_before_it_comes_near_is_told_again_when_it_is_overdue() -> None:
    """In the morning of the 28th it comes near, 21 hours after it was told as new."""
    owed = stated(promise(ANN, "the deck", (ME,), by="2026-11-29"), ANN, (ME,))
    assert told_at(owed) == ["2026-11-27 10:00", "2026-11-30 07:00"]
    early = stated(promise(ANN, "the deck", (ME,), by="2026-11-30"), ANN, (ME,))
    assert told_at(early) == ["2026-11-27 10:00", "2026-11-29 07:00", "2026-12-01 07:00"]


@table(
    "statement",
    [promise(ME, "the deck", (ANN,), by="2026-11-29"), request(ANN, "the deck", (ME,), by="2026-11-29")],
)
def test_what_the_user_is_to_do_is_told_on_its_day_if_it_was_new_the_day_before_it_came_near(statement: Any) -> None:
    by, to = (ME, ANN) if isinstance(statement, Commitment) else (ANN, ME)
    spoken = stated(statement, by, (to,))
    assert told_at(spoken) == ["2026-11-27 10:00", "2026-11-29 07:00", "2026-11-30 07:00"]


def test_what_somebody_delivers_is_told_if_it_was_told_as_open() -> None:
    owed = stated(promise(ANN, "the deck", (ME,)), ANN, (ME,), at="2026-11-26 09:00 +00:00", record_id="o")
    sent = stated(answer(ANN, "delivered", "the deck", (ME,)), ANN, (ME,))
    assert kinds(gather(owed, sent)) == [], "nobody was told that it was owed"
    ledger = after(gather(owed, now="2026-11-26 10:00 +00:00"))
    gathered = gather(owed, sent, ledger=ledger)
    assert [(item_.kind, item_.marks[0].stage) for item_ in gathered.items] == [("changed", "closed")]
    assert kinds(gather(owed, sent, ledger=after(gathered, ledger))) == []


def test_a_promise_that_got_another_date_and_was_kept_before_the_backfill_is_never_told() -> None:
    first = stated(
        promise(ANN, "the deck", (ME,), by="2026-11-20"), ANN, (ME,), at="2026-11-18 09:00 +00:00", record_id="o"
    )
    second = stated(
        promise(ANN, "the deck", (ME,), by="2026-11-24"), ANN, (ME,), at="2026-11-20 09:00 +00:00", record_id="p"
    )
    sent = stated(answer(ANN, "delivered", "the deck", (ME,)), ANN, (ME,), at="2026-11-24 09:00 +00:00")
    memory = fold([first, second, sent], (), NOW)
    ledger = ToldLedger().with_marks(news.baseline(memory, ToldLedger()).known)
    assert kinds(gather(first, second, sent, ledger=ledger)) == []
    assert kinds(gather(first, second, sent)) == [], "nor without a backfill"


def test_the_end_of_a_promise_is_told_though_only_its_earlier_date_was() -> None:
    first = stated(
        promise(ANN, "the deck", (ME,), by="2026-12-02"), ANN, (ME,), at="2026-11-26 09:00 +00:00", record_id="o"
    )
    second = stated(
        promise(ANN, "the deck", (ME,), by="2026-12-04"), ANN, (ME,), at="2026-11-27 08:00 +00:00", record_id="p"
    )
    sent = stated(answer(ANN, "delivered", "the deck", (ME,)), ANN, (ME,))
    ledger = after(gather(first, now="2026-11-26 10:00 +00:00"))
    gathered = gather(first, second, sent, ledger=ledger)
    assert [(item_.kind, item_.marks[0].stage) for item_ in gathered.items] == [("changed", "closed")]
    assert kinds(gather(first, second, sent, ledger=after(gathered, ledger))) == []


def test_what_was_told_as_done_and_is_open_again_is_news() -> None:
    owed = stated(
        promise(ANN, "the deck", (ME,), by="2026-12-04"), ANN, (ME,), at="2026-11-26 09:00 +00:00", record_id="o"
    )
    sent = stated(answer(ANN, "delivered", "the deck", (ME,)), ANN, (ME,))
    ledger = after(gather(owed, now="2026-11-26 10:00 +00:00"))
    ledger = after(gather(owed, sent, ledger=ledger), ledger)
    assert kinds(gather(owed, ledger=ledger)) == ["owed_to_you"]


def test_words_that_a_model_reads_anew_are_not_told_again() -> None:
    ledger = after(gather(stated(promise(ME, "deck", (ANN,)), record_id="r")))
    reread = stated(promise(ME, "the price deck for Ann", (ANN,)), record_id="r")
    assert kinds(gather(reread, ledger=ledger)) == []
    assert kinds(gather(reread, ledger=ledger, touched=["r"])) == ["you_owe"], "the record itself changed"


def test_a_second_promise_in_a_told_record_is_told() -> None:
    first = stated(promise(ME, "the deck", (ANN,)), record_id="r")
    ledger = after(gather(first))
    both = first._replace(statements=(*first.statements, promise(ME, "a room", (ANN,))))
    assert kinds(gather(both, ledger=ledger)) == ["you_owe"]


def test_without_a_ledger_what_the_last_report_could_know_counts_as_told() -> None:
    old = stated(promise(ME, "the deck", (ANN,)), at="2026-11-27 08:00 +00:00")
    new = stated(promise(ME, "a room", (ANN,)), at="2026-11-27 09:30 +00:00", thread="u")
    due = item("Call", by="2026-11-28", said_at="2026-11-20 09:00 +00:00")
    unbegun = ToldLedger()
    assert kinds(gather(old, new, ledger=unbegun, last="2026-11-27 09:00 +00:00")) == ["you_owe"]
    assert kinds(gather(old, new, ledger=unbegun)) == []
    fell_due = gather(due, ledger=unbegun, last="2026-11-26 09:00 +00:00")
    assert kinds(fell_due) == ["due"], "it fell due since"


def test_a_backfill_tells_everything_but_leaves_what_waits() -> None:
    owed = stated(promise(ME, "the deck", (ANN,)), record_id="r")
    (item_,) = gather(owed).items
    memory = fold([owed], (), NOW)
    assert news.baseline(memory, ToldLedger()).items == ()
    ledger = ToldLedger().with_marks(news.baseline(memory, ToldLedger()).known)
    assert kinds(gather(owed, ledger=ledger)) == []
    waiting = BEGUN.with_marks(item_.waiting())
    assert kinds(gather(owed, ledger=waiting.with_marks(news.baseline(memory, waiting).known))) == ["you_owe"]


# --- the ledger --------------------------------------------------------------------------------------------------


def test_each_mark_names_its_records_by_digest_and_none_by_name() -> None:
    ledger = after(gather(stated(promise(ME, "the deck", (ANN,)), record_id="mail-8842")))
    (mark,) = ledger.marks.values()
    assert mark.rests_on == (record_digest("inbound_messages", "mail-8842"),)
    assert b"mail-8842" not in ledger.encode()
    assert b"deck" not in ledger.encode()
    assert toldledger.parse(ledger.encode()) == ledger


@pytest.mark.parametrize("bent", [b"", b"[]", b'{"marks": 7}', b'{"marks": [{"key": ""}], "wake_at": "tomorrow"}'])
def test_a_damaged_ledger_has_not_begun(bent: bytes) -> None:
    assert not toldledger.parse(bent).begun
    assert toldledger.wake_at(bent) is None


def test_a_row_out_of_form_costs_no_other() -> None:
    rows = [{"key": "a"}, {"key": ""}, {"key": "b", "stage": "soon"}, {"key": "x" * 200}, {"key": "x" * 201}]
    ledger = toldledger.parse(orjson.dumps({"marks": rows, "daily": "2026-11-27"}))
    assert (list(ledger.marks), ledger.daily, ledger.begun) == (["a", "x" * 200], "2026-11-27", True)


def test_a_ledger_s_bytes_are_those_of_its_marks_as_pydantic_writes_them() -> None:
    marks = [
        Mark(key="b", stage="overdue", due="2026-12-04 17:00", at="2026-11-27 20:10", rests_on=("r1", "r2")),
        Mark(key="a", is_told=False).model_copy(update={"due": "M\u00e4rz \u2028"}),
    ]
    ledger = dataclasses.replace(
        BEGUN.with_marks(marks), wake_at=datetime(2026, 12, 1, 9, tzinfo=UTC), daily="2026-11-27"
    )
    data = ledger.encode()
    assert orjson.loads(data)["marks"] == [mark.model_dump(mode="json") for mark in (marks[1], marks[0])]
    assert list(orjson.loads(data)["marks"][1]) == list(Mark.model_fields)
    assert toldledger.parse(data) == ledger
    assert toldledger.wake_at(data) == ledger.wake_at


def test_marks_of_what_is_gone_are_dropped_after_a_while() -> None:
    ledger = after(gather(stated(promise(ME, "the deck", (ANN,)))))
    today = datetime(2027, 3, 1, tzinfo=UTC).date()
    assert ledger.without_old(today, []).marks == {}
    assert ledger.without_old(today, ledger.marks).marks == ledger.marks
    assert ledger.without_old(datetime(2026, 12, 1, tzinfo=UTC).date(), []).marks == ledger.marks


def test_the_marks_of_a_record_are_those_that_rest_on_it_by_key() -> None:
    marks = [
        Mark(key="b", rests_on=("one",)),
        Mark(key="a", rests_on=("two", "one")),
        Mark(key="c", rests_on=("two", "two")),
        Mark(key="d"),
    ]
    ledger = BEGUN.with_marks(marks)
    assert [[mark.key for mark in ledger.resting_on(record)] for record in ("one", "two", "three")] == [
        ["a", "b"],
        ["a", "c"],
        [],
    ]
    later = ledger.with_marks([Mark(key="d", rests_on=("one",))])
    assert [mark.key for mark in later.resting_on("one")] == ["a", "b", "d"]


# --- judgement ---------------------------------------------------------------------------------------------------


JUDGED: list[tuple[str, list[Reading], bool]] = [
    ("a promise", [stated(promise(ME, "the deck", (ANN,)))], False),
    ("something due", [item("Call", by="2026-11-28", said_at="2026-11-20 09:00 +00:00")], False),
    ("a request", [stated(request(ANN, "the deck", (ME,)), ANN, (ME,))], False),
    ("a decision that nothing depends on", [stated(decision("to eat out", "lunch"), ANN, (ME,))], False),
    (
        "a decision that something open depends on",
        [stated(decision("to move it", "Kestrel"), ANN, (ME,)), item("Announce Kestrel", said_at=NOW)],
        True,
    ),
    (
        "a decision that replaces another",
        [
            stated(decision("to ship in May", "Kestrel"), ANN, (ME,), at="2026-11-26 09:00 +00:00"),
            stated(decision("to ship in June", "Kestrel"), ANN, (ME,)),
        ],
        True,
    ),
    (
        "a contradiction",
        [stated(fact("Harbor", "budget", "48000"), ANN, (ME,)), stated(fact("Harbor", "budget", "62000"), BOB, (ME,))],
        True,
    ),
    (
        "a reply that moves a promise",
        [
            stated(promise(ANN, "the deck", (ME,), by="2026-12-02"), ANN, (ME,), at="2026-11-26 09:00 +00:00"),
            stated(promise(ANN, "the deck", (ME,), by="2026-12-09"), ANN, (ME,)),
        ],
        True,
    ),
    ("nothing", [], False),
]


@table(("what", "readings", "judged"), JUDGED)
def test_when_an_agent_is_asked(what: str, readings: list[Reading], judged: bool) -> None:
    known = [reading for reading in readings if reading.said_at < NOW[:10]]
    ledger = ToldLedger().with_marks(news.baseline(memory_of(*known), ToldLedger()).known)
    items = gather(*readings, ledger=ledger).items
    assert needs_judgement("hourly_digest", items) is judged, what
    assert needs_judgement("hourly_digest", items, daily=True)


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
        ([stated(promise(ME, "the deck", (ANN,)))], "UTC", None),
        # A date without a time counts from the morning: the day before, the day, the day after.
        ([item("Call", by="2026-11-30")], "UTC", "2026-11-29T07:00:00+00:00"),
        ([item("Call", by="2026-11-28")], "UTC", "2026-11-28T07:00:00+00:00"),
        ([item("Call", by="2026-11-27")], "UTC", "2026-11-28T07:00:00+00:00"),
        ([item("Call", by="2026-11-20")], "UTC", None),
        # Half past five in the morning there: their morning is at half past one in UTC.
        ([item("Call", by="2026-11-30")], "Asia/Kolkata", "2026-11-29T01:30:00+00:00"),
        # A year without one before or after it.
        ([item("Call", by="9999-12-31")], "UTC", None),
        ([item("Call", by="9998-12-31")], "UTC", "9998-12-30T07:00:00+00:00"),
        # A folder of zones, which is none.
        ([item("Call", by="2026-11-30")], "Europe", "2026-11-29T07:00:00+00:00"),
        ([item("Call", "done", by="2026-11-30")], "UTC", None),
        ([stated(promise(ANN, "the deck", (BOB,), by="2026-11-30"), ANN, (BOB,))], "UTC", None),
    ],
)
def test_what_falls_due_next_wakes_the_user(readings: list[Reading], zone: str, wake: str | None) -> None:
    at = datetime(2026, 11, 27, 10, tzinfo=UTC)
    moment = waking.next_wake(memory_of(*readings), at, zone, ReaderPreferences())
    assert (moment and moment.isoformat()) == wake


def test_a_time_wakes_a_day_before_in_the_morning_and_when_it_has_passed() -> None:
    owed = stated(_timed(promise(ME, "the deck", (ANN,), by="2026-11-29"), "17:00"), record_id="r")
    at, moments = datetime(2026, 11, 27, 10, tzinfo=UTC), []
    while (wake := waking.next_wake(memory_of(owed), at, "UTC", ReaderPreferences())) is not None:
        moments.append(wake.isoformat()[:16])
        at = wake
    assert moments == ["2026-11-28T17:00", "2026-11-29T07:00", "2026-11-29T17:01"]


@table(
    ("until", "wake"),
    [
        ("2026-11-30", "2026-11-30T07:00:00+00:00"),
        # Already back when this digest is made, be it before the morning.
        ("2026-11-27", None),
    ],
)
def test_what_the_user_put_off_wakes_them_in_the_morning_of_its_day(until: str, wake: str | None) -> None:
    memory = memory_of(stated(promise(ME, "the deck", (ANN,))), now="2026-11-27 03:00 +00:00")
    put_off = dataclasses.replace(memory, loops=(dataclasses.replace(memory.loops[0], snoozed_until=until),))
    moment = waking.next_wake(put_off, datetime(2026, 11, 27, 3, tzinfo=UTC), "UTC", ReaderPreferences())
    assert (moment and moment.isoformat()) == wake


def test_what_waits_for_room_wakes_an_hour_later_but_not_at_night() -> None:
    def wake(hour: int) -> str:
        at = datetime(2026, 11, 27, hour, tzinfo=UTC)
        moment = waking.next_wake(memory_of(), at, "UTC", ReaderPreferences(), waits=True)
        assert moment is not None
        return moment.isoformat()[:16]

    assert [wake(hour) for hour in (10, 3, 21)] == ["2026-11-27T11:00", "2026-11-27T07:00", "2026-11-28T07:00"]


@table(
    ("clock", "zone", "morning", "wakes"),
    [
        # In the night it would come near, and pass: the morning tells both.
        ("03:00", "UTC", time(7), ["2026-11-28T07:00", "2026-11-29T07:00"]),
        ("23:30", "UTC", time(7), ["2026-11-29T07:00", "2026-11-30T07:00"]),
        # 21:00 is night, a minute before is not.
        ("20:58", "UTC", time(7), ["2026-11-28T20:58", "2026-11-29T07:00", "2026-11-29T20:59"]),
        # Of somebody who works at night, the day is the night.
        ("23:30", "UTC", time(20), ["2026-11-28T23:30", "2026-11-29T20:00", "2026-11-29T23:31"]),
        ("12:00", "UTC", time(20), ["2026-11-28T20:00", "2026-11-29T20:00"]),
        # Their clock counts, not ours.
        ("03:00", "Asia/Tokyo", time(7), ["2026-11-27T22:00", "2026-11-28T22:00"]),
    ],
)
def test_nobody_is_woken_in_their_night(clock: str, zone: str, morning: time, wakes: list[str]) -> None:
    owed = stated(_timed(promise(ME, "the deck", (ANN,), by="2026-11-29"), clock), record_id="r")
    at, moments = datetime(2026, 11, 27, 10, tzinfo=UTC), []
    while (wake := waking.next_wake(memory_of(owed), at, zone, ReaderPreferences("en", morning))) is not None:
        moments.append(wake.isoformat()[:16])
        at = wake
    assert moments == wakes


def test_what_falls_due_at_night_is_told_in_the_morning_and_news_at_once() -> None:
    owed = stated(
        _timed(promise(ME, "the deck", (ANN,), by="2026-11-29"), "01:00"), at="2026-11-26 09:00 +00:00", record_id="r"
    )
    asked = stated(request(BOB, "the plan", (ME,)), BOB, (ME,), at="2026-11-28 02:00 +00:00", thread="n")
    ledger_after = after(gather(owed, now="2026-11-26 10:00 +00:00"))
    night, morning = "2026-11-28 02:30 +00:00", "2026-11-28 07:00 +00:00"
    assert kinds(news.gather(memory_of(owed, asked, now=night), ledger_after, reads_as=ReaderPreferences())) == [
        "asked_of_you"
    ]
    assert kinds(gather(owed, now=morning, ledger=ledger_after)) == ["due"]


def test_a_request_that_the_user_accepts_is_told_as_their_promise_and_once() -> None:
    asked = stated(request(BOB, "the plan", (ME,), by="2026-12-04"), BOB, (ME,), record_id="a")
    ledger_after = after(gather(asked))
    accepted = stated(promise(ME, "the plan", (BOB,), by="2026-12-02"), to=(BOB,), at=NOW, record_id="b")
    gathered = gather(asked, accepted, ledger=ledger_after)
    assert kinds(gathered) == ["you_owe"]
    assert kinds(gather(asked, accepted, ledger=after(gathered, ledger_after))) == []


def test_tasks_without_an_owner_are_on_the_users_list() -> None:
    (item_,) = gather(record(task("Renew the contract"), source="checklist_items", said_at=NOW)).items
    assert isinstance(item_, News)
    assert item_.kind == "you_owe"
