"""The database for the services: a pool, transactions, queries by name. Translates psycopg's errors."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb
from psycopg_pool import ConnectionPool, PoolTimeout, TooManyRequests

from contract import dsn
from controlplane.errors import ApiFault, invalid, unavailable

log = logging.getLogger(__name__)

#: How long a request waits for a free connection before it answers 503.
POOL_WAIT_S: Final = 5.0
Pool = ConnectionPool[psycopg.Connection[DictRow]]
Row = dict[str, Any]


def open_pool(url: str, *, size: int, ca: str | None = None) -> Pool:
    """A pool whose connections use UTC. Opened lazily: an unreachable database causes a 503, not a crash.

    ``ca``: path of the CA certificates to trust.
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
        configure=_require_primary_in_utc,
        reconnect_failed=failed,
        connection_class=psycopg.Connection[DictRow],
        open=True,
    )


def _require_primary_in_utc(connection: psycopg.Connection[DictRow]) -> None:
    """A pooler may drop the connection's start-up options; then the login itself must set them. A replica is refused:
    it is behind, so it would refuse tokens that were just issued and omit rows from an export for good.

    Raises psycopg.OperationalError: the pool logs the message and hands out no connection.
    """
    row = connection.execute(
        "select current_setting('TimeZone') zone, current_setting('DateStyle') style, pg_is_in_recovery() is_replica"
    ).fetchone()
    connection.rollback()
    if row and row["is_replica"]:
        raise psycopg.OperationalError("the address leads to a read replica; name the primary, also for exports")
    if not row or row["zone"] != "UTC" or not row["style"].startswith("ISO"):
        raise psycopg.OperationalError(
            "the pooler drops this login's time zone option; run: alter role <login> set timezone = 'UTC'"
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

    def only(self, name: str, **values: Any) -> Row:
        """The row of a query that always has one."""
        row = self.row(name, **values)
        assert row is not None, name
        return row

    def audit(self, actor: str, action: str, user_id: Any, job_id: Any = None, /, **details: Any) -> None:
        """A line in the audit; the details may have any names."""
        self.run("audit", actor=actor, action=action, user_id=user_id, job_id=job_id, details=Jsonb(details))

    def run(self, name: str, **values: Any) -> int:
        """Rows affected."""
        return self.connection.execute(queries()[name], values).rowcount

    def run_many(self, name: str, values: list[dict[str, Any]]) -> int:
        """Run the statement once per mapping, pipelined; the total of rows affected."""
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
        """Commit at the end, roll back on any exception. Raises ApiFault for what the database refuses."""
        with translated(), self.pool.connection() as connection, connection.transaction():
            yield Tx(connection)


@contextmanager
def translated() -> Iterator[None]:
    """psycopg's errors -> ApiFault, without their texts: those may quote a user's values."""
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
        raise unavailable("database_busy", "the transaction conflicted with another one; try again") from exc
    except psycopg.DataError as exc:
        raise invalid(f"a value does not fit its column ({type(exc).__name__})") from exc
    except psycopg.OperationalError as exc:
        raise unavailable("database_unavailable", f"the database does not answer ({type(exc).__name__})") from exc
