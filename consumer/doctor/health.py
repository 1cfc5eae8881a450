"""The findings of checks, and the thresholds of faults."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from contract.api import EVERYBODY, QueueView, Usefulness


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One line of a diagnosis. ``ok`` None: not checked; ``detail`` says why. ``advice``: the fix of a fault."""

    check: str
    ok: bool | None
    detail: str
    advice: str = ""

    def to_json(self) -> dict[str, Any]:
        """``state`` is ok, fault or skipped; ``advice`` is included only for a fault."""
        state = {True: "ok", False: "fault", None: "skipped"}[self.ok]
        return {
            "check": self.check,
            "state": state,
            "detail": self.detail,
            **({"advice": self.advice} if self.ok is False else {}),
        }


def of_faults(check: str, faults: tuple[str, ...], fine: str) -> Iterator[Diagnosis]:
    """One finding per fault (``fault: advice``), or one with the text ``fine``."""
    if not faults:
        yield Diagnosis(check, True, fine)
    for fault in faults:
        detail, _, advice = fault.rpartition(": ") if ": " in fault else (fault, "", "")
        yield Diagnosis(check, False, detail, advice)


def of_readiness(url: str, status: int, body: bytes) -> Diagnosis:
    """``body``: the control plane's response; its error names missing rights and the statements that grant them."""
    detail = f"{url} answers {status}"
    if 200 <= status < 300:
        return Diagnosis("control plane", True, detail)
    try:
        error = json.loads(body)["error"]
        return Diagnosis("control plane", False, f"{detail} {error['code']}: {error['message']}", str(error["hint"]))
    except (ValueError, LookupError, TypeError):
        # Not our control plane's response, but a proxy's page, for example.
        return Diagnosis("control plane", False, detail, "See the control plane's log for the reason.")


def of_clock(ahead_s: float, allowed_s: float) -> Diagnosis:
    """``ahead_s``: how far this machine's clock is ahead of the bucket's, in whole seconds."""
    return Diagnosis(
        "clock",
        abs(ahead_s) <= allowed_s,
        f"{abs(ahead_s):.0f} s {'ahead of' if ahead_s > 0 else 'behind'} the bucket's, {allowed_s:g} s are allowed",
        "Synchronise this machine's clock: tokens would be refused.",
    )


def of_queue(queue: QueueView, limits: Mapping[str, Any]) -> Iterator[Diagnosis]:
    """Waiting jobs, the publisher, the sweep, and the share of failed jobs."""
    oldest, allowed_s = queue.oldest_due_s or 0.0, limits["alert_queued"]
    yield Diagnosis(
        "queue",
        oldest <= allowed_s,
        f"{queue.queued} queued, {queue.running} running, {queue.retrying} retrying, {queue.parked} parked,"
        f" {queue.planned} planned; the oldest has been due for {oldest:.0f} s",
        "Look at the publisher's and the consumer's /readyz, then: cloop-memory job list --status queued",
    )
    if queue.pauses:
        yield _of_pause(queue)
    unpublished, allowed_s = queue.oldest_unpublished_s or 0.0, limits["alert_unpublished"]
    yield Diagnosis(
        "publisher",
        unpublished <= allowed_s,
        f"{queue.unpublished} outbox rows wait, the oldest for {unpublished:.0f} s",
        "The publisher is down or may not publish: see its /readyz and log.",
    )
    yield Diagnosis(
        "sweep",
        queue.silent == 0,
        f"{queue.silent} open jobs are silent, although the sweep should have published them again",
        "The sweep does not publish them: check that the publisher and the scheduler's sweep tick are running.",
    )
    yield _of_waiting(queue)
    share = queue.failed_7d / queue.over_7d if queue.over_7d else 0.0
    too_few = queue.over_7d < limits["alert_dead_of"]
    yield Diagnosis(
        "failures",
        too_few or share <= limits["alert_dead_rate"],
        f"{queue.failed_7d} of {queue.over_7d} jobs failed in 7 days",
        "Find the common cause with `cloop-memory dlq stats`.",
    )


#: What to look at where jobs wait for a service that all of them share.
_WAITS: Final[Mapping[str, str]] = {
    "model": "See the provider's status page, OPENAI_API_KEY and its quota.",
    "launcher": "See Cloud Run's status and the quota of run_job calls.",
}


def _of_pause(queue: QueueView) -> Diagnosis:
    pause = queue.pauses[0]
    others = f" and {len(queue.pauses) - 1} more" if len(queue.pauses) > 1 else ""
    return Diagnosis(
        "pause",
        False,
        f"the queue of {'everybody' if pause.target == EVERYBODY else f'user {pause.target}'}{others} is paused,"
        f" since {pause.paused_at:%Y-%m-%d %H:%M} UTC by {pause.paused_by}: {pause.reason}; "
        f"{queue.withheld} jobs wait",
        "When the reason is gone: cloop-memory queue resume --all, or --user <user_id>.",
    )


def _of_waiting(queue: QueueView) -> Diagnosis:
    """Jobs that wait for the model or for Cloud Run. What other services are away, their own checks say."""
    if not queue.waiting:
        return Diagnosis("shared services", True, "no job waits for one")
    names = sorted(queue.waiting)
    advice = " ".join(_WAITS.get(name, "See the consumer's log.") for name in names)
    return Diagnosis(
        "shared services",
        False,
        ", ".join(f"{queue.waiting[name]} jobs wait for the {name}" for name in names),
        f"{advice} The jobs continue by themselves.",
    )


def of_zones(queue: QueueView) -> Diagnosis:
    """Profiles whose time zone does not exist: digests and due dates of these users are in UTC."""
    return Diagnosis(
        "time zones",
        queue.unknown_zones == 0,
        f"{queue.unknown_zones} users of the latest jobs have a time zone that does not exist",
        "Correct user_profiles.timezone; until then their times are in UTC, as their reports say.",
    )


def of_deletions(queue: QueueView) -> Iterator[Diagnosis]:
    """Deleted accounts: whether memories are erased in time, and whether workspaces could be compared with accounts."""
    yield Diagnosis(
        "erasures",
        queue.overdue_erasures == 0,
        f"{queue.overdue_erasures} deleted accounts have waited for their receipt for over a day",
        "List them with cloop-memory user list --deleted; the consumer's log has the reasons under `erasure failed`.",
    )
    if queue.reconciliation is None:
        detail = "workspaces have not been compared with accounts yet; the daily tick does this"
        yield Diagnosis("accounts", None, detail)
        return
    yield Diagnosis(
        "accounts",
        queue.reconciliation == "sound",
        f"compared with workspaces at {queue.reconciled_at:%Y-%m-%d %H:%M} UTC"
        + (f": {queue.reconciliation_detail}" if queue.reconciliation_detail else ""),
        'See docs/erasure.md, "When workspaces and accounts disagree".',
    )


def of_usefulness(usefulness: Usefulness) -> Diagnosis:
    """Whether readers find too few claims useful."""
    users = f"; less than half for {', '.join(usefulness.users)}" if usefulness.users else ""
    return Diagnosis(
        "usefulness",
        not usefulness.low,
        f"{usefulness.useful} of {usefulness.marks} claims with a verdict were useful in 14 days{users}",
        "Compare model, template and time of these reports: cloop-memory job list --user, then claim list.",
    )


def of_dead_letters(number: int) -> Diagnosis:
    """Open dead letters need an operator."""
    return Diagnosis(
        "dead letters",
        number == 0,
        f"{number} open",
        "Run `cloop-memory dlq stats`, then replay or discard each dead letter.",
    )
