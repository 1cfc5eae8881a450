"""What a command does before it changes a user's bucket: it takes the lock and records the reason in the audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from consumer.locking.exclusive import Exclusive
from contract.api import BucketDeed, BucketDeedRequest

if TYPE_CHECKING:
    from consumer.bootstrap import Operations


def exclusive(operations: Operations) -> Exclusive:
    """Takes users' locks in the operator's name."""
    return Exclusive(operations.locks, operations.workspaces, operations.operator)


def note(operations: Operations, action: BucketDeed, user: str, reason: str, **details: str | int) -> None:
    """Record an action in the audit before it is done: without a trace it would look like a fault.

    Called under the lock, so that an action that waits is recorded once. Raises ControlPlaneUnavailable, NotAllowed.
    """
    request = {"action": action, "user_id": user, "reason": reason, "details": details}
    operations.api.note_deed(BucketDeedRequest.model_validate(request))
