"""Ends of attempts that could not be recorded while the bucket was away: written later, oldest first."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumer.delivery.openends import OpenEnds
from consumer.errors import BlobUnavailable
from consumer.storage.memory import Op
from tests.fixtures_telemetry import logs
from tests.spine import World, a_claim


def states(world: World, *numbers: int) -> list[str]:
    return [world.ledger(number)["state"] for number in numbers]


def kept(world: World, *numbers: int) -> OpenEnds:
    ends = OpenEnds()
    for number in numbers:
        ends.add(world.handler().ledgers.create(a_claim(number)))
    return ends


def test_every_end_is_written_and_counts_as_no_failure(tmp_path: Path) -> None:
    world = World(tmp_path)
    ends = kept(world, 1, 2, 3)
    assert states(world, 1, 2, 3) == ["RUNNING"] * 3
    ends.write()
    assert states(world, 1, 2, 3) == ["RETRYING"] * 3
    assert {world.ledger(number)["waiting_for"] for number in (1, 2, 3)} == {"bucket"}
    assert {world.ledger(number)["failures"] for number in (1, 2, 3)} == {0}
    written = len(world.blobs.ops)
    ends.write()
    assert len(world.blobs.ops) == written


def test_what_the_bucket_refuses_waits_for_the_next_call(tmp_path: Path) -> None:
    world = World(tmp_path)
    ends = kept(world, 1, 2, 3)
    refused = world.ledger(2)["job_id"]

    def fault(op: Op) -> None:
        if op.verb == "write" and refused in op.name:
            raise BlobUnavailable("no answer")

    world.blobs.set_fault(fault)
    with pytest.raises(BlobUnavailable):
        ends.write()
    world.blobs.set_fault()
    assert states(world, 1, 2, 3) == ["RETRYING", "RUNNING", "RUNNING"]
    ends.write()
    assert states(world, 1, 2, 3) == ["RETRYING"] * 3


@logs("attempt ended late, and was taken over")
def test_an_attempt_that_was_taken_over_keeps_nobody_waiting(tmp_path: Path) -> None:
    world = World(tmp_path)
    ends = kept(world, 1, 2)
    ledgers = world.handler().ledgers
    stored = ledgers.find(world.ledger(1)["job_id"])
    assert stored is not None
    ledgers.take(stored, a_claim(1, owner="another"))
    ends.write()
    assert states(world, 1, 2) == ["RUNNING", "RETRYING"]
    assert world.ledger(1)["owner"] == "another"
