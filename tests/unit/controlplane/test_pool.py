"""How the control plane connects to its database: what it asks for, whom it trusts, and what a refusal becomes."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest
from psycopg_pool import PoolTimeout, TooManyRequests

from controlplane import db
from controlplane.errors import ApiFault
from service.databases import certificates
from tests.tables import table

UTC = "-c timezone=UTC -c datestyle=ISO,YMD"
PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"


@table(
    "url, options",
    [
        ("postgresql://a.b:c@db.example.org:5432/x", UTC),
        ("postgresql://a.b:c@db.example.org/x", UTC),
        # A pooler of transactions takes no start-up options: there, the login sets them.
        ("postgresql://a.b:c@db.example.org:6543/x", None),
    ],
)
def test_a_connection_asks_for_utc_where_it_may(url: str, options: str | None) -> None:
    opened: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(db, "ConnectionPool", _Recorder(opened))
        db.open_pool(url, size=3)
    assert opened["kwargs"].get("options") == options
    assert (opened["min_size"], opened["max_size"], opened["timeout"]) == (1, 3, db.POOL_WAIT_S)


class _Recorder:
    """Stands for the class of pools, and opens none."""

    def __init__(self, opened: dict[str, Any]) -> None:
        self.opened = opened

    def __call__(self, _url: str, **options: Any) -> None:
        self.opened.update(options)


@table("value", [None, "", "/etc/ca.pem", "CERTIFICATE-----BEGIN "])
def test_a_path_of_certificates_stays_as_it_is(value: str | None) -> None:
    assert certificates(value) == value


def test_certificates_as_text_become_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = certificates(PEM)
    assert path is not None
    assert Path(path).read_text() == f"{PEM}\n"


@table(
    ("error", "status", "code", "is_retryable"),
    [
        (PoolTimeout(), 503, "database_busy", True),
        (TooManyRequests(), 503, "database_busy", True),
        (psycopg.errors.SerializationFailure(), 503, "database_busy", True),
        (psycopg.errors.DeadlockDetected(), 503, "database_busy", True),
        (psycopg.errors.QueryCanceled(), 503, "database_timeout", True),
        (psycopg.OperationalError(), 503, "database_unavailable", True),
        (psycopg.errors.CheckViolation(), 409, "transition_refused", False),
        (psycopg.errors.UniqueViolation(), 409, "conflict", False),
        (psycopg.errors.NumericValueOutOfRange(), 422, "invalid_request", False),
    ],
)
def test_what_the_database_refuses_becomes_an_answer_without_its_text(
    error: Exception, status: int, code: str, is_retryable: bool
) -> None:
    error.args = ("Key (email)=(ann@x.example) already exists",)
    with pytest.raises(ApiFault) as caught, db.translated():
        raise error
    assert (caught.value.status, caught.value.code, caught.value.retryable) == (status, code, is_retryable)
    assert "ann@" not in str(caught.value)


class _Connection:
    """Answers every query with ``rows``."""

    def __init__(self, *rows: dict[str, Any]) -> None:
        self.rows = rows
        self.asked: list[tuple[Any, Any]] = []
        self.rowcount = len(rows)
        self.rolled_back = 0

    def execute(self, query: Any, values: Any = None) -> _Connection:
        self.asked.append((query, values))
        return self

    def executemany(self, query: Any, values: Any) -> None:
        self.asked += [(query, each) for each in values]

    def fetchone(self) -> Any:
        return self.rows[0] if self.rows else None

    def fetchall(self) -> list[Any]:
        return list(self.rows)

    def rollback(self) -> None:
        self.rolled_back += 1

    def cursor(self) -> _Connection:
        return self

    def __enter__(self) -> _Connection:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""


@table(
    ("state", "refusal"),
    [
        ({"zone": "UTC", "style": "ISO, YMD", "is_replica": False}, ""),
        ({"zone": "UTC", "style": "ISO, YMD", "is_replica": True}, "read replica"),
        ({"zone": "Europe/Berlin", "style": "ISO, YMD", "is_replica": False}, "time zone"),
        ({"zone": "UTC", "style": "German, DMY", "is_replica": False}, "time zone"),
        (None, "time zone"),
    ],
)
def test_only_a_primary_in_utc_is_handed_out(state: dict[str, Any] | None, refusal: str) -> None:
    connection = _Connection(*([state] if state else []))
    with pytest.raises(psycopg.OperationalError, match=refusal) if refusal else nullcontext():
        db._require_primary_in_utc(cast(Any, connection))
    assert connection.rolled_back == 1, "the pool takes no connection back within a transaction"


def test_a_transaction_runs_queries_by_their_names() -> None:
    connection, nobody = _Connection({"id": 1}, {"id": 2}), _Connection()
    tx, query = db.Tx(cast(Any, connection)), db.queries()["read_job"]
    assert tx.rows("read_job", job_id=5) == [{"id": 1}, {"id": 2}]
    assert tx.row("read_job", job_id=5) == tx.only("read_job", job_id=5) == {"id": 1}
    assert tx.run("read_job", job_id=5) == 2
    assert connection.asked == [(query, {"job_id": 5})] * 4
    assert tx.run_many("read_job", [{"job_id": 6}, {"job_id": 7}]) == 2
    assert connection.asked[4:] == [(query, {"job_id": 6}), (query, {"job_id": 7})]
    empty = db.Tx(cast(Any, nobody))
    assert (empty.row("read_job", job_id=5), empty.run_many("read_job", []), len(nobody.asked)) == (None, 0, 1)
