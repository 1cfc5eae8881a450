"""A token server that takes connections and stays silent: each call ends, with one request for all threads."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.auth.credentials import Credentials
from google.auth.exceptions import GoogleAuthError, TransportError

from consumer.storage.bearer import Bearer

pytestmark = pytest.mark.integration


class FromServer(Credentials):
    """Fetches its token from ``url``, as google-auth's own credentials do: without a time limit."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url

    def refresh(self, request: Any) -> None:
        self.token = request(url=self.url, method="POST", body=b"").data.decode()


class Silent:
    """Accepts every connection and answers none."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1/token"

    @property
    def connections(self) -> int:
        return len(self._open)

    def _accept(self) -> None:
        while True:
            try:
                self._open.append(self._listener.accept()[0])
            except OSError:
                return

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()
        for connection in self._open:
            connection.close()


def test_no_call_waits_for_good_and_threads_share_the_wait() -> None:
    server = Silent()
    bearer = Bearer(FromServer(server.url), read_s=1.0)
    together = threading.Barrier(8)

    def call() -> GoogleAuthError:
        together.wait()
        with pytest.raises(TransportError) as caught:
            bearer.add("GET", "http://bucket.example", {})
        return caught.value

    with ThreadPoolExecutor(8) as pool:
        errors = [each.result() for each in [pool.submit(call) for _ in range(8)]]
    assert len(errors) == 8
    assert server.connections == 1
    bearer.close()
    server.close()


def test_a_token_that_expires_soon_is_used_while_no_new_one_can_be_had() -> None:
    server = Silent()
    credentials = FromServer(server.url)
    credentials.token, credentials.expiry = "old", (datetime.now(UTC) + timedelta(minutes=2)).replace(tzinfo=None)
    bearer = Bearer(credentials, read_s=1.0)
    with ThreadPoolExecutor(1) as pool:
        renewing: dict[str, str] = {}
        renewal = pool.submit(bearer.add, "GET", "http://bucket.example", renewing)
        while server.connections == 0:
            pass
        headers: dict[str, str] = {}
        bearer.add("GET", "http://bucket.example", headers)
        assert headers["authorization"] == "Bearer old"
        renewal.result()
        assert renewing == headers
    bearer.close()
    server.close()
