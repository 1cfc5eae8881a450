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
from contract.overlay import Overlay, RuleRef
from tests.tables import table
from tests.unit.reader.test_ask import PAGE, PROMISE, SLUG, index_of
from tests.unit.reader.worlds import ADA, ADA_TOKEN, BOB, BOB_TOKEN, MAIL, S1, World, files, refusal

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


def test_an_assistant_of_another_user_gets_nothing_of_it(served: tuple[World, str]) -> None:
    world, url = served
    bearer, _ = token(world, BOB_TOKEN)
    for name, arguments in (
        ("search", {"query": "ADAWORD"}),
        ("get_page", {"page": MAIL}),
        ("ask", {"question": "What does ADAWORD say?"}),
        ("today", {}),
        ("context", {"about": "ADAWORD"}),
    ):
        answer, _ = call(url, bearer, name, **arguments)
        reply = json.dumps(answer).replace("Task: ADAWORD", "")
        assert "ADAWORD" not in reply, name
    # What there is of their own shows that the comparison can fail.
    assert "BOBWORD" in json.dumps(call(url, bearer, "today")[0])


@table("bearer", ["x", ADA_TOKEN, "cma_x", "cma_" + "0" * 42 + "?", "cma_" + "A" * 43])
def test_no_other_token_opens_it(served: tuple[World, str], bearer: str) -> None:
    world, url = served
    before = len(world.reads())
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {"authorization": f"Bearer {bearer}", "accept": "application/json, text/event-stream"}
    answer = httpx.post(url, json=body, headers=headers, trust_env=False)
    assert refusal(answer) == (401, "user_token_invalid")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert world.reads()[before:] == []


def test_an_assistants_token_opens_nothing_else(served: tuple[World, str]) -> None:
    world, _ = served
    bearer, token_id = token(world, scopes=["memory:read", "memory:correct"])
    for path in ("today", "tokens", "proposals", "access", "context", "corrections"):
        assert refusal(world.get(f"/v1/me/{path}", bearer)) == (401, "user_token_invalid")
    assert refusal(world.post(f"/v1/me/tokens/{token_id}/revoke", {}, bearer)) == (401, "user_token_invalid")
    assert refusal(world.post("/v1/me/tokens", {"name": "x"}, bearer)) == (401, "user_token_invalid")


def test_a_token_that_is_revoked_ends_at_once_and_one_that_expires_at_its_time(served: tuple[World, str]) -> None:
    world, url = served
    bearer, token_id = token(world)
    assert names(url, bearer) == READS
    assert refusal(world.post(f"/v1/me/tokens/{token_id}/revoke", {}, BOB_TOKEN)) == (404, "token_not_found")
    assert names(url, bearer) == READS
    first = world.post(f"/v1/me/tokens/{token_id}/revoke", {}).json()
    assert first["revoked_at"]
    answer = httpx.post(url, json={}, headers={"authorization": f"Bearer {bearer}"}, trust_env=False)
    assert refusal(answer) == (401, "user_token_invalid")
    short, _ = token(world, days=1)
    world.clock.advance(86_401)
    answer = httpx.post(url, json={}, headers={"authorization": f"Bearer {short}"}, trust_env=False)
    assert refusal(answer) == (401, "user_token_invalid")


def test_a_proposal_changes_nothing_until_the_owner_accepts_it(served: tuple[World, str]) -> None:
    world, url = served
    reading, _ = token(world)
    answer, failed = call(url, reading, "propose_correction", statement=S1, verdict="done")
    assert failed
    assert answer["error"]["code"] == "unknown_tool"
    bearer, _ = token(world, name="Planner", scopes=["memory:read", "memory:correct"])
    assert names(url, bearer) == READS | {"propose_correction"}
    proposed, failed = call(url, bearer, "propose_correction", statement=S1, verdict="done")
    assert not failed
    [waiting] = world.json("/v1/me/proposals")["proposals"]
    assert (waiting["id"], waiting["by"], waiting["verdict"]) == (proposed["id"], "Planner", "done")
    assert S1 in {loop["id"] for loop in call(url, bearer, "today")[0]["due"]}
    path = f"/v1/me/proposals/{proposed['id']}"
    assert refusal(world.post(path, {"accept": True}, bearer)) == (401, "user_token_invalid")
    assert refusal(world.post(path, {"accept": True}, BOB_TOKEN)) == (404, "proposal_not_found")
    assert world.post(path, {"accept": True}).json()["correction"]["verdict"] == "done"
    assert S1 not in {loop["id"] for loop in call(url, bearer, "today")[0]["due"]}
    assert world.json("/v1/me/proposals")["proposals"] == []


def test_arguments_that_are_none_are_an_error_that_says_which(served: tuple[World, str]) -> None:
    world, url = served
    bearer, _ = token(world, scopes=["memory:read", "memory:correct"])
    for name, arguments, word in (
        ("search", {"query": "x", "form": "2026-01-01"}, "form"),
        ("search", {}, "query"),
        ("get_page", {"page": "../../HEAD"}, "page"),
        ("propose_correction", {"statement": S1, "verdict": "later"}, "until"),
        ("propose_correction", {"statement": "x", "verdict": "done"}, "statement"),
        ("context", {"budget": 1}, "budget"),
        ("forget", {}, "search"),
    ):
        answer, failed = call(url, bearer, name, **arguments)
        assert failed, name
        assert word in answer["error"]["message"]


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


def test_before_a_run_has_read_a_rule_no_tool_tells(served: tuple[World, str]) -> None:
    """Nobody has found yet what it withholds, so nobody can leave it out."""
    world, url = served
    bearer, _ = token(world)
    rule = RuleRef(source_key="user_rules", record_id="1", changed_at=world.clock.now())
    world.controlplane.overlay = Overlay(version="with a rule", rules=(rule,))
    world.service.grants.drop(ADA)
    try:
        for name, arguments in (
            ("search", {"query": "deck"}),
            ("get_page", {"page": SLUG}),
            ("ask", {"question": "What do I owe?"}),
            ("today", {}),
            ("context", {}),
        ):
            answer, failed = call(url, bearer, name, **arguments)
            assert failed, name
            assert answer["error"]["code"] == "ask_unavailable", name
        assert world.get("/v1/me/today").status_code == 503
        assert world.get("/v1/me/context").status_code == 503
    finally:
        world.controlplane.overlay = Overlay(version="")
        world.service.grants.drop(ADA)
