"""Sign in operators at an OIDC issuer: authorization code with PKCE (needs a client there, outbound HTTPS to it).

The issuer's description names its endpoints and keys, and must have the issuer of the settings. Only the ID token that
the issuer returns for our code identifies the person, never anything that the browser sends.
"""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import httpx

from consumer.errors import KeysUnavailable, NotAllowed

TIMEOUT_S: Final = 10.0
MAX_RESPONSE_BYTES: Final = 256 * 1024
SCOPES: Final = "openid email profile"
UNAUTHENTICATED: Final = 401
FORBIDDEN: Final = 403
DESCRIPTION: Final = "/.well-known/openid-configuration"

Claims = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Registration:
    """Our client at the issuer, and who may sign in: an e-mail address or a group of the token must be listed."""

    issuer: str
    client_id: str
    client_secret: str | None = field(repr=False)
    emails: frozenset[str]
    groups: frozenset[str]


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The issuer's endpoints, from its description."""

    authorization: str
    token: str
    keys: str


@dataclass
class OidcSignIn:
    """Both ends of a sign-in: the address for the browser, and the person who signed in. Thread-safe."""

    client: httpx.Client
    registration: Registration
    #: (ID token, address of the issuer's keys) -> its claims, if the token is valid for us now (clients/oidc.py).
    verified: Callable[[str, str], Claims]
    _discovered: Endpoints | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def issuer(self) -> str:
        return self.registration.issuer

    def close(self) -> None:
        """Close the connections to the issuer."""
        self.client.close()

    def address(self, redirect_uri: str, state: str, nonce: str, challenge: str) -> str:
        """The address where the browser signs in. ``challenge``: S256 of the verifier. Raises KeysUnavailable."""
        query = {
            "response_type": "code",
            "client_id": self.registration.client_id,
            "redirect_uri": redirect_uri,
            "scope": SCOPES,
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        page = self._endpoints().authorization
        return f"{page}{'&' if urlsplit(page).query else '?'}{urlencode(query)}"

    def operator(self, redirect_uri: str, code: str, nonce: str, verifier: str) -> str:
        """The e-mail address of the person who signed in, in lower case.

        Raises NotAllowed: (401) the code or the token is invalid; (403) the person is not listed. KeysUnavailable: the
        issuer does not answer.
        """
        endpoints = self._endpoints()
        claims = self.verified(self._redeemed(endpoints, redirect_uri, code, verifier), endpoints.keys)
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise NotAllowed("token refused: it belongs to another sign-in (nonce)", UNAUTHENTICATED)
        return _listed(claims, self.registration)

    def _redeemed(self, endpoints: Endpoints, redirect_uri: str, code: str, verifier: str) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "client_id": self.registration.client_id,
            "code_verifier": verifier,
        }
        if self.registration.client_secret:
            form["client_secret"] = self.registration.client_secret
        try:
            reply = self.client.post(endpoints.token, data=form, timeout=TIMEOUT_S)
        except httpx.HTTPError as exc:
            raise KeysUnavailable(f"{endpoints.token} gave no token: {type(exc).__name__}") from exc
        if reply.status_code >= 500:
            raise KeysUnavailable(f"{endpoints.token} gave no token: HTTP {reply.status_code}")
        if not reply.is_success:
            raise NotAllowed(f"the issuer refused the code ({reply.status_code})", UNAUTHENTICATED)
        return _text_of(_document(reply), "id_token")

    def _endpoints(self) -> Endpoints:
        with self._lock:
            if self._discovered is None:
                self._discovered = self._discover()
            return self._discovered

    def _discover(self) -> Endpoints:
        url = f"{self.registration.issuer}{DESCRIPTION}"
        try:
            reply = self.client.get(url, timeout=TIMEOUT_S).raise_for_status()
        except httpx.HTTPError as exc:
            raise KeysUnavailable(f"cannot read {url}: {type(exc).__name__}") from exc
        document = _document(reply)
        if document.get("issuer") != self.registration.issuer:
            raise NotAllowed(f"{url} describes another issuer", FORBIDDEN)
        return Endpoints(*(_require_tls(_text_of(document, name), self.registration.issuer) for name in _ADDRESSES))


_ADDRESSES: Final = ("authorization_endpoint", "token_endpoint", "jwks_uri")


def _document(reply: httpx.Response) -> Mapping[str, Any]:
    try:
        document = reply.json() if len(reply.content) <= MAX_RESPONSE_BYTES else None
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise KeysUnavailable(f"{reply.request.url.copy_with(query=None)} did not answer with a JSON object")
    return document


def _text_of(document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    if not isinstance(value, str) or not value:
        raise NotAllowed(f"the issuer's response has no {name}", UNAUTHENTICATED)
    return value


def _require_tls(address: str, issuer: str) -> str:
    """The address, which must use TLS if the issuer does."""
    if urlsplit(address).scheme not in {"https", urlsplit(issuer).scheme}:
        raise NotAllowed("the issuer's description names an address without TLS", FORBIDDEN)
    return address


def _listed(claims: Claims, registration: Registration) -> str:
    email, groups = claims.get("email"), claims.get("groups")
    if not isinstance(email, str) or claims.get("email_verified") is not True:
        raise NotAllowed("token refused: it has no verified e-mail address", FORBIDDEN)
    own_groups = {group for group in groups if isinstance(group, str)} if isinstance(groups, list) else set()
    if email.lower() not in registration.emails and not own_groups & registration.groups:
        raise NotAllowed("this account is not among the console's operators", FORBIDDEN)
    return email.lower()
