from __future__ import annotations

import time

from hypothesis import example, given
from hypothesis import strategies as st

from consumer.evidence import pages
from consumer.reports import citations
from consumer.reports.citations import Resolved, Unresolved
from consumer.reports.claims import Citation, Claim
from renderers import markdown as md
from tests.tables import table

TEXT = """---
title: "Notes"
---
# Notes

Introduction with [Anna Kowal](../people/anna.md) and **bold _words_**.

<a id="r-1"></a>

## Budget

- Amount: EUR 40,000

````text
We said “forty thousand” — not more.
Price_list\\*final
````

<a id="r-2"></a>

## Launch

The launch is on 2026-11-20. It cannot move.
"""
PAGE = pages.parse("sources/cloop/notes/x", TEXT.encode())


def find(slug: str) -> pages.Page | None:
    return PAGE if slug == PAGE.slug else None


def resolve(quote: str, anchor: str | None = None, page: str = "sources/cloop/notes/x") -> Resolved | Unresolved:
    return citations.resolve(Citation(page=page, anchor=anchor, quote=quote), find)


@table(
    ("quote", "anchor"),
    [
        ("Introduction with Anna Kowal and bold words.", None),
        ("introduction   with\n[Anna Kowal](elsewhere.md)", None),
        ("Amount: EUR 40,000", "r-1"),
        ("- Amount: EUR 40,000", "r-1"),
        ('we said "forty thousand" - not more', "r-1"),
        ("> We said “forty thousand” — not more.", "r-1"),
        ("Price_list*final", "r-1"),
        ("## Launch", "r-2"),
        ("The launch is on 2026-11-20 ... cannot move", "r-2"),
        ("The launch is on 2026-11-20 […] cannot move", "r-2"),
        ("The launch is on 2026-11-20 ...", "r-2"),
        ("… launch is on 2026-11-20 …", "r-2"),
    ],
)
def test_a_quote_holds_as_a_reader_sees_it(quote: str, anchor: str | None) -> None:
    verdict = resolve(quote, anchor)
    assert isinstance(verdict, Resolved), verdict
    assert (verdict.anchor, verdict.checksum, verdict.title) == (anchor, PAGE.checksum, "Notes")


@table(
    ("quote", "anchor", "page", "reason"),
    [
        ("The launch is on 2026-11-21.", None, "sources/cloop/notes/x", "not on the page"),
        ("EUR 4,000", None, "sources/cloop/notes/x", "not on the page"),
        ("cannot move ... The launch is on 2026-11-20", None, "sources/cloop/notes/x", "not on the page"),
        ("launch ... a ... move", None, "sources/cloop/notes/x", "not on the page"),
        ("The launch is on 2026-11-21 ...", None, "sources/cloop/notes/x", "not on the page"),
        ("… is …", None, "sources/cloop/notes/x", "too short"),
        ("The launch", "r-9", "sources/cloop/notes/x", "no such anchor"),
        ("The launch", None, "sources/cloop/notes/y", "no such page"),
        ("is", None, "sources/cloop/notes/x", "too short"),
        ("***", None, "sources/cloop/notes/x", "too short"),
    ],
)
def test_what_does_not_hold_is_said(quote: str, anchor: str | None, page: str, reason: str) -> None:
    verdict = resolve(quote, anchor, page)
    assert isinstance(verdict, Unresolved)
    assert reason in verdict.reason


SHORT = """---
title: "Checklist items: Fun"
---
# Checklist items: Fun

<a id="r-1"></a>

## Gym

- People: [Bo](../people/bo.md), [Jon](../people/jon.md)
- Rank: #1

```text
- Note: bus
We go by bus, and the tea is on us.
```

<a id="r-2"></a>

## 买牛奶

- Place: 茶
"""


@table(
    ("quote", "anchor", "holds"),
    [
        ("Gym", "r-1", True),
        ("Bo", "r-1", True),
        ("[Jon](elsewhere.md)", "r-1", True),
        ("#1", "r-1", True),
        ("买牛奶", "r-2", True),
        ("牛奶", "r-2", True),
        ("茶", "r-2", True),
        # Words within a text, parts of a field, and fields of another record are no whole field of the cited one.
        ("bus", "r-1", False),
        ("tea", "r-1", False),
        ("Jo", "r-1", False),
        ("Gym", "r-2", False),
        ("Gym", None, False),
        ("牛", "r-2", False),
        # The title is the page's, without the word for its kind.
        ("Fun", None, True),
        ("Fun", "r-1", False),
    ],
)
def test_a_few_letters_prove_something_only_as_a_whole_field(quote: str, anchor: str | None, holds: bool) -> None:
    page = pages.parse("sources/cloop/checklist-items/x", SHORT.encode())
    cited = Citation(page=page.slug, anchor=anchor, quote=quote)
    verdict = citations.resolve(cited, lambda _: page)
    assert isinstance(verdict, Resolved) == holds, verdict


def test_a_quote_under_another_anchor_is_led_to_its_place() -> None:
    verdict = resolve("It cannot move.", "r-1")
    assert isinstance(verdict, Resolved)
    assert verdict.anchor == "r-2"


def claim(kind: str, *quotes: str) -> Claim:
    citations = [{"page": "sources/cloop/notes/x", "quote": q} for q in quotes]
    return Claim.model_validate({"text": "the launch", "kind": kind, "citations": citations, "confidence": 0.8})


def test_a_claim_is_verified_only_when_all_of_it_holds() -> None:
    good, bad = "The launch is on 2026-11-20", "The launch is on 2026-12-24"
    assert citations.check(claim("change", good), find).verified
    half = citations.check(claim("change", good, bad), find)
    assert not half.verified
    assert half.score == 0.4
    empty = citations.check(claim("change"), find)
    assert not empty.verified
    assert empty.score == 0.0


@table(
    "page",
    [
        *("reports/digest/2026-11-20", "reports/backfill/2026-11-01", "reports/insight/2026-11-19"),
        *("CONTEXT", "CONTRADICTIONS", "OPEN_LOOPS", "DECISIONS", "people/anna-kowal-9f", "days/2026-11-20"),
        *("projects/kestrel", "meetings/board-dry-run", "concepts/launch", "dreams/2026-11-20", "insights/launch"),
    ],
)
def test_what_only_repeats_somebody_is_no_evidence(page: str) -> None:
    there = pages.parse(page, TEXT.encode())
    quote = {"page": page, "quote": "The launch is on 2026-11-20"}
    statement = Claim.model_validate({"text": "the launch", "kind": "change", "citations": [quote], "confidence": 0.8})
    assert not citations.check(statement, lambda slug: there if slug == page else None).verified


def test_a_contradiction_needs_two_places() -> None:
    assert not citations.check(claim("contradiction", "The launch is on 2026-11-20"), find).verified
    assert not citations.check(claim("contradiction", "The launch is on", "cannot move"), find).verified
    assert citations.check(claim("contradiction", "The launch is on", "EUR 40,000"), find).verified


@table(
    ("text", "compared"),
    [
        ("- the lease", "the lease"),
        ("  > the lease", "the lease"),
        ("The list:\n- the *lease*\n\n## The `key`", "the list: the lease the key"),
        ("~~~\nthe lease\n~~~", "the lease"),
        ("see [the lease](../lease.md) and [[the key]]", "see the lease and the key"),
        ("a &lt;b&gt; c - d", "a <b> c - d"),
        ("\u201cthe\u00a0lease\u201d\u200b", '"the lease"'),
    ],
)
def test_marks_that_only_lay_out_a_page_do_not_count(text: str, compared: str) -> None:
    assert citations.normalize(text) == compared


@given(st.text(max_size=200))
def test_normalization_is_idempotent(text: str) -> None:
    once = citations.normalize(text)
    assert citations.normalize(once) == once


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn"]), max_size=80))
@example("\u200e abc \u202e \u2066")
def test_what_was_rendered_from_a_text_can_be_quoted_by_that_text(text: str) -> None:
    body = f"# T\n\n{md.inline('about ' + text + ' end')}\n"
    page = pages.parse("p", body.encode())
    verdict = citations.resolve(Citation(page="p", quote="about " + text + " end"), lambda _: page)
    assert isinstance(verdict, Resolved)


@given(st.text(min_size=1, max_size=120), st.data())
def test_any_part_of_fenced_text_can_be_quoted(text: str, data: st.DataObject) -> None:
    page = pages.parse("p", ("# T\n\n" + md.fenced(md.clean(f"start of it\n{text}\nend of it"))).encode())
    lines = [line for line in page.body.split("\n") if sum(c.isalnum() for c in citations.normalize(line)) >= 4]
    quote = data.draw(st.sampled_from(lines))
    verdict = citations.resolve(Citation(page="p", quote=quote), lambda _: page)
    assert isinstance(verdict, Resolved)


@given(st.text(alphabet="abcdefgh ", min_size=8, max_size=60), st.integers(0, 9))
def test_a_changed_digit_never_holds(words: str, digit: int) -> None:
    page = pages.parse("p", f"# T\n\n{words} costs 7{digit}0 euros\n".encode())
    wrong = f"costs 7{(digit + 1) % 10}0 euros"
    assert isinstance(citations.resolve(Citation(page="p", quote=wrong), lambda _: page), Unresolved)


#: Texts of a user's that took minutes to compare when time grew with the square or cube of their length.
STUBBORN = {
    "escaped brackets": "\\[" * 50_000,
    "nested links": "[x" * 20_000 + "](y)" * 20_000,
    "nested wiki links": "[[" * 20_000 + "x" + "]]" * 20_000,
    "backslashes": "\\" * 100_000,
    "brackets": "[" * 100_000,
    "wide heading": "# a" + " " * 100_000 + "x",
    "heading of signs": "# a" + "#" * 100_000 + "x",
}


@table("kind", STUBBORN)
def test_a_stubborn_page_is_read_and_compared_in_time(kind: str) -> None:
    began_s = time.thread_time()  # of the processor, which other processes do not lengthen
    page = pages.parse("p", f"# T\n\n{STUBBORN[kind]}\nThe launch is on 2026-11-20\n".encode())
    verdict = citations.resolve(Citation(page="p", quote="The launch is on 2026-11-20"), lambda _: page)
    assert isinstance(verdict, Resolved)
    assert time.thread_time() - began_s < 20
