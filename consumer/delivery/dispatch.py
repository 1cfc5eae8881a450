"""Start a job as a Cloud Run Job. The ledger is QUEUED before the call, as a lost reply may start two executions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from consumer.delivery.ledgers import LedgerClaim
from consumer.delivery.plan import Plan
from consumer.errors import AttemptStale, BlobUnavailable
from consumer.ports import ExecutionState, JobLauncher
from contract.event import JobEvent
from service import telemetry

#: The execution's time limit exceeds the run's budget by this, so that the run can record its outcome.
EXECUTION_MARGIN_S: Final = 120


@dataclass(frozen=True, slots=True)
class Dispatcher:
    launcher: JobLauncher
    bucket: str

    def launch(self, claim: LedgerClaim, event: JobEvent, plan: Plan) -> str:
        """Start one execution for a QUEUED claim and return its name. Raises LauncherUnavailable."""
        execution = self.launcher.launch(
            {
                "JOB_ID": event.job_id,
                "USER_ID": event.user_id,
                "JOB_TYPE": event.job_type,
                "WORKSPACE_URI": f"gs://{self.bucket}/users/{event.user_id}/",
                "RUNTIME_PROFILE": event.runtime_profile,
                "TEMPLATE_VERSION": event.template_version,
                "FENCE": str(claim.attempt),
            },
            timeout_s=int(plan.budget_s) + EXECUTION_MARGIN_S,
        )
        self._note(claim, execution)
        return execution

    def state(self, execution: str) -> ExecutionState:
        """As ports.JobLauncher."""
        return self.launcher.state(execution)

    def _note(self, claim: LedgerClaim, execution: str) -> None:
        # For operators only. If the execution has already claimed the ledger, only the execution may write it.
        try:
            claim.write(claim.ledger.launched(execution))
        except (AttemptStale, BlobUnavailable) as exc:
            telemetry.log("execution not noted", job_id=claim.ledger.job_id, code=exc.code)
