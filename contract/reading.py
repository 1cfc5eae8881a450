"""The right to read one user's memory, as the control plane gives it to the reader. Errors as in ``contract.api``."""

from __future__ import annotations

from pydantic import AwareDatetime

from contract.api import Wire
from contract.event import Uuid
from contract.overlay import EMPTY, Overlay


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
