"""Reading tokens from bytes as they pass."""

from __future__ import annotations

import orjson
from hypothesis import given
from hypothesis import strategies as st

from consumer.gateway.usage import ANSWER_BYTES, LINE_BYTES, Meter, Tokens, of_object

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


def test_a_document_without_usage_costs_the_request_and_the_models_words() -> None:
    for answers, output in ((True, 3), (False, 0)):
        meter = Meter(400, streamed=False, answers=answers)
        meter.feed(b'{"choices": []}')
        assert meter.tokens() == Tokens(100, 0, output)


def test_an_endless_document_is_not_kept_and_not_free() -> None:
    meter, piece = Meter(400, streamed=False), b"x" * (ANSWER_BYTES // 4)
    for _ in range(9):
        meter.feed(piece)
        assert len(meter._buffer) <= ANSWER_BYTES
    assert meter.tokens() == Tokens(100, 0, 9 * len(piece) // 4)


def test_nonsense_counts_are_zero() -> None:
    assert of_object({"usage": {"prompt_tokens": -5, "completion_tokens": "many"}}) == Tokens(0, 0, 0)
    odd: tuple[object, ...] = ([], "many", 7, {"cached_tokens": {}})
    for details in odd:
        assert of_object({"usage": {"prompt_tokens": 5, "prompt_tokens_details": details}}) == Tokens(5, 0, 0)
    assert of_object({"usage": None}) is None
    assert of_object([]) is None
