"""
Readers' verdicts on single claims: the rule that pauses an agent that is wrong too often, and whether operators should
be told that too few claims are useful.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from contract.api import MarkList, MarkRequest, MarkResponse, MarkView, SetFlagRequest, Usefulness
from contract.overlay import CorrectionRequest
from controlplane import corrections, flags
from controlplane.db import Database, Tx
from controlplane.errors import existing

#: Synthesis pauses for a user when more than this share of the marked claims is wrong.
WRONG_SHARE: Final = 0.05
#: The rule applies from this many marks on. At 20, one wrong claim is exactly the share and two are above it, so one
#: mistaken verdict pauses no memory; with fewer marks it would.
LEAST_MARKS: Final = 20
#: Operators are told when less than this share of the marked claims is useful, from as many marks on.
USEFUL_SHARE: Final = 0.5
#: Users who are named to operators.
_MOST_USERS: Final = 10
#: The actor that sets the flag then, in the audit and in the flag itself.
RULE: Final = "pause rule"


@dataclass(frozen=True, slots=True)
class Feedback:
    database: Database

    def mark(self, actor: str, job_id: str, request: MarkRequest) -> MarkResponse:
        """Record a verdict on a claim; a later one replaces it, the audit keeps both. May pause the user's synthesis.

        ``wrong`` is also a correction: no later report says so again. Another verdict takes that back.

        Raises ApiFault 404 job_not_found, 404 claim_not_found: the job's report numbers no such claim.
        """
        with self.database.transaction() as tx:
            user_id = str(existing(tx.row("read_job", job_id=job_id), "job", job_id)["user_id"])
            tx.row("lock_user", user_id=user_id)
            corrections.require_claim(tx, job_id, request.claim)
            tx.run("mark_claim", job_id=job_id, user_id=user_id, marked_by=actor, **request.model_dump())
            if request.verdict == "wrong":
                wrong = CorrectionRequest(verdict="wrong", job_id=job_id, claim=request.claim)
                corrections.make(tx, actor, user_id, wrong, audited=False)
            else:
                corrections.undo_claim(tx, actor, user_id, job_id, request.claim)
            tx.audit(actor, "claim.mark", user_id, job_id, **request.model_dump())
            counts = tx.only("count_marks", user_id=user_id, rule=RULE)
            paused = request.verdict == "wrong" and too_often(counts["marks"], counts["wrong"])
            if paused:
                _pause(tx, user_id, counts["marks"], counts["wrong"])
            return MarkResponse(**counts, paused=paused)

    def marks(self, job_id: str) -> MarkList:
        """Every verdict on this job's claims. Raises ApiFault 404 job_not_found."""
        with self.database.transaction() as tx:
            existing(tx.row("read_job", job_id=job_id), "job", job_id)
            rows = tx.rows("list_marks", job_id=job_id)
        return MarkList(marks=tuple(MarkView.model_validate(row) for row in rows))

    def usefulness(self) -> Usefulness:
        """See ``Usefulness``."""
        with self.database.transaction() as tx:
            return usefulness(tx)


def usefulness(tx: Tx) -> Usefulness:
    row = tx.only("usefulness", least=LEAST_MARKS, share=USEFUL_SHARE)
    too_few = row["marks"] >= LEAST_MARKS and row["useful"] < USEFUL_SHARE * row["marks"]
    users = row["users"][:_MOST_USERS]
    return Usefulness(marks=row["marks"], useful=row["useful"], users=users, low=too_few or bool(users))


def too_often(marks: int, wrong: int) -> bool:
    """Whether this many wrong claims among the marked ones pause synthesis."""
    return marks >= LEAST_MARKS and wrong > WRONG_SHARE * marks


def _pause(tx: Tx, user_id: str, marks: int, wrong: int) -> None:
    reason = f"paused: {wrong} of {marks} marked claims are wrong"
    request = SetFlagRequest(name="synthesis", scope="user", target=user_id, value=False, reason=reason)
    flags.put(tx, RULE, request)
