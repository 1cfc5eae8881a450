"""When a run is kept half-way, and what a replay may use of it."""

from __future__ import annotations

import pytest

from consumer.delivery import checkpoint as core
from consumer.delivery.checkpoint import CheckpointRef
from consumer.delivery.plan import Dispatch, Plan
from contract.event import StageName

STAGES: tuple[StageName, ...] = ("hydrate", "export", "render", "index", "synthesize", "report", "persist", "complete")


def plan(dispatch: Dispatch) -> Plan:
    return Plan("backfill_digest", STAGES, 600, dispatch)


def ref(stage: StageName) -> CheckpointRef:
    return CheckpointRef(stage=stage, base=None, digest="0" * 64, key_id="k", signature="0" * 128)


@pytest.mark.parametrize(
    ("stage", "dispatch", "worked_s", "due"),
    [
        ("index", "inline", 19.9, False),
        ("index", "inline", 20.0, True),
        ("index", "cloud-run-job", 0.1, True),
        ("synthesize", "cloud-run-job", 0.1, False),
        ("synthesize", "inline", 20.0, True),
        ("export", "cloud-run-job", 999.0, False),
        ("report", "inline", 999.0, False),
    ],
)
def test_a_run_is_kept_where_it_took_long(stage: StageName, dispatch: Dispatch, worked_s: float, *, due: bool) -> None:
    assert core.is_due(stage, plan(dispatch), worked_s, 20.0) is due


def test_a_stage_that_is_not_in_the_plan_is_no_place_to_stop() -> None:
    short = Plan("inventory", ("hydrate", "export", "report", "persist", "complete"), 300, "cloud-run-job")
    assert not core.is_due("index", short, 999.0, 20.0)


@pytest.mark.parametrize(
    ("from_stage", "used"),
    [
        (None, []),
        ("export", []),
        ("index", []),
        ("synthesize", ["index"]),
        ("report", ["index", "synthesize"]),
        ("persist", ["index", "synthesize"]),
    ],
)
def test_a_replay_uses_only_what_was_kept_before_its_stage(from_stage: StageName | None, used: list[str]) -> None:
    kept = (ref("index"), ref("synthesize"))
    assert [checkpoint.stage for checkpoint in core.for_replay(kept, from_stage)] == used
