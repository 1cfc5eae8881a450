"""The spine over the real history: real hydrate, persist, fence, chain walk and published copies, in memory.

A process dies at every request of a run, takes over from another, or wakes too late; afterwards the history verifies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from consumer.clients.signing import Ed25519Signer
from consumer.delivery import outcome as out
from consumer.delivery.handler import Handler
from consumer.delivery.pipeline import Pipeline
from consumer.delivery.settlement import Settlement
from consumer.errors import LockLost
from consumer.locking.lock import Locks
from consumer.maintenance.verify import Verification
from consumer.ports import Guard
from consumer.repository.workspace import WorkspaceStore
from consumer.run import Exported, Run
from consumer.stages.hydrate import Hydrate
from consumer.stages.persist import Persist
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import FakeClock, Fault, Faults, Killed, no_fault
from contract.event import StageName
from tests.spine import USER, FakeStage, World, a_delivery, an_event, job_id, report
from tests.unit.repository.workspaces import USER as BENCH_USER
from tests.unit.repository.workspaces import Bench

TEMPLATES = Path(__file__).parents[3] / "templates"
PEM = b"""-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
"""


class Unstopped:
    """The guard of something that nobody stops."""

    def check(self) -> None:
        pass

    def time_left(self) -> float:
        return 600.0


def store(world: World, fault: Fault = no_fault, clock: FakeClock | None = None) -> WorkspaceStore:
    return WorkspaceStore(world.blobs.as_seen_by(fault), Ed25519Signer(PEM), clock or world.clock, templates=TEMPLATES)


def process(
    world: World, fault: Fault = no_fault, clock: FakeClock | None = None, replaced: Mapping[str, Any] | None = None
) -> tuple[Handler, WorkspaceStore]:
    """A consumer process with the real store behind its ports."""
    blobs = world.blobs.as_seen_by(fault)
    base = world.handler(blobs, clock=clock)
    heads = store(world, fault, clock)
    stages: dict[StageName, Any] = {
        "hydrate": Hydrate(heads, lambda _user, carried: carried),
        "export": FakeStage("export", export),
        "render": FakeStage("render", render),
        "index": FakeStage("index"),
        "synthesize": FakeStage("synthesize"),
        "report": FakeStage("report", report),
        "persist": Persist(heads, base.parts.clock),
    }
    pipeline = Pipeline({**stages, **(replaced or {})}, base.parts.clock)  # type: ignore[dict-item]  # names as text
    parts = replace(base.parts, heads=heads, pipeline=pipeline, settlement=Settlement(blobs, heads))
    return replace(base, parts=parts), heads


def export(run: Run, _guard: Guard) -> Run:
    done = int(run.cursors.get("granola", 0))
    return replace(run, exported=Exported(1, 0, {"granola": 1}, {"granola": 9}), cursors={"granola": done + 1})


def render(run: Run, _guard: Guard) -> Run:
    page = run.root / "brain" / "sources" / f"{run.job.job_id}.md"
    page.write_text(f"page {run.cursors['granola']} of {run.job.job_id}\n")
    return run


def deliver(world: World, fault: Fault = no_fault, clock: FakeClock | None = None, number: int = 1) -> Any:
    handler, heads = process(world, fault, clock)
    try:
        return handler.job(a_delivery(an_event(number)))
    except Killed:
        return None
    finally:
        heads.close()


def history(world: World) -> list[tuple[str, dict[str, Any]]]:
    """(job id, cursors) of every commit, oldest first; raises if the history does not verify."""
    heads = store(world)
    try:
        head = heads.of(USER).read_head()
        faults = []
        seq, digest = (head.seq, head.commit) if head else (0, None)
        while digest:
            commit = heads.of(USER).loader.commit(seq, digest)
            faults.append((commit.job_id, dict(commit.cursors)))
            seq, digest = seq - 1, commit.parent
        checked = Verification(world.blobs, Ed25519Signer(PEM), world.clock, USER, Unstopped()).run()
        assert checked.ok, checked
        return faults[::-1]
    finally:
        heads.close()


def settle(world: World) -> None:
    for _ in range(12):
        if all(row.status == "completed" for row in world.plane.rows.values()):
            return
        world.clock.advance(300)
        for number in range(1, len(world.plane.rows) + 1):
            deliver(world, number=number)
    raise AssertionError({job: row.status for job, row in world.plane.rows.items()})


@pytest.fixture(scope="module")
def requests(tmp_path_factory: pytest.TempPathFactory) -> int:
    world = World(tmp_path_factory.mktemp("clean"))
    world.plane.add(an_event())
    assert deliver(world) == out.Done(job_id(1), result="completed")
    return len(world.blobs.ops)


Plant = Callable[[Faults, int], Faults]
FAULTS: dict[str, Plant] = {
    "killed": lambda faults, n: faults.kill(n, after=n % 2 == 0),
    "unanswered": lambda faults, n: faults.lose_reply(n) if n % 2 else faults.refuse(n),
}


@pytest.mark.properties
@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_at_every_request_of_a_whole_run(tmp_path: Path, kind: str, requests: int) -> None:
    for number in range(1, requests + 1):
        world = World(tmp_path / f"at-{number}")
        world.plane.add(an_event())
        faults = FAULTS[kind](Faults(world.clock), number)
        deliver(world, faults)
        settle(world)
        assert history(world) == [(job_id(1), {"granola": 1})], (kind, number)
        assert world.plane.rows[job_id(1)].completions == 1
        copies = world.blobs.names(f"users/{USER}/published/")
        assert len(copies) == 3, copies


@pytest.mark.properties
def test_a_paused_holder_is_refused_by_the_real_history(tmp_path: Path, requests: int) -> None:
    """Its clock stood still, so it believes in its lock; another job of the user committed meanwhile."""
    for number in range(1, requests + 1):
        world = World(tmp_path / f"at-{number}")
        for job in (1, 2):
            world.plane.add(an_event(job))

        def meanwhile(world: World = world) -> None:
            world.clock.advance(400)
            deliver(world, number=2)

        deliver(world, Faults().call(number, meanwhile), FakeClock())
        settle(world)
        assert sorted(job for job, _ in history(world)) == [job_id(1), job_id(2)], number
        # Cursors moved together with the data: the second commit went on from the first.
        assert [cursors["granola"] for _, cursors in history(world)] == [1, 2]
        assert all(row.completions == 1 for row in world.plane.rows.values())


def test_an_idle_run_on_a_warm_instance_costs_few_requests_and_changes_no_history(tmp_path: Path) -> None:
    """Bars: at most 12 requests, no commit."""
    world = World(tmp_path)
    fresh = [True]

    def once(run: Run, guard: Guard) -> Run:
        return export(run, guard) if fresh[0] else replace(run, exported=Exported(0, 0, {}, {}))

    handler, heads = process(world, replaced={"export": FakeStage("export", once)})
    for number in (1, 2):
        world.plane.add(an_event(number))
    assert handler.job(a_delivery(an_event(1))) == out.Done(job_id(1), result="completed")
    before, fresh[0], count = history(world), False, len(world.blobs.ops)

    assert handler.job(a_delivery(an_event(2))) == out.Done(job_id(2), result="no_change")

    heads.close()
    made = [f"{op.verb} {op.name}" for op in world.blobs.ops[count:]]
    assert len(made) <= 12, "\n".join(made)
    assert history(world) == before


def test_a_holder_that_slept_before_its_hydrate_cannot_commit_on_what_its_successor_fenced(tmp_path: Path) -> None:
    """The generation that it hydrated is HEAD's own: here only the epoch can refuse it."""
    bench = Bench(tmp_path)
    successor, sleeper = bench.store(), bench.store()
    root, workspace = bench.hydrate(successor)
    bench.commit(successor, root, workspace.base, "job-1", epoch=1)
    successor.of(BENCH_USER).fence(5)

    root, workspace = bench.hydrate(sleeper)
    (root / "brain" / "late.md").write_text("too late\n")
    with pytest.raises(LockLost, match="epoch 5; this holder's is 4"):
        bench.commit(sleeper, root, workspace.base, "job-2", epoch=4)

    head = successor.of(BENCH_USER).read_head()
    assert head is not None
    assert (head.seq, head.epoch) == (1, 5)
    successor.close()
    sleeper.close()


def test_an_epoch_never_falls_when_a_sleeper_wakes_between_its_lock_and_its_hydrate(tmp_path: Path) -> None:
    """The sleeper's clock stood still; its successor has fenced HEAD and not yet committed."""
    world = World(tmp_path)
    for number in (1, 2):
        world.plane.add(an_event(number))
    fenced: list[int] = []

    def take_over(run: Run, guard: Guard) -> Run:
        world.clock.advance(140)
        heads = store(world)
        locks = Locks(ConditionalWriter(world.blobs, world.clock), world.clock, world.ids, world.lease)
        lock = locks.acquire(USER, owner="successor", job_id=job_id(2), attempt=1, head_epoch=run.epoch)
        fenced.append(heads.of(USER).fence(lock.epoch).epoch)
        heads.close()
        return run

    clock = FakeClock()
    handler, heads = process(world, clock=clock)
    real = handler.parts.pipeline.stages["hydrate"]

    def hydrate(run: Run, guard: Guard) -> Run:
        return real.run(take_over(run, guard), guard)

    handler.parts.pipeline.stages["hydrate"] = FakeStage("hydrate", hydrate)  # type: ignore[index]
    outcome = handler.job(a_delivery(an_event(1)))
    heads.close()

    assert outcome.name != "done"
    checked = store(world)
    head = checked.of(USER).read_head()
    checked.close()
    assert head is not None
    assert (head.seq, [head.epoch]) == (0, fenced)
