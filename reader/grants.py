"""
The right to read, one for each access token of a user, kept for a minute at most.

The control plane decides. While a grant is kept, a deleted account can still read; hence the minute. A refusal is kept
too, so that a client that repeats a bad token does not become load on the control plane.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Protocol

from contract.api import AccessList
from contract.assistants import (
    TOKEN_PATTERN,
    AssistantScope,
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
from contract.overlay import CorrectionList, CorrectionRequest, CorrectionView, Overlay
from contract.reading import ReadGrant
from reader.errors import CallRefusal, sign_in_again

#: How long the control plane's answer counts.
KEEP_S: Final = 60.0
#: A bucket token with less life left is not used: a request must not outlive it.
MARGIN: Final = timedelta(seconds=30)
#: Answers kept.
ANSWERS: Final = 20_000
#: Statuses of refusals that are kept; any other may be gone at once.
KEPT_STATUSES: Final = frozenset({401, 403})
_JWT: Final = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
_ASSISTANTS: Final = re.compile(TOKEN_PATTERN, re.ASCII)
MAX_TOKEN: Final = 8192


class ReaderCalls(Protocol):
    """The control plane's calls for the reader. Raise CallRefusal: the control plane's own, or 503."""

    def grant(self, user_token: str) -> ReadGrant: ...
    def access(self, user_token: str, after: int | None) -> AccessList: ...
    def corrections(self, user_token: str) -> CorrectionList: ...
    def correct(self, user_token: str, request: CorrectionRequest) -> CorrectionView: ...
    def undo(self, user_token: str, correction_id: str) -> CorrectionView: ...
    def show_forget(
        self, user_token: str, records: Sequence[RecordRef], selection: str, head_seq: int
    ) -> ShownForget: ...
    def confirm_forget(self, request: ConfirmForgetRequest) -> ConfirmedForget: ...
    def order_export(self, user_token: str) -> OrderView: ...
    def orders(self, user_token: str) -> OrderList: ...
    def order(self, user_token: str, order_id: str) -> OrderView: ...
    def switch_rule(self, user_token: str, source: str, record_id: str, *, on: bool) -> None: ...
    def exclusions(self, user_token: str) -> ExclusionList: ...
    def end_exclusion(self, user_token: str, exclusion_id: str) -> None: ...
    def tokens(self, user_token: str) -> AssistantTokenList: ...
    def create_token(self, user_token: str, request: AssistantTokenRequest) -> NewAssistantToken: ...
    def revoke_token(self, user_token: str, token_id: str) -> AssistantTokenView: ...
    def proposals(self, user_token: str) -> ProposalList: ...
    def propose(self, assistant_token: str, request: CorrectionRequest) -> Proposal: ...
    def decide(self, user_token: str, proposal_id: str, *, accept: bool) -> Decided: ...


@dataclass(frozen=True, slots=True)
class Grant:
    """The right to read one user's memory. ``until``: whichever of the two tokens ends first. ``scopes``: what an
    assistant's token may do; None: the token is the user's own.
    """

    user_id: str
    bucket: str
    prefix: str
    bucket_token: str
    until: datetime
    overlay: Overlay
    scopes: frozenset[AssistantScope] | None = None


def is_assistants(token: str) -> bool:
    """Whether a token has the form of an assistant's, which opens ``/mcp`` alone."""
    return _ASSISTANTS.fullmatch(token) is not None


_Kept = tuple[float, Grant | CallRefusal]


@dataclass
class Grants:
    """Thread-safe."""

    controlplane: ReaderCalls
    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    _kept: OrderedDict[bytes, _Kept] = field(default_factory=OrderedDict, repr=False)
    #: How often grants were dropped: an answer that was asked for before must not be kept after.
    _drops: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, user_token: str, *, fresh: bool = False) -> Grant:
        """The grant of a token's user. ``fresh``: ask the control plane, whatever is kept.

        Raises CallRefusal 401 the token is not valid, 403 no memory or no account, 503 the control plane does not
        answer.
        """
        if len(user_token) > MAX_TOKEN or not (_JWT.fullmatch(user_token) or is_assistants(user_token)):
            raise sign_in_again()
        key = hashlib.sha256(user_token.encode()).digest()
        with self._lock:
            kept = self._kept.get(key)
        if kept is None or fresh or not self._counts(kept):
            kept = self._asked(key, user_token)
        if isinstance(kept[1], CallRefusal):
            raise kept[1]
        return kept[1]

    def drop(self, user_id: str) -> None:
        """Ask anew for every grant of this user, because their overlay has changed."""
        with self._lock:
            self._drops += 1
            kept = [key for key, (_, answer) in self._kept.items() if _is_of(answer, user_id)]
            for key in kept:
                del self._kept[key]

    def _counts(self, kept: _Kept) -> bool:
        if self.monotonic() - kept[0] >= KEEP_S:
            return False
        return isinstance(kept[1], CallRefusal) or self.now() < kept[1].until

    def _asked(self, key: bytes, user_token: str) -> _Kept:
        # Timed from before the call: the account may have ended while it was made.
        asked_at, drops = self.monotonic(), self._drops
        answer: Grant | CallRefusal
        try:
            answer = self._grant(self.controlplane.grant(user_token))
        except CallRefusal as refusal:
            if refusal.status not in KEPT_STATUSES:
                raise
            answer = refusal
        with self._lock:
            if drops != self._drops:
                return asked_at, answer
            self._kept[key] = (asked_at, answer)
            self._kept.move_to_end(key)
            while len(self._kept) > ANSWERS:
                self._kept.popitem(last=False)
        return asked_at, answer

    def _grant(self, given: ReadGrant) -> Grant:
        if given.prefix != f"users/{given.user_id}/":
            raise CallRefusal(500, "internal_error", "The control plane granted another prefix than the user's")
        until = min(given.bucket_token_expires_at - MARGIN, given.user_token_expires_at)
        if until <= self.now():
            # Whatever the clocks say: a grant without life left would be asked for with every request.
            raise sign_in_again()
        scopes = None if given.scopes is None else frozenset(given.scopes)
        return Grant(given.user_id, given.bucket, given.prefix, given.bucket_token, until, given.overlay, scopes)


def _is_of(answer: Grant | CallRefusal, user_id: str) -> bool:
    return isinstance(answer, Grant) and answer.user_id == user_id
