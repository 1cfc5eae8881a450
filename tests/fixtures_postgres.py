"""
One embedded PostgreSQL a test process, and databases in it: emptied between tests, shared, or a test's own.

Their DSNs are those of the app's owner, as whom tests seed and look; code under test gets one of the three logins
(`as_login`).
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from local.app import fixture
from local.logins import PASSWORDS, SUPERUSER
from local.postgres import Postgres

_numbers = count(1)
#: `CLOOP_TEST_POSTGRES=16` runs the same tests on the other version that the wheel has.
VERSION = int(os.environ.get("CLOOP_TEST_POSTGRES", "18"))
#: Deletes every row, without triggers. Faster than TRUNCATE on tables this small, and than a new database by far.
EMPTY = """
do $$
declare
  t regclass;
begin
  set local session_replication_role = replica;
  for t in
    select c.oid from pg_class c where c.relkind = 'r'
      and c.relnamespace::regnamespace::text in ('auth', 'public', 'granola1', 'social', 'msg', 'rules', 'infra')
  loop
    execute format('delete from %s', t);
  end loop;
end $$
"""


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running server; do not change the cluster in a test (roles are shared by all its databases)."""
    # Not tmp_path: pytest makes that 0700, and the server may run under another account.
    folder = Path(tempfile.mkdtemp(prefix="cloop-memory-tests-"))
    folder.chmod(0o755)
    try:
        with Postgres(folder / "pg", version=VERSION, durable=False) as server:
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
    """DSN (the owner's) of a database with nothing in it."""
    yield from copied(postgres, "template0")


@pytest.fixture(scope="session")
def emptied_database(postgres: Postgres, template_database: str) -> str:
    """DSN (the owner's) of the database behind `clean_database`; it goes with the server."""
    return postgres.dsn(_create(postgres, template_database))


@pytest.fixture(scope="session")
def superuser_connection(emptied_database: str) -> Iterator[psycopg.Connection]:
    """Kept, because a new one would look up every table again before it empties it."""
    with psycopg.connect(make_conninfo(emptied_database, user=SUPERUSER), autocommit=True) as superuser:
        yield superuser


@pytest.fixture
def clean_database(emptied_database: str, superuser_connection: psycopg.Connection) -> Iterator[str]:
    """DSN (the owner's) of a database with everything in it and no rows; for tests that change rows, not tables."""
    yield emptied_database
    superuser_connection.execute(EMPTY)


@pytest.fixture
def database(postgres: Postgres, template_database: str) -> Iterator[str]:
    """DSN (the owner's) of the test's own database, with everything in it and no rows; its tables may be changed."""
    yield from copied(postgres, template_database)


@pytest.fixture(scope="session")
def shared_database(postgres: Postgres, template_database: str) -> str:
    """DSN (the owner's) of one such database for all tests that change nothing; it goes with the server."""
    return postgres.dsn(_create(postgres, template_database))


def as_login(dsn: str, login: str) -> str:
    """The same database, as one of the three documented logins, by its password."""
    return make_conninfo(dsn, user=login, password=PASSWORDS[login])


def copied(server: Postgres, template: str) -> Iterator[str]:
    """A copy of a database that nobody is connected to, for as long as the generator lives: its owner's DSN."""
    name = _create(server, template)
    yield server.dsn(name)
    with psycopg.connect(server.dsn(user=SUPERUSER), autocommit=True) as superuser:
        superuser.execute(f"drop database {name} with (force)")


def _create(server: Postgres, template: str) -> str:
    name = f"test_{next(_numbers)}"
    with psycopg.connect(server.dsn(), autocommit=True) as admin:
        admin.execute(f"create database {name} template {template}")
    return name
