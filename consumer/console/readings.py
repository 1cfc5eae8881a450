"""Which users' memory an operator may read: those they gave a reason for, until the session ends.

Nothing is shown before the audit has the reason. The console asks once per session and user, and logs each opened file.
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
    """The users that operators gave a reason for. Thread-safe; lost when the process ends."""

    operations: Operations
    #: (session's nonce, user) -> when the session began, seconds since the epoch.
    _known: dict[tuple[str, str], float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def allowed(self, ask: Ask) -> bool:
        """Whether this session gave a reason to read the memory of the address's user."""
        with self._lock:
            return (ask.session.nonce, ask.path["user_id"]) in self._known

    def begin(self, ask: Ask) -> None:
        """Record the form's reason in the audit; from then on the session may read.

        Raises RequestRefusal: no reason, or too long. ConsumerError: the control plane did not record it; nothing may
        be read.
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
