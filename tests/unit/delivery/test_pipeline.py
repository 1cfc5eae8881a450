"""In which order a run's stages, its guard and what watches it have their turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from consumer.delivery.pipeline import Hooks, Pipeline, is_idle
from consumer.delivery.plan import Plan
from consumer.errors import CancelRequested, UnexpectedFailure
from consumer.ports import DreamPhase, Dreamt, Guard
from consumer.run import Exported, Run
from consumer.storage.memory import FakeClock
from contract.event import StageName
from tests.fake_export import FakeExport, OpenGuard, run_of
from tests.tables import table

STAGES: tuple[StageName, ...] = ("hydrate", "render", "persist", "complete")


@dataclass
class WatchedStage:
    """A stage that tells of itself; the last one commits."""

    name: StageName
    seen: Callable[[str], None]
    commits: bool = True

    def run(self, run: Run, guard: Guard) -> Run:
        self.seen(f"{self.name} runs")
        return replace(run, commit=cast(Any, "commit")) if self.name == "persist" and self.commits else run


class WatchedGuard(OpenGuard):
    """A guard that tells of its checks, and refuses the one with this number."""

    def __init__(self, seen: list[str], refused: int = 0) -> None:
        self.seen, self.refused = seen, refused

    def check(self) -> None:
        self.seen.append("check")
        if self.seen.count("check") == self.refused:
            raise CancelRequested("cancelled")


def run_all(
    path: Path, seen: list[str], after: StageName | None = None, *, refused: int = 0, commits: bool = True
) -> Run:
    def tells(words: str) -> Callable[..., None]:
        return lambda *given: seen.append(f"{given[0]} {words}" if isinstance(given[0], str) else words)

    stages: dict[StageName, Any] = {name: WatchedStage(name, seen.append, commits) for name in STAGES}
    plan = Plan(job_type="hourly_digest", stages=STAGES, budget_s=60, dispatch="inline")
    hooks = Hooks(tells("begins"), tells("is over"), tells("is kept"), tells("swap"))
    return Pipeline(stages, FakeClock()).run(
        run_of(path, FakeExport()), plan, WatchedGuard(seen, refused), hooks, after
    )


ALL = [
    *("check", "hydrate begins", "hydrate runs", "hydrate is over", "hydrate is kept"),
    *("check", "render begins", "render runs", "render is over", "render is kept"),
    # The completion is prepared right before HEAD may move, so that whoever comes next can end the job.
    *("check", "persist begins", "swap", "persist runs", "persist is over", "persist is kept"),
]


@table(
    "after, events",
    [(None, ALL), ("hydrate", ALL[5:]), ("render", ALL[10:]), ("persist", [])],
)
def test_stages_run_in_order_and_only_those_that_a_checkpoint_lacks(
    tmp_path: Path, after: StageName | None, events: list[str]
) -> None:
    seen: list[str] = []
    run_all(tmp_path / str(after), seen, after)
    assert seen == events


def test_no_stage_begins_once_the_guard_refuses(tmp_path: Path) -> None:
    seen: list[str] = []
    with pytest.raises(CancelRequested):
        run_all(tmp_path, seen, refused=2)
    assert seen == ALL[:6]


def test_a_persist_without_a_commit_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(UnexpectedFailure, match="without a commit"):
        run_all(tmp_path, [], commits=False)


NOTHING = Exported(0, 0, {}, {})
AN_HOUR = datetime(2026, 11, 27, 9, tzinfo=UTC)


@table(
    "job_type, of_job, of_run, idle",
    [
        ("hourly_digest", {}, {"exported": NOTHING}, True),
        ("hourly_digest", {}, {}, False),
        # Each of these alone is something to do.
        ("hourly_digest", {}, {"exported": replace(NOTHING, records=1)}, False),
        ("hourly_digest", {}, {"exported": replace(NOTHING, deleted=1)}, False),
        ("hourly_digest", {}, {"exported": NOTHING, "corrected": True}, False),
        ("hourly_digest", {}, {"exported": NOTHING, "woken_at": AN_HOUR}, False),
        ("hourly_digest", {"force_render": True}, {"exported": NOTHING}, False),
        ("backfill_digest", {}, {"exported": NOTHING}, False),
        ("dream", {}, {"dreamt": Dreamt()}, True), ("dream", {}, {}, False),
        ("dream", {}, {"dreamt": Dreamt((DreamPhase("lint", "done"),))}, False),
    ],
)  # fmt: skip
def test_a_run_without_anything_to_do_ends_early(
    tmp_path: Path, job_type: str, of_job: dict[str, Any], of_run: dict[str, Any], idle: bool
) -> None:
    assert is_idle(replace(run_of(tmp_path, FakeExport(), job_type, **of_job), **of_run)) is idle
