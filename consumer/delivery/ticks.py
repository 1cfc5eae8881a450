"""A scheduler tick: the control plane plans the due jobs, page by page. A daily tick also names histories to verify,
an hourly one memories of deleted accounts to erase. Both start the due second sweeps of purges and erasures. Each names
users of whose orders (forget, export) a step is due.

A repeated tick plans no job twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from consumer.delivery.outcome import Planned
from consumer.delivery.rounds import Rounds
from consumer.erasure.erasures import Erasures
from consumer.erasure.orders import OrderWalk
from consumer.errors import RequestRefused
from consumer.ports import ControlPlane
from contract.api import TickRequest, TickResponse
from contract.event import TickEvent, TickKind
from service import telemetry

#: A planner that never returns a last page must not hold the push for ever.
MAX_PAGES: Final = 100_000
#: The log line of an alert: workspaces were compared with accounts, and the result is not plausible.
NOT_RECONCILED: Final = "accounts not reconciled: no erasure is planned"
#: The log line of an alert: operators withhold jobs, of which they should be reminded.
PAUSED: Final = "queue paused"
#: The line of an alert: too few of the claims on which readers gave a verdict are useful.
FEW_USEFUL: Final = "few claims are useful"
#: Ticks that start the due second sweeps of purges and erasures.
SWEEPING: Final[frozenset[TickKind]] = frozenset({"hourly", "daily"})


def period_of(kind: TickKind, published: datetime) -> str:
    """The hour or day (UTC) of a tick, from its publish time, so that a redelivery has the same period."""
    moment = published.astimezone(UTC)
    return moment.strftime("%Y-%m-%d" if kind == "daily" else "%Y-%m-%dT%H")


@dataclass(frozen=True, slots=True)
class Ticks:
    controlplane: ControlPlane
    #: None: this process verifies no histories.
    rounds: Rounds | None = None
    #: None: this process erases no memories.
    erasures: Erasures | None = None
    #: None: this process carries out no orders.
    orders: OrderWalk | None = None

    def plan(self, tick: TickEvent, published: datetime, tick_id: str) -> Planned:
        """Raises ControlPlaneUnavailable (Pub/Sub keeps the message, and it is planned again), NotAllowed,
        RequestRefused.
        """
        replies: list[TickResponse] = []
        page: str | None = None
        for _ in range(MAX_PAGES):
            request = TickRequest(kind=tick.kind, period=period_of(tick.kind, published), tick_id=tick_id, page=page)
            reply = self.controlplane.plan_tick(request)
            replies.append(reply)
            _tell(tick.kind, reply)
            if reply.next_page is None:
                planned, republished = sum(each.planned for each in replies), sum(each.republished for each in replies)
                return Planned(None, self._walk(tick.kind, replies), planned=planned, republished=republished)
            if reply.next_page == page:
                break
            page = reply.next_page
        raise RequestRefused(f"{tick.kind} tick {tick_id}: the planner repeats page {str(page)[:64]!r}")

    def _walk(self, kind: TickKind, replies: Sequence[TickResponse]) -> str:
        """Do for the users of these replies what this process does of it; what became of it."""
        if self.erasures and (erase := [user_id for reply in replies for user_id in reply.erase]):
            # Before all second sweeps, so that the receipts include what is deleted here.
            self.erasures.walk(erase)
        if self.orders and (ordered := [user_id for reply in replies for user_id in reply.orders]):
            self.orders.walk(ordered)
        verify = [user_id for reply in replies for user_id in reply.verify]
        verified = self.rounds.walk(verify) if self.rounds else 0
        if self.rounds and kind in SWEEPING:
            self.rounds.sweep_late()
        return f"{kind} tick, {verified} of {len(verify)} histories verified"


def _tell(kind: TickKind, reply: TickResponse) -> None:
    """What operators have to know of a tick's answer."""
    if reply.reconciliation_alarm:
        telemetry.count("reconciliation_alarms")
        telemetry.log(NOT_RECONCILED, detail=reply.reconciliation_alarm, level=telemetry.CRITICAL)
    if reply.usefulness:
        telemetry.gauge("marked_claims", reply.usefulness.marks)
        telemetry.gauge("useful_claims", reply.usefulness.useful)
        if reply.usefulness.low:
            counts = reply.usefulness.model_dump(include={"marks", "useful"})
            telemetry.log(FEW_USEFUL, **counts, users=len(reply.usefulness.users), level=telemetry.WARNING)
    if kind != "sweep":
        return
    telemetry.gauge("queue_pauses", reply.pauses)
    telemetry.gauge("withheld_jobs", reply.withheld)
    if reply.pauses:
        telemetry.log(
            PAUSED, pauses=reply.pauses, all=reply.all_paused, withheld=reply.withheld, level=telemetry.WARNING
        )
