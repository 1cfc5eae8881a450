"""The protocol over a real wire: a bucket server whose every reply may be refused, reset, rate-limited or lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import urllib3
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from consumer.delivery import outcome as out
from consumer.delivery.handler import Handler
from consumer.ports import BlobStore
from consumer.storage.gcs import GcsBlobStore
from local.faults import HttpProxy, Rule, http_proxy
from local.gcs.server import serve
from service.clock import SystemClock
from tests.spine import USER, FakeHeads, FakeStage, World, a_delivery, an_event, job_id
from tests.spine_machine import Spine
from tests.spine_wire import wire

pytestmark = pytest.mark.integration
BUCKET = "memory"
#: One after the other at each request of a run: what a client sees of a service in trouble.
KINDS: tuple[dict[str, Any], ...] = (
    {"action": "drop_reply"},
    {"action": "status", "status": 429, "headers": {"retry-after": "1"}},
    {"action": "reset"},
    {"action": "status", "status": 503},
)


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpProxy]:
    with serve(tmp_path_factory.mktemp("gcs")) as url:
        with urllib3.PoolManager() as pool:
            pool.request("POST", f"{url}/storage/v1/b?project=test", json={"name": BUCKET})
        with http_proxy(url) as server:
            yield server


@pytest.fixture(scope="module")
def store(proxy: HttpProxy) -> Iterator[BlobStore]:
    store = GcsBlobStore.connect(BUCKET, SystemClock(), endpoint=proxy.url)
    yield store
    store.close()


def process(world: World, store: BlobStore, **kw: Any) -> Handler:
    """A process whose own waits cost nothing, and whose retries are due at once (ten seconds early counts)."""
    handler = world.handler(store, **kw)
    return replace(handler, parts=replace(handler.parts, retry_delays_s=(5,)))


def run(world: World, store: BlobStore, number: int) -> out.Outcome:
    event = an_event(number, job_type="insight", period="2026-11-27")
    if event.job_id not in world.plane.rows:
        world.plane.add(event)
    return process(world, store).job(a_delivery(event))


def test_a_fault_at_every_request_on_the_wire(tmp_path: Path, proxy: HttpProxy, store: BlobStore) -> None:
    world = World(tmp_path)
    before = FakeHeads(store).chain(USER)
    proxy.plan.clear()
    assert run(world, store, 1) == out.Done(job_id(1), result="completed")
    proxy.plan.clear()
    assert run(world, store, 2) == out.Done(job_id(2), result="completed")
    last = len(proxy.plan.seen)
    assert last > 15

    number = 2
    for nth in range(1, last + 1):
        for kind in (KINDS[nth % 4], KINDS[(nth + 1) % 4]):
            number += 1
            proxy.plan.clear()
            proxy.plan.add(Rule(nth=nth, **kind))
            outcomes = [run(world, store, number)]
            struck = [seen for seen in proxy.plan.seen if seen.fault]
            while world.plane.rows[job_id(number)].status != "completed" and len(outcomes) < 5:
                outcomes.append(run(world, store, number))
            assert struck, (nth, kind)
            row = world.plane.rows[job_id(number)]
            assert (row.status, row.completions) == ("completed", 1), (nth, kind, struck, outcomes)
    proxy.plan.clear()
    history = FakeHeads(store).chain(USER)[len(before) :]
    assert history == [job_id(n) for n in range(1, number + 1)]


def test_random_schedules_on_the_wire(tmp_path: Path) -> None:
    """The state machine of claim, lock and HEAD, against the real client and server in a smaller run."""
    with wire(tmp_path / "gcs") as served:

        class OnTheWire(Spine):
            def make_world(self, tmp: Path) -> World:
                return served.world(tmp)

            def teardown(self) -> None:
                super().teardown()
                store: Any = self.world.blobs
                store.store.close()

        run_state_machine_as_test(
            OnTheWire,
            settings=settings(
                max_examples=6,
                stateful_step_count=25,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
            ),
        )


def test_many_processes_with_one_users_jobs_make_each_effect_once(tmp_path: Path, store: BlobStore) -> None:
    """Four consumers, every job delivered several times at once and out of order, one user: the worst contention."""
    world = World(tmp_path)
    before = FakeHeads(store).chain(USER)
    jobs = [500 + n for n in range(8)]
    for number in jobs:
        world.plane.add(an_event(number, job_type="insight", period="2026-11-27"))
    outcomes: list[out.Outcome] = []

    def consume(offset: int) -> None:
        handler = process(world, store, clock=None)
        for _ in range(12):
            for position in range(len(jobs)):
                event = an_event(jobs[(position * 3 + offset) % len(jobs)], job_type="insight", period="2026-11-27")
                outcomes.append(handler.job(a_delivery(event)))
            if all(world.plane.rows[job_id(n)].status == "completed" for n in jobs):
                return

    threads = [threading.Thread(target=consume, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    rows = [world.plane.rows[job_id(n)] for n in jobs]
    assert [row.status for row in rows] == ["completed"] * len(jobs), outcomes
    assert [row.completions for row in rows] == [1] * len(jobs)
    added = FakeHeads(store).chain(USER)[len(before) :]
    assert sorted(added) == sorted(job_id(n) for n in jobs)
    assert world.plane.conflicts == 0


def test_a_paused_holder_is_refused_on_the_wire(tmp_path: Path, store: BlobStore) -> None:
    """An operator takes the lock away; the next job fences HEAD; the old holder, unaware, tries to commit."""
    world = World(tmp_path)
    seen: list[out.Outcome] = []
    before = FakeHeads(store).chain(USER)
    for number in (700, 701):
        world.plane.add(an_event(number, job_type="insight", period="2026-11-27"))

    def overtaken(_run: object, _guard: object) -> None:
        locks = process(world, store).parts.locks
        view = locks.show(USER)
        assert view is not None
        locks.unlock(USER, generation=view.generation, owner="operator")
        seen.append(run(world, store, 701))

    slow = process(world, store, stages={"report": FakeStage("report", overtaken)})
    outcome = slow.job(a_delivery(an_event(700, job_type="insight", period="2026-11-27")))
    assert seen == [out.Done(job_id(701), result="completed")]
    assert isinstance(outcome, out.RetryRecorded)
    assert outcome.code in ("lock_lost", "head_moved")
    assert run(world, store, 700) == out.Done(job_id(700), result="completed")
    assert FakeHeads(store).chain(USER)[len(before) :] == [job_id(701), job_id(700)]
