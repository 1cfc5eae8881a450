"""Memory in words: who, what, to whom, when; and only what can be cited."""

from __future__ import annotations

from typing import Any

from consumer.evidence.pages import Page, parse
from consumer.evidence.records import IndexedRecord
from consumer.reports import remembered
from consumer.reports.citing import Citing
from consumer.reports.remembered import Remembered, Telling
from consumer.understanding.life import fold
from consumer.understanding.statements import CONVERSATION, Reading
from consumer.understanding.utterances import ME
from tests import brains
from tests.tables import table
from tests.unit.understanding.talks import ANN, BOB, at, due, event, fact, item, promise, record, request

#: A Friday.
NOW = "2026-11-27 20:10 -08:00"


def recall(*readings: Reading, now: str = NOW, without: str = "", anchor: str = "") -> Remembered:
    """Memory of these readings, each on a page that has all of its words but those ``without``.

    ``anchor``: where on the page the record stands, below another one with the same words.
    """
    pages: dict[str, Page] = {}
    places: dict[tuple[str, str], IndexedRecord] = {}
    for reading in readings:
        words = [quote.text for statement in reading.statements for quote in statement.quotes]
        names = [f"{person.name} {person.address}" for person in reading.people]
        text = "\n\n".join(word for word in (*words, *names) if not without or without not in word)
        if anchor:
            text = f'<a id="r-1"></a>\n\n## Other\n\n{text}\n\n<a id="{anchor}"></a>\n\n## Own\n\n{text}'
        slug = f"sources/{reading.record_id}"
        pages[slug] = parse(slug, brains.page("Page", text).encode())
        places[reading.source, reading.record_id] = IndexedRecord(
            *(reading.source, reading.record_id, "c", "t", "", "", "s", f"{slug}.md", anchor, "p"),
            *("raw", 0, 1, "", ""),
        )
    return Telling(fold(readings, (), now), Citing(places.get, pages.get)).all()


def mail(statement: Any, author: Any = ME, to: Any = (ANN,), day: int = 20) -> Reading:
    return record(statement, author=author, to=to, said_at=at(day), thread="t")


@table(
    ("reading", "text"),
    [
        (mail(promise(ME, "the deck", (ANN,))), "You promised Ann Lee: “I will do it: the deck”."),
        (mail(promise(ANN, "the deck"), ANN, (ME,)), "Ann Lee promised you: “I will do it: the deck”."),
        (mail(request(ANN, "the deck", (ME,)), ANN, (ME,)), "Ann Lee asks you: “Could you do it: the deck?”"),
        (mail(request(ME, "the deck", (ANN,))), "You asked Ann Lee: “Could you do it: the deck?”"),
        (
            mail(promise(ME, "the deck", (ANN, BOB), condition="the board agrees")),
            "You promised Ann Lee and Bob Marsh: “I will do it: the deck”, if “the board agrees”.",
        ),
        (
            mail(promise(ME, "the deck if the board agrees", (ANN,), condition="if the board agrees")),
            "You promised Ann Lee: “I will do it: the deck if the board agrees”.",
        ),
        (item("Call the bank"), "“Call the bank” is on your list."),
    ],
)
def test_a_loop_is_told_by_who_what_and_to_whom(reading: Reading, text: str) -> None:
    (finding,) = recall(reading).open_loops
    assert finding.text == text
    assert finding.citations


@table(
    ("by", "text"),
    [
        ("2026-11-27", ", due today, Fri 27 Nov."),
        ("2026-11-28", ", due tomorrow, Sat 28 Nov."),
        ("2026-12-04", ", due Fri 4 Dec."),
        ("2027-01-04", ", due Mon 4 Jan 2027."),
        ("2026-11-26", ", was due yesterday, Thu 26 Nov."),
        ("2026-11-20", ", was due Fri 20 Nov, 7 days ago."),
    ],
)
def test_days_are_the_users_with_their_weekday(by: str, text: str) -> None:
    (finding,) = recall(item("Call", by=by)).open_loops
    assert finding.text == f"“Call” is on your list{text}"
    assert str(finding.due) == by


def test_the_time_of_a_due_date_is_told() -> None:
    reading = item("Call", by="2026-11-28")
    (statement,) = reading.statements
    assert due("2026-11-28", "17:00") in [dated.due for dated in [_timed(statement)]]
    (finding,) = recall(reading._replace(statements=(_timed(statement),))).open_loops
    assert finding.text.endswith("due tomorrow, Sat 28 Nov, 17:00.")


def _timed(statement: Any) -> Any:
    return type(statement)("Call", "open", statement.quotes, due=due("2026-11-28", "17:00"))


def test_what_others_owe_each_other_is_not_told() -> None:
    assert recall(mail(promise(ANN, "the deck", (BOB,)), ANN, (BOB,))).open_loops == ()


@table(
    ("first", "second"),
    [
        # What is due soon, and what is late for longer than what is still to come.
        (item("A", by="2026-11-28"), item("B", by="2026-11-30")),
        (item("A", by="2026-11-26"), item("B", by="2026-11-28")),
        (item("A", by="2026-11-24"), item("B", by="2026-11-20")),
        (item("A", by="2026-11-15"), item("B", by="2026-12-09")),
        (item("A", by="2026-12-24"), item("B")),
        # The day presses more than whose it is, and that more than its age.
        (mail(promise(BOB, "A", by="2026-11-27"), BOB, (ME,)), mail(promise(ME, "B", (ANN,), by="2026-12-04"))),
        # The user's own promise, what is asked of them, what they wait for; of equal ones the newer.
        (mail(promise(ME, "A", (ANN,))), mail(request(BOB, "B", (ME,)), BOB, (ME,))),
        (mail(request(BOB, "A", (ME,)), BOB, (ME,)), mail(promise(BOB, "B"), BOB, (ME,))),
        (mail(promise(ME, "A", (ANN,)), day=26), mail(promise(ME, "B", (BOB,)), to=(BOB,), day=25)),
        (mail(promise(ME, "A", (ANN,)), day=27), mail(promise(ME, "B", (BOB,)), to=(BOB,), day=26)),
    ],
)  # fmt: skip
def test_loops_are_told_in_the_order_in_which_they_press(first: Reading, second: Reading) -> None:
    texts = [loop.text for reading in (first, second) for loop in recall(reading).open_loops]
    assert [loop.text for loop in recall(second, first).open_loops] == texts


def test_of_loops_of_one_weight_those_first_by_text_are_told_and_only_those_looked_up() -> None:
    readings = [item(f"Call the bank about {number:03}", by="2026-12-01") for number in range(299, -1, -1)]
    memory, looked_up = fold(readings, (), NOW), []
    page = parse("sources/a", brains.page("Page", "- State: open").encode())

    def place_of(key: tuple[str, str]) -> IndexedRecord:
        looked_up.append(key)
        return IndexedRecord(*key, "c", "t", "", "", "s", "sources/a.md", "", "p", "raw", 0, 1, "", "")

    recalled = Telling(memory, Citing(place_of, {page.slug: page}.get)).all()
    assert [loop.text for loop in recalled.open_loops] == [
        f"\u201cCall the bank about {number:03}\u201d is on your list, due Tue 1 Dec."
        for number in range(remembered.LOOPS)
    ]
    assert (len(looked_up), recalled.counts["open_loops"]) == (remembered.LOOPS, 300)


def test_a_contradiction_cites_both_sides_or_is_not_told() -> None:
    forty, sixty = fact("Harbor", "budget", "48000"), fact("Harbor", "budget", "62000")
    readings = [mail(forty, ANN, (ME,), day=20), mail(sixty, BOB, (ME,), day=22)]
    (finding,) = recall(*readings).contradictions
    assert (
        finding.text
        == "Harbor, budget: Ann Lee says 48,000 EUR (Fri 20 Nov) but Bob Marsh says 62,000 EUR (Sun 22 Nov)."
    )
    assert len(finding.citations) == 2
    findings = recall(*readings, without="62000")
    assert (findings.contradictions, findings.counts["uncited"]) == ((), 1)


def test_where_two_records_say_the_same_the_one_that_is_meant_is_cited() -> None:
    [loop] = recall(item("Call the bank"), anchor="r-2").open_loops
    assert [citation.anchor for citation in loop.citations] == ["r-2"]


def test_the_id_of_a_conversation_is_told_to_nobody() -> None:
    scope = {CONVERSATION: "mail/8842"}
    forty, sixty = fact("budget", "budget", "48000", scope=scope), fact("budget", "budget", "62000", scope=scope)
    (finding,) = recall(mail(forty, ANN, (ME,), day=20), mail(sixty, BOB, (ME,), day=22)).contradictions
    assert finding.text.startswith("budget: Ann Lee says 48,000 EUR")


def test_a_development_is_told_as_before_and_after() -> None:
    old = record(event("Sync", "2026-11-30 15:00 -08:00", (ANN,), key="k", version=1, organizer=ANN), said_at=at(20))
    new = record(event("Sync", "2026-12-01 15:00 -08:00", (ANN,), key="k", version=2, organizer=ANN), said_at=at(25))
    (finding,) = recall(old, new).changes
    assert finding.text == "Sync: Mon 30 Nov, 15:00 → Tue 1 Dec, 15:00 (Ann Lee, Wed 25 Nov)."
    assert recall(old, new, now="2026-12-20 09:00 -08:00").changes == ()


def test_people_are_told_with_what_is_open_and_the_silent_by_name() -> None:
    mails = [mail(promise(ME, f"the deck {number}", (ANN,)), day=number) for number in (1, 2, 25)]
    silent = [record(people=(BOB,), said_at=at(day)) for day in (1, 2, 3)]
    findings = recall(*mails, *silent)
    assert [finding.text for finding in findings.people] == [
        "Ann Lee: you owe them 3 things; last contact Wed 25 Nov.",
        "Bob Marsh: last contact Tue 3 Nov.",
    ]
    silent_texts = [finding.text for finding in findings.stale]
    assert silent_texts == ["Bob Marsh: regular contact until Tue 3 Nov 2026, and none since."]
