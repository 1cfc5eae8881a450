"""Our own ID tokens: kept while they live, asked for again in time, and named when nobody signs one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import httpx
import jwt
import pytest

from consumer.clients.identity import RENEW_BEFORE_S, Identity, from_endpoint
from consumer.errors import IdentityUnavailable

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
