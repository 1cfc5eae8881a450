"""The tokens of jobs: what they let their bearer do, how long they hold, and whose signature counts."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from contract.api import JobSpec
from controlplane.errors import ApiFault
from controlplane.tokens import COMPLETE, EXPORT, ISSUER, SKEW, TTL, JobTokens, load_keys, thumbprint
from tests.tables import table

JOB, USER = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
NOW = datetime(2026, 11, 27, 9, tzinfo=UTC)
KEY, OLD, OTHER = (ec.generate_private_key(ec.SECP256R1()) for _ in range(3))


def spec(job_type: Any = "hourly_digest") -> JobSpec:
    return JobSpec(
        job_id=JOB,
        user_id=USER,
        workspace_id=USER,
        job_type=job_type,
        runtime_profile="digest",
        template_version="v1",
        requested_at=NOW,
        status="running",
        attempt=2,
        workspace_uri="gs://workspaces/users/x",
        allowed_sources=("messages", "notes"),
    )


def tokens(at: datetime = NOW, *keys: ec.EllipticCurvePrivateKey) -> JobTokens:
    return JobTokens(keys or (KEY,), "control-plane", lambda: at, lambda: "token-1")


def minted(job: JobSpec | None = None, **more: Any) -> str:
    return f"Bearer {tokens().mint(job or spec(), issued_at=NOW, replay_id=None, **more).token}"


def refused(authorization: str | None, at: datetime = NOW, *keys: ec.EllipticCurvePrivateKey) -> str:
    with pytest.raises(ApiFault) as fault:
        tokens(at, *keys).verify(authorization)
    assert fault.value.status == 401
    return fault.value.code


def test_a_token_says_what_its_attempt_may_do() -> None:
    made = tokens().mint(spec(), issued_at=NOW, replay_id="replay-1")
    assert (made.jti_digest, made.expires_at) == (hashlib.sha256(b"token-1").digest(), NOW + TTL)
    claims = tokens().verify(f"bearer  {made.token} ")
    assert (claims.job_id, claims.user_id, claims.job_type, claims.attempt) == (JOB, USER, "hourly_digest", 2)
    assert (claims.runtime_profile, claims.replay_id, claims.jti) == ("digest", "replay-1", "token-1")
    assert claims.scope == {EXPORT, COMPLETE}
    assert claims.allowed_sources == {"messages", "notes"}


@table(("job_type", "may"), [("hourly_digest", True), ("backfill_digest", True), ("insight", False), ("dream", False)])
def test_only_a_job_that_exports_gets_the_scope_for_it(job_type: str, may: bool) -> None:
    claims = tokens().verify(minted(spec(job_type)))
    claims.require(COMPLETE, JOB)
    if may:
        claims.require(EXPORT, JOB)
    else:
        with pytest.raises(ApiFault) as fault:
            claims.require(EXPORT, JOB)
        assert (fault.value.status, fault.value.code) == (403, "scope_missing")


def test_a_token_opens_its_own_job_alone() -> None:
    with pytest.raises(ApiFault) as fault:
        tokens().verify(minted()).require(COMPLETE, USER)
    assert (fault.value.status, fault.value.code) == (403, "wrong_job")


def test_a_token_holds_a_quarter_of_an_hour_and_a_clock_may_be_off_by_half_a_minute() -> None:
    assert timedelta(minutes=15) == TTL
    assert timedelta(seconds=30) == SKEW
    second = timedelta(seconds=1)
    assert tokens(NOW + TTL + SKEW).verify(minted()).job_id == JOB
    assert refused(minted(), NOW + TTL + SKEW + second) == "token_expired"
    assert tokens(NOW - SKEW).verify(minted()).job_id == JOB
    assert refused(minted(), NOW - SKEW - second) == "token_invalid"


def test_a_token_of_the_key_before_counts_until_that_key_is_dropped() -> None:
    old = f"Bearer {tokens(NOW, OLD).mint(spec(), issued_at=NOW, replay_id=None).token}"
    assert tokens(NOW, KEY, OLD).verify(old).job_id == JOB
    assert refused(old, NOW, KEY, OTHER) == "token_invalid"
    assert [each["kid"] for each in tokens(NOW, KEY, OLD).jwks()["keys"]] == [
        thumbprint(each.public_key()) for each in (KEY, OLD)
    ]


@table("authorization", [None, "", "Bearer", "Bearer  ", "Basic abc", "token"])
def test_a_call_without_a_token_is_told_so(authorization: str | None) -> None:
    assert refused(authorization) == "token_missing"


@table(
    "change",
    [
        {"iss": "another"},
        {"aud": "another"},
        {"sub": "memory_job:other"},
        *({name: None} for name in ("sub", "user_id", "job_type", "scope", "attempt", "jti", "iat", "exp")),
    ],
)
def test_a_token_with_other_or_missing_claims_is_refused(change: dict[str, Any]) -> None:
    given = jwt.decode(minted().split()[1], options={"verify_signature": False}) | change
    claims = {name: value for name, value in given.items() if value is not None}
    assert claims.get("iss") in {ISSUER, "another"}
    kid = {"kid": thumbprint(KEY.public_key())}
    assert refused(f"Bearer {jwt.encode(claims, KEY, algorithm='ES256', headers=kid)}") == "token_invalid"


@table("token", ["x", "a.b.c", minted().split()[1][:-8] + "AAAAAAAA"])
def test_what_is_no_token_of_ours_is_refused(token: str) -> None:
    assert refused(f"Bearer {token}") == "token_invalid"


def pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def test_keys_are_read_from_files_and_a_wrong_one_is_named(tmp_path: Path) -> None:
    good, curve, kind, none = (tmp_path / name for name in ("good.pem", "curve.pem", "kind.pem", "none.pem"))
    good.write_bytes(pem(KEY))
    curve.write_bytes(pem(ec.generate_private_key(ec.SECP384R1())))
    kind.write_bytes(pem(rsa.generate_private_key(65537, 2048)))
    none.write_bytes(b"secret words")
    (key,) = load_keys([good])
    assert thumbprint(key.public_key()) == thumbprint(KEY.public_key())
    for wrong in (curve, kind):
        with pytest.raises(ValueError, match=rf"{wrong.name} is not a P-256 key"):
            load_keys([good, wrong])
    for unreadable in (none, tmp_path / "missing.pem"):
        with pytest.raises(ValueError, match=rf"{unreadable.name} cannot be read") as refusal:
            load_keys([unreadable])
        assert "secret words" not in str(refusal.value)
