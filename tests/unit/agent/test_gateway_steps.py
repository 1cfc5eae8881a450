"""The steps of an agent's session that the gateway takes itself, so that nobody pays for them."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import httpx
import pytest

from consumer.agent.gateway import steps
from consumer.agent.gateway.app import GatewayApp
from consumer.agent.gateway.ledger import UsageLedger, UsageLimits
from consumer.agent.gateway.upstream import Upstream
from consumer.ports import ModelTags, ModelView, SessionLimits
from consumer.storage.memory import FakeClock
from contract.api import Usage
from tests.tables import table

READ = ("read_file", {"path": "runtime/job-runs/j/synthesis-input.json", "limit": 2000})
SYSTEM: dict[str, Any] = {"role": "system", "content": "You are"}
TASK: dict[str, Any] = {"role": "user", "content": "Do it"}
CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
CALLED: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT: dict[str, Any] = {"role": "tool", "tool_call_id": "c1", "content": "hits"}
BEGUN, GONE_ON = [SYSTEM, TASK], [SYSTEM, TASK, CALLED, RESULT]


def view(*, finished: bool = False, first_call: tuple[str, dict[str, Any]] | None = READ) -> ModelView:
    return ModelView(frozenset({"read_file"}), (), first_call, lambda: finished)


def request(messages: list[dict[str, Any]], *tools: str, **more: object) -> dict[str, Any]:
    offered = [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in tools]
    return {"model": "m", "messages": messages, **({"tools": offered} if offered else {}), **more}


@table(
    ("document", "shown", "answer"),
    [
        (request(BEGUN, "read_file"), view(), "reads"),
        (request([TASK], "read_file"), view(), "reads"),
        # A title or a summary is asked for without tools.
        (request(BEGUN), view(), None),
        (request(BEGUN, "search"), view(), None),
        (request(BEGUN, "read_file"), view(first_call=None), None),
        (request(BEGUN, "read_file"), None, None),
        # A shortened conversation: its summary is a user's message.
        (request([SYSTEM, TASK, TASK], "read_file"), view(), None),
        (request(GONE_ON, "read_file"), view(), None),
        (request(GONE_ON, "read_file"), view(finished=True), "ends"),
        # A valid file ends nothing in the middle of a turn.
        (request([*GONE_ON, TASK], "read_file"), view(finished=True), None),
        (request([SYSTEM, TASK, CALLED], "read_file"), view(finished=True), None),
    ],
)
def test_only_the_reading_of_the_input_and_the_end_need_no_model(
    document: dict[str, Any], shown: ModelView | None, answer: str | None
) -> None:
    message = steps.own_answer(document, shown)
    kinds = {None: None, "reads": "read_file", "ends": steps.CLOSING}
    calls = (message or {}).get("tool_calls") or [{"function": {"name": (message or {}).get("content")}}]
    assert calls[0]["function"]["name"] == kinds[answer]


@pytest.mark.parametrize("streamed", [False, True])
def test_such_a_step_reaches_no_provider_and_costs_nothing_even_when_the_budget_is_spent(streamed: bool) -> None:
    ledger = UsageLedger(ModelTags("j", "u", "insight", "p", "v1"), UsageLimits(0, 0, 0.0), {}, Usage())
    response = asyncio.run(_ask(ledger, request(BEGUN, "read_file", stream=streamed)))
    assert response.status_code == 200
    if streamed:
        events = [line.removeprefix("data: ") for line in response.text.splitlines() if line]
        assert events[-1] == "[DONE]"
        chunks = [json.loads(event)["choices"] for event in events[:-1]]
        (call,) = chunks[0][0]["delta"]["tool_calls"]
        assert (call["index"], chunks[1][0]["finish_reason"]) == (0, "tool_calls")
    else:
        (choice,) = response.json()["choices"]
        (call,) = choice["message"]["tool_calls"]
        assert choice["finish_reason"] == "tool_calls"
    assert (call["function"]["name"], json.loads(call["function"]["arguments"])) == READ
    assert ledger.calls() == ()


async def _ask(ledger: UsageLedger, document: dict[str, Any]) -> httpx.Response:
    def provider(_: httpx.Request) -> httpx.Response:
        raise AssertionError("the provider was asked")

    async with httpx.AsyncClient(transport=httpx.MockTransport(provider)) as client:
        upstream = Upstream("https://provider.test/v1", "sk-real", client, asyncio.sleep)
        app = GatewayApp("token", frozenset({"m"}), ledger, upstream, FakeClock(), view())
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://gateway") as caller:
            headers = {"authorization": "Bearer token"}
            return await caller.post("/v1/chat/completions", headers=headers, json=document)


# --- a session's own limits ------------------------------------------------------------------------------------------

LIMITS = SessionLimits(turns=2, tokens=50)


@table(
    ("called", "limits", "named"),
    [("read_file", LIMITS, None), ("search", LIMITS, "search"), ("search", None, None)],
)
def test_a_call_of_a_tool_that_was_not_offered_is_named(
    called: str, limits: SessionLimits | None, named: str | None
) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": called, "arguments": "{}"}}
    messages = [SYSTEM, TASK, {"role": "assistant", "content": None, "tool_calls": [call]}, RESULT]
    assert steps.forbidden(request(messages), replace(view(), limits=limits)) == named


def answered(messages: list[dict[str, Any]], ledger: UsageLedger) -> tuple[int, str]:
    """Status and error code of one request within LIMITS, to a model whose answers take ten tokens each."""

    async def post() -> httpx.Response:
        usage = {"prompt_tokens": 8, "completion_tokens": 2}
        reply = {"choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}], "usage": usage}
        provider = httpx.MockTransport(lambda _: httpx.Response(200, json=reply))
        async with httpx.AsyncClient(transport=provider) as outside:
            upstream = Upstream("http://provider/v1", "key", outside, asyncio.sleep)
            shown = replace(view(first_call=None), limits=LIMITS)
            app = GatewayApp("t", frozenset({"m"}), ledger, upstream, FakeClock(), shown)
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://gateway") as client:
                return await client.post(
                    "/v1/chat/completions", json=request(messages), headers={"authorization": "Bearer t"}
                )

    response = asyncio.run(post())
    return response.status_code, response.json().get("error", {}).get("code", "")


TAGS = ModelTags("j", "u", "insight", "p", "v1")


@table(
    ("spent", "conversations", "outcomes", "exceeded"),
    [
        # What the job used before counts against the job alone.
        (
            Usage(input_tokens=900),
            [BEGUN, BEGUN, BEGUN],
            [(200, ""), (200, ""), (403, "model_budget_exceeded")],
            "turns",
        ),
        (
            Usage(),
            [BEGUN, GONE_ON, BEGUN],
            [(200, ""), (403, "tool_not_allowed"), (403, "model_budget_exceeded")],
            "tools",
        ),
    ],
)
def test_a_session_ends_at_its_own_limits(
    spent: Usage, conversations: list[Any], outcomes: list[tuple[int, str]], exceeded: str
) -> None:
    ledger = UsageLedger(TAGS, UsageLimits(100, 1_000, 1.0), {}, spent, LIMITS)
    assert [answered(messages, ledger) for messages in conversations] == outcomes
    assert ledger.exceeded() == exceeded


def test_a_session_ends_with_its_tokens_and_a_job_without_such_limits_does_not() -> None:
    limited = UsageLedger(TAGS, UsageLimits(100, 1_000, 1.0), {}, Usage(), SessionLimits(turns=9, tokens=5))
    whole = UsageLedger(TAGS, UsageLimits(100, 1_000, 1.0), {}, Usage())
    assert [answered(BEGUN, limited)[0] for _ in range(2)] == [200, 403]
    assert [answered(BEGUN, whole)[0] for _ in range(2)] == [200, 200]
    assert (limited.exceeded(), whole.exceeded()) == ("tokens", "")
