"""One delivery -> one Outcome. The only place that decides to run, dispatch, ignore or dead-letter a job."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Literal

from consumer.delivery import checkpoint, disk, envelope
from consumer.delivery import ledger as core
from consumer.delivery import outcome as out
from consumer.delivery.attempt import Attempt
from consumer.delivery.completed_jobs import CompletedJobs
from consumer.delivery.deadletter import failure_of, is_announcement
from consumer.delivery.deps import AttemptDeps, AttemptInput
from consumer.delivery.dispatch import Dispatcher
from consumer.delivery.envelope import Delivery
from consumer.delivery.ledger import DeliveryLimits, StoredLedger, retry_delay_s
from consumer.delivery.ledgers import LedgerClaim, Ledgers
from consumer.delivery.outcome import Outcome
from consumer.delivery.plan import Plan
from consumer.delivery.runfolder import FolderBusy, RunFolder
from consumer.delivery.ticks import Ticks
from consumer.errors import (
    AttemptStale,
    ConsumerError,
    DeliveryExhausted,
    FailuresSpent,
    JobTerminal,
    LauncherUnavailable,
    LedgerUnreadable,
    MalformedMessage,
    PayloadMismatch,
    SnapshotIncomplete,
    Terminal,
)
from consumer.ports import HeadView
from consumer.storage.conditional import Overtaken
from contract.api import TokenRequest
from contract.event import JobEvent, JobType
from service import telemetry


@dataclass(frozen=True, slots=True)
class Handler:
    """``dispatcher`` is None where this process launches no executions; all its plans are then inline."""

    ledgers: Ledgers
    limits: DeliveryLimits
    plans: Mapping[JobType, Plan]
    folder: RunFolder
    parts: AttemptDeps
    ticks: Ticks
    dispatcher: Dispatcher | None
    completed_jobs: CompletedJobs = field(default_factory=CompletedJobs)

    # --- entry points

    def job(self, delivery: Delivery) -> Outcome:
        """A message of the jobs topic."""
        try:
            event = envelope.job_event(delivery)
        except MalformedMessage as exc:
            return self._counted(self._dead_letter(delivery, exc))
        with telemetry.span("job", event.traceparent, job_id=event.job_id, job_type=event.job_type):
            return self._counted(self._guarded(event.job_id, lambda: self._decided(event, delivery)))

    def tick(self, delivery: Delivery) -> Outcome:
        """A message of the ticks topic."""
        try:
            tick, published = envelope.tick_event(delivery)
            return self._counted(self.ticks.plan(tick, published, delivery.message_id))
        except Terminal as exc:
            return self._counted(self._dead_letter(delivery, exc))
        except ConsumerError as exc:
            return self._counted(out.NotRecorded(None, str(exc), code=exc.code))

    def dead_letter(self, delivery: Delivery) -> Outcome:
        """A message of the dead-letter topic. Our announcement has a record already; a message that Pub/Sub gave up
        on gets one, unless it is a job's: the sweep publishes a job as long as its row is open.
        """
        if is_announcement(delivery.attributes):
            return self._counted(out.Duplicate(None, delivery.attributes.get("dead_letter", ""), why="duplicate"))
        try:
            event = envelope.job_event(delivery)
        except MalformedMessage:
            pass
        else:
            telemetry.count("exhausted_messages")
            return self._counted(out.Duplicate(event.job_id, "Pub/Sub gave up; the job's row brings it back"))
        count = delivery.attributes.get("CloudPubSubDeadLetterSourceDeliveryCount", "?")
        error = DeliveryExhausted(f"message {delivery.message_id}: Pub/Sub gave up after {count} deliveries")
        return self._counted(self._dead_letter(delivery, error, announce=False))

    def refuse(self, body: bytes, error: MalformedMessage) -> Outcome:
        """A push body that is not a Pub/Sub envelope."""
        return self._counted(self._dead_letter(envelope.undecodable(body), error))

    def execute(self, job_id: str, attempt: int, expected: Mapping[str, str]) -> Outcome:
        """An execution's job. ``expected``: event fields from the launcher, which must equal the ledger's."""
        return self._counted(self._guarded(job_id, lambda: self._executed(job_id, attempt, expected)))

    # --- decisions

    def _decided(self, event: JobEvent, delivery: Delivery) -> Outcome:
        # A replay may have opened the row of a job that is done here; only the ledger knows whether it is a new one.
        if event.replay_id is None and self.completed_jobs.is_done(event.job_id, event.payload_digest):
            return out.Duplicate(event.job_id, "completed already, as remembered by this instance")
        stored = self.ledgers.find(event.job_id)
        self.completed_jobs.learn(stored)
        decision = core.decide(stored, event.payload_digest, event.replay_id, self.limits)
        if isinstance(decision, core.Ignore):
            return out.Duplicate(event.job_id, decision.detail, why=decision.why, until=decision.until)
        if isinstance(decision, core.Mismatch):
            error = PayloadMismatch(
                f"job {event.job_id}: the ledger has payload digest {decision.expected}, the message another"
            )
            return self._dead_letter(delivery, error)
        if isinstance(decision, core.Proceed):
            return self._proceed(stored, event, delivery, decision)
        if stored is None:
            raise AssertionError("only a new job has no ledger")
        if isinstance(decision, core.Deliver):
            return self._deliver(stored, event, decision.replay_id)
        return self._requeue(stored, event, spent=isinstance(decision, core.LaunchesSpent))

    def _proceed(
        self, stored: StoredLedger | None, event: JobEvent, delivery: Delivery, decision: core.Proceed
    ) -> Outcome:
        plan = self.plans[event.job_type]
        if delivery.publish_time:
            age_s = (self.parts.clock.now() - delivery.publish_time).total_seconds()
            telemetry.observe("queue_age", max(0.0, age_s), "s", job_type=event.job_type)
        if stored and decision.why == "parked":
            waited_s = (stored.server_time - stored.updated).total_seconds()
            telemetry.observe("lock_wait", max(0.0, waited_s), "s", job_type=event.job_type)
        failures = decision.failures(stored.ledger if stored else None)
        # A job without failures left, or superseded by a newer one, is only settled: lock, fence, walk, settle. That
        # needs no execution.
        spent = failures >= self.limits.max_failures or self._given_up(stored, decision)
        superseded = self._superseded(event, decision)
        only_settle = spent or superseded
        if plan.dispatch == "cloud-run-job" and not only_settle:
            claim, _ = self._claim(stored, event, "QUEUED", decision)
            return self._dispatch(claim, event, plan)
        with self.folder.mutex():
            attempt_input = self._input(stored, event, delivery, decision, plan)
            # A dream does not fit a push, so here it ends even if the job that waited is gone by now.
            return self._attempt(replace(attempt_input, superseded=superseded and event.job_type == "dream"))

    def _given_up(self, stored: StoredLedger | None, decision: core.Proceed) -> bool:
        if stored is None or decision.replay_id:
            return False
        return core.given_up(stored.ledger, stored.server_time, self.limits) is not None

    def _superseded(self, event: JobEvent, decision: core.Proceed) -> bool:
        waited = decision.why == "parked" or event.job_type == "dream"
        return waited and self.parts.parking.superseded(event)

    def _input(
        self, stored: StoredLedger | None, event: JobEvent, delivery: Delivery, decision: core.Proceed, plan: Plan
    ) -> AttemptInput:
        claim, head = self._claim(stored, event, "RUNNING", decision)
        before = stored.ledger if stored else None
        return AttemptInput(claim, event, plan, self.folder.workspace, delivery=delivery, head=head, before=before)

    def _claim(
        self, stored: StoredLedger | None, event: JobEvent, state: Literal["RUNNING", "QUEUED"], decision: core.Proceed
    ) -> tuple[LedgerClaim, HeadView | None]:
        """The claim, and HEAD if it was read to set ``base_seq``."""
        based = stored is not None and stored.ledger.base_seq is not None
        head = None if based else self._head(event)
        now = stored.server_time if stored else self.parts.clock.now()
        claim = core.NewClaim(
            event=event,
            state=state,
            owner=self.ledgers.ids(),
            began_at=now,
            ended_at=stored.updated if stored else now,
            base_seq=None if based else (head.seq if head else 0),
            replay_id=decision.replay_id,
            lost=decision.lost,
            checkpoints=checkpoint.for_replay(stored.ledger.checkpoints, event.from_stage) if stored else (),
        )
        return (self.ledgers.take(stored, claim) if stored else self.ledgers.create(claim)), head

    def _head(self, event: JobEvent) -> HeadView | None:
        try:
            return self.parts.heads.of(event.user_id).read_head()
        except SnapshotIncomplete as exc:
            # A damaged HEAD must not prevent the claim: failures can be counted only in a ledger. With base 0, a later
            # attempt walks the whole chain.
            telemetry.log("HEAD not read", job_id=event.job_id, user_id=event.user_id, code=exc.code, level=30)
            return None

    def _attempt(self, attempt_input: AttemptInput) -> Outcome:
        attempt = Attempt(self.parts, attempt_input)
        with ExitStack() as opened:
            try:
                name = f"{attempt_input.event.job_id}-{attempt_input.claim.attempt}"
                opened.enter_context(self.folder.open(name, attempt_input.event.user_id))
            except OSError as exc:
                return attempt.refuse(disk.full(exc, self.folder.root) or exc)
            return attempt.run()

    def _executed(self, job_id: str, attempt: int, expected: Mapping[str, str]) -> Outcome:
        with self.folder.mutex():
            claim = self.ledgers.adopt(job_id, attempt)
            if claim is None:
                return out.Duplicate(job_id, f"attempt {attempt} is not queued any more", why="not_queued")
            event = JobEvent.model_validate(claim.ledger.event)
            for name, value in expected.items():
                if str(getattr(event, name)) != value:
                    raise PayloadMismatch(f"job {job_id}: launched with another {name} than its ledger's")
            # An execution's process plans every job inline, as it launches none. This job itself was dispatched.
            plan = replace(self.plans[event.job_type], dispatch="cloud-run-job")
            # The parent span is the launch if the launcher passed it on, else the message's.
            trace = None if telemetry.traceparent() else event.traceparent
            with telemetry.span("attempt", trace, job_id=job_id, job_type=event.job_type):
                return self._attempt(AttemptInput(claim, event, plan, self.folder.workspace))

    # --- dispatch and delivery

    def _dispatch(self, claim: LedgerClaim, event: JobEvent, plan: Plan) -> Outcome:
        if self.dispatcher is None:
            raise AssertionError(f"{event.job_type} is dispatched, but this process has no launcher")
        try:
            execution = self.dispatcher.launch(claim, event, plan)
        except LauncherUnavailable as exc:
            return self._launch_failed(claim, exc)
        return out.Launched(event.job_id, execution)

    def _launch_failed(self, claim: LedgerClaim, error: ConsumerError) -> Outcome:
        """Record one failure. If the execution has started all the same, it finds the ledger not QUEUED and exits."""
        ledger = claim.ledger
        failures = ledger.failures + 1
        now = claim.server_now()
        failure = failure_of(error, code=error.code, hint=error.hint, stage=None, now=now, before=ledger.failure)
        retry_at = now + timedelta(seconds=retry_delay_s(failures, self.parts.retry_delays_s, None))
        claim.write(ledger.retrying(retry_at, core.Failed(failures, failure)))
        return out.RetryRecorded(ledger.job_id, str(error), code=error.code, retry_at=retry_at)

    def _requeue(self, stored: StoredLedger, event: JobEvent, *, spent: bool) -> Outcome:
        if spent:
            claim = self.ledgers.replace(stored, stored.ledger)
            message = f"job {event.job_id}: launched {stored.ledger.launches} times, never started"
            return self._launch_failed(claim, FailuresSpent(message))
        claim = self.ledgers.replace(stored, stored.ledger.launching())
        return self._dispatch(claim, event, self.plans[event.job_type])

    def _deliver(self, stored: StoredLedger, event: JobEvent, replay_id: str | None) -> Outcome:
        """The outcome is recorded: deliver it to the control plane, in a new attempt."""
        ledger = stored.ledger
        claim = self.ledgers.replace(stored, ledger.taken_to_deliver(self.ledgers.ids(), replay_id))
        request = TokenRequest(attempt=claim.attempt, owner=claim.ledger.owner, replay_id=claim.ledger.replay_id)
        try:
            _, session = self.parts.controlplane.open(event.job_id, request)
        except JobTerminal as exc:
            claim.write(claim.ledger.confirmed())
            return out.Duplicate(event.job_id, str(exc), why="job_terminal")
        except AttemptStale as exc:
            return out.Stale(event.job_id, str(exc))
        except ConsumerError as exc:
            return out.Undelivered(event.job_id, str(exc))
        return self.parts.settlement.finish(claim, session)

    # --- dead letters and results

    def _dead_letter(self, delivery: Delivery, error: ConsumerError, *, announce: bool = True) -> Outcome:
        try:
            dead_letter = self.parts.dead_letters.record_message(delivery, error, announce=announce)
        except ConsumerError as exc:
            return out.NotRecorded(None, f"{error.code}: {exc}", code=exc.code)
        telemetry.count("dead_letters", code=error.code)
        return out.DeadLettered(dead_letter.job_id, str(error), code=error.code, record=dead_letter.key)

    def _guarded(self, job_id: str, act: Callable[[], Outcome]) -> Outcome:
        """Turn an error before the claim into an outcome: without a claim there is no ledger to record it in."""
        try:
            return act()
        except FolderBusy as exc:
            return out.Busy(job_id, str(exc))
        except Overtaken as exc:
            return out.Duplicate(job_id, str(exc), why="running")
        except AttemptStale as exc:
            return out.Stale(job_id, str(exc))
        except LedgerUnreadable as exc:
            return self._dead_letter(Delivery(f"ledger-{job_id}", b"", {"job_id": job_id}), exc)
        except ConsumerError as exc:
            return out.NotRecorded(job_id, str(exc), code=exc.code)

    def _counted(self, outcome: Outcome) -> Outcome:
        telemetry.count("outcomes", outcome=outcome.name)
        telemetry.log(
            outcome.name,
            job_id=outcome.job_id,
            detail=outcome.detail,
            code=getattr(outcome, "code", None) or None,
            status=outcome.http_status,
        )
        return outcome
