"""Answers as events: what a client is told, in which order, and what it is told of a failure."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.responses import StreamingResponse

from consumer.evidence.search import Passage
from contract.api import Usage
from reader import streaming
from reader.errors import CallRefusal, invalid
from reader.wire import AskAnswer
from tests.fixtures_telemetry import Lines
from tests.tables import table

SENTENCES = [{"text": f"Sentence {number}.", "citations": []} for number in range(2)]
ANSWER = AskAnswer(
    answer=cast(Any, SENTENCES),
    supported=True,
    said_by="model",
    unsupported=0,
    more=0,
    nearest=(),
    read=(),
    model="asked",
    usage=Usage(),
)
PASSAGES = [cast(Passage, SimpleNamespace(page="a", anchor=f"r-{number}")) for number in range(2)]
READING = ("reading", {"read": [{"page": "a", "anchor": "r-0"}, {"page": "a", "anchor": "r-1"}]})


def streamed(work: streaming.Work) -> tuple[StreamingResponse, list[str]]:
    async def call() -> tuple[StreamingResponse, list[str]]:
        response = await streaming.respond(work)
        assert isinstance(response, StreamingResponse)
        return response, [bytes(cast(bytes, part)).decode() async for part in response.body_iterator]

    return asyncio.run(call())


def events(parts: list[str]) -> list[tuple[str, Any]]:
    assert all(part.endswith("\n\n") for part in parts)
    pairs = [part.removesuffix("\n\n").split("\n") for part in parts]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in pairs]


def test_a_client_hears_what_is_read_then_each_sentence_then_the_whole() -> None:
    def work(reading: Callable[[Any], None], _abandoned: Callable[[], bool]) -> AskAnswer:
        reading(PASSAGES)
        # An act that a purge disturbed is done again.
        reading(PASSAGES[:1])
        return ANSWER

    response, parts = streamed(work)
    whole = ANSWER.model_dump(mode="json")
    assert events(parts) == [READING, *(("sentence", each) for each in whole["answer"]), ("done", whole)]
    assert response.media_type == "text/event-stream"
    assert response.headers["x-accel-buffering"] == "no"


def test_while_a_model_thinks_a_connection_is_kept_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "QUIET_S", 0.001)
    heard = threading.Event()

    def work(reading: Callable[[Any], None], _abandoned: Callable[[], bool]) -> AskAnswer:
        reading(PASSAGES)
        assert heard.wait(30)
        return ANSWER

    async def call() -> list[str]:
        response = cast(StreamingResponse, await streaming.respond(work))
        parts = []
        async for part in response.body_iterator:
            parts.append(bytes(cast(bytes, part)).decode())
            if parts[-1].startswith(":"):
                heard.set()
        return parts

    parts = asyncio.run(call())
    assert parts[1] == ": still reading\n\n"
    assert [name for name, _ in events([part for part in parts if not part.startswith(":")])][-1] == "done"


@table(
    ("error", "code", "logged"),
    [(invalid("no"), "invalid_request", 0), (RuntimeError("SECRETWORD"), "internal_error", 1)],
)
def test_a_failure_after_the_first_event_is_the_last_event_and_quotes_nothing(
    error: Exception, code: str, logged: int, lines: Lines
) -> None:
    def work(reading: Callable[[Any], None], _abandoned: Callable[[], bool]) -> AskAnswer:
        reading(PASSAGES)
        raise error

    lines.seen.clear()
    _, parts = streamed(work)
    first, (name, data) = events(parts)
    assert (first, name, data["error"]["code"]) == (READING, "error", code)
    assert "SECRETWORD" not in "".join(parts)
    assert [text for text, _ in lines.seen] == ["reader_bug"] * logged


def test_a_refusal_before_the_first_event_is_raised() -> None:
    def work(*_: Any) -> AskAnswer:
        raise invalid("no question")

    with pytest.raises(CallRefusal, match="no question"):
        streamed(work)


def test_a_client_that_goes_away_is_known_to_the_work() -> None:
    left: list[bool] = []
    go_on, done = threading.Event(), threading.Event()

    def work(reading: Callable[[Any], None], abandoned: Callable[[], bool]) -> AskAnswer:
        left.append(abandoned())
        reading(PASSAGES)
        assert go_on.wait(30)
        left.append(abandoned())
        done.set()
        return ANSWER

    async def call() -> None:
        response = cast(StreamingResponse, await streaming.respond(work))
        lines = cast(Any, response.body_iterator)
        await anext(lines)
        await lines.aclose()
        go_on.set()
        assert await asyncio.to_thread(done.wait, 30)

    asyncio.run(call())
    assert left == [False, True]


def test_a_client_that_goes_away_before_the_first_event_is_known_too() -> None:
    left: list[bool] = []
    begun, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def work(_reading: Callable[[Any], None], abandoned: Callable[[], bool]) -> AskAnswer:
        begun.set()
        assert go_on.wait(30)
        left.append(abandoned())
        done.set()
        return ANSWER

    async def call() -> None:
        waiting = asyncio.ensure_future(streaming.respond(work))
        assert await asyncio.to_thread(begun.wait, 30)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        go_on.set()
        assert await asyncio.to_thread(done.wait, 30)

    asyncio.run(call())
    assert left == [True]
