"""The offline model's HTTP surface, as OpenAI clients use it."""

from __future__ import annotations

import base64
import json
import math
import struct

from hypothesis import given
from hypothesis import strategies as st

from local.model import DIMENSIONS, app, embed
from tests.asgi import Client

CLIENT = Client(app())
BODY = {"model": "m", "messages": [{"role": "user", "content": "tell me " * 40}]}


def events(text: str) -> list[dict[str, object]]:
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line]
    assert lines[-1] == "[DONE]"
    return [json.loads(line) for line in lines[:-1]]


def test_streamed_and_whole_say_the_same() -> None:
    whole = CLIENT.post("/v1/chat/completions", json=BODY).json()
    options = {"stream": True, "stream_options": {"include_usage": True}}
    chunks = events(CLIENT.post("/v1/chat/completions", json={**BODY, **options}).text)
    text = "".join(c["delta"].get("content") or "" for chunk in chunks for c in chunk["choices"])  # type: ignore[attr-defined]
    assert text == whole["choices"][0]["message"]["content"]
    assert chunks[-1]["usage"] == whole["usage"]
    assert whole["usage"]["total_tokens"] == whole["usage"]["prompt_tokens"] + whole["usage"]["completion_tokens"]


def test_usage_comes_only_when_asked_for() -> None:
    chunks = events(CLIENT.post("/v1/chat/completions", json={**BODY, "stream": True}).text)
    assert not any("usage" in chunk for chunk in chunks)


def test_models_and_faults() -> None:
    assert len(CLIENT.get("/v1/models").json()["data"]) == 2
    assert CLIENT.post("/v1/chat/completions", json={"model": "m"}).status_code == 400
    assert CLIENT.post("/v1/chat/completions", content=b"{").status_code == 400
    assert CLIENT.post("/v1/embeddings", json={"input": [[1, 2]]}).status_code == 400


def test_embeddings_in_both_encodings() -> None:
    plain = CLIENT.post("/v1/embeddings", json={"model": "e", "input": ["a b", "c"]}).json()
    packed = CLIENT.post("/v1/embeddings", json={"model": "e", "input": "a b", "encoding_format": "base64"}).json()
    vector = plain["data"][0]["embedding"]
    assert len(vector) == DIMENSIONS
    raw = base64.b64decode(packed["data"][0]["embedding"])
    assert list(struct.unpack(f"<{DIMENSIONS}f", raw)) == list(
        struct.unpack(f"<{DIMENSIONS}f", struct.pack(f"<{DIMENSIONS}f", *vector))
    )
    assert plain["usage"]["total_tokens"] > 0


@given(st.text(max_size=200), st.integers(8, 256))
def test_embeddings_are_unit_vectors_or_nothing(text: str, dimensions: int) -> None:
    norm = math.hypot(*embed(text, dimensions))
    assert math.isclose(norm, 1.0) or norm == 0.0
    assert embed(text, dimensions) == embed(text, dimensions)


def test_near_texts_are_nearer_than_far_ones() -> None:
    a, b, c = (embed(text, 512) for text in ("the launch of Atlas", "launch of Atlas soon", "dinner with Ravi"))
    near = sum(x * y for x, y in zip(a, b, strict=True))
    far = sum(x * y for x, y in zip(a, c, strict=True))
    assert near > far
