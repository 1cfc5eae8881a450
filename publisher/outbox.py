"""The outbox in PostgreSQL: what waits, what was published, what is due again. One statement a method."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import psycopg
from psycopg.rows import dict_row

from contract import dsn, rights
from publisher.batch import Row

#: Any constant that nobody else of this database uses: one relay publishes at a time, so that a user's order holds.
ADVISORY_LOCK: Final = 0x6F7574626F78
CONNECT_S: Final = 10
#: Repeated enqueueing is cut into such pieces; what is left comes with the next poll.
ENQUEUE_LIMIT: Final = 10_000


@cache
def queries() -> Mapping[str, bytes]:
    """queries.sql by name."""
    text = resources.files("publisher").joinpath("queries.sql").read_text(encoding="utf-8")
    parts = re.split(r"^-- name: (\w+)\n", text, flags=re.MULTILINE)[1:]
    return {name: body.strip().rstrip(";").encode() for name, body in zip(parts[::2], parts[1::2], strict=True)}


def certificates(value: str | None) -> str | None:
    """The path of the certificates that the server's must be signed by: ``value``, or where PEM text was written to.

    A platform gives text to a process more easily than a file, and libpq reads files alone.
    """
    if value is None or not value.startswith("-----BEGIN "):
        return value
    with tempfile.NamedTemporaryFile("w", prefix="database-ca-", suffix=".pem", delete=False) as file:
        file.write(value + "\n")
    return file.name


def connect(url: str, ca: str | None = None) -> psycopg.Connection[dict[str, Any]]:
    """A session of its own: advisory lock and LISTEN live as long as it does, so a transaction pooler will not do.

    ``ca``: path of the certificates that the server's must be signed by.
    """
    return psycopg.connect(
        url,
        **dsn.parse(url).options(ca),
        autocommit=True,
        row_factory=dict_row,
        connect_timeout=CONNECT_S,
        application_name="cloop-memory-publisher",
    )


@dataclass
class Outbox:
    """Over one connection in autocommit. Every method raises psycopg.Error when the database goes away."""

    connection: psycopg.Connection[dict[str, Any]]

    def try_lead(self) -> bool:
        """Whether this session is now the one that publishes; it stays so until it ends."""
        row = self._execute("try_lead", lock=ADVISORY_LOCK).fetchone()
        return bool(row and row["leads"])

    def listen(self) -> None:
        self._execute("listen")

    def wait(self, timeout_s: float) -> bool:
        """True when somebody else wrote to the outbox, or nudged, within that time."""
        # The table's trigger also tells of rows that we inserted ourselves; those are looked for right after anyway.
        own = self.connection.info.backend_pid
        if not any(notice.pid != own for notice in self.connection.notifies(timeout=timeout_s, stop_after=1)):
            return False
        for _ in self.connection.notifies(timeout=0):
            pass  # one look at the outbox answers all of them
        return True

    def nudge(self) -> None:
        """Wake whichever relay leads."""
        self._execute("nudge")

    def waiting(self, limit: int) -> list[Row]:
        """Unpublished rows in outbox order, each with its job as the database says now."""
        return [_row(found) for found in self._execute("waiting", limit=limit)]

    def mark(self, published: Mapping[int, str | None], jobs: Sequence[str], failed: Sequence[int]) -> None:
        """Record what became of a batch: outbox id -> message id (None: there was nothing to publish)."""
        with self.connection.transaction():
            if published:
                self._execute("mark_published", outbox_ids=list(published), message_ids=list(published.values()))
                self._execute("mark_jobs", job_ids=list(jobs))
            if failed:
                self._execute("mark_failed", outbox_ids=list(failed))

    def enqueue_due(self) -> int:
        """New outbox rows for retries whose time has come; how many."""
        return self._execute("enqueue_due", limit=ENQUEUE_LIMIT).rowcount

    def enqueue_stale(self, stale_s: float) -> int:
        """New outbox rows for jobs that nobody has been heard of for ``stale_s``; how many."""
        return self._execute("enqueue_stale", stale_s=stale_s, limit=ENQUEUE_LIMIT).rowcount

    def enqueue_missing(self, job_id: str) -> int:
        return self._execute("enqueue_missing", job_id=job_id).rowcount

    def is_visible(self, job_id: str) -> bool:
        row = self._execute("is_visible", job_id=job_id).fetchone()
        return bool(row and row["visible"])

    def lacks(self) -> list[rights.Lack]:
        """What this login may not do and should."""
        return rights.lacking(self.connection.execute, rights.PUBLISHER)

    def _execute(self, name: str, **values: Any) -> psycopg.Cursor[dict[str, Any]]:
        return self.connection.execute(queries()[name], values or None)


def _row(found: Mapping[str, Any]) -> Row:
    return Row(
        outbox_id=found["outbox_id"],
        job_id=str(found["job_id"]),
        user_id=str(found["user_id"]),
        workspace_id=str(found["workspace_id"]),
        job_type=found["job_type"],
        runtime_profile=found["runtime_profile"],
        template_version=found["template_version"],
        period=found["period"],
        requested_at=found["requested_at"],
        status=found["status"],
        from_stage=found["from_stage"],
        replay_id=str(found["replay_id"]) if found["replay_id"] else None,
        reason=found["replay_reason"],
        traceparent=found["traceparent"],
    )
