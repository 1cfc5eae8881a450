"""Environment -> frozen Settings; the only reader of os.environ here. All faults are told together, secrets never."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import manifests
from contract import dsn
from contract.environment import given

GOOGLE_ISSUERS: Final = "https://accounts.google.com,accounts.google.com"
GOOGLE_JWKS: Final = "https://www.googleapis.com/oauth2/v3/certs"

#: The longest grace between an account's deletion and its memory's erasure: a month and a day.
MAX_GRACE_S: Final = 32 * 86400


class SettingsError(Exception):
    """One or more variables are missing or wrong; the message lists every one."""


@dataclass(frozen=True, slots=True)
class ControlPlaneSettings:
    """``database_url`` and ``export_database_url`` are two logins of one database: docs/controlplane.md says which."""

    database_url: str
    export_database_url: str
    audience: str
    oidc_issuers: frozenset[str]
    oidc_jwks_url: str
    consumer_accounts: frozenset[str]
    operator_emails: frozenset[str]
    console_accounts: frozenset[str]
    job_token_keys: tuple[Path, ...]
    workspace_bucket: str
    plan_spread: timedelta
    purge_after_deletion: timedelta
    pool_size: int
    host: str
    port: int
    otlp_endpoint: str | None = None
    database_ca: str | None = None


def _text(value: str) -> str:
    return value


def _database(value: str) -> str:
    return dsn.checked(value, session=False)


def _names(value: str) -> frozenset[str]:
    return frozenset(part.strip() for part in value.split(",") if part.strip())


def _paths(value: str) -> tuple[Path, ...]:
    return tuple(Path(part.strip()) for part in value.split(",") if part.strip())


def _number(least: int, most: int) -> Callable[[str], int]:
    def parse(value: str) -> int:
        number = int(value)
        if not least <= number <= most:
            raise ValueError(f"must be {least} to {most}")
        return number

    return parse


def _seconds(most: int) -> Callable[[str], timedelta]:
    return lambda value: timedelta(seconds=_number(0, most)(value))


#: Variable -> (field, parser, default; None = required). docs/controlplane.md describes each.
VARIABLES: Final[Mapping[str, tuple[str, Callable[[str], Any], str | None]]] = {
    "DATABASE_URL": ("database_url", _database, None),
    "EXPORT_DATABASE_URL": ("export_database_url", _database, None),
    "DATABASE_CA": ("database_ca", lambda v: v or None, ""),
    "CONTROLPLANE_AUDIENCE": ("audience", _text, None),
    "OIDC_ISSUERS": ("oidc_issuers", _names, GOOGLE_ISSUERS),
    "OIDC_JWKS_URL": ("oidc_jwks_url", _text, GOOGLE_JWKS),
    "CONSUMER_SERVICE_ACCOUNTS": ("consumer_accounts", _names, None),
    "OPERATOR_EMAILS": ("operator_emails", _names, ""),
    "CONSOLE_ACCOUNTS": ("console_accounts", _names, ""),
    "JOB_TOKEN_KEY": ("job_token_keys", _paths, None),
    "WORKSPACE_BUCKET": ("workspace_bucket", _text, None),
    "PLAN_SPREAD_S": ("plan_spread", _seconds(3600), "3000"),
    "PURGE_AFTER_DELETION_S": (
        "purge_after_deletion",
        _seconds(MAX_GRACE_S),
        str(manifests.limits()["purge_after_deletion"]),
    ),
    "DATABASE_POOL": ("pool_size", _number(1, 100), "8"),
    "HOST": ("host", _text, "0.0.0.0"),
    "PORT": ("port", _number(0, 65535), "8080"),
    "OTEL_EXPORTER_OTLP_ENDPOINT": ("otlp_endpoint", lambda v: v or None, ""),
}


def load(environ: Mapping[str, str] | None = None) -> ControlPlaneSettings:
    """Read and check every variable.

    Raises:
        SettingsError: names each variable that is missing or wrong.
    """
    source = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    faults: list[str] = []
    for name, (field, parse, default) in VARIABLES.items():
        text = given(source, name) or default
        if text is None:
            faults.append(f"{name} is missing")
            continue
        try:
            values[field] = parse(text)
        except ValueError as exc:
            faults.append(f"{name}: {exc}")
    if faults:
        raise SettingsError("; ".join(faults))
    return ControlPlaneSettings(**values)
