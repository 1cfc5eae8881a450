"""The database as the services see it: a pool, transactions, queries by name. Foreign errors are translated here."""

from __future__ import annotations

import logging
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool, PoolTimeout, TooManyRequests

from contract import dsn
from controlplane.errors import ApiFault, invalid, unavailable

log = logging.getLogger(__name__)

#: How long a request waits for a free connection before it answers 503.
POOL_WAIT_S: Final = 5.0
Pool = ConnectionPool[psycopg.Connection[DictRow]]
Row = dict[str, Any]


def certificates(value: str | None) -> str | None:
    """The path of the certificates that the server's must be signed by: ``value``, or where PEM text was written to.

    A platform gives text to a process more easily than a file, and libpq reads files alone.
    """
    if value is None or not value.startswith("-----BEGIN "):
        return value
    with tempfile.NamedTemporaryFile("w", prefix="database-ca-", suffix=".pem", delete=False) as file:
        file.write(value + "\n")
    return file.name


def open_pool(url: str, *, size: int, ca: str | None = None) -> Pool:
    """A pool whose connections speak UTC; opened lazily, so that a database that is away is a 503, not a crash.

    ``ca``: path of the certificates that the server's must be signed by.
    """
    address = dsn.parse(url)
    kwargs: dict[str, Any] = {"row_factory": dict_row, **address.options(ca)}
    if not address.pools_transactions:
        kwargs["options"] = "-c timezone=UTC -c datestyle=ISO,YMD"

    def failed(_: Pool) -> None:
        log.warning("the database does not answer, or refuses the login. %s", address.hint())

    return ConnectionPool(
        url,
        min_size=1,
        max_size=size,
        timeout=POOL_WAIT_S,
        kwargs=kwargs,
        configure=_require_utc,
        reconnect_failed=failed,
        connection_class=psycopg.Connection[DictRow],
        open=True,
    )


def _require_utc(connection: psycopg.Connection[DictRow]) -> None:
    """Poolers may leave out what we ask for at the start of a connection: then the login must bring it.

    Raises:
        psycopg.OperationalError: it does not; the pool logs the message and gives no connection out.
    """
    row = connection.execute("select current_setting('TimeZone') zone, current_setting('DateStyle') style").fetchone()
    connection.rollback()
    if not row or row["zone"] != "UTC" or not row["style"].startswith("ISO"):
        raise psycopg.OperationalError(
            "this login must speak UTC behind its pooler: alter role <login> set timezone = 'UTC'"
        )


@cache
def queries() -> Mapping[str, bytes]:
    """queries.sql by name."""
    text = resources.files("controlplane").joinpath("queries.sql").read_text(encoding="utf-8")
    parts = re.split(r"^-- name: (\w+)\n", text, flags=re.MULTILINE)[1:]
    return {name: body.strip().rstrip(";").encode() for name, body in zip(parts[::2], parts[1::2], strict=True)}


@dataclass(frozen=True, slots=True)
class Tx:
    """One transaction. A query's name is its key in queries.sql."""

    connection: psycopg.Connection[DictRow]

    def rows(self, name: str, **values: Any) -> list[Row]:
        return self.connection.execute(queries()[name], values).fetchall()

    def row(self, name: str, **values: Any) -> Row | None:
        return self.connection.execute(queries()[name], values).fetchone()

    def run(self, name: str, **values: Any) -> int:
        """Rows affected."""
        return self.connection.execute(queries()[name], values).rowcount

    def run_many(self, name: str, values: list[dict[str, Any]]) -> int:
        """The statement once for each mapping, pipelined; rows affected in all."""
        if not values:
            return 0
        with self.connection.cursor() as cursor:
            cursor.executemany(queries()[name], values)
            return cursor.rowcount


@dataclass(frozen=True, slots=True)
class Database:
    pool: Pool

    @contextmanager
    def transaction(self) -> Iterator[Tx]:
        """Commit at the end, roll back on any exception. Raises Fault for what the database refuses."""
        with translated(), self.pool.connection() as connection, connection.transaction():
            yield Tx(connection)


@contextmanager
def translated() -> Iterator[None]:
    """psycopg's errors -> Fault, without their texts: those may quote a user's values."""
    try:
        yield
    except (PoolTimeout, TooManyRequests) as exc:
        raise unavailable("database_busy", "no free database connection") from exc
    except psycopg.errors.CheckViolation as exc:
        raise ApiFault(409, "transition_refused", "the database refuses this change of the job") from exc
    except psycopg.IntegrityError as exc:
        raise ApiFault(409, "conflict", f"the database refuses this row ({type(exc).__name__})") from exc
    except psycopg.errors.QueryCanceled as exc:
        raise unavailable("database_timeout", "the statement took too long") from exc
    except (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected) as exc:
        raise unavailable("database_busy", "the transaction met another one; try again") from exc
    except psycopg.DataError as exc:
        raise invalid(f"a value does not fit its column ({type(exc).__name__})") from exc
    except psycopg.OperationalError as exc:
        raise unavailable("database_unavailable", f"the database does not answer ({type(exc).__name__})") from exc
