"""HEAD itself is lost: nothing begins anew over the history, nothing of it is deleted, a person points HEAD back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from consumer import paths
from consumer.errors import HeadMoved, LockLost, SnapshotIncomplete, WorkspaceFrozen
from consumer.maintenance import gc, rescue
from consumer.maintenance.maintenance import maintain
from consumer.maintenance.repair import repair
from consumer.repository.workspace import Repository
from consumer.snapshot import chain
from consumer.snapshot.snapshot import Head
from consumer.storage.memory import Faults, Killed
from tests.unit.repository.test_workspace_writers import DAY_S, exclusive, sound
from tests.unit.repository.workspaces import USER, Bench, Free, listing

HEAD = paths.head(USER)
Breaks = Callable[[Bench], None]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path)
    for n in range(1, 4):
        commit(made, n)
    return made


def commit(bench: Bench, n: int, epoch: int = 1) -> str:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "brain/people/ann.md").write_text(f"# Ann, version {n}\n")
    ref = bench.commit(store, root, workspace.base, f"job-{n}", epoch)
    store.close()
    return ref.digest


def deleted(bench: Bench) -> None:
    bench.blobs.delete(HEAD, if_generation=bench.blobs.stat(HEAD).generation)


def emptied(bench: Bench) -> None:
    """What a fence makes of a HEAD that was deleted."""
    deleted(bench)
    bench.store().of(USER).fence(7)


def cut(bench: Bench) -> None:
    blob = bench.blobs.peek(HEAD)
    assert blob is not None
    bench.blobs.write(HEAD, blob.data[:40], if_generation=None)


def of_another(bench: Bench) -> None:
    bench.blobs.write(HEAD, b"[]", if_generation=None)


BROKEN = (deleted, emptied, cut, of_another)
broken = pytest.mark.parametrize("breaks", BROKEN, ids=lambda breaks: breaks.__name__)


def rescued(bench: Bench, prefix: str = "", fault: Faults | None = None) -> Head:
    """As the command does it."""
    writer = exclusive(bench, fault) if fault else exclusive(bench)
    known = rescue.candidates(writer.store.of(USER), Free())
    candidate = rescue.chosen(known, prefix or known[0].digest)
    with writer.hold_without_head(USER, "repair", rescue.newest_epoch(known)) as hold:
        return rescue.write(writer.store.of(USER), candidate, hold)


def mended(bench: Bench) -> str:
    writer = exclusive(bench)
    with writer.hold(USER, "repair") as hold:
        return repair(writer.store.of(USER), "HEAD was lost", hold).frozen


@broken
def test_nothing_begins_anew_and_nothing_is_deleted_while_head_is_lost(bench: Bench, breaks: Breaks) -> None:
    breaks(bench)
    before = set(bench.blobs.names(f"users/{USER}/")) - {HEAD, paths.lock(USER)}
    bench.clock.advance(DAY_S)
    with pytest.raises(SnapshotIncomplete):
        bench.hydrate(bench.store())
    if breaks in (deleted, emptied):
        assert "head-coherent broken" in maintain(exclusive(bench), USER).frozen
    else:
        with pytest.raises(SnapshotIncomplete):
            maintain(exclusive(bench), USER)
    with pytest.raises(SnapshotIncomplete):
        gc.collect(exclusive(bench).store.of(USER), None)  # type: ignore[arg-type]  # it comes to no check
    assert set(bench.blobs.names(f"users/{USER}/")) - {HEAD, paths.lock(USER)} == before


@broken
def test_head_names_the_last_commit_again_and_work_goes_on(bench: Bench, breaks: Breaks, tmp_path: Path) -> None:
    before, _ = bench.hydrate(bench.store())
    breaks(bench)
    assert HEAD in (rescue.fault(bench.store().of(USER)) or "")
    head = rescued(bench)
    assert (head.seq, head.job_id, head.attempt) == (3, "job-3", 1)
    with pytest.raises(WorkspaceFrozen):
        bench.hydrate(bench.store())  # not before it is verified
    assert mended(bench) == ""
    assert rescue.fault(bench.store().of(USER)) is None
    assert sound(bench)
    after, _ = bench.hydrate(bench.store())
    assert listing(after) == listing(before)
    commit(bench, 4, epoch=99)
    assert sound(bench)


@pytest.mark.properties
@broken
def test_wherever_it_dies_the_same_call_ends_it(bench: Bench, breaks: Breaks) -> None:
    breaks(bench)
    state = dict(bench.blobs._bucket.objects)
    bench.blobs._bucket.ops.clear()
    rescued(bench)
    for op in list(bench.blobs._bucket.ops):
        for after in (False, True) if op.verb == "write" else (False,):
            bench.blobs._bucket.objects.clear()
            bench.blobs._bucket.objects.update(state)
            bench.blobs._bucket.ops.clear()
            with pytest.raises(Killed):
                rescued(bench, fault=Faults().kill(op.number, after=after))
            bench.clock.advance(DAY_S)
            if rescue.fault(bench.store().of(USER)):
                rescued(bench)
            assert mended(bench) == ""
            assert sound(bench)


def test_who_hydrated_before_cannot_commit_afterwards(bench: Bench) -> None:
    job = bench.store()
    root, workspace = bench.hydrate(job)
    cut(bench)
    rescued(bench)
    assert mended(bench) == ""
    (root / "brain/late.md").write_text("late")
    with pytest.raises(LockLost):
        bench.commit(job, root, workspace.base, "job-late")
    assert sound(bench)


def test_of_two_last_commits_the_later_holders_comes_first(bench: Bench) -> None:
    paused = bench.store()
    root, workspace = bench.hydrate(paused)
    state = bench.blobs.peek(HEAD)
    assert state is not None
    later = commit(bench, 5, epoch=5)
    # As if the paused one's swap had been refused: its commit is there, HEAD is the later one's.
    bench.blobs.write(HEAD, state.data, if_generation=None)
    paused = bench.store()
    (root / "brain/people/ann.md").write_text("# Ann, by the one that lost\n")
    root, workspace = bench.hydrate(paused)
    (root / "brain/people/ann.md").write_text("# Ann, by the one that lost\n")
    lost = bench.commit(paused, root, workspace.base, "job-4", 1).digest
    deleted(bench)
    known = rescue.candidates(bench.store().of(USER), Free())
    assert [candidate.digest for candidate in known[:2]] == [later, lost]
    assert [candidate.last for candidate in known] == [True, True, False, False, False]
    assert [candidate.digest for candidate in rescue.left_out(known, known[0])] == [lost]
    assert rescued(bench).commit == later
    assert mended(bench) == ""


def test_a_lost_catalog_is_made_again_with_it(bench: Bench) -> None:
    for name in bench.blobs.names(paths.index(USER, "")):
        stat = bench.blobs.stat(name)
        blob = bench.blobs.peek(name)
        if blob is not None and _is_catalog_of(blob.data, 3):
            bench.blobs.delete(name, if_generation=stat.generation)
    cut(bench)
    known = rescue.candidates(bench.store().of(USER), Free())
    # What commit 3 changed lay in its catalog alone: that is told, HEAD stays as it was, and the one before it stands.
    with pytest.raises(SnapshotIncomplete, match="choose an older commit"):
        rescued(bench)
    assert rescue.fault(bench.store().of(USER))
    assert rescued(bench, known[1].digest[:12]).seq == 2
    assert mended(bench) == ""


def test_a_choice_must_be_one_commit_and_never_older_than_a_purge(bench: Bench) -> None:
    known = rescue.candidates(bench.store().of(USER), Free())
    with pytest.raises(rescue.CannotChoose, match="must match one proven commit, but matches 3"):
        rescue.chosen(known, "")
    with pytest.raises(rescue.CannotChoose, match="must match one proven commit, but matches 0"):
        rescue.chosen(known, "not hexadecimal")
    with pytest.raises(rescue.CannotChoose, match="public keys"):
        rescue.chosen([], known[0].digest)
    purge = known[0].commit.model_copy(update={"job_type": "purge"})
    erased = [rescue.Candidate(chain.digest(purge), purge, True), *known[1:]]
    assert rescue.chosen(erased, erased[0].digest[:12]) == erased[0]
    with pytest.raises(rescue.CannotChoose, match="commit 3 is a purge"):
        rescue.chosen(erased, known[1].digest)


def test_a_damaged_or_foreign_commit_is_no_candidate(bench: Bench) -> None:
    known = rescue.candidates(bench.store().of(USER), Free())
    bench.blobs.write(paths.commit(USER, 2, known[1].digest), b"{}", if_generation=None)
    bench.blobs.write(paths.commit(USER, 9, "f" * 64), b"{}", if_generation=None)
    # Nor what continues it: its history could not be walked.
    assert [candidate.commit.seq for candidate in rescue.candidates(bench.store().of(USER), Free())] == [1]


def test_a_head_that_is_sound_is_left_alone(bench: Bench) -> None:
    assert rescue.fault(bench.store().of(USER)) is None
    blob = bench.blobs.peek(HEAD)
    with pytest.raises(HeadMoved, match="already names a commit"):
        rescued(bench)
    assert bench.blobs.peek(HEAD) == blob


def test_a_new_user_has_nothing_to_rescue(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert rescue.fault(bench.store().of(USER)) is None
    bench.store().of(USER).fence(1)
    assert rescue.fault(bench.store().of(USER)) is None
    bench.hydrate(bench.store())


def test_a_first_commit_whose_writer_died_keeps_nobody_from_beginning(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    commit(bench, 1)
    deleted(bench)
    _, workspace = bench.hydrate(bench.store())
    assert workspace.base.seq == 0


def test_a_head_that_is_lost_while_its_snapshot_is_read_begins_nothing_anew(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = bench.store()
    heads = [store.of(USER).read_head()]
    for name in bench.blobs.names(paths.index(USER, "")):
        bench.blobs.delete(name, if_generation=bench.blobs.stat(name).generation)
    monkeypatch.setattr(Repository, "read_head", lambda _: heads.pop() if heads else None)
    with pytest.raises(SnapshotIncomplete, match="more than a first commit"):
        store.of(USER).load()


def test_what_lies_above_head_is_swept_once_head_is_above_it(bench: Bench) -> None:
    """An older HEAD that was put back by hand must not cost the commits that it does not know."""
    old = bench.blobs.peek(HEAD)
    assert old is not None
    commit(bench, 4)
    bench.blobs.write(HEAD, old.data, if_generation=None)
    bench.clock.advance(DAY_S)
    before = set(bench.blobs.names(f"users/{USER}/commits/"))
    writer = exclusive(bench)
    with writer.hold(USER, "gc") as hold:
        assert gc.collect(writer.store.of(USER), hold).deleted == ()
        # A purge, which has no grace, sweeps the history all the same: nothing may be left of what it removed.
        for grace, sweeps in ((timedelta(microseconds=1), False), (timedelta(0), True)):
            planned = gc.collect(writer.store.of(USER), hold, dry_run=True, grace=grace).deleted
            assert any(name.startswith(f"users/{USER}/commits/") for name, _ in planned) is sweeps
    assert set(bench.blobs.names(f"users/{USER}/commits/")) == before
    commit(bench, 5, epoch=9)
    bench.clock.advance(DAY_S)
    writer = exclusive(bench)
    with writer.hold(USER, "gc") as hold:
        assert gc.collect(writer.store.of(USER), hold).deleted
    assert len(bench.blobs.names(f"users/{USER}/commits/")) == 4
    assert sound(bench)


def _is_catalog_of(data: bytes, seq: int) -> bool:
    from consumer.snapshot import catalog

    try:
        return catalog.load_catalog(data).seq == seq
    except ValueError:
        return False
