"""An index that is not as it was written ends a run by name, without its words, and stays as it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from consumer import errors, layout
from consumer.evidence.index import stored
from consumer.understanding import reader
from tests.fake_export import EPOCH, FakeExport, Row, export_and_render, run_of

SECRET = "harbour merger"
#: Of the record that the second run brings.
PAGE = "sources/cloop/checklist-items/2026-03-02.md"


def _server() -> FakeExport:
    server = FakeExport()
    for number in range(40):
        data = {"title": f"{SECRET} {number}", "people": [f"Ann {number}"]}
        server.put("checklist_items", f"id-{number}", Row(number, EPOCH, data))
    return server


def _script(text: str) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path)) as db:
            db.executescript(text)

    return damage


def _no_text(path: Path) -> None:
    """Bytes that are no UTF-8 in the middle of titles."""
    data = path.read_bytes()
    assert SECRET.encode() in data
    path.write_bytes(data.replace(SECRET.encode(), SECRET.encode()[:-3] + b"\xff\xfe\xff"))


def _cut(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def _zeros(path: Path) -> None:
    """All pages but the first, which says what tables there are."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + bytes(len(data) - 4096))


def _readings(data: bytes) -> list[stored.StoredReading]:
    return stored.readings(data, reader.VERSION)


DAMAGES = {
    "no text": (_no_text, "text that is none"),
    "cut": (_cut, "SQLITE_CORRUPT"),
    "zeros": (_zeros, "SQLITE_CORRUPT"),
    "no mentions": (_script("drop table mentions"), "SQLITE_ERROR"),
    "no records": (_script("drop table records"), "SQLITE_ERROR"),
    "no files": (_script("drop table files"), "SQLITE_ERROR"),
    "no place": (_script("delete from files"), "record"),
    "a page twice": (_script(f"insert into pages values ('{PAGE}', '', x'')"), "CONSTRAINT"),
    "a later release": (_script("pragma user_version = 9"), "has version 9, this release knows 1 to 6"),
}


@pytest.mark.parametrize("name", DAMAGES)
@pytest.mark.parametrize("job_type", ["hourly_digest", "backfill_digest"])
def test_damage_is_told_and_left_as_it_is(tmp_path: Path, name: str, job_type: str) -> None:
    server = _server()
    export_and_render(run_of(tmp_path, server, "backfill_digest", timezone="UTC"))
    index = tmp_path / layout.RENDER_INDEX
    damage, why = DAMAGES[name]
    damage(index)
    before = index.read_bytes()
    server.put("checklist_items", "id-new", Row(50, EPOCH.replace(day=2), {"title": "new"}))
    with pytest.raises(errors.SnapshotIncomplete, match=why) as caught:
        export_and_render(run_of(tmp_path, server, job_type, 2, timezone="UTC", force_render=True))
    assert SECRET[:6] not in str(caught.value)
    assert index.read_bytes() == before
    assert [path.name for path in index.parent.iterdir()] == [index.name]


@pytest.mark.parametrize(
    ("name", "refusing"),
    [
        ("no text", [stored.rendered]),  # the others read no titles
        ("cut", [stored.rendered, stored.records, _readings]),
        ("zeros", [stored.rendered, stored.records, _readings]),
        ("no records", [stored.rendered, stored.records, _readings]),
        ("a later release", [_readings]),
    ],
)
def test_a_commits_index_is_refused_by_name(tmp_path: Path, name: str, refusing: list[Callable[[bytes], Any]]) -> None:
    export_and_render(run_of(tmp_path, _server(), "backfill_digest", timezone="UTC"))
    index = tmp_path / layout.RENDER_INDEX
    damage, why = DAMAGES[name]
    damage(index)
    for read in refusing:
        with pytest.raises(errors.SnapshotIncomplete, match=why):
            read(index.read_bytes())


def test_a_commits_index_without_bytes_is_refused() -> None:
    with pytest.raises(errors.SnapshotIncomplete, match="is empty"):
        _readings(b"")
