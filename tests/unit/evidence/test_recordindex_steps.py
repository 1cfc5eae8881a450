"""
Workspaces as earlier versions left them (tests/data/workspaces): the next run carries their index over.

``index.sql`` is the index as a script, so that it can be read. They are never written again; a new version of the
tables adds the one before as a folder.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from consumer import layout
from consumer.evidence.index import open_index, open_sightings, schema
from tests.fake_export import EPOCH, FakeExport, Row, export_and_render, run_of

STORED = Path(__file__).parents[2] / "data/workspaces"
VERSIONS = [f"v{number}" for number in range(1, schema.SCHEMA_VERSION)]
NOON = EPOCH + timedelta(hours=9)


@pytest.fixture
def workspace(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A stored workspace with its index as a file, as the bucket had it."""
    root = tmp_path / "stored"
    shutil.copytree(STORED / request.param, root)
    script = (root / "index.sql").read_text()
    (root / "index.sql").unlink()
    index = root / layout.RENDER_INDEX
    index.parent.mkdir(parents=True)
    with closing(sqlite3.connect(index)) as db:
        db.executescript(script)
        assert db.execute("pragma user_version").fetchone() == (int(request.param[1:]),)
    return root


def _server() -> FakeExport:
    """The user's rows then, and still now."""
    server = FakeExport()
    people = {"people": ["Ann Lee"]}
    server.put("checklist_items", "a", Row(1, NOON, {"title": "Call Ann", **people, "project": "Atlas"}))
    server.put("checklist_items", "b", Row(2, NOON + timedelta(days=1), {"title": "Write to Ann", **people}))
    server.put("contacts", "k", Row(3, None, {"display_name": "Ann Lee", "company": "Acme"}))
    server.put("event_contacts", "x", Row(4, NOON, {"contact_id": "k", "event_id": "e", "role": "sender"}))
    server.put("activity_events", "e", Row(5, NOON, {"title": "Draft", "source": "gmail"}))
    return server


def _pages(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): re.sub(r'(?m)^digest_job_id: ".*"$', "", path.read_text())
        for path in sorted((root / layout.BRAIN).rglob("*.md"))
    }


def _tables(path: Path) -> Iterator[tuple[str, str, str]]:
    """Tables with their columns and indexes, as SQLite sees them, whatever script made them."""
    with closing(sqlite3.connect(path)) as db:
        for kind, name, sql in db.execute("select type, name, sql from sqlite_master order by name").fetchall():
            columns = db.execute(f"select name, type, \"notnull\", pk from pragma_table_info('{name}')").fetchall()
            yield kind, name, repr(columns) if kind == "table" else " ".join((sql or "").split())


def test_each_earlier_version_is_stored() -> None:
    assert sorted(path.name for path in STORED.iterdir()) == VERSIONS


@pytest.mark.parametrize("workspace", VERSIONS, indirect=True)
def test_the_tables_become_those_of_today_and_no_record_is_lost(workspace: Path, tmp_path: Path) -> None:
    path = workspace / layout.RENDER_INDEX
    with closing(sqlite3.connect(path)) as db:
        before = db.execute("select source, record_id, checksum from records order by 1, 2").fetchall()
    with closing(open_index(path)) as index:
        index.commit()
    with closing(open_index(tmp_path / "new.sqlite")) as new:
        new.commit()
    assert list(_tables(path)) == list(_tables(tmp_path / "new.sqlite"))
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("select source, record_id, checksum from records order by 1, 2").fetchall() == before
        times = db.execute(
            "select m.occurred_at = r.occurred_at from mentions m join records r using (source, record_id)"
        ).fetchall()
    assert len(before) == 5
    assert len(times) >= 5
    assert set(times) == {(1,)}


@pytest.mark.parametrize("workspace", VERSIONS, indirect=True)
def test_a_step_that_is_not_committed_leaves_the_file_as_it_was(workspace: Path) -> None:
    path = workspace / layout.RENDER_INDEX
    before = path.read_bytes()
    open_index(path).close()
    assert path.read_bytes() == before


@pytest.mark.parametrize("workspace", VERSIONS, indirect=True)
def test_an_export_reads_the_earlier_index_as_it_is(workspace: Path) -> None:
    with closing(open_sightings(workspace / layout.RENDER_INDEX)) as seen:
        assert seen.last("contacts", "k") is not None
        assert [record_id for record_id, _ in seen.unseen("checklist_items")] == ["a", "b"]


@pytest.mark.parametrize("workspace", VERSIONS, indirect=True)
@pytest.mark.parametrize("job_type", ["hourly_digest", "backfill_digest"])
@pytest.mark.parametrize("timezone", ["UTC", "Pacific/Pago_Pago"])
def test_the_next_run_ends_at_the_pages_of_a_fresh_backfill(
    workspace: Path, tmp_path: Path, job_type: str, timezone: str
) -> None:
    """Also when the user has moved between the two: what stood on one day stands on another."""
    server = _server()
    export_and_render(run_of(workspace, server, job_type, 2, timezone=timezone))
    export_and_render(run_of(tmp_path / "fresh", server, "backfill_digest", 2, timezone=timezone))
    assert _pages(workspace) == _pages(tmp_path / "fresh")
    assert len(_pages(workspace)) > 5
