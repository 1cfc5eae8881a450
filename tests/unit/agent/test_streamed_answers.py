"""A streamed answer as it passes, the part of a page that an agent gets, and what is read of an agent's log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from consumer.agent import bounds
from consumer.agent.bounds import SECTION_CHARS
from consumer.agent.gateway import bodies
from consumer.agent.gateway.bodies import BODY_DEPTH, BODY_VALUES, BodyRefused
from consumer.agent.gateway.usage import BYTES_A_TOKEN, LINE_BYTES, Events, Meter, TokenCounts
from consumer.agent.hermes import sessions, state
from tests.tables import table

USAGE = b'data: {"usage": {"prompt_tokens": 12, "completion_tokens": 34}}\n'


def test_a_stream_passes_in_whole_lines_and_its_usage_is_the_providers() -> None:
    meter = Meter(100)
    events = Events(meter)
    assert events.feed(b": comment\ndata: {}\nda") == b": comment\ndata: {}\n"
    assert events.feed(b"ta: x") == b""
    assert events.feed(b"\n" + USAGE) == b"data: x\n" + USAGE
    assert events.feed(b"data: [DONE]") == b""
    assert events.end() == b"data: [DONE]"
    assert meter.tokens() == TokenCounts(12, 0, 34)
    assert not events.endless


def test_a_stream_that_breaks_off_costs_what_passed() -> None:
    meter = Meter(100)
    events = Events(meter)
    events.feed(b"data: {}\n")
    events.feed(b"data: {}")
    assert events.end() is None
    assert meter.tokens() == TokenCounts(100 // BYTES_A_TOKEN, 0, 17 // BYTES_A_TOKEN)


@table(
    ("line", "counts"),
    [
        (USAGE, TokenCounts(12, 0, 34)),
        (b"data:" + USAGE.removeprefix(b"data: "), TokenCounts(12, 0, 34)),
        (USAGE.removeprefix(b"data: "), None),
        (b'data: {"other": {"prompt_tokens": 12}}\n', None),
        (b'data: {"usage": 5}\n', None),
        (b'data: "usage" no json\n', None),
        (b"data: " + USAGE[6:-1].ljust(LINE_BYTES) + b"\n", TokenCounts(12, 0, 34)),
        (b"data: " + USAGE[6:-2] + b" " * LINE_BYTES + b"}\n", None),
        (b'data: {"usage": {"prompt_tokens": -1, "completion_tokens": "x"}}\n', TokenCounts()),
        (
            b'data: {"usage": {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 4}}}\n',
            TokenCounts(9, 4, 0),
        ),
    ],
)
def test_only_a_report_of_usage_counts(line: bytes, counts: TokenCounts | None) -> None:
    meter = Meter(0, answers=False)
    Events(meter).feed(line)
    assert meter.tokens() == (counts or TokenCounts())


BODY = 'First.\n<a id="r-1"></a>\n## One\n\n## Two {#two}\nname="three"\n'


@table(
    ("arguments", "rest"),
    [
        ({}, BODY),
        ({"anchor": "r-1"}, BODY[7:]),
        ({"anchor": "two"}, '## Two {#two}\nname="three"\n'),
        ({"anchor": "three"}, 'name="three"\n'),
        ({"anchor": "nowhere"}, BODY),
        ({"anchor": "", "offset": 3}, BODY[3:]),
        ({"anchor": 5, "offset": 3}, BODY[3:]),
        ({"anchor": "two", "offset": 3}, '## Two {#two}\nname="three"\n'),
        ({"offset": 1}, BODY[1:]),
        ({"offset": 0}, BODY),
        ({"offset": -3}, BODY),
        ({"offset": 10_000}, ""),
        ({"offset": "3"}, BODY),
    ],
)
def test_a_section_begins_at_an_anchor_or_an_offset(arguments: dict[str, Any], rest: str) -> None:
    assert BODY[bounds._start(BODY, arguments) :] == rest


def test_a_section_ends_after_whole_lines_if_one_ends_in_its_second_half() -> None:
    assert bounds._end("x" * SECTION_CHARS, 0) == SECTION_CHARS
    assert bounds._end("x" * (SECTION_CHARS + 1), 0) == SECTION_CHARS
    assert bounds._end("x" * (SECTION_CHARS + 5), 5) == SECTION_CHARS + 5
    half = SECTION_CHARS // 2
    assert bounds._end("x" * half + "\n" + "y" * SECTION_CHARS, 0) == half + 1
    assert bounds._end("x" * (half - 1) + "\n" + "y" * SECTION_CHARS, 0) == SECTION_CHARS
    assert bounds._end("a\n" * SECTION_CHARS, 1) == SECTION_CHARS, "whole lines"


@table(
    ("body", "refused"),
    [
        (b"[" * BODY_DEPTH + b"]" * BODY_DEPTH, False),
        (b"[" * (BODY_DEPTH + 1), True),
        (b"[" + b"[]," * 9 + b"[" * (BODY_DEPTH - 1), False),
        (b"{" * BODY_DEPTH + b"}" + b"[" + b"[", True),
        (b"[" + b"," * (BODY_VALUES - 1), False),
        (b"[" + b"," * BODY_VALUES, True),
        (b'["' + b"[{," * BODY_VALUES + b'"]', False),
        (b'["\\"' + b"[{," * BODY_VALUES + b'"]', False),
        (b'["' + b"[{," * BODY_VALUES, False),  # it does not end, and no parser takes it
    ],
)
def test_brackets_and_commas_are_counted_outside_of_strings(body: bytes, refused: bool) -> None:
    if refused:
        with pytest.raises(BodyRefused):
            bodies._bounded(body)
        return
    bodies._bounded(body)


@table(
    ("text", "words", "shown"),
    [
        ("A harbor\n  plan", ["harbor"], "A harbor plan"),
        ("A plan", ["harbor"], "A plan"),
        ("Harbor", ["harbor"], "Harbor"),
        ("x" * 500 + " harbor " + "y" * 500, ["harbor"], None),
    ],
)
def test_a_turn_is_shown_around_its_first_word(text: str, words: list[str], shown: str | None) -> None:
    around = sessions._around(text, words)
    assert len(around) <= sessions.AROUND
    assert "harbor" in around.casefold() or "harbor" not in words or "harbor" not in text.casefold()
    if shown is not None:
        assert around == shown
    both = sessions._around("harbor" + "x" * sessions.AROUND + " plan", ["plan", "harbor"])
    assert both.startswith("harbor"), "the first of them in the text"


def test_a_time_that_is_none_is_the_beginning_of_time() -> None:
    assert sessions._moment("1.5") == datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC)
    for at in ("soon", None, "1e999", "nan"):
        assert sessions._moment(at) == datetime(1970, 1, 1, tzinfo=UTC)


@table(
    ("log", "registered"),
    [
        (f"MCP: registered 3 tools\n{state.TURN}", True),
        (f"MCP: registered 1 tool\n{state.TURN}", True),
        (f"MCP: registered 0 tools\n{state.TURN}", False),
        (f"MCP: registered 0 tools\nMCP: registered 12 tools\n{state.TURN}", True),
        (f"{state.TURN}\nMCP: registered 3 tools", False),
        ("MCP: registered 3 tools", False),
        ("", False),
    ],
)
def test_tools_count_if_they_were_there_before_the_conversation(log: str, registered: bool) -> None:
    assert state.tools_registered(log) is registered
    assert state.turn_began(log) == (state.TURN in log)
