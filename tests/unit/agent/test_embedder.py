"""The embedder: the request that it sends, and every answer that it refuses."""

from __future__ import annotations

from typing import Any

import httpx
import orjson
import pytest

from consumer.agent import gateway_requests
from consumer.agent.embedder import ModelEmbedder
from consumer.errors import ToolFailed
from consumer.ports import ModelAccess
from service import roots

ROWS = [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1.0, 0.5]}]


def ask(monkeypatch: pytest.MonkeyPatch, answer: httpx.Response | Exception, sent: dict[str, Any] | None = None) -> Any:
    def post(_client: httpx.Client, url: str, **given: Any) -> httpx.Response:
        if sent is not None:
            sent.update(given, url=url)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(httpx.Client, "post", post)
    access = ModelAccess("http://127.0.0.1:9/v1", "secret-token")
    return ModelEmbedder(access, "small").embed(["private words", "x" * 5000], 3.0)


def test_vectors_come_in_the_order_of_the_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: dict[str, Any] = {}
    assert ask(monkeypatch, httpx.Response(200, json={"data": ROWS}), sent) == [(1.0, 0.5), (0.0, 1.0)]
    assert sent["url"] == "http://127.0.0.1:9/v1/embeddings"
    assert sent["timeout"] == httpx.Timeout(3.0), "also for connecting"
    assert sent["headers"] == {"authorization": "Bearer secret-token", "content-type": "application/json"}
    body = orjson.loads(sent["content"])
    assert (body["model"], body["dimensions"], body["encoding_format"]) == ("small", 384, "float")
    assert list(map(len, body["input"])) == [13, 4000]


def test_certificates_are_checked_where_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[dict[str, Any]] = []
    client = httpx.Client

    def noting(**given: Any) -> httpx.Client:
        opened.append(given)
        return client(**given)

    monkeypatch.setattr(httpx, "Client", noting)
    for scheme in ("http", "https"):
        gateway_requests.open_client(ModelAccess(f"{scheme}://127.0.0.1:9/v1", "t"), 4).close()
    assert [(given["verify"], given["trust_env"]) for given in opened] == [(False, False), (roots.trusted(), False)]
    assert [given["limits"].max_connections for given in opened] == [4, 4]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (httpx.ConnectError("private words"), "small: ConnectError"),
        (httpx.ReadTimeout("private words"), "small: ReadTimeout"),
        (
            httpx.Response(429, json={"error": {"code": "rate_limit", "message": "private words"}}),
            "small: 429 rate_limit",
        ),
        (httpx.Response(200, content=b"private words"), "small: an answer of another form"),
        (httpx.Response(200, json={"data": [{"index": 0}]}), "small: an answer of another form"),
        (httpx.Response(200, json={"data": ["private"]}), "small: an answer of another form"),
        (httpx.Response(200, json={"data": ROWS[:1]}), "small: 1 vectors for 2 texts, or of several lengths"),
        (
            httpx.Response(200, content=orjson.dumps({"data": [ROWS[0], {"index": 0, "embedding": [1]}]})),
            "small: 2 vectors for 2 texts, or of several lengths",
        ),
    ],
)
def test_what_is_no_answer_is_named_without_content(
    monkeypatch: pytest.MonkeyPatch, answer: httpx.Response | Exception, message: str
) -> None:
    with pytest.raises(ToolFailed) as raised:
        ask(monkeypatch, answer)
    assert str(raised.value) == message
