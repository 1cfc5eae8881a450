"""
A right, a policy or row level security itself is changed by hand while work goes on.

The call is refused as `rights_missing`, which is retried. It names what is missing, and the statement that gives it
back. Nothing is taken for absent because it could not be seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from consumer.clients.controlplane import HttpControlPlane
from consumer.clients.operators import OperatorApi
from consumer.errors import ConsumerError, ControlPlaneUnavailable
from contract.api import BatchRequest, CompleteRequest, TokenRequest
from local.logins import OWNER
from service.clock import SystemClock
from tests.fixtures_controlplane import CONSUMER, OPERATOR, World
from tests.integration.test_controlplane_rights import superuser

pytestmark = pytest.mark.integration

#: What is taken -> how it is named, and what gives it back.
TAKEN = {
    "revoke select on memory_export.user_rules from memory_export_reader": "select on memory_export.user_rules",
    "revoke usage on schema memory_export from memory_export_reader": "usage on schema memory_export",
    "revoke execute on function memory_export.bind(uuid, text) from memory_export_reader": (
        "execute on function memory_export.bind(uuid, text)"
    ),
    "revoke execute on function memory_export.bound_user() from memory_export_reader": (
        "execute on function memory_export.bound_user()"
    ),
    "revoke select on memory_jobs from memory_service": "select on public.memory_jobs",
    "drop policy service on memory_jobs": "rows for select on public.memory_jobs",
    "revoke memory_service from memory_controlplane": "membership of memory_controlplane in memory_service",
}


@pytest.fixture
def half_read(own_world: World) -> Iterator[tuple[World, str, str, Any]]:
    """A job whose export has given its first page of two: world, job, token, cursor."""
    world = own_world
    user = world.user()
    for number in range(4):
        world.sql("insert into user_rules (user_id, rule_text) values (%s, %s)", user, f"Rule {number}.")
    job = world.job(user)
    token = world.token(job)
    first = world.batch(job, token, limit=2).json()
    assert (len(first["records"]), first["has_more"]) == (2, True)
    yield world, job, token, first["next_cursor"]
    # Memberships and attributes of roles belong to the whole server.
    world.sql("grant memory_service to memory_controlplane")


@pytest.mark.parametrize("statement", TAKEN)
def test_an_export_that_loses_a_right_half_way_says_which_and_goes_on_when_it_is_back(
    half_read: tuple[World, str, str, Any], statement: str
) -> None:
    world, job, token, cursor = half_read
    world.sql(statement)
    refused = world.batch(job, token, limit=2, cursor=cursor)
    error = refused.json()["error"]
    assert (refused.status_code, error["code"], error["retryable"]) == (503, "rights_missing", True)
    assert TAKEN[statement] in error["message"]
    for remedy in dict.fromkeys(refused.json()["remedies"]):
        world.sql(remedy)
    rest = world.batch(job, token, limit=2, cursor=cursor).json()
    assert (len(rest["records"]), rest["has_more"]) == (2, False)
    assert world.complete(job, token).json() == {"status": "completed"}


def test_rows_that_row_level_security_begins_to_hide_are_not_taken_for_absent(
    half_read: tuple[World, str, str, Any],
) -> None:
    """Without an error the export would end early, and a backfill would take what it did not see for deleted."""
    world, job, token, cursor = half_read
    world.sql("alter table user_rules enable row level security")
    world.sql("alter table user_rules force row level security")
    with superuser(world.dsn) as connection:
        connection.execute(f"alter role {OWNER} nobypassrls".encode())
        try:
            for body in ({"limit": 2, "cursor": cursor}, {"mode": "inventory", "source_keys": []}):
                refused = world.batch(job, token, **body)
                assert refused.json()["error"]["code"] == "rights_missing", refused.text
                assert "public.user_rules" in refused.json()["error"]["message"]
        finally:
            connection.execute(f"alter role {OWNER} bypassrls".encode())
    assert len(world.batch(job, token, limit=2, cursor=cursor).json()["records"]) == 2


@pytest.mark.parametrize(
    "statement", ["drop policy service on memory_jobs", "revoke select on memory_jobs from memory_service"]
)
def test_a_job_that_cannot_be_seen_is_not_unknown(half_read: tuple[World, str, str, Any], statement: str) -> None:
    """As `job_not_found` it would become a dead letter."""
    world, job, token, _ = half_read
    world.sql(statement)
    for answer in (
        world.open(job, 1, renew=True),
        world.progress(job, token),
        world.complete(job, token),
        world.operate("GET", f"/memory-jobs/{job}"),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "rights_missing"), answer.text
    for remedy in dict.fromkeys(answer.json()["remedies"]):
        world.sql(remedy)
    assert world.operate("GET", "/memory-jobs/00000000-0000-4000-8000-000000000000").status_code == 404
    assert world.complete(job, token).json() == {"status": "completed"}


class Hurried(SystemClock):
    """Pauses between repeats cost nothing."""

    def sleep(self, seconds: float) -> None:
        return


def test_the_workers_error_names_the_right(half_read: tuple[World, str, str, Any]) -> None:
    world, job, _, _ = half_read
    plane = HttpControlPlane(over(world), lambda: world.issuer.token(CONSUMER), Hurried())
    _, session = plane.open(job, TokenRequest(attempt=1, owner="run-1", renew=True))
    world.sql("revoke select on memory_export.user_rules from memory_export_reader")
    world.sql("revoke insert on memory_artifacts from memory_service")
    with pytest.raises(ControlPlaneUnavailable, match=r"rights_missing.*select on memory_export\.user_rules"):
        session.batch(BatchRequest(mode="backfill", source_keys=("user_rules",)))
    with pytest.raises(ControlPlaneUnavailable, match=r"insert on public\.memory_artifacts"):
        session.complete(
            CompleteRequest.model_validate(
                {
                    "attempt": 1,
                    "outcome": "completed",
                    "artifacts": [
                        {"artifact_type": "digest_report", "workspace_path": "brain/reports/x.md", "summary": "x"}
                    ],
                }
            )
        )
    assert world.row(job)["status"] == "running"


def test_doctor_names_the_right_that_its_view_of_the_work_needs(own_world: World) -> None:
    world = own_world
    world.sql("revoke select on memory_outbox from memory_service")
    api = OperatorApi(over(world), lambda: world.issuer.token(OPERATOR))
    with pytest.raises(ConsumerError) as caught:
        api.queue()
    assert "select on public.memory_outbox (role memory_service)" in str(caught.value)
    assert "grant select on public.memory_outbox to memory_service;" in str(caught.value)


def over(world: World) -> httpx.Client:
    """A client whose requests reach the world's application."""

    def answered(request: httpx.Request) -> httpx.Response:
        path = request.url.raw_path.decode().removeprefix("/api/internal")
        bearer = request.headers["authorization"].removeprefix("Bearer ")
        reply = world.call(request.method, path, bearer, json.loads(request.content) if request.content else None)
        return httpx.Response(reply.status_code, headers=reply.headers, stream=httpx.ByteStream(reply.content))

    return httpx.Client(transport=httpx.MockTransport(answered), base_url="http://plane.test")
