"""A night with GBrain's double: a job's end plans the dream, it runs, and its pages and its account are committed.

A stack of its own, since the others have the local brain, which does not dream.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from consumer import bootstrap, layout, settings
from consumer.agent.gbrain.brain import UPKEEP, WRITING
from contract.api import EnableUserRequest
from contract.event import planned_job_id
from local import seed
from local.jobs import AppJobs
from local.stack import ROOT, Stack
from tests.e2e import rows
from tests.e2e.conftest import JOB_S, System

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

DOUBLE = Path(__file__).parents[1] / "doubles" / "gbrain.py"
DREAMER = "11111111-1111-4111-8111-0000000000d1"


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with GBrain's double and Hermes: a sandbox shows the folder of the program that it runs, so that Hermes
    can start the double.
    """
    folder = tmp_path / "tools"
    folder.mkdir()
    hermes = os.environ.get("HERMES_BIN") or str(ROOT / ".tools" / "hermes" / "bin" / "hermes")
    # Only the double's server needs packages; without them the interpreter starts four times as fast.
    bare = '[ "$1" = serve ] || bare="-I -S"'
    scripts = {
        "gbrain": f'{bare}\nexec "{sys.executable}" $bare "{DOUBLE}" "{folder}/faults.json" "$@"',
        "hermes": f'exec "{hermes}" "$@"',
    }
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    writes(folder, {})
    return folder


@pytest.fixture
def dreamer(tmp_path: Path, tools: Path) -> Iterator[System]:
    extra = {"HERMES_BIN": str(tools / "hermes")}
    with Stack(tmp_path / "state", gbrain=str(tools / "gbrain"), extra_env=extra) as stack:
        with psycopg.connect(stack.dsn) as connection:
            users = seed.seed(connection, datetime.now(UTC).date())
        operations = bootstrap.operations(settings.load_operator(stack.operator_env()))
        yield System(stack, users, AppJobs(stack.dsn), operations)
        operations.close()


def test_the_end_of_a_job_plans_a_dream_that_commits_its_pages_and_its_account(dreamer: System, tools: Path) -> None:
    stack, jobs = dreamer.stack, dreamer.jobs
    rows.add_user(stack.dsn, DREAMER)
    rows.thicken(stack.dsn, DREAMER)
    dreamer.operations.api.enable_user(EnableUserRequest(user_id=DREAMER))
    row = jobs.wait(jobs.insert(DREAMER, "backfill_digest"), timeout_s=JOB_S)
    assert row["status"] == "completed", row["error_summary"]
    before = set(dreamer.history(DREAMER).tree().entries)
    cited = next(path for path in sorted(before) if path.startswith("brain/sources/") and path.endswith(".md"))
    slug = cited.removeprefix("brain/").removesuffix(".md")
    writes(tools, {"enrich_thin": {"people/sam": f"# Sam\n\nRuns errands. [Source: {slug}]"}})

    with psycopg.connect(stack.dsn) as connection:
        [(job_id, night)] = connection.execute(
            # The night has come.
            "update public.memory_jobs set retry_at = now() where job_type = 'dream' and user_id = %s"
            " and retry_at > now() returning id::text, period",
            (DREAMER,),
        ).fetchall()
    assert job_id == planned_job_id(DREAMER, "dream", night)
    row = jobs.wait(job_id, timeout_s=JOB_S)

    assert (row["job_type"], row["period"], row["triggered_by"]) == ("dream", night, "schedule")
    assert (row["status"], row["outcome"]) == ("completed", "completed"), row["error_summary"]
    assert dreamer.commits_of(DREAMER, job_id) == [row["commit_seq"]]
    page = "brain/dreams/people/sam.md"
    assert {path for path in dreamer.history(DREAMER).tree().entries if path.startswith("brain/")} - before >= {page}
    text = dreamer.history(DREAMER).read(page).decode()
    assert "Runs errands." in text
    assert slug in text
    account = json.loads(dreamer.history(DREAMER).read(layout.job_run(job_id)))["dream"]
    assert account["pages"] == [page.removeprefix("brain/")]
    assert [phase["name"] for phase in account["phases"]] == [phase.split()[0] for phase in (*WRITING, *UPKEEP)]
    assert "failed" not in {phase["outcome"] for phase in account["phases"]}


def writes(tools: Path, dreams: dict[str, dict[str, str]]) -> None:
    """Have the double write these pages in its next night: phase -> slug -> text."""
    (tools / "faults.json").write_text(json.dumps({"log": "/dev/null", "dreams": dreams}))
