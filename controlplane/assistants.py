"""Tokens of users' own assistants, and the corrections that these propose.

A token has 256 random bits, so its SHA-256 is enough to recognise it and tells nothing. A proposal changes nothing: an
assistant reads what others wrote, and an instruction in it must not be able to change a memory. Only the owner's
acceptance makes a correction of it.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, NamedTuple

from contract.assistants import (
    CORRECT,
    PREFIX,
    AssistantScope,
    AssistantTokenList,
    AssistantTokenRequest,
    AssistantTokenView,
    Decided,
    NewAssistantToken,
    Proposal,
    ProposalList,
)
from contract.overlay import CorrectionRequest
from controlplane.corrections import OWNER, USER, make, view
from controlplane.db import Database, Row
from controlplane.errors import ApiFault, existing

#: Tokens of one user that work at the same time, and proposals that wait.
MOST_TOKENS: Final = 20
MOST_PROPOSALS: Final = 100


class Assistant(NamedTuple):
    """Whose assistant holds a token, and what it may do."""

    token_id: str
    name: str
    user_id: str
    scopes: tuple[AssistantScope, ...]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Assistants:
    database: Database

    def require(self, token: str) -> Assistant:
        """The assistant that holds a token. Raises ApiFault 401 user_token_invalid: unknown, ended or revoked."""
        with self.database.transaction() as tx:
            row = tx.row("assistant_of_token", hash=_hash(token))
        if row is None:
            raise ApiFault(
                401,
                "user_token_invalid",
                "the assistant's token is unknown, expired or revoked",
                hint='Create a new one in "My memory", under Access.',
            )
        return Assistant(str(row["id"]), row["name"], str(row["user_id"]), tuple(row["scopes"]), row["expires_at"])

    def create(self, user_id: str, request: AssistantTokenRequest) -> NewAssistantToken:
        """A new token; a repeat makes another one, because the first cannot be shown again.

        Raises ApiFault 404 user_not_found; 409 too_many_tokens.
        """
        token = PREFIX + secrets.token_urlsafe(32)
        with self.database.transaction() as tx:
            existing(tx.row("lock_user", user_id=user_id), "user", user_id)
            count = tx.only("count_assistant_tokens", user_id=user_id)["tokens"]
            if count >= MOST_TOKENS:
                message = f"this user has {count} valid tokens, which is the maximum"
                raise ApiFault(409, "too_many_tokens", message, hint="Revoke one first.")
            scopes = sorted(set(request.scopes), reverse=True)
            row = tx.only(
                "create_assistant_token",
                user_id=user_id,
                label=request.name.strip(),
                scopes=scopes,
                hash=_hash(token),
                days=request.days,
            )
            reason = f"{row['name']}: {', '.join(scopes)}"
            tx.audit(OWNER, "token.create", user_id, token=str(row["id"]), reason=reason)
        return NewAssistantToken(**_token(row).model_dump(), token=token)

    def listed(self, user_id: str) -> AssistantTokenList:
        with self.database.transaction() as tx:
            rows = tx.rows("list_assistant_tokens", user_id=user_id)
        return AssistantTokenList(tokens=tuple(map(_token, rows)))

    def revoke(self, user_id: str, token_id: str) -> AssistantTokenView:
        """End a token now; what it proposed and nobody answered goes too. Repeatable.

        Raises ApiFault 404 token_not_found: this user has none with that id.
        """
        with self.database.transaction() as tx:
            row = tx.row("revoke_assistant_token", user_id=user_id, id=token_id)
            if row is not None:
                tx.run("drop_proposals_of_token", user_id=user_id, token_id=token_id)
                tx.audit(OWNER, "token.revoke", user_id, token=token_id, reason=row["name"])
            else:
                row = tx.row("read_assistant_token", user_id=user_id, id=token_id)
        return _token(existing(row, "token", token_id))

    # --- proposals -----------------------------------------------------------------------------------------------

    def propose(self, assistant: Assistant, request: CorrectionRequest) -> Proposal:
        """Note what an assistant proposes. The same proposal again is the one that waits; another day counts.

        Raises ApiFault 403 scope_missing; 409 too_many_proposals.
        """
        if CORRECT not in assistant.scopes:
            raise scope_missing(CORRECT)
        with self.database.transaction() as tx:
            existing(tx.row("lock_user", user_id=assistant.user_id), "user", assistant.user_id)
            tx.run("drop_old_proposals", user_id=assistant.user_id)
            waiting = tx.rows("list_proposals", user_id=assistant.user_id)
            same = [(row["verdict"], row["statement"]) for row in waiting]
            if len(waiting) >= MOST_PROPOSALS and (request.verdict, request.statement) not in same:
                message = f"{len(waiting)} proposals wait for the owner, which is the maximum"
                raise ApiFault(409, "too_many_proposals", message, hint="The owner answers them in My memory.")
            row = tx.only(
                "make_proposal",
                user_id=assistant.user_id,
                token_id=assistant.token_id,
                verdict=request.verdict,
                statement=request.statement,
                until=request.until,
            )
        return _proposal({**row, "name": assistant.name})

    def proposals(self, user_id: str) -> ProposalList:
        with self.database.transaction() as tx:
            rows = tx.rows("list_proposals", user_id=user_id)
        return ProposalList(proposals=tuple(map(_proposal, rows)))

    def decide(self, user_id: str, proposal_id: str, *, accept: bool) -> Decided:
        """The owner's answer: the correction is made, and the proposal is gone, in one transaction.

        Raises ApiFault 404 proposal_not_found: there is none, or it was answered; and as ``Corrections.make``.
        """
        with self.database.transaction() as tx:
            row = existing(tx.row("take_proposal", user_id=user_id, id=proposal_id), "proposal", proposal_id)
            if not accept:
                return Decided()
            request = CorrectionRequest(verdict=row["verdict"], statement=row["statement"], until=_day(row["until"]))
            return Decided(correction=view(make(tx, USER, user_id, request)))


def scope_missing(scope: AssistantScope) -> ApiFault:
    """403: a token that may not do this."""
    return ApiFault(
        403, "scope_missing", f"this token lacks the scope {scope}", hint="The owner can create one that has it."
    )


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _day(value: object) -> date | None:
    return value if isinstance(value, date) else None


def _token(row: Row) -> AssistantTokenView:
    return AssistantTokenView.model_validate({**row, "id": str(row["id"])})


def _proposal(row: Row) -> Proposal:
    until = row["until"].isoformat() if row["until"] else None
    return Proposal.model_validate({**row, "id": str(row["id"]), "until": until, "by": row["name"]})
