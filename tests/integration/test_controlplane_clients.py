"""Both sides of the contract meet: the consumer's and the operators' clients against the reference."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import httpx
import pytest
import uvicorn

import manifests
from consumer.clients.controlplane import HttpControlPlane
from consumer.clients.operators import OperatorApi
from consumer.errors import AttemptStale, JobTerminal, JobUnknown, NotAllowed, RequestRefused
from contract import canonical
from contract.api import (
    Artifact,
    BatchRequest,
    CommitRef,
    CompleteRequest,
    EnableUserRequest,
    ErasureReport,
    FailureRef,
    ProgressRequest,
    ReasonRequest,
    ReplayRequest,
    SubmitJobRequest,
    TickRequest,
    TokenRequest,
)
from controlplane.api import create_app
from service.clock import SystemClock
from tests.fixtures_controlplane import CONSUMER, OPERATOR, World
from tests.waiting import PATIENCE_S

UNKNOWN = "00000000-0000-4000-8000-000000000000"
ALL = tuple(e.source_key for e in manifests.export_manifest().sources)


class NoWait(SystemClock):
    def sleep(self, seconds: float) -> None:
        """Retries of the client come at once."""


class Announcing(uvicorn.Server):
    up: threading.Event

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


@pytest.fixture
def client(world: World) -> Iterator[httpx.Client]:
    """The consumer's HTTP client, over a real connection."""
    server = Announcing(uvicorn.Config(create_app(world.services), log_level="warning", lifespan="off"))
    server.up = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        assert server.up.wait(PATIENCE_S)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with httpx.Client(base_url=url, timeout=PATIENCE_S) as made:
            yield made
        server.should_exit = True
        thread.join()


@pytest.fixture
def plane(world: World, client: httpx.Client) -> HttpControlPlane:
    return HttpControlPlane(client, lambda: world.issuer.token(CONSUMER), NoWait())


@pytest.fixture
def operators(world: World, client: httpx.Client) -> OperatorApi:
    return OperatorApi(client, lambda: world.issuer.token(OPERATOR))


def test_a_run_from_token_to_completion(world: World, plane: HttpControlPlane) -> None:
    user = world.user()
    world.sql("insert into user_rules (user_id, rule_text) values (%s, 'x')", user)
    job = world.job(user)
    grant, session = plane.open(job, TokenRequest(attempt=1, owner="run"))
    assert grant.job.user_id == user
    page = session.batch(BatchRequest(mode="backfill", source_keys=ALL))
    assert {r.source_key for r in page.records} == {"user_rules", "user_profiles"}
    assert all(canonical.digest(r.data) == r.checksum for r in page.records)
    assert session.batch(BatchRequest(mode="inventory", source_keys=ALL)).source_counts["user_rules"] == 1
    assert not session.progress(ProgressRequest(attempt=1, state="running", stage="export")).cancel_requested
    done = CompleteRequest(
        attempt=1,
        outcome="completed",
        commit=CommitRef(seq=1, digest="d"),
        artifacts=(Artifact(artifact_type="backfill_report", workspace_path="brain/x.md"),),
    )
    assert session.complete(done).status == "completed"
    assert session.complete(done).status == "completed"
    with pytest.raises(RequestRefused, match="completion_conflict"):
        session.complete(done.model_copy(update={"outcome": "failed"}))
    with pytest.raises(JobTerminal) as over:
        plane.open(job, TokenRequest(attempt=2, owner="run"))
    assert over.value.args[1]["status"] == "completed"
    assert over.value.args[1]["result"]["commit"] == {"seq": 1, "digest": "d"}


def test_refusals_as_the_consumer_understands_them(world: World, plane: HttpControlPlane) -> None:
    job = world.job(world.user())
    with pytest.raises(JobUnknown, match="404 job_not_found"):
        plane.open(UNKNOWN, TokenRequest(attempt=1, owner="run"))
    _, session = plane.open(job, TokenRequest(attempt=1, owner="run"))
    plane.open(job, TokenRequest(attempt=2, owner="other"))
    with pytest.raises(AttemptStale):
        session.progress(ProgressRequest(attempt=1, state="running"))
    with pytest.raises(AttemptStale):
        plane.open(job, TokenRequest(attempt=2, owner="run"))
    with pytest.raises(AttemptStale, match="replay_stale"):
        plane.open(job, TokenRequest(attempt=3, owner="run", replay_id=UNKNOWN))
    stranger = HttpControlPlane(plane.client, lambda: world.issuer.token("x@example.com"), NoWait())
    with pytest.raises(NotAllowed):
        stranger.open(job, TokenRequest(attempt=4, owner="run"))


def test_a_token_that_the_database_forgot_is_renewed_by_the_client(world: World, plane: HttpControlPlane) -> None:
    job = world.job(world.user())
    _, session = plane.open(job, TokenRequest(attempt=1, owner="run"))
    world.sql("delete from memory_job_tokens")
    assert session.batch(BatchRequest(mode="backfill", source_keys=("user_rules",))).has_more is False


def test_a_tick(world: World, plane: HttpControlPlane) -> None:
    assert plane.plan_tick(TickRequest(kind="hourly", period="2026-11-27T14", tick_id="t")).planned == 0


def test_a_deleted_accounts_way_to_its_receipt(world: World, plane: HttpControlPlane, operators: OperatorApi) -> None:
    user, kept = world.user(), world.user("bob@example.com")
    world.user("carl@example.com")
    world.sql("delete from auth.users where id in (%s, %s)", user, kept)
    assert plane.plan_tick(TickRequest(kind="sweep", period="2026-11-27T14", tick_id="t")).erase == ()
    assert {deletion.user_id for deletion in operators.deletions({}).deletions} == {user, kept}
    assert operators.keep_deleted(kept, ReasonRequest(reason="legal hold")).state == "cancelled"
    world.sql("update memory_deletions set purge_after = now()")
    assert plane.plan_tick(TickRequest(kind="hourly", period="2026-11-27T14", tick_id="t")).erase == (user,)
    assert plane.begin_erasure(user).step == "erase"
    with pytest.raises(RequestRefused, match="step_not_due"):
        plane.report_erasure(user, ErasureReport(step="sweep", epoch=3))
    plane.report_erasure(user, ErasureReport(step="erase", epoch=3, objects={"packs": 2}))
    with pytest.raises(RequestRefused, match=r"404 receipt_not_found: .*its state is: erased"):
        operators.receipt(user)
    world.sql("update memory_deletions set erased_at = erased_at - interval '1 day' where user_id = %s", user)
    assert plane.begin_erasure(user).step == "sweep"
    plane.report_erasure(user, ErasureReport(step="sweep", epoch=4))
    assert operators.receipt(user).objects == {"packs": 2}
    shown = operators.user(user)
    assert (shown.status, shown.deletion and shown.deletion.state) == ("disabled", "receipt given")


def test_an_operators_day(world: World, operators: OperatorApi) -> None:
    user = str(world.sql("insert into auth.users (email) values ('ada@example.com') returning id")[0]["id"])
    assert operators.enable_user(EnableUserRequest(email="ada@example.com"))["user_id"] == user
    job = operators.submit(SubmitJobRequest(user_id=user, job_type="insight")).job_id
    token = world.token(job)
    error = FailureRef(code="tool_failed", stage="index", hint="h").model_dump()
    world.complete(job, token, outcome="failed", error=error)
    assert [j.job_id for j in operators.jobs({"status": "failed", "user_id": user}).jobs] == [job]
    shown = operators.job(job)
    assert shown.error == FailureRef(code="tool_failed", stage="index", hint="h")
    replay = ReplayRequest(replay_id=UNKNOWN, from_stage="index", reason="fixed")
    assert operators.replay(job, replay).status == "queued"
    assert operators.cancel(job, ReasonRequest(reason="not needed")).cancel_requested_at is not None
    with pytest.raises(RequestRefused, match="job_open"):
        operators.rerun(job)
    world.complete(job, world.token(job, 2, replay_id=UNKNOWN), attempt=2, outcome="cancelled")
    assert operators.rerun(job).rerun_of == job
    assert operators.disable_user(user)["status"] == "disabled"
