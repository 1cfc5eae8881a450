"""The operator's way through a running system, by the command line as it is installed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.conftest import System
from tests.e2e.rows import audit

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def run_cli(system: System, *words: str, code: int = 0) -> Any:
    done = system.cli(*words, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def smoke(system: System) -> dict[str, Any]:
    """The runtime smoke over the workspace of a user of this module's own."""
    report: dict[str, Any] = run_cli(system, "job", "smoke", "--user", system.users.all[2].user_id, "--timeout", "180")
    return report


def test_smoke_proves_each_part_of_the_runtime(smoke: dict[str, Any]) -> None:
    assert smoke["ok"]
    states = {check["check"]: check["state"] for check in smoke["checks"]}
    assert states == dict.fromkeys(("job", "hydrate", "agent", "brain tools", "report", "persist"), "ok")


def test_show_draws_what_the_smoke_did(system: System, smoke: dict[str, Any]) -> None:
    job = run_cli(system, "job", "show", smoke["job_id"])
    assert job["timeline"]["ledger"] == "DONE"
    stages = [mark["stage"] for mark in job["timeline"]["stages"]]
    assert stages == ["hydrate", "index", "synthesize", "report", "persist"]
    text = system.cli("job", "show", smoke["job_id"]).stdout
    assert "completed, commit" in text
    assert "\x1b[" not in text


def test_doctor_finds_every_part_and_no_fault(system: System) -> None:
    done = system.cli("doctor", "--json")
    states = {finding["check"]: finding for finding in json.loads(done.stdout)["findings"]}
    # Other modules of this suite leave dead letters and open jobs on purpose; these parts must be fine all the same.
    for check in ("configuration", "bucket", "clock", "control plane", "topics", "hermes", "publisher", "sweep"):
        assert states[check]["state"] == "ok", states[check]
    assert set(states) >= {"queue", "failures", "dead letters", "gbrain", "worker"}


def test_users_are_listed_and_a_wave_finds_nobody_left(system: System) -> None:
    users = run_cli(system, "user", "list", "--status", "enabled")
    assert {user["user_id"] for user in users} >= {user.user_id for user in system.users.all}
    wave = run_cli(system, "user", "provision", "--wave", "5", "--cap", "1000", "--dry-run", code=3)
    assert wave["user_ids"] == []


def test_words_that_are_off_and_things_that_are_not_there(system: System) -> None:
    missing = system.cli("job", "show", "00000000-0000-4000-8000-000000000000")
    assert (missing.returncode, "job_not_found" in missing.stderr) == (3, True)
    off = system.cli("job", "submit", "dream", "--user", system.me)
    assert (off.returncode, "job_type" in off.stderr) == (2, True)


def test_a_paused_user_waits_until_the_queue_is_resumed(system: System) -> None:
    user = system.users.all[2].user_id
    run_cli(system, "queue", "pause", "--user", user, "--reason", "looked into")
    submitted = run_cli(system, "job", "submit", "inventory", "--user", user)
    job_id = submitted["job_id"]
    assert submitted["pause"]["reason"] == "looked into"
    findings = {f["check"]: f for f in json.loads(system.cli("doctor", "--json").stdout)["findings"]}
    assert "looked into" in findings["pause"]["detail"]
    assert run_cli(system, "queue", "status")["withheld"] == 1
    shown = run_cli(system, "job", "show", job_id)
    assert (shown["status"], shown["attempt"]) == ("queued", 0)
    assert "the queue of this user is paused since" in system.cli("job", "show", job_id).stdout
    run_cli(system, "queue", "resume", "--user", user, "--reason", "done")
    assert run_cli(system, "job", "watch", job_id, "--timeout", "180")["status"] == "completed"
    ledger = system.operations.ledgers.find(job_id)
    assert ledger is not None
    assert (ledger.ledger.failures, ledger.ledger.interruptions) == (0, 0)
    assert audit(system.stack.dsn, user)[-3:] == [
        ("queue.pause", "looked into"),
        ("job.submit", ""),
        ("queue.resume", "done"),
    ]
