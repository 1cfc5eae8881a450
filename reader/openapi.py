"""The OpenAPI document of ``/v1``."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from consumer.reports.context import ABOUT_CHARS, BUDGET, LEAST_BUDGET, MOST_BUDGET
from contract.api import AccessList, ErrorBody
from contract.assistants import (
    AssistantTokenList,
    AssistantTokenRequest,
    AssistantTokenView,
    NewAssistantToken,
    ProposalList,
)
from contract.orders import ExclusionList, OrderList, OrderView
from contract.overlay import CorrectionRequest
from reader import wire


@dataclass(frozen=True, slots=True)
class _Operation:
    path: str
    name: str
    about: str
    answer: type[BaseModel]
    parameters: tuple[dict[str, Any], ...] = ()
    #: Media types besides JSON.
    texts: tuple[str, ...] = ()
    json: bool = True
    method: str = "get"
    request: type[BaseModel] | None = None


def _query(name: str, about: str, **schema: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "description": about, "schema": schema or {"type": "string"}}


def _in_path(name: str, about: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "description": about, "schema": {"type": "string"}}


def _format(*names: str) -> dict[str, Any]:
    return _query("format", "The form of the answer.", type="string", enum=list(names), default=names[0])


def _number(name: str, about: str, default: int, maximum: int, minimum: int = 0) -> dict[str, Any]:
    return _query(name, about, type="integer", minimum=minimum, maximum=maximum, default=default)


_OPERATIONS: Final = (
    _Operation(
        "/v1/me/reports",
        "reports",
        "Reports, newest first.",
        wire.ReportList,
        (_query("after", "The id of the previous page's last report."),),
    ),
    _Operation(
        "/v1/me/reports/{report_id}",
        "report",
        "A report.",
        wire.ReportDocument,
        (_in_path("report_id", "From the list of reports."), _format("json", "markdown", "html")),
        ("text/markdown", "text/html"),
    ),
    _Operation(
        "/v1/me/pages/{page}",
        "page",
        "A page that a citation or hit names. Its path contains slashes.",
        wire.CitedPlace,
        (_in_path("page", "The page of a citation or hit."), _format("markdown", "html")),
        ("text/markdown", "text/html"),
        json=False,
    ),
    _Operation(
        "/v1/me/search",
        "search",
        "Passages that answer a question or contain its words, best first.",
        wire.SearchAnswer,
        (
            {**_query("q", "Words or a question, in any language.", type="string", maxLength=400), "required": True},
            _query("from", "First day.", type="string", format="date"),
            _query("to", "Last day.", type="string", format="date"),
            _query("source", "A source's key."),
            _query("person", "A name or address that the record names."),
            _number("limit", "How many passages.", 10, 50),
            _number("offset", "How many to skip.", 0, 200),
        ),
    ),
    _Operation(
        "/v1/me/ask",
        "ask",
        "An answer with a citation for each sentence, or none. With `Accept: text/event-stream`: events"
        " `reading`, `sentence` for each sentence, and `done` with the whole answer, or `error`.",
        wire.AskAnswer,
        texts=("text/event-stream",),
        method="post",
        request=wire.AskRequest,
    ),
    _Operation(
        "/v1/me/context",
        "context",
        "What an agent should know before a task: bounded, cited, the same for the same commit and day.",
        wire.AgentContext,
        (
            _query("about", "The task.", type="string", maxLength=ABOUT_CHARS, default=""),
            _number("budget", "Maximum number of tokens.", BUDGET, MOST_BUDGET, LEAST_BUDGET),
        ),
    ),
    _Operation("/v1/me/people", "people", "People and projects.", wire.People),
    _Operation("/v1/me/today", "today", "What is due, what is owed both ways, and the next meetings.", wire.Today),
    _Operation("/v1/me/sources", "sources", "How much evidence each source has.", wire.Sources),
    _Operation(
        "/v1/me/access",
        "access",
        "Who read or changed this memory through operator commands, newest first.",
        AccessList,
        (_query("after", "The previous page's next_after.", type="integer", minimum=0),),
    ),
    _Operation(
        "/v1/me/corrections",
        "corrections",
        "Corrections by the user, or by an operator for them, newest first.",
        wire.CorrectionHistory,
    ),
    _Operation(
        "/v1/me/corrections",
        "correct",
        "Correct something in memory: it is done, wrong, and so on. A repeat returns the existing correction.",
        wire.CorrectionEntry,
        method="post",
        request=CorrectionRequest,
    ),
    _Operation(
        "/v1/me/corrections/{correction_id}/undo",
        "undo",
        "Take a correction back. A repeat changes nothing.",
        wire.CorrectionEntry,
        (_in_path("correction_id", "From the list of corrections."),),
        method="post",
    ),
    _Operation("/v1/me/rules", "list_rules", "Standing rules, as they were understood.", wire.Rules),
    _Operation(
        "/v1/me/rules/{rule_id}",
        "rule",
        "A standing rule, and the records that it withholds. Its id contains a slash.",
        wire.RuleHolds,
        (_in_path("rule_id", "From the list of rules."),),
    ),
    _Operation(
        "/v1/me/rules/{rule_id}",
        "switch_rule",
        "Switch a rule on, or off until it is changed in the app.",
        wire.Rules,
        (_in_path("rule_id", "From the list of rules."),),
        method="post",
        request=wire.RuleSwitch,
    ),
    _Operation("/v1/me/forget", "forgets", "Orders to forget, newest first.", OrderList),
    _Operation(
        "/v1/me/forget",
        "forget",
        "List what would be forgotten; with the list's token, forget the chosen records.",
        wire.ForgetAnswer,
        method="post",
        request=wire.ForgetRequest,
    ),
    _Operation(
        "/v1/me/forget/{order_id}/receipt",
        "receipt",
        "The receipt of a closed order to forget, with its proof.",
        OrderView,
        (_in_path("order_id", "From the list of orders."),),
        ("application/json",),
        json=False,
    ),
    _Operation("/v1/me/export", "exports", "Exports that were ordered, newest first.", OrderList),
    _Operation("/v1/me/export", "export", "Order an export of everything.", OrderView, method="post"),
    _Operation(
        "/v1/me/export/{order_id}/file",
        "export_file",
        "The export: a tar of all files.",
        OrderView,
        (_in_path("order_id", "From the list of orders."),),
        ("application/x-tar",),
        json=False,
    ),
    _Operation(
        "/v1/me/export/{order_id}/proof",
        "export_proof",
        "The proof that the export contains all of a signed commit.",
        OrderView,
        (_in_path("order_id", "From the list of orders."),),
        ("application/json",),
        json=False,
    ),
    _Operation("/v1/me/exclusions", "exclusions", "What later exports of the app's data leave out.", ExclusionList),
    _Operation(
        "/v1/me/exclusions/{exclusion_id}/end",
        "end_exclusion",
        "End an exclusion. Forgotten records stay away.",
        ExclusionList,
        (_in_path("exclusion_id", "From the list of exclusions."),),
        method="post",
    ),
    _Operation("/v1/me/tokens", "tokens", "Tokens of the user's own assistants, newest first.", AssistantTokenList),
    _Operation(
        "/v1/me/tokens",
        "create_token",
        "A token that opens /mcp for one of the user's assistants. It is shown only once.",
        NewAssistantToken,
        method="post",
        request=AssistantTokenRequest,
    ),
    _Operation(
        "/v1/me/tokens/{token_id}/revoke",
        "revoke_token",
        "Revoke a token. A repeat changes nothing.",
        AssistantTokenView,
        (_in_path("token_id", "From the list of tokens."),),
        method="post",
    ),
    _Operation("/v1/me/proposals", "proposals", "Corrections that assistants propose, newest first.", ProposalList),
    _Operation(
        "/v1/me/proposals/{proposal_id}",
        "decide",
        "Accept or decline a proposal. Accepting makes it a correction; only the owner can.",
        wire.ProposalDecision,
        (_in_path("proposal_id", "From the list of proposals."),),
        method="post",
        request=wire.ProposalAnswer,
    ),
    _Operation(
        "/v1/me/codes",
        "code",
        "A code that opens the pages in a browser. Needs READER_CODES=on.",
        wire.Code,
        method="post",
    ),
)
_REFUSALS: Final = ("401", "403", "404", "409", "413", "422", "429", "500", "503")


@cache
def document() -> dict[str, Any]:
    """The document; callers must not change it."""
    answers: set[type[BaseModel]] = {ErrorBody, *(operation.answer for operation in _OPERATIONS if operation.json)}
    # An answer has every field; of a request, those with a default may be left out.
    modes: dict[type[BaseModel], JsonSchemaMode] = dict.fromkeys(answers, "serialization")
    modes |= {operation.request: "validation" for operation in _OPERATIONS if operation.request}
    ordered = sorted(modes.items(), key=lambda each: each[0].__name__)
    _, definitions = models_json_schema(ordered, ref_template="#/components/schemas/{model}")
    paths: dict[str, Any] = {}
    for operation in _OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "cloop-memory reader", "version": "1"},
        "paths": paths,
        "components": {
            "schemas": definitions["$defs"],
            "securitySchemes": {
                "user": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "JWT",
                    "description": "The access token that the app's sign-in gave the user.",
                }
            },
        },
    }


def _described(operation: _Operation) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if operation.json:
        content["application/json"] = {"schema": {"$ref": f"#/components/schemas/{operation.answer.__name__}"}}
    content |= {media: {"schema": {"type": "string"}} for media in operation.texts}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}
    body = {"schema": {"$ref": f"#/components/schemas/{operation.request.__name__}"}} if operation.request else None
    sent = {"requestBody": {"required": True, "content": {"application/json": body}}} if body else {}
    return {
        **sent,
        "operationId": operation.name,
        "summary": operation.about,
        "security": [{"user": []}],
        "parameters": list(operation.parameters),
        "responses": {
            "200": {"description": operation.about, "content": content},
            **{status: {"description": "An error.", "content": error} for status in _REFUSALS},
        },
    }


if __name__ == "__main__":
    # For whoever generates a client: `python -m reader.openapi > reader.json`.
    sys.stdout.write(json.dumps(document(), indent=2) + "\n")
