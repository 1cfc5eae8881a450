"""What an attempt holds (ledger, token, lock) and the operations on it that running and ending an attempt share.

The order of ending is part of the protocol: record the outcome, stop the threads, release the lock, hand over.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from consumer.delivery import outcome as out
from consumer.delivery import settlement as settle
from consumer.delivery.deps import AttemptDeps, AttemptInput
from consumer.delivery.guard import Renewer, RunGuard
from consumer.delivery.ledger import Failed
from consumer.delivery.outcome import Outcome
from consumer.errors import (
    CancelRequested,
    ConsumerError,
    LockLost,
    PayloadMismatch,
    Retryable,
    SnapshotIncomplete,
    Terminal,
    WorkspaceMismatch,
)
from consumer.locking.lock import Lock
from consumer.ports import JobSession
from contract.api import CommitRef, Completion, JobSpec, ProgressRequest, ProgressState, TokenRequest
from contract.event import StageName
from service import telemetry


class Holding:
    """State and operations of one attempt. Not for use alone: consumer.delivery.attempt decides their order."""

    def __init__(self, deps: AttemptDeps, attempt_input: AttemptInput) -> None:
        self._deps = deps
        self._input = attempt_input
        self._claim = attempt_input.claim
        self._event = attempt_input.event
        self._head = attempt_input.head
        self._guard = RunGuard(deps.clock, attempt_input.plan.budget_s, deps.shutdown)
        self._renewer = Renewer(
            self._claim,
            self._guard,
            renew_every_s=deps.locks.lease.renew_every_s,
            heartbeat_every_s=deps.heartbeat_s,
        )
        self._job: JobSpec | None = None
        self._session: JobSession | None = None
        self._lock: Lock | None = None
        self._stage: StageName | None = None
        #: The chain was walked under the lock, and this attempt has tried no swap since.
        self._walked = False
        #: A swap of this attempt may still land.
        self._doubt = False
        #: The failure to record in the ledger although the attempt ends in another way (parked).
        self._failed: Failed | None = None

    def _open(self) -> None:
        ledger = self._claim.ledger
        request = TokenRequest(attempt=ledger.attempt, owner=ledger.owner, replay_id=ledger.replay_id)
        reply, session = self._deps.controlplane.open(self._event.job_id, request)
        self._require_same(reply.job)
        self._job, self._session = reply.job, session
        self._renewer.report(self._heartbeat)

    def _require_same(self, job: JobSpec) -> None:
        for name in ("job_id", "user_id", "job_type", "period"):
            row, message = getattr(job, name), getattr(self._event, name)
            if row != message:
                raise PayloadMismatch(
                    f"job {self._event.job_id}: {name} is {message!r} in the message, {row!r} in the row"
                )
        expected_uri = f"gs://{self._deps.bucket}/users/{job.user_id}/"
        if job.workspace_uri != expected_uri:
            raise WorkspaceMismatch(
                f"job {job.job_id}: workspace_uri is {job.workspace_uri!r}, expected {expected_uri!r}"
            )

    def _take_lock(self) -> None:
        """Lock, and fence HEAD unless the lock was released cleanly. Raises LockBusy, LockLost, BlobUnavailable."""
        head = self._head or self._deps.heads.read_head(self._event.user_id)
        ledger = self._claim.ledger
        lock = self._deps.locks.acquire(
            self._event.user_id,
            owner=ledger.owner,
            job_id=ledger.job_id,
            attempt=ledger.attempt,
            head_epoch=head.epoch if head else 0,
        )
        self._lock = lock
        self._renewer.attach(lock)
        telemetry.count("locks", clean=str(lock.clean))
        # A HEAD read before the lock may be outdated.
        self._head = None if lock.clean else self._deps.heads.fence(self._event.user_id, lock.epoch)

    def _committed(self) -> CommitRef | None:
        """The commit of an earlier attempt, if there is one. Call it under the lock, with HEAD fenced where needed."""
        ledger = self._claim.ledger
        commit = None
        if ledger.attempt > 1 or self._stage == "persist":
            commit = self._deps.heads.committed_by(ledger.user_id, ledger.job_id, ledger.base_seq or 0, self._head)
        self._walked = True
        return commit

    def _quiet(self) -> CommitRef | None:
        """Before an outcome without effect is settled: make sure that no earlier attempt has committed or still can.

        Returns the commit of an earlier attempt, or None.
        """
        if self._walked or (self._claim.attempt == 1 and self._stage != "persist"):
            return None
        try:
            if self._lock is None:
                self._take_lock()
            else:
                self._head = None
            return self._committed()
        except (Terminal, SnapshotIncomplete) as exc:
            # An unreadable history must not prevent its jobs from ending: under lock and fence no earlier attempt can
            # commit any more, and a repair of the history shows what was committed. A damaged HEAD allows neither lock
            # nor fence and needs none: a swap requires the generation of HEAD that it read, which is gone.
            telemetry.log("chain not walked", job_id=self._event.job_id, code=exc.code)
            return None

    def _progress(self, state: ProgressState, **fields: Any) -> None:
        """Raises CancelRequested, AttemptStale, ControlPlaneUnavailable, NotAllowed, RequestRefused."""
        if self._session is None:
            return
        request = ProgressRequest(attempt=self._claim.attempt, state=state, stage=self._stage, **fields)
        reply = self._session.progress(request)
        if reply.cancel_requested and state == "running":
            raise CancelRequested(f"job {self._event.job_id}: cancelled while it ran")

    def _heartbeat(self) -> None:
        self._progress("running")

    def _report(self, state: ProgressState, retry_at: datetime, message: str) -> None:
        """Tell the control plane when to retry the job. If that fails, the sweep retries it from the ledger's time."""
        try:
            self._progress(state, retry_at=retry_at, message=message)
        except ConsumerError as exc:
            telemetry.log("progress not reported", job_id=self._event.job_id, state=state, code=exc.code)

    def _settle(self, completion: Completion, *, published: tuple[str, ...] | None = None) -> Outcome:
        self._deps.settlement.record(self._claim, completion, published=published)
        return self._deps.settlement.finish(self._claim, self._session)

    def _settle_commit(self, commit: CommitRef) -> Outcome:
        uri = self._job.workspace_uri if self._job else None
        return self._settle(settle.with_commit(self._claim.ledger, commit, uri))

    def _leave(self, outcome: Outcome) -> None:
        finished_job_id = None if isinstance(outcome, (out.Parked, out.Stale)) else self._event.job_id
        if self._lock is None:
            if finished_job_id and self._input.was_parked:
                self._deps.parking.hand_over(self._event.user_id, finished_job_id)
            return
        try:
            self._lock.release(doubt=self._doubt)
        except (LockLost, Retryable) as exc:
            telemetry.log("lock not released", job_id=self._event.job_id, code=exc.code)
            if isinstance(exc, LockLost):
                return
        self._deps.parking.hand_over(self._event.user_id, finished_job_id)
