"""Processes die, messages are nonsense, jobs fail: one effect, one completion, nothing lost."""

from __future__ import annotations

import json
import uuid

import pytest

from consumer import paths
from contract.api import SubmitJobRequest
from local import cloud
from tests.e2e import rows
from tests.e2e.conftest import JOB_S, System
from tests.waiting import until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def grown(system: System) -> str:
    """A user whose memory exists already; the small one, so that a run is quick."""
    user = system.users.others[0]
    rows.thicken(system.stack.dsn, user.user_id)
    row = system.jobs.wait(system.jobs.insert(user.user_id, "backfill_digest"), timeout_s=JOB_S)
    assert row["status"] == "completed", row["error_summary"]
    return user.user_id


@pytest.mark.parametrize("stage", ["render", "synthesize", "persist"])
def test_a_killed_consumer_loses_and_doubles_nothing(system: System, grown: str, stage: str) -> None:
    title = f"Buy {stage} biscuits"
    rows.add_item(system.stack.dsn, grown, title)
    if stage == "render":
        rows.add_many_items(system.stack.dsn, grown, 500)
    period = f"2026-01-01T{['render', 'synthesize', 'persist'].index(stage):02d}"
    if stage == "synthesize":  # with an agent, which takes seconds
        forced = SubmitJobRequest(user_id=grown, job_type="hourly_digest", period=period, force=True)
        job_id = system.operations.api.submit(forced).job_id
    else:
        job_id = system.jobs.insert(grown, "hourly_digest", period)
    consumer = system.stack.parts["consumer"]
    restarts = consumer.restarts
    system.jobs.wait(job_id, lambda row: row["stage"] == stage or row["status"] == "completed", timeout_s=JOB_S)
    consumer.kill()
    row = system.jobs.wait(job_id, timeout_s=JOB_S)
    until(lambda: consumer.restarts > restarts)
    assert (row["status"], row["outcome"]) == ("completed", "completed")
    if stage != "persist":  # persist takes a tenth of a second: the kill may come right behind it
        assert row["attempt"] > 1, "it was killed within the stage"
    assert system.commits_of(grown, job_id) == [row["commit_seq"]]
    assert rows.completions(system.stack.dsn, job_id) == 1
    search = system.cli("workspace", "search", title, "--user", grown, "--reason", "a test")
    assert search.returncode == 0, search.stderr
    assert system.faults(grown) == []


NONSENSE: dict[str, tuple[bytes, dict[str, str], str]] = {
    "not json": (b"\xff\xfe not json", {}, "not JSON"),
    "a list": (b"[]", {}, "expected an object"),
    "unknown schema": (b'{"schema": "memory.job.v9"}', {}, "memory.job.v1"),
    "no fields": (b'{"schema": "memory.job.v1"}', {}, "job_id"),
    "bad uuid": (b'{"schema": "memory.job.v1", "job_id": "../../etc/passwd"}', {}, "job_id"),
    "attributes contradict": (b"EVENT", {"job_id": str(uuid.UUID(int=7))}, "attribute job_id"),
}


@pytest.mark.parametrize("kind", NONSENSE)
def test_nonsense_becomes_a_dead_letter_that_says_why(system: System, grown: str, kind: str) -> None:
    data, attributes, reason = NONSENSE[kind]
    if data == b"EVENT":
        data = system.jobs.event(system.jobs.insert(grown, "insight", "2020-02-02")).encode()
    message_id = cloud.publish(system.stack.pubsub_host, cloud.JOBS, data, {"test": kind, **attributes})
    record = _await_record(system, f"m-{message_id}")
    assert record["code"] == "malformed_message"
    assert reason in record["message"]
    shown = system.cli("dlq", "show", f"m-{message_id}", "--json")
    assert json.loads(shown.stdout)["code"] == "malformed_message"


def test_an_operator_takes_a_failed_job_from_dead_letter_to_done(system: System) -> None:
    """Fails for lack of evidence; the record says so; the cause is mended; the replay completes, once."""
    user = str(uuid.uuid4())
    assert system.cli("user", "enable", rows.add_user(system.stack.dsn, user)).returncode == 0
    job_id = system.jobs.insert(user, "backfill_digest")
    row = system.jobs.wait(job_id, timeout_s=JOB_S)
    assert row["status"] == "failed"
    assert row["error_summary"]["code"] == "evidence_insufficient"
    listed = json.loads(system.cli("dlq", "list", "--filter", f"job={job_id}", "--json").stdout)
    assert [entry["code"] for entry in listed] == ["evidence_insufficient"]
    rows.thicken(system.stack.dsn, user)
    for _ in range(2):  # replaying twice is replaying once
        done = system.cli("dlq", "replay", job_id, "--reason", "sources connected")
        assert done.returncode in (0, 3), done.stderr
    row = system.jobs.wait(job_id, lambda row: row["status"] == "completed", timeout_s=JOB_S)
    assert system.commits_of(user, job_id) == [row["commit_seq"]]


def test_two_jobs_of_one_user_at_once_both_take_effect_one_after_the_other(system: System, grown: str) -> None:
    rows.add_item(system.stack.dsn, grown, "Two at once")
    first = system.jobs.insert(grown, "insight", "2021-03-03")
    second = system.jobs.insert(grown, "inventory")
    ended = [system.jobs.wait(job_id, timeout_s=JOB_S) for job_id in (first, second)]
    assert [row["outcome"] for row in ended] == ["completed", "completed"]
    seqs = [seq for job_id in (first, second) for seq in system.commits_of(grown, job_id)]
    assert len(seqs) == len(set(seqs)) == 2
    until(lambda: system.stack.list_objects(f"{paths.user(grown)}parked/") == [])


def test_a_job_of_a_foreign_workspace_never_runs(system: System, grown: str) -> None:
    """A message whose user_id is not its row's: refused, and nothing of the other user is touched."""
    other = system.users.others[1].user_id
    job_id = system.jobs.insert(grown, "insight", "2022-04-04")
    event = system.jobs.event(job_id)
    forged = event.model_copy(update={"user_id": other})
    before = [o["generation"] for o in system.stack.list_objects(paths.head(other))]
    message_id = cloud.publish(system.stack.pubsub_host, cloud.JOBS, forged.encode(), forged.attributes(), other)
    row = system.jobs.wait(job_id, timeout_s=JOB_S)
    assert row["outcome"] == "completed", "the right message still gets its effect"
    record = _await_record(system, f"m-{message_id}")
    assert record["code"] == "payload_mismatch"
    assert [o["generation"] for o in system.stack.list_objects(paths.head(other))] == before


# --- how it is done ---------------------------------------------------------------------------------------------


def _await_record(system: System, key: str) -> dict[str, str]:
    def dead_letter() -> str | None:
        names = (str(stat["name"]) for stat in system.stack.list_objects("dead/"))
        return next((name for name in names if name.endswith(f"/{key}.json")), None)

    record: dict[str, str] = json.loads(system.stack.read_object(until(dead_letter, f"a dead letter {key}")))
    return record
