"""One claimed attempt of one job, from its token to its recorded outcome. docs/delivery.md numbers the steps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final, Literal

from consumer.delivery import disk
from consumer.delivery import outcome as out
from consumer.delivery import settlement as settle
from consumer.delivery.deadletter import failure_of
from consumer.delivery.envelope import Delivery
from consumer.delivery.holding import Holding
from consumer.delivery.ledger import SETTLED, Failed, Failure, retry_delay_s
from consumer.delivery.outcome import Outcome
from consumer.delivery.pipeline import Hooks
from consumer.delivery.resuming import Resuming
from consumer.errors import (
    AttemptStale,
    BudgetExceeded,
    CancelRequested,
    ConsumerError,
    FailuresSpent,
    HeadMoved,
    JobTerminal,
    JobUnknown,
    LockBusy,
    LockLost,
    PayloadMismatch,
    ProviderBusy,
    Retryable,
    ShuttingDown,
    UnexpectedFailure,
)
from consumer.run import Base, Run
from contract.api import CommitRef
from contract.event import StageName
from service import telemetry

#: A job without a slot at the model provider has waited for one already, and repeating its stages costs seconds.
PROVIDER_DELAY_S: Final = 30

#: A job's row may become visible after its message. Until then Pub/Sub keeps the message; no ledger could retry it.
UNKNOWN_GRACE_S: Final = 600


class Attempt(Holding):
    """For one use: ``run`` returns the outcome."""

    def run(self) -> Outcome:
        """Never raises, except for exceptions that end the process."""
        if self._deps.threads:
            with self._renewer:
                outcome = self._outcome()
        else:
            outcome = self._outcome()
        self._leave(outcome)
        return outcome

    def refuse(self, raised: Exception) -> Outcome:
        """Call it instead of ``run`` where the run cannot start: records the failure without waiting for the lease."""
        try:
            self._open()
        except Exception as exc:  # noqa: BLE001 (as in _outcome)
            raised = exc
        outcome = self._resolve(raised)
        self._leave(outcome)
        return outcome

    # --- running

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

    def _locked(self) -> Outcome:
        commit = self._committed()
        if commit:
            return self._settle_commit(commit)
        ledger = self._claim.ledger
        if ledger.failures >= self._deps.max_failures:
            raise FailuresSpent(f"job {ledger.job_id}: {ledger.failures} failures before attempt {ledger.attempt}")
        newer = self._deps.parking.newer_digest(self._event) if self._input.was_parked else None
        if newer:
            return self._settle(settle.without_effect("superseded"))
        if self._job and self._job.cancel_requested:
            raise CancelRequested(f"job {ledger.job_id}: cancelled before it ran")
        run = self._run()
        return self._settle(settle.completion_of(run), published=settle.published_of(run))

    def _run(self) -> Run:
        if self._job is None or self._session is None or self._lock is None:
            raise UnexpectedFailure(f"job {self._event.job_id}: a run needs token and lock first")
        head = self._head
        run = Run(
            job=self._job,
            session=self._session,
            attempt=self._claim.attempt,
            epoch=self._lock.epoch,
            owner=self._claim.ledger.owner,
            started_at=self._deps.clock.now(),
            root=self._input.root,
            base=Base(head.seq, head.commit, head.generation) if head else Base(0, None, 0),
            mode=self._deps.mode,
        )
        deps, plan = self._deps, self._input.plan
        resuming = Resuming(deps.checkpoints, deps.checkpoint_after_s, self._claim, plan, deps.clock, self._guard)
        hooks = Hooks(self._entering, self._claim.mark, resuming.reached, self._before_swap)
        with self._bounded(), disk.named(self._input.root):
            self._stage = "hydrate"
            run, after = resuming.start(run)
            run = deps.pipeline.run(run, plan, self._guard, hooks, after)
        if deps.vouch:
            # Every tool has returned, so all their processes have ended.
            deps.vouch(self._job.user_id)
        return run

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        timer = threading.Timer(self._guard.time_left() + self._deps.overrun_grace_s, self._deps.overrun)
        timer.daemon = True
        if self._deps.threads:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _entering(self, stage: StageName, run: Run) -> None:
        self._stage = stage
        try:
            self._progress("running", counts=run.counts)
        except Retryable as exc:
            # The work goes on while the control plane is unreachable.
            telemetry.log("progress not reported", job_id=run.job.job_id, stage=stage, code=exc.code)

    def _before_swap(self, run: Run) -> None:
        self._walked = False
        self._claim.write(self._claim.ledger.prepared(settle.completion_of(run), settle.published_of(run)))

    # --- outcomes of errors

    def _resolve(self, raised: Exception) -> Outcome:
        error = raised if isinstance(raised, ConsumerError) else _unexpected(self._event.job_id, raised)
        try:
            return self._record(error, raised)
        except AttemptStale as exc:
            return out.Stale(self._event.job_id, str(exc))
        except LockBusy as busy:
            # Declaring the job dead or cancelled needs the lock, and another job holds it.
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
        # A persist that fails before its swap leaves nothing; a swap without a reply may have landed or may still land.
        self._doubt = self._stage == "persist" and isinstance(error, Retryable) and not _clean(error)
        for error_class, resolve in self._resolutions().items():
            if isinstance(error, error_class):
                return resolve(error)
        commit = self._commit_after_move() if isinstance(error, HeadMoved) else None
        return self._settle_commit(commit) if commit else self._fail(error, raised)

    def _resolutions(self) -> dict[type[ConsumerError], Callable[[Any], Outcome]]:
        return {
            AttemptStale: self._stale,
            JobTerminal: self._job_terminal,
            LockBusy: self._busy,
            LockLost: self._interrupted,
            ShuttingDown: self._interrupted,
            ProviderBusy: self._delayed,
            CancelRequested: self._cancelled,
            PayloadMismatch: self._unbind,
            JobUnknown: self._unknown,
        }

    def _commit_after_move(self) -> CommitRef | None:
        self._head = None
        return self._committed()

    def _stale(self, error: AttemptStale) -> Outcome:
        dead = self._input.reopened
        if dead and self._session is None:
            # The message is an old replay's; the row names a newer replay. The ledger becomes DEAD again.
            self._claim.write(self._claim.ledger.dead_again(dead))
        return out.Stale(self._event.job_id, str(error))

    def _job_terminal(self, error: JobTerminal) -> Outcome:
        status = terminal_status(error)
        self._claim.write(self._claim.ledger.settled(settle.without_effect(status), delivered=True))
        return out.Duplicate(self._event.job_id, f"the job's row is {status}", why="job_terminal")

    def _busy(self, error: LockBusy) -> Outcome:
        raise error

    def _interrupted(self, error: ConsumerError) -> Outcome:
        """Due at once and not counted as a failure, as the attempt is not at fault."""
        now = self._claim.server_now()
        self._claim.write(self._claim.ledger.retrying(now))
        if isinstance(error, ShuttingDown) and self._input.delivery is not None:
            # Pub/Sub redelivers after the 503; the remaining seconds are for releasing the lock.
            return out.ShutDown(self._event.job_id, str(error))
        self._report("retrying", now, error.code)
        return out.RetryRecorded(self._event.job_id, str(error), code=error.code, retry_at=now)

    def _delayed(self, error: ProviderBusy) -> Outcome:
        """Like an interruption, but due later: an immediate retry would meet the same busy provider."""
        retry_at = self._claim.server_now() + timedelta(seconds=PROVIDER_DELAY_S)
        self._claim.write(self._claim.ledger.retrying(retry_at))
        self._report("retrying", retry_at, error.code)
        return out.RetryRecorded(self._event.job_id, str(error), code=error.code, retry_at=retry_at)

    def _cancelled(self, _error: CancelRequested) -> Outcome:
        commit = self._quiet()
        return self._settle_commit(commit) if commit else self._settle(settle.without_effect("cancelled"))

    def _unbind(self, error: PayloadMismatch) -> Outcome:
        """The message disagrees with the job's row: unbind the ledger, so that the right message is accepted."""
        self._claim.write(self._claim.ledger.unbound(self._claim.server_now()))
        return self._dead_letter_message(error)

    def _unknown(self, error: JobUnknown) -> Outcome:
        """The job has no row, so nothing would ever retry it: leave no ledger of it behind."""
        late = self._input.age_s(self._deps.clock.now()) > UNKNOWN_GRACE_S
        if self._claim.attempt > 1:
            if late:
                failures = self._claim.ledger.failures + 1
                failure = self._failure(error, error)
                self._failed = Failed(failures, failure)
                return self._die(failure, failures)
            self._claim.write(self._claim.ledger.retrying(self._claim.server_now()))
            return out.NotRecorded(self._event.job_id, str(error), code=error.code)
        outcome = (
            self._dead_letter_message(error)
            if late
            else out.NotRecorded(self._event.job_id, str(error), code=error.code)
        )
        self._claim.withdraw()
        return outcome

    def _dead_letter_message(self, error: ConsumerError) -> Outcome:
        """The message is at fault, not the job: write a dead letter for the message."""
        event = self._event
        delivery = self._input.delivery or Delivery(
            f"{event.job_id}-{self._claim.attempt}", event.encode(), event.attributes()
        )
        dead_letter = self._deps.dead_letters.record_message(delivery, error)
        telemetry.count("dead_letters", code=error.code)
        return out.DeadLettered(event.job_id, str(error), code=error.code, record=dead_letter.key)

    def _park(self, busy: LockBusy) -> Outcome | None:
        """Park the job, so that it waits for the lock without occupying anything; None: it got the lock after all.

        The last try follows the write of the parked file: the holder may have left before it could see the file.
        """
        self._deps.parking.park(self._event)
        retry_at = busy.expires_at or self._claim.server_now()
        self._claim.write(self._claim.ledger.parked(retry_at, self._failed))
        self._report("parked", retry_at, busy.code)
        self._head = None
        try:
            self._take_lock()
        except LockBusy as still_busy:
            return out.Parked(self._event.job_id, str(still_busy), retry_at=retry_at)
        self._claim.write(self._claim.ledger.started())
        return None

    def _fail(self, error: ConsumerError, raised: Exception) -> Outcome:
        ledger = self._claim.ledger
        if isinstance(error, FailuresSpent):
            failure, failures = ledger.failure or self._failure(error, raised), ledger.failures
        else:
            failure, failures = self._failure(error, raised), ledger.failures + 1
        self._failed = Failed(failures, failure)
        # A dead job must have no effect later, so while a swap is in doubt the job is retried, not declared dead.
        dead = error.disposition == "dead" or failures >= self._deps.max_failures
        if dead and not self._doubt:
            return self._die(failure, failures)
        requested_s = error.retry_after_s if isinstance(error, Retryable) else None
        delay = timedelta(seconds=retry_delay_s(failures, self._deps.retry_delays_s, requested_s))
        retry_at = self._claim.server_now() + delay
        self._claim.write(self._claim.ledger.retrying(retry_at, self._failed))
        self._report("retrying", retry_at, failure.code)
        return out.RetryRecorded(self._event.job_id, failure.message, code=failure.code, retry_at=retry_at)

    def _die(self, failure: Failure, failures: int) -> Outcome:
        commit = self._quiet()
        if commit:
            return self._settle_commit(commit)
        ledger = self._claim.ledger.model_copy(update={"failures": failures})
        epoch = self._lock.epoch if self._lock else None
        dead_letter = self._deps.dead_letters.record_job(ledger, self._event, failure, epoch)
        self._deps.settlement.record(self._claim, settle.failed(failure), failed=self._failed)
        self._deps.settlement.finish(self._claim, self._session)
        telemetry.count("dead_letters", code=failure.code)
        return out.DeadLettered(self._event.job_id, failure.message, code=failure.code, record=dead_letter.key)

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
        """Recording failed. If the ledger can be written, end its lease: the redelivery then need not wait for it."""
        telemetry.log(
            "outcome not recorded", job_id=self._event.job_id, error=type(error).__name__, then=type(second).__name__
        )
        try:
            if self._claim.ledger.state == "RUNNING":
                self._claim.write(self._claim.ledger.retrying(self._claim.server_now(), self._failed))
        except ConsumerError:
            pass
        code = second.code if isinstance(second, ConsumerError) else UnexpectedFailure.code
        return out.NotRecorded(self._event.job_id, str(error), code=code)


def terminal_status(error: JobTerminal) -> Literal["completed", "failed", "cancelled"]:
    """The job's final status from the control plane's reply: the status itself, or an object with a ``status``."""
    status = error.args[1] if len(error.args) > 1 else None
    if isinstance(status, dict):
        inner = status.get("error")
        status = status.get("status") or (inner.get("status") if isinstance(inner, dict) else None)
    if status not in ("completed", "failed", "cancelled"):
        raise UnexpectedFailure(f"job_terminal needs a terminal status, the reply has a {type(status).__name__}")
    return status  # type: ignore[no-any-return]  # narrowed by the membership test above


def _clean(error: ConsumerError) -> bool:
    """Whether the error was raised before the swap was sent, or by its definite refusal."""
    return isinstance(error, (HeadMoved, BudgetExceeded))


def _unexpected(job_id: str, raised: Exception) -> UnexpectedFailure:
    return UnexpectedFailure(f"job {job_id}: {type(raised).__name__}")
