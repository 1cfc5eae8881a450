"""Records too long for one page: what stands on any part is told, and what is held is held on all parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from consumer.agent import sight
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.reports import citations, corrected, withholding
from consumer.reports.citations import Resolved
from consumer.reports.claims import Citation, Claim
from consumer.reports.withholding import HeldEvidence, Marked, Withheld
from consumer.understanding import standing_rules
from consumer.understanding.people import Directory
from consumer.understanding.standing_rules import RuleText, StandingRule
from renderers import grouping, splitting
from tests.brains import Free
from tests.stories import Story, Told

ANN: Final = "Ann Lee <ann@lee.example>"
FRIDAY: Final = "2026-11-27 10:00"
#: Promises at the start, in the middle and at the end of about 100,000 characters.
PROMISES: Final = (
    "I will send you the crane drawings by Monday.",
    "I'll forward the ferry timetable by Tuesday.",
    "I will review the pier budget by Wednesday.",
)
FILLER: Final = "We looked at the numbers once more and found nothing new in them."


def long_text(label: str = "", promises: tuple[str, ...] = PROMISES, lines: int = 500) -> str:
    filler = "\n".join(f"{label}{FILLER} ({number})" for number in range(lines))
    first, middle, last = (f"{label}{promise}" for promise in promises)
    return "\n".join((first, filler, middle, filler, last))


def told_promises(story: Story, report: Told) -> set[str]:
    """The promises that are told. Each of their citations stands on the page that it names."""
    loops = report.document["sections"]["open_loops"]
    for loop in loops:
        for cited in loop["citations"]:
            page = (story.root / "brain" / f"{cited['page']}.md").read_text("utf-8")
            assert cited["quote"] in page
    return {promise for promise in PROMISES if any(promise.rstrip(".") in loop["text"] for loop in loops)}


WRITE: Final[Mapping[str, Callable[[Story], Any]]] = {
    "transcript": lambda story: story.transcript(
        "Weekly", *long_text("Mara: ").split("\n"), attendees=[{"name": "Ann"}]
    ),
    "mail": lambda story: story.sent(ANN, long_text(), thread="quay"),
    "mail in a thread": lambda story: [
        story.sent(ANN, text, thread="quay") for text in ("Thank you for the tea.", long_text(), "See you soon.")
    ],
    "received": lambda story: story.received(ANN, long_text()),
    "event": lambda story: story.event("Call with Ann", summary=long_text("Mara: ")),
    "note": lambda story: story.note("Weekly", long_text("Mara: "), attendees=[{"name": "Ann"}]),
}


@pytest.mark.parametrize("kind", [kind for kind in WRITE if kind != "event"])
def test_a_promise_on_any_part_of_a_long_record_is_told(kind: str, tmp_path: Path) -> None:
    story = Story(tmp_path)
    WRITE[kind](story)
    assert told_promises(story, story.report(FRIDAY)) == set(PROMISES)


@pytest.mark.parametrize("kind", list(WRITE))
def test_only_a_record_on_its_own_page_stands_on_several(kind: str, tmp_path: Path) -> None:
    """Under an anchor stands a whole record: what hides, erases and cites records relies on it."""
    story = Story(tmp_path)
    WRITE[kind](story)
    story.report(FRIDAY)
    parts = sorted((tmp_path / "brain/sources").rglob("*-part-2.md"))
    assert len(parts) == 1
    for path in (tmp_path / "brain/sources").rglob("*.md"):
        page = pages.parse(path.stem, path.read_bytes())
        if splitting.first_part(path.stem) == splitting.first_part(parts[0].stem):
            assert not page.anchors
            assert grouping.mark(page.text("source_key"), page.text("source_id")) in path.stem


def test_the_first_part_has_the_facts_and_the_beginning_of_the_text(tmp_path: Path) -> None:
    story = Story(tmp_path)
    WRITE["transcript"](story)
    story.report(FRIDAY)
    (first,) = [path for path in (tmp_path / "brain/sources").rglob("*weekly*.md") if "-part-" not in path.name]
    text = first.read_text("utf-8")
    assert "- When: 2026-11-20" in text
    assert PROMISES[0] in text


OWN: Final = "sources/cloop/granola-transcripts/2026-11-20-weekly-abcdefghijkl"
GROUP: Final = "sources/cloop/checklist-items/2026-11-20"
BY_SLUG: Final[Mapping[str, Page]] = {
    slug: pages.parse(slug, f'---\ntitle: "{title}"\ntimezone: "UTC"\n---\n# {title}\n\n{body}\n'.encode())
    for slug, title, body in (
        (OWN, "Weekly", "- When: 2026-11-20\n\nThe crane is late."),
        (f"{OWN}-part-2", "Weekly (part 2)", "The Kestrel ferry costs 900 euros."),
        (f"{OWN}-part-3", "Weekly (part 3)", "The pier is open.\n\n- People: [Ann Lee](../../../people/ann.md)"),
        (GROUP, "Items", '<a id="r-aaaaaaaaaaaa"></a>\n\n## Milk\n\nBuy milk.'),
        (f"{GROUP}-part-2", "Items (part 2)", '<a id="r-bbbbbbbbbbbb"></a>\n\n## Eggs\n\nBuy eggs.'),
    )
}


def cite(quote: str, page: str = OWN, anchor: str | None = None) -> Citation:
    return Citation(page=page, anchor=anchor, quote=quote)


@pytest.mark.parametrize(
    ("page", "quote", "stands_on"),
    [
        (OWN, "The crane is late.", OWN),
        (OWN, "The Kestrel ferry costs", f"{OWN}-part-2"),
        (OWN, "The pier is open.", f"{OWN}-part-3"),
        (f"{OWN}-part-3", "The crane is late.", OWN),
        (OWN, "Buy eggs.", None),
        # Another part of a page of many records has other records.
        (GROUP, "Buy eggs.", None),
        (f"{GROUP}-part-2", "Buy milk.", None),
    ],
)
def test_a_quote_is_led_to_the_part_on_which_it_stands(page: str, quote: str, stands_on: str | None) -> None:
    verdict = citations.resolve(cite(quote, page), BY_SLUG.get)
    assert (verdict.page if isinstance(verdict, Resolved) else None) == stands_on


def test_a_claim_is_compared_with_the_header_of_the_whole_record() -> None:
    text = "On 2026-11-20 Ann Lee heard that the Kestrel ferry costs 900 euros."
    claim = Claim(text=text, kind="insight", citations=(cite("The Kestrel ferry costs 900 euros."),))
    assert citations.check(claim, BY_SLUG.get).verified
    other = claim.model_copy(update={"text": text.replace("Ann Lee", "Bob Marsh")})
    assert not citations.check(other, BY_SLUG.get).verified


def held(rule: str = "", marked: Marked | None = None) -> Withheld:
    rules = [standing_rules.compiled(RuleText("r", rule), Directory())] if rule else []
    assert all(isinstance(each, StandingRule) for each in rules)
    evidence = HeldEvidence((), Directory(), BY_SLUG, lambda *_: None, lambda _: ())
    return withholding.withheld(rules, (), marked or Marked(), evidence)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "withheld",
    [
        held("Never mention Kestrel in any report"),
        held(marked=Marked(places={(f"{OWN}-part-3", None): frozenset({"r"})})),
        held(marked=Marked(places={(OWN, None): frozenset({"r"})})),
    ],
    ids=["a rule by a word", "a mark on a part", "a mark on the page"],
)
def test_a_record_that_is_held_is_held_on_all_of_its_parts(withheld: Withheld) -> None:
    parts = (OWN, f"{OWN}-part-2", f"{OWN}-part-3")
    for part in parts:
        assert withheld.of_place(part, None) == withheld.of_page(part) == {"r"}
    for other in (GROUP, f"{GROUP}-part-2", "sources/cloop/granola-transcripts/2026-11-20-weekly-mmmmmmmmmmmm-part-2"):
        assert not withheld.of_page(other)
        assert not withheld.of_place(other, "r-aaaaaaaaaaaa")
    seen = sight.of(withheld, BY_SLUG, Free())
    assert seen.hidden == {pages.path_of(part) for part in parts}
    assert not seen.shown


def test_a_mark_on_a_part_of_a_page_of_many_records_holds_that_part() -> None:
    withheld = held(marked=Marked(places={(f"{GROUP}-part-2", None): frozenset({"r"})}))
    assert withheld.of_place(f"{GROUP}-part-2", "r-bbbbbbbbbbbb") == {"r"}
    assert not withheld.of_page(GROUP)
    assert not withheld.of_place(GROUP, "r-aaaaaaaaaaaa")


def test_a_corrected_statement_is_known_on_whatever_part_it_is_cited() -> None:
    place = corrected.CorrectedPlace(OWN, None, "The Kestrel ferry costs 900 euros.", loops_only=False)
    quote = "Kestrel ferry costs 900 euros"
    assert corrected._touches(place, cite(quote, f"{OWN}-part-2"))
    assert corrected._touches(place, cite(quote, OWN))
    assert not corrected._touches(place, cite(quote, GROUP))
