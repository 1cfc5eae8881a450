"""Upgrade day: today's stack starts over the database and the bucket that release 470a19c left, in mid-work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from local.gcs.server import serve
from local.jobs import AppJobs
from local.postgres import Postgres
from local.stack import Stack
from tests import stored_database as stored
from tests.e2e import rows
from tests.e2e.conftest import CLI_S, JOB_S

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    state: Path = tmp_path_factory.mktemp("upgrade") / "state"
    state.mkdir()
    with Postgres(state / "postgres") as server:
        stored.install(server.dsn())
    with serve(state / "gcs") as url:
        stored.upload(url)
    stored.install_keys(state / "keys" / "signing")
    with Stack(state) as stack:
        yield stack
    assert [part.name for part in stack.parts.values() if part.alive()] == []


def cli(stack: Stack, *words: str, code: int = 0) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "consumer.cli.main", *words, "--json"],
        env={**os.environ, **stack.operator_env()},
        capture_output=True,
        text=True,
        timeout=CLI_S,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout) if done.stdout else None


def pages(stack: Stack, user: str, words: str) -> list[Any]:
    lines: list[Any] = cli(stack, "workspace", "search", *words.split(), "--user", user, "--reason", "upgrade day")
    return lines


def test_the_job_that_nobody_had_published_runs(upgraded: Stack) -> None:
    assert AppJobs(upgraded.dsn).wait(stored.UNSENT, timeout_s=JOB_S)["status"] == "completed"
    assert pages(upgraded, stored.C, "greenhouse budget")


def test_the_run_whose_worker_died_goes_on_when_its_lease_ends(upgraded: Stack) -> None:
    row = AppJobs(upgraded.dsn).wait(stored.RUNNING, timeout_s=JOB_S)
    assert (row["status"], row["commit_seq"]) == ("completed", 3)
    # The lock's lease may end a moment after the ledger's: then the second attempt parks, and the third has the lock.
    assert row["attempt"] in (2, 3)
    assert pages(upgraded, stored.A, "greenhouse door")
    checks = cli(upgraded, "workspace", "verify", "--user", stored.A)
    assert checks, "commits of then, signed by the key of then, and the new one"


def test_the_execution_that_was_launched_then_runs_its_job(upgraded: Stack) -> None:
    """Cloud Run starts it with the variables that were given then, from the image of now."""
    variables = {
        "JOB_ID": stored.LAUNCHED,
        "USER_ID": stored.D,
        "JOB_TYPE": "backfill_digest",
        "WORKSPACE_URI": f"gs://{stored.BUCKET}/users/{stored.D}/",
        "RUNTIME_PROFILE": "internal-full",
        "TEMPLATE_VERSION": "v1",
        "FENCE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "consumer.entrypoints.job"],
        env={**os.environ, **upgraded.consumer_env(), "RUN_ROOT": str(upgraded.state / "run-job"), **variables},
        capture_output=True,
        text=True,
        timeout=JOB_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    row = AppJobs(upgraded.dsn).row(stored.LAUNCHED)
    assert (row["status"], row["attempt"], row["commit_seq"]) == ("completed", 1, 1)


def test_the_dead_letter_is_listed_and_replayed(upgraded: Stack) -> None:
    [letter] = cli(upgraded, "dlq", "list")
    assert (letter["job_id"], letter["code"]) == (stored.FAILED, "evidence_insufficient")
    rows.thicken(upgraded.dsn, stored.B)
    cli(upgraded, "dlq", "replay", stored.FAILED, "--reason", "the sources are filled")
    assert AppJobs(upgraded.dsn).wait(stored.FAILED, timeout_s=JOB_S)["status"] == "completed"
    assert [dead_letter["state"] for dead_letter in cli(upgraded, "dlq", "list", "--all")] == ["replayed"]


def test_jobs_and_users_of_then_are_listed_and_shown(upgraded: Stack) -> None:
    assert {job["job_id"] for job in cli(upgraded, "job", "list")} >= set(stored.JOBS)
    for job in (stored.BACKFILL, stored.RUNNING):
        assert cli(upgraded, "job", "show", job)["job_id"] == job
    assert cli(upgraded, "user", "show", stored.A)["status"] == "enabled"
    history = cli(upgraded, "workspace", "log", "--user", stored.A)
    assert {stored.BACKFILL, stored.DIGEST} <= {commit["job_id"] for commit in history}


def test_nothing_is_left_open(upgraded: Stack) -> None:
    with psycopg.connect(upgraded.dsn) as connection:
        left = connection.execute(
            # Dreams wait for the coming night.
            "select id::text, status from public.memory_jobs where status not in ('completed', 'failed', 'cancelled')"
            " and job_type <> 'dream'"
        ).fetchall()
    assert left == []
