"""The console's pages over a hundred thousand jobs: what they read. How long that takes is `make bench-console`'s."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from controlplane.db import Row, Tx, queries
from tests.console_crowd import JOBS_EACH, Crowd, crowd
from tests.fixtures_controlplane import World

pytestmark = pytest.mark.integration
#: Rows that one query of a page may touch: at most those of one user, never those of all.
MOST_ROWS = JOBS_EACH


@pytest.fixture
def busy(own_world: World, tmp_path: Path) -> Iterator[Crowd]:
    with crowd(own_world, tmp_path) as made:
        yield made


@pytest.fixture
def touched(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Query -> the most rows that it read, kept or not, as the database explains it: the same on a slow machine."""
    most: dict[str, int] = {}
    plain = Tx.rows

    def rows(tx: Tx, name: str, **values: Any) -> list[Row]:
        asked = b"explain (analyze, timing off, format json) " + queries()[name]
        plan = tx.connection.execute(asked, values).fetchall()[0]["QUERY PLAN"]
        most[name] = max(most.get(name, 0), _read(plan[0]["Plan"]))
        return plain(tx, name, **values)

    monkeypatch.setattr(Tx, "rows", rows)
    return most


def test_no_page_reads_the_jobs_of_all_users(busy: Crowd, touched: dict[str, int]) -> None:
    for path in busy.pages():
        touched.clear()
        assert busy.client.get(path).status_code == 200, path
        assert max(touched.values(), default=0) <= MOST_ROWS, (path, touched)


def test_the_measure_sees_a_scan(own_world: World, busy: Crowd, touched: dict[str, int]) -> None:
    for index in ("type", "listing"):
        own_world.sql(f"drop index memory_jobs_{index}")
    assert busy.client.get("/jobs?type=inventory").status_code == 200
    assert touched["list_jobs"] > MOST_ROWS


def _read(node: Mapping[str, Any]) -> int:
    """The most rows that a part of a plan took in."""
    filtered = sum(int(value) for name, value in node.items() if name.startswith("Rows Removed by"))
    own = (int(node["Actual Rows"]) + filtered) * int(node["Actual Loops"])
    return max([own, *(_read(part) for part in node.get("Plans", ()))])
