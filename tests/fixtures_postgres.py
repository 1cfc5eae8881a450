"""One embedded PostgreSQL a test process, and a fresh database a test, cloned from a template in about 50 ms."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from local.app import fixture
from local.postgres import Postgres

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running server; do not change the cluster in a test (roles are shared by all its databases)."""
    # Not tmp_path: pytest makes that 0700, and the server may run under another account.
    folder = Path(tempfile.mkdtemp(prefix="cloop-memory-tests-"))
    folder.chmod(0o755)
    try:
        with Postgres(folder / "pg", durable=False) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def template_database(postgres: Postgres) -> str:
    """Name of a database with the app's tables, the Supabase shim and the control plane's migrations; never connect."""
    name = "cloop_template"
    with psycopg.connect(postgres.dsn(), autocommit=True) as admin:
        admin.execute(f"create database {name}")
    fixture.install(postgres.dsn(name))
    return name


@pytest.fixture
def empty_database(postgres: Postgres) -> Iterator[str]:
    """DSN (superuser) of a database with nothing in it."""
    yield from _database(postgres, "template0")


@pytest.fixture
def database(postgres: Postgres, template_database: str) -> Iterator[str]:
    """DSN (superuser) of a database with everything in it and no rows."""
    yield from _database(postgres, template_database)


@pytest.fixture(scope="session")
def shared_database(postgres: Postgres, template_database: str) -> Iterator[str]:
    """DSN (superuser) of one such database for all tests that change nothing."""
    yield from _database(postgres, template_database)


def _database(server: Postgres, template: str) -> Iterator[str]:
    name = f"test_{next(_numbers)}"
    with psycopg.connect(server.dsn(), autocommit=True) as admin:
        admin.execute(f"create database {name} template {template}")
    yield server.dsn(name)
    with psycopg.connect(server.dsn(), autocommit=True) as admin:
        admin.execute(f"drop database {name} with (force)")
