"""Our own ID tokens: kept while they live, asked for again in time, and named when nobody signs one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import jwt
import pytest
from google.auth.exceptions import DefaultCredentialsError
from google.oauth2 import id_token

from consumer.clients.identity import (
    LEAST_LIFE_S,
    RENEW_BEFORE_S,
    TIMEOUT_S,
    Identity,
    from_endpoint,
    from_google,
)
from consumer.errors import IdentityUnavailable
from service.singleflight import SingleFlight
from tests.waiting import PATIENCE_S

URL = "http://issuer.example/token"
NOW = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)


@dataclass
class FakeClock:
    at: datetime = NOW

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()

    def sleep(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


@dataclass
class Issuer:
    clock: FakeClock
    status: int = 200
    asked: list[str] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body = request.read().decode()
        self.asked.append(body)
        token = jwt.encode({"exp": int(self.clock.at.timestamp()) + 3600, "n": len(self.asked)}, "k" * 32, "HS256")
        return httpx.Response(self.status, json={"token": token})


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def issuer(clock: FakeClock) -> Issuer:
    return Issuer(clock)


@pytest.fixture
def identity(clock: FakeClock, issuer: Issuer) -> Iterator[Identity]:
    with httpx.Client(transport=httpx.MockTransport(issuer)) as client:
        yield Identity(from_endpoint(client, URL, "worker@p.iam.gserviceaccount.com"), clock)


def test_a_token_is_kept_until_shortly_before_its_end(clock: FakeClock, issuer: Issuer, identity: Identity) -> None:
    first = identity.token("https://plane.example")
    clock.sleep(3600 - RENEW_BEFORE_S - 1)
    assert identity.token("https://plane.example") == first
    clock.sleep(1)
    assert identity.token("https://plane.example") != first
    assert len(issuer.asked) == 2


def test_audiences_do_not_share_tokens(issuer: Issuer, identity: Identity) -> None:
    assert identity.bound("a")() != identity.bound("b")()
    assert identity.bound("a")() == identity.token("a")
    assert '"audience":"a"' in issuer.asked[0].replace(" ", "")


def test_a_refused_token_is_asked_for_again(issuer: Issuer, identity: Identity) -> None:
    first = identity.token("a")
    identity.drop("a")
    assert identity.token("a") != first


def test_nobody_signs(issuer: Issuer, identity: Identity) -> None:
    issuer.status = 500
    with pytest.raises(IdentityUnavailable, match="HTTPStatusError"):
        identity.token("a")
    issuer.status = 200
    assert identity.token("a")


def test_what_comes_is_no_token(clock: FakeClock) -> None:
    with pytest.raises(IdentityUnavailable, match="is not an ID token"):
        Identity(lambda _: "not a token", clock).token("a")


def test_a_kept_token_is_used_while_no_new_one_can_be_had(clock: FakeClock, issuer: Issuer, identity: Identity) -> None:
    first = identity.token("a")
    issuer.status = 503
    clock.sleep(3600 - LEAST_LIFE_S - 1)
    assert identity.token("a") == first
    clock.sleep(1)
    with pytest.raises(IdentityUnavailable):
        identity.token("a")


def test_threads_share_one_renewal_and_its_failure() -> None:
    """Without it, eight threads at a silent token server would wait eight times as long, one after the other."""
    asked, joined, flight = threading.Event(), threading.Event(), SingleFlight[int]()
    calls: list[int] = []

    def silent() -> int:
        calls.append(1)
        asked.set()
        assert joined.wait(PATIENCE_S)
        raise IdentityUnavailable("the token server stays silent")

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(flight.do, silent, PATIENCE_S)
        assert asked.wait(PATIENCE_S)
        with pytest.raises(TimeoutError):
            flight.do(silent, 0.0)
        others = [pool.submit(flight.do, silent, PATIENCE_S) for _ in range(7)]
        while any(not other.running() for other in others):
            pass
        joined.set()
        assert {str(each.exception()) for each in (first, *others)} == {"the token server stays silent"}
    assert sum(calls) <= 2  # a thread may begin after the first one's failure


def test_no_audience_waits_for_another(clock: FakeClock) -> None:
    asked, answered = threading.Event(), threading.Event()

    def fetch(audience: str) -> str:
        if audience == "silent":
            asked.set()
            assert answered.wait(PATIENCE_S)
        return jwt.encode({"exp": int(clock.at.timestamp()) + 3600}, "k" * 32, "HS256")

    identity = Identity(fetch, clock)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(identity.token, "silent")
        assert asked.wait(PATIENCE_S)
        assert identity.token("other")
        answered.set()
        assert waiting.result()


@pytest.mark.parametrize("token", ["an ID token", None])
def test_google_gives_a_token_within_our_time_or_is_unavailable(
    token: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, float]] = []

    def fetch(request: Any, audience: str) -> str:
        asked.append((audience, request.keywords["timeout"]))
        if token is None:
            raise DefaultCredentialsError("no credentials")
        return token

    monkeypatch.setattr(id_token, "fetch_id_token", fetch)
    if token is None:
        with pytest.raises(IdentityUnavailable, match=r"no ID token for https://api\.example: DefaultCredentialsError"):
            from_google()("https://api.example")
    else:
        assert from_google()("https://api.example") == token
    assert asked == [("https://api.example", TIMEOUT_S)]
