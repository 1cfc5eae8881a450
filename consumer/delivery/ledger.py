"""The run ledger of one job, and the decision about each delivery of it: one effect per job id.

``attempt`` rises by one at each claim and is never reset. ``failures`` counts errors and expired leases; a replay
resets it. docs/delivery.md draws the states and explains them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from consumer.delivery.checkpoint import CheckpointRef
from consumer.errors import FailuresSpent, LedgerUnreadable
from consumer.locking.lease import Lease
from contract import canonical
from contract.api import Completion
from contract.event import JobEvent, StageName, Uuid, utc_text

LEDGER_SCHEMA: Final = "memory.ledger.v1"
#: The name under which ledgers and dead letters store their attempt: releases run side by side during a deploy.
STORED_ATTEMPT: Final = "fence"
LedgerState = Literal["RUNNING", "QUEUED", "PARKED", "RETRYING", "DONE", "DEAD"]
#: States that hold a stored outcome.
SETTLED: Final = frozenset({"DONE", "DEAD"})
#: Replay ids kept to recognise an old replay; operators do not replay one job more often.
MAX_REPLAYS: Final = 50
#: Earlier attempts kept for display: enough for several replays with all their failures.
MAX_EARLIER: Final = 20
#: The longest delay that another service may request: a wrong header must not postpone a job for ever.
MAX_REQUESTED_S: Final = 3600.0
#: Bounds of the pause between two tries of a job that waits for a shared service.
SHORTEST_WAIT_S: Final = 30.0
LONGEST_WAIT_S: Final = 240.0


class StageMark(BaseModel):
    """One finished stage of the current attempt."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    stage: StageName
    seconds: float


class Failure(BaseModel):
    """The last failure: its place, cause and first time. Never user content."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    code: str
    error_class: str
    message: str
    hint: str
    stage: StageName | None = None
    fingerprint: str
    first_seen: AwareDatetime
    last_seen: AwareDatetime


@dataclass(frozen=True, slots=True)
class Failed:
    """A failure, and the job's number of failures including it."""

    failures: int
    failure: Failure


class PastAttempt(BaseModel):
    """An earlier attempt as the ledger showed it at its end. For display only: no decision depends on it.

    ``state``: how it ended; RUNNING means that its lease expired. ``failed_at``: its failure's time, if it had one.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", validate_by_name=True)

    attempt: Annotated[int, Field(ge=1, alias=STORED_ATTEMPT)]
    began_at: AwareDatetime | None = None
    ended_at: AwareDatetime
    state: LedgerState
    replayed: bool = False
    code: str | None = None
    stage: StageName | None = None
    failed_at: AwareDatetime | None = None
    stages: tuple[StageMark, ...] = ()


class Ledger(BaseModel):
    """``jobs/{job_id}.json``. ``put_id`` identifies the write, so that a writer without a reply recognises its own.

    ``payload_digest`` None: unbound, because the last message disagreed with the job's row.
    ``base_seq``: HEAD's seq before the first attempt; a commit of this job can only be above it.
    ``completion``: while RUNNING, the completion that applies if the job's commit is found in the chain. It is written
    before the swap, so that it survives the death of the process right after.

    A ledger changes only by the transitions below. Each returns a new, validated ledger.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", validate_by_name=True)

    schema_version: Literal["memory.ledger.v1"] = Field(default=LEDGER_SCHEMA, alias="schema")
    job_id: Uuid
    user_id: Uuid
    state: LedgerState
    attempt: Annotated[int, Field(ge=1, alias=STORED_ATTEMPT)]
    failures: Annotated[int, Field(ge=0)] = 0
    #: Interruptions in a row of attempts that got no further than one before. A release that does not know this field
    #: drops it, and the count begins anew.
    interruptions: Annotated[int, Field(ge=0)] = 0
    #: What all jobs share and this one waits for, and since when; None: it does not wait. Same rule as above.
    waiting_for: str | None = None
    waiting_since: AwareDatetime | None = None
    owner: str
    put_id: str
    payload_digest: str | None
    base_seq: Annotated[int, Field(ge=0)] | None = None
    retry_at: AwareDatetime | None = None
    execution: str | None = None
    launches: Annotated[int, Field(ge=0)] = 0
    stages: tuple[StageMark, ...] = ()
    completion: Completion | None = Field(default=None, alias="outcome_body")
    delivered: bool = False
    replays: tuple[Uuid, ...] = ()
    failure: Failure | None = None
    #: Workspace paths to copy to published/ once the outcome stands.
    published: tuple[str, ...] = ()
    #: The current attempt: when it was claimed, and whether a replay opened it.
    began_at: AwareDatetime | None = None
    replayed: bool = False
    earlier: tuple[PastAttempt, ...] = ()
    #: Checkpoints of this job, oldest first; hints, as their objects may be gone.
    checkpoints: tuple[CheckpointRef, ...] = ()
    #: The event as last claimed: an execution of a dispatched job runs it.
    event: dict[str, Any] = Field(default_factory=dict)

    @property
    def replay_id(self) -> str | None:
        """The replay that the current attempt belongs to; job tokens are bound to it."""
        return self.replays[-1] if self.replays else None

    @property
    def progressed(self) -> bool:
        """Whether the current attempt finished a stage that no earlier attempt finished."""
        return _furthest(self.stages) > max((_furthest(attempt.stages) for attempt in self.earlier), default=-1)

    @property
    def outcome(self) -> str | None:
        return self.completion.outcome if self.completion else None

    # --- transitions

    def claimed(self, claim: NewClaim) -> Ledger:
        """The next attempt's ledger: attempt + 1; of the previous attempt only its entry in ``earlier`` remains."""
        fields: dict[str, Any] = {
            **claim.fields(),
            "attempt": self.attempt + 1,
            "execution": None,
            "stages": (),
            "retry_at": None,
            "earlier": past(self, claim.ended_at, claim.lost),
        }
        if claim.base_seq is not None:
            fields["base_seq"] = claim.base_seq
        if claim.lost:
            fields |= {"failures": self.failures + 1, "failure": claim.lost}
        if claim.replay_id:
            fields |= {
                "failures": 0,
                "interruptions": 0,
                **_NOT_WAITING,
                "replays": (*self.replays, claim.replay_id)[-MAX_REPLAYS:],
                "checkpoints": claim.checkpoints,
            }
        if self.state == "DEAD":
            fields |= {"completion": None, "delivered": False}
        return self._with(**fields)

    def taken_to_deliver(self, owner: str, replay_id: str | None = None) -> Ledger:
        """Another attempt that only delivers the recorded outcome; ``replay_id``: for a replay new to the ledger."""
        replays = (*self.replays, replay_id)[-MAX_REPLAYS:] if replay_id else self.replays
        return self._with(attempt=self.attempt + 1, owner=owner, replays=replays, delivered=False)

    def undeliverable(self, failure: Failure) -> Ledger:
        """The outcome stands, but the control plane refuses it: an operator has been told."""
        return self._with(failure=failure)

    def started(self) -> Ledger:
        """RUNNING: an execution has taken a QUEUED ledger, or a parked attempt got the lock after all."""
        return self._with(state="RUNNING", launches=0, retry_at=None, **_NOT_WAITING)

    def launching(self, failure: Failure) -> Ledger:
        """One more launch, as the execution before it ended without starting. ``failure``: why, for display."""
        return self._with(launches=self.launches + 1, execution=None, failure=failure, **_NOT_WAITING)

    def pending(self, since: datetime) -> Ledger:
        """QUEUED for longer than a start takes: the execution waits for Cloud Run since then."""
        return self._with(waiting_for="launcher", waiting_since=since)

    def launched(self, execution: str) -> Ledger:
        """Add the name of the launched execution. For display only."""
        return self._with(execution=execution)

    def checkpointed(self, checkpoints: tuple[CheckpointRef, ...]) -> Ledger:
        """Replace the checkpoints; oldest first."""
        return self._with(checkpoints=checkpoints)

    def prepared(self, completion: Completion, published: tuple[str, ...]) -> Ledger:
        """Before the swap of HEAD: the completion that applies if the swap lands."""
        return self._with(completion=completion, published=published)

    def retrying(self, at: datetime, failed: Failed | None = None) -> Ledger:
        """RETRYING: due at ``at``. Without ``failed`` the attempt was interrupted, which counts as no failure."""
        waiting = _NOT_WAITING if failed else {}
        return self._with(state="RETRYING", retry_at=at, launches=0, **_failed(failed), **waiting)

    def interrupted(self, at: datetime) -> Ledger:
        """RETRYING: the attempt ended through no fault of the job. Counted until an attempt gets further."""
        count = 0 if self.progressed else self.interruptions + 1
        return self.retrying(at)._with(interruptions=count, **_NOT_WAITING)

    def waiting(self, at: datetime, waits_for: str, since: datetime) -> Ledger:
        """RETRYING: something that all jobs share is missing since ``since``; the attempt counts as nothing."""
        return self.retrying(at)._with(waiting_for=waits_for, waiting_since=since)

    def withheld(self, at: datetime) -> Ledger:
        """RETRYING: an operator paused the queue. The attempt counts as nothing, and no wait goes on meanwhile."""
        return self.retrying(at)._with(**_NOT_WAITING)

    def resumed(self, at: datetime) -> Ledger:
        """The queue was paused until ``at``: what the job waits for is counted from then on."""
        return self._with(waiting_since=at)

    def parked(self, until: datetime, failed: Failed | None = None) -> Ledger:
        """PARKED: another job of the user holds the lock, at most until ``until``."""
        return self._with(state="PARKED", retry_at=until, **_failed(failed))

    def unbound(self, at: datetime) -> Ledger:
        """RETRYING and open to another payload, as the message disagreed with the job's row."""
        ledger = self.retrying(at)._with(payload_digest=None)
        return ledger._with(base_seq=None) if self.attempt == 1 else ledger

    def settled(
        self,
        completion: Completion,
        *,
        published: tuple[str, ...] | None = None,
        failed: Failed | None = None,
        delivered: bool = False,
    ) -> Ledger:
        """DONE, or DEAD where the completion is a failure. ``published`` None: as prepared."""
        return self._with(
            state="DEAD" if completion.outcome == "failed" else "DONE",
            completion=completion,
            published=self.published if published is None else published,
            delivered=delivered,
            retry_at=None,
            **_NOT_WAITING,
            **_failed(failed),
        )

    def dead_again(self, before: Ledger) -> Ledger:
        """DEAD as ``before``: an outdated replay reopened the ledger."""
        return self._with(state="DEAD", completion=before.completion, delivered=before.delivered)

    def confirmed(self) -> Ledger:
        """The control plane has the outcome."""
        return self._with(delivered=True)

    def marked(self, mark: StageMark) -> Ledger:
        """One more finished stage."""
        return self._with(stages=(*self.stages, mark))

    def written_as(self, put_id: str) -> Ledger:
        """The same ledger with the id of its write, by which the writer recognises it."""
        return self.model_copy(update={"put_id": put_id})

    def _with(self, **fields: Any) -> Ledger:
        # model_copy does not validate: an unknown state would be stored, and no reader could use the ledger again.
        copy = self.model_copy(update=fields)
        return Ledger.model_validate(dict(copy))

    def encode(self) -> bytes:
        wire = self.model_dump(mode="json", by_alias=True)
        wire["retry_at"] = utc_text(self.retry_at) if self.retry_at else None
        # Canonical JSON has no floats beyond a double; stage seconds are rounded.
        return canonical.dumps(wire)


_NOT_WAITING: Final[dict[str, Any]] = {"waiting_for": None, "waiting_since": None}
_STAGES: Final[tuple[StageName, ...]] = get_args(StageName)


def _furthest(stages: tuple[StageMark, ...]) -> int:
    return max((_STAGES.index(mark.stage) for mark in stages), default=-1)


def decode(job_id: str, data: bytes) -> Ledger:
    """Parse a ledger.

    Raises LedgerUnreadable: the bytes are no ledger, or one of an unknown schema or of another job.
    """
    try:
        ledger = Ledger.model_validate_json(data)
    except ValidationError as exc:
        places = ", ".join(".".join(map(str, e["loc"])) or "ledger" for e in exc.errors()[:5])
        raise LedgerUnreadable(f"ledger of job {job_id}: {len(data)} bytes are not a ledger (at {places})") from exc
    if ledger.job_id != job_id:
        raise LedgerUnreadable(f"ledger of job {job_id} names job {ledger.job_id}")
    if ledger.state in SETTLED and ledger.completion is None:
        raise LedgerUnreadable(f"ledger of job {job_id} is {ledger.state} without an outcome")
    return ledger


def put_id(job_id: str, data: bytes) -> str | None:
    """The id of the write that left these bytes; None if they are no ledger of this job."""
    try:
        return decode(job_id, data).put_id
    except LedgerUnreadable:
        return None


def first_ledger(job_id: str, claim: NewClaim) -> Ledger:
    """The ledger of a job's first attempt."""
    replays = (claim.replay_id,) if claim.replay_id else ()
    return Ledger.model_validate({**claim.fields(), "job_id": job_id, "attempt": 1, "put_id": "", "replays": replays})


def past(ledger: Ledger, ended_at: datetime, lost: Failure | None = None) -> tuple[PastAttempt, ...]:
    """The earlier attempts including the ledger's current one, which ended at ``ended_at``; only the latest are kept.

    ``lost``: the failure of an attempt whose lease expired, as it could not record one itself.
    """
    failure = lost or ledger.failure
    # An interrupted attempt leaves the failure of an earlier attempt in the ledger.
    if failure and any(attempt.failed_at == failure.last_seen for attempt in ledger.earlier):
        failure = None
    ended = PastAttempt(
        attempt=ledger.attempt,
        began_at=ledger.began_at,
        ended_at=ended_at,
        state=ledger.state,
        replayed=ledger.replayed,
        code=failure.code if failure else None,
        stage=failure.stage if failure else None,
        failed_at=failure.last_seen if failure else None,
        stages=ledger.stages,
    )
    return (*ledger.earlier, ended)[-MAX_EARLIER:]


def given_up(ledger: Ledger, limits: DeliveryLimits) -> str | None:
    """Why a job that did not fail is given up all the same; None: it goes on."""
    if ledger.interruptions >= limits.max_interruptions:
        return f"{ledger.interruptions} interruptions in a row without progress"
    return None


def waits_since(ledger: Ledger, dependency: str, now: datetime) -> datetime:
    """When the job's wait for this service began; ``now`` if it begins here."""
    same = ledger.waiting_for == dependency and ledger.waiting_since
    return min(same, now) if same else now


def wait_delay_s(job_id: str, waited_s: float, requested_s: float | None) -> float:
    """Seconds until a job that waits for a shared service tries again: a quarter of its wait so far, within bounds.

    A tenth more or less, by the job: the jobs that an outage delayed do not all come back in the same second.
    ``requested_s``: what the service asked for.
    """
    spread = 0.9 + 0.2 * int(canonical.sha256_hex(job_id.encode())[:8], 16) / 2**32
    delay_s = min(max(waited_s / 4, SHORTEST_WAIT_S), LONGEST_WAIT_S) * spread
    return max(delay_s, min(requested_s or 0.0, MAX_REQUESTED_S))


# --- decision ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StoredLedger:
    """A ledger as read. Both times are from the bucket's clock."""

    ledger: Ledger
    generation: int
    updated: datetime
    server_time: datetime


@dataclass(frozen=True, slots=True)
class DeliveryLimits:
    lease: Lease
    max_failures: int
    early_due: timedelta
    execution_start: timedelta
    execution_launches: int
    max_interruptions: int = 20
    longest_wait: timedelta = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Proceed:
    """Claim and run. ``replay_id``: a replay that is new to the ledger. ``lost``: the failure of the previous attempt
    if its lease expired, as it could not record one itself.
    """

    why: Literal["new", "replay", "expired", "due", "parked"]
    replay_id: str | None = None
    lost: Failure | None = None

    def failures(self, ledger: Ledger | None) -> int:
        """The number of failures that the claim starts with: a replay resets it, a lost attempt adds one."""
        if ledger is None or self.replay_id:
            return 0
        return ledger.failures + (1 if self.lost else 0)


@dataclass(frozen=True, slots=True)
class NewClaim:
    """The fields that a claim sets in the ledger. ``base_seq`` None: keep the ledger's."""

    event: JobEvent
    state: Literal["RUNNING", "QUEUED"]
    owner: str
    #: From the bucket's clock; for a first claim, which has read nothing from the bucket, the process's. For display.
    began_at: datetime
    ended_at: datetime
    base_seq: int | None = None
    replay_id: str | None = None
    lost: Failure | None = None
    checkpoints: tuple[CheckpointRef, ...] = ()

    def fields(self) -> dict[str, Any]:
        """The fields that first and later claims set in the same way."""
        return {
            "user_id": self.event.user_id,
            "state": self.state,
            "owner": self.owner,
            "payload_digest": self.event.payload_digest,
            "event": self.event.to_wire(),
            "launches": 1 if self.state == "QUEUED" else 0,
            "began_at": self.began_at,
            "replayed": self.replay_id is not None,
        } | ({} if self.base_seq is None else {"base_seq": self.base_seq})


@dataclass(frozen=True, slots=True)
class Deliver:
    """The outcome is recorded but perhaps not delivered: claim without changing the state, and deliver it again.

    ``replay_id``: a replay that is new to the ledger. An operator asked for the job again, so its row is open: it gets
    the recorded outcome, and the job does not run a second time.
    """

    replay_id: str | None = None


@dataclass(frozen=True, slots=True)
class Overdue:
    """Queued for longer than an execution takes to start: ask what became of it."""


@dataclass(frozen=True, slots=True)
class Ignore:
    """Acknowledge without doing anything. ``until``: when the decision may change."""

    why: Literal["duplicate", "running", "not_due", "queued"]
    detail: str
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The ledger of this job id has another payload digest, ``expected``."""

    expected: str


Decision = Proceed | Deliver | Overdue | Ignore | Mismatch


def decide(stored: StoredLedger | None, payload_digest: str, replay_id: str | None, limits: DeliveryLimits) -> Decision:
    """One row of the table "found | answer" in docs/delivery.md; server times only."""
    if stored is None:
        return Proceed("new", replay_id)
    ledger = stored.ledger
    if ledger.payload_digest not in (None, payload_digest):
        return Mismatch(str(ledger.payload_digest))
    fresh_replay = replay_id is not None and replay_id not in ledger.replays
    if ledger.state in SETTLED:
        return _settled(ledger, replay_id if fresh_replay else None)
    decision = _open(stored, limits)
    if isinstance(decision, Proceed) and fresh_replay and replay_id:
        return replace(decision, replay_id=replay_id)
    return decision


def _settled(ledger: Ledger, fresh_replay: str | None) -> Decision:
    # A completed job never runs again, whatever the message says: only a DEAD ledger can be reopened.
    if ledger.state == "DEAD" and fresh_replay:
        return Proceed("replay", fresh_replay)
    if fresh_replay or not ledger.delivered:
        return Deliver(fresh_replay)
    return Ignore("duplicate", f"already {ledger.outcome} in attempt {ledger.attempt}")


def _open(stored: StoredLedger, limits: DeliveryLimits) -> Decision:
    ledger = stored.ledger
    if ledger.state == "RUNNING":
        return _running(stored, limits)
    if ledger.state == "RETRYING":
        due = ledger.retry_at is None or stored.server_time + limits.early_due >= ledger.retry_at
        return Proceed("due") if due else Ignore("not_due", f"retry {ledger.failures}", ledger.retry_at)
    if ledger.state == "PARKED":
        return Proceed("parked")
    return _queued(stored, limits)


def _running(stored: StoredLedger, limits: DeliveryLimits) -> Decision:
    ledger = stored.ledger
    if limits.lease.ledger_expired(stored.updated, stored.server_time):
        return Proceed("expired", lost=_lease_expired_failure(stored))
    until = stored.updated + timedelta(seconds=limits.lease.ttl_s)
    return Ignore("running", f"attempt {ledger.attempt} of {ledger.owner}", until)


def _lease_expired_failure(stored: StoredLedger) -> Failure:
    ledger = stored.ledger
    stage = ledger.stages[-1].stage if ledger.stages else None
    return Failure(
        code=FailuresSpent.code,
        error_class=FailuresSpent.__name__,
        message=f"attempt {ledger.attempt} stopped renewing its lease after {stage or 'its claim'}",
        hint=FailuresSpent.hint,
        stage=stage,
        fingerprint=fingerprint(FailuresSpent.code, stage, FailuresSpent.__name__),
        first_seen=ledger.failure.first_seen if ledger.failure else stored.updated,
        last_seen=stored.server_time,
    )


def _queued(stored: StoredLedger, limits: DeliveryLimits) -> Decision:
    ledger = stored.ledger
    if stored.server_time - stored.updated < limits.execution_start:
        until = stored.updated + limits.execution_start
        return Ignore("queued", f"execution {ledger.execution or 'being launched'}", until)
    return Overdue()


def _failed(failed: Failed | None) -> dict[str, Any]:
    return {"failures": failed.failures, "failure": failed.failure} if failed else {}


# --- failures ----------------------------------------------------------------------------------------------------


def fingerprint(code: str, stage: str | None, error_class: str) -> str:
    """An identifier that equal failures of different jobs share: 16 hexadecimal digits."""
    return canonical.sha256_hex(f"{code}|{stage or ''}|{error_class}".encode())[:16]


def retry_delay_s(failures: int, delays_s: tuple[int, ...], requested_s: float | None) -> float:
    """Delay before the next attempt: from the table, or up to an hour if the other service requested longer."""
    index = min(max(failures, 1), len(delays_s)) - 1
    return max(float(delays_s[index]), min(requested_s or 0.0, MAX_REQUESTED_S))
