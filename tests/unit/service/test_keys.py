"""The issuer's key set: cached, asked again seldom, kept through an outage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from service.oidc import KEYS_TTL_S, REFETCH_S, KeySet, KeysUnreachable, TokenRefused

KEY = RSAAlgorithm.to_jwk(rsa.generate_private_key(public_exponent=65537, key_size=2048).public_key(), as_dict=True)


@dataclass
class Issuer:
    """Answers with these key ids, or fails; counts."""

    kids: list[str] = field(default_factory=lambda: ["a"])
    down: bool = False
    asked: int = 0
    now: float = 1000.0

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        if self.down:
            return httpx.Response(500)
        return httpx.Response(200, json={"keys": [KEY | {"kid": kid, "alg": "RS256"} for kid in self.kids]})


@pytest.fixture
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture
def keys(issuer: Issuer) -> Iterator[KeySet]:
    with httpx.Client(transport=httpx.MockTransport(issuer.answer)) as client:
        yield KeySet(client, "http://issuer.test/certs", lambda: issuer.now)


def test_keys_are_cached_and_refreshed(keys: KeySet, issuer: Issuer) -> None:
    for _ in range(5):
        assert keys.get("a")
    assert issuer.asked == 1
    issuer.now += KEYS_TTL_S + 1
    keys.get("a")
    assert issuer.asked == 2


def test_unknown_kids_ask_once_an_interval(keys: KeySet, issuer: Issuer) -> None:
    for n in range(50):
        with pytest.raises(TokenRefused):
            keys.get(f"forged-{n}")
    assert issuer.asked == 1
    issuer.kids = ["b"]
    issuer.now += REFETCH_S + 1
    assert keys.get("b")
    with pytest.raises(TokenRefused):
        keys.get("a")


def test_the_last_good_keys_survive_an_outage(keys: KeySet, issuer: Issuer) -> None:
    keys.get("a")
    issuer.down = True
    issuer.now += KEYS_TTL_S + 1
    assert keys.get("a")


def test_no_keys_at_all_is_retryable(keys: KeySet, issuer: Issuer) -> None:
    issuer.down = True
    with pytest.raises(KeysUnreachable):
        keys.get("a")
    issuer.down = False
    issuer.now += REFETCH_S + 1
    assert keys.get("a")
