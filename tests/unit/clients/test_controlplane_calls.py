"""Each call of a worker asks the one path that means it, as the worker, and gives back what was answered."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from consumer.clients.controlplane import HttpControlPlane
from consumer.errors import ConsumerError
from consumer.snapshot.suppression import Suppressed
from consumer.storage.memory import FakeClock
from contract.api import TokenRequest, Wire
from tests.spine import USER, job_id
from tests.tables import table

DONE: Any = Wire()
JSON = {"content-type": "application/json"}


def plane(answer: Callable[[httpx.Request], httpx.Response]) -> HttpControlPlane:
    client = httpx.Client(base_url="http://control.test", transport=httpx.MockTransport(answer))
    return HttpControlPlane(client, lambda: "token", FakeClock())


@table(
    ("call", "path", "answered"),
    [
        (lambda plane: plane.plan_tick(DONE), "memory-ticks", True),
        (lambda plane: plane.mark_erased(USER, "asked for"), f"memory-users/{USER}/erasure", True),
        (lambda plane: plane.overlay(USER), f"memory-users/{USER}/overlay", True),
        (lambda plane: plane.place_corrections(USER, DONE), f"memory-users/{USER}/corrections/places", False),
        (lambda plane: plane.begin_order(USER), f"memory-orders/{USER}/begin", True),
        (lambda plane: plane.report_order(USER, DONE), f"memory-orders/{USER}/done", False),
        (lambda plane: plane.begin_erasure(USER), f"memory-deletions/{USER}/begin", True),
        (lambda plane: plane.report_erasure(USER, DONE), f"memory-deletions/{USER}/done", False),
        (
            lambda plane: plane.open(job_id(1), TokenRequest(attempt=1, owner="run"))[0],
            f"memory-jobs/{job_id(1)}/token",
            True,
        ),
    ],
)
def test_a_call_asks_its_path_and_gives_back_the_answer(
    call: Callable[[Any], Any], path: str, answered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str, str]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append((request.method, request.url.path, request.headers["authorization"]))
        return httpx.Response(200, stream=httpx.ByteStream(b"{}"))

    with monkeypatch.context() as patch:
        patch.setattr(Wire, "model_validate_json", classmethod(lambda _cls, data: data))
        assert call(plane(answer)) == (b"{}" if answered else None)
    assert asked == [("POST", f"/api/internal/{path}", "Bearer token")]


@table(
    ("call", "path"),
    [
        (lambda plane: plane.report_order(USER, DONE), f"memory-orders/{USER}/done"),
        (lambda plane: plane.suppressed(USER), f"memory-users/{USER}/suppressions"),
        (lambda plane: plane.suppress(USER, Suppressed(b"k" * 32)), f"memory-users/{USER}/suppressions"),
    ],
)
def test_a_refusal_of_a_call_is_raised(call: Callable[[Any], Any], path: str) -> None:
    asked: list[str] = []

    def refuse(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        error = {"code": "attempt_stale", "message": "no", "hint": "", "retryable": False}
        return httpx.Response(409, stream=httpx.ByteStream(json.dumps({"error": error}).encode()), headers=JSON)

    with pytest.raises(ConsumerError):
        call(plane(refuse))
    assert asked == [f"/api/internal/{path}"]
