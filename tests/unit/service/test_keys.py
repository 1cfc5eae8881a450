"""The issuer's key set: cached, asked again seldom, kept through an outage."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from service.oidc import KEYS_TTL_S, REFETCH_S, WAITING, KeySet, KeysUnreachable, TokenRefused
from tests.waiting import PATIENCE_S, until

KEY = RSAAlgorithm.to_jwk(rsa.generate_private_key(public_exponent=65537, key_size=2048).public_key(), as_dict=True)


@dataclass
class Issuer:
    """Answers with these key ids, or fails; counts."""

    kids: list[str] = field(default_factory=lambda: ["a"])
    down: bool = False
    asked: int = 0
    now: float = 1000.0
    #: Cleared: the issuer takes requests and stays silent.
    talks: threading.Event = field(default_factory=threading.Event)
    reached: threading.Event = field(default_factory=threading.Event)

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        self.reached.set()
        assert self.talks.wait(PATIENCE_S)
        if self.down:
            return httpx.Response(500)
        return httpx.Response(200, json={"keys": [KEY | {"kid": kid, "alg": "RS256"} for kid in self.kids]})


@pytest.fixture
def issuer() -> Issuer:
    issuer = Issuer()
    issuer.talks.set()
    return issuer


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


def test_forged_kids_at_a_silent_issuer_hold_up_no_known_key(keys: KeySet, issuer: Issuer) -> None:
    """What waits for the silent issuer is a few threads; every other token is decided at once."""
    keys.get("a")
    issuer.reached.clear()
    issuer.talks.clear()
    issuer.now += REFETCH_S + 1
    refused: list[Exception] = []

    def forged(kid: str) -> None:
        try:
            keys.get(kid)
        except (KeysUnreachable, TokenRefused) as exc:
            refused.append(exc)

    waiting = [threading.Thread(target=forged, args=(f"forged-{n}",)) for n in range(WAITING)]
    for thread in waiting:
        thread.start()
    assert issuer.reached.wait(PATIENCE_S)
    # Until each of them waits. To take a place and give it back would turn one of them away, who then never waits.
    until(lambda: keys._places._value == 0)
    with pytest.raises(KeysUnreachable):
        keys.get("forged-too")
    assert all(thread.is_alive() for thread in waiting)
    assert keys.get("a")
    issuer.talks.set()
    for thread in waiting:
        thread.join()
    assert [type(exc) for exc in refused] == [TokenRefused] * WAITING
    assert issuer.asked == 2


def test_old_keys_count_while_a_silent_issuer_is_asked(keys: KeySet, issuer: Issuer) -> None:
    keys.get("a")
    issuer.talks.clear()
    issuer.now += KEYS_TTL_S + 1
    assert keys.get("a")
    issuer.now += 2.0
    assert all(keys.get("a") for _ in range(50))
    assert issuer.asked == 2
    issuer.talks.set()


def test_a_flood_of_forged_kids_delays_a_new_key_by_one_pause(keys: KeySet, issuer: Issuer) -> None:
    keys.get("a")
    issuer.kids = ["a", "new"]
    for second in range(int(REFETCH_S) + 1):
        issuer.now += 1.0
        with pytest.raises(TokenRefused):
            keys.get(f"forged-{second}")
    assert keys.get("new")
    assert REFETCH_S <= 10
