"""A read replica is refused: it is behind, so exports from it would miss rows for good, and refuse fresh tokens."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from controlplane import db
from controlplane.errors import ApiFault
from local.logins import SUPERUSER
from local.postgres import Postgres
from tests.fixtures_postgres import VERSION
from tests.waiting import until

pytestmark = pytest.mark.integration


class Standby(Postgres):
    """The same data folder, in recovery for good."""

    def _await_ready(self, data: Path) -> None:
        until(self._answers)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.dsn(user=SUPERUSER)).close()
        except psycopg.Error:
            return False
        return True

    def _require_owner(self) -> None:
        """Nothing can be written here."""


@pytest.fixture
def standby() -> Iterator[Postgres]:
    folder = Path(tempfile.mkdtemp(prefix="cloop-memory-standby-"))
    folder.chmod(0o755)
    try:
        with Postgres(folder / "pg", version=VERSION, durable=False):
            pass
        (folder / "pg").resolve().joinpath("standby.signal").touch()
        with Standby(folder / "pg", version=VERSION, durable=False) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_no_connection_to_a_replica_is_handed_out_and_the_log_says_why(
    standby: Postgres, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db, "POOL_WAIT_S", 1.0)
    with (
        closing(db.open_pool(standby.dsn(), size=1)) as pool,
        pytest.raises(ApiFault) as raised,
        db.Database(pool).transaction(),
    ):
        pass
    assert raised.value.status == 503
    assert "leads to a read replica" in caplog.text
