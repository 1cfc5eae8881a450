"""The control plane's HTTP contract, version 1: models of every request and response.

Another implementation may replace this one, so readers ignore unknown fields and treat absent as null.
Errors are ``{"error": {"code", "message", "hint", "retryable"}}``.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from contract.event import JobType, Name, Period, StageName, TickKind, Uuid
from contract.profile import DEFAULT_PROFILE
from contract.records import Record

ExportMode = Literal["backfill", "incremental", "inventory"]
Outcome = Literal["completed", "no_change", "superseded", "failed", "cancelled"]
JobStatus = Literal["queued", "running", "completed", "failed", "cancelled"]
ProgressState = Literal["running", "retrying", "parked", "queued"]
ArtifactType = Literal["inventory_report", "backfill_report", "digest_report", "insight_report", "raw_export_manifest"]
Scope = Literal["memory_export:read", "memory_job:complete"]

#: A job in one of these states has its result.
TERMINAL: Final[frozenset[JobStatus]] = frozenset({"completed", "failed", "cancelled"})
#: The most records in a batch; the server may return fewer.
MAX_BATCH: int = 1000
#: The header in which a console names the operator who signed in.
ACTING_FOR: str = "x-cloop-operator"
SourceKey = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Counts = dict[str, int]


class Wire(BaseModel):
    """Base of everything on the wire: frozen, unknown fields ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ApiError(Wire):
    """An error for a machine (code, retryable) and for a person (message, hint)."""

    code: str
    message: str
    hint: str = ""
    retryable: bool = False


class ErrorBody(Wire):
    error: ApiError


#: The form of an error's code.
_CODE: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")


def error_of(content_type: str | None, body: bytes) -> ApiError | None:
    """The error that a response of the control plane states.

    None: the body is not of our form, so whatever answered (a load balancer, an access proxy, a maintenance page) says
    nothing about the request, and the same request may succeed later.
    """
    if (content_type or "").partition(";")[0].strip().lower() != "application/json":
        return None
    try:
        error = ErrorBody.model_validate_json(body).error
    except ValidationError:
        return None
    return error if _CODE.fullmatch(error.code) else None


class TokenRequest(Wire):
    """``attempt`` is the run ledger's, ``owner`` an opaque id of the run; ``renew`` refreshes the attempt."""

    attempt: Annotated[int, Field(ge=1)]
    owner: Annotated[str, Field(min_length=1, max_length=200)]
    renew: bool = False
    replay_id: Uuid | None = None


class JobSpec(Wire):
    """A job, from its row."""

    job_id: Uuid
    user_id: Uuid
    workspace_id: Uuid
    job_type: JobType
    runtime_profile: Name
    template_version: Name
    period: Period | None = None
    requested_at: AwareDatetime
    status: JobStatus
    attempt: int
    workspace_uri: str
    allowed_sources: tuple[SourceKey, ...] = ()
    timezone: str = "UTC"
    #: The profile names a zone that does not exist, so ``timezone`` is UTC.
    timezone_unknown: bool = False
    cancel_requested: bool = False
    #: A backfill continues on thin evidence, and an agent runs without any.
    force: bool = False
    #: Every page is compared with what its records render to, not only pages of changed records.
    force_render: bool = False
    #: What this user's run may do; an absent flag is on. ``flag_notes``: the reason for each flag that is off.
    flags: dict[str, bool] = Field(default_factory=dict)
    flag_notes: dict[str, str] = Field(default_factory=dict)
    #: The period of a later hourly digest of this user that is committed; None: there is none, or it is no digest.
    newer_digest: Period | None = None
    #: The control plane's time when it gave out this job, by whose clock jobs are planned; absent from an older one.
    now: AwareDatetime | None = None
    #: When the last pause of this user's queue ended; absent: there was none. How long a job waited for something is
    #: counted from then on.
    queue_resumed_at: AwareDatetime | None = None


class TokenResponse(Wire):
    token: str
    expires_at: AwareDatetime
    job: JobSpec


class BatchRequest(Wire):
    mode: ExportMode
    cursor: dict[str, Any] = Field(default_factory=dict)
    source_keys: Annotated[tuple[SourceKey, ...], Field(max_length=64)]
    limit: Annotated[int, Field(ge=1, le=MAX_BATCH)] = 500


class Redaction(Wire):
    source_key: SourceKey
    field: str
    reason: str
    count: int


class RefusedRecord(Wire):
    """A record that could not be read or sent, and why. Never content.

    ``record_id``: as much of it as could be read, possibly "". ``reason``: a short code.
    ``user_id``, ``record_type``: as an unreadable record states them; absent where the server refused the record.
    """

    source_key: Annotated[str, Field(max_length=64)] = ""
    record_id: Annotated[str, Field(max_length=1024)] = ""
    reason: Annotated[str, Field(max_length=100)] = ""
    user_id: str | None = None
    record_type: str | None = None


class BatchResponse(Wire):
    """One page. Fewer records than the limit, or none, do not mean the end: only ``has_more: false`` does."""

    records: tuple[Record, ...] = ()
    next_cursor: dict[str, Any] = Field(default_factory=dict)
    source_counts: Counts = Field(default_factory=dict)
    source_bytes: Counts = Field(default_factory=dict)
    has_more: bool = False
    redactions: tuple[Redaction, ...] = ()
    #: Records after the cursor that are broken and therefore not among ``records``.
    refused: tuple[RefusedRecord, ...] = ()


class ProgressRequest(Wire):
    attempt: Annotated[int, Field(ge=1)]
    state: ProgressState
    stage: StageName | None = None
    retry_at: AwareDatetime | None = None
    counts: Counts = Field(default_factory=dict)
    message: Annotated[str, Field(max_length=500)] | None = None
    #: The service that all jobs share and that this one waits for (docs/delivery.md); None: it waits for none.
    waiting_for: Annotated[str, Field(pattern=r"^[a-z]{1,32}$")] | None = None


class ProgressResponse(Wire):
    cancel_requested: bool = False


class CommitRef(Wire):
    seq: Annotated[int, Field(ge=0)]
    digest: str


class Artifact(Wire):
    artifact_type: ArtifactType
    workspace_path: str
    summary: Annotated[str, Field(max_length=2000)] = ""
    metadata: dict[str, Any] = Field(default_factory=dict)


class Usage(Wire):
    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0
    cost_usd: float = 0.0

    def plus(self, other: Usage) -> Usage:
        """The sum of two usages."""
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            requests=self.requests + other.requests,
            cost_usd=round(self.cost_usd + other.cost_usd, 6),
        )


class FailureRef(Wire):
    code: str
    stage: str | None = None
    hint: str = ""


class Completion(Wire):
    """A job's result, independent of the attempt that delivers it.

    ``wake_at``: when the user's next hourly digest is due although nothing new came in; absent: with the next news.
    ``report_uri`` is absent where a job committed, but had nothing to tell.
    """

    outcome: Outcome
    wake_at: AwareDatetime | None = None
    commit: CommitRef | None = None
    report_uri: str | None = None
    source_counts: Counts = Field(default_factory=dict)
    output_counts: Counts = Field(default_factory=dict)
    artifacts: tuple[Artifact, ...] = ()
    usage: Usage = Field(default_factory=Usage)
    error: FailureRef | None = None


class CompleteRequest(Completion):
    """Idempotent by (job_id, outcome, commit digest), whatever the attempt."""

    attempt: Annotated[int, Field(ge=1)]


class CompleteResponse(Wire):
    status: JobStatus


class Usefulness(Wire):
    """Readers' verdicts on claims of the last 14 days: how many, and how many of them ``useful``.

    ``low``: less than half of them are, of all users or of some. ``users``: these users, the worst first, at most ten.
    """

    marks: int = 0
    useful: int = 0
    users: tuple[Uuid, ...] = ()
    low: bool = False


class TickRequest(Wire):
    kind: TickKind
    period: Period
    tick_id: Annotated[str, Field(min_length=1, max_length=200)]
    page: str | None = None


class TickResponse(Wire):
    planned: int = 0
    republished: int = 0
    next_page: str | None = None
    #: Users whose history this tick verifies; only on a daily tick's first page.
    verify: tuple[Uuid, ...] = ()
    #: Users of deleted accounts with an erasure step due; only on an hourly tick's first page.
    erase: tuple[Uuid, ...] = ()
    #: Users of whose orders (contract.orders) a step is due; only on a tick's first page.
    orders: tuple[Uuid, ...] = ()
    #: Why the daily comparison of workspaces with accounts planned nothing; None: it was sound, or did not run.
    reconciliation_alarm: Annotated[str, Field(max_length=500)] | None = None
    #: Pauses in force, whether one of them is everybody's, and the queued jobs they withhold; only on a sweep tick.
    pauses: int = 0
    all_paused: bool = False
    withheld: int = 0
    #: Only on a daily tick's first page.
    usefulness: Usefulness | None = None


#: The steps of an erasure, in order. ``erase`` removes everything; ``sweep`` removes what earlier writers left, once
#: their tokens have expired; ``forget`` removes the bare rows and ledgers that answered late messages.
ErasureStep = Literal["erase", "sweep", "forget"]
DeletionSource = Literal["trigger", "reconciliation", "operator"]


class ErasureOrder(Wire):
    """What to erase of a user now; requested under the user's lock. ``step`` None: nothing (any more).

    ``job_ids``: every job of the user; ledgers and dead letters are named by them. ``seq_floor``: the highest commit
    number in their rows.
    """

    user_id: Uuid
    step: ErasureStep | None = None
    reason: str = ""
    job_ids: tuple[Uuid, ...] = ()
    seq_floor: Annotated[int, Field(ge=0)] = 0


class ErasureReport(Wire):
    """A finished step: HEAD's epoch after it, and the number of deleted objects by kind. Never a name."""

    step: ErasureStep
    epoch: Annotated[int, Field(ge=0)]
    objects: Counts = Field(default_factory=dict)


class DeletionReceipt(Wire):
    """Proof of an erasure, without personal data: ids, times, counts.

    ``erased_at``, ``swept_at``: ends of both sweeps of the bucket. ``epoch``: of the remaining HEAD; no writer of a
    lower epoch can write. ``objects``: deleted in the bucket, by kind. ``rows``: deleted or blanked in the database, by
    table. ``rows_kept_until``: when the bare job rows, which answer late messages, are removed.
    """

    user_id: Uuid
    source: DeletionSource
    seen_at: AwareDatetime
    purge_after: AwareDatetime
    erased_at: AwareDatetime
    swept_at: AwareDatetime
    epoch: int
    objects: Counts = Field(default_factory=dict)
    rows: Counts = Field(default_factory=dict)
    rows_kept_until: AwareDatetime


DeletionState = Literal["seen once", "waiting", "due", "erasing", "erased", "receipt given", "cancelled"]


class DeletionView(Wire):
    """A deleted account and the state of its memory's erasure. ``purge_after`` None: seen missing once."""

    user_id: Uuid
    state: DeletionState
    source: DeletionSource
    seen_at: AwareDatetime
    purge_after: AwareDatetime | None = None
    cancelled_at: AwareDatetime | None = None
    cancelled_by: str | None = None
    cancel_reason: str | None = None
    erased_at: AwareDatetime | None = None
    swept_at: AwareDatetime | None = None
    forgotten_at: AwareDatetime | None = None


class DeletionList(Wire):
    deletions: tuple[DeletionView, ...] = ()
    next_after: str | None = None


#: A hash or key of suppressed records, hexadecimal.
Hex64 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
#: The most hashes in one request, or in one page of the response.
MAX_SUPPRESSED: int = 5_000


class SuppressRequest(Wire):
    """Hashes of purged records by the key that made them, kept for ever. With all fields empty the call only reads.

    ``key``: becomes the user's if they have none. ``erased_at``: when everything of the user was erased.
    ``after``: from the previous page.
    """

    key: Hex64 | None = None
    lists: dict[Hex64, tuple[Hex64, ...]] = Field(default_factory=dict, max_length=64)
    erased_at: AwareDatetime | None = None
    after: Annotated[str, Field(max_length=200)] | None = None


class SuppressedPage(Wire):
    """What must stay out of a user's memory. ``next_after``: there is another page; only ``lists`` is paged."""

    key: Hex64 | None = None
    lists: dict[Hex64, tuple[Hex64, ...]] = Field(default_factory=dict)
    erased_at: AwareDatetime | None = None
    begun_anew_at: AwareDatetime | None = None
    next_after: str | None = None


class ErasureResponse(Wire):
    """The time from which everything of the user counts as erased, by the database's clock."""

    user_id: Uuid
    erased_at: AwareDatetime


class EnableUserRequest(Wire):
    """Exactly one of user_id and email. ``begin_anew``: refill the memory of a user whose data was erased.

    ``runtime_profile`` None: keep the user's; a new user gets DEFAULT_PROFILE.
    """

    user_id: Uuid | None = None
    email: Annotated[str, Field(max_length=320)] | None = None
    runtime_profile: Name | None = None
    begin_anew: bool = False


class SubmitJobRequest(Wire):
    user_id: Uuid
    job_type: JobType
    period: Period | None = None
    triggered_by: Annotated[str, Field(max_length=200)] = "operator"
    #: Let a backfill continue on thin evidence, and run an agent without any.
    force: bool = False


class RerunRequest(Wire):
    """``force_render``: see JobSpec; only for job types that render."""

    force_render: bool = False


class ReasonRequest(Wire):
    reason: Annotated[str, Field(min_length=1, max_length=500)]


class ReplayRequest(ReasonRequest):
    replay_id: Uuid
    from_stage: StageName | None = None


BucketDeed = Literal[
    "workspace.restore",
    "workspace.gc",
    "workspace.purge",
    "workspace.repair",
    "workspace.reset",
    "workspace.read",
    "lock.unlock",
]


class DiscardRequest(ReasonRequest):
    """A dead letter to close without a replay. ``key``: of its record. The user and job, if known."""

    key: Annotated[str, Field(min_length=1, max_length=300)]
    job_id: Uuid | None = None
    user_id: Uuid | None = None


class ReadGrantRequest(Wire):
    """``user_token``: the access token that the app's sign-in issued to the user who wants to read their memory."""

    user_token: Annotated[str, Field(min_length=1, max_length=8192)]


class AccessRequest(ReadGrantRequest):
    """``after``: the ``next_after`` of the page before."""

    after: Annotated[int, Field(ge=0)] | None = None


class AccessEntry(Wire):
    """One line of the audit about the user's memory. ``actor``: an operator's address, ``owner`` or a rule's name."""

    at: AwareDatetime
    actor: str
    action: str
    reason: str | None = None


class AccessList(Wire):
    """Newest first. ``next_after`` is None on the last page."""

    entries: tuple[AccessEntry, ...]
    next_after: int | None = None


class BucketDeedRequest(ReasonRequest):
    """What an operator is about to do to a user's workspace or lock in the bucket, outside the database.

    ``details``: the target (a source, a commit, a generation); never content, never a record's id.
    """

    action: BucketDeed
    user_id: Uuid
    details: Annotated[dict[Name, Annotated[str, Field(max_length=200)] | int], Field(max_length=8)] = Field(
        default_factory=dict
    )


#: In place of a user's id: everybody.
EVERYBODY: Final = "*"


class PauseRequest(ReasonRequest):
    """Withhold the jobs of a user, or of everybody, or let them go again. ``target``: a user_id, or ``*``."""

    target: Uuid | Literal["*"]


class PauseView(Wire):
    """A pause of the queue. ``resumed_at``: its end; absent while it is in force."""

    target: str
    paused_at: AwareDatetime
    paused_by: str
    reason: str
    resumed_at: AwareDatetime | None = None
    resumed_by: str | None = None


class PauseList(Wire):
    """The pauses in force, that of everybody first. ``more``: there are others."""

    pauses: tuple[PauseView, ...] = ()
    more: bool = False


class JobView(Wire):
    """A job, for operators. ``pause``: what withholds it; absent where it has ended, or nothing does."""

    job_id: Uuid
    user_id: Uuid
    workspace_id: Uuid
    job_type: JobType
    runtime_profile: str
    template_version: str
    period: str | None = None
    status: JobStatus
    substate: str | None = None
    attempt: int = 0
    stage: str | None = None
    progress: dict[str, Any] = Field(default_factory=dict)
    triggered_by: str = ""
    force: bool = False
    force_render: bool = False
    retry_at: AwareDatetime | None = None
    cancel_requested_at: AwareDatetime | None = None
    replay_id: Uuid | None = None
    rerun_of: Uuid | None = None
    source_counts: Counts = Field(default_factory=dict)
    output_counts: Counts = Field(default_factory=dict)
    usage: Usage = Field(default_factory=Usage)
    commit: CommitRef | None = None
    report_uri: str | None = None
    error: FailureRef | None = None
    artifacts: tuple[Artifact, ...] = ()
    pause: PauseView | None = None
    requested_at: AwareDatetime
    started_at: AwareDatetime | None = None
    finished_at: AwareDatetime | None = None


class JobList(Wire):
    jobs: tuple[JobView, ...] = ()
    next_after: str | None = None


WorkspaceStatus = Literal["enabled", "disabled", "none"]
#: The most users in one wave. A larger rollout takes several waves, so that operators can review each.
MAX_WAVE: int = 500


class UserView(Wire):
    """A user and the state of their memory; ``none``: no workspace yet. Never a name or an address."""

    user_id: Uuid
    status: WorkspaceStatus
    runtime_profile: str | None = None
    open_jobs: int = 0
    last_backfill_at: AwareDatetime | None = None
    last_digest_at: AwareDatetime | None = None
    last_insight_at: AwareDatetime | None = None


class UserDetails(UserView):
    """``deletion``: the account's latest deletion."""

    workspace_uri: str | None = None
    deletion: DeletionView | None = None


class UserList(Wire):
    users: tuple[UserView, ...] = ()
    next_after: str | None = None


class WaveRequest(Wire):
    """Enable the next ``size`` users who have no workspace, oldest accounts first, up to ``cap`` enabled in all."""

    size: Annotated[int, Field(ge=1, le=MAX_WAVE)]
    cap: Annotated[int, Field(ge=1)]
    runtime_profile: Name = DEFAULT_PROFILE
    backfill: bool = True
    dry_run: bool = False


class WaveResponse(Wire):
    """``waiting``: users without a workspace after this wave; ``open_backfills``: of the waves so far."""

    user_ids: tuple[Uuid, ...] = ()
    job_ids: tuple[Uuid, ...] = ()
    enabled: int
    waiting: int
    open_backfills: int
    dry_run: bool = False


class QueueView(Wire):
    """The queue's state in the database. Ages in seconds by the database's clock; None: no such job.

    ``oldest_due_s``: how long the longest waiting job that may run now has been due. ``silent``: open jobs that
    the sweep should have published again. ``unpublished``: outbox rows. Jobs that a pause withholds are in
    ``withheld``, and not in these three. ``planned``: jobs whose start is still to come, such as tonight's dreams; they
    are not in ``queued``.
    """

    queued: int = 0
    planned: int = 0
    running: int = 0
    retrying: int = 0
    parked: int = 0
    oldest_due_s: float | None = None
    silent: int = 0
    #: Jobs that wait for a service that all jobs share, by service: their number.
    waiting: dict[str, int] = Field(default_factory=dict)
    unpublished: int = 0
    oldest_unpublished_s: float | None = None
    withheld: int = 0
    #: The pauses in force, that of everybody first; at most a page of them.
    pauses: tuple[PauseView, ...] = ()
    failed_7d: int = 0
    over_7d: int = 0
    #: Users of the latest jobs whose profile names a time zone that does not exist; their times are in UTC.
    unknown_zones: int = 0
    #: Erasures of deleted accounts whose receipt is overdue (erasure_overdue in manifests/limits.yaml).
    overdue_erasures: int = 0
    #: The last comparison of workspaces with accounts: its time, verdict (sound, too_many, blind) and explanation.
    reconciled_at: AwareDatetime | None = None
    reconciliation: str | None = None
    reconciliation_detail: str = ""
    usefulness: Usefulness = Usefulness()


FlagName = Literal["synthesis", "hourly", "dream"]
FlagScope = Literal["user", "cohort", "profile", "all"]
Verdict = Literal["useful", "not-useful", "wrong"]
FlagTarget = Annotated[str, Field(min_length=1, max_length=64)]


class UnsetFlagRequest(ReasonRequest):
    """``target``: a user_id, a cohort, a runtime profile, or ``*`` for all."""

    name: FlagName
    scope: FlagScope
    target: FlagTarget = "*"


class SetFlagRequest(UnsetFlagRequest):
    value: bool


class FlagView(Wire):
    name: str
    scope: FlagScope
    target: str
    value: bool
    reason: str
    set_by: str
    set_at: AwareDatetime


class FlagList(Wire):
    flags: tuple[FlagView, ...] = ()


class CohortRequest(ReasonRequest):
    """Add a user to a cohort, or remove them."""

    cohort: Name
    user_id: Uuid
    member: bool = True


class MarkRequest(ReasonRequest):
    """``claim``: its number in the job's report."""

    claim: Annotated[int, Field(ge=1, le=10_000)]
    verdict: Verdict


class MarkView(Wire):
    claim: int
    verdict: Verdict
    reason: str
    marked_by: str
    marked_at: AwareDatetime


class MarkList(Wire):
    marks: tuple[MarkView, ...] = ()


class MarkResponse(Wire):
    """Counts since an operator last set this user's synthesis flag. ``paused``: this mark switched it off."""

    marks: int
    wrong: int
    paused: bool
