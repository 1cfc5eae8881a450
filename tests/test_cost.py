"""What a user costs: the arithmetic of ``make cost``. Its counters are measured, so they are not repeated here."""

from __future__ import annotations

from dataclasses import asdict, astuple, replace
from typing import Any

import pytest

from bench.cost import Counters, kept, of_job, of_month, prices

NOTHING = Counters(0, 0, 0, 0, 0.0, 0.0, 0, 0, 0)


def known() -> dict[str, Any]:
    """Round prices, of the model that has a price of its own."""
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
        "run": {"cpus": 2, "gib": 4, "model_call_s": 8, "messages_per_job": 2, "model": "gpt-5.4"},
    }


def test_a_job_costs_its_instance_for_as_long_as_it_waits_too() -> None:
    job = replace(NOTHING, wall_s=10.0, model_calls=2)
    assert of_job(job, known()).run == pytest.approx((10 + 2 * 8) * (2 * 0.5 + 4 * 0.25))


def test_requests_cost_by_class() -> None:
    assert of_job(replace(NOTHING, class_a=3, class_b=4), known()).bucket == pytest.approx(3 * 5 + 4)


def test_a_prompt_cache_saves_no_more_than_what_was_sent_before() -> None:
    job = of_job(replace(NOTHING, model_calls=1, tokens_in=1_000_000), known())
    assert job.cached == job.model == pytest.approx(2.5)
    four = of_job(replace(NOTHING, model_calls=4, tokens_in=1_000_000, tokens_out=1_000_000), known())
    assert four.model == pytest.approx(2.5 + 15)
    assert four.cached == pytest.approx(0.25 * 2.5 + 0.75 * 0.25 + 15)


def test_a_month_is_what_is_stored_and_its_jobs() -> None:
    measured = {"stored_bytes": 10**9, "jobs": {"insight": asdict(replace(NOTHING, class_a=1))}}
    assert astuple(of_month({}, measured, known())) == (0, 2.0, 0, 0)
    assert of_month({"insight": 3}, measured, known()).bucket == pytest.approx(2.0 + 3 * 5)


def test_every_job_of_every_user_was_measured() -> None:
    for name, jobs in prices()["users"].items():
        assert set(jobs) <= set(kept()["jobs"]), name
