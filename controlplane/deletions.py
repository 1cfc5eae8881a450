"""
Deleted accounts: from the trigger's event, or the daily reconciliation's finding, to a receipt.

Ticks take the events and list a user until the last step is done, so no crash loses an erasure. The consumer owns the
bucket: it takes the user's lock, calls `begin`, erases, and reports to `done`. docs/erasure.md has the timeline.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from psycopg.types.json import Jsonb

import manifests
from contract.api import (
    DeletionList,
    DeletionReceipt,
    DeletionState,
    DeletionView,
    ErasureOrder,
    ErasureReport,
    ReasonRequest,
)
from contract.event import TickKind
from controlplane.db import Database, Row, Tx
from controlplane.errors import ApiFault, existing, invalid, unavailable

#: Users in one statement, and in the memory of this process, at a time; also the events taken and the users listed by
#: one tick, which leaves the rest to the next.
PIECE: Final = 500
#: Deletions in one listing.
PAGE: Final = 100
#: The actor in the audit.
ACTOR: Final = "account deletion"
#: `cancelled_by` of a deletion whose account exists again. Any other value is an operator.
ACCOUNT: Final = "account"
DELETED: Final = "account deleted"
#: Why what this login sees of auth.users proves nothing -> the explanation for the operator.
HIDDEN: Final[Mapping[str, str]] = {
    "table_missing": "there is no table auth.users",
    "not_permitted": "the owner of memory_private.accounts_hidden may not read auth.users",
    "row_security": "row level security hides auth.users from the owner of memory_private.accounts_hidden; it needs"
    " BYPASSRLS",
    "no_known_account": "auth.users shows none of the accounts that have a workspace",
}


@dataclass(frozen=True, slots=True)
class Ticked:
    """What a tick adds to its response: users with a step due, and why the reconciliation planned nothing."""

    erase: tuple[str, ...] = ()
    alarm: str | None = None


@dataclass(frozen=True, slots=True)
class DeletionSchedule:
    """``grace``: the time between a deletion and its erasure."""

    database: Database
    grace: timedelta

    def tick(self, kind: TickKind) -> Ticked:
        """Take the trigger's events; daily also reconcile; hourly also list the users to erase. Repeatable."""
        with self.database.transaction() as tx:
            self._take_events(tx)
        if kind == "daily":
            return Ticked(alarm=self._reconcile())
        if kind == "hourly":
            self._cancel_reappeared()
            with self.database.transaction() as tx:
                return Ticked(erase=_ids(tx.rows("due_erasures", **waits(), limit=PIECE)))
        return Ticked()

    # --- from events and sightings to plans

    def _take_events(self, tx: Tx) -> None:
        events = tx.rows("take_deletion_events", limit=PIECE)
        live = _live(tx, _ids(events)) if events else frozenset()
        for event in events:
            user_id = str(event["user_id"])
            if event["event"] == "restored":
                _cancel(tx, [user_id], ACCOUNT, "the account was restored")
            elif user_id not in live:
                self._plan_deletion(tx, user_id, event["at"])

    def _plan_deletion(self, tx: Tx, user_id: str, at: datetime) -> None:
        row = tx.row("note_deletion", user_id=user_id, source="trigger", seen_at=at, grace_s=self.grace.total_seconds())
        if row is None:
            # This user has no memory (any more). The rows deleted with the account left tombstones.
            tx.run("drop_tombstones", user_id=user_id)
            return
        _stop(tx, [user_id], purge_after=row["purge_after"])

    def _cancel_reappeared(self) -> None:
        """A piece in each transaction: after a deletion of many that was undone, many are there again."""
        while True:
            with self.database.transaction() as tx:
                back = () if _unseen(tx) else _ids(tx.rows("reappeared", limit=PIECE))
                _cancel(tx, back, ACCOUNT, "the account exists again")
            if len(back) < PIECE:
                return

    def _reconcile(self) -> str | None:
        """Compare workspaces with accounts; returns why nothing was planned, or None.

        An account missing on two runs a day apart gets an erasure planned. Nothing is planned when too many are missing
        at once or when accounts are hidden from this login: otherwise such a login would erase everybody.

        The database compares. What is fetched grows with the orphans that are planned, a piece at a time, not with the
        number of users.
        """
        self._cancel_reappeared()
        with self.database.transaction() as tx:
            tx.row("lock_reconciliation")
            workspaces = _number(tx, "count_workspaces", "workspaces")
            reason = _hidden(tx)
            # A service without any workspace knows no account, and has none to erase.
            if reason is not None and (workspaces or reason != "no_known_account"):
                detail = f"{HIDDEN[reason]}; skipped the search for missing accounts"
                return _note_reconciliation(tx, "blind", detail, workspaces, 0)
            orphans = _number(tx, "count_orphans", "orphans")
            allowed = _allowed(workspaces)
            if orphans > allowed:
                detail = (
                    f"{orphans} of {workspaces} workspaces have no account; the limit is {allowed}; nothing is erased"
                )
                return _note_reconciliation(tx, "too_many", detail, workspaces, orphans)
            self._sight(tx, allowed)
            _note_reconciliation(tx, "sound", "", workspaces, orphans)
        return None

    def _sight(self, tx: Tx, allowed: int) -> None:
        tx.run("note_orphans", limit=allowed)
        again_s = manifests.limits()["orphan_seen_again"]
        grace_s = self.grace.total_seconds()
        for first in range(0, allowed, PIECE):
            limit = min(PIECE, allowed - first)
            planned = _ids(tx.rows("plan_orphans", grace_s=grace_s, again_s=again_s, limit=limit))
            _stop(tx, planned, source="reconciliation")
            if len(planned) < limit:
                break

    # --- the steps of an erasure

    def begin(self, user_id: str) -> ErasureOrder:
        """What to erase now; called under the user's lock. Repeatable.

        After the first order the deletion cannot be cancelled. Raises ApiFault 503 accounts_hidden: this login cannot
        see whether the account exists again.
        """
        with self.database.transaction() as tx:
            row = tx.row("lock_deletion", user_id=user_id, **waits())
            if row is None or row["step"] is None or (row["erasing_at"] is None and _is_back(tx, row)):
                return ErasureOrder(user_id=user_id)
            tx.run("begin_erasing", id=row["id"])
            jobs = tx.rows("jobs_to_erase", user_id=user_id)
        return ErasureOrder(
            user_id=user_id,
            step=row["step"],
            reason=DELETED,
            job_ids=_ids(jobs, "id"),
            seq_floor=max((job["commit_seq"] or 0 for job in jobs), default=0),
        )

    def done(self, user_id: str, report: ErasureReport) -> DeletionView:
        """Record a step and remove the rows that belong to it. Recording a step again changes nothing.

        Raises ApiFault 404 deletion_not_found; 409 step_not_due.
        """
        with self.database.transaction() as tx:
            row = tx.row("lock_deletion", user_id=user_id, **waits())
            if row is not None and row["step"] == report.step and row["erasing_at"] is not None:
                _STEPS[report.step](tx, row, report)
                tx.audit(ACTOR, f"account.{report.step}", user_id, epoch=report.epoch)
            elif row is not None and not _was_done(row, report):
                message = f"step {report.step} of user {user_id} is not due; the step due is {row['step'] or 'none'}"
                raise ApiFault(409, "step_not_due", message, hint="Call begin to learn which step is due.")
            return _view(_latest(tx, user_id))

    # --- what operators see and may do

    def listed(self, filters: Mapping[str, str]) -> DeletionList:
        """Newest first, a page at a time. Raises ApiFault 422."""
        after = filters.get("after") or None
        if after is not None and not after.isdecimal():
            raise invalid("after is not a next_after that this server issued", "Begin again without it.")
        with self.database.transaction() as tx:
            rows = tx.rows("list_deletions", before=after, limit=PAGE + 1)
        more = str(rows[PAGE - 1]["id"]) if len(rows) > PAGE else None
        return DeletionList(deletions=tuple(_view(row) for row in rows[:PAGE]), next_after=more)

    def receipt(self, user_id: str) -> DeletionReceipt:
        """Raises ApiFault 404 receipt_not_found, with the erasure's state."""
        with self.database.transaction() as tx:
            row = tx.row("receipt_of", user_id=user_id)
            if row is not None:
                return DeletionReceipt.model_validate(row["receipt"])
            latest = tx.row("deletion_of", user_id=user_id)
            event = tx.row("deletion_event_of", user_id=user_id)
        if event is not None and event["event"] == "deleted":
            state = "the account was just deleted; the next tick plans the erasure"
        else:
            state = f"its state is: {_view(latest).state}" if latest else "no deletion of this account is known"
        raise ApiFault(
            404,
            "receipt_not_found",
            f"user {user_id} has no receipt; {state}",
            hint="The receipt is written after the second sweep; `cloop-memory user show` shows the erasure's state.",
        )

    def keep(self, actor: str, user_id: str, request: ReasonRequest) -> DeletionView:
        """Cancel an erasure that has not begun; the workspace stays disabled. Repeatable.

        Raises ApiFault 404 deletion_not_found; 409 erasure_begun.
        """
        with self.database.transaction() as tx:
            latest = _latest(tx, user_id)
            if latest["cancelled_at"] is None:
                if latest["erasing_at"] is not None:
                    raise ApiFault(
                        409, "erasure_begun", f"the erasure of user {user_id} has begun and cannot be cancelled"
                    )
                tx.rows("cancel_deletions", user_ids=[user_id], cancelled_by=actor, reason=request.reason)
                tx.audit(actor, "account.keep", user_id, reason=request.reason)
            return _view(_latest(tx, user_id))


def deletion_of(tx: Tx, user_id: str) -> DeletionView | None:
    """The latest deletion of this account."""
    row = tx.row("deletion_of", user_id=user_id)
    return _view(row) if row else None


def require_not_erasing(tx: Tx, user_id: str) -> None:
    """Called before a user is enabled. Cancels a waiting deletion: enabling an account states that it exists.

    Raises ApiFault 409 erasure_begun.
    """
    if _waiting_deletion(tx, user_id):
        _cancel(tx, [user_id], ACCOUNT, "the user was enabled again")


def require_rows_stay(tx: Tx, user_id: str) -> None:
    """Called before a row of this user is written: after an erasure has begun, nothing would delete it.

    Raises ApiFault 409 erasure_begun.
    """
    _waiting_deletion(tx, user_id)


def _waiting_deletion(tx: Tx, user_id: str) -> bool:
    """Whether a deletion waits that has not begun. Raises ApiFault 409 erasure_begun."""
    row = tx.row("lock_deletion", user_id=user_id, **waits())
    if row is None:
        return False
    if row["erasing_at"] is not None:
        raise ApiFault(
            409,
            "erasure_begun",
            f"the account of user {user_id} was deleted and its memory is being erased",
            hint="`cloop-memory user show` shows the erasure's state; enable the user after the last step.",
        )
    return True


def _stop(tx: Tx, user_ids: Sequence[str], **details: Any) -> None:
    """Plan nothing more, ask running jobs to stop, and export no further record. Completions stay allowed."""
    if not user_ids:
        return
    users = list(user_ids)
    tx.run("disable_workspaces", user_ids=users)
    cancelled = Counter(_ids(tx.rows("cancel_open_jobs", user_ids=users, reason=DELETED)))
    tx.run("stop_exports", user_ids=users)
    plain = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in details.items()}
    tx.run_many("audit", [_line("account.delete", user, cancelled=cancelled[user], **plain) for user in users])


def _cancel(tx: Tx, user_ids: Sequence[str], by: str, reason: str) -> None:
    if not user_ids:
        return
    rows = tx.rows("cancel_deletions", user_ids=list(user_ids), cancelled_by=by, reason=reason)
    enabled = list(_ids([row for row in rows if row["was_enabled"]]))
    tx.run("enable_after_cancel", user_ids=enabled)
    tx.run("mark_users", user_ids=enabled)
    tx.run_many("audit", [_line("account.restore", user, reason=reason) for user in _ids(rows)])


def _is_back(tx: Tx, row: Row) -> bool:
    """Whether the account exists again; checked right before the first object is erased. A deletion reported by the
    trigger needs no other visible account (the very last account may be deleted too); an inferred deletion does."""
    if row["source"] == "operator":
        return False
    reason = _hidden(tx)
    if reason is not None and (reason != "no_known_account" or row["source"] != "trigger"):
        raise unavailable("accounts_hidden", f"{HIDDEN[reason]}; nothing is erased")
    user_id = str(row["user_id"])
    if user_id not in _live(tx, [user_id]):
        return False
    _cancel(tx, [user_id], ACCOUNT, "the account exists again")
    return True


def _hidden(tx: Tx) -> str | None:
    reason: str | None = tx.only("accounts_hidden")["reason"]
    return reason


def _unseen(tx: Tx) -> bool:
    """Whether asking for accounts would fail."""
    return _hidden(tx) in ("table_missing", "not_permitted")


def _live(tx: Tx, user_ids: Sequence[str]) -> frozenset[str]:
    """Which of these accounts exist. When accounts are hidden the result may miss some; it never adds one."""
    return frozenset() if _unseen(tx) else frozenset(_ids(tx.rows("live_accounts", user_ids=list(user_ids))))


def _allowed(workspaces: int) -> int:
    """The most orphans that a reconciliation acts on."""
    limits = manifests.limits()
    return max(int(limits["orphans_allowed"]), int(workspaces * limits["orphans_share"]))


def _note_reconciliation(tx: Tx, verdict: str, detail: str, workspaces: int, orphans: int) -> str:
    tx.run("note_reconciliation", verdict=verdict, detail=detail, workspaces=workspaces, orphans=orphans)
    return detail


def _erased(tx: Tx, row: Row, report: ErasureReport) -> None:
    # No run will end a waiting job; a running job may still complete.
    tx.run("end_jobs", user_id=row["user_id"], statuses=["queued"])
    erased = {"epoch": report.epoch, "objects": report.objects, "rows": _rows_erased(tx, row)}
    tx.row("note_erased", id=row["id"], erased=Jsonb(erased))


def _swept(tx: Tx, row: Row, report: ErasureReport) -> None:
    tx.run("end_jobs", user_id=row["user_id"], statuses=["queued", "running"])
    now = tx.only("database_time")["now"]
    first = row["erased"]
    stated = {
        "user_id": str(row["user_id"]),
        "swept_at": now,
        "epoch": report.epoch,
        "objects": _sum(first["objects"], report.objects),
        "rows": _sum(first["rows"], _rows_erased(tx, row)),
        "rows_kept_until": now + timedelta(seconds=manifests.limits()["outbox_keep"]),
    }
    receipt = DeletionReceipt.model_validate({**row, **stated})
    tx.run("give_receipt", id=row["id"], swept_at=now, receipt=Jsonb(receipt.model_dump(mode="json")))


def _forgotten(tx: Tx, row: Row, report: ErasureReport) -> None:
    _rows_erased(tx, row)
    tx.run("forget_rows", user_id=row["user_id"])
    tx.run("note_forgotten", id=row["id"])


_STEPS: Final = {"erase": _erased, "sweep": _swept, "forget": _forgotten}
#: The column with the time at which a step was done.
_DONE: Final = {"erase": "erased_at", "sweep": "swept_at", "forget": "forgotten_at"}


def _was_done(row: Row, report: ErasureReport) -> bool:
    return row[_DONE[report.step]] is not None


def _rows_erased(tx: Tx, row: Row) -> dict[str, int]:
    tx.run("erase_reasons", user_id=row["user_id"])
    rows: dict[str, int] = tx.only("erase_rows", user_id=row["user_id"])["rows"]
    return rows


def _sum(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
    return {name: first.get(name, 0) + second.get(name, 0) for name in sorted({*first, *second})}


def _latest(tx: Tx, user_id: str) -> Row:
    return existing(tx.row("deletion_of", user_id=user_id), "deletion", f"of user {user_id}")


def _view(row: Row) -> DeletionView:
    return DeletionView.model_validate({**row, "user_id": str(row["user_id"]), "state": _state(row)})


def _state(row: Row) -> DeletionState:
    if row["cancelled_at"] is not None:
        return "cancelled"
    if row["receipt"] is not None:
        return "receipt given"
    if row["erased_at"] is not None:
        return "erased"
    if row["erasing_at"] is not None:
        return "erasing"
    if row["purge_after"] is None:
        return "seen once"
    return "waiting" if row["purge_after"] > row["now"] else "due"


def waits() -> dict[str, int]:
    """Seconds after the first sweep until every run begun before it has ended (``sweep_s``), and after the second until
    no message of a job can arrive (``keep_s``)."""
    limits = manifests.limits()
    longest = max(pipeline["budget_s"] for pipeline in manifests.pipelines().values())
    sweep_s = longest + limits["token_ttl"] + limits["lock_ttl"] + limits["clock_skew"]
    return {"sweep_s": sweep_s, "keep_s": limits["outbox_keep"]}


def _line(action: str, user_id: str, **details: Any) -> dict[str, Any]:
    return {"actor": ACTOR, "action": action, "user_id": user_id, "job_id": None, "details": Jsonb(details)}


def _number(tx: Tx, query: str, column: str) -> int:
    return int(tx.only(query)[column])


def _ids(rows: Sequence[Row], column: str = "user_id") -> tuple[str, ...]:
    return tuple(str(row[column]) for row in rows)
