"""The exact text that each function of renderers/markdown.py makes of short inputs."""

from __future__ import annotations

from typing import Any

from renderers import markdown as md
from tests.tables import table


@table(
    ("text", "line"),
    [
        ("plain", "plain"),
        (" a  b\n", "a b"),
        ("*a*", r"\*a\*"),
        ("a_b_c", "a_b_c"),
        ("a<b", "a&lt;b"),
        # At its start a sign or a number would begin a block.
        *((f"{sign} a", f"\\{sign} a") for sign in "-+>#"),
        *((f"{sign}a", f"\\{sign}a") for sign in "=~:|"),
        ("a - b", "a - b"),
        ("1. a", r"1\. a"),
        ("12) b", r"12\) b"),
        ("1.", r"1\."),
        ("1.5 c", "1.5 c"),
        ("1", "1"),
        # What a viewer may take for an address is code, without the signs of its sentence.
        ("http://x.example", "`http://x.example`"),
        ("(see www.x.example).", "(see `www.x.example`)."),
        ("a@b.example, *b*", r"`a@b.example`, \*b\*"),
        ("a `x@b.example` c", "a `` `x@b.example` `` c"),
        ("`www.x", "`` `www.x ``"),
        ("``www.x` y", "``` ``www.x` ``` y"),
    ],
)
def test_a_line_shows_its_text_alone(text: str, line: str) -> None:
    assert md.inline(text) == line
    assert md.heading(2, text) == f"## {line}"
    assert md.link(text, "a.md") == f"[{line}](a.md)"


def test_a_line_without_anything_to_see_is_untitled_where_it_must_be_seen() -> None:
    for text in ("", " \n", "\u200b"):
        assert md.inline(text) == ""
        assert md.heading(1, text) == "# Untitled"
        assert md.link(text, "a.md") == "[Untitled](a.md)"


def test_a_line_as_long_as_its_limit_is_whole() -> None:
    for text in ("abcde", "abcd*", "äbcde"):
        assert md.one_line(text, 5) == text
        assert md.one_line(f"{text}f", 5) == f"{text[:4]}…"
        assert len(md.inline(text, 5)) == len(text) + text.count("*")
    assert md.inline("x" * md.TITLE_CHARS) == "x" * md.TITLE_CHARS
    assert md.inline("x" * (md.TITLE_CHARS + 1)) == "x" * (md.TITLE_CHARS - 1) + "…"
    assert md.one_line("ab cdefg", 6) == "ab…", "a word that ends in the second half"
    assert md.one_line("a bcdefgh", 6) == "a bcd…"
    assert md.one_line("\u0301" * 99, 50) == "\u0301" * 49 + "…", "a text of accents alone is cut anywhere"


@table(
    ("parts", "digest"),
    [
        (("a",), "hmmw7veqppw7"),
        (("ab",), "tswmyjfv27qg"),
        (("a", "b"), "hsovsecfxseh"),
        (("",), "v5kxb5nbqefx"),
        ((), "4oymiquy7qob"),
    ],
)
def test_the_digests_in_names_of_pages_never_change(parts: tuple[str, ...], digest: str) -> None:
    """Another digest would move the page of every record."""
    assert md.short_digest(*parts) == digest


@table(
    ("text", "shown"),
    [
        ("a", '"a"'),
        ('a"b\\c', r'"a\"b\\c"'),
        ("a\nb\tc", r'"a\nb\tc"'),
        ("<!-- x", r'"\u003c!-- x"'),
        ("<b", '"<b"'),
        ("[a](b)", r'"[a\u005d(b)"'),
        ("[a] (b)", '"[a] (b)"'),
        ("a@b.example", r'"a\u0040b\u002eexample"'),
        ("see a.co now", r'"see a\u002eco now"'),
        ("public.table", '"public.table"'),
        ("http://x", r'"http\u003a\u002f/x"'),
        ("x: y", '"x: y"'),
        ("10:30", '"10:30"'),
    ],
)
def test_a_quoted_text_holds_nothing_that_a_viewer_links(text: str, shown: str) -> None:
    assert md.quoted(text) == shown


@table(
    ("text", "block"),
    [
        ("a", "```text\na\n```"),
        ("\na\n\n", "```text\na\n```"),
        ("`x`", "```text\n`x`\n```"),
        ("```\nx", "````text\n```\nx\n````"),
        ("````", "`````text\n````\n`````"),
        (" \n", ""),
        ("", ""),
    ],
)
def test_a_fence_is_longer_than_any_inside(text: str, block: str) -> None:
    assert md.fenced(text) == block


@table(
    ("value", "lines"),
    [
        (None, []),
        ("", ['a: ""']),
        (True, ["a: true"]),
        (False, ["a: false"]),
        (0, ["a: 0"]),
        ([], ["a: []"]),
        (["x", 'y"'], ["a:", '  - "x"', r'  - "y\""']),
        (
            [{"b": "x", "c": None, "d": 2, "e": True}, {"b": "<!--"}],
            ["a:", '  - {b: "x", d: 2, e: true}', r'  - {b: "\u003c!--"}'],
        ),
    ],
)
def test_front_matter_has_a_line_for_each_value(value: Any, lines: list[str]) -> None:
    assert md.front_matter({"a": value, "z": 1}).split("\n") == ["---", *lines, "z: 1", "---"]


def test_small_parts_of_pages() -> None:
    assert md.anchor("r-1") == '<a id="r-1"></a>'
    assert md.href("../", "people/a.md", "r-1") == "../people/a.md#r-1"
    assert md.href("../", "people/a.md", None) == md.href("../", "people/a.md", "") == "../people/a.md"
    assert md.bullets([("A", "1"), ("B", ""), ("C", "2")]) == "- A: 1\n- C: 2"
    assert md.bullet("A", "1") == "- A: 1"
    assert md.isolated("plain") == "plain"
    assert md.isolated("by \u05d0\u05d1 \u05d2, 5") == "by \u2068\u05d0\u05d1 \u05d2\u2069, 5"
    assert md.isolated("“a \u05d0 b” ä") == "“\u2068a \u05d0 b\u2069” ä"
    assert md.clean("a\r\nb\tc\u2028d\x00") == "a\nb\tc\nd\ufffd"
    assert [md.slug(text) for text in ("Über - 2 Häuser!", "--a--", "字", "x" * 60)] == [
        "uber-2-hauser",
        "a",
        "",
        "x" * 48,
    ]
    assert md.slug("ab cd", 3) == "ab"
