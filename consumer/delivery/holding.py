"""What an attempt holds: ledger, token, lock. consumer.delivery.attempt runs it; consumer.delivery.resolving ends it.

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
    Dependency,
    LockBusy,
    LockLost,
    PayloadMismatch,
    Retryable,
    ShuttingDown,
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
    """State of one attempt and the operations on it. Attempt and Resolution decide their order."""

    def __init__(self, deps: AttemptDeps, attempt_input: AttemptInput) -> None:
        self.deps = deps
        self.input = attempt_input
        self.claim = attempt_input.claim
        self.event = attempt_input.event
        self.head = attempt_input.head
        self.guard = RunGuard(deps.clock, attempt_input.plan.budget_s, deps.shutdown)
        self.renewer = Renewer(
            self.claim,
            self.guard,
            renew_every_s=deps.locks.lease.renew_every_s,
            heartbeat_every_s=deps.heartbeat_s,
        )
        self.job: JobSpec | None = None
        self.session: JobSession | None = None
        self.lock: Lock | None = None
        self.stage: StageName | None = None
        #: The chain was walked under the lock, and this attempt has tried no swap since.
        self.walked = False
        #: A swap of this attempt may still land.
        self.doubt = False
        #: The failure to record in the ledger although the attempt ends in another way (parked).
        self.failed: Failed | None = None

    def open(self) -> None:
        ledger = self.claim.ledger
        request = TokenRequest(attempt=ledger.attempt, owner=ledger.owner, replay_id=ledger.replay_id)
        reply, session = self.deps.controlplane.open(self.event.job_id, request)
        self.deps.breakers.answered("controlplane", "issuer")
        self._require_same(reply.job)
        self.job, self.session = reply.job, session
        self.renewer.report(self._heartbeat)
        resumed_at = reply.job.queue_resumed_at
        if ledger.waiting_since and resumed_at and ledger.waiting_since < resumed_at:
            self.claim.write(ledger.resumed(resumed_at))

    def _require_same(self, job: JobSpec) -> None:
        for name in ("job_id", "user_id", "job_type", "period"):
            row, message = getattr(job, name), getattr(self.event, name)
            if row != message:
                raise PayloadMismatch(
                    f"job {self.event.job_id}: {name} is {message!r} in the message, {row!r} in the row"
                )
        expected_uri = f"gs://{self.deps.bucket}/users/{job.user_id}/"
        if job.workspace_uri != expected_uri:
            raise WorkspaceMismatch(
                f"job {job.job_id}: workspace_uri is {job.workspace_uri!r}, expected {expected_uri!r}"
            )

    def take_lock(self) -> None:
        """Lock, and fence HEAD unless the lock was released cleanly. Raises LockBusy, LockLost, BlobUnavailable."""
        head = self.head or self.deps.heads.of(self.event.user_id).read_head()
        ledger = self.claim.ledger
        lock = self.deps.locks.acquire(
            self.event.user_id,
            owner=ledger.owner,
            job_id=ledger.job_id,
            attempt=ledger.attempt,
            head_epoch=head.epoch if head else 0,
        )
        self.lock = lock
        self.renewer.attach(lock)
        telemetry.count("locks", clean=str(lock.clean))
        # A HEAD read before the lock may be outdated.
        self.head = None if lock.clean else self.deps.heads.of(self.event.user_id).fence(lock.epoch)

    def park(self, busy: LockBusy) -> Outcome | None:
        """Park the job, so that it waits for the lock without occupying anything; None: it got the lock after all.

        The last try follows the write of the parked file: the holder may have left before it could see the file.
        """
        self.deps.parking.park(self.event)
        retry_at = busy.expires_at or self.claim.server_now()
        self.claim.write(self.claim.ledger.parked(retry_at, self.failed))
        self.report("parked", retry_at, busy.code)
        self.head = None
        try:
            self.take_lock()
        except LockBusy as still_busy:
            return out.Parked(self.event.job_id, str(still_busy), retry_at=retry_at)
        self.claim.write(self.claim.ledger.started())
        return None

    def committed(self) -> CommitRef | None:
        """The commit of an earlier attempt, if there is one. Call it under the lock, with HEAD fenced where needed."""
        ledger = self.claim.ledger
        commit = None
        if ledger.attempt > 1 or self.stage == "persist":
            commit = self.deps.heads.of(ledger.user_id).committed_by(ledger.job_id, ledger.base_seq or 0, self.head)
        self.walked = True
        return commit

    def quiet(self) -> CommitRef | None:
        """Before an outcome without effect is settled: make sure that no earlier attempt has committed or still can.

        Returns the commit of an earlier attempt, or None.
        """
        if self.walked or (self.claim.attempt == 1 and self.stage != "persist"):
            return None
        try:
            if self.lock is None:
                self.take_lock()
            else:
                self.head = None
            return self.committed()
        except (Terminal, SnapshotIncomplete) as exc:
            # An unreadable history must not prevent its jobs from ending: under lock and fence no earlier attempt can
            # commit any more, and a repair of the history shows what was committed. A damaged HEAD allows neither lock
            # nor fence and needs none: a swap requires the generation of HEAD that it read, which is gone.
            telemetry.log("chain not walked", job_id=self.event.job_id, code=exc.code)
            return None

    def progress(self, state: ProgressState, **fields: Any) -> None:
        """Raises CancelRequested, AttemptStale, ControlPlaneUnavailable, NotAllowed, RequestRefused."""
        if self.session is None:
            return
        request = ProgressRequest(attempt=self.claim.attempt, state=state, stage=self.stage, **fields)
        reply = self.session.progress(request)
        if reply.cancel_requested and state == "running":
            raise CancelRequested(f"job {self.event.job_id}: cancelled while it ran")

    def _heartbeat(self) -> None:
        self.progress("running")

    def report(
        self, state: ProgressState, retry_at: datetime, message: str, waiting_for: Dependency | None = None
    ) -> None:
        """Tell the control plane when to retry the job. If that fails, the sweep retries it from the ledger's time."""
        try:
            self.progress(state, retry_at=retry_at, message=message, waiting_for=waiting_for)
        except ConsumerError as exc:
            telemetry.log("progress not reported", job_id=self.event.job_id, state=state, code=exc.code)

    def settle(self, completion: Completion, *, published: tuple[str, ...] | None = None) -> Outcome:
        self.deps.settlement.record(self.claim, completion, published=published)
        return self.deps.settlement.finish(self.claim, self.session)

    def settle_commit(self, commit: CommitRef) -> Outcome:
        uri = self.job.workspace_uri if self.job else None
        return self.settle(settle.with_commit(self.claim.ledger, commit, uri))

    def leave(self, outcome: Outcome) -> None:
        finished_job_id = None if isinstance(outcome, (out.Parked, out.Stale)) else self.event.job_id
        if self.lock is None:
            if finished_job_id and self.input.was_parked:
                self.deps.parking.hand_over(self.event.user_id, finished_job_id)
            return
        try:
            self.lock.release(doubt=self.doubt)
        except (LockLost, Retryable, ShuttingDown) as exc:
            telemetry.log("lock not released", job_id=self.event.job_id, code=exc.code)
            if isinstance(exc, LockLost):
                return
        self.deps.parking.hand_over(self.event.user_id, finished_job_id)
