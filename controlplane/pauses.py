"""Pauses of the queue: operators withhold the jobs of one user or of everybody, and let them go again.

While a pause is in force the publisher publishes no open job, and the token exchange begins no attempt. Attempts that
run go on, jobs are planned, submitted and replayed as ever, and erasures of deleted accounts are carried out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from contract.api import EVERYBODY, PauseList, PauseRequest, PauseView
from controlplane.db import Database, Tx
from controlplane.errors import ApiFault, existing

#: Pauses in one listing.
LISTED: Final = 100


@dataclass(frozen=True, slots=True)
class Pauses:
    """``actor``: the operator's e-mail address, for the audit."""

    database: Database

    def listed(self) -> PauseList:
        """The pauses in force."""
        with self.database.transaction() as tx:
            return pauses(tx)

    def pause(self, actor: str, request: PauseRequest) -> PauseView:
        """Begin a pause. Repeatable: one that is in force stays as it is, with its reason.

        Raises ApiFault 404 user_not_found: the user has no workspace.
        """
        with self.database.transaction() as tx:
            if request.target != EVERYBODY:
                existing(tx.row("workspace_of", user_id=request.target), "user", request.target)
            row = tx.row("pause_queue", target=request.target, by=actor, reason=request.reason)
            if row is None:
                return PauseView.model_validate(tx.row("read_pause", target=request.target))
            _audit(tx, actor, "queue.pause", request)
        return PauseView.model_validate(row)

    def resume(self, actor: str, request: PauseRequest) -> PauseView:
        """End a pause, and wake the publisher. Raises ApiFault 404 pause_not_found: none of this target is in force."""
        with self.database.transaction() as tx:
            row = tx.row("resume_queue", target=request.target, by=actor)
            if row is None:
                raise ApiFault(
                    404,
                    "pause_not_found",
                    f"no pause of {_whose(request)} is in force",
                    hint="`cloop-memory queue status` lists the pauses that are.",
                )
            _audit(tx, actor, "queue.resume", request)
            tx.row("nudge_publisher")
        return PauseView.model_validate(row)


def pauses(tx: Tx) -> PauseList:
    """The pauses in force, that of everybody first."""
    rows = tx.rows("pauses", limit=LISTED + 1)
    views = tuple(PauseView.model_validate(row) for row in rows[:LISTED])
    return PauseList(pauses=views, more=len(rows) > LISTED)


def _whose(request: PauseRequest) -> str:
    return "everybody" if request.target == EVERYBODY else f"user {request.target}"


def _audit(tx: Tx, actor: str, action: str, request: PauseRequest) -> None:
    user_id = None if request.target == EVERYBODY else request.target
    tx.audit(actor, action, user_id, target=request.target, reason=request.reason)
