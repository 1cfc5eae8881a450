"""The answer by model over the real gateway: models that answer, and models that do not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

import manifests
from consumer.agent.answerer import ModelAnswerer
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from consumer.ports import ModelTags
from consumer.understanding import askform
from consumer.understanding.askform import DraftSentence, ShownPassage
from contract.api import Usage
from local.model import MODEL
from local.offline import OfflineAnswer
from service.clock import SystemClock
from tests import models

pytestmark = [pytest.mark.integration, pytest.mark.timeout(120)]
TAGS = ModelTags("ask-1", "u", "ask", "user-memory-prod", "v1")
SHOWN = [ShownPassage("Supply", "2026-11-24", "inbound_messages", "I'll send you the agreement by Monday.")]
ANSWER = {"text": "She sends it by Monday.", "cites": [{"passage": 1, "quote": "by Monday"}]}

Turn = Callable[[Any], OfflineAnswer | Response]


def says(*sentences: Any) -> OfflineAnswer:
    return OfflineAnswer(text=json.dumps({"answer": list(sentences)}))


@contextmanager
def answering(turn: Turn, **more: Any) -> Iterator[tuple[ModelAnswerer, list[Any]]]:
    seen: list[Any] = []

    def answer(messages: Any, tools: Any) -> OfflineAnswer | Response:
        seen.append((messages, tools))
        return turn(messages)

    with models.serving(answer) as base_url:
        limits = UsageLimits(200, 2_000_000, 5.0)
        gateway = LoopbackGateway(base_url, "key", frozenset({MODEL}), limits, manifests.model_prices(), SystemClock())
        yield ModelAnswerer(gateway, MODEL, TAGS, **more), seen


def draft(answerer: ModelAnswerer) -> list[DraftSentence]:
    return answerer.draft("When does she send the agreement?", "2026-11-28", SHOWN)


def test_one_question_is_one_call_without_tools_that_is_recorded() -> None:
    with answering(lambda _: says(ANSWER)) as (answerer, seen):
        (sentence,) = draft(answerer)
    assert sentence.text == "She sends it by Monday."
    ((messages, tools),) = seen
    assert tools == []
    assert [message["role"] for message in messages] == ["system", "user"]
    assert [(call.model, call.status) for call in answerer.calls] == [(MODEL, 200)]
    assert answerer.usage.requests == 1
    assert answerer.usage.input_tokens > 0


FORMS: dict[str, OfflineAnswer | Response] = {
    "babble": OfflineAnswer(text="She sends it by Monday, I think."),
    "half": OfflineAnswer(text='{"answer": [{"text": "She sends it by Monday.", "cites": ['),
    "other form": OfflineAnswer(text='{"answer": {"text": "She sends it."}}'),
    "key twice": OfflineAnswer(text='{"answer": [], "answer": []}'),
    "no passage": says({"text": "She sends it.", "cites": []}),
    "a passage that was not shown": says({"text": "She sends it.", "cites": [{"passage": 2, "quote": "by Monday"}]}),
    "giant": OfflineAnswer(text=json.dumps({"answer": [], "why": "x" * askform.ANSWER_BYTES})),
    "refusal": JSONResponse(
        {"choices": [{"message": {"content": None, "refusal": "I cannot."}, "finish_reason": "stop"}]}
    ),
    "filtered": JSONResponse({"choices": [{"message": {"content": "{}"}, "finish_reason": "content_filter"}]}),
    "cut": JSONResponse(
        {"choices": [{"message": {"content": json.dumps({"answer": [ANSWER]})}, "finish_reason": "length"}]}
    ),
    "no choice": JSONResponse({"choices": []}),
    "no JSON": Response(b"<html>", media_type="text/html"),
    **{str(status): models.refusal(status, **{"retry-after-ms": "0"}) for status in (400, 401, 404, 429, 500, 503)},
}


@pytest.mark.parametrize("form", FORMS)
def test_a_model_that_gives_no_answer_says_nothing(form: str) -> None:
    with answering(lambda _: FORMS[form]) as (answerer, _):
        assert draft(answerer) == []


def test_a_model_that_takes_too_long_says_nothing() -> None:
    with answering(lambda _: models.never_ends(), limit_s=0.05) as (answerer, _):
        assert draft(answerer) == []


def test_a_budget_that_is_spent_asks_nobody() -> None:
    with answering(lambda _: says(ANSWER), spent=Usage(input_tokens=2_000_000)) as (answerer, seen):
        assert draft(answerer) == []
    assert seen == []


def test_a_model_that_the_gateway_does_not_allow_is_not_asked() -> None:
    with answering(lambda _: says(ANSWER)) as (answerer, seen):
        answerer.model = "another-model"
        assert draft(answerer) == []
    assert seen == []
