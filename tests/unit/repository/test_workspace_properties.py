"""Any folder, any series of changes: what was committed is hydrated, at every commit, however the catalog grew."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consumer.clients.signing import Ed25519Signer
from consumer.errors import SnapshotRefused
from consumer.maintenance.verify import Verification
from consumer.repository import packs
from consumer.repository.history import History
from consumer.snapshot import catalog
from consumer.snapshot.snapshot import BLOCK_BYTES, name_fault
from tests.cases import cases
from tests.unit.repository.workspaces import PEM, USER, Bench, Free, content_digest, listing

names = st.text(
    st.characters(codec="utf-8", exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=12
).filter(lambda name: name not in {".", ".."} and name_fault(name) is None)
#: Sizes around what the format treats differently: nothing, small, one block, just more, several.
sizes = st.sampled_from([0, 1, 100, 5000, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 3 * BLOCK_BYTES + 7])
files = st.builds(
    lambda size, seed: bytes([seed % 256]) * (size // 2) + bytes(size - size // 2), sizes, st.integers(0, 9)
)
modes = st.sampled_from([0o600, 0o644, 0o755, 0o400, 0o777])
trees = st.dictionaries(names, st.one_of(st.none(), st.tuples(modes, files)), max_size=6)
series = st.lists(trees, min_size=1, max_size=6)


@contextmanager
def small_catalog() -> Iterator[None]:
    """Everything spills, merges and repacks within a few commits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalog, "INLINE_BYTES", 300)
        patch.setattr(catalog, "MAX_RUNS", 2)
        patch.setattr(catalog, "MAX_SEGMENTS", 2)
        patch.setattr(catalog, "MAX_SMALL_PACKS", 3)
        patch.setattr(packs, "FRAME_BYTES", 200_000)
        patch.setattr(packs, "PACK_BYTES", 2_000)
        yield


def fill(root: Path, tree: dict[str, tuple[int, bytes] | None]) -> None:
    """Make ``brain/people`` exactly this: names with content, or empty folders."""
    shutil.rmtree(root / "brain/people")
    (root / "brain/people").mkdir()
    for name, item in tree.items():
        path = root / "brain/people" / name
        if item is None:
            path.mkdir(mode=0o750)
        else:
            path.write_bytes(item[1])
            path.chmod(item[0])


@settings(max_examples=cases(8), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(series)
def test_every_commit_of_any_series_can_be_hydrated(versions: list[dict[str, tuple[int, bytes] | None]]) -> None:
    with tempfile.TemporaryDirectory() as folder, small_catalog():
        bench = Bench(Path(folder))
        store = bench.store()
        seen: dict[int, dict[str, tuple[int, bytes | None]]] = {}
        for number, tree in enumerate(versions):
            root, workspace = bench.hydrate(store if number % 2 else bench.store())
            fill(root, tree)
            writer = store if number % 2 else bench.store()
            try:
                ref = bench.commit(writer, root, workspace.base, f"job-{number}")
            except SnapshotRefused as exc:
                assert "differ only by" in str(exc)
                continue
            seen[ref.seq] = listing(root)
        history = History(bench.store().of(USER))
        for seq, expected in seen.items():
            other = bench.folder()
            tree_digest = history.hydrate(other, Free(), seq).digest()
            assert listing(other) == expected
            assert content_digest(other) == tree_digest
        report = Verification(bench.blobs, Ed25519Signer(PEM), bench.clock, USER, Free()).run()
        assert report.ok, report.faults


def test_a_long_history_stays_cheap_to_hydrate_and_to_extend(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    store = bench.store()
    root, workspace = bench.hydrate(store)
    for n in range(60):
        (root / f"brain/people/p{n}.md").write_text(f"# {n}\n" * 30)
    catalogs = []
    for number in range(25):
        for n in range(20):
            (root / f"brain/people/p{(number * 7 + n) % 60}.md").write_text(f"# {n}, version {number}\n" * 20)
        bench.commit(store, root, workspace.base, f"job-{number}")
        store.close()
        shutil.rmtree(root)
        before = len(bench.blobs.ops)
        store = bench.store()
        root, workspace = bench.hydrate(store)
        metadata = 3 + 1 + catalog.MAX_RUNS + catalog.MAX_SEGMENTS
        assert len(bench.blobs.ops) - before <= metadata + catalog.MAX_SMALL_PACKS + 4, number
        head = store.of(USER).read_head()
        assert head is not None
        blob = bench.blobs.peek(f"users/{USER}/index/{head.index}")
        assert blob is not None
        catalogs.append(len(blob.data))
    assert max(catalogs) < 3 * catalog.INLINE_BYTES
