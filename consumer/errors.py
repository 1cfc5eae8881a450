"""The errors of a run, and what happens after each.

ConsumerError                      code, disposition, hint
├── Retryable                      disposition retry: the same job may succeed later
│   ├── BlobUnavailable            bucket did not answer, or its answer was lost: outcome unknown
│   ├── ControlPlaneUnavailable    control plane did not answer, 408/425/429/5xx
│   ├── JobUnknown                 the control plane has no row of that id: not yet, or never
│   ├── QueuePaused                an operator paused the queue: no attempt may begin
│   ├── TopicUnavailable           publish was not confirmed
│   ├── LauncherUnavailable        Cloud Run did not take the execution
│   ├── KeysUnavailable            token signing keys cannot be fetched
│   ├── IdentityUnavailable        our own ID token cannot be fetched
│   ├── SnapshotIncomplete         an object of the snapshot is missing, truncated or of the wrong digest
│   ├── SuppressionsUnreadable     neither copy of the purged records' list can be read: an export could restore them
│   ├── ChecksumMismatch           a record's checksum is not that of its data
│   ├── ExportShort                a backfill's export ended with fewer records than the sources count
│   ├── ExportStalled              the export's cursor repeats although there is more
│   ├── ModelUnavailable           the model provider did not answer, 401/403/408/425/429/5xx
│   ├── ToolFailed                 a subprocess failed, hung or printed nothing usable
│   ├── DiskFull                   the run folder's disk, or a quota on it, has no space left
│   ├── SynthesisInvalid           the agent's artifact is missing or has the wrong form
│   ├── BudgetExceeded             the run's time is up
│   ├── HeadMoved                  another commit was made since this run hydrated
│   ├── OverlayMoved               the user corrected something, or changed a rule, after the report was written
│   └── UnexpectedFailure          a bug: an exception that no code handles
├── Terminal                       disposition dead: repeating changes nothing
│   ├── MalformedMessage           not a job event
│   ├── PayloadMismatch            the event, the ledger and the job row disagree
│   ├── LedgerUnreadable           a job's ledger object is damaged
│   ├── FailuresSpent              leases expired too often
│   ├── ExecutionNotStarted        Cloud Run could not start the job's execution, three times
│   ├── InterruptionsSpent         interrupted too often without progress, or waited too long
│   ├── DeliveryExhausted          Pub/Sub gave up on the message
│   ├── CompletionConflict         the control plane has another result than the ledger
│   ├── WorkspaceMismatch          workspace_uri is not this user's prefix in our bucket
│   ├── TenantMismatch             a record of another user
│   ├── SourceMismatch             a record of a source or type that was not requested
│   ├── ScopeViolation             an object name outside the prefix a store is narrowed to
│   ├── NotAllowed                 401 twice, 403
│   ├── RequestRefused             400, 404, 422: our request is wrong
│   ├── SigningKeyMissing          a signature is needed, but there is no private key
│   ├── WorkspaceFrozen            history does not verify; an operator must act
│   ├── SnapshotRefused            a snapshot entry would leave the root, link or collide
│   ├── RestoreRefused             the commit to restore is incomplete; nothing was changed
│   ├── ProfileRefused             the runtime profile is unknown or not enabled
│   ├── PluginRefused              a plugin or one of its subagents has the wrong form, or asks for too much
│   ├── PublishedConflict          a published copy exists with different bytes
│   ├── TemplateUnknown            no such template version, or no migration to it
│   ├── BrainRefused               the local brain outside local mode, or a wrong version
│   ├── EvidenceInsufficient       inventory verdict blocks the backfill
│   ├── EvidenceTampered           an agent changed evidence in strict mode
│   └── ModelBudgetExceeded        the job's tokens, requests or money are spent
└── Interrupted                    disposition yield: not a failure, the attempt is not counted
    ├── LockLost                   this holder may no longer write
    ├── LockBusy                   another job of this user is running
    ├── AttemptStale               a newer attempt exists: this one must stop
    ├── JobTerminal                the control plane reports that the job is already over
    ├── ProviderBusy               all slots at the model provider are taken
    ├── CancelRequested            an operator or the app cancelled
    ├── Superseded                 a dream made way for another job of its user
    └── ShuttingDown               SIGTERM
(PreconditionFailed and BlobNotFound are the bucket's answers, not failures: engine code decides by them.)
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Literal

Disposition = Literal["retry", "dead", "yield"]
#: Services that all jobs share. ``issuer``: of our own identity tokens. The control plane stands for its database.
Dependency = Literal["bucket", "controlplane", "issuer", "launcher", "model", "topics"]


class ConsumerError(Exception):
    """Base class. The message names the request, the result and the ids; never user content, never a secret."""

    code: ClassVar[str]
    disposition: ClassVar[Disposition]
    hint: ClassVar[str]
    #: The service that did not answer, if all jobs share it: then the failure is not the job's (docs/delivery.md).
    dependency: ClassVar[Dependency | None] = None

    def __str__(self) -> str:
        # A second argument, such as a status, is for the code that handles the error, not for readers.
        return str(self.args[0]) if self.args else ""


class NotOfForm(ValueError):
    """Bytes of another form than expected. The text names places and sizes, never content, since messages repeat it."""


def text_of(error: Exception) -> str:
    """The text of an exception that a message may repeat: for foreign exceptions only the class."""
    return str(error) if isinstance(error, (ConsumerError, NotOfForm)) else type(error).__name__


class BlobNotFound(Exception):
    """No live object of that name (or generation)."""


class PreconditionFailed(Exception):
    """The object's generation differs from the expected one: read back, compare, then decide."""


class Retryable(ConsumerError):
    disposition: ClassVar[Disposition] = "retry"
    #: Seconds that the other service asked us to wait (Retry-After), or None.
    retry_after_s: float | None

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Terminal(ConsumerError):
    disposition: ClassVar[Disposition] = "dead"


class Interrupted(ConsumerError):
    disposition: ClassVar[Disposition] = "yield"


class BlobUnavailable(Retryable):
    code = "blob_unavailable"
    dependency = "bucket"
    hint = "Check the bucket's status and the service account's grants; the job is retried automatically."
    #: An immediate retry may help (no answer, 429, 5xx); after a refusal (401, 403) it does not.
    passing: bool

    def __init__(self, message: str, *, retry_after_s: float | None = None, passing: bool = False) -> None:
        super().__init__(message, retry_after_s=retry_after_s)
        self.passing = passing


def passing(error: BaseException) -> bool:
    """Whether the same request to the bucket may succeed if it is sent again."""
    return isinstance(error, BlobUnavailable) and error.passing


class ControlPlaneUnavailable(Retryable):
    code = "controlplane_unavailable"
    dependency = "controlplane"
    hint = "Check that CONTROLPLANE_URL answers /readyz; the job is retried automatically."


class JobUnknown(Retryable):
    code = "job_unknown"
    hint = "No row has this job_id; find the sender of the message. If a row appears, the sweep publishes the job."


class QueuePaused(Retryable):
    code = "queue_paused"
    hint = "The job is not at fault; it runs when an operator resumes the queue (`cloop-memory queue status`)."


class TopicUnavailable(Retryable):
    code = "topic_unavailable"
    dependency = "topics"
    hint = "Check that the topic exists and that the service account may publish to it."


class LauncherUnavailable(Retryable):
    code = "launcher_unavailable"
    dependency = "launcher"
    hint = "Check Cloud Run's quota (about 180 run_job calls a minute and region) and the job's name."


class KeysUnavailable(Retryable):
    code = "keys_unavailable"
    hint = "Check that OIDC_JWKS_URL is reachable; without keys every push is refused."


class IdentityUnavailable(Retryable):
    code = "identity_unavailable"
    dependency = "issuer"
    hint = "Check that the metadata server (or IDENTITY_TOKEN_URL) answers and that the service account exists."


class SnapshotIncomplete(Retryable):
    code = "snapshot_incomplete"
    hint = "If this persists, `cloop-memory workspace verify` names the damaged object; then run `workspace repair`."


class SuppressionsUnreadable(Retryable):
    code = "suppressions_unreadable"
    hint = "Restore one copy of the list of purged records: the control plane's rows, or suppressed.json in the bucket."


class ChecksumMismatch(Retryable):
    code = "checksum_mismatch"
    hint = "The control plane's checksum does not match its data; compare its canonical JSON with RFC 8785."


class ExportStalled(Retryable):
    code = "export_stalled"
    hint = "The control plane repeats a cursor with has_more=true; check its export of the named source."


class ExportShort(Retryable):
    code = "export_short"
    hint = "The export omits records: compare the named views with their tables, or submit the backfill with --force."


class ModelUnavailable(Retryable):
    code = "model_unavailable"
    dependency = "model"
    hint = "Check the provider's status page, OPENAI_API_KEY and its quota; jobs wait and continue by themselves."


class ToolFailed(Retryable):
    code = "tool_failed"
    hint = "Run `cloop-memory doctor`, which checks the tool. The dead letter never contains the output of the tool."
    #: The tool was stopped at its own time limit.
    timed_out: bool

    def __init__(self, message: str, *, retry_after_s: float | None = None, timed_out: bool = False) -> None:
        super().__init__(message, retry_after_s=retry_after_s)
        self.timed_out = timed_out


class DiskFull(Retryable):
    code = "disk_full"
    hint = "Give instances a larger disk for RUN_ROOT (on Cloud Run: more memory), then replay the job."


class SynthesisInvalid(Retryable):
    code = "synthesis_invalid"
    hint = (
        "The message says what was wrong with the claims file. Check MODEL and the provider's status, then replay with"
        " --from-stage synthesize."
    )


class BudgetExceeded(Retryable):
    code = "budget_exceeded"
    hint = "The run's time budget (manifests/pipelines.yaml) is spent; `job show` lists its stages with their times."


class HeadMoved(Retryable):
    code = "head_moved"
    hint = "Another commit landed during this run; the job starts again from it automatically."


class OverlayMoved(Retryable):
    code = "overlay_moved"
    hint = "The user made a correction or changed a rule while this job ran; the next attempt applies it."


class UnexpectedFailure(Retryable):
    code = "unexpected_failure"
    hint = "This is a bug in cloop-memory; find its traceback in the log under the job's trace id."


class MalformedMessage(Terminal):
    code = "malformed_message"
    hint = "Fix the sender; the dead letter contains the message. No job was changed."


class PayloadMismatch(Terminal):
    code = "payload_mismatch"
    hint = "Two messages with one job_id differ, or the row differs from the message; submit a new job."


class LedgerUnreadable(Terminal):
    code = "ledger_unreadable"
    hint = "Inspect jobs/<job_id>.json; restore it, or cancel the job and submit a new one."


class FailuresSpent(Terminal):
    code = "failures_spent"
    hint = "Instances died while they ran this job; check their logs (memory, time limit), then replay."


class ExecutionNotStarted(Terminal):
    code = "execution_not_started"
    hint = "The message gives Cloud Run's reason (image, quota, service account); remove the cause, then replay."


class InterruptionsSpent(Terminal):
    code = "interrupted"
    hint = "The job is not at fault: find what took its lock, or fix the service that the message names, then replay."


class DeliveryExhausted(Terminal):
    code = "delivery_exhausted"
    hint = (
        "The consumer could record no result for over an hour; check bucket and topics, and find the message's sender."
    )


class CompletionConflict(Terminal):
    code = "completion_conflict"
    hint = "The workspace and the job's row have different results; compare `workspace log` with `job show`."


class WorkspaceMismatch(Terminal):
    code = "workspace_mismatch"
    hint = "workspace_uri must be gs://<WORKSPACE_BUCKET>/users/<user_id>/; correct memory_workspaces."


class TenantMismatch(Terminal):
    code = "tenant_mismatch"
    hint = "The control plane sent a record of another user: stop exports and check the view of the named source."


class ScopeViolation(Terminal):
    code = "scope_violation"
    hint = "This is a bug: a run requested an object outside users/<user_id>/. Do not replay until it is fixed."


class SourceMismatch(Terminal):
    code = "source_mismatch"
    hint = "The control plane sent records of another source or type than requested; compare both sides' manifests."


class NotAllowed(Terminal):
    code = "not_allowed"
    hint = "The control plane refused this account or scope; check CONTROLPLANE_AUDIENCE and its lists of accounts."


class RequestRefused(Terminal):
    code = "request_refused"
    hint = "The control plane rejected the request; check that both sides have compatible versions."


class SigningKeyMissing(Terminal):
    code = "signing_key_missing"
    hint = "Put current.key into the folder that SIGNING_KEY names, or run the command on a machine that has it."


class WorkspaceFrozen(Terminal):
    code = "workspace_frozen"
    hint = "Run `cloop-memory workspace verify`, then `workspace repair --reason` or `workspace restore`."


class SnapshotRefused(Terminal):
    code = "snapshot_refused"
    hint = "A file of the snapshot is unsafe to write, so nothing was run or committed. Restore an older commit."


class RestoreRefused(Terminal):
    code = "restore_refused"
    hint = "Restore the commit that the message names as complete, or bring the damaged objects back and try again."


class PublishedConflict(Terminal):
    code = "published_conflict"
    hint = "Somebody wrote the object in published/ by hand; move it away, then replay the job."


class TemplateUnknown(Terminal):
    code = "template_unknown"
    hint = "This image lacks the template version or a migration to it; deploy an image that has both."


class ProfileRefused(Terminal):
    code = "profile_refused"
    hint = "Correct memory_workspaces: use a runtime profile that manifests/profiles.yaml lists and enables."


class BrainRefused(Terminal):
    code = "brain_refused"
    hint = "Set BRAIN=gbrain and GBRAIN_BIN to a supported version; the local brain is for laptops and tests."


class PluginRefused(Terminal):
    code = "plugin_refused"
    hint = "Correct the file that the message names; `cloop-memory plugin check FOLDER` shows all faults of a plugin."


class EvidenceInsufficient(Terminal):
    code = "evidence_insufficient"
    hint = "Fill the sources that the message names (has/wanted) and replay, or submit a backfill with --force."


class EvidenceTampered(Terminal):
    code = "evidence_tampered"
    hint = (
        "The agent changed files that it may only read; the consumer undid every change. Read these files (the message"
        " has digests of their paths), then replay, or switch off synthesis for this user."
    )


class ModelBudgetExceeded(Terminal):
    code = "model_budget_exceeded"
    hint = (
        "The job's model budget (manifests/limits.yaml) is spent. Find out why the agent made so many calls, or raise"
        " the limit."
    )


class LockLost(Interrupted):
    code = "lock_lost"
    hint = "Another run or command has taken over this user's workspace; this run committed nothing."


class LockBusy(Interrupted):
    code = "lock_busy"
    hint = "Another job of this user is running; this one is parked and runs next."
    #: When others may take the lock, by the bucket's clock.
    expires_at: datetime | None

    def __init__(self, message: str, *, expires_at: datetime | None = None) -> None:
        super().__init__(message)
        self.expires_at = expires_at


class ProviderBusy(Interrupted):
    code = "provider_busy"
    dependency = "model"
    hint = (
        "All slots at the model provider are taken; raise provider_slots in manifests/limits.yaml if the provider"
        " allows more."
    )


class AttemptStale(Interrupted):
    code = "attempt_stale"
    hint = "A newer attempt of this job exists; this one stops."


class JobTerminal(Interrupted):
    code = "job_terminal"
    hint = "The control plane says that the job is over; this attempt stops."


class CancelRequested(Interrupted):
    code = "cancel_requested"
    hint = "The job was cancelled; nothing was committed."


class Superseded(Interrupted):
    code = "superseded"
    hint = "Another job of this user arrived, so the dream stopped; another dream runs the next night."


class ShuttingDown(Interrupted):
    code = "shutting_down"
    hint = "The instance is shutting down; the job continues on another one."
