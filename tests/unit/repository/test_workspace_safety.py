"""What must never be written to a disk, and what must never be believed."""

from __future__ import annotations

import errno
import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from consumer.errors import SnapshotIncomplete, SnapshotRefused, WorkspaceFrozen
from consumer.repository.cache import ObjectCache
from consumer.snapshot import catalog, snapshot
from consumer.snapshot.snapshot import FOLDER, Delta, Entry, SnapshotLimits
from consumer.storage.memory import Op
from tests.unit.repository.workspaces import USER, Bench, Free, listing

NONCE = "00" * 16
HELLO = snapshot.digest_of(b"hello")[1]


def file(path: str, size: int = 5, mode: int = 0o644) -> Entry:
    return Entry(path, mode, size, HELLO, NONCE)


def folder(path: str) -> Entry:
    return Entry(path, 0o755, FOLDER, "", NONCE)


UNSAFE: dict[str, tuple[list[Entry], str]] = {
    "traversal": ([file("../out")], "not a plain relative path"),
    "traversal inside": ([folder("a"), file("a/../../out")], "not a plain relative path"),
    "absolute": ([file("/etc/cron.d/x")], "not a plain relative path"),
    "dot": ([file("./x")], "not a plain relative path"),
    "double slash": ([folder("a"), file("a//b")], "not a plain relative path"),
    "empty name": ([file("")], "not a plain relative path"),
    "nul": ([file("a\0b")], "contains a NUL"),
    "long name": ([file("n" * 256)], "name longer than 255"),
    "long path": ([file("/".join(["dir"] * 300))], "longer than 1024"),
    "case": ([file("Read.md"), file("read.md")], "differ only by case"),
    "normal form": ([file("caf\u00e9"), file("cafe\u0301")], "Unicode normal form"),
    "folder collision": ([folder("A"), folder("a")], "differ only by case"),
    "file as folder": ([file("a"), file("a/b")], "not inside a folder"),
    "no parent": ([file("a/b")], "not inside a folder"),
    "setuid": ([file("x", mode=0o4755)], "not a plain file"),
    "device": ([file("x", size=-2)], "not a plain file"),
    "missing blocks": ([file("x", size=10 * snapshot.BLOCK_BYTES)], "0 blocks"),
}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.mark.parametrize("case", UNSAFE)
def test_an_unsafe_snapshot_is_refused_before_anything_is_written(
    bench: Bench, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries, reason = UNSAFE[case]
    store = bench.store()
    loaded = store.of(USER).load()
    # The writer of such a snapshot is hostile, so its own check is switched off.
    monkeypatch.setattr(snapshot, "fault", lambda *_: None)
    store.of(USER).committer.commit(loaded, Delta(put=tuple(entries)), [], bench.meta(), Free())
    monkeypatch.undo()
    root = bench.folder()
    with pytest.raises(SnapshotRefused, match=reason):
        bench.store().of(USER).hydrate(root, "v1", Free())
    assert not root.exists()


def test_a_folder_that_could_not_be_hydrated_is_not_committed(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "brain/Ann.md").write_text("1")
    (root / "brain/ann.md").write_text("2")
    with pytest.raises(SnapshotRefused, match="differ only by case"):
        bench.commit(store, root, workspace.base)
    assert store.of(USER).read_head() is None


def test_a_name_that_is_no_utf8_is_not_committed(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    Path(os.fsdecode(os.fsencode(root) + b"/brain/\xff.md")).touch()
    with pytest.raises(SnapshotRefused, match="is not UTF-8"):
        bench.commit(store, root, workspace.base)


def test_too_many_entries_or_bytes_are_refused(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    bench.commit(store, root, workspace.base)
    for limits in (SnapshotLimits(entries=5), SnapshotLimits(bytes=100)):
        with pytest.raises(SnapshotRefused, match="are allowed"):
            bench.store(limits=limits).of(USER).hydrate(bench.folder(), "v1", Free())


def test_links_pipes_and_sockets_are_left_out_and_counted(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "brain/link.md").symlink_to("/etc/hostname")
    (root / "brain/linked").symlink_to("/etc")
    os.mkfifo(root / "brain/pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(root / "brain/s"))
    bench.commit(store, root, workspace.base)
    other, _ = bench.hydrate(bench.store())
    assert not {"brain/link.md", "brain/linked", "brain/pipe", "brain/s"} & listing(other).keys()
    assert (other / "brain/RESOLVER.md").exists()
    commit = bench.store().of(USER).load().commit
    assert commit is not None
    assert commit.counts["links_and_devices_skipped"] == 4


def test_a_folder_with_something_in_it_is_not_hydrated_into(bench: Bench) -> None:
    root = bench.folder()
    root.mkdir(parents=True)
    (root / "mine").touch()
    with pytest.raises(SnapshotRefused, match="not empty"):
        bench.store().of(USER).hydrate(root, "v1", Free())


def test_a_folder_that_is_exchanged_for_a_link_leads_nothing_outside(bench: Bench) -> None:
    committed(bench)
    root, outside = bench.folder(), bench.tmp / "outside"
    outside.mkdir()

    def exchange(op: Op) -> None:
        if (op.verb, op.phase) == ("read", "after") and "/packs/" in op.name and not root.is_symlink():
            root.rename(bench.tmp / "moved")
            root.symlink_to(outside, target_is_directory=True)

    bench.store(exchange).of(USER).hydrate(root, "v1", Free())
    assert root.is_symlink()
    assert (bench.tmp / "moved/gbrain-home/heap").stat().st_size == 400_000
    assert not (outside / "gbrain-home").exists()


@pytest.mark.parametrize("call", ["write", "pwrite"])
def test_a_disk_that_takes_a_part_of_a_file_fails_the_hydrate(
    bench: Bench, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed(bench)
    whole = getattr(os, call)
    monkeypatch.setattr(os, call, lambda handle, data, *at: whole(handle, data[:-1], *at))
    with pytest.raises(OSError, match="No space left on device") as raised:
        bench.store().of(USER).hydrate(bench.folder(), "v1", Free())
    assert raised.value.errno == errno.ENOSPC


def test_volatile_names_are_left_out(bench: Bench) -> None:
    store = bench.store(volatile=("gbrain-home/*.gbrain-lock", "hermes-home/sessions/request_dump_*"))
    root, workspace = bench.hydrate(store)
    (root / "gbrain-home/.gbrain/.gbrain-lock").write_text("4711")
    (root / "hermes-home/sessions/request_dump_1.json").write_text("key")
    (root / "hermes-home/sessions/s.json").write_text("{}")
    bench.commit(store, root, workspace.base)
    names = bench.store().of(USER).load().tree.entries
    assert "hermes-home/sessions/s.json" in names
    assert "gbrain-home/.gbrain/.gbrain-lock" not in names
    assert "hermes-home/sessions/request_dump_1.json" not in names


# --- wrong bytes -------------------------------------------------------------------------------------------------


def committed(bench: Bench) -> list[str]:
    """One commit of some size; its objects but HEAD."""
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "gbrain-home/heap").write_bytes(os.urandom(400_000))
    bench.commit(store, root, workspace.base)
    return [name for name in bench.blobs.names(f"users/{USER}/") if not name.endswith("/HEAD")]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda data: data[:-1],
    "empty": lambda _: b"",
    "transcoded": lambda data: zstandard.ZstdCompressor().compress(data),
    "other": lambda data: bytes(len(data)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_object_stops_the_hydrate_and_is_named(bench: Bench, damage: str) -> None:
    for name in committed(bench):
        blob = bench.blobs.peek(name)
        assert blob is not None
        bench.blobs.write(name, DAMAGES[damage](blob.data), if_generation=None)
        with pytest.raises(SnapshotIncomplete, match=name):
            bench.store().of(USER).hydrate(bench.folder(), "v1", Free())
        bench.blobs.write(name, blob.data, if_generation=None)
    bench.hydrate(bench.store())


def test_a_missing_object_stops_the_hydrate_and_is_named(bench: Bench) -> None:
    for name in committed(bench):
        blob = bench.blobs.peek(name)
        assert blob is not None
        bench.blobs.delete(name, if_generation=blob.stat.generation)
        with pytest.raises(SnapshotIncomplete, match=f"{name} is named .* but is not in the bucket"):
            bench.store().of(USER).hydrate(bench.folder(), "v1", Free())
        bench.blobs.write(name, blob.data, if_generation=0)
    bench.hydrate(bench.store())


def test_a_download_that_is_wrong_once_is_tried_again(bench: Bench) -> None:
    name = next(name for name in committed(bench) if "/packs/" in name)
    good = bench.blobs.peek(name)
    assert good is not None
    bench.blobs.write(name, good.data[:100], if_generation=None)
    reads = 0

    def heal(op: Op) -> None:
        nonlocal reads
        if (op.verb, op.name, op.phase) == ("read", name, "after"):
            reads += 1
            bench.blobs.write(name, good.data, if_generation=None)

    _, workspace = bench.hydrate(bench.store(heal))
    assert workspace.files > 0
    assert reads >= 2


def test_a_tree_that_was_not_signed_freezes_the_workspace(bench: Bench) -> None:
    committed(bench)
    store = bench.store()
    loaded = store.of(USER).load()
    # Whoever may write objects and HEAD still cannot sign: every digest is right, the Merkle root is not.
    forged = loaded.tree.apply(Delta(put=(file("brain/forged.md"),)))
    tree = catalog.store_tree(forged)
    root = catalog.Catalog(1, (catalog.CatalogBase(1, tree.digest, len(tree.data)),), (), (), (), loaded.catalog.packs)
    index = catalog.store_catalog(root)
    for item in (tree, index):
        bench.blobs.write(f"users/{USER}/{item.folder}/{item.digest}", item.data, if_generation=None)
    head = loaded.head.__class__(1, loaded.head.commit, index.digest, 1, "job-1", 1)
    bench.blobs.write(f"users/{USER}/HEAD", head.encode(), if_generation=None)
    with pytest.raises(WorkspaceFrozen, match="not the one that was signed"):
        bench.store().of(USER).load()
    looked = bench.store().of(USER).read_head()
    assert looked is not None
    assert looked.frozen == ""  # who only looks holds no lock, and writes nothing
    with pytest.raises(WorkspaceFrozen, match="not the one that was signed"):
        bench.store().of(USER).hydrate(bench.folder(), "v1", Free())
    after = bench.store().of(USER).read_head()
    assert after is not None
    assert "not the one that was signed" in after.frozen
    with pytest.raises(WorkspaceFrozen):
        bench.store().of(USER).hydrate(bench.folder(), "v1", Free())


def test_a_cached_pack_is_believed_only_after_hashing(bench: Bench, tmp_path: Path) -> None:

    committed(bench)
    cache = ObjectCache(tmp_path / "cache")
    bench.hydrate(bench.store(cache=cache))
    kept = sorted((tmp_path / "cache" / USER).iterdir())
    assert kept
    for path in kept:
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    root, _ = bench.hydrate(bench.store(cache=cache))
    assert (root / "gbrain-home/heap").stat().st_size == 400_000
    before = len(bench.blobs.ops)
    bench.hydrate(bench.store(cache=cache))
    assert len(bench.blobs.ops) - before == 1  # HEAD


def test_the_cache_stays_under_its_bound(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path, max_bytes=250)
    for n in range(5):
        cache.put(USER, snapshot.digest_of(bytes([n]) * 100)[1], bytes([n]) * 100)
    cache.trim()
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= 250
    cache.forget(USER)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_the_cache_leaves_most_of_a_small_disk_to_the_runs(tmp_path: Path) -> None:
    share = 250 / shutil.disk_usage(tmp_path).total
    cache = ObjectCache(tmp_path, disk_share=share)
    for n in range(5):
        cache.put(USER, snapshot.digest_of(bytes([n]) * 100)[1], bytes([n]) * 100)
    cache.trim()
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= 250
