"""The database that release 470a19c left, migrated by today's files: every row is read, and every job can end."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from contract.event import decode_job
from controlplane import migrate as migrations
from local.app import fixture
from local.logins import RELAY
from local.postgres import Postgres
from publisher.batch import Message
from publisher.outbox import Outbox, connect
from publisher.relay import OutboxRelay
from tests import stored_database as stored
from tests.fixtures_controlplane import CONSUMER, Issuer, World, opened_world
from tests.fixtures_postgres import as_login, copied
from tests.integration.test_controlplane_migrations import catalog
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.integration
TABLES = ("workspaces", "jobs", "outbox", "artifacts", "audit", "job_tokens", "flags", "tombstones")


@pytest.fixture(scope="module")
def migrated(postgres: Postgres) -> str:
    """Name of that database after today's migrations; never connect."""
    with psycopg.connect(postgres.dsn(), autocommit=True) as admin:
        admin.execute("create database stored_470a19c template template0")
    dsn = postgres.dsn("stored_470a19c")
    stored.install(dsn)
    fixture.install(dsn)
    return "stored_470a19c"


@pytest.fixture
def old(
    postgres: Postgres, migrated: str, issuer: Issuer, signing_key: ec.EllipticCurvePrivateKey, tmp_path: Path
) -> Iterator[World]:
    """Today's control plane over a copy of it."""
    for dsn in copied(postgres, migrated):
        with opened_world(dsn, issuer, signing_key, tmp_path) as world:
            yield world


@dataclass
class Recorder:
    """A topic that takes every message."""

    taken: list[Message] = field(default_factory=list)

    def publish_all(self, messages: Sequence[Message]) -> Mapping[int, str]:
        self.taken += messages
        return {message.outbox_id: f"m{message.outbox_id}" for message in messages}


def rows(dsn: str) -> dict[str, int]:
    with psycopg.connect(dsn) as connection:
        return {
            name: len(connection.execute(f"select 1 from public.memory_{name}".encode()).fetchall()) for name in TABLES
        }


def test_it_is_migrated_to_todays_schema_and_keeps_every_row(empty_database: str, shared_database: str) -> None:
    stored.install(empty_database)
    before = rows(empty_database)
    assert all(before.values()), "the fixture has a row of each kind"
    applied = migrations.migrate(empty_database)
    assert applied == [migration.name for migration in migrations.load()[stored.MIGRATIONS :]]
    assert rows(empty_database) == before
    assert catalog(empty_database) == catalog(shared_database)


def test_the_control_plane_answers_and_shows_every_row(old: World) -> None:
    assert old.client.get("/readyz").json() == {"status": "ready"}
    users = old.operate("GET", "/memory-users").json()["users"]
    assert {(user["user_id"], user["status"]) for user in users} == {
        (user, "enabled") for user in (stored.A, stored.B, stored.C, stored.D)
    }
    listed = old.operate("GET", "/memory-jobs").json()["jobs"]
    assert {job["job_id"]: job["status"] for job in listed} == {
        stored.BACKFILL: "completed",
        stored.DIGEST: "completed",
        stored.FAILED: "failed",
        stored.LAUNCHED: "queued",
        stored.RUNNING: "running",
        stored.UNSENT: "queued",
    }
    shown = {job: old.operate("GET", f"/memory-jobs/{job}").json() for job in stored.JOBS}
    assert shown[stored.BACKFILL]["report_uri"].endswith(f"__{stored.BACKFILL}.md")
    assert shown[stored.DIGEST]["output_counts"]["records"] == 1
    assert shown[stored.FAILED]["error"]["code"] == "evidence_insufficient"
    assert (shown[stored.RUNNING]["attempt"], shown[stored.RUNNING]["stage"]) == (1, "index")
    user = old.operate("GET", f"/memory-users/{stored.A}").json()
    assert (user["runtime_profile"], user["deletion"]) == ("internal-full", None)
    assert old.operate("GET", "/memory-queue").json()["queued"] == 2
    flags = old.operate("GET", "/memory-flags").json()["flags"]
    assert [(flag["name"], flag["target"], flag["value"]) for flag in flags] == [("synthesis", stored.A, False)]


def test_the_job_that_nobody_published_is_published_once(old: World) -> None:
    topic = Recorder()
    relay = OutboxRelay(
        lambda: Outbox(connect(as_login(old.dsn, RELAY))), topic, time.monotonic, poll_s=PATIENCE_S, stale_s=10**9
    )
    worker = threading.Thread(target=relay.run)
    worker.start()
    try:
        until(lambda: not old.sql("select 1 from memory_outbox where published_at is null"))
    finally:
        relay.stop()
        worker.join(PATIENCE_S)
    [message] = topic.taken
    event = decode_job(message.data, dict(message.attributes))
    assert (event.job_id, event.user_id, event.period) == (stored.UNSENT, stored.C, "2026-11-28T11")


def test_the_run_of_then_goes_on_and_the_next_attempt_takes_over(old: World) -> None:
    """A worker that was deployed before the migrations keeps its attempt; a later one takes the job from it."""
    token = old.open(stored.RUNNING, 1, stored.OWNER, renew=True)
    assert token.status_code == 200, token.text
    bearer = token.json()["token"]
    assert old.batch(stored.RUNNING, bearer, mode="incremental").status_code == 200
    assert old.progress(stored.RUNNING, bearer, stage="report").status_code == 200
    later = old.token(stored.RUNNING, 2)
    assert old.progress(stored.RUNNING, bearer).json()["error"]["code"] == "attempt_stale"
    assert old.complete(stored.RUNNING, later, attempt=2).json() == {"status": "completed"}


@pytest.mark.parametrize("job", [stored.LAUNCHED, stored.UNSENT])
def test_a_job_that_waited_runs_to_its_end(old: World, job: str) -> None:
    token = old.token(job)
    records = old.batch(job, token, source_keys=["checklist_items", "meeting_notes"]).json()["records"]
    assert {record["data"]["title"] for record in records} > {"Greenhouse budget"}
    assert old.complete(job, token).json() == {"status": "completed"}


def test_a_row_that_was_deleted_then_is_told_as_deleted_now(old: World) -> None:
    token = old.token(stored.RUNNING, 2)
    records = old.batch(stored.RUNNING, token, attempt=2, source_keys=["checklist_items"]).json()["records"]
    assert [record["data"] for record in records if record["deleted"]] == [None]


def test_the_failed_job_is_replayed(old: World) -> None:
    body = {"replay_id": "bbbbbbbb-0000-4000-8000-000000000009", "reason": "the sources are filled"}
    assert old.operate("POST", f"/memory-jobs/{stored.FAILED}/replay", body).status_code == 200
    unsent = old.sql("select job_id::text from memory_outbox where published_at is null order by id")
    assert [row["job_id"] for row in unsent] == [stored.UNSENT, stored.FAILED]
    token = old.token(stored.FAILED, 2, replay_id=body["replay_id"])
    assert old.complete(stored.FAILED, token, attempt=2).json() == {"status": "completed"}


def test_an_account_of_then_is_deleted_and_erased_to_the_last_row(old: World) -> None:
    old.sql("delete from auth.users where id = %s", stored.A)
    tick = {"kind": "hourly", "period": "2026-11-28T19", "tick_id": "t", "page": None}
    assert old.call("POST", "/memory-ticks", old.issuer.token(CONSUMER), tick).is_success
    old.sql("update memory_deletions set purge_after = now()")

    def step(name: str) -> Any:
        order = old.call("POST", f"/memory-deletions/{stored.A}/begin", old.issuer.token(CONSUMER), {}).json()
        assert order["step"] == name
        body = {"step": name, "epoch": 9, "objects": {}}
        return old.call("POST", f"/memory-deletions/{stored.A}/done", old.issuer.token(CONSUMER), body)

    order = old.call("POST", f"/memory-deletions/{stored.A}/begin", old.issuer.token(CONSUMER), {}).json()
    assert set(order["job_ids"]) >= {stored.BACKFILL, stored.DIGEST, stored.RUNNING}
    assert order["seq_floor"] == 2
    assert step("erase").is_success
    old.sql("update memory_deletions set erased_at = now() - interval '1 day'")
    assert step("sweep").is_success
    receipt = old.operate("GET", f"/memory-deletions/{stored.A}/receipt").json()
    assert receipt["rows"]["memory_artifacts"] == 4
    old.sql("update memory_deletions set swept_at = now() - interval '30 days'")
    assert step("forget").is_success
    assert old.sql("select 1 from memory_jobs where user_id = %s", stored.A) == []
