"""Puts clo0p-app's database together: Supabase shim, the app's own tables, the control plane's migrations."""

from __future__ import annotations

from importlib import resources

import psycopg

from controlplane.migrate import migrate

#: In this order: the tables name auth.users, which the shim makes.
FILES = ("supabase_shim.sql", "schema.sql")


def install_app(dsn: str) -> None:
    """The app's own side only: shim and tables, in one transaction, once. ``dsn`` must be a superuser's."""
    with psycopg.connect(dsn) as connection:
        installed = connection.execute("select to_regclass('auth.users') is not null").fetchone()
        if installed and installed[0]:
            return
        for name in FILES:
            # Bytes: our own files, nothing of a user's is put into them.
            connection.execute(resources.files(__package__).joinpath(name).read_bytes())


def install(dsn: str) -> None:
    """Everything: what the app's repository would have after its migrations ran. Repeatable."""
    install_app(dsn)
    migrate(dsn)
    # A project gives the reader a password; here any loopback client is trusted. Safe to repeat.
    with psycopg.connect(dsn) as connection:
        connection.execute("alter role memory_export_reader login")
