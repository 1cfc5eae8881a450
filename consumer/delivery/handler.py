"""One delivery -> one Outcome. The only place that decides to run, dispatch, ignore or dead-letter a job."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from consumer.breakers import RECORDING
from consumer.delivery import checkpoint, disk, envelope
from consumer.delivery import ledger as core
from consumer.delivery import outcome as out
from consumer.delivery.attempt import Attempt
from consumer.delivery.completed_jobs import CompletedJobs
from consumer.delivery.deadletter import is_announcement
from consumer.delivery.deps import AttemptDeps, AttemptInput
from consumer.delivery.dispatch import Dispatcher
from consumer.delivery.envelope import Delivery
from consumer.delivery.launching import Launching
from consumer.delivery.ledger import StoredLedger
from consumer.delivery.ledgers import LedgerClaim, Ledgers
from consumer.delivery.outcome import Outcome
from consumer.delivery.plan import Plan
from consumer.delivery.runfolder import FolderBusy, RunFolder
from consumer.delivery.ticks import Ticks
from consumer.errors import (
    AttemptStale,
    ConsumerError,
    DeliveryExhausted,
    ExecutionNotStarted,
    JobTerminal,
    LedgerUnreadable,
    MalformedMessage,
    PayloadMismatch,
    SnapshotIncomplete,
    Terminal,
)
from consumer.ports import HeadView
from consumer.storage.conditional import Overtaken
from contract.api import TokenRequest
from contract.event import JobEvent, JobType, TickEvent
from service import telemetry

#: The next hourly tick covers what one that old would have planned.
TICK_KEPT: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Handler:
    """``dispatcher`` is None where this process launches no executions; all its plans are then inline."""

    ledgers: Ledgers
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
            withheld = self._withheld(tick, published)
            return self._counted(withheld or self.ticks.plan(tick, published, delivery.message_id))
        except Terminal as exc:
            return self._counted(self._dead_letter(delivery, exc))
        except ConsumerError as exc:
            self.parts.breakers.note(exc)
            return self._counted(out.NotRecorded(None, str(exc), code=exc.code))

    def dead_letter(self, delivery: Delivery) -> Outcome:
        """A message of the dead-letter topic. Our announcement has a record already; a message that Pub/Sub gave up
        on gets one, unless it is a job's: the sweep publishes a job as long as its row is open.
        """
        if is_announcement(delivery.attributes):
            return self._counted(out.Duplicate(None, delivery.attributes.get("dead_letter", ""), why="duplicate"))
        with suppress(MalformedMessage):
            event = envelope.job_event(delivery)
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

    def _withheld(self, tick: TickEvent, published: datetime) -> Outcome | None:
        """While a shared service is away, an hourly tick plans nothing: its jobs would only wait. Pub/Sub keeps the
        tick until the next one is due, which then plans for both hours.
        """
        away = self.parts.breakers.away()
        if tick.kind != "hourly" or away is None:
            return None
        detail = f"hourly tick withheld: {away} is away"
        if self.parts.clock.now() - published < TICK_KEPT:
            return out.Waiting(None, detail)
        return out.Planned(None, detail)

    def _decided(self, event: JobEvent, delivery: Delivery) -> Outcome:
        if unread := self._unread(event, delivery):
            return unread
        self.parts.open_ends.write()
        stored = self.ledgers.find(event.job_id)
        self.parts.breakers.answered("bucket")
        self.completed_jobs.learn(stored)
        decision = core.decide(stored, event.payload_digest, event.replay_id, self.parts.limits)
        if isinstance(decision, core.Ignore):
            return self._ignored(event, stored, decision)
        if isinstance(decision, core.Mismatch):
            error = PayloadMismatch(
                f"job {event.job_id}: the ledger has payload digest {decision.expected}, the message another"
            )
            return self._dead_letter(delivery, error)
        if isinstance(decision, core.Proceed):
            return self._proceed(stored, event, delivery, decision)
        assert stored is not None, "only a new job has no ledger"
        if isinstance(decision, core.Deliver):
            return self._deliver(stored, event, decision.replay_id)
        return self._overdue(stored, event, delivery)

    def _ignored(self, event: JobEvent, stored: StoredLedger | None, decision: core.Ignore) -> Outcome:
        if decision.why == "running" and stored and not stored.ledger.stages:
            # The row may not say yet that the job runs, and then nothing but this message would bring it back.
            return out.Busy(event.job_id, f"{decision.detail} has just begun")
        return out.Duplicate(event.job_id, decision.detail, why=decision.why, until=decision.until)

    def _unread(self, event: JobEvent, delivery: Delivery) -> Outcome | None:
        """The outcome of a delivery that needs no look at its ledger, or must not have one now; None: look."""
        # A replay may have opened the row of a job that is done here; only the ledger knows whether it is a new one.
        if event.replay_id is None and self.completed_jobs.is_done(event.job_id, event.payload_digest):
            return out.Duplicate(event.job_id, "completed already, as remembered by this instance")
        if away := self.parts.breakers.refuses(*RECORDING, new=delivery.attempt in (None, 1)):
            return out.Waiting(event.job_id, f"{away} was away a moment ago")
        return None

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
        spent = failures >= self.parts.limits.max_failures or self._given_up(stored, decision)
        superseded = self._superseded(event, decision)
        only_settle = spent or superseded
        if plan.dispatch == "cloud-run-job" and not only_settle:
            claim, _ = self._claim(stored, event, "QUEUED", decision)
            return self._launching().launch(claim, event, plan)
        with self.folder.mutex():
            attempt_input = self._input(stored, event, delivery, decision, plan)
            # A dream does not fit a push, so here it ends even if the job that waited is gone by now.
            return self._attempt(replace(attempt_input, superseded=superseded and event.job_type == "dream"))

    def _given_up(self, stored: StoredLedger | None, decision: core.Proceed) -> bool:
        if stored is None or decision.replay_id:
            return False
        return core.given_up(stored.ledger, self.parts.limits) is not None

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
            telemetry.log(
                "HEAD not read", job_id=event.job_id, user_id=event.user_id, code=exc.code, level=telemetry.WARNING
            )
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

    def _overdue(self, stored: StoredLedger, event: JobEvent, delivery: Delivery) -> Outcome:
        """The execution has not taken its job. A pending one is waited for, one that is over is launched again, twice;
        then the job is settled here, under its user's lock.
        """
        launching = self._launching()
        state = launching.state(stored.ledger)
        since = core.waits_since(stored.ledger, "launcher", stored.updated)
        too_long = stored.server_time - since > self.parts.limits.longest_wait
        if not state.is_over and not too_long:
            return launching.wait(self.ledgers.replace(stored, stored.ledger.pending(since)))
        why = f"it was pending for over a day. {state.reason}".rstrip() if too_long else state.reason
        error = ExecutionNotStarted(f"job {event.job_id}: the execution ended before it began: {why}")
        if stored.ledger.launches < self.parts.limits.execution_launches and not too_long:
            failure = launching.failure(stored.ledger, error, stored.server_time)
            claim = self.ledgers.replace(stored, stored.ledger.launching(failure))
            return launching.launch(claim, event, self.plans[event.job_type])
        launching.give_back(self.ledgers.replace(stored, stored.ledger), None, error, self.parts.limits.max_failures)
        return self._proceed(self.ledgers.find(event.job_id), event, delivery, core.Proceed("due"))

    def _launching(self) -> Launching:
        assert self.dispatcher is not None, "a job is dispatched, but this process has no launcher"
        return Launching(self.parts, self.dispatcher)

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
            self.parts.breakers.note(exc)
            if exc.dependency:
                return out.Waiting(event.job_id, str(exc), code=exc.code)
            return out.Undelivered(event.job_id, str(exc))
        return self.parts.settlement.finish(claim, session)

    # --- dead letters and results

    def _dead_letter(self, delivery: Delivery, error: ConsumerError, *, announce: bool = True) -> Outcome:
        try:
            dead_letter = self.parts.dead_letters.record_message(delivery, error, announce=announce)
        except ConsumerError as exc:
            return out.NotRecorded(None, f"{error.code}: {exc}", code=exc.code)
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
            self.parts.breakers.note(exc)
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
