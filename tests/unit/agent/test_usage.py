"""Reading tokens from bytes as they pass."""

from __future__ import annotations

import tracemalloc

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumer.agent.gateway import usage
from consumer.agent.gateway.usage import (
    ANSWER_BYTES,
    EVENT_BYTES,
    STREAM_BYTES,
    Document,
    Events,
    Meter,
    TokenCounts,
    of_object,
)
from tests.tables import table

LAST = orjson.dumps({"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 34}})


@given(
    st.integers(1, 50), st.lists(st.text(max_size=40), max_size=8), st.sampled_from([b"\n\n", b"\r\n\r\n", b"\n", b""])
)
def test_the_cut_of_the_chunks_does_not_matter(size: int, texts: list[str], end: bytes) -> None:
    chunks = [orjson.dumps({"choices": [{"delta": {"content": text}}]}) for text in texts] + [LAST]
    stream = b"".join(b"data: " + chunk + b"\n\n" for chunk in chunks) + b"data: [DONE]" + end
    meter = Meter(100)
    events = Events(meter)
    passed = b"".join(events.feed(stream[start : start + size]) for start in range(0, len(stream), size))
    assert passed + (events.end() or b"") == stream
    assert meter.tokens() == TokenCounts(12, 0, 34)


@given(st.integers(0, 200))
def test_a_stream_that_ends_before_its_end_says_so_and_no_part_of_a_line_passed(kept: int) -> None:
    stream = (b"data: " + LAST + b"\n\ndata: [DONE]\n\n")[:kept]
    events = Events(Meter(0))
    passed = events.feed(stream)
    assert passed == b"" or passed.endswith(b"\n")
    assert (events.end() is None) == (b"[DONE]" not in stream)


def test_a_line_without_end_is_not_waited_for() -> None:
    events = Events(Meter(0))
    assert events.feed(b"x" * EVENT_BYTES) == b""
    assert not events.endless
    events.feed(b"x")
    assert events.endless


def copied(size: int) -> int:
    """Bytes allocated while a line of this size comes in small pieces."""
    events, total, piece = Events(Meter(0)), 0, b"x" * 16
    tracemalloc.start()
    try:
        for _ in range(size // len(piece)):
            before = tracemalloc.get_traced_memory()[0]
            tracemalloc.reset_peak()
            events.feed(piece)
            total += tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    return total


def test_a_line_in_small_pieces_costs_what_it_is_long() -> None:
    copied(64)  # whatever is made once
    assert copied(128 * 1024) < 3 * copied(64 * 1024), "twice the line is about twice the work; a square is four times"


def test_a_stream_without_end_is_cut_however_short_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    assert STREAM_BYTES > ANSWER_BYTES
    monkeypatch.setattr(usage, "STREAM_BYTES", 100)
    events = Events(Meter(0))
    for _ in range(10):
        assert events.feed(b"data: {}\n\n") == b"data: {}\n\n"
    assert not events.endless
    events.feed(b"\n")
    assert events.endless


def test_a_document_without_usage_costs_the_request_and_the_models_words() -> None:
    for answers, output in ((True, 3), (False, 0)):
        meter = Meter(400, answers=answers)
        document = Document(meter)
        assert document.feed(b'{"choices": []}')
        assert document.end() == b'{"choices": []}'
        assert meter.tokens() == TokenCounts(100, 0, output)


@table("body", [b"", b"{", b'{"choices": [', b"[]", b"\xff\x00", b"null"])
def test_what_is_no_whole_object_is_no_answer(body: bytes) -> None:
    meter = Meter(400)
    document = Document(meter)
    document.feed(body)
    assert document.end() is None
    assert meter.tokens() == TokenCounts(100, 0, len(body) // 4)


def test_an_endless_document_is_not_kept_and_not_free() -> None:
    meter, piece = Meter(400), b"x" * (ANSWER_BYTES // 4)
    document = Document(meter)
    assert [document.feed(piece) for _ in range(5)] == [True, True, True, True, False]
    assert not document._body
    assert meter.tokens() == TokenCounts(100, 0, 5 * len(piece) // 4)


def test_nonsense_counts_are_zero() -> None:
    assert of_object({"usage": {"prompt_tokens": -5, "completion_tokens": "many"}}) == TokenCounts(0, 0, 0)
    odd: tuple[object, ...] = ([], "many", 7, {"cached_tokens": {}})
    for details in odd:
        assert of_object({"usage": {"prompt_tokens": 5, "prompt_tokens_details": details}}) == TokenCounts(5, 0, 0)
    assert of_object({"usage": None}) is None
    assert of_object([]) is None
