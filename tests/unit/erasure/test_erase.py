"""Erasing everything: nothing is left and nothing comes back, whatever state it is in, whoever dies or wakes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import manifests
from consumer import paths
from consumer.clients.signing import Ed25519Signer, PublicRing
from consumer.delivery.checkpoints import Checkpoints
from consumer.delivery.ledgers import Ledgers
from consumer.erasure import late_writers
from consumer.erasure.erase import Erased, erase, sweep_again
from consumer.erasure.late_writers import HORIZON
from consumer.erasure.suppressions import Suppressions
from consumer.errors import (
    BlobUnavailable,
    ControlPlaneUnavailable,
    LockBusy,
    LockLost,
    SnapshotIncomplete,
    WorkspaceFrozen,
)
from consumer.locking.exclusive import Exclusive, Hold
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.maintenance import gc, maintenance, repair, rescue
from consumer.maintenance.verify import Verification, VerifyReport
from consumer.ports import Blob
from consumer.repository.history import History, NoSuchCommit
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import proof, snapshot
from consumer.snapshot.snapshot import Head
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import Fault, Faults, Killed, MemorySuppressions, Op, no_fault
from contract.api import CommitRef, Completion
from tests.copies import copied
from tests.fake_export import run_of
from tests.fixtures_telemetry import logs
from tests.spine import a_claim, job_id
from tests.unit.repository.workspaces import PEM, USER, Bench, Free

SECRET = b"only this workspace says so"
PREFIX = paths.user(USER)
KEPT = {paths.head(USER), paths.lock(USER), paths.suppressed(USER)}
OTHER = "users/99999999-9999-4999-8999-999999999999/packs/p"
JOBS = (job_id(1), job_id(2), job_id(3))
PLANS: dict[str, Callable[[Faults, int], Faults]] = {
    "killed before": lambda faults, k: faults.kill(k),
    "killed after": lambda faults, k: faults.kill(k, after=True),
    "refused": lambda faults, k: faults.refuse(k),
    "reply lost": lambda faults, k: faults.lose_reply(k),
}


class World:
    """One user with three commits and everything that lies beside them; another user's object."""

    def __init__(self, tmp: Path, commits: int = 3, like: World | None = None) -> None:
        """``like``: as that one was when it was made, without doing it all again."""
        self.bench = Bench(tmp)
        self.blobs, self.clock = self.bench.blobs, self.bench.clock
        self.mirror = MemorySuppressions()
        self.made: dict[str, Blob] = {}
        self._ids = itertools.count()
        if like is not None:
            self.blobs._bucket.objects.update(like.made)
            self.blobs._bucket.last_generation = max(blob.stat.generation for blob in like.made.values())
            self.made = like.made
            return
        for number in range(1, commits + 1):
            self.run(number)
        for number in (1, 2):
            ledgers = Ledgers(ConditionalWriter(self.blobs, self.clock), self.clock, self.new_id)
            claim = ledgers.create(a_claim(number, base_seq=number - 1))
            if number == 1:
                claim.write(claim.ledger.settled(Completion(outcome="completed", commit=CommitRef(seq=1, digest="d"))))
        self.put(paths.answer(USER, "a" * 64))
        self.put(paths.checkpoint(USER, "c" * 64))
        self.put(paths.paid_readings(USER, "model-1", "b" * 64))
        self.put(paths.parked(USER, JOBS[2]))
        self.put(f"dead/2026-11-27/{JOBS[0]}-1.json")
        self.put("dead/2026-11-27/m-77.json", b'{"user_id": "%s"}' % USER.encode())
        self.put("dead/2026-11-27/m-78.json", b'{"user_id": "somebody else"}')
        self.put(f"dead/2026-11-27/{job_id(9)}-1.json")
        self.put(f"jobs/{job_id(9)}.json")
        self.put(OTHER)
        self.made = dict(self.blobs._bucket.objects)

    def copied(self, tmp: Path) -> World:
        """A world of its own in the same state, whose runs have their folders below ``tmp``."""
        world = copied(self)
        world.bench.tmp = tmp
        return world

    def new_id(self) -> str:
        return f"id-{next(self._ids)}"

    def put(self, name: str, data: bytes = SECRET) -> None:
        self.blobs.write(name, data, if_generation=None)

    def run(self, number: int, epoch: int | None = None) -> int:
        store = self.bench.store()
        root, workspace = self.bench.hydrate(store)
        (root / "brain/people/ann.md").write_bytes(SECRET + b" %d" % number)
        ref = self.bench.commit(store, root, workspace.base, f"job-{number}", epoch=epoch or number)
        store.of(USER).publish(ref.seq, ["brain/people/ann.md"])
        store.close()
        return ref.seq

    def locks(self, fault: Fault = no_fault) -> Locks:
        return Locks(ConditionalWriter(self.blobs.as_seen_by(fault), self.clock), self.clock, self.new_id, Lease())

    def suppressions(self, fault: Fault = no_fault) -> Suppressions:
        bucket = self.blobs.as_seen_by(fault)
        return Suppressions(lambda _user: bucket, self.mirror, self.clock, self.bench.entropy)

    @contextmanager
    def hold(self, fault: Fault = no_fault, **options: Any) -> Iterator[tuple[WorkspaceStore, Hold]]:
        store = self.bench.store(fault)
        if "signer" in options:
            store.signer = options["signer"]
        try:
            with Exclusive(self.locks(fault), store, "operator", threads=False).hold_to_erase(USER, "erase") as hold:
                yield store, hold
        finally:
            store.close()

    def erase(self, fault: Fault = no_fault, **options: Any) -> Erased:
        with self.hold(fault, **options) as (store, hold):
            return erase(store.of(USER), "asked", hold, JOBS, suppressions=self.suppressions(fault))

    def sweep(self) -> Erased:
        with self.hold() as (store, hold):
            return sweep_again(store.of(USER), hold)

    def left(self) -> set[str]:
        return set(self.blobs.names(PREFIX)) - KEPT

    def head(self) -> Head:
        blob = self.blobs.peek(paths.head(USER))
        assert blob is not None
        return snapshot.decode_head(blob.data, blob.stat.generation)

    def verified(self) -> VerifyReport:
        return Verification(self.blobs, Ed25519Signer(PEM), self.clock, USER, Free()).run()

    def require_erased(self) -> None:
        """Nothing of the user is left anywhere but three objects that hold no content, and HEAD says so."""
        assert self.left() == set()
        assert not [name for name, (_, data) in self.blobs.contents().items() if SECRET in data and name not in OTHERS]
        head = self.head()
        assert (head.commit, head.frozen, bool(head.erased)) == (None, "", True)
        assert self.suppressions().read(USER).erased
        assert set(self.blobs.names("jobs/")) <= {f"jobs/{job_id(9)}.json", f"jobs/{job_id(2)}.json"}


#: Not this user's: must still be there.
OTHERS = {OTHER, f"dead/2026-11-27/{job_id(9)}-1.json", f"jobs/{job_id(9)}.json"}


def forget_head(world: World) -> None:
    world.blobs.delete(paths.head(USER), if_generation=world.head().generation)


def damage_head(world: World) -> None:
    world.put(paths.head(USER), b"\0 no HEAD")


def damage_packs(world: World) -> None:
    for name in world.blobs.names(f"{PREFIX}packs/"):
        world.put(name, SECRET)


def forget_catalogs(world: World) -> None:
    for name in world.blobs.names(f"{PREFIX}index/"):
        blob = world.blobs.peek(name)
        assert blob is not None
        world.blobs.delete(name, if_generation=blob.stat.generation)


def damage_everything(world: World) -> None:
    for name in world.blobs.names(PREFIX):
        world.put(name, SECRET)
    world.clock.advance(1000)


def a_stale_lock(world: World) -> None:
    world.locks().acquire(USER, owner="run-1", job_id=JOBS[2], attempt=1, head_epoch=7)
    world.clock.advance(1000)


def a_damaged_lock(world: World) -> None:
    world.put(paths.lock(USER), b"\0 no lock")
    world.clock.advance(1000)


def in_tree_list_damaged(world: World) -> None:
    store = world.bench.store()
    root, workspace = world.bench.hydrate(store)
    (root / "runtime/manifests/suppressed.json").write_bytes(b"{}")
    world.bench.commit(store, root, workspace.base, "job-4", epoch=4)


STATES = [
    lambda _world: None,
    forget_head,
    damage_head,
    damage_packs,
    forget_catalogs,
    damage_everything,
    a_stale_lock,
    a_damaged_lock,
    in_tree_list_damaged,
]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("erase"))


@pytest.fixture
def world(template: World, tmp_path: Path) -> World:
    return template.copied(tmp_path)


@pytest.mark.parametrize("harm", STATES, ids=lambda harm: harm.__name__.strip("<>"))
def test_whatever_state_it_is_in_everything_goes_and_nothing_of_others(
    world: World, harm: Callable[[World], None]
) -> None:
    harm(world)
    done = world.erase(signer=PublicRing({}))
    world.require_erased()
    assert set(world.blobs.names()) >= OTHERS
    assert world.blobs.peek("dead/2026-11-27/m-78.json") is not None
    assert not done.complete
    assert done.removed.objects["packs"] >= 3
    assert done.removed.bytes > 0
    assert done.seq > 3


def test_it_says_what_it_removed_by_kind(world: World) -> None:
    done = world.erase()
    assert dict(done.removed.objects) == {
        "answers": 1,
        "checkpoints": 1,
        "commits": 3,
        "dead_letters": 2,
        "index": 3,
        "ledgers": 1,
        "packs": 3,
        "parked": 1,
        "published": 3,
        "readings": 1,
        "trees": 1,
    }
    assert done.to_json()["complete"] is False
    assert SECRET.decode() not in str(done.to_json())


def test_a_user_who_has_nothing_is_erased_too(tmp_path: Path) -> None:
    world = World(tmp_path, commits=0)
    for name in world.blobs.names(PREFIX):
        blob = world.blobs.peek(name)
        assert blob is not None
        world.blobs.delete(name, if_generation=blob.stat.generation)
    assert world.erase().removed.objects.get("commits", 0) == 0
    world.require_erased()


def test_while_a_job_runs_nothing_is_touched(world: World) -> None:
    world.locks().acquire(USER, owner="run-1", job_id=JOBS[2], attempt=1, head_epoch=3)
    before = world.blobs.contents()
    with pytest.raises(LockBusy):
        world.erase()
    assert world.blobs.contents() == before


@logs("suppressions read from the bucket alone")
def test_without_a_note_that_all_was_erased_nothing_is_deleted(world: World) -> None:
    world.mirror.away = ControlPlaneUnavailable("POST /suppressions: 503")
    before = world.left()
    with pytest.raises(ControlPlaneUnavailable):
        # The object alone would serve a read; an erasure wants both.
        world.put(paths.suppressed(USER), b'{"key": "", "records": []}')
        world.erase()
    assert world.left() == before
    assert world.head().commit is not None


# --- dying


@pytest.mark.properties
@pytest.mark.parametrize("plan", PLANS)
def test_whoever_dies_at_any_request_is_followed_by_one_who_finishes(tmp_path: Path, plan: str) -> None:
    rehearsal = World(tmp_path / "count")
    before = len(rehearsal.blobs.ops)
    highest = rehearsal.erase().seq
    total = len(rehearsal.blobs.ops) - before
    changes = [op.number - before for op in rehearsal.blobs.ops[before:] if op.verb in ("write", "delete")]
    assert len(changes) > 20
    unfinished = 0
    for k in changes if plan.startswith("killed") else range(1, total + 1):
        world = World(tmp_path / str(k), like=rehearsal)
        faults = PLANS[plan](Faults(), len(world.blobs.ops) + k)
        try:
            world.erase(faults)
        except (Killed, BlobUnavailable):
            unfinished += 1
            # The lock of the dead: nobody gets in before it is stale, and nobody who got in before can commit.
            world.clock.advance(1000)
            if world.head().frozen:
                with pytest.raises((WorkspaceFrozen, SnapshotIncomplete)):
                    world.run(4, epoch=world.head().epoch)
        done = world.erase()
        world.require_erased()
        # Also where the names that told it were deleted before the death.
        assert done.seq >= highest
        assert set(world.blobs.names()) >= OTHERS
        world.clock.advance(HORIZON.total_seconds() + 1)
        assert world.sweep().complete
    assert unfinished or plan in ("refused", "reply lost")


# --- waking


class Paused:
    """A run that had the lock and was paused; nobody tells it, and its guard notices nothing."""

    def __init__(self, world: World, fault: Fault) -> None:
        self.world, self.store = world, world.bench.store(fault)

    def run(self) -> BaseException | None:
        """Everything that a job writes, in its order; what stopped it."""
        world, store = self.world, self.store
        try:
            root, workspace = world.bench.hydrate(store)
            (root / "brain/people/ann.md").write_bytes(SECRET + b" by a paused run")
            bucket = store.of(USER).blobs
            bucket.write(paths.parked(USER, JOBS[1]), SECRET, if_generation=0)
            run = replace(run_of(root, None, "insight", 8), base=workspace.base)
            Checkpoints(store).save(run, "index", Free())
            bucket.write(paths.answer(USER, "e" * 64), SECRET, if_generation=0)
            ref = world.bench.commit(store, root, workspace.base, "job-8", epoch=4)
            store.of(USER).publish(ref.seq, ["brain/people/ann.md"])
        except Exception as exc:  # noqa: BLE001 (whatever stops it)
            return exc
        finally:
            store.close()
        return None


@pytest.mark.properties
@pytest.mark.parametrize("after", [False, True], ids=["paused before", "reply late"])
def test_a_paused_run_that_wakes_at_any_request_leaves_nothing_and_commits_nothing(tmp_path: Path, after: bool) -> None:
    rehearsal = World(tmp_path / "count")
    before = len(rehearsal.blobs.ops)
    assert Paused(rehearsal, no_fault).run() is None
    total = len(rehearsal.blobs.ops) - before
    assert total > 15
    left_something = False
    for k in range(1, total + 1):
        world = World(tmp_path / str(k), like=rehearsal)
        faults = Faults().call(len(world.blobs.ops) + k, world.erase, after=after)
        Paused(world, faults).run()
        left_something |= bool(world.left())
        head = world.head()
        assert (head.commit, bool(head.erased), head.frozen) == (None, True, "")
        assert not world.sweep().complete, "its tokens may still be good"
        world.clock.advance(HORIZON.total_seconds() + 1)
        assert world.sweep().complete
        world.require_erased()
        assert world.sweep().removed.count == 0
    assert left_something, "else the second sweep is tested by nothing"


@pytest.mark.parametrize("lost", [(), (paths.head(USER),), (paths.head(USER), paths.lock(USER))], ids=str)
def test_a_paused_first_job_does_not_land_on_the_head_that_an_erasure_made(
    tmp_path: Path, lost: tuple[str, ...]
) -> None:
    """Its precondition is that there is no HEAD: over one that was deleted and made anew it would hold."""
    world = World(tmp_path, commits=0)
    world.locks().acquire(USER, owner="run-1", job_id=JOBS[0], attempt=1, head_epoch=56)
    store = world.bench.store()
    root, workspace = world.bench.hydrate(store)
    (root / "brain/people/ann.md").write_bytes(SECRET)
    for name in lost:
        kept = world.blobs.peek(name)
        if kept:
            world.blobs.delete(name, if_generation=kept.stat.generation)
    world.clock.advance(1000)
    world.erase()
    with pytest.raises(LockLost):
        world.bench.commit(store, root, workspace.base, "job-1", epoch=57)
    assert world.head().commit is None


# --- afterwards


def erased(world: World) -> Erased:
    world.erase()
    world.clock.advance(HORIZON.total_seconds() + 1)
    return world.sweep()


def test_the_receipt_comes_only_when_nobody_of_before_can_write_any_more(world: World) -> None:
    first = world.erase()
    assert first.complete_after is not None
    again = world.erase()
    assert again.complete_after == first.complete_after, "asking again puts nothing off"
    world.clock.advance((first.complete_after - world.clock.now()).total_seconds() - 1)
    assert not world.sweep().complete
    world.put(paths.answer(USER, "f" * 64))
    world.clock.advance(1)
    last = world.sweep()
    assert last.complete
    assert dict(last.removed.objects) == {"answers": 1, "ledgers": 1}
    assert world.blobs.names("late/") == []
    assert world.erase().complete, "asked once more: the receipt again"


def test_the_horizon_is_longer_than_any_run_and_every_token_of_it() -> None:
    budgets = max(entry["budget_s"] for entry in manifests.pipelines().values())
    needed = budgets + manifests.limits()["token_ttl"] + late_writers.ACCESS_TOKEN_S
    assert timedelta(seconds=needed) <= HORIZON


def test_a_ledger_of_an_open_job_stays_until_the_second_sweep(world: World) -> None:
    """Without it the job would begin at fence 1 again, which its row is above, and could never end."""
    world.erase()
    assert world.blobs.names("jobs/") == sorted([f"jobs/{job_id(2)}.json", f"jobs/{job_id(9)}.json"])
    world.clock.advance(HORIZON.total_seconds() + 1)
    world.sweep()
    assert world.blobs.names("jobs/") == [f"jobs/{job_id(9)}.json"]


def test_the_next_commit_is_an_origin_that_everything_accepts(world: World) -> None:
    done = erased(world)
    seq = done.seq + 1
    assert world.run(5, epoch=world.head().epoch) == seq
    assert world.run(6, epoch=world.head().epoch) == seq + 1
    assert world.run(7, epoch=world.head().epoch) == seq + 2
    report = world.verified()
    assert report.ok, report.faults
    store = world.bench.store()
    history = History(store.of(USER))
    assert [commit.seq for _, commit in history.log()] == [seq + 2, seq + 1, seq]
    assert history.read("brain/people/ann.md", seq) == SECRET + b" 5"
    with pytest.raises(NoSuchCommit, match=f"no commit 2: it has commits {seq} to {seq + 2}"):
        history.commit(2)
    verify = Ed25519Signer(PEM).verify
    document = history.prove_after(seq, seq + 2)
    assert "continues the history" in proof.check(document, verify)
    assert "is in commit" in proof.check(history.prove_path("brain/people/ann.md", seq), verify)
    with pytest.raises(NoSuchCommit):
        history.prove_after(1, seq)
    # A lost HEAD is found again, and only over the new history.
    forget_head(world)
    known = rescue.candidates(store.of(USER), Free())
    assert [candidate.commit.seq for candidate in known] == [seq + 2, seq + 1, seq]
    with world.hold() as (eraser, hold):
        rescue.write(eraser.of(USER), known[0], hold)
        assert repair.repair(eraser.of(USER), "lost", hold).report.ok
    assert world.bench.store().of(USER).load().head.seq == seq + 2


def test_a_memory_that_began_anew_keeps_what_is_its_own_at_the_second_sweep(world: World) -> None:
    first = world.erase()
    seq = world.run(5, epoch=world.head().epoch)
    world.put(paths.pack(USER, "9" * 64))
    world.put(paths.answer(USER, "9" * 64))
    world.put(paths.published(USER, 2, "brain/people/ann.md"))
    world.put(paths.published(USER, seq, "brain/people/bob.md"))
    assert first.complete_after is not None
    world.clock.advance((first.complete_after - world.clock.now()).total_seconds() + 1)
    with world.hold() as (store, hold):
        swept = late_writers.sweep(store.of(USER), hold)
    assert swept.due is None
    assert dict(swept.removed.objects) == {"answers": 1, "ledgers": 1, "packs": 1, "published": 1}
    assert world.verified().ok
    assert History(world.bench.store().of(USER)).read("brain/people/ann.md") == SECRET + b" 5"
    assert world.blobs.names(f"{PREFIX}published/") == [
        paths.published(USER, seq, "brain/people/ann.md"),
        paths.published(USER, seq, "brain/people/bob.md"),
    ]


def test_erased_again_after_it_began_anew(world: World) -> None:
    erased(world)
    world.mirror.rows[USER] = replace(world.mirror.rows[USER], begun_anew_at=world.clock.now())
    world.suppressions().read(USER)
    seq = world.run(5, epoch=world.head().epoch)
    world.clock.advance(5)
    done = world.erase()
    assert done.seq > seq
    assert not done.complete
    world.require_erased()


def test_begun_anew_and_erased_before_the_first_commit_is_an_erasure_of_its_own(world: World) -> None:
    erased(world)
    world.mirror.rows[USER] = replace(world.mirror.rows[USER], begun_anew_at=world.clock.now())
    world.put(paths.answer(USER, "d" * 64))
    world.clock.advance(5)
    done = world.erase()
    assert not done.complete, "a run that began meanwhile may still write"
    world.require_erased()


# --- the others, on a workspace that is being erased or was


def test_an_unfinished_erasure_is_thawed_by_nobody(world: World) -> None:
    deletes = [op.number for op in _rehearsed(world.bench.tmp / "count") if op.verb == "delete"]
    with pytest.raises(Killed):
        world.erase(Faults().kill(deletes[3]))
    world.clock.advance(1000)
    assert rescue.fault(world.bench.store().of(USER)) is None, "no commit that is left may become HEAD's again"
    head = world.head()
    assert "everything is being erased" in head.frozen
    with world.hold() as (store, hold):
        store.of(USER).fence(hold.epoch)
        assert repair.repair(store.of(USER), "why not", hold).frozen
    exclusive = Exclusive(world.locks(), world.bench.store(), "daily", threads=False)
    assert maintenance.maintain(exclusive, USER).frozen
    assert world.head().frozen
    with pytest.raises(WorkspaceFrozen, match=r"its erasure of .* is not finished"):
        world.bench.hydrate(world.bench.store())
    with pytest.raises(SnapshotIncomplete):
        world.sweep()


def _rehearsed(tmp: Path) -> list[Op]:
    world = World(tmp)
    world.erase()
    return world.blobs.ops


def test_an_erased_workspace_verifies_and_is_collected(world: World) -> None:
    erased(world)
    assert world.verified().ok
    with world.hold() as (store, hold):
        assert gc.collect(store.of(USER), hold).deleted == ()
        assert repair.repair(store.of(USER), "looking", hold).frozen == ""
    with pytest.raises(NoSuchCommit):
        History(world.bench.store().of(USER)).at(None)


def test_a_late_delivery_publishes_nothing_of_what_was_erased(world: World) -> None:
    world.erase()
    world.bench.store().of(USER).publish(3, ["brain/people/ann.md"])
    assert world.left() == set()
    world.run(5, epoch=world.head().epoch)
    before = world.left()
    world.bench.store().of(USER).publish(3, ["brain/people/ann.md"])
    assert world.left() == before
    with pytest.raises(KeyError):
        world.bench.store().of(USER).publish(world.head().seq + 1, ["brain/people/ann.md"])
