"""Operators sign in at an OIDC issuer: authorization code with PKCE (needs: a client there, outbound HTTPS to it).

The issuer's own description says where its pages and keys are; it must call itself what the settings call it. Who comes
back is known by an ID token that the issuer gives for our code alone, never by anything that the browser says.
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
MAX_ANSWER_BYTES: Final = 256 * 1024
SCOPES: Final = "openid email profile"
UNAUTHENTICATED: Final = 401
FORBIDDEN: Final = 403
DESCRIPTION: Final = "/.well-known/openid-configuration"

Claims = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Registration:
    """Our client at the issuer, and who may come in by it: an e-mail address or a group of the token must be listed."""

    issuer: str
    client_id: str
    client_secret: str | None = field(repr=False)
    emails: frozenset[str]
    groups: frozenset[str]


@dataclass(frozen=True, slots=True)
class Endpoints:
    """What the issuer says of itself."""

    authorization: str
    token: str
    keys: str


@dataclass
class OidcSignIn:
    """Both ends of a sign-in: where to send the browser, and who came back. Thread-safe."""

    client: httpx.Client
    registration: Registration
    #: (ID token, address of the issuer's keys) -> its claims, if it is the issuer's, for us, now (clients/oidc.py).
    verified: Callable[[str, str], Claims]
    _found: Endpoints | None = field(default=None, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def issuer(self) -> str:
        return self.registration.issuer

    def close(self) -> None:
        """Give the connections to the issuer back."""
        self.client.close()

    def address(self, redirect_uri: str, state: str, nonce: str, challenge: str) -> str:
        """Where the browser signs in. ``challenge``: S256 of the verifier. Raises KeysUnavailable."""
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
        """The e-mail address of who signed in, lower case.

        Raises:
            NotAllowed: (401) the code is not good, or the token not what we asked for; (403) the person is not listed.
            KeysUnavailable: the issuer does not answer.
        """
        found = self._endpoints()
        claims = self.verified(self._redeemed(found, redirect_uri, code, verifier), found.keys)
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise NotAllowed("token refused: it answers another sign-in (nonce)", UNAUTHENTICATED)
        return _listed(claims, self.registration)

    def _redeemed(self, found: Endpoints, redirect_uri: str, code: str, verifier: str) -> str:
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
            reply = self.client.post(found.token, data=form, timeout=TIMEOUT_S)
        except httpx.HTTPError as exc:
            raise KeysUnavailable(f"asked {found.token} for a token: {type(exc).__name__}") from exc
        if reply.status_code >= 500:
            raise KeysUnavailable(f"asked {found.token} for a token: {reply.status_code}")
        if not reply.is_success:
            raise NotAllowed(f"the issuer refused the code ({reply.status_code})", UNAUTHENTICATED)
        return _text_of(_document(reply), "id_token")

    def _endpoints(self) -> Endpoints:
        with self._lock:
            if self._found is None:
                self._found = self._described()
            return self._found

    def _described(self) -> Endpoints:
        url = f"{self.registration.issuer}{DESCRIPTION}"
        try:
            reply = self.client.get(url, timeout=TIMEOUT_S).raise_for_status()
        except httpx.HTTPError as exc:
            raise KeysUnavailable(f"asked {url}: {type(exc).__name__}") from exc
        document = _document(reply)
        if document.get("issuer") != self.registration.issuer:
            raise NotAllowed(f"{url} is the description of another issuer", FORBIDDEN)
        return Endpoints(*(_same_kind(_text_of(document, name), self.registration.issuer) for name in _ADDRESSES))


_ADDRESSES: Final = ("authorization_endpoint", "token_endpoint", "jwks_uri")


def _document(reply: httpx.Response) -> Mapping[str, Any]:
    try:
        document = reply.json() if len(reply.content) <= MAX_ANSWER_BYTES else None
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise KeysUnavailable(f"{reply.request.url.copy_with(query=None)} did not answer with a JSON object")
    return document


def _text_of(document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    if not isinstance(value, str) or not value:
        raise NotAllowed(f"the issuer's answer has no {name}", UNAUTHENTICATED)
    return value


def _same_kind(address: str, issuer: str) -> str:
    """An issuer that is spoken to over TLS sends nobody to a page without."""
    if urlsplit(address).scheme not in {"https", urlsplit(issuer).scheme}:
        raise NotAllowed("the issuer's description names an address without TLS", FORBIDDEN)
    return address


def _listed(claims: Claims, registration: Registration) -> str:
    email, groups = claims.get("email"), claims.get("groups")
    if not isinstance(email, str) or claims.get("email_verified") is not True:
        raise NotAllowed("token refused: it carries no verified e-mail address", FORBIDDEN)
    mine = {group for group in groups if isinstance(group, str)} if isinstance(groups, list) else set()
    if email.lower() not in registration.emails and not mine & registration.groups:
        raise NotAllowed("this account is not among the console's operators", FORBIDDEN)
    return email.lower()
