"""A night with GBrain's double: the daily tick plans the dream, it runs, and its pages and its account are committed.

A stack of its own, since the others have the local brain, which does not dream.
"""

from __future__ import annotations

import json
import os
import sys
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import psycopg
import pytest

import manifests
from consumer import bootstrap, layout, settings
from consumer.agent.gbrain.brain import UPKEEP, WRITING
from contract.api import EnableUserRequest
from contract.event import TickEvent, planned_job_id
from controlplane.planning import share
from local import cloud, seed
from local.jobs import AppJobs
from local.stack import ROOT, Stack
from tests.e2e import rows
from tests.e2e.conftest import JOB_S, System
from tests.waiting import until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

DOUBLE = Path(__file__).parents[1] / "doubles" / "gbrain.py"
#: A user whose dreams start in the first of the night's three hours.
EARLY = next(user for n in range(99) if share(user := str(uuid.uuid5(uuid.NAMESPACE_URL, f"dreamer {n}"))) < 1 / 3)


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


def test_a_tick_at_night_plans_a_dream_that_commits_its_pages_and_its_account(dreamer: System, tools: Path) -> None:
    stack, jobs = dreamer.stack, dreamer.jobs
    rows.add_user(stack.dsn, EARLY)
    rows.thicken(stack.dsn, EARLY)
    dreamer.operations.api.enable_user(EnableUserRequest(user_id=EARLY))
    # With the day's insight done, the tick plans nothing else that the dream would make way for.
    for job_type in ("backfill_digest", "insight"):
        row = jobs.wait(jobs.insert(EARLY, job_type), timeout_s=JOB_S)
        assert row["status"] == "completed", row["error_summary"]
    before = set(dreamer.history(EARLY).tree().entries)
    cited = next(path for path in sorted(before) if path.startswith("brain/sources/") and path.endswith(".md"))
    slug = cited.removeprefix("brain/").removesuffix(".md")
    writes(tools, {"enrich_thin": {"people/sam": f"# Sam\n\nRuns errands. [Source: {slug}]"}})

    zone = zone_where_it_is(manifests.limits()["dream_hours"][0] + 1)
    with psycopg.connect(stack.dsn) as connection:
        connection.execute("update public.user_profiles set timezone = %s where user_id = %s", (zone.key, EARLY))
    night = f"{datetime.now(zone):%Y-%m-%d}"
    cloud.publish(stack.pubsub_host, cloud.TICKS, TickEvent(kind="daily").encode(), {})
    job_id = planned_job_id(EARLY, "dream", night)
    until(lambda: planned(stack.dsn, job_id), "the plan of a dream")
    row = jobs.wait(job_id, timeout_s=JOB_S)

    assert (row["job_type"], row["period"], row["triggered_by"]) == ("dream", night, "schedule")
    assert (row["status"], row["outcome"]) == ("completed", "completed"), row["error_summary"]
    assert dreamer.commits_of(EARLY, job_id) == [row["commit_seq"]]
    page = "brain/dreams/people/sam.md"
    assert {path for path in dreamer.history(EARLY).tree().entries if path.startswith("brain/")} - before >= {page}
    text = dreamer.history(EARLY).read(page).decode()
    assert "Runs errands." in text
    assert slug in text
    account = json.loads(dreamer.history(EARLY).read(layout.job_run(job_id)))["dream"]
    assert account["pages"] == [page.removeprefix("brain/")]
    assert [phase["name"] for phase in account["phases"]] == [phase.split()[0] for phase in (*WRITING, *UPKEEP)]
    assert "failed" not in {phase["outcome"] for phase in account["phases"]}


def writes(tools: Path, dreams: dict[str, dict[str, str]]) -> None:
    """Have the double write these pages in its next night: phase -> slug -> text."""
    (tools / "faults.json").write_text(json.dumps({"log": "/dev/null", "dreams": dreams}))


def zone_where_it_is(hour: int) -> ZoneInfo:
    """A time zone of whole hours in which this hour has begun."""
    ahead = (hour - datetime.now(UTC).hour + 12) % 24 - 12
    # The names have the sign of POSIX: what is ahead of UTC is minus.
    return ZoneInfo(f"Etc/GMT{-ahead:+d}")


def planned(dsn: str, job_id: str) -> bool:
    with psycopg.connect(dsn) as connection:
        return connection.execute("select from public.memory_jobs where id = %s", (job_id,)).fetchone() is not None
