"""When a run is worth keeping half-way, and which of what was kept may be used. docs/delivery.md, "Checkpoints"."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from consumer.delivery.plan import Plan, stage_number
from contract.event import StageName

#: Stages after which nothing but the folder and the run's own fields is needed, and no tool holds a file.
AFTER: Final[tuple[StageName, ...]] = ("index", "synthesize")


class CheckpointRef(BaseModel):
    """How the ledger names one. ``base``: HEAD's commit that the run was hydrated from, None before the first.

    ``digest`` is that of the checkpoint object, ``signature`` (hexadecimal) is over its bytes, by key ``key_id``.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    stage: StageName
    base: str | None
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    key_id: str
    signature: Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")]


def is_due(stage: StageName, plan: Plan, worked_s: float, after_s: float) -> bool:
    """Whether to keep what stands after ``stage``. ``worked_s``: since the run's start or its last checkpoint."""
    if stage not in AFTER or stage not in plan.stages:
        return False
    dispatched = plan.dispatch == "cloud-run-job" and stage == AFTER[0]
    return dispatched or worked_s >= after_s


def for_replay(kept: tuple[CheckpointRef, ...], from_stage: StageName | None) -> tuple[CheckpointRef, ...]:
    """What a replay may use: what was kept before the stage that it shall start at; without one, nothing."""
    if from_stage is None:
        return ()
    return tuple(ref for ref in kept if stage_number(ref.stage) < stage_number(from_stage))
