"""A purged record is found where it is named or quoted, in any writing, and nowhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from consumer.erasure import matching
from consumer.erasure.matching import ErasureMatcher

MARK = "abcdefghijk2"
TEXT = "The merger with Blue Harbor closes on the ninth, and nobody may know."


def needles(*, stays: tuple[Any, ...] = (), record_id: str = "note-4711", **data: Any) -> ErasureMatcher:
    found = ErasureMatcher()
    found.add({"source_key": "notes", "record_id": record_id, "data": data or {"text": TEXT}}, MARK)
    for number, one in enumerate(stays):
        found.spare_record({"source_key": "notes", "record_id": f"stays-{number}", "data": one})
    return found


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
    assert needles().hit(text.encode())


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
    assert not needles().hit(text.encode())


@pytest.mark.parametrize("record_id", ["17", "all", "preferences", "2026-11-27", "12345678901"])
def test_an_id_that_occurs_everywhere_is_not_looked_for(record_id: str) -> None:
    assert not needles(record_id=record_id).hit(f"on {record_id} there was".encode())


@pytest.mark.parametrize("record_id", ['urn:x:"q"-00001', "C:\\mail\\00001", "straße-0001"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_an_id_is_found_as_json_writes_it(record_id: str, ascii_only: bool) -> None:
    cursors = json.dumps({"cursor": {"s": 5, "id": record_id}}, ensure_ascii=ascii_only)
    assert needles(record_id=record_id).hit(cursors.encode())


@pytest.mark.parametrize("record_id", ["123456789012", "timezone_setting", "zażółć_7", "evt:2026:0001"])
def test_other_ids_are(record_id: str) -> None:
    assert needles(record_id=record_id).hit(f"on {record_id} there was".encode())


@pytest.mark.parametrize(
    ("value", "found"),
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
def test_a_short_text_is_looked_for_where_it_is_somebodys_own(value: str, found: bool) -> None:
    assert needles(field=value).hit(f"so {value} it is".encode()) is found


def test_a_script_without_spaces_has_words_too() -> None:
    made = needles(text="会议将于九日在蓝港结束")
    assert made.hit("据说会议将于九日在那里".encode())
    assert not made.hit("会议在那里".encode())


def test_what_a_record_that_stays_says_too_is_not_looked_for() -> None:
    shared = "we meet again next week at the usual place"
    made = needles(stays=(f"Then {shared}.",), text=f"{TEXT} {shared}")
    assert not made.hit(shared.encode())
    assert made.hit(TEXT.encode())


def test_an_id_that_a_record_that_stays_names_is_not_looked_for() -> None:
    assert not needles(stays=({"item_id": "note-4711"},)).hit(b"note-4711")
    assert needles(stays=({"item_id": "note-47110"},)).hit(b"note-4711")


def test_a_staying_text_does_not_run_into_the_next_one() -> None:
    """Two fields of a record that stays: their words follow each other nowhere."""
    made = needles(stays=({"a": "merger with Blue", "b": "Harbor closes on"},))
    assert made.hit(b"merger with Blue Harbor closes on")


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
