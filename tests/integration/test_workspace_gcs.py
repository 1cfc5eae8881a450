"""The workspace store over the real adapter and the embedded GCS server, narrowed to one user."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

import manifests
from consumer.clients.signing import open_ring
from consumer.errors import LockLost, ScopeViolation
from consumer.maintenance.verify import Verification
from consumer.repository.cache import ObjectCache
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot.chain import CommitMeta
from consumer.storage.gcs import GcsBlobStore
from local.gcs.server import serve
from local.gcs.store import ObjectStore
from service.clock import SystemClock
from tests.unit.repository.workspaces import TEMPLATES, USER, Free, listing

pytestmark = pytest.mark.integration
OTHER_USER = "22222222-2222-4222-8222-222222222222"


def store_on(endpoint: str, tmp_path: Path, *, cache: bool = False) -> WorkspaceStore:
    clock = SystemClock()
    blobs = GcsBlobStore.connect("bucket", clock, endpoint=endpoint)
    return WorkspaceStore(
        blobs,
        open_ring(tmp_path / "keys"),
        clock,
        templates=TEMPLATES,
        volatile=manifests.volatile(),
        narrow=blobs.for_prefix,
        cache=ObjectCache(tmp_path / "cache") if cache else None,
    )


def meta(job: str, epoch: int = 1) -> CommitMeta:
    return CommitMeta(job, 1, epoch, "insight", "v1", SystemClock().now())


def test_a_workspace_lives_in_a_bucket(tmp_path: Path) -> None:
    data = tmp_path / "gcs"
    made = ObjectStore(data)
    made.create_bucket({"name": "bucket"})
    made.close()
    with serve(data) as endpoint:
        first = store_on(endpoint, tmp_path)
        assert first.of(USER).fence(1).epoch == 1
        root = tmp_path / "one"
        workspace = first.of(USER).hydrate(root, "v1", Free())
        (root / "gbrain-home/heap").write_bytes(b"page" * 200_000)
        (root / "gbrain-home/.gbrain-lock").write_text("4711")
        assert first.of(USER).persist(root, workspace.base, meta("job-1"), Free()).seq == 1
        first.of(USER).publish(1, ["brain/RESOLVER.md"])
        (root / "gbrain-home/.gbrain-lock").unlink()

        second = store_on(endpoint, tmp_path, cache=True)
        second.of(USER).hydrate(tmp_path / "two", "v1", Free())
        assert listing(tmp_path / "two") == listing(root)
        assert first.of(USER).committed_by("job-1", 0) is not None

        second.of(USER).fence(5)
        (root / "brain/late.md").write_text("late")
        with pytest.raises(LockLost):
            first.of(USER).persist(
                root, workspace.base.__class__(1, first.of(USER).load().head.commit, 0), meta("job-2"), Free()
            )
        report = Verification(second.of(USER).blobs, second.signer, SystemClock(), USER, Free()).run()
        assert report.ok, report.faults
        with pytest.raises(ScopeViolation):
            second.of(USER).blobs.read(f"users/{OTHER_USER}/HEAD")


def test_memory_follows_what_is_in_flight_not_what_is_there(tmp_path: Path) -> None:
    data = tmp_path / "gcs"
    made = ObjectStore(data)
    made.create_bucket({"name": "bucket"})
    made.close()
    with serve(data) as endpoint:
        store = store_on(endpoint, tmp_path)
        root = tmp_path / "one"
        workspace = store.of(USER).hydrate(root, "v1", Free())
        with (root / "gbrain-home/large").open("wb") as file:
            for n in range(160):
                file.write(n.to_bytes(4, "big") * 262_144)  # 160 MiB, every block its own
        tracemalloc.start()
        store.of(USER).persist(root, workspace.base, meta("job-1"), Free())
        store.of(USER).hydrate(tmp_path / "two", "v1", Free())
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 64 << 20
        assert (tmp_path / "two/gbrain-home/large").stat().st_size == 160 << 20
