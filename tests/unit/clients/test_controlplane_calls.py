"""Calls whose answer nobody reads must still be made: what is reported, where, and as whom."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from consumer.clients.controlplane import HttpControlPlane
from consumer.errors import ConsumerError
from consumer.storage.memory import FakeClock
from contract.api import Wire
from tests.spine import USER

DONE = Wire()


@pytest.mark.parametrize(
    ("call", "path"),
    [
        (lambda plane: plane.report_order(USER, DONE), f"memory-orders/{USER}/done"),
        (lambda plane: plane.report_erasure(USER, DONE), f"memory-deletions/{USER}/done"),
        (lambda plane: plane.place_corrections(USER, DONE), f"memory-users/{USER}/corrections/places"),
    ],
)
def test_what_is_reported_is_sent(call: Callable[[Any], None], path: str) -> None:
    asked: list[tuple[str, str, str]] = []

    def refuse(request: httpx.Request) -> httpx.Response:
        asked.append((request.method, request.url.path, request.headers["authorization"]))
        error = {"code": "attempt_stale", "message": "no", "hint": "", "retryable": False}
        body = httpx.ByteStream(json.dumps({"error": error}).encode())
        return httpx.Response(409, stream=body, headers={"content-type": "application/json"})

    client = httpx.Client(base_url="http://control.test", transport=httpx.MockTransport(refuse))
    with pytest.raises(ConsumerError):
        call(HttpControlPlane(client, lambda: "token", FakeClock()))
    assert asked == [("POST", f"/api/internal/{path}", "Bearer token")]
