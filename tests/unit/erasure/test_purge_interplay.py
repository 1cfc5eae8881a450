"""A purge that dies at what it writes beside the history, and meets jobs, other operators, resets and itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from consumer import paths
from consumer.erasure import late_writers
from consumer.erasure.late_writers import HORIZON
from consumer.erasure.reset import reset
from consumer.erasure.selecting import Selection
from consumer.errors import ConsumerError, LockBusy
from consumer.locking.exclusive import Exclusive, Hold
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.ports import Blob
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot.suppression import Suppressed
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import Fault, Faults, Killed, MemorySuppressions, Op
from tests import erasing
from tests.unit.repository.workspaces import USER

GONE = ("meeting_notes", "note-gone-0001")
ALSO = ("meeting_notes", "note-also-0001")
STAYS = ("meeting_notes", "note-stays-0001")


class Dying(MemorySuppressions):
    """The database's copy; the caller dies at call ``number``, before or after it took effect."""

    number, after = 0, False

    def suppress(self, user_id: str, more: Suppressed) -> Suppressed:
        self.number -= 1
        if self.number == 0 and not self.after:
            raise Killed("before the database had it")
        result = super().suppress(user_id, more)
        if self.number == 0:
            raise Killed("after the database had it")
        return result


class World(erasing.World):
    """Two commits of three records, as often as a test wants to begin with them."""

    def __init__(self, tmp: Path) -> None:
        super().__init__(tmp)
        self.dying = self.mirror = Dying()
        for key in (GONE, ALSO, STAYS):
            self.put(key, "First", "Ann Lee")
        self.job("backfill_digest", [GONE])
        self.put(GONE, "Second", "Ann Lee")
        self.job("hourly_digest", [GONE, ALSO])
        self._objects: dict[str, Blob] = dict(self.bench.blobs._bucket.objects)
        self._states, self._jobs = dict(self.states), self.jobs

    def again(self) -> None:
        self.bench.blobs._bucket.objects.clear()
        self.bench.blobs._bucket.objects.update(self._objects)
        self.bench.blobs._bucket.ops.clear()
        self.dying.rows.clear()
        self.dying.number = 0
        self.states, self.jobs = dict(self._states), self._jobs

    def seq(self) -> int:
        head = self.looking.of(USER).read_head()
        assert head is not None
        return head.seq

    @contextmanager
    def hold(self, why: str, *, to_erase: bool = False) -> Iterator[tuple[WorkspaceStore, Hold]]:
        self.bench.clock.advance(200)
        store, clock = self._store(), self.bench.clock
        ids = iter(range(10**9))
        locks = Locks(ConditionalWriter(self.bench.blobs, clock), clock, lambda: f"{why}-{next(ids)}", Lease())
        exclusive = Exclusive(locks, store, "operator", threads=False)
        with (exclusive.hold_to_erase if to_erase else exclusive.hold)(USER, why) as hold:
            yield store, hold
        store.close()

    def swept_again(self) -> None:
        """The second sweep, once nobody of before can write any more."""
        self.bench.clock.advance(HORIZON.total_seconds() + 1)
        with self.hold("sweep") as (store, hold):
            assert late_writers.sweep(store.of(USER), hold).due is None


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("interplay"))


@pytest.fixture
def world(template: World) -> World:
    template.again()
    return template


def only(*keys: tuple[str, str]) -> Selection:
    return Selection(frozenset(keys))


def dies_at(name: str, number: int, *, after: bool) -> Fault:
    """Whose caller dies at the n-th write of this object, before or after it took effect."""
    phase, left = "after" if after else "before", number

    def fault(op: Op) -> None:
        nonlocal left
        if (op.verb, op.name, op.phase) == ("write", name, phase):
            left -= 1
            if left == 0:
                raise Killed(f"{phase} write {number} of {name}")

    return fault


def deaths(world: World) -> list[tuple[str, int, bool]]:
    """(object, or "database"; number of the write; after it), of all that a purge writes beside the history."""
    world.purge(only(GONE))
    beside = (paths.suppressed(USER), paths.late(USER))
    counts = {name: sum(op.verb == "write" and op.name == name for op in world.bench.blobs.ops) for name in beside}
    counts["database"] = -world.dying.number
    assert counts == {paths.suppressed(USER): 1, paths.late(USER): 1, "database": 3}
    return [(name, n, after) for name, count in counts.items() for n in range(1, count + 1) for after in (False, True)]


@pytest.mark.properties
def test_whoever_dies_at_what_lies_beside_the_history_left_it_whole_and_may_call_again(world: World) -> None:
    sought = erasing.traces(world, frozenset({GONE}))
    kept = []
    for death in deaths(world):
        name, number, after = death
        world.again()
        before = world.seq()
        if name == "database":
            world.dying.number, world.dying.after = number, after
        with pytest.raises(Killed):
            world.purge(only(GONE), dies_at(name, number, after=after))
        world.dying.number = 0
        assert world.seq() == before, death
        world.verify()
        known = world.suppressions().read(USER)
        kept.append(known.hides(*GONE))
        # As soon as one copy has it, no export brings it again, though HEAD still shows it.
        assert world.dying.rows[USER].hides(*GONE) == known.hides(*GONE), death
        world.job()
        assert world.purge(only(GONE)).records == 1, death
        erasing.require_gone(world, sought, ids=False)
        world.verify()
        world.job("backfill_digest")
        erasing.require_gone(world, sought, ids=False)
    assert {*kept} == {True, False}


def test_a_second_operator_has_to_wait(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    busy: list[BaseException] = []

    def second() -> None:
        with monkeypatch.context() as patch, pytest.raises(LockBusy) as caught:
            patch.setattr(world.bench.clock, "advance", lambda _seconds: None)
            world.purge(only(ALSO))
        busy.append(caught.value)

    world.purge(only(GONE))
    numbers = [op.number for op in world.bench.blobs.ops if op.verb == "write"]
    world.again()
    world.purge(only(GONE), Faults().call(numbers[len(numbers) // 2], second))
    assert len(busy) == 1
    assert world.purge(only(ALSO)).records == 1
    erasing.require_gone(world, erasing.traces(world, frozenset({GONE, ALSO})))
    world.verify()


@pytest.mark.properties
def test_an_operator_who_was_paused_takes_nothing_back_from_the_one_who_followed(world: World) -> None:
    sought = erasing.traces(world, frozenset({GONE, ALSO}))
    world.purge(only(GONE))
    swap = max(op.number for op in world.bench.blobs.ops if op.verb == "write" and op.name == paths.head(USER))
    numbers = [op.number for op in world.bench.blobs.ops if op.verb == "write" and op.number <= swap]
    assert len(numbers) > 8
    for number in numbers[1:]:
        world.again()
        # The lease of the first one has run out when the second one begins.
        with pytest.raises(ConsumerError):
            world.purge(only(GONE), Faults().call(number, lambda: world.purge(only(ALSO))))
        world.verify()
        assert world.purge(only(ALSO)).commit is None
        assert world.purge(only(GONE)).records == 1
        world.swept_again()
        erasing.require_gone(world, sought)
        world.verify()


@pytest.mark.properties
def test_a_job_during_which_a_purge_came_brings_nothing_back(world: World) -> None:
    sought = erasing.traces(world, frozenset({GONE}))
    world.put(STAYS, "News", "Ann Lee")
    world.bench.blobs._bucket.ops.clear()
    world.job("backfill_digest", [GONE])
    total = len(world.bench.blobs.ops)
    outcomes = set()
    for number in range(1, total + 1):
        world.again()
        faults = Faults().call(number, lambda: world.purge(only(GONE)))
        try:
            world.job("backfill_digest", [ALSO], faults)
        except ConsumerError as exc:
            outcomes.add(exc.code)
        else:
            outcomes.add("committed")
        if not faults.fired:
            continue
        assert world.suppressions().read(USER).hides(*GONE)
        world.verify()
        world.swept_again()
        erasing.require_gone(world, sought, ids=False)
        world.verify()
    assert len(outcomes) > 1, "paused before its swap it fails, and after it the purge takes out what it brought"


def test_purged_twice_and_with_others_and_sent_again(world: World) -> None:
    sought = erasing.traces(world, frozenset({GONE, ALSO}))
    assert world.purge(only(GONE)).records == 1
    assert world.purge(only(GONE)).commit is None
    # The source moves it to another day, and says more.
    for _ in range(30):
        world.put(GONE, "Moved", "Bob")
    world.job()
    assert world.purge(only(GONE)).commit is None
    assert world.purge(only(GONE, ALSO)).records == 1
    world.job("backfill_digest")
    erasing.require_gone(world, sought, ids=False)
    assert world.pages(world.seq()) == world.fresh(world.seq(), frozenset({GONE, ALSO}))
    world.verify()


def test_after_a_reset_a_purge_takes_the_archive_with_what_came_again(world: World) -> None:
    sought = erasing.traces(world, frozenset({GONE}))
    with world.hold("reset", to_erase=True) as (store, hold):
        done = reset(store.of(USER), "broken", hold, history="archive", suppressions=world.suppressions())
    assert world.purge(only(GONE)).commit is None, "nothing came again yet, and an archive is not looked into"
    assert world.bench.blobs.names(str(done.archive))
    world.job("backfill_digest")
    assert world.purge(only(GONE)).records == 1
    assert world.bench.blobs.names(str(done.archive)) == []
    erasing.require_gone(world, sought)
    world.verify()
