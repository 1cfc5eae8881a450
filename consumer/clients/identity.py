"""Google ID tokens of our own service identity, by audience, as the control plane requires them.

In the cloud the metadata server signs them (without a grant, for the account that the service runs as). On a laptop
``GOOGLE_APPLICATION_CREDENTIALS`` may name a service account's key. The embedded stack has a token endpoint.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import httpx
import jwt

from consumer.errors import IdentityUnavailable
from consumer.ports import Clock
from service.singleflight import SingleFlight

#: Tokens live for an hour; with less than this left, one might expire in transit or in a queue.
RENEW_BEFORE_S: Final = 300.0
#: If no new token can be had, the kept one is used while it has this much left.
LEAST_LIFE_S: Final = 30.0
TIMEOUT_S: Final = 10.0
#: How long a thread waits for another thread's fetch; google-auth repeats some requests.
RENEWAL_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class _Token:
    """``expires_at``: seconds since the epoch."""

    token: str = field(repr=False)
    expires_at: float


@dataclass
class Identity:
    """Keeps one token per audience until shortly before it expires. ``fetch`` returns a new token for an audience.

    Thread-safe: threads that need a token at the same time share one fetch, and no audience waits for another's.
    """

    fetch: Callable[[str], str]
    clock: Clock
    _tokens: dict[str, _Token] = field(default_factory=dict, repr=False)
    _renewals: dict[str, SingleFlight[_Token]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def token(self, audience: str) -> str:
        """An ID token for this audience with at least RENEW_BEFORE_S of life.

        Raises IdentityUnavailable: no token could be fetched, or the response is not a token.
        """
        kept = self._kept(audience)
        if kept and self._lives(kept, RENEW_BEFORE_S):
            return kept.token
        with self._lock:
            renewal = self._renewals.setdefault(audience, SingleFlight())
        try:
            return renewal.do(lambda: self._renewed(audience), RENEWAL_S).token
        except (IdentityUnavailable, TimeoutError) as exc:
            if kept and self._lives(kept, LEAST_LIFE_S):
                return kept.token
            if isinstance(exc, IdentityUnavailable):
                raise
            raise IdentityUnavailable(f"no ID token for {audience} within {RENEWAL_S:.0f} s") from None

    def _kept(self, audience: str) -> _Token | None:
        with self._lock:
            return self._tokens.get(audience)

    def _renewed(self, audience: str) -> _Token:
        kept = self._kept(audience)
        if kept and self._lives(kept, RENEW_BEFORE_S):
            return kept  # another thread renewed it since this one looked
        token = self.fetch(audience)
        renewed = _Token(token, _expiry(token, audience))
        with self._lock:
            self._tokens[audience] = renewed
        return renewed

    def _lives(self, token: _Token, at_least_s: float) -> bool:
        return self.clock.now().timestamp() < token.expires_at - at_least_s

    def bound(self, audience: str) -> Callable[[], str]:
        """``token`` for one audience, as the control plane's adapter takes it."""
        return lambda: self.token(audience)

    def drop(self, audience: str) -> None:
        """Forget the kept token, because the other service refused it."""
        with self._lock:
            self._tokens.pop(audience, None)


def from_endpoint(client: httpx.Client, url: str, email: str) -> Callable[[str], str]:
    """Tokens from ``POST url {email, audience}`` -> ``{token}``, as the embedded stack's issuer answers."""

    def fetch(audience: str) -> str:
        try:
            reply = client.post(url, json={"email": email, "audience": audience}, timeout=TIMEOUT_S)
            reply.raise_for_status()
            token = reply.json()["token"]
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as exc:
            raise IdentityUnavailable(
                f"{url} gave no ID token of {email} for {audience}: {type(exc).__name__}"
            ) from exc
        return str(token)

    return fetch


def from_google() -> Callable[[str], str]:
    """Tokens from the metadata server or from application credentials; google.auth is imported at the first one."""

    def fetch(audience: str) -> str:
        # 0.4 s of import that the push app does not need before it is ready.
        from google.auth.exceptions import GoogleAuthError  # noqa: PLC0415
        from google.auth.transport.requests import Request  # noqa: PLC0415
        from google.oauth2 import id_token  # noqa: PLC0415

        try:
            # Without a limit of ours, this transport waits two minutes for a response.
            return str(id_token.fetch_id_token(partial(Request(), timeout=TIMEOUT_S), audience))
        except GoogleAuthError as exc:
            raise IdentityUnavailable(f"Google gave no ID token for {audience}: {type(exc).__name__}") from exc

    return fetch


def _expiry(token: str, audience: str) -> float:
    """Seconds since the epoch. Only this module uses it, so the signature need not be checked."""
    try:
        claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
        return float(claims["exp"])
    except (jwt.InvalidTokenError, KeyError, TypeError, ValueError) as exc:
        raise IdentityUnavailable(f"the response is not an ID token for {audience}: {type(exc).__name__}") from exc
