"""Sets up clo0p-app's database: Supabase shim, the app's own tables, this project's migrations, the three logins."""

from __future__ import annotations

from importlib import resources

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from controlplane.migrate import migrate
from local.logins import PASSWORDS, SUPERUSER


def install_app(dsn: str) -> None:
    """The app's own side only: shim (as the superuser), then tables (as their owner), once. ``dsn``: the owner's."""
    with psycopg.connect(dsn) as connection:
        installed = connection.execute("select to_regclass('public.user_profiles') is not null").fetchone()
        if installed == (True,):
            return
        if connection.execute("select to_regnamespace('auth') is null").fetchone() == (True,):
            with psycopg.connect(make_conninfo(dsn, user=SUPERUSER)) as superuser:
                superuser.execute(_file("supabase_shim.sql"))
        connection.execute(_file("schema.sql"))


def install(dsn: str) -> None:
    """Set up everything that the app's repository has after its migrations, and the logins. Repeatable."""
    install_app(dsn)
    migrate(dsn)
    create_logins(dsn)


def create_logins(dsn: str) -> None:
    """Create those of the three logins of docs/deploy.md that the server lacks. ``dsn``: the owner's."""
    with psycopg.connect(dsn) as connection:
        query = "select rolname from pg_roles where rolcanlogin"
        existing = {name for (name,) in connection.execute(query)}
        for statement in _file("logins.sql").decode().splitlines():
            name = statement.split()[2]
            if name not in existing:
                password = sql.Literal(PASSWORDS[name]).as_string(connection)
                connection.execute(statement.replace("'...'", password).encode())


def _file(name: str) -> bytes:
    # Bytes: our own files, nothing of a user's is put into them.
    return resources.files(__package__).joinpath(name).read_bytes()
