"""Deleted accounts, step by step to the receipt, and what must never begin an erasure. The database is a double."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

import manifests
from contract.api import ErasureReport, ReasonRequest
from controlplane import deletions
from controlplane.deletions import HIDDEN, PAGE, DeletionSchedule, Ticked, require_not_erasing, require_rows_stay, waits
from controlplane.errors import ApiFault
from tests.tables import table
from tests.unit.controlplane.scripted import Scripted
from tests.unit.controlplane.test_assistants import AT, ID, USER, fault

OTHER = "33333333-3333-4333-8333-333333333333"
DAY = timedelta(days=1)
SEEN: dict[str, Any] = {"accounts_hidden": {"reason": None}}


def schedule(database: Scripted) -> DeletionSchedule:
    return DeletionSchedule(database.database, DAY)


def row(**columns: Any) -> dict[str, Any]:
    """A deletion that waits for its day."""
    nothing = ("cancelled_at", "cancelled_by", "cancel_reason", "erasing_at", "erased_at", "swept_at", "forgotten_at")
    return {
        **dict.fromkeys((*nothing, "receipt", "erased", "step")),
        "id": 1,
        "user_id": USER,
        "source": "trigger",
        "seen_at": AT,
        "purge_after": AT + DAY,
        "now": AT,
        **columns,
    }


def hidden(reason: str | None) -> dict[str, Any]:
    return {"accounts_hidden": {"reason": reason}}


# --- from events to plans


def test_the_event_of_a_deletion_plans_an_erasure_and_stops_everything() -> None:
    database = Scripted(
        **SEEN,
        take_deletion_events=[{"event": "deleted", "user_id": USER, "at": AT}],
        note_deletion={"purge_after": AT + DAY},
        cancel_open_jobs=[{"user_id": USER}, {"user_id": USER}],
    )
    assert schedule(database).tick("sweep") == Ticked()
    [noted] = database.values("note_deletion")
    assert (noted["user_id"], noted["source"], noted["seen_at"], noted["grace_s"]) == (USER, "trigger", AT, 86400)
    assert database.values("disable_workspaces") == [{"user_ids": [USER]}]
    assert database.values("stop_exports") == [{"user_ids": [USER]}]
    assert database.audits() == [
        ("account deletion", "account.delete", {"cancelled": 2, "purge_after": (AT + DAY).isoformat()})
    ]
    assert database.changes("drop_tombstones") == []


def test_a_deleted_user_without_a_memory_leaves_nothing() -> None:
    database = Scripted(**SEEN, take_deletion_events=[{"event": "deleted", "user_id": USER, "at": AT}])
    schedule(database).tick("sweep")
    assert database.values("drop_tombstones") == [{"user_id": USER}]
    assert database.changes("disable_workspaces", "audit") == []


def test_a_deletion_is_planned_although_accounts_cannot_be_asked_for() -> None:
    events = [{"event": "deleted", "user_id": USER, "at": AT}]
    database = Scripted(**hidden("not_permitted"), take_deletion_events=events, note_deletion={"purge_after": AT})
    schedule(database).tick("sweep")
    assert database.values("disable_workspaces") == [{"user_ids": [USER]}]
    assert database.changes("live_accounts") == []


def test_an_account_that_is_there_is_not_planned_and_one_that_is_restored_is_kept() -> None:
    there = Scripted(
        **SEEN,
        take_deletion_events=[{"event": "deleted", "user_id": USER, "at": AT}],
        live_accounts=[{"user_id": USER}],
    )
    schedule(there).tick("sweep")
    assert there.changes("note_deletion", "cancel_deletions") == []
    restored = Scripted(
        **SEEN,
        take_deletion_events=[{"event": "restored", "user_id": USER, "at": AT}],
        cancel_deletions=[{"user_id": USER, "was_enabled": True}],
    )
    schedule(restored).tick("sweep")
    assert restored.values("cancel_deletions")[0]["cancelled_by"] == "account"
    assert restored.values("enable_after_cancel") == restored.values("mark_users") == [{"user_ids": [USER]}]
    assert restored.audits() == [("account deletion", "account.restore", {"reason": "the account was restored"})]


def test_who_was_disabled_before_the_deletion_stays_disabled_after_it_is_undone() -> None:
    back = [{"user_id": USER, "was_enabled": False}, {"user_id": OTHER, "was_enabled": True}]
    database = Scripted(**SEEN, reappeared=back, cancel_deletions=back, due_erasures=[{"user_id": ID}])
    assert schedule(database).tick("hourly") == Ticked(erase=(ID,))
    assert database.values("enable_after_cancel") == [{"user_ids": [OTHER]}]
    assert len(database.audits()) == 2


@table("reason", ["table_missing", "not_permitted"])
def test_while_accounts_cannot_be_asked_for_nothing_is_taken_back(reason: str) -> None:
    database = Scripted(**hidden(reason), due_erasures=[{"user_id": ID}])
    assert schedule(database).tick("hourly").erase == (ID,)
    assert database.changes("reappeared", "cancel_deletions") == []


def test_of_many_that_are_there_again_a_piece_is_taken_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deletions, "PIECE", 2)
    pieces = iter([[{"user_id": USER}, {"user_id": OTHER}], [{"user_id": ID}]])
    database = Scripted(**SEEN, reappeared=lambda _: next(pieces))
    schedule(database).tick("hourly")
    assert [values["user_ids"] for values in database.values("cancel_deletions")] == [[USER, OTHER], [ID]]
    assert database.values("due_erasures") == [{**waits(), "limit": 2}]


# --- the reconciliation


def reconciled(workspaces: int, orphans: int, reason: str | None = None, **finds: Any) -> tuple[Scripted, str | None]:
    counts = {"count_workspaces": {"workspaces": workspaces}, "count_orphans": {"orphans": orphans}}
    database = Scripted(**hidden(reason), **counts, **finds)
    return database, schedule(database).tick("daily").alarm


def test_an_account_that_is_missing_twice_is_planned() -> None:
    database, alarm = reconciled(10_000, 3, plan_orphans=[{"user_id": USER}], cancel_open_jobs=[{"user_id": USER}])
    assert alarm is None
    assert database.values("note_orphans") == [{"limit": 100}]
    [planned] = database.values("plan_orphans")
    again_s = manifests.limits()["orphan_seen_again"]
    assert planned == {"grace_s": 86400, "again_s": again_s, "limit": 100}
    assert database.audits()[0][2] == {"cancelled": 1, "source": "reconciliation"}
    [verdict] = database.values("note_reconciliation")
    assert verdict == {"verdict": "sound", "detail": "", "workspaces": 10_000, "orphans": 3}
    assert database.changes("reappeared", "lock_reconciliation") == ["reappeared", "lock_reconciliation"]


def test_many_orphans_are_planned_in_pieces_up_to_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deletions, "PIECE", 2)
    full, _ = reconciled(100, 5, plan_orphans=lambda values: [{"user_id": USER}] * values["limit"])
    assert [values["limit"] for values in full.values("plan_orphans")] == [2, 2, 1]
    few, _ = reconciled(100, 5, plan_orphans=[{"user_id": USER}])
    assert [values["limit"] for values in few.values("plan_orphans")] == [2]
    none, _ = reconciled(100, 0)
    assert none.changes("disable_workspaces", "audit") == []


@table(
    ("workspaces", "orphans", "verdict"),
    [(100, 5, "sound"), (100, 6, "too_many"), (10_000, 100, "sound"), (10_000, 101, "too_many"), (0, 0, "sound")],
)
def test_too_many_that_are_missing_at_once_are_not_believed(workspaces: int, orphans: int, verdict: str) -> None:
    database, alarm = reconciled(workspaces, orphans)
    [noted] = database.values("note_reconciliation")
    assert (noted["verdict"], noted["workspaces"], noted["orphans"]) == (verdict, workspaces, orphans)
    assert (database.changes("note_orphans") == []) == (verdict == "too_many")
    assert (alarm is None) == (verdict == "sound")
    if alarm is not None:
        assert f"{orphans} of {workspaces}" in alarm
        assert "nothing is erased" in alarm


@table(
    ("reason", "workspaces", "blind"),
    [
        ("table_missing", 3, True),
        ("not_permitted", 0, True),
        ("row_security", 3, True),
        ("no_known_account", 3, True),
        # A service without any workspace knows no account.
        ("no_known_account", 0, False),
        (None, 3, False),
    ],
)
def test_a_login_that_sees_no_accounts_erases_nobody(reason: str | None, workspaces: int, blind: bool) -> None:
    database, alarm = reconciled(workspaces, 0, reason)
    [noted] = database.values("note_reconciliation")
    assert noted["verdict"] == ("blind" if blind else "sound")
    assert (database.changes("note_orphans", "count_orphans") == []) == blind
    assert alarm == (f"{HIDDEN[str(reason)]}; skipped the search for missing accounts" if blind else None)
    assert noted["orphans"] == 0


# --- the steps


JOBS = [{"id": ID, "commit_seq": 4}, {"id": OTHER, "commit_seq": None}]


def test_a_step_that_is_due_begins_and_names_what_to_erase() -> None:
    database = Scripted(**SEEN, lock_deletion=row(step="erase"), jobs_to_erase=JOBS)
    order = schedule(database).begin(USER)
    assert (order.step, order.job_ids, order.seq_floor, order.reason) == ("erase", (ID, OTHER), 4, "account deleted")
    assert database.values("begin_erasing") == [{"id": 1}]
    no_jobs = Scripted(**SEEN, lock_deletion=row(step="erase"))
    assert (schedule(no_jobs).begin(USER).job_ids, schedule(no_jobs).begin(USER).seq_floor) == ((), 0)
    none_committed = Scripted(**SEEN, lock_deletion=row(step="erase"), jobs_to_erase=JOBS[1:])
    assert schedule(none_committed).begin(USER).seq_floor == 0


@table(
    ("columns", "accounts"),
    [
        (None, []),
        # Before its day.
        (row(), []),
        # The account exists again.
        (row(step="erase"), [{"user_id": USER}]),
    ],
)
def test_nothing_is_erased_of_who_is_not_due_or_is_there_again(columns: Any, accounts: Any) -> None:
    cancelled = [{"user_id": USER, "was_enabled": True}]
    database = Scripted(**SEEN, lock_deletion=columns, live_accounts=accounts, cancel_deletions=cancelled)
    assert schedule(database).begin(USER).step is None
    assert database.changes("begin_erasing") == []
    assert database.changes("cancel_deletions") == ["cancel_deletions"] * bool(accounts)


def test_what_has_begun_goes_on_and_an_operators_order_asks_for_no_account() -> None:
    for columns in (row(step="sweep", erasing_at=AT), row(step="erase", source="operator")):
        database = Scripted(**hidden("table_missing"), lock_deletion=columns, live_accounts=[{"user_id": USER}])
        assert schedule(database).begin(USER).step == columns["step"]
        assert database.changes("cancel_deletions") == []


@table(
    ("reason", "source", "refused"),
    [
        ("table_missing", "trigger", True),
        ("not_permitted", "reconciliation", True),
        ("row_security", "trigger", True),
        ("no_known_account", "reconciliation", True),
        # The very last account may be deleted, too, and then its trigger said so.
        ("no_known_account", "trigger", False),
    ],
)
def test_an_erasure_waits_while_nobody_can_see_whether_the_account_is_back(
    reason: str, source: str, refused: bool
) -> None:
    database = Scripted(**hidden(reason), lock_deletion=row(step="erase", source=source))
    if not refused:
        assert schedule(database).begin(USER).step == "erase"
        return
    with pytest.raises(ApiFault) as error:
        schedule(database).begin(USER)
    assert (error.value.status, error.value.code, error.value.retryable) == (503, "accounts_hidden", True)
    assert database.ran == []


def done(database: Scripted, step: Any, **objects: int) -> Any:
    return schedule(database).done(USER, ErasureReport(step=step, epoch=7, objects=objects))


ERASING = {"erasing_at": AT, "purge_after": AT}


def test_the_first_sweep_ends_waiting_jobs_and_counts() -> None:
    erased = row(**ERASING, erased_at=AT, erased={"objects": {}, "rows": {}})
    database = Scripted(
        lock_deletion=row(**ERASING, step="erase"), erase_rows={"rows": {"memory_jobs": 2}}, deletion_of=erased
    )
    assert done(database, "erase", packs=3).state == "erased"
    assert database.values("end_jobs") == [{"user_id": USER, "statuses": ["queued"]}]
    [noted] = database.values("note_erased")
    assert noted["erased"] == {"epoch": 7, "objects": {"packs": 3}, "rows": {"memory_jobs": 2}}
    assert database.values("erase_reasons") == [{"user_id": USER}]
    assert database.audits() == [("account deletion", "account.erase", {"epoch": 7})]


def test_the_second_sweep_gives_the_receipt_of_both() -> None:
    first = {"objects": {"packs": 3, "heads": 1}, "rows": {"memory_jobs": 2}}
    now = AT + timedelta(hours=2)
    database = Scripted(
        lock_deletion=row(**ERASING, step="sweep", erased_at=AT, erased=first),
        database_time={"now": now},
        erase_rows={"rows": {"memory_jobs": 1}},
        deletion_of=row(**ERASING, erased_at=AT, receipt={}),
    )
    assert done(database, "sweep", packs=1, locks=2).state == "receipt given"
    assert database.values("end_jobs") == [{"user_id": USER, "statuses": ["queued", "running"]}]
    [given] = database.values("give_receipt")
    receipt = given["receipt"]
    assert receipt["objects"] == {"heads": 1, "locks": 2, "packs": 4}
    assert receipt["rows"] == {"memory_jobs": 3}
    assert (receipt["epoch"], given["swept_at"]) == (7, now)
    kept = now + timedelta(seconds=manifests.limits()["outbox_keep"])
    assert receipt["rows_kept_until"] == kept.isoformat().replace("+00:00", "Z")


def test_the_last_step_forgets_the_bare_rows() -> None:
    forgotten = row(**ERASING, erased_at=AT, receipt={}, forgotten_at=AT)
    database = Scripted(lock_deletion=row(**ERASING, step="forget"), erase_rows={"rows": {}}, deletion_of=forgotten)
    assert done(database, "forget").forgotten_at == AT
    assert database.changes("erase_rows", "forget_rows", "note_forgotten") == [
        "erase_rows",
        "forget_rows",
        "note_forgotten",
    ]


@table(
    ("columns", "step", "repeats"),
    [
        ({**ERASING, "step": "sweep", "erased_at": AT}, "erase", True),
        ({**ERASING, "step": None, "erased_at": AT, "swept_at": AT}, "sweep", True),
        ({**ERASING, "step": None, "erased_at": AT, "swept_at": AT, "forgotten_at": AT}, "forget", True),
        ({**ERASING, "step": "erase"}, "sweep", False),
        ({**ERASING, "step": None, "erased_at": AT}, "sweep", False),
        # Its beginning was not asked for.
        ({"step": "erase"}, "erase", False),
    ],
)
def test_a_step_is_recorded_once_and_in_its_turn(columns: Any, step: str, repeats: bool) -> None:
    database = Scripted(lock_deletion=row(**columns), deletion_of=row(**columns))
    if repeats:
        done(database, step)
        assert database.changes("audit", "end_jobs", "erase_rows") == []
    else:
        status, code, message = fault(lambda: done(database, step))
        assert (status, code) == (409, "step_not_due")
        assert str(columns["step"] or "none") in message


def test_nobody_reports_the_erasure_of_an_account_that_was_not_deleted() -> None:
    assert fault(lambda: done(Scripted(), "erase"))[:2] == (404, "deletion_not_found")


# --- what operators see and may do


@table(
    ("columns", "state"),
    [
        ({"purge_after": None}, "seen once"),
        ({}, "waiting"),
        ({"purge_after": AT}, "due"),
        (ERASING, "erasing"),
        ({**ERASING, "erased_at": AT}, "erased"),
        ({**ERASING, "erased_at": AT, "receipt": {}}, "receipt given"),
        ({"cancelled_at": AT, "cancelled_by": "account"}, "cancelled"),
    ],
)
def test_an_operator_sees_how_far_an_erasure_is(columns: Any, state: str) -> None:
    [listed] = schedule(Scripted(list_deletions=[row(**columns)])).listed({}).deletions
    assert listed.state == state
    database = Scripted(deletion_of=row(**columns))
    with database.transaction() as tx:
        seen = deletions.deletion_of(tx, USER)  # type: ignore[arg-type]
    assert seen == listed


def test_deletions_are_listed_a_page_at_a_time() -> None:
    many = Scripted(list_deletions=[row(id=number) for number in range(PAGE + 1)])
    page = schedule(many).listed({"after": "7"})
    assert (len(page.deletions), page.next_after) == (PAGE, str(PAGE - 1))
    assert many.values("list_deletions") == [{"before": "7", "limit": PAGE + 1}]
    last = schedule(Scripted(list_deletions=[row()] * PAGE)).listed({"after": ""})
    assert (len(last.deletions), last.next_after) == (PAGE, None)
    assert fault(lambda: schedule(Scripted()).listed({"after": "x"}))[:2] == (422, "invalid_request")


@table(
    ("finds", "words"),
    [
        ({}, "no deletion of this account is known"),
        ({"deletion_of": row()}, "its state is: waiting"),
        ({"deletion_event_of": {"event": "deleted"}}, "was just deleted"),
        ({"deletion_event_of": {"event": "restored"}, "deletion_of": row(cancelled_at=AT)}, "its state is: cancelled"),
    ],
)
def test_without_a_receipt_an_operator_hears_why(finds: Any, words: str) -> None:
    status, code, message = fault(lambda: schedule(Scripted(**finds)).receipt(USER))
    assert (status, code) == (404, "receipt_not_found")
    assert words in message


def test_a_receipt_that_was_given_is_shown() -> None:
    stored = {
        **{name: AT.isoformat() for name in ("seen_at", "purge_after", "erased_at", "swept_at", "rows_kept_until")},
        **{"user_id": USER, "source": "trigger", "epoch": 7},
    }
    assert schedule(Scripted(receipt_of={"receipt": stored})).receipt(USER).epoch == 7


def test_an_erasure_that_has_not_begun_can_be_kept_off_once() -> None:
    keep = ReasonRequest(reason="a mistake")
    cancelled = row(cancelled_at=AT, cancelled_by="op@x.example")
    rows = iter([row(), cancelled])
    database = Scripted(deletion_of=lambda _: next(rows))
    assert schedule(database).keep("op@x.example", USER, keep).state == "cancelled"
    [values] = database.values("cancel_deletions")
    assert (values["user_ids"], values["cancelled_by"], values["reason"]) == ([USER], "op@x.example", "a mistake")
    assert database.audits() == [("op@x.example", "account.keep", {"reason": "a mistake"})]
    again = Scripted(deletion_of=cancelled)
    assert schedule(again).keep("op@x.example", USER, keep).state == "cancelled"
    assert again.audits() == []
    begun = Scripted(deletion_of=row(**ERASING))
    assert fault(lambda: schedule(begun).keep("op@x.example", USER, keep))[:2] == (409, "erasure_begun")
    assert fault(lambda: schedule(Scripted()).keep("op@x.example", USER, keep))[:2] == (404, "deletion_not_found")


@table(
    ("columns", "refused", "cancels"),
    [(None, False, False), (row(), False, True), (row(**ERASING), True, False)],
)
def test_a_user_who_is_enabled_again_takes_back_a_deletion_that_waits(
    columns: Any, refused: bool, cancels: bool
) -> None:
    def act(check: Any) -> Scripted:
        database = Scripted(lock_deletion=columns)
        with database.transaction() as tx:
            check(tx, USER)
        return database

    if refused:
        assert fault(lambda: act(require_not_erasing))[:2] == (409, "erasure_begun")
        assert fault(lambda: act(require_rows_stay))[:2] == (409, "erasure_begun")
    else:
        assert act(require_not_erasing).changes("cancel_deletions") == ["cancel_deletions"] * cancels
        assert act(require_rows_stay).changes("cancel_deletions") == []


def test_the_second_sweep_waits_until_no_run_begun_before_the_first_can_write() -> None:
    limits = manifests.limits()
    longest = max(pipeline["budget_s"] for pipeline in manifests.pipelines().values())
    assert waits()["sweep_s"] >= longest + limits["token_ttl"] + limits["lock_ttl"] + limits["clock_skew"]
    assert waits()["keep_s"] >= limits["outbox_keep"]
