"""Jobs that run in executions: push or execution dies, or goes unanswered, at every request of either.

Executions start when they like: at once, late, twice. Whatever happens: one commit, one completion.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from consumer.delivery import outcome as out
from consumer.entrypoints import job
from consumer.ports import ExecutionState
from consumer.storage.memory import Fault, Faults, Killed, no_fault
from tests.spine import USER, World, a_delivery, an_event, job_id

pytestmark = pytest.mark.properties

Plant = Callable[[Faults, int], Faults]
FAULTS: dict[str, Plant] = {
    "killed": lambda faults, n: faults.kill(n, after=n % 2 == 0),
    "unanswered": lambda faults, n: faults.lose_reply(n) if n % 2 else faults.refuse(n),
    "paused": lambda faults, n: faults.delay(n, 400, after=n % 2 == 0),
}


def push(world: World, fault: Fault = no_fault) -> out.Outcome | None:
    try:
        return world.handler(world.blobs.as_seen_by(fault)).job(a_delivery(an_event()))
    except Killed:
        return None


def _execute_the_last(world: World) -> None:
    execute(world, len(world.launcher.launched) - 1)


def execute(world: World, number: int, fault: Fault = no_fault) -> out.Outcome | None:
    execution = job.parse(world.launcher.launched[number])
    handler = world.handler(world.blobs.as_seen_by(fault))
    try:
        return handler.execute(execution.job_id, execution.attempt, execution.expected)
    except Killed:
        return None


def converge(world: World, *, started: int) -> None:
    """The sweep publishes, what was launched starts (each execution twice), until the row is over."""
    row = world.plane.rows[job_id(1)]
    # Each has run to its end, or was killed, when Cloud Run is asked.
    world.launcher.fate = ExecutionState(is_over=True, reason="killed")
    for _ in range(12):
        while started < len(world.launcher.launched):
            execute(world, started)
            execute(world, started)
            started += 1
        if row.status == "completed" and world.ledger()["delivered"]:
            break
        world.clock.advance(700)
        push(world)
    assert (row.status, row.completions) == ("completed", 1), world.ledger()
    assert world.heads.chain(USER) == [job_id(1)]


@pytest.fixture
def requests(tmp_path: Path) -> tuple[int, int]:
    """Requests of a clean push, and of a clean execution."""
    world = World(tmp_path / "clean", setting="cloud-run-job")
    world.plane.add(an_event())
    push(world)
    pushed = len(world.blobs.ops)
    assert execute(world, 0) == out.Done(job_id(1), result="completed")
    return pushed, len(world.blobs.ops) - pushed


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_at_every_request_of_the_push(tmp_path: Path, kind: str, requests: tuple[int, int]) -> None:
    for number in range(1, requests[0] + 1):
        for starts_before_answer in (False, True):
            world = World(tmp_path / f"at-{number}-{starts_before_answer}", setting="cloud-run-job")
            world.plane.add(an_event())
            if starts_before_answer:
                world.launcher.fault = partial(_execute_the_last, world)
            push(world, FAULTS[kind](Faults(world.clock), number))
            converge(world, started=0)


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_at_every_request_of_the_execution(tmp_path: Path, kind: str, requests: tuple[int, int]) -> None:
    for number in range(1, requests[1] + 1):
        world = World(tmp_path / f"at-{number}", setting="cloud-run-job")
        world.plane.add(an_event())
        push(world)
        execute(world, 0, FAULTS[kind](Faults(world.clock), len(world.blobs.ops) + number))
        converge(world, started=1)
