"""What was deleted is on the disk no more: neither in the database's free pages nor in its log nor as a file."""

from __future__ import annotations

import urllib.request
from pathlib import Path

import pytest

from local.gcs.preconditions import Preconditions
from local.gcs.server import serve
from local.gcs.store import INLINE_BYTES, ObjectStore
from tests.waiting import until

SECRET = b"the merger closes on the ninth"


def on_disk(root: Path) -> list[str]:
    return [path.name for path in root.rglob("*") if SECRET in content(path)]


def content(path: Path) -> bytes:
    """Of a file that a server may remove meanwhile."""
    try:
        return path.read_bytes() if path.is_file() else b""
    except FileNotFoundError:
        return b""


def filled(root: Path) -> ObjectStore:
    store = ObjectStore(root)
    store.create_bucket({"name": "bucket"})
    for number in range(20):
        store.put("bucket", f"before-{number}", b"x" * 700, {}, Preconditions())
    return store


@pytest.mark.parametrize("body", [SECRET * 40, SECRET + b"." * INLINE_BYTES], ids=["in the database", "as a file"])
def test_deleted_bytes_are_gone(tmp_path: Path, body: bytes) -> None:
    store = filled(tmp_path)
    store.put("bucket", "secret", body, {}, Preconditions())
    store.put("bucket", "secret", body + b"again", {}, Preconditions())
    assert on_disk(tmp_path)
    assert not store.unscrubbed
    # Some builds of SQLite overwrite what is deleted anyhow; ours must do so on all.
    assert store._db.execute("pragma secure_delete").fetchone() == (1,)
    store.delete("bucket", "secret", None, Preconditions())
    assert store.unscrubbed
    store.scrub()
    assert on_disk(tmp_path) == []
    assert not store.unscrubbed
    store.close()


def test_the_server_scrubs_by_itself(tmp_path: Path) -> None:
    store = filled(tmp_path)
    store.put("bucket", "secret", SECRET * 40, {}, Preconditions())
    store.close()
    assert on_disk(tmp_path)
    with serve(tmp_path) as endpoint:
        name = f"{endpoint}/storage/v1/b/bucket/o/secret"
        urllib.request.urlopen(urllib.request.Request(name, method="DELETE"), timeout=60).close()
        until(lambda: not on_disk(tmp_path), "the scrub")
