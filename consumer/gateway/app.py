"""The gateway's ASGI app: who may call, what, and how much; everything else passes through untouched.

It never logs and never keeps a body. Errors have the shape of OpenAI's, so that any client understands them.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Coroutine, Mapping, MutableMapping
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
#: Calls of one job that are under way; further ones wait. What a budget has left is known only when a call has ended:
#: by so many it can be overdrawn. So many bodies are held at a time, too. GBrain embeds many pages side by side.
AT_ONCE: Final = {CHAT: 4, EMBEDDINGS: 20}
#: Whoever asked went away before the answer's head: no status of the provider's.
GONE: Final = 499
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
    #: By path.
    _gates: Mapping[str, asyncio.Semaphore] = field(
        default_factory=lambda: {path: asyncio.Semaphore(most) for path, most in AT_ONCE.items()}, repr=False
    )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            self._authorize(scope)
            if (scope["method"], scope["path"]) == ("GET", MODELS):
                await _json(send, 200, {"object": "list", "data": [_model(name) for name in sorted(self.models)]})
                return
            async with self._gate(scope):
                call = self._accept(scope["path"], await _body(receive))
                await _while_heard(self._forward(call, send), receive)
        except Refused as exc:
            await _json(send, exc.status, _error(exc.code, str(exc)))

    def _authorize(self, scope: Scope) -> None:
        given = dict(scope["headers"]).get(b"authorization", b"")
        if not hmac.compare_digest(given, b"Bearer " + self.token.encode()):
            raise Refused(401, "invalid_api_key", "this gateway serves one job and not this token")

    def _gate(self, scope: Scope) -> asyncio.Semaphore:
        """Before a body is read: what is not allowed is none of our memory."""
        if scope["method"] != "POST" or scope["path"] not in self._gates:
            raise Refused(404, "path_not_allowed", f"allowed are POST {CHAT}, POST {EMBEDDINGS} and GET {MODELS}")
        return self._gates[scope["path"]]

    def _accept(self, path: str, body: bytes) -> Call:
        try:
            asked = orjson.loads(body)
        except orjson.JSONDecodeError:
            raise Refused(400, "invalid_json", "the body is not JSON") from None
        model = asked.get("model") if isinstance(asked, dict) else None
        if not isinstance(model, str) or model not in self.models:
            raise Refused(404, "model_not_allowed", f"allowed models: {', '.join(sorted(self.models))}")
        if asked.get("n") not in (None, 1):
            # Paid for each, and no call of ours reads more than one.
            raise Refused(400, "one_answer_only", "n: one answer a call")
        streamed = path == CHAT and bool(asked.get("stream"))
        if streamed:
            options = asked.get("stream_options")
            asked["stream_options"] = {**(options if isinstance(options, dict) else {}), "include_usage": True}
            body = orjson.dumps(asked)
        refusal = self.ledger.admit(path)
        if refusal:
            # 403 and not 429: a client that waits and repeats would only burn the job's time.
            raise Refused(403, "model_budget_exceeded", f"this job's model budget is spent: {refusal}")
        return Call(path, model, body, streamed)

    async def _forward(self, call: Call, send: Send) -> None:
        """One admitted call to its end, which is recorded however it comes."""
        started, at = self.clock.monotonic(), self.clock.now()
        status, attempts = GONE, 0
        meter = Meter(len(call.body), streamed=call.streamed, answers=call.path == CHAT)
        try:
            response, attempts = await self.upstream.send(call.path.removeprefix("/v1"), call.body)
            status = response.status_code
            await _pass_on(response, meter, send)
        except httpx.TransportError as exc:
            status = 502
            raise Refused(502, "model_unreachable", f"the model cannot be reached: {type(exc).__name__}") from exc
        finally:
            # Who went away does not stop the provider from counting.
            tokens = meter.tokens() if status == GONE or 200 <= status < 300 else Tokens()
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


async def _while_heard(work: Coroutine[Any, Any, None], receive: Receive) -> None:
    """Do this work as long as the caller listens: an answer that nobody waits for is paid for all the same."""
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(_disconnected(receive))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        task.cancel()  # no effect on one that is done
        await asyncio.wait({task})
    if not task.cancelled():
        task.result()


async def _pass_on(response: httpx.Response, meter: Meter, send: Send) -> None:
    """Stream the answer through."""
    headers = [(name.encode(), response.headers[name].encode()) for name in PASSED if name in response.headers]
    try:
        await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
        async for chunk in _chunks(response):
            meter.feed(chunk)
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
    finally:
        await response.aclose()
    # Last of all: for the server a caller that has everything is one that is gone.
    await send({"type": "http.response.body", "body": b"", "more_body": False})


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
