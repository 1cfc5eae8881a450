"""A database's address: TLS unless it stays on the machine, poolers by their facts, faults without the password."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract import dsn
from contract.environment import given
from service.databases import certificates
from tests.tables import table

REF = "abcdefghijklmnopqrst"
ALWAYS = {"prepare_threshold": None, **dsn.PATIENCE}
SESSION = f"postgresql://memory_relay.{REF}:p%40ss@aws-0-us-east-1.pooler.supabase.com:5432/postgres"
TRANSACTION = SESSION.replace("5432", "6543")
DIRECT = f"postgresql://memory_relay:p@db.{REF}.supabase.co:5432/postgres"


@table(
    "url",
    [
        "postgresql://memory@127.0.0.1:5432/x",
        "postgresql://memory@localhost/x",
        "postgresql://memory@[::1]:5432/x",
        "postgresql:///x?host=/run/postgresql",
        "postgresql://memory@/x",
        "host=db dbname=x",
    ],
)
def test_on_this_machine_nothing_is_added(url: str) -> None:
    assert dsn.parse(url).options() == ALWAYS


def test_elsewhere_the_servers_name_is_checked_unless_the_address_says_otherwise() -> None:
    assert dsn.parse(SESSION).options("/ca.pem") == ALWAYS | {"sslmode": "verify-full", "sslrootcert": "/ca.pem"}
    assert dsn.parse("postgresql://memory@db/x").options() == ALWAYS | {"sslmode": "verify-full"}
    assert dsn.parse("postgresql://memory@db/x?sslmode=require").options() == ALWAYS


@pytest.mark.parametrize("url", [TRANSACTION, DIRECT.replace("5432", "6543"), "postgresql://m@10.0.0.1:6543/x"])
def test_behind_a_transaction_pooler_no_statement_is_prepared(url: str) -> None:
    assert dsn.parse(url).pools_transactions
    assert dsn.parse(url).options()["prepare_threshold"] is None
    assert dsn.checked(url, session=False) == url
    with pytest.raises(ValueError, match="session pooler"):
        dsn.checked(url, session=True)


def test_a_session_pooler_and_the_database_itself_serve_both() -> None:
    for url in (SESSION, DIRECT):
        assert dsn.parse(url).options()["prepare_threshold"] is None, "a pooler may listen at any port"
        assert dsn.checked(url, session=True) == url


def test_the_shared_pooler_wants_the_project_in_the_logins_name() -> None:
    with pytest.raises(ValueError, match=r"<role>\.<project ref>"):
        dsn.checked(SESSION.replace(f".{REF}", ""), session=False)
    assert "<role>.<project ref>" in dsn.parse(SESSION).hint()
    assert "IPv6" in dsn.parse(DIRECT).hint()
    assert dsn.parse("postgresql://memory@db/x").hint() == ""


@pytest.mark.parametrize("url", ["mysql://me:s3cret@db/x", "postgresql://me:s3c/ret@db:5432/x", "https://db"])
def test_what_is_no_address_is_told_without_its_parts(url: str) -> None:
    with pytest.raises(ValueError, match="must") as raised:
        dsn.checked(url, session=False)
    assert "s3c" not in str(raised.value)


def test_what_was_pasted_with_a_newline_is_read_without() -> None:
    assert given({"DATABASE_URL": " postgresql://m@db/postgres\r\n"}, "DATABASE_URL") == "postgresql://m@db/postgres"
    assert given({}, "DATABASE_URL") == ""


def test_certificates_come_as_text_or_as_a_path() -> None:
    assert certificates(None) is None
    assert certificates("/secrets/ca.pem") == "/secrets/ca.pem"
    pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----"
    path = Path(certificates(pem) or "")
    try:
        assert path.read_text() == pem + "\n"
    finally:
        path.unlink()
