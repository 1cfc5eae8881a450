"""Tokens of a user's assistants and what these propose: who may, how many, and what stays in the audit."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, date, datetime
from typing import Any

import pytest

from contract.assistants import TOKEN_PATTERN, AssistantTokenRequest
from contract.overlay import CorrectionRequest
from controlplane.assistants import MOST_PROPOSALS, MOST_TOKENS, Assistant, Assistants
from controlplane.errors import ApiFault
from tests.tables import table
from tests.unit.controlplane.scripted import Scripted

USER = "11111111-1111-4111-8111-111111111111"
ID = "22222222-2222-4222-8222-222222222222"
AT = datetime(2026, 11, 27, 9, tzinfo=UTC)
S1 = f"{1:016x}"
DONE = CorrectionRequest(verdict="done", statement=S1)
TOKEN = {
    "id": ID,
    "name": "Laptop",
    "scopes": ["memory:read", "memory:correct"],
    "created_at": AT,
    "expires_at": AT,
    "used_at": None,
    "revoked_at": None,
}
PROPOSAL = {"id": ID, "verdict": "done", "statement": S1, "until": None, "name": "Laptop", "proposed_at": AT}
ASSISTANT = Assistant(ID, "Laptop", USER, ("memory:read", "memory:correct"), AT)


def fault(act: Any) -> tuple[int, str, str]:
    with pytest.raises(ApiFault) as refused:
        act()
    return refused.value.status, refused.value.code, refused.value.message


def test_a_token_is_known_by_its_digest_and_opens_its_users_memory() -> None:
    scripted = Scripted(assistant_of_token={**TOKEN, "user_id": USER})
    assert Assistants(scripted.database).require("cma_x") == ASSISTANT
    assert scripted.values("assistant_of_token") == [{"hash": hashlib.sha256(b"cma_x").digest()}]
    # What no encoding holds is no token either.
    assert fault(lambda: Assistants(Scripted().database).require("cma_\ud800"))[:2] == (401, "user_token_invalid")


def test_a_new_token_is_shown_once_and_only_its_digest_is_kept() -> None:
    def made(values: dict[str, Any]) -> dict[str, Any]:
        return {**TOKEN, "name": values["label"], "scopes": values["scopes"]}

    scripted = Scripted(
        lock_user={"user_id": USER}, count_assistant_tokens={"tokens": MOST_TOKENS - 1}, create_assistant_token=made
    )
    request = AssistantTokenRequest(name=" Laptop ", scopes=("memory:correct", "memory:read"), days=30)
    new = Assistants(scripted.database).create(USER, request)
    assert re.fullmatch(TOKEN_PATTERN, new.token)
    assert (new.id, new.name, new.scopes) == (ID, "Laptop", ("memory:read", "memory:correct"))
    [values] = scripted.values("create_assistant_token")
    assert (values["hash"], values["days"]) == (hashlib.sha256(new.token.encode()).digest(), 30)
    assert new.token not in str(scripted.ran)
    reason = "Laptop: memory:read, memory:correct"
    assert scripted.audits() == [("owner", "token.create", {"token": ID, "reason": reason})]
    again = Assistants(scripted.database).create(USER, request)
    assert again.token != new.token


def test_only_so_many_tokens_work_at_a_time_and_only_a_user_has_any() -> None:
    request = AssistantTokenRequest(name="Laptop")
    full = Scripted(lock_user={"user_id": USER}, count_assistant_tokens={"tokens": MOST_TOKENS})
    assert fault(lambda: Assistants(full.database).create(USER, request))[:2] == (409, "too_many_tokens")
    nobody = Scripted()
    assert fault(lambda: Assistants(nobody.database).create(USER, request))[:2] == (404, "user_not_found")
    assert full.ran == nobody.ran == []


def test_a_revoked_token_takes_its_proposals_along_once() -> None:
    ended = {**TOKEN, "revoked_at": AT}
    scripted = Scripted(revoke_assistant_token=ended)
    assert Assistants(scripted.database).revoke(USER, ID).revoked_at == AT
    assert scripted.values("drop_proposals_of_token") == [{"user_id": USER, "token_id": ID}]
    assert scripted.audits() == [("owner", "token.revoke", {"token": ID, "reason": "Laptop"})]
    again = Scripted(read_assistant_token=ended)
    assert Assistants(again.database).revoke(USER, ID).revoked_at == AT
    assert again.changes("drop_proposals_of_token", "audit") == []
    assert fault(lambda: Assistants(Scripted().database).revoke(USER, ID))[:2] == (404, "token_not_found")


def test_tokens_and_proposals_are_listed() -> None:
    service = Assistants(Scripted(list_assistant_tokens=[TOKEN], list_proposals=[PROPOSAL]).database)
    [token] = service.listed(USER).tokens
    assert (token.id, token.scopes) == (ID, ("memory:read", "memory:correct"))
    [proposal] = service.proposals(USER).proposals
    assert (proposal.id, proposal.statement, proposal.by, proposal.until) == (ID, S1, "Laptop", None)


def test_a_proposal_waits_and_old_ones_make_room() -> None:
    scripted = Scripted(
        lock_user={"user_id": USER},
        list_proposals=[],
        make_proposal=lambda values: {**PROPOSAL, "until": values["until"], "verdict": values["verdict"]},
    )
    later = CorrectionRequest(verdict="later", statement=S1, until=date(2026, 12, 2))
    proposal = Assistants(scripted.database).propose(ASSISTANT, later)
    assert (proposal.by, proposal.verdict, proposal.until) == ("Laptop", "later", "2026-12-02")
    assert scripted.changes("drop_old_proposals", "list_proposals") == ["drop_old_proposals", "list_proposals"]
    [values] = scripted.values("make_proposal")
    assert (values["user_id"], values["token_id"], values["statement"]) == (USER, ID, S1)


@table(
    ("waiting", "room"),
    [
        ([{**PROPOSAL, "statement": f"{number:016x}"} for number in range(2, 2 + MOST_PROPOSALS)], False),
        ([{**PROPOSAL, "statement": f"{number:016x}"} for number in range(2, 1 + MOST_PROPOSALS)], True),
        # The same proposal again is the one that waits.
        ([PROPOSAL] * MOST_PROPOSALS, True),
        ([{**PROPOSAL, "verdict": "wrong"}] * MOST_PROPOSALS, False),
    ],
)
def test_only_so_many_proposals_wait(waiting: list[dict[str, Any]], room: bool) -> None:
    scripted = Scripted(lock_user={"user_id": USER}, list_proposals=waiting, make_proposal=PROPOSAL)
    service = Assistants(scripted.database)
    if room:
        assert service.propose(ASSISTANT, DONE).id == ID
    else:
        status, code, message = fault(lambda: service.propose(ASSISTANT, DONE))
        assert (status, code) == (409, "too_many_proposals")
        assert str(MOST_PROPOSALS) in message


def test_who_may_only_read_proposes_nothing_and_nobody_for_an_account_that_is_gone() -> None:
    reading = ASSISTANT._replace(scopes=("memory:read",))
    scripted = Scripted()
    assert fault(lambda: Assistants(scripted.database).propose(reading, DONE))[:2] == (403, "scope_missing")
    assert fault(lambda: Assistants(scripted.database).propose(ASSISTANT, DONE))[:2] == (404, "user_not_found")
    assert scripted.ran == []


def test_what_the_owner_accepts_is_a_correction_of_theirs_and_what_they_decline_is_gone() -> None:
    taken = {"verdict": "later", "statement": S1, "until": date(2026, 12, 2)}
    scripted = Scripted(
        take_proposal=taken, lock_user={"user_id": USER}, erasure_of={"key": "ab" * 32}, make_correction=correction
    )
    made = Assistants(scripted.database).decide(USER, ID, accept=True).correction
    assert made is not None
    assert (made.verdict, made.statement, made.until, made.made_by) == ("later", S1, "2026-12-02", "user")
    assert [action for _, action, _ in scripted.audits()] == ["correction.make"]
    declined = Scripted(take_proposal=taken)
    assert Assistants(declined.database).decide(USER, ID, accept=False).correction is None
    assert [query for query, _ in declined.ran] == ["take_proposal"]
    gone = Assistants(Scripted().database)
    assert fault(lambda: gone.decide(USER, ID, accept=True))[:2] == (404, "proposal_not_found")


def correction(values: dict[str, Any]) -> dict[str, Any]:
    """The row of a correction that was just made."""
    times = {"made_at": AT, "placed_at": None, "undone_at": None}
    return {**values, **times, "id": ID, "about": None, "made_by": values["by"]}
