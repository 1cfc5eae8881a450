"""Questions that a model answers, from the reader to a provider on the wire: one that answers, lies, or fails."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from consumer import layout
from consumer.agent.answerer import ModelAnswerer
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from local.model import MODEL
from local.offline import OfflineAnswer
from reader.limits import Limits
from reader.model import GatewayModel, Spending
from service.clock import SystemClock
from tests import models
from tests.tables import table
from tests.unit.reader.test_ask import PAGE, PROMISE, SLUG, index_of
from tests.unit.reader.worlds import ADA, ADA_TOKEN, BOB, MAIL, MARK, World, files, refusal
from tests.waiting import PATIENCE_S

pytestmark = [pytest.mark.integration, pytest.mark.timeout(120)]
QUESTION = "Why is the launch of Kestrel on that day?"
KEY = "sk-the-providers-key"
QUOTE = "The launch of Kestrel is on Friday"
TRUE = {
    "text": "The launch of Kestrel is on Friday, says ADAWORD.",
    "quote": "The launch of Kestrel is on Friday, says",
}
LIES = [
    {"text": "The launch of Kestrel is on Friday.", "quote": "The launch of Kestrel was moved to Monday"},
    {"text": "The launch of Kestrel is on 14 March 2027.", "quote": QUOTE},
    {"text": "The launch of Kestrel costs 90,000 EUR.", "quote": QUOTE},
]

Say = Callable[[Sequence[dict[str, Any]]], OfflineAnswer | Response]


def says(*sentences: dict[str, str]) -> Say:
    """A model that cites the passage of the launch for each sentence."""

    def answer(messages: Sequence[dict[str, Any]]) -> OfflineAnswer:
        shown = [json.loads(line) for line in messages[1]["content"].splitlines()[2:]]
        [place] = [each["passage"] for each in shown if QUOTE in each["text"]]
        drafts = [{"text": each["text"], "cites": [{"passage": place, "quote": each["quote"]}]} for each in sentences]
        return OfflineAnswer(text=json.dumps({"answer": drafts}))

    return answer


@contextmanager
def asked(
    tmp: Path, say: Say, *, judge: str = "", usd: float = 1.0, limit_s: float = 20.0
) -> Iterator[tuple[World, list[bytes]]]:
    """A reader whose model is on the wire, and the requests that reach the provider."""
    seen: list[bytes] = []
    with models.serving(lambda messages, _: say(messages), at_once=True, seen=seen) as base_url:
        clock = SystemClock()

        def model(limits: Limits) -> GatewayModel:
            budget = UsageLimits(1, 50_000, 1.0)
            gateway = LoopbackGateway(base_url, KEY, frozenset({MODEL}), budget, {MODEL: PRICE}, clock)
            return GatewayModel(gateway, MODEL, judge, limits, Spending(clock.monotonic, usd))

        world = World(tmp, model=model)
        for user, word in ((ADA, "ADAWORD"), (BOB, "BOBWORD")):
            own = {**files(word), layout.RENDER_INDEX: index_of(PROMISE), f"brain/{SLUG}.md": PAGE}
            world.commit(user, own, indexed=True)
        yield world, seen


PRICE = {"input": 1.0, "cached": 1.0, "output": 1.0}


def ask(world: World, question: str = QUESTION) -> Any:
    answer = world.post("/v1/me/ask", {"question": question})
    assert answer.status_code == 200, answer.text
    return answer.json()


def events(text: str) -> list[tuple[str, Any]]:
    blocks = [block.split("\n") for block in text.strip().split("\n\n") if not block.startswith(":")]
    return [(lines[0].removeprefix("event: "), json.loads(lines[1].removeprefix("data: "))) for lines in blocks]


def streamed(world: World, question: str = QUESTION) -> Any:
    headers = {"authorization": f"Bearer {ADA_TOKEN}", "accept": "text/event-stream"}
    return world.client.post("/v1/me/ask", json={"question": question}, headers=headers)


def test_a_model_answers_what_facts_do_not_with_what_it_read_and_what_it_cost(tmp_path: Path) -> None:
    with asked(tmp_path, says(TRUE)) as (world, seen):
        answer = ask(world)
        assert (answer["said_by"], answer["model"], answer["unsupported"]) == ("model", "asked", 0)
        [sentence] = answer["answer"]
        [cited] = sentence["citations"]
        assert (cited["page"], cited["anchor"]) == (MAIL, f"r-{MARK}")
        assert {"page": MAIL, "anchor": f"r-{MARK}"} in answer["read"]
        assert answer["usage"]["requests"] == 1
        assert answer["usage"]["cost_usd"] > 0
        facts = ask(world, "What do I owe Ann Lee?")
        assert (facts["said_by"], facts["model"], facts["usage"]["requests"]) == ("facts", "not_asked", 0)
    [body] = seen
    assert b"BOBWORD" not in body
    assert KEY.encode() not in body


def test_what_is_not_supported_is_neither_shown_nor_streamed(tmp_path: Path) -> None:
    with asked(tmp_path, says(*LIES, TRUE)) as (world, _):
        answer = ask(world)
        assert [sentence["text"] for sentence in answer["answer"]] == [TRUE["text"]]
        assert answer["unsupported"] == len(LIES)
        stream = streamed(world)
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert [name for name, _ in events(stream.text)] == ["reading", "sentence", "done"]
        assert not any(lie["text"] in stream.text for lie in LIES[1:])
        reading, sentence, done = (data for _, data in events(stream.text))
        assert reading == {"read": answer["read"]}
        assert sentence == answer["answer"][0]
        assert done == answer


def test_a_model_that_only_lies_is_nobody(tmp_path: Path) -> None:
    with asked(tmp_path, says(*LIES)) as (world, _):
        answer = ask(world)
        assert (answer["answer"], answer["said_by"], answer["model"]) == ([], "nobody", "asked")
        assert answer["nearest"]
        assert [name for name, _ in events(streamed(world).text)] == ["reading", "done"]


FAILURES: list[OfflineAnswer | Response] = [
    models.refusal(429, **{"retry-after-ms": "0"}),
    models.refusal(503, **{"retry-after-ms": "0"}),
    OfflineAnswer(text="no JSON"),
    models.refusal(401),
]


@table("failure", FAILURES)
def test_a_provider_that_fails_leaves_facts_and_passages_and_is_told(tmp_path_factory: Any, failure: Any) -> None:
    with asked(tmp_path_factory.mktemp("x"), lambda _: failure) as (world, _):
        answer = ask(world)
        assert (answer["said_by"], answer["model"], answer["answer"]) == ("nobody", "unavailable", [])
        assert answer["nearest"]
        assert ask(world, "What do I owe Ann Lee?")["said_by"] == "facts"
        assert events(streamed(world).text)[-1][1]["model"] == "unavailable"


def test_a_provider_that_is_slow_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = ModelAnswerer.__init__

    def hurried(self: ModelAnswerer, *given: Any, **named: Any) -> None:
        made(self, *given, **{**named, "limit_s": 0.05})

    monkeypatch.setattr(ModelAnswerer, "__init__", hurried)
    with asked(tmp_path, lambda _: models.never_ends()) as (world, _):
        assert ask(world)["model"] == "unavailable"


def test_a_user_has_a_rate_and_a_budget_and_then_passages(tmp_path: Path) -> None:
    with asked(tmp_path / "rate", says(TRUE)) as (world, seen):
        states = [ask(world)["model"] for _ in range(12)]
        assert states == ["asked"] * 10 + ["unavailable"] * 2
        assert len(seen) == 10
        world.clock.advance(60)
        assert ask(world)["model"] == "asked"
    with asked(tmp_path / "budget", says(TRUE), usd=0.000001) as (world, seen):
        assert [ask(world)["model"] for _ in range(3)] == ["asked", "unavailable", "unavailable"]
        assert len(seen) == 1


def test_a_judge_that_does_not_confirm_leaves_nothing_to_say(tmp_path: Path) -> None:
    def answer(messages: Sequence[dict[str, Any]]) -> OfflineAnswer:
        if "passage" in messages[0]["content"]:
            return says(TRUE)(messages)  # type: ignore[return-value]
        return OfflineAnswer(text="no ruling")

    with asked(tmp_path, answer, judge=MODEL) as (world, seen):
        reply = ask(world)
    assert (reply["said_by"], reply["unsupported"], reply["model"]) == ("nobody", 1, "unavailable")
    assert len(seen) == 2
    assert reply["usage"]["requests"] == 2


def test_a_refusal_before_the_stream_is_an_ordinary_response(tmp_path: Path) -> None:
    with asked(tmp_path, says(TRUE)) as (world, seen):
        assert refusal(streamed(world, " ")) == (422, "invalid_request")
        headers = {"accept": "text/event-stream", "authorization": "Bearer stranger.token.x"}
        answer = world.client.post("/v1/me/ask", json={"question": QUESTION}, headers=headers)
        assert refusal(answer) == (401, "user_token_invalid")
    assert seen == []


def test_a_client_that_goes_away_asks_no_further_model(tmp_path: Path) -> None:
    begun, gone, went_on = threading.Event(), threading.Event(), threading.Event()

    def answer(messages: Sequence[dict[str, Any]]) -> OfflineAnswer:
        if "passage" not in messages[0]["content"]:
            return OfflineAnswer(text="no ruling")
        begun.set()
        gone.wait(PATIENCE_S)
        went_on.set()
        return says(TRUE)(messages)  # type: ignore[return-value]

    with asked(tmp_path, answer, judge=MODEL) as (world, seen):
        assert _leave_after_the_first_event(world, begun) == ["reading"]
        gone.set()
        assert went_on.wait(PATIENCE_S)
        # The call that had begun ends; then the next question is answered, so no place is taken for good.
        assert ask(world)["said_by"] == "nobody"
    judged = [body for body in seen if b"passage" not in body]
    assert len(judged) <= 1, "the judge was asked for the client that stayed alone"


def _leave_after_the_first_event(world: World, begun: threading.Event) -> list[str]:
    """The names of the events that a client gets if it disconnects after the first event, once ``begun`` is set."""
    got: list[bytes] = []

    async def call() -> None:
        body = json.dumps({"question": QUESTION}).encode()
        heard = asyncio.Event()
        sent = False

        async def receive() -> dict[str, Any]:
            nonlocal sent
            if not sent:
                sent = True
                return {"type": "http.request", "body": body, "more_body": False}
            await heard.wait()
            await asyncio.to_thread(begun.wait, PATIENCE_S)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body" and message.get("body"):
                got.append(message["body"])
                heard.set()

        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "POST",
            "path": "/v1/me/ask",
            "raw_path": b"/v1/me/ask",
            "query_string": b"",
            "scheme": "http",
            "server": ("127.0.0.1", 8080),
            "client": ("127.0.0.1", 1),
            "root_path": "",
            "headers": [
                (b"host", b"127.0.0.1:8080"),
                (b"authorization", f"Bearer {ADA_TOKEN}".encode()),
                (b"accept", b"text/event-stream"),
                (b"content-type", b"application/json"),
            ],
        }
        await world.app(scope, receive, send)

    asyncio.run(call())
    return [name for name, _ in events(b"".join(got).decode())]
