"""What a command that changes a user's bucket does first: it takes the user's lock, and tells the audit why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from consumer.locking.exclusive import Exclusive
from contract.api import BucketDeed, BucketDeedRequest

if TYPE_CHECKING:
    from consumer.bootstrap import Operations


def exclusive(operations: Operations) -> Exclusive:
    """Takes the lock of a user in the operator's name."""
    return Exclusive(operations.locks, operations.workspaces, operations.operator)


def note(operations: Operations, action: BucketDeed, user: str, reason: str, **details: str | int) -> None:
    """Tell the audit first: what is done to the bucket and left no trace could not be told from what a fault did.

    Under the lock, so that an action that has to wait is told once. Raises ControlPlaneUnavailable, NotAllowed.
    """
    request = {"action": action, "user_id": user, "reason": reason, "details": details}
    operations.api.note_deed(BucketDeedRequest.model_validate(request))
