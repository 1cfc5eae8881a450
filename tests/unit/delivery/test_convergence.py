"""A process dies, or a request fails, at every single request of a run. Whatever happens: one commit, one completion.

After the fault the world goes on as it would outside: time passes, the row is published again, another process takes
it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from consumer import paths
from consumer.delivery import ledger as core
from consumer.delivery import outcome as out
from consumer.errors import ControlPlaneUnavailable
from consumer.storage.memory import FakeClock, Faults, Killed, MemoryBlobStore
from contract.event import JobType
from tests.spine import USER, WAKE_AT, World, a_delivery, an_event, job_id

pytestmark = pytest.mark.properties

#: More deliveries than any schedule here needs.
ROUNDS = 12
#: More requests than a run makes; the fault beyond the last one never fires.
MOST = 60

Plant = Callable[[Faults, int], Faults]
FAULTS: dict[str, Plant] = {
    "killed before": lambda faults, n: faults.kill(n),
    "killed after": lambda faults, n: faults.kill(n, after=True),
    "refused": lambda faults, n: faults.refuse(n),
    "reply lost": lambda faults, n: faults.lose_reply(n),
    "paused past the lease": lambda faults, n: faults.delay(n, 400),
    "reply late": lambda faults, n: faults.delay(n, 400, after=True),
}
AFTER = {"killed after", "reply lost", "reply late"}


def deliver(
    world: World, blobs: MemoryBlobStore | None = None, clock: FakeClock | None = None, number: int = 1
) -> out.Outcome | None:
    """One delivery to a fresh process; None: it died."""
    try:
        return world.handler(blobs, clock=clock).job(a_delivery(an_event(number)))
    except Killed:
        return None


def converge(world: World) -> None:
    """The nets: time passes and the row is published again until it is over."""
    row = world.plane.rows[job_id(1)]
    for _ in range(ROUNDS):
        if row.status in ("completed", "failed", "cancelled") and world.ledger()["delivered"]:
            return
        world.clock.advance(300)
        deliver(world)
    raise AssertionError(f"not over after {ROUNDS} deliveries: row {row.status}, ledger {world.ledger()}")


def assert_one_effect(world: World, *, commits: int) -> None:
    row = world.plane.rows[job_id(1)]
    assert world.heads.chain(USER) == [job_id(1)] * commits
    assert (row.status, row.completions) == ("completed", 1)
    assert row.completion is not None
    if commits:
        assert row.completion.commit is not None
        assert row.completion.outcome == "completed"
        assert row.completion.source_counts == {"granola": 3}
        reports = (
            f"brain/reports/digest/2026-11-27T01__{job_id(1)}.md",
            f"runtime/reports/digest/{job_id(1)}.json",
        )
        note = f"runtime/job-runs/{job_id(1)}.json"
        assert world.heads.published[-1][1:] == (1, (*reports, note) if world.tells else (note,))
        assert (row.completion.report_uri is None) == (not world.tells)
        assert row.completion.wake_at == (None if world.tells else WAKE_AT)
    ledger = world.ledger()
    assert (ledger["state"], ledger["delivered"]) == ("DONE", True)
    # Whatever became of the lock, the next job of this user can have it.
    world.clock.advance(300)
    next_event = an_event(2)
    world.plane.add(next_event)
    assert world.handler().job(a_delivery(next_event, "next")) == out.Done(
        job_id(2), result="completed" if commits else "no_change"
    )
    assert world.blobs.names(f"users/{USER}/parked/") == []


def requests_of_a_clean_run(tmp_path: Path, records: int) -> int:
    world = World(tmp_path, records=records)
    world.plane.add(an_event())
    assert isinstance(deliver(world), out.Done)
    return len(world.blobs.ops)


@pytest.mark.parametrize(
    ("records", "tells"), [(3, True), (3, False), (0, True)], ids=["something new", "nothing to tell", "nothing new"]
)
@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_at_every_request_of_a_run(tmp_path: Path, kind: str, records: int, tells: bool) -> None:
    last = requests_of_a_clean_run(tmp_path / "clean", records)
    assert 10 < last < MOST
    for number in range(1, last + 1):
        world = World(tmp_path / f"at-{number}", records=records, tells=tells)
        world.plane.add(an_event())
        faults = FAULTS[kind](Faults(world.clock), number)
        deliver(world, world.blobs.as_seen_by(faults))
        # A request that the store refuses (not found, another generation) has no reply to lose. A run without a report
        # writes fewer copies.
        assert faults.fired or kind in AFTER or not tells, f"request {number} was never made"
        converge(world)
        assert_one_effect(world, commits=1 if records else 0)


OTHER_TYPES: dict[JobType, str | None] = {"inventory": None, "backfill_digest": None, "insight": "2026-11-27"}


@pytest.mark.parametrize("job_type", OTHER_TYPES)
@pytest.mark.parametrize("kind", ["killed before", "killed after", "reply lost"])
def test_a_fault_at_every_request_of_every_other_job_type(tmp_path: Path, kind: str, job_type: JobType) -> None:
    """The digest has all kinds of faults above; these have other stages, and periods of another form or none."""
    event = an_event(1, job_type=job_type, period=OTHER_TYPES[job_type])
    number = 0
    while True:
        number += 1
        world = World(tmp_path / f"at-{number}")
        row = world.plane.add(event)
        faults = FAULTS[kind](Faults(world.clock), number)
        with suppress(Killed):
            world.handler(world.blobs.as_seen_by(faults)).job(a_delivery(event))
        if len(world.blobs.ops) < number:
            break
        for _ in range(ROUNDS):
            if row.status == "completed" and world.ledger()["delivered"]:
                break
            world.clock.advance(300)
            world.handler().job(a_delivery(event))
        assert (row.status, row.completions, world.ledger()["delivered"]) == ("completed", 1, True), number
        assert world.heads.chain(USER) == [job_id(1)], number
    assert 10 < number < MOST


@pytest.mark.parametrize("kind", ["killed before", "killed after"])
def test_a_second_death_at_every_request_after_a_death_at_the_swap(tmp_path: Path, kind: str) -> None:
    """The resume is as mortal as the run: die right after the swap, then at each request of the next attempt."""
    probe = World(tmp_path / "probe")
    probe.plane.add(an_event())
    deliver(probe)
    swap = max(op.number for op in probe.blobs.ops if op.verb == "write" and op.name.endswith("/HEAD"))
    number = 0
    while True:
        number += 1
        world = World(tmp_path / f"at-{number}")
        world.plane.add(an_event())
        deliver(world, world.blobs.as_seen_by(Faults().kill(swap, after=True)))
        assert world.heads.chain(USER) == [job_id(1)]
        world.clock.advance(300)
        done = len(world.blobs.ops)
        faults = FAULTS[kind](Faults(world.clock), done + number)
        deliver(world, world.blobs.as_seen_by(faults))
        if len(world.blobs.ops) < done + number:
            break
        converge(world)
        assert_one_effect(world, commits=1)
    assert number > 10


@pytest.mark.parametrize("call", ["open", "progress", "complete completed", "completed completed"])
@pytest.mark.parametrize("records", [3])
def test_a_fault_at_every_call_to_the_control_plane(tmp_path: Path, call: str, records: int) -> None:
    """``completed`` comes after the row was written: its reply is what gets lost."""
    for nth in range(1, 10):
        world = World(tmp_path / f"at-{nth}", records=records)
        world.plane.add(an_event())
        seen = [0]

        def fault(name: str, nth: int = nth, seen: list[int] = seen) -> None:
            if name.startswith(call):
                seen[0] += 1
                if seen[0] == nth:
                    raise ControlPlaneUnavailable(f"{name} was not answered")

        world.plane.fault = fault
        deliver(world)
        converge(world)
        world.plane.fault = lambda _name: None
        assert_one_effect(world, commits=1)


@pytest.mark.parametrize(
    ("other", "own_clock"),
    [(1, True), (2, True), (1, False)],
    ids=["same job, its clock stood still", "another job, its clock stood still", "same job, its clock went on"],
)
def test_a_holder_paused_at_every_request_wakes_after_a_takeover(
    tmp_path: Path, other: int, *, own_clock: bool
) -> None:
    """With a clock that stood still the holder believes in its lock: only HEAD's epoch can refuse it."""
    last = requests_of_a_clean_run(tmp_path / "clean", 3)
    for number in range(1, last + 1):
        world = World(tmp_path / f"at-{number}")
        for event in {1, other}:
            world.plane.add(an_event(event))

        def meanwhile(world: World = world) -> None:
            world.clock.advance(400)
            deliver(world, number=other)

        faults = Faults().call(number, meanwhile, after=number % 2 == 0)
        deliver(world, world.blobs.as_seen_by(faults), FakeClock() if own_clock else None)
        converge(world)

        history = world.heads.chain(USER)
        assert sorted(history) == sorted({job_id(1), job_id(other)} if faults.fired else {job_id(1)}), number
        assert all(row.completions <= 1 for row in world.plane.rows.values())
        for job, row in world.plane.rows.items():
            if job in history:
                world.clock.advance(300)
                assert row.completions == 1 or deliver(world, number=other), (job, number)
                assert row.completions == 1


@pytest.mark.parametrize("how", ["cancelled", "dead"])
def test_a_job_settled_without_effect_gets_none_from_a_paused_holder(tmp_path: Path, how: str) -> None:
    """Here only the fence protects: the takeover itself never writes a commit that would make the old swap fail."""
    last = requests_of_a_clean_run(tmp_path / "clean", 3)
    seen = set()
    for number in range(1, last + 1):
        world = World(tmp_path / f"at-{number}")
        row = world.plane.add(an_event())

        def meanwhile(world: World = world) -> None:
            world.clock.advance(400)
            if how == "cancelled":
                world.plane.rows[job_id(1)].cancel_requested = True
            else:
                spend_failures(world)
            deliver(world)

        faults = Faults().call(number, meanwhile)
        deliver(world, world.blobs.as_seen_by(faults), FakeClock())
        world.plane.rows[job_id(1)].cancel_requested = False
        converge(world)

        committed = world.heads.chain(USER) == [job_id(1)]
        assert committed == (row.status == "completed"), (number, row.status)
        assert row.completions == 1
        seen.add(row.status)
    assert seen == {"completed", "cancelled" if how == "cancelled" else "failed"}


def spend_failures(world: World) -> None:
    """As if four attempts had failed before: the takeover's expired lease is the fifth."""
    name = paths.ledger(job_id(1))
    blob = world.blobs.peek(name)
    if blob is None:
        return
    ledger = core.decode(job_id(1), blob.data)
    if ledger.state != "RUNNING":
        return
    spent = ledger.model_copy(update={"failures": 4})
    # Under the same generation: the paused holder wrote it so, and its next renewal must not notice a stranger.
    world.blobs._bucket.objects[name] = replace(blob, data=spent.encode())
