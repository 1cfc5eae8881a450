"""Where a quote stands: on which part of a page, under which anchor, and with how many signs it proves anything."""

from __future__ import annotations

from consumer.evidence import pages
from consumer.reports import citations
from consumer.reports.citations import QUOTE_SIGNS, Resolved, Unresolved, repeats, resolve
from consumer.reports.claims import Citation
from tests import brains
from tests.tables import table

NOTE = "sources/cloop/meeting-notes/atlas-1a2b3c4d5e6f"


def pages_of(**bodies: str) -> dict[str, pages.Page]:
    """Pages by slug; ``p2`` is the second part of the note."""
    slugs = {"p1": NOTE, "p2": f"{NOTE}-part-2", "p3": f"{NOTE}-part-3", "p4": f"{NOTE}-part-4"}
    return {slugs[name]: pages.parse(slugs[name], brains.page("Atlas", body).encode()) for name, body in bodies.items()}


def at(quote: str, by_slug: dict[str, pages.Page], page: str = NOTE, anchor: str | None = None) -> str:
    """The page and anchor on which a quote holds, or why it does not."""
    verdict = resolve(Citation(page=page, anchor=anchor, quote=quote), by_slug.get)
    if isinstance(verdict, Unresolved):
        return verdict.reason
    assert isinstance(verdict, Resolved)
    return f"{verdict.page.removeprefix(NOTE)}#{verdict.anchor or ''}"


@table(
    ("quote", "place"),
    [
        ("The first launch is in May.", "#"),
        ("The second launch is in June.", "-part-2#"),
        ("The third launch is in July.", "-part-3#"),
        ("The fifth launch is in August.", "the quote is not on the page"),
        ("May.", "the quote is too short to prove anything"),
    ],
)
def test_a_quote_of_another_part_of_a_records_page_is_led_there(quote: str, place: str) -> None:
    parts = pages_of(
        p1="The first launch is in May.", p2="The second launch is in June.", p3="The third launch is in July."
    )
    for page in parts:
        assert at(quote, parts, page) == place, page
    del parts[f"{NOTE}-part-2"]
    if place == "-part-3#":
        assert at(quote, parts) == "the quote is not on the page", "parts are counted without a gap"


def test_a_page_of_many_records_has_no_other_parts() -> None:
    parts = pages_of(p1="Nothing.", p2='<a id="r-1"></a>\n\n## One\n\nThe second launch is in June.')
    assert at("The second launch is in June.", parts) == "the quote is not on the page"
    plain = pages_of(p1="Nothing.", p2="The second launch is in June.")
    assert at("The second launch is in June.", plain, anchor="r-1") == "no such anchor on the page"
    assert at("The second launch is in June.", {}) == "no such page"


ITEMS = '<a id="r-1"></a>\n\n## One\n\nThe launch is in May.\n\n<a id="r-2"></a>\n\n## Two\n\nThe launch is in May.\n'


@table(("anchor", "place"), [(None, "#r-1"), ("r-1", "#r-1"), ("r-2", "#r-2")])
def test_of_two_places_the_cited_one_counts_and_else_the_first(anchor: str | None, place: str) -> None:
    assert at("The launch is in May.", pages_of(p1=ITEMS), anchor=anchor) == place
    across = "The launch is in May. Two"
    assert at(across, pages_of(p1="One\n\nThe launch is in May.\n\nTwo")) == "#"


@table(
    ("quote", "holds"),
    [
        ("the launch of atlas ... moves to june", True),
        ("the launch of atlas … moves to june", True),
        ("moves to june ... the launch of atlas", False),
        ("the launch of atlas ... moves to july", False),
        ("the launch of atlas ... to", False),  # a piece that proves nothing
        ("the launch of atlas ... the launch of atlas", False),
    ],
)
def test_the_pieces_of_a_cut_quote_stand_in_their_order(quote: str, holds: bool) -> None:
    body = "Ann says that the launch of Atlas, which was planned for May, moves to June now."
    assert (at(quote, pages_of(p1=body)) == "#") is holds


@table(
    ("quote", "proves"),
    [
        ("x" * QUOTE_SIGNS, True),
        ("x" * (QUOTE_SIGNS - 1), False),
        ("x " * QUOTE_SIGNS, True),
        ("x." * (QUOTE_SIGNS - 1), False),
        ("字" * (QUOTE_SIGNS // 2), True),
        ("字" * (QUOTE_SIGNS // 2 - 1), False),
        ("字" * (QUOTE_SIGNS // 2 - 1) + "xx", True),
        ("字" * (QUOTE_SIGNS // 2 - 1) + "x", False),
    ],
)
def test_a_wide_sign_proves_as_much_as_two_letters(quote: str, proves: bool) -> None:
    assert citations.proves(quote) is proves


@table(
    ("text", "repeated"),
    [
        ("Atlas is late.", True),
        ("atlas  is LATE.", True),
        ("To do: Atlas is late.", True),
        ("Open loop - urgent: Atlas is late.", True),
        ("Not so: Atlas is late.", True),
        ("Atlas is late. Very.", False),
        ("It is wrong that Atlas is late.", False),
        ("7 things: Atlas is late.", False),
        (f"{'x' * 41}: Atlas is late.", False),
        (f"{'x' * 40}: Atlas is late.", True),
    ],
)
def test_a_claim_repeats_a_detector_with_a_few_words_before_it(text: str, repeated: bool) -> None:
    assert repeats(text, "Atlas is late.") is repeated
