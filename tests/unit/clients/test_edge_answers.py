"""What stands between us and the control plane is not the control plane: its answers decide nothing about a job."""

from __future__ import annotations

import httpx
import pytest

from consumer.clients.controlplane import HttpControlPlane
from consumer.clients.operators import OperatorApi
from consumer.errors import ControlPlaneUnavailable, NotAllowed, RequestRefused, Retryable
from contract.api import TickRequest
from service.clock import SystemClock
from tests.tables import table

TICK = TickRequest(kind="hourly", period="2026-11-27T14", tick_id="1")


class NoWait(SystemClock):
    def sleep(self, seconds: float) -> None:
        """Repeats come at once."""


def _raised(status: int, body: bytes, content_type: str) -> list[Exception]:
    """What the consumer's and the operators' client make of this answer."""
    headers = {"content-type": content_type, "location": "/login"}
    answer = httpx.MockTransport(lambda _: httpx.Response(status, stream=httpx.ByteStream(body), headers=headers))
    raised = []
    with httpx.Client(transport=answer, base_url="http://plane.example") as client:
        consumer = HttpControlPlane(client, lambda: "identity", NoWait())
        operator = OperatorApi(client, lambda: "identity")
        for call in (lambda: consumer.plan_tick(TICK), operator.queue):
            with pytest.raises(Exception) as caught:
                call()
            raised.append(caught.value)
    return raised


@table(
    ("status", "body", "content_type"),
    [
        (200, b"<html>Sign in", "text/html"),
        (302, b"", "text/html"),
        (400, b"<html>Bad Request", "text/html"),
        (401, b"<html>Sign in", "text/html"),
        (403, b"<html><title>403 Forbidden", "text/html; charset=UTF-8"),
        (404, b"<html><title>404 Page not found", "text/html"),
        (405, b"", ""),
        (409, b"conflict", "text/plain"),
        (410, b"<html>Gone", "text/html"),
        (422, b'{"detail": "no"}', "application/json"),
        # An edge's own JSON, and our form as another type.
        (403, b'{"error": {"code": 403, "message": "no", "status": "PERMISSION_DENIED"}}', "application/json"),
        (403, b'{"error": {"code": "AccessDenied", "message": "no"}}', "application/json"),
        (403, b'{"error": {"code": "not_allowed", "message": "no"}}', "text/html"),
    ],
)
def test_the_answer_of_something_in_between_is_no_verdict(status: int, body: bytes, content_type: str) -> None:
    for error in _raised(status, body, content_type):
        assert isinstance(error, ControlPlaneUnavailable), error
        assert isinstance(error, Retryable)


@table(("status", "error_class"), [(400, RequestRefused), (403, NotAllowed), (404, RequestRefused)])
def test_the_control_planes_own_answer_is_one(status: int, error_class: type[Exception]) -> None:
    body = b'{"error": {"code": "not_allowed", "message": "no", "hint": "", "retryable": false}}'
    assert all(isinstance(error, error_class) for error in _raised(status, body, "application/json; charset=utf-8"))
