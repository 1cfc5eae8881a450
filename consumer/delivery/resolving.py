"""How an attempt ends that raised an error: which outcome is recorded, and how."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from consumer.breakers import RECORDING
from consumer.delivery import outcome as out
from consumer.delivery import settlement as settle
from consumer.delivery.deadletter import failure_of
from consumer.delivery.envelope import Delivery
from consumer.delivery.holding import Holding
from consumer.delivery.ledger import SETTLED, Failed, Failure, retry_delay_s, wait_delay_s, waits_since
from consumer.delivery.outcome import Outcome
from consumer.errors import (
    AttemptStale,
    BudgetExceeded,
    CancelRequested,
    ConsumerError,
    Dependency,
    FailuresSpent,
    HeadMoved,
    InterruptionsSpent,
    JobTerminal,
    JobUnknown,
    LockBusy,
    LockLost,
    PayloadMismatch,
    ProviderBusy,
    QueuePaused,
    Retryable,
    ShuttingDown,
    Superseded,
    UnexpectedFailure,
)
from contract.api import CommitRef
from service import telemetry

#: A job without a slot at the model provider has waited for one already, and repeating its stages costs seconds.
PROVIDER_DELAY_S: Final = 30
#: From so many interruptions on, operators are told, and the next attempt waits: its stages cost time and money.
ALARM_INTERRUPTIONS: Final = 5
ALARM_DELAY_S: Final = 60
#: The log line of an alert.
INTERRUPTED: Final = "job interrupted again and again without progress"

#: A job's row may become visible after its message. Until then Pub/Sub keeps the message; no ledger could retry it.
UNKNOWN_GRACE_S: Final = 600


class Resolution:
    """Records the outcome of an attempt that ended with an error."""

    def __init__(self, held: Holding) -> None:
        self._held = held

    def of(self, raised: Exception) -> Outcome | None:
        """The recorded outcome; None: the job was parked and got its lock after all, so it goes on under the lock."""
        error = raised if isinstance(raised, ConsumerError) else _unexpected(self._held.event.job_id, raised)
        try:
            return self._record(error, raised)
        except AttemptStale as exc:
            return out.Stale(self._held.event.job_id, str(exc))
        except LockBusy as busy:
            # Declaring the job dead or cancelled needs the lock, and another job holds it.
            return self._held.park(busy)
        except Exception as exc:  # noqa: BLE001 (nothing could be recorded: Pub/Sub must keep the message)
            return self._unrecorded(error, exc)

    def _record(self, error: ConsumerError, raised: Exception) -> Outcome:
        if self._held.claim.ledger.state in SETTLED:
            return out.Undelivered(self._held.event.job_id, str(error))
        # A persist that fails before its swap leaves nothing; a swap without a reply may have landed or may still land.
        self._held.doubt = self._held.stage == "persist" and isinstance(error, Retryable) and not _clean(error)
        for error_class, resolve in self._resolutions().items():
            if isinstance(error, error_class):
                return resolve(error)
        if error.dependency:
            return self._wait(error, error.dependency, raised)
        commit = self._commit_after_move() if isinstance(error, HeadMoved) else None
        return self._held.settle_commit(commit) if commit else self._fail(error, raised)

    def _resolutions(self) -> dict[type[ConsumerError], Callable[[Any], Outcome]]:
        return {
            AttemptStale: self._stale,
            JobTerminal: self._job_terminal,
            LockBusy: self._busy,
            LockLost: self._interrupted,
            ShuttingDown: self._interrupted,
            QueuePaused: self._withheld,
            CancelRequested: self._cancelled,
            Superseded: self._superseded,
            PayloadMismatch: self._unbind,
            JobUnknown: self._unknown,
        }

    def _commit_after_move(self) -> CommitRef | None:
        self._held.head = None
        return self._held.committed()

    def _stale(self, error: AttemptStale) -> Outcome:
        dead = self._held.input.reopened
        if dead and self._held.session is None:
            # The message is an old replay's; the row names a newer replay. The ledger becomes DEAD again.
            self._held.claim.write(self._held.claim.ledger.dead_again(dead))
        return out.Stale(self._held.event.job_id, str(error))

    def _job_terminal(self, error: JobTerminal) -> Outcome:
        status = terminal_status(error)
        self._held.claim.write(self._held.claim.ledger.settled(settle.without_effect(status), delivered=True))
        return out.Duplicate(self._held.event.job_id, f"the job's row is {status}", why="job_terminal")

    def _busy(self, error: LockBusy) -> Outcome:
        raise error

    def _interrupted(self, error: ConsumerError) -> Outcome:
        """Due at once, and not counted as a failure, as the attempt is not at fault. A lost lock is counted of its own
        until an attempt gets further (``Ledger.interrupted``): a job must not repeat its stages without end. The next
        attempt gives the job up, under the lock.
        """
        now = self._held.claim.server_now()
        if isinstance(error, ShuttingDown):
            self._held.claim.write(self._held.claim.ledger.retrying(now))
            if self._held.input.delivery is not None:
                # Pub/Sub redelivers after the 503; the remaining seconds are for releasing the lock.
                return out.ShutDown(self._held.event.job_id, str(error))
            return self._again(error, now)
        ledger = self._held.claim.ledger.interrupted(now)
        if ledger.interruptions >= ALARM_INTERRUPTIONS:
            ledger = ledger.retrying(now + timedelta(seconds=ALARM_DELAY_S))
            telemetry.count("interruption_alarms")
            telemetry.log(
                INTERRUPTED,
                job_id=ledger.job_id,
                interruptions=ledger.interruptions,
                code=error.code,
                level=telemetry.ERROR,
            )
        self._held.claim.write(ledger)
        return self._again(error, ledger.retry_at or now)

    def _wait(self, error: ConsumerError, dependency: Dependency, raised: Exception) -> Outcome:
        """All jobs share the service: the job waits without counting. But not for ever, and not where another job that
        needed the service ended well meanwhile: then the fault is this job's.
        """
        held, breakers = self._held, self._held.deps.breakers
        # A job that was kept from trying says nothing new about the service.
        if not isinstance(error, ProviderBusy) and not breakers.refuses(dependency):
            breakers.failed(dependency, error.code)
        ledger, now = held.claim.ledger, held.claim.server_now()
        since = waits_since(ledger, dependency, now)
        waited_s = (now - since).total_seconds()
        if breakers.proven_within(dependency, waited_s) and not isinstance(error, ProviderBusy):
            return self._fail(error, raised)
        if now - since > held.deps.limits.longest_wait and not held.doubt:
            return self._waited_too_long(dependency)
        if dependency in RECORDING:
            held.claim.write(ledger.waiting(now, dependency, since))
            return out.Waiting(held.event.job_id, str(error), code=error.code)
        requested_s = error.retry_after_s if isinstance(error, Retryable) else None
        delay_s = wait_delay_s(ledger.job_id, waited_s, requested_s)
        retry_at = now + timedelta(seconds=PROVIDER_DELAY_S if isinstance(error, ProviderBusy) else delay_s)
        held.claim.write(ledger.waiting(retry_at, dependency, since))
        return self._again(error, retry_at, dependency)

    def _withheld(self, error: QueuePaused) -> Outcome:
        """An operator paused the queue: the job waits, and this attempt counts nowhere. Its row is due already, so that
        the publisher sends the job when the pause ends; without a token nothing can be reported anyway.
        """
        now = self._held.claim.server_now()
        self._held.claim.write(self._held.claim.ledger.withheld(now))
        return out.RetryRecorded(self._held.event.job_id, str(error), code=error.code, retry_at=now)

    def _waited_too_long(self, dependency: Dependency) -> Outcome:
        """After a day, a digest tells old news: the next one covers its hour. Any other job ends as a dead letter."""
        commit = self._held.quiet()
        if commit:
            return self._held.settle_commit(commit)
        if self._held.event.job_type == "hourly_digest":
            return self._held.settle(settle.without_effect("superseded"))
        hours = self._held.deps.limits.longest_wait.total_seconds() / 3600
        error = InterruptionsSpent(f"job {self._held.event.job_id}: waiting for {dependency} for over {hours:.0f} h")
        failure, failures = self._failure(error, error), self._held.claim.ledger.failures
        self._held.failed = Failed(failures, failure)
        return self._die(failure, failures)

    def _again(self, error: ConsumerError, retry_at: datetime, waiting_for: Dependency | None = None) -> Outcome:
        self._held.report("retrying", retry_at, error.code, waiting_for)
        return out.RetryRecorded(self._held.event.job_id, str(error), code=error.code, retry_at=retry_at)

    def _cancelled(self, _error: CancelRequested) -> Outcome:
        commit = self._held.quiet()
        return self._held.settle_commit(commit) if commit else self._held.settle(settle.without_effect("cancelled"))

    def _superseded(self, _error: Superseded) -> Outcome:
        """The dream is over: no failure, no attempt. Leaving the lock then hands over to the job that waits."""
        commit = self._held.quiet()
        return self._held.settle_commit(commit) if commit else self._held.settle(settle.without_effect("superseded"))

    def _unbind(self, error: PayloadMismatch) -> Outcome:
        """The message disagrees with the job's row: unbind the ledger, so that the right message is accepted."""
        self._held.claim.write(self._held.claim.ledger.unbound(self._held.claim.server_now()))
        return self._dead_letter_message(error)

    def _unknown(self, error: JobUnknown) -> Outcome:
        """The job has no row, so nothing would ever retry it: leave no ledger of it behind."""
        # Both times are Google's: a clock of ours that is ahead must not age a message.
        late = self._held.input.age_s(self._held.claim.server_now()) > UNKNOWN_GRACE_S
        if self._held.claim.attempt > 1:
            if late:
                failures = self._held.claim.ledger.failures + 1
                failure = self._failure(error, error)
                self._held.failed = Failed(failures, failure)
                return self._die(failure, failures)
            self._held.claim.write(self._held.claim.ledger.retrying(self._held.claim.server_now()))
            return out.NotRecorded(self._held.event.job_id, str(error), code=error.code)
        outcome = (
            self._dead_letter_message(error)
            if late
            else out.NotRecorded(self._held.event.job_id, str(error), code=error.code)
        )
        self._held.claim.withdraw()
        return outcome

    def _dead_letter_message(self, error: ConsumerError) -> Outcome:
        """The message is at fault, not the job: write a dead letter for the message."""
        event = self._held.event
        delivery = self._held.input.delivery or Delivery(
            f"{event.job_id}-{self._held.claim.attempt}", event.encode(), event.attributes()
        )
        dead_letter = self._held.deps.dead_letters.record_message(delivery, error)
        return out.DeadLettered(event.job_id, str(error), code=error.code, record=dead_letter.key)

    def _fail(self, error: ConsumerError, raised: Exception) -> Outcome:
        ledger = self._held.claim.ledger
        if isinstance(error, FailuresSpent):
            failure, failures = ledger.failure or self._failure(error, raised), ledger.failures
        else:
            failure, failures = self._failure(error, raised), ledger.failures + 1
        self._held.failed = Failed(failures, failure)
        # A dead job must have no effect later, so while a swap is in doubt the job is retried, not declared dead.
        dead = error.disposition == "dead" or failures >= self._held.deps.limits.max_failures
        if dead and not self._held.doubt:
            return self._die(failure, failures)
        requested_s = error.retry_after_s if isinstance(error, Retryable) else None
        delay = timedelta(seconds=retry_delay_s(failures, self._held.deps.retry_delays_s, requested_s))
        retry_at = self._held.claim.server_now() + delay
        self._held.claim.write(self._held.claim.ledger.retrying(retry_at, self._held.failed))
        self._held.report("retrying", retry_at, failure.code)
        return out.RetryRecorded(self._held.event.job_id, failure.message, code=failure.code, retry_at=retry_at)

    def _die(self, failure: Failure, failures: int) -> Outcome:
        commit = self._held.quiet()
        if commit:
            return self._held.settle_commit(commit)
        ledger = self._held.claim.ledger.model_copy(update={"failures": failures})
        epoch = self._held.lock.epoch if self._held.lock else None
        dead_letter = self._held.deps.dead_letters.record_job(ledger, self._held.event, failure, epoch)
        self._held.deps.settlement.record(self._held.claim, settle.failed(failure), failed=self._held.failed)
        self._held.deps.settlement.finish(self._held.claim, self._held.session)
        return out.DeadLettered(self._held.event.job_id, failure.message, code=failure.code, record=dead_letter.key)

    def _failure(self, error: ConsumerError, raised: Exception) -> Failure:
        if not isinstance(raised, ConsumerError):
            telemetry.log(
                "bug", job_id=self._held.event.job_id, stage=self._held.stage, exc_info=raised, level=telemetry.ERROR
            )
        return failure_of(
            raised,
            code=error.code,
            hint=error.hint,
            stage=self._held.stage,
            now=self._held.claim.server_now(),
            before=self._held.claim.ledger.failure,
        )

    def _unrecorded(self, error: ConsumerError, second: Exception) -> Outcome:
        """Recording failed. If the ledger can be written, end its lease: the redelivery then need not wait for it."""
        telemetry.log(
            "outcome not recorded",
            job_id=self._held.event.job_id,
            error=type(error).__name__,
            then=type(second).__name__,
        )
        try:
            if self._held.claim.ledger.state == "RUNNING":
                self._held.claim.write(
                    self._held.claim.ledger.retrying(self._held.claim.server_now(), self._held.failed)
                )
        except ConsumerError:
            if self._held.claim.ledger.state == "RUNNING":
                self._held.deps.open_ends.add(self._held.claim)
        code = second.code if isinstance(second, ConsumerError) else UnexpectedFailure.code
        if isinstance(second, ConsumerError) and second.dependency:
            self._held.deps.breakers.failed(second.dependency, second.code)
        return out.NotRecorded(self._held.event.job_id, str(error), code=code)


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
