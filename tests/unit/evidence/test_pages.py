from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from consumer.evidence import pages
from renderers import markdown as md
from tests.tables import table


def parse(text: str, slug: str = "sources/cloop/notes/x") -> pages.Page:
    return pages.parse(slug, text.encode())


def test_front_matter_times_stay_text() -> None:
    page = parse('---\ntitle: "A: b"\noccurred_at: 2026-11-27T14:03:00Z\ncount: 3\n---\n# Other\n')
    assert (page.title, page.text("occurred_at"), page.front["count"]) == ("A: b", "2026-11-27T14:03:00Z", 3)
    assert page.text("absent") == ""


@pytest.mark.parametrize(
    ("text", "title"), [("# From *the* heading\n", "From *the* heading"), ("no heading", "x"), ("```\n# no\n```", "x")]
)
def test_without_front_matter_a_title_comes_from_the_heading_or_the_name(text: str, title: str) -> None:
    assert parse(text).title == title


@table("data", [b"a\0", b"\xff", b"---\na: 1\n", b"---\n[\n---\n", b"---\n- a\n---\n"])
def test_what_is_no_page_is_refused(data: bytes) -> None:
    with pytest.raises(pages.PageError):
        pages.parse("x", data)


def test_sections_open_at_anchors_and_headings_and_keep_the_record_they_belong_to() -> None:
    page = parse(
        '# Title\n\nintro\n\n<a id="r-1"></a>\n\n## One\n\n- Status: open\n\n### Notes\n\nfirst\n\n'
        '<a id="r-2"></a>\n\n## Two\n\nsecond\n\n## Tail\n\nlast\n'
    )
    assert [(s.anchor, s.heading, s.text) for s in page.sections] == [
        (None, "Title", "intro"),
        ("r-1", "One", "- Status: open"),
        ("r-1", "Notes", "first"),
        ("r-2", "Two", "second"),
        (None, "Tail", "last"),
    ]
    assert page.anchors == {"r-1", "r-2"}


def test_sections_below_a_title_with_an_anchor_stand_under_it_too() -> None:
    page = parse('<a id="r-1"></a>\n\n# Title\n\nintro\n\n## Notes\n\nfirst\n\n# Next\n\nlast\n')
    assert [(s.anchor, s.heading, s.text) for s in page.sections] == [
        ("r-1", "Title", "intro"),
        ("r-1", "Notes", "first"),
        (None, "Next", "last"),
    ]


GONE, STAYS = '<a id="gone"></a>', '<a id="stays"></a>'


@table(
    "body",
    [
        f"# Title\n\n{GONE}\n## Gone\nx\n### Below\ny\n{STAYS}\n## Stays\nz",
        f"{GONE}\n## Gone\nx\n## No record\nz",
        f"{GONE}\n# Gone\nx\n## Below\ny\n# Next\nz",
        # The text of a record without a heading: a link, and text on the anchor's own line.
        f'{GONE}\nSee <a href="https://example.org">this</a>\n## No record\nz',
        f"{GONE} Text\n## No record\nz",
        f"{GONE}\n\nText\n{STAYS} More\n{GONE}\nEnd",
        # What looks like a heading or an anchor in a fence is data.
        f"{GONE}\n```\n# code\n{STAYS}\n```\nx\n## No record\nz",
        f"{STAYS}\n```\n{GONE}\n```\nx",
        "No anchor\n## No record\nz",
        "",
    ],
)
def test_a_body_without_sections_has_the_others_as_they_were(body: str) -> None:
    kept = pages.without(body, {"gone"})
    assert list(pages.sections(kept)) == [each for each in pages.sections(body) if each.anchor != "gone"]
    left = iter(body.split("\n"))
    assert all(line in left for line in kept.split("\n") if kept)
    assert pages.without(body, {"other"}) == body


def test_other_spellings_of_anchors() -> None:
    page = parse('## One {#one}\n\na\n\n<a name="two"></a> text\n')
    assert [(s.anchor, s.text) for s in page.sections] == [("one", "a"), ("two", "text")]


def test_a_fence_is_data() -> None:
    page = parse('<a id="r"></a>\n\n````text\n# no\n```\n<a id="forged"></a> [x](y.md)\n````\n\n[real](y.md)\n')
    assert page.anchors == {"r"}
    assert [link.target for link in page.links] == ["sources/cloop/notes/y"]


def test_links_are_resolved_from_the_pages_folder() -> None:
    page = parse("[a](../../../people/anna.md#top) [[projects/atlas|Atlas]] [b](#here) [c](https://x.y) [d](/e.md)")
    assert [(link.target, link.anchor, link.text) for link in page.links] == [
        ("people/anna", "top", "a"),
        ("sources/cloop/notes/x", "here", "b"),
        ("projects/atlas", None, "Atlas"),
    ]


def test_a_link_out_of_the_brain_leads_nowhere() -> None:
    assert parse("[a](../../../../etc/passwd.md) [b](c.txt) ![i](pic.md)").links == ()


@given(st.text(max_size=300))
def test_any_foreign_text_in_a_fence_changes_no_structure(text: str) -> None:
    head = [md.front_matter({"title": text}), md.heading(1, text)]
    page = parse("\n\n".join([*head, md.anchor("r-1"), md.heading(2, text), md.fenced(md.clean(text)), ""]))
    assert page.anchors == {"r-1"}
    assert page.links == ()
    assert [section.anchor for section in page.sections] in ([None, "r-1"], ["r-1"])


_VALUES = st.one_of(st.text(max_size=60), st.integers(-(10**15), 10**15), st.booleans())
_KEYS = st.sampled_from(["title", "checksum", "part", "deleted", "record_id"])


@given(st.dictionaries(_KEYS, _VALUES), st.lists(st.dictionaries(_KEYS, _VALUES, min_size=1), max_size=3))
def test_front_matter_is_read_as_yaml_reads_it(values: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    text = md.front_matter({**values, "records": rows})
    front, body = pages.split_front_matter(text + "\n# T\n")
    assert front == yaml.safe_load(text.strip("-\n"))
    assert body == "# T\n"


_LINES = st.sampled_from(
    ["title: \"a\"", "title:", "  - {a: \"b, c: 1\", d: -12}", "  - {a: 0, a: true}", "n: 0", "n: 01", "x: false",
     "t: \"\\n\\t\\\"\\\\\"", "u: \"", "- z", ""]
)  # fmt: skip


@given(st.lists(_LINES, min_size=1, max_size=6))
def test_front_matter_that_is_read_later_is_what_yaml_reads(lines: list[str]) -> None:
    """A page whose front matter does not parse is none at once, not when somebody asks for a field."""
    text = "\n".join(lines)
    try:
        wanted = yaml.safe_load(text)
    except yaml.YAMLError:
        wanted = "no YAML"
    if isinstance(wanted, str | list):
        with pytest.raises(pages.PageError):
            parse(f"---\n{text}\n---\n")
    else:
        assert parse(f"---\n{text}\n---\n").front == (wanted or {})


@given(st.text(alphabet='abc:{}[]-"\\ \n#0123', max_size=60))
def test_front_matter_that_others_wrote_is_read_as_yaml_reads_it(text: str) -> None:
    try:
        front, _ = pages.split_front_matter(f"---\n{text}\n---\n")
    except pages.PageError:
        return
    if not text.startswith("---") and "\n---" not in text:
        assert front == (yaml.safe_load(text) or {})
