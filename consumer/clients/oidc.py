"""Check OIDC bearer tokens of pushes with the issuer's public keys (needs outbound HTTPS to OIDC_JWKS_URL, no grant).

No part of a request is read before its token is accepted. Keys are cached and fetched again, at most once per interval,
if a token names an unknown one; the last good keys survive an outage. Accepted tokens are kept until they expire,
because Pub/Sub sends the same token for up to an hour and a signature costs more than the rest of the request.
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
    """Accepted audiences, accounts and issuers. All three are exact and non-empty."""

    audiences: frozenset[str]
    emails: frozenset[str]
    issuers: frozenset[str] = frozenset(GOOGLE_ISSUERS)

    @classmethod
    def of(cls, audiences: Collection[str], emails: Collection[str], issuers: Collection[str] = ()) -> TokenPolicy:
        """A policy that always accepts Google's issuers; an empty setting accepts nobody."""
        parts = [frozenset(filter(None, names)) for names in (audiences, emails, (*GOOGLE_ISSUERS, *issuers))]
        return cls(*parts)


def check_claims(claims: Claims, policy: TokenPolicy, now_s: float) -> None:
    """Check the claims of a token whose signature is valid.

    Raises NotAllowed: 401 if the token is not valid now, 403 if it is valid but not for us. The message names the
    claim, not its value.
    """
    with _translated_errors():
        check_token(claims, policy.issuers, policy.audiences, now_s)
    email = claims.get("email")
    if not isinstance(email, str) or email not in policy.emails:
        raise NotAllowed("token refused: email is not one of the accepted accounts", FORBIDDEN)
    if claims.get("email_verified") is not True:
        raise NotAllowed("token refused: email_verified is not true", FORBIDDEN)


def bearer(authorization: str | None) -> str:
    """The token of an Authorization header.

    Raises NotAllowed: (401) the header has no bearer token, or one that is too long.
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
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def verify(self, authorization: str | None) -> Claims:
        token = bearer(authorization)
        now = self.clock.now().timestamp()
        return self._accepted_claims(token, now) or self._verify(token, now)

    def known(self, authorization: str | None) -> Claims | None:
        """The claims of a token that was accepted before and is still valid; None: call ``verify``. Never waits for
        I/O, so an event loop may call it without a thread."""
        try:
            return self._accepted_claims(bearer(authorization), self.clock.now().timestamp())
        except NotAllowed:
            return None

    def _accepted_claims(self, token: str, now: float) -> Claims | None:
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
        with _translated_errors():
            kid, claims = signed_claims(token, self.keys)
        check_claims(claims, self.policy, now)
        with self._lock:
            self._accepted[token] = (claims, kid, float(claims["exp"]))
            while len(self._accepted) > self.cache_size:
                self._accepted.popitem(last=False)
        return claims


@dataclass
class IdTokens:
    """Checks ID tokens of sign-ins at one issuer for one client. Whether the person may sign in is not decided here."""

    client: httpx.Client
    issuer: str
    client_id: str
    clock: Clock
    _keys: KeySet | None = None

    def claims(self, token: str, keys_url: str) -> Claims:
        """The token's claims. ``keys_url``: from the issuer's description. Raises NotAllowed, KeysUnavailable."""
        if self._keys is None or self._keys.url != keys_url:
            self._keys = KeySet(self.client, keys_url, self.clock.monotonic)
        with _translated_errors():
            _, claims = signed_claims(token, self._keys)
            check_token(claims, (self.issuer,), (self.client_id,), self.clock.now().timestamp())
        return claims


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Translate the shared code's errors into the consumer's."""
    try:
        yield
    except WrongAudience as exc:
        raise NotAllowed(str(exc), FORBIDDEN) from exc
    except TokenRefused as exc:
        raise NotAllowed(str(exc), UNAUTHENTICATED) from exc
    except KeysUnreachable as exc:
        raise KeysUnavailable(str(exc)) from exc
