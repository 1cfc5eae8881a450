"""One claimed attempt of one job, from its token to its recorded outcome. docs/delivery.md numbers the steps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from consumer.breakers import RECORDING
from consumer.delivery import disk
from consumer.delivery import settlement as settle
from consumer.delivery.deps import AttemptDeps, AttemptInput
from consumer.delivery.holding import Holding
from consumer.delivery.ledger import given_up
from consumer.delivery.outcome import Done, Outcome
from consumer.delivery.pipeline import Hooks
from consumer.delivery.resolving import Resolution
from consumer.delivery.resuming import Resuming
from consumer.errors import (
    CancelRequested,
    FailuresSpent,
    InterruptionsSpent,
    LockBusy,
    Retryable,
    UnexpectedFailure,
)
from consumer.run import Base, Run
from contract.event import StageName
from service import telemetry


class Attempt:
    """For one use: ``run`` returns the outcome."""

    def __init__(self, deps: AttemptDeps, attempt_input: AttemptInput) -> None:
        self._held = Holding(deps, attempt_input)
        self._resolution = Resolution(self._held)

    def run(self) -> Outcome:
        """Never raises, except for exceptions that end the process."""
        if self._held.deps.threads:
            with self._held.renewer:
                outcome = self._outcome_of(self._work)
        else:
            outcome = self._outcome_of(self._work)
        self._held.leave(outcome)
        if isinstance(outcome, Done):
            self._held.deps.breakers.proven(*RECORDING)
        return outcome

    def refuse(self, raised: Exception) -> Outcome:
        """Call it instead of ``run`` where the run cannot start: records the failure without waiting for the lease."""
        try:
            self._held.open()
        except Exception as exc:  # noqa: BLE001 (as in _outcome_of)
            raised = exc
        outcome = self._resolve(raised)
        self._held.leave(outcome)
        return outcome

    def _outcome_of(self, work: Callable[[], Outcome]) -> Outcome:
        try:
            return work()
        except Exception as exc:  # noqa: BLE001 (whatever a stage raises becomes a recorded outcome)
            return self._resolve(exc)

    def _resolve(self, raised: Exception) -> Outcome:
        return self._resolution.of(raised) or self._outcome_of(self._locked)

    def _work(self) -> Outcome:
        self._held.open()
        self._require_model()
        try:
            self._held.take_lock()
        except LockBusy as busy:
            if parked := self._held.park(busy):
                return parked
        return self._locked()

    def _require_model(self) -> None:
        """A job that waits for the model does not repeat its stages while the model is known to be away."""
        if self._held.claim.ledger.waiting_for == "model":
            self._held.deps.breakers.require_model()

    def _locked(self) -> Outcome:
        if commit := self._held.committed():
            return self._held.settle_commit(commit)
        ledger = self._held.claim.ledger
        if ledger.failures >= self._held.deps.limits.max_failures:
            raise FailuresSpent(f"job {ledger.job_id}: {ledger.failures} failures before attempt {ledger.attempt}")
        if why := given_up(ledger, self._held.deps.limits):
            raise InterruptionsSpent(f"job {ledger.job_id}: {why}, before attempt {ledger.attempt}")
        if self._held.input.superseded or self._held.is_kept_waiting() or self._newer_digest():
            return self._held.settle(settle.without_effect("superseded"))
        if self._held.job and self._held.job.cancel_requested:
            raise CancelRequested(f"job {ledger.job_id}: cancelled before it ran")
        run = self._run()
        return self._held.settle(settle.completion_of(run), published=settle.published_of(run))

    def _newer_digest(self) -> bool:
        """Whether a later digest of this user is committed or parked, so that this one has nothing to add."""
        job = self._held.job
        # An operator who replays a digest wants it.
        if job and job.newer_digest and not job.force and self._held.claim.ledger.replay_id is None:
            return True
        return self._held.input.was_parked and self._held.deps.parking.newer_digest(self._held.event) is not None

    def _run(self) -> Run:
        held, deps, plan, root = self._held, self._held.deps, self._held.input.plan, self._held.input.root
        if held.job is None or held.session is None or held.lock is None:
            raise UnexpectedFailure(f"job {held.event.job_id}: a run needs token and lock first")
        head = held.head
        run = Run(
            job=held.job,
            session=held.session,
            attempt=held.claim.attempt,
            epoch=held.lock.epoch,
            owner=held.claim.ledger.owner,
            started_at=deps.clock.now(),
            root=root,
            base=Base(head.seq, head.commit, head.generation) if head else Base(0, None, 0),
            mode=deps.mode,
        )
        resuming = Resuming(deps.checkpoints, deps.checkpoint_after_s, held.claim, plan, deps.clock, held.guard)
        hooks = Hooks(self._entering, held.claim.mark, resuming.reached, self._before_swap)
        with self._bounded(), disk.named(root):
            held.stage = "hydrate"
            run, after = resuming.start(run)
            run = deps.pipeline.run(run, plan, held.guard, hooks, after)
        if run.synthesized and not run.synthesized.reused:
            deps.breakers.proven("model")
        if deps.vouch:
            # Every tool has returned, so all their processes have ended.
            deps.vouch(held.job.user_id)
        return run

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        timer = threading.Timer(self._held.guard.time_left() + self._held.deps.overrun_grace_s, self._held.deps.overrun)
        timer.daemon = True
        if self._held.deps.threads:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _entering(self, stage: StageName, run: Run) -> None:
        self._held.stage = stage
        try:
            self._held.make_way()
            self._held.progress("running", counts=run.counts)
        except Retryable as exc:
            # The work goes on while the control plane is unreachable.
            telemetry.log("progress not reported", job_id=run.job.job_id, stage=stage, code=exc.code)

    def _before_swap(self, run: Run) -> None:
        self._held.walked = False
        self._held.claim.write(self._held.claim.ledger.prepared(settle.completion_of(run), settle.published_of(run)))
