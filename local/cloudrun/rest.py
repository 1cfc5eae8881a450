"""The v2 REST surface: the paths that google-cloud-run's REST transport uses, protobuf JSON in and out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
from aiohttp import web
from google.cloud.run_v2 import types
from google.longrunning import operations_pb2
from google.protobuf import json_format

from local import serving
from local.cloudrun import runner
from local.cloudrun.executions import ExecutionRefusal
from local.cloudrun.jobs import CloudRunJobs, Job

_HTTP = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
}
_LOCATION = "projects/{project}/locations/{location}"
#: A wait without its own timeout is answered after this time.
WAIT_S = 30.0
Handler = Callable[[web.Request], Awaitable[Any]]


class Rest:
    """Handlers return protobuf messages."""

    def __init__(self, jobs: CloudRunJobs) -> None:
        self.jobs = jobs

    def build(self) -> web.Application:
        app = web.Application()
        jobs = f"/v2/{_LOCATION}/jobs"
        executions = f"{jobs}/{{job}}/executions"
        operations = f"/v2/{_LOCATION}/operations"
        routes: list[tuple[str, str, Handler]] = [
            ("POST", jobs, self.create_job),
            ("GET", jobs + "/{job}", self.get_job),
            ("PATCH", jobs + "/{job}", self.update_job),
            ("DELETE", jobs + "/{job}", self.delete_job),
            ("POST", jobs + "/{job}:run", self.run_job),
            ("GET", executions, self.list_executions),
            ("GET", executions + "/{execution}", self.get_execution),
            ("POST", executions + "/{execution}:cancel", self.cancel_execution),
            ("GET", operations + "/{operation}", self.get_operation),
            ("POST", operations + "/{operation}:wait", self.wait_operation),
        ]
        for method, path, handler in routes:
            app.router.add_route(method, path, _answer(handler))
        return app

    async def create_job(self, request: web.Request) -> Any:
        parent = request.path.removeprefix("/v2/").removesuffix("/jobs")
        return self.jobs.create_job(parent, request.query.get("jobId", ""), await _body(request, Job))

    async def get_job(self, request: web.Request) -> Any:
        return self.jobs.job(_name(request))

    async def update_job(self, request: web.Request) -> Any:
        return self.jobs.update_job(_name(request), await _body(request, Job))

    async def delete_job(self, request: web.Request) -> Any:
        return self.jobs.delete_job(_name(request))

    async def run_job(self, request: web.Request) -> Any:
        message = await _body(request, types.RunJobRequest.pb())
        message.name = _name(request)
        return self.jobs.run_job(message)

    async def list_executions(self, request: web.Request) -> Any:
        executions = self.jobs.list_executions(_name(request).removesuffix("/executions"))
        return types.ListExecutionsResponse.pb()(executions=executions)

    async def get_execution(self, request: web.Request) -> Any:
        return self.jobs.execution(_name(request))

    async def cancel_execution(self, request: web.Request) -> Any:
        return self.jobs.cancel(_name(request))

    async def get_operation(self, request: web.Request) -> Any:
        return self.jobs.find_operation(_name(request))

    async def wait_operation(self, request: web.Request) -> Any:
        message = await _body(request, operations_pb2.WaitOperationRequest)
        timeout_s = message.timeout.seconds if message.HasField("timeout") else WAIT_S
        return await self.jobs.wait_operation(_name(request), timeout_s)


def _name(request: web.Request) -> str:
    """The resource's name: the path without version and verb."""
    return request.path.removeprefix("/v2/").split(":", 1)[0]


async def _body(request: web.Request, kind: Any) -> Any:
    raw = await request.read()
    try:
        return json_format.Parse(raw or b"{}", kind())
    except json_format.ParseError as exc:
        raise ExecutionRefusal(grpc.StatusCode.INVALID_ARGUMENT, f"Invalid JSON payload: {exc}") from exc


def _answer(handler: Handler) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        try:
            message = await handler(request)
        except ExecutionRefusal as exc:
            code = _HTTP[exc.code]
            error = {"error": {"code": code, "message": exc.message, "status": exc.code.name}}
            return web.json_response(error, status=code)
        return web.Response(text=json.dumps(json_format.MessageToDict(message)), content_type="application/json")

    return handle


@dataclass
class CloudRunServer:
    """A running server. ``url`` is the value of RUN_ENDPOINT."""

    jobs: CloudRunJobs
    url: str

    def ready(self) -> dict[str, Any]:
        return {"url": self.url}


@asynccontextmanager
async def start(
    data: Path,
    port: int = 0,
    *,
    cwd: Path | None = None,
    grace_s: float = runner.GRACE_S,
    secrets: Mapping[str, str] | None = None,
) -> AsyncIterator[CloudRunServer]:
    """Serve the jobs of ``data``; their commands run in ``cwd`` (default: ours), their secrets are in ``secrets``."""
    jobs = CloudRunJobs(data, cwd or Path.cwd(), grace_s, secrets=secrets or {})
    async with serving.HttpSite(Rest(jobs).build(), port) as site:
        try:
            yield CloudRunServer(jobs, site.url)
        finally:
            await jobs.close()
