"""HEAD under other writers and a bucket that does not answer: which write stands, and how each call ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from consumer import paths
from consumer.errors import BlobUnavailable, HeadMoved, LockLost, WorkspaceFrozen
from consumer.repository.heads import Heads
from consumer.snapshot.snapshot import Head
from consumer.storage.memory import FakeClock, MemoryBlobStore, Op
from tests.tables import table

USER: Final = "11111111-1111-4111-8111-111111111111"
FIRST: Final = Head(seq=1, commit="a" * 64, index="b" * 64, epoch=3, job_id="job-1", attempt=1)
NEXT: Final = replace(FIRST, seq=2, commit="c" * 64, job_id="job-2")


class World:
    """A bucket with HEAD at ``FIRST``. ``refused``: how many writes get no answer."""

    def __init__(self, head: Head = FIRST) -> None:
        self.clock = FakeClock()
        self.blobs = MemoryBlobStore(self.clock)
        self.heads = Heads(self.blobs, self.clock, USER)
        self.put(head)

    def put(self, head: Head) -> None:
        self.blobs.write(paths.head(USER), head.encode(), if_generation=None)

    def now(self) -> Head:
        head = self.heads.read()
        assert head is not None
        return head

    def refuse(self, writes: int) -> None:
        left = [writes]

        def fault(op: Op) -> None:
            if op.verb == "write" and op.phase == "before" and left[0]:
                left[0] -= 1
                raise BlobUnavailable("no answer")

        self.blobs.set_fault(fault)


CALLS: Final[dict[str, Callable[[World], Head]]] = {
    "overwrite": lambda world: world.heads.overwrite(NEXT),
    "fence": lambda world: world.heads.fence(9),
    "swap": lambda world: world.heads.swap(world.now(), NEXT),
}


@table("name", list(CALLS))
def test_a_write_is_tried_five_times_with_growing_pauses(name: str) -> None:
    patient, hopeless = World(), World()
    patient.refuse(4)
    written = CALLS[name](patient)
    assert patient.now() == written != FIRST
    assert patient.clock.slept == [0.1, 0.2, 0.4, 0.8]
    hopeless.refuse(5)
    with pytest.raises(BlobUnavailable, match="in 5 rounds"):
        CALLS[name](hopeless)
    assert hopeless.now().encode() == FIRST.encode()


@table(
    ("current", "error"),
    [
        (replace(FIRST, epoch=4), LockLost),
        (replace(FIRST, frozen="a broken chain"), WorkspaceFrozen),
        (replace(FIRST, seq=2, commit="d" * 64), HeadMoved),
        (replace(FIRST, index="d" * 64), HeadMoved),
    ],
)
def test_a_swap_over_another_head_than_was_read_is_refused(current: Head, error: Any) -> None:
    world = World()
    read = world.now()
    world.put(current)
    with pytest.raises(error):
        world.heads.swap(read, NEXT)
    assert world.now().encode() == current.encode()


def test_a_swap_goes_over_the_same_head_written_again_and_knows_its_own() -> None:
    world = World()
    read = world.now()
    world.put(FIRST)
    written = world.heads.swap(read, NEXT)
    assert world.now() == written
    # The reply of the swap was lost: HEAD is what was to be written.
    assert world.heads.swap(read, NEXT) == written


def test_an_overwrite_or_a_fence_never_lowers_the_epoch() -> None:
    world = World(replace(FIRST, epoch=9))
    with pytest.raises(LockLost, match="epoch 9"):
        world.heads.overwrite(NEXT)
    with pytest.raises(LockLost, match="epoch 9"):
        world.heads.fence(8)
    before = world.now()
    assert world.heads.fence(9) == before, "fenced already, so nothing is written"
    assert world.heads.overwrite(before) == before


def test_what_is_no_head_is_overwritten_and_a_head_is_frozen_once() -> None:
    world = World()
    world.blobs.write(paths.head(USER), b"no HEAD", if_generation=None)
    assert world.heads.overwrite(NEXT) == world.now()
    world.heads.freeze("x" * 501, world.now())
    assert world.now().frozen == "x" * 500
    world.heads.freeze("another reason", world.now())
    assert world.now().frozen == "x" * 500
    stale = replace(FIRST, generation=1)
    world.put(NEXT)
    world.heads.freeze("of another HEAD", stale)
    assert world.now().frozen == ""
