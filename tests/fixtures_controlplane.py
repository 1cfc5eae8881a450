"""The control plane over a real database, in process: its HTTP API, its callers' identities, and rows to export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import jwt
import psycopg
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import RSAAlgorithm
from psycopg.rows import dict_row

from controlplane import main
from controlplane.api import Services, create_app
from controlplane.db import Pool, open_pool
from controlplane.settings import ControlPlaneSettings
from local.logins import CONTROLPLANE, READER
from service.clock import SystemClock
from tests.asgi import Client
from tests.fixtures_postgres import as_login

AUDIENCE = "https://control.test"
CONSUMER = "consumer@test.iam.gserviceaccount.com"
OPERATOR = "operator@test.example"
CONSOLE = "console@test.iam.gserviceaccount.com"
BUCKET = "test-workspaces"
ISSUER = "https://accounts.google.com"


@dataclass
class Issuer:
    """Google's part: signs ID tokens."""

    key: rsa.RSAPrivateKey

    def jwks(self) -> dict[str, Any]:
        return {"keys": [RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True) | {"kid": "g1", "alg": "RS256"}]}

    def token(self, email: str, **overrides: Any) -> str:
        now = int(SystemClock().now().timestamp())
        claims = {"iss": ISSUER, "aud": AUDIENCE, "email": email, "email_verified": True, "iat": now, "exp": now + 3600}
        return jwt.encode(claims | overrides, self.key, algorithm="RS256", headers={"kid": "g1"})


@dataclass
class World:
    """
    One control plane, over its documented logins.

    ``db`` is an autocommit connection of the app's owner, as whom tests seed and look; ``dsn`` is that owner's.
    """

    client: Client
    db: psycopg.Connection[dict[str, Any]]
    dsn: str
    issuer: Issuer
    signing_key: ec.EllipticCurvePrivateKey
    key_path: Path
    services: Services

    def sql(self, query: str, *values: Any) -> list[dict[str, Any]]:
        cursor = self.db.execute(query, values)
        return cursor.fetchall() if cursor.description else []

    def without_triggers(self, query: str, *values: Any) -> None:
        """A statement as if no trigger were there: for rows with a past."""
        with self.db.transaction():
            self.db.execute("set local session_replication_role = replica")
            self.db.execute(query, values)

    def user(self, email: str = "ada@example.com", timezone: str = "Europe/Berlin") -> str:
        """A user with profile and workspace; the id."""
        user_id = str(self.sql("insert into auth.users (email) values (%s) returning id", email)[0]["id"])
        self.sql(
            "insert into public.user_profiles (user_id, display_name, timezone) values (%s, 'Ada', %s)",
            user_id,
            timezone,
        )
        self.sql(
            "insert into memory_workspaces (user_id, workspace_uri) values (%s, %s)",
            user_id,
            f"gs://{BUCKET}/users/{user_id}/",
        )
        return user_id

    def job(self, user_id: str, job_type: str = "backfill_digest") -> str:
        """A job as the app makes one: an INSERT; the id."""
        query = "insert into memory_jobs (user_id, job_type) values (%s, %s) returning id"
        return str(self.sql(query, user_id, job_type)[0]["id"])

    def call(self, method: str, path: str, bearer: str | None, body: Any = None) -> httpx.Response:
        headers = {"authorization": f"Bearer {bearer}"} if bearer else {}
        return self.client.request(method, f"/api/internal{path}", json=body, headers=headers)

    def open(self, job_id: str, attempt: int = 1, owner: str = "run-1", **more: Any) -> httpx.Response:
        body = {"attempt": attempt, "owner": owner, **more}
        return self.call("POST", f"/memory-jobs/{job_id}/token", self.issuer.token(CONSUMER), body)

    def token(self, job_id: str, attempt: int = 1, **more: Any) -> str:
        response = self.open(job_id, attempt, **more)
        assert response.status_code == 200, response.text
        return str(response.json()["token"])

    def batch(self, job_id: str, token: str, **body: Any) -> httpx.Response:
        body = {"mode": "backfill", "cursor": {}, "source_keys": ["user_rules"], **body}
        return self.call("POST", f"/memory-export/jobs/{job_id}/batches", token, body)

    def progress(self, job_id: str, token: str, **body: Any) -> httpx.Response:
        body = {"attempt": 1, "state": "running", **body}
        return self.call("POST", f"/memory-jobs/{job_id}/progress", token, body)

    def complete(self, job_id: str, token: str, **body: Any) -> httpx.Response:
        body = {"attempt": 1, "outcome": "completed", **body}
        return self.call("POST", f"/memory-jobs/{job_id}/complete", token, body)

    def operate(self, method: str, path: str, body: Any = None) -> httpx.Response:
        return self.call(method, path, self.issuer.token(OPERATOR), body)

    def row(self, job_id: str) -> dict[str, Any]:
        return self.sql("select * from memory_jobs where id = %s", job_id)[0]


@pytest.fixture(scope="session")
def issuer() -> Issuer:
    return Issuer(rsa.generate_private_key(public_exponent=65537, key_size=2048))


@pytest.fixture(scope="session")
def signing_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@pytest.fixture(scope="session")
def kept_pools(emptied_database: str) -> Iterator[Callable[..., Pool]]:
    """``open_pool`` for the database of `world`: all tests of a process share its pools, as requests to a server do."""
    with ExitStack() as closing:

        @cache
        def kept(url: str, *, size: int, ca: str | None) -> Pool:
            pool = open_pool(url, size=size, ca=ca)
            closing.callback(pool.close)
            setattr(pool, "close", lambda: None)  # noqa: B010 (a method, for mypy)
            return pool

        yield kept


@pytest.fixture
def world(
    clean_database: str,
    issuer: Issuer,
    signing_key: ec.EllipticCurvePrivateKey,
    tmp_path: Path,
    kept_pools: Callable[..., Pool],
) -> Iterator[World]:
    """An empty control plane: no users, no jobs."""
    with opened_world(clean_database, issuer, signing_key, tmp_path, kept_pools) as made:
        yield made
        # A test may have ended their connections.
        for database in (made.services.database, made.services.readiness.export):
            database.pool.check()


@pytest.fixture
def own_world(
    database: str, issuer: Issuer, signing_key: ec.EllipticCurvePrivateKey, tmp_path: Path
) -> Iterator[World]:
    """The same over a database of the test's own, whose tables it may change."""
    with opened_world(database, issuer, signing_key, tmp_path) as made:
        yield made


@contextmanager
def opened_world(
    dsn: str,
    issuer: Issuer,
    signing_key: ec.EllipticCurvePrivateKey,
    folder: Path,
    open_pool: Callable[..., Pool] = open_pool,
) -> Iterator[World]:
    """A control plane in process over the database at ``dsn``; its keys are kept in ``folder``."""
    key_path = folder / "job-token.pem"
    key_path.write_bytes(pem(signing_key))
    settings = ControlPlaneSettings(
        database_url=as_login(dsn, CONTROLPLANE),
        export_database_url=as_login(dsn, READER),
        audience=AUDIENCE,
        oidc_issuers=frozenset({ISSUER}),
        oidc_jwks_url="http://issuer.test/certs",
        consumer_accounts=frozenset({CONSUMER}),
        operator_emails=frozenset({OPERATOR}),
        console_accounts=frozenset({CONSOLE}),
        job_token_keys=(key_path,),
        workspace_bucket=BUCKET,
        plan_spread=timedelta(0),
        purge_after_deletion=timedelta(days=7),
        pool_size=4,
        host="127.0.0.1",
        port=0,
    )
    with ExitStack() as resources:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(main, "open_pool", open_pool)
            services = main.build(settings, resources)
        transport = httpx.MockTransport(lambda request: httpx.Response(200, json=issuer.jwks()))
        services.identities.keys.client = resources.enter_context(httpx.Client(transport=transport))
        db = resources.enter_context(psycopg.connect(dsn, autocommit=True, row_factory=dict_row))
        client = Client(create_app(services), raises=False)
        yield World(client, db, dsn, issuer, signing_key, key_path, services)


def pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
