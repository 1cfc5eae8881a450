"""One delivery through the whole spine, with the smallest stages that keep their promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from consumer import paths
from consumer.delivery import outcome as out
from tests.spine import USER, WAKE_AT, FakeStage, World, a_delivery, an_event, job_id


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_a_job_runs_once_and_its_second_delivery_writes_nothing(world: World) -> None:
    event = an_event()
    row = world.plane.add(event)

    outcome = world.handler().job(a_delivery(event))

    assert outcome == out.Done(job_id(1), result="completed")
    assert world.heads.chain(USER) == [job_id(1)]
    assert (row.status, row.completions) == ("completed", 1)
    assert row.completion is not None
    assert row.completion.report_uri == (
        f"gs://memory/users/{USER}/published/000000000001/brain/reports/digest/2026-11-27T01__{job_id(1)}.md"
    )
    assert world.ledger()["state"] == "DONE"
    assert world.ledger()["delivered"] is True
    assert world.lock()["state"] == "free"

    before = world.blobs.contents()
    again = world.handler().job(a_delivery(event, "2"))
    assert isinstance(again, out.Duplicate)
    assert world.blobs.contents() == before
    assert row.completions == 1


def test_an_idle_digest_commits_nothing_and_leaves_a_note(world: World) -> None:
    world.records = 0
    event = an_event()
    row = world.plane.add(event)

    outcome = world.handler().job(a_delivery(event))

    assert outcome == out.Done(job_id(1), result="no_change")
    assert row.status == "completed"
    assert world.heads.chain(USER) == []
    note = world.blobs.peek(paths.published(USER, 0, f"runtime/job-runs/{job_id(1)}.json"))
    assert note is not None
    assert b"Nothing new" in note.data


def test_a_digest_with_nothing_to_tell_commits_and_completes_without_a_report(world: World) -> None:
    world.tells = False
    event = an_event()
    row = world.plane.add(event)
    assert world.handler().job(a_delivery(event)) == out.Done(job_id(1), result="completed")
    assert world.heads.chain(USER) == [job_id(1)]
    assert row.completion is not None
    assert (row.completion.report_uri, row.completion.artifacts) == (None, ())
    assert row.completion.wake_at == WAKE_AT
    assert world.blobs.names(f"users/{USER}/published/") == [
        paths.published(USER, 1, f"runtime/job-runs/{job_id(1)}.json")
    ]


def test_before_its_commit_a_job_notes_what_it_will_have_completed(world: World) -> None:
    """So that it can be completed after a death right behind the commit."""
    seen: list[dict[str, Any]] = []
    world.plane.add(an_event())
    looks = FakeStage("persist", lambda _run, _guard: seen.append(world.ledger()))
    world.handler(stages={"persist": looks}).job(a_delivery(an_event()))
    assert seen[0]["state"] == "RUNNING"
    assert seen[0]["outcome_body"]["outcome"] == "completed"
    assert any(path.endswith(".md") for path in seen[0]["published"])


def test_an_idle_digest_costs_few_requests(world: World) -> None:
    """Bars: no-change hourly run, warm instance, at most 12 requests to the bucket."""
    event, idle = an_event(1), an_event(2)
    world.plane.add(event)
    world.plane.add(idle)
    world.handler().job(a_delivery(event))
    world.records = 0
    before = len(world.blobs.ops)

    outcome = world.handler().job(a_delivery(idle, "2"))

    assert outcome == out.Done(job_id(2), result="no_change")
    assert len(world.blobs.ops) - before <= 12, [f"{op.verb} {op.name}" for op in world.blobs.ops[before:]]
