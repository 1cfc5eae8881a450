"""
Applies migrations/NNNN_{pre|post}_what.sql in order, once each. Refuses an edited history.

`pre` files only add and run before the new code; `post` files tighten or remove and run after it. A file runs in one
transaction unless its first line says `-- transaction: off` (concurrent index builds); such a file is run statement by
statement and must be safe to repeat.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib import resources
from typing import Any, LiteralString

import psycopg

from contract import dsn as address

NAME = re.compile(r"^(?P<number>\d{4})_(?P<phase>pre|post)_[a-z0-9_]+\.sql$")
NO_TRANSACTION = "-- transaction: off"
#: Any constant. Without the lock two migrators could run the same file.
ADVISORY_LOCK = 0x6D656D6F7279

#: How long a file waits for a table. Every query behind a waiting schema change waits too: give up, let the app go on,
#: and let the operator run it again.
LOCK_TIMEOUT = "10s"

LEDGER = """
create schema if not exists memory_migrations;
create table if not exists memory_migrations.applied (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);
revoke all on schema memory_migrations from public;
"""


class MigrationError(RuntimeError):
    """The history on disk and in the database disagree; the message names the file."""


@dataclass(frozen=True, slots=True)
class Migration:
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @property
    def phase(self) -> str:
        match = NAME.match(self.name)
        assert match
        return match["phase"]

    def statements(self) -> list[str]:
        """The statements to send, one at a time."""
        if not self.sql.startswith(NO_TRANSACTION):
            return [self.sql]
        return [part.strip() for part in re.split(r";\s*\n", self.sql) if part.strip()]


def load() -> list[Migration]:
    """Every migration, in order. Raises MigrationError: a malformed name, or two files with the same number or name."""
    folder = resources.files("controlplane").joinpath("migrations")
    files = [Migration(f.name, f.read_text(encoding="utf-8")) for f in folder.iterdir() if f.name.endswith(".sql")]
    files.sort(key=lambda m: m.name)
    for migration in files:
        if not NAME.match(migration.name):
            raise MigrationError(f"{migration.name}: expected NNNN_pre_what.sql or NNNN_post_what.sql")
    numbers = [m.name[:4] for m in files]
    if numbers != [f"{n:04d}" for n in range(1, len(files) + 1)]:
        raise MigrationError(f"migration numbers must run from 0001 without gaps, found {', '.join(numbers)}")
    whats = [m.name[5:] for m in files]
    if len(set(whats)) < len(whats):
        # Files for the app's repository get their own numbers and are identified by the rest of the name.
        raise MigrationError(
            f"several migrations have the same name: {', '.join(sorted({w for w in whats if whats.count(w) > 1}))}"
        )
    return files


def migrate(dsn: str) -> list[str]:
    """Apply pending migrations; returns their names. Repeatable. ``dsn`` must own the schemas (Supabase: postgres).

    Raises ValueError: ``dsn`` leads to a transaction pooler, or is not a database URL. MigrationError: an applied file
    was changed or is missing. psycopg.Error: the server refused, or a table was busy for LOCK_TIMEOUT; the file's
    transaction was rolled back.
    """
    options = address.parse(address.checked(dsn, session=True)).options()
    with psycopg.connect(dsn, autocommit=True, **options) as connection:
        _lead(connection)
        connection.execute(LEDGER)
        pending = _pending(load(), _applied(connection))
        for migration in pending:
            _apply(connection, migration)
    return [m.name for m in pending]


def _lead(connection: psycopg.Connection) -> None:
    """Wait until no other migrator runs. Poll instead of blocking: a concurrent index build would wait for the blocked
    session for ever."""
    while not _scalar(connection, "select pg_try_advisory_lock(%s)", ADVISORY_LOCK):
        connection.execute("select pg_sleep(0.2)")


def _scalar(connection: psycopg.Connection, query: LiteralString, value: int) -> Any:
    row = connection.execute(query, (value,)).fetchone()
    return row[0] if row else None


def _applied(connection: psycopg.Connection) -> dict[str, str]:
    rows = connection.execute("select name, sha256 from memory_migrations.applied").fetchall()
    return {str(name): str(digest) for name, digest in rows}


def _pending(files: list[Migration], applied: dict[str, str]) -> list[Migration]:
    by_name = {m.name: m for m in files}
    for name, digest in applied.items():
        if name not in by_name:
            raise MigrationError(
                f"{name} was applied to this database but this version lacks it; deploy the version that has it"
            )
        if by_name[name].sha256 != digest:
            raise MigrationError(f"{name} was changed after it was applied; write a new migration instead")
    return [m for m in files if m.name not in applied]


def _apply(connection: psycopg.Connection, migration: Migration) -> None:
    record = "insert into memory_migrations.applied (name, sha256) values (%s, %s)"
    if migration.sql.startswith(NO_TRANSACTION):
        for statement in migration.statements():
            connection.execute(statement.encode())
        connection.execute(record, (migration.name, migration.sha256))
        return
    with connection.transaction():
        connection.execute("select set_config('lock_timeout', %s, true)", (LOCK_TIMEOUT,))
        connection.execute(migration.sql.encode())
        connection.execute(record, (migration.name, migration.sha256))
