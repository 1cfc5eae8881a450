"""Calls by which users let assistants of their own in, and answer what these propose. The routes are in ``CALLS`` and
``POSTS``. Each needs the user's own access token: an assistant cannot make a token, or accept its own proposal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pydantic import BaseModel
from starlette.requests import Request

from contract.assistants import AssistantTokenRequest
from reader.bodies import id_of, sent
from reader.service import ReaderService
from reader.wire import CorrectionEntry, ProposalAnswer, ProposalDecision

Call = Callable[[ReaderService, str, Request], BaseModel]


def tokens(service: ReaderService, token: str, _: Request) -> BaseModel:
    return service.look(token, lambda plane: plane.tokens(token))


def create_token(service: ReaderService, token: str, request: Request) -> BaseModel:
    wanted = sent(request, AssistantTokenRequest)
    return service.change(token, lambda plane: plane.create_token(token, wanted))


def revoke_token(service: ReaderService, token: str, request: Request) -> BaseModel:
    token_id = id_of(request.path_params["token_id"], "token")
    return service.change(token, lambda plane: plane.revoke_token(token, token_id))


def proposals(service: ReaderService, token: str, _: Request) -> BaseModel:
    return service.look(token, lambda plane: plane.proposals(token))


def decide(service: ReaderService, token: str, request: Request) -> BaseModel:
    proposal_id = id_of(request.path_params["proposal_id"], "proposal")
    return answered(service, token, proposal_id, accept=sent(request, ProposalAnswer).accept)


def answered(service: ReaderService, token: str, proposal_id: str, *, accept: bool) -> ProposalDecision:
    """The owner's answer to a proposal. Raises CallRefusal 404."""
    made = service.change(token, lambda plane: plane.decide(token, proposal_id, accept=accept)).correction
    return ProposalDecision(correction=CorrectionEntry.of(made) if made else None)


CALLS: Final[tuple[tuple[str, Call], ...]] = (("/v1/me/tokens", tokens), ("/v1/me/proposals", proposals))
POSTS: Final[tuple[tuple[str, Call], ...]] = (
    ("/v1/me/tokens", create_token),
    ("/v1/me/tokens/{token_id}/revoke", revoke_token),
    ("/v1/me/proposals/{proposal_id}", decide),
)
