"""What was purged stays away: two copies that only grow, whoever dies, races or loses one of them."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from consumer import paths
from consumer.erasure.suppressions import Suppressions
from consumer.errors import BlobUnavailable, ControlPlaneUnavailable, NotAllowed, RequestRefused, SuppressionsUnreadable
from consumer.snapshot import suppression
from consumer.snapshot.suppression import Suppressed
from consumer.storage.memory import FakeClock, Fault, Faults, Killed, MemoryBlobStore, MemorySuppressions, Op, no_fault
from tests.fixtures_telemetry import logs
from tests.unit.repository.workspaces import USER, Counter

NOTE = ("meeting_notes", "note-4711")
TASK = ("checklist_items", "task-0815")
OBJECT = paths.suppressed(USER)
ERASED = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
AWAY = [
    ControlPlaneUnavailable("POST /suppressions: 503"),
    RequestRefused("POST /suppressions: 404"),
    NotAllowed("403", 403),
]


@dataclass
class World:
    clock: FakeClock = field(default_factory=FakeClock)
    mirror: MemorySuppressions = field(default_factory=MemorySuppressions)
    entropy: Counter = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.blobs = MemoryBlobStore(self.clock)

    def open(self, fault: Fault = no_fault) -> Suppressions:
        bucket = self.blobs.as_seen_by(fault).for_prefix(paths.user(USER))
        return Suppressions(lambda _user: bucket, self.mirror, self.clock, self.entropy)

    def object(self) -> Suppressed:
        blob = self.blobs.peek(OBJECT)
        assert blob is not None
        return suppression.decode(blob.data)

    def lose_object(self) -> None:
        blob = self.blobs.peek(OBJECT)
        if blob:
            self.blobs.delete(OBJECT, if_generation=blob.stat.generation)

    def damage_object(self) -> None:
        self.blobs.write(OBJECT, b"{ no list", if_generation=None)


@pytest.fixture
def world() -> World:
    return World()


def test_a_user_from_whom_nothing_was_purged_has_no_object(world: World) -> None:
    assert world.open().read(USER) == Suppressed()
    assert world.blobs.names() == []


def test_what_was_added_is_in_both_copies_under_one_key(world: World) -> None:
    world.open().add(USER, [NOTE])
    world.open().add(USER, [TASK])
    for copy in (world.object(), world.mirror.rows[USER], world.open().read(USER)):
        assert copy.hides(*NOTE)
        assert copy.hides(*TASK)
        assert not copy.hides("meeting_notes", "note-0001")
        assert (copy.key, copy.elder) == (world.object().key, {})
    data = world.blobs.peek(OBJECT)
    assert data is not None
    assert b"4711" not in data.data


@pytest.mark.parametrize("harm", ["lose_object", "damage_object"])
def test_where_the_object_is_lost_the_database_serves_and_the_object_is_made_again(world: World, harm: str) -> None:
    before = world.open().add(USER, [NOTE])
    getattr(world, harm)()
    assert world.open().read(USER) == before
    assert world.object() == before


def test_where_the_database_lost_its_rows_it_gets_them_again(world: World) -> None:
    world.open().add(USER, [NOTE])
    world.mirror.rows.clear()
    assert world.open().read(USER).hides(*NOTE)
    assert world.mirror.rows[USER].hides(*NOTE)
    assert world.mirror.rows[USER].key == world.object().key


@pytest.mark.parametrize("away", AWAY, ids=lambda e: type(e).__name__)
@logs("suppressions read from the bucket alone")
def test_where_the_database_is_away_the_object_serves(world: World, away: Exception) -> None:
    world.open().add(USER, [NOTE])
    world.mirror.away = away  # type: ignore[assignment]
    assert world.open().read(USER).hides(*NOTE)


@pytest.mark.parametrize("away", AWAY, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("harm", ["lose_object", "damage_object"])
def test_where_neither_can_be_read_nobody_goes_on(world: World, harm: str, away: Exception) -> None:
    world.open().add(USER, [NOTE])
    getattr(world, harm)()
    world.mirror.away = away  # type: ignore[assignment]
    # Of an outage the error itself goes on: its job waits for the control plane, and its attempts do not count.
    outage = isinstance(away, ControlPlaneUnavailable)
    raised = ControlPlaneUnavailable if outage else SuppressionsUnreadable
    with pytest.raises(raised, match=str(away) if outage else "the purged records of"):
        world.open().read(USER)
    with pytest.raises(raised):
        world.open().add(USER, [TASK])


def test_a_bucket_that_does_not_answer_is_not_taken_for_one_without_the_object(world: World) -> None:
    world.open().add(USER, [NOTE])
    faults = Faults()
    for number in range(1, 100):
        faults.refuse(number)
    with pytest.raises(BlobUnavailable):
        world.open(faults).read(USER)


def test_a_purge_that_only_the_object_would_know_of_fails(world: World) -> None:
    world.open().add(USER, [NOTE])
    world.mirror.away = AWAY[0]
    with pytest.raises(ControlPlaneUnavailable):
        world.open().add(USER, [TASK])


def test_lists_of_different_keys_are_both_obeyed_and_one_key_is_left_for_new_records(world: World) -> None:
    world.open().add(USER, [NOTE])
    old = world.object()
    world.mirror.rows[USER] = Suppressed().adding([TASK], b"k" * 32)
    suppressed = world.open().read(USER)
    assert suppressed.hides(*NOTE)
    assert suppressed.hides(*TASK)
    assert (suppressed.key, set(suppressed.elder)) == (b"k" * 32, {old.key})
    assert world.object() == suppressed == world.mirror.rows[USER]


def test_a_list_in_the_tree_is_carried_over_to_both_copies(world: World) -> None:
    in_tree = Suppressed().adding([NOTE], b"t" * 32)
    assert world.open().read(USER, in_tree) == in_tree
    assert world.object() == world.mirror.rows[USER] == in_tree


def test_the_list_of_earlier_versions_is_read() -> None:
    hashes = Suppressed().adding([NOTE], b"t" * 32)
    data = b'{"key": "%s", "records": ["%s"]}\n' % (hashes.key.hex().encode(), next(iter(hashes.records)).encode())
    assert suppression.decode(data) == hashes


def test_a_flipped_hash_is_noticed() -> None:
    data = bytearray(Suppressed().adding([NOTE], b"t" * 32).encode())
    place = data.index(b'"records":["') + len(b'"records":["')
    data[place] = ord("0") if data[place] != ord("0") else ord("1")
    with pytest.raises(ValueError, match="not a list of suppressed records"):
        suppression.decode(bytes(data))


def test_racing_writers_end_with_one_key_and_both_records(world: World) -> None:
    """Each reads "nothing yet" and draws a key of its own; then both write."""
    both_read = threading.Barrier(2, timeout=10)

    class Meeting(MemorySuppressions):
        def suppressed(self, user_id: str) -> Suppressed:
            listed = super().suppressed(user_id)
            both_read.wait()
            return listed

    world.mirror = Meeting()
    threads = [threading.Thread(target=world.open().add, args=(USER, [record])) for record in (NOTE, TASK)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for copy in (world.object(), world.mirror.rows[USER]):
        assert copy.hides(*NOTE)
        assert copy.hides(*TASK)
        assert copy.elder == {}
    assert world.object().key == world.mirror.rows[USER].key


def test_whoever_dies_or_is_not_answered_at_any_request_loses_nothing_that_was_known(world: World) -> None:
    world.open().add(USER, [NOTE])
    before = len(world.blobs.ops)
    world.open().add(USER, [TASK])
    total = len(world.blobs.ops) - before
    assert total >= 2
    plans = {
        "killed before": lambda faults, k: faults.kill(k),
        "killed after": lambda faults, k: faults.kill(k, after=True),
        "refused": lambda faults, k: faults.refuse(k),
        "reply lost": lambda faults, k: faults.lose_reply(k),
    }
    for name, plan in plans.items():
        for k in range(1, total + 1):
            fresh = World()
            fresh.open().add(USER, [NOTE])
            faults = plan(Faults(), len(fresh.blobs.ops) + k)
            try:
                fresh.open(faults).add(USER, [TASK])
            except Killed:
                assert name.startswith("killed")
            suppressed = fresh.open().read(USER)
            assert suppressed.hides(*NOTE)
            # The database is written first: from then on both hold it at the next read.
            assert suppressed.hides(*TASK) == fresh.mirror.rows[USER].hides(*TASK)
            assert fresh.object().hides(*TASK) == suppressed.hides(*TASK)
            if not name.startswith("killed"):
                assert suppressed.hides(*TASK)


# --- everything


def test_after_an_erasure_no_record_of_before_comes_back_until_somebody_begins_anew() -> None:
    erased = Suppressed().adding([NOTE], b"k" * 32).union(Suppressed(erased_at=ERASED))
    old, new = ERASED - timedelta(days=1), ERASED + timedelta(seconds=1)
    assert erased.erased
    assert erased.hides(*TASK, old)
    assert erased.hides(*TASK, ERASED)
    assert erased.hides(*TASK)
    assert not erased.hides(*TASK, new)
    anew = erased.union(Suppressed(begun_anew_at=new))
    assert not anew.erased
    assert not anew.hides(*TASK, old)
    assert anew.hides(*NOTE, new), "purged by name: begun anew or not"
    again = anew.union(Suppressed(erased_at=new + timedelta(days=1)))
    assert again.hides(*TASK, old)


def test_an_erasure_is_known_from_either_copy(world: World) -> None:
    world.mirror.rows[USER] = Suppressed(b"k" * 32, erased_at=ERASED)
    assert world.open().read(USER).erased
    assert world.object().erased_at == ERASED
    world.mirror.rows.clear()
    assert world.open().read(USER).erased
    assert world.mirror.rows[USER].erased_at == ERASED
    # Only the database's row begins anew; the object follows.
    world.mirror.rows[USER] = replace(world.mirror.rows[USER], begun_anew_at=ERASED + timedelta(days=1))
    assert not world.open().read(USER).erased
    assert not world.object().erased


def test_a_bucket_that_takes_no_write_is_asked_six_times_with_growing_pauses(world: World) -> None:
    def no_writes(op: Op) -> None:
        if op.verb == "write" and op.phase == "before":
            raise BlobUnavailable("no answer")

    with pytest.raises(BlobUnavailable, match="in 6 rounds"):
        world.open(no_writes).add(USER, [NOTE])
    assert world.clock.slept == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2]
    # The database has it, so an export that comes now keeps the record out all the same.
    assert world.mirror.suppressed(USER).hides(*NOTE)


@logs("suppressions not repaired")
def test_a_copy_that_cannot_be_repaired_keeps_nobody_from_reading_the_other(world: World) -> None:
    world.open().add(USER, [NOTE])
    world.lose_object()

    def no_writes(op: Op) -> None:
        if op.verb == "write" and op.phase == "before":
            raise BlobUnavailable("no answer")

    assert world.open(no_writes).read(USER).hides(*NOTE)
