"""What the owner sees first: loops, meetings and people as data, each cited on a page."""

from __future__ import annotations

from typing import Any

import orjson

from consumer.evidence.pages import Page, parse
from consumer.evidence.records import IndexedRecord
from consumer.reports import today, withholding
from consumer.reports.withholding import HeldEvidence
from consumer.understanding import standing_rules
from consumer.understanding.life import fold
from consumer.understanding.standing_rules import RuleText, StandingRule
from consumer.understanding.statements import Reading
from consumer.understanding.utterances import ME, Person
from renderers import entities
from tests import brains
from tests.unit.understanding.talks import ANN, BOB, at, event, item, promise, record, request

NOW = "2026-11-27 20:10 -08:00"


def document(*readings: Reading, without: str = "", rule: str = "", anchor: str = "") -> dict[str, Any]:
    """The document of these readings, each on a page with all of its words but those ``without``, under a rule.

    ``anchor``: where on the page the record stands, below another one with the same words.
    """
    pages: dict[str, Page] = {}
    places: dict[tuple[str, str], IndexedRecord] = {}
    for reading in readings:
        words = [quote.text for statement in reading.statements for quote in statement.quotes]
        text = "\n\n".join(word for word in words if not without or without not in word)
        slug = f"sources/{reading.record_id}"
        if anchor:
            text = f'<a id="r-1"></a>\n\n## Other\n\n{text}\n\n<a id="{anchor}"></a>\n\n## Own\n\n{text}'
        pages[slug] = parse(slug, brains.page("Page", text).encode())
        places[reading.source, reading.record_id] = IndexedRecord(
            *(reading.source, reading.record_id, "c", "t", "", "", "s", f"{slug}.md", anchor, "p"),
            *("raw", 0, 1, "", ""),
        )
    ann = entities.path("person", ANN.address).removesuffix(".md")
    pages[ann] = parse(ann, brains.page("Ann Lee", "x").encode())
    pages["projects/kestrel-x"] = parse("projects/kestrel-x", brains.page("Kestrel", "x").encode())
    memory = fold(readings, (), NOW)
    read = [standing_rules.compiled(RuleText("user_rules/r", rule), memory.directory)] if rule else []
    rules = [each for each in read if isinstance(each, StandingRule)]
    assert len(rules) == len(read)
    evidence = HeldEvidence(readings, memory.directory, pages, lambda *key: places.get(key), lambda _: ())
    held = withholding.withheld(rules, (), withholding.Marked(), evidence)
    made = today.document(memory, places.get, pages, held)
    return dict(orjson.loads(orjson.dumps(made)))


def mail(statement: Any, author: Any = ME, to: Any = (ANN,), day: int = 20) -> Reading:
    return record(statement, author=author, to=to, said_at=at(day), thread=f"t{day}")


def test_loops_of_both_directions_with_their_people_records_and_places() -> None:
    made = document(mail(promise(ME, "the deck", (ANN,))), mail(request(ANN, "the plan", (ME,)), ANN, (ME,), day=21))
    assert (made["schema"], made["at"]) == (today.SCHEMA, NOW)
    asked, owed = made["loops"]
    assert [(loop["direction"], loop["people"]) for loop in (owed, asked)] == [
        ("you_owe", ["Ann Lee"]),
        ("asked_of_you", ["Ann Lee"]),
    ]
    assert owed["text"] == "I will do it: the deck"
    assert owed["since"] == "2026-11-20"
    [place] = owed["citations"]
    assert place == {"page": f"sources/{owed['records'][0]}", "anchor": "", "quote": "I will do it: the deck"}


def test_where_two_records_say_the_same_the_loops_own_is_cited() -> None:
    [loop] = document(item("Call the bank"), anchor="r-2")["loops"]
    assert [place["anchor"] for place in loop["citations"]] == ["r-2"]


def test_the_next_date_comes_first() -> None:
    made = document(item("Later", by="2026-12-20"), item("Never"), item("Soon", by="2026-11-28"))
    assert [(loop["text"], loop["due"]) for loop in made["loops"]] == [
        ("Soon", "2026-11-28"),
        ("Later", "2026-12-20"),
        ("Never", ""),
    ]


def test_what_cannot_be_cited_is_left_out() -> None:
    made = document(mail(promise(ME, "the deck")), mail(promise(ME, "the plan"), day=21), without="deck")
    assert [loop["text"] for loop in made["loops"]] == ["I will do it: the plan"]


def test_a_meeting_names_what_is_open_with_its_people() -> None:
    made = document(mail(promise(ME, "the deck", (ANN,))), record(event("Review", "2026-11-30 10:00 -08:00", (ANN,))))
    [meeting] = made["meetings"]
    assert (meeting["title"], meeting["starts"][:10]) == ("Review", "2026-11-30")
    assert meeting["people"] == ["Ann Lee"]
    assert meeting["loops"] == [made["loops"][0]["id"]]
    assert meeting["citations"]


def test_a_loop_is_open_with_whoever_owes_it_or_is_owed_it_and_not_with_others_in_it() -> None:
    """As in a digest: what Bob promised the user and Ann is no reason to speak to Ann."""
    made = document(
        mail(promise(BOB, "the plan", (ME, ANN)), BOB, (ME, ANN)),
        record(event("With Ann", "2026-11-30 10:00 -08:00", (ANN,))),
        record(event("With Bob", "2026-11-30 11:00 -08:00", (BOB,))),
    )
    [loop] = [loop["id"] for loop in made["loops"]]
    assert {each["title"]: each["loops"] for each in made["meetings"]} == {"With Ann": [], "With Bob": [loop]}
    assert {each["name"]: each["loops"] for each in made["people"]} == {"Ann Lee": [], "Bob Marsh": [loop]}


def test_what_is_said_to_a_room_is_open_with_who_said_it() -> None:
    made = document(
        mail(promise(BOB, "the plan", ()), BOB, (ME, ANN)),
        record(event("With Bob", "2026-11-30 11:00 -08:00", (BOB,))),
    )
    assert [len(each["loops"]) for each in made["meetings"]] == [1]


def test_what_a_rule_holds_is_no_meeting_and_no_project() -> None:
    review = record(event("Kestrel review", "2026-11-30 10:00 -08:00", (ANN,)))
    made = document(review, item("Call the bank"), rule="Never mention Kestrel")
    assert (made["meetings"], made["projects"]) == ([], [])
    assert [loop["text"] for loop in made["loops"]] == ["Call the bank"]


def test_people_lead_to_their_pages_and_open_loops() -> None:
    made = document(mail(promise(ME, "the deck", (ANN,))))
    [ann] = made["people"]
    assert (ann["name"], ann["records"], ann["last_day"]) == ("Ann Lee", 1, "2026-11-20")
    assert ann["pages"] == [entities.path("person", ANN.address).removesuffix(".md")]
    assert ann["loops"] == [made["loops"][0]["id"]]
    assert made["projects"] == [{"name": "Kestrel", "page": "projects/kestrel-x"}]


def test_people_who_may_be_one_are_one_entry() -> None:
    two = Person("Ann Lee", "ann@reef.example")
    [seen] = document(mail(promise(ME, "the deck", (ANN,))), mail(promise(ME, "the plan", (two,)), ME, (two,)))[
        "people"
    ]
    assert (seen["addresses"], seen["perhaps"]) == ([ANN.address], [two.address])
    assert (seen["records"], len(seen["loops"])) == (2, 2)


def test_the_document_has_a_bound() -> None:
    made = document(*(item(f"Task number {number}") for number in range(today.LOOPS + 5)))
    assert len(made["loops"]) == today.LOOPS
