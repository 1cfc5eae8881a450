"""Every job has a trace from its insert on: the app's, or one that the database makes."""

from __future__ import annotations

import re

from tests.fixtures_controlplane import World


def test_a_job_without_a_trace_gets_one_of_its_own(world: World) -> None:
    user = world.user()
    traces = [world.row(world.job(user))["traceparent"] for _ in range(2)]
    for trace in traces:
        assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-01", trace)
        assert "0" * 16 not in trace
    assert traces[0][3:35] != traces[1][3:35]


def test_the_apps_own_trace_is_kept(world: World) -> None:
    mine = f"00-{'a' * 32}-{'b' * 16}-00"
    query = "insert into memory_jobs (user_id, job_type, traceparent) values (%s, 'insight', %s) returning traceparent"
    assert world.sql(query, world.user(), mine) == [{"traceparent": mine}]


def test_a_replay_stays_in_the_jobs_trace(world: World) -> None:
    job = world.job(world.user())
    before = world.row(job)["traceparent"]
    world.complete(job, world.token(job), outcome="failed", error={"code": "tool_failed", "stage": "index", "hint": ""})
    body = {"replay_id": "99999999-0000-4000-8000-000000000001", "reason": "mended"}
    assert world.operate("POST", f"/memory-jobs/{job}/replay", body).status_code == 200
    assert world.row(job)["traceparent"] == before
