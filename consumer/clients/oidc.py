"""Who pushes? OIDC bearer tokens against the issuer's public keys (needs: outbound HTTPS to OIDC_JWKS_URL, no grant).

Nothing of a request is read before its token was accepted. Keys are kept, fetched again once an interval when a token
names an unknown one, and the last good ones survive an outage. Accepted tokens are kept until they expire, because
Pub/Sub sends the same one for up to an hour and a signature costs more than the rest of the request.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import httpx

from consumer.errors import KeysUnavailable, NotAllowed
from consumer.ports import Clock
from service.oidc import Claims, KeySet, KeysUnreachable, TokenRefused, WrongAudience, check_token, signed_claims

#: Google writes its issuer both ways.
GOOGLE_ISSUERS: Final = ("https://accounts.google.com", "accounts.google.com")
#: Google's tokens have about 800 bytes.
MAX_TOKEN_BYTES: Final = 8192
CACHE_SIZE: Final = 1024

UNAUTHENTICATED: Final = 401
FORBIDDEN: Final = 403


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
    with _as_answers():
        check_token(claims, policy.issuers, policy.audiences, now_s)
    email = claims.get("email")
    if not isinstance(email, str) or email not in policy.emails:
        raise NotAllowed("token refused: email is none of the accepted accounts", FORBIDDEN)
    if claims.get("email_verified") is not True:
        raise NotAllowed("token refused: email_verified is not true", FORBIDDEN)


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
        with _as_answers():
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
            self._keys = KeySet(self.client, keys_url, self.clock.monotonic)
        with _as_answers():
            _, claims = signed_claims(token, self._keys)
            check_token(claims, (self.issuer,), (self.client_id,), self.clock.now().timestamp())
        return claims


@contextmanager
def _as_answers() -> Iterator[None]:
    """What the shared code refuses, as the consumer answers it."""
    try:
        yield
    except WrongAudience as exc:
        raise NotAllowed(str(exc), FORBIDDEN) from exc
    except TokenRefused as exc:
        raise NotAllowed(str(exc), UNAUTHENTICATED) from exc
    except KeysUnreachable as exc:
        raise KeysUnavailable(str(exc)) from exc
