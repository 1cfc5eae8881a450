"""A run's calls as its job: with a token that still lives, and once more with a new one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from consumer.clients.controlplane import RENEW_BEFORE, _JobSession
from consumer.errors import NotAllowed
from consumer.storage.memory import FakeClock
from contract.api import BatchResponse, CompleteResponse, ProgressResponse, TokenRequest, Wire
from tests.spine import job_id
from tests.tables import table

REQUEST = TokenRequest(attempt=3, owner="run-1")


class Plane:
    """Gives tokens that live for five minutes; refuses those in ``refused`` with their status."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.asked: list[tuple[str, Wire, type[Wire], str]] = []
        self.opened: list[TokenRequest] = []
        self.refused: dict[str, int] = {}

    def open(self, job: str, request: TokenRequest) -> tuple[Any, None]:
        assert job == job_id(1)
        self.opened.append(request)
        return self.grant(f"token-{len(self.opened)}"), None

    def grant(self, token: str) -> Any:
        return SimpleNamespace(token=token, expires_at=self.clock.now() + timedelta(minutes=5))

    def _call(self, path: str, request: Wire, reply: type[Wire], bearer: Callable[[], str]) -> str:
        token = bearer()
        self.asked.append((path, request, reply, token))
        if token in self.refused:
            raise NotAllowed("refused", self.refused[token])
        return f"answer to {token}"


@pytest.fixture
def plane() -> Plane:
    return Plane()


def session(plane: Any) -> _JobSession:
    return _JobSession(plane, job_id(1), REQUEST, plane.grant("token-0"))


@table(
    ("name", "path", "reply"),
    [
        ("batch", f"memory-export/jobs/{job_id(1)}/batches", BatchResponse),
        ("progress", f"memory-jobs/{job_id(1)}/progress", ProgressResponse),
        ("complete", f"memory-jobs/{job_id(1)}/complete", CompleteResponse),
    ],
)
def test_each_call_goes_to_its_own_place_with_the_jobs_token(name: str, path: str, reply: type[Wire]) -> None:
    plane, request = Plane(), Wire()
    assert getattr(session(plane), name)(request) == "answer to token-0"
    assert plane.asked == [(f"/api/internal/{path}", request, reply, "token-0")]
    assert plane.opened == []


def test_a_token_that_ends_soon_is_renewed_before_the_call(plane: Plane) -> None:
    made = session(plane)
    plane.clock.advance((timedelta(minutes=5) - RENEW_BEFORE).total_seconds())
    made.progress(Wire())  # type: ignore[arg-type]  # any request
    assert plane.opened == []
    plane.clock.advance(1)
    made.progress(Wire())  # type: ignore[arg-type]
    made.progress(Wire())  # type: ignore[arg-type]
    assert [token for *_, token in plane.asked] == ["token-0", "token-1", "token-1"]
    assert plane.opened == [REQUEST.model_copy(update={"renew": True})]


def test_a_token_that_is_no_longer_known_is_renewed_once(plane: Plane) -> None:
    plane.refused = {"token-0": 401}
    assert session(plane).batch(Wire()) == "answer to token-1"  # type: ignore[arg-type]
    plane.refused = {"token-0": 401, "token-2": 401}
    with pytest.raises(NotAllowed):
        session(plane).batch(Wire())  # type: ignore[arg-type]
    assert len(plane.opened) == 2


def test_a_job_that_may_not_do_this_gets_no_new_token(plane: Plane) -> None:
    plane.refused = {"token-0": 403}
    with pytest.raises(NotAllowed):
        session(plane).complete(Wire())  # type: ignore[arg-type]
    assert plane.opened == []
