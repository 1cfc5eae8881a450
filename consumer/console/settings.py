"""The console's own variables, besides the command line's. None is required on the operator's own machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from consumer import settings
from service.settings import Rule, Variable, hold, listed, masked, optional, read_all, text

#: Hosts whose connections stay on this machine, so that they need no TLS.
LOOPBACK: Final = ("127.0.0.1", "localhost")


@dataclass(frozen=True, slots=True)
class ConsoleSettings:
    """How operators sign in, and the console's address for browsers. ``issuer`` None: by the printed link."""

    issuer: str | None
    client_id: str
    client_secret: str | None
    emails: tuple[str, ...]
    groups: tuple[str, ...]
    origin: str | None
    host: str

    def __repr__(self) -> str:
        return masked(self, variables())


def _issuer(value: str) -> str | None:
    return _safe_url(value, "must be an https URL (http on this machine only)") if value else None


def _origin(value: str) -> str | None:
    if not value:
        return None
    parts = urlsplit(_safe_url(value, "must be https://<host>, without a path"))
    if parts.path or parts.query or parts.fragment or parts.username:
        raise ValueError("must be https://<host>, without a path")
    return value.rstrip("/")


def _safe_url(value: str, what: str) -> str:
    parts = urlsplit(value.rstrip("/"))
    if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)):
        raise ValueError(what)
    return value.rstrip("/")


def _addresses(value: str) -> tuple[str, ...]:
    return tuple(name.lower() for name in listed(value))


def variables() -> tuple[Variable, ...]:
    """Every variable that only the console reads, in the order of docs/operations.md."""
    return (
        Variable(
            "CONSOLE_OIDC_ISSUER",
            _issuer,
            "OIDC issuer at which operators sign in; empty: they use the printed link",
            example="https://accounts.google.com",
            default="",
            field="issuer",
        ),
        Variable(
            "CONSOLE_OIDC_CLIENT_ID",
            text,
            "the console's client id at the issuer; its redirect address is <origin>/sign-in/callback",
            example="1234-abc.apps.googleusercontent.com",
            default="",
            field="client_id",
        ),
        Variable(
            "CONSOLE_OIDC_CLIENT_SECRET",
            optional,
            "the client's secret, if the issuer gives one",
            example="(secret)",
            default="",
            field="client_secret",
            secret=True,
        ),
        Variable(
            "CONSOLE_EMAILS",
            _addresses,
            "verified e-mail addresses that may sign in, comma-separated",
            example="ann@clo0p.com,li@clo0p.com",
            default="",
            field="emails",
        ),
        Variable(
            "CONSOLE_GROUPS",
            listed,
            "groups of the token's `groups` claim whose members may sign in, comma-separated",
            example="memory-operators",
            default="",
            field="groups",
        ),
        Variable(
            "CONSOLE_ORIGIN",
            _origin,
            "the console's address for browsers, behind a proxy that ends TLS; empty: http://127.0.0.1:<port>",
            example="https://memory-console.clo0p.com",
            default="",
            field="origin",
        ),
        Variable(
            "CONSOLE_HOST",
            text,
            "address to listen on; one that other machines can reach needs an issuer and an https origin",
            example="0.0.0.0",
            default=LOOPBACK[0],
            field="host",
        ),
    )


_RULES: Final[tuple[Rule[ConsoleSettings], ...]] = (
    (lambda s: s.issuer is None or bool(s.client_id), "CONSOLE_OIDC_CLIENT_ID is needed with CONSOLE_OIDC_ISSUER"),
    (
        lambda s: s.issuer is None or bool(s.emails or s.groups),
        "CONSOLE_EMAILS or CONSOLE_GROUPS must list who may sign in at CONSOLE_OIDC_ISSUER",
    ),
    (
        lambda s: s.host in LOOPBACK or (s.issuer is not None and (s.origin or "").startswith("https://")),
        "CONSOLE_HOST other than 127.0.0.1 needs CONSOLE_OIDC_ISSUER and an https CONSOLE_ORIGIN",
    ),
    (
        lambda s: s.origin is None or s.issuer is not None,
        "CONSOLE_ORIGIN needs CONSOLE_OIDC_ISSUER: the printed link works on this machine only",
    ),
)


def load(environ: Mapping[str, str] | None = None) -> ConsoleSettings:
    """Read the environment of a console. Raises SettingsError: lists every variable that is wrong."""
    values = read_all(settings.environment() if environ is None else environ, variables())
    return hold(ConsoleSettings(**values), _RULES)
