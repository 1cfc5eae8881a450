"""The daily round: every user for itself, within a time, and never a reason to refuse the tick."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from consumer import paths
from consumer.delivery.rounds import Rounds
from consumer.delivery.ticks import Ticks
from consumer.erasure import late_writers
from consumer.errors import BlobUnavailable
from consumer.snapshot.snapshot import Head
from consumer.storage.memory import FakeClock, Op
from contract.api import TickResponse
from contract.event import TickEvent, TickKind
from tests.fixtures_telemetry import Lines, Metrics, logs
from tests.spine import FakeControlPlane
from tests.unit.repository.test_workspace_writers import damaged, exclusive
from tests.unit.repository.workspaces import USER, Bench

OTHER = "22222222-2222-4222-8222-222222222222"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path)
    store = made.store()
    root, workspace = made.hydrate(store)
    (root / "brain/people/ann.md").write_text("# Ann\n")
    made.commit(store, root, workspace.base)
    store.close()
    return made


def rounds(bench: Bench, limit_s: float = 300) -> Rounds:
    return Rounds(exclusive(bench), bench.clock, limit_s, threading.Event())


def frozen(bench: Bench) -> str:
    store = bench.store()
    head = store.of(USER).read_head() or Head()
    store.close()
    return head.frozen


@logs("history verified", "history does not verify: frozen")
def test_a_broken_history_is_frozen_and_the_next_user_still_looked_at(bench: Bench, metrics: Metrics) -> None:
    name = damaged(bench, "packs")
    assert rounds(bench).walk([USER, OTHER]) == 2
    assert name in frozen(bench)
    results = [labels["result"] for metric, _, labels in metrics if metric == "histories_verified"]
    assert results == ["frozen", "sound"]


def test_what_only_older_commits_lost_is_told_and_freezes_nothing(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    store = bench.store()
    root, hydrated = bench.hydrate(store)
    (root / "brain/people/ann.md").write_text("# Ann, again\n")
    bench.commit(store, root, hydrated.base, "job-2")
    (first,) = bench.blobs.names(paths.commit(USER, 1, ""))
    bench.blobs.write(first, b"damaged", if_generation=None)
    assert rounds(bench).walk([USER]) == 1
    assert frozen(bench) == ""
    assert "older commits are damaged; HEAD is whole" in caplog.messages


@logs("history not verified")
def test_a_user_whose_job_runs_is_left_alone(bench: Bench) -> None:
    damaged(bench, "packs")
    busy = exclusive(bench)
    with busy.hold(USER, "a job"):
        assert rounds(bench).walk([USER]) == 1
    assert frozen(bench) == ""


@pytest.mark.parametrize("how", ["time", "shutdown"])
@logs("verification left for another day")
def test_what_does_not_fit_is_left_for_another_day(bench: Bench, how: str) -> None:
    damaged(bench, "packs")
    made = rounds(bench, limit_s=0 if how == "time" else 300)
    if how == "shutdown":
        made.shutdown.set()
    assert made.walk([USER, OTHER]) == 0
    assert frozen(bench) == ""


def test_a_daily_tick_verifies_whom_the_planner_names(bench: Bench) -> None:
    damaged(bench, "packs")
    plane = FakeControlPlane(FakeClock())
    plane.pages = [TickResponse(planned=1, next_page="b", verify=(USER,)), TickResponse(planned=2)]
    ticks = Ticks(plane, rounds(bench))
    done = ticks.plan(TickEvent(kind="daily"), datetime(2026, 11, 27, 3, tzinfo=UTC), "t")
    assert (done.planned, done.detail) == (3, "daily tick, 1 of 1 histories verified")
    assert frozen(bench)


def test_a_process_without_rounds_only_plans(bench: Bench) -> None:
    damaged(bench, "packs")
    plane = FakeControlPlane(FakeClock())
    plane.pages = [TickResponse(planned=1, verify=(USER,))]
    done = replace(Ticks(plane), rounds=None).plan(TickEvent(kind="daily"), datetime(2026, 11, 27, tzinfo=UTC), "t")
    assert done.planned == 1
    assert frozen(bench) == ""


@pytest.mark.parametrize("kind", ["hourly", "daily", "sweep"])
def test_ticks_bring_the_second_sweep_once_it_is_due(bench: Bench, kind: TickKind, lines: Lines) -> None:
    store = bench.store()
    with exclusive(bench).hold(USER, "purge") as hold:
        note = late_writers.remember(store.of(USER), "purge", hold, seq=1)
    answer = paths.answer(USER, "e" * 64)
    bench.blobs.write(answer, b"by a run that was paused", if_generation=None)
    bench.blobs.write(paths.late(OTHER), b"no note", if_generation=None)
    ticks = Ticks(FakeControlPlane(bench.clock), rounds(bench))
    tick, at = TickEvent(kind=kind), datetime(2026, 11, 27, 3, tzinfo=UTC)
    ticks.plan(tick, at, "t")
    assert bench.blobs.peek(answer), "not yet: its writer may still be alive"
    bench.clock.advance((note.due - bench.clock.now()).total_seconds())
    with exclusive(bench).hold(USER, "a job"):
        ticks.plan(tick, at, "t")
        assert bench.blobs.peek(answer), "a job runs: the next tick meets it"
    ticks.plan(tick, at, "t")
    swept = kind != "sweep"
    assert (bench.blobs.peek(answer) is None, bench.blobs.peek(paths.late(USER)) is None) == (swept, swept)
    assert bench.blobs.peek(paths.late(OTHER)), "an unreadable note stays until somebody looks"
    logged = {text for text, _ in lines.seen}
    wanted = {"late writers not swept", "late writers swept", "note of late writers unreadable"}
    assert logged & wanted == (wanted if swept else set())


@logs("second sweeps left for the next tick")
def test_second_sweeps_that_do_not_fit_are_left_for_the_next_tick(bench: Bench) -> None:
    store = bench.store()
    with exclusive(bench).hold(USER, "purge") as hold:
        note = late_writers.remember(store.of(USER), "purge", hold, seq=1)
    bench.clock.advance((note.due - bench.clock.now()).total_seconds())
    assert rounds(bench, limit_s=0).sweep_late() == 0
    assert rounds(bench).sweep_late() == 1


@logs("second sweeps not looked for")
def test_a_bucket_that_is_away_does_not_fail_the_tick(bench: Bench) -> None:
    def away(op: Op) -> None:
        raise BlobUnavailable(f"{op.verb} {op.name}")

    made = Rounds(exclusive(bench, away), bench.clock, 300, threading.Event())
    assert made.sweep_late() == 0
