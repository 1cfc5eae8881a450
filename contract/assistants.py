"""Tokens for a user's own assistants, and the corrections that these propose: what the reader asks the control plane.

An assistant's token is ``cma_`` and 43 characters, stored hashed. It opens the reader's ``/mcp`` and nothing else.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from contract.api import ReadGrantRequest, Wire
from contract.event import Uuid
from contract.overlay import CorrectionRequest, CorrectionView

#: Begins every token, so that a leaked one is recognised, and none is mistaken for a token of the app.
PREFIX: Final = "cma_"
TOKEN_PATTERN: Final = r"cma_[A-Za-z0-9_-]{43}"
#: ``memory:read``: everything that is told. ``memory:correct``: to propose corrections, which the owner confirms.
AssistantScope = Literal["memory:read", "memory:correct"]
READ: Final[AssistantScope] = "memory:read"
CORRECT: Final[AssistantScope] = "memory:correct"
MOST_DAYS: Final = 365


class AssistantTokenRequest(Wire):
    """``name``: the user's own word for the assistant. ``days``: until the token ends."""

    name: Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]
    scopes: Annotated[tuple[AssistantScope, ...], Field(min_length=1, max_length=2)] = (READ,)
    days: Annotated[int, Field(ge=1, le=MOST_DAYS)] = 90

    @model_validator(mode="after")
    def _reads(self) -> Self:
        if READ not in self.scopes:
            raise ValueError(f"scopes must contain {READ}: an assistant corrects only what it may read")
        return self


class AssistantTokenView(Wire):
    """``used_at``: when it was last used, to the hour."""

    id: Uuid
    name: str
    scopes: tuple[AssistantScope, ...]
    created_at: AwareDatetime
    expires_at: AwareDatetime
    used_at: AwareDatetime | None = None
    revoked_at: AwareDatetime | None = None


class NewAssistantToken(AssistantTokenView):
    """``token`` is shown this once."""

    token: str


class AssistantTokenList(Wire):
    """Newest first; those that ended too, for 90 days."""

    tokens: tuple[AssistantTokenView, ...] = ()


class Proposal(Wire):
    """A correction that an assistant proposes. It changes nothing until the owner accepts it; unanswered, it ends
    after 30 days. ``by``: the token's name.
    """

    id: Uuid
    verdict: str
    statement: str
    until: str | None = None
    by: str
    proposed_at: AwareDatetime


class ProposalList(Wire):
    """Those that wait for the owner, newest first."""

    proposals: tuple[Proposal, ...] = ()


class Decided(Wire):
    """``correction``: the one that was made; None: it was declined."""

    correction: CorrectionView | None = None


class OwnTokenRequest(ReadGrantRequest):
    token: AssistantTokenRequest


class OwnTokenRevokeRequest(ReadGrantRequest):
    token_id: Uuid


class ProposeRequest(ReadGrantRequest):
    """``user_token`` is an assistant's, with the scope ``memory:correct``. The correction names a ``statement``."""

    correction: CorrectionRequest

    @model_validator(mode="after")
    def _names_a_statement(self) -> Self:
        if self.correction.statement is None:
            raise ValueError("a proposal must name a statement")
        return self


class DecideRequest(ReadGrantRequest):
    proposal_id: Uuid
    accept: bool
