"""What the reader asks the control plane, as whom, and what it makes of each answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any, Final, cast

import httpx
import pytest

from consumer.clients.identity import Identity
from consumer.errors import IdentityUnavailable
from contract.api import AccessList, Wire
from contract.assistants import (
    AssistantTokenList,
    AssistantTokenRequest,
    AssistantTokenView,
    Decided,
    NewAssistantToken,
    Proposal,
    ProposalList,
)
from contract.orders import (
    ConfirmedForget,
    ConfirmForgetRequest,
    ExclusionList,
    OrderList,
    OrderView,
    RecordRef,
    ShownForget,
)
from contract.overlay import CorrectionList, CorrectionRequest, CorrectionView
from contract.reading import ReadGrant
from reader.controlplane import HttpReaderCalls
from reader.errors import CallRefusal
from tests.tables import table

AT: Final = datetime(2026, 11, 27, 9, tzinfo=UTC)
ID, OTHER = "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"
S1 = f"{1:016x}"
RECORD = RecordRef(source="inbound_messages", id="record-7")
ORDER = OrderView(id=ID, kind="export", state="waiting", ordered_at=AT)
TOKEN = AssistantTokenView(id=ID, name="Laptop", scopes=("memory:read",), created_at=AT, expires_at=AT)
MADE = CorrectionView(id=ID, verdict="done", statement=S1, made_at=AT)
PROPOSED = Proposal(id=ID, verdict="done", statement=S1, by="Laptop", proposed_at=AT)
CONFIRM = ConfirmForgetRequest(user_token="u", token="t", records=(RECORD,), matching=(RECORD,), selection="topic: x")
LATER = CorrectionRequest(verdict="later", statement=S1, until=date(2026, 12, 2))
LATER_BODY = {"verdict": "later", "statement": S1, "until": "2026-12-02"}
GRANT = ReadGrant(
    user_id=ID,
    bucket="b",
    prefix="users/x/",
    bucket_token="t",
    bucket_token_expires_at=AT,
    user_token_expires_at=AT,
)

#: A call, where it goes, what it sends besides the user's token, and the control plane's answer.
CALLS: Final[list[tuple[Callable[[HttpReaderCalls], Any], str, dict[str, Any], Wire | None]]] = [
    (lambda plane: plane.grant("u"), "grants", {}, GRANT),
    (lambda plane: plane.access("u", 7), "access", {"after": 7}, AccessList(entries=(), next_after=3)),
    (lambda plane: plane.corrections("u"), "corrections/list", {}, CorrectionList(corrections=(MADE,))),
    (lambda plane: plane.correct("u", LATER), "corrections", {"correction": LATER_BODY}, MADE),
    (lambda plane: plane.undo("u", ID), "corrections/undo", {"correction_id": ID}, MADE),
    (
        lambda plane: plane.show_forget("u", [RECORD], "topic: x", 4),
        "forgets/show",
        {"records": [{"source": RECORD.source, "id": RECORD.id}], "selection": "topic: x", "head_seq": 4},
        ShownForget(token="t", until=AT),
    ),
    (
        lambda plane: plane.confirm_forget(CONFIRM),
        "forgets",
        {name: value for name, value in CONFIRM.model_dump(mode="json").items() if name != "user_token"},
        ConfirmedForget(order=ORDER),
    ),
    (lambda plane: plane.order_export("u"), "exports", {}, ORDER),
    (lambda plane: plane.orders("u"), "orders/list", {}, OrderList(orders=(ORDER,))),
    (lambda plane: plane.order("u", ID), "orders/show", {"order_id": ID}, ORDER),
    (
        lambda plane: plane.switch_rule("u", "user_rules", "5", on=False),
        "rules/switch",
        {"source_key": "user_rules", "record_id": "5", "on": False},
        None,
    ),
    (lambda plane: plane.exclusions("u"), "exclusions/list", {}, ExclusionList()),
    (lambda plane: plane.end_exclusion("u", ID), "exclusions/end", {"exclusion_id": ID}, None),
    (lambda plane: plane.tokens("u"), "tokens/list", {}, AssistantTokenList(tokens=(TOKEN,))),
    (
        lambda plane: plane.create_token("u", AssistantTokenRequest(name="Laptop", days=30)),
        "tokens",
        {"token": {"name": "Laptop", "scopes": ["memory:read"], "days": 30}},
        NewAssistantToken(**TOKEN.model_dump(), token="cma_x"),
    ),
    (lambda plane: plane.revoke_token("u", OTHER), "tokens/revoke", {"token_id": OTHER}, TOKEN),
    (lambda plane: plane.proposals("u"), "proposals/list", {}, ProposalList(proposals=(PROPOSED,))),
    (lambda plane: plane.propose("u", LATER), "proposals", {"correction": LATER_BODY}, PROPOSED),
    (
        lambda plane: plane.decide("u", ID, accept=True),
        "proposals/decide",
        {"proposal_id": ID, "accept": True},
        Decided(correction=MADE),
    ),
]


class OwnTokens:
    """The reader's own identity: ``own 1``, and the next number for each that is dropped."""

    def __init__(self) -> None:
        self.number = 1

    def token(self, audience: str) -> str:
        return f"own {self.number} for {audience}"

    def drop(self, _audience: str) -> None:
        self.number += 1


def asked(answer: Callable[[httpx.Request], httpx.Response], call: Callable[[HttpReaderCalls], Any]) -> Any:
    """What a call returns if the control plane answers so."""
    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        return call(HttpReaderCalls(client, "http://plane", "plane", cast(Identity, OwnTokens())))


@table(("call", "path", "body", "reply"), CALLS)
def test_each_call_goes_where_it_is_answered_with_the_users_token_and_what_it_says(
    call: Callable[[HttpReaderCalls], Any], path: str, body: dict[str, Any], reply: Wire | None
) -> None:
    seen: list[tuple[str, str, str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append((request.method, str(request.url), request.headers["authorization"], json.loads(request.content)))
        return httpx.Response(200, json=(reply or Wire()).model_dump(mode="json"))

    assert asked(answer, call) == reply
    address = f"http://plane/api/internal/memory-reader/{path}"
    assert seen == [("POST", address, "Bearer own 1 for plane", {"user_token": "u", **body})]


def refusing(status: int, code: str, **fields: Any) -> httpx.Response:
    error = {"code": code, "message": "the plane's words", "hint": "", "retryable": False, **fields}
    return httpx.Response(status, json={"error": error})


def refusal(answer: Callable[[httpx.Request], httpx.Response]) -> CallRefusal:
    with pytest.raises(CallRefusal) as refused:
        asked(answer, lambda plane: plane.orders("u"))
    return refused.value


@table(
    ("status", "code", "as_what"),
    [
        (401, "user_token_invalid", (401, "user_token_invalid")),
        (403, "scope_missing", (403, "scope_missing")),
        (404, "order_not_found", (404, "order_not_found")),
        (409, "erasure_begun", (409, "erasure_begun")),
        # The user can do nothing about these.
        (401, "token_missing", (503, "controlplane_unavailable")),
        (403, "not_allowed", (503, "controlplane_unavailable")),
        (401, "unreadable", (503, "controlplane_unavailable")),
        (404, "not_found", (503, "controlplane_unavailable")),
        (503, "order_not_found", (503, "controlplane_unavailable")),
        (500, "internal_error", (503, "controlplane_unavailable")),
    ],
)
def test_a_user_hears_what_they_can_do_something_about(status: int, code: str, as_what: tuple[int, str]) -> None:
    refused = refusal(lambda _: refusing(status, code, hint="do this", retryable=True))
    assert (refused.status, refused.code) == as_what
    if status == refused.status and code == refused.code:
        assert (refused.message, refused.hint, refused.retryable) == ("the plane's words", "do this", True)
    else:
        assert "the plane's words" not in refused.message


def test_an_identity_token_of_a_withdrawn_key_is_fetched_anew_once() -> None:
    tokens: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        tokens.append(request.headers["authorization"])
        if len(tokens) == 1:
            return refusing(401, "identity_invalid")
        return httpx.Response(200, json=OrderList(orders=(ORDER,)).model_dump(mode="json"))

    assert asked(answer, lambda plane: plane.orders("u")).orders == (ORDER,)
    assert tokens == ["Bearer own 1 for plane", "Bearer own 2 for plane"]
    tokens.clear()

    def never(request: httpx.Request) -> httpx.Response:
        tokens.append(request.headers["authorization"])
        return refusing(401, "identity_invalid")

    assert refusal(never).code == "controlplane_unavailable"
    assert len(tokens) == 2


def no_answer(_: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused")


def no_identity(_: httpx.Request) -> httpx.Response:
    raise IdentityUnavailable("no token")


@table("answer", [no_answer, no_identity, lambda _: httpx.Response(200, text="<html>"), lambda _: httpx.Response(502)])
def test_a_plane_that_does_not_answer_is_worth_another_try(answer: Callable[[httpx.Request], httpx.Response]) -> None:
    refused = refusal(answer)
    assert (refused.status, refused.code, refused.retryable) == (503, "controlplane_unavailable", True)
