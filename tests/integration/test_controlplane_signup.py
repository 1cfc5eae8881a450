"""The sign-up hook: off until somebody says so, capped, audited, and never in the way of a sign-up."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from contract.profile import DEFAULT_PROFILE
from local.logins import CONTROLPLANE, READER, RELAY, SUPERUSER
from tests.fixtures_controlplane import BUCKET, World

ON = "insert into memory_signup (bucket, cap) values (%s, %s)"


def sign_up(world: World, number: int = 1) -> list[str]:
    rows = world.sql(
        "insert into auth.users (email) select 'n' || n || '@example.com' from generate_series(1, %s) n returning id",
        number,
    )
    return [str(row["id"]) for row in rows]


def workspaces(world: World) -> list[dict[str, Any]]:
    return world.sql("select user_id::text, workspace_uri, runtime_profile, status from memory_workspaces")


def test_nothing_happens_unless_it_is_switched_on(world: World) -> None:
    sign_up(world)
    assert workspaces(world) == []
    world.sql(ON, BUCKET, 10)
    world.sql("delete from memory_signup")
    world.sql("delete from auth.users")
    sign_up(world)
    assert workspaces(world) == []


def test_a_new_account_gets_a_workspace_and_a_backfill_for_tomorrow(world: World) -> None:
    world.sql(ON, BUCKET, 10)
    [user] = sign_up(world)
    uri = f"gs://{BUCKET}/users/{user}/"
    expected = {"workspace_uri": uri, "runtime_profile": DEFAULT_PROFILE, "status": "enabled"}
    assert workspaces(world) == [{"user_id": user, **expected}]
    [job] = world.sql("select id, job_type, status, forced, retry_at - now() as wait from memory_jobs")
    assert (job["job_type"], job["status"], job["forced"]) == ("backfill_digest", "queued", True)
    assert 23 * 3600 < job["wait"].total_seconds() <= 24 * 3600
    assert world.sql("select 1 from memory_outbox") == [], "the publisher brings it when it is due"
    [line] = world.sql("select actor, user_id::text, job_id from memory_audit where action = 'user.enable'")
    assert line == {"actor": "sign-up", "user_id": user, "job_id": job["id"]}


def test_the_first_backfill_can_be_left_out(world: World) -> None:
    world.sql(ON, BUCKET, 10)
    world.sql("update memory_signup set backfill_after = null")
    sign_up(world)
    assert len(workspaces(world)) == 1
    assert world.sql("select 1 from memory_jobs") == []


def test_above_the_cap_accounts_wait_for_a_wave(world: World) -> None:
    world.sql(ON, BUCKET, 2)
    users = sign_up(world, 5)
    enabled = {row["user_id"] for row in workspaces(world)}
    assert len(enabled) == 2
    document = world.operate("POST", "/memory-users/waves", {"size": 9, "cap": 9}).json()
    assert {*document["user_ids"]} == {*users} - enabled


def test_a_fault_never_keeps_anybody_from_signing_up(own_world: World) -> None:
    own_world.sql(ON, BUCKET, 10)
    own_world.sql("alter table memory_jobs add constraint never check (triggered_by <> 'signup')")
    warned: list[str] = []
    own_world.db.add_notice_handler(lambda notice: warned.append(notice.message_primary or ""))
    [user] = sign_up(own_world)
    assert [str(row["id"]) for row in own_world.sql("select id from auth.users")] == [user]
    assert workspaces(own_world) == [], "half of it is nothing of it"
    assert len(warned) == 1
    assert user in warned[0]


def test_who_switched_it_is_in_the_audit(world: World) -> None:
    world.sql(ON, BUCKET, 10)
    world.sql("update memory_signup set cap = 20")
    world.sql("delete from memory_signup")
    lines = world.sql("select action, details -> 'cap' as cap from memory_audit order by id")
    assert [(line["action"], line["cap"]) for line in lines] == [
        ("signup.insert", 10),
        ("signup.update", 20),
        ("signup.delete", 20),
    ]


@pytest.mark.parametrize("role", ["anon", "authenticated", CONTROLPLANE, RELAY, READER])
def test_only_the_owner_and_the_apps_service_may_look_at_the_switch(world: World, role: str) -> None:
    with psycopg.connect(make_conninfo(world.dsn, user=SUPERUSER)) as superuser:
        superuser.execute(f"set local role {role}".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            superuser.execute("select * from public.memory_signup")


def test_there_is_one_switch_and_its_values_make_sense(world: World) -> None:
    world.sql(ON, BUCKET, 10)
    for query in (ON, "update memory_signup set bucket = %s, cap = %s"):
        with pytest.raises(psycopg.errors.IntegrityError):
            world.sql(query, BUCKET if query == ON else "not a bucket/", 5)
