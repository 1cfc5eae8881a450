"""
The control plane over HTTP (docs/contract.md). The only async code here: each call's work runs in a thread.

Consumer calls carry a Google ID token of a listed service account, a run's calls a job token, operators' calls a Google
ID token of a listed person.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeVar

import orjson
import psycopg
from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from consumer import telemetry
from contract.api import (
    ACTING_FOR,
    BatchRequest,
    CohortRequest,
    CompleteRequest,
    DiscardRequest,
    EnableUserRequest,
    MarkRequest,
    ProgressRequest,
    ReasonRequest,
    ReplayRequest,
    RerunRequest,
    SetFlagRequest,
    SubmitJobRequest,
    TickRequest,
    TokenRequest,
    UnsetFlagRequest,
    WaveRequest,
    Wire,
)
from contract.event import Uuid, utc_text
from controlplane.completion import Completion
from controlplane.db import Database
from controlplane.errors import Fault, invalid, not_found, unavailable
from controlplane.export import Exporter
from controlplane.feedback import Feedback
from controlplane.flags import Flags
from controlplane.identity import Identities
from controlplane.jobs import Jobs
from controlplane.openapi import document
from controlplane.operators import Operators
from controlplane.planning import Planning
from controlplane.provisioning import Provisioning
from controlplane.tokens import JobTokens

#: The largest body that any call needs is a completion with its artifacts, about 100 KiB.
BODY_BYTES: Final = 1024 * 1024
_UUID: Final[TypeAdapter[str]] = TypeAdapter(Uuid)
_log = logging.getLogger(__name__)
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Services:
    """Everything that the endpoints call. ``threads`` bounds how many requests work at a time."""

    database: Database
    identities: Identities
    tokens: JobTokens
    jobs: Jobs
    completion: Completion
    exporter: Exporter
    planning: Planning
    operators: Operators
    provisioning: Provisioning
    flags: Flags
    feedback: Feedback
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(8, thread_name_prefix="api"))


@dataclass(frozen=True, slots=True)
class Call:
    """A request, read: what an endpoint needs of it."""

    authorization: str | None
    path: dict[str, str]
    query: dict[str, str]
    body: bytes
    traceparent: str | None = None
    #: The operator for whom a console calls.
    acting_for: str | None = None

    def model(self, kind: type[Model]) -> Model:
        """Raises Fault 400 not JSON, 422 not of this form."""
        try:
            orjson.loads(self.body)
        except orjson.JSONDecodeError as exc:
            raise Fault(400, "bad_json", f"the body is not JSON ({len(self.body)} bytes)") from exc
        try:
            return kind.model_validate_json(self.body)
        except ValidationError as exc:
            # Only places and reasons: the input may hold what a user wrote.
            parts = [f"{'.'.join(map(str, e['loc'])) or 'body'}: {e['msg']}" for e in exc.errors(include_input=False)]
            raise invalid("; ".join(parts[:8])) from exc

    def uuid(self, name: str) -> str:
        """A path parameter that must be a UUID. Raises Fault 422."""
        try:
            return _UUID.validate_python(self.path[name])
        except ValidationError as exc:
            raise invalid(f"{name} in the path is not a lower-case UUID") from exc


Endpoint = Callable[[Services, Call], Any]


def token(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "consumer")
    return s.jobs.grant(call.uuid("job_id"), call.model(TokenRequest))


def batches(s: Services, call: Call) -> Any:
    claims = s.tokens.verify(call.authorization)
    claims.require("memory_export:read", call.uuid("job_id"))
    request = call.model(BatchRequest)
    with s.database.transaction() as tx:
        row = tx.row("read_job", job_id=claims.job_id)
    if row is None:
        raise not_found("job", claims.job_id)
    return s.exporter.batch(row, claims, request)


def progress(s: Services, call: Call) -> Any:
    claims = s.tokens.verify(call.authorization)
    return s.jobs.progress(claims, call.uuid("job_id"), call.model(ProgressRequest))


def complete(s: Services, call: Call) -> Any:
    claims = s.tokens.verify(call.authorization)
    return s.completion.complete(claims, call.uuid("job_id"), call.model(CompleteRequest))


def ticks(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "consumer")
    return s.planning.tick(call.model(TickRequest))


def enable_user(s: Services, call: Call) -> Any:
    return s.operators.enable(_operator(s, call), call.model(EnableUserRequest))


def disable_user(s: Services, call: Call) -> Any:
    return s.operators.disable(_operator(s, call), call.uuid("user_id"))


def list_users(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.provisioning.users(call.query)


def user_wave(s: Services, call: Call) -> Any:
    return s.provisioning.wave(_operator(s, call), call.model(WaveRequest))


def queue(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.provisioning.queue()


def submit_job(s: Services, call: Call) -> Any:
    return s.operators.submit(_operator(s, call), call.model(SubmitJobRequest))


def list_jobs(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.operators.jobs(call.query)


def show_job(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.operators.job(call.uuid("job_id"))


def cancel_job(s: Services, call: Call) -> Any:
    return s.operators.cancel(_operator(s, call), call.uuid("job_id"), call.model(ReasonRequest))


def replay_job(s: Services, call: Call) -> Any:
    return s.operators.replay(_operator(s, call), call.uuid("job_id"), call.model(ReplayRequest))


def note_discard(s: Services, call: Call) -> Any:
    return s.operators.discard(_operator(s, call), call.model(DiscardRequest))


def rerun_job(s: Services, call: Call) -> Any:
    # The body came later: a caller that sends none wants a plain one.
    request = call.model(RerunRequest) if call.body else RerunRequest()
    return s.operators.rerun(_operator(s, call), call.uuid("job_id"), request)


def list_flags(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.flags.listed(call.query)


def set_flag(s: Services, call: Call) -> Any:
    return s.flags.put(_operator(s, call), call.model(SetFlagRequest))


def unset_flag(s: Services, call: Call) -> Any:
    return s.flags.unset(_operator(s, call), call.model(UnsetFlagRequest))


def change_cohort(s: Services, call: Call) -> Any:
    return s.flags.cohort(_operator(s, call), call.model(CohortRequest))


def list_marks(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.feedback.marks(call.uuid("job_id"))


def mark_claim(s: Services, call: Call) -> Any:
    return s.feedback.mark(_operator(s, call), call.uuid("job_id"), call.model(MarkRequest))


def jwks(s: Services, call: Call) -> Any:
    return s.tokens.jwks()


def healthz(s: Services, call: Call) -> Any:
    return {"status": "ok"}


def readyz(s: Services, call: Call) -> Any:
    """Can work: the database answers and has our tables."""
    with s.database.transaction() as tx:
        row = tx.row("ready")
    if not row or not row["ready"]:
        raise unavailable("not_migrated", "the database lacks the control plane's tables; run the migrations")
    return {"status": "ready"}


def openapi(s: Services, call: Call) -> Any:
    return document()


def _operator(s: Services, call: Call) -> str:
    return s.identities.require(call.authorization, "operator", call.acting_for)


INTERNAL: Final = "/api/internal"
ROUTES: Final[tuple[tuple[str, str, Endpoint], ...]] = (
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/token", token),
    ("POST", f"{INTERNAL}/memory-export/jobs/{{job_id}}/batches", batches),
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/progress", progress),
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/complete", complete),
    ("POST", f"{INTERNAL}/memory-ticks", ticks),
    ("POST", f"{INTERNAL}/memory-users", enable_user),
    ("GET", f"{INTERNAL}/memory-users", list_users),
    ("POST", f"{INTERNAL}/memory-users/waves", user_wave),
    ("DELETE", f"{INTERNAL}/memory-users/{{user_id}}", disable_user),
    ("GET", f"{INTERNAL}/memory-queue", queue),
    ("POST", f"{INTERNAL}/memory-jobs", submit_job),
    ("GET", f"{INTERNAL}/memory-jobs", list_jobs),
    ("GET", f"{INTERNAL}/memory-jobs/{{job_id}}", show_job),
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/cancel", cancel_job),
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/replay", replay_job),
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/rerun", rerun_job),
    ("POST", f"{INTERNAL}/memory-dead-letters/discards", note_discard),
    ("GET", f"{INTERNAL}/memory-jobs/{{job_id}}/marks", list_marks),
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/marks", mark_claim),
    ("GET", f"{INTERNAL}/memory-flags", list_flags),
    ("POST", f"{INTERNAL}/memory-flags", set_flag),
    ("POST", f"{INTERNAL}/memory-flags/unset", unset_flag),
    ("POST", f"{INTERNAL}/memory-cohorts", change_cohort),
    ("GET", "/.well-known/jwks.json", jwks),
    ("GET", "/healthz", healthz),
    ("GET", "/readyz", readyz),
    ("GET", "/openapi.json", openapi),
)


def create_app(services: Services) -> Starlette:
    """The ASGI application."""
    routes = [
        Route(path, _handler(services, endpoint), methods=[method], name=endpoint.__name__)
        for method, path, endpoint in ROUTES
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _http_error, Exception: _bug})


def _handler(services: Services, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        try:
            call = await _read(request)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(services.threads, _answer, services, endpoint, call)
        except Fault as fault:
            return _refusal(fault)

    return handle


async def _read(request: Request) -> Call:
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > BODY_BYTES:
                raise Fault(413, "body_too_large", f"the body is over {BODY_BYTES} bytes")
    except ClientDisconnect as exc:
        raise Fault(400, "bad_json", "the caller went away before its body was whole") from exc
    return Call(
        authorization=request.headers.get("authorization"),
        path=dict(request.path_params),
        query=dict(request.query_params),
        body=bytes(body),
        traceparent=request.headers.get("traceparent"),
        acting_for=request.headers.get(ACTING_FOR),
    )


def _answer(services: Services, endpoint: Endpoint, call: Call) -> Response:
    try:
        with telemetry.span(f"api {endpoint.__name__}", call.traceparent, kind="server"):
            reply = endpoint(services, call)
    except psycopg.Error as exc:
        # What db.translated() does not know is a bug of ours; its text may quote values, so only the class is logged.
        _log.error("database error %s (sqlstate %s)", type(exc).__name__, exc.sqlstate)
        raise Fault(500, "internal_error", "an internal error; it is logged", retryable=True) from exc
    return _json(200, reply.model_dump() if isinstance(reply, Wire) else reply)


def _json(status: int, body: Any, headers: dict[str, str] | None = None) -> Response:
    # Times go through our own form: always UTC, always microseconds.
    data = orjson.dumps(body, default=_time, option=orjson.OPT_PASSTHROUGH_DATETIME)
    return Response(data, status, headers, media_type="application/json")


def _time(value: Any) -> str:
    if isinstance(value, datetime):
        return utc_text(value)
    raise TypeError(f"no JSON form for {type(value).__name__}")


def _refusal(fault: Fault) -> Response:
    headers = {"retry-after": "2"} if fault.status == 503 else None
    if fault.status == 401:
        headers = {"www-authenticate": "Bearer"}
    return _json(fault.status, fault.body(), headers)


async def _http_error(request: Request, exc: Exception) -> Response:
    status = exc.status_code if isinstance(exc, HTTPException) else 500
    code = {404: "not_found", 405: "method_not_allowed"}.get(status, "refused")
    return _refusal(Fault(status, code, f"{request.method} {request.url.path} is not a call of this API"))


async def _bug(request: Request, exc: Exception) -> Response:
    return _refusal(Fault(500, "internal_error", "an internal error; it is logged", retryable=True))
