"""The gateway as a server: first byte at once, gone with the job."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx
import orjson
import pytest
from starlette.responses import Response, StreamingResponse

from consumer.agent.gateway import app, server
from consumer.agent.gateway.app import GatewayApp
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from consumer.errors import ToolFailed
from consumer.ports import ModelTags
from contract.api import Usage
from local.offline import OfflineAnswer
from service.clock import SystemClock
from service.upstreams import Endpoint
from tests import models
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.integration

TAGS = ModelTags("job-1", "user-1", "insight", "internal-full", "v1")


def gateway(base_url: str) -> LoopbackGateway:
    return LoopbackGateway(base_url, "sk-real", frozenset({"m"}), UsageLimits(50, 10**6, 1.0), {}, SystemClock())


def test_the_first_byte_does_not_wait_for_the_last() -> None:
    seen_first = threading.Event()

    def turn(*_: object) -> Response:
        async def body() -> AsyncIterator[bytes]:
            yield b"data: first\n\n"
            import asyncio

            # The rest comes only once the caller has the first part; a gateway that collects would wait for ever.
            while not seen_first.is_set():
                await asyncio.sleep(0.005)
            yield b"data: [DONE]\n\n"

        return StreamingResponse(body(), media_type="text/event-stream")

    with models.serving(turn) as url, gateway(url).open(TAGS, Usage()) as session:
        headers = {"authorization": f"Bearer {session.access.token}"}
        body = {"model": "m", "messages": [{"role": "user", "content": "x"}], "stream": True}
        target = session.access.base_url + "/chat/completions"
        with httpx.stream("POST", target, json=body, headers=headers, timeout=PATIENCE_S) as response:
            chunks = response.iter_raw()
            assert next(chunks) == b"data: first\n\n"
            seen_first.set()
            assert b"".join(chunks) == b"data: [DONE]\n\n"


def test_a_stream_that_nobody_reads_any_more_is_stopped_at_the_model() -> None:
    stopped = threading.Event()

    def turn(*_: object) -> Response:
        async def body() -> AsyncIterator[bytes]:
            import asyncio

            try:
                yield b"data: first\n\n"
                await asyncio.Event().wait()  # it thinks, for ever
            finally:
                stopped.set()

        return StreamingResponse(body(), media_type="text/event-stream")

    with models.serving(turn) as url, gateway(url).open(TAGS, Usage()) as session:
        headers = {"authorization": f"Bearer {session.access.token}"}
        body = {"model": "m", "messages": [{"role": "user", "content": "x"}], "stream": True}
        target = session.access.base_url + "/chat/completions"
        with httpx.stream("POST", target, json=body, headers=headers, timeout=PATIENCE_S) as response:
            assert next(response.iter_raw()) == b"data: first\n\n"
        until(session.calls)
        (call,) = session.calls()
        assert (call.status, call.output_tokens) == (200, 3), "what came is counted"
        assert stopped.wait(PATIENCE_S)


def test_each_model_is_served_by_its_own_upstream_and_one_that_is_away_disturbs_no_other() -> None:
    first: list[bytes] = []
    second: list[bytes] = []
    answers = lambda *_: OfflineAnswer("fine")  # noqa: E731
    with models.serving(answers, seen=first) as one_url, models.serving(answers, seen=second) as other_url:
        endpoints = {"other": Endpoint(other_url, ""), "away": Endpoint("http://127.0.0.1:9/v1", "k")}
        served = replace(gateway(one_url), models=frozenset({"m", "other", "away"}), upstreams=endpoints)
        with served.open(TAGS, Usage()) as session, httpx.Client(timeout=PATIENCE_S) as client:
            headers = {"authorization": f"Bearer {session.access.token}"}
            statuses = [
                client.post(
                    session.access.base_url + "/chat/completions",
                    json={"model": name, "messages": [{"role": "user", "content": "x"}]},
                    headers=headers,
                ).status_code
                for name in ("m", "other", "away", "m", "nobody")
            ]
            until(lambda: len(session.calls()) == 4)
    assert statuses == [200, 200, 502, 200, 404]
    assert [orjson.loads(body)["model"] for body in first] == ["m", "m"]
    assert [orjson.loads(body)["model"] for body in second] == ["other"]


def test_endless_headers_are_cut_off() -> None:
    with gateway("http://127.0.0.1:9/v1").open(TAGS, Usage()) as session:
        address = ("127.0.0.1", session.access.port)
        with socket.create_connection(address, PATIENCE_S) as there, contextlib.suppress(ConnectionError):
            there.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nx: ")
            for _ in range(64):
                there.sendall(b"a" * 1024 * 1024)
            pytest.fail("64 MiB of one header were taken")


def test_no_more_connections_are_held_than_a_tool_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is an open file of the consumer's."""
    monkeypatch.setattr(server, "CONNECTIONS", 3)
    with gateway("http://127.0.0.1:9/v1").open(TAGS, Usage()) as session, contextlib.ExitStack() as stack:
        address = ("127.0.0.1", session.access.port)
        held = [stack.enter_context(socket.create_connection(address, PATIENCE_S)) for _ in range(4)]
        with contextlib.suppress(ConnectionError):
            assert not held[3].recv(1), "one too many is cut"
        held.pop(0).close()

        def answered() -> bool:
            try:
                return httpx.get(session.access.base_url + "/models", timeout=PATIENCE_S).status_code == 401
            except httpx.TransportError:
                return False

        until(answered)


@pytest.mark.parametrize("asked", [b"", b"POST /v1/chat/completions HTTP/1.1\r\nx: y\r\n"])
def test_a_request_that_does_not_come_to_its_headers_end_is_cut(monkeypatch: pytest.MonkeyPatch, asked: bytes) -> None:
    monkeypatch.setattr(server, "HEAD_S", 0.05)
    with gateway("http://127.0.0.1:9/v1").open(TAGS, Usage()) as session:
        with socket.create_connection(("127.0.0.1", session.access.port), PATIENCE_S) as there:
            there.sendall(asked)
            with contextlib.suppress(ConnectionError):
                assert not there.recv(1)
        # The second request of a connection is no better.
        with socket.create_connection(("127.0.0.1", session.access.port), PATIENCE_S) as there:
            there.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            got = there.recv(65536)
            while b"}}" not in got:
                got += there.recv(65536)
            assert got.startswith(b"HTTP/1.1 401 ")
            there.sendall(asked or b"G")
            with contextlib.suppress(ConnectionError):
                assert not there.recv(1)


def test_a_body_that_does_not_come_gives_its_place_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "BODY_S", 0.05)
    with models.serving(lambda *_: OfflineAnswer(text="hi")) as url, gateway(url).open(TAGS, Usage()) as session:
        head = (
            f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {session.access.token}\r\n"
            "content-type: application/json\r\ncontent-length: 100\r\n\r\n{"
        )
        with contextlib.ExitStack() as stack:
            for _ in range(app.AT_ONCE[app.CHAT]):
                there = socket.create_connection(("127.0.0.1", session.access.port), PATIENCE_S)
                stack.enter_context(there).sendall(head.encode())
            assert there.recv(65536).startswith(b"HTTP/1.1 408 ")
            answer = httpx.post(
                session.access.base_url + "/chat/completions",
                json={"model": "m", "messages": [{"role": "user", "content": "x"}]},
                headers={"authorization": f"Bearer {session.access.token}"},
                timeout=PATIENCE_S,
            )
            assert answer.status_code == 200
        until(session.calls)  # the caller has its answer a moment before the call is recorded
        assert [call.status for call in session.calls()] == [200], "what never came costs nothing"


def test_nothing_that_a_caller_does_is_a_line_in_our_log(caplog: pytest.LogCaptureFixture) -> None:
    """An agent could fill it: with requests that are no HTTP, and with those that are open when its job ends."""
    with gateway("http://127.0.0.1:9/v1").open(TAGS, Usage()) as session:
        address = ("127.0.0.1", session.access.port)
        with socket.create_connection(address, PATIENCE_S) as there:
            there.sendall(b"no HTTP\r\n\r\n")
            assert there.recv(65536).startswith(b"HTTP/1.1 400 ")
        open_one = socket.create_connection(address, PATIENCE_S)
        open_one.sendall(
            f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {session.access.token}\r\n"
            "content-type: application/json\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n".encode()
        )
        assert open_one.recv(65536).startswith(b"HTTP/1.1 100 "), "its body is being waited for"
    open_one.close()
    assert not caplog.records


def test_after_the_job_nothing_listens_and_no_thread_is_left() -> None:
    with models.serving(lambda *_: OfflineAnswer(text="hi")) as url:
        before = set(threading.enumerate())
        with gateway(url).open(TAGS, Usage()) as session:
            access = session.access
        until(lambda: not [thread for thread in threading.enumerate() if thread not in before])
        with pytest.raises(httpx.ConnectError):
            httpx.get(access.base_url + "/models", timeout=PATIENCE_S)


def test_a_gateway_that_does_not_come_up_fails_the_tool_and_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    build = LoopbackGateway._app

    def late(self: LoopbackGateway, *parts: Any) -> GatewayApp:
        assert go_on.wait(PATIENCE_S)
        return build(self, *parts)

    monkeypatch.setattr(LoopbackGateway, "_app", late)
    monkeypatch.setattr(server, "START_S", 0.01)
    monkeypatch.setattr(server, "STOP_S", 0.01)
    with pytest.raises(ToolFailed, match="did not start"), gateway("http://127.0.0.1:9/v1").open(TAGS, Usage()):
        pass
    go_on.set()
    until(lambda: not [thread for thread in threading.enumerate() if thread.name == "model-gateway"])


def test_two_jobs_do_not_share_a_token() -> None:
    with models.serving(lambda *_: OfflineAnswer(text="hi")) as url, gateway(url).open(TAGS, Usage()) as session:
        headers = {"authorization": f"Bearer {session.access.token}"}
        with gateway(url).open(TAGS, Usage()) as two, httpx.Client(headers=headers, timeout=PATIENCE_S) as client:
            assert client.get(two.access.base_url + "/models").status_code == 401
            assert client.get(session.access.base_url + "/models").status_code == 200
        assert session.access.token not in repr(session.access)
