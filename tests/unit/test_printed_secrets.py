"""A key, a token or a user's text is in no text that Python makes of an object, such as a traceback's or a log's."""

from __future__ import annotations

from dataclasses import fields

from consumer.agent.gateway.app import GatewayApp, ModelRequest
from consumer.agent.gateway.server import LoopbackGateway
from consumer.agent.gateway.upstream import Upstream
from consumer.clients import identity, oidc
from consumer.clients.signin import Registration
from consumer.console.sessions import Sessions, SignInLink
from consumer.console.sign_in import OidcDoor
from consumer.ports import ModelAccess
from controlplane import bucket_tokens
from reader import grants, keys
from reader.sessions import Session, UserSessions
from service.upstreams import Endpoint
from tests.tables import table


@table(
    ("holder", "name"),
    [
        (ModelRequest, "body"),
        (ModelRequest, "own_answer"),
        (GatewayApp, "token"),
        (LoopbackGateway, "key"),
        (Upstream, "key"),
        (identity._Token, "token"),
        (identity.Identity, "_tokens"),
        (oidc.OidcVerifier, "_accepted"),
        (Registration, "client_secret"),
        (Sessions, "key"),
        (SignInLink, "_digest"),
        (OidcDoor, "key"),
        (ModelAccess, "token"),
        (bucket_tokens.Impersonated, "_kept"),
        (grants.Grants, "_kept"),
        (keys.KeyFolder, "_keys"),
        (Session, "user_token"),
        (UserSessions, "key"),
        (Endpoint, "key"),
    ],
)
def test_a_secret_is_not_printed(holder: type, name: str) -> None:
    assert {field.name: field.repr for field in fields(holder)}[name] is False
