"""The outbox in PostgreSQL: waiting, published and due rows. One statement per method."""

from __future__ import annotations

import os
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import psycopg
from psycopg.rows import dict_row

from contract import dsn, rights
from publisher.batch import Row

#: Any constant unused in this database: only one relay publishes at a time, so that a user's order holds.
ADVISORY_LOCK: Final = 0x6F7574626F78
#: A statement without an answer for that long: the connection is half open, and is cut.
STATEMENT_S: Final = 10.0
#: The most rows that are enqueued again at a time; the next poll takes the rest.
ENQUEUE_LIMIT: Final = 10_000


@cache
def queries() -> Mapping[str, bytes]:
    """queries.sql by name."""
    text = resources.files("publisher").joinpath("queries.sql").read_text(encoding="utf-8")
    parts = re.split(r"^-- name: (\w+)\n", text, flags=re.MULTILINE)[1:]
    return {name: body.strip().rstrip(";").encode() for name, body in zip(parts[::2], parts[1::2], strict=True)}


def connect(url: str, ca: str | None = None) -> psycopg.Connection[dict[str, Any]]:
    """Open a dedicated session: advisory lock and LISTEN last as long as it, so a transaction pooler does not work.

    ``ca``: path of the CA certificates to trust.
    """
    return psycopg.connect(
        url,
        **dsn.parse(url).options(ca),
        autocommit=True,
        row_factory=dict_row,
        application_name="cloop-memory-publisher",
    )


@contextmanager
def within(connection: psycopg.Connection[Any], seconds: float) -> Iterator[None]:
    """Cut the connection if the block takes longer: no limit of the server helps where its answer cannot arrive."""
    timer = threading.Timer(seconds, _cut, (connection,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _cut(connection: psycopg.Connection[Any]) -> None:
    """End the connection's waits from another thread."""
    with suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(connection.fileno())) as shared:
        shared.shutdown(socket.SHUT_RDWR)


def pools_transactions(connect: Callable[[], Outbox]) -> bool:
    """Whether sessions of these connections share a server's session, as behind a transaction pooler: LISTEN and the
    lead would end with each transaction, or belong to another client. Raises psycopg.Error.
    """
    with connect().connection as first, connect().connection as second, within(first, STATEMENT_S):
        before = _backend(first)
        with within(second, STATEMENT_S), second.transaction():
            return _backend(second) == before or _backend(first) != before


def _backend(connection: psycopg.Connection[dict[str, Any]]) -> int:
    row = connection.execute("select pg_backend_pid() as pid").fetchone()
    assert row is not None
    return int(row["pid"])


@dataclass
class Outbox:
    """Uses one connection in autocommit. Every method raises psycopg.Error when the database is unreachable, or has not
    answered for ``statement_s`` seconds.
    """

    connection: psycopg.Connection[dict[str, Any]]
    statement_s: float = STATEMENT_S

    def try_lead(self) -> bool:
        """Whether this session now leads; it leads until it ends, or until the server has not heard of it for ten
        seconds (``beat``): a relay whose connection is half open must not keep the lead.
        """
        row = self._execute("try_lead", lock=ADVISORY_LOCK).fetchone()
        if not (row and row["leads"]):
            return False
        self._execute("bound_session")
        return True

    def beat(self) -> None:
        """Tell the server that this session lives."""
        self._execute("beat")

    def listen(self) -> None:
        self._execute("listen")

    def wait(self, timeout_s: float) -> bool:
        """True when another session wrote to the outbox, or nudged, within that time."""
        # The table's trigger also notifies of this session's own rows; the caller reads those right away.
        own = self.connection.info.backend_pid
        if not any(notice.pid != own for notice in self.connection.notifies(timeout=timeout_s, stop_after=1)):
            return False
        for _ in self.connection.notifies(timeout=0):
            pass  # one read of the outbox serves all of them
        return True

    def nudge(self) -> None:
        """Wake the leading relay."""
        self._execute("nudge")

    def waiting(self, limit: int) -> list[Row]:
        """Unpublished rows in outbox order, each with its job's current state."""
        return [_row(fields) for fields in self._execute("waiting", limit=limit)]

    def mark(self, published: Mapping[int, str | None], jobs: Sequence[str], failed: Sequence[int]) -> None:
        """Record a batch's result: outbox id -> message id (None: nothing to publish)."""
        with within(self.connection, self.statement_s), self.connection.transaction():
            if published:
                self._execute("mark_published", outbox_ids=list(published), message_ids=list(published.values()))
                self._execute("mark_jobs", job_ids=list(jobs))
            if failed:
                self._execute("mark_failed", outbox_ids=list(failed))

    def enqueue_due(self) -> int:
        """Add outbox rows for due retries; returns the number."""
        return self._execute("enqueue_due", limit=ENQUEUE_LIMIT).rowcount

    def enqueue_stale(self, stale_s: float) -> int:
        """Add outbox rows for jobs that nobody works on and no message carries; returns the number. ``stale_s``: the
        silence of a running job; a queued one may be silent for 20 times as long after its message.
        """
        return self._execute("enqueue_stale", stale_s=stale_s, limit=ENQUEUE_LIMIT).rowcount

    def enqueue_missing(self, job_id: str) -> int:
        return self._execute("enqueue_missing", job_id=job_id).rowcount

    def is_visible(self, job_id: str) -> bool:
        row = self._execute("is_visible", job_id=job_id).fetchone()
        return bool(row and row["visible"])

    def lacks(self) -> list[rights.Lack]:
        """The rights that this login lacks."""
        with within(self.connection, self.statement_s):
            return rights.lacking(self.connection.execute, rights.PUBLISHER)

    def _execute(self, name: str, **values: Any) -> psycopg.Cursor[dict[str, Any]]:
        with within(self.connection, self.statement_s):
            return self.connection.execute(queries()[name], values or None)


def _row(fields: Mapping[str, Any]) -> Row:
    return Row(
        outbox_id=fields["outbox_id"],
        job_id=str(fields["job_id"]),
        user_id=str(fields["user_id"]),
        workspace_id=str(fields["workspace_id"]),
        job_type=fields["job_type"],
        runtime_profile=fields["runtime_profile"],
        template_version=fields["template_version"],
        period=fields["period"],
        requested_at=fields["requested_at"],
        status=fields["status"],
        from_stage=fields["from_stage"],
        replay_id=str(fields["replay_id"]) if fields["replay_id"] else None,
        reason=fields["replay_reason"],
        traceparent=fields["traceparent"],
    )
