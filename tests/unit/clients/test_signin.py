"""What an issuer leaves out of its answers is refused by name, before anything is made of it."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from consumer.clients.signin import DESCRIPTION, OidcSignIn, Registration
from consumer.errors import NotAllowed
from tests.tables import table

ISSUER = "https://issuer.example"
DESCRIBED = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/authorize",
    "token_endpoint": f"{ISSUER}/token",
    "jwks_uri": f"{ISSUER}/keys",
}


def sign_in(described: dict[str, Any], token: dict[str, Any]) -> OidcSignIn:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=described if request.url.path == DESCRIPTION else token)

    client = httpx.Client(transport=httpx.MockTransport(answer))
    registration = Registration(ISSUER, "console", None, frozenset({"ann@example.com"}), frozenset())
    return OidcSignIn(client, registration, lambda token, _keys: json.loads(token))


CLAIMS = json.dumps({"nonce": "n", "email": "Ann@example.com", "email_verified": True})


def test_whoever_is_listed_comes_in() -> None:
    assert sign_in(DESCRIBED, {"id_token": CLAIMS}).operator("https://me/back", "code", "n", "v") == "ann@example.com"


@table("value", [None, "", 7, ["https://issuer.example/token"]])
@table("name", ["authorization_endpoint", "token_endpoint", "jwks_uri"])
def test_a_description_without_one_of_its_addresses_is_refused(name: str, value: object) -> None:
    with pytest.raises(NotAllowed, match=f"has no {name}"):
        sign_in({**DESCRIBED, name: value}, {"id_token": CLAIMS}).address("https://me/back", "s", "n", "c")


@pytest.mark.parametrize("token", [{}, {"id_token": None}, {"id_token": ""}, {"access_token": CLAIMS}])
def test_an_answer_without_an_id_token_is_refused(token: dict[str, Any]) -> None:
    with pytest.raises(NotAllowed, match="has no id_token"):
        sign_in(DESCRIBED, token).operator("https://me/back", "code", "n", "v")
