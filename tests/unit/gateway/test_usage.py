"""Reading tokens from bytes as they pass."""

from __future__ import annotations

import orjson
from hypothesis import given
from hypothesis import strategies as st

from consumer.gateway.usage import LINE_BYTES, Meter, Tokens, of_object

LAST = orjson.dumps({"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 34}})


@given(st.integers(1, 50), st.lists(st.text(max_size=40), max_size=8))
def test_the_cut_of_the_chunks_does_not_matter(size: int, texts: list[str]) -> None:
    events = [orjson.dumps({"choices": [{"delta": {"content": text}}]}) for text in texts] + [LAST]
    stream = b"".join(b"data: " + event + b"\n\n" for event in events) + b"data: [DONE]\n\n"
    meter = Meter(100, streamed=True)
    for start in range(0, len(stream), size):
        meter.feed(stream[start : start + size])
    assert meter.tokens() == Tokens(12, 0, 34)


def test_an_endless_line_is_not_kept() -> None:
    meter = Meter(0, streamed=True)
    for _ in range(8):
        meter.feed(b"x" * LINE_BYTES)
    assert len(meter._buffer) <= LINE_BYTES


def test_no_usage_in_a_document_costs_the_request_only() -> None:
    meter = Meter(400, streamed=False)
    meter.feed(b'{"choices": []}')
    assert meter.tokens() == Tokens(100, 0, 0)


def test_nonsense_counts_are_zero() -> None:
    assert of_object({"usage": {"prompt_tokens": -5, "completion_tokens": "many"}}) == Tokens(0, 0, 0)
    assert of_object({"usage": None}) is None
    assert of_object([]) is None
