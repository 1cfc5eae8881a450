"""The gateway's ASGI app: checks the caller, the request and the budget.

It sends rebuilt requests (consumer/agent/gateway/bodies.py) and returns a complete answer or an error. It never logs or
stores a body. Errors have the shape of OpenAI's, so that any client understands them.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Coroutine, Mapping, MutableMapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import orjson

from consumer.agent.gateway import bodies, steps
from consumer.agent.gateway.bodies import BODY_BYTES, BodyRefused
from consumer.agent.gateway.ledger import GONE, UsageLedger
from consumer.agent.gateway.upstream import Upstream, beginning, chunks
from consumer.agent.gateway.usage import ANSWER_BYTES, Document, Events, Meter, TokenCounts
from consumer.ports import Clock, ModelView

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

CHAT: Final = "/v1/chat/completions"
EMBEDDINGS: Final = "/v1/embeddings"
MODELS: Final = "/v1/models"
#: Concurrent calls of one job; further ones wait. A call's cost is known only at its end, so this many calls can
#: overdraw a budget. It also limits the bodies in memory. GBrain embeds many pages in parallel.
AT_ONCE: Final = {CHAT: 4, EMBEDDINGS: 20}
#: Seconds within which a request's body must arrive: one that never ends would keep its place in AT_ONCE.
BODY_S: Final = 60.0
#: The caller's status for an answer that the provider did not give or complete.
BAD_GATEWAY: Final = 502
#: Headers of an answer that a client may need. Redirects (``location``) and cookies are not among them.
PASSED: Final = ("content-type", "retry-after", "retry-after-ms", "x-request-id", "x-should-retry")


class GatewayRefusal(Exception):
    """An error for the caller instead of an answer."""

    def __init__(self, status: int, code: str, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.param = param


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One accepted request. ``body``: the rebuilt body to send."""

    path: str
    model: str
    body: bytes = field(repr=False)
    streamed: bool = False
    #: The message that answers it, where no model is asked.
    own_answer: Mapping[str, Any] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class GatewayApp:
    """``token``: this job's; ``models``: the names that requests may use."""

    token: str = field(repr=False)
    models: frozenset[str]
    ledger: UsageLedger
    upstream: Upstream
    clock: Clock
    #: What the model gets of an agent's chats; None: all that is allowed.
    view: ModelView | None = None
    #: By model; ``upstream`` serves all other models.
    upstreams: Mapping[str, Upstream] = field(default_factory=dict)
    #: By path.
    _gates: Mapping[str, asyncio.Semaphore] = field(
        default_factory=lambda: {path: asyncio.Semaphore(most) for path, most in AT_ONCE.items()}
    )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            self._authorize(scope)
            if (scope["method"], _target(scope)) == ("GET", MODELS):
                await _json(send, 200, {"object": "list", "data": [_model(name) for name in sorted(self.models)]})
                return
            async with self._gate(scope):
                _check_headers(scope)
                call = self._accept(scope["path"], await _body(receive))
                if call.own_answer is not None:
                    kind, answer = steps.encoded(call.own_answer, call.model, streamed=call.streamed)
                    await _send(send, 200, kind, answer)
                    return
                await _while_heard(self._forward(call, send), receive)
        except GatewayRefusal as exc:
            await _json(send, exc.status, _error(exc))

    def _authorize(self, scope: Scope) -> None:
        given = dict(scope["headers"]).get(b"authorization", b"")
        if not hmac.compare_digest(given, b"Bearer " + self.token.encode()):
            raise GatewayRefusal(401, "invalid_api_key", "the token is not this job's; the gateway serves one job")

    def _gate(self, scope: Scope) -> asyncio.Semaphore:
        """Check the request before its body is read, so that a refused one takes no memory."""
        target = _target(scope)
        if scope["method"] != "POST" or target not in self._gates:
            allowed = f"POST {CHAT}, POST {EMBEDDINGS} and GET {MODELS}, in this spelling and without a query"
            raise GatewayRefusal(404, "path_not_allowed", f"allowed: {allowed}")
        return self._gates[target]

    def _accept(self, path: str, body: bytes) -> ModelRequest:
        try:
            parsed = bodies.parse(body)
            model = parsed.get("model")
            if not isinstance(model, str) or model not in self.models:
                raise GatewayRefusal(
                    404, "model_not_allowed", f"allowed models: {', '.join(sorted(self.models))}", "$.model"
                )
            rebuilt = bodies.chat(parsed, self.view) if path == CHAT else bodies.embeddings(parsed)
        except BodyRefused as exc:
            raise GatewayRefusal(400, exc.code, str(exc), exc.path) from None
        own_answer = steps.own_answer(parsed, self.view) if path == CHAT else None
        if path == CHAT and (tool := steps.forbidden(parsed, self.view)):
            raise GatewayRefusal(403, "tool_not_allowed", self.ledger.refuse_tool(tool))
        refusal = self.ledger.admit(path) if own_answer is None else None
        if refusal:
            # 403, not 429: a client that waits and repeats would only waste the job's time.
            raise GatewayRefusal(403, "model_budget_exceeded", f"this job's model budget is spent: {refusal}")
        return ModelRequest(path, model, rebuilt, streamed=parsed.get("stream") is True, own_answer=own_answer)

    async def _forward(self, call: ModelRequest, send: Send) -> None:
        """Forward one admitted call and record its end, whatever it is.

        The record comes before the last part of the answer: a caller that has all of it is sure that it is counted.
        """
        started, at = self.clock.monotonic(), self.clock.now()
        status, begun, attempts = GONE, True, 0

        def sent() -> None:
            # Those of a call that ends without an answer count, too.
            nonlocal attempts
            attempts += 1

        meter = Meter(len(call.body), answers=call.path == CHAT)
        upstream = self.upstreams.get(call.model, self.upstream)
        try:
            response = await upstream.send(call.path.removeprefix("/v1"), call.body, sent)
            status, begun = response.status_code, response.is_success
            async with aclosing(response):
                last = await _answer(response, call, meter, send)
        except GatewayRefusal as exc:
            status = exc.status
            raise
        except _StreamCut:
            status, last = BAD_GATEWAY, CUT_EVENT
        except (httpx.TransportError, httpx.InvalidURL) as exc:
            status, begun = BAD_GATEWAY, False
            raise GatewayRefusal(
                BAD_GATEWAY, "model_unreachable", f"the model cannot be reached: {type(exc).__name__}"
            ) from exc
        finally:
            # Count an answer as far as it came: the provider bills it even if the caller or the connection is gone.
            tokens = meter.tokens() if begun else TokenCounts()
            seconds = self.clock.monotonic() - started
            self.ledger.end(
                call.path, call.model, tokens, status, at=at, seconds=seconds, attempts=attempts, upstream=upstream.host
            )
        await send({"type": "http.response.body", "body": last})


async def _while_heard(work: Coroutine[Any, Any, None], receive: Receive) -> None:
    """Do this work while the caller is connected: an answer that nobody waits for still costs money."""
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(_disconnected(receive))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        task.cancel()  # no effect on a finished task
        await asyncio.wait({task})
    if not task.cancelled():
        task.result()


class _StreamCut(Exception):
    """A stream was cut short; the caller gets an error event in place of the missing part."""


async def _answer(response: httpx.Response, call: ModelRequest, meter: Meter, send: Send) -> bytes:
    """Pass the provider's answer to the caller up to its last part; return that. Raises GatewayRefusal, _StreamCut."""
    if response.is_redirect:
        raise GatewayRefusal(
            BAD_GATEWAY, "model_redirects", "the model's address redirects; the gateway follows no redirect"
        )
    if response.status_code != 200 and not 400 <= response.status_code <= 599:
        # A status without a body (204) or an unknown one (999) could not be passed on.
        raise GatewayRefusal(
            BAD_GATEWAY, "model_status_unknown", f"the model answered with status {response.status_code}"
        )
    if response.headers.get("content-encoding", "identity") != "identity":
        raise GatewayRefusal(
            BAD_GATEWAY,
            "model_answer_encoded",
            "the model's answer is compressed although the request did not allow it",
        )
    headers = [(name.encode(), response.headers[name].encode()) for name in PASSED if name in response.headers]
    if response.is_success and call.streamed:
        await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
        return await _pass_events(response, Events(meter), send)
    body = await _document(response, meter) if response.is_success else await beginning(response)
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    return body


async def _pass_events(response: httpx.Response, events: Events, send: Send) -> bytes:
    """Pass on each event as it comes, and return what is left at the end. Raises _StreamCut."""
    try:
        async for chunk in chunks(response):
            lines = events.feed(chunk)
            if lines:
                await send({"type": "http.response.body", "body": lines, "more_body": True})
            if events.endless:
                break
    except httpx.TransportError:
        pass  # after the last event it makes no difference, and before it there is no last event
    rest = events.end()
    if rest is None:
        raise _StreamCut
    return rest


async def _document(response: httpx.Response, meter: Meter) -> bytes:
    """A complete answer in one piece. Raises GatewayRefusal: it broke off, is not a JSON object, or is too large."""
    document = Document(meter)
    try:
        async for chunk in chunks(response):
            if not document.feed(chunk):
                raise GatewayRefusal(
                    BAD_GATEWAY, "model_answer_too_large", f"an answer in one piece holds at most {ANSWER_BYTES} bytes"
                )
    except httpx.TransportError:
        raise GatewayRefusal(BAD_GATEWAY, "model_answer_cut", CUT) from None
    body = document.end()
    if body is None:
        raise GatewayRefusal(BAD_GATEWAY, "model_answer_cut", f"{CUT}, or it is not a JSON object")
    return body


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _body(receive: Receive) -> bytes:
    """The request's body. Raises GatewayRefusal: the caller disconnected, sent too much, or took too long."""
    try:
        async with asyncio.timeout(BODY_S):
            return await _whole_body(receive)
    except TimeoutError:
        raise GatewayRefusal(
            408, "request_too_slow", f"a request body must arrive within {BODY_S:.0f} seconds"
        ) from None


async def _whole_body(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise GatewayRefusal(400, "disconnected", "the client disconnected")
        body += message.get("body", b"")
        if len(body) > BODY_BYTES:
            raise GatewayRefusal(413, "too_large", f"a request body holds at most {BODY_BYTES} bytes")
        if not message.get("more_body"):
            return bytes(body)


def _target(scope: Scope) -> str:
    """The request's target as written: nothing is decoded, so each path has one spelling."""
    written: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope.get("query_string", b"")
    return written.decode("latin-1") + ("?" + query.decode("latin-1") if query else "")


def _check_headers(scope: Scope) -> None:
    """Check the headers that describe the body. No header of the caller's is ever sent on."""
    given = [(name, value.strip().lower()) for name, value in scope["headers"]]
    kinds = [value.replace(b" ", b"").replace(b'"', b"") for name, value in given if name == b"content-type"]
    if kinds not in ([b"application/json"], [b"application/json;charset=utf-8"]):
        raise GatewayRefusal(415, "content_type_not_allowed", "a body must be application/json in UTF-8, given once")
    if any(name == b"content-encoding" and value != b"identity" for name, value in given):
        raise GatewayRefusal(415, "content_encoding_not_allowed", "a body must not be compressed")


async def _json(send: Send, status: int, value: Any) -> None:
    await _send(send, status, b"application/json", orjson.dumps(value))


async def _send(send: Send, status: int, kind: bytes, body: bytes) -> None:
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _error(refused: GatewayRefusal) -> dict[str, Any]:
    """In OpenAI's form, from which clients know what they may retry."""
    return {"error": {"message": str(refused), "type": "memory_gateway", "param": refused.param, "code": refused.code}}


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "memory-gateway"}


#: Clients recognise a lost connection, which they may retry, by these words.
CUT: Final = "the model's answer broke off: connection closed before its end"
#: The empty line ends an event that may be incomplete.
CUT_EVENT: Final = b"\n\ndata: " + orjson.dumps(_error(GatewayRefusal(BAD_GATEWAY, "model_answer_cut", CUT))) + b"\n\n"
