"""The size of a brain's answers, in the forms of both brains."""

from __future__ import annotations

import json
from typing import Any

import pytest

from consumer.agent import bounds
from consumer.agent.bounds import SECTION_CHARS, SNIPPET_WORDS, SNIPPETS, AnswerBounds

LONG = " ".join(f"word{number}" for number in range(500))


def hit(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "slug": f"sources/cloop/notes/n-{number}",
        "title": f"Note {number}",
        "type": "source",
        "anchor": f"a{number}",
        "heading": "Heading",
        "chunk_text": LONG,
        "score": 1.5,
        "effective_date": "2026-11-20T09:00:00Z",
        **fields,
    }


def answered(given: AnswerBounds, tool: str, document: Any, **arguments: Any) -> Any:
    return json.loads(given.answer(tool, arguments, json.dumps(document)))


@pytest.mark.parametrize("tool", ["search", "query"])
@pytest.mark.parametrize("wrap", [lambda rows: rows, lambda rows: {"results": rows, "total": 40}])
def test_a_search_answers_with_a_few_short_snippets(tool: str, wrap: Any) -> None:
    rows = answered(AnswerBounds(), tool, wrap([hit(number) for number in range(40)]))
    assert [row["slug"] for row in rows] == [f"sources/cloop/notes/n-{number}" for number in range(SNIPPETS)]
    assert set(rows[0]) == {"slug", "title", "anchor", "day", "snippet"}
    assert rows[0]["day"] == "2026-11-20"
    assert rows[0]["snippet"].split()[:-1] == LONG.split()[:SNIPPET_WORDS]


def test_a_snippet_of_the_brains_own_is_taken_before_the_chunk() -> None:
    (row,) = answered(AnswerBounds(), "search", [hit(1, snippet="around the words")])
    assert row["snippet"] == "around the words"


def test_what_was_shown_before_is_named_and_not_repeated() -> None:
    given = AnswerBounds()
    answered(given, "search", [hit(1), hit(2)])
    again, fresh = answered(given, "query", [hit(1), hit(3)])
    assert again == {"slug": "sources/cloop/notes/n-1", "anchor": "a1", "already_returned": "this snippet"}
    assert fresh["snippet"]
    # Other words of the same page are no repetition.
    (other,) = answered(given, "search", [hit(1, chunk_text="another chunk")])
    assert other["snippet"] == "another chunk"


@pytest.mark.parametrize("field", ["compiled_truth", "content"])
def test_a_page_comes_in_sections_that_together_are_the_page(field: str) -> None:
    body = "".join(f"Line {number} of the page, with some words in it.\n" for number in range(600))
    page = {"slug": "people/anna-1", "title": "Anna", "frontmatter": {"occurred_at": "2026-11-20"}, field: body}
    given, texts, offset = AnswerBounds(), [], 0
    while True:
        answer = answered(given, "get_page", page, slug="people/anna-1", offset=offset)
        assert len(answer["compiled_truth"]) <= SECTION_CHARS
        assert (answer["slug"], answer["title"], answer["day"]) == ("people/anna-1", "Anna", "2026-11-20")
        texts.append(answer["compiled_truth"])
        if "more" not in answer:
            break
        offset = answer["more"]["offset"]
        assert answer["more"]["characters"] == len(body) - offset
        assert body[offset - 1] == "\n"
    assert "".join(texts) == body
    assert len(texts) > 3
    again = answered(given, "get_page", page, slug="people/anna-1", offset=offset)
    assert set(again) == {"slug", "already_returned"}
    repeated = answered(given, "get_page", page, slug="people/anna-1", offset=offset, again=True)
    assert repeated["compiled_truth"] == texts[-1]


def test_a_section_begins_at_the_anchor_of_a_search_hit() -> None:
    lines = "".join(f"Line {number}.\n" for number in range(2_000))
    page = {"slug": "s", "compiled_truth": f'{lines}<a id="r-7"></a>\n\n## Seven\n\nSaid under the anchor.\n'}
    section = answered(AnswerBounds(), "get_page", page, anchor="r-7")["compiled_truth"]
    assert section.startswith('<a id="r-7"></a>')
    assert "Said under the anchor." in section
    # An anchor that the page does not have: from the beginning.
    assert answered(AnswerBounds(), "get_page", page, anchor="r-8")["compiled_truth"].startswith("Line 0.")


def test_a_short_page_is_whole_and_an_offset_that_is_none_is_its_beginning() -> None:
    page = {"slug": "people/anna-1", "title": "Anna", "compiled_truth": "Short.", "timeline": "- 2026-11-20: met"}
    for offset in (0, -1, "x", None):
        answer = answered(AnswerBounds(), "get_page", page, offset=offset)
        whole = "Short.\n\n- 2026-11-20: met"
        assert answer == {"slug": "people/anna-1", "title": "Anna", "compiled_truth": whole}
    assert answered(AnswerBounds(), "get_page", page, offset=1_000_000)["compiled_truth"] == ""


def test_a_page_of_one_line_is_cut_where_it_is_full() -> None:
    page = {"slug": "s", "compiled_truth": "x" * (SECTION_CHARS * 2 + 5)}
    given = AnswerBounds()
    first = answered(given, "get_page", page)
    assert first["more"] == {"offset": SECTION_CHARS, "characters": SECTION_CHARS + 5}
    assert len(answered(given, "get_page", page, offset=SECTION_CHARS * 2)["compiled_truth"]) == 5


def test_lists_are_short_and_say_what_is_left() -> None:
    links = [{"from_slug": f"s{n}", "to_slug": "t", "anchor": None, "context": LONG} for n in range(50)]
    rows = answered(AnswerBounds(), "get_backlinks", links, slug="t")
    assert len(rows) == bounds.ROWS + 1
    assert set(rows[0]) == {"from_slug", "context"}
    assert len(rows[0]["context"].split()) == bounds.CONTEXT_WORDS
    assert rows[-1] == {"note": "20 more; ask more narrowly"}
    listed = answered(AnswerBounds(), "list_pages", [hit(n, updated_at="2026-11-21") for n in range(3)])
    assert listed[0] == {"slug": "sources/cloop/notes/n-0", "title": "Note 0", "type": "source", "day": "2026-11-20"}


@pytest.mark.parametrize("tool", ["search", "get_page", "get_backlinks", "list_pages", "recall", "entity"])
@pytest.mark.parametrize(
    "text",
    ["no JSON at all", '{"error": {"code": "page_not_found"}}', "[1, 2]", "5", '"text"', '{"compiled_truth": 5}'],
)
def test_another_form_passes_if_it_is_short(tool: str, text: str) -> None:
    assert AnswerBounds().answer(tool, {}, text) == text


@pytest.mark.parametrize("tool", ["search", "get_page", "recall"])
def test_another_form_that_is_long_is_cut(tool: str) -> None:
    text = AnswerBounds().answer(tool, {}, "x" * 100_000)
    assert len(text) < SECTION_CHARS + 100
    assert text.endswith("[cut: 94,000 more characters; ask more narrowly]")


def test_the_brain_is_asked_for_no_more_than_passes() -> None:
    evidence = {"types": ["source"]}
    assert bounds.request("search", {"query": "x", "limit": 100}) == {"query": "x", "limit": SNIPPETS, **evidence}
    assert bounds.request("query", {"query": "x", "types": []}) == {"query": "x", "limit": SNIPPETS, **evidence}
    people = {"query": "x", "limit": 3, "offset": 8, "types": ["person"]}
    assert bounds.request("search", people) == people
    assert bounds.request("search", {"query": "x", "limit": "many"})["limit"] == SNIPPETS
    assert bounds.request("list_pages", {"limit": 1_000_000}) == {"limit": bounds.ROWS}
    assert bounds.request("get_page", {"slug": "s", "offset": 2, "anchor": "a", "again": True}) == {"slug": "s"}
    assert bounds.request("put_page", {"slug": "s", "content": "c"}) == {"slug": "s", "content": "c"}
