"""A double of the database: a test says what each query finds, and sees what the service changed.

It knows the queries by name and refuses one that does not exist or lacks a value, as the database would. What the
queries do is for the tests with PostgreSQL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, cast

from psycopg.types.json import Jsonb

from controlplane.db import Database, Row, Tx, queries

#: What queries that always have a row find where nothing is.
NOTHING: Final = {
    "count_corrections": {"corrections": 0},
    "claims_of_job": {"claims": 0},
    "was_replayed": {"known": False},
    "was_discarded": {"known": False},
}


@cache
def _parameters(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"%\((\w+)\)s", queries()[name].decode()))


def _plain(value: Any) -> Any:
    return value.obj if isinstance(value, Jsonb) else value


class Scripted:
    """``finds``: query -> a row, a list of rows, None, or for ``run`` the number of rows; or what makes that from the
    query's values. A query that is not named finds nothing, and a ``run`` of it changes one row.

    ``ran``: the queries that ran in transactions that stand, with their values. ``failed``: those of rolled back ones.
    """

    def __init__(self, **finds: Any) -> None:
        self.finds = {**NOTHING, **finds}
        self.ran: list[tuple[str, dict[str, Any]]] = []
        self.failed: list[tuple[str, dict[str, Any]]] = []
        self._open: list[tuple[str, dict[str, Any]]] = []

    @property
    def database(self) -> Database:
        return cast(Database, self)

    @contextmanager
    def transaction(self) -> Iterator[Scripted]:
        assert not self._open, "a transaction within another one"
        try:
            yield self
        except BaseException:
            self.failed += self._open
            raise
        else:
            self.ran += self._open
        finally:
            self._open = []

    def rows(self, name: str, **values: Any) -> list[Row]:
        found_rows = self._find(name, values, None)
        if found_rows is None:
            return []
        return [dict(found_rows)] if isinstance(found_rows, Mapping) else [dict(row) for row in found_rows]

    def row(self, name: str, **values: Any) -> Row | None:
        rows = self.rows(name, **values)
        return rows[0] if rows else None

    def only(self, name: str, **values: Any) -> Row:
        return Tx.only(cast(Tx, self), name, **values)

    def audit(self, *line: Any, **details: Any) -> None:
        Tx.audit(cast(Tx, self), *line, **details)

    def run(self, name: str, **values: Any) -> int:
        return int(self._find(name, values, 1))

    def run_many(self, name: str, values: list[dict[str, Any]]) -> int:
        return sum(self.run(name, **each) for each in values)

    def _find(self, name: str, values: Mapping[str, Any], default: Any) -> Any:
        missing = _parameters(name) - set(values)
        assert not missing, f"{name} lacks {', '.join(sorted(missing))}"
        plain = {key: _plain(value) for key, value in values.items()}
        self._open.append((name, plain))
        answer = self.finds.get(name, default)
        return answer(plain) if callable(answer) else answer

    def values(self, name: str) -> list[dict[str, Any]]:
        """The values of each run of a query."""
        return [values for query, values in self.ran if query == name]

    def changes(self, *names: str) -> list[str]:
        """Which of these queries ran, in their order."""
        return [query for query, _ in self.ran if query in names]

    def audits(self) -> list[tuple[str, str, Any]]:
        """(actor, action, details) of each line of the audit."""
        return [(line["actor"], line["action"], line["details"]) for line in self.values("audit")]
