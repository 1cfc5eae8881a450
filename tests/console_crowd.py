"""A signed-in console over the control plane and a real database with a hundred thousand jobs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from consumer.clients.operators import OperatorApi
from consumer.console.app import create_app
from consumer.console.sessions import Sessions, SignInLink
from tests.asgi import Client
from tests.fixtures_controlplane import OPERATOR, World
from tests.unit.console.consoles import Operations

USERS: Final = 50
JOBS_EACH: Final = 2000


@dataclass(frozen=True)
class Crowd:
    """A console, and one of its users."""

    client: Client
    user_id: str
    job_id: str

    def pages(self) -> tuple[str, ...]:
        """The address of every kind of page that asks the database."""
        older = self.client.get("/jobs").text.partition("after=")[2].partition('"')[0]
        return (
            "/jobs",
            f"/jobs?after={older}",
            "/jobs?status=failed",
            "/jobs?status=cancelled",
            "/jobs?status=running",
            "/jobs?type=inventory",
            f"/jobs?user_id={self.user_id}",
            f"/jobs?user_id={self.user_id}&status=failed",
            f"/jobs/{self.job_id}",
            f"/jobs/{self.job_id}/cancel",
            f"/users/{self.user_id}",
            "/users",
            "/flags",
            "/dead-letters",
        )


@contextmanager
def crowd(world: World, folder: Path) -> Iterator[Crowd]:
    """``world`` must be empty. One job in 2,000 has failed; all have dates of their own."""
    users = [world.user(f"u{number}@example.com") for number in range(USERS)]
    world.without_triggers(
        """
        insert into public.memory_jobs (user_id, workspace_id, runtime_profile, template_version, job_type, status,
          requested_at, created_at)
        select w.user_id, w.id, w.runtime_profile, w.template_version, 'hourly_digest',
          case when n = 7 then 'failed' else 'completed' end,
          now() - make_interval(mins => n), now() - make_interval(mins => n)
        from generate_series(1, %s) n, public.memory_workspaces w
        """,
        JOBS_EACH,
    )
    world.sql("analyze public.memory_jobs")
    job = world.sql("select id from memory_jobs where user_id = %s limit 1", users[3])[0]["id"]
    token = world.issuer.token(OPERATOR)
    operations: Any = Operations(folder)
    operations.api = OperatorApi(_through(world.client), lambda: token)
    link = SignInLink(operations.clock)
    app = create_app(operations, link, Sessions(b"k" * 32, operations.clock))
    client = Client(app)
    assert client.post("/sign-in", data={"token": link.issue()}).status_code == 303
    yield Crowd(client, users[3], str(job))
    operations.workspaces.close()


def _through(client: Client) -> httpx.Client:
    """The control plane in this process; its test client takes no timeout, and ours always gives one."""

    def send(request: httpx.Request) -> httpx.Response:
        path, headers = request.url.raw_path.decode(), dict(request.headers)
        answer = client.request(request.method, path, content=request.content, headers=headers)
        return httpx.Response(answer.status_code, content=answer.content)

    return httpx.Client(transport=httpx.MockTransport(send), base_url="http://control.test")
