"""A derived page has two owners, and no text that it may hold makes one of them lose a word."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from contract import derived
from renderers import markdown as md
from renderers.derived import Derived
from tests.tables import table

#: What notes and titles may quote, between any other text.
_QUOTED = st.sampled_from(
    [
        derived.MARKER,
        f"\n{derived.MARKER}\n",
        f"> {derived.MARKER}",
        f"\n```\n{derived.MARKER}\n```\n",
        f"\n~~~ html\n{derived.MARKER}\n",
        "\n---\n",
        "---\ntitle: x\n---\n",
        "\n```\n",
        "\n````\n",
        "\r\n",
    ]
)
_PIECES = st.lists(st.one_of(st.text(max_size=20), _QUOTED), max_size=6).map("".join)


def _page(title: str, names: list[str]) -> str:
    """The rendered part as renderers make it: foreign text stands in it as one escaped line."""
    lines = "\n".join(f"- [{md.inline(name)}](x.md)" for name in names)
    page = Derived(
        path="people/ann.md",
        type="person",
        title=f"Ann {title}",
        date=None,
        renderer_version="person/1",
        evidence_count=len(names),
        blocks=[f"## Evidence\n\n{lines}"],
    )
    return page.text("u", "j")


@given(_PIECES, st.lists(_PIECES, max_size=3), _PIECES, _PIECES)
def test_notes_survive_every_rewrite_of_the_derived_part(
    title: str, names: list[str], notes: str, other_title: str
) -> None:
    before, after = _page(title, names), _page(other_title, [*names, title])
    page = derived.join(before, notes)
    assert derived.split(page)[0] == before.rstrip("\n")
    kept = derived.notes(page)
    assert kept == notes.strip("\n") or not notes.strip()
    again = derived.join(after, kept)
    assert derived.split(again)[0] == after.rstrip("\n")
    assert derived.notes(again) == kept


@given(_PIECES, _PIECES)
@example("", "---")
@example("", "---\na: 1\n---\n")
def test_replaced_notes_never_touch_what_is_above(title: str, notes: str) -> None:
    rendered = _page(title, [title])
    page = derived.replace_notes(rendered, notes)
    assert derived.split(page)[0] == rendered.rstrip("\n")
    assert derived.replace_notes(page, page) == page


_QUOTES = st.sampled_from(
    [
        f"The line {derived.MARKER} means that rendering stops here.",
        f"> {derived.MARKER}",
        f"```html\n{derived.MARKER}\n```",
        f"~~~~\n```\n{derived.MARKER}\n~~~\n~~~~",
    ]
)


@given(st.text(alphabet="ab \n#*-", max_size=30), _QUOTES, st.text(alphabet="ab \n#*-", max_size=30))
def test_a_page_that_only_quotes_the_marker_keeps_the_text_before_it(before: str, quote: str, after: str) -> None:
    text = f"# Mine\n\n{before}\n\n{quote}\n\n{after}"
    assert derived.split(text)[0] == ""
    assert derived.notes(text) == text.strip("\n")
    page = derived.join(_page("Ann", []), derived.notes(f"---\ntitle: Mine\n---\n{text}"))
    assert derived.notes(page) == text.strip("\n")


def test_the_markers_words_inside_a_line_are_no_marker() -> None:
    name = md.inline(f"Odd {derived.MARKER}")
    page = f"# {name}\n\n- [{name}](x.md)\n\n{derived.MARKER}\n\nnote\n"
    assert derived.split(page) == (page[: page.index("\n\nnote")], "note\n")


def test_a_marker_after_a_closed_fence_is_one() -> None:
    above = f"# A\n\n```\nx\n```\n\n``` not a `fence\n\n{derived.MARKER}"
    assert derived.split(f"{above}\n\nnote\n") == (above, "note\n")


def test_a_marker_line_of_another_editor_is_one() -> None:
    assert derived.notes(f"# A\r\n\r\n{derived.MARKER} \r\n\nnote\n") == "note"


M = derived.MARKER


@table(
    ("before", "is_marker"),
    [
        ("", True),
        ("# A\n", True),
        ("```\n", False),
        ("```\nx\n```\n", True),
        ("````\n```\n", False),  # a shorter fence does not close it
        ("```\n````\n", True),
        ("```\n~~~\n", False),
        ("~~~\n~~~ x\n", False),  # what closes a fence has no words behind it
        ("~~~ `x`\n", False),
        ("``` `x`\n", True),
        ("   ```\n", False),
        ("    ```\n", True),
        ("``\n", True),
        ("```\n```\n```\n", False),
    ],
)
def test_a_marker_inside_a_fence_is_content(before: str, is_marker: bool) -> None:
    text = f"{before}{M}\n\nnote\n"
    assert derived.split(text) == ((f"{before}{M}", "note\n") if is_marker else ("", text))


@table(
    ("above", "below", "page"),
    [
        ("", "note", "note\n"),
        ("", "\nnote\n\n", "note\n"),
        (f"# A\n{M}\n\n", "note\n", f"# A\n{M}\n\nnote\n"),
        (f"# A\n{M}", "\n  \n", f"# A\n{M}\n"),
        (f"# A\n{M}", "", f"# A\n{M}\n"),
    ],
)
def test_two_parts_are_joined_by_one_blank_line(above: str, below: str, page: str) -> None:
    assert derived.join(above, below) == page


@table(
    ("text", "notes"),
    [
        (f"# A\n{M}\n\nnote\n", "note"),
        (f"# A\n{M}\n---\na: 1\n---\nnote", "---\na: 1\n---\nnote"),  # below a marker nothing is front matter
        ("\n# Mine\n", "# Mine"),
        ("---\na: 1\n---\n\n# Mine\n", "# Mine"),
        ("---\na: 1\n", "---\na: 1"),  # no end, no front matter
        (" ---\na: 1\n---\nx", " ---\na: 1\n---\nx"),
    ],
)
def test_the_notes_of_a_page(text: str, notes: str) -> None:
    assert derived.notes(text) == notes
    assert derived.replace_notes(f"# B\n{M}\n", text) == f"# B\n{M}\n\n{notes}\n"


def test_a_page_without_a_marker_becomes_its_notes() -> None:
    assert derived.replace_notes("# Mine", "new") == "new\n"
    assert derived.replace_notes("# Mine", f"# A\n{M}\n\nnew\n") == f"# A\n{M}\n\nnew\n"
