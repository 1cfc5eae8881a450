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
import orjson
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey

#: Google's signature. A token never chooses the algorithm: "none" and HS256 with a public key are known attacks.
ALGORITHM: Final = "RS256"
#: The signatures of sign-in services that may also use elliptic curves, such as Supabase.
ASYMMETRIC: Final = frozenset({"RS256", "ES256"})
#: Allowed difference between the issuer's clock and this machine's.
SKEW_S: Final = 30.0
#: Least time between two fetches of the keys, so that forged key ids cannot make this process flood the issuer. It is
#: also the most that a flood of them delays the first token of a new key.
REFETCH_S: Final = 10.0
#: Older keys are fetched again on use, so that a withdrawn key stops working.
KEYS_TTL_S: Final = 3600.0
MAX_KEYS_BYTES: Final = 1024 * 1024
MIN_KEY_BITS: Final = 2048
#: Time for a connection to the issuer and between two parts of its response, for the whole response, and how long a
#: token with an unknown key id waits for it.
TIMEOUT_S: Final = 5.0
RESPONSE_S: Final = 10.0
#: How long a token of a known key waits for old keys to be fetched again; then the last good keys count.
OLD_WAIT_S: Final = 1.0
#: How many tokens with unknown key ids may wait at a time while other keys are known: the other threads stay free.
WAITING: Final = 2

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
    """The issuer's public keys by key id. Thread-safe; one fetch at a time, in a thread of its own.

    A token of a known key never waits for the issuer for longer than ``OLD_WAIT_S``, whatever other tokens do.
    ``algorithms``: the signatures to accept; each key verifies only the one of its type.
    """

    client: httpx.Client
    url: str
    monotonic: Callable[[], float]
    refetch_s: float = REFETCH_S
    algorithms: frozenset[str] = frozenset({ALGORITHM})
    _keys: dict[str, Any] = field(default_factory=dict)
    _fetched_at: float | None = None
    _tried_at: float | None = None
    _failed: bool = False
    _fetch: _Fetch | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _places: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(WAITING))

    def get(self, kid: str) -> Any:
        """The key with this id; fetches the keys first if it is unknown or they are old.

        Raises KeysUnreachable: it is unknown, and the issuer does not answer or has not answered yet. TokenRefused: the
        issuer does not have it.
        """
        if kid not in self._keys:
            self._wait_for_unknown()
        elif self._age() > KEYS_TTL_S:
            self._wait_for_old()
        key = self._keys.get(kid)
        if key is not None:
            return key
        if self._failed or self._fetch is not None:
            raise KeysUnreachable(f"{self.url} returned no usable signing keys")
        raise TokenRefused("token refused: the issuer has no such key")

    def holds(self, kid: str) -> bool:
        """Whether this key is known and recent enough to accept its tokens without a fetch."""
        return kid in self._keys and self._age() <= KEYS_TTL_S

    def _age(self) -> float:
        return float("inf") if self._fetched_at is None else self.monotonic() - self._fetched_at

    def _wait_for_unknown(self) -> None:
        fetch = self._started_fetch()
        if fetch is None:
            return
        if not self._keys:
            fetch.done.wait(TIMEOUT_S)  # nobody's token can be checked meanwhile
        elif self._places.acquire(blocking=False):
            try:
                fetch.done.wait(TIMEOUT_S)
            finally:
                self._places.release()

    def _wait_for_old(self) -> None:
        fetch = self._started_fetch()
        if fetch is not None and self.monotonic() - fetch.began_at < OLD_WAIT_S:
            fetch.done.wait(OLD_WAIT_S)

    def _started_fetch(self) -> _Fetch | None:
        """The fetch under way, perhaps begun here; None: the last one ended too recently."""
        with self._lock:
            now = self.monotonic()
            if self._fetch is not None and now - self._fetch.began_at < 2 * RESPONSE_S:
                return self._fetch
            if self._tried_at is not None and now - self._tried_at < self.refetch_s:
                return None
            self._fetch = fetch = _Fetch(now)
        threading.Thread(target=self._run, args=(fetch,), name="keys", daemon=True).start()
        return fetch

    def _run(self, fetch: _Fetch) -> None:
        keys: dict[str, Any] | None = None
        try:
            keys = _fetch_keys(self.client, self.url, self.algorithms, self.monotonic)
        except (httpx.HTTPError, ValueError, RuntimeError):
            pass  # the last good keys stay; RuntimeError: the client was closed
        finally:
            with self._lock:
                self._failed = keys is None
                if keys is not None:
                    self._keys, self._fetched_at = keys, fetch.began_at
                # Timed from the fetch's end: an issuer that never answers is not asked without a pause.
                self._tried_at = self.monotonic()
                if self._fetch is fetch:
                    self._fetch = None
            fetch.done.set()


@dataclass(frozen=True, slots=True)
class _Fetch:
    began_at: float
    done: threading.Event = field(default_factory=threading.Event)


def _fetch_keys(
    client: httpx.Client, url: str, algorithms: Collection[str], monotonic: Callable[[], float]
) -> dict[str, Any]:
    """JWKS -> public keys that may sign. Raises httpx.HTTPError, ValueError (no JWKS, or no usable key in it)."""
    document = orjson.loads(_body(client, url, monotonic))
    entries = document.get("keys") if isinstance(document, dict) else ()
    usable = entries if isinstance(entries, list) else ()
    keys = {entry["kid"]: key for entry in usable if isinstance(entry, dict) and (key := _key(entry, algorithms))}
    if not keys:
        raise ValueError("no usable key")
    return keys


def _body(client: httpx.Client, url: str, monotonic: Callable[[], float]) -> bytes:
    until = monotonic() + RESPONSE_S
    body = bytearray()
    with client.stream("GET", url, timeout=TIMEOUT_S) as reply:
        reply.raise_for_status()
        for chunk in reply.iter_bytes():
            body += chunk
            if len(body) > MAX_KEYS_BYTES:
                raise ValueError("more than 1 MiB of keys")
            if monotonic() > until:
                raise ValueError(f"the keys took longer than {RESPONSE_S:.0f} s")
    return bytes(body)


#: (kty, crv) of a JWK -> the one algorithm for which such a key is used.
_ALGORITHM_OF: Final[Mapping[tuple[Any, Any], str]] = {("RSA", None): "RS256", ("EC", "P-256"): "ES256"}


def _key(entry: Mapping[str, Any], algorithms: Collection[str]) -> Any:
    """None for anything but a signing key with an id for one of these algorithms; others in the set are ignored."""
    algorithm = _ALGORITHM_OF.get((entry.get("kty"), entry.get("crv")), "")
    fits = algorithm in algorithms and entry.get("use", "sig") == "sig" and entry.get("alg", algorithm) == algorithm
    if not fits or not isinstance(entry.get("kid"), str):
        return None
    try:
        key = jwt.PyJWK(dict(entry), algorithm=algorithm).key
    except jwt.PyJWTError:
        return None
    return key if isinstance(key, EllipticCurvePublicKey) or key.key_size >= MIN_KEY_BITS else None


def _algorithm_of(key: Any) -> str:
    return "ES256" if isinstance(key, EllipticCurvePublicKey) else "RS256"


def signed_claims(token: str, keys: KeySet) -> tuple[str, Claims]:
    """(key id, unchecked claims) of a token with a valid signature. Raises TokenRefused, KeysUnreachable."""
    kid = _key_id(token, keys.algorithms)
    return kid, _signed_claims(token, keys.get(kid))


def _key_id(token: str, algorithms: Collection[str]) -> str:
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError as exc:
        raise TokenRefused("token refused: it has no readable header") from exc
    kid = header.get("kid")
    if header.get("alg") not in algorithms or not isinstance(kid, str) or not kid:
        raise TokenRefused(f"token refused: its header must say alg {' or '.join(sorted(algorithms))} and a kid")
    return kid


#: PyJWT would use its own clock and accept one audience among several; check_token checks both exactly.
_SIGNATURE_ONLY: Final[Mapping[str, Any]] = {
    "verify_signature": True,
    "verify_exp": False,
    "verify_iat": False,
    "verify_nbf": False,
    "verify_aud": False,
    "verify_sub": False,
    "verify_jti": False,
}


def _signed_claims(token: str, key: Any) -> Claims:
    try:
        # The key decides the algorithm, never the token.
        return jwt.decode(token, key, algorithms=[_algorithm_of(key)], options=dict(_SIGNATURE_ONLY))  # type: ignore[arg-type] # PyJWT types options as a TypedDict
    except jwt.PyJWTError as exc:
        raise TokenRefused("token refused: its signature is not valid") from exc
