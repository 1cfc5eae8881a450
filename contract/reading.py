"""What the reader asks of the control plane for a user: the right to read, and the user's corrections.

Errors as in ``contract.api``.
"""

from __future__ import annotations

from pydantic import AwareDatetime

from contract.api import ReadGrantRequest, Wire
from contract.assistants import AssistantScope
from contract.event import Uuid
from contract.overlay import EMPTY, CorrectionRequest, Overlay


class ReadGrant(Wire):
    """The right to read one user's memory.

    ``bucket_token`` reads objects of ``bucket`` whose names begin with ``prefix``, and nothing else, for at most 15
    minutes. The grant ends with either token; whoever keeps it asks again within a minute, because the account may end.
    """

    user_id: Uuid
    bucket: str
    prefix: str
    bucket_token: str
    bucket_token_expires_at: AwareDatetime
    user_token_expires_at: AwareDatetime
    overlay: Overlay = EMPTY
    #: What the token of an assistant may do; None: the token is the user's own.
    scopes: tuple[AssistantScope, ...] | None = None


class OwnCorrectionRequest(ReadGrantRequest):
    """A correction that the token's user makes."""

    correction: CorrectionRequest


class OwnUndoRequest(ReadGrantRequest):
    """A correction that the token's user takes back."""

    correction_id: Uuid
