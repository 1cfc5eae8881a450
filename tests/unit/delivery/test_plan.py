from __future__ import annotations

from typing import Any

import pytest

import manifests
from consumer.delivery.plan import ORDER, PlanError, plans, stage_number
from tests.tables import table


def test_the_shipped_pipelines_make_plans() -> None:
    made = plans(manifests.pipelines(), setting="by-manifest", push_limit_s=580)
    assert made["backfill_digest"].dispatch == "cloud-run-job"
    assert made["backfill_digest"].stages == ORDER
    assert made["hourly_digest"].dispatch == "inline"
    assert "synthesize" not in made["inventory"].stages


@pytest.mark.parametrize("setting", ["inline", "cloud-run-job"])
def test_the_setting_can_force_one_way(setting: Any) -> None:
    made = plans(manifests.pipelines(), setting=setting, push_limit_s=580)
    assert {plan.dispatch for plan in made.values()} == {setting}


@table(
    ("entry", "reason"),
    [
        (None, "no pipeline for inventory"),
        ({"stages": ["hydrate", "persist"], "budget_s": 1, "dispatch": "inline"}, "ends with persist, complete"),
        ({"stages": ["export", "persist", "complete"], "budget_s": 1, "dispatch": "inline"}, "starts with hydrate"),
        (
            {"stages": ["hydrate", "report", "export", "persist", "complete"], "budget_s": 1, "dispatch": "inline"},
            "order",
        ),
        ({"stages": ["hydrate", "dream", "persist", "complete"], "budget_s": 1, "dispatch": "inline"}, "known"),
        ({"stages": list(ORDER), "budget_s": 600, "dispatch": "inline"}, "exceeds the push limit"),
    ],
)
def test_a_pipeline_that_cannot_work_is_refused_at_start(entry: Any, reason: str) -> None:
    with pytest.raises(PlanError, match=reason):
        plans({**manifests.pipelines(), "inventory": entry}, setting="by-manifest", push_limit_s=580)


def test_stages_have_one_number_in_every_pipeline() -> None:
    assert [stage_number(stage) for stage in ORDER] == list(range(1, 9))
