"""
The control plane over HTTP (docs/contract.md). Only reading the request is async; endpoints run in threads.

Calls of consumer and reader carry a Google ID token of a listed service account, a run's calls a job token, and
operators' calls a Google ID token of a listed person. The reader's calls also carry the user's own token in the body.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from contract.api import (
    AccessRequest,
    BatchRequest,
    BucketDeedRequest,
    CohortRequest,
    CompleteRequest,
    DiscardRequest,
    EnableUserRequest,
    ErasureReport,
    MarkRequest,
    PauseRequest,
    ProgressRequest,
    ReadGrantRequest,
    ReasonRequest,
    ReplayRequest,
    RerunRequest,
    SetFlagRequest,
    SubmitJobRequest,
    SuppressRequest,
    TickRequest,
    TokenRequest,
    UnsetFlagRequest,
    WaveRequest,
    Wire,
)
from contract.assistants import (
    DecideRequest,
    OwnTokenRequest,
    OwnTokenRevokeRequest,
    ProposeRequest,
)
from contract.orders import (
    ConfirmForgetRequest,
    EndExclusionRequest,
    OrderRequest,
    RuleSwitchRequest,
    ShowForgetRequest,
    StepReport,
)
from contract.overlay import CorrectionRequest, PlaceRequest
from contract.reading import OwnCorrectionRequest, OwnUndoRequest
from controlplane.assistants import Assistants
from controlplane.calls import Call, bug, http_error, json_response, read, refusal
from controlplane.completion import CompletionService
from controlplane.corrections import USER, Corrections
from controlplane.db import Database
from controlplane.deletions import DeletionSchedule
from controlplane.errors import ApiFault, existing
from controlplane.export import Exporter
from controlplane.feedback import Feedback
from controlplane.flags import Flags
from controlplane.identity import Identities
from controlplane.jobs import JobGrants
from controlplane.openapi import document
from controlplane.operators import Operators
from controlplane.orders import UserOrders
from controlplane.pauses import Pauses
from controlplane.planning import Planning
from controlplane.provisioning import Provisioning
from controlplane.readiness import Readiness
from controlplane.reading import ReadGrants
from controlplane.suppressions import Suppressing
from controlplane.tokens import JobTokens
from service import telemetry

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Services:
    """Everything the endpoints call. ``threads``: the number of requests handled at a time."""

    database: Database
    identities: Identities
    tokens: JobTokens
    jobs: JobGrants
    completion: CompletionService
    exporter: Exporter
    planning: Planning
    deletions: DeletionSchedule
    operators: Operators
    provisioning: Provisioning
    pauses: Pauses
    flags: Flags
    feedback: Feedback
    corrections: Corrections
    orders: UserOrders
    assistants: Assistants
    readiness: Readiness
    suppressing: Suppressing
    reading: ReadGrants
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(8, thread_name_prefix="api"))


Endpoint = Callable[[Services, Call], Any]


def token(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "consumer")
    return s.jobs.grant(call.uuid("job_id"), call.model(TokenRequest))


def batches(s: Services, call: Call) -> Any:
    claims = s.tokens.verify(call.authorization)
    claims.require("memory_export:read", call.uuid("job_id"))
    request = call.model(BatchRequest)
    with s.database.transaction() as tx:
        row = existing(tx.row("read_job", job_id=claims.job_id), "job", claims.job_id)
    return s.exporter.batch(row, claims, request)


def progress(s: Services, call: Call) -> Any:
    claims = s.tokens.verify(call.authorization)
    return s.jobs.progress(claims, call.uuid("job_id"), call.model(ProgressRequest))


def complete(s: Services, call: Call) -> Any:
    claims = s.tokens.verify(call.authorization)
    return s.completion.complete(claims, call.uuid("job_id"), call.model(CompleteRequest))


def ticks(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "consumer")
    request = call.model(TickRequest)
    reply = s.planning.tick(request)
    if request.page is not None:
        return reply
    ticked = s.deletions.tick(request.kind)
    update = {
        "erase": ticked.erase,
        "reconciliation_alarm": ticked.alarm,
        "orders": s.orders.due(),
        "usefulness": s.feedback.usefulness() if request.kind == "daily" else None,
    }
    return reply.model_copy(update=update)


def begin_erasure(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "consumer")
    return s.deletions.begin(call.uuid("user_id"))


def report_erasure(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "consumer")
    return s.deletions.done(call.uuid("user_id"), call.model(ErasureReport))


def enable_user(s: Services, call: Call) -> Any:
    return s.operators.enable(_operator(s, call), call.model(EnableUserRequest))


def disable_user(s: Services, call: Call) -> Any:
    return s.operators.disable(_operator(s, call), call.uuid("user_id"))


def list_users(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.provisioning.users(call.query)


def show_user(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.operators.user(call.uuid("user_id"))


def list_deletions(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.deletions.listed(call.query)


def show_receipt(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.deletions.receipt(call.uuid("user_id"))


def keep_deleted(s: Services, call: Call) -> Any:
    return s.deletions.keep(_operator(s, call), call.uuid("user_id"), call.model(ReasonRequest))


def user_wave(s: Services, call: Call) -> Any:
    return s.provisioning.wave(_operator(s, call), call.model(WaveRequest))


def queue(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.provisioning.queue()


def list_pauses(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.pauses.listed()


def pause_queue(s: Services, call: Call) -> Any:
    return s.pauses.pause(_operator(s, call), call.model(PauseRequest))


def resume_queue(s: Services, call: Call) -> Any:
    return s.pauses.resume(_operator(s, call), call.model(PauseRequest))


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


def note_bucket_deed(s: Services, call: Call) -> Any:
    return s.operators.bucket_deed(_operator(s, call), call.model(BucketDeedRequest))


def rerun_job(s: Services, call: Call) -> Any:
    # Older callers send no body; they get a plain rerun.
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


def list_corrections(s: Services, call: Call) -> Any:
    _operator(s, call)
    return s.corrections.listed(call.uuid("user_id"))


def make_correction(s: Services, call: Call) -> Any:
    return s.corrections.make(_operator(s, call), call.uuid("user_id"), call.model(CorrectionRequest))


def undo_correction(s: Services, call: Call) -> Any:
    return s.corrections.undo(_operator(s, call), call.uuid("user_id"), call.uuid("correction_id"))


def overlay(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "consumer")
    return s.corrections.overlay(call.uuid("user_id"))


def place_corrections(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "consumer")
    s.corrections.place(call.uuid("user_id"), call.model(PlaceRequest))
    return {}


def union_suppressions(s: Services, call: Call) -> Any:
    _consumer_or_operator(s, call)
    return s.suppressing.union(call.uuid("user_id"), call.model(SuppressRequest))


def erase_user(s: Services, call: Call) -> Any:
    return s.suppressing.erase(_consumer_or_operator(s, call), call.uuid("user_id"), call.model(ReasonRequest))


def grant_reading(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    return s.reading.grant(call.model(ReadGrantRequest))


def list_access(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    return s.reading.access(call.model(AccessRequest))


def list_own_corrections(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    return s.corrections.listed(s.reading.owner(call.model(ReadGrantRequest)))


def make_own_correction(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    request = call.model(OwnCorrectionRequest)
    return s.corrections.make(USER, s.reading.owner(request), request.correction)


def undo_own_correction(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    request = call.model(OwnUndoRequest)
    return s.corrections.undo(USER, s.reading.owner(request), request.correction_id)


def begin_order(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "consumer")
    return s.orders.begin(call.uuid("user_id"))


def report_order(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "consumer")
    return s.orders.done(call.uuid("user_id"), call.model(StepReport))


def show_forget(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    request = call.model(ShowForgetRequest)
    return s.orders.show(s.reading.owner(request), request)


def confirm_forget(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    request = call.model(ConfirmForgetRequest)
    return s.orders.confirm(s.reading.owner(request), request)


def order_export(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    return s.orders.export(s.reading.owner(call.model(ReadGrantRequest)))


def list_orders(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    return s.orders.listed(s.reading.owner(call.model(ReadGrantRequest)))


def show_order(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    request = call.model(OrderRequest)
    return s.orders.order(s.reading.owner(request), request.order_id)


def switch_rule(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    request = call.model(RuleSwitchRequest)
    s.orders.switch_rule(s.reading.owner(request), request)
    return {}


def list_exclusions(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    return s.orders.exclusions(s.reading.owner(call.model(ReadGrantRequest)))


def end_exclusion(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    request = call.model(EndExclusionRequest)
    s.orders.end_exclusion(s.reading.owner(request), request.exclusion_id)
    return {}


def create_token(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    request = call.model(OwnTokenRequest)
    return s.assistants.create(s.reading.owner(request), request.token)


def list_tokens(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    return s.assistants.listed(s.reading.owner(call.model(ReadGrantRequest)))


def revoke_token(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    request = call.model(OwnTokenRevokeRequest)
    return s.assistants.revoke(s.reading.owner(request), request.token_id)


def propose_correction(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    request = call.model(ProposeRequest)
    return s.assistants.propose(s.reading.assistant(request), request.correction)


def list_proposals(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    return s.assistants.proposals(s.reading.owner(call.model(ReadGrantRequest)))


def decide_proposal(s: Services, call: Call) -> Any:
    s.identities.require(call.authorization, "reader")
    request = call.model(DecideRequest)
    return s.assistants.decide(s.reading.owner(request), request.proposal_id, accept=request.accept)


def jwks(s: Services, call: Call) -> Any:
    return s.tokens.jwks()


def healthz(s: Services, call: Call) -> Any:
    return {"status": "ok"}


def readyz(s: Services, call: Call) -> Any:
    """200 when the database answers and both logins have the rights they need."""
    s.readiness.require()
    return {"status": "ready"}


def openapi(s: Services, call: Call) -> Any:
    return document()


def _operator(s: Services, call: Call) -> str:
    return s.identities.require(call.authorization, "operator", call.acting_for)


def _consumer_or_operator(s: Services, call: Call) -> str:
    """For calls that only hide data: runs make them, and operators who purge."""
    try:
        return s.identities.require(call.authorization, "consumer", call.acting_for)
    except ApiFault as fault:
        if fault.status != 403:
            raise
    return _operator(s, call)


INTERNAL: Final = "/api/internal"
ROUTES: Final[tuple[tuple[str, str, Endpoint], ...]] = (
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/token", token),
    ("POST", f"{INTERNAL}/memory-export/jobs/{{job_id}}/batches", batches),
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/progress", progress),
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/complete", complete),
    ("POST", f"{INTERNAL}/memory-ticks", ticks),
    ("POST", f"{INTERNAL}/memory-deletions/{{user_id}}/begin", begin_erasure),
    ("POST", f"{INTERNAL}/memory-deletions/{{user_id}}/done", report_erasure),
    ("GET", f"{INTERNAL}/memory-deletions", list_deletions),
    ("GET", f"{INTERNAL}/memory-deletions/{{user_id}}/receipt", show_receipt),
    ("POST", f"{INTERNAL}/memory-deletions/{{user_id}}/keep", keep_deleted),
    ("POST", f"{INTERNAL}/memory-users", enable_user),
    ("GET", f"{INTERNAL}/memory-users", list_users),
    ("POST", f"{INTERNAL}/memory-users/waves", user_wave),
    ("GET", f"{INTERNAL}/memory-users/{{user_id}}", show_user),
    ("DELETE", f"{INTERNAL}/memory-users/{{user_id}}", disable_user),
    ("POST", f"{INTERNAL}/memory-users/{{user_id}}/suppressions", union_suppressions),
    ("POST", f"{INTERNAL}/memory-users/{{user_id}}/erasure", erase_user),
    ("POST", f"{INTERNAL}/memory-users/{{user_id}}/overlay", overlay),
    ("POST", f"{INTERNAL}/memory-users/{{user_id}}/corrections/places", place_corrections),
    ("GET", f"{INTERNAL}/memory-users/{{user_id}}/corrections", list_corrections),
    ("POST", f"{INTERNAL}/memory-users/{{user_id}}/corrections", make_correction),
    ("POST", f"{INTERNAL}/memory-users/{{user_id}}/corrections/{{correction_id}}/undo", undo_correction),
    ("GET", f"{INTERNAL}/memory-queue", queue),
    ("GET", f"{INTERNAL}/memory-queue/pauses", list_pauses),
    ("POST", f"{INTERNAL}/memory-queue/pause", pause_queue),
    ("POST", f"{INTERNAL}/memory-queue/resume", resume_queue),
    ("POST", f"{INTERNAL}/memory-jobs", submit_job),
    ("GET", f"{INTERNAL}/memory-jobs", list_jobs),
    ("GET", f"{INTERNAL}/memory-jobs/{{job_id}}", show_job),
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/cancel", cancel_job),
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/replay", replay_job),
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/rerun", rerun_job),
    ("POST", f"{INTERNAL}/memory-dead-letters/discards", note_discard),
    ("POST", f"{INTERNAL}/memory-bucket-deeds", note_bucket_deed),
    ("GET", f"{INTERNAL}/memory-jobs/{{job_id}}/marks", list_marks),
    ("POST", f"{INTERNAL}/memory-jobs/{{job_id}}/marks", mark_claim),
    ("GET", f"{INTERNAL}/memory-flags", list_flags),
    ("POST", f"{INTERNAL}/memory-flags", set_flag),
    ("POST", f"{INTERNAL}/memory-flags/unset", unset_flag),
    ("POST", f"{INTERNAL}/memory-cohorts", change_cohort),
    ("POST", f"{INTERNAL}/memory-reader/grants", grant_reading),
    ("POST", f"{INTERNAL}/memory-reader/access", list_access),
    ("POST", f"{INTERNAL}/memory-reader/corrections", make_own_correction),
    ("POST", f"{INTERNAL}/memory-reader/corrections/list", list_own_corrections),
    ("POST", f"{INTERNAL}/memory-reader/corrections/undo", undo_own_correction),
    ("POST", f"{INTERNAL}/memory-orders/{{user_id}}/begin", begin_order),
    ("POST", f"{INTERNAL}/memory-orders/{{user_id}}/done", report_order),
    ("POST", f"{INTERNAL}/memory-reader/forgets/show", show_forget),
    ("POST", f"{INTERNAL}/memory-reader/forgets", confirm_forget),
    ("POST", f"{INTERNAL}/memory-reader/exports", order_export),
    ("POST", f"{INTERNAL}/memory-reader/orders/list", list_orders),
    ("POST", f"{INTERNAL}/memory-reader/orders/show", show_order),
    ("POST", f"{INTERNAL}/memory-reader/rules/switch", switch_rule),
    ("POST", f"{INTERNAL}/memory-reader/exclusions/list", list_exclusions),
    ("POST", f"{INTERNAL}/memory-reader/exclusions/end", end_exclusion),
    ("POST", f"{INTERNAL}/memory-reader/tokens", create_token),
    ("POST", f"{INTERNAL}/memory-reader/tokens/list", list_tokens),
    ("POST", f"{INTERNAL}/memory-reader/tokens/revoke", revoke_token),
    ("POST", f"{INTERNAL}/memory-reader/proposals", propose_correction),
    ("POST", f"{INTERNAL}/memory-reader/proposals/list", list_proposals),
    ("POST", f"{INTERNAL}/memory-reader/proposals/decide", decide_proposal),
    ("GET", "/.well-known/jwks.json", jwks),
    ("GET", "/healthz", healthz),
    ("GET", "/readyz", readyz),
    # Cloud Run's front end reserves paths that end in z.
    ("GET", "/ready", readyz),
    ("GET", "/openapi.json", openapi),
)


def create_app(services: Services) -> Starlette:
    """The ASGI application."""
    routes = [
        Route(path, _handler(services, endpoint), methods=[method], name=endpoint.__name__)
        for method, path, endpoint in ROUTES
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: http_error, Exception: bug})


def _handler(services: Services, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        try:
            call = await read(request)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(services.threads, _answer, services, endpoint, call)
        except ApiFault as fault:
            return refusal(fault)

    return handle


def _answer(services: Services, endpoint: Endpoint, call: Call) -> Response:
    try:
        with telemetry.span(f"api {endpoint.__name__}", call.traceparent, kind="server"):
            reply = endpoint(services, call)
    except ApiFault as fault:
        if fault.status == 404 or fault.code == "token_unknown":
            # Row level security makes rows look missing, and a missing row ends a job for good: check rights first.
            services.readiness.require(fresh=True)
        raise
    except psycopg.Error as exc:
        if isinstance(exc, psycopg.errors.InsufficientPrivilege):
            services.readiness.require(fresh=True)
        # An error that db.translated() does not know is a bug here. Its text may quote values: log only the class.
        _log.error("database error %s (sqlstate %s)", type(exc).__name__, exc.sqlstate)
        raise ApiFault(
            500, "internal_error", "internal error; the control plane's log has the cause", retryable=True
        ) from exc
    return json_response(200, reply.model_dump() if isinstance(reply, Wire) else reply)
