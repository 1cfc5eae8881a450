"""The OpenAPI 3.1 document, generated from the contract's models, so that it cannot differ from the code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from contract import api, assistants, orders, overlay, reading

_INTERNAL: Final = "/api/internal"
_IN_PATH: Final = re.compile(r"{(\w+)}")


@dataclass(frozen=True, slots=True)
class _Call:
    """One operation. ``identity``: who may call it, alternatives separated by ``|``. ``filters``: its query."""

    method: str
    path: str
    name: str
    identity: str | None
    request: type[BaseModel] | None = None
    response: type[BaseModel] | None = None
    filters: tuple[str, ...] = ()


_CALLS: Final = (
    _Call("post", "/memory-jobs/{job_id}/token", "token", "consumer", api.TokenRequest, api.TokenResponse),
    _Call("post", "/memory-export/jobs/{job_id}/batches", "batches", "job", api.BatchRequest, api.BatchResponse),
    _Call("post", "/memory-jobs/{job_id}/progress", "progress", "job", api.ProgressRequest, api.ProgressResponse),
    _Call("post", "/memory-jobs/{job_id}/complete", "complete", "job", api.CompleteRequest, api.CompleteResponse),
    _Call("post", "/memory-ticks", "ticks", "consumer", api.TickRequest, api.TickResponse),
    _Call("post", "/memory-deletions/{user_id}/begin", "begin_erasure", "consumer", None, api.ErasureOrder),
    _Call(
        "post", "/memory-deletions/{user_id}/done", "report_erasure", "consumer", api.ErasureReport, api.DeletionView
    ),
    _Call("get", "/memory-deletions", "list_deletions", "operator", None, api.DeletionList, filters=("after",)),
    _Call("get", "/memory-deletions/{user_id}/receipt", "show_receipt", "operator", None, api.DeletionReceipt),
    _Call("post", "/memory-deletions/{user_id}/keep", "keep_deleted", "operator", api.ReasonRequest, api.DeletionView),
    _Call("post", "/memory-users", "enable_user", "operator", api.EnableUserRequest),
    _Call("get", "/memory-users", "list_users", "operator", None, api.UserList, filters=("status", "after")),
    _Call("post", "/memory-users/waves", "user_wave", "operator", api.WaveRequest, api.WaveResponse),
    _Call(
        "post",
        "/memory-users/{user_id}/suppressions",
        "union_suppressions",
        "consumer|operator",
        api.SuppressRequest,
        api.SuppressedPage,
    ),
    _Call(
        "post",
        "/memory-users/{user_id}/erasure",
        "erase_user",
        "consumer|operator",
        api.ReasonRequest,
        api.ErasureResponse,
    ),
    _Call("post", "/memory-reader/grants", "grant_reading", "reader", api.ReadGrantRequest, reading.ReadGrant),
    _Call("post", "/memory-reader/access", "list_access", "reader", api.AccessRequest, api.AccessList),
    _Call(
        "post",
        "/memory-reader/corrections",
        "make_own_correction",
        "reader",
        reading.OwnCorrectionRequest,
        overlay.CorrectionView,
    ),
    _Call(
        "post",
        "/memory-reader/corrections/list",
        "list_own_corrections",
        "reader",
        api.ReadGrantRequest,
        overlay.CorrectionList,
    ),
    _Call(
        "post",
        "/memory-reader/corrections/undo",
        "undo_own_correction",
        "reader",
        reading.OwnUndoRequest,
        overlay.CorrectionView,
    ),
    _Call("post", "/memory-orders/{user_id}/begin", "begin_order", "consumer", None, orders.OrderedStep),
    _Call("post", "/memory-orders/{user_id}/done", "report_order", "consumer", orders.StepReport, orders.OrderView),
    _Call("post", "/memory-reader/forgets/show", "show_forget", "reader", orders.ShowForgetRequest, orders.ShownForget),
    _Call(
        "post",
        "/memory-reader/forgets",
        "confirm_forget",
        "reader",
        orders.ConfirmForgetRequest,
        orders.ConfirmedForget,
    ),
    _Call("post", "/memory-reader/exports", "order_export", "reader", api.ReadGrantRequest, orders.OrderView),
    _Call("post", "/memory-reader/orders/list", "list_orders", "reader", api.ReadGrantRequest, orders.OrderList),
    _Call("post", "/memory-reader/orders/show", "show_order", "reader", orders.OrderRequest, orders.OrderView),
    _Call("post", "/memory-reader/rules/switch", "switch_rule", "reader", orders.RuleSwitchRequest),
    _Call(
        "post",
        "/memory-reader/exclusions/list",
        "list_exclusions",
        "reader",
        api.ReadGrantRequest,
        orders.ExclusionList,
    ),
    _Call("post", "/memory-reader/exclusions/end", "end_exclusion", "reader", orders.EndExclusionRequest),
    _Call(
        "post",
        "/memory-reader/tokens",
        "create_token",
        "reader",
        assistants.OwnTokenRequest,
        assistants.NewAssistantToken,
    ),
    _Call(
        "post",
        "/memory-reader/tokens/list",
        "list_tokens",
        "reader",
        api.ReadGrantRequest,
        assistants.AssistantTokenList,
    ),
    _Call(
        "post",
        "/memory-reader/tokens/revoke",
        "revoke_token",
        "reader",
        assistants.OwnTokenRevokeRequest,
        assistants.AssistantTokenView,
    ),
    _Call(
        "post",
        "/memory-reader/proposals",
        "propose_correction",
        "reader",
        assistants.ProposeRequest,
        assistants.Proposal,
    ),
    _Call(
        "post",
        "/memory-reader/proposals/list",
        "list_proposals",
        "reader",
        api.ReadGrantRequest,
        assistants.ProposalList,
    ),
    _Call(
        "post",
        "/memory-reader/proposals/decide",
        "decide_proposal",
        "reader",
        assistants.DecideRequest,
        assistants.Decided,
    ),
    _Call("post", "/memory-users/{user_id}/overlay", "overlay", "consumer", None, overlay.Overlay),
    _Call("post", "/memory-users/{user_id}/corrections/places", "place_corrections", "consumer", overlay.PlaceRequest),
    _Call("get", "/memory-users/{user_id}/corrections", "list_corrections", "operator", None, overlay.CorrectionList),
    _Call(
        "post",
        "/memory-users/{user_id}/corrections",
        "make_correction",
        "operator",
        overlay.CorrectionRequest,
        overlay.CorrectionView,
    ),
    _Call(
        "post",
        "/memory-users/{user_id}/corrections/{correction_id}/undo",
        "undo_correction",
        "operator",
        None,
        overlay.CorrectionView,
    ),
    _Call("get", "/memory-queue", "queue", "operator", None, api.QueueView),
    _Call("get", "/memory-queue/pauses", "list_pauses", "operator", None, api.PauseList),
    _Call("post", "/memory-queue/pause", "pause_queue", "operator", api.PauseRequest, api.PauseView),
    _Call("post", "/memory-queue/resume", "resume_queue", "operator", api.PauseRequest, api.PauseView),
    _Call("get", "/memory-users/{user_id}", "show_user", "operator", None, api.UserDetails),
    _Call("delete", "/memory-users/{user_id}", "disable_user", "operator"),
    _Call("post", "/memory-jobs", "submit_job", "operator", api.SubmitJobRequest, api.JobView),
    _Call(
        "get",
        "/memory-jobs",
        "list_jobs",
        "operator",
        None,
        api.JobList,
        filters=("status", "user_id", "type", "after"),
    ),
    _Call("get", "/memory-jobs/{job_id}", "show_job", "operator", None, api.JobView),
    _Call("post", "/memory-jobs/{job_id}/cancel", "cancel_job", "operator", api.ReasonRequest, api.JobView),
    _Call("post", "/memory-jobs/{job_id}/replay", "replay_job", "operator", api.ReplayRequest, api.JobView),
    _Call("post", "/memory-dead-letters/discards", "note_discard", "operator", api.DiscardRequest),
    _Call("post", "/memory-bucket-deeds", "note_bucket_deed", "operator", api.BucketDeedRequest),
    _Call("get", "/memory-jobs/{job_id}/marks", "list_marks", "operator", None, api.MarkList),
    _Call("post", "/memory-jobs/{job_id}/marks", "mark_claim", "operator", api.MarkRequest, api.MarkResponse),
    _Call("get", "/memory-flags", "list_flags", "operator", None, api.FlagList, filters=("name", "target")),
    _Call("post", "/memory-flags", "set_flag", "operator", api.SetFlagRequest, api.FlagView),
    _Call("post", "/memory-flags/unset", "unset_flag", "operator", api.UnsetFlagRequest, api.FlagView),
    _Call("post", "/memory-cohorts", "change_cohort", "operator", api.CohortRequest),
    _Call("post", "/memory-jobs/{job_id}/rerun", "rerun_job", "operator", api.RerunRequest, api.JobView),
)
_PUBLIC: Final = (
    _Call("get", "/.well-known/jwks.json", "jwks", None),
    _Call("get", "/healthz", "healthz", None),
    _Call("get", "/readyz", "readyz", None),
    _Call("get", "/ready", "ready", None),
)
#: The statuses other than 200 that any call may return.
_REFUSALS: Final = ("400", "401", "403", "404", "409", "413", "422", "500", "503")


@cache
def document() -> dict[str, Any]:
    """The document; callers must not change it."""
    models = {m for call in _CALLS for m in (call.request, call.response) if m} | {api.ErrorBody}
    ordered = sorted(models, key=lambda m: m.__name__)
    _, definitions = models_json_schema(
        [(m, "validation") for m in ordered], ref_template="#/components/schemas/{model}"
    )
    paths: dict[str, Any] = {}
    for prefix, calls in ((_INTERNAL, _CALLS), ("", _PUBLIC)):
        for call in calls:
            paths.setdefault(prefix + call.path, {})[call.method] = _operation(call)
    return {
        "openapi": "3.1.0",
        "info": {"title": "cloop-memory control plane", "version": "1"},
        "paths": paths,
        "components": {"schemas": definitions["$defs"], "securitySchemes": _schemes()},
    }


def _operation(call: _Call) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{call.response.__name__}"} if call.response else {"type": "object"}
    refusal = _content("An error.", {"$ref": "#/components/schemas/ErrorBody"})
    operation: dict[str, Any] = {
        "operationId": call.name,
        "responses": {"200": _content("The response.", schema)} | dict.fromkeys(_REFUSALS, refusal),
    }
    ids = [_parameter(name, "path", {"type": "string", "format": "uuid"}) for name in _IN_PATH.findall(call.path)]
    if parameters := [*ids, *(_parameter(name, "query", {"type": "string"}) for name in call.filters)]:
        operation["parameters"] = parameters
    if call.identity:
        operation["security"] = [{name: []} for name in call.identity.split("|")]
    if call.request:
        body = {"schema": {"$ref": f"#/components/schemas/{call.request.__name__}"}}
        operation["requestBody"] = {"required": True, "content": {"application/json": body}}
    return operation


def _parameter(name: str, place: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


def _content(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def _schemes() -> dict[str, Any]:
    about = {
        "consumer": "Google ID token of the consumer's service account.",
        "operator": "Google ID token of a listed operator.",
        "reader": "Google ID token of the reader's service account.",
        "job": "Job token, ES256, from the token call.",
    }
    return {
        name: {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": text}
        for name, text in about.items()
    }
