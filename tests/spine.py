"""A small world for the event spine: control plane, history and stages that keep the real ones' promises, in memory.

The bucket is MemoryBlobStore, so that every request of a run can be failed, delayed or be the last of its process.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import manifests
from consumer import layout, paths
from consumer.breakers import Breakers
from consumer.delivery.deadletter import DeadLetters
from consumer.delivery.deps import AttemptDeps
from consumer.delivery.dispatch import Dispatcher
from consumer.delivery.envelope import Delivery
from consumer.delivery.handler import Handler
from consumer.delivery.ledger import DeliveryLimits, NewClaim
from consumer.delivery.ledgers import Ledgers
from consumer.delivery.parking import Parking
from consumer.delivery.pipeline import Pipeline
from consumer.delivery.plan import DispatchSetting, plans
from consumer.delivery.runfolder import RunFolder
from consumer.delivery.settlement import Settlement
from consumer.delivery.ticks import Ticks
from consumer.errors import (
    AttemptStale,
    BlobNotFound,
    BlobUnavailable,
    ConsumerError,
    HeadMoved,
    JobTerminal,
    JobUnknown,
    LockLost,
    PreconditionFailed,
    RequestRefused,
)
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.ports import BlobStore, ExecutionState, Guard, JobSession, Topic
from consumer.run import Base, Exported, Reported, Run
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import FakeClock, MemoryBlobStore, MemoryTopic
from contract.api import (
    BatchRequest,
    BatchResponse,
    CommitRef,
    CompleteRequest,
    CompleteResponse,
    JobSpec,
    ProgressRequest,
    ProgressResponse,
    TickRequest,
    TickResponse,
    TokenRequest,
    TokenResponse,
)
from contract.event import JobEvent

BUCKET = "memory"
USER = "11111111-1111-4111-8111-111111111111"
WORKSPACE = "22222222-2222-4222-8222-222222222222"
REQUESTED = datetime(2026, 11, 27, 8, 59, tzinfo=UTC)


def job_id(number: int) -> str:
    return f"aaaaaaaa-0000-4000-8000-{number:012d}"


def a_claim(number: int = 1, owner: str = "o", **fields: Any) -> NewClaim:
    """An attempt's claim on job ``number``, as the handler makes it."""
    values = {"began_at": REQUESTED, "ended_at": REQUESTED, "base_seq": 0, **fields}
    return NewClaim(an_event(number), "RUNNING", owner, **values)


def an_event(number: int = 1, **fields: Any) -> JobEvent:
    values: dict[str, Any] = {
        "job_id": job_id(number),
        "user_id": USER,
        "workspace_id": WORKSPACE,
        "job_type": "hourly_digest",
        "runtime_profile": "internal-full",
        "template_version": "v1",
        "period": f"2026-11-27T{number % 24:02d}",
        "requested_at": REQUESTED,
        **fields,
    }
    return JobEvent.model_validate(values)


def a_delivery(event: JobEvent, message_id: str = "1") -> Delivery:
    return Delivery(message_id, event.encode(), event.attributes(), publish_time=REQUESTED)


# --- control plane -----------------------------------------------------------------------------------------------


@dataclass
class Row:
    """One memory_jobs row as the fake control plane keeps it."""

    event: JobEvent
    status: str = "queued"
    substate: str | None = None
    attempt: int = 0
    owner: str = ""
    replay_id: str | None = None
    retry_at: datetime | None = None
    #: The last sign of life.
    heard_at: datetime | None = None
    waiting_for: str | None = None
    cancel_requested: bool = False
    completion: CompleteRequest | None = None
    completions: int = 0


class FakeControlPlane:
    """Rows, attempts, completions: the rules of the API without its wire. ``fault`` sees every call's name first."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.rows: dict[str, Row] = {}
        self.calls: list[str] = []
        self.fault: Callable[[str], None] = lambda _call: None
        self.overrides: dict[str, Any] = {}
        self.pages: list[TickResponse] = []
        #: A job told two different results: never by us.
        self.conflicts = 0

    def add(self, event: JobEvent) -> Row:
        row = Row(event)
        self.rows[event.job_id] = row
        return row

    def open(self, job_id: str, request: TokenRequest) -> tuple[TokenResponse, JobSession]:
        self.called("open")
        row = self.rows.get(job_id)
        if row is None:
            raise JobUnknown(f"POST /token: 404 job_not_found: {job_id}")
        if row.status in ("completed", "failed", "cancelled"):
            raise JobTerminal(f"job {job_id} is over", {"status": row.status})
        if request.replay_id != row.replay_id:
            raise AttemptStale(f"job {job_id}: replay_stale")
        if request.attempt < row.attempt or (request.attempt == row.attempt and request.owner != row.owner):
            raise AttemptStale(f"job {job_id}: attempt_stale")
        row.attempt, row.owner, row.status, row.substate = request.attempt, request.owner, "running", None
        row.retry_at, row.heard_at, row.waiting_for = None, self.clock.now(), None
        token = TokenResponse(token="t", expires_at=self.clock.now() + timedelta(minutes=15), job=self._spec(row))
        return token, FakeSession(self, row, request.attempt)

    def plan_tick(self, request: TickRequest) -> TickResponse:
        self.called(f"tick {request.kind} {request.period} {request.page}")
        return self.pages.pop(0) if self.pages else TickResponse()

    def called(self, name: str) -> None:
        self.calls.append(name)
        self.fault(name)

    def _spec(self, row: Row) -> JobSpec:
        wire = row.event.to_wire()
        names = (
            "job_id",
            "user_id",
            "workspace_id",
            "job_type",
            "runtime_profile",
            "template_version",
            "period",
            "requested_at",
        )
        values = {
            **{n: wire[n] for n in names},
            "status": row.status,
            "attempt": row.attempt,
            "workspace_uri": f"gs://{BUCKET}/users/{row.event.user_id}/",
            "cancel_requested": row.cancel_requested,
            **self.overrides,
        }
        return JobSpec.model_validate(values)


@dataclass
class FakeSession:
    plane: FakeControlPlane
    row: Row
    attempt: int

    def batch(self, request: BatchRequest) -> BatchResponse:
        raise NotImplementedError("the stages of this world export nothing")

    def progress(self, request: ProgressRequest) -> ProgressResponse:
        self.plane.called(f"progress {request.state} {request.stage}")
        self._require_current(request.attempt)
        self.row.status = "running" if request.state == "running" else "queued"
        self.row.substate = None if request.state == "running" else request.state
        self.row.retry_at = request.retry_at
        self.row.heard_at, self.row.waiting_for = self.plane.clock.now(), request.waiting_for
        return ProgressResponse(cancel_requested=self.row.cancel_requested)

    def complete(self, request: CompleteRequest) -> CompleteResponse:
        self.plane.called(f"complete {request.outcome}")
        old = self.row.completion
        if old is not None:
            if (old.outcome, old.commit) != (request.outcome, request.commit):
                self.plane.conflicts += 1
                raise RequestRefused("completion_conflict")
        else:
            self._require_current(request.attempt)
            self.row.completion = request
            self.row.completions += 1
        done = "completed" if request.outcome in ("completed", "no_change", "superseded") else request.outcome
        self.row.status = done
        self.plane.called(f"completed {request.outcome}")
        return CompleteResponse.model_validate({"status": done})

    def _require_current(self, attempt: int) -> None:
        if attempt != self.row.attempt:
            raise AttemptStale(f"attempt_stale: {attempt}, the row has {self.row.attempt}")


# --- history -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FakeHead:
    seq: int = 0
    commit: str | None = None
    epoch: int = 0
    generation: int = 0


@dataclass
class FakeHeads:
    """HEAD and a chain of commits in the bucket: as little as the protocol needs, each request one of the store's."""

    blobs: BlobStore
    published: list[tuple[str, int, tuple[str, ...]]] = field(default_factory=list)
    #: generation -> epoch, as the real store remembers of the HEAD that it hydrated.
    seen: dict[int, int] = field(default_factory=dict)

    def of(self, user_id: str) -> FakeHistory:
        return FakeHistory(self, user_id)

    def read_head(self, user_id: str) -> FakeHead | None:
        try:
            blob = self.blobs.read(paths.head(user_id))
        except BlobNotFound:
            return None
        stored = FakeHead(**json.loads(blob.data), generation=blob.stat.generation)
        self.seen[stored.generation] = stored.epoch
        return stored

    def fence(self, user_id: str, epoch: int) -> FakeHead:
        while True:
            head = self.read_head(user_id) or FakeHead()
            if head.epoch > epoch:
                raise LockLost(f"HEAD has epoch {head.epoch}, ours is {epoch}")
            if head.epoch == epoch:
                return head
            try:
                self._write(user_id, replace(head, epoch=epoch), head.generation)
            except (PreconditionFailed, BlobUnavailable):
                continue

    def committed_by(self, user_id: str, job_id: str, base_seq: int, head: Any = None) -> CommitRef | None:
        current = head or self.read_head(user_id) or FakeHead()
        seq, digest = current.seq, current.commit
        while seq > base_seq and digest:
            commit = json.loads(self.blobs.read(paths.commit(user_id, seq, digest)).data)
            if commit["job_id"] == job_id:
                return CommitRef(seq=seq, digest=digest)
            seq, digest = seq - 1, commit["parent"]
        return None

    def publish(self, user_id: str, seq: int, workspace_paths: Sequence[str]) -> None:
        for path in workspace_paths:
            self.blobs.write(paths.published(user_id, seq, path), path.encode(), if_generation=None)
        self.published.append((user_id, seq, tuple(workspace_paths)))

    def commit(self, user_id: str, base: Base, job_id: str, attempt: int, epoch: int) -> CommitRef:
        """What persist does: the commit's object, then the swap on the generation seen at hydrate.

        Raises LockLost where that HEAD was fenced by a younger holder already: a process that slept before its hydrate.
        """
        if self.seen.get(base.head_generation, 0) > epoch:
            raise LockLost(f"the HEAD that was hydrated has a younger epoch than {epoch}")
        seq = base.seq + 1
        digest = f"{job_id[-4:]}-{attempt}-{epoch}"
        body = json.dumps({"job_id": job_id, "parent": base.digest}).encode()
        self.blobs.write(paths.commit(user_id, seq, digest), body, if_generation=None)
        new = FakeHead(seq, digest, epoch)
        try:
            self._write(user_id, new, base.head_generation)
        except (PreconditionFailed, BlobUnavailable) as exc:
            head = self.read_head(user_id) or FakeHead()
            if replace(head, generation=0) == new:
                return CommitRef(seq=seq, digest=digest)
            if head.epoch > epoch:
                raise LockLost(f"HEAD has epoch {head.epoch}, ours is {epoch}") from exc
            if isinstance(exc, BlobUnavailable):
                raise
            raise HeadMoved(f"HEAD is at seq {head.seq}") from exc
        return CommitRef(seq=seq, digest=digest)

    def _write(self, user_id: str, head: FakeHead, generation: int) -> None:
        body = json.dumps({"seq": head.seq, "commit": head.commit, "epoch": head.epoch}).encode()
        self.blobs.write(paths.head(user_id), body, if_generation=generation)

    def chain(self, user_id: str) -> list[str]:
        """Job ids of the history, oldest first (not counted as requests where the store is a memory one)."""
        faults: list[str] = []
        head = self.read_head(user_id) or FakeHead()
        seq, digest = head.seq, head.commit
        while digest:
            commit = json.loads(self.blobs.read(paths.commit(user_id, seq, digest)).data)
            faults.append(commit["job_id"])
            seq, digest = seq - 1, commit["parent"]
        return faults[::-1]


@dataclass(frozen=True)
class FakeHistory:
    """One user's view of ``FakeHeads``."""

    heads: FakeHeads
    user_id: str

    def read_head(self) -> FakeHead | None:
        return self.heads.read_head(self.user_id)

    def fence(self, epoch: int) -> FakeHead:
        return self.heads.fence(self.user_id, epoch)

    def committed_by(self, job_id: str, base_seq: int, head: Any = None) -> CommitRef | None:
        return self.heads.committed_by(self.user_id, job_id, base_seq, head)

    def publish(self, seq: int, workspace_paths: Sequence[str]) -> None:
        self.heads.publish(self.user_id, seq, workspace_paths)


# --- stages ------------------------------------------------------------------------------------------------------


@dataclass
class FakeStage:
    """Does ``act`` (raise, advance the clock, cancel) and passes the run on."""

    name: str
    act: Callable[[Run, Guard], Run | None] = lambda run, _guard: run

    def run(self, run: Run, guard: Guard) -> Run:
        guard.check()
        return self.act(run, guard) or run


def hydrate(heads: FakeHeads) -> Callable[[Run, Guard], Run]:
    def act(run: Run, _guard: Guard) -> Run:
        head = heads.read_head(run.job.user_id) or FakeHead()
        return replace(run, base=Base(head.seq, head.commit, head.generation))

    return act


def export(records: int) -> Callable[[Run, Guard], Run]:
    return lambda run, _guard: replace(run, exported=Exported(records, 0, {"granola": records}, {"granola": 9}))


def report(run: Run, _guard: Guard) -> Run:
    paths_of = (
        layout.report_markdown(run.job.job_type, run.job.job_id, run.period),
        layout.report_json(run.job.job_type, run.job.job_id),
        layout.job_run(run.job.job_id),
    )
    for path in paths_of:
        (run.root / path).parent.mkdir(parents=True, exist_ok=True)
        (run.root / path).write_text(
            json.dumps({"job_id": run.job.job_id}) if path.endswith(".json") else f"# {path}\n"
        )
    return replace(run, reported=Reported(paths_of[0], paths_of[1], "one line", 3, 3))


#: What a digest of this world asks for that has nothing to tell.
WAKE_AT = datetime(2026, 11, 28, 7, tzinfo=UTC)


def quiet(run: Run, _guard: Guard) -> Run:
    """The report stage in an hour in which nothing matters."""
    path = run.root / layout.job_run(run.job.job_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"job_id": run.job.job_id}))
    return replace(run, wake_at=WAKE_AT)


def persist(heads: FakeHeads) -> Callable[[Run, Guard], Run]:
    def act(run: Run, guard: Guard) -> Run:
        guard.check()
        commit = heads.commit(run.job.user_id, run.base, run.job.job_id, run.attempt, run.epoch)
        return replace(run, commit=commit)

    return act


# --- the whole ---------------------------------------------------------------------------------------------------


class FakeLauncher:
    """Remembers what was launched; ``fault`` may raise before or after the execution exists."""

    def __init__(self) -> None:
        self.launched: list[Mapping[str, str]] = []
        self.fault: Callable[[], None] = lambda: None
        #: What Cloud Run says of every execution.
        self.fate = ExecutionState(is_over=False)
        self.asked: list[str] = []

    def state(self, execution: str) -> ExecutionState:
        self.asked.append(execution)
        return self.fate

    def launch(self, env: Mapping[str, str], *, timeout_s: int) -> str:
        del timeout_s
        self.launched.append(dict(env))
        self.fault()
        return f"executions/{len(self.launched)}"


LIMITS = manifests.limits()
RETRY_DELAYS_S = tuple(LIMITS["retry_delays"])


@dataclass
class World:
    """One bucket, one control plane, one clock; ``handler`` makes a process over them."""

    tmp: Path
    clock: FakeClock = field(default_factory=FakeClock)
    lease: Lease = field(default_factory=Lease)
    setting: DispatchSetting = "inline"
    records: int = 3
    #: Whether a digest has anything to tell.
    tells: bool = True

    def __post_init__(self) -> None:
        self.blobs = MemoryBlobStore(self.clock)
        self.plane = FakeControlPlane(self.clock)
        self.jobs_topic = MemoryTopic(self.clock)
        self.dead_topic = MemoryTopic(self.clock)
        self.launcher = FakeLauncher()
        self.heads = FakeHeads(self.blobs)
        self._numbers = itertools.count(1)
        self._folders = itertools.count(1)

    def ids(self) -> str:
        return f"id-{next(self._numbers)}"

    def limits(self) -> DeliveryLimits:
        return DeliveryLimits(
            lease=self.lease,
            max_failures=LIMITS["max_failures"],
            early_due=timedelta(seconds=LIMITS["early_due"]),
            execution_start=timedelta(seconds=LIMITS["execution_start"]),
            execution_launches=LIMITS["execution_launches"],
        )

    def handler(
        self,
        blobs: BlobStore | None = None,
        stages: Mapping[str, FakeStage] | None = None,
        shutdown: threading.Event | None = None,
        dead_topic: Topic | None = None,
        clock: FakeClock | None = None,
        *,
        breakers: Breakers | None = None,
    ) -> Handler:
        """A process: its own view of the bucket, its own run folder, its own clock; stages replaced by name."""
        store, clock = blobs or self.blobs, clock or self.clock
        heads = FakeHeads(store, self.heads.published)
        writer = ConditionalWriter(store, clock)
        dead_letters = DeadLetters(store, dead_topic or self.dead_topic, clock)
        parts = AttemptDeps(
            controlplane=self.plane,
            heads=heads,
            locks=Locks(writer, clock, self.ids, self.lease),
            parking=Parking(store, self.jobs_topic),
            pipeline=Pipeline(self._stages(heads, stages or {}), clock),
            settlement=Settlement(store, heads, dead_letters),
            dead_letters=dead_letters,
            clock=clock,
            shutdown=shutdown or threading.Event(),
            bucket=BUCKET,
            limits=self.limits(),
            retry_delays_s=RETRY_DELAYS_S,
            heartbeat_s=60,
            mode="local",
            breakers=breakers or Breakers(clock),
            overrun=lambda: None,
            threads=False,
        )
        return Handler(
            ledgers=Ledgers(writer, clock, self.ids),
            plans=plans(manifests.pipelines(), setting=self.setting, push_limit_s=580),
            folder=RunFolder(self.tmp / f"process-{next(self._folders)}"),
            parts=parts,
            ticks=Ticks(self.plane),
            dispatcher=Dispatcher(self.launcher, BUCKET),
        )

    def _stages(self, heads: FakeHeads, replaced: Mapping[str, FakeStage]) -> Any:
        acts = {
            "hydrate": hydrate(heads),
            "export": export(self.records),
            "report": report if self.tells else quiet,
            "persist": persist(heads),
        }
        names = ("hydrate", "export", "render", "index", "synthesize", "report", "persist")
        made = {name: FakeStage(name, acts.get(name, lambda run, _guard: run)) for name in names}
        return {**made, **replaced}

    def ledger(self, number: int = 1) -> dict[str, Any]:
        blob = self.blobs.peek(paths.ledger(job_id(number)))
        assert blob is not None, f"no ledger of job {number}"
        return dict(json.loads(blob.data))

    def lock(self) -> dict[str, Any]:
        blob = self.blobs.peek(paths.lock(USER))
        assert blob is not None, "no lock"
        return dict(json.loads(blob.data))

    def dead_letters(self) -> list[dict[str, Any]]:
        blobs = [self.blobs.peek(name) for name in self.blobs.names("dead/")]
        return [json.loads(blob.data) for blob in blobs if blob]


def raising(error: Exception) -> Callable[[Run, Guard], Run]:
    def act(_run: Run, _guard: Guard) -> Run:
        raise error

    return act


def failing_calls(prefix: str, error: ConsumerError, times: int = 1) -> Callable[[str], None]:
    """A control plane fault: the first ``times`` calls whose name starts with ``prefix`` raise."""
    left = [times]

    def fault(call: str) -> None:
        if call.startswith(prefix) and left[0]:
            left[0] -= 1
            raise error

    return fault
