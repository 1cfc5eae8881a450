"""Who calls: Google-signed ID tokens of the consumer's service account and of operators, checked to the letter."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import httpx
import jwt

from controlplane.clock import SystemClock
from controlplane.errors import ApiFault, unavailable
from controlplane.tokens import bearer

Role = Literal["consumer", "operator"]
ALGORITHM: Final = "RS256"
SKEW_S: Final = 30.0
#: An unknown kid asks the issuer again at most this often: a flood of forged kids must not become a flood of fetches.
REFETCH_S: Final = 30.0
#: Keys are asked for anew after this long; the last good ones stay in use while the issuer is away.
MAX_AGE_S: Final = 3600.0
FETCH_TIMEOUT_S: Final = 5.0


@dataclass
class KeySet:
    """The issuer's public keys by kid, cached. Thread-safe."""

    url: str
    client: httpx.Client
    monotonic: Callable[[], float]
    _keys: dict[str, jwt.PyJWK] = field(default_factory=dict, repr=False)
    _tried_at: float | None = None
    _fetched_at: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def find(self, kid: str) -> jwt.PyJWK:
        """Raises ApiFault 401 (no such key), 503 (no keys can be had)."""
        with self._lock:
            if self._due(kid):
                self._fetch()
            if not self._keys:
                raise unavailable("keys_unavailable", "the identity issuer's keys cannot be had")
            if kid not in self._keys:
                raise ApiFault(401, "identity_invalid", "the identity token is signed with an unknown key")
            return self._keys[kid]

    def _due(self, kid: str) -> bool:
        if self._tried_at is not None and self.monotonic() - self._tried_at < REFETCH_S:
            return False
        return kid not in self._keys or self.monotonic() - self._fetched_at > MAX_AGE_S

    def _fetch(self) -> None:
        self._tried_at = self.monotonic()
        try:
            document = self.client.get(self.url, timeout=FETCH_TIMEOUT_S).raise_for_status().json()
            found = {key.key_id: key for key in jwt.PyJWKSet.from_dict(document).keys if key.key_id}
        except (httpx.HTTPError, jwt.PyJWTError, ValueError, AttributeError):
            return  # the last good keys survive an outage
        self._keys = found
        self._fetched_at = self._tried_at


@dataclass(frozen=True)
class Identities:
    """``accounts`` says which e-mail addresses have which role."""

    keys: KeySet
    issuers: frozenset[str]
    audience: str
    accounts: dict[Role, frozenset[str]]
    clock: SystemClock
    #: Accounts of consoles: they have no role of their own, and act for the operator whom they signed in.
    consoles: frozenset[str] = frozenset()

    def require(self, authorization: str | None, role: Role, acting_for: str | None = None) -> str:
        """The caller's e-mail address; with ``acting_for``, which only a console may send, that of the operator.

        Raises:
            ApiFault: 401 no valid identity, 403 not in this role, 503 the issuer's keys cannot be had.
        """
        email = self._caller(authorization)
        if acting_for is not None:
            if email not in self.consoles or role != "operator":
                raise ApiFault(
                    403, "not_allowed", f"{email} may not act for another", hint="Only CONSOLE_ACCOUNTS may."
                )
            email = acting_for
        if email not in self.accounts[role]:
            raise ApiFault(403, "not_allowed", f"{email} is no {role} here", hint="Add it to the control plane's list.")
        return email

    def _caller(self, authorization: str | None) -> str:
        claims = self._verified(bearer(authorization))
        email = claims.get("email")
        if claims.get("email_verified") is not True or not isinstance(email, str):
            raise ApiFault(403, "not_allowed", "the identity token carries no verified e-mail address")
        return email

    def _verified(self, token: str) -> dict[str, Any]:
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") != ALGORITHM or not isinstance(header.get("kid"), str):
                raise jwt.InvalidAlgorithmError(str(header.get("alg")))
            claims: dict[str, Any] = jwt.decode(
                token,
                self.keys.find(header["kid"]),
                algorithms=[ALGORITHM],
                audience=self.audience,
                options={
                    "require": ["iss", "aud", "exp", "iat"],
                    "verify_exp": False,
                    "verify_iat": False,
                    "verify_nbf": False,
                    "strict_aud": True,
                },
            )
            self._check_times(claims)
        except (jwt.PyJWTError, KeyError, TypeError, ValueError) as exc:
            raise ApiFault(401, "identity_invalid", f"the identity token is not valid: {type(exc).__name__}") from exc
        if claims["iss"] not in self.issuers:
            raise ApiFault(401, "identity_invalid", "the identity token has another issuer")
        return claims

    def _check_times(self, claims: dict[str, Any]) -> None:
        now = self.clock.now().timestamp()
        if float(claims["exp"]) + SKEW_S < now:
            raise jwt.ExpiredSignatureError
        if float(claims["iat"]) - SKEW_S > now:
            raise jwt.ImmatureSignatureError
