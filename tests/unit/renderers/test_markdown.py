"""Foreign text cannot break a page: properties over any text there is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderers import markdown as md
from tests import pagecheck
from tests.tables import table

#: Any Unicode, and texts made of what markdown, YAML and HTML treat specially.
_ANY = st.text(st.characters(exclude_categories=()))
_NASTY = st.text(
    alphabet=[*list("`~*_[]()<>#-+=|\\!&:;.1 \n\t\r\"'{}@%$^a"), "\u2028", "\x00", "\u202e", "\ufeff", "é"]
)
TEXT = _ANY | _NASTY


@given(TEXT)
def test_front_matter_parses_back_to_what_went_in(text: str) -> None:
    values: dict[str, md.FrontValue] = {
        "title": text,
        "flag": True,
        "count": 3,
        "names": [text, "x"],
        "records": [{"record_id": text, "anchor": "r-a"}],
    }
    front, body = pagecheck.split(md.front_matter(values) + "\n\nbody\n")
    known = md.clean(text)
    assert front == {
        "title": known,
        "flag": True,
        "count": 3,
        "names": [known, "x"],
        "records": [{"record_id": known, "anchor": "r-a"}],
    }
    assert body.strip() == "body"


@given(st.lists(TEXT, min_size=1))
def test_a_text_in_a_list_is_quoted_as_it_is_alone(texts: list[str]) -> None:
    lines = md.front_matter({"names": texts, "records": [{"record_id": text} for text in texts]}).split("\n")
    names = [f"  - {md.quoted(text)}" for text in texts]
    records = [f"  - {{record_id: {md.quoted(text)}}}" for text in texts]
    assert lines == ["---", "names:", *names, "records:", *records, "---"]


@given(TEXT)
def test_an_inline_text_shows_itself_and_nothing_else(text: str) -> None:
    shown = md.one_line(text)
    if not shown:
        return
    parsed = pagecheck.tokens(f"- x: {md.inline(text)}\n")
    (inline,) = [token for token in parsed if token.type == "inline"]
    kinds = {child.type for child in inline.children or []}
    assert kinds <= {"text", "text_special", "code_inline"}
    assert "".join(child.content for child in inline.children or []) == f"x: {shown}"


@given(TEXT)
def test_an_inline_text_starts_no_block(text: str) -> None:
    shown = md.one_line(text)
    if not shown:
        return
    parsed = pagecheck.tokens(md.inline(text) + "\n")
    assert [token.type for token in parsed] == ["paragraph_open", "inline", "paragraph_close"]
    assert "".join(child.content for child in parsed[1].children or []) == shown


@given(TEXT)
def test_a_fence_holds_its_text_word_for_word(text: str) -> None:
    block = md.fenced(md.clean(text))
    if not md.clean(text).strip():
        assert block == ""
        return
    parsed = pagecheck.tokens(f"before\n\n{block}\n\nafter\n")
    assert [token.type for token in parsed].count("fence") == 1
    (fence,) = [token for token in parsed if token.type == "fence"]
    assert fence.content == md.clean(text).strip("\n") + "\n"
    assert parsed[-2].content == "after"


@given(TEXT)
def test_a_slug_is_a_name_that_gbrain_leaves_alone(text: str) -> None:
    assert re.fullmatch(r"([a-z0-9]+(-[a-z0-9]+)*)?", md.slug(text))
    assert len(md.slug(text)) <= md.SLUG_CHARS


def test_digests_tell_apart_where_one_part_ends() -> None:
    assert md.short_digest("ab", "c") != md.short_digest("a", "bc")
    assert re.fullmatch("[a-z2-7]{12}", md.short_digest("\ud800"))


def test_a_long_title_is_cut_visibly() -> None:
    cut = md.one_line("word " * 1000)
    assert len(cut) <= md.TITLE_CHARS
    assert cut == " ".join(["word"] * 32) + "…"


@table(
    ("text", "expected"),
    [
        ("one two three", "one two…"),
        ("one twothree four", "one twoth…"),
        ("one two th", "one two th"),
        ("unbroken-words", "unbroken-…"),
        ("12345678e\u0301\u0302 x", "12345678…"),
        ("12345678\U0001f468\u200d\U0001f469\u200d\U0001f467 x", "12345678…"),
        ("1234567\U0001f468\u200d\U0001f469\u200d\U0001f467 x", "1234567…"),
        ("12345678\U0001f44b\U0001f3fd x", "12345678…"),
        ("12345678\U0001f1e9\U0001f1ea\U0001f1e6\U0001f1f9", "12345678…"),
        ("1234567\U0001f1e9\U0001f1ea\U0001f1e6\U0001f1f9", "1234567\U0001f1e9\U0001f1ea…"),
        ("12345678\u2764\ufe0f x", "12345678…"),
        ("12345678\u1112\u1161\u11ab x", "12345678…"),
        ("\u0301" * 50, "\u0301" * 9 + "…"),
        ("ab \ud83d cd efg", "ab \ufffd cd…"),
    ],
)
def test_a_line_ends_after_a_word_or_a_whole_character(text: str, expected: str) -> None:
    assert md.one_line(text, 10) == expected


@given(st.text(max_size=60), st.integers(4, 20))
def test_a_cut_line_is_a_beginning_that_fits(text: str, limit: int) -> None:
    whole, cut = md.one_line(text, 10_000), md.one_line(text, limit)
    assert len(cut) <= limit
    assert cut == whole or (cut[-1] == "…" and whole.startswith(cut[:-1]))


@table(
    ("text", "expected"),
    [
        ("0.75", "0.75"),
        ("1. first", "1\\. first"),
        ("snake_case", "snake_case"),
        ("_x_", "\\_x\\_"),
        ("a & b &amp; c", "a & b \\&amp; c"),
        ("<b> & <!-- x -->", "&lt;b> & &lt;!-- x -->"),
        ("C# and #4", "C\\# and \\#4"),
        ("- item", "\\- item"),
        ("see https://x.example/_a_?b=1.", "see `https://x.example/_a_?b=1`."),
        ("(a@b.example, www.b.example)", "(`a@b.example`, `www.b.example`)"),
        ("<https://x.example>", "&lt;`https://x.example`>"),
        ("[a](http://x) <b@c>", "\\[a\\](`http://x`) &lt;`b@c`>"),
        ("as `http://x` says", "as `` `http://x` `` says"),
        ("- README.md and e.g. v1.2 at 12:30", "\\- `README.md` and e.g. v1.2 at 12:30"),
        ("1. mailto:x", "1\\. `mailto:x`"),
    ],
)
def test_only_what_would_be_markup_is_escaped(text: str, expected: str) -> None:
    assert md.inline(text) == expected


def test_no_test_can_make_a_page_that_does_not_parse_back() -> None:
    """tests/fixtures_pages.py looks at whatever any test renders."""
    front = md.front_matter({"title": "One"})
    md.document(front, [md.heading(1, "One")])
    for blocks in ([], [md.heading(1, "Two")], [md.heading(1, "One")] * 2, [md.heading(1, "One"), "<b>x</b>"]):
        with pytest.raises(AssertionError):
            md.document(front, blocks)
