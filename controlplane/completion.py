"""Records a job's result, once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from psycopg.types.json import Jsonb

from contract.api import TERMINAL, CompleteRequest, CompleteResponse, JobStatus, Outcome
from controlplane import planning
from controlplane.db import Database, Row, Tx
from controlplane.errors import ApiFault, attempt_stale, existing
from controlplane.jobs import check_token, require_replay
from controlplane.tokens import COMPLETE, JobClaims

#: An outcome's status and substate.
STORED: Final[dict[Outcome, tuple[JobStatus, str | None]]] = {
    "completed": ("completed", None),
    "no_change": ("completed", "no_change"),
    "superseded": ("completed", "superseded"),
    "failed": ("failed", None),
    "cancelled": ("cancelled", None),
}
#: Outcomes after which earlier changes are no longer news.
ADVANCES: Final = frozenset({"completed", "no_change"})


@dataclass(frozen=True, slots=True)
class CompletionService:
    """``spread``: see planning.Planning."""

    database: Database
    spread: timedelta = timedelta(0)

    def complete(self, claims: JobClaims, job_id: str, request: CompleteRequest) -> CompleteResponse:
        """Store the result. A repeat with the same outcome and commit gets the same response and writes nothing.

        Raises ApiFault 403 wrong_job, 404, 409 completion_conflict, attempt_stale, replay_stale.
        """
        claims.require(COMPLETE, job_id)
        with self.database.transaction() as tx:
            row = existing(tx.row("lock_job", job_id=job_id), "job", job_id)
            require_replay(row, claims.replay_id)
            if row["status"] in TERMINAL:
                return _repeated(row, request)
            check_token(row, claims)
            if request.attempt != row["attempt"]:
                raise attempt_stale(job_id, request.attempt, row["attempt"])
            self._store(tx, row, request)
        return CompleteResponse(status=STORED[request.outcome][0])

    def _store(self, tx: Tx, row: Row, request: CompleteRequest) -> None:
        status, substate = STORED[request.outcome]
        tx.run(
            "finish_job",
            job_id=row["id"],
            status=status,
            substate=substate,
            outcome=request.outcome,
            commit_seq=request.commit.seq if request.commit else None,
            commit_digest=request.commit.digest if request.commit else None,
            report_uri=request.report_uri,
            source_counts=Jsonb(request.source_counts),
            output_counts=Jsonb(request.output_counts),
            usage=Jsonb(request.usage.model_dump()),
            error_summary=Jsonb(request.error.model_dump()) if request.error else None,
        )
        # A replayed job may have left artifacts of its failed run.
        tx.run("drop_artifacts", job_id=row["id"])
        artifacts = [
            {"user_id": row["user_id"], "job_id": row["id"], **a.model_dump(), "metadata": Jsonb(a.metadata)}
            for a in request.artifacts
        ]
        tx.run_many("add_artifact", artifacts)
        if request.outcome in ADVANCES:
            tx.run("advance_workspace", job_id=row["id"], wake_at=request.wake_at)
            if request.wake_at is not None:
                planning.plan_wake(tx, row, request.wake_at)
        # After any job: one that made a dream give way, and that dream itself, leave the memory without one.
        planning.plan_dream(tx, row, self.spread)


def _repeated(row: Row, request: CompleteRequest) -> CompleteResponse:
    digest = request.commit.digest if request.commit else None
    if (row["outcome"], row["commit_digest"]) != (request.outcome, digest):
        raise ApiFault(
            409,
            "completion_conflict",
            f"job {row['id']} already ended as {row['outcome']} with another result than {request.outcome}",
            hint="Two runs completed this job differently; inspect the job and the workspace's log.",
        )
    return CompleteResponse(status=row["status"])
