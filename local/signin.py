"""
Sign-in pages of the embedded issuer, for people: authorization code with PKCE. Anybody may sign in as anybody;
everything else is checked.

An issuer of its own below ``/operators``, so that a token of a sign-in never passes for one of a service account. A
code works once, within a minute, for the client, address and verifier of its request.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from aiohttp import web

#: Below the server's own address.
BASE: Final = "/operators"
CODE_LIFE_S: Final = 60.0
_ASKED: Final = ("client_id", "redirect_uri", "state", "nonce", "code_challenge")
_PAGE: Final = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign in</title></head><body>
<h1>Who are you?</h1><form method="post"><label>E-mail <input name="email" type="email" required></label>
<label>Groups <input name="groups"></label>{hidden}<button>Sign in</button></form></body></html>"""

#: (email, audience, claims that replace or add) -> token.
Mint = Callable[..., str]


@dataclass(frozen=True, slots=True)
class Granted:
    """The sign-in behind a code."""

    request: Mapping[str, str]
    email: str
    groups: tuple[str, ...]
    until: float


@dataclass
class SignInPages:
    """``mint`` signs the tokens; ``changes`` replace claims of each (tests forge with it)."""

    mint: Mint
    changes: dict[str, Any] = field(default_factory=dict)
    _codes: dict[str, Granted] = field(default_factory=dict, repr=False)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get(f"{BASE}/.well-known/openid-configuration", self.description),
            web.get(f"{BASE}/authorize", self.page),
            web.post(f"{BASE}/authorize", self.signed_in),
            web.post(f"{BASE}/token", self.token),
        ]

    async def description(self, request: web.Request) -> web.Response:
        issuer = _issuer(request)
        return web.json_response(
            {
                "issuer": issuer,
                "authorization_endpoint": f"{issuer}/authorize",
                "token_endpoint": f"{issuer}/token",
                "jwks_uri": f"{issuer.removesuffix(BASE)}/oauth2/v3/certs",
                "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "authorization_response_iss_parameter_supported": True,
            }
        )

    async def page(self, request: web.Request) -> web.Response:
        if fault := _fault(request.query):
            return web.Response(status=400, text=fault)
        hidden = "".join(
            f'<input type="hidden" name="{name}" value="{escape(request.query[name])}">' for name in _ASKED
        )
        return web.Response(text=_PAGE.format(hidden=hidden), content_type="text/html")

    async def signed_in(self, request: web.Request) -> web.Response:
        """Back to the client with a code."""
        form = {name: str(value) for name, value in (await request.post()).items()}
        fault = _fault({"response_type": "code", "code_challenge_method": "S256", "scope": "openid", **form})
        if fault:
            return web.Response(status=400, text=fault)
        code = secrets.token_urlsafe(24)
        groups = tuple(filter(None, (part.strip() for part in form.get("groups", "").split(","))))
        until = time.monotonic() + CODE_LIFE_S
        self._codes[code] = Granted({name: form[name] for name in _ASKED}, form.get("email", ""), groups, until)
        back = urlencode({"code": code, "state": form["state"], "iss": _issuer(request)})
        raise web.HTTPSeeOther(f"{form['redirect_uri']}?{back}")

    async def token(self, request: web.Request) -> web.Response:
        form = {name: str(value) for name, value in (await request.post()).items()}
        granted = self._codes.pop(form.get("code", ""), None)
        if granted is None or form.get("grant_type") != "authorization_code" or not _redeems(form, granted):
            return web.json_response({"error": "invalid_grant"}, status=400)
        claims = {"iss": _issuer(request), "nonce": granted.request["nonce"], "groups": list(granted.groups)}
        token = self.mint(granted.email, granted.request["client_id"], **{**claims, **self.changes})
        return web.json_response({"id_token": token, "access_token": secrets.token_urlsafe(8), "token_type": "Bearer"})


def _issuer(request: web.Request) -> str:
    return f"{request.scheme}://{request.host}{BASE}"


def _fault(query: Mapping[str, str]) -> str:
    """Why a sign-in cannot begin; "" if it can."""
    if missing := [name for name in _ASKED if not query.get(name)]:
        return f"missing: {', '.join(missing)}"
    if query.get("response_type") != "code" or query.get("code_challenge_method") != "S256":
        return "only response_type=code with code_challenge_method=S256"
    if "openid" not in query.get("scope", "").split():
        return "the scope lacks openid"
    # No clients are registered, so only this machine may be redirected to.
    parts = urlsplit(query["redirect_uri"])
    return "" if parts.hostname in {"127.0.0.1", "localhost"} and not parts.query else "redirect_uri: not this machine"


def _redeems(form: Mapping[str, str], granted: Granted) -> bool:
    digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    same = all(form.get(name) == granted.request[name] for name in ("client_id", "redirect_uri"))
    proven = hmac.compare_digest(challenge.encode(), granted.request["code_challenge"].encode())
    return same and proven and time.monotonic() < granted.until
