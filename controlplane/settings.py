"""Environment -> frozen settings; the only reader of os.environ in the control plane."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

import manifests
from contract import dsn
from service.settings import (
    DATABASE_CA,
    SPANS,
    Rule,
    SettingsError,
    Variable,
    hold,
    listed,
    masked,
    optional,
    optional_url,
    port,
    read_all,
    text,
    url,
)

__all__ = ["ControlPlaneSettings", "SettingsError", "load", "variables"]

GOOGLE_ISSUERS: Final = "https://accounts.google.com,accounts.google.com"
GOOGLE_JWKS: Final = "https://www.googleapis.com/oauth2/v3/certs"
GOOGLE_STS: Final = "https://sts.googleapis.com/v1/token"

#: The longest grace period between an account's deletion and its memory's erasure: a month and a day.
MAX_GRACE_S: Final = 32 * 86400


@dataclass(frozen=True, slots=True)
class ControlPlaneSettings:
    """``database_url`` and ``export_database_url``: two logins of one database (docs/controlplane.md)."""

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
    #: The reader's accounts, and what it needs to know an app's user; without an issuer nobody may read.
    reader_accounts: frozenset[str] = frozenset()
    app_issuer: str | None = None
    app_jwks_url: str | None = None
    read_account: str | None = None
    sts_url: str = GOOGLE_STS

    def __repr__(self) -> str:
        return masked(self, variables())


def _database(value: str) -> str:
    return dsn.checked(value, session=False)


def _names(value: str) -> frozenset[str]:
    return frozenset(listed(value))


def _paths(value: str) -> tuple[Path, ...]:
    return tuple(map(Path, listed(value)))


def _number(minimum: int, most: int) -> Callable[[str], int]:
    def parse(value: str) -> int:
        number = int(value)
        if not minimum <= number <= most:
            raise ValueError(f"must be {minimum} to {most}")
        return number

    return parse


def _seconds(most: int) -> Callable[[str], timedelta]:
    return lambda value: timedelta(seconds=_number(0, most)(value))


def variables() -> tuple[Variable, ...]:
    """Every variable that the control plane reads, in the order of docs/operations.md."""
    return (*_databases(), *_callers(), *_reading(), *_planning(), *_process())


def _databases() -> tuple[Variable, ...]:
    return (
        Variable(
            "DATABASE_URL",
            _database,
            "connection string of a login in the role `memory_service`",
            example="postgresql://memory_controlplane@db:5432/postgres",
            secret=True,
        ),
        Variable(
            "EXPORT_DATABASE_URL",
            _database,
            "connection string of the login `memory_export_reader`, at the primary; a read replica is refused",
            example="postgresql://memory_export_reader@db:5432/postgres",
            secret=True,
        ),
        DATABASE_CA,
        Variable(
            "DATABASE_POOL",
            _number(1, 100),
            "connections in each of the two pools, and the number of requests handled at a time, 1 to 100",
            example="16",
            default="8",
            unit="connections",
            field="pool_size",
        ),
    )


def _callers() -> tuple[Variable, ...]:
    return (
        Variable(
            "CONTROLPLANE_AUDIENCE",
            text,
            "audience of identity tokens and of job tokens",
            example="https://app.clo0p.com",
            field="audience",
        ),
        Variable(
            "OIDC_ISSUERS",
            _names,
            "issuers (`iss`) that an identity token may have, comma-separated",
            example="https://accounts.google.com",
            default=GOOGLE_ISSUERS,
        ),
        Variable("OIDC_JWKS_URL", text, "URL of the issuers' public keys", default=GOOGLE_JWKS),
        Variable(
            "CONSUMER_SERVICE_ACCOUNTS",
            _names,
            "accounts that run jobs and send ticks, comma-separated",
            example="cloop-memory-worker@clo0p-prod.iam.gserviceaccount.com",
            field="consumer_accounts",
        ),
        Variable(
            "OPERATOR_EMAILS",
            _names,
            "accounts that may use the operators' calls, comma-separated",
            example="ann@clo0p.com",
            default="",
        ),
        Variable(
            "CONSOLE_ACCOUNTS",
            _names,
            "service accounts of consoles, comma-separated; they act for the operator who signed in and have no rights"
            " of their own",
            example="cloop-memory-console@clo0p-prod.iam.gserviceaccount.com",
            default="",
        ),
        Variable(
            "JOB_TOKEN_KEY",
            _paths,
            "PEM files of P-256 keys, comma-separated; the first signs, all verify",
            example="/secrets/job-token.pem",
            field="job_token_keys",
        ),
    )


def _reading() -> tuple[Variable, ...]:
    return (
        Variable(
            "READER_SERVICE_ACCOUNTS",
            _names,
            "accounts of the [reader](reader.md), comma-separated; empty: no reader may call",
            example="cloop-memory-reader@clo0p-prod.iam.gserviceaccount.com",
            default="",
            field="reader_accounts",
        ),
        Variable(
            "APP_ISSUER",
            optional_url,
            "issuer (`iss`) of the access tokens of the app's users; empty: no user may read",
            example="https://abcdefgh.supabase.co/auth/v1",
        ),
        Variable(
            "APP_JWKS_URL",
            optional_url,
            "URL of that issuer's public keys; empty: `APP_ISSUER`/.well-known/jwks.json",
            example="https://abcdefgh.supabase.co/auth/v1/.well-known/jwks.json",
        ),
        Variable(
            "READ_ACCOUNT",
            optional,
            "account that may read the workspace bucket; the control plane impersonates it and narrows its token to one"
            " user's prefix",
            example="cloop-memory-reads@clo0p-prod.iam.gserviceaccount.com",
        ),
        Variable(
            "STS_URL",
            url,
            "token exchange that narrows the tokens of READ_ACCOUNT; if it is not Google's, no account is impersonated",
            example="http://127.0.0.1:23544/sts/v1/token",
            default=GOOGLE_STS,
        ),
    )


_RULES: Final[tuple[Rule[ControlPlaneSettings], ...]] = (
    (
        lambda s: not s.reader_accounts or s.app_issuer is not None,
        "APP_ISSUER is needed with READER_SERVICE_ACCOUNTS: without it, no user can be recognized",
    ),
    (
        lambda s: not s.reader_accounts or s.read_account is not None or s.sts_url != GOOGLE_STS,
        "READ_ACCOUNT is needed with READER_SERVICE_ACCOUNTS: without it, no token for the bucket can be made",
    ),
)


def _planning() -> tuple[Variable, ...]:
    return (
        Variable("WORKSPACE_BUCKET", text, "bucket that workspace URIs name", example="cloop-memory-workspaces"),
        Variable(
            "PLAN_SPREAD_S",
            _seconds(3600),
            "time over which the start of a tick's jobs is spread, at most 3600; 0: all start at once",
            example="0",
            default="3000",
            unit="s",
            field="plan_spread",
        ),
        Variable(
            "PURGE_AFTER_DELETION_S",
            _seconds(MAX_GRACE_S),
            "grace period between an account's deletion and its memory's erasure"
            " ([erasure.md](erasure.md#when-an-account-is-deleted)), at most 32 days; 0: with the next hourly tick",
            example="0",
            default=str(manifests.limits()["purge_after_deletion"]),
            unit="s",
            field="purge_after_deletion",
        ),
    )


def _process() -> tuple[Variable, ...]:
    return (
        Variable("HOST", text, "address to listen on", example="127.0.0.1", default="0.0.0.0"),
        Variable("PORT", port, "port to listen on; 0: any free port", example="0", default="8080"),
        SPANS,
    )


def load(environ: Mapping[str, str] | None = None) -> ControlPlaneSettings:
    """Read and check every variable. Raises SettingsError: names each variable that is missing or wrong."""
    settings = ControlPlaneSettings(**read_all(os.environ if environ is None else environ, variables()))
    return hold(settings, _RULES)
