"""What an attempt does beside its protocol: threads, watchdog, results of stages, duplicates answered from memory."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from consumer.delivery import outcome as out
from consumer.delivery.completed_jobs import CompletedJobs
from consumer.delivery.handler import Handler
from consumer.delivery.ledger import StoredLedger
from consumer.run import Run
from tests.spine import FakeStage, World, a_delivery, an_event, job_id
from tests.unit.delivery.test_ledger import a_ledger, stored
from tests.waiting import PATIENCE_S, until


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.plane.add(an_event())
    return world


def with_threads(handler: Handler, **parts: object) -> Handler:
    return replace(handler, parts=replace(handler.parts, threads=True, **parts))  # type: ignore[arg-type]


def test_a_run_with_its_threads_ends_without_them(world: World) -> None:
    seen: list[set[str]] = []

    def look(_run: Run, _guard: object) -> None:
        seen.append({t.name for t in threading.enumerate()})

    handler = with_threads(world.handler(stages={"index": FakeStage("index", look)}))
    assert handler.job(a_delivery(an_event())) == out.Done(job_id(1), result="completed")
    assert {"renew", "heartbeat"} <= seen[0]
    assert {t.name for t in threading.enumerate()}.isdisjoint({"renew", "heartbeat"})


def test_a_run_that_outlives_its_deadline_takes_the_instance_with_it(world: World) -> None:
    ended = threading.Event()

    def hang(_run: Run, _guard: object) -> None:
        assert ended.wait(PATIENCE_S), "nobody ended the instance"

    handler = world.handler(stages={"index": FakeStage("index", hang)})
    plans = {name: replace(plan, budget_s=0.05) for name, plan in handler.plans.items()}
    handler = with_threads(replace(handler, plans=plans), overrun=ended.set, overrun_grace_s=0.05)
    # The fake clock stands still, so only the watchdog's own timer notices.
    assert handler.job(a_delivery(an_event())).name == "done"
    assert ended.is_set()


def test_a_run_in_time_does_not_wake_the_watchdog(world: World) -> None:
    ended = threading.Event()
    with_threads(world.handler(), overrun=ended.set).job(a_delivery(an_event()))
    assert not ended.is_set()
    # A timer that was cancelled may need a moment to go.
    until(lambda: not [t for t in threading.enumerate() if isinstance(t, threading.Timer) and t.function == ended.set])


def test_each_stage_leaves_its_result_in_the_workspace_before_the_commit(world: World) -> None:
    seen: dict[str, object] = {}

    def look(run: Run, _guard: object) -> Run:
        folder = run.root / "runtime" / "job-runs" / job_id(1)
        seen.update({path.name: json.loads(path.read_text()) for path in folder.iterdir()})
        return replace(
            run, commit=world.heads.commit(run.job.user_id, run.base, run.job.job_id, run.attempt, run.epoch)
        )

    world.handler(stages={"persist": FakeStage("persist", look)}).job(a_delivery(an_event()))
    assert sorted(seen) == [
        "01-hydrate.json",
        "02-export.json",
        "03-render.json",
        "04-index.json",
        "05-synthesize.json",
        "06-report.json",
    ]
    assert seen["02-export.json"] == {
        "schema": "memory.stage.v1",
        "job_id": job_id(1),
        "attempt": 1,
        "stage": "export",
        "seconds": 0,
        "counts": {"records": 3, "deleted": 0},
    }


def test_progress_names_every_stage(world: World) -> None:
    world.handler().job(a_delivery(an_event()))
    stages = [call.rpartition(" ")[2] for call in world.plane.calls if call.startswith("progress running")]
    assert stages == ["hydrate", "export", "render", "index", "synthesize", "report", "persist"]


def test_a_duplicate_known_to_be_done_costs_no_request(world: World) -> None:
    handler = world.handler()
    for _ in range(2):
        handler.job(a_delivery(an_event()))
    count = len(world.blobs.ops)
    assert handler.job(a_delivery(an_event())).name == "duplicate"
    assert len(world.blobs.ops) == count
    other = handler.job(a_delivery(an_event(period="2026-11-27T23")))
    assert (other.name, getattr(other, "code", "")) == ("dead_lettered", "payload_mismatch")


@pytest.mark.parametrize(
    "entry",
    [
        None,
        stored(state="RUNNING"),
        stored(state="DEAD", outcome_body={"outcome": "failed"}, delivered=True),
        stored(state="DONE", outcome_body={"outcome": "completed"}, delivered=False),
    ],
)
def test_what_may_still_change_is_not_remembered(entry: StoredLedger | None) -> None:
    verdicts = CompletedJobs()
    verdicts.learn(entry)
    assert not verdicts.is_done(a_ledger().job_id, a_ledger().payload_digest or "")


def test_the_memory_is_bounded() -> None:
    verdicts = CompletedJobs(capacity=2)
    ids = [job_id(n) for n in range(3)]
    for number in ids:
        verdicts.learn(stored(job_id=number, state="DONE", outcome_body={"outcome": "completed"}, delivered=True))
    digest = a_ledger().payload_digest or ""
    assert [verdicts.is_done(number, digest) for number in ids] == [False, True, True]


def test_only_a_run_that_came_to_its_end_vouches_for_its_folder(world: World) -> None:
    vouched: list[str] = []

    def handler(**stages: FakeStage) -> Handler:
        made = world.handler(stages=stages)
        return replace(made, parts=replace(made.parts, vouch=vouched.append))

    def fail(_run: Run, _guard: object) -> None:
        raise OSError("a tool may still be at work")

    handler(index=FakeStage("index", fail)).job(a_delivery(an_event()))
    assert vouched == []
    world.plane.add(an_event(2))
    assert handler().job(a_delivery(an_event(2))).name == "done"
    assert vouched == [an_event().user_id]
