"""Users in waves below a cap, listings without addresses, and the queue's health; each over a real database."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from contract.profile import DEFAULT_PROFILE
from tests.fixtures_controlplane import CONSUMER, World


def signed_up(world: World, number: int) -> list[str]:
    """So many accounts without a workspace, oldest first."""
    rows = world.sql(
        "insert into auth.users (email, created_at)"
        " select 'u' || n || '@example.com', now() - make_interval(days => 99 - n)"
        " from generate_series(1, %s) n returning id, created_at",
        number,
    )
    return [str(row["id"]) for row in sorted(rows, key=lambda row: row["created_at"])]


def wave(world: World, **body: Any) -> Any:
    response = world.operate("POST", "/memory-users/waves", {"size": 2, "cap": 100, **body})
    assert response.status_code == 200, response.text
    return response.json()


def test_waves_take_the_oldest_accounts_until_the_cap(world: World) -> None:
    users = signed_up(world, 7)
    first = wave(world, cap=5)
    assert first["user_ids"] == users[:2]
    assert (first["enabled"], first["waiting"], first["open_backfills"]) == (2, 5, 2)
    assert wave(world, cap=5)["user_ids"] == users[2:4]
    assert wave(world, cap=5)["user_ids"] == users[4:5]
    full = wave(world, cap=5)
    assert (full["user_ids"], full["job_ids"], full["enabled"], full["waiting"]) == ([], [], 5, 2)
    jobs = world.sql("select user_id::text, job_type, triggered_by from memory_jobs order by requested_at, id")
    assert {row["user_id"] for row in jobs} == set(users[:5])
    assert {(row["job_type"], row["triggered_by"]) for row in jobs} == {("backfill_digest", "wave")}
    assert len(world.sql("select 1 from memory_audit where action = 'user.enable'")) == 5


def test_a_dry_run_says_who_and_changes_nothing(world: World) -> None:
    users = signed_up(world, 3)
    plan = wave(world, dry_run=True)
    assert (plan["user_ids"], plan["job_ids"], plan["enabled"], plan["dry_run"]) == (users[:2], [], 0, True)
    assert world.sql("select 1 from memory_workspaces") == []
    assert world.sql("select 1 from memory_audit") == []


def test_a_wave_without_backfill_queues_nothing_and_disabled_users_stay_so(world: World) -> None:
    users = signed_up(world, 3)
    world.operate("POST", "/memory-users", {"user_id": users[0]})
    world.operate("DELETE", f"/memory-users/{users[0]}")
    result = wave(world, backfill=False, size=9)
    assert result["user_ids"] == users[1:]
    assert world.sql("select 1 from memory_jobs") == []
    rows = world.sql("select status from memory_workspaces where user_id = %s", users[0])
    assert rows == [{"status": "disabled"}]


def test_two_waves_at_once_stay_below_the_cap(world: World) -> None:
    signed_up(world, 8)
    threads = [threading.Thread(target=wave, args=(world,), kwargs={"size": 4, "cap": 5}) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(world.sql("select 1 from memory_workspaces")) == 5


@pytest.mark.parametrize(
    "body", [{"size": 0}, {"size": 501}, {"cap": 0}, {"runtime_profile": "No Profile"}, {"size": "x"}]
)
def test_a_wave_out_of_form_is_refused(world: World, body: dict[str, Any]) -> None:
    response = world.operate("POST", "/memory-users/waves", {"size": 2, "cap": 10, **body})
    assert (response.status_code, response.json()["error"]["code"]) == (422, "invalid_request")


def test_users_are_listed_by_state_page_by_page_without_addresses(world: World) -> None:
    users = signed_up(world, 130)
    world.operate("POST", "/memory-users", {"user_id": users[0]})
    world.job(users[0])
    seen: list[Any] = []
    after = ""
    while True:
        response = world.operate("GET", f"/memory-users?status=none&after={after}")
        assert "example.com" not in response.text
        seen += response.json()["users"]
        after = response.json()["next_after"] or ""
        if not after:
            break
    assert [user["user_id"] for user in seen] == sorted(users[1:])
    enabled = world.operate("GET", "/memory-users?status=enabled").json()["users"]
    assert [(user["user_id"], user["runtime_profile"], user["open_jobs"]) for user in enabled] == [
        (users[0], DEFAULT_PROFILE, 1)
    ]
    for query in ("status=asleep", "after=elsewhere"):
        assert world.operate("GET", f"/memory-users?{query}").status_code == 422


def test_queue_health_counts_what_is_due_silent_and_unpublished(world: World) -> None:
    empty = world.operate("GET", "/memory-queue").json()
    assert (empty["queued"], empty["oldest_due_s"], empty["silent"], empty["unpublished"]) == (0, None, 0, 0)
    user = world.user()
    waiting, running, later = world.job(user), world.job(user), world.job(user)
    world.token(running)
    world.without_triggers(
        "update memory_jobs set created_at = now() - interval '1 hour', requested_at = now() - "
        "interval '1 hour' where id = %s",
        waiting,
    )
    world.sql("update memory_jobs set retry_at = now() + interval '1 hour' where id = %s", later)
    document = world.operate("GET", "/memory-queue").json()
    assert (document["queued"], document["planned"], document["running"]) == (1, 1, 1)
    assert (document["silent"], document["unpublished"]) == (1, 3)
    assert 3590 < document["oldest_due_s"] < 3700
    assert document["oldest_unpublished_s"] >= 0


def test_only_operators_may(world: World) -> None:
    for method, path in (("GET", "/memory-users"), ("POST", "/memory-users/waves"), ("GET", "/memory-queue")):
        assert world.call(method, path, None, {}).status_code == 401
        assert world.call(method, path, world.issuer.token(CONSUMER), {}).status_code == 403
