"""When to save a checkpoint of a run, and which checkpoints a replay may use. docs/delivery.md, "Checkpoints"."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from consumer.delivery.plan import Plan, stage_number
from contract.event import StageName

#: Stages after which a run needs only its folder and its own fields, and no tool has a file open.
AFTER: Final[tuple[StageName, ...]] = ("index", "synthesize")


class CheckpointRef(BaseModel):
    """A checkpoint as the ledger names it. ``base``: the commit that the run hydrated from, None before the first.

    ``digest`` is the checkpoint object's; ``signature`` (hexadecimal) signs its bytes with key ``key_id``.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    stage: StageName
    base: str | None
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    key_id: str
    signature: Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")]


def is_due(stage: StageName, plan: Plan, worked_s: float, after_s: float) -> bool:
    """Whether to save a checkpoint after ``stage``. ``worked_s``: since the run's start or its last checkpoint."""
    if stage not in AFTER or stage not in plan.stages:
        return False
    dispatched = plan.dispatch == "cloud-run-job" and stage == AFTER[0]
    return dispatched or worked_s >= after_s


def for_replay(checkpoints: tuple[CheckpointRef, ...], from_stage: StageName | None) -> tuple[CheckpointRef, ...]:
    """The checkpoints that a replay may use: those before the stage it starts at; without ``from_stage`` none."""
    if from_stage is None:
        return ()
    return tuple(ref for ref in checkpoints if stage_number(ref.stage) < stage_number(from_stage))
