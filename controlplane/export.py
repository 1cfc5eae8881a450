"""
One batch of a user's rows, read by a role that owns nothing, in a READ ONLY transaction bound to that user.

Reads    the memory_export views, in the order (change time, id), tombstones merged in.
Writes   nothing; the database would refuse.
Repeats  safely: the same cursor returns the rows after it again.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

import psycopg
from psycopg.rows import DictRow, tuple_row

import manifests
from contract import canonical
from contract.api import TERMINAL, BatchRequest
from contract.manifest import SourceEntry
from controlplane import cursors, export_sql
from controlplane.cursors import Position
from controlplane.db import Pool, Row, translated
from controlplane.errors import ApiFault, invalid
from controlplane.jobs import check_token, terminal
from controlplane.tokens import EXPORT, JobClaims
from controlplane.values import Notes, plain

#: A page ends early at this many bytes of records, so that a response never fills a small instance's memory.
PAGE_BYTES: Final = 8 * 1024 * 1024
#: A larger record is left out: no response may exceed what a consumer reads (64 MiB).
MAX_RECORD_BYTES: Final = 32 * 1024 * 1024
#: The longest record id (contract/records.py).
MAX_ID_CHARS: Final = 1024
#: Rows fetched from the server at a time.
FETCH_ROWS: Final = 64
STATEMENT_TIMEOUT_MS: Final = 30_000


@dataclass
class ExportBatch:
    """The records gathered for one batch. It is full when ``room`` or ``bytes_left`` runs out."""

    room: int
    bytes_left: int
    records: list[dict[str, Any]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    sizes: Counter[str] = field(default_factory=Counter)
    redactions: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    #: Rows that cannot be sent, each with its reason.
    refused: list[dict[str, Any]] = field(default_factory=list)

    @property
    def full(self) -> bool:
        return self.room <= 0 or self.bytes_left <= 0

    def add(self, record: dict[str, Any], size: int, notes: Notes) -> None:
        key = record["source_key"]
        self.records.append(record)
        self.room -= 1
        self.bytes_left -= size
        self.counts[key] += 1
        self.sizes[key] += size
        for (column, reason), count in notes.counts.items():
            self.redactions[key, column, reason] += count

    def refuse(self, source_key: str, record_id: str, reason: str) -> None:
        """Leave out one row. It takes room like any other, so that a page of such rows ends too."""
        self.room -= 1
        self.refused.append({"source_key": source_key, "record_id": record_id[:MAX_ID_CHARS], "reason": reason})

    def reply(self, positions: Mapping[str, Position], *, has_more: bool) -> dict[str, Any]:
        return {
            "records": self.records,
            "next_cursor": cursors.to_wire(positions),
            "source_counts": dict(self.counts),
            "source_bytes": dict(self.sizes),
            "has_more": has_more,
            "redactions": _redactions(self.redactions),
            "refused": self.refused,
        }


@dataclass(frozen=True, slots=True)
class Exporter:
    """``pool`` connects as memory_export_reader, which may select from the views of memory_export and nothing else."""

    pool: Pool
    page_bytes: int = PAGE_BYTES

    def batch(self, row: Row, claims: JobClaims, request: BatchRequest) -> dict[str, Any]:
        """One page in the shape of BatchResponse. ``row``: the job's row, just read.

        Raises ApiFault 403 scope_missing, source_not_allowed; 409 job_terminal, job_not_running, attempt_stale (also
        where the account was deleted); 422.
        """
        entries = _allowed(claims, request)
        _require_running(row, claims)
        with translated(), self._bound(claims) as connection:
            if request.mode == "inventory":
                return _inventory(connection, claims)
            return self._page(connection, claims, request, entries)

    def _page(
        self,
        connection: psycopg.Connection[DictRow],
        claims: JobClaims,
        request: BatchRequest,
        entries: Sequence[SourceEntry],
    ) -> dict[str, Any]:
        positions = _opened(connection, request, cursors.parse(request.cursor), entries)
        page = ExportBatch(request.limit, self.page_bytes)
        for entry in entries:
            key = entry.source_key
            if page.full:
                break
            if not positions[key].done:
                positions[key] = _fill(connection, entry, claims.user_id, positions[key], page)
        has_more = any(not positions[e.source_key].done for e in entries)
        return page.reply(positions, has_more=has_more)

    @contextmanager
    def _bound(self, claims: JobClaims) -> Iterator[psycopg.Connection[DictRow]]:
        """A READ ONLY transaction of the reader role, bound by the database to the user of this token's job."""
        with self.pool.connection() as connection, connection.transaction(force_rollback=True):
            connection.execute(export_sql.begin(STATEMENT_TIMEOUT_MS))
            try:
                connection.execute(export_sql.BIND, {"job": claims.job_id, "jti": claims.jti})
            except psycopg.errors.InsufficientPrivilege as exc:
                # Never issued, or the job's row changed since it was read: asking for a new token shows which.
                raise ApiFault(
                    401, "token_unknown", f"job {claims.job_id}: this token is no longer valid, or was never issued"
                ) from exc
            yield connection


def _allowed(claims: JobClaims, request: BatchRequest) -> list[SourceEntry]:
    claims.require(EXPORT, claims.job_id)
    keys = list(dict.fromkeys(request.source_keys))
    if not keys and request.mode != "inventory":
        raise invalid("source_keys is empty", hint="Name at least one source.")
    if refused := sorted(set(keys) - claims.allowed_sources):
        raise ApiFault(403, "source_not_allowed", f"job {claims.job_id} may not read: {', '.join(refused)}")
    manifest = manifests.export_manifest()
    return [manifest.source(key) for key in keys]


def _require_running(row: Row, claims: JobClaims) -> None:
    if row["status"] in TERMINAL:
        raise terminal(row)
    check_token(row, claims)
    if row["account_deleted"]:
        # Refusing the token would make a dead letter. Instead this attempt ends, and the next one is cancelled.
        message = f"job {claims.job_id}: the user's account was deleted, so nothing more is exported"
        raise ApiFault(409, "attempt_stale", message, hint="Stop the job; completing it is still allowed.")
    if row["status"] != "running":
        raise ApiFault(409, "job_not_running", f"job {claims.job_id} is {row['status']}, not running")


def _opened(
    connection: psycopg.Connection[DictRow],
    request: BatchRequest,
    positions: dict[str, Position],
    entries: Sequence[SourceEntry],
) -> dict[str, Position]:
    """Positions, with a new round opened in every requested source that needs one."""
    keys = [e.source_key for e in entries]
    open_round = cursors.in_round(positions, keys)
    starting = [k for k in keys if cursors.needs_start(request.mode, positions.get(k), open_round=open_round)]
    if not starting:
        return positions
    # Read before any row: rows that a later statement cannot see yet will have a change time after this horizon.
    horizon = str(_scalar(connection, export_sql.HORIZON, {}))
    overlap_s = manifests.export_manifest().overlap_s
    for key in starting:
        before = positions.get(key)
        at = None
        if before and before.last:
            since = {"last": before.last, "horizon": before.horizon, "overlap_s": overlap_s}
            at = str(_scalar(connection, export_sql.ROUND_START, since))
        positions[key] = Position(horizon=horizon, at=at, last=before.last if before else None)
    return positions


def _fill(
    connection: psycopg.Connection[DictRow], entry: SourceEntry, user_id: str, position: Position, page: ExportBatch
) -> Position:
    """Add rows after ``position`` until the page is full or the source ends."""
    values = {"at": position.at, "id": position.record_id, "key": entry.source_key, "limit": page.room + 1}
    with (
        connection.cursor(name="live", row_factory=tuple_row) as live,
        connection.cursor(row_factory=tuple_row) as dead,
    ):
        export_sql.configure(live)
        live.itersize = FETCH_ROWS
        live.execute(export_sql.live(entry, from_start=position.at is None), values)
        dead.execute(export_sql.tombstones(entry, from_start=position.at is None), values)
        for source_row in heapq.merge(live, dead, key=lambda r: (r[export_sql.CHANGED], r[export_sql.ID])):
            if page.full:
                return position
            _add(page, entry, user_id, source_row)
            position = position.moved(source_row[export_sql.CURSOR], source_row[export_sql.ID])
    return Position(position.horizon, position.at, position.record_id, position.last, done=True)


def _add(page: ExportBatch, entry: SourceEntry, user_id: str, source_row: tuple[Any, ...]) -> None:
    if source_row[export_sql.USER] != user_id:
        # The view filters by user. If it ever fails to, nothing may be sent.
        raise ApiFault(500, "tenant_mismatch", f"{entry.view} returned a row of another user")
    record_id = source_row[export_sql.ID]
    if not 0 < len(record_id) <= MAX_ID_CHARS:
        page.refuse(entry.source_key, record_id, "record_id: length")
        return
    notes = Notes()
    deleted = bool(source_row[export_sql.DELETED])
    try:
        data = None if deleted else _data(entry, source_row, notes)
        body = canonical.dumps(data)
    except (ValueError, TypeError, ArithmeticError, RecursionError) as exc:
        # A row that cannot become JSON must not hold back all the others.
        page.refuse(entry.source_key, record_id, f"data: {type(exc).__name__}")
        return
    if len(body) > MAX_RECORD_BYTES:
        page.refuse(entry.source_key, record_id, f"data: {len(body):,} bytes")
        return
    record = {
        "source_key": entry.source_key,
        "record_id": record_id,
        "record_type": entry.record_type,
        "user_id": user_id,
        "occurred_at": source_row[export_sql.OCCURRED],
        "updated_at": source_row[export_sql.CHANGED],
        "deleted": deleted,
        "data": data,
        "checksum": "sha256:" + canonical.sha256_hex(body),
    }
    page.add(record, len(body), notes)


def _data(entry: SourceEntry, source_row: tuple[Any, ...], notes: Notes) -> dict[str, Any]:
    fields = islice(source_row, export_sql.FIRST_FIELD, None)
    return {name: plain(value, name, notes) for name, value in zip(entry.include_fields, fields, strict=True)}


def _inventory(connection: psycopg.Connection[DictRow], claims: JobClaims) -> dict[str, Any]:
    """Rows and bytes of every allowed source, and the number of values in each field that is left out."""
    page = ExportBatch(0, 0)
    for entry in manifests.export_manifest().sources:
        if entry.source_key not in claims.allowed_sources:
            continue
        with connection.cursor(row_factory=tuple_row) as cursor:
            row = cursor.execute(export_sql.inventory(entry)).fetchone()
        assert row is not None
        page.counts[entry.source_key], page.sizes[entry.source_key] = int(row[0]), int(row[1])
        for name in entry.exclude_fields if row[0] else ():
            page.redactions[entry.source_key, name, "excluded"] = int(row[0])
    return page.reply({}, has_more=False) | {"next_cursor": {}}


def _redactions(counts: Mapping[tuple[str, str, str], int]) -> list[dict[str, Any]]:
    return [
        {"source_key": key, "field": column, "reason": reason, "count": count}
        for (key, column, reason), count in sorted(counts.items())
    ]


def _scalar(connection: psycopg.Connection[DictRow], query: bytes, values: Mapping[str, Any]) -> Any:
    with connection.cursor(row_factory=tuple_row) as cursor:
        row = cursor.execute(query, values).fetchone()
    assert row is not None
    return row[0]
