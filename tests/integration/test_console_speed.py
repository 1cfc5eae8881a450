"""The console's pages over a hundred thousand jobs in a real database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from consumer.adapters.operators import OperatorApi
from consumer.entrypoints.console.app import create_app
from consumer.entrypoints.console.sessions import Link, Sessions
from tests.fixtures_controlplane import OPERATOR, World
from tests.unit.entrypoints.consoles import Operations
from tests.waiting import until

pytestmark = pytest.mark.integration
#: Of a page, from its request to its last byte, the control plane and the database included.
BUDGET_S = 0.1


@pytest.fixture
def console(own_world: World, tmp_path: Path) -> Iterator[tuple[TestClient, str]]:
    """A signed-in client over 50 users with 2,000 jobs each, one in 20,000 failed; one of the users."""
    users = [own_world.user(f"u{number}@example.com") for number in range(50)]
    own_world.without_triggers(
        """
        insert into public.memory_jobs (user_id, workspace_id, runtime_profile, template_version, job_type, status,
          requested_at, created_at)
        select w.user_id, w.id, w.runtime_profile, w.template_version, 'hourly_digest',
          case when n = 7 then 'failed' else 'completed' end,
          now() - make_interval(mins => n), now() - make_interval(mins => n)
        from generate_series(1, 2000) n, public.memory_workspaces w
        """
    )
    own_world.sql("analyze public.memory_jobs")
    token = own_world.issuer.token(OPERATOR)
    operations: Any = Operations(tmp_path)
    operations.api = OperatorApi(_through(own_world.client), lambda: token)
    link = Link(operations.clock)
    app = create_app(operations, link, Sessions(b"k" * 32, operations.clock))
    client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
    assert client.post("/sign-in", data={"token": link.issue()}).status_code == 303
    yield client, users[3]
    operations.workspaces.close()


def _through(client: TestClient) -> httpx.Client:
    """The control plane in this process; its test client takes no timeout, and ours always gives one."""

    def send(request: httpx.Request) -> httpx.Response:
        path, headers = request.url.raw_path.decode(), dict(request.headers)
        answer = client.request(request.method, path, content=request.content, headers=headers)
        return httpx.Response(answer.status_code, content=answer.content)

    return httpx.Client(transport=httpx.MockTransport(send), base_url="http://control.test")


def test_every_page_is_within_its_budget(console: tuple[TestClient, str]) -> None:
    client, user_id = console
    older = client.get("/jobs").text.partition("after=")[2].partition('"')[0]
    paths = (
        "/jobs",
        f"/jobs?after={older}",
        "/jobs?status=failed",
        "/jobs?status=cancelled",
        "/jobs?type=inventory",
        f"/jobs?user_id={user_id}",
        f"/jobs?user_id={user_id}&status=failed",
        f"/users/{user_id}",
        "/users",
        "/dead-letters",
    )
    for path in paths:
        # A busy machine makes any look slow, and none of them fast: one look within the budget shows that it can be.
        until(lambda path=path: _seconds(client, path) <= BUDGET_S, path)  # type: ignore[misc]


def _seconds(client: TestClient, path: str) -> float:
    began = time.perf_counter()
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return time.perf_counter() - began
