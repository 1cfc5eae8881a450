"""Who pushes? OIDC bearer tokens against the issuer's public keys (needs: outbound HTTPS to OIDC_JWKS_URL, no grant).

Nothing of a request is read before its token was accepted. Keys are kept, fetched again once an interval when a token
names an unknown one, and the last good ones survive an outage. Accepted tokens are kept until they expire, because
Pub/Sub sends the same one for up to an hour and a signature costs more than the rest of the request.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import jwt

from consumer.errors import KeysUnavailable, NotAllowed
from consumer.ports import Clock

#: The only signature that is believed. Never taken from the token: "none" and HS256 with a public key are old tricks.
ALGORITHM: Final = "RS256"
#: Google writes its issuer both ways.
GOOGLE_ISSUERS: Final = ("https://accounts.google.com", "accounts.google.com")
#: Allowed between the issuer's clock and ours.
SKEW_S: Final = 30.0
#: Least time between two fetches of the keys, so that forged key ids cannot make us hammer the issuer.
REFETCH_S: Final = 60.0
#: The same after a fetch that failed: until one succeeds a new instance refuses every push.
RETRY_S: Final = 10.0
#: Keys older than this are fetched again in passing, so that a withdrawn key stops working.
KEYS_TTL_S: Final = 3600.0
#: Google's tokens have about 800 bytes.
MAX_TOKEN_BYTES: Final = 8192
MAX_KEYS_BYTES: Final = 1024 * 1024
MIN_KEY_BITS: Final = 2048
CACHE_SIZE: Final = 1024
TIMEOUT_S: Final = 5.0

UNAUTHENTICATED: Final = 401
FORBIDDEN: Final = 403

Claims = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TokenPolicy:
    """Whose tokens, for whom. All three are exact and non-empty."""

    audiences: frozenset[str]
    emails: frozenset[str]
    issuers: frozenset[str] = frozenset(GOOGLE_ISSUERS)

    @classmethod
    def of(cls, audiences: Collection[str], emails: Collection[str], issuers: Collection[str] = ()) -> TokenPolicy:
        """Google's issuers are always among the accepted ones; an empty setting accepts nobody."""
        kept = [frozenset(filter(None, names)) for names in (audiences, emails, (*GOOGLE_ISSUERS, *issuers))]
        return cls(*kept)


def check_claims(claims: Claims, policy: TokenPolicy, now_s: float) -> None:
    """Claims of a token whose signature holds.

    Raises:
        NotAllowed: 401 when the token is not a valid one now, 403 when it is one, but not for us. The message names
            the claim, not its value.
    """
    check_token(claims, policy.issuers, policy.audiences, now_s)
    email = claims.get("email")
    if not isinstance(email, str) or email not in policy.emails:
        raise NotAllowed("token refused: email is none of the accepted accounts", FORBIDDEN)
    if claims.get("email_verified") is not True:
        raise NotAllowed("token refused: email_verified is not true", FORBIDDEN)


def check_token(claims: Claims, issuers: Collection[str], audiences: Collection[str], now_s: float) -> None:
    """Whose token it is, for whom, and whether it holds now. Raises NotAllowed as ``check_claims``."""
    issuer = claims.get("iss")
    if not isinstance(issuer, str) or issuer not in issuers:
        raise NotAllowed("token refused: iss is none of the accepted issuers", UNAUTHENTICATED)
    if _seconds(claims, "exp") + SKEW_S <= now_s:
        raise NotAllowed("token refused: it has expired", UNAUTHENTICATED)
    if _seconds(claims, "iat") - SKEW_S > now_s:
        raise NotAllowed("token refused: iat lies in the future", UNAUTHENTICATED)
    audience = claims.get("aud")
    if not isinstance(audience, str) or audience not in audiences:
        raise NotAllowed("token refused: aud is not exactly one of ours", FORBIDDEN)


def _seconds(claims: Claims, name: str) -> float:
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e12:
        raise NotAllowed(f"token refused: {name} is missing or no time", UNAUTHENTICATED)
    return float(value)


def bearer(authorization: str | None) -> str:
    """The token of an Authorization header.

    Raises:
        NotAllowed: (401) there is none, or it is not one bearer token of a sensible size.
    """
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token or len(token) > MAX_TOKEN_BYTES or not token.isascii():
        raise NotAllowed("no bearer token in the Authorization header", UNAUTHENTICATED)
    return token


@dataclass
class KeySet:
    """The issuer's RSA keys by key id. Thread-safe; one fetch at a time."""

    client: httpx.Client
    url: str
    clock: Clock
    refetch_s: float = REFETCH_S
    retry_s: float = RETRY_S
    _keys: dict[str, Any] = field(default_factory=dict, repr=False)
    _fetched_at: float | None = field(default=None, repr=False)
    _tried_at: float | None = field(default=None, repr=False)
    _failed: bool = field(default=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def get(self, kid: str) -> Any:
        """The key of this id, after a fetch if it is unknown or the keys are old.

        Raises:
            KeysUnavailable: it is unknown and the last fetch failed, so nobody can tell.
            NotAllowed: (401) the issuer does not have it.
        """
        if kid not in self._keys or self._age() > KEYS_TTL_S:
            self._refetch(kid)
        key = self._keys.get(kid)
        if key is not None:
            return key
        if self._failed:
            raise KeysUnavailable(f"asked {self.url} for signing keys: no usable answer")
        raise NotAllowed("token refused: the issuer has no such key", UNAUTHENTICATED)

    def holds(self, kid: str) -> bool:
        """True while a token signed by this key may be believed without another look."""
        return kid in self._keys and self._age() <= KEYS_TTL_S

    def _age(self) -> float:
        return float("inf") if self._fetched_at is None else self.clock.monotonic() - self._fetched_at

    def _refetch(self, kid: str) -> None:
        with self._lock:
            now = self.clock.monotonic()
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
            # From the end: an issuer that never answers must not keep one thread after the other waiting.
            self._tried_at = self.clock.monotonic()


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
    """None for whatever is not an RS256 signing key with an id: a mixed set must not lock us out."""
    fits = entry.get("kty") == "RSA" and entry.get("use", "sig") == "sig" and entry.get("alg", ALGORITHM) == ALGORITHM
    if not fits or not isinstance(entry.get("kid"), str):
        return None
    try:
        key = jwt.PyJWK(dict(entry), algorithm=ALGORITHM).key
    except jwt.PyJWTError:
        return None
    return key if key.key_size >= MIN_KEY_BITS else None


@dataclass
class OidcVerifier:
    """TokenVerifier over one issuer's keys. Thread-safe."""

    keys: KeySet
    policy: TokenPolicy
    clock: Clock
    cache_size: int = CACHE_SIZE
    #: token -> (claims, key id, exp), least recently used first.
    _accepted: OrderedDict[str, tuple[Claims, str, float]] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def verify(self, authorization: str | None) -> Claims:
        token = bearer(authorization)
        now = self.clock.now().timestamp()
        return self._remembered(token, now) or self._verify(token, now)

    def known(self, authorization: str | None) -> Claims | None:
        """The claims of a token that was accepted before and still holds; None: ask ``verify``. Never waits for I/O,
        so an event loop may call it and save the way through a thread."""
        try:
            return self._remembered(bearer(authorization), self.clock.now().timestamp())
        except NotAllowed:
            return None

    def _remembered(self, token: str, now: float) -> Claims | None:
        with self._lock:
            entry = self._accepted.get(token)
            if entry is None:
                return None
            claims, kid, exp = entry
            if now < exp and self.keys.holds(kid):
                self._accepted.move_to_end(token)
                return claims
            del self._accepted[token]
            return None

    def _verify(self, token: str, now: float) -> Claims:
        kid, claims = signed_claims(token, self.keys)
        check_claims(claims, self.policy, now)
        with self._lock:
            self._accepted[token] = (claims, kid, float(claims["exp"]))
            while len(self._accepted) > self.cache_size:
                self._accepted.popitem(last=False)
        return claims


@dataclass
class IdTokens:
    """Tokens of sign-ins at one issuer for one client, checked as those of pushes are; whose they are is not judged."""

    client: httpx.Client
    issuer: str
    client_id: str
    clock: Clock
    _keys: KeySet | None = field(default=None, repr=False)

    def claims(self, token: str, keys_url: str) -> Claims:
        """``keys_url``: where the issuer's description says that its keys are. Raises NotAllowed, KeysUnavailable."""
        if self._keys is None or self._keys.url != keys_url:
            self._keys = KeySet(self.client, keys_url, self.clock)
        _, claims = signed_claims(token, self._keys)
        check_token(claims, (self.issuer,), (self.client_id,), self.clock.now().timestamp())
        return claims


def signed_claims(token: str, keys: KeySet) -> tuple[str, Claims]:
    """(key id, claims not judged yet) of a token whose signature holds. Raises NotAllowed, KeysUnavailable."""
    kid = _key_id(token)
    return kid, _signed_claims(token, keys.get(kid))


def _key_id(token: str) -> str:
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError as exc:
        raise NotAllowed("token refused: it has no readable header", UNAUTHENTICATED) from exc
    kid = header.get("kid")
    if header.get("alg") != ALGORITHM or not isinstance(kid, str) or not kid:
        raise NotAllowed(f"token refused: its header must say alg {ALGORITHM} and a kid", UNAUTHENTICATED)
    return kid


#: PyJWT would judge times by its own clock and accept an audience among many; check_claims does both exactly.
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
        raise NotAllowed("token refused: its signature does not hold", UNAUTHENTICATED) from exc
