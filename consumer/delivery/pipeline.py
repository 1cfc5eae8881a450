"""Run a plan's stages in order. Between two stages: guard, result file, mark, heartbeat.

The eighth stage, ``complete``, has no stage object: it is the settlement (consumer.delivery.settlement), which starts
when the workspace is closed. A resumed settlement runs no stage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from consumer import layout
from consumer.delivery import disk
from consumer.delivery.plan import Plan, stage_number
from consumer.errors import UnexpectedFailure
from consumer.ports import Clock, Guard
from consumer.run import Run, Stage
from contract import canonical
from contract.event import StageName
from service import telemetry


@dataclass(frozen=True, slots=True)
class Hooks:
    """Callbacks to the attempt. ``entering`` may raise (cancel, stale attempt); ``reached`` follows the write of a
    stage's result; ``before_swap`` comes right before persist, with all fields of the completion.
    """

    entering: Callable[[StageName, Run], None]
    finished: Callable[[StageName, float], None]
    reached: Callable[[StageName, Run], None]
    before_swap: Callable[[Run], None]


@dataclass(frozen=True, slots=True)
class Pipeline:
    stages: Mapping[StageName, Stage]
    clock: Clock

    def run(self, run: Run, plan: Plan, guard: Guard, hooks: Hooks, after: StageName | None = None) -> Run:
        """Run until persist, or until export finds nothing to do, or a dream had no effect. ``after``: the last stage
        that ``run`` has finished already. Raises whatever a stage or the guard raises.
        """
        finished = plan.stages.index(after) + 1 if after else 0
        for name in plan.stages[finished:-1]:
            guard.check()
            hooks.entering(name, run)
            if name == "persist":
                hooks.before_swap(run)
            run = self._stage(name, run, guard, hooks)
            hooks.reached(name, run)
            if name in ("export", "synthesize") and is_idle(run):
                return run
        return run

    def _stage(self, name: StageName, run: Run, guard: Guard, hooks: Hooks) -> Run:
        started = self.clock.monotonic()
        with telemetry.span(f"stage {name}", job_id=run.job.job_id, attempt=run.attempt), disk.named(run.root):
            after = self.stages[name].run(run, guard)
        seconds = self.clock.monotonic() - started
        telemetry.observe("stage_duration", seconds, "s", stage=name, job_type=run.job.job_type)
        if name == "report":
            _count_citations(after)
        if name == "export":
            _log_left_out(after)
        hooks.finished(name, seconds)
        after = replace(after, timings={**run.timings, name: round(seconds, 3)})
        if name != "persist":
            _write_result(name, after, seconds)
        elif after.commit is None:
            raise UnexpectedFailure(f"job {run.job.job_id}: persist ended without a commit")
        return after


def _count_citations(run: Run) -> None:
    if run.reported:
        resolved = run.reported.citations_resolved
        telemetry.count("citations", resolved, result="resolved", job_type=run.job.job_type)
        refused = run.reported.citations_total - resolved
        telemetry.count("citations", refused, result="refused", job_type=run.job.job_type)


def _log_left_out(run: Run) -> None:
    """Log the records that sources have but the export lacks, since a run may end without a report."""
    if run.exported is None:
        return
    job_id = run.job.job_id
    for source, count in sorted(run.exported.refused.items()):
        telemetry.log("export_refused", job_id=job_id, source=source, records=count, level=telemetry.WARNING)
    for short in run.exported.short:
        telemetry.log(
            "export_short",
            job_id=job_id,
            source=short.source_key,
            expected=short.expected,
            exported=short.exported,
            level=telemetry.WARNING,
        )


def is_idle(run: Run) -> bool:
    """Whether the run commits nothing: an hourly digest without new records or corrections, in an hour in which nothing
    falls due, which then starts no tool; a dream of a brain that does not dream.
    """
    if run.job.job_type == "dream":
        return run.dreamt is not None and not run.dreamt.phases
    exported = run.exported
    if run.job.job_type != "hourly_digest" or run.job.force_render or run.woken_at or exported is None:
        return False
    return not (exported.records or exported.deleted or run.corrected)


def _write_result(name: StageName, run: Run, seconds: float) -> None:
    result: dict[str, Any] = {
        "schema": "memory.stage.v1",
        "job_id": run.job.job_id,
        "attempt": run.attempt,
        "stage": name,
        "seconds": round(seconds, 3),
        "counts": run.counts,
    }
    path = run.root / layout.job_stage(run.job.job_id, stage_number(name), name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(canonical.dumps(result) + b"\n")
