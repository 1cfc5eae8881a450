"""The control plane over HTTP, as the reader calls it (docs/contract.md, "Calls of the reader")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from consumer.clients.identity import Identity
from consumer.errors import IdentityUnavailable
from contract.api import AccessList, ApiError, Wire, error_of
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
    ShowForgetRequest,
    ShownForget,
)
from contract.overlay import CorrectionList, CorrectionRequest, CorrectionView
from contract.reading import ReadGrant
from reader.errors import CallRefusal, unavailable

_CALLS: Final = "/api/internal/memory-reader"
TIMEOUT_S: Final = 10.0
#: The control plane refuses the reader itself; the user can do nothing about it.
_OURS: Final = frozenset({"identity_invalid", "not_allowed", "token_missing"})
#: The code of an answer that is not the control plane's.
_UNREADABLE: Final = "unreadable"
#: Refusals that the caller can do something about.
_OF_CALLERS: Final = frozenset(
    {
        *("job_not_found", "claim_not_found", "correction_not_found", "too_many_corrections"),
        *("token_not_found", "too_many_tokens", "proposal_not_found", "too_many_proposals"),
        *("forget_changed", "forget_expired", "forget_not_shown", "forget_ordered", "erasure_begun"),
        *("order_not_found", "exclusion_not_found", "rule_not_found"),
    }
)
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class HttpReaderCalls:
    """``identity`` gives the reader's own ID token for ``audience``."""

    client: httpx.Client
    url: str
    audience: str
    identity: Identity

    def grant(self, user_token: str) -> ReadGrant:
        """See ``grants.ReaderCalls``."""
        return self._call("grants", {"user_token": user_token}, ReadGrant)

    def access(self, user_token: str, after: int | None) -> AccessList:
        """See ``grants.ReaderCalls``."""
        return self._call("access", {"user_token": user_token, "after": after}, AccessList)

    def corrections(self, user_token: str) -> CorrectionList:
        """See ``grants.ReaderCalls``."""
        return self._call("corrections/list", {"user_token": user_token}, CorrectionList)

    def correct(self, user_token: str, request: CorrectionRequest) -> CorrectionView:
        """See ``grants.ReaderCalls``."""
        body = {"user_token": user_token, "correction": request.model_dump(mode="json", exclude_none=True)}
        return self._call("corrections", body, CorrectionView)

    def undo(self, user_token: str, correction_id: str) -> CorrectionView:
        """See ``grants.ReaderCalls``."""
        return self._call(
            "corrections/undo", {"user_token": user_token, "correction_id": correction_id}, CorrectionView
        )

    def show_forget(self, user_token: str, records: Sequence[RecordRef], selection: str, head_seq: int) -> ShownForget:
        """See ``grants.ReaderCalls``."""
        request = ShowForgetRequest(
            user_token=user_token, records=tuple(records), selection=selection, head_seq=head_seq
        )
        return self._call("forgets/show", request.model_dump(mode="json"), ShownForget)

    def confirm_forget(self, request: ConfirmForgetRequest) -> ConfirmedForget:
        """See ``grants.ReaderCalls``."""
        return self._call("forgets", request.model_dump(mode="json"), ConfirmedForget)

    def order_export(self, user_token: str) -> OrderView:
        """See ``grants.ReaderCalls``."""
        return self._call("exports", {"user_token": user_token}, OrderView)

    def orders(self, user_token: str) -> OrderList:
        """See ``grants.ReaderCalls``."""
        return self._call("orders/list", {"user_token": user_token}, OrderList)

    def order(self, user_token: str, order_id: str) -> OrderView:
        """See ``grants.ReaderCalls``."""
        return self._call("orders/show", {"user_token": user_token, "order_id": order_id}, OrderView)

    def switch_rule(self, user_token: str, source: str, record_id: str, *, on: bool) -> None:
        """See ``grants.ReaderCalls``."""
        body = {"user_token": user_token, "source_key": source, "record_id": record_id, "on": on}
        self._call("rules/switch", body, Wire)

    def exclusions(self, user_token: str) -> ExclusionList:
        """See ``grants.ReaderCalls``."""
        return self._call("exclusions/list", {"user_token": user_token}, ExclusionList)

    def end_exclusion(self, user_token: str, exclusion_id: str) -> None:
        """See ``grants.ReaderCalls``."""
        self._call("exclusions/end", {"user_token": user_token, "exclusion_id": exclusion_id}, Wire)

    def tokens(self, user_token: str) -> AssistantTokenList:
        """See ``grants.ReaderCalls``."""
        return self._call("tokens/list", {"user_token": user_token}, AssistantTokenList)

    def create_token(self, user_token: str, request: AssistantTokenRequest) -> NewAssistantToken:
        """See ``grants.ReaderCalls``."""
        body = {"user_token": user_token, "token": request.model_dump(mode="json")}
        return self._call("tokens", body, NewAssistantToken)

    def revoke_token(self, user_token: str, token_id: str) -> AssistantTokenView:
        """See ``grants.ReaderCalls``."""
        return self._call("tokens/revoke", {"user_token": user_token, "token_id": token_id}, AssistantTokenView)

    def proposals(self, user_token: str) -> ProposalList:
        """See ``grants.ReaderCalls``."""
        return self._call("proposals/list", {"user_token": user_token}, ProposalList)

    def propose(self, assistant_token: str, request: CorrectionRequest) -> Proposal:
        """See ``grants.ReaderCalls``."""
        body = {"user_token": assistant_token, "correction": request.model_dump(mode="json", exclude_none=True)}
        return self._call("proposals", body, Proposal)

    def decide(self, user_token: str, proposal_id: str, *, accept: bool) -> Decided:
        """See ``grants.ReaderCalls``."""
        body = {"user_token": user_token, "proposal_id": proposal_id, "accept": accept}
        return self._call("proposals/decide", body, Decided)

    def _call(self, name: str, body: dict[str, Any], form: type[Model]) -> Model:
        answer = self._sent(name, body)
        if answer.status_code == 401 and _error(answer).code == "identity_invalid":
            # The kept ID token may have been signed by a key that was withdrawn since.
            self.identity.drop(self.audience)
            answer = self._sent(name, body)
        if answer.status_code != 200:
            raise _refusal(answer)
        try:
            return form.model_validate_json(answer.content)
        except ValidationError as exc:
            raise unavailable("controlplane_unavailable", "The control plane's answer cannot be read") from exc

    def _sent(self, name: str, body: dict[str, Any]) -> httpx.Response:
        try:
            headers = {"authorization": f"Bearer {self.identity.token(self.audience)}"}
            return self.client.post(f"{self.url}{_CALLS}/{name}", json=body, headers=headers, timeout=TIMEOUT_S)
        except (httpx.HTTPError, IdentityUnavailable) as exc:
            raise unavailable("controlplane_unavailable", "The control plane does not answer") from exc


def _refusal(answer: httpx.Response) -> CallRefusal:
    error = _error(answer)
    users = answer.status_code in (401, 403) or error.code in _OF_CALLERS
    if error.code in (*_OURS, _UNREADABLE) or answer.status_code >= 500 or not users:
        return unavailable(
            "controlplane_unavailable", f"The control plane refuses the reader ({answer.status_code} {error.code})"
        )
    return CallRefusal(answer.status_code, error.code, error.message, hint=error.hint, retryable=error.retryable)


def _error(answer: httpx.Response) -> ApiError:
    """Its code is ``_UNREADABLE`` where something between reader and control plane answered."""
    error = error_of(answer.headers.get("content-type"), answer.content)
    return error or ApiError(code=_UNREADABLE, message="")
