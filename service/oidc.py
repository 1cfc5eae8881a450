"""
OIDC tokens: the issuer's keys, and a token's signature, issuer, audience and times.

For every process that receives calls; each decides itself which identities to accept. Needs: outbound HTTPS to the
issuer's JWKS, no grant.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import jwt

#: The only accepted signature. Never taken from the token: "none" and HS256 with a public key are known attacks.
ALGORITHM: Final = "RS256"
#: Allowed difference between the issuer's clock and this machine's.
SKEW_S: Final = 30.0
#: Least time between two fetches of the keys, so that forged key ids cannot make this process flood the issuer.
REFETCH_S: Final = 60.0
#: The same after a fetch that failed: until one succeeds a new instance refuses everybody.
RETRY_S: Final = 10.0
#: Older keys are fetched again on use, so that a withdrawn key stops working.
KEYS_TTL_S: Final = 3600.0
MAX_KEYS_BYTES: Final = 1024 * 1024
MIN_KEY_BITS: Final = 2048
TIMEOUT_S: Final = 5.0

Claims = Mapping[str, Any]


class TokenRefused(Exception):
    """The token is not valid now; the message names the claim or part, never its value."""


class WrongAudience(TokenRefused):
    """A valid token, but for another audience."""


class KeysUnreachable(Exception):
    """The issuer's keys cannot be fetched, so the token cannot be checked."""


def check_token(claims: Claims, issuers: Collection[str], audiences: Collection[str], now_s: float) -> None:
    """Check a token's issuer, audience and times. Raises TokenRefused, WrongAudience."""
    issuer = claims.get("iss")
    if not isinstance(issuer, str) or issuer not in issuers:
        raise TokenRefused("token refused: iss is not an accepted issuer")
    if _seconds(claims, "exp") + SKEW_S <= now_s:
        raise TokenRefused("token refused: it has expired")
    if _seconds(claims, "iat") - SKEW_S > now_s:
        raise TokenRefused("token refused: iat is in the future")
    audience = claims.get("aud")
    if not isinstance(audience, str) or audience not in audiences:
        raise WrongAudience("token refused: aud is not exactly one accepted audience")


def _seconds(claims: Claims, name: str) -> float:
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e12:
        raise TokenRefused(f"token refused: {name} is missing or not a time")
    return float(value)


@dataclass
class KeySet:
    """The issuer's RSA keys by key id. Thread-safe; one fetch at a time."""

    client: httpx.Client
    url: str
    monotonic: Callable[[], float]
    refetch_s: float = REFETCH_S
    retry_s: float = RETRY_S
    _keys: dict[str, Any] = field(default_factory=dict, repr=False)
    _fetched_at: float | None = field(default=None, repr=False)
    _tried_at: float | None = field(default=None, repr=False)
    _failed: bool = field(default=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def get(self, kid: str) -> Any:
        """The key with this id; fetches the keys first if it is unknown or they are old.

        Raises:
            KeysUnreachable: it is unknown and the last fetch failed.
            TokenRefused: the issuer does not have it.
        """
        if kid not in self._keys or self._age() > KEYS_TTL_S:
            self._refetch(kid)
        key = self._keys.get(kid)
        if key is not None:
            return key
        if self._failed:
            raise KeysUnreachable(f"{self.url} returned no usable signing keys")
        raise TokenRefused("token refused: the issuer has no such key")

    def holds(self, kid: str) -> bool:
        """Whether this key is known and recent enough to accept its tokens without a fetch."""
        return kid in self._keys and self._age() <= KEYS_TTL_S

    def _age(self) -> float:
        return float("inf") if self._fetched_at is None else self.monotonic() - self._fetched_at

    def _refetch(self, kid: str) -> None:
        with self._lock:
            now = self.monotonic()
            if kid in self._keys and self._age() <= KEYS_TTL_S:
                return  # another thread was first
            pause_s = self.retry_s if self._failed else self.refetch_s
            if self._tried_at is not None and now - self._tried_at < pause_s:
                return
            try:
                self._keys = _fetch_keys(self.client, self.url)
            except (httpx.HTTPError, ValueError):
                self._failed = True  # the last good keys stay
            else:
                self._fetched_at, self._failed = now, False
            # Timed from the fetch's end: an issuer that never answers must not block one thread after another.
            self._tried_at = self.monotonic()


def _fetch_keys(client: httpx.Client, url: str) -> dict[str, Any]:
    """JWKS -> RSA public keys that may sign. Raises httpx.HTTPError, ValueError (no JWKS, or no usable key in it)."""
    reply = client.get(url, timeout=TIMEOUT_S)
    reply.raise_for_status()
    if len(reply.content) > MAX_KEYS_BYTES:
        raise ValueError("more than 1 MiB of keys")
    document = reply.json()
    entries = document.get("keys") if isinstance(document, dict) else ()
    usable = entries if isinstance(entries, list) else ()
    keys = {entry["kid"]: key for entry in usable if isinstance(entry, dict) and (key := _rsa_key(entry))}
    if not keys:
        raise ValueError("no usable key")
    return keys


def _rsa_key(entry: Mapping[str, Any]) -> Any:
    """None for anything but an RS256 signing key with an id; other keys in the set are ignored."""
    fits = entry.get("kty") == "RSA" and entry.get("use", "sig") == "sig" and entry.get("alg", ALGORITHM) == ALGORITHM
    if not fits or not isinstance(entry.get("kid"), str):
        return None
    try:
        key = jwt.PyJWK(dict(entry), algorithm=ALGORITHM).key
    except jwt.PyJWTError:
        return None
    return key if key.key_size >= MIN_KEY_BITS else None


def signed_claims(token: str, keys: KeySet) -> tuple[str, Claims]:
    """(key id, unchecked claims) of a token with a valid signature. Raises TokenRefused, KeysUnreachable."""
    kid = _key_id(token)
    return kid, _signed_claims(token, keys.get(kid))


def _key_id(token: str) -> str:
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError as exc:
        raise TokenRefused("token refused: it has no readable header") from exc
    kid = header.get("kid")
    if header.get("alg") != ALGORITHM or not isinstance(kid, str) or not kid:
        raise TokenRefused(f"token refused: its header must say alg {ALGORITHM} and a kid")
    return kid


#: PyJWT would use its own clock and accept one audience among several; check_token checks both exactly.
_SIGNATURE_ONLY: Final[Mapping[str, Any]] = {
    "verify_signature": True,
    "verify_exp": False,
    "verify_iat": False,
    "verify_nbf": False,
    "verify_aud": False,
    "verify_iss": False,
    "verify_sub": False,
    "verify_jti": False,
}


def _signed_claims(token: str, key: Any) -> Claims:
    try:
        return jwt.decode(token, key, algorithms=[ALGORITHM], options=dict(_SIGNATURE_ONLY))  # type: ignore[arg-type] # PyJWT types options as a TypedDict
    except jwt.PyJWTError as exc:
        raise TokenRefused("token refused: its signature is not valid") from exc
