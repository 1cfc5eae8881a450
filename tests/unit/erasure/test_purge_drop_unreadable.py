"""A purge that gives up damaged packs dies, or is refused, at each of its requests: the next one reaches the same end.

The promise has two sides. What can be read and was not purged stays, in HEAD and in older commits; what was purged,
and each pack that nobody could look into, goes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import renderers
from consumer import paths
from consumer.erasure.matching import RecordKey
from consumer.erasure.purge import Purged
from consumer.erasure.selecting import Selection
from consumer.errors import BlobUnavailable, ConsumerError, SnapshotIncomplete
from consumer.ports import Blob
from consumer.repository.history import History
from consumer.storage.memory import Fault, Faults, Killed, Op, no_fault
from tests import erasing
from tests.unit.repository.workspaces import USER

#: EXHAUSTIVE=1: at each request, reads and listings too. Otherwise at each write and delete.
EXHAUSTIVE = os.environ.get("EXHAUSTIVE") == "1"
PURGED: RecordKey = ("meeting_notes", "note-purged-0001")
#: In the damaged pack alone: a restore took it out of HEAD.
LOST: RecordKey = ("meeting_notes", "note-lost-0001")
STAYS: RecordKey = ("meeting_notes", "note-stays-0001")
PACKS = f"{paths.user(USER)}packs/"
QUERY = Selection(frozenset({PURGED}))
#: Old commit -> the (path, digest) of its entries.
Entries = dict[int, set[tuple[str, str]]]


class Damaged(erasing.World):
    """Commit 2 holds what a restore dropped, and its pack is damaged or missing; HEAD, commit 4, needs none of it."""

    def __init__(self, tmp: Path, *, missing: bool) -> None:
        super().__init__(tmp)
        self.put(PURGED, "First", "Ann Lee")
        self.put(STAYS, "Stays", "Bob")
        self.job("backfill_digest", [PURGED, STAYS])
        before = set(self.packs())
        self.put(LOST, "Second", "Ann Lee")
        self.job("hourly_digest", [LOST])
        (self.damaged,) = set(self.packs()) - before
        self.delete(LOST)
        self.restore(1)
        self.put(PURGED, "Third", "Ann Lee")
        self.job("hourly_digest", [STAYS])
        blob = self.bench.blobs.read(self.damaged)
        self.intact = blob.data
        if missing:
            self.bench.blobs.delete(self.damaged, if_generation=blob.stat.generation)
        else:
            self.bench.blobs.write(self.damaged, b"?" + blob.data[1:], if_generation=None)
        self._objects: dict[str, Blob] = dict(self.bench.blobs._bucket.objects)
        self._states, self._jobs, self.sought = dict(self.states), self.jobs, erasing.traces(self, frozenset({PURGED}))

    def packs(self) -> list[str]:
        return self.bench.blobs.names(PACKS)

    def again(self) -> None:
        self.bench.blobs._bucket.objects.clear()
        self.bench.blobs._bucket.objects.update(self._objects)
        self.bench.blobs._bucket.ops.clear()
        self.mirror.rows.clear()
        # The reader remembers the history that it saw last, which has not happened yet.
        self.looking.close()
        self.looking = self._store()
        self.states, self.jobs = dict(self._states), self._jobs

    def purge_dropping(self, fault: Fault = no_fault) -> Purged:
        return self.purge(QUERY, fault, drop_unreadable=True)

    def seq(self) -> int:
        head = self.looking.of(USER).read_head()
        assert head is not None
        assert not head.frozen
        return head.seq

    def entries(self, last: int) -> Entries:
        history = History(self.looking.of(USER))
        return {
            seq: {(path, entry.digest) for path, entry in history.tree(seq).entries.items()}
            for seq in range(1, last + 1)
        }

    def require_end(self, kept: Entries) -> None:
        """As after a purge that nothing disturbed; it was the fifth commit."""
        assert self.seq() == 5
        assert self.entries(4) == kept
        assert self.damaged not in self.packs()
        erasing.require_gone(self, self.sought)
        self.verify()
        assert self.pages(5) == self.fresh(4, frozenset({PURGED}))
        assert self.suppressions().read(USER).hides(*PURGED)
        assert not self.suppressions().read(USER).hides(*LOST), "nobody asked for it, and nobody knows of it"


@pytest.fixture(scope="module", params=[False, True], ids=["damaged", "missing"])
def template(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Damaged:
    return Damaged(tmp_path_factory.mktemp("drop"), missing=request.param)


@pytest.fixture
def world(template: Damaged) -> Damaged:
    template.again()
    return template


def undisturbed(world: Damaged) -> tuple[Entries, list[int], list[int]]:
    """What older commits hold after it, the numbers of its writes and deletes, and those of all its requests."""
    done = world.purge_dropping()
    assert done.records == 1
    assert done.unreadable_entries > 0
    ops = world.bench.blobs.ops
    kept = world.entries(4)
    world.require_end(kept)
    # The damaged pack held entries of commit 2 alone; what the others had besides the purged record is still there.
    assert all(any(renderers.mark(*STAYS) in path for path, _ in kept[seq]) for seq in (1, 3, 4))
    assert not any(renderers.mark(*LOST) in path for entries in kept.values() for path, _ in entries)
    changes = [op.number for op in ops if op.verb in {"write", "delete"}]
    assert len(changes) > 20
    return kept, changes, [op.number for op in ops]


AWAY = BlobUnavailable("the bucket is away")


def away_from(number: int) -> Fault:
    """The bucket takes no write or delete from this request on."""

    def fault(op: Op) -> None:
        if op.number >= number and op.verb in {"write", "delete"} and op.phase == "before":
            raise AWAY

    return fault


#: How it is disturbed -> the fault at a request, and whether one fault ends the call: a single one is repeated.
PLANS: dict[str, tuple[Callable[[int], Fault], bool]] = {
    "killed before": (lambda number: Faults().kill(number), True),
    "killed after": (lambda number: Faults().kill(number, after=True), True),
    "away from then on": (away_from, True),
    "reply lost": (lambda number: Faults().lose_reply(number, AWAY), False),
}


@pytest.mark.properties
@pytest.mark.timeout(1800 if EXHAUSTIVE else 300)
@pytest.mark.parametrize("plan", PLANS)
def test_it_may_die_or_be_refused_at_each_request_and_is_called_again(world: Damaged, plan: str) -> None:
    kept, changes, requests = undisturbed(world)
    fault, ends_it = PLANS[plan]
    numbers = requests if EXHAUSTIVE else changes if plan == "killed after" else changes[1::3]
    before_swap = after_swap = 0
    for number in numbers:
        world.again()
        with suppress(Killed, ConsumerError):
            world.purge_dropping(fault(number))
        world.bench.hydrate(world.looking)
        if world.seq() == 4:
            before_swap += 1
            # HEAD names the damaged pack still, and somebody may bring it back.
            assert (world.damaged in world.packs()) == (world.damaged in world._objects), number
        else:
            after_swap += 1
            world.verify()
        world.purge_dropping()
        world.require_end(kept)
    world.job("backfill_digest")
    erasing.require_gone(world, world.sought, ids=False)
    assert after_swap > 2
    assert before_swap > 2 or not ends_it


@pytest.mark.properties
def test_after_the_swap_the_same_call_without_the_option_ends_it_too(world: Damaged) -> None:
    kept, changes, _ = undisturbed(world)
    swap = next(
        op.number for op in reversed(world.bench.blobs.ops) if (op.verb, op.name) == ("write", paths.head(USER))
    )
    for number in [swap, *(each for each in changes if each > swap)]:
        world.again()
        with pytest.raises(Killed):
            world.purge_dropping(Faults().kill(number, after=True))
        assert world.purge(QUERY).commit is None
        world.require_end(kept)


def test_a_pack_that_only_did_not_answer_is_not_given_up(world: Damaged) -> None:
    """Missing or wrong is damage. Away is neither, for any pack, however often it is asked."""
    packs = [name for name in world.packs() if name != world.damaged]
    for away in packs:
        world.again()

        def fault(op: Op, away: str = away) -> None:
            if op.name == away and op.verb in {"read", "read_range"}:
                raise AWAY

        with pytest.raises(BlobUnavailable):
            world.purge_dropping(fault)
        assert world.seq() == 4
        assert set(packs) <= set(world.packs())


def test_a_pack_that_comes_back_before_the_second_call_keeps_what_it_holds(world: Damaged) -> None:
    """The first call died before its swap; then the pack was restored from a copy of the bucket."""
    kept, _, _ = undisturbed(world)
    swap = next(
        op.number for op in reversed(world.bench.blobs.ops) if (op.verb, op.name) == ("write", paths.head(USER))
    )
    world.again()
    with pytest.raises(Killed):
        world.purge_dropping(Faults().kill(swap))
    world.bench.blobs.write(world.damaged, world.intact, if_generation=None)
    done = world.purge_dropping()
    assert (done.records, done.unreadable_entries) == (1, 0)
    assert world.entries(4)[2] > kept[2]
    assert any(renderers.mark(*LOST) in path for path, _ in world.entries(4)[2])
    erasing.require_gone(world, world.sought)
    world.verify()
    erasing.require_restorable(world, 2, world.sought, frozenset({PURGED}))


def test_a_pack_that_head_needs_stops_it_and_nothing_was_written(world: Damaged) -> None:
    needed = next(name for name in world.packs() if name != world.damaged)
    world.bench.blobs.write(needed, b"?", if_generation=None)
    before = {name: blob for name, blob in world.bench.blobs.contents().items() if "/lock" not in name}
    with pytest.raises(SnapshotIncomplete):
        world.purge_dropping()
    after = {name: blob for name, blob in world.bench.blobs.contents().items() if "/lock" not in name}
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    assert changed <= {paths.head(USER)}, "the fence raises HEAD's epoch, and nothing else"
    assert world.seq() == 4
