"""What the gateway lets through, what it refuses, and what it writes down."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import orjson
import pytest

from consumer.agent.gateway import upstream
from consumer.agent.gateway.app import AT_ONCE, GatewayApp
from consumer.agent.gateway.ledger import GONE, UsageLedger, UsageLimits
from consumer.agent.gateway.upstream import ATTEMPTS, ERROR_BYTES, Upstream, hinted_pause_s
from consumer.errors import ModelBudgetExceeded
from consumer.ports import ModelTags
from consumer.storage.memory import FakeClock
from contract.api import Usage
from tests.tables import table
from tests.waiting import PATIENCE_S

TAGS = ModelTags("job-1", "user-1", "insight", "internal-full", "v1")
PRICES = {"m": {"input": 2.0, "cached": 0.5, "output": 10.0}}
USAGE = {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 400}}
BODY = {"model": "m", "messages": [{"role": "user", "content": "private words"}]}

EMBEDDING = {"model": "m", "input": ["private words"]}
AUTHORIZED = {"authorization": "Bearer token"}
JSON = {**AUTHORIZED, "content-type": "application/json"}
CHAT, EMBEDDINGS = "/v1/chat/completions", "/v1/embeddings"

Handler = Callable[[httpx.Request], httpx.Response]


class World:
    """A gateway over a provider that ``handler`` plays."""

    def __init__(self, handler: Handler, budget: UsageLimits | None = None) -> None:
        self.seen: list[httpx.Request] = []
        self.pauses: list[float] = []
        self.ledger = UsageLedger(TAGS, budget or UsageLimits(10, 10**6, 1.0), PRICES, Usage())
        self.handler = handler
        self.models = frozenset({"m"})
        #: Model -> base URL and key of its own upstream.
        self.own: dict[str, tuple[str, str]] = {}

    def ask(self, method: str = "POST", path: str = "/v1/chat/completions", **options: Any) -> httpx.Response:
        return asyncio.run(self._ask(method, path, options))

    async def _ask(self, method: str, path: str, options: dict[str, Any]) -> httpx.Response:
        def provider(request: httpx.Request) -> httpx.Response:
            self.seen.append(request)
            return self.handler(request)

        async def sleep(seconds: float) -> None:
            self.pauses.append(seconds)

        async with httpx.AsyncClient(transport=httpx.MockTransport(provider)) as client:

            def upstream_of(base_url: str, key: str) -> Upstream:
                return Upstream(base_url, key, client, sleep, upstream.tag_headers(TAGS, key))

            default = upstream_of("https://provider.test/v1", "sk-real")
            own = {model: upstream_of(*endpoint) for model, endpoint in self.own.items()}
            app = GatewayApp("token", self.models, self.ledger, default, FakeClock(), upstreams=own)
            transport = httpx.ASGITransport(app)
            options.setdefault("headers", AUTHORIZED)
            async with httpx.AsyncClient(transport=transport, base_url="http://gateway") as caller:
                return await caller.request(method, path, **options)


def fine(_: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json={"choices": [], "usage": USAGE})


def test_the_real_key_goes_out_and_the_token_does_not() -> None:
    world = World(fine)
    assert world.ask(json=BODY).status_code == 200
    assert world.seen[0].url == "https://provider.test/v1/chat/completions"
    assert world.seen[0].headers["authorization"] == "Bearer sk-real"
    assert b"token" not in world.seen[0].content


def test_a_model_with_an_upstream_of_its_own_goes_there_with_that_key_and_the_jobs_tags() -> None:
    def provider(request: httpx.Request) -> httpx.Response:
        return fine(request) if request.url.host == "provider.test" else httpx.Response(503, json={})

    world = World(provider)
    world.models = frozenset({"m", "other"})
    world.own = {"other": ("https://other.test:8443/v1", "sk-other")}
    assert world.ask(json=BODY).status_code == 200
    assert world.ask(json={**BODY, "model": "other"}).status_code == 503
    assert {request.url.host for request in world.seen} == {"provider.test", "other.test"}
    for request in world.seen:
        elsewhere = request.url.host == "other.test"
        assert request.headers["authorization"] == ("Bearer sk-other" if elsewhere else "Bearer sk-real")
    default, *others = [dict(request.headers) for request in world.seen]
    names = ("x-memory-job", "x-memory-job-type", "x-memory-profile", "x-memory-template")
    assert [default[name] for name in names] == ["job-1", "insight", "internal-full", "v1"]
    users = {request["x-memory-user"] for request in (default, *others)}
    assert len(users) == 2, "one provider cannot tell that another one serves the same user"
    assert all(re.fullmatch("[0-9a-f]{32}", user) for user in users)
    assert [call.upstream for call in world.ledger.calls()] == ["provider.test", "other.test:8443"]


def test_a_tag_that_no_header_may_hold_is_left_out_and_a_keyless_provider_learns_no_user() -> None:
    tags = ModelTags("job\r\nx: y", "user-1", "insight", "pröfil", "v1")
    assert upstream.tag_headers(tags, "") == {"x-memory-job-type": "insight", "x-memory-template": "v1"}


def test_usage_and_cost_are_recorded_without_content() -> None:
    world = World(fine)
    world.ask(json=BODY)
    (call,) = world.ledger.calls()
    assert (call.input_tokens, call.cached_tokens, call.output_tokens) == (1000, 400, 100)
    assert call.cost_usd == pytest.approx((600 * 2 + 400 * 0.5 + 100 * 10) / 1e6)
    assert "private" not in repr(call)
    assert world.ledger.usage().requests == 1


@table(
    ("options", "status", "code"),
    [
        ({"json": BODY, "headers": {"authorization": "Bearer other"}}, 401, "invalid_api_key"),
        ({"json": BODY, "headers": {}}, 401, "invalid_api_key"),
        ({"json": {**BODY, "model": "dearer"}}, 404, "model_not_allowed"),
        ({"json": BODY, "path": "/v1/files"}, 404, "path_not_allowed"),
        ({"json": BODY, "path": "/v1/chat/completions/../files"}, 404, "path_not_allowed"),
        ({"json": BODY, "path": "/v1/chat%2Fcompletions"}, 404, "path_not_allowed"),
        ({"json": BODY, "path": "/v1/%63hat/completions"}, 404, "path_not_allowed"),
        ({"json": BODY, "path": "/v1//chat/completions"}, 404, "path_not_allowed"),
        ({"json": BODY, "path": "/v1/chat/completions/"}, 404, "path_not_allowed"),
        ({"json": BODY, "path": "/v1/chat/completions?api-version=2"}, 404, "path_not_allowed"),
        ({"json": BODY, "path": "/v1/responses"}, 404, "path_not_allowed"),
        ({"method": "GET", "path": "/v1/models?x=1"}, 404, "path_not_allowed"),
        ({"method": "GET"}, 404, "path_not_allowed"),
        ({"content": b"{", "headers": JSON}, 400, "invalid_json"),
        ({"content": b"[]", "headers": JSON}, 400, "invalid_json"),
        ({"content": b"[" * 100_000, "headers": JSON}, 400, "invalid_json"),
        ({"content": b'{"model":"m","model":"dearer"}', "headers": JSON}, 400, "invalid_json"),
        ({"content": orjson.dumps(BODY), "headers": AUTHORIZED}, 415, "content_type_not_allowed"),
        ({"json": BODY, "headers": {**JSON, "content-type": "text/json"}}, 415, "content_type_not_allowed"),
        (
            {"json": BODY, "headers": {**JSON, "content-type": "application/json; charset=utf-16"}},
            415,
            "content_type_not_allowed",
        ),
        ({"json": BODY, "headers": {**JSON, "content-encoding": "gzip"}}, 415, "content_encoding_not_allowed"),
        ({"json": {**BODY, "model": ["m"]}}, 404, "model_not_allowed"),
        ({"json": {**BODY, "model": {"m": 1}}}, 404, "model_not_allowed"),
        ({"json": {**BODY, "n": 128}}, 400, "invalid_field"),
        ({"json": {**BODY, "web_search_options": {}}}, 400, "field_not_allowed"),
        ({"json": {**EMBEDDING, "messages": []}, "path": EMBEDDINGS}, 400, "field_not_allowed"),
        ({"content": b" " * (16 * 1024 * 1024 + 1), "headers": JSON}, 413, "too_large"),
    ],
)
def test_what_is_refused_never_reaches_the_provider(options: dict[str, Any], status: int, code: str) -> None:
    world = World(fine)
    response = world.ask(**options)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert not world.seen
    assert not world.ledger.calls()


def test_a_refusal_names_the_field_by_its_json_path() -> None:
    parts = [{"type": "text", "text": "x"}, {"type": "image_url", "image_url": {"url": "https://evil.test/?words"}}]
    error = World(fine).ask(json={"model": "m", "messages": [{"role": "user", "content": parts}]}).json()["error"]
    assert error["param"] == "$.messages[0].content[1].type"
    assert error["message"].startswith("$.messages[0].content[1].type: ")
    assert "evil" not in error["message"]


def test_of_the_callers_headers_none_goes_out_and_of_the_providers_few_come_back() -> None:
    answer = {"set-cookie": "a=b", "location": "https://evil.test", "x-request-id": "r", "openai-organization": "o"}
    world = World(lambda _: httpx.Response(200, json={"usage": USAGE}, headers=answer))
    asked = {**JSON, "x-words": "private words", "openai-beta": "x", "cookie": "c=d", "user-agent": "private words"}
    response = world.ask(json=BODY, headers=asked)
    assert set(world.seen[0].headers) == {
        *("host", "accept", "accept-encoding", "connection", "user-agent", "authorization", "content-type"),
        "content-length",
        *upstream.tag_headers(TAGS, "sk-real"),
    }
    assert "private" not in str(world.seen[0].headers)
    assert set(response.headers) == {"content-type", "x-request-id"}


@table("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_by_nobody(status: int) -> None:
    world = World(lambda _: httpx.Response(status, headers={"location": "https://evil.test/v1"}))
    response = world.ask(json=BODY)
    assert (response.status_code, response.json()["error"]["code"]) == (502, "model_redirects")
    assert "location" not in response.headers
    assert len(world.seen) == 1


def test_models_are_the_allowed_ones() -> None:
    assert [entry["id"] for entry in World(fine).ask("GET", "/v1/models").json()["data"]] == ["m"]


@pytest.mark.parametrize(
    "budget", [UsageLimits(2, 10**9, 10.0), UsageLimits(99, 2200, 10.0), UsageLimits(99, 10**9, 0.004)]
)
def test_a_spent_budget_refuses_and_stays_refused(budget: UsageLimits) -> None:
    world = World(fine, budget)
    statuses = [world.ask(json=BODY).status_code for _ in range(3)]
    assert statuses == [200, 200, 403]
    assert len(world.seen) == 2
    with pytest.raises(ModelBudgetExceeded, match="job-1"):
        world.ledger.check()


def test_requests_for_embeddings_have_a_budget_of_their_own() -> None:
    world = World(fine, UsageLimits(1, 10**9, 10.0, embeddings=2))
    paths = ["/v1/embeddings", "/v1/embeddings", "/v1/chat/completions", "/v1/embeddings", "/v1/chat/completions"]
    statuses = [world.ask("POST", path, json=EMBEDDING if "emb" in path else BODY).status_code for path in paths]
    assert statuses == [200, 200, 200, 403, 403]
    with pytest.raises(ModelBudgetExceeded, match="job-1"):
        world.ledger.check()


def test_calls_side_by_side_overdraw_a_budget_by_no_more_than_run_at_once() -> None:
    """What is left is known only when a call has ended: an agent that asks for everything at once must not get it."""
    running, most = 0, 0

    async def provider(_: httpx.Request) -> httpx.Response:
        nonlocal running, most
        running, most = running + 1, max(most, running + 1)
        for _turn in range(50):
            await asyncio.sleep(0)
        running -= 1
        return fine(_)

    async def all_at_once(ledger: UsageLedger, path: str, number: int) -> list[int]:
        async with httpx.AsyncClient(transport=httpx.MockTransport(provider)) as client:
            upstream = Upstream("https://provider.test/v1", "sk-real", client, asyncio.sleep)
            transport = httpx.ASGITransport(GatewayApp("token", frozenset({"m"}), ledger, upstream, FakeClock()))
            headers = {"authorization": "Bearer token"}
            async with httpx.AsyncClient(transport=transport, base_url="http://gateway", headers=headers) as caller:
                body = BODY if path == CHAT else EMBEDDING
                responses = await asyncio.gather(*(caller.post(path, json=body) for _ in range(number)))
        return [response.status_code for response in responses]

    for path, allowed in AT_ONCE.items():
        running = most = 0
        ledger = UsageLedger(TAGS, UsageLimits(500, 1000, 10.0, embeddings=500), PRICES, Usage())
        statuses = asyncio.run(all_at_once(ledger, path, 3 * allowed))
        assert (most, statuses.count(200), statuses.count(403)) == (allowed, allowed, 2 * allowed)


@table(
    ("spent", "allowed"),
    [
        (Usage(input_tokens=600, output_tokens=399), True),
        (Usage(input_tokens=600, output_tokens=400), False),
        (Usage(cost_usd=9.99), True),
        (Usage(cost_usd=10.0), False),
        # An index's requests are not a synthesis's.
        (Usage(requests=10**6), True),
    ],
)
def test_what_the_job_spent_before_is_spent(spent: Usage, allowed: bool) -> None:
    ledger = UsageLedger(TAGS, UsageLimits(5, 1000, 10.0), PRICES, spent)
    assert (ledger.admit() is None) is allowed
    assert ledger.usage() == Usage()


def test_a_budget_that_is_not_spent_is_no_error() -> None:
    world = World(fine)
    world.ask(json=BODY)
    world.ledger.check()


def answers(*responses: httpx.Response | Exception) -> Handler:
    queue = list(responses)

    def handler(_: httpx.Request) -> httpx.Response:
        response = queue.pop(0)
        if isinstance(response, Exception):
            raise response
        return response

    return handler


def test_a_rate_limit_is_waited_out_as_the_provider_asks() -> None:
    world = World(
        answers(
            httpx.Response(429, headers={"retry-after-ms": "250"}),
            httpx.Response(503),
            httpx.Response(200, json={"usage": USAGE}),
        )
    )
    assert world.ask(json=BODY).status_code == 200
    assert world.pauses == [0.25, 1.0]
    (call,) = world.ledger.calls()
    assert call.attempts == 3


def test_a_pause_that_is_too_long_is_passed_on() -> None:
    world = World(answers(httpx.Response(429, headers={"retry-after": "120"}, json={})))
    response = world.ask(json=BODY)
    assert response.status_code == 429
    assert response.headers["retry-after"] == "120"
    assert not world.pauses


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(400, json={}),
        httpx.Response(401, json={}),
        httpx.Response(429, json={"error": {"code": "insufficient_quota"}}),
        httpx.Response(500, headers={"x-should-retry": "false"}),
    ],
)
def test_what_cannot_succeed_is_asked_once(response: httpx.Response) -> None:
    world = World(answers(response))
    assert world.ask(json=BODY).status_code == response.status_code
    assert len(world.seen) == 1


@pytest.mark.parametrize(
    ("fault", "attempts"), [(httpx.ConnectError("no route"), ATTEMPTS), (httpx.InvalidURL("private-key-1"), 1)]
)
def test_a_provider_that_stays_away_or_has_no_possible_address_ends_with_502(fault: Exception, attempts: int) -> None:
    world = World(answers(*[fault] * ATTEMPTS))
    response = world.ask(json=BODY)
    assert (response.status_code, response.json()["error"]["code"]) == (502, "model_unreachable")
    assert "private-key-1" not in response.text
    (call,) = world.ledger.calls()
    assert (call.status, call.attempts) == (502, attempts)


STREAM = (
    b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\n'
    b'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}\n\ndata: [DONE]\n\n'
)


def test_a_stream_passes_unchanged_and_its_usage_is_asked_for() -> None:
    world = World(lambda _: httpx.Response(200, content=STREAM, headers={"content-type": "text/event-stream"}))
    response = world.ask(json={**BODY, "stream": True})
    assert response.content == STREAM
    assert response.headers["content-type"] == "text/event-stream"
    assert b'"include_usage":true' in world.seen[0].content
    (call,) = world.ledger.calls()
    assert (call.input_tokens, call.output_tokens) == (7, 3)


@table(
    ("streamed", "response"),
    [
        (False, httpx.Response(200, json={"choices": [], "usage": USAGE})),
        (False, httpx.Response(400, json={"error": {}})),
        (True, httpx.Response(200, content=STREAM)),
        (True, httpx.Response(200, content=STREAM[:60])),
    ],
)
def test_whoever_has_the_whole_answer_finds_it_counted(streamed: bool, response: httpx.Response) -> None:
    ledger = World(fine).ledger
    counted_at_the_end: list[int] = []

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body" and not message.get("more_body"):
            counted_at_the_end.append(ledger.usage().requests)

    async def ask() -> None:
        heard = asyncio.Queue[dict[str, Any]]()
        heard.put_nowait({"type": "http.request", "body": orjson.dumps({**BODY, "stream": streamed})})
        async with httpx.AsyncClient(transport=httpx.MockTransport(lambda _: response)) as client:
            provider = Upstream("https://p/v1", "k", client, asyncio.sleep)
            app = GatewayApp("token", frozenset({"m"}), ledger, provider, FakeClock())
            headers = [(b"authorization", b"Bearer token"), (b"content-type", b"application/json")]
            scope = {"type": "http", "method": "POST", "path": CHAT, "headers": headers}
            await asyncio.wait_for(app(scope, heard.get, send), PATIENCE_S)

    asyncio.run(ask())
    assert counted_at_the_end == [1]


@pytest.mark.parametrize("options", [None, "x", [1], {"include_usage": False}])
def test_usage_of_a_stream_is_asked_for_whatever_its_options_are(options: Any) -> None:
    world = World(lambda _: httpx.Response(200, content=STREAM))
    assert world.ask(json={**BODY, "stream": True, "stream_options": options}).content == STREAM
    assert b'"include_usage":true' in world.seen[0].content


@table(
    ("content", "status"),
    [
        *((body, 502) for body in (b"", b"{", b'{"choices": [', b"\xff\x00", b"[]")),
        *((body, 200) for body in (b'{"usage": [1]}', b'{"usage": {"prompt_tokens_details": 1}}')),
    ],
)
def test_an_answer_in_one_piece_is_whole_or_an_error_and_counted_all_the_same(content: bytes, status: int) -> None:
    world = World(lambda _: httpx.Response(200, content=content))
    answer = world.ask(json=BODY)
    assert answer.status_code == status
    assert answer.content == content if status == 200 else answer.json()["error"]["code"] == "model_answer_cut"
    (call,) = world.ledger.calls()
    assert (call.status, call.output_tokens) == (status, len(content) // 4 if status == 502 else call.output_tokens)
    assert call.input_tokens > 0 or b"usage" in content


@table("streamed", [False, True])
@table("status", [201, 204, 205, 206, 226, 600, 999])
def test_a_status_that_the_api_does_not_have_is_an_error(status: int, streamed: bool) -> None:
    world = World(lambda _: httpx.Response(status, content=STREAM if streamed else b"{}"))
    answer = world.ask(json={**BODY, "stream": streamed})
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "model_status_unknown")
    assert [call.status for call in world.ledger.calls()] == [502]


def test_an_answer_that_is_compressed_is_refused() -> None:
    world = World(lambda _: httpx.Response(200, content=b"", headers={"content-encoding": "br"}))
    assert world.ask(json=BODY).json()["error"]["code"] == "model_answer_encoded"


async def broken(*parts: bytes) -> AsyncIterator[bytes]:
    """A body whose connection is lost after these parts."""
    for part in parts:
        yield part
    raise httpx.ReadError("connection reset")


@table("streamed", [False, True])
@table("lost", [False, True], ids=["ends", "is lost"])
@table("kept", [0, 30, 60, 90, len(STREAM) - len("data: [DONE]\n\n")])
def test_an_answer_that_is_cut_is_an_error_to_the_agent_and_costs_what_came(
    kept: int, lost: bool, streamed: bool
) -> None:
    content = STREAM[:kept]
    world = World(lambda _: httpx.Response(200, content=broken(content) if lost else content))
    answer = world.ask(json={**BODY, "stream": streamed})
    if streamed:
        last = answer.content.removeprefix(content[: content.rfind(b"\n") + 1])
        assert last.startswith(b"\n\ndata: ")
        assert orjson.loads(last.removeprefix(b"\n\ndata: "))["error"]["code"] == "model_answer_cut"
    else:
        assert (answer.status_code, answer.json()["error"]["code"]) == (502, "model_answer_cut")
    (call,) = world.ledger.calls()
    assert call.status == 502
    if b'"usage"' not in content or not streamed:
        assert call.output_tokens == kept // 4
    assert call.input_tokens > 5
    assert world.ledger.usage().output_tokens == call.output_tokens


def test_a_connection_that_is_lost_after_the_last_event_takes_nothing_away() -> None:
    world = World(lambda _: httpx.Response(200, content=broken(STREAM)))
    assert world.ask(json={**BODY, "stream": True}).content == STREAM
    assert world.ledger.calls()[0].status == 200


def test_of_an_endless_error_only_the_beginning_is_read() -> None:
    given = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal given
        for _ in range(1000):
            given += 1
            yield b"x" * 8192

    world = World(lambda _: httpx.Response(503, content=endless(), headers={"retry-after": "3600"}))
    answer = world.ask(json=BODY)
    assert (answer.status_code, answer.headers["retry-after"], len(answer.content)) == (503, "3600", ERROR_BYTES)
    assert given == ERROR_BYTES // 8192


def test_a_caller_that_goes_away_ends_the_call_and_what_it_cost_is_counted() -> None:
    ended = []

    async def silent(_: httpx.Request) -> httpx.Response:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("the provider's call")
        raise AssertionError("nothing sets that event")

    async def leave(ledger: UsageLedger) -> None:
        body = {"type": "http.request", "body": orjson.dumps(BODY)}
        messages: list[dict[str, Any]] = [body, {"type": "http.disconnect"}]

        async def receive() -> dict[str, Any]:
            return messages.pop(0)

        async def send(message: Any) -> None:
            raise AssertionError(f"nobody is there for {message}")

        async with httpx.AsyncClient(transport=httpx.MockTransport(silent)) as client:
            app = GatewayApp(
                "token", frozenset({"m"}), ledger, Upstream("https://p/v1", "k", client, asyncio.sleep), FakeClock()
            )
            headers = [(b"authorization", b"Bearer token"), (b"content-type", b"application/json")]
            scope = {"type": "http", "method": "POST", "path": CHAT, "headers": headers}
            await asyncio.wait_for(app(scope, receive, send), PATIENCE_S)

    world = World(fine)
    asyncio.run(leave(world.ledger))
    (call,) = world.ledger.calls()
    assert (call.status, call.attempts, ended) == (GONE, 1, ["the provider's call"])
    assert call.input_tokens > 0


@table(
    ("headers", "pause"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
    ],
)
def test_hints(headers: dict[str, str], pause: float | None) -> None:
    assert hinted_pause_s(headers) == pause


@pytest.mark.parametrize("status", [400, 500])
def test_the_body_of_an_error_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    monkeypatch.setattr(upstream, "ERROR_S", 0.01)

    async def drip() -> AsyncIterator[bytes]:
        yield b'{"error":'
        await asyncio.Event().wait()

    world = World(lambda _: httpx.Response(status, content=drip()))
    answer = world.ask(json=BODY)
    assert (answer.status_code, answer.content) == (status, b'{"error":')
    assert len(world.seen) == (ATTEMPTS if status == 500 else 1)
