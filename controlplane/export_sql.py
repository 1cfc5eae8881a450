"""The export's statements, composed from the manifest's names as identifiers, and how its types load."""

from __future__ import annotations

import re
from typing import Any, Final

import psycopg
from psycopg import sql
from psycopg.adapt import Buffer, Loader

from contract.manifest import SourceEntry
from controlplane.values import load_json

#: Column positions in a row of `live` and `tombstones`.
ID, USER, OCCURRED, CHANGED, CURSOR, DELETED, FIRST_FIELD = range(7)
BIND: Final = b"select memory_export.bind(%(job)s, %(jti)s)"
HORIZON: Final = b"select memory_export.horizon()::text"
ROUND_START: Final = (
    b"select (least(%(last)s::timestamptz, %(horizon)s::timestamptz) - make_interval(secs => %(overlap_s)s))::text"
)
_AFTER: Final = sql.SQL(
    'and changed_at >= %(at)s::timestamptz and (changed_at > %(at)s::timestamptz or record_id collate "C" > %(id)s)'
)
_ORDER: Final = sql.SQL('order by changed_at, record_id collate "C" limit %(limit)s')
_ENVELOPE: Final = "record_id, user_id, occurred_at, changed_at, changed_at::text as cursor_at, false, {fields}"
_PLAIN: Final = sql.SQL(f"select {_ENVELOPE} from {{view}} where true {{after}} {{order}}")
_GATHERED: Final = sql.SQL(
    "with page as materialized (select record_id, changed_at from {view} where true {after} {order})"
    f" select {_ENVELOPE} from {{view}} where record_id = any(array(select record_id from page))"
    ' order by changed_at, record_id collate "C"'
)
#: PostgreSQL's text of a time in UTC; years beyond four digits, BC and infinity have no RFC 3339 form.
_MOMENT: Final = re.compile(r"^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?\+00$")
LAST_MOMENT: Final = "9999-12-31T23:59:59.999999Z"
FIRST_MOMENT: Final = "0001-01-01T00:00:00.000000Z"


def live(entry: SourceEntry, *, from_start: bool) -> sql.Composed:
    """Rows after (at, id): envelope, raw change time for the cursor, then include_fields in the manifest's order."""
    after = sql.SQL("") if from_start else _AFTER
    fields = sql.SQL(", ").join(sql.Identifier(name) for name in entry.include_fields)
    return (_GATHERED if gathers(entry) else _PLAIN).format(fields=fields, view=_view(entry), after=after, order=_ORDER)


def gathers(entry: SourceEntry) -> bool:
    """Whether the view aggregates a second table. Then a page's keys are selected first, and only those aggregated."""
    return " + " in entry.table_or_wrapper


def tombstones(entry: SourceEntry, *, from_start: bool) -> sql.Composed:
    """Ids deleted after (at, id) that do not exist again."""
    return sql.SQL(
        "select record_id, user_id::text, null, memory_export.utc(changed_at), changed_at::text as cursor_at, true"
        " from memory_export.tombstones gone where source_key = %(key)s {after}"
        " and not exists (select from {view} v where v.record_id = gone.record_id) {order}"
    ).format(view=_view(entry), after=sql.SQL("") if from_start else _AFTER, order=_ORDER)


def inventory(entry: SourceEntry) -> sql.Composed:
    """The number of rows, and their approximate size as JSON in bytes."""
    return sql.SQL(
        "select count(*), coalesce(sum(octet_length(row_to_json(v)::text)), 0) from (select {fields} from {view}) v"
    ).format(fields=sql.SQL(", ").join(sql.Identifier(name) for name in entry.include_fields), view=_view(entry))


def begin(timeout_ms: int) -> sql.Composed:
    """The first statements of each export transaction: read only, with a timeout, no hidden rows, index order.

    With `row_security` off a statement fails where row level security would hide rows, which would otherwise count as
    deleted. Without the last two settings the planner, expecting few rows, reads and sorts all of a user's rows for
    each page.
    """
    return sql.SQL(
        "set transaction read only; set local statement_timeout = {timeout}; set local row_security = off;"
        " set local enable_bitmapscan = off; set local enable_sort = off"
    ).format(timeout=sql.Literal(timeout_ms))


def configure(cursor: psycopg.ServerCursor[Any]) -> None:
    """Load times as RFC 3339, JSON with every digit, ids and addresses as text; all in text format."""
    for name in ("json", "jsonb"):
        cursor.adapters.register_loader(name, _JsonText)
    for name in ("uuid", "date", "time", "timetz", "timestamp", "interval", "inet", "cidr"):
        cursor.adapters.register_loader(name, _PlainText)
    cursor.adapters.register_loader("timestamptz", _Moment)


def moment(text: str) -> str:
    """PostgreSQL's timestamptz text -> RFC 3339 with microseconds; years outside its range are clamped."""
    match = _MOMENT.match(text)
    if match:
        day, clock, fraction = match.groups(default="")
        return f"{day}T{clock}.{fraction:0<6}Z"
    return FIRST_MOMENT if text.startswith("-") or text.endswith("BC") else LAST_MOMENT


class _PlainText(Loader):
    def load(self, data: Buffer) -> str:
        return bytes(data).decode()


class _Moment(Loader):
    def load(self, data: Buffer) -> str:
        return moment(bytes(data).decode())


class _JsonText(Loader):
    def load(self, data: Buffer) -> Any:
        return load_json(bytes(data))


def _view(entry: SourceEntry) -> sql.Identifier:
    return sql.Identifier(*entry.view.split("."))
