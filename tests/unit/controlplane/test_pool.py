"""How the control plane connects to its database: what a connection asks for, and whom it trusts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controlplane import db
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
