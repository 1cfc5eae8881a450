"""Job tokens: ES256 JWTs that let one attempt of one job read its user's export and report, for 15 minutes.

The algorithm is pinned and the key is looked up by kid in the control plane's own set; other headers are ignored.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from jwt.algorithms import ECAlgorithm

from contract.api import JobSpec, Scope
from controlplane.errors import ApiFault

ALGORITHM: Final = "ES256"
ISSUER: Final = "cloop-memory-control-plane"
TTL: Final = timedelta(minutes=15)
SKEW: Final = timedelta(seconds=30)
EXPORT: Final[Scope] = "memory_export:read"
COMPLETE: Final[Scope] = "memory_job:complete"
_WRONG_KEY: Final = "This call takes a job token from POST /memory-jobs/{job_id}/token, not an identity token."
_REQUIRED: Final = ("sub", "user_id", "job_id", "job_type", "scope", "allowed_sources", "attempt", "jti", "iat", "exp")


@dataclass(frozen=True, slots=True)
class JobClaims:
    """A verified token's claims. ``scope`` and ``allowed_sources`` are what its bearer may do."""

    job_id: str
    user_id: str
    job_type: str
    runtime_profile: str
    scope: frozenset[str]
    allowed_sources: frozenset[str]
    attempt: int
    replay_id: str | None
    jti: str

    def require(self, scope: Scope, job_id: str) -> None:
        """Raises ApiFault 403: the token is for another job, or lacks the scope."""
        if self.job_id != job_id:
            raise ApiFault(403, "wrong_job", f"the token is for job {self.job_id}, the path names {job_id}")
        if scope not in self.scope:
            raise ApiFault(403, "scope_missing", f"job {job_id} ({self.job_type}) has no scope {scope}")


@dataclass(frozen=True, slots=True)
class Minted:
    token: str
    jti_digest: bytes
    expires_at: datetime


@dataclass(frozen=True)
class JobTokens:
    """Signs with the first key and verifies with all. To rotate, put a new key first; drop the old after 15 minutes."""

    keys: Sequence[ec.EllipticCurvePrivateKey]
    audience: str
    now: Callable[[], datetime]
    new_id: Callable[[], str] = secrets.token_urlsafe
    _by_kid: dict[str, ec.EllipticCurvePublicKey] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_kid", {thumbprint(k.public_key()): k.public_key() for k in self.keys})

    def mint(self, job: JobSpec, *, issued_at: datetime, replay_id: str | None) -> Minted:
        """A token for this attempt. An insight job reads only workspace and brain, so it gets no export scope."""
        expires_at = issued_at + TTL
        jti = self.new_id()
        claims = {
            "iss": ISSUER,
            "aud": self.audience,
            "sub": f"memory_job:{job.job_id}",
            "user_id": job.user_id,
            "job_id": job.job_id,
            "job_type": job.job_type,
            "runtime_profile": job.runtime_profile,
            "scope": [EXPORT, COMPLETE] if may_export(job.job_type) else [COMPLETE],
            "allowed_sources": list(job.allowed_sources),
            "attempt": job.attempt,
            "replay_id": replay_id,
            "iat": int(issued_at.timestamp()),
            "exp": int(expires_at.timestamp()),
            "jti": jti,
        }
        kid = thumbprint(self.keys[0].public_key())
        token = jwt.encode(claims, self.keys[0], algorithm=ALGORITHM, headers={"kid": kid})
        return Minted(token, hashlib.sha256(jti.encode()).digest(), expires_at)

    def verify(self, authorization: str | None) -> JobClaims:
        """``Bearer <token>`` -> claims. Raises ApiFault 401 token_missing, token_invalid or token_expired."""
        token = bearer(authorization)
        claims = self._decode(token)
        now = self.now().timestamp()
        if claims["exp"] + SKEW.total_seconds() < now:
            raise ApiFault(401, "token_expired", "the job token has expired", hint="Request a new one with renew=true.")
        if claims["iat"] - SKEW.total_seconds() > now:
            raise ApiFault(401, "token_invalid", "the job token was issued in the future")
        return _claims(claims)

    def jwks(self) -> dict[str, Any]:
        """The public keys, for anyone who wants to verify a token."""
        return {"keys": [_jwk(public) | {"kid": kid} for kid, public in self._by_kid.items()]}

    def _decode(self, token: str) -> dict[str, Any]:
        try:
            header = jwt.get_unverified_header(token)
            key = self._by_kid.get(header.get("kid", ""))
            if key is None:
                raise ApiFault(
                    401, "token_invalid", "this token is not signed with a key of this control plane", hint=_WRONG_KEY
                )
            if header.get("alg") != ALGORITHM:
                raise jwt.InvalidAlgorithmError(header.get("alg"))
            decoded: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[ALGORITHM],
                audience=self.audience,
                issuer=ISSUER,
                # verify() checks times against the injected clock; the library would read the machine's.
                options={"require": list(_REQUIRED), "verify_exp": False, "verify_iat": False, "verify_nbf": False},
            )
        except (jwt.PyJWTError, TypeError, ValueError) as exc:
            raise ApiFault(401, "token_invalid", f"not a valid job token: {type(exc).__name__}") from exc
        return decoded


def bearer(authorization: str | None) -> str:
    """Raises ApiFault 401: no ``Bearer`` credentials."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise ApiFault(401, "token_missing", "expected `Authorization: Bearer <token>`")
    return token.strip()


def may_export(job_type: str) -> bool:
    return job_type not in ("insight", "dream")


def load_keys(paths: Sequence[Path]) -> list[ec.EllipticCurvePrivateKey]:
    """PEM files -> P-256 private keys.

    Raises ValueError: a file cannot be read, or is not a P-256 key; the message names the file, never its content.
    """
    return [_load(path) for path in paths]


def thumbprint(public: ec.EllipticCurvePublicKey) -> str:
    """The key's RFC 7638 thumbprint, used as its kid: no registry of names is needed."""
    members = {name: _jwk(public)[name] for name in ("crv", "kty", "x", "y")}
    canonical = json.dumps(members, sort_keys=True, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(hashlib.sha256(canonical).digest()).rstrip(b"=").decode()


def _load(path: Path) -> ec.EllipticCurvePrivateKey:
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as exc:
        raise ValueError(f"{path} cannot be read as a PEM private key ({type(exc).__name__})") from exc
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        hint = "create one with: openssl ecparam -name prime256v1 -genkey -noout"
        raise ValueError(f"{path} is not a P-256 key; {hint}")  # noqa: TRY004 - a wrong file, not a wrong argument
    return key


def _jwk(public: ec.EllipticCurvePublicKey) -> dict[str, Any]:
    jwk: dict[str, Any] = ECAlgorithm.to_jwk(public, as_dict=True)
    return jwk | {"use": "sig", "alg": ALGORITHM}


def _claims(claims: dict[str, Any]) -> JobClaims:
    if claims["sub"] != f"memory_job:{claims['job_id']}":
        raise ApiFault(401, "token_invalid", "the claims sub and job_id differ")
    return JobClaims(
        job_id=claims["job_id"],
        user_id=claims["user_id"],
        job_type=claims["job_type"],
        runtime_profile=str(claims.get("runtime_profile")),
        scope=frozenset(claims["scope"]),
        allowed_sources=frozenset(claims["allowed_sources"]),
        attempt=claims["attempt"],
        replay_id=claims.get("replay_id"),
        jti=claims["jti"],
    )
