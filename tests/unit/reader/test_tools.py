"""The assistants' door, without a server: what a token opens, for how long, and what each tool answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from consumer import layout
from contract.overlay import Overlay, RuleRef
from reader import tools
from tests.fixtures_telemetry import Lines
from tests.tables import table
from tests.unit.reader.test_ask import PAGE, PROMISE, SLUG, index_of
from tests.unit.reader.worlds import ADA, ADA_TOKEN, BOB, BOB_TOKEN, MAIL, S1, World, files, filled, refusal

READS = {"search", "get_page", "ask", "today", "context"}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return filled(tmp_path, commit_both_with_a_promise)


def commit_both_with_a_promise(world: World) -> None:
    for user, word in ((ADA, "ADAWORD"), (BOB, "BOBWORD")):
        own = {**files(word), layout.RENDER_INDEX: index_of(PROMISE), f"brain/{SLUG}.md": PAGE}
        world.commit(user, own, indexed=True)


def token(world: World, owner: str = ADA_TOKEN, **fields: Any) -> tuple[str, str]:
    """A new token, and its id."""
    answer = world.post("/v1/me/tokens", {"name": "Laptop", **fields}, owner)
    assert answer.status_code == 200, answer.text
    return answer.json()["token"], answer.json()["id"]


def rpc(world: World, bearer: str, method: str, params: Any, scheme: str = "Bearer") -> Any:
    headers = {"authorization": f"{scheme} {bearer}", "accept": "application/json, text/event-stream"}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return world.client.post(tools.PATH, json=body, headers=headers)


def call(world: World, bearer: str, name: str, **arguments: Any) -> tuple[Any, bool]:
    """A tool's answer, and whether it is an error."""
    result = rpc(world, bearer, "tools/call", {"name": name, "arguments": arguments}).json()["result"]
    [content] = result["content"]
    return json.loads(content["text"]), result["isError"]


def names(world: World, bearer: str) -> set[str]:
    return {tool["name"] for tool in rpc(world, bearer, "tools/list", {}).json()["result"]["tools"]}


def test_each_tool_tells_of_its_user(world: World) -> None:
    bearer, _ = token(world)
    hits, failed = call(world, bearer, "search", query="When is the launch of Kestrel?")
    assert (failed, hits["hits"][0]["page"]) == (False, MAIL)
    assert "held" not in hits["hits"][0]
    page, _ = call(world, bearer, "get_page", page=MAIL)
    assert page["text"].startswith("# Kestrel ADAWORD")
    assert call(world, bearer, "ask", question="What do I owe Ann Lee?")[0]["said_by"] == "facts"
    context, _ = call(world, bearer, "context", about="the Kestrel launch", budget=900)
    assert context["tokens"] <= 900
    whole = world.json("/v1/me/context?about=the+Kestrel+launch&budget=900")
    assert context == {name: whole[name] for name in ("text", "tokens", "digest")}, "one assembly for both"


def test_a_tool_without_arguments_may_be_called_without_any(world: World) -> None:
    bearer, _ = token(world)
    result = rpc(world, bearer, "tools/call", {"name": "today"}, "bearer").json()["result"]
    assert json.loads(result["content"][0]["text"])["due"][0]["id"] == S1


def test_a_long_page_comes_in_pieces_that_are_all_of_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    bearer, _ = token(world)
    whole = call(world, bearer, "get_page", page=MAIL)[0]
    assert whole["next_offset"] is None
    monkeypatch.setattr(tools, "PAGE_CHARS", -(-len(whole["text"]) // 2))
    first, _ = call(world, bearer, "get_page", page=MAIL)
    second, _ = call(world, bearer, "get_page", page=MAIL, offset=first["next_offset"])
    assert (first["text"] + second["text"], second["next_offset"]) == (whole["text"], None)


def test_the_log_names_tools_and_not_what_an_assistant_made_up(world: World, lines: Lines) -> None:
    bearer, _ = token(world)
    for name in ("today", "SECRETWORD", "search"):
        call(world, bearer, name)
    calls = [(fields["call"], fields["status"]) for text, fields in lines.seen if text == "reader_request"]
    assert calls[-3:] == [("mcp_today", 200), ("mcp", 404), ("mcp_search", 422)]


def test_a_fault_of_the_reader_says_nothing_of_it(
    world: World, monkeypatch: pytest.MonkeyPatch, lines: Lines, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError("SECRETWORD")

    bearer, _ = token(world)
    monkeypatch.setattr(type(world.service), "answer", fails)
    answer, failed = call(world, bearer, "today")
    assert (failed, answer["error"]["code"], answer["error"]["retryable"]) == (True, "internal_error", True)
    monkeypatch.setattr(type(world.service.grants), "of", fails)
    broken = rpc(world, bearer, "tools/list", {})
    assert (broken.status_code, broken.json()["error"]["code"]) == (500, "internal_error")
    assert [fields for text, fields in lines.seen if text == "reader_bug"] == [{"error": "RuntimeError"}] * 2
    assert "SECRETWORD" not in caplog.text + broken.text + json.dumps(answer)


def test_an_assistant_of_another_user_gets_nothing_of_it(world: World) -> None:
    bearer, _ = token(world, BOB_TOKEN)
    for name, arguments in (
        ("search", {"query": "ADAWORD"}),
        ("get_page", {"page": MAIL}),
        ("ask", {"question": "What does ADAWORD say?"}),
        ("today", {}),
        ("context", {"about": "ADAWORD"}),
    ):
        answer, _ = call(world, bearer, name, **arguments)
        reply = json.dumps(answer).replace("Task: ADAWORD", "")
        assert "ADAWORD" not in reply, name
    # What there is of their own shows that the comparison can fail.
    assert "BOBWORD" in json.dumps(call(world, bearer, "today")[0])


@table("bearer", ["x", ADA_TOKEN, "cma_x", "cma_" + "0" * 42 + "?", "cma_" + "A" * 43])
def test_no_other_token_opens_it(world: World, bearer: str) -> None:
    before = len(world.reads())
    answer = rpc(world, bearer, "tools/list", {})
    assert refusal(answer) == (401, "user_token_invalid")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert world.reads()[before:] == []


def test_an_assistants_token_opens_nothing_else(world: World) -> None:
    bearer, token_id = token(world, scopes=["memory:read", "memory:correct"])
    for path in ("today", "tokens", "proposals", "access", "context", "corrections"):
        assert refusal(world.get(f"/v1/me/{path}", bearer)) == (401, "user_token_invalid")
    assert refusal(world.post(f"/v1/me/tokens/{token_id}/revoke", {}, bearer)) == (401, "user_token_invalid")
    assert refusal(world.post("/v1/me/tokens", {"name": "x"}, bearer)) == (401, "user_token_invalid")


def test_a_token_that_is_revoked_ends_at_once_and_one_that_expires_at_its_time(world: World) -> None:
    bearer, token_id = token(world)
    assert names(world, bearer) == READS
    assert refusal(world.post(f"/v1/me/tokens/{token_id}/revoke", {}, BOB_TOKEN)) == (404, "token_not_found")
    assert names(world, bearer) == READS
    first = world.post(f"/v1/me/tokens/{token_id}/revoke", {}).json()
    assert first["revoked_at"]
    answer = rpc(world, bearer, "tools/list", {})
    assert refusal(answer) == (401, "user_token_invalid")
    short, _ = token(world, days=1)
    world.clock.advance(86_401)
    answer = rpc(world, short, "tools/list", {})
    assert refusal(answer) == (401, "user_token_invalid")


def test_a_proposal_changes_nothing_until_the_owner_accepts_it(world: World) -> None:
    reading, _ = token(world)
    answer, failed = call(world, reading, "propose_correction", statement=S1, verdict="done")
    assert failed
    assert answer["error"]["code"] == "unknown_tool"
    bearer, _ = token(world, name="Planner", scopes=["memory:read", "memory:correct"])
    assert names(world, bearer) == READS | {"propose_correction"}
    proposed, failed = call(world, bearer, "propose_correction", statement=S1, verdict="done")
    assert not failed
    [waiting] = world.json("/v1/me/proposals")["proposals"]
    assert (waiting["id"], waiting["by"], waiting["verdict"]) == (proposed["id"], "Planner", "done")
    assert S1 in {loop["id"] for loop in call(world, bearer, "today")[0]["due"]}
    path = f"/v1/me/proposals/{proposed['id']}"
    assert refusal(world.post(path, {"accept": True}, bearer)) == (401, "user_token_invalid")
    assert refusal(world.post(path, {"accept": True}, BOB_TOKEN)) == (404, "proposal_not_found")
    assert world.post(path, {"accept": True}).json()["correction"]["verdict"] == "done"
    assert S1 not in {loop["id"] for loop in call(world, bearer, "today")[0]["due"]}
    assert world.json("/v1/me/proposals")["proposals"] == []


def test_arguments_that_are_none_are_an_error_that_says_which(world: World) -> None:
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
        answer, failed = call(world, bearer, name, **arguments)
        assert failed, name
        assert word in answer["error"]["message"]


def test_before_a_run_has_read_a_rule_no_tool_tells(world: World) -> None:
    """Nobody has found yet what it withholds, so nobody can leave it out."""
    bearer, _ = token(world)
    rule = RuleRef(source_key="user_rules", record_id="1", changed_at=world.clock.now())
    world.controlplane.overlay = Overlay(version="with a rule", rules=(rule,))
    world.service.grants.drop(ADA)
    for name, arguments in (
        ("search", {"query": "deck"}),
        ("get_page", {"page": SLUG}),
        ("ask", {"question": "What do I owe?"}),
        ("today", {}),
        ("context", {}),
    ):
        answer, failed = call(world, bearer, name, **arguments)
        assert failed, name
        assert answer["error"]["code"] == "ask_unavailable", name
    assert world.get("/v1/me/today").status_code == 503
    assert world.get("/v1/me/context").status_code == 503
