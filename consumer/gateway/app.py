"""The gateway's ASGI app: who may call, what, and how much; everything else passes through untouched.

It never logs and never keeps a body. Errors have the shape of OpenAI's, so that any client understands them.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import orjson

from consumer.gateway.ledger import Ledger
from consumer.gateway.upstream import Upstream
from consumer.gateway.usage import Meter, Tokens
from consumer.ports import Clock, ModelCall

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

CHAT: Final = "/v1/chat/completions"
EMBEDDINGS: Final = "/v1/embeddings"
MODELS: Final = "/v1/models"
#: A prompt of 200,000 tokens is under 1 MiB; files have no place in it.
BODY_BYTES: Final = 16 * 1024 * 1024
#: Headers of an answer that a client may need.
PASSED: Final = ("content-type", "retry-after", "retry-after-ms", "x-request-id", "x-should-retry")


class Refused(Exception):
    """What the caller is told instead of an answer."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True)
class Call:
    """One accepted request. ``body`` is what goes out."""

    path: str
    model: str
    body: bytes = field(repr=False)
    streamed: bool = False


@dataclass(frozen=True, slots=True)
class GatewayApp:
    """``token`` is this job's; ``models`` are the only ones that may be named."""

    token: str = field(repr=False)
    models: frozenset[str]
    ledger: Ledger
    upstream: Upstream
    clock: Clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            self._authorize(scope)
            if (scope["method"], scope["path"]) == ("GET", MODELS):
                await _json(send, 200, {"object": "list", "data": [_model(name) for name in sorted(self.models)]})
                return
            call = self._accept(scope, await _body(receive))
            await self._forward(call, receive, send)
        except Refused as exc:
            await _json(send, exc.status, _error(exc.code, str(exc)))

    def _authorize(self, scope: Scope) -> None:
        given = dict(scope["headers"]).get(b"authorization", b"")
        if not hmac.compare_digest(given, b"Bearer " + self.token.encode()):
            raise Refused(401, "invalid_api_key", "this gateway serves one job and not this token")

    def _accept(self, scope: Scope, body: bytes) -> Call:
        path = scope["path"]
        if scope["method"] != "POST" or path not in (CHAT, EMBEDDINGS):
            raise Refused(404, "path_not_allowed", f"allowed are POST {CHAT}, POST {EMBEDDINGS} and GET {MODELS}")
        try:
            asked = orjson.loads(body)
        except orjson.JSONDecodeError:
            raise Refused(400, "invalid_json", "the body is not JSON") from None
        model = asked.get("model") if isinstance(asked, dict) else None
        if model not in self.models:
            raise Refused(404, "model_not_allowed", f"allowed models: {', '.join(sorted(self.models))}")
        refusal = self.ledger.admit(path)
        if refusal:
            # 403 and not 429: a client that waits and repeats would only burn the job's time.
            raise Refused(403, "model_budget_exceeded", f"this job's model budget is spent: {refusal}")
        streamed = path == CHAT and bool(asked.get("stream"))
        if streamed:
            asked["stream_options"] = {**(asked.get("stream_options") or {}), "include_usage": True}
            body = orjson.dumps(asked)
        return Call(path, str(model), body, streamed)

    async def _forward(self, call: Call, receive: Receive, send: Send) -> None:
        started, at = self.clock.monotonic(), self.clock.now()
        status, attempts, tokens = 502, 0, Tokens()
        try:
            response, attempts = await self.upstream.send(call.path.removeprefix("/v1"), call.body)
            status = response.status_code
            tokens = await self._pass_on(call, response, receive, send)
        except httpx.TransportError as exc:
            raise Refused(502, "model_unreachable", f"the model cannot be reached: {type(exc).__name__}") from exc
        finally:
            self.ledger.record(
                ModelCall(
                    at=at,
                    path=call.path,
                    model=call.model,
                    status=status,
                    input_tokens=tokens.input,
                    cached_tokens=tokens.cached,
                    output_tokens=tokens.output,
                    cost_usd=self.ledger.price(call.model, tokens),
                    duration_s=round(self.clock.monotonic() - started, 4),
                    attempts=attempts,
                )
            )

    async def _pass_on(self, call: Call, response: httpx.Response, receive: Receive, send: Send) -> Tokens:
        """Stream the answer through; stop asking for more once nobody listens."""
        headers = [(name.encode(), response.headers[name].encode()) for name in PASSED if name in response.headers]
        meter = Meter(len(call.body), streamed=call.streamed and response.is_success)
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
            async for chunk in _chunks(response):
                meter.feed(chunk)
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
                if gone.done():
                    break
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            await response.aclose()
        return meter.tokens() if response.is_success else Tokens()


async def _chunks(response: httpx.Response) -> Any:
    if response.is_closed:
        yield response.content
        return
    try:
        async for chunk in response.aiter_raw():
            yield chunk
    except httpx.TransportError:
        # The head is out: the client sees a body that breaks off, which its parser reports.
        return


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _body(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(400, "disconnected", "the client went away")
        body += message.get("body", b"")
        if len(body) > BODY_BYTES:
            raise Refused(413, "too_large", f"a request body holds at most {BODY_BYTES} bytes")
        if not message.get("more_body"):
            return bytes(body)


async def _json(send: Send, status: int, value: Any) -> None:
    body = orjson.dumps(value)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _error(code: str, message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "memory_gateway", "code": code}}


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "memory-gateway"}
