"""The viewer's work grows with a page's length, whatever is on the page; and what a page says stays text."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from consumer.evidence import html as markdown
from tests.tables import table

#: Instructions run for twice the text, over those for the text. Linear work gives 2; a square gives 4.
MOST = 2.6
#: Characters of the shorter text; more for what has few of the costly parts in them.
SMALL = 250
SPARSE = 1_000


def _repeated(piece: str) -> Callable[[int], str]:
    return lambda size: piece * (size // len(piece))


#: What a sender could put on a page to make it slow, each as a text of about so many characters.
PATHOLOGICAL: dict[str, Callable[[int], str]] = {
    "links": _repeated("[a](b.md) "),
    "citations in one paragraph": _repeated("[a](b.md): \u201cq\u201d "),
    "citations, an item each": _repeated("- [a](b.md): \u201cq\u201d\n"),
    "links with anchors": _repeated("[a](b.md#r-aaaaaaaaaaaa) "),
    "open brackets": _repeated("["),
    "nested brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "open links": _repeated("[a]("),
    "open images": _repeated("!["),
    "nested images": lambda size: "![" * (size // 10) + "a](b.md)" * (size // 10),
    "open link titles": _repeated('[a](b "'),
    "parentheses": _repeated("[a](("),
    "backticks": _repeated("`"),
    "backtick runs of every length": lambda size: " ".join("`" * n for n in range(1, int((2 * size) ** 0.5))),
    "asterisks": _repeated("*"),
    "open emphasis": _repeated("*a "),
    "mixed emphasis": _repeated("**a*a_b__"),
    "emphasis inside words": _repeated("a**b"),
    "table rows": lambda size: "|a|b|\n|-|-|\n" + "|1|2|\n" * (size // 6),
    "table columns": lambda size: "|a" * (size // 4) + "\n" + "|-" * (size // 4) + "\n",
    "quotes in quotes": _repeated(">"),
    "lines of deep quotes": _repeated(">" * 50 + "a\n"),
    "lists in lists": _repeated("- "),
    "list items": _repeated("* a\n"),
    "quotes in lists": _repeated("- > "),
    "angle brackets": _repeated("<"),
    "open tags": _repeated("<a "),
    "open comments": _repeated("a <!-- "),
    "open sections": _repeated("a <![CDATA["),
    "anchors": _repeated('<a id="r-aaaaaaaaaaaa"></a> '),
    "angle links": _repeated("<http://a.b> "),
    "reference definitions": _repeated("[a]: b.md\n"),
    "reference links": lambda size: "[a]: b.md\n\n" + "[a] " * (size // 4),
    "open references": _repeated("[a\n"),
    "entities": _repeated("&amp;"),
    "ampersands": _repeated("&"),
    "backslashes": _repeated("\\"),
    "lines": _repeated("a\n"),
    "line breaks": _repeated("a  \n"),
    "fences": _repeated("```\n"),
    "headings by underlines": _repeated("a\n=\n"),
    "spaces": lambda size: " " * size + "a",
    "everything": _repeated("*[`<!["),
}


def steps(act: Callable[[], object]) -> int:
    """Python's instructions that run meanwhile: the same on every machine."""
    count = 0

    def trace(frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal count
        if event == "call":
            # Lines would not do: a generator's whole loop may stand on one.
            frame.f_trace_lines, frame.f_trace_opcodes = False, True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


def work(text: str) -> int:
    return steps(lambda: markdown.render(text, "brain/a.md", _place))


@pytest.mark.properties
@pytest.mark.parametrize("kind", PATHOLOGICAL)
def test_twice_the_text_is_twice_the_work(kind: str) -> None:
    make, size = PATHOLOGICAL[kind], SPARSE if re.search(r"links|citations", kind) else SMALL
    work(make(100))  # whatever is made once
    assert work(make(2 * size)) <= MOST * work(make(size))


def test_short_rows_of_wide_tables_do_not_multiply_a_page() -> None:
    ragged = "|a" * 64 + "\n" + "|-" * 64 + "\n" + "|\n" * 64 + "\n"
    page = ragged * 20
    html = markdown.render(page, "brain/a.md", _place)
    assert html.count("<td") <= 2 * len(page)
    assert html.count("<table") == 2, "what comes after is text"
    full = ("|a|b|\n|-|-|\n" + "|1|2|\n" * 20 + "\n") * 20
    assert markdown.render(full, "brain/a.md", _place).count("<table") == 20


def test_the_measure_sees_a_square() -> None:
    def square(size: int) -> None:
        for end in range(size):
            sum(n for n in range(end))

    assert steps(lambda: square(200)) > MOST * steps(lambda: square(100))


@pytest.mark.properties
@table("kind", PATHOLOGICAL)
def test_nothing_leads_out_however_it_is_nested(kind: str) -> None:
    html = markdown.render(PATHOLOGICAL[kind](2_000), "brain/a.md", _place)
    assert not re.search(r"<(?:img|script|iframe)|(?:href|src)=\"(?!brain/)", html)


def test_the_quote_behind_a_link_is_looked_for_up_to_the_next_link() -> None:
    html = markdown.render(
        "[a](a.md): \u201cone\u201d\n\n[b](b.md) and [c](c.md): \u201ctwo\u201d", "brain/x.md", _place
    )
    assert 'href="brain/a.md#:~:text=one"' in html
    assert 'href="brain/b.md"' in html
    assert 'href="brain/c.md#:~:text=two"' in html


def test_a_reference_definition_is_text() -> None:
    html = markdown.render("[x]: https://evil.example/\n\n[x]", "brain/x.md", _place)
    assert "<a" not in html
    assert "[x]: https://evil.example/" in html


def _place(path: str, anchor: str) -> str:
    return f"{path}#{anchor}" if anchor else path


@table(
    ("text", "html"),
    [
        (
            "<details>\n<summary>How</summary>\n\nmade\n\n</details>\n",
            "<details><summary>How</summary><p>made</p>\n</details>",
        ),
        # What is not closed folds nothing of the console, and what was not opened closes nothing.
        ("<details>\n<summary>How</summary>\n\nmade", "<details><summary>How</summary><p>made</p>\n</details>"),
        ("</details>", "&lt;/details&gt;"),
        (
            "<details open onclick=x>\n<summary>How</summary>\n",
            "&lt;details open onclick=x&gt;\n&lt;summary&gt;How&lt;/summary&gt;\n",
        ),
    ],
)
def test_a_folded_part_stays_folded_and_inside_of_its_page(text: str, html: str) -> None:
    assert markdown.render(text, "brain/a.md", _place) == html


@table(
    ("href", "place"),
    [
        ("b.md", ("brain/notes/b.md", "")),
        ("../b.md", ("brain/b.md", "")),
        ("../../b.md", ("b.md", "")),
        ("../../../b.md", None),  # out of the workspace
        ("b%20c.md", ("brain/notes/b c.md", "")),
        ("b%5Cc.md", None),
        ("b%0Ac.md", None),
        ("#r-aaaaaaaaaaaa", ("brain/notes/a.md", "r-aaaaaaaaaaaa")),
        ("b.md#r-aaaaaaaaaaaa", ("brain/notes/b.md", "r-aaaaaaaaaaaa")),
        ("b.md#top", ("brain/notes/b.md", "")),
        ("/b.md", None),
        ("//host/b.md", None),
        ("https://host/b.md", None),
        ("mailto:a@b.example", None),
        ("b.md?q=1", None),
        ("https://[", None),
    ],
)
def test_a_link_leads_to_a_file_of_the_workspace_or_nowhere(href: str, place: tuple[str, str] | None) -> None:
    assert markdown.target(href, "brain/notes/a.md") == place


def test_folded_parts_in_each_other_all_end() -> None:
    fold = "<details>\n<summary>How</summary>\n\n"
    for opened, closed in ((2, 0), (2, 1), (2, 2), (2, 3), (3, 1)):
        html = markdown.render(fold * opened + "made\n\n" + "</details>\n\n" * closed, "brain/a.md", _place)
        assert html.count("<details>") == html.count("</details>") == opened
        assert html.count("&lt;/details&gt;") == max(0, closed - opened)


@table(
    ("quote", "fragment"),
    [
        ("a b c d e f g h", "a%20b%20c%20d%20e%20f%20g%20h"),
        ("a b c d e f g h i", "a%20b%20c%20d,f%20g%20h%20i"),
        ("semi-open, 5%…", "semi%2Dopen%2C%205%25"),
        ("cut...", "cut"),
        ("of two\nlines", "of%20two%20lines"),
        ("", None),
    ],
)
def test_a_citation_is_found_by_its_quote_or_by_both_of_its_ends(quote: str, fragment: str | None) -> None:
    html = markdown.render(f"[a](a.md): “{quote}”", "brain/x.md", _place)
    assert (f'href="brain/a.md#:~:text={fragment}"' if fragment else 'href="brain/a.md"') in html
    anchored = markdown.render(f"[a](a.md#r-aaaaaaaaaaaa): “{quote}”", "brain/x.md", _place)
    assert 'href="brain/a.md#r-aaaaaaaaaaaa"' in anchored, "an anchor leads there already"


@table(
    ("text", "html"),
    [
        ('<a id="r-aaaaaaaaaaaa"></a>x', '<p><a id="r-aaaaaaaaaaaa"></a>x</p>\n'),
        ("a <!-- hidden --> b", "<p>a  b</p>\n"),
        ("a <b>c</b>", "<p>a &lt;b&gt;c&lt;/b&gt;</p>\n"),
        ("![cat](http://x.example/c.png)", '<p><span class="outside">cat (image not shown)</span></p>\n'),
        ("[a](https://x.example)", '<p><span class="outside">a</span></p>\n'),
        ("[a](b.md)", '<p><a href="brain/b.md">a</a></p>\n'),
        (
            "|a|\n|-|\n|1|",
            "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n</tr>\n</tbody>\n</table>\n",
        ),
    ],
)
def test_what_renderers_write_stays_and_all_other_markup_is_text(text: str, html: str) -> None:
    assert markdown.render(text, "brain/a.md", _place) == html


def test_front_matter_is_split_from_its_page() -> None:
    assert markdown.split_front("---\na: 1\n---\n# A\n") == ("a: 1", "# A\n")
    assert markdown.split_front("# A\n---\na\n---\n") == ("", "# A\n---\na\n---\n")
