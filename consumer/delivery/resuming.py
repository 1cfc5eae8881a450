"""How one attempt saves and uses checkpoints. They only save time: a fault here never fails the run."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from consumer.delivery import checkpoint as core
from consumer.delivery.checkpoint import CheckpointRef
from consumer.delivery.checkpoints import CheckpointGone
from consumer.delivery.ledgers import LedgerClaim
from consumer.delivery.plan import Plan
from consumer.errors import BlobUnavailable, HeadMoved, SnapshotIncomplete
from consumer.ports import Clock, Guard
from consumer.run import Run
from contract.event import StageName
from service import telemetry


class CheckpointStore(Protocol):
    """consumer.delivery.checkpoints.Checkpoints, as an attempt sees it."""

    def save(self, run: Run, stage: StageName, guard: Guard) -> CheckpointRef: ...

    def resume(self, run: Run, ref: CheckpointRef, guard: Guard) -> Run: ...


@dataclass
class Resuming:
    """The checkpoints of one attempt. ``store`` None: this process neither saves nor uses checkpoints."""

    store: CheckpointStore | None
    after_s: float
    claim: LedgerClaim
    plan: Plan
    clock: Clock
    guard: Guard
    _since: float = field(init=False)

    def __post_init__(self) -> None:
        self._since = self.clock.monotonic()

    def start(self, run: Run) -> tuple[Run, StageName | None]:
        """The run to continue and its last finished stage, None for a run from the start. Raises as hydrate."""
        if self.store is None:
            return run, None
        for ref in reversed(self.claim.ledger.checkpoints):
            try:
                resumed = self.store.resume(run, ref, self.guard)
            except CheckpointGone as exc:
                # Log the code only: a message about a damaged tree may name pages, and so their titles.
                self._drop(ref, getattr(exc.__cause__, "code", HeadMoved.code))
                continue
            telemetry.log("resumed", job_id=run.job.job_id, stage=ref.stage)
            telemetry.count("checkpoints", result="used")
            return resumed, ref.stage
        return run, None

    def reached(self, stage: StageName, run: Run) -> None:
        """A stage is finished: save a checkpoint if one is due. Raises AttemptStale and whatever the guard raises."""
        worked_s = self.clock.monotonic() - self._since
        if self.store is None or not core.is_due(stage, self.plan, worked_s, self.after_s):
            return
        try:
            ref = self.store.save(run, stage, self.guard)
            self.claim.write(self.claim.ledger.checkpointed((*self.claim.ledger.checkpoints, ref)))
        except (CheckpointGone, SnapshotIncomplete, BlobUnavailable) as exc:
            # If the fault stays, persist meets it and fails the run.
            code = getattr(exc, "code", HeadMoved.code)
            telemetry.log("checkpoint not kept", job_id=run.job.job_id, stage=stage, code=code)
            return
        self._since = self.clock.monotonic()
        telemetry.count("checkpoints", result="kept")

    def _drop(self, ref: CheckpointRef, code: str) -> None:
        telemetry.log("checkpoint dropped", job_id=self.claim.ledger.job_id, stage=ref.stage, code=code)
        telemetry.count("checkpoints", result="dropped")
        kept = tuple(checkpoint for checkpoint in self.claim.ledger.checkpoints if checkpoint != ref)
        # Otherwise the next attempt, if there is one, drops it.
        with suppress(BlobUnavailable):
            self.claim.write(self.claim.ledger.checkpointed(kept))
