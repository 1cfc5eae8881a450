"""Who may push: every way in which a token can be wrong, and what keeps working when the issuer does not."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from hypothesis import given
from hypothesis import strategies as st
from jwt.algorithms import RSAAlgorithm

from consumer.clients.oidc import OidcVerifier, TokenPolicy, bearer, check_claims
from consumer.errors import KeysUnavailable, NotAllowed
from service.oidc import KeySet

AUDIENCE = "https://consumer.example/push"
EMAIL = "push@project.iam.gserviceaccount.com"
NOW = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class FakeClock:
    at: datetime = NOW
    ticks: float = 1000.0

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.ticks

    def sleep(self, seconds: float) -> None:
        self.pass_by(seconds)

    def pass_by(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)
        self.ticks += seconds


@dataclass
class Issuer:
    """An HTTP issuer whose answers the test decides; ``asked`` counts the fetches of its keys."""

    keys: dict[str, Any] = field(default_factory=lambda: {"k1": KEY})
    extra: list[dict[str, Any]] = field(default_factory=list)
    status: int = 200
    asked: int = 0
    wait: Callable[[], None] = lambda: None

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        self.wait()
        if self.status == 0:
            raise httpx.ConnectError("refused", request=request)
        return httpx.Response(
            self.status, json={"keys": [*self.extra, *(_jwk(k, kid) for kid, k in self.keys.items())]}
        )


def _jwk(key: rsa.RSAPrivateKey, kid: str) -> dict[str, Any]:
    return {**RSAAlgorithm.to_jwk(key.public_key(), as_dict=True), "kid": kid, "use": "sig", "alg": "RS256"}


@dataclass
class World:
    clock: FakeClock
    issuer: Issuer
    verifier: OidcVerifier

    def refused(self, token: str) -> int:
        with pytest.raises(NotAllowed) as caught:
            self.verifier.verify(f"Bearer {token}")
        return int(caught.value.args[1])


@pytest.fixture
def world() -> Iterator[World]:
    clock, issuer = FakeClock(), Issuer()
    with httpx.Client(transport=httpx.MockTransport(issuer)) as client:
        keys = KeySet(client, "https://issuer.example/certs", clock.monotonic)
        yield World(
            clock, issuer, OidcVerifier(keys, TokenPolicy.of([AUDIENCE, "other"], [EMAIL]), clock, cache_size=4)
        )


def claims(**overrides: Any) -> dict[str, Any]:
    now = int(NOW.timestamp())
    base = {
        "iss": "https://accounts.google.com",
        "aud": AUDIENCE,
        "email": EMAIL,
        "email_verified": True,
        "iat": now,
        "exp": now + 3600,
    }
    return {name: value for name, value in {**base, **overrides}.items() if value is not None}


def sign(key: Any = KEY, kid: Any = "k1", algorithm: str = "RS256", **overrides: Any) -> str:
    return jwt.encode(claims(**overrides), key, algorithm, {"kid": kid} if kid else {})


def _segment(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_a_good_token_gives_its_claims(world: World) -> None:
    assert world.verifier.verify(f"Bearer {sign()}")["email"] == EMAIL
    assert world.verifier.verify(f"bearer {sign(iss='accounts.google.com')}")["aud"] == AUDIENCE


@pytest.mark.parametrize(
    ("overrides", "status"),
    [
        ({"iss": "https://evil.example"}, 401),
        ({"iss": None}, 401),
        ({"iss": ["https://accounts.google.com"]}, 401),
        ({"exp": int(NOW.timestamp()) - 30}, 401),
        ({"exp": None}, 401),
        ({"exp": True}, 401),
        ({"exp": "4102444800"}, 401),
        ({"iat": int(NOW.timestamp()) + 31}, 401),
        ({"iat": None}, 401),
        ({"aud": "https://else.example"}, 403),
        ({"aud": [AUDIENCE]}, 403),
        ({"aud": AUDIENCE + "/"}, 403),
        ({"aud": None}, 403),
        ({"email": "other@project.iam.gserviceaccount.com"}, 403),
        ({"email": EMAIL.upper()}, 403),
        ({"email": None}, 403),
        ({"email_verified": False}, 403),
        ({"email_verified": "true"}, 403),
        ({"email_verified": 1}, 403),
        ({"email_verified": None}, 403),
    ],
)
def test_a_signed_token_with_wrong_claims_is_refused(overrides: dict[str, Any], status: int) -> None:
    with pytest.raises(NotAllowed) as caught:
        check_claims(claims(**overrides), TokenPolicy.of([AUDIENCE], [EMAIL]), NOW.timestamp())
    assert caught.value.args[1] == status


def test_an_empty_setting_accepts_nobody() -> None:
    for policy in (TokenPolicy.of([""], [EMAIL]), TokenPolicy.of([AUDIENCE], [""]), TokenPolicy.of([], [])):
        with pytest.raises(NotAllowed):
            check_claims(claims(), policy, NOW.timestamp())
    with pytest.raises(NotAllowed):
        check_claims(claims(email=""), TokenPolicy.of([AUDIENCE], [""]), NOW.timestamp())


def test_refused_claims_are_refused_with_their_signature_too(world: World) -> None:
    assert world.refused(sign(aud="https://else.example")) == 403
    assert world.refused(sign(exp=int(NOW.timestamp()) - 31)) == 401


def test_clocks_may_differ_by_thirty_seconds(world: World) -> None:
    now = int(NOW.timestamp())
    assert world.verifier.verify(f"Bearer {sign(iat=now + 30)}")
    assert world.verifier.verify(f"Bearer {sign(exp=now - 29)}")


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Basic abc", "Bearer a.b", "Bearer é.é.é", "Bearer " + "a" * 9000]
)
def test_what_is_no_bearer_token_is_refused(world: World, header: str | None) -> None:
    with pytest.raises(NotAllowed) as caught:
        world.verifier.verify(header)
    assert caught.value.args[1] == 401
    assert world.issuer.asked == 0


def test_an_unsigned_token_is_refused(world: World) -> None:
    head = _segment({"alg": "none", "typ": "JWT", "kid": "k1"})
    assert world.refused(f"{head}.{_segment(claims())}.") == 401
    assert world.issuer.asked == 0


def test_the_public_key_as_an_hmac_secret_is_refused(world: World) -> None:
    import hashlib
    import hmac

    pem = KEY.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    for header_alg in ("HS256", "RS256"):
        signed = f"{_segment({'alg': header_alg, 'typ': 'JWT', 'kid': 'k1'})}.{_segment(claims())}"
        mac = base64.urlsafe_b64encode(hmac.digest(pem, signed.encode(), hashlib.sha256)).rstrip(b"=").decode()
        assert world.refused(f"{signed}.{mac}") == 401


def test_another_algorithm_of_the_same_family_is_refused(world: World) -> None:
    assert world.refused(sign(algorithm="RS512")) == 401
    assert world.refused(sign(key=ec.generate_private_key(ec.SECP256R1()), algorithm="ES256")) == 401


def test_another_key_under_a_known_id_is_refused(world: World) -> None:
    assert world.refused(sign(key=OTHER)) == 401


def test_a_changed_payload_is_refused(world: World) -> None:
    head, _, signature = sign().split(".")
    assert world.refused(f"{head}.{_segment(claims(email='other@x.y'))}.{signature}") == 401


@pytest.mark.parametrize("kid", [None, "", 7])
def test_a_token_without_a_usable_key_id_is_refused(world: World, kid: Any) -> None:
    head = {"alg": "RS256", "typ": "JWT", **({} if kid is None else {"kid": kid})}
    assert world.refused(f"{_segment(head)}.{_segment(claims())}.{'A' * 342}") == 401


def test_unknown_key_ids_cost_one_fetch_an_interval(world: World) -> None:
    for number in range(50):
        assert world.refused(sign(key=OTHER, kid=f"forged-{number}")) == 401
    assert world.issuer.asked == 1
    world.clock.pass_by(61)
    assert world.refused(sign(key=OTHER, kid="forged-again")) == 401
    assert world.issuer.asked == 2


def test_a_rotated_key_is_fetched_and_the_old_one_still_serves(world: World) -> None:
    world.verifier.verify(f"Bearer {sign()}")
    world.issuer.keys["k2"] = OTHER
    world.clock.pass_by(61)
    assert world.verifier.verify(f"Bearer {sign(key=OTHER, kid='k2')}")
    assert world.verifier.verify(f"Bearer {sign(iat=int(NOW.timestamp()) - 1)}")
    assert world.issuer.asked == 2


def test_the_last_good_keys_survive_an_outage(world: World) -> None:
    world.verifier.verify(f"Bearer {sign()}")
    world.issuer.status = 503
    world.clock.pass_by(3601)
    later = int(world.clock.now().timestamp())
    assert world.verifier.verify(f"Bearer {sign(exp=later + 3600)}")
    assert world.issuer.asked == 2


def test_a_withdrawn_key_stops_working_after_the_next_fetch(world: World) -> None:
    later = int(NOW.timestamp()) + 9000
    token = sign(exp=later)
    world.verifier.verify(f"Bearer {token}")
    world.issuer.keys = {"k2": OTHER}
    world.clock.pass_by(3601)
    assert world.refused(token) == 401


@pytest.mark.parametrize("status", [0, 404, 500])
def test_without_any_keys_nobody_can_tell(world: World, status: int) -> None:
    world.issuer.status = status
    for _ in range(3):
        with pytest.raises(KeysUnavailable):
            world.verifier.verify(f"Bearer {sign()}")
    assert world.issuer.asked == 1
    world.issuer.status = 200
    world.clock.pass_by(11)
    assert world.verifier.verify(f"Bearer {sign()}")


def test_an_issuer_that_hangs_is_asked_again_only_after_a_pause(world: World) -> None:
    """Each wait for it costs a thread of the push app."""
    world.issuer.status, world.issuer.wait = 0, lambda: world.clock.pass_by(15)
    for _ in range(3):
        with pytest.raises(KeysUnavailable):
            world.verifier.verify(f"Bearer {sign()}")
    assert world.issuer.asked == 1


def test_an_unknown_key_during_an_outage_is_not_called_forged(world: World) -> None:
    world.verifier.verify(f"Bearer {sign()}")
    world.issuer.status = 0
    world.clock.pass_by(61)
    with pytest.raises(KeysUnavailable):
        world.verifier.verify(f"Bearer {sign(key=OTHER, kid='k2')}")


def test_keys_that_may_not_sign_are_left_out(world: World) -> None:
    small = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    world.issuer.extra = [
        _jwk(small, "small"),
        {**_jwk(OTHER, "enc"), "use": "enc"},
        {**_jwk(OTHER, "ps"), "alg": "PS256"},
        {"kty": "oct", "kid": "oct", "k": "c2VjcmV0"},
        {"kty": "RSA", "kid": "broken", "n": "!", "e": "AQAB"},
    ]
    assert world.verifier.verify(f"Bearer {sign()}")
    assert world.refused(sign(key=OTHER, kid="enc")) == 401
    assert world.refused(sign(kid="small")) == 401


def test_an_accepted_token_is_not_verified_again_but_ends_with_its_exp(world: World) -> None:
    token = sign(exp=int(NOW.timestamp()) + 60)
    first = world.verifier.verify(f"Bearer {token}")
    assert world.verifier.verify(f"Bearer {token}") is first
    world.clock.pass_by(91)
    assert world.refused(token) == 401


def test_a_known_token_is_told_without_any_question(world: World) -> None:
    header = f"Bearer {sign(exp=int(NOW.timestamp()) + 60)}"
    assert world.verifier.known(header) is None
    assert world.issuer.asked == 0
    claims_ = world.verifier.verify(header)
    assert world.verifier.known(header) is claims_
    assert world.verifier.known(None) is None
    world.clock.pass_by(60)
    assert world.verifier.known(header) is None


def test_the_memory_of_accepted_tokens_is_bounded(world: World) -> None:
    tokens = [sign(sub=str(number)) for number in range(6)]
    first = [world.verifier.verify(f"Bearer {token}") for token in tokens]
    again = [world.verifier.verify(f"Bearer {token}") for token in reversed(tokens)]
    kept = [key is other for key, other in zip(first, reversed(again), strict=True)]
    assert kept == [False, False, True, True, True, True]


def test_messages_never_quote_the_token(world: World) -> None:
    token = sign(email="someone@private.example")
    with pytest.raises(NotAllowed) as caught:
        world.verifier.verify(f"Bearer {token}")
    assert "someone" not in str(caught.value)
    assert token[-20:] not in str(caught.value)


@given(st.text(max_size=200))
def test_no_text_gets_in_as_a_header(text: str) -> None:
    try:
        token = bearer(text)
    except NotAllowed:
        return
    assert text[:7].lower() == "bearer "
    assert token == text[7:]
