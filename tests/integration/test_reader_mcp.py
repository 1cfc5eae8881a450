"""The assistants' door, called by the official SDK's client over HTTP: what a token opens, and how long."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import httpx2
import pytest
import uvicorn
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from consumer import layout
from tests.unit.reader.test_ask import PAGE, PROMISE, SLUG, index_of
from tests.unit.reader.worlds import ADA, ADA_TOKEN, BOB, S1, World, files

pytestmark = [pytest.mark.integration, pytest.mark.timeout(120)]
READS = {"search", "get_page", "ask", "today", "context"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, str]]:
    world = World(tmp_path_factory.mktemp("mcp"))
    for user, word in ((ADA, "ADAWORD"), (BOB, "BOBWORD")):
        own = {**files(word), layout.RENDER_INDEX: index_of(PROMISE), f"brain/{SLUG}.md": PAGE}
        world.commit(user, own, indexed=True)
    with listening(world) as url:
        yield world, url


@contextmanager
def listening(world: World) -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(world.app, log_config=None, lifespan="off", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def token(world: World, owner: str = ADA_TOKEN, **fields: Any) -> tuple[str, str]:
    """A new token, and its id."""
    answer = world.post("/v1/me/tokens", {"name": "Laptop", **fields}, owner)
    assert answer.status_code == 200, answer.text
    return answer.json()["token"], answer.json()["id"]


def session(url: str, bearer: str, act: Callable[[ClientSession], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {bearer}"}, trust_env=False) as client,
            streamable_http_client(url, http_client=client) as (reader, writer, *_),
            ClientSession(reader, writer) as opened,
        ):
            await opened.initialize()
            return await act(opened)

    return asyncio.run(run())


def call(url: str, bearer: str, name: str, **arguments: Any) -> tuple[Any, bool]:
    """A tool's answer, and whether it is an error."""
    result = session(url, bearer, lambda opened: opened.call_tool(name, arguments))
    [content] = result.content
    return json.loads(content.text), bool(result.is_error)


def names(url: str, bearer: str) -> set[str]:
    return {tool.name for tool in session(url, bearer, lambda opened: opened.list_tools()).tools}


def test_an_assistant_lists_and_calls_the_tools_of_its_user(served: tuple[World, str]) -> None:
    world, url = served
    bearer, _ = token(world)
    assert names(url, bearer) == READS
    hits, failed = call(url, bearer, "search", query="When is the launch of Kestrel?")
    assert not failed
    assert "ADAWORD" in json.dumps(hits)
    page, _ = call(url, bearer, "get_page", page=hits["hits"][0]["page"])
    assert page["text"].startswith("# ")
    answer, _ = call(url, bearer, "ask", question="What do I owe Ann Lee?")
    assert answer["said_by"] == "facts"
    today, _ = call(url, bearer, "today")
    assert today["due"][0]["id"] == S1
    context, _ = call(url, bearer, "context", about="the Kestrel launch", budget=900)
    assert context["text"].startswith("# Memory context")
    assert context["tokens"] <= 900
    whole = world.get("/v1/me/context?about=the+Kestrel+launch&budget=900").json()
    assert context == {name: whole[name] for name in context}, "one assembly for both"


def test_there_is_no_session_to_take_over(served: tuple[World, str]) -> None:
    world, url = served
    bearer, _ = token(world)
    headers = {"authorization": f"Bearer {bearer}", "accept": "application/json, text/event-stream"}
    answer = httpx.post(url, json=INITIALIZE, headers=headers, trust_env=False)
    assert answer.status_code == 200, answer.text
    assert "mcp-session-id" not in answer.headers
    assert httpx.get(url, headers=headers, trust_env=False).status_code == 405


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
