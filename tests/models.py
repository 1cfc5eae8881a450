"""Models that misbehave on purpose, over the real wire, and where Hermes is."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from local import model, offline

ROOT = Path(__file__).parent.parent
#: Given the messages and the names of the tools: an answer, or a whole response.
Turn = Callable[[Sequence[dict[str, Any]], Sequence[str]], offline.OfflineAnswer | Response]


def hermes_binary() -> str:
    """Hermes as the Makefile installs it, or as HERMES_BIN says; without one the test is skipped, in CI it fails."""
    path = Path(os.environ.get("HERMES_BIN") or ROOT / ".tools/hermes/bin/hermes")
    if not path.exists():
        if os.environ.get("CI"):
            pytest.fail(f"no Hermes at {path}: run `make setup`")
        pytest.skip(f"no Hermes at {path}: run `make setup`")
    return str(path)


@contextmanager
def serving(turn: Turn, *, at_once: bool = False, seen: list[bytes] | None = None) -> Iterator[str]:
    """The base URL of a model that answers each chat completion with ``turn``; ``at_once``: several at a time.

    ``seen``: gets the body of each request.
    """

    async def completions(request: Request) -> Response:
        data = await request.body()
        if seen is not None:
            seen.append(data)
        body = orjson.loads(data)
        names = [tool["function"]["name"] for tool in body.get("tools") or ()]
        asked = (body["messages"], names)
        reply = await run_in_threadpool(turn, *asked) if at_once else turn(*asked)
        if isinstance(reply, Response):
            return reply
        return model.reply(body, reply)

    app = Starlette(routes=[Route("/v1/chat/completions", completions, methods=["POST"])])
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(16)
    config = uvicorn.Config(app, log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def refusal(status: int, code: str = "refused", **headers: str) -> Response:
    """An error in OpenAI's form."""
    return JSONResponse({"error": {"message": "no", "type": code, "code": code}}, status, headers)


def never_ends() -> Response:
    """A stream that begins and then says nothing more."""

    async def body() -> Any:
        yield b'data: {"id":"x","object":"chat.completion.chunk","created":0,"model":"m","choices":[]}\n\n'
        await _for_ever()

    return StreamingResponse(body(), media_type="text/event-stream")


async def _for_ever() -> None:
    import asyncio

    await asyncio.Event().wait()
