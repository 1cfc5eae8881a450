"""The launcher: both versions start, data survive, a killed parent leaves nothing behind."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from local.app import fixture
from local.postgres import Postgres, PostgresFailed, remove
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.integration


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="cloop-memory-tests-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.mark.parametrize("version", [16, 18])
def test_it_starts_and_keeps_data(folder: Path, version: int) -> None:
    server = Postgres(folder / "pg", version=version)
    with server, psycopg.connect(server.dsn()) as connection:
        assert connection.info.server_version // 10_000 == version
        connection.execute("create table kept (n int)")
    with server, psycopg.connect(server.dsn()) as connection:
        assert connection.execute("select count(*) from kept").fetchone() == (0,)
    remove(server.data)
    assert list(folder.iterdir()) == []


def test_the_whole_schema_installs_on_16_and_twice(folder: Path) -> None:
    with Postgres(folder / "pg", version=16, durable=False) as server:
        fixture.install(server.dsn())
        fixture.install(server.dsn())
        with psycopg.connect(server.dsn()) as connection:
            assert connection.execute("select count(*) from memory_export.chat_sessions").fetchone() == (0,)


def test_committed_rows_survive_a_crash(folder: Path) -> None:
    server = Postgres(folder / "pg").start()
    with psycopg.connect(server.dsn()) as connection:
        connection.execute("create table kept as select 1 as n")
    server.kill()
    with server, psycopg.connect(server.dsn()) as connection:
        assert connection.execute("select n from kept").fetchone() == (1,)


def test_it_dies_with_its_parent(folder: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom local.postgres import Postgres\n"
        "s = Postgres(Path(sys.argv[1]), durable=False).start()\nprint(s.pid, flush=True)\nsys.stdin.read()"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code, str(folder / "pg")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout
    server = int(parent.stdout.readline())
    pidfd = os.pidfd_open(server)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    assert parent.stdin
    parent.stdin.close()
    # A pidfd becomes readable when its process ends, reaped or not.
    assert select.select([pidfd], [], [], PATIENCE_S)[0], "the server outlived its parent"
    os.close(pidfd)
    with Postgres(folder / "pg", durable=False):
        pass  # the data folder is free again


def test_a_folder_that_nobody_can_reach_is_served_from_elsewhere_until_it_is_forgotten(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    server = Postgres(tmp_path / "pg", durable=False)
    with server, psycopg.connect(server.dsn()) as connection:
        connection.execute("create table kept (n int)")
    with server, psycopg.connect(server.dsn()) as connection:
        assert connection.execute("select count(*) from kept").fetchone() == (0,)
    # Deleting what is there to be seen is enough: the data must not come back under the same name.
    if server.data.is_symlink():
        server.data.unlink()
    else:
        shutil.rmtree(server.data)
    with server, psycopg.connect(server.dsn()) as connection:
        assert connection.execute("select to_regclass('kept')").fetchone() == (None,)
    elsewhere = server.data.resolve()
    remove(server.data)
    assert not elsewhere.exists()
    assert not server.data.is_symlink()


def test_an_unknown_version_is_refused(folder: Path) -> None:
    with pytest.raises(PostgresFailed, match="PostgreSQL 9"):
        Postgres(folder / "pg", version=9).start()
