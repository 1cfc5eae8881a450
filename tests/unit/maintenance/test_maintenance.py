"""What the daily round does to one user: a sound history is swept, a broken one frozen, and nobody thaws by machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumer import paths
from consumer.errors import ConsumerError, LockBusy, WorkspaceFrozen
from consumer.maintenance.maintenance import maintain
from consumer.maintenance.repair import repair
from consumer.maintenance.restore import restore
from consumer.repository.history import History
from consumer.snapshot import catalog
from tests.unit.repository.test_workspace_writers import DAY_S, damaged, exclusive, sound
from tests.unit.repository.workspaces import USER, Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path)
    for n in range(1, 4):
        store = made.store()
        root, workspace = made.hydrate(store)
        (root / "brain/people/ann.md").write_text(f"# Ann, version {n}\n")
        made.commit(store, root, workspace.base, f"job-{n}")
        store.close()
    made.clock.advance(DAY_S)
    return made


def test_a_sound_history_is_swept(bench: Bench) -> None:
    stray = f"users/{USER}/packs/{'0' * 64}"
    bench.blobs.write(stray, b"from a dead writer", if_generation=0)
    bench.clock.advance(DAY_S)
    done = maintain(exclusive(bench), USER)
    # What is old and unnamed is a fault of nobody: it is named in the report, and gone now.
    assert (done.frozen, done.report.broken()) == ("", {"orphans-only-young"})
    assert done.deleted_objects == 3  # it, and the catalogs of commits 1 and 2
    assert bench.blobs.peek(stray) is None
    again = maintain(exclusive(bench), USER)
    assert (again.report.ok, again.deleted_objects) == (True, 0)
    assert sound(bench)


def test_a_broken_history_is_frozen_and_nothing_of_it_deleted(bench: Bench) -> None:
    name = damaged(bench, "packs")
    before = set(bench.blobs.names(f"users/{USER}/packs/"))
    done = maintain(exclusive(bench), USER)
    assert name in done.frozen
    assert done.deleted_objects == 0
    assert set(bench.blobs.names(f"users/{USER}/packs/")) == before
    with pytest.raises(WorkspaceFrozen, match="is frozen"):
        bench.hydrate(bench.store())
    assert maintain(exclusive(bench), USER).frozen == done.frozen


def test_what_a_person_froze_stays_frozen(bench: Bench) -> None:
    store = bench.store()
    head = store.of(USER).read_head()
    assert head is not None
    store.of(USER).heads.freeze("somebody looks at it", head)
    done = maintain(exclusive(bench), USER)
    assert (done.report.broken(), done.frozen, done.deleted_objects) == (set(), "somebody looks at it", 0)


def test_a_user_without_a_commit_has_nothing_to_maintain(tmp_path: Path) -> None:
    done = maintain(exclusive(Bench(tmp_path)), USER)
    assert (done.report.ok, done.frozen, done.deleted_objects) == (True, "", 0)


def test_a_running_job_is_left_alone(bench: Bench) -> None:
    with exclusive(bench).hold(USER, "a job"), pytest.raises(LockBusy):
        maintain(exclusive(bench), USER)


# --- what older commits lost


COMMITS = 6


def _long(tmp_path: Path) -> Bench:
    """Commits with files of their own and a raw export each, in several packs, trees and index objects."""
    made = Bench(tmp_path)
    for n in range(1, COMMITS + 1):
        _worked(made, n)
    made.clock.advance(DAY_S)
    return made


def _worked(bench: Bench, number: int, raw: str = "") -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "brain/people/ann.md").write_text(f"# Ann, version {number}\n")
    (root / f"brain/people/only-{number}.md").write_text(f"Only {number}\n")
    (root / f"brain/people/only-{number - 1}.md").unlink(missing_ok=True)
    (root / "gbrain-home/large.bin").write_bytes(str(number).encode() * 90_000)
    (root / f"runtime/exports/hourly/b{number}.jsonl").write_text(f'{{"n": {number}}}\n')
    if raw:
        (root / f"runtime/exports/hourly/{raw}").write_text("changed\n")
    head = store.of(USER).read_head()
    bench.commit(store, root, workspace.base, f"job-{number}", head.epoch if head else 1)
    store.close()


def _restored(bench: Bench, seq: int) -> None:
    writer = exclusive(bench)
    with writer.hold(USER, "restore") as hold:
        restore(writer.store.of(USER), seq, "went wrong", hold)
    writer.store.close()


def _pack_of(bench: Bench, seq: int) -> str:
    """The pack of what only this commit has."""
    snapshot = History(bench.store().of(USER)).at(seq)
    key = catalog.key(snapshot.tree.entries[f"brain/people/only-{seq}.md"].contents[0])
    return paths.pack(USER, snapshot.places()[key].pack)


def test_a_restore_is_a_way_out_although_an_older_pack_stays_lost(tmp_path: Path) -> None:
    bench = _long(tmp_path)
    lost = _pack_of(bench, COMMITS)
    bench.blobs.write(lost, b"damaged", if_generation=None)
    assert lost in maintain(exclusive(bench), USER).frozen
    _restored(bench, COMMITS - 1)
    for number in (COMMITS + 2, COMMITS + 3):
        before = set(bench.blobs.names(f"users/{USER}/"))
        done = maintain(exclusive(bench), USER)
        assert (done.frozen, done.damaged, done.deleted_objects) == ("", True, 0)
        assert lost in {fault.object for fault in done.report.faults}
        assert before <= set(bench.blobs.names(f"users/{USER}/"))
        _worked(bench, number)


@pytest.mark.properties
def test_whatever_object_is_lost_it_freezes_exactly_what_no_job_could_work_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Small bounds, so that a few commits make several runs, epochs and segments.
    monkeypatch.setattr(catalog, "INLINE_BYTES", 200)
    names = [name for name in _long(tmp_path / "names").blobs.names(f"users/{USER}/") if "/lock" not in name]
    frozen = free = 0
    for number, name in enumerate(name for name in sorted(names) if not name.endswith("/HEAD")):
        bench = _long(tmp_path / str(number))
        bench.blobs.write(name, b"damaged", if_generation=None)
        try:
            bench.hydrate(bench.store())
            works = True
        except ConsumerError:
            works = False
        done = maintain(exclusive(bench), USER)
        assert bool(done.frozen) != works, (name, done.frozen)
        if works:
            free += 1
            _worked(bench, COMMITS + 1)
            assert maintain(exclusive(bench), USER).frozen == ""
        else:
            frozen += 1
    assert frozen >= 4
    assert free >= 8


def test_what_was_frozen_for_an_older_commit_is_thawed_by_a_repair(tmp_path: Path) -> None:
    bench = _long(tmp_path)
    bench.blobs.write(_pack_of(bench, 1), b"damaged", if_generation=None)
    store = bench.store()
    head = store.of(USER).read_head()
    assert head is not None
    store.of(USER).heads.freeze("content-digests broken", head)
    writer = exclusive(bench)
    with writer.hold(USER, "repair") as hold:
        assert repair(writer.store.of(USER), "HEAD is whole", hold).frozen == ""
    _worked(bench, COMMITS + 1)


def test_a_changed_raw_export_freezes_every_commit_that_builds_on_it(tmp_path: Path) -> None:
    bench = _long(tmp_path)
    _worked(bench, COMMITS + 1, raw="b2.jsonl")
    _worked(bench, COMMITS + 2)
    assert "exports-preserved" in maintain(exclusive(bench), USER).frozen
    _restored(bench, COMMITS)
    done = maintain(exclusive(bench), USER)
    assert (done.frozen, done.report.broken()) == ("", {"exports-preserved"})
