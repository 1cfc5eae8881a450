"""The control plane behind a real transaction pooler: PgBouncer, where it is installed (`make pooler`)."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from contract import dsn
from controlplane import db
from controlplane.errors import ApiFault
from local.postgres import Postgres
from publisher.outbox import Outbox, connect, pools_transactions
from tests.waiting import PATIENCE_S, until

BINARY = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
LOGIN = "pooled"
PASSWORD = "local-pooled"
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(BINARY is None, reason="NOT RUN: PgBouncer is not installed (make pooler)"),
]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that another user can enter: pytest's own is closed to them."""
    with tempfile.TemporaryDirectory(prefix="cloop-pooler-") as name:
        yield Path(name)


@pytest.fixture
def pooler(postgres: Postgres, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of two server connections that transactions share, for a login that speaks UTC."""
    with psycopg.connect(postgres.dsn(), autocommit=True) as admin:
        admin.execute(f"drop role if exists {LOGIN}")
        admin.execute(f"create role {LOGIN} login password '{PASSWORD}'".encode())
        admin.execute(f"alter role {LOGIN} set timezone = 'UTC'")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "users.txt").write_text(f'"{LOGIN}" "{PASSWORD}"\n')
    config = folder / "pgbouncer.ini"
    config.write_text(
        f"[databases]\npostgres = host=127.0.0.1 port={postgres.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
        f"listen_port = {port}\nauth_type = trust\nauth_file = {folder}/users.txt\npool_mode = transaction\n"
        f"default_pool_size = 2\nignore_startup_parameters = options\nunix_socket_dir =\nlogfile = {folder}/log\n"
    )
    # It refuses to run as root.
    user = "nobody" if os.geteuid() == 0 else None
    if user:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    with subprocess.Popen(
        [str(BINARY), "-q", str(config)], user=user, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            until(lambda: _answers(port) or process.poll() is not None)
            assert process.poll() is None, (folder / "log").read_text()
            monkeypatch.setattr(dsn, "TRANSACTION_PORT", port)
            yield f"postgresql://{LOGIN}@127.0.0.1:{port}/postgres"
        finally:
            process.terminate()
            process.wait(PATIENCE_S)
    with psycopg.connect(postgres.dsn(), autocommit=True) as admin:
        admin.execute(f"drop role {LOGIN}")


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_the_same_statement_runs_however_often_in_whichever_session(pooler: str) -> None:
    with closing(db.open_pool(pooler, size=6)) as pool, ThreadPoolExecutor(6) as threads:

        def ask(number: int) -> int:
            with db.Database(pool).transaction() as tx:
                row = tx.connection.execute("select %s::int as n, pg_sleep(0.001)", (number,)).fetchone()
                assert row
                return int(row["n"])

        assert list(threads.map(ask, range(300))) == list(range(300))


def test_a_pooler_at_a_port_that_nobody_knows_runs_no_other_clients_statement(
    pooler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two clients would give two statements one name, and the second got what the first had prepared."""
    monkeypatch.setattr(dsn, "TRANSACTION_PORT", 1)
    with closing(db.open_pool(pooler, size=1)) as first, closing(db.open_pool(pooler, size=1)) as second:
        for _ in range(20):
            for pool, number in ((first, 1), (second, 2)):
                with db.Database(pool).transaction() as tx:
                    row = tx.connection.execute(f"select {number} as n").fetchone()
                    assert row == {"n": number}


def test_the_publisher_sees_a_transaction_pooler_whatever_its_port(pooler: str, postgres: Postgres) -> None:
    assert pools_transactions(lambda: Outbox(connect(pooler)))
    assert not pools_transactions(lambda: Outbox(connect(postgres.dsn())))


def test_statements_that_are_prepared_do_not_survive_there(pooler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the test above would meet without the rule."""
    monkeypatch.setattr(dsn.Address, "pools_transactions", False)
    with psycopg.connect(pooler, prepare_threshold=0) as first, psycopg.connect(pooler, prepare_threshold=0) as second:
        with pytest.raises(psycopg.Error):
            for _ in range(50):
                for connection in (first, second):
                    with connection.transaction():
                        connection.execute("select 1")
                        connection.execute("select 2")
        first.close()
        second.close()


def test_a_login_that_does_not_speak_utc_gets_no_connection_and_the_log_says_why(
    pooler: str, postgres: Postgres, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db, "POOL_WAIT_S", 1.0)
    with psycopg.connect(postgres.dsn(), autocommit=True) as admin:
        admin.execute(f"alter role {LOGIN} set timezone = 'Europe/Berlin'")
    with (
        closing(db.open_pool(pooler, size=1)) as pool,
        pytest.raises(ApiFault) as raised,
        db.Database(pool).transaction(),
    ):
        pass
    assert raised.value.status == 503
    assert "alter role <login> set timezone" in caplog.text
