"""What an attempt holds: ledger, token, lock; and the verbs on them that its way forward and its ways out share.

The order of leaving is part of the protocol: record the outcome, stop the threads, leave the lock, hand over.
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
    """State and verbs of one attempt. Not for use alone: consumer.delivery.attempt decides what follows what."""

    def __init__(self, parts: AttemptDeps, order: AttemptInput) -> None:
        self._parts = parts
        self._order = order
        self._claim = order.claim
        self._event = order.event
        self._head = order.head
        self._guard = RunGuard(parts.clock, order.plan.budget_s, parts.shutdown)
        self._keeper = Renewer(
            self._claim,
            self._guard,
            renew_every_s=parts.locks.lease.renew_every_s,
            heartbeat_every_s=parts.heartbeat_s,
        )
        self._job: JobSpec | None = None
        self._session: JobSession | None = None
        self._lock: Lock | None = None
        self._stage: StageName | None = None
        #: The chain was walked under the lock, and no swap of ours was tried since.
        self._walked = False
        #: A swap of ours may still land.
        self._doubt = False
        #: What a failure wants to leave in the ledger although the attempt ends otherwise (parked).
        self._failed: Failed | None = None

    def _open(self) -> None:
        ledger = self._claim.ledger
        request = TokenRequest(attempt=ledger.attempt, owner=ledger.owner, replay_id=ledger.replay_id)
        reply, session = self._parts.controlplane.open(self._event.job_id, request)
        self._require_same(reply.job)
        self._job, self._session = reply.job, session
        self._keeper.report(self._heartbeat)

    def _require_same(self, job: JobSpec) -> None:
        for name in ("job_id", "user_id", "job_type", "period"):
            row, message = getattr(job, name), getattr(self._event, name)
            if row != message:
                raise PayloadMismatch(
                    f"job {self._event.job_id}: {name} is {message!r} in the message, {row!r} in the row"
                )
        expected = f"gs://{self._parts.bucket}/users/{job.user_id}/"
        if job.workspace_uri != expected:
            raise WorkspaceMismatch(f"job {job.job_id}: workspace_uri is {job.workspace_uri!r}, expected {expected!r}")

    def _take_lock(self) -> None:
        """Lock, and fence HEAD unless the lock was left cleanly. Raises LockBusy, LockLost, BlobUnavailable."""
        head = self._head or self._parts.heads.read_head(self._event.user_id)
        ledger = self._claim.ledger
        lock = self._parts.locks.acquire(
            self._event.user_id,
            owner=ledger.owner,
            job_id=ledger.job_id,
            attempt=ledger.attempt,
            head_epoch=head.epoch if head else 0,
        )
        self._lock = lock
        self._keeper.attach(lock)
        telemetry.count("locks", clean=str(lock.clean))
        # What was read before the lock may be history by now.
        self._head = None if lock.clean else self._parts.heads.fence(self._event.user_id, lock.epoch)

    def _committed(self) -> CommitRef | None:
        """Did an earlier attempt commit? Asked under the lock, with HEAD fenced where that was needed."""
        ledger = self._claim.ledger
        commit = None
        if ledger.attempt > 1 or self._stage == "persist":
            commit = self._parts.heads.committed_by(ledger.user_id, ledger.job_id, ledger.base_seq or 0, self._head)
        self._walked = True
        return commit

    def _quiet(self) -> CommitRef | None:
        """Before an outcome without effect is settled: no earlier attempt may have, or still get, an effect."""
        if self._walked or (self._claim.attempt == 1 and self._stage != "persist"):
            return None
        try:
            if self._lock is None:
                self._take_lock()
            else:
                self._head = None
            return self._committed()
        except (Terminal, SnapshotIncomplete) as exc:
            # A history that cannot be read must not keep its jobs from ending: under lock and fence no earlier attempt
            # can commit any more, and whoever mends the history finds there what was. Where HEAD itself is damaged
            # there is neither, and no need: a swap holds only for the generation that it knows, which is gone.
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
        """Tell the control plane when to bring the job back. The ledger knows already, and the sweep is the net."""
        try:
            self._progress(state, retry_at=retry_at, message=message)
        except ConsumerError as exc:
            telemetry.log("progress not reported", job_id=self._event.job_id, state=state, code=exc.code)

    def _settle(self, completion: Completion, *, published: tuple[str, ...] | None = None) -> Outcome:
        self._parts.settlement.record(self._claim, completion, published=published)
        return self._parts.settlement.finish(self._claim, self._session)

    def _found(self, commit: CommitRef) -> Outcome:
        uri = self._job.workspace_uri if self._job else None
        return self._settle(settle.with_commit(self._claim.ledger, commit, uri))

    def _leave(self, outcome: Outcome) -> None:
        done = None if isinstance(outcome, (out.Parked, out.Stale)) else self._event.job_id
        if self._lock is None:
            if done and self._order.was_parked:
                self._parts.parking.hand_over(self._event.user_id, done)
            return
        try:
            self._lock.release(doubt=self._doubt)
        except (LockLost, Retryable) as exc:
            telemetry.log("lock not released", job_id=self._event.job_id, code=exc.code)
            if isinstance(exc, LockLost):
                return
        self._parts.parking.hand_over(self._event.user_id, done)
