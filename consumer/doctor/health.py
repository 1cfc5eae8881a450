"""What a check found, and from which numbers on something is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from contract.api import QueueView


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One line of a diagnosis. ``ok`` None: not checked, ``detail`` says why. ``advice``: what to do about a fault."""

    check: str
    ok: bool | None
    detail: str
    advice: str = ""

    def to_json(self) -> dict[str, Any]:
        """``state`` is ok, fault or skipped; advice only beside a fault."""
        state = {True: "ok", False: "fault", None: "skipped"}[self.ok]
        return {
            "check": self.check,
            "state": state,
            "detail": self.detail,
            **({"advice": self.advice} if self.ok is False else {}),
        }


def of_faults(check: str, faults: tuple[str, ...], fine: str) -> Iterator[Diagnosis]:
    """One finding a fault (``what: what to do``), or one that says ``fine``."""
    if not faults:
        yield Diagnosis(check, True, fine)
    for fault in faults:
        what, _, advice = fault.rpartition(": ") if ": " in fault else (fault, "", "")
        yield Diagnosis(check, False, what, advice)


def of_readiness(url: str, status: int, body: bytes) -> Diagnosis:
    """``body``: the control plane's answer, whose error says what it lacks and which statements give it that."""
    detail = f"{url} answers {status}"
    if 200 <= status < 300:
        return Diagnosis("control plane", True, detail)
    try:
        error = json.loads(body)["error"]
        return Diagnosis("control plane", False, f"{detail} {error['code']}: {error['message']}", str(error["hint"]))
    except (ValueError, LookupError, TypeError):
        # Not our control plane's words: a proxy's page, say.
        return Diagnosis("control plane", False, detail, "The control plane's log says what it lacks.")


def of_clock(ahead_s: float, allowed_s: float) -> Diagnosis:
    """``ahead_s``: how far this machine's clock is ahead of the bucket's; its answers carry whole seconds."""
    return Diagnosis(
        "clock",
        abs(ahead_s) <= allowed_s,
        f"{abs(ahead_s):.0f} s {'ahead of' if ahead_s > 0 else 'behind'} the bucket's, {allowed_s:g} s are allowed",
        "Synchronise this machine's clock: tokens would be refused.",
    )


def of_queue(queue: QueueView, limits: Mapping[str, Any]) -> Iterator[Diagnosis]:
    """Waiting jobs, the publisher, the sweep, and how many jobs die."""
    oldest, allowed_s = queue.oldest_due_s or 0.0, limits["alert_queued"]
    yield Diagnosis(
        "queue",
        oldest <= allowed_s,
        f"{queue.queued} queued, {queue.running} running, {queue.retrying} retrying, {queue.parked} parked;"
        f" the oldest has been due for {oldest:.0f} s",
        "Look at the publisher's and the consumer's /readyz, then: cloop-memory job list --status queued",
    )
    unpublished, allowed_s = queue.oldest_unpublished_s or 0.0, limits["alert_unpublished"]
    yield Diagnosis(
        "publisher",
        unpublished <= allowed_s,
        f"{queue.unpublished} outbox rows wait, the oldest for {unpublished:.0f} s",
        "The publisher is away or may not publish: see its /readyz and log.",
    )
    yield Diagnosis(
        "sweep",
        queue.silent == 0,
        f"{queue.silent} open jobs are silent for over {limits['sweep_stale_after']} s",
        "Nobody brings them back: is the publisher running, and the scheduler's sweep tick?",
    )
    share = queue.failed_7d / queue.over_7d if queue.over_7d else 0.0
    few = queue.over_7d < limits["alert_dead_of"]
    yield Diagnosis(
        "failures",
        few or share <= limits["alert_dead_rate"],
        f"{queue.failed_7d} of {queue.over_7d} jobs failed in 7 days",
        "Find what they have in common: cloop-memory dlq stats",
    )


def of_deletions(queue: QueueView) -> Iterator[Diagnosis]:
    """Deleted accounts: whether their memories go in time, and whether workspaces could be compared with accounts."""
    yield Diagnosis(
        "erasures",
        queue.overdue_erasures == 0,
        f"{queue.overdue_erasures} deleted accounts wait for their receipt for over a day",
        "cloop-memory user list --deleted names them; the consumer's log says `erasure failed`, and why.",
    )
    if queue.reconciliation is None:
        detail = "workspaces were never compared with accounts; the daily tick does it"
        yield Diagnosis("accounts", None, detail)
        return
    yield Diagnosis(
        "accounts",
        queue.reconciliation == "sound",
        f"compared with workspaces at {queue.reconciled_at:%Y-%m-%d %H:%M} UTC"
        + (f": {queue.reconciliation_detail}" if queue.reconciliation_detail else ""),
        'docs/erasure.md, "When workspaces and accounts disagree", says what to look at.',
    )


def of_dead_letters(number: int) -> Diagnosis:
    """Open records are work for somebody."""
    return Diagnosis(
        "dead letters", number == 0, f"{number} open", "cloop-memory dlq stats, then replay or discard each of them."
    )
