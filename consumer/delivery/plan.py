"""Job type -> stages, time budget and place of a run. From manifests/pipelines.yaml, already loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from contract.event import JobType, StageName

Dispatch = Literal["inline", "cloud-run-job"]
#: The setting: follow the manifest, or force one dispatch for all job types.
DispatchSetting = Literal["inline", "cloud-run-job", "by-manifest"]
#: The eight stages in their order; a pipeline is a subsequence of it.
ORDER: Final[tuple[StageName, ...]] = get_args(StageName)


class PlanError(ValueError):
    """The manifest is inconsistent; the process refuses to start."""


@dataclass(frozen=True, slots=True)
class Plan:
    job_type: JobType
    stages: tuple[StageName, ...]
    budget_s: float
    dispatch: Dispatch


def plans(pipelines: Mapping[str, Any], *, setting: DispatchSetting, push_limit_s: float) -> dict[JobType, Plan]:
    """All job types' plans.

    Raises PlanError: a job type is missing, a stage unknown or out of order, or an inline budget does not fit a push.
    """
    return {job_type: _plan(job_type, pipelines.get(job_type), setting, push_limit_s) for job_type in get_args(JobType)}


def stage_number(stage: StageName) -> int:
    """1 for hydrate, 8 for complete: the same in every pipeline, so that files of two runs can be compared."""
    return ORDER.index(stage) + 1


def _plan(job_type: JobType, entry: Any, setting: DispatchSetting, push_limit_s: float) -> Plan:
    if not entry:
        raise PlanError(f"manifests/pipelines.yaml has no pipeline for {job_type}")
    stages = tuple(entry["stages"])
    if stages != tuple(stage for stage in ORDER if stage in stages):
        raise PlanError(f"{job_type}: stages {list(stages)} must be known and in the order {list(ORDER)}")
    if stages[-2:] != ("persist", "complete") or stages[0] != "hydrate":
        raise PlanError(
            f"{job_type}: a pipeline starts with hydrate and ends with persist, complete; got {list(stages)}"
        )
    dispatch: Dispatch = entry["dispatch"] if setting == "by-manifest" else setting
    budget_s = float(entry["budget_s"])
    if setting == "by-manifest" and dispatch == "inline" and budget_s > push_limit_s:
        raise PlanError(
            f"{job_type}: an inline budget of {budget_s:.0f} s exceeds the push limit of {push_limit_s:.0f} s; "
            "set dispatch to cloud-run-job"
        )
    return Plan(job_type, stages, budget_s, dispatch)
