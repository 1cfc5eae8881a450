"""Each command of an operator asks the one path that means it, as the operator, with what was given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from consumer.clients.operators import OperatorApi
from consumer.errors import ControlPlaneUnavailable, NotAllowed, RequestRefused
from contract.api import ACTING_FOR, Wire
from tests.tables import table

FILTERS = {"state": "failed"}


class Sent(Wire):
    """What a command sends, whatever it is."""

    reason: str = "a look"
    other: str | None = None


SENT: Any = Sent()


def api(answer: Callable[[httpx.Request], httpx.Response], acting_for: str | None = None) -> OperatorApi:
    client = httpx.Client(base_url="http://control.test", transport=httpx.MockTransport(answer))
    return OperatorApi(client, lambda: "token", acting_for)


@table(
    ("call", "method", "path"),
    [
        (lambda api: api.enable_user(SENT), "POST", "memory-users"),
        (lambda api: api.disable_user("u"), "DELETE", "memory-users/u"),
        (lambda api: api.user("u"), "GET", "memory-users/u"),
        (lambda api: api.deletions(FILTERS), "GET", "memory-deletions?state=failed"),
        (lambda api: api.receipt("u"), "GET", "memory-deletions/u/receipt"),
        (lambda api: api.keep_deleted("u", SENT), "POST", "memory-deletions/u/keep"),
        (lambda api: api.users(FILTERS), "GET", "memory-users?state=failed"),
        (lambda api: api.provision(SENT), "POST", "memory-users/waves"),
        (lambda api: api.queue(), "GET", "memory-queue"),
        (lambda api: api.pauses(), "GET", "memory-queue/pauses"),
        (lambda api: api.pause(SENT), "POST", "memory-queue/pause"),
        (lambda api: api.resume(SENT), "POST", "memory-queue/resume"),
        (lambda api: api.submit(SENT), "POST", "memory-jobs"),
        (lambda api: api.jobs(FILTERS), "GET", "memory-jobs?state=failed"),
        (lambda api: api.job("j"), "GET", "memory-jobs/j"),
        (lambda api: api.cancel("j", SENT), "POST", "memory-jobs/j/cancel"),
        (lambda api: api.replay("j", SENT), "POST", "memory-jobs/j/replay"),
        (lambda api: api.note_discard(SENT), "POST", "memory-dead-letters/discards"),
        (lambda api: api.note_deed(SENT), "POST", "memory-bucket-deeds"),
        (lambda api: api.rerun("j", SENT), "POST", "memory-jobs/j/rerun"),
        (lambda api: api.flags(FILTERS), "GET", "memory-flags?state=failed"),
        (lambda api: api.set_flag(SENT), "POST", "memory-flags"),
        (lambda api: api.unset_flag(SENT), "POST", "memory-flags/unset"),
        (lambda api: api.change_cohort(SENT), "POST", "memory-cohorts"),
        (lambda api: api.mark_claim("j", SENT), "POST", "memory-jobs/j/marks"),
        (lambda api: api.marks("j"), "GET", "memory-jobs/j/marks"),
        (lambda api: api.mark_erased("u", "a look"), "POST", "memory-users/u/erasure"),
    ],
)
def test_a_command_asks_its_path_and_returns_the_answer(
    call: Callable[[OperatorApi], Any], method: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"answer": 7})

    with monkeypatch.context() as patch:
        # Whatever class the command expects: what the control plane sends is tested with the control plane.
        patch.setattr(Wire, "model_validate", classmethod(lambda cls, data: (cls.__name__, data)))
        reply = call(api(answer))
    (request,) = asked
    target = request.url.raw_path.decode().removeprefix("/api/internal/")
    assert (request.method, target, request.headers["authorization"]) == (method, path, "Bearer token")
    assert request.content == (b'{"reason":"a look"}' if method == "POST" else b"")
    notes_only = path in ("memory-dead-letters/discards", "memory-bucket-deeds")
    given = reply[1] if isinstance(reply, tuple) else reply
    assert given == (None if notes_only else {"answer": 7})


def test_a_console_says_for_whom_it_asks_and_a_command_does_not() -> None:
    asked: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers.get(ACTING_FOR))
        return httpx.Response(204)

    for acting_for in ("ann@example.com", None):
        assert api(answer, acting_for).disable_user("u") == {}
    assert asked == ["ann@example.com", None]


def refused(status: int, code: str = "no_such_user", hint: str = "List them.") -> httpx.Response:
    error = {"code": code, "message": "There is no such user.", "hint": hint, "retryable": False}
    return httpx.Response(status, json={"error": error})


@table(
    ("answer", "error", "text"),
    [
        (httpx.Response(200, json={"user": 7}), ControlPlaneUnavailable, "the response is not a UserDetails"),
        (httpx.Response(200, text="hello"), ControlPlaneUnavailable, "the response is not JSON"),
        (httpx.Response(502, text="<html>"), ControlPlaneUnavailable, "502 without the control plane's error body"),
        (refused(401), NotAllowed, "401 no_such_user: There is no such user. List them"),
        (refused(403), NotAllowed, "403 no_such_user"),
        (refused(404), RequestRefused, "404 no_such_user: There is no such user. List them"),
        (refused(404, hint=""), RequestRefused, "404 no_such_user: There is no such user"),
        (refused(499), RequestRefused, "499"),
        (refused(500), ControlPlaneUnavailable, "500 no_such_user"),
    ],
)
def test_an_answer_that_is_none_is_told_by_what_the_operator_can_do(
    answer: httpx.Response, error: type[Exception], text: str
) -> None:
    with pytest.raises(error) as raised:
        api(lambda _: answer).user("u")
    assert f"GET /memory-users/u: {text}" in str(raised.value)
    if error is not ControlPlaneUnavailable:
        assert raised.value.args[1] == answer.status_code


def test_a_control_plane_that_cannot_be_reached_is_unavailable() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with pytest.raises(ControlPlaneUnavailable, match="POST /memory-queue/pause: ConnectError"):
        api(refuse).pause(SENT)
