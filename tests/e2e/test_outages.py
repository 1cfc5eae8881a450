"""A service that all jobs share is away for a while: the real stack waits, loses nothing, and goes on by itself.

tests/unit/delivery/test_outages.py has half an hour and fifty users in virtual time; `make soak` has more of this one.
"""

from __future__ import annotations

import json
import os
import sys
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import psycopg
import pytest

import manifests
from consumer import bootstrap, settings
from contract.api import EnableUserRequest, SetFlagRequest
from local import seed
from local.faults import HttpProxy, Rule, http_proxy
from local.jobs import AppJobs
from local.stack import Ports, Stack
from service.clock import SystemClock
from tests.e2e import rows
from tests.e2e.conftest import CANARY_KEY, JOB_S, System
from tests.waiting import until

#: Raised by ``make soak``.
USERS = int(os.environ.get("OUTAGE_USERS", "5"))
LASTS_S = float(os.environ.get("OUTAGE_S", "10"))
#: In a long outage the sweep is as patient as in the cloud, so that the count of messages is the cloud's.
STALE_AFTER_S = 12 if LASTS_S < 60 else manifests.limits()["sweep_stale_after"]
#: Users whose jobs ask a model: an agent takes seconds.
ASKING = max(2, USERS // 4)
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900 + LASTS_S + 60 * USERS)]

#: Service -> the job type that needs it.
SERVICES = {
    "launcher": "backfill_digest",
    "model": "insight",
    "bucket": "inventory",
    "controlplane": "inventory",
    "database": "inventory",
    "issuer": "inventory",
}
#: Service -> the doctor's check that reports its outage, and a part of the finding's text.
REPORTED = {
    "launcher": ("shared services", "launcher"),
    "model": ("shared services", "model"),
    "bucket": ("bucket", "ServiceUnavailable"),
    "controlplane": ("control plane", "503"),
    "database": ("control plane", "database"),
    "issuer": ("work", "ID token"),
}


@dataclass(frozen=True)
class Shared:
    """A system with a proxy before each shared service, and users with a memory to come."""

    system: System
    proxies: dict[str, HttpProxy]
    users: list[str]

    @contextmanager
    def away(self, service: str) -> Iterator[None]:
        """Every request to this service fails inside."""
        stack = self.system.stack
        if service == "database":
            assert stack._postgres is not None
            stack._postgres.kill()
            yield
            stack._postgres.start()
            return
        self.proxies[service].plan.add(Rule("status", nth=0, status=503))
        if service == "issuer":
            # The token that it has would outlast the outage.
            stack.parts["consumer"].kill()
        yield
        self.proxies[service].plan.clear()

    def remember(self) -> None:
        """Give the users a memory, if they have none yet: without one, no agent is asked."""
        done = "select count(*) from memory_jobs where job_type = 'backfill_digest' and outcome = 'completed'"
        if not self.count(done):
            for job in [self.system.jobs.insert(user, "backfill_digest") for user in self.users]:
                self.system.jobs.wait(job, timeout_s=JOB_S)

    def is_reported(self, service: str) -> bool:
        """Whether the doctor of an operator, whose requests meet the same outage, reports it."""
        bucket = {"STORAGE_EMULATOR_HOST": self.proxies["bucket"].url}
        findings = json.loads(self.system.cli("doctor", "--json", env=bucket).stdout)["findings"]
        check, text = REPORTED[service]
        return any(f["state"] == "fault" and f["check"] == check and text in f["detail"] for f in findings)

    def has_run(self, job: str, stage: str) -> bool:
        """Whether an attempt of this job, be it over or not, finished this stage."""
        stored = self.system.operations.ledgers.find(job)
        if stored is None:
            return False
        attempts = [stored.ledger.stages, *(attempt.stages for attempt in stored.ledger.earlier)]
        return any(mark.stage == stage for stages in attempts for mark in stages)

    def count(self, query: str) -> int:
        with psycopg.connect(self.system.stack.dsn) as connection:
            row = connection.execute(query.encode()).fetchone()
        assert row is not None
        return int(row[0])


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    ports = Ports.free()
    upstreams = {
        "bucket": ports.gcs,
        "controlplane": ports.controlplane,
        "issuer": ports.oidc,
        "launcher": ports.cloudrun,
        "model": ports.model,
    }
    with ExitStack() as stack:
        proxies = {
            name: stack.enter_context(http_proxy(f"http://127.0.0.1:{port}")) for name, port in upstreams.items()
        }
        extra = {
            "OPENAI_API_KEY": CANARY_KEY,
            "STORAGE_EMULATOR_HOST": proxies["bucket"].url,
            "CONTROLPLANE_URL": proxies["controlplane"].url,
            "IDENTITY_TOKEN_URL": f"{proxies['issuer'].url}/token",
            "RUN_ENDPOINT": proxies["launcher"].url,
            "MODEL_BASE_URL": f"{proxies['model'].url}/v1",
        }
        state = tmp_path_factory.mktemp("outages") / "state"
        running = stack.enter_context(Stack(state, extra_env=extra, ports=ports, sweep_stale_after_s=STALE_AFTER_S))
        with psycopg.connect(running.dsn) as connection:
            samples = seed.seed(connection, datetime.now(UTC).date())
        operations = bootstrap.operations(settings.load_operator(running.operator_env()))
        stack.callback(operations.close)
        users = [str(uuid.uuid4()) for _ in range(USERS)]
        for number, user in enumerate(users):
            operations.api.enable_user(EnableUserRequest(email=rows.add_user(running.dsn, user)))
            rows.thicken(running.dsn, user)
            if number >= ASKING:
                flag = SetFlagRequest(name="synthesis", scope="user", target=user, value=False, reason="a test")
                operations.api.set_flag(flag)
        yield Shared(System(running, samples, AppJobs(running.dsn), operations), proxies, users)


@pytest.mark.parametrize("service", SERVICES)
def test_an_outage_costs_no_job_an_attempt(shared: Shared, service: str) -> None:
    system, clock = shared.system, SystemClock()
    published = "select count(*) from memory_outbox where published_at is not null"
    before, dead = shared.count(published), len(system.stack.list_objects("dead/"))
    if service == "model":
        shared.remember()

    users = shared.users[:ASKING] if service == "model" else shared.users

    def insert() -> list[str]:
        return [system.jobs.insert(user, SERVICES[service]) for user in users]

    # Without a database there is nobody who could insert a job.
    jobs = insert() if service == "database" else []
    with shared.away(service):
        began_s = clock.monotonic()
        jobs = jobs or insert()
        if service in ("model", "launcher"):
            until(lambda: shared.count("select count(*) from memory_jobs where progress ? 'waiting_for'"))
        until(lambda: shared.is_reported(service))
        reported_s = clock.monotonic() - began_s
        clock.sleep(max(0.0, LASTS_S - reported_s))
    back_s = clock.monotonic()
    ended = [system.jobs.wait(job, timeout_s=2 * JOB_S) for job in jobs]
    sys.stderr.write(
        f"{service}: {back_s - began_s:.0f} s away, reported after {reported_s:.1f} s;"
        f" {len(jobs)} jobs done {clock.monotonic() - back_s:.0f} s after it\n"
    )
    assert [row["status"] for row in ended] == ["completed"] * len(jobs), [row["error_summary"] for row in ended]
    ledgers = [stored.ledger for job in jobs if (stored := system.operations.ledgers.find(job))]
    counted = [(ledger.failures, ledger.interruptions, ledger.failure) for ledger in ledgers]
    assert {count[:2] for count in counted} == {(0, 0)}, counted
    assert len(system.stack.list_objects("dead/")) == dead
    for user, job in zip(users, jobs, strict=True):
        assert len(system.commits_of(user, job)) == 1
    if service in ("bucket", "controlplane", "issuer"):
        assert (shared.count(published) - before) / len(jobs) <= 1.5


def test_an_answer_that_is_stored_is_not_asked_for_again(shared: Shared) -> None:
    """The bucket refuses what persist writes first; the agents' answers are stored by then, and paid for."""
    system, bucket, model = shared.system, shared.proxies["bucket"].plan, shared.proxies["model"].plan
    shared.remember()
    users = shared.users[:ASKING]
    model.clear()
    bucket.add(Rule("status", nth=0, method="POST|PUT", path="/upload/", body="users/[^/]*/packs/", status=503))
    jobs = [system.jobs.insert(user, "insight") for user in users]
    try:
        until(lambda: all(shared.has_run(job, "report") for job in jobs))
        asked = len(model.seen)
    finally:
        bucket.clear()
    ended = [system.jobs.wait(job, timeout_s=2 * JOB_S) for job in jobs]
    assert [row["status"] for row in ended] == ["completed"] * len(jobs), [row["error_summary"] for row in ended]
    assert asked > len(users)
    assert len(model.seen) == asked
