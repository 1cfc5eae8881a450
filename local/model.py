"""The offline model behind OpenAI's HTTP API: chat completions (streamed or not), embeddings, models.

``python -m local.model --port 0`` prints one JSON line with its base_url once it listens, on loopback only.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import itertools
import json
import math
import re
import socket
import struct
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from contract import jsonobject
from local import offline

MODEL = "offline-extractive-1"
EMBEDDING_MODEL = "offline-hash-1"
#: Length of an embedding where the request names none; that of text-embedding-3-small.
DIMENSIONS = 1536
#: Characters in one piece of a streamed text.
PIECE = 60
CREATED = 1_700_000_000


def tokens(text: str) -> int:
    """About four characters per token, precise enough for realistic budgets and costs."""
    return (len(text) + 3) // 4


def prompt_tokens(body: Mapping[str, Any]) -> int:
    """Tokens of a chat request as a provider bills them: every message, and every tool that is offered.

    Counted without JSON's escapes of other scripts, which no provider sees.
    """
    offered = json.dumps(body["tools"], ensure_ascii=False) if body.get("tools") else ""
    return tokens(json.dumps(body["messages"], ensure_ascii=False)) + tokens(offered)


def embed(text: str, dimensions: int) -> list[float]:
    """Words and their pairs hashed into signed slots, length 1; equal texts give equal vectors on any machine."""
    vector = [0.0] * dimensions
    words = re.findall(r"\w+", text.lower())
    for feature in [*words, *(f"{a} {b}" for a, b in itertools.pairwise(words))]:
        digest = hashlib.blake2b(feature.encode(), digest_size=8).digest()
        slot = int.from_bytes(digest[:4]) % dimensions
        vector[slot] += 1.0 if digest[4] & 1 else -1.0
    norm = math.sqrt(sum(x * x for x in vector)) or 1.0
    return [x / norm for x in vector]


def error(status: int, message: str) -> Response:
    body = {"error": {"message": f"offline model: {message}", "type": "invalid_request_error", "code": None}}
    return JSONResponse(body, status_code=status)


async def models(_: Request) -> Response:
    data = [
        {"id": name, "object": "model", "created": CREATED, "owned_by": "local"} for name in (MODEL, EMBEDDING_MODEL)
    ]
    return JSONResponse({"object": "list", "data": data})


async def embeddings(request: Request) -> Response:
    body = await _body(request)
    given = body.get("input")
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        return error(400, "input must be a string or a list of strings")
    dimensions = int(body.get("dimensions") or DIMENSIONS)
    packed = body.get("encoding_format") == "base64"
    data = [
        {"object": "embedding", "index": i, "embedding": _encode(embed(text, dimensions), packed)}
        for i, text in enumerate(texts)
    ]
    used = sum(map(tokens, texts))
    usage = {"prompt_tokens": used, "total_tokens": used}
    return JSONResponse({"object": "list", "data": data, "model": body.get("model", EMBEDDING_MODEL), "usage": usage})


def _encode(vector: list[float], packed: bool) -> list[float] | str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode() if packed else vector


async def completions(request: Request) -> Response:
    body = await _body(request)
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return error(400, "messages must be a list with at least one message")
    names = [tool["function"]["name"] for tool in body.get("tools") or () if tool.get("type") == "function"]
    return reply(body, offline.answer(messages, names))


def reply(body: dict[str, Any], answer: offline.OfflineAnswer) -> Response:
    """An answer in the form that the request asks for: one document, or a stream of chunks."""
    message = _message(answer, len(body["messages"]))
    prompt, completion = prompt_tokens(body), tokens(json.dumps(message))
    usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    head = {"id": _id(body), "created": CREATED, "model": body.get("model", MODEL)}
    finish = "tool_calls" if answer.calls else "stop"
    if body.get("stream"):
        wants = bool((body.get("stream_options") or {}).get("include_usage"))
        chunks = _chunks(head, message, finish, usage if wants else None)
        return StreamingResponse(chunks, media_type="text/event-stream")
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    return JSONResponse({**head, "object": "chat.completion", "choices": [choice], "usage": usage})


def _message(answer: offline.OfflineAnswer, turn: int) -> dict[str, Any]:
    if not answer.calls:
        return {"role": "assistant", "content": answer.text}
    calls = [
        {
            "id": f"call_{turn}_{i}",
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
        }
        for i, call in enumerate(answer.calls)
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


async def _chunks(
    head: dict[str, Any], message: dict[str, Any], finish: str, usage: dict[str, int] | None
) -> AsyncIterator[bytes]:
    def chunk(delta: dict[str, Any], reason: str | None = None) -> bytes:
        choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
        return b"data: " + orjson.dumps({**head, "object": "chat.completion.chunk", "choices": choices}) + b"\n\n"

    yield chunk({"role": "assistant", "content": "" if message["content"] else None})
    for start in range(0, len(message["content"] or ""), PIECE):
        yield chunk({"content": message["content"][start : start + PIECE]})
    for i, call in enumerate(message.get("tool_calls", ())):
        yield chunk({"tool_calls": [{"index": i, **call}]})
    yield chunk({}, finish)
    if usage is not None:
        last = {**head, "object": "chat.completion.chunk", "choices": [], "usage": usage}
        yield b"data: " + orjson.dumps(last) + b"\n\n"
    yield b"data: [DONE]\n\n"


def _id(body: dict[str, Any]) -> str:
    return "chatcmpl-" + hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()[:24]


async def _body(request: Request) -> dict[str, Any]:
    return jsonobject.parsed(await request.body())


def app() -> Starlette:
    return Starlette(
        routes=[
            Route("/v1/models", models),
            Route("/v1/embeddings", embeddings, methods=["POST"]),
            Route("/v1/chat/completions", completions, methods=["POST"]),
        ]
    )


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m local.model", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    port = parser.parse_args(argv).port
    # With the protocol named, asyncio sets TCP_NODELAY; without, streamed pieces wait for delayed acknowledgements.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(64)
    ready = {"ready": True, "base_url": f"http://127.0.0.1:{listener.getsockname()[1]}/v1", "model": MODEL}
    print(json.dumps(ready), flush=True)
    server = uvicorn.Server(uvicorn.Config(app(), log_level="warning", access_log=False, lifespan="off"))
    server.run(sockets=[listener])


if __name__ == "__main__":
    main()
