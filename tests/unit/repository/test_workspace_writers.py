"""restore and gc: writers like a job, under the lock and behind the fence."""

from __future__ import annotations

import itertools
from datetime import timedelta
from pathlib import Path

import pytest

from consumer import paths
from consumer.clients.signing import Ed25519Signer
from consumer.errors import LockBusy, LockLost, SnapshotIncomplete, WorkspaceFrozen
from consumer.locking.exclusive import Exclusive
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.maintenance import gc
from consumer.maintenance.repair import repair
from consumer.maintenance.restore import restore
from consumer.maintenance.verify import Verification
from consumer.repository.history import History, NoSuchCommit
from consumer.snapshot import catalog, suppression
from consumer.snapshot.suppression import Suppressed
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import Fault, Faults, Killed, Op, no_fault
from tests.unit.repository.workspaces import PEM, USER, Bench, Free, listing

DAY_S = timedelta(hours=25).total_seconds()


def exclusive(bench: Bench, fault: Fault = no_fault) -> Exclusive:
    ids = itertools.count(len(bench.blobs.ops) * 1000)
    locks = Locks(
        ConditionalWriter(bench.blobs.as_seen_by(fault), bench.clock), bench.clock, lambda: f"id-{next(ids)}", Lease()
    )
    return Exclusive(locks, bench.store(fault), "operator", threads=False)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path)
    for n in range(1, 5):
        store = made.store()
        root, workspace = made.hydrate(store)
        (root / "brain/people/ann.md").write_text(f"# Ann, version {n}\n")
        (root / f"brain/people/only-{n}.md").write_text("x")
        (root / f"brain/people/only-{n - 1}.md").unlink(missing_ok=True)
        made.commit(store, root, workspace.base, f"job-{n}")
        store.close()
    return made


def sound(bench: Bench) -> bool:
    report = Verification(bench.blobs, Ed25519Signer(PEM), bench.clock, USER, Free()).run()
    assert report.ok, report.faults
    return True


def test_restore_makes_a_new_commit_that_equals_the_old_one(bench: Bench) -> None:
    writer = exclusive(bench)
    history = History(bench.store().of(USER))
    old = bench.folder()
    history.hydrate(old, Free(), 2)
    with writer.hold(USER, "restore") as hold:
        ref = restore(writer.store.of(USER), 2, "went wrong", hold)
    assert ref.seq == 5
    root, workspace = bench.hydrate(bench.store())
    assert listing(root) == listing(old)
    assert workspace.cursors == {"job": "job-2"}
    _, commit = history.commit(5)
    assert (commit.restores, commit.reason, commit.job_type) == (2, "went wrong", "restore")
    assert history.tree(5).digest() == history.tree(2).digest()
    assert [change.path for change in history.changes(4, 5)] == [
        "brain/people/ann.md",
        "brain/people/only-2.md",
        "brain/people/only-4.md",
    ]
    assert sound(bench)


def test_a_restore_keeps_the_list_of_what_was_purged(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    suppressed = Suppressed().adding([("meeting_notes", "note-4711")], b"k" * 32)
    (root / suppression.PATH).write_bytes(suppressed.encode())
    bench.commit(store, root, workspace.base, "purge-1")
    writer = exclusive(bench)
    with writer.hold(USER, "restore") as hold:
        restore(writer.store.of(USER), 1, "to before the purge", hold)
    root, _ = bench.hydrate(bench.store())
    assert (root / "brain/people/ann.md").read_text() == "# Ann, version 1\n"
    assert suppression.decode((root / suppression.PATH).read_bytes()) == suppressed
    assert sound(bench)


def test_restoring_what_is_not_there_says_what_is(bench: Bench) -> None:
    writer = exclusive(bench)
    with pytest.raises(NoSuchCommit, match="no commit 9: it has commits 1 to 4"), writer.hold(USER, "restore") as hold:
        restore(writer.store.of(USER), 9, "why", hold)


def test_a_writer_waits_for_nobody_and_says_who_is_there(bench: Bench) -> None:
    with (
        exclusive(bench).hold(USER, "gc") as first,
        pytest.raises(LockBusy, match="held by operator"),
        exclusive(bench).hold(USER, "restore"),
    ):
        pass
    with exclusive(bench).hold(USER, "restore") as second:
        assert second.epoch == first.epoch + 1


def test_a_job_that_was_running_cannot_commit_after_a_writer_came(bench: Bench) -> None:
    job = bench.store()
    root, workspace = bench.hydrate(job)
    (root / "brain/late.md").write_text("late")
    with exclusive(bench).hold(USER, "gc"):
        pass
    with exclusive(bench).hold(USER, "gc"):
        pass
    with pytest.raises(LockLost):
        bench.commit(job, root, workspace.base, "job-late", epoch=1)


def test_gc_deletes_only_what_is_old_and_unnamed(bench: Bench) -> None:
    writer = exclusive(bench)
    stray = f"users/{USER}/packs/{'0' * 64}"
    bench.blobs.write(stray, b"from a dead writer", if_generation=0)
    with writer.hold(USER, "gc") as hold:
        kept = gc.collect(writer.store.of(USER), hold)
    assert kept.deleted == ()
    assert stray in dict(kept.young)
    bench.clock.advance(DAY_S)
    with writer.hold(USER, "gc") as hold:
        planned = gc.collect(writer.store.of(USER), hold, dry_run=True)
        before = set(bench.blobs.names(f"users/{USER}/"))
        done = gc.collect(writer.store.of(USER), hold)
    assert planned.deleted == done.deleted
    gone = before - set(bench.blobs.names(f"users/{USER}/"))
    assert gone == set(dict(done.deleted))
    assert stray in gone
    assert sum("/index/" in name for name in gone) == 3  # the catalogs of commits 1 to 3
    for seq in range(1, 5):
        History(bench.store().of(USER)).hydrate(bench.folder(), Free(), seq)
    assert sound(bench)


def test_gc_dies_anywhere_and_nothing_named_is_lost(bench: Bench) -> None:
    bench.clock.advance(DAY_S)
    deletes = [op.number for op in _ops_of_a_sweep(bench) if op.verb == "delete"]
    assert len(deletes) == 3
    for at in (0, 1, 2):
        bench.blobs._bucket.ops.clear()
        writer = exclusive(bench, Faults().kill(deletes[at] - at, after=True))
        with pytest.raises(Killed), writer.hold(USER, "gc") as hold:
            gc.collect(writer.store.of(USER), hold)
        assert sound(bench)
        bench.clock.advance(DAY_S)
    bench.hydrate(bench.store())


def _ops_of_a_sweep(bench: Bench) -> list:
    contents = dict(bench.blobs._bucket.objects)
    bench.blobs._bucket.ops.clear()
    writer = exclusive(bench)
    with writer.hold(USER, "gc") as hold:
        gc.collect(writer.store.of(USER), hold)
    ops = bench.blobs.ops
    bench.blobs._bucket.objects.clear()
    bench.blobs._bucket.objects.update(contents)
    return ops


def test_an_object_written_again_since_it_was_listed_is_not_deleted(bench: Bench) -> None:
    bench.clock.advance(DAY_S)
    stray = f"users/{USER}/packs/{'f' * 64}"
    bench.blobs.write(stray, b"old", if_generation=0)
    bench.clock.advance(DAY_S)

    def again(op: object) -> None:
        if getattr(op, "verb", "") == "delete" and getattr(op, "name", "") == stray:
            bench.blobs.write(stray, b"old", if_generation=None)

    writer = exclusive(bench, again)
    with writer.hold(USER, "gc") as hold:
        done = gc.collect(writer.store.of(USER), hold)
    assert stray not in dict(done.deleted)
    assert bench.blobs.peek(stray) is not None


def damaged(bench: Bench, folder: str) -> str:
    """Overwrite one object of the history below this folder, a pack that HEAD needs or another; its name."""
    loaded = bench.store().of(USER).load()
    keep = {loaded.head.index, loaded.head.commit}
    names = [n for n in bench.blobs.names(f"users/{USER}/{folder}/") if n.rpartition("/")[2] not in keep]
    if folder == "packs":
        needed = {loaded.places()[catalog.key(d)].pack for e in loaded.tree.entries.values() for d in e.contents}
        names = [name for name in names if name.rpartition("/")[2] in needed]
    bench.blobs.write(names[0], b"damaged", if_generation=None)
    return names[0]


def test_lost_pack_directories_are_made_again_from_the_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "INLINE_BYTES", 200)
    bench = Bench(tmp_path)
    for n in range(1, 4):
        store = bench.store()
        root, workspace = bench.hydrate(store)
        (root / "brain/people/ann.md").write_text(f"# Ann, version {n}\n")
        bench.commit(store, root, workspace.base, f"job-{n}")
    for digest in bench.store().of(USER).load().catalog.live:
        bench.blobs.write(f"users/{USER}/index/{digest}", b"damaged", if_generation=None)
    with pytest.raises(SnapshotIncomplete):
        bench.hydrate(bench.store())
    writer = exclusive(bench)
    with writer.hold(USER, "repair") as hold:
        done = repair(writer.store.of(USER), "index lost", hold)
    assert "index objects from the packs" in done.actions[0]
    assert done.frozen == ""
    other, workspace = bench.hydrate(bench.store())
    assert (other / "brain/people/ann.md").read_text() == "# Ann, version 3\n"
    assert workspace.base.seq == 3


def test_what_cannot_be_made_again_freezes_and_a_restore_thaws(bench: Bench) -> None:
    loaded = bench.store().of(USER).load()
    name = paths.pack(USER, loaded.places()[catalog.key(loaded.tree.entries["brain/people/ann.md"].contents[0])].pack)
    bench.blobs.write(name, b"damaged", if_generation=None)
    writer = exclusive(bench)
    with writer.hold(USER, "repair") as hold:
        done = repair(writer.store.of(USER), "daily check", hold)
    assert done.frozen == f"content-digests broken, first at {name}"
    with pytest.raises(WorkspaceFrozen, match="is frozen"):
        bench.hydrate(bench.store())
    assert History(bench.store().of(USER)).tree().entries == loaded.tree.entries  # reads go on
    with writer.hold(USER, "restore") as hold:
        restore(writer.store.of(USER), 3, "a pack is damaged", hold)
    root, _ = bench.hydrate(bench.store())
    assert (root / "brain/people/ann.md").read_text() == "# Ann, version 3\n"


def test_a_sound_workspace_that_was_frozen_is_thawed(bench: Bench) -> None:
    store = bench.store()
    head = store.of(USER).read_head()
    assert head is not None
    store.of(USER).heads.freeze("somebody thought so", head)
    with pytest.raises(WorkspaceFrozen):
        bench.hydrate(bench.store())
    writer = exclusive(bench)
    with writer.hold(USER, "repair") as hold:
        done = repair(writer.store.of(USER), "looked at it", hold)
    assert done.actions == ("thawed (looked at it)",)
    bench.hydrate(bench.store())


def test_a_reader_that_a_gc_overtakes_reads_head_again(bench: Bench) -> None:
    reader_head = bench.store().of(USER).read_head()
    assert reader_head is not None
    old = f"users/{USER}/index/{reader_head.index}"

    def overtake(op: Op) -> None:
        if (op.verb, op.name, op.phase) != ("read", old, "before") or bench.blobs.peek(old) is None:
            return
        store = bench.store()
        root, workspace = bench.hydrate(store)
        (root / "brain/new.md").write_text("new")
        bench.commit(store, root, workspace.base, "job-5")
        blob = bench.blobs.peek(old)
        assert blob is not None
        bench.blobs.delete(old, if_generation=blob.stat.generation)

    assert bench.store(overtake).of(USER).load().head.seq == 5
