"""A purged record is found where it is named or quoted, in any writing, and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from consumer.erasure import matching
from consumer.erasure.matching import ErasureMatcher
from renderers import markdown

MARK = "abcdefghijk2"
TEXT = "The merger with Blue Harbor closes on the ninth, and nobody may know."


def as_json(text: str) -> str:
    return json.dumps(text)[1:-1]


def as_json_unicode(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def as_json_in_json(text: str) -> str:
    return as_json(as_json(text))


def as_markdown(text: str) -> str:
    return markdown.inline(text, len(text))


def as_markdown_in_json(text: str) -> str:
    return as_json(as_markdown(text))


def as_front_matter(text: str) -> str:
    return markdown.quoted(text)[1:-1]


WRITERS = [as_json, as_json_unicode, as_json_in_json, as_markdown, as_markdown_in_json, as_front_matter]


def needles(*, stays: tuple[Any, ...] = (), record_id: str = "note-4711", **data: Any) -> ErasureMatcher:
    matcher = ErasureMatcher()
    matcher.add({"source_key": "notes", "record_id": record_id, "data": data or {"text": TEXT}}, MARK)
    for number, text in enumerate(stays):
        matcher.spare_record({"source_key": "notes", "record_id": f"stays-{number}", "data": text})
    return matcher


@pytest.mark.parametrize(
    "text",
    [
        "they say the MERGER WITH\n> blue harbor, closes on friday",
        "merger **with** Blue_Harbor closes on",
        json.dumps({"x": "merger\nwith\tBlue\u200bHarbor".replace("\u200b", " ") + " closes on"}),
        "\\u006derger with Blue Harbor closes on",
        "mer\u00adger with Bl\u200bue Harbor closes on",
        "\uff4d\uff45rger with Blue Harbor closes on",
        "merger &lt;with&gt; Blue Harbor closes on",
        f"see [there](../sources/cloop/notes/2026-03-05-x-{MARK}.md)",
        f"#r-{MARK}title",
        "(note-4711)",
        "meeting_notes:note-4711",
    ],
)
def test_it_is_found_in_any_writing(text: str) -> None:
    assert needles().matches(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "merger with Blue Harbor closes",
        "note-47110",
        "note-4711-b",
        "a-note-4711",
        "NOTE-4711",
        MARK,
        "closes on the seventh, and nobody may tell",
    ],
)
def test_what_resembles_it_is_not_it(text: str) -> None:
    assert not needles().matches(text.encode())


@pytest.mark.parametrize("record_id", ["17", "all", "preferences", "2026-11-27", "12345678901"])
def test_an_id_that_occurs_everywhere_is_not_looked_for(record_id: str) -> None:
    assert not needles(record_id=record_id).matches(f"on {record_id} there was".encode())


HOSTILE_IDS = [
    'urn:x:"q"-00001',
    "C:\\mail\\news\\00001",
    "straße-0001",
    "<tag-0001>&amp;",
    "two\nlines  and\ttabs-0001",
    "https://mail.example/u/0/#inbox/4711",
    "`code`-[0001](x.md) *y*",
    "\u05de\u05e1\u05de\u05da-\u202b0001",
    "🎉🎈🎉🎈🎉🎈🎉🎈",
    "x" * 1000 + "1",
]


@pytest.mark.parametrize("record_id", HOSTILE_IDS)
@pytest.mark.parametrize("write", [str, *WRITERS], ids=lambda write: write.__name__)
def test_an_id_is_found_in_any_writing(record_id: str, write: Callable[[str], str]) -> None:
    assert needles(record_id=record_id).matches(f"see ({write(record_id)}), says the cursor".encode())


@pytest.mark.parametrize("record_id", HOSTILE_IDS)
@pytest.mark.parametrize("write", [str, *WRITERS], ids=lambda write: write.__name__)
def test_an_id_that_something_staying_names_is_spared_in_any_writing(
    record_id: str, write: Callable[[str], str]
) -> None:
    matcher = needles(record_id=record_id)
    matcher.spare(f"the page says {record_id} too")
    assert not matcher.matches(f"see ({write(record_id)}), says the cursor".encode())


def test_an_id_without_a_visible_sign_is_not_looked_for() -> None:
    assert not needles(record_id="`" * 9).matches(b"any text at all")


@pytest.mark.parametrize("write", [str, *WRITERS], ids=lambda write: write.__name__)
def test_a_text_of_backslashes_is_found_in_any_writing(write: Callable[[str], str]) -> None:
    text = "C:\\news\\tab\\root\\fine.txt"
    assert needles(text=text).matches(f"see {write(text)} there".encode())


@pytest.mark.parametrize("record_id", ["123456789012", "timezone_setting", "zażółć_7", "evt:2026:0001"])
def test_other_ids_are(record_id: str) -> None:
    assert needles(record_id=record_id).matches(f"on {record_id} there was".encode())


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("henrik.aaltonen@example.com", True),
        ("+358 40 123 4567", True),
        ("Settlement with Harbor", True),
        ("kJ8sdfZ0a9sKq2Lm4Np6Qr8St", True),
        ("America/New_York", False),
        ("2026-03-05T15:00:00Z", False),
        ("in the morning", False),
        ("Ann Lee", False),
        ("张伟", False),
    ],
)
def test_a_short_text_is_looked_for_where_it_is_somebodys_own(value: str, expected: bool) -> None:
    assert needles(field=value).matches(f"so {value} it is".encode()) is expected


def test_a_script_without_spaces_has_words_too() -> None:
    made = needles(text="会议将于九日在蓝港结束")
    assert made.matches("据说会议将于九日在那里".encode())
    assert not made.matches("会议在那里".encode())


def test_what_a_record_that_stays_says_too_is_not_looked_for() -> None:
    shared = "we meet again next week at the usual place"
    made = needles(stays=(f"Then {shared}.",), text=f"{TEXT} {shared}")
    assert not made.matches(shared.encode())
    assert made.matches(TEXT.encode())


def test_an_id_that_a_record_that_stays_names_is_not_looked_for() -> None:
    assert not needles(stays=({"item_id": "note-4711"},)).matches(b"note-4711")
    assert needles(stays=({"item_id": "note-47110"},)).matches(b"note-4711")


def test_a_staying_text_does_not_run_into_the_next_one() -> None:
    """Two fields of a record that stays: their words follow each other nowhere."""
    made = needles(stays=({"a": "merger with Blue", "b": "Harbor closes on"},))
    assert made.matches(b"merger with Blue Harbor closes on")


def test_markdown_loses_the_statement_and_keeps_its_neighbours() -> None:
    page = (
        "---\ntitle: x\n---\n\n# Report\n\nIntro.\n\n- Kept.\n  - [a](b): quote\n- In its own words.\n"
        f"  - [there](../x-{MARK}.md): \u201cyes\u201d\n\n  still of it\n- Also kept.\n\n"
        f"{TEXT}\nand the same paragraph.\n\n```text\n{TEXT}\n\nin the fence\n```\n\n## {TEXT}\n\nLast.\n"
    )
    clean = matching.redact("r.md", page.encode(), needles())
    assert clean is not None
    assert clean.decode() == (
        "---\ntitle: x\n---\n\n# Report\n\nIntro.\n\n- Kept.\n  - [a](b): quote\n- [purged]\n- Also kept.\n\n"
        "[purged]\n\n[purged]\n\n## [purged]\n\nLast.\n"
    )


@pytest.mark.parametrize(
    ("line", "matched"),
    [
        ("- 2026-03-05: [Board dinner](../sources/x/2026-w10.md#r-aaaabbbbcccc) (Ann)", True),
        ("- 2026-03-05: [board  *dinner*](../sources/x/2026-w10.md#r-aaaabbbbcccc)", True),
        ("- 2026-03-05: [Board dinner](../sources/x/2026-w10.md#r-ddddeeeeffff)", False),
        ("- 2026-03-05: [Board lunch](../sources/x/2026-w10.md#r-aaaabbbbcccc)", False),
        ("- 2026-03-05: Board dinner", False),
    ],
)
def test_a_link_under_a_purged_title_is_found_where_it_has_that_title_from_the_record(line: str, matched: bool) -> None:
    """A title alone is too common to look for; but a record that pages name by a purged one shows its title."""
    matcher = needles()
    matcher.add_titled("aaaabbbbcccc", "Board dinner")
    matcher.add_titled("ddddeeeeffff", "")
    assert matcher.matches(line.encode()) is matched


def test_what_cannot_be_kept_at_all_goes() -> None:
    assert matching.redact("r.md", f"---\ntitle: {TEXT}\n---\n\nx\n".encode(), needles()) is None
    assert matching.redact("r.json", f"{{ {TEXT}".encode(), needles()) is None
    # Words that only together say it.
    assert matching.redact("r.json", json.dumps(TEXT.split()).encode(), needles()) is None


def test_json_loses_statements_citations_strings_and_keys() -> None:
    document = {
        "sections": {"themes": [{"text": "own words", "citations": [{"page": f"x-{MARK}", "quote": "yes"}]}]},
        "citations": {"total": 2, "citations": [{"page": f"x-{MARK}", "quote": "a"}, {"page": "y", "quote": "b"}]},
        "changed": [f"sources/x-{MARK}", "sources/y"],
        "pages": {f"sources/x-{MARK}": "1", "sources/y": "2"},
        "streams": [{"cursor": {"id": "note-4711"}, "sources": ["notes"]}],
        "count": 3,
    }
    clean = matching.redact("r.json", json.dumps(document).encode(), needles())
    assert clean is not None
    assert json.loads(clean) == {
        "sections": {"themes": []},
        "citations": {"total": 2, "citations": [{"page": "y", "quote": "b"}]},
        "changed": ["[purged]", "sources/y"],
        "pages": {"sources/y": "2"},
        "streams": [{"cursor": {"id": "[purged]"}, "sources": ["notes"]}],
        "count": 3,
    }


@pytest.mark.parametrize("line", [b'{"a":1}\n', b'{"record_id":"x","source_key":"y","data":{}}\n', b"{}"])
def test_a_blank_line_is_as_long_and_no_record(line: bytes) -> None:
    clean = matching.blank(line)
    assert len(clean) == len(line)
    assert matching.record_of(clean) is None
    json.loads(clean)
