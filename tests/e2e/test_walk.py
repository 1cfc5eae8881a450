"""The operator's whole walk by the command line alone: a job fails, is found and understood, its cause is mended, it is
replayed from the stage that failed, and completes without doing again what was done.

A stack of its own, so that its Hermes can be broken, and so that two failures are enough for a dead letter.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from consumer import bootstrap, settings
from local import seed
from local.jobs import AppJobs
from local.stack import ROOT, Stack
from tests.e2e import rows
from tests.e2e.conftest import CANARY_KEY, JOB_S, System

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

#: What the retries before the dead letter are cut to.
FAILURES = 2


class Hermes:
    """The real one behind a script, so that it can be taken away and brought back while everything runs."""

    def __init__(self, script: Path) -> None:
        self.script = script
        self.real = os.environ.get("HERMES_BIN") or str(ROOT / ".tools" / "hermes" / "bin" / "hermes")
        self.mend()

    def mend(self) -> None:
        self._write(f'exec "{self.real}" "$@"')

    def break_(self) -> None:
        self._write("exit 3")

    def _write(self, line: str) -> None:
        made = self.script.with_suffix(".new")
        made.write_text(f"#!/bin/sh\n{line}\n")
        made.chmod(0o755)
        made.replace(self.script)


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[System, Hermes]]:
    folder = tmp_path_factory.mktemp("walk")
    hermes = Hermes(folder / "hermes")
    env = {"OPENAI_API_KEY": CANARY_KEY, "HERMES_BIN": str(hermes.script), "MAX_ATTEMPTS": str(FAILURES)}
    with Stack(folder / "state", extra_env=env) as stack:
        with psycopg.connect(stack.dsn) as connection:
            users = seed.seed(connection, datetime.now(UTC).date())
        operations = bootstrap.operations(settings.load_operator(stack.operator_env()))
        yield System(stack, users, AppJobs(stack.dsn), operations), hermes
        operations.close()


def run_cli(system: System, *words: str, code: int = 0) -> Any:
    done = system.cli(*words, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_from_the_dead_letter_to_the_completed_job(walk: tuple[System, Hermes]) -> None:
    system, hermes = walk
    user = str(uuid.uuid4())
    rows.add_user(system.stack.dsn, user)
    rows.thicken(system.stack.dsn, user)
    assert system.cli("user", "enable", user).returncode == 0

    # It fails, twice, at a stage that comes after much work.
    hermes.break_()
    job_id = run_cli(system, "job", "submit", "backfill_digest", "--user", user)["job_id"]
    watched = system.cli("job", "watch", job_id, "--timeout", str(JOB_S))
    assert watched.returncode == 1, watched.stdout
    assert "is failed: tool_failed" in watched.stdout + watched.stderr

    # It is found: the job among the failed, its cause among the dead letters.
    assert job_id in system.cli("job", "list", "--status", "failed").stdout
    [group] = run_cli(system, "dlq", "stats")
    assert (group["code"], group["stage"], group["count"]) == ("tool_failed", "synthesize", 1)
    [record] = run_cli(system, "dlq", "list", "--filter", f"fingerprint={group['fingerprint']}")
    assert record["job_id"] == job_id
    assert "FAULT" in system.cli("doctor").stdout

    # It is understood: the record says what and where, and what to do; doctor names the part.
    shown = run_cli(system, "dlq", "show", record["key"])
    assert shown["stage"] == "synthesize"
    assert "Hermes" in shown["message"]
    assert "cloop-memory doctor" in shown["hint"]
    findings = {finding["check"]: finding for finding in run_cli(system, "doctor", code=1)["findings"]}
    assert "--version ended with code 3" in findings["hermes"]["detail"]
    assert f"### {shown['code']}\n" in (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")

    # It is mended and replayed from where it failed.
    hermes.mend()
    [replayed] = run_cli(
        system, "dlq", "replay", record["key"], "--from-stage", "synthesize", "--reason", "hermes mended"
    )
    assert replayed["result"] == "replayed"
    watched = system.cli("job", "watch", job_id, "--timeout", str(JOB_S))
    assert watched.returncode == 0, watched.stdout + watched.stderr

    # It is complete, what was done before was not done again, and the drawing says so in order.
    job = run_cli(system, "job", "show", job_id)
    assert (job["status"], job["commit"]["seq"]) == ("completed", 1)
    history = job["timeline"]["history"]
    failed, after = history[:FAILURES], history[FAILURES:]
    assert [(dead_letter["code"], dead_letter["stage"]) for dead_letter in failed] == [
        ("tool_failed", "synthesize")
    ] * FAILURES
    assert [mark["stage"] for mark in failed[0]["stages"]] == ["hydrate", "export", "render", "index"]
    # On a machine with too much to do the mended tool may need a second attempt; that one goes on there too.
    assert after[0]["replayed"]
    assert {mark["stage"] for job in after for mark in job["stages"]} == {"synthesize", "report", "persist"}
    text = system.cli("job", "show", job_id).stdout
    places = [text.index(word) for word in ("attempt 1", "failed: tool_failed", ", replayed", "completed, commit 1")]
    assert places == sorted(places)
    assert run_cli(system, "dlq", "list", code=0) == []
    assert system.commits_of(user, job_id) == [1]
    verified = system.cli("workspace", "verify", "--user", user)
    assert verified.returncode == 0, verified.stdout
    assert "reports" in system.cli("workspace", "ls", "brain", "--user", user, "--reason", "a test").stdout
