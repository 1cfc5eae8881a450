"""Record and deliver an outcome: ledger, published copies, complete, delivered, in this order.

Every step is repeatable, and a resume starts at the first missing step. The ledger holds the completion's body, so a
later attempt sends the control plane exactly what the first one would have sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from consumer import layout, paths
from consumer.delivery import outcome as out
from consumer.delivery.deadletter import DeadLetters, failure_of
from consumer.delivery.ledger import Failed, Failure, Ledger
from consumer.delivery.ledgers import LedgerClaim
from consumer.delivery.outcome import Outcome
from consumer.delivery.pipeline import is_idle
from consumer.errors import (
    AttemptStale,
    CompletionConflict,
    ConsumerError,
    JobTerminal,
    RequestRefused,
    Terminal,
    UnexpectedFailure,
)
from consumer.ports import BlobStore, HeadStore, JobSession
from consumer.run import Run
from consumer.storage.conditional import write_once
from contract import canonical
from contract.api import CommitRef, CompleteRequest, Completion, FailureRef
from contract.api import Outcome as Result
from contract.event import JobEvent
from service import telemetry


@dataclass(frozen=True, slots=True)
class Settlement:
    blobs: BlobStore
    heads: HeadStore
    #: None: a refused completion is only logged.
    dead_letters: DeadLetters | None = None

    def record(
        self,
        claim: LedgerClaim,
        completion: Completion,
        *,
        published: tuple[str, ...] | None = None,
        failed: Failed | None = None,
    ) -> None:
        """Record the outcome, which is final from here on. Raises AttemptStale, BlobUnavailable."""
        claim.write(claim.ledger.settled(completion, published=published, failed=failed))

    def deliver(self, claim: LedgerClaim, session: JobSession) -> None:
        """Publish the copies, complete the job, mark the ledger as delivered.

        A row that is over already (``job_terminal``) needs no completion any more.

        Raises AttemptStale, ControlPlaneUnavailable, BlobUnavailable, CompletionConflict, NotAllowed.
        """
        ledger = claim.ledger
        self._publish(ledger)
        try:
            session.complete(CompleteRequest(**dict(_completion(ledger)), attempt=ledger.attempt))
        except JobTerminal as exc:
            telemetry.log("completion not needed", job_id=ledger.job_id, outcome=ledger.outcome, code=exc.code)
        except RequestRefused as exc:
            raise CompletionConflict(f"job {ledger.job_id}: {exc}") from exc
        claim.write(claim.ledger.confirmed())

    def finish(self, claim: LedgerClaim, session: JobSession | None) -> Outcome:
        """Deliver as far as possible; the recorded outcome is final either way. Without a session, skip delivery."""
        ledger = claim.ledger
        if session is None:
            return out.Undelivered(ledger.job_id, f"{ledger.outcome}: no token")
        try:
            self.deliver(claim, session)
        except AttemptStale as exc:
            return out.Stale(ledger.job_id, f"{ledger.outcome}: {exc}")
        except ConsumerError as exc:
            telemetry.log("completion not delivered", job_id=ledger.job_id, outcome=ledger.outcome, code=exc.code)
            if isinstance(exc, Terminal):
                self._tell(claim, exc)
            if exc.dependency:
                # Pub/Sub keeps the message, so that the outcome is delivered soon after the service is back.
                return out.Waiting(ledger.job_id, f"{ledger.outcome}: {exc}", code=exc.code)
            return out.Undelivered(ledger.job_id, f"{ledger.outcome}: {exc}")
        if ledger.state == "DEAD":
            return out.Duplicate(ledger.job_id, "failed, delivered", why="duplicate")
        return out.Done(ledger.job_id, result=ledger.outcome or "completed")

    def _tell(self, claim: LedgerClaim, error: Terminal) -> None:
        """Write one dead letter for a completion that the control plane refuses. A repeat would be refused as well, but
        the sweep goes on, so that the job ends as soon as the cause is gone. Raises nothing.
        """
        ledger = claim.ledger
        before = ledger.failure
        if self.dead_letters is None or ledger.state == "DEAD" or (before and before.code == error.code):
            return
        event = JobEvent.model_validate(ledger.event)
        now = claim.server_now()
        failure = failure_of(error, code=error.code, hint=error.hint, stage="complete", now=now, before=before)
        try:
            self.dead_letters.record_job(ledger, event, failure, None)
            claim.write(ledger.undeliverable(failure))
        except ConsumerError as exc:
            telemetry.log("refused completion not told", job_id=ledger.job_id, code=exc.code)

    def _publish(self, ledger: Ledger) -> None:
        completion = _completion(ledger)
        if completion.commit and ledger.published:
            self._publish_copies(ledger, completion.commit.seq)
        elif completion.outcome == "no_change":
            self._publish_note(ledger)

    def _publish_copies(self, ledger: Ledger, seq: int) -> None:
        try:
            self.heads.of(ledger.user_id).publish(seq, ledger.published)
        except KeyError as exc:
            # A bug: the ledger lists a path that the commit lacks. The error is logged, the sweep tries again, and the
            # outcome is not lost.
            raise UnexpectedFailure(f"job {ledger.job_id}: commit {seq} lacks {exc}") from exc

    def _publish_note(self, ledger: Ledger) -> None:
        """Publish the job-run JSON of a run without a commit. Made from the ledger: a repeat has the same bytes."""
        name = paths.published(ledger.user_id, ledger.base_seq or 0, layout.job_run(ledger.job_id))
        if not write_once(self.blobs, name, _note(ledger), "application/json"):
            raise UnexpectedFailure(f"{name} exists with different bytes")


#: The note of a dream that committed nothing.
_QUIET_DREAM: Final = "This brain has no nightly upkeep, or a flag switched it off."


def _note(ledger: Ledger) -> bytes:
    completion = _completion(ledger)
    event = ledger.event
    note = {
        "schema": "memory.job-run.v1",
        "job_id": ledger.job_id,
        "job_type": event.get("job_type"),
        "period": event.get("period"),
        "outcome": completion.outcome,
        "digest": _QUIET_DREAM if event.get("job_type") == "dream" else "Nothing new since the last digest.",
        "source_counts": dict(completion.source_counts),
        "output_counts": dict(completion.output_counts),
        "stages": [{"stage": mark.stage, "seconds": mark.seconds} for mark in ledger.stages],
    }
    return canonical.dumps(note) + b"\n"


def _completion(ledger: Ledger) -> Completion:
    if ledger.completion is None:
        raise UnexpectedFailure(f"job {ledger.job_id}: {ledger.state} without a completion")
    return ledger.completion


def completion_of(run: Run) -> Completion:
    """The completion of a run: without a commit before persist, with it after.

    A digest that had nothing to tell has a commit, and no report.
    """
    reported = run.reported
    commit = run.commit
    report_uri = run.report_uri
    if report_uri is None and commit and reported:
        report_uri = _report_uri(run.job.workspace_uri, commit, reported.markdown)
    return Completion(
        outcome="no_change" if is_idle(run) else "completed",
        wake_at=run.wake_at,
        commit=commit,
        report_uri=report_uri,
        source_counts=dict(run.exported.source_counts) if run.exported else {},
        output_counts=run.counts,
        artifacts=run.artifacts,
        usage=run.usage,
    )


def published_of(run: Run) -> tuple[str, ...]:
    """Workspace paths of which a readable copy is published."""
    reported = (run.reported.markdown, run.reported.json) if run.reported else ()
    return tuple(p for p in (*reported, layout.job_run(run.job.job_id)) if (run.root / p).is_file())


def with_commit(ledger: Ledger, commit: CommitRef, workspace_uri: str | None) -> Completion:
    """The completion of a job whose commit was found in the chain, from the completion noted before its swap."""
    noted = ledger.completion or Completion(outcome="completed")
    markdown = next((path for path in ledger.published if path.endswith(".md")), None)
    report_uri = noted.report_uri
    if markdown and workspace_uri and not report_uri:
        report_uri = _report_uri(workspace_uri, commit, markdown)
    return noted.model_copy(update={"commit": commit, "outcome": "completed", "report_uri": report_uri})


def without_effect(outcome: Result) -> Completion:
    """The completion of a job without an effect: superseded or cancelled."""
    return Completion(outcome=outcome)


def failed(failure: Failure) -> Completion:
    """The completion of a job that failed for good."""
    error = FailureRef(code=failure.code, stage=failure.stage, hint=failure.hint)
    return Completion(outcome="failed", error=error)


def _report_uri(workspace_uri: str, commit: CommitRef, markdown: str) -> str:
    # The published copy's object name below the workspace's prefix, so that the URI opens without hydrating.
    return f"{workspace_uri.rstrip('/')}/" + paths.published("", commit.seq, markdown).removeprefix("users//")
