"""The run ledger of one job, and what a delivery that finds it does: one effect per job id.

``attempt`` rises by one at each claim and is never reset. ``failures`` counts errors and expired leases; a replay
resets it. docs/delivery.md draws the states and says why.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, Literal

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
#: Replay ids kept to recognise an old one; an operator does not replay one job more often.
MAX_REPLAYS: Final = 50
#: Earlier attempts kept to be shown: several replays of all their failures.
MAX_EARLIER: Final = 20
#: The longest delay that another service may ask for: a job must not be lost to a header.
MAX_ASKED_S: Final = 3600.0


class StageMark(BaseModel):
    """One finished stage of the current attempt."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    stage: StageName
    seconds: float


class Failure(BaseModel):
    """The last failure: where, what, since when. Never user content."""

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
    """A failure, and how many the job has had with it."""

    failures: int
    failure: Failure


class PastAttempt(BaseModel):
    """An attempt that another one followed, as the ledger showed it at its end. For people: nothing is decided by it.

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
    """``jobs/{job_id}.json``. ``put_id`` names the write itself, so that its writer knows its own success again.

    ``payload_digest`` None: unbound, because the last message disagreed with the job's row.
    ``base_seq``: HEAD's seq before the first attempt; a commit of this job can only be above it.
    ``completion``: while RUNNING it is what the job will complete with if its commit is found in the chain: written
    before the swap, so that it survives a death right after.

    A ledger changes by the transitions below and by nothing else. Each gives a new ledger and checks it.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", validate_by_name=True)

    schema_version: Literal["memory.ledger.v1"] = Field(default=LEDGER_SCHEMA, alias="schema")
    job_id: Uuid
    user_id: Uuid
    state: LedgerState
    attempt: Annotated[int, Field(ge=1, alias=STORED_ATTEMPT)]
    failures: Annotated[int, Field(ge=0)] = 0
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
    #: Half-done runs of this job, oldest first; hints that may have gone.
    checkpoints: tuple[CheckpointRef, ...] = ()
    #: The event as first claimed: what an execution of a dispatched job runs.
    event: dict[str, Any] = Field(default_factory=dict)

    @property
    def replay_id(self) -> str | None:
        """The replay that the current attempts belong to; job tokens are bound to it."""
        return self.replays[-1] if self.replays else None

    @property
    def outcome(self) -> str | None:
        return self.completion.outcome if self.completion else None

    # --- transitions

    def claimed(self, claim: NewClaim) -> Ledger:
        """The next attempt's ledger: attempt + 1, nothing left of the attempt before but what is remembered of it."""
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
                "replays": (*self.replays, claim.replay_id)[-MAX_REPLAYS:],
                "checkpoints": claim.checkpoints,
            }
        if self.state == "DEAD":
            fields |= {"completion": None, "delivered": False}
        return self._with(**fields)

    def taken_to_deliver(self, owner: str) -> Ledger:
        """Another attempt that only delivers the outcome, which stands."""
        return self._with(attempt=self.attempt + 1, owner=owner)

    def started(self) -> Ledger:
        """RUNNING: an execution has taken a QUEUED ledger, or a parked attempt got the lock after all."""
        return self._with(state="RUNNING", launches=0, retry_at=None)

    def launching(self) -> Ledger:
        """One more launch of an execution that has not started."""
        return self._with(launches=self.launches + 1)

    def launched(self, execution: str) -> Ledger:
        """The name of the execution that was launched. For people."""
        return self._with(execution=execution)

    def checkpointed(self, checkpoints: tuple[CheckpointRef, ...]) -> Ledger:
        """These checkpoints, oldest first."""
        return self._with(checkpoints=checkpoints)

    def prepared(self, completion: Completion, published: tuple[str, ...]) -> Ledger:
        """Before the swap of HEAD: what the job completes with if the swap lands."""
        return self._with(completion=completion, published=published)

    def retrying(self, at: datetime, failed: Failed | None = None) -> Ledger:
        """RETRYING: due at ``at``. Without ``failed`` the attempt was interrupted, which is no failure."""
        return self._with(state="RETRYING", retry_at=at, launches=0, **_failed(failed))

    def parked(self, until: datetime, failed: Failed | None = None) -> Ledger:
        """PARKED: another job of the user holds the lock, until ``until`` at the longest."""
        return self._with(state="PARKED", retry_at=until, **_failed(failed))

    def unbound(self, at: datetime) -> Ledger:
        """RETRYING, open to another payload: the message disagreed with the job's row."""
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
            **_failed(failed),
        )

    def dead_again(self, before: Ledger) -> Ledger:
        """As dead as ``before``: an outdated replay has reopened it for nothing."""
        return self._with(state="DEAD", completion=before.completion, delivered=before.delivered)

    def told(self) -> Ledger:
        """The control plane has the outcome."""
        return self._with(delivered=True)

    def marked(self, mark: StageMark) -> Ledger:
        """One more finished stage."""
        return self._with(stages=(*self.stages, mark))

    def written_as(self, put_id: str) -> Ledger:
        """The same, as one write that its writer can recognise."""
        return self.model_copy(update={"put_id": put_id})

    def _with(self, **fields: Any) -> Ledger:
        # model_copy checks nothing: a state that no reader knows would be stored and end the job for good.
        copy = self.model_copy(update=fields)
        return Ledger.model_validate(dict(copy))

    def encode(self) -> bytes:
        wire = self.model_dump(mode="json", by_alias=True)
        wire["retry_at"] = utc_text(self.retry_at) if self.retry_at else None
        # Canonical JSON has no canonical float beyond a double; stage seconds are rounded to it.
        return canonical.dumps(wire)


def decode(job_id: str, data: bytes) -> Ledger:
    """Bytes -> Ledger.

    Raises:
        LedgerUnreadable: not a ledger, of an unknown schema, or of another job.
    """
    try:
        ledger = Ledger.model_validate_json(data)
    except ValidationError as exc:
        places = ", ".join(".".join(map(str, e["loc"])) or "ledger" for e in exc.errors(include_input=False)[:5])
        raise LedgerUnreadable(f"ledger of job {job_id}: {len(data)} bytes are not a ledger (at {places})") from exc
    if ledger.job_id != job_id:
        raise LedgerUnreadable(f"ledger of job {job_id} names job {ledger.job_id}")
    if ledger.state in SETTLED and ledger.completion is None:
        raise LedgerUnreadable(f"ledger of job {job_id} is {ledger.state} without an outcome")
    return ledger


def put_id(job_id: str, data: bytes) -> str | None:
    """Whose write these bytes are; None for bytes that are no ledger of this job."""
    try:
        return decode(job_id, data).put_id
    except LedgerUnreadable:
        return None


def first_ledger(job_id: str, claim: NewClaim) -> Ledger:
    """The ledger of a job's first attempt."""
    replays = (claim.replay_id,) if claim.replay_id else ()
    return Ledger.model_validate({**claim.fields(), "job_id": job_id, "attempt": 1, "put_id": "", "replays": replays})


def past(ledger: Ledger, ended_at: datetime, lost: Failure | None = None) -> tuple[PastAttempt, ...]:
    """The earlier attempts once the ledger's current one, which ended at ``ended_at``, has become one of them.

    The latest are kept. ``lost``: how it failed, where it could not say so itself.
    """
    failure = lost or ledger.failure
    # An interrupted attempt leaves the failure of one before it as it is.
    if failure and any(one.failed_at == failure.last_seen for one in ledger.earlier):
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


# --- decision ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StoredLedger:
    """A ledger as it was read; both times are the bucket's."""

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


@dataclass(frozen=True, slots=True)
class Proceed:
    """Claim and run. ``replay_id``: a replay that the ledger has not seen yet. ``lost``: how the attempt before failed,
    where its lease expired and it could not say so itself.
    """

    why: Literal["new", "replay", "expired", "due", "parked"]
    replay_id: str | None = None
    lost: Failure | None = None

    def failures(self, ledger: Ledger | None) -> int:
        """Failures that the claim begins with: a replay forgives them, a lost attempt is one more."""
        if ledger is None or self.replay_id:
            return 0
        return ledger.failures + (1 if self.lost else 0)


@dataclass(frozen=True, slots=True)
class NewClaim:
    """What a claim writes that no ledger knows by itself. ``base_seq`` None: as in the ledger."""

    event: JobEvent
    state: Literal["RUNNING", "QUEUED"]
    owner: str
    #: By the bucket's clock; for a first claim, which has not heard of the bucket yet, by the process's. Only shown.
    began_at: datetime
    ended_at: datetime
    base_seq: int | None = None
    replay_id: str | None = None
    lost: Failure | None = None
    checkpoints: tuple[CheckpointRef, ...] = ()

    def fields(self) -> dict[str, Any]:
        """The ledger's fields that first and later claims set alike."""
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
    """The effect stands, its completion may not have arrived: claim with the state kept, and deliver it again."""


@dataclass(frozen=True, slots=True)
class Relaunch:
    """Queued for too long: launch again as the same attempt."""


@dataclass(frozen=True, slots=True)
class LaunchesSpent:
    """Launched as often as allowed and never started: one failure."""


@dataclass(frozen=True, slots=True)
class Ignore:
    """Acknowledge, nothing to do. ``until``: when the answer may change."""

    why: Literal["duplicate", "running", "not_due", "queued"]
    detail: str
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The job id is known with another payload."""

    expected: str


Decision = Proceed | Deliver | Relaunch | LaunchesSpent | Ignore | Mismatch


def decide(found: StoredLedger | None, payload_digest: str, replay_id: str | None, limits: DeliveryLimits) -> Decision:
    """One row of the table "found | answer" in docs/delivery.md; server times only."""
    if found is None:
        return Proceed("new", replay_id)
    ledger = found.ledger
    if ledger.payload_digest not in (None, payload_digest):
        return Mismatch(str(ledger.payload_digest))
    fresh_replay = replay_id is not None and replay_id not in ledger.replays
    if ledger.state in SETTLED:
        return _settled(ledger, replay_id if fresh_replay else None)
    decision = _open(found, limits)
    if isinstance(decision, Proceed) and fresh_replay and replay_id:
        return replace(decision, replay_id=replay_id)
    return decision


def _settled(ledger: Ledger, fresh_replay: str | None) -> Decision:
    # A completed job is never run again, whatever the message says: only DEAD can be reopened.
    if ledger.state == "DEAD" and fresh_replay:
        return Proceed("replay", fresh_replay)
    if not ledger.delivered:
        return Deliver()
    return Ignore("duplicate", f"already {ledger.outcome} in attempt {ledger.attempt}")


def _open(found: StoredLedger, limits: DeliveryLimits) -> Decision:
    ledger = found.ledger
    if ledger.state == "RUNNING":
        return _running(found, limits)
    if ledger.state == "RETRYING":
        due = ledger.retry_at is None or found.server_time + limits.early_due >= ledger.retry_at
        return Proceed("due") if due else Ignore("not_due", f"retry {ledger.failures}", ledger.retry_at)
    if ledger.state == "PARKED":
        return Proceed("parked")
    return _queued(found, limits)


def _running(found: StoredLedger, limits: DeliveryLimits) -> Decision:
    ledger = found.ledger
    if limits.lease.ledger_expired(found.updated, found.server_time):
        return Proceed("expired", lost=_lost(found))
    until = found.updated + timedelta(seconds=limits.lease.ttl_s)
    return Ignore("running", f"attempt {ledger.attempt} of {ledger.owner}", until)


def _lost(found: StoredLedger) -> Failure:
    ledger = found.ledger
    stage = ledger.stages[-1].stage if ledger.stages else None
    return Failure(
        code=FailuresSpent.code,
        error_class=FailuresSpent.__name__,
        message=f"attempt {ledger.attempt} stopped renewing its lease after {stage or 'its claim'}",
        hint=FailuresSpent.hint,
        stage=stage,
        fingerprint=fingerprint(FailuresSpent.code, stage, FailuresSpent.__name__),
        first_seen=ledger.failure.first_seen if ledger.failure else found.updated,
        last_seen=found.server_time,
    )


def _queued(found: StoredLedger, limits: DeliveryLimits) -> Decision:
    ledger = found.ledger
    if found.server_time - found.updated < limits.execution_start:
        until = found.updated + limits.execution_start
        return Ignore("queued", f"execution {ledger.execution or 'being launched'}", until)
    return Relaunch() if ledger.launches < limits.execution_launches else LaunchesSpent()


def _failed(failed: Failed | None) -> dict[str, Any]:
    return {"failures": failed.failures, "failure": failed.failure} if failed else {}


# --- failures ----------------------------------------------------------------------------------------------------


def fingerprint(code: str, stage: str | None, error_class: str) -> str:
    """Groups equal failures of different jobs: 16 hexadecimal digits."""
    return canonical.sha256_hex(f"{code}|{stage or ''}|{error_class}".encode())[:16]


def retry_delay_s(failures: int, delays_s: tuple[int, ...], asked_s: float | None) -> float:
    """Delay before attempt ``failures + 1``: the table's, or up to an hour if the other side asked for longer."""
    index = min(max(failures, 1), len(delays_s)) - 1
    return max(float(delays_s[index]), min(asked_s or 0.0, MAX_ASKED_S))
