"""
A Google-style OIDC issuer for one machine. Anybody may sign in as anybody; everything else is real.

RS256 with key ids, JWKS, discovery, rotation that keeps retired public keys, tokens of an hour. Keys live on disk, so
tokens survive a restart. It also stands for the app's own sign-in service (Supabase Auth), whose tokens name another
issuer, and acts as the metadata server, with a path per account:
``GCE_METADATA_HOST=127.0.0.1:<port>/as/<email>`` makes google.auth sign in as that account.

    python -m local.oidc --port 0 --data .local/oidc
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jwt
from aiohttp import web
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from local import serving
from local.signin import BASE, SignInPages
from service.keys import pem

ISSUER = "https://accounts.google.com"
#: The issuer of the app's users, whatever port this server has.
APP_ISSUER = "https://app.clo0p.test/auth/v1"
LIFETIME_S = 3600
KEY_BITS = 2048
#: Tokens live an hour, so two retired keys cover three rotations an hour.
RETIRED_KEYS = 2
METADATA = "/computeMetadata/v1/instance/service-accounts"


@dataclass
class KeyRing:
    """``<folder>/keys.json``: the signing key, and the public halves of those before it."""

    folder: Path
    _private: rsa.RSAPrivateKey = field(init=False, repr=False)
    _public: list[dict[str, Any]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._file.exists():
            self._load()
        else:
            self._public = []
            self.rotate()

    @property
    def kid(self) -> str:
        return str(self._public[0]["kid"])

    @property
    def private(self) -> rsa.RSAPrivateKey:
        return self._private

    def jwks(self) -> dict[str, Any]:
        return {"keys": self._public}

    def rotate(self) -> str:
        """Make a new signing key; returns its id. The old public key stays published; its private key is deleted."""
        self._private = rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)
        self._public = [_public_jwk(self._private), *self._public][: RETIRED_KEYS + 1]
        _write_private(self._file, json.dumps({"pem": pem(self._private).decode(), "public": self._public}))
        return self.kid

    @property
    def _file(self) -> Path:
        return self.folder / "keys.json"

    def _load(self) -> None:
        stored = json.loads(self._file.read_text())
        key = serialization.load_pem_private_key(stored["pem"].encode(), None)
        if not isinstance(key, rsa.RSAPrivateKey):
            raise TypeError(f"{self._file} has no RSA key; delete the file to create one")
        self._private, self._public = key, stored["public"]


def _public_jwk(key: rsa.RSAPrivateKey) -> dict[str, Any]:
    numbers = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    kid = hashlib.sha256(numbers["n"].encode()).hexdigest()[:40]
    return {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": kid, "n": numbers["n"], "e": numbers["e"]}


def _write_private(path: Path, text: str) -> None:
    fresh = path.with_suffix(".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    fresh.replace(path)


@dataclass
class Issuer:
    """Mints ID tokens as Google does for a service account."""

    keys: KeyRing
    issuer: str = ISSUER

    def mint(self, email: str, audience: str, **overrides: Any) -> str:
        """A signed token; ``overrides`` replace claims, and one that is None leaves the claim out."""
        now = int(time.time())
        subject = str(int.from_bytes(hashlib.sha256(email.encode()).digest()[:8], "big"))
        claims: dict[str, Any] = {
            "iss": self.issuer,
            "aud": audience,
            "azp": subject,
            "sub": subject,
            "email": email,
            "email_verified": True,
            "iat": now,
            "exp": now + LIFETIME_S,
        }
        claims = {name: value for name, value in {**claims, **overrides}.items() if value is not None}
        return jwt.encode(claims, self.keys.private, "RS256", {"kid": self.keys.kid})


def mint_user(keys: KeyRing, user_id: str, **overrides: Any) -> str:
    """An access token of one of the app's users, in the form of Supabase Auth; ``overrides`` as ``Issuer.mint``."""
    now = int(time.time())
    claims: dict[str, Any] = {
        "iss": APP_ISSUER,
        "aud": "authenticated",
        "role": "authenticated",
        "sub": user_id,
        "iat": now,
        "exp": now + LIFETIME_S,
        "is_anonymous": False,
    }
    claims = {name: value for name, value in {**claims, **overrides}.items() if value is not None}
    return jwt.encode(claims, keys.private, "RS256", {"kid": keys.kid})


class IssuerApp:
    """The issuer's HTTP side."""

    def __init__(self, issuer: Issuer) -> None:
        self.issuer = issuer
        self.people = SignInPages(issuer.mint)

    def build(self) -> web.Application:
        app = web.Application()
        app.add_routes(
            [
                web.get("/.well-known/openid-configuration", self.discovery),
                web.get("/oauth2/v3/certs", self.certs),
                web.post("/token", self.token),
                web.post("/app/token", self.user_token),
                web.post("/rotate", self.rotate),
                web.get("/as/{email}", self.metadata_root),
                web.get("/as/{email}/computeMetadata/v1/", self.metadata_root),
                web.get("/as/{email}" + METADATA + "/{account}/identity", self.identity),
                web.get("/as/{email}" + METADATA + "/{account}/email", self.email),
                web.get("/as/{email}" + METADATA + "/{account}/", self.account),
                web.get("/healthz", _healthy),
                *self.people.routes(),
            ]
        )
        return app

    async def discovery(self, request: web.Request) -> web.Response:
        base = f"{request.scheme}://{request.host}"
        return web.json_response(
            {
                "issuer": self.issuer.issuer,
                "jwks_uri": f"{base}/oauth2/v3/certs",
                "token_endpoint": f"{base}/token",
                "response_types_supported": ["id_token"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
            }
        )

    async def certs(self, request: web.Request) -> web.Response:
        return web.json_response(self.issuer.keys.jwks(), headers={"cache-control": "public, max-age=3600"})

    async def token(self, request: web.Request) -> web.Response:
        """``{email, audience}`` -> ``{token}``."""
        try:
            body = await request.json()
            email, audience = str(body["email"]), str(body["audience"])
        except (ValueError, KeyError, TypeError):
            return web.json_response({"error": "expected a JSON object with email and audience"}, status=400)
        return web.json_response({"token": self.issuer.mint(email, audience), "expires_in": LIFETIME_S})

    async def user_token(self, request: web.Request) -> web.Response:
        """``{user_id}`` -> ``{token}``."""
        try:
            user_id = str((await request.json())["user_id"])
        except (ValueError, KeyError, TypeError):
            return web.json_response({"error": "expected a JSON object with user_id"}, status=400)
        return web.json_response({"token": mint_user(self.issuer.keys, user_id), "expires_in": LIFETIME_S})

    async def rotate(self, request: web.Request) -> web.Response:
        return web.json_response({"kid": self.issuer.keys.rotate()})

    async def metadata_root(self, request: web.Request) -> web.Response:
        return web.Response(text="computeMetadata/\n", headers={"metadata-flavor": "Google"})

    async def identity(self, request: web.Request) -> web.Response:
        audience = request.query.get("audience", "")
        if request.headers.get("metadata-flavor") != "Google":
            return web.Response(status=403, text="Missing required header: Metadata-Flavor\n")
        if not audience:
            return web.Response(status=400, text="non-empty audience parameter required\n")
        return _metadata_text(self.issuer.mint(request.match_info["email"], audience))

    async def email(self, request: web.Request) -> web.Response:
        return _metadata_text(request.match_info["email"])

    async def account(self, request: web.Request) -> web.Response:
        email = request.match_info["email"]
        body = {"aliases": ["default"], "email": email, "scopes": ["https://www.googleapis.com/auth/cloud-platform"]}
        return web.json_response(body, headers={"metadata-flavor": "Google"})


async def _healthy(request: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


def _metadata_text(text: str) -> web.Response:
    return web.Response(text=text, headers={"metadata-flavor": "Google"})


@dataclass
class OidcServer:
    """A running issuer. ``issuer`` may be used directly by whoever shares the process."""

    issuer: Issuer
    url: str
    people: SignInPages

    @property
    def sign_in_issuer(self) -> str:
        """The issuer at which people sign in; the value of CONSOLE_OIDC_ISSUER."""
        return f"{self.url}{BASE}"

    @property
    def jwks_url(self) -> str:
        return f"{self.url}/oauth2/v3/certs"

    @property
    def token_url(self) -> str:
        return f"{self.url}/token"

    def metadata_host(self, email: str) -> str:
        """The value of GCE_METADATA_HOST that makes google.auth this account."""
        return f"{self.url.removeprefix('http://')}/as/{email}"

    def ready(self) -> dict[str, Any]:
        return {"url": self.url, "jwks_url": self.jwks_url, "token_url": self.token_url}


@asynccontextmanager
async def start(data: Path, port: int = 0) -> AsyncIterator[OidcServer]:
    """Serve the issuer whose keys are in ``data``."""
    issuer = Issuer(KeyRing(data))
    app = IssuerApp(issuer)
    async with serving.HttpSite(app.build(), port) as site:
        yield OidcServer(issuer, site.url, app.people)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m local.oidc", description="OIDC issuer of the embedded stack")
    parser.add_argument("--port", type=int, default=0, help="0 = any free port")
    parser.add_argument("--data", type=Path, required=True, help="folder of the signing keys")
    args = parser.parse_args()
    serving.run("oidc", lambda: start(args.data, args.port))


if __name__ == "__main__":
    main()
