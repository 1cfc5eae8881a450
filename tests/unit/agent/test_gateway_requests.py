"""One request of our own to a job's model gateway: what is sent, and what is told of an answer and of none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from consumer.agent import gateway_requests, judge
from consumer.agent.answerer import ModelAnswerer
from consumer.agent.gateway_requests import COMPLETIONS, GatewayResponse, ModelAnswer, ask, open_client, post
from consumer.errors import ProviderBusy, ToolFailed
from consumer.ports import ModelAccess, ModelTags
from consumer.understanding.askform import ShownPassage
from consumer.understanding.loopform import LoopEntry, Review
from consumer.understanding.support import Question
from contract.api import Usage
from service import roots, telemetry
from tests.tables import table

ACCESS = ModelAccess("http://127.0.0.1:9/v1", "secret")
USED = Usage(requests=1, input_tokens=5)
CALLS: tuple[Any, ...] = (object(),)


def answering(status: int = 200, body: bytes = b"{}", seen: list[httpx.Request] | None = None) -> httpx.Client:
    def handle(request: httpx.Request) -> httpx.Response:
        if seen is not None:
            seen.append(request)
        return httpx.Response(status, content=body)

    return httpx.Client(transport=httpx.MockTransport(handle))


def failing(error: Exception) -> httpx.Client:
    def handle(_request: httpx.Request) -> httpx.Response:
        raise error

    return httpx.Client(transport=httpx.MockTransport(handle))


def refusal(code: str) -> bytes:
    return json.dumps({"error": {"code": code, "message": "of a page"}}).encode()


@table(
    ("limit_s", "read_s", "connect_s"),
    [(30.0, 30.0, 10.0), (4.0, 4.0, 4.0), (0.0, 0.01, 0.01), (-1.0, 0.01, 0.01)],
)
def test_a_request_carries_the_jobs_token_and_ends_in_its_time(limit_s: float, read_s: float, connect_s: float) -> None:
    seen: list[httpx.Request] = []
    assert post(ACCESS, COMPLETIONS, b"{}", limit_s, answering(body=b"answer", seen=seen)) == GatewayResponse(b"answer")
    (request,) = seen
    assert (request.method, str(request.url)) == ("POST", f"{ACCESS.base_url}{COMPLETIONS}")
    assert request.headers["authorization"] == "Bearer secret"
    assert request.headers["content-type"] == "application/json"
    assert request.content == b"{}"
    assert (request.extensions["timeout"]["read"], request.extensions["timeout"]["connect"]) == (read_s, connect_s)


@table(
    ("client", "response"),
    [
        (answering(429, refusal("rate_limited")), GatewayResponse(None, "429 rate_limited", 429, "rate_limited")),
        (answering(500, b"a page"), GatewayResponse(None, "500", 500)),
        (answering(201), GatewayResponse(None, "201", 201)),
        (failing(httpx.ConnectError("to a page")), GatewayResponse(None, "ConnectError")),
        (failing(httpx.ReadTimeout("of a page")), GatewayResponse(None, "ReadTimeout", is_late=True)),
    ],
)
def test_a_failure_holds_no_content(client: httpx.Client, response: GatewayResponse) -> None:
    assert post(ACCESS, COMPLETIONS, b"{}", 1, client) == response


def test_a_client_reads_certificates_only_for_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, Any]] = []
    monkeypatch.setattr(httpx, "Client", lambda **options: made.append(options))
    monkeypatch.setattr(roots, "trusted", lambda: "certificates")
    for url, verify in (("http://127.0.0.1:9", False), ("https://gateway.example", "certificates")):
        open_client(ModelAccess(url, "t"), connections=3)
        assert (made[-1]["verify"], made[-1]["trust_env"]) == (verify, False)
        assert made[-1]["limits"].max_connections == 3
    open_client(ACCESS)
    assert made[-1]["limits"].max_connections == 1


class Gateway:
    """Whose every session has used one call. ``opening``: what opening one raises."""

    def __init__(self, opening: Exception | None = None) -> None:
        self.opening = opening
        self.opened: list[tuple[ModelTags, Usage]] = []

    @contextmanager
    def open(self, tags: ModelTags, spent: Usage, view: object = None) -> Iterator[Any]:
        if self.opening:
            raise self.opening
        self.opened.append((tags, spent))
        yield SimpleNamespace(access=ACCESS, usage=lambda: USED, calls=lambda: iter(CALLS))


TAGS = ModelTags("job", "user", "insight", "standard", "v1")
TEXT = json.dumps({"choices": [{"message": {"content": "It is late."}}]}).encode()


@table(
    ("response", "text", "complaints"),
    [
        (GatewayResponse(TEXT), "It is late.", []),
        (GatewayResponse(b"{}"), None, ["no text"]),
        (GatewayResponse(None, "429 rate_limited", 429), None, ["429 rate_limited"]),
    ],
)
def test_an_answer_has_its_text_and_what_it_used(
    response: GatewayResponse, text: str | None, complaints: list[str]
) -> None:
    told_of: list[str] = []
    gateway = Gateway()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gateway_requests, "post", lambda *_: response)
        made = ask(gateway, TAGS, Usage(requests=7), b"{}", limit_s=3, complain=told_of.append)
    assert made == ModelAnswer(text, USED, CALLS, is_paid=response.body is not None, status=response.status)
    assert told_of == complaints
    assert gateway.opened == [(TAGS, Usage(requests=7))]


def test_a_session_that_does_not_open_is_told_once_and_a_busy_provider_is_raised() -> None:
    told_of: list[str] = []
    broken = Gateway(ToolFailed("no port"))
    assert ask(broken, TAGS, Usage(), b"{}", limit_s=3, complain=told_of.append) == ModelAnswer()
    assert told_of == ["no port"]
    with pytest.raises(ProviderBusy):
        ask(Gateway(ProviderBusy("later")), TAGS, Usage(), b"{}", limit_s=3, complain=told_of.append)


def answered(monkeypatch: pytest.MonkeyPatch, content: str | None) -> list[tuple[bytes, float]]:
    """Answer each request with this text, or with none; -> (body, seconds) of each request."""
    sent: list[tuple[bytes, float]] = []
    body = json.dumps({"choices": [{"message": {"content": content}}]}).encode()

    def post(_access: ModelAccess, _path: str, asked: bytes, limit_s: float) -> GatewayResponse:
        sent.append((asked, limit_s))
        return GatewayResponse(None, "500", 500) if content is None else GatewayResponse(body)

    monkeypatch.setattr(gateway_requests, "post", post)
    return sent


@table(
    ("content", "sentences", "failed", "line"),
    [
        ('{"answer": [{"text": "It is late.", "cites": [{"passage": 1, "quote": "late"}]}]}', 1, False, None),
        ('{"answer": []}', 0, False, None),
        ("no json", 0, True, "an answer of another form"),
        (None, 0, True, "500"),
    ],
)
def test_a_question_without_an_answer_to_look_at_has_failed(
    content: str | None, sentences: int, failed: bool, line: str | None
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        sent = answered(patch, content)
        logged: list[str] = []
        patch.setattr(telemetry, "log", lambda message, **_: logged.append(message))
        answerer = ModelAnswerer(Gateway(), "model-1", TAGS, limit_s=7)
        drafts = answerer.draft(
            "Is it late?", "2026-11-27", [ShownPassage("Title", "2026-11-01", "notes", "It is late.")]
        )
    assert (len(drafts), answerer.failed) == (sentences, failed)
    assert (answerer.usage, answerer.calls) == (USED, CALLS)
    ((body, limit_s),) = sent
    assert limit_s == 7
    assert b"Is it late?" in body
    assert [line in message for message in logged if line] == [True] * bool(line)
    assert bool(logged) == failed


@table(
    ("content", "rulings", "line"),
    [
        ('{"rulings": [{"claim": 1, "ruling": "supported"}]}', 1, None),
        ("no json", 1, "an answer of another form"),
        (None, 0, "500"),
    ],
)
def test_a_judge_that_does_not_answer_leaves_claims_as_they_are(
    content: str | None, rulings: int, line: str | None
) -> None:
    for given_s, limit_s in ((5.0, 5.0), (500.0, judge.ANSWER_S)):
        with pytest.MonkeyPatch.context() as patch:
            sent = answered(patch, content)
            logged: list[str] = []
            patch.setattr(telemetry, "log", lambda message, logged=logged, **_: logged.append(message))
            question = Question("It is late.", (("notes/a", "It is late, says Ann."),))
            made = judge.ModelJudge(Gateway(), "model-1").judge([question], TAGS, Usage(), given_s)
        assert (len(made.rulings), made.usage, made.calls) == (rulings, USED, CALLS)
        assert [limit for _, limit in sent] == [limit_s]
        assert [line in message for message in logged if line] == [True] * bool(line)


@table(("most", "rulings", "requests"), [(5, 5, 1), (3, 5, 3), (1, 5, 9), (0, 0, 3)])
def test_a_second_reading_that_is_too_long_is_asked_in_halves(most: int, rulings: int, requests: int) -> None:
    """The provider refuses more than ``most`` entries; what is refused alone ends it."""

    def post(_access: Any, _path: str, body: bytes, *_: Any) -> GatewayResponse:
        count = len(json.loads(body)["messages"][1]["content"].splitlines()) - 2
        if count > most:
            return GatewayResponse(None, "400 context_length_exceeded", 400, "context_length_exceeded")
        ruled = [{"entry": number, "ruling": "open"} for number in range(1, count + 1)]
        message = {"content": json.dumps({"rulings": ruled})}
        return GatewayResponse(json.dumps({"choices": [{"message": message}]}).encode())

    entries = tuple(LoopEntry(str(number), "Bob owes you.", (("Mail", "From: Bob"),)) for number in range(5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gateway_requests, "post", post)
        patch.setattr(telemetry, "log", lambda *_args, **_more: None)
        made = judge.ModelJudge(Gateway(), "model-1").review(Review("Ann", "2026-11-28", entries), TAGS, Usage(), 5.0)
    assert (len(made.rulings), len(made.calls), made.usage.requests) == (
        rulings, requests * len(CALLS), requests * USED.requests
    )  # fmt: skip
