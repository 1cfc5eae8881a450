"""What an export did not bring stands in the log, by source and number, whatever else becomes of the run."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from consumer.delivery.pipeline import Hooks, Pipeline
from consumer.delivery.plan import Plan
from consumer.delivery.settlement import completion_of
from consumer.ports import Guard
from consumer.run import Exported, Run, Short
from consumer.storage.memory import FakeClock
from contract.event import StageName
from service import telemetry
from tests.fake_export import FakeExport, OpenGuard, run_of


class Exports:
    name: ClassVar[str] = "export"

    def run(self, run: Run, guard: Guard) -> Run:
        short = (Short("contacts", 300, 100),)
        return replace(run, exported=Exported(0, 0, {"contacts": 0}, {}, refused={"chats": 2}, short=short))


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, dict[str, Any]]]:
    lines: list[tuple[str, int, dict[str, Any]]] = []

    def log(message: str, *, level: int = logging.INFO, **fields: Any) -> None:
        lines.append((message, level, fields))

    monkeypatch.setattr(telemetry, "log", log)
    return lines


def test_refused_and_missing_records_are_logged_and_in_the_completion(
    tmp_path: Path, logged: list[tuple[str, int, dict[str, Any]]]
) -> None:
    nothing: Callable[..., None] = lambda *_: None  # noqa: E731 (four hooks that do nothing)
    stages: tuple[StageName, ...] = ("export", "complete")
    run = run_of(tmp_path, FakeExport())
    plan = Plan(job_type="hourly_digest", stages=stages, budget_s=60, dispatch="inline")
    done = Pipeline({"export": Exports()}, FakeClock()).run(
        run, plan, OpenGuard(), Hooks(nothing, nothing, nothing, nothing)
    )
    job = {"job_id": run.job.job_id}
    assert logged == [
        ("export_refused", logging.WARNING, {**job, "source": "chats", "records": 2}),
        ("export_short", logging.WARNING, {**job, "source": "contacts", "expected": 300, "exported": 100}),
    ]
    counts = completion_of(done).output_counts
    assert (counts["records_refused"], counts["records_missing"]) == (2, 200)
