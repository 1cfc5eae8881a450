"""What no single page shows, and lists that change only with their evidence."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

from consumer.evidence.pages import Page, parse
from consumer.evidence.records import IndexedRecord
from consumer.reports import consequences, insights, phrases, wording
from consumer.reports.citing import Citing
from consumer.reports.claims import Citation
from consumer.reports.detectors import entities, records
from consumer.reports.detectors.findings import Connection
from consumer.reports.insights import Insight
from consumer.reports.remembered import Telling
from consumer.understanding.life import fold
from consumer.understanding.memory import Memory
from consumer.understanding.people import Directory
from consumer.understanding.statements import Reading
from consumer.understanding.utterances import ME, Person
from renderers import grouping
from tests import brains
from tests.stories import Story
from tests.tables import table
from tests.unit.understanding import talks
from tests.unit.understanding.talks import answer, at, item, promise, record

NOW = "2026-11-27 10:00 +00:00"
ANN = "Ann Lee <ann@lee.example>"
BOB = "Bob Marsh <bob@marsh.example>"


def telling_of(*readings: Reading) -> tuple[Memory, Telling]:
    """What these readings say, each record on a page with its words."""
    pages: dict[str, Page] = {}
    places: dict[tuple[str, str], IndexedRecord] = {}
    for reading in readings:
        words = [quote.text for statement in reading.statements for quote in statement.quotes]
        names = [person.name for person in reading.people]
        slug = f"sources/{reading.record_id}"
        pages[slug] = parse(slug, brains.page("Page", "\n\n".join((*words, *names))).encode())
        places[reading.source, reading.record_id] = IndexedRecord(
            *(reading.source, reading.record_id, "c", "t", "", "", "s", f"{slug}.md", "", "p"),
            *("raw", 0, 1, "", ""),
        )
    memory = fold(readings, (), NOW)
    return memory, Telling(memory, Citing(places.get, pages.get))


def insights_of(*readings: Reading) -> list[Insight]:
    return list(insights.find(*telling_of(*readings), ()))


def promised_by(by: str, day: int, record_id: str = "", who: object = ME) -> Reading:
    author, to = (ME, (talks.ANN,)) if who == ME else (talks.BOB, (ME,))
    owner = ME if who == ME else talks.BOB
    promised = promise(owner, "the deck", (talks.ANN,) if who == ME else (ME,), by=by)
    return record(promised, author=author, to=to, said_at=at(day), thread="t", record_id=record_id)


def test_what_the_user_moves_again_and_again_is_postponed() -> None:
    once = [promised_by("2026-11-10", 5), promised_by("2026-11-17", 9)]
    assert insights_of(*once, promised_by("2026-11-17", 10)) == [], "moved once"
    (entry,) = insights_of(*once, promised_by("2026-12-01", 16))
    assert (entry.kind, entry.prediction) == ("postponed", False)
    assert "has moved 2 times: Tue 10 Nov 2026 → Tue 17 Nov 2026 → Tue 1 Dec 2026" in entry.text
    assert len(entry.citations) == 3, "each promise has its place"
    overdue = insights_of(*(promised_by(f"2026-11-{day + 3:02}", day) for day in (1, 2, 3)))
    assert [entry.kind for entry in overdue] == ["postponed", "faded"], "it is not told again as one that waits"


def test_a_task_long_beyond_its_date_is_postponed_and_its_page_bears_the_mark_of_its_record() -> None:
    (entry,) = insights_of(item("Call the bank", by="2026-11-12", said_at=at(1), record_id="task-1"))
    assert entry.text == "“Call the bank” is still open, although it was due Thu 12 Nov 2026."
    assert entry.name == f"postponed-call-the-bank-{grouping.mark('checklist_items', 'task-1')}"
    assert insights_of(item("Call the bank", by="2026-11-13", said_at=at(1))) == [], "two weeks ago"
    (cut,) = insights_of(item(f"Call {'the bank ' * 9}", by="2026-11-02", said_at=at(1)))
    name = re.sub("^postponed-|-[^-]+$", "", cut.name)
    assert (len(name), name.endswith("-")) == (40, False), "a page's name holds the first 40 letters"


def test_a_task_without_a_date_that_waits_for_weeks_is_postponed() -> None:
    (entry,) = insights_of(item("Ask about the slide", said_at=at(12)), item("Count the keys", said_at=at(13)))
    assert (entry.kind, entry.prediction) == ("postponed", False)
    assert entry.text == "\u201cAsk about the slide\u201d has waited since Thu 12 Nov 2026, without a date."
    assert entry.name.startswith("postponed-ask-about-the-slide-")


def spoke(day: int, who: Person = talks.BOB) -> Reading:
    """A record with a word of theirs that is no loop."""
    return record(talks.fact("the depot", "door", "green"), author=who, to=(ME,), said_at=at(day))


@table(
    ("days", "faded"),
    [
        ((1, 2, 5), True),  # 22 days ago
        ((1, 2, 6), False),  # 21 days ago
        ((1, 5), False),  # two records are no regular contact
        ((1, 2, 3, 26), False),
    ],
)
def test_who_wrote_regularly_and_fell_silent_has_faded(days: tuple[int, ...], faded: bool) -> None:
    entries = [entry for entry in insights_of(*map(spoke, days)) if entry.kind == "faded"]
    assert len(entries) is int(faded)
    for entry in entries:
        assert "Bob Marsh" in entry.text
        assert "Thu 5 Nov 2026" in entry.text
        assert (entry.since, [cited.quote for cited in entry.citations]) == ("2026-11-05", ["Bob Marsh"])
        assert entry.name.startswith("faded-bob-marsh-")


def test_five_silent_people_are_told_those_of_most_records_first() -> None:
    names = ("Ana Lopez", "Ben Ito", "Carl Otto", "Dora Kern", "Eva Lund", "Finn Berg")
    people = [Person(name, f"{name[:3].lower()}@y.example") for name in names]
    several = [spoke(day, who) for number, who in enumerate(people) for day in range(1, 4 + (number == 5))]
    texts = [entry.text for entry in insights_of(*several) if entry.kind == "faded"]
    assert len(texts) == 5
    assert "Finn Berg" in texts[0]


@table(
    ("people", "projects"),
    [
        (("Ann Lee", "Bob Marsh"), "Harbour and Kestrel"),
        (("Ann Lee",), ""),
        (("Ann Lee", "Mara Silva"), ""),  # the user shares all projects
    ],
)
def test_projects_are_connected_by_two_people_beside_the_user(people: tuple[str, ...], projects: str) -> None:
    cited = Citation(page="sources/a", quote="Harbour")
    memory = fold([talks.profile("Mara Silva")], (), NOW)
    connection = Connection("Harbour", "Kestrel", people, (cited,))
    made = insights.find(memory, Telling(memory, Citing(lambda _: None, lambda _: None)), (connection,))
    assert [entry.kind for entry in made] == ["connected"] * bool(projects)
    for entry in made:
        assert all(name in entry.text for name in ("Harbour", "Kestrel", *people))
        assert (entry.citations, entry.name) == ((cited,), f"connected-{grouping.mark('Harbour', 'Kestrel')}")


def test_what_you_owe_may_wait_for_what_another_promised_you_of_the_same_thing() -> None:
    report, readings = "the calibration report of probe four", "the raw readings of probe four"
    mine = record(
        promise(ME, report, (talks.ANN,), by="2026-11-29"), author=ME, to=(talks.ANN,), said_at=at(20), thread="a"
    )

    def promised(what: str, by: Any) -> Reading:
        return record(promise(by, what, (ME,), by="2026-11-26"), author=by, to=(ME,), said_at=at(22), thread=what)

    (entry,) = insights_of(mine, promised(readings, talks.BOB))
    assert (entry.kind, entry.prediction) == ("connected", True)
    assert "which Bob Marsh promised you: both mention \u201cprobe four\u201d" in entry.text
    assert "(Sun 29 Nov 2026)" in entry.text
    assert len({place.page for place in entry.citations}) == 2, "no single page shows it"
    # The same person on both sides knows, and another thing has nothing to do with it.
    assert insights_of(mine, promised(readings, talks.ANN)) == []
    assert insights_of(mine, promised("the new drawings", talks.BOB)) == []
    people = [Person(name, f"{name[:3].lower()}@y.example") for name in ("Cy Ito", "Di Kern", "Ed Lund")]
    several = [
        promised(f"{word} {who.name[:2]} readings of probe four", who) for who in people for word in ("raw", "old")
    ]
    assert len(insights_of(mine, *several)) == 5, "of one kind no more are told"


@table(
    ("first", "last", "thing"),
    [
        ("raw readings of probe four", "Send the calibration report of probe four to Ann Lee", "probe four"),
        ("release notes of Osprey 2.2", "draft of the release notes.", "release notes"),
        ("Vertrag mit dem Hafenamt", "der Entwurf des Vertrags", ""),
        ("Could we speak of the new deck", "the new drawings", ""),
        ("October invoice", "invoice of May", ""),
        ("data room for Ann Lee", "lunch with Ann Lee", ""),
        ("", "the deck", ""),
    ],
)
def test_two_loops_speak_of_one_thing_if_they_share_words_that_name_it(first: str, last: str, thing: str) -> None:
    assert insights.shared_thing(first, last, {"ann", "lee"}) == thing
    assert insights.shared_thing(last, first, {"ann", "lee"}).strip(".") == thing


@table(
    ("late", "kept", "counted"),
    [
        (3, 0, "3 of 3"),
        (3, 2, "3 of 5"),  # just the share that makes a habit
        (3, 3, ""),
        (2, 0, ""),  # two dates are no habit
    ],
)
def test_who_was_late_before_may_be_late_again_and_that_is_a_prediction(late: int, kept: int, counted: str) -> None:
    history: list[Reading] = []
    for number in range(late + kept):
        thing, sent = f"report {'abcdef'[number]}", 10 + number + (number < late)
        promised = promise(talks.BOB, thing, (ME,), by=f"2026-11-{10 + number}")
        history += [
            record(promised, author=talks.BOB, to=(ME,), said_at=at(1), thread=thing, record_id=f"r{number}"),
            record(
                answer(talks.BOB, "delivered", thing, (ME,)),
                author=talks.BOB, to=(ME,), said_at=at(sent), thread=thing,
            ),
        ]  # fmt: skip
    # What they were asked for and do not owe by their own word is no promise of theirs, nor is one of the user.
    others = [promised_by("2026-11-02", 1), item("Call Bob Marsh", by="2026-11-12", said_at=at(1))]
    open_ = record(
        promise(talks.BOB, "the budget", (ME,), by="2026-12-01"),
        author=talks.BOB, to=(ME,), said_at=at(25), thread="u", record_id="now",
    )  # fmt: skip
    entries = [entry for entry in insights_of(*history, *others, open_) if entry.kind == "expected"]
    assert len(entries) == bool(counted)
    for entry in entries:
        assert entry.prediction
        assert entry.text == f"“I will do it: the budget” may be late: Bob Marsh missed or moved {counted} dates."
        first, *before = [place.page for place in entry.citations]
        assert (first, len(before), {page[:9] for page in before}) == ("sources/now", 2, {"sources/r"})


def test_projects_that_share_people_are_connected_unless_a_record_names_both() -> None:
    def page(slug: str, *links: str) -> Page:
        body = "```text\nSomething was said here.\n```\n\n" + "\n".join(f"- People: {link}" for link in links)
        return parse(slug, brains.evidence("Note", body, "briefings", "2026-11-20").encode())

    def link(kind: str, name: str) -> str:
        return f"[{name}](../../../{kind}/{name.casefold().replace(' ', '-')}.md)"

    ann, bob = link("people", "Ann Lee"), link("people", "Bob Marsh")
    harbour, kestrel = link("projects", "Harbour"), link("projects", "Kestrel")
    several = {
        name: parse(name, brains.page(title, "x").encode())
        for name, title in (("projects/harbour", "Harbour"), ("projects/kestrel", "Kestrel"))
    }
    apart = {
        **several,
        "sources/cloop/briefings/a": page("sources/cloop/briefings/a", ann, bob, harbour),
        "sources/cloop/briefings/b": page("sources/cloop/briefings/b", ann, bob, kestrel),
    }
    (entry,) = entities.connections(apart, records.of_pages(apart.values()))
    assert (entry.first, entry.last) == ("Harbour", "Kestrel")
    assert len(entry.people) == len(entry.citations) == 2
    both = apart | {"sources/cloop/briefings/c": page("sources/cloop/briefings/c", harbour, kestrel)}
    assert entities.connections(both, records.of_pages(both.values())) == ()


@table(
    ("following", "counts"),
    [
        ("Otherwise the furnace slot lapses on 2 December.", True),
        ("The permit expires on Friday.", True),
        ("Sonst verfällt der Termin.", True),
        ("Sinon le créneau est perdu.", True),
        ("The permit does not expire before May.", False),
        ("Does the permit expire?", False),
        ("The weather is fine.", False),
    ],
)
def test_what_follows_is_told_only_where_the_record_says_it_beside(following: str, counts: bool) -> None:
    quote = "I will send the drawings by Sunday."
    assert (consequences.beside(quote, ["Hello Ann.", quote, following]) != "") is counts
    assert consequences.beside(quote, [quote, "We spoke of the weather.", "Otherwise it lapses."]) == "", "too far away"
    before = "Without them the permit lapses."
    assert consequences.beside(quote, [before, quote, "See you."]) == before
    assert consequences.beside(quote, [quote, "See you."]) == consequences.beside("not said", [before, quote]) == ""


@table("language", sorted(phrases.BY_LANGUAGE))
def test_no_phrase_lacks_what_is_filled_in(language: str) -> None:
    """Each table has the same names to fill in as the English one."""

    table_, english = phrases.of(language), phrases.of("en")
    for name in phrases.ReportPhrases.__slots__:
        ours, theirs = getattr(table_, name), getattr(english, name)
        for entry, other in zip(ours, theirs, strict=True) if isinstance(ours, tuple) else [(ours, theirs)]:
            assert set(re.findall(r"{(\w+)}", entry)) <= set(re.findall(r"{(\w+)}", other)) | {"count"}, name


def test_a_list_of_many_people_names_the_first_of_them() -> None:
    words = wording.Wording("en", date(2026, 11, 27), Directory())
    assert words.listed(["Ann", "Bob"]) == "Ann and Bob"
    assert words.listed(["Ann", "Bob", "Cat", "Dan", "Eve"]) == "Ann, Bob, Cat and +2"
    assert words.listed([]) == ""


def test_lists_after_an_increment_are_those_of_a_fresh_backfill(tmp_path: Path) -> None:
    def fill(story: Story) -> None:
        story.sent(ANN, "I'll send the contract by 4 December 2026.", at="2026-11-20")
        story.received(BOB, "We decided to ship Kestrel in June.", at="2026-11-21")

    def more(story: Story) -> None:
        story.received(ANN, "I'll bring the drawings by 9 December 2026.", at="2026-11-26")
        story.received(BOB, "We decided to rent the hall.", at="2026-11-26")

    grown, fresh = Story(tmp_path / "grown"), Story(tmp_path / "fresh")
    fill(grown)
    grown.report("2026-11-22 10:00")
    more(grown)
    grown.report("2026-11-27 10:00")
    fill(fresh)
    more(fresh)
    fresh.report("2026-11-27 10:00")
    for name in ("OPEN_LOOPS.md", "DECISIONS.md"):
        text = (grown.root / "brain" / name).read_text("utf-8")
        assert text == (fresh.root / "brain" / name).read_text("utf-8")
        assert "Kestrel" in text or "contract" in text
    loops = (grown.root / "brain/OPEN_LOOPS.md").read_text("utf-8")
    assert "Fri 4 Dec 2026: You promised Ann Lee: “I'll send the contract by 4 December 2026”." in loops
