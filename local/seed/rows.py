"""Rows on their way into the app's tables: ids, times and columns that depend on the user and the day alone."""

from __future__ import annotations

import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

Row = dict[str, Any]
_NAMESPACE = uuid.UUID("2b0f8c51-52a6-5f6e-8a57-0d2e64e0a1c7")
#: Columns that are jsonb although their value here may be a plain list; others of type list are arrays.
_ARRAYS = frozenset({"emails", "phones", "tags", "scopes"})


def stable_id(*parts: object) -> str:
    """A UUID that is the same in every run."""
    return str(uuid.uuid5(_NAMESPACE, "/".join(str(part) for part in parts)))


@dataclass(slots=True)
class Rows:
    """The rows of one user, by table, in the order they are to be inserted."""

    user_id: str
    today: date
    zone: ZoneInfo
    tables: dict[str, list[Row]] = field(default_factory=dict)

    def at(self, days_ago: int, hour: int = 9, minute: int = 0) -> datetime:
        """A local time of day, so many days before today, in UTC."""
        local = datetime.combine(self.day(days_ago), time(hour, minute), self.zone)
        return local.astimezone(UTC)

    def day(self, days_ago: int) -> date:
        return self.today - timedelta(days=days_ago)

    def random(self, purpose: str) -> random.Random:
        """Its own sequence for each purpose, so that adding rows to one table moves no other."""
        return random.Random(f"{self.user_id}/{purpose}")

    def id(self, kind: str, key: object) -> str:
        return stable_id(self.user_id, kind, key)

    def add(self, table: str, when: datetime, *, changed: datetime | None = None, **columns: Any) -> None:
        """One row, written at ``when`` and last changed then or at ``changed``."""
        row: Row = {"user_id": self.user_id, **columns, "created_at": when}
        if table not in APPEND_ONLY:
            row["updated_at"] = changed or when
        self.tables.setdefault(table, []).append(row)

    def count(self) -> int:
        return sum(len(rows) for rows in self.tables.values())


#: Tables whose rows are referred to by rows of other tables.
_NAMED_BY_OTHERS = frozenset(
    {
        *("public.checklists", "public.checklist_containers", "public.connections", "public.chat_sessions"),
        *("social.contacts", "social.activity_events"),
    }
)
#: Logs that have no updated_at.
APPEND_ONLY = frozenset(
    {"public.heartbeat_poll_log", "public.checklist_action_log", "msg.delivery_log", "msg.message_events"}
)


def insert(connection: psycopg.Connection[Any], tables: Mapping[str, list[Row]]) -> None:
    """Insert every row, table by table, first those that others refer to. Rows of one table may differ in columns."""
    with connection.cursor() as cursor:
        for table in sorted(tables, key=lambda table: table not in _NAMED_BY_OTHERS):
            rows = tables[table]
            by_columns: dict[tuple[str, ...], list[Row]] = {}
            for row in rows:
                by_columns.setdefault(tuple(row), []).append(row)
            for columns, alike in by_columns.items():
                with cursor.copy(_statement(table, columns)) as copy:
                    for row in alike:
                        copy.write_row(_values(row))


def _statement(table: str, columns: tuple[str, ...]) -> sql.Composed:
    return sql.SQL("copy {} ({}) from stdin").format(
        sql.Identifier(*table.split(".")), sql.SQL(", ").join(map(sql.Identifier, columns))
    )


def _values(row: Row) -> list[Any]:
    return [
        Jsonb(value) if isinstance(value, dict | list) and name not in _ARRAYS else value for name, value in row.items()
    ]
