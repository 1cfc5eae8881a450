"""The fault proxies: each fault as a real client meets it, at exactly the request that was named."""

from __future__ import annotations

import http.server
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from consumer.errors import BlobUnavailable, PreconditionFailed
from consumer.storage.gcs import GcsBlobStore
from local.faults import HttpProxy, Rule, http_proxy, tcp_proxy
from local.gcs.server import serve
from service.clock import SystemClock
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.integration
ROOT = Path(__file__).parents[2]


class Upstream(http.server.ThreadingHTTPServer):
    """Answers what it was asked, and remembers it."""

    daemon_threads = True

    def __init__(self) -> None:
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Upstream
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.asked.append(f"{self.command} {self.path}")
        echoed = {
            "path": self.path,
            "host": self.headers["host"],
            "body": body.decode(),
            "agent": self.headers["user-agent"],
        }
        answer = json.dumps(echoed).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.send_header("x-upstream", "yes")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer)

    do_POST = do_HEAD = do_GET

    def log_message(self, *_arguments: Any) -> None:
        return


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    server = Upstream()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def proxy(upstream: Upstream) -> Iterator[HttpProxy]:
    with http_proxy(upstream.url) as proxy:
        yield proxy


def get(proxy: HttpProxy, path: str = "/", **options: Any) -> requests.Response:
    return requests.get(proxy.url + path, timeout=PATIENCE_S, **options)


def test_without_rules_everything_goes_through_unchanged(proxy: HttpProxy) -> None:
    answer = requests.post(f"{proxy.url}/a%2Fb?c=%20d", data="body", headers={"user-agent": "test"}, timeout=PATIENCE_S)
    request = {"path": "/a%2Fb?c=%20d", "host": proxy.url.removeprefix("http://"), "body": "body", "agent": "test"}
    assert answer.json() == request
    assert answer.headers["x-upstream"] == "yes"
    head = requests.head(proxy.url, timeout=PATIENCE_S)
    assert (head.status_code, head.content) == (200, b"")
    assert int(head.headers["content-length"]) > 0
    assert [(seen.number, seen.method, seen.path) for seen in proxy.plan.seen] == [
        (1, "POST", "/a%2Fb?c=%20d"),
        (2, "HEAD", "/"),
    ]


def test_status_at_the_nth_match_only(proxy: HttpProxy, upstream: Upstream) -> None:
    proxy.plan.add(Rule("status", nth=2, method="GET", path="^/x", status=429, headers={"retry-after": "7"}))
    statuses = [get(proxy, path).status_code for path in ("/x", "/y", "/x", "/x")]
    assert statuses == [200, 200, 429, 200]
    assert upstream.asked == ["GET /x", "GET /y", "GET /x"]
    assert [seen.fault for seen in proxy.plan.seen] == ["", "", "status", ""]


def test_a_request_is_known_by_its_body_too(proxy: HttpProxy, upstream: Upstream) -> None:
    proxy.plan.add(Rule("status", nth=1, method="POST", body='"name":"HEAD"'))
    bodies = ['{"name":"other"}', '{"name":"HEAD"}', '{"name":"HEAD"}']
    statuses = [requests.post(proxy.url, data=body, timeout=PATIENCE_S).status_code for body in bodies]
    assert statuses == [200, 503, 200]
    assert len(upstream.asked) == 2


def test_every_match_with_nth_zero_until_cleared(proxy: HttpProxy) -> None:
    proxy.plan.add(Rule("status", nth=0, status=500))
    assert [get(proxy).status_code for _ in range(3)] == [500] * 3
    proxy.plan.clear()
    assert get(proxy).status_code == 200
    assert len(proxy.plan.seen) == 1


def test_dropped_reply_was_heard_and_reset_was_not(proxy: HttpProxy, upstream: Upstream) -> None:
    proxy.plan.add(Rule("drop_reply", nth=1), Rule("reset", nth=2))
    for _ in range(2):
        with pytest.raises(requests.ConnectionError):
            get(proxy, "/z")
    assert upstream.asked == ["GET /z"]
    assert get(proxy).status_code == 200


def test_delay(proxy: HttpProxy) -> None:
    proxy.plan.add(Rule("delay", delay_s=30, when="after"))
    with pytest.raises(requests.Timeout):
        requests.get(proxy.url, timeout=0.3)
    proxy.plan.add(Rule("delay", delay_s=0.2))
    started = time.monotonic()
    assert get(proxy).status_code == 200
    assert time.monotonic() - started >= 0.2


@pytest.mark.parametrize(("when", "heard"), [("before", []), ("after", ["GET /k"])])
def test_kill(proxy: HttpProxy, upstream: Upstream, when: Any, heard: list[str]) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as victim:
        proxy.plan.add(Rule("kill", pid=victim.pid, when=when))
        with pytest.raises(requests.ConnectionError):
            get(proxy, "/k")
        assert victim.wait(PATIENCE_S) == -signal.SIGKILL
    assert upstream.asked == heard


@pytest.mark.parametrize("bad", [{"action": "explode"}, {"action": "kill"}, {"action": "reset", "nth": -1}, {"x": 1}])
def test_admin_over_http(proxy: HttpProxy, bad: dict[str, Any]) -> None:
    admin = f"{proxy.url}/_faults"
    assert requests.post(admin, json=bad, timeout=PATIENCE_S).status_code == 400
    assert requests.post(admin, json={"action": "status", "status": 418}, timeout=PATIENCE_S).status_code == 200
    assert get(proxy).status_code == 418
    document = get(proxy, "/_faults").json()
    assert (document["requests"], document["rules"][0]["matched"]) == (1, 1)
    assert requests.delete(admin, timeout=PATIENCE_S).json()["rules"] == []


def test_a_dead_upstream_is_a_cut_connection(proxy: HttpProxy) -> None:
    with http_proxy("http://127.0.0.1:9") as dead, pytest.raises(requests.ConnectionError):
        get(dead)


def test_a_lost_reply_of_the_bucket_is_a_question(tmp_path: Path) -> None:
    with serve(tmp_path) as base_url, http_proxy(base_url) as proxy:
        requests.post(f"{base_url}/storage/v1/b", json={"name": "bucket"}, timeout=PATIENCE_S)
        store = GcsBlobStore.connect("bucket", SystemClock(), endpoint=proxy.url)
        proxy.plan.add(Rule("drop_reply", method="POST"))
        with pytest.raises(BlobUnavailable):
            store.write("a", b"mine", if_generation=0)
        with pytest.raises(PreconditionFailed):
            store.write("a", b"mine", if_generation=0)
        proxy.plan.add(Rule("reset", method="GET"), Rule("status", nth=2, method="GET"))
        assert store.read("a").data == b"mine", "a read is repeated"
        store.close()


def test_as_a_process(upstream: Upstream) -> None:
    argv = [sys.executable, "-m", "local.faults", "--upstream", upstream.url]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout
        ready = json.loads(process.stdout.readline())
        assert requests.get(ready["url"], timeout=PATIENCE_S).status_code == 200
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0


# --- bytes --------------------------------------------------------------------------------------------------------


@pytest.fixture
def echo() -> Iterator[int]:
    server = socket.create_server(("127.0.0.1", 0))

    def serve_one(connection: socket.socket) -> None:
        with connection:
            try:
                while data := connection.recv(1000):
                    connection.sendall(data)
            except ConnectionError:
                return

    def accept() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=serve_one, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=accept)
    thread.start()
    yield server.getsockname()[1]
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join()


def _ask(port: int) -> None:
    """Whichever call meets the reset raises: it may come as early as the connecting, as late as the second send."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as client:
        client.sendall(b"x")
        client.recv(10)
        client.sendall(b"x")


def test_tcp_cut_refuse_and_stall(echo: int) -> None:
    with tcp_proxy("127.0.0.1", echo) as proxy:
        with socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE_S) as client:
            client.sendall(b"one")
            assert client.recv(10) == b"one"
            proxy.stall()
            client.sendall(b"two")
            client.settimeout(0.2)
            with pytest.raises(TimeoutError):
                client.recv(10)
            proxy.stall(False)
            client.settimeout(PATIENCE_S)
            assert client.recv(10) == b"two"
            proxy.cut()
            with pytest.raises(ConnectionResetError):
                client.recv(10)
        proxy.refuse()
        with pytest.raises(ConnectionError):
            _ask(proxy.port)
        proxy.refuse(False)
        with socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE_S) as client:
            client.sendall(b"three")
            client.shutdown(socket.SHUT_WR)
            assert client.recv(10) == b"three"
            assert client.recv(10) == b"", "the end of one direction goes through"
        assert (proxy.connections, proxy.bytes_up, proxy.bytes_down) == (3, 11, 11)
