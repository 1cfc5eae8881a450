"""What a user costs: the arithmetic of ``make cost``. Its counters are measured, so they are not repeated here.

The bars of the price are: the measured jobs must stay within them.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest

import manifests
from bench import cost
from bench.cost import Counters, ModelUse, kept, model_use, of_job, of_month, prices
from consumer.reports import asking
from consumer.understanding import askform

NOTHING = Counters()
LARGE = manifests.model_prices()["gpt-5.4"]


def known() -> dict[str, Any]:
    """Round prices, and no model but the agent's."""
    return {
        "prices": {
            "cpu_second": 0.5,
            "gib_second": 0.25,
            "request_million": 0.0,
            "storage_gb_month": 2.0,
            "class_a_million": 5_000_000.0,
            "class_b_million": 1_000_000.0,
            "pubsub_tib": 0.0,
        },
        "run": {"cpus": 2, "gib": 4, "model_call_s": 8, "messages_per_job": 2},
        "assumed": {
            "reader_tokens_in_a_token": 1.0,
            "reader_tokens_out_a_token": 0.5,
            "embedded_tokens_a_token": 1.0,
            "judge_tokens_a_claim": 20,
            "ask_sentences": 3,
            "ask_tokens_a_sentence": 100,
            "ask_s": 1,
            "dream_s": 300,
        },
    }


def use(kind: str, counters: Counters) -> dict[str, ModelUse]:
    return {used.purpose: used for used in model_use(kind, counters, known())}


def test_a_job_costs_its_instance_for_as_long_as_it_waits_too() -> None:
    job = replace(NOTHING, wall_s=10.0, agent=((0, 0), (0, 0)))
    assert of_job("insight", job, known()).run == pytest.approx((10 + 2 * 8) * (2 * 0.5 + 4 * 0.25))


def test_requests_cost_by_class() -> None:
    assert of_job("insight", replace(NOTHING, class_a=3, class_b=4), known()).bucket == pytest.approx(3 * 5 + 4)


def test_a_prompt_cache_saves_what_the_request_before_sent_if_that_was_long_enough() -> None:
    alone = of_job("insight", replace(NOTHING, agent=((1_000_000, 0),)), known())
    assert alone.models["agent"] == pytest.approx((2.5, 2.5))
    several = replace(NOTHING, agent=((1_000, 1), (2_000, 1), (3_000, 1)))
    (agent,) = [used for used in model_use("insight", several, known()) if used.purpose == "agent"]
    assert (agent.given, agent.cached, agent.written) == (6_000, 2_000, 3)
    assert agent.usd(cache=False) == pytest.approx((6_000 * LARGE["input"] + 3 * LARGE["output"]) / 1e6)
    assert agent.usd(cache=True) == pytest.approx(
        (4_000 * LARGE["input"] + 2_000 * LARGE["cached"] + 3 * LARGE["output"]) / 1e6
    )


def test_an_hour_asks_the_small_model_and_the_others_the_large_one() -> None:
    asked = replace(NOTHING, agent=((10, 1),))
    models = {kind: use(kind, asked)["agent"].model for kind in ("hourly_digest", "insight", "backfill_digest")}
    assert models == {"hourly_digest": "gpt-5.4-mini", "insight": "gpt-5.4", "backfill_digest": "gpt-5.4"}
    assert use("hourly_digest without changes", NOTHING)["agent"].model == "gpt-5.4-mini"


def test_each_purpose_is_counted_and_the_reader_takes_no_more_than_its_share() -> None:
    job = replace(NOTHING, agent=((10, 1),), evidence_tokens=2_000, judged=(300, 40))
    used = use("hourly_digest", job)
    assert tuple(used) == ("agent", "reader", "judge", "embeddings")
    assert (used["reader"].given, used["reader"].written) == (2_000, 1_000)
    assert (used["judge"].given, used["judge"].written) == (300, 40)
    assert used["embeddings"].given == 2_000
    share = manifests.limits()["reader_tokens_per_job"]
    much = use("hourly_digest", replace(job, evidence_tokens=10 * share))["reader"]
    assert much.given + much.written == share
    assert sum(full for _, full in of_job("hourly_digest", job, known()).models.values()) == pytest.approx(
        sum(part.usd(cache=False) for part in used.values())
    )


def test_a_question_costs_its_passages_in_full_and_is_part_of_a_month() -> None:
    asked = cost.question(known())
    (shown,) = asked.agent
    assert shown[0] > asking.PASSAGES * askform.PASSAGE_CHARS / 4
    assert shown[1] == 3 * 100
    used = use(cost.ASK, asked)
    assert {purpose: part.given > 0 for purpose, part in used.items()} == {"ask": True, "judge": True}
    month = of_month({cost.ASK: 10}, {"stored_bytes": 0, "jobs": {}}, known())
    assert month.models["ask"] == pytest.approx([10 * used["ask"].usd(cache=False)] * 2)
    assert month.run == pytest.approx(10 * (1 + 8) * (2 * 0.5 + 4 * 0.25))


def test_a_month_is_what_is_stored_and_its_jobs() -> None:
    job = replace(NOTHING, class_a=1, agent=((1_000_000, 0),))
    measured = {"stored_bytes": 10**9, "jobs": {"insight": asdict(job)}}
    nothing = of_month({}, measured, known())
    assert (nothing.run, nothing.bucket, nothing.model, nothing.total) == (0, 2.0, 0, (2.0, 2.0))
    month = of_month({"insight": 3}, measured, known())
    assert month.bucket == pytest.approx(2.0 + 3 * 5)
    assert month.models["agent"] == pytest.approx((7.5, 7.5))
    assert month.total == pytest.approx((month.run + month.bucket + 7.5,) * 2)


def test_every_job_of_every_user_was_measured() -> None:
    for name, jobs in prices()["users"].items():
        # A dream that was not measured is counted at its budget.
        assert set(jobs) <= {*kept()["jobs"], cost.ASK, cost.DREAM}, name


def test_the_measured_jobs_stay_within_their_bars() -> None:
    jobs = {kind: Counters.read(values) for kind, values in kept()["jobs"].items()}
    hour = jobs["hourly_digest"]
    assert 0 < hour.tokens_in <= 25_000
    assert 0 < hour.tokens_out <= 1_500
    assert jobs["hourly_digest without changes"].agent == ()
    assert 0 < jobs["insight"].tokens_in <= 80_000
    assert 0 < jobs["backfill_digest"].tokens_in <= 150_000


def test_a_measured_month_stays_within_its_bar_without_any_cache() -> None:
    bars = {"idle": 0.01, "normal": 10.0, "heavy": 25.0}
    for name, jobs in prices()["users"].items():
        assert of_month(jobs, kept(), prices()).total[1] <= bars[name], name


def test_every_assumption_is_printed() -> None:
    """Each number that was not measured stands in the output."""
    printed = " ".join(cost.assumptions(kept()))
    for name, value in prices()["assumed"].items():
        assert str(value) in printed, name
    assert str(prices()["run"]["model_call_s"]) in printed
    for kind, values in kept()["jobs"].items():
        if values["agent"]:
            assert f"{kind} {len(values['agent'])}" in printed


def test_a_dream_that_was_not_measured_is_counted_at_its_whole_budget_and_a_measured_one_as_measured() -> None:
    rates, budget = known(), manifests.limits()["dream_cost"]
    at_most = of_month({"dream": 2}, {"stored_bytes": 0, "jobs": {}}, rates)
    assert at_most.models == {"dream": (pytest.approx(2 * budget), pytest.approx(2 * budget))}
    assert at_most.run == pytest.approx(2 * 300 * (2 * 0.5 + 4 * 0.25))
    measured = asdict(replace(NOTHING, wall_s=10.0, agent=((1000, 100),)))
    counted = of_month({"dream": 2}, {"stored_bytes": 0, "jobs": {"dream": measured}}, rates)
    small = manifests.model_prices()["gpt-5.4-mini"]
    expected = 2 * (1000 * small["input"] + 100 * small["output"]) / 1e6
    assert counted.models["dream"] == (pytest.approx(expected), pytest.approx(expected))
