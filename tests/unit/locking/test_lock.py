from __future__ import annotations

import threading

import pytest

from consumer import paths
from consumer.delivery.guard import Renewer, RunGuard
from consumer.delivery.ledgers import LedgerClaim, Ledgers
from consumer.errors import (
    AttemptStale,
    BlobUnavailable,
    BudgetExceeded,
    CancelRequested,
    ControlPlaneUnavailable,
    LockBusy,
    LockLost,
    ShuttingDown,
)
from consumer.locking.lease import MAX_TTL_S, Lease
from consumer.locking.lock import Lock, Locks, parse
from consumer.ports import BlobStore
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import FakeClock, Faults, MemoryBlobStore
from tests.fixtures_telemetry import Lines, Metrics, logs
from tests.spine import REQUESTED, USER, a_claim, job_id
from tests.tables import table
from tests.waiting import PATIENCE_S, until


class Bench:
    """A bucket, its clock, and as many holders as a test wants."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.blobs = MemoryBlobStore(self.clock)
        self.count = 0

    def ids(self) -> str:
        self.count += 1
        return f"id-{self.count}"

    def locks(self, blobs: BlobStore | None = None, clock: FakeClock | None = None) -> Locks:
        clock = clock or self.clock
        return Locks(ConditionalWriter(blobs or self.blobs, clock), clock, self.ids, Lease())

    def acquire(self, owner: str = "a", head_epoch: int = 0, locks: Locks | None = None) -> Lock:
        return (locks or self.locks()).acquire(USER, owner=owner, job_id=job_id(1), attempt=2, head_epoch=head_epoch)

    def claim(self, blobs: BlobStore | None = None) -> LedgerClaim:
        ledgers = Ledgers(ConditionalWriter(blobs or self.blobs, self.clock), self.clock, self.ids)
        return ledgers.create(a_claim())

    def state(self) -> tuple[str, int]:
        blob = self.blobs.peek(paths.lock(USER))
        record = parse(blob.data) if blob else None
        assert record is not None
        return record.state, record.epoch


@pytest.fixture
def bench() -> Bench:
    return Bench()


# --- acquire and release -----------------------------------------------------------------------------------------


def test_the_epoch_is_above_the_locks_and_heads(bench: Bench) -> None:
    first = bench.acquire(head_epoch=6)
    assert (first.epoch, first.clean) == (7, False)
    first.release(doubt=False)
    second = bench.acquire(head_epoch=2)
    assert (second.epoch, second.clean) == (8, True)


def test_a_held_lock_names_its_holder(bench: Bench, metrics: Metrics) -> None:
    bench.acquire("instance-17")
    bench.clock.advance(20)
    with pytest.raises(LockBusy, match=r"held by instance-17 for job .*0001 \(attempt 2, epoch 1\), renewed 20 s ago"):
        bench.acquire("b")
    assert metrics == [("lock_busy", 1, {})]


def test_a_lock_left_in_doubt_can_be_had_at_once_but_not_cleanly(bench: Bench) -> None:
    bench.acquire().release(doubt=True)
    assert bench.state() == ("dirty", 1)
    assert bench.acquire("b").clean is False


def test_a_stale_lock_is_taken_and_its_holder_loses_it_for_good(bench: Bench, metrics: Metrics) -> None:
    old = bench.acquire("a", locks=bench.locks(clock=FakeClock()))
    bench.clock.advance(134.9)
    with pytest.raises(LockBusy):
        bench.acquire("b")
    bench.clock.advance(0.1)
    # The Date header counts whole seconds, so the last fraction may have to pass as well.
    bench.clock.advance(1)
    new = bench.acquire("b")
    assert (new.epoch, new.clean) == (2, False)
    assert metrics == [("lock_busy", 1, {}), ("lock_steals", 1, {})]
    for attempt in (old.renew, old.check, lambda: old.release(doubt=False)):
        with pytest.raises(LockLost):
            attempt()
    new.renew()
    assert bench.state() == ("held", 2)


def test_two_takers_of_a_stale_lock_get_it_once(bench: Bench) -> None:
    bench.acquire("a")
    bench.clock.advance(200)
    other: list[Lock] = []
    write = len(bench.blobs.ops) + 2
    faults = Faults().call(write, lambda: other.append(bench.acquire("c")))
    with pytest.raises(LockBusy, match="held by c"):
        bench.acquire("b", locks=bench.locks(bench.blobs.as_seen_by(faults)))
    assert len(other) == 1


def test_a_holder_that_could_not_renew_stops_itself_before_anyone_may_take_over(bench: Bench) -> None:
    lock = bench.acquire()
    bench.clock.advance(90)
    lock.check()
    bench.clock.advance(0.1)
    with pytest.raises(LockLost, match="not renewed for 90 s"):
        lock.check()
    with pytest.raises(LockLost):
        lock.renew()


def test_a_renewal_counts_from_its_sending(bench: Bench) -> None:
    lock = bench.acquire(locks=bench.locks(bench.blobs.as_seen_by(Faults(bench.clock).delay(3, 60, after=True))))
    lock.renew()
    bench.clock.advance(31)
    with pytest.raises(LockLost):
        lock.check()


@pytest.mark.parametrize("operation", [1, 2, 3])
def test_a_renewal_without_an_answer_is_found_to_be_ours_by_the_next(bench: Bench, operation: int) -> None:
    """All five tries of one renewal fail after the write landed; the next renewal meets its own earlier write."""
    silent = threading.Event()

    def fault(op: object) -> None:
        if silent.is_set() and getattr(op, "phase", "") == "after":
            raise BlobUnavailable("no answer")

    lock = bench.acquire(locks=bench.locks(bench.blobs.as_seen_by(fault)))
    silent.set()
    for _ in range(operation):
        with pytest.raises(BlobUnavailable):
            lock.renew()
    silent.clear()
    lock.renew()
    lock.release(doubt=False)
    assert bench.state() == ("free", 1)


def test_an_operator_can_take_exactly_the_lock_that_was_looked_at(bench: Bench) -> None:
    lock = bench.acquire()
    view = bench.locks().show(USER)
    assert view is not None
    assert view.record is not None
    assert (view.record.owner, view.stale) == ("a", False)
    lock.renew()
    with pytest.raises(LockBusy):
        bench.locks().unlock(USER, generation=view.generation, owner="operator")
    view = bench.locks().show(USER)
    assert view is not None
    bench.locks().unlock(USER, generation=view.generation, owner="operator ann: gone")
    with pytest.raises(LockLost):
        lock.renew()
    assert bench.acquire("b").clean is False
    assert bench.locks().show("99999999-1111-4111-8111-111111111111") is None


# --- claim -------------------------------------------------------------------------------------------------------


def test_a_claim_that_was_taken_over_changes_nothing_any_more(bench: Bench) -> None:
    old = bench.claim()
    ledgers = Ledgers(ConditionalWriter(bench.blobs, bench.clock), bench.clock, bench.ids)
    stored = ledgers.find(job_id(1))
    assert stored is not None
    new = ledgers.take(stored, a_claim(owner="o2"))
    for act in (old.renew, lambda: old.write(old.ledger.retrying(REQUESTED)), old.renew):
        with pytest.raises(AttemptStale, match="attempt 1 was taken over"):
            act()
    new.write(new.ledger.retrying(REQUESTED))
    assert new.attempt == 2


def test_stage_marks_wait_for_the_next_write(bench: Bench) -> None:
    claim = bench.claim()
    writes = len(bench.blobs.ops)
    claim.mark("hydrate", 0.12345)
    claim.mark("export", 2)
    assert len(bench.blobs.ops) == writes
    claim.renew()
    stored = Ledgers(ConditionalWriter(bench.blobs, bench.clock), bench.clock, bench.ids).find(job_id(1))
    assert stored is not None
    assert [(m.stage, m.seconds) for m in stored.ledger.stages] == [("hydrate", 0.123), ("export", 2.0)]


def test_only_a_running_ledger_is_renewed(bench: Bench) -> None:
    claim = bench.claim()
    claim.write(claim.ledger.parked(REQUESTED))
    before = bench.blobs.contents()
    claim.renew()
    assert bench.blobs.contents() == before


def test_a_rate_limit_is_waited_out_inside_the_lease(bench: Bench) -> None:
    """GCS takes about one write a second and object and answers 429 beyond that."""
    claim = bench.claim()
    number = len(bench.blobs.ops)
    limited = Faults()
    for n in (1, 2):
        limited.refuse(number + n, BlobUnavailable("429", retry_after_s=1.0))
    bench.blobs.set_fault(limited)
    claim.write(claim.ledger.retrying(REQUESTED))
    assert bench.clock.slept == [1.0, 1.0]


# --- guard and keeper --------------------------------------------------------------------------------------------


def test_the_guard_answers_for_deadline_shutdown_lock_and_the_first_reason(bench: Bench) -> None:
    shutdown = threading.Event()
    guard = RunGuard(bench.clock, 60, shutdown)
    guard.check()
    bench.clock.advance(59)
    assert guard.time_left() == 1
    bench.clock.advance(1)
    with pytest.raises(BudgetExceeded, match="60 s"):
        guard.check()
    guard = RunGuard(bench.clock, 600, shutdown)
    guard.attach(bench.acquire())
    bench.clock.advance(91)
    with pytest.raises(LockLost):
        guard.check()
    shutdown.set()
    with pytest.raises(ShuttingDown):
        guard.check()
    guard.stop(CancelRequested("first"))
    guard.stop(AttemptStale("second"))
    with pytest.raises(CancelRequested, match="first"):
        guard.check()
    assert RunGuard(bench.clock, -5, shutdown).time_left() == 0


def keeper(bench: Bench) -> tuple[Renewer, RunGuard, LedgerClaim, Lock]:
    claim, lock = bench.claim(), bench.acquire()
    guard = RunGuard(bench.clock, 600, threading.Event())
    keeper = Renewer(claim, guard, renew_every_s=20, heartbeat_every_s=60)
    keeper.attach(lock)
    return keeper, guard, claim, lock


def test_a_beat_renews_ledger_and_lock(bench: Bench) -> None:
    keeping, guard, _, _ = keeper(bench)
    for _ in range(30):
        bench.clock.advance(20)
        keeping.renew()
        if guard.time_left():
            guard.check()
    shown = bench.locks().show(USER)
    assert shown is not None
    assert shown.updated == bench.clock.now()


@logs("renewal failed")
def test_a_beat_that_fails_is_tried_again_and_one_that_lost_stops_the_run(bench: Bench) -> None:
    keeping, guard, _, _ = keeper(bench)

    def down(_op: object) -> None:
        raise BlobUnavailable("down")

    bench.blobs.set_fault(down)
    keeping.renew()
    guard.check()
    bench.blobs.set_fault()
    view = bench.locks().show(USER)
    assert view is not None
    bench.locks().unlock(USER, generation=view.generation, owner="operator")
    keeping.renew()
    with pytest.raises(LockLost):
        guard.check()


@pytest.mark.parametrize(
    ("raised", "stops"),
    [(CancelRequested("c"), True), (AttemptStale("s"), True), (ControlPlaneUnavailable("away"), False)],
)
def test_a_heartbeat_brings_cancel_and_staleness_but_not_an_outage(
    bench: Bench, raised: Exception, *, stops: bool
) -> None:
    keeping, guard, _, _ = keeper(bench)

    def heartbeat() -> None:
        raise raised

    keeping.heartbeat()
    keeping.report(heartbeat)
    keeping.heartbeat()
    if stops:
        with pytest.raises(type(raised)):
            guard.check()
    else:
        guard.check()


def test_the_threads_renew_by_themselves_and_end_with_the_run(bench: Bench) -> None:
    beaten = threading.Event()
    claim, lock = bench.claim(), bench.acquire()
    guard = RunGuard(bench.clock, 600, threading.Event())
    keeping = Renewer(claim, guard, renew_every_s=0.01, heartbeat_every_s=0.01)
    keeping.attach(lock)
    keeping.report(beaten.set)
    writes = len(bench.blobs.ops)
    with keeping:
        assert beaten.wait(PATIENCE_S)
        until(lambda: len(bench.blobs.ops) >= writes + 2)
    count = len(bench.blobs.ops)
    assert {t.name for t in threading.enumerate()}.isdisjoint({"renew", "heartbeat"})
    assert len(bench.blobs.ops) == count
    lock.release(doubt=False)


# --- damaged numbers ---------------------------------------------------------------------------------------------


@table(
    ("damaged", "epoch"),
    [
        ({"ttl_s": "1e9"}, 8),
        ({"ttl_s": "1e308"}, 8),
        ({"ttl_s": "1e999"}, 8),
        # An epoch that nobody could follow: as for any object that is not a lock.
        ({"epoch": str(2**70)}, 3),
        ({"epoch": str(2**53 - 1)}, 3),
    ],
)
def test_a_damaged_number_delays_a_user_by_an_hour_at_most(damaged: dict[str, str], epoch: int) -> None:
    bench = Bench()
    record = {"schema": '"memory.lock.v1"', "state": '"held"', "epoch": "7", "owner": '"a"', "job_id": '"j"'}
    text = ",".join(f'"{name}":{value}' for name, value in {**record, **_REST, **damaged}.items())
    bench.blobs.write(paths.lock(USER), f"{{{text}}}".encode(), if_generation=0)
    bench.clock.advance(1)
    with pytest.raises(LockBusy) as busy:
        bench.acquire(head_epoch=2)
    assert busy.value.expires_at is not None
    bench.clock.advance(MAX_TTL_S + Lease().grace_s)
    taken = bench.acquire(head_epoch=2)
    assert (taken.epoch, taken.clean) == (epoch, False)


_REST = {"attempt": "1", "ttl_s": "120", "put_id": '"p"'}


def test_a_lock_shows_stale_once_it_may_be_taken(bench: Bench) -> None:
    bench.acquire()
    expiry_s = Lease().ttl_s + Lease().grace_s
    bench.clock.advance(expiry_s - 1)
    for age_s, stale in ((expiry_s - 1, False), (expiry_s, True)):
        view = bench.locks().show(USER)
        assert view is not None
        assert view.stale is stale, age_s
        bench.clock.advance(1)


def test_nobody_unlocks_a_lock_that_was_never_taken(bench: Bench) -> None:
    with pytest.raises(LockBusy, match="another writer changed it at the same time") as caught:
        bench.locks().unlock(USER, generation=1, owner="ann")
    assert caught.value.expires_at is None
    assert bench.blobs.peek(paths.lock(USER)) is None


def test_what_is_no_lock_is_held_for_its_time_and_then_taken_with_a_line(bench: Bench, lines: Lines) -> None:
    bench.blobs.write(paths.lock(USER), b"no lock", if_generation=0)
    with pytest.raises(LockBusy, match=r"unreadable, counts as held until \d\d:\d\d:\d\d"):
        bench.acquire()
    bench.clock.advance(MAX_TTL_S)
    assert bench.acquire("b", head_epoch=4).epoch == 5
    assert [message for message, _ in lines.seen] == ["unreadable lock taken"]
    bench.clock.advance(MAX_TTL_S)
    bench.acquire("c")
    assert len(lines.seen) == 1, "a stale lock is nothing to look at"


def test_a_lock_that_was_released_is_released_only_once(bench: Bench) -> None:
    lock = bench.acquire()
    lock.release(doubt=False)
    bench.acquire("b")
    with pytest.raises(LockLost):
        lock.release(doubt=True)
    assert bench.state() == ("held", 2)


def test_an_unlocked_lock_keeps_its_job_and_says_who_did_it(bench: Bench) -> None:
    bench.acquire()
    view = bench.locks().show(USER)
    assert view is not None
    bench.locks().unlock(USER, generation=view.generation, owner="operator ann: gone")
    view = bench.locks().show(USER)
    assert view is not None
    assert view.record is not None
    record = view.record
    assert (record.state, record.epoch, record.owner) == ("dirty", 1, "operator ann: gone")
    assert (record.job_id, record.attempt) == (job_id(1), 2)
