"""Hydrate and persist over a bucket in memory: what goes in comes out, whatever happens in between."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from consumer import guarding
from consumer.errors import HeadMoved, LockLost, PublishedConflict
from consumer.repository import content
from consumer.repository.scan import stat_key
from consumer.snapshot import catalog
from consumer.snapshot.snapshot import BLOCK_BYTES, StatCache
from tests.unit.repository.workspaces import USER, Bench, Free, listing


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_new_workspace_comes_from_the_template_with_its_empty_folders(bench: Bench) -> None:
    root, workspace = bench.hydrate(bench.store())
    assert (workspace.base.seq, workspace.base.digest, workspace.base.head_generation) == (0, None, 0)
    assert (root / "brain/RESOLVER.md").is_file()
    assert (root / "runtime/job-runs").is_dir()
    assert not (root / "template.yaml").exists()
    assert not (root / "prompts").exists()
    assert root.stat().st_mode & 0o777 == 0o700


def test_what_is_committed_is_hydrated_elsewhere_to_the_byte(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "brain/people/ann.md").write_text("# Ann\n")
    (root / "brain/empty.md").touch(mode=0o600)
    (root / "gbrain-home/heap").write_bytes(bytes(range(256)) * 4096)
    (root / "brain/closed").mkdir(mode=0o500)
    ref = bench.commit(store, root, workspace.base)
    assert ref.seq == 1
    other, again = bench.hydrate(bench.store())
    assert listing(other) == listing(root)
    assert again.cursors == {"job": "job-1"}
    assert again.base.digest == ref.digest
    (root / "brain/closed").chmod(0o700)
    (other / "brain/closed").chmod(0o700)


class Stopping(Free):
    """A guard that stops a run at its n-th question."""

    def __init__(self, questions: int) -> None:
        self.left = questions

    def check(self) -> None:
        self.left -= 1
        if not self.left:
            raise LockLost("stopped")


def test_a_run_stops_while_its_folder_is_read_or_written(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarding, "EVERY", 1)
    store = bench.store()
    root, workspace = bench.hydrate(store)
    for number in range(5):
        (root / f"brain/p{number}.md").write_text(f"# {number}\n")
    before = len(bench.blobs.ops)
    with pytest.raises(LockLost):
        store.of(USER).persist(root, workspace.base, bench.meta(), Stopping(4))
    assert len(bench.blobs.ops) == before, "it had not read half of its files"
    bench.commit(store, root, workspace.base)
    with pytest.raises(LockLost):
        bench.store().of(USER).hydrate(bench.folder(), "v1", Stopping(4))


def test_an_unchanged_folder_makes_no_commit_and_no_request(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    bench.commit(store, root, workspace.base)
    root, workspace = bench.hydrate(store)
    before = len(bench.blobs.ops)
    assert bench.commit(store, root, workspace.base).seq == 1
    assert len(bench.blobs.ops) == before


def test_a_small_change_takes_five_requests_at_most(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    for n in range(200):
        (root / f"brain/people/p{n}.md").write_text(f"# Person {n}\n" * 50)
    bench.commit(store, root, workspace.base)
    root, workspace = bench.hydrate(store)
    for n in range(20):
        (root / f"brain/people/p{n}.md").write_text(f"# Person {n}, changed\n")
    before = len(bench.blobs.ops)
    bench.commit(store, root, workspace.base, "job-2")
    assert len(bench.blobs.ops) - before <= 5


def test_pages_are_not_written_again_because_a_database_changes(bench: Bench) -> None:
    dice, store = random.Random(7), bench.store()
    root, workspace = bench.hydrate(store)
    for n in range(24):
        (root / f"brain/people/p{n}.md").write_bytes(dice.randbytes(64 * 1024))
    blocks = [dice.randbytes(BLOCK_BYTES) for _ in range(16)]
    packs = set()
    for commit in range(6):
        blocks[commit % 2 :: 2] = [dice.randbytes(BLOCK_BYTES) for _ in blocks[::2]]
        (root / "gbrain-home/heap").write_bytes(b"".join(blocks))
        bench.commit(store, root, workspace.base, f"job-{commit}")
        loaded = store.of(USER).load()
        entries, places = loaded.tree.entries, loaded.places()
        packs.add(frozenset(places[catalog.key(entries[f"brain/people/p{n}.md"].digest)].pack for n in range(24)))
        root, workspace = bench.hydrate(bench.store())
    assert len(packs) == 1


def test_the_older_writer_loses(bench: Bench) -> None:
    old, young = bench.store(), bench.store()
    old.of(USER).fence(1)
    root, workspace = bench.hydrate(old)
    young.of(USER).fence(2)
    other, again = bench.hydrate(young)
    with pytest.raises(LockLost):
        bench.commit(old, root, workspace.base, epoch=1)
    assert bench.commit(young, other, again.base, "job-2", epoch=2).seq == 1


def test_two_writers_of_one_epoch_make_one_commit(bench: Bench) -> None:
    first, second = bench.store(), bench.store()
    root, workspace = bench.hydrate(first)
    other, again = bench.hydrate(second)
    bench.commit(first, root, workspace.base)
    with pytest.raises(HeadMoved):
        bench.commit(second, other, again.base, "job-2")


def test_the_chain_tells_whether_a_job_committed(bench: Bench) -> None:
    store = bench.store()
    for n in range(1, 5):
        root, workspace = bench.hydrate(store)
        (root / "brain/n.md").write_text(str(n))
        bench.commit(store, root, workspace.base, f"job-{n}")
    found_ref = bench.store().of(USER).committed_by("job-2", 0)
    assert found_ref is not None
    assert found_ref.seq == 2
    assert bench.store().of(USER).committed_by("job-2", 2) is None
    assert bench.store().of(USER).committed_by("job-9", 0) is None
    assert bench.store().of("22222222-2222-4222-8222-222222222222").committed_by("job-1", 0) is None


def test_published_copies_are_written_once(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "brain/reports/digest/r.md").write_text("report\n")
    bench.commit(store, root, workspace.base)
    store.of(USER).publish(1, ["brain/reports/digest/r.md"])
    bench.store().of(USER).publish(1, ["brain/reports/digest/r.md"])
    name = f"users/{USER}/published/000000000001/brain/reports/digest/r.md"
    blob = bench.blobs.peek(name)
    assert blob is not None
    assert blob.data == b"report\n"
    assert Free().time_left() > 0


def test_a_published_copy_with_other_bytes_is_neither_accepted_nor_replaced(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "brain/reports/digest/r.md").write_text("report\n")
    bench.commit(store, root, workspace.base)
    name = f"users/{USER}/published/000000000001/brain/reports/digest/r.md"
    bench.blobs.write(name, b"of somebody else\n", if_generation=0)
    with pytest.raises(PublishedConflict, match=r"r\.md exists with different bytes"):
        store.of(USER).publish(1, ["brain/reports/digest/r.md"])
    blob = bench.blobs.peek(name)
    assert blob is not None
    assert blob.data == b"of somebody else\n"


def test_a_change_that_keeps_size_and_mtime_is_seen(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    path = root / "brain/people/ann.md"
    path.write_text("one")
    bench.commit(store, root, workspace.base)
    root, workspace = bench.hydrate(store)
    path = root / "brain/people/ann.md"
    before = path.stat()
    path.write_text("two")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert bench.commit(store, root, workspace.base, "job-2").seq == 2
    assert bench.store().of(USER).reader().read("brain/people/ann.md") == b"two"


def test_without_trust_in_stats_every_file_is_read_again(bench: Bench) -> None:
    store = bench.store(trust_stats=False)
    root, workspace = bench.hydrate(store)
    bench.commit(store, root, workspace.base)
    root, workspace = bench.hydrate(store)
    assert store.remembered is not None
    snapshot = store.remembered[1]
    # As if a file had changed behind an unchanged stat: the cache says otherwise than the disk.
    (root / "brain/RESOLVER.md").write_text("changed")
    changed = stat_key((root / "brain/RESOLVER.md").stat())
    snapshot.stats["brain/RESOLVER.md"] = (changed, snapshot.tree.entries["brain/RESOLVER.md"])
    assert bench.commit(store, root, workspace.base, "job-2").seq == 2
    assert bench.store().of(USER).reader().read("brain/RESOLVER.md") == b"changed"


def test_a_sealed_file_is_read_again_only_if_its_stat_changed_or_it_is_stored_nowhere(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    names = {name: root / f"brain/{name}.md" for name in ("same", "touched", "new")}
    for path in names.values():
        path.write_text("one")
    bench.commit(store, root, workspace.base)
    root, workspace = bench.hydrate(store)
    assert store.remembered is not None
    entries = store.remembered[1].tree.entries
    store.remembered[1].stats.clear()
    sealed: StatCache = {}
    for name in names:
        (root / f"brain/{name}.md").write_text("two")
        seen = content.read(str(root), f"brain/{name}.md")
        assert seen is not None
        # The seal says that two of them still are as committed. Only the one whose stat it knows is believed.
        sealed[f"brain/{name}.md"] = seen if name == "new" else (seen[0], entries[f"brain/{name}.md"])
    (root / "brain/touched.md").write_text("three")
    store.of(USER).persist(root, workspace.base, bench.meta("job-2"), Free(), sealed=sealed)
    reader = bench.store().of(USER).reader()
    assert [reader.read(f"brain/{name}.md") for name in names] == [b"one", b"three", b"two"]


def test_an_entry_keeps_its_nonce_while_it_stays_the_same_and_never_longer(bench: Bench) -> None:
    store = bench.store()
    nonces: list[str] = []
    for text in ("one", "one", "two", "one"):
        root, workspace = bench.hydrate(store)
        (root / "brain/people/ann.md").write_text(text)
        (root / "brain/n.md").write_text(str(len(nonces)))
        bench.commit(store, root, workspace.base, f"job-{len(nonces)}")
        nonces.append(store.of(USER).load().tree.entries["brain/people/ann.md"].nonce)
    assert nonces[0] == nonces[1]
    assert len({*nonces}) == 3


def test_blocks_of_zeros_come_back_as_holes(tmp_path: Path) -> None:
    """A write-ahead log is mostly room: it takes none on the disk, and reads as it was."""
    bench = Bench(tmp_path)
    store = bench.store()
    root, workspace = bench.hydrate(store)
    log = bytes(40 * BLOCK_BYTES) + b"written" + bytes(3 * BLOCK_BYTES)
    (root / "gbrain-home/wal").write_bytes(log)
    (root / "gbrain-home/zeros").write_bytes(bytes(5 * BLOCK_BYTES))
    bench.commit(store, root, workspace.base)
    fresh, _ = bench.hydrate(bench.store())
    assert listing(fresh) == listing(root)
    assert (fresh / "gbrain-home/wal").stat().st_blocks * 512 <= 2 * BLOCK_BYTES
    assert (fresh / "gbrain-home/zeros").stat().st_blocks == 0
    # And zeros where something was are written as such.
    (fresh / "gbrain-home/wal").write_bytes(bytes(len(log)))
    bench.commit(bench.store(), fresh, bench.store().of(USER).hydrate(bench.folder(), "v1", Free()).base, "job-2")
    assert (bench.hydrate(bench.store())[0] / "gbrain-home/wal").read_bytes() == bytes(len(log))


@pytest.mark.parametrize("differs", [None, 1, 3])
def test_of_a_sealed_large_file_the_blocks_that_are_stored_nowhere_are_read(bench: Bench, differs: int | None) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    heap, blocks = root / "gbrain-home/heap", [letter * BLOCK_BYTES for letter in (b"a", b"b", b"c", b"d")]
    heap.write_bytes(b"".join(blocks))
    bench.commit(store, root, workspace.base)
    root, workspace = bench.hydrate(store)
    heap, blocks[1] = root / "gbrain-home/heap", b"B" * BLOCK_BYTES
    heap.write_bytes(b"".join(blocks))
    seen = content.read(str(root), "gbrain-home/heap")
    assert seen is not None
    on_disk = list(blocks)
    if differs is not None:
        # What no file system that shows every write allows: another block under the same stat.
        on_disk[differs] = b"?" * BLOCK_BYTES
        heap.write_bytes(b"".join(on_disk))
    sealed = {"gbrain-home/heap": (stat_key(heap.stat()), seen[1])}
    store.of(USER).persist(root, workspace.base, bench.meta("job-2"), Free(), sealed=sealed)
    # The new block is checked, and with it, if it is another, the file. A stored one is as the seal says.
    expected = blocks if differs == 3 else on_disk
    assert bench.store().of(USER).reader().read("gbrain-home/heap") == b"".join(expected)
