"""What a person reads of a passage."""

from __future__ import annotations

import ast
from pathlib import Path

import renderers
from reader.readable import HEADINGS, TECHNICAL, readable
from tests.tables import table


def test_technical_fields_and_json_are_left_out_and_what_people_wrote_stays() -> None:
    commit = "Fix the link\n- Source: github\n- Importance: 0.41\n- Sequence: 11\nSummary\nJonas: fix the link."
    assert readable(commit) == "Fix the link\nSummary\nJonas: fix the link."
    mail = "Ann\n- From: Ann\n- Address: ann@example.com\n- Thread: Deck\nMessage\n- Budget: 5\nBye"
    assert readable(mail) == "Ann\n- From: Ann\n- Thread: Deck\nMessage\n- Budget: 5\nBye"
    untitled = "- Source: github\n- Thread: Deck\nSummary\nBye"
    assert readable(untitled) == "- Thread: Deck\nSummary\nBye"
    talk = 'Notes\nWe agreed.\nAnalysis\n{\n"topics": [\n"Deck"\n]\n}\nTranscript\nAnn: {yes}'
    assert readable(talk) == "Notes\nWe agreed.\nTranscript\nAnn: {yes}"


def test_json_on_one_line_is_left_out_below_a_heading_of_rendering() -> None:
    row = '{"attendees": [{"name": "Ann"}], "status": "confirmed"}'
    assert readable(f"Call\n- Source: calendar\nBody\n{row}\nNote\nBring tea") == "Call\nNote\nBring tea"
    assert readable(f"Call\nBody\n{row[:20]}") == "Call"
    assert readable(f"Call\n{row}") == f"Call\n{row}"
    assert readable('Call\nBody\n{"no"} json\nBye') == 'Call\nBody\n{"no"} json\nBye'


def test_a_passage_that_begins_or_ends_inside_a_block_keeps_its_words() -> None:
    assert readable("- Due: 2026-12-01\n- Priority: 4\nDescription\nPay") == "- Due: 2026-12-01\nDescription\nPay"
    assert readable("Ann said this.\nStructured note\n{\n") == "Ann said this."
    assert readable('Ann\nParsed\n{\n"a": [\n1,\ntrue\nMessage\n{no}') == "Ann\nMessage\n{no}"
    assert readable("") == ""


@table(
    "text",
    [
        "Kickoff\n- Budget: 40k euros\n- Owner: Ann\nLater.",
        "- Budget: 40k euros\n- Owner: Ann",
        "- Status: done\n- Priority: high\n- Address: Lindenstr. 5",
        "Plan\n- Priority: high\n- Type: lease\nLater.",
        "メモ\n- 予算: 40\n後で",
        "Note\n- Priority: high\nSummary of it",
        "Kickoff\nBody",
        "Ann\n- Sequence: 11",
        '{\n"a": 1\n}',
        "Note\n{\nfoo\n}",
        "Dear\n{\nyours, Ann",
        'Dear\n[\n"a quotation"\nno end',
        # Deeper than Python nests calls.
        "[\n" * 1100,
    ],
)
def test_words_that_no_program_wrote_stay(text: str) -> None:
    assert readable(text) == text


@table(
    ("text", "shown"),
    [
        ('Dear\n{\n"a": "x } y",\n"b": 1\n}\nBye', "Dear\nBye"),
        ('Parsed\n{\n"a": "x } y",\n"b": {\n"c": "{["\n}\n}\nBye', "Bye"),
        ('Hello\n[\n"]",\n"二 }"\n]', "Hello"),
        ("A\n{\n}\nB\n{\n}\n}", "A\nB\n}"),
    ],
)
def test_json_ends_where_it_is_complete_and_only_a_heading_of_rendering_goes_with_it(text: str, shown: str) -> None:
    assert readable(text) == shown


def test_the_names_are_those_that_rendering_writes() -> None:
    trees = [ast.parse(path.read_text()) for path in Path(renderers.__file__).parent.glob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    sections = [call.args[0] for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "section"]
    assert {str(each.value) for each in sections if isinstance(each, ast.Constant)} - {""} == HEADINGS
    pairs = [node.elts[0] for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Tuple) and node.elts]
    assert {str(each.value) for each in pairs if isinstance(each, ast.Constant)} >= TECHNICAL
