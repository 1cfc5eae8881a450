"""One claimed attempt of one job, from its token to its recorded outcome. docs/delivery.md numbers the steps.

The order of leaving is part of the protocol: record the outcome, stop the threads, leave the lock, hand over.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal

from consumer import telemetry
from consumer.core import outcome as out
from consumer.core.claim import SETTLED, Failure, Ledger, retry_delay_s
from consumer.core.errors import (
    AttemptStale,
    BudgetExceeded,
    CancelRequested,
    ConsumerError,
    FailuresSpent,
    HeadMoved,
    JobTerminal,
    LockBusy,
    LockLost,
    PayloadMismatch,
    ProviderBusy,
    Retryable,
    ShuttingDown,
    SnapshotIncomplete,
    Terminal,
    UnexpectedFailure,
    WorkspaceMismatch,
)
from consumer.core.outcome import Outcome
from consumer.core.plan import Plan
from consumer.engine import settlement as settle
from consumer.engine.claims import Claim
from consumer.engine.deadletter import DeadLetters, failure_of
from consumer.engine.envelope import Delivery
from consumer.engine.guard import Keeper, RunGuard
from consumer.engine.lock import Lock, Locks
from consumer.engine.parking import Parking
from consumer.engine.pipeline import Hooks, Pipeline, counts
from consumer.engine.settlement import Settlement
from consumer.ports import Clock, ControlPlane, HeadStore, HeadView, JobSession
from consumer.stages.base import Base, Run
from contract.api import CommitRef, JobSpec, ProgressRequest, ProgressState, TokenRequest
from contract.event import JobEvent, StageName

#: A job that found no slot at the model provider has waited for one already; its stages before that cost some seconds.
PROVIDER_DELAY_S: Final = 30


@dataclass(frozen=True, slots=True)
class Parts:
    """What every attempt of this process is made of. ``retry_delays_s`` by number of failures."""

    controlplane: ControlPlane
    heads: HeadStore
    locks: Locks
    parking: Parking
    pipeline: Pipeline
    settlement: Settlement
    dead_letters: DeadLetters
    clock: Clock
    shutdown: threading.Event
    bucket: str
    max_failures: int
    retry_delays_s: tuple[int, ...]
    heartbeat_s: float
    mode: Literal["local", "cloud"]
    #: Ends the process: a run outlived its deadline by the grace, so its processes cannot be trusted any more.
    overrun: Callable[[], None]
    overrun_grace_s: float = 10.0
    #: False: no threads; a test turns the crank itself.
    threads: bool = True


@dataclass(frozen=True, slots=True)
class Order:
    """What to attempt. ``head``: as read before the first claim. ``before``: the ledger that the claim replaced."""

    claim: Claim
    event: JobEvent
    plan: Plan
    root: Path
    delivery: Delivery | None = None
    head: HeadView | None = None
    before: Ledger | None = None

    @property
    def was_parked(self) -> bool:
        return self.before is not None and self.before.state == "PARKED"

    @property
    def reopened(self) -> Ledger | None:
        """The dead ledger that a replay reopened."""
        return self.before if self.before is not None and self.before.state == "DEAD" else None


class Attempt:
    def __init__(self, parts: Parts, order: Order) -> None:
        self._parts = parts
        self._order = order
        self._claim = order.claim
        self._event = order.event
        self._head = order.head
        self._guard = RunGuard(parts.clock, order.plan.budget_s, parts.shutdown)
        self._keeper = Keeper(
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
        self._failed: dict[str, Any] = {}

    def run(self) -> Outcome:
        """Raises nothing but what ends the process."""
        if self._parts.threads:
            with self._keeper:
                outcome = self._outcome()
        else:
            outcome = self._outcome()
        self._leave(outcome)
        return outcome

    # --- the way forward

    def _outcome(self) -> Outcome:
        try:
            return self._work()
        except Exception as exc:  # noqa: BLE001 (whatever a stage raises becomes a recorded outcome)
            return self._resolve(exc)

    def _work(self) -> Outcome:
        self._open()
        try:
            self._take_lock()
        except LockBusy as busy:
            parked = self._park(busy)
            if parked:
                return parked
        return self._locked()

    def _open(self) -> None:
        ledger = self._claim.ledger
        request = TokenRequest(attempt=ledger.fence, owner=ledger.owner, replay_id=ledger.replay_id)
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
            attempt=ledger.fence,
            head_epoch=head.epoch if head else 0,
        )
        self._lock = lock
        self._keeper.attach(lock)
        telemetry.count("locks", clean=str(lock.clean))
        # What was read before the lock may be history by now.
        self._head = None if lock.clean else self._parts.heads.fence(self._event.user_id, lock.epoch)

    def _locked(self) -> Outcome:
        commit = self._committed()
        if commit:
            return self._found(commit)
        ledger = self._claim.ledger
        if ledger.failures >= self._parts.max_failures:
            raise FailuresSpent(f"job {ledger.job_id}: {ledger.failures} failures before attempt {ledger.fence}")
        newer = self._parts.parking.newer_digest(self._event) if self._order.was_parked else None
        if newer:
            return self._settle(settle.plain_body("superseded"))
        if self._job and self._job.cancel_requested:
            raise CancelRequested(f"job {ledger.job_id}: cancelled before it ran")
        run = self._run()
        return self._settle(settle.body_of(run), published=settle.published_of(run))

    def _run(self) -> Run:
        if self._job is None or self._session is None or self._lock is None:
            raise UnexpectedFailure(f"job {self._event.job_id}: a run needs token and lock first")
        head = self._head
        run = Run(
            job=self._job,
            session=self._session,
            attempt=self._claim.fence,
            epoch=self._lock.epoch,
            owner=self._claim.ledger.owner,
            started_at=self._parts.clock.now(),
            root=self._order.root,
            base=Base(head.seq, head.commit, head.generation) if head else Base(0, None, 0),
            mode=self._parts.mode,
        )
        with self._bounded():
            return self._parts.pipeline.run(
                run, self._order.plan, self._guard, Hooks(self._entering, self._claim.mark, self._before_swap)
            )

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        timer = threading.Timer(self._guard.time_left() + self._parts.overrun_grace_s, self._parts.overrun)
        timer.daemon = True
        if self._parts.threads:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _entering(self, stage: StageName, run: Run) -> None:
        self._stage = stage
        try:
            self._progress("running", counts=counts(run))
        except Retryable as exc:
            # The control plane may be away for a while; the work need not stop for that.
            telemetry.log("progress not reported", job_id=run.job.job_id, stage=stage, code=exc.code)

    def _before_swap(self, run: Run) -> None:
        self._walked = False
        self._claim.change(outcome_body=settle.body_of(run), published=settle.published_of(run))

    def _heartbeat(self) -> None:
        self._progress("running")

    def _progress(self, state: ProgressState, **fields: Any) -> None:
        """Raises CancelRequested, AttemptStale, ControlPlaneUnavailable, NotAllowed, RequestRefused."""
        if self._session is None:
            return
        request = ProgressRequest(attempt=self._claim.fence, state=state, stage=self._stage, **fields)
        reply = self._session.progress(request)
        if reply.cancel_requested and state == "running":
            raise CancelRequested(f"job {self._event.job_id}: cancelled while it ran")

    # --- settling

    def _committed(self) -> CommitRef | None:
        """Did an earlier attempt commit? Asked under the lock, with HEAD fenced where that was needed."""
        ledger = self._claim.ledger
        commit = None
        if ledger.fence > 1 or self._stage == "persist":
            commit = self._parts.heads.committed_by(ledger.user_id, ledger.job_id, ledger.base_seq or 0, self._head)
        self._walked = True
        return commit

    def _quiet(self) -> CommitRef | None:
        """Before an outcome without effect is settled: no earlier attempt may have, or still get, an effect."""
        if self._walked or (self._claim.fence == 1 and self._stage != "persist"):
            return None
        if self._lock is None:
            self._take_lock()
        else:
            self._head = None
        try:
            return self._committed()
        except (Terminal, SnapshotIncomplete) as exc:
            # A history that cannot be read must not keep its jobs from ending: under lock and fence no earlier attempt
            # can commit any more, and whoever mends the history finds there what was.
            telemetry.log("chain not walked", job_id=self._event.job_id, code=exc.code)
            return None

    def _found(self, commit: CommitRef) -> Outcome:
        uri = self._job.workspace_uri if self._job else None
        return self._settle(settle.with_commit(self._claim.ledger, commit, uri))

    def _settle(self, body: dict[str, Any], **changes: Any) -> Outcome:
        self._parts.settlement.record(self._claim, body, **changes)
        return self._parts.settlement.finish(self._claim, self._session)

    # --- the ways out

    def _resolve(self, raised: Exception) -> Outcome:
        error = raised if isinstance(raised, ConsumerError) else _unexpected(self._event.job_id, raised)
        try:
            return self._record(error, raised)
        except AttemptStale as exc:
            return out.Stale(self._event.job_id, str(exc))
        except LockBusy as busy:
            # Declaring the job dead or cancelled needs the lock, and somebody has it.
            return self._park(busy) or self._outcome_of_locked()
        except Exception as exc:  # noqa: BLE001 (nothing could be recorded: Pub/Sub must keep the message)
            return self._unrecorded(error, exc)

    def _outcome_of_locked(self) -> Outcome:
        try:
            return self._locked()
        except Exception as exc:  # noqa: BLE001 (as in _outcome)
            return self._resolve(exc)

    def _record(self, error: ConsumerError, raised: Exception) -> Outcome:
        if self._claim.ledger.state in SETTLED:
            return out.Undelivered(self._event.job_id, str(error))
        # Refused before its swap, a persist leaves nothing behind; unanswered, it may have landed or may yet land.
        self._doubt = self._stage == "persist" and isinstance(error, Retryable) and not _clean(error)
        for kind, act in self._ways().items():
            if isinstance(error, kind):
                return act(error)
        commit = self._moved() if isinstance(error, HeadMoved) else None
        return self._found(commit) if commit else self._fail(error, raised)

    def _ways(self) -> dict[type[ConsumerError], Callable[[Any], Outcome]]:
        return {
            AttemptStale: self._stale,
            JobTerminal: self._over,
            LockBusy: self._busy,
            LockLost: self._interrupted,
            ShuttingDown: self._interrupted,
            ProviderBusy: self._delayed,
            CancelRequested: self._cancelled,
            PayloadMismatch: self._unbind,
        }

    def _moved(self) -> CommitRef | None:
        self._head = None
        return self._committed()

    def _stale(self, error: AttemptStale) -> Outcome:
        dead = self._order.reopened
        if dead and self._session is None:
            # An old replay's message: the row carries a newer one. The ledger is as dead as it was.
            self._claim.change(state="DEAD", outcome_body=dead.outcome_body, delivered=dead.delivered)
        return out.Stale(self._event.job_id, str(error))

    def _over(self, error: JobTerminal) -> Outcome:
        status = terminal_status(error)
        body = settle.plain_body(status)
        state = "DEAD" if status == "failed" else "DONE"
        self._claim.change(state=state, outcome_body=body, delivered=True, retry_at=None)
        return out.Duplicate(self._event.job_id, f"the row is {status}", why="job_terminal")

    def _busy(self, error: LockBusy) -> Outcome:
        raise error

    def _interrupted(self, error: ConsumerError) -> Outcome:
        """Due at once, and no failure: the attempt is not to blame."""
        now = self._claim.server_now()
        self._claim.change(state="RETRYING", retry_at=now)
        if isinstance(error, ShuttingDown) and self._order.delivery is not None:
            # Pub/Sub brings it back after the 503; the seconds left are for leaving the lock.
            return out.ShutDown(self._event.job_id, str(error))
        self._report("retrying", now, error.code)
        return out.RetryRecorded(self._event.job_id, str(error), code=error.code, retry_at=now)

    def _delayed(self, error: ProviderBusy) -> Outcome:
        """As if interrupted, but there is no use in coming back at once."""
        retry_at = self._claim.server_now() + timedelta(seconds=PROVIDER_DELAY_S)
        self._claim.change(state="RETRYING", retry_at=retry_at)
        self._report("retrying", retry_at, error.code)
        return out.RetryRecorded(self._event.job_id, str(error), code=error.code, retry_at=retry_at)

    def _cancelled(self, _error: CancelRequested) -> Outcome:
        commit = self._quiet()
        return self._found(commit) if commit else self._settle(settle.plain_body("cancelled"))

    def _unbind(self, error: PayloadMismatch) -> Outcome:
        """The row disagrees with the message: the message is at fault, and must not keep the right one out."""
        fresh = {"base_seq": None} if self._claim.fence == 1 else {}
        self._claim.change(state="RETRYING", retry_at=self._claim.server_now(), payload_digest=None, **fresh)
        delivery = self._order.delivery or Delivery(
            f"{self._event.job_id}-{self._claim.fence}", self._event.encode(), self._event.attributes()
        )
        letter = self._parts.dead_letters.bury_message(delivery, error)
        return out.DeadLettered(self._event.job_id, str(error), code=error.code, record=letter.key)

    def _park(self, busy: LockBusy) -> Outcome | None:
        """Wait for the lock without holding anything; None: the lock could be had after all.

        The last try comes after the parked file was written: the holder may have left before it could see it.
        """
        self._parts.parking.park(self._event)
        retry_at = busy.expires_at or self._claim.server_now()
        self._claim.change(state="PARKED", retry_at=retry_at, **self._failed)
        self._report("parked", retry_at, busy.code)
        self._head = None
        try:
            self._take_lock()
        except LockBusy as still:
            return out.Parked(self._event.job_id, str(still), retry_at=retry_at)
        self._claim.change(state="RUNNING", retry_at=None)
        return None

    def _fail(self, error: ConsumerError, raised: Exception) -> Outcome:
        ledger = self._claim.ledger
        if isinstance(error, FailuresSpent):
            failure, failures = ledger.failure or self._failure(error, raised), ledger.failures
        else:
            failure, failures = self._failure(error, raised), ledger.failures + 1
        self._failed = {"failures": failures, "failure": failure}
        # A dead job must not get an effect afterwards, so a swap in doubt is first cleared up by the next attempt.
        dead = error.disposition == "dead" or failures >= self._parts.max_failures
        if dead and not self._doubt:
            return self._die(failure, failures)
        asked = error.retry_after_s if isinstance(error, Retryable) else None
        delay = timedelta(seconds=retry_delay_s(failures, self._parts.retry_delays_s, asked))
        retry_at = self._claim.server_now() + delay
        self._claim.change(state="RETRYING", retry_at=retry_at, **self._failed)
        self._report("retrying", retry_at, failure.code)
        return out.RetryRecorded(self._event.job_id, failure.message, code=failure.code, retry_at=retry_at)

    def _die(self, failure: Failure, failures: int) -> Outcome:
        commit = self._quiet()
        if commit:
            return self._found(commit)
        ledger = self._claim.ledger.model_copy(update={"failures": failures})
        epoch = self._lock.epoch if self._lock else None
        letter = self._parts.dead_letters.bury_job(ledger, self._event, failure, epoch)
        self._parts.settlement.record(self._claim, settle.failed_body(failure), **self._failed)
        self._parts.settlement.finish(self._claim, self._session)
        telemetry.count("dead_letters", code=failure.code)
        return out.DeadLettered(self._event.job_id, failure.message, code=failure.code, record=letter.key)

    def _failure(self, error: ConsumerError, raised: Exception) -> Failure:
        if not isinstance(raised, ConsumerError):
            telemetry.log("bug", job_id=self._event.job_id, stage=self._stage, exc_info=raised, level=40)
        return failure_of(
            raised,
            code=error.code,
            hint=error.hint,
            stage=self._stage,
            now=self._claim.server_now(),
            before=self._claim.ledger.failure,
        )

    def _unrecorded(self, error: ConsumerError, second: Exception) -> Outcome:
        """Recording failed. If only the ledger can be reached, the redelivery shall not find a living lease there."""
        telemetry.log(
            "outcome not recorded", job_id=self._event.job_id, error=type(error).__name__, then=type(second).__name__
        )
        try:
            if self._claim.ledger.state == "RUNNING":
                self._claim.change(state="RETRYING", retry_at=self._claim.server_now(), **self._failed)
        except ConsumerError:
            pass
        code = second.code if isinstance(second, ConsumerError) else UnexpectedFailure.code
        return out.NotRecorded(self._event.job_id, str(error), code=code)

    def _report(self, state: ProgressState, retry_at: datetime, message: str) -> None:
        """Tell the control plane when to bring the job back. The ledger knows already, and the sweep is the net."""
        try:
            self._progress(state, retry_at=retry_at, message=message)
        except ConsumerError as exc:
            telemetry.log("progress not reported", job_id=self._event.job_id, state=state, code=exc.code)

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


def terminal_status(error: JobTerminal) -> Literal["completed", "failed", "cancelled"]:
    """What the control plane says the job came to. Its answer is the status itself, or an object that has it."""
    found = error.args[1] if len(error.args) > 1 else None
    if isinstance(found, dict):
        inner = found.get("error")
        found = found.get("status") or (inner.get("status") if isinstance(inner, dict) else None)
    if found not in ("completed", "failed", "cancelled"):
        raise UnexpectedFailure(f"job_terminal without a terminal status: {str(found)[:64]!r}")
    return found  # type: ignore[no-any-return]  # narrowed by the membership test above


def _clean(error: ConsumerError) -> bool:
    """Raised before the swap was sent, or by its definite refusal."""
    return isinstance(error, (HeadMoved, BudgetExceeded))


def _unexpected(job_id: str, raised: Exception) -> UnexpectedFailure:
    return UnexpectedFailure(f"job {job_id}: {type(raised).__name__}")
