"""The cap on jobs at one provider."""

from __future__ import annotations

import pytest

from consumer.agent.gateway.slots import RENEWALS, Slots
from consumer.errors import ProviderBusy, ShuttingDown
from consumer.storage.memory import FakeClock, Faults, MemoryBlobStore
from tests.waiting import until


def slots(blobs: MemoryBlobStore, clock: FakeClock, count: int = 2) -> Slots:
    return Slots(blobs, clock, "provider.test", count)


def world() -> tuple[MemoryBlobStore, FakeClock]:
    clock = FakeClock()
    return MemoryBlobStore(clock), clock


def test_a_slot_is_held_and_given_back() -> None:
    blobs, clock = world()
    with slots(blobs, clock).hold("job-1"):
        (name,) = blobs.names()
        assert name.startswith("providers/provider.test/")
    assert not list(blobs.names())


def test_no_more_jobs_than_slots() -> None:
    blobs, clock = world()
    cap = slots(blobs, clock)
    with cap.hold("job-1"), cap.hold("job-2"):
        with pytest.raises(ProviderBusy, match="all 2 slots"), cap.hold("job-3"):
            pass
        assert len(list(blobs.names())) == 2
    with cap.hold("job-3"):
        pass


def test_a_busy_job_waits_before_it_steps_back() -> None:
    blobs, clock = world()
    cap = slots(blobs, clock, count=1)
    with cap.hold("job-1"):
        before = clock.monotonic()
        with pytest.raises(ProviderBusy), cap.hold("job-2"):
            pass
        assert clock.monotonic() - before >= cap.wait_s


def test_the_dead_holders_slot_is_taken_over_by_the_buckets_clock() -> None:
    blobs, clock = world()
    cap = slots(blobs, clock, count=1)
    blobs.write("providers/provider.test/0000.json", b"{}", if_generation=0)
    clock.advance(cap.ttl_s - cap.wait_s - 5)
    with pytest.raises(ProviderBusy), cap.hold("job-2"):
        pass
    clock.advance(cap.ttl_s)
    with cap.hold("job-2"):
        pass


def test_a_lost_slot_is_not_given_back_by_its_old_holder() -> None:
    blobs, clock = world()
    cap = slots(blobs, clock, count=1)
    with cap.hold("job-1"):
        blobs.write("providers/provider.test/0000.json", b"other", if_generation=None)
    held = blobs.peek("providers/provider.test/0000.json")
    assert held
    assert held.data == b"other"


def test_a_holder_renews_its_slot() -> None:
    blobs, clock = world()
    cap = Slots(blobs, clock, "provider.test", 1, ttl_s=0.03 * RENEWALS)
    with cap.hold("job-1"):
        first = blobs.stat("providers/provider.test/0000.json").generation
        until(lambda: blobs.stat("providers/provider.test/0000.json").generation > first)
    assert not list(blobs.names())


def test_a_bucket_that_is_away_at_the_end_leaves_the_slot_to_its_time() -> None:
    clock = FakeClock()
    faults = Faults(clock)
    blobs = MemoryBlobStore(clock, faults)
    faults.refuse(2)
    with slots(blobs, clock).hold("job-1"):
        pass
    assert len(list(blobs.names())) == 1


def test_no_job_waits_for_a_slot_while_the_instance_shuts_down() -> None:
    blobs, clock = world()
    cap = slots(blobs, clock, count=1)
    with cap.hold("job-1"):
        before = clock.monotonic()
        cap.shutdown.set()
        with pytest.raises(ShuttingDown), cap.hold("job-2"):
            pass
        assert clock.monotonic() == before
