"""A scheduler tick -> the control plane plans what is due, page by page; a daily one also brings histories to verify,
an hourly one the memories of deleted accounts to erase; both the second sweeps that purges and erasures are owed.

A tick twice plans nothing twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from consumer.delivery.outcome import Planned
from consumer.delivery.rounds import Rounds
from consumer.erasure.erasures import Erasures
from consumer.errors import RequestRefused
from consumer.ports import ControlPlane
from contract.api import TickRequest
from contract.event import TickEvent, TickKind
from service import telemetry

#: A planner that never says "last page" must not hold the push for ever.
MAX_PAGES: Final = 100_000
#: The log line that an alert waits for: workspaces were compared with accounts, and the result is not to be believed.
NOT_RECONCILED: Final = "accounts not reconciled: no erasure is planned"
#: Ticks that bring the second sweeps which purges and erasures are owed.
SWEEPING: Final[frozenset[TickKind]] = frozenset({"hourly", "daily"})


def period_of(kind: TickKind, published: datetime) -> str:
    """The hour or day (UTC) that a tick stands for: from its publish time, so that a redelivery means the same."""
    moment = published.astimezone(UTC)
    return moment.strftime("%Y-%m-%d" if kind == "daily" else "%Y-%m-%dT%H")


@dataclass(frozen=True, slots=True)
class Ticks:
    controlplane: ControlPlane
    #: None: this process verifies nothing.
    rounds: Rounds | None = None
    #: None: this process erases nothing.
    erasures: Erasures | None = None

    def plan(self, tick: TickEvent, published: datetime, tick_id: str) -> Planned:
        """Raises ControlPlaneUnavailable (the message is kept and planned again), NotAllowed, RequestRefused."""
        planned = republished = 0
        verify: list[str] = []
        erase: list[str] = []
        page: str | None = None
        for _ in range(MAX_PAGES):
            reply = self.controlplane.plan_tick(
                TickRequest(kind=tick.kind, period=period_of(tick.kind, published), tick_id=tick_id, page=page)
            )
            planned += reply.planned
            republished += reply.republished
            verify += reply.verify
            erase += reply.erase
            if reply.reconciliation_alarm:
                telemetry.count("reconciliation_alarms")
                telemetry.log(NOT_RECONCILED, detail=reply.reconciliation_alarm, level=50)
            if reply.next_page is None:
                if self.erasures and erase:
                    # Before the second sweeps of everybody: what is deleted then belongs into the receipts.
                    self.erasures.walk(erase)
                verified = self.rounds.walk(verify) if self.rounds else 0
                if self.rounds and tick.kind in SWEEPING:
                    self.rounds.sweep_late()
                text = f"{tick.kind} tick, {verified} of {len(verify)} histories looked at"
                return Planned(None, text, planned=planned, republished=republished)
            if reply.next_page == page:
                break
            page = reply.next_page
        raise RequestRefused(f"{tick.kind} tick {tick_id}: the planner repeats page {str(page)[:64]!r}")
