"""
Deleted accounts: from what the trigger noted, or the daily reconciliation found missing, to a receipt.

Ticks take the events and list whom to erase until the last step is done, so no crash forgets anybody. The bucket is the
consumer's: it takes the user's lock, asks `begin`, erases, and reports to `done`. docs/erasure.md has the timeline.
"""

from __future__ import annotations

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
from controlplane.errors import ApiFault, invalid, not_found, unavailable

#: Events taken, and users listed, by one tick; what is left comes with the next one.
PIECE: Final = 500
#: Deletions in one listing.
PAGE: Final = 100
#: Who acts here, in the audit.
ACTOR: Final = "account deletion"
#: `cancelled_by` of a deletion whose account is there again. Whoever else cancels is an operator.
ACCOUNT: Final = "account"
DELETED: Final = "account deleted"
#: Why what we see of auth.users proves nothing -> what to do about it.
HIDDEN: Final[Mapping[str, str]] = {
    "table_missing": "there is no table auth.users",
    "not_permitted": "the owner of memory_private.accounts_hidden may not read auth.users",
    "row_security": "row level security hides auth.users from the owner of memory_private.accounts_hidden; it needs"
    " BYPASSRLS",
    "no_known_account": "auth.users shows none of the accounts that have a workspace",
}


@dataclass(frozen=True, slots=True)
class Ticked:
    """What a tick adds to its answer: users with a step to do, and why the reconciliation planned nothing."""

    erase: tuple[str, ...] = ()
    alarm: str | None = None


@dataclass(frozen=True, slots=True)
class DeletionSchedule:
    """``grace``: between a deletion and its erasure."""

    database: Database
    grace: timedelta

    def tick(self, kind: TickKind) -> Ticked:
        """Take what the trigger noted; daily also reconcile, hourly also list whom to erase. Repeatable."""
        with self.database.transaction() as tx:
            self._take_events(tx)
        if kind == "daily":
            return Ticked(alarm=self._reconcile())
        if kind == "hourly":
            with self.database.transaction() as tx:
                self._cancel_reappeared(tx)
                return Ticked(erase=_ids(tx.rows("due_erasures", **_waits(), limit=PIECE)))
        return Ticked()

    # --- from events and sightings to plans

    def _take_events(self, tx: Tx) -> None:
        events = tx.rows("take_deletion_events", limit=PIECE)
        live = _live(tx, _ids(events)) if events else frozenset()
        for event in events:
            user_id = str(event["user_id"])
            if event["event"] == "restored":
                _cancel(tx, user_id, ACCOUNT, "the account was restored")
            elif user_id not in live:
                self._plan_told(tx, user_id, event["at"])

    def _plan_told(self, tx: Tx, user_id: str, at: datetime) -> None:
        row = tx.row("note_deletion", user_id=user_id, source="trigger", seen_at=at, grace_s=self.grace.total_seconds())
        if row is None:
            # No memory, or none any more. The rows that went with the account have left their ids.
            tx.run("drop_tombstones", user_id=user_id)
            return
        _stop(tx, user_id, purge_after=row["purge_after"])

    def _cancel_reappeared(self, tx: Tx) -> None:
        waiting = _ids(tx.rows("waiting_deletions"))
        for user_id in sorted(_live(tx, waiting)):
            _cancel(tx, user_id, ACCOUNT, "the account is there again")

    def _reconcile(self) -> str | None:
        """Compare workspaces with accounts; -> why nothing was planned, None if all is well.

        Two sightings a day apart plan an erasure. Too many at once, or a view of the accounts that proves nothing, plan
        none: a login from which accounts are hidden would otherwise erase everybody.
        """
        with self.database.transaction() as tx:
            tx.row("lock_reconciliation")
            workspaces = _number(tx, "count_workspaces", "workspaces")
            reason = _hidden(tx)
            if reason is not None:
                detail = f"{HIDDEN[reason]}; no account was looked for"
                return _told(tx, "blind", detail, workspaces, 0)
            self._cancel_reappeared(tx)
            orphans = _number(tx, "count_orphans", "orphans")
            allowed = _allowed(workspaces)
            if orphans > allowed:
                detail = f"{orphans} of {workspaces} workspaces have no account, {allowed} are believed; none is erased"
                return _told(tx, "too_many", detail, workspaces, orphans)
            self._sight(tx, _ids(tx.rows("orphans", limit=allowed)))
            _told(tx, "sound", "", workspaces, orphans)
        return None

    def _sight(self, tx: Tx, orphans: Sequence[str]) -> None:
        for user_id in orphans:
            tx.run("note_orphan", user_id=user_id)
        again_s = manifests.limits()["orphan_seen_again"]
        grace_s = self.grace.total_seconds()
        for row in tx.rows("plan_orphans", user_ids=list(orphans), grace_s=grace_s, again_s=again_s):
            _stop(tx, str(row["user_id"]), source="reconciliation")

    # --- the steps of an erasure

    def begin(self, user_id: str) -> ErasureOrder:
        """What to erase now, asked under the user's lock. Repeatable.

        From the first order on the deletion cannot be cancelled. Raises ApiFault 503 accounts_hidden: nobody could say
        whether the account is there again.
        """
        with self.database.transaction() as tx:
            row = tx.row("lock_deletion", user_id=user_id, **_waits())
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
        """Record a step and remove the rows that go with it. A step that was recorded before changes nothing.

        Raises ApiFault 404 deletion_not_found; 409 step_not_due.
        """
        with self.database.transaction() as tx:
            row = tx.row("lock_deletion", user_id=user_id, **_waits())
            if row is not None and row["step"] == report.step and row["erasing_at"] is not None:
                _STEPS[report.step](tx, row, report)
                tx.run("audit", **_line(f"account.{report.step}", user_id, epoch=report.epoch))
            elif row is not None and not _was_done(row, report):
                message = f"step {report.step} of user {user_id} is not due; {row['step'] or 'none'} is"
                raise ApiFault(409, "step_not_due", message, hint="Ask what is to be done before doing it.")
            return _view(_latest(tx, user_id))

    # --- what operators see and may do

    def listed(self, filters: Mapping[str, str]) -> DeletionList:
        """Newest first, a page at a time. Raises ApiFault 422."""
        after = filters.get("after") or None
        if after is not None and not after.isdecimal():
            raise invalid("after is not one that this server gave")
        with self.database.transaction() as tx:
            rows = tx.rows("list_deletions", before=after, limit=PAGE + 1)
        more = str(rows[PAGE - 1]["id"]) if len(rows) > PAGE else None
        return DeletionList(deletions=tuple(_view(row) for row in rows[:PAGE]), next_after=more)

    def receipt(self, user_id: str) -> DeletionReceipt:
        """Raises ApiFault 404 receipt_not_found, with how far the erasure is."""
        with self.database.transaction() as tx:
            row = tx.row("receipt_of", user_id=user_id)
            if row is not None:
                return DeletionReceipt.model_validate(row["receipt"])
            latest = tx.row("deletion_of", user_id=user_id)
        state = f"its state is: {_view(latest).state}" if latest else "no deletion of this account is known"
        raise ApiFault(
            404,
            "receipt_not_found",
            f"user {user_id} has no receipt; {state}",
            hint="A receipt is given after the second sweep; `cloop-memory user show` says how far the erasure is.",
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
                tx.row("cancel_deletion", user_id=user_id, cancelled_by=actor, reason=request.reason)
                tx.run("audit", **_line("account.keep", user_id, actor, reason=request.reason))
            return _view(_latest(tx, user_id))


def deletion_of(tx: Tx, user_id: str) -> DeletionView | None:
    """The latest deletion of this account."""
    row = tx.row("deletion_of", user_id=user_id)
    return _view(row) if row else None


def require_not_erasing(tx: Tx, user_id: str) -> None:
    """Before a user is enabled. What waits is cancelled: whoever enables an account says that it is there.

    Raises ApiFault 409 erasure_begun.
    """
    row = tx.row("lock_deletion", user_id=user_id, **_waits())
    if row is None:
        return
    if row["erasing_at"] is not None:
        raise ApiFault(
            409,
            "erasure_begun",
            f"the memory of user {user_id} is being erased, since the account was deleted",
            hint="`cloop-memory user show` says how far it is; enable the user when the last step is done.",
        )
    _cancel(tx, user_id, ACCOUNT, "the user was enabled again")


def _stop(tx: Tx, user_id: str, **details: Any) -> None:
    """Plan nothing more, ask what runs to stop, and give no further record out. Completions stay allowed."""
    tx.row("disable_workspace", user_id=user_id)
    cancelled = tx.rows("cancel_open_jobs", user_id=user_id, reason=DELETED)
    tx.run("stop_exports", user_id=user_id)
    told = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in details.items()}
    tx.run("audit", **_line("account.delete", user_id, cancelled=len(cancelled), **told))


def _cancel(tx: Tx, user_id: str, by: str, reason: str) -> None:
    row = tx.row("cancel_deletion", user_id=user_id, cancelled_by=by, reason=reason)
    if row is None:
        return
    if row["was_enabled"]:
        tx.run("enable_after_cancel", user_id=user_id)
    tx.run("audit", **_line("account.restore", user_id, reason=reason))


def _is_back(tx: Tx, row: Row) -> bool:
    """Asked once more right before the first object goes. A deletion that the app told needs no known account beside it
    (the last account of all may be deleted too); one that was concluded does."""
    if row["source"] == "operator":
        return False
    reason = _hidden(tx)
    if reason is not None and (reason != "no_known_account" or row["source"] != "trigger"):
        raise unavailable("accounts_hidden", f"{HIDDEN[reason]}; nothing is erased")
    user_id = str(row["user_id"])
    if user_id not in _live(tx, [user_id]):
        return False
    _cancel(tx, user_id, ACCOUNT, "the account is there again")
    return True


def _hidden(tx: Tx) -> str | None:
    row = tx.row("accounts_hidden")
    assert row is not None
    reason: str | None = row["reason"]
    return reason


def _live(tx: Tx, user_ids: Sequence[str]) -> frozenset[str]:
    """Those of these accounts that are seen to exist. Where accounts are hidden, too few; never one that does not."""
    if not user_ids or _hidden(tx) in ("table_missing", "not_permitted"):
        return frozenset()
    return frozenset(_ids(tx.rows("live_accounts", user_ids=list(user_ids))))


def _allowed(workspaces: int) -> int:
    """How many orphans are believed."""
    limits = manifests.limits()
    return max(int(limits["orphans_allowed"]), int(workspaces * limits["orphans_share"]))


def _told(tx: Tx, verdict: str, detail: str, workspaces: int, orphans: int) -> str:
    tx.run("note_reconciliation", verdict=verdict, detail=detail, workspaces=workspaces, orphans=orphans)
    return detail


def _erased(tx: Tx, row: Row, report: ErasureReport) -> None:
    # Waiting jobs have nobody; one that runs on may still complete.
    tx.run("end_jobs", user_id=row["user_id"], statuses=["queued"])
    erased = {"epoch": report.epoch, "objects": report.objects, "rows": _rows_erased(tx, row)}
    tx.row("note_erased", id=row["id"], erased=Jsonb(erased))


def _swept(tx: Tx, row: Row, report: ErasureReport) -> None:
    tx.run("end_jobs", user_id=row["user_id"], statuses=["queued", "running"])
    time = tx.row("database_time")
    assert time is not None
    first = row["erased"]
    receipt = DeletionReceipt(
        user_id=str(row["user_id"]),
        source=row["source"],
        seen_at=row["seen_at"],
        purge_after=row["purge_after"],
        erased_at=row["erased_at"],
        swept_at=time["now"],
        epoch=report.epoch,
        objects=_sum(first["objects"], report.objects),
        rows=_sum(first["rows"], _rows_erased(tx, row)),
        rows_kept_until=time["now"] + timedelta(seconds=manifests.limits()["outbox_keep"]),
    )
    tx.run("give_receipt", id=row["id"], swept_at=time["now"], receipt=Jsonb(receipt.model_dump(mode="json")))


def _forgotten(tx: Tx, row: Row, report: ErasureReport) -> None:
    _rows_erased(tx, row)
    tx.run("forget_rows", user_id=row["user_id"])
    tx.run("note_forgotten", id=row["id"])


_STEPS: Final = {"erase": _erased, "sweep": _swept, "forget": _forgotten}
#: The column that says that a step was done.
_DONE: Final = {"erase": "erased_at", "sweep": "swept_at", "forget": "forgotten_at"}


def _was_done(row: Row, report: ErasureReport) -> bool:
    return row[_DONE[report.step]] is not None


def _rows_erased(tx: Tx, row: Row) -> dict[str, int]:
    tx.run("erase_reasons", user_id=row["user_id"])
    found = tx.row("erase_rows", user_id=row["user_id"])
    assert found is not None
    rows: dict[str, int] = found["rows"]
    return rows


def _sum(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
    return {name: first.get(name, 0) + second.get(name, 0) for name in sorted({*first, *second})}


def _latest(tx: Tx, user_id: str) -> Row:
    row = tx.row("deletion_of", user_id=user_id)
    if row is None:
        raise not_found("deletion", f"of user {user_id}")
    return row


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


def _waits() -> dict[str, int]:
    """Seconds after the first sweep until whoever began before it has certainly ended, and after the second until no
    message of a job can come any more."""
    limits = manifests.limits()
    longest = max(pipeline["budget_s"] for pipeline in manifests.pipelines().values())
    sweep_s = longest + limits["token_ttl"] + limits["lock_ttl"] + limits["clock_skew"]
    return {"sweep_s": sweep_s, "keep_s": limits["outbox_keep"]}


def _line(action: str, user_id: str, actor: str = ACTOR, **details: Any) -> dict[str, Any]:
    return {"actor": actor, "action": action, "user_id": user_id, "job_id": None, "details": Jsonb(details)}


def _number(tx: Tx, query: str, column: str) -> int:
    row = tx.row(query)
    assert row is not None
    return int(row[column])


def _ids(rows: Sequence[Row], column: str = "user_id") -> tuple[str, ...]:
    return tuple(str(row[column]) for row in rows)
