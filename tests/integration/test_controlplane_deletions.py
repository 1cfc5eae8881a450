"""Deleted accounts, over a real database: what the trigger notes and survives, what ticks plan, erase and prove."""

from __future__ import annotations

import json
import threading
import uuid
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from controlplane import deletions
from controlplane.db import Tx
from local.logins import AUTH, SUPERUSER
from tests.fixtures_controlplane import BUCKET, CONSUMER, OPERATOR, World

pytestmark = pytest.mark.integration
HOUR, DAY = {"kind": "hourly", "period": "2026-11-27T14"}, {"kind": "daily", "period": "2026-11-27"}
SWEEP = {"kind": "sweep", "period": "2026-11-27T14"}


def tick(world: World, request: dict[str, str]) -> dict[str, Any]:
    answer = world.call("POST", "/memory-ticks", world.issuer.token(CONSUMER), {**request, "tick_id": "t"})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def begin(world: World, user_id: str) -> dict[str, Any]:
    answer = world.call("POST", f"/memory-deletions/{user_id}/begin", world.issuer.token(CONSUMER))
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def done(world: World, user_id: str, step: str, epoch: int = 7, **objects: int) -> Any:
    body = {"step": step, "epoch": epoch, "objects": objects}
    return world.call("POST", f"/memory-deletions/{user_id}/done", world.issuer.token(CONSUMER), body)


def delete_account(world: World, user_id: str) -> None:
    world.sql("delete from auth.users where id = %s", user_id)


def users(world: World, number: int, first: int = 1) -> list[str]:
    """So many accounts with a workspace; ``first`` is the number in the first one's address."""
    rows = world.sql(
        "insert into auth.users (email) select n || '@x' from generate_series(%s::int, %s::int) n returning id",
        first,
        first + number - 1,
    )
    world.sql(
        "insert into memory_workspaces (user_id, workspace_uri)"
        " select id, 'gs://' || %s || '/users/' || id || '/' from auth.users on conflict do nothing",
        BUCKET,
    )
    return sorted(str(row["id"]) for row in rows)


def vanish(world: World, user_ids: list[str]) -> None:
    """Accounts that are gone without the trigger: restored from a backup, deleted while it was off."""
    world.without_triggers("delete from auth.users where id = any(%s::uuid[])", user_ids)


def state(world: World, user_id: str) -> str | None:
    deletion = world.operate("GET", f"/memory-users/{user_id}").json()["deletion"]
    return deletion and str(deletion["state"])


def later(world: World, column: str, interval: str = "25 hours") -> None:
    """Time goes by: the moment in this column lies so much further back."""
    world.db.execute(f"update memory_deletions set {column} = {column} - %s::interval".encode(), (interval,))


def events(world: World) -> list[str]:
    return [row["event"] for row in world.sql("select event from memory_deletion_events order by id")]


def status(world: World, user_id: str) -> list[str]:
    return [row["status"] for row in world.sql("select status from memory_workspaces where user_id = %s", user_id)]


# --- the trigger -------------------------------------------------------------------------------------------------


def test_a_deletion_a_soft_one_and_its_reversal_are_noted_and_nothing_else_is(world: World) -> None:
    user, other = world.user(), world.user("bob@example.com")
    world.sql("update auth.users set email = 'new@example.com' where id = %s", user)
    world.sql("update auth.users set deleted_at = null where id = %s", user)
    assert events(world) == []
    world.sql("update auth.users set deleted_at = now() where id = %s", user)
    world.sql("update auth.users set deleted_at = now() - interval '1 day' where id = %s", user)
    world.sql("update auth.users set deleted_at = null where id = %s", user)
    delete_account(world, other)
    assert events(world) == ["deleted", "restored", "deleted"]
    assert status(world, other) == ["enabled"], "the trigger itself does no more than this"


def test_the_apps_auth_server_may_delete(world: World) -> None:
    user = world.user()
    with psycopg.connect(make_conninfo(world.dsn, user=AUTH)) as auth_server:
        auth_server.execute("delete from auth.users where id = %s", (user,))
    assert events(world) == ["deleted"]


def test_a_deletion_neither_waits_for_our_table_nor_fails_by_it(world: World) -> None:
    user = world.user()
    with psycopg.connect(world.dsn) as other:
        other.execute("lock table memory_deletion_events in access exclusive mode")
        with world.db.transaction():
            # Were the lock waited for, this would end the statement, and the test.
            world.db.execute("set local statement_timeout = '20s'")
            delete_account(world, user)
    assert events(world) == []
    assert world.sql("select 1 from auth.users where id = %s", user) == []


@pytest.mark.parametrize(
    "fault",
    [
        "alter table memory_deletion_events add constraint never check (event = 'never')",
        "alter table memory_deletion_events rename to elsewhere",
        # A statement_timeout that strikes while the trigger is at work: `when others` would not catch it.
        "create function slow() returns trigger language plpgsql as"
        " 'begin perform pg_sleep(60); return new; end'; create trigger slow before insert on memory_deletion_events"
        " for each row execute function slow()",
    ],
)
def test_a_fault_of_ours_never_fails_the_apps_transaction(own_world: World, fault: str) -> None:
    user = own_world.user()
    own_world.db.execute(fault.encode())
    warned: list[str] = []
    own_world.db.add_notice_handler(lambda notice: warned.append(notice.message_primary or ""))
    with own_world.db.transaction():
        own_world.db.execute("set local statement_timeout = '300ms'")
        delete_account(own_world, user)
        own_world.db.execute("insert into auth.users (email) values ('same-transaction@example.com')")
    assert [row["email"] for row in own_world.sql("select email from auth.users")] == ["same-transaction@example.com"]
    assert any(user in line for line in warned)


# --- from an event to a plan -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("request_", [SWEEP, HOUR, DAY], ids=["sweep", "hourly", "daily"])
def test_any_tick_stops_the_memory_of_a_deleted_account(world: World, request_: dict[str, str]) -> None:
    user, job = world.user(), None
    world.user("bob@example.com")
    job = world.job(user)
    token = world.token(job)
    assert world.batch(job, token).status_code == 200
    delete_account(world, user)
    tick(world, request_)
    assert status(world, user) == ["disabled"]
    assert world.row(job)["cancel_reason"] == "account deleted"
    renewed = world.token(job, renew=True)
    for given in (token, renewed):
        refused = world.batch(job, given)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "attempt_stale"), "no dead letter"
    assert {row["may_export"] for row in world.sql("select may_export from memory_job_tokens")} == {False}
    assert world.complete(job, renewed, outcome="cancelled").json() == {"status": "cancelled"}
    [row] = world.sql("select source, purge_after - seen_at as grace from memory_deletions")
    assert (row["source"], row["grace"].days) == ("trigger", 7)
    assert state(world, user) == "waiting"
    assert tick(world, HOUR)["erase"] == []


def test_only_what_was_told_last_counts(world: World) -> None:
    user = world.user()
    world.sql("update auth.users set deleted_at = now() where id = %s", user)
    world.sql("update auth.users set deleted_at = null where id = %s", user)
    tick(world, SWEEP)
    assert (state(world, user), status(world, user)) == (None, ["enabled"])


@pytest.mark.parametrize("was", ["enabled", "disabled"])
def test_a_reversal_within_the_grace_brings_back_what_was(world: World, was: str) -> None:
    user = world.user()
    world.sql("update memory_workspaces set status = %s, runtime_profile = 'mine'", was)
    world.sql("update auth.users set deleted_at = now() where id = %s", user)
    tick(world, SWEEP)
    assert status(world, user) == ["disabled"]
    world.sql("update auth.users set deleted_at = null where id = %s", user)
    tick(world, SWEEP)
    assert (state(world, user), status(world, user)) == ("cancelled", [was])
    assert world.sql("select runtime_profile from memory_workspaces") == [{"runtime_profile": "mine"}]
    later(world, "purge_after", "8 days")
    assert tick(world, HOUR)["erase"] == []
    world.sql("update auth.users set deleted_at = now() where id = %s", user)
    tick(world, SWEEP)
    assert state(world, user) == "waiting", "a second deletion counts like the first"


def test_a_soft_deletion_keeps_its_date_when_the_row_goes_too(world: World) -> None:
    user = world.user()
    world.sql("update auth.users set deleted_at = now() where id = %s", user)
    tick(world, SWEEP)
    [before] = world.sql("select purge_after from memory_deletions")
    delete_account(world, user)
    tick(world, SWEEP)
    assert world.sql("select purge_after from memory_deletions") == [before]


def test_an_id_that_is_there_again_cancels_and_the_same_address_with_another_id_does_not(world: World) -> None:
    back, replaced = world.user("back@example.com"), world.user("replaced@example.com")
    for user in (back, replaced):
        delete_account(world, user)
    tick(world, SWEEP)
    world.without_triggers("insert into auth.users (id, email) values (%s, 'other@example.com')", back)
    world.sql("insert into auth.users (email) values ('replaced@example.com')")
    later(world, "purge_after", "8 days")
    assert tick(world, HOUR)["erase"] == [replaced]
    assert (state(world, back), state(world, replaced)) == ("cancelled", "due")


def test_a_deletion_that_is_undone_in_its_own_transaction_is_none(world: World) -> None:
    user = world.user()
    with world.db.transaction():
        delete_account(world, user)
        world.sql("insert into auth.users (id, email) values (%s, 'ada@example.com')", user)
    tick(world, SWEEP)
    assert (state(world, user), status(world, user)) == (None, ["enabled"])


def test_an_account_without_a_memory_leaves_nothing(world: World) -> None:
    world.user()
    stranger = str(world.sql("insert into auth.users (email) values ('s@example.com') returning id")[0]["id"])
    world.sql("insert into memory_tombstones (source_key, record_id, user_id) values ('contacts', 'c1', %s)", stranger)
    delete_account(world, stranger)
    tick(world, SWEEP)
    assert world.sql("select 1 from memory_tombstones") == []
    assert world.operate("GET", "/memory-deletions").json()["deletions"] == []


def test_a_soft_deleted_account_is_in_no_list_no_wave_and_cannot_be_enabled(world: World) -> None:
    user = str(world.sql("insert into auth.users (email, deleted_at) values ('g@x', now()) returning id")[0]["id"])
    assert world.operate("GET", "/memory-users").json()["users"] == []
    assert world.operate("POST", "/memory-users/waves", {"size": 5, "cap": 5}).json()["user_ids"] == []
    for who in ({"user_id": user}, {"email": "g@x"}):
        assert world.operate("POST", "/memory-users", who).status_code == 404


# --- erasing -----------------------------------------------------------------------------------------------------


def erased_world(world: World) -> tuple[str, str, str]:
    """A user with everything that the database keeps of one, whose account was deleted more than the grace ago; the
    user and two jobs: one over, one waiting."""
    user, over = world.user(), ""
    world.user("bob@example.com")
    over = world.job(user)
    report = {"artifact_type": "backfill_report", "workspace_path": "brain/r.md", "metadata": {"claims": 3}}
    commit = {"seq": 1, "digest": "sha256:" + "0" * 64}
    world.complete(
        over, world.token(over), commit=commit, artifacts=[report], report_uri="gs://b/x", source_counts={"contacts": 3}
    )
    why = {"reason": "Ada Example asked on the phone"}
    world.operate("POST", f"/memory-jobs/{over}/marks", {**why, "claim": 1, "verdict": "wrong"})
    flag = {**why, "name": "hourly", "scope": "user", "target": user, "value": False}
    world.operate("POST", "/memory-flags", flag)
    world.operate("POST", "/memory-cohorts", {**why, "cohort": "pilot", "user_id": user})
    world.sql("insert into memory_tombstones (source_key, record_id, user_id) values ('contacts', 'ada', %s)", user)
    waiting = world.job(user)
    delete_account(world, user)
    tick(world, SWEEP)
    later(world, "purge_after", "169 hours")
    return user, over, waiting


def test_before_the_next_tick_the_receipt_says_that_the_deletion_is_known(world: World) -> None:
    user, other = world.user(), world.user("bob@example.com")
    delete_account(world, user)
    receipt = world.operate("GET", f"/memory-deletions/{user}/receipt")
    assert receipt.status_code == 404
    assert "was just deleted; the next tick plans the erasure" in receipt.text
    assert "no deletion of this account is known" in world.operate("GET", f"/memory-deletions/{other}/receipt").text
    tick(world, SWEEP)
    assert "its state is: waiting" in world.operate("GET", f"/memory-deletions/{user}/receipt").text


def test_from_the_order_to_the_receipt_and_the_last_row(world: World) -> None:
    user, over, waiting = erased_world(world)
    assert tick(world, HOUR)["erase"] == [user]
    order = begin(world, user)
    assert (order["step"], order["reason"]) == ("erase", "account deleted")
    [dream] = world.sql("select id::text from memory_jobs where job_type = 'dream'")
    assert sorted(order["job_ids"]) == sorted([over, waiting, dream["id"]])
    assert order["seq_floor"] == 1, "a commit that only its row still knows"
    assert begin(world, user) == order, "a crash before the report is a repeat"
    assert done(world, user, "erase", packs=4, commits=2).json()["state"] == "erased"
    assert {row["status"] for row in world.sql("select status from memory_jobs")} == {"completed", "cancelled"}
    assert tick(world, HOUR)["erase"] == [], "the writers of before are not gone yet"
    assert world.operate("GET", f"/memory-deletions/{user}/receipt").status_code == 404
    later(world, "erased_at", "2 hours")
    assert tick(world, HOUR)["erase"] == [user]
    assert begin(world, user)["step"] == "sweep"
    assert done(world, user, "sweep", epoch=9, checkpoints=1).json()["state"] == "receipt given"
    receipt = world.operate("GET", f"/memory-deletions/{user}/receipt").json()
    assert receipt["objects"] == {"packs": 4, "commits": 2, "checkpoints": 1}
    assert (receipt["user_id"], receipt["epoch"], receipt["source"]) == (user, 9, "trigger")
    expected = {"memory_artifacts": 1, "memory_claim_marks": 1, "memory_flags": 1, "memory_cohorts": 1}
    assert {name: receipt["rows"][name] for name in expected} == expected
    assert receipt["rows"]["memory_tombstones"] >= 1
    assert tick(world, HOUR)["erase"] == []
    later(world, "swept_at", "8 days")
    assert tick(world, HOUR)["erase"] == [user]
    assert begin(world, user)["step"] == "forget"
    assert done(world, user, "forget", ledgers=1).is_success
    assert tick(world, HOUR)["erase"] == []
    assert begin(world, user) == {"user_id": user, "step": None, "reason": "", "job_ids": [], "seq_floor": 0}
    assert world.operate("GET", f"/memory-deletions/{user}/receipt").json() == receipt, "the proof stays"


def test_what_is_left_holds_ids_times_and_counts_and_no_word(world: World) -> None:
    user, over, _ = erased_world(world)
    begin(world, user)
    done(world, user, "erase", packs=4)
    assert rows_with(world, "Ada Example") == []
    assert rows_with(world, "ada@example.com") == []
    [job] = world.sql("select * from memory_jobs where id = %s", over)
    kept = {name for name, value in job.items() if value not in (None, {}, 0, False)}
    assert kept <= {
        *("id", "user_id", "workspace_id", "job_type", "runtime_profile", "template_version", "status", "attempt"),
        *("triggered_by", "requested_at", "started_at", "heartbeat_at", "finished_at", "created_at", "updated_at"),
        *("outcome", "commit_seq", "commit_digest", "cancel_requested_at"),
    }
    later(world, "erased_at", "2 hours")
    begin(world, user)
    done(world, user, "sweep")
    later(world, "swept_at", "8 days")
    begin(world, user)
    done(world, user, "forget")
    assert rows_with(world, user) == ["memory_audit", "memory_deletions"]


def rows_with(world: World, text: str) -> list[str]:
    """Tables of ours that hold this text anywhere."""
    tables = [
        row["name"]
        for row in world.sql("select relname as name from pg_class where relkind = 'r' and relname like 'memory%%'")
    ]
    return sorted(
        name
        for name in tables
        if any(text in json.dumps(row, default=str) for row in world.sql(f"select * from public.{name}"))
    )


def test_a_step_is_done_once_and_in_its_turn(world: World) -> None:
    user, _, _ = erased_world(world)
    assert done(world, user, "erase").json()["error"]["code"] == "step_not_due", "it was not asked for"
    begin(world, user)
    assert done(world, user, "sweep").json()["error"]["code"] == "step_not_due"
    assert done(world, user, "erase", packs=4).is_success
    assert done(world, user, "erase", packs=9).is_success, "a lost answer is asked for again"
    [row] = world.sql("select erased from memory_deletions")
    assert row["erased"]["objects"] == {"packs": 4}
    assert done(world, str(uuid.uuid4()), "erase").json()["error"]["code"] == "deletion_not_found"


def test_what_was_typed_to_keep_an_earlier_deletion_goes_too(world: World) -> None:
    user = world.user()
    world.sql("update auth.users set deleted_at = now() where id = %s", user)
    tick(world, SWEEP)
    reason = {"reason": "Ada Example's lawyer called"}
    assert world.operate("POST", f"/memory-deletions/{user}/keep", reason).is_success
    world.sql("update auth.users set deleted_at = null where id = %s", user)
    tick(world, SWEEP)
    delete_account(world, user)
    tick(world, SWEEP)
    later(world, "purge_after", "8 days")
    assert begin(world, user)["step"] == "erase"
    assert done(world, user, "erase").is_success
    assert rows_with(world, "Ada Example") == []


def test_the_id_is_asked_for_again_right_before_the_first_object_goes(world: World) -> None:
    user, _, _ = erased_world(world)
    assert tick(world, HOUR)["erase"] == [user]
    world.without_triggers("insert into auth.users (id, email) values (%s, 'ada@example.com')", user)
    assert begin(world, user)["step"] is None
    assert (state(world, user), status(world, user)) == ("cancelled", ["enabled"])


def test_once_begun_nothing_cancels_and_nobody_is_enabled(world: World) -> None:
    user, _, _ = erased_world(world)
    begin(world, user)
    world.without_triggers("insert into auth.users (id, email) values (%s, 'ada@example.com')", user)
    assert tick(world, HOUR)["erase"] == [user]
    assert begin(world, user)["step"] == "erase"
    keep = world.operate("POST", f"/memory-deletions/{user}/keep", {"reason": "wait"})
    assert keep.json()["error"]["code"] == "erasure_begun"
    again = world.operate("POST", "/memory-users", {"user_id": user})
    assert (again.status_code, again.json()["error"]["code"]) == (409, "erasure_begun")


def test_an_operator_keeps_what_waits_and_it_stays_kept(world: World) -> None:
    user, _, _ = erased_world(world)
    kept = world.operate("POST", f"/memory-deletions/{user}/keep", {"reason": "court order"}).json()
    assert (kept["state"], kept["cancelled_by"]) == ("cancelled", OPERATOR)
    assert status(world, user) == ["disabled"]
    for _ in range(3):
        assert tick(world, DAY)["reconciliation_alarm"] is None
        later(world, "seen_at")
    assert state(world, user) == "cancelled", "the reconciliation does not plan what somebody decided to keep"
    assert tick(world, HOUR)["erase"] == []


def test_the_last_account_of_all_may_go_too(world: World) -> None:
    user = world.user()
    delete_account(world, user)
    tick(world, SWEEP)
    later(world, "purge_after", "8 days")
    assert begin(world, user)["step"] == "erase", "the app told it; no other account has to be there"


def test_two_ticks_at_once_take_each_event_once(world: World) -> None:
    for number in range(20):
        delete_account(world, world.user(f"u{number}@example.com"))
    threads = [threading.Thread(target=tick, args=(world, SWEEP)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert events(world) == []
    assert len(world.sql("select 1 from memory_audit where action = 'account.delete'")) == 20


# --- reconciliation ----------------------------------------------------------------------------------------------


def queue(world: World) -> dict[str, Any]:
    answer = world.operate("GET", "/memory-queue")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def verdict(world: World) -> str:
    return str(queue(world)["reconciliation"])


def test_what_the_trigger_missed_is_planned_after_two_sightings_a_day_apart(world: World) -> None:
    gone = users(world, 3)[0]
    vanish(world, [gone])
    assert tick(world, DAY)["reconciliation_alarm"] is None
    assert (state(world, gone), status(world, gone)) == ("seen once", ["enabled"])
    tick(world, DAY)
    later(world, "seen_at", "23 hours")
    tick(world, DAY)
    assert state(world, gone) == "seen once", "a tick that comes again, or early, is no second sighting"
    later(world, "seen_at", "1 hour")
    tick(world, DAY)
    assert (state(world, gone), status(world, gone)) == ("waiting", ["disabled"])
    later(world, "purge_after", "8 days")
    assert tick(world, HOUR)["erase"] == [gone]
    assert begin(world, gone)["step"] == "erase"


def test_an_account_that_is_back_at_the_second_look_was_never_gone(world: World) -> None:
    gone = users(world, 3)[0]
    vanish(world, [gone])
    tick(world, DAY)
    world.without_triggers("insert into auth.users (id, email) values (%s, 'back@x')", gone)
    later(world, "seen_at")
    tick(world, DAY)
    assert (state(world, gone), status(world, gone)) == ("cancelled", ["enabled"])
    vanish(world, [gone])
    tick(world, DAY)
    assert state(world, gone) == "seen once", "and a new absence begins with a first sighting"


def test_a_soft_deletion_that_the_trigger_missed_is_found(world: World) -> None:
    gone = users(world, 3)[0]
    world.without_triggers("update auth.users set deleted_at = now() where id = %s", gone)
    tick(world, DAY)
    assert state(world, gone) == "seen once"


@pytest.mark.parametrize(("accounts", "gone", "planned"), [(100, 5, 5), (100, 6, 0), (1000, 10, 10), (1000, 11, 0)])
def test_more_orphans_than_are_believed_plan_nothing(world: World, accounts: int, gone: int, planned: int) -> None:
    vanish(world, users(world, accounts)[:gone])
    alarm = tick(world, DAY)["reconciliation_alarm"]
    later(world, "seen_at")
    assert tick(world, DAY)["reconciliation_alarm"] == alarm
    assert len(world.sql("select 1 from memory_deletions where purge_after is not null")) == planned
    assert len(world.sql("select 1 from memory_workspaces where status = 'disabled'")) == planned
    if planned:
        assert (alarm, verdict(world)) == (None, "sound")
    else:
        assert f"{gone} of {accounts} workspaces have no account" in str(alarm)
        assert verdict(world) == "too_many"
        assert world.sql("select 1 from memory_deletions") == []


def test_a_leak_of_a_few_a_day_adds_up(world: World) -> None:
    """Five a day are believed; together with those of yesterday they are too many."""
    everybody = users(world, 100)
    vanish(world, everybody[:5])
    assert tick(world, DAY)["reconciliation_alarm"] is None
    later(world, "seen_at")
    vanish(world, everybody[5:10])
    assert "10 of 100" in tick(world, DAY)["reconciliation_alarm"]
    assert world.sql("select 1 from memory_deletions where purge_after is not null") == []


def test_deletions_that_the_app_told_do_not_count_as_orphans(world: World) -> None:
    everybody = users(world, 100)
    for user in everybody[:20]:
        delete_account(world, user)
    vanish(world, everybody[20:21])
    assert tick(world, DAY)["reconciliation_alarm"] is None
    assert state(world, everybody[20]) == "seen once"


def as_superuser(world: World, *statements: str) -> None:
    with psycopg.connect(make_conninfo(world.dsn, user=SUPERUSER), autocommit=True) as superuser:
        for statement in statements:
            superuser.execute(statement.encode())


def hide_by_row_security(world: World) -> None:
    """As on a project whose migrations ran as a role without BYPASSRLS; `authenticated` stands for any such role."""
    functions = ("function memory_private.accounts_hidden()", "function memory_private.live_accounts(uuid[])")
    owned = (*functions, "function memory_private.orphans()", "view memory_private.accounts")
    as_superuser(
        world,
        "grant usage on schema memory_private, auth to authenticated",
        "grant select on auth.users, public.memory_workspaces, public.memory_deletions to authenticated",
        "create policy seen on public.memory_workspaces to authenticated using (true)",
        *(f"alter {what} owner to authenticated" for what in owned),
    )


def hide_all_but_one(world: World) -> None:
    hide_by_row_security(world)
    as_superuser(world, "create policy a_few on auth.users to authenticated using (email = '3@x')")


def refuse(world: World) -> None:
    hide_by_row_security(world)
    as_superuser(world, "revoke usage on schema auth from authenticated")


def empty(world: World) -> None:
    world.without_triggers("delete from auth.users")


def take_away(world: World) -> None:
    as_superuser(world, "alter table auth.users rename to users_elsewhere")


@pytest.mark.parametrize(
    ("hide", "words"),
    [
        (hide_by_row_security, "row level security"),
        (hide_all_but_one, "row level security"),
        (refuse, "may not read auth.users"),
        (empty, "none of the accounts"),
        (take_away, "no table auth.users"),
    ],
)
def test_accounts_that_cannot_be_seen_make_nobody_an_orphan(own_world: World, hide: Any, words: str) -> None:
    everybody = users(own_world, 3)
    reply = everybody[0]
    delete_account(own_world, reply)
    tick(own_world, SWEEP)
    vanish(own_world, everybody[1:2])
    tick(own_world, DAY)
    later(own_world, "seen_at")
    tick(own_world, DAY)
    later(own_world, "purge_after", "8 days")
    assert state(own_world, everybody[1]) == "due"
    hide(own_world)
    assert words in tick(own_world, DAY)["reconciliation_alarm"]
    assert verdict(own_world) == "blind"
    assert len(own_world.sql("select 1 from memory_deletions")) == 2, "nobody was added"
    refused = own_world.call("POST", f"/memory-deletions/{everybody[1]}/begin", own_world.issuer.token(CONSUMER))
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "accounts_hidden")
    assert own_world.sql("select 1 from memory_deletions where erasing_at is not null") == []


def test_a_service_that_nobody_uses_yet_raises_no_alarm(own_world: World) -> None:
    assert tick(own_world, DAY)["reconciliation_alarm"] is None
    assert verdict(own_world) == "sound"


class Asked:
    """What ticks ask of the database: statements, and the most rows that one of them returns."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.statements, self.most_rows = 0, 0
        for name in ("rows", "row", "run", "run_many"):
            monkeypatch.setattr(Tx, name, self.counting(getattr(Tx, name)))

    def counting(self, method: Any) -> Any:
        def counted(tx: Tx, *given: Any, **values: Any) -> Any:
            answer = method(tx, *given, **values)
            self.statements += 1
            self.most_rows = max(self.most_rows, len(answer) if isinstance(answer, list) else 0)
            return answer

        return counted

    def of(self, world: World, request: dict[str, str]) -> tuple[int, int]:
        self.statements = self.most_rows = 0
        tick(world, request)
        return self.statements, self.most_rows


@pytest.mark.parametrize("piece", [10, 500])
def test_a_comparison_asks_by_the_piece_and_never_by_the_user(
    world: World, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    """Whatever number of users: constant where nothing is planned, else a few statements for each piece."""
    monkeypatch.setattr(deletions, "PIECE", piece)
    asked = Asked(monkeypatch)
    users(world, 300)
    few = asked.of(world, DAY)
    everybody = users(world, 3000, first=301)
    assert asked.of(world, DAY) == few
    vanish(world, everybody[:30])
    sighted = asked.of(world, DAY)
    assert sighted == few, "the database writes down whom it misses"
    later(world, "seen_at")
    statements, most_rows = asked.of(world, DAY)
    assert len(world.sql("select 1 from memory_deletions where purge_after is not null")) == 30
    assert most_rows <= piece
    assert statements <= few[0] + 5 * (30 // piece + 1)


def nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for below in plan.get("Plans", []) for node in nodes(below))]


def test_the_comparison_reads_each_deletion_once_and_not_once_for_each_user(world: World) -> None:
    """Also before the table of deletions has statistics: then the planner takes it for small enough to read again."""
    vanish(world, users(world, 3000)[:30])
    tick(world, DAY)
    [body] = world.sql("select prosrc from pg_proc where proname = 'orphans'")
    [explained] = world.sql(f"explain (analyze, format json) {body['prosrc']}")
    [plan] = explained["QUERY PLAN"]
    read = [node for node in nodes(plan["Plan"]) if node.get("Relation Name") == "memory_deletions"]
    assert [node["Actual Loops"] for node in read] == [1]


@pytest.mark.parametrize("request_", [HOUR, DAY], ids=["hourly", "daily"])
def test_whoever_is_there_again_is_found_by_the_piece_among_all_who_wait(
    world: World, monkeypatch: pytest.MonkeyPatch, request_: dict[str, str]
) -> None:
    """A deletion of many that the app undoes: however many wait, no process holds them all."""
    everybody = users(world, 400)
    world.sql("delete from auth.users where email <> '1@x'")
    for _ in range(2):
        tick(world, SWEEP)
    asked = Asked(monkeypatch)
    monkeypatch.setattr(deletions, "PIECE", 20)
    assert len(world.sql("select 1 from memory_deletions where cancelled_at is null")) == 399
    nobody = asked.of(world, request_)
    assert nobody[1] <= 20
    there = [user for user in everybody if status(world, user) == ["disabled"]]
    world.without_triggers(
        "insert into auth.users (id, email) select id, id || '@back' from unnest(%s::uuid[]) id", there[:100]
    )
    statements, most_rows = asked.of(world, request_)
    assert most_rows <= 20
    # Of each piece: whether accounts are seen, who is back, and four for what that changes.
    assert statements <= nobody[0] + 6 * (100 // 20)
    assert len(world.sql("select 1 from memory_workspaces where status = 'enabled'")) == 101
    assert len(world.sql("select 1 from memory_audit where action = 'account.restore'")) == 100
    world.sql("delete from memory_news")  # Who is back has news, which the planner reads by the page.
    assert asked.of(world, request_) == nobody


# --- who sees it -------------------------------------------------------------------------------------------------


def test_the_deleted_are_listed_newest_first_and_shown(world: World) -> None:
    first, second = users(world, 4)[:2]
    for user in (first, second):
        delete_account(world, user)
        tick(world, SWEEP)
    listed = world.operate("GET", "/memory-deletions").json()["deletions"]
    assert [(deletion["user_id"], deletion["state"]) for deletion in listed] == [
        (second, "waiting"),
        (first, "waiting"),
    ]
    assert world.operate("GET", "/memory-deletions?after=x").status_code == 422
    shown = world.operate("GET", f"/memory-users/{first}").json()
    assert (shown["status"], shown["deletion"]["purge_after"]) == ("disabled", listed[1]["purge_after"])
    assert world.operate("GET", f"/memory-users/{uuid.uuid4()}").status_code == 404


def test_an_erasure_that_does_not_end_is_overdue(world: World) -> None:
    user, _, _ = erased_world(world)
    assert queue(world)["overdue_erasures"] == 0
    later(world, "purge_after", "2 days")
    assert queue(world)["overdue_erasures"] == 1
    begin(world, user)
    done(world, user, "erase")
    later(world, "erased_at", "2 hours")
    begin(world, user)
    done(world, user, "sweep")
    assert queue(world)["overdue_erasures"] == 0


@pytest.mark.parametrize("path", ["begin", "done"])
def test_only_the_consumer_erases(world: World, path: str) -> None:
    user, _, _ = erased_world(world)
    body = {"step": "erase", "epoch": 1}
    assert world.operate("POST", f"/memory-deletions/{user}/{path}", body).status_code == 403
    assert world.call("POST", f"/memory-deletions/{user}/{path}", None, body).status_code == 401


def test_rows_of_a_user_who_is_not_being_erased_cannot_be_removed(world: World) -> None:
    user = world.user()
    for function in ("erase_rows", "forget_rows"):
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
            world.sql(f"select memory_private.{function}(%s)", user)
