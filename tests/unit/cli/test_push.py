"""The push app over ASGI: what is read when, and which status each outcome gets."""

from __future__ import annotations

import asyncio
import base64
import json
import signal
import threading
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette

from consumer import bootstrap, settings
from consumer.delivery.handler import Handler
from consumer.delivery.runfolder import RunFolder
from consumer.entrypoints import push as entrypoint
from consumer.entrypoints.push import create_app
from consumer.errors import BlobUnavailable, KeysUnavailable, NotAllowed, TopicUnavailable
from consumer.storage.memory import MemoryTopic
from contract.api import TickResponse
from contract.event import JobEvent, TickEvent
from service import serving
from tests.asgi import Client
from tests.fixtures_telemetry import Lines
from tests.spine import FakeStage, World, an_event, raising

BODY_LIMIT = 16 * 1024


class Verifier:
    """Accepts ``Bearer good``."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.remembered: Mapping[str, Any] | None = None

    def known(self, authorization: str | None) -> Mapping[str, Any] | None:
        del authorization
        return self.remembered

    def verify(self, authorization: str | None) -> Mapping[str, Any]:
        if self.error:
            raise self.error
        if authorization != "Bearer good":
            raise NotAllowed("bad token", 401)
        return {}


class Push:
    """A push app over a world, spoken to as Pub/Sub does."""

    def __init__(self, world: World, handler: Handler | None = None, **kw: Any) -> None:
        self.world = world
        self.shutdown = threading.Event()
        self.reasons: list[str] = []
        self.verifier = Verifier()
        self.handler = handler or world.handler(shutdown=self.shutdown, **kw)
        self.app = create_app(
            self.handler,
            self.verifier,
            shutdown=self.shutdown,
            ready=lambda: self.reasons,
            body_limit=BODY_LIMIT,
        )
        self.client = Client(self.app)

    def request(self, method: str, path: str, **kw: Any) -> httpx.Response:
        return self.client.request(method, path, **kw)

    def post(self, path: str, body: bytes | dict[str, Any], token: str | None = "good") -> httpx.Response:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return self.request("POST", path, content=content, headers=headers)


def wrapped(event: JobEvent | TickEvent, message_id: str = "7", **message: Any) -> dict[str, Any]:
    attributes = event.attributes() if isinstance(event, JobEvent) else {}
    return {
        "message": {
            "data": base64.b64encode(event.encode()).decode(),
            "attributes": attributes,
            "messageId": message_id,
            "message_id": message_id,
            "publishTime": "2026-11-27T14:03:00.123Z",
            **message,
        },
        "subscription": "projects/p/subscriptions/s",
        "deliveryAttempt": 1,
    }


@pytest.fixture
def push(tmp_path: Path) -> Push:
    return Push(World(tmp_path))


def test_a_job_is_run_and_acknowledged(push: Push) -> None:
    push.world.plane.add(an_event())
    first = push.post("/push/jobs", wrapped(an_event()))
    again = push.post("/push/jobs", wrapped(an_event(), "8"))
    assert (first.status_code, first.headers["x-outcome"]) == (204, "done")
    assert (again.status_code, again.headers["x-outcome"]) == (204, "duplicate")
    assert first.content == b""


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NotAllowed("no token", 401), 401),
        (NotAllowed("another account", 403), 403),
        (NotAllowed("no status given"), 403),
        (KeysUnavailable("no keys"), 503),
    ],
)
def test_a_message_that_is_not_for_us_is_not_read(push: Push, error: Exception, status: int) -> None:
    push.verifier.error = error
    reply = push.post("/push/jobs", b"not even JSON")
    assert reply.status_code == status
    assert push.world.blobs.ops == []


def test_a_token_known_to_hold_is_not_verified_again(push: Push) -> None:
    push.verifier.error = NotAllowed("asked again", 401)
    assert push.post("/push/jobs", b"{}").status_code == 401
    push.verifier.remembered = {"email": "push"}
    assert push.post("/push/jobs", b"{}").status_code == 204


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not JSON"),
        (b"[]", "no message object"),
        (b"{}", "no message object"),
        (b'{"message": {"data": ""}}', "no messageId"),
        (b'{"message": {"messageId": 5}}', "no messageId"),
        (b'{"message": {"messageId": "1", "message_id": "2"}}', "differ"),
        (b"x" * (BODY_LIMIT + 1), "larger than"),
    ],
)
def test_a_body_that_is_no_envelope_is_kept_once_and_acknowledged(
    push: Push, lines: Lines, body: bytes, reason: str
) -> None:
    replies = [push.post("/push/jobs", body) for _ in range(2)]
    assert [r.status_code for r in replies] == [204, 204]
    records = push.world.dead_letters()
    assert len(records) == 1
    assert records[0]["code"] == "malformed_message"
    assert reason in records[0]["message"]
    assert push.world.blobs.names("jobs/") == []
    assert [name for name, _ in lines.seen] == ["dead_lettered"] * 2
    assert lines.seen[0][1]["code"] == "malformed_message"
    assert reason in lines.seen[0][1]["detail"]


@pytest.mark.parametrize("malformed", [True, False], ids=["malformed", "another payload"])
def test_a_buried_message_is_told_once(push: Push, lines: Lines, malformed: bool) -> None:
    """Counters and alerts follow these lines."""
    push.world.plane.add(an_event())
    push.post("/push/jobs", wrapped(an_event()))
    lines.seen.clear()
    other = an_event().model_copy(update={"user_id": "22222222-2222-4222-8222-222222222222"})
    push.post("/push/jobs", wrapped(other, "9", **({"data": "e30="} if malformed else {})))
    assert [text for text, _ in lines.seen] == ["dead_lettered"]


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"data": "e30"}, "base64"),
        ({"data": "e30=\n"}, "base64"),
        ({"data": "e3-_"}, "base64"),
        ({"data": "e30=", "attributes": {}}, "unknown schema 'None'"),
        ({"data": 7}, "expected a base64 string"),
        ({"attributes": {"a": 1}}, "attributes"),
        ({"attributes": {f"a{n}": "" for n in range(101)}}, "101 attributes"),
        ({"attributes": {"job_id": "another"}}, "attribute job_id"),
        ({"publishTime": "yesterday"}, "RFC 3339"),
        ({"publishTime": "2026-11-27T14:00:00"}, "no zone"),
        ({"publishTime": "0001-01-01T00:00:00+14:00"}, "RFC 3339"),  # before year 1 in UTC
    ],
)
def test_a_message_that_is_no_job_is_kept_and_acknowledged(
    push: Push, lines: Lines, message: dict[str, Any], reason: str
) -> None:
    reply = push.post("/push/jobs", wrapped(an_event(), **message))
    assert reply.status_code == 204
    records = push.world.dead_letters()
    assert len(records) == 1
    assert reason in records[0]["message"]
    assert push.world.blobs.names("jobs/") == []
    [(name, fields)] = lines.seen
    assert (name, fields["code"], fields["status"]) == ("dead_lettered", "malformed_message", 204)


def test_either_spelling_of_the_message_id_will_do(push: Push) -> None:
    push.world.plane.add(an_event())
    body = wrapped(an_event())
    del body["message"]["messageId"]
    body["deliveryAttempt"] = "many"
    assert push.post("/push/jobs", body).headers["x-outcome"] == "done"


def test_what_can_be_recorded_nowhere_stays_with_pubsub(tmp_path: Path) -> None:
    world = World(tmp_path)
    topic = MemoryTopic(world.clock)

    def down(_op: object) -> None:
        raise TopicUnavailable("down")

    topic.fault = down
    push = Push(world, dead_topic=topic)
    reply = push.post("/push/jobs", b"{}")
    assert (reply.status_code, reply.headers["x-outcome"]) == (503, "not_recorded")


def test_an_unreachable_bucket_is_503(push: Push) -> None:
    def down(_op: object) -> None:
        raise BlobUnavailable("down")

    push.world.blobs.set_fault(down)
    assert push.post("/push/jobs", wrapped(an_event())).status_code == 503


def test_a_busy_instance_takes_no_second_job_and_leaves_its_ledger_alone(push: Push) -> None:
    push.world.plane.add(an_event())
    with RunFolder(push.handler.folder.root).mutex():
        reply = push.post("/push/jobs", wrapped(an_event()))
    assert (reply.status_code, reply.headers["x-outcome"]) == (503, "busy")
    assert push.world.blobs.names("jobs/") == []


def test_a_shutdown_during_a_run_records_it_due_now_without_a_failure(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.plane.add(an_event())
    holder: list[Push] = []
    push = Push(world, stages={"render": FakeStage("render", lambda _r, _g: holder[0].shutdown.set())})
    holder.append(push)
    reply = push.post("/push/jobs", wrapped(an_event()))
    assert (reply.status_code, reply.headers["x-outcome"]) == (503, "shut_down")
    ledger = world.ledger()
    assert (ledger["state"], ledger["failures"]) == ("RETRYING", 0)
    assert world.lock()["state"] == "free"
    assert push.post("/push/jobs", wrapped(an_event())).status_code == 503
    assert push.request("GET", "/readyz").json() == {"ready": False, "reasons": ["shutting down"]}

    assert Push(world).post("/push/jobs", wrapped(an_event())).headers["x-outcome"] == "done"


def test_a_bug_before_the_claim_is_503_and_logged(push: Push, lines: Lines) -> None:
    push.world.blobs.set_fault(raising_op(ZeroDivisionError("bug")))
    assert push.post("/push/jobs", wrapped(an_event())).status_code == 503
    assert [text for text, _ in lines.seen].count("bug") == 1


def raising_op(error: Exception) -> Any:
    def fault(_op: object) -> None:
        raise error

    return fault


def test_a_bug_in_a_stage_is_a_recorded_retry_and_logged_with_its_stage(tmp_path: Path, lines: Lines) -> None:
    world = World(tmp_path)
    world.plane.add(an_event())
    push = Push(world, stages={"render": FakeStage("render", raising(ZeroDivisionError("user text")))})
    assert push.post("/push/jobs", wrapped(an_event())).headers["x-outcome"] == "retry_recorded"
    failure = world.ledger()["failure"]
    assert (failure["code"], failure["message"]) == ("unexpected_failure", "ZeroDivisionError")
    assert [fields["stage"] for text, fields in lines.seen if text == "bug"] == ["render"]


def test_a_tick_is_planned_in_all_its_pages(push: Push) -> None:
    push.world.plane.pages = [TickResponse(planned=2, next_page="b"), TickResponse(planned=1)]
    reply = push.post("/push/ticks", wrapped(TickEvent(kind="hourly")))
    assert (reply.status_code, reply.headers["x-outcome"]) == (204, "planned")
    assert push.world.plane.calls == ["tick hourly 2026-11-27T14 None", "tick hourly 2026-11-27T14 b"]


class Parts:
    """What the environment of a consumer makes, without servers."""

    def __init__(self, push: Push) -> None:
        self.handler, self.verifier, self.shutdown = push.handler, push.verifier, push.shutdown
        self.body_limit = BODY_LIMIT
        self.warmed = threading.Event()
        self.done: list[str] = []

    def ready(self) -> list[str]:
        return []

    def warm(self) -> None:
        self.warmed.set()


@pytest.fixture
def process(push: Push, monkeypatch: pytest.MonkeyPatch) -> Parts:
    """The process of a consumer whose server ends at once; it tells port 1."""
    parts = Parts(push)
    monkeypatch.setattr(settings, "load", lambda: SimpleNamespace(host="127.0.0.1", port=0))
    monkeypatch.setattr(bootstrap, "setup_telemetry", lambda *_: parts.done.append("telemetry"))
    monkeypatch.setattr(bootstrap, "consumer", lambda _: parts)
    monkeypatch.setattr(bootstrap, "settle_memory", lambda: parts.done.append("memory"))
    monkeypatch.setattr(entrypoint, "serve", lambda *_, on_ready, **__: on_ready(1))
    return parts


def test_a_consumer_says_when_it_is_ready_and_ends_well_if_no_run_is_left(process: Parts, lines: Lines) -> None:
    assert entrypoint.main() == 0
    assert process.done == ["telemetry", "memory"]
    assert ("ready", {"port": 1}) in lines.seen
    assert process.warmed.wait(30)


def test_a_consumer_whose_run_goes_on_ends_by_the_signal_that_ends_its_tools(
    process: Parts, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[tuple[int, Any]] = []
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(signal, "raise_signal", lambda number: raised.append((number, signal.getsignal(number))))
    try:
        with process.handler.folder.mutex():
            assert entrypoint.main() == 1
    finally:
        signal.signal(signal.SIGTERM, before)
    assert raised == [(signal.SIGTERM, signal.SIG_DFL)]
    assert "a run did not stop in time" in [text for text, _ in lines.seen]


def test_a_consumer_with_a_wrong_environment_says_what_is_wrong(
    process: Parts, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong() -> None:
        raise settings.SettingsError("BUCKET is missing")

    monkeypatch.setattr(settings, "load", wrong)
    assert entrypoint.main() == 2
    assert capsys.readouterr().err == "consumer: BUCKET is missing\n"
    assert not process.warmed.is_set()


class Listening:
    """A socket at port 7."""

    def getsockname(self) -> tuple[str, int]:
        return "::1", 7


@pytest.mark.parametrize("starts", [True, False])
def test_a_run_learns_of_the_end_before_its_request_is_over(starts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    shutdown = threading.Event()
    served: list[Any] = []

    async def startup(server: Any, sockets: Any) -> None:
        server.started = starts
        server.servers = [SimpleNamespace(sockets=[Listening()])]

    def run(server: Any) -> None:
        served.append((server.config.host, server.config.port))
        asyncio.run(server.startup())
        server.handle_exit(signal.SIGTERM, None)
        served.append((shutdown.is_set(), server.should_exit))

    monkeypatch.setattr(uvicorn.Server, "startup", startup)
    monkeypatch.setattr(uvicorn.Server, "run", run)
    monkeypatch.setattr(serving, "ignore_signals", lambda: served.append("early signals are ignored"))
    ready: list[int] = []
    entrypoint.serve(Starlette(), host="::1", port=8, shutdown=shutdown, on_ready=ready.append)
    assert served == ["early signals are ignored", ("::1", 8), (True, True)]
    assert ready == ([7] if starts else [])


def test_a_body_as_long_as_the_limit_is_read_and_a_longer_one_is_not(push: Push) -> None:
    def outcome(length: int) -> str:
        body = json.dumps(wrapped(an_event())).encode()
        return push.post("/push/jobs", body.ljust(length)).headers["x-outcome"]

    push.world.plane.add(an_event())
    assert outcome(BODY_LIMIT) == "done"
    assert outcome(BODY_LIMIT + 1) == "dead_lettered"


def test_health_and_readiness(push: Push) -> None:
    assert push.request("GET", "/healthz").json() == {"status": "alive"}
    assert push.request("GET", "/readyz").status_code == push.request("GET", "/ready").status_code == 200
    push.reasons.append("bucket does not answer")
    assert push.request("GET", "/readyz").json()["reasons"] == ["bucket does not answer"]
    assert push.request("GET", "/push/jobs").status_code == 405
