"""A dispatched job on its way to an execution: announced, launched, or waiting for Cloud Run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from consumer.delivery import ledger as core
from consumer.delivery import outcome as out
from consumer.delivery.deadletter import failure_of
from consumer.delivery.deps import AttemptDeps
from consumer.delivery.dispatch import Dispatcher
from consumer.delivery.ledger import Failure, Ledger, retry_delay_s, wait_delay_s
from consumer.delivery.ledgers import LedgerClaim
from consumer.delivery.outcome import Outcome
from consumer.delivery.plan import Plan
from consumer.errors import ConsumerError, Dependency, InterruptionsSpent, LauncherUnavailable
from consumer.ports import ExecutionState, JobSession
from contract.api import ProgressRequest, TokenRequest
from contract.event import JobEvent
from service import telemetry

#: The launch and the note of its name are written after the announcement, and the ledger counts from there.
ANNOUNCE_MARGIN: Final = timedelta(seconds=90)


@dataclass(frozen=True, slots=True)
class Launching:
    """Used by the handler, which decides that a job is launched."""

    parts: AttemptDeps
    dispatcher: Dispatcher

    def launch(self, claim: LedgerClaim, event: JobEvent, plan: Plan) -> Outcome:
        """Start an execution for a QUEUED claim, or record why there is none. Raises BlobUnavailable, AttemptStale."""
        try:
            session = self._announce(claim)
        except ConsumerError as exc:
            return self._kept(claim, exc)
        if self.parts.breakers.refuses("launcher"):
            return self._failed(claim, session, LauncherUnavailable("Cloud Run took no execution a moment ago"))
        try:
            execution = self.dispatcher.launch(claim, event, plan)
        except LauncherUnavailable as exc:
            return self._failed(claim, session, exc)
        self.parts.breakers.proven("launcher")
        return out.Launched(event.job_id, execution)

    def state(self, ledger: Ledger) -> ExecutionState:
        """What Cloud Run says of the ledger's execution; without an answer, the execution counts as pending."""
        if ledger.execution is None:
            return ExecutionState(is_over=True, reason="Cloud Run's answer to the launch was lost")
        try:
            return self.dispatcher.state(ledger.execution)
        except LauncherUnavailable as exc:
            self.parts.breakers.note(exc)
            return ExecutionState(is_over=False)

    def failure(self, ledger: Ledger, error: ConsumerError, now: datetime) -> Failure:
        """The error of a job that has no execution, for its ledger."""
        return failure_of(error, code=error.code, hint=error.hint, stage=None, now=now, before=ledger.failure)

    def wait(self, claim: LedgerClaim) -> Outcome:
        """The execution is pending: look again later, and say so in the job's row."""
        try:
            self._announce(claim)
        except ConsumerError as exc:
            self.parts.breakers.note(exc)
            return out.Waiting(claim.ledger.job_id, str(exc), code=exc.code)
        until = claim.server_now() + self.parts.limits.execution_start
        return out.Duplicate(claim.ledger.job_id, f"{claim.ledger.execution} is pending", why="queued", until=until)

    def _announce(self, claim: LedgerClaim) -> JobSession | None:
        """Tell the control plane that the job waits for its execution, and when the launch is looked at again.

        None: the control plane refuses this attempt; its execution will find out why and settle it. Raises the errors
        of a control plane that is away: then an execution could do nothing either.
        """
        ledger = claim.ledger
        request = TokenRequest(attempt=ledger.attempt, owner=ledger.owner, replay_id=ledger.replay_id)
        retry_at = claim.server_now() + self.parts.limits.execution_start + ANNOUNCE_MARGIN
        try:
            _, session = self.parts.controlplane.open(ledger.job_id, request)
            session.progress(ProgressRequest(attempt=ledger.attempt, state="queued", retry_at=retry_at))
        except ConsumerError as exc:
            if exc.dependency:
                raise
            telemetry.log("launch not announced", job_id=ledger.job_id, code=exc.code)
            return None
        self.parts.breakers.answered("controlplane", "issuer")
        return session

    def _kept(self, claim: LedgerClaim, error: ConsumerError) -> Outcome:
        """The control plane is away: Pub/Sub keeps the message, and the claim counts as nothing."""
        self.parts.breakers.note(error)
        now, dependency = claim.server_now(), str(error.dependency)
        claim.write(claim.ledger.waiting(now, dependency, core.waits_since(claim.ledger, dependency, now)))
        return out.Waiting(claim.ledger.job_id, str(error), code=error.code)

    def _failed(self, claim: LedgerClaim, session: JobSession | None, error: LauncherUnavailable) -> Outcome:
        """All jobs share Cloud Run's API, so the job waits. If the execution has started all the same, it finds the
        ledger not QUEUED and exits.
        """
        if not self.parts.breakers.refuses("launcher"):
            self.parts.breakers.note(error)
        ledger, now = claim.ledger, claim.server_now()
        since = core.waits_since(ledger, "launcher", now)
        waited_s = (now - since).total_seconds()
        if now - since > self.parts.limits.longest_wait:
            hours = self.parts.limits.longest_wait.total_seconds() / 3600
            spent = InterruptionsSpent(f"job {ledger.job_id}: waiting for launcher for over {hours:.0f} h")
            return self.give_back(claim, session, spent, self.parts.limits.max_failures)
        if self.parts.breakers.proven_within("launcher", waited_s):
            return self.give_back(claim, session, error, ledger.failures + 1)
        retry_at = now + timedelta(seconds=wait_delay_s(ledger.job_id, waited_s, error.retry_after_s))
        claim.write(ledger.waiting(retry_at, "launcher", since))
        self._report(claim, session, retry_at, error, waiting_for="launcher")
        return out.RetryRecorded(ledger.job_id, str(error), code=error.code, retry_at=retry_at)

    def give_back(self, claim: LedgerClaim, session: JobSession | None, error: ConsumerError, failures: int) -> Outcome:
        """Record a failure of a job that has no execution. After the last one, the next delivery settles the job here,
        under its user's lock.
        """
        ledger, now = claim.ledger, claim.server_now()
        failure = self.failure(ledger, error, now)
        last = failures >= self.parts.limits.max_failures
        delay_s = 0.0 if last else retry_delay_s(failures, self.parts.retry_delays_s, None)
        retry_at = now + timedelta(seconds=delay_s)
        claim.write(ledger.retrying(retry_at, core.Failed(failures, failure)))
        self._report(claim, session, retry_at, error)
        return out.RetryRecorded(ledger.job_id, str(error), code=error.code, retry_at=retry_at)

    def _report(
        self,
        claim: LedgerClaim,
        session: JobSession | None,
        retry_at: datetime,
        error: ConsumerError,
        waiting_for: Dependency | None = None,
    ) -> None:
        """Tell the control plane when to publish the job again. If that fails, the sweep publishes it."""
        if session is None:
            return
        request = ProgressRequest(
            attempt=claim.attempt, state="retrying", retry_at=retry_at, message=error.code, waiting_for=waiting_for
        )
        try:
            session.progress(request)
        except ConsumerError as exc:
            telemetry.log("progress not reported", job_id=claim.ledger.job_id, state="retrying", code=exc.code)
