"""What attempts are made of, and what one is told to do."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from consumer.delivery.deadletter import DeadLetters
from consumer.delivery.envelope import Delivery
from consumer.delivery.ledger import Ledger
from consumer.delivery.ledgers import LedgerClaim
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
    """What every attempt of this process is made of. ``retry_delays_s`` by number of failures."""

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
    max_failures: int
    retry_delays_s: tuple[int, ...]
    heartbeat_s: float
    mode: Literal["local", "cloud"]
    #: Ends the process: a run outlived its deadline by the grace, so its processes cannot be trusted any more.
    overrun: Callable[[], None]
    overrun_grace_s: float = 10.0
    #: None: runs always start at hydrate.
    checkpoints: CheckpointStore | None = None
    checkpoint_after_s: float = 20.0
    #: Told the user whose run came to its end: its folder may serve the next one. None: no folder is kept.
    vouch: Callable[[str], None] | None = None
    #: False: no threads; a test turns the crank itself.
    threads: bool = True


@dataclass(frozen=True, slots=True)
class AttemptInput:
    """What to attempt. ``head``: as read before the first claim. ``before``: the ledger that the claim replaced."""

    claim: LedgerClaim
    event: JobEvent
    plan: Plan
    root: Path
    delivery: Delivery | None = None
    head: HeadView | None = None
    before: Ledger | None = None

    def age_s(self, now: datetime) -> float:
        """Since when its message has been waiting; without a message, or without its time: for ever."""
        published = self.delivery.publish_time if self.delivery else None
        return (now - published).total_seconds() if published else float("inf")

    @property
    def was_parked(self) -> bool:
        return self.before is not None and self.before.state == "PARKED"

    @property
    def reopened(self) -> Ledger | None:
        """The dead ledger that a replay reopened."""
        return self.before if self.before is not None and self.before.state == "DEAD" else None
