"""Beginning anew from the app's data: whatever was purged stays away, and the old history is aside or gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumer import paths
from consumer.erasure import late_writers
from consumer.erasure.late_writers import HORIZON
from consumer.erasure.reset import History, NothingToReset, PurgeUnfinished, Reset, reset
from consumer.errors import ControlPlaneUnavailable
from consumer.repository import history as commits
from consumer.repository.history import NoSuchCommit
from consumer.storage.memory import Faults, Killed
from tests.fixtures_telemetry import logs
from tests.unit.erasure.test_erase import JOBS, KEPT, PREFIX, SECRET, STATES, World, damage_everything, damage_packs
from tests.unit.repository.workspaces import USER, listing

NOTE = ("meeting_notes", "note-4711")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("reset"))


@pytest.fixture
def world(template: World, tmp_path: Path) -> World:
    return template.copied(tmp_path)


def begun_anew(world: World, history: History, faults: Faults | None = None) -> Reset:
    with world.hold(faults or Faults()) as (store, hold):
        return reset(
            store.of(USER), "broken", hold, history=history, suppressions=world.suppressions(faults or Faults())
        )


def swept(world: World) -> late_writers.Swept:
    world.clock.advance(HORIZON.total_seconds() + 1)
    with world.hold() as (store, hold):
        return late_writers.sweep(store.of(USER), hold)


@pytest.mark.parametrize("history", ["archive", "erase"])
@pytest.mark.parametrize("harm", STATES, ids=lambda harm: harm.__name__.strip("<>"))
@logs("memory begun anew")
def test_whatever_state_it_is_in_the_next_run_begins_from_the_template(
    world: World, harm: object, history: History
) -> None:
    world.suppressions().add(USER, [NOTE])
    harm(world)  # type: ignore[operator]
    done = begun_anew(world, history)
    assert done.suppressed == 1
    assert world.suppressions().read(USER).hides(*NOTE)
    assert not world.suppressions().read(USER).erased, "a reset fills the memory again at once"
    root, workspace = world.bench.hydrate(world.bench.store())
    assert (workspace.base.digest, dict(workspace.cursors)) == (None, {})
    assert "brain/people/ann.md" not in listing(root)
    assert world.run(5, epoch=world.head().epoch) > 3
    report = world.verified()
    assert report.ok, report.faults
    assert world.blobs.peek(paths.parked(USER, JOBS[2])) is not None, "a job that waits goes on waiting"
    assert world.blobs.peek(f"jobs/{JOBS[0]}.json") is not None


def test_an_archive_holds_every_object_of_the_history_as_it_was(world: World) -> None:
    damage_packs(world)
    before = {
        name.removeprefix(PREFIX): data
        for name, (_, data) in world.blobs.contents().items()
        if name.startswith(PREFIX) and "/parked/" not in name and name not in (KEPT - {paths.head(USER)})
    }
    for folder in ("answers/", "checkpoints/", "readings/"):
        before = {name: data for name, data in before.items() if not name.startswith(folder)}
    done = begun_anew(world, "archive")
    assert done.archive is not None
    kept = {
        n.removeprefix(done.archive): d for n, (_, d) in world.blobs.contents().items() if n.startswith(done.archive)
    }
    assert kept == before
    assert set(world.blobs.names(PREFIX)) - KEPT == {paths.parked(USER, JOBS[2]), *(done.archive + n for n in kept)}
    assert done.archived.count == len(before) - 1, "HEAD is copied, not moved"


def test_without_an_archive_nothing_is_left(world: World) -> None:
    begun_anew(world, "archive")
    world.run(5, epoch=world.head().epoch)
    begun_anew(world, "erase")
    assert set(world.blobs.names(PREFIX)) - KEPT == {paths.parked(USER, JOBS[2])}
    assert not [n for n, (_, d) in world.blobs.contents().items() if SECRET in d and n.startswith(f"{PREFIX}packs")]


def test_where_what_was_purged_is_not_known_nothing_is_done(world: World) -> None:
    world.suppressions().add(USER, [NOTE])
    world.mirror.away = ControlPlaneUnavailable("POST /suppressions: 503")
    damage_everything(world)
    before = world.blobs.contents()
    with pytest.raises(ControlPlaneUnavailable):
        begun_anew(world, "erase")
    assert {n: v for n, v in world.blobs.contents().items() if n != paths.lock(USER)} == {
        n: v for n, v in before.items() if n != paths.lock(USER)
    }


@pytest.mark.properties
@pytest.mark.parametrize("history", ["archive", "erase"])
@pytest.mark.parametrize("after", [False, True])
def test_whoever_dies_at_any_change_is_followed_by_one_who_finishes(
    tmp_path: Path, history: History, after: bool
) -> None:
    rehearsal = World(tmp_path / "count")
    rehearsal.suppressions().add(USER, [NOTE])
    before = len(rehearsal.blobs.ops)
    expected = begun_anew(rehearsal, history)
    changes = [op.number - before for op in rehearsal.blobs.ops[before:] if op.verb in ("write", "delete")]
    aside = {n.partition("/archive/")[2].partition("/")[2] for n in rehearsal.blobs.names(f"{PREFIX}archive/")}
    for k in changes:
        world = World(tmp_path / str(k), like=rehearsal)
        world.mirror.rows = dict(rehearsal.mirror.rows)
        try:
            begun_anew(world, history, Faults().kill(len(world.blobs.ops) + k, after=after))
        except Killed:
            world.clock.advance(1000)
        if world.head().erased and not world.head().frozen:
            continue  # done; only the lock was not left
        done = begun_anew(world, history)
        assert done.seq >= expected.seq
        archived = {n.partition("/archive/")[2].partition("/")[2] for n in world.blobs.names(f"{PREFIX}archive/")}
        assert archived == aside
        assert world.suppressions().read(USER).hides(*NOTE)
        world.run(5, epoch=world.head().epoch)
        assert world.verified().ok


def test_late_writers_of_before_are_swept_and_the_archive_stays(world: World) -> None:
    done = begun_anew(world, "archive")
    world.put(paths.pack(USER, "9" * 64))
    world.put(paths.answer(USER, "9" * 64))
    world.put(paths.published(USER, 2, "brain/people/ann.md"))
    last = swept(world)
    assert last.due is None
    assert dict(last.removed.objects) == {"answers": 1, "packs": 1, "published": 1}
    assert world.blobs.names(str(done.archive))
    assert world.blobs.peek(f"jobs/{JOBS[0]}.json") is not None, "a reset forgets no job"


def test_a_purge_of_records_takes_the_archive(world: World) -> None:
    begun_anew(world, "archive")
    world.run(5, epoch=world.head().epoch)
    with world.hold() as (store, hold):
        late_writers.remember(store.of(USER), "purge", hold, seq=5)
        removed = late_writers.sweep(store.of(USER), hold).removed
    assert removed.objects["archive"] > 3
    assert world.blobs.names(f"{PREFIX}archive/") == []
    assert world.verified().ok


def test_while_a_purges_second_sweep_is_owed_nothing_is_set_aside(world: World) -> None:
    """What a paused run writes in that time may be what was purged, and an archive is never looked through."""
    with world.hold() as (store, hold):
        late_writers.remember(store.of(USER), "purge", hold, seq=3)
    before = world.blobs.names(PREFIX)
    with pytest.raises(PurgeUnfinished, match="second sweep of a purge is due at"):
        begun_anew(world, "archive")
    assert world.blobs.names(PREFIX) == before
    assert world.head().commit
    assert begun_anew(world, "erase").archive is None


def test_after_a_reset_a_number_of_before_is_said_to_be_gone(world: World) -> None:
    begun_anew(world, "archive")
    seq = world.head().seq
    with pytest.raises(NoSuchCommit, match=r"has no commit 1: it has no commit; an erasure or a reset removed"):
        commits.History(world.bench.store().of(USER)).commit(1)
    world.run(5, epoch=world.head().epoch)
    with pytest.raises(NoSuchCommit, match=rf"no commit 1: it has only commit {seq + 1}; an erasure or a reset"):
        commits.History(world.bench.store().of(USER)).commit(1)
    with pytest.raises(NoSuchCommit, match=r"no commit 99: it has only commit \d+$"):
        commits.History(world.bench.store().of(USER)).commit(99)


def test_an_erasure_takes_the_archive_and_is_not_taken_for_a_reset(world: World) -> None:
    begun_anew(world, "archive")
    done = world.erase()
    assert done.removed.objects["archive"] > 3
    world.require_erased()


def test_an_erasure_is_not_undone_by_a_reset(world: World) -> None:
    world.erase()
    with pytest.raises(NothingToReset, match=r"everything was erased already.*--begin-anew"):
        begun_anew(world, "archive")


def test_a_user_without_a_workspace_has_nothing_to_reset(tmp_path: Path) -> None:
    world = World(tmp_path, commits=0)
    for name in world.blobs.names(PREFIX):
        blob = world.blobs.peek(name)
        assert blob is not None
        world.blobs.delete(name, if_generation=blob.stat.generation)
    with pytest.raises(NothingToReset, match="no workspace yet"):
        begun_anew(world, "archive")
    assert paths.head(USER) not in world.blobs.names()
