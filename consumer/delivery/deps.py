"""The dependencies that all attempts share, and the input of one attempt."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from consumer.breakers import Breakers
from consumer.delivery.deadletter import DeadLetters
from consumer.delivery.envelope import Delivery
from consumer.delivery.ledger import DeliveryLimits, Ledger
from consumer.delivery.ledgers import LedgerClaim
from consumer.delivery.openends import OpenEnds
from consumer.delivery.parking import Parking
from consumer.delivery.pipeline import Pipeline
from consumer.delivery.plan import Plan
from consumer.delivery.resuming import CheckpointStore
from consumer.delivery.settlement import Settlement
from consumer.locking.lock import Locks
from consumer.ports import Clock, ControlPlane, HeadStore, HeadView
from contract.event import JobEvent


@dataclass(frozen=True, slots=True)
class AttemptDeps:
    """The dependencies of every attempt in this process. ``retry_delays_s``: by number of failures."""

    controlplane: ControlPlane
    heads: HeadStore
    locks: Locks
    parking: Parking
    pipeline: Pipeline
    settlement: Settlement
    dead_letters: DeadLetters
    clock: Clock
    shutdown: threading.Event
    bucket: str
    limits: DeliveryLimits
    retry_delays_s: tuple[int, ...]
    heartbeat_s: float
    mode: Literal["local", "cloud"]
    #: What this process knows of the services that all jobs share.
    breakers: Breakers
    #: Ends the process: called when a run exceeds its deadline by the grace, as its child processes may hang.
    overrun: Callable[[], None]
    overrun_grace_s: float = 10.0
    #: None: runs always start at hydrate.
    checkpoints: CheckpointStore | None = None
    checkpoint_after_s: float = 20.0
    #: Called with the user id when a run has ended well: its folder may serve the next run. None: no folder is kept.
    vouch: Callable[[str], None] | None = None
    #: Attempts whose end could not be written yet.
    open_ends: OpenEnds = field(default_factory=OpenEnds)
    #: False: start no threads; a test calls the renewals itself.
    threads: bool = True


@dataclass(frozen=True, slots=True)
class AttemptInput:
    """One attempt's input. ``head``: as read before the first claim. ``before``: the ledger that the claim replaced.

    ``superseded``: the job is only to be settled, as another one made it superfluous.
    """

    claim: LedgerClaim
    event: JobEvent
    plan: Plan
    root: Path
    delivery: Delivery | None = None
    head: HeadView | None = None
    before: Ledger | None = None
    superseded: bool = False

    def age_s(self, now: datetime) -> float:
        """Seconds since the message was published; infinity without a message or its publish time."""
        published = self.delivery.publish_time if self.delivery else None
        return (now - published).total_seconds() if published else float("inf")

    @property
    def was_parked(self) -> bool:
        return self.before is not None and self.before.state == "PARKED"

    @property
    def reopened(self) -> Ledger | None:
        """The DEAD ledger that a replay reopened, or None."""
        return self.before if self.before is not None and self.before.state == "DEAD" else None
