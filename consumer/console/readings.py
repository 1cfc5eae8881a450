"""Whose memory an operator may look into: of each user that they gave a reason for, until the session ends.

What the audit was not told is not shown. The reason is asked for once a session and user; each file that is opened
after that is a line of the console's log.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from consumer.console.actions import reason
from consumer.console.requests import Ask
from consumer.console.sessions import LIFE
from contract.api import BucketDeedRequest
from service import telemetry

if TYPE_CHECKING:
    from consumer.bootstrap import Operations


@dataclass
class Readings:
    """What operators gave a reason for. Thread-safe; forgotten when the process ends."""

    operations: Operations
    #: (session's nonce, user) -> when the session began, seconds since the epoch.
    _known: dict[tuple[str, str], float] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def allowed(self, ask: Ask) -> bool:
        """Whether this session has said why it reads the memory of the address's user."""
        with self._lock:
            return (ask.session.nonce, ask.path["user_id"]) in self._known

    def begin(self, ask: Ask) -> None:
        """Tell the audit why, as the form says; from then on the session may read.

        Raises:
            Refused: no reason, or too long.
            ConsumerError: the control plane did not take it; nothing may be read.
        """
        user_id = ask.path["user_id"]
        request = {
            "action": "workspace.read",
            "user_id": user_id,
            "reason": reason(ask),
            "details": {"verb": "console"},
        }
        self.operations.acting_for(ask.session.operator).note_deed(BucketDeedRequest.model_validate(request))
        telemetry.log("console_reading", operator=ask.session.operator, user_id=user_id)
        over = self.operations.clock.now().timestamp() - LIFE.total_seconds()
        with self._lock:
            self._known = {key: began for key, began in self._known.items() if began > over}
            self._known[ask.session.nonce, user_id] = ask.session.began
