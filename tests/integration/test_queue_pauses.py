"""A paused queue, in PostgreSQL: what the publisher withholds, what the token exchange answers, and what is told."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from contract.api import EVERYBODY
from local.logins import RELAY
from publisher.outbox import Outbox, connect
from tests.fixtures_controlplane import CONSUMER, OPERATOR, World
from tests.fixtures_postgres import as_login

pytestmark = pytest.mark.integration
NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def outbox(world: World) -> Iterator[Outbox]:
    """The publisher's session, with that role's rights."""
    opened = Outbox(connect(as_login(world.dsn, RELAY)))
    with opened.connection:
        yield opened


def pause(world: World, target: str, reason: str = "maintenance") -> Any:
    return world.operate("POST", "/memory-queue/pause", {"target": target, "reason": reason})


def resume(world: World, target: str) -> Any:
    return world.operate("POST", "/memory-queue/resume", {"target": target, "reason": "it is over"})


def queue(world: World) -> dict[str, Any]:
    view: dict[str, Any] = world.operate("GET", "/memory-queue").json()
    return view


def offered(outbox: Outbox) -> set[str]:
    """The jobs that the publisher would publish now."""
    outbox.enqueue_due()
    outbox.enqueue_stale(600)
    return {row.job_id for row in outbox.waiting(100)}


def publish(outbox: Outbox) -> None:
    rows = outbox.waiting(100)
    outbox.mark({row.outbox_id: "m" for row in rows}, [row.job_id for row in rows], [])


def ago(world: World, job: str, interval: str) -> None:
    """As if the job had been touched and published that long ago."""
    world.sql(
        "update memory_jobs set retry_at = retry_at - %s::interval, published_at = published_at - %s::interval,"
        " created_at = created_at - %s::interval, heartbeat_at = heartbeat_at - %s::interval where id = %s",
        *[interval] * 4,
        job,
    )
    world.sql(
        "update memory_outbox set published_at = published_at - %s::interval, created_at = created_at - %s::interval"
        " where job_id = %s",
        *[interval] * 2,
        job,
    )


@pytest.mark.parametrize("everybody", [True, False])
def test_new_due_and_silent_jobs_are_withheld_until_the_queue_is_resumed(
    world: World, outbox: Outbox, everybody: bool
) -> None:
    paused, other = world.user(), world.user("bob@example.com")
    new, due, silent, others = world.job(paused), world.job(paused), world.job(paused), world.job(other)
    publish(outbox)
    world.sql("delete from memory_outbox where job_id in (%s, %s)", new, others)
    world.sql("insert into memory_outbox (job_id, user_id) values (%s, %s), (%s, %s)", new, paused, others, other)
    world.sql("update memory_jobs set retry_at = clock_timestamp() where id = %s", due)
    ago(world, silent, "2 days")
    assert pause(world, EVERYBODY if everybody else paused).status_code == 200

    assert offered(outbox) == (set() if everybody else {others})
    view = queue(world)
    assert (view["withheld"], view["unpublished"], view["silent"]) == ((4, 0, 0) if everybody else (3, 1, 0))
    sweep = world.call("POST", "/memory-ticks", world.issuer.token(CONSUMER), {
        "kind": "sweep", "period": "2026-11-27T14", "tick_id": "t"})  # fmt: skip
    assert sweep.json()["republished"] == 0
    assert (sweep.json()["pauses"], sweep.json()["all_paused"], sweep.json()["withheld"]) == (
        1,
        everybody,
        view["withheld"],
    )

    outbox.listen()
    assert resume(world, EVERYBODY if everybody else paused).status_code == 200
    assert outbox.wait(10), "the publisher is woken"
    assert offered(outbox) == {new, due, silent, others}
    assert (queue(world)["withheld"], queue(world)["pauses"]) == (0, [])


def test_an_attempt_is_refused_and_its_row_is_due_when_the_pause_ends(world: World, outbox: Outbox) -> None:
    user = world.user()
    job = world.job(user)
    publish(outbox)
    pause(world, user)
    answer = world.open(job)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "queue_paused")
    assert answer.json()["error"]["retryable"]
    row = world.row(job)
    assert (row["status"], row["substate"], row["attempt"], row["owner"]) == ("queued", "retrying", 0, None)
    ago(world, job, "1 minute")
    assert offered(outbox) == set()
    resumed_at = resume(world, user).json()["resumed_at"]
    assert offered(outbox) == {job}
    opened = world.open(job, attempt=2)
    assert opened.status_code == 200, opened.text
    assert opened.json()["job"]["queue_resumed_at"] == resumed_at


def test_a_run_goes_on_and_ends_while_the_queue_is_paused(world: World) -> None:
    job = world.job(world.user())
    token = world.token(job)
    pause(world, EVERYBODY)
    assert world.progress(job, token).status_code == 200
    assert world.open(job, renew=True).status_code == 200
    assert world.complete(job, token, outcome="no_change").status_code == 200
    assert world.row(job)["status"] == "completed"


def test_replays_are_accepted_and_told_of_the_pause_and_go_out_when_it_ends(world: World, outbox: Outbox) -> None:
    user = world.user()
    job = world.job(user)
    world.complete(job, world.token(job), outcome="failed", error={"code": "tool_failed", "stage": "index", "hint": ""})
    publish(outbox)
    pause(world, EVERYBODY, "the model's provider is down")
    replay = {"replay_id": str(uuid.uuid4()), "reason": "again"}
    answer = world.operate("POST", f"/memory-jobs/{job}/replay", replay)
    assert answer.json()["status"] == "queued"
    assert answer.json()["pause"]["reason"] == "the model's provider is down"
    assert world.operate("GET", f"/memory-jobs/{job}").json()["pause"]["paused_by"] == OPERATOR
    assert offered(outbox) == set()
    resume(world, EVERYBODY)
    assert offered(outbox) == {job}
    assert world.operate("GET", f"/memory-jobs/{job}").json()["pause"] is None


def test_a_withheld_job_can_be_cancelled(world: World, outbox: Outbox) -> None:
    job = world.job(world.user())
    publish(outbox)
    pause(world, EVERYBODY)
    world.operate("POST", f"/memory-jobs/{job}/cancel", {"reason": "not wanted"})
    assert offered(outbox) == {job}
    answer = world.open(job)
    assert (answer.status_code, answer.json()["job"]["cancel_requested"]) == (200, True)


def test_both_pauses_must_end_and_the_first_reason_stays(world: World) -> None:
    user = world.user()
    job = world.job(user)
    first = pause(world, user, "first").json()
    assert pause(world, user, "second").json() == first
    pause(world, EVERYBODY)
    assert [view["target"] for view in queue(world)["pauses"]] == [EVERYBODY, user]
    assert world.operate("GET", "/memory-queue/pauses").json()["pauses"] == queue(world)["pauses"]
    resume(world, EVERYBODY)
    assert world.open(job).status_code == 503
    resume(world, user)
    assert world.open(job).status_code == 200
    again = resume(world, user)
    assert (again.status_code, again.json()["error"]["code"]) == (404, "pause_not_found")
    assert pause(world, user, "third").json()["reason"] == "third"


@pytest.mark.parametrize(("target", "status"), [(NOBODY, 404), ("all", 422), ("", 422), ("A" * 36, 422)])
def test_a_pause_of_nobody_is_refused(world: World, target: str, status: int) -> None:
    assert pause(world, target).status_code == status
    assert queue(world)["pauses"] == []


def test_nobody_but_the_service_reads_why(world: World) -> None:
    user = world.user()
    pause(world, user)
    for role in ("authenticated", "anon"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), world.db.transaction():
            world.db.execute(f"set local role {role}".encode())
            world.db.execute("select reason from public.memory_queue_pauses")
    with (
        psycopg.connect(as_login(world.dsn, RELAY)) as relay,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        relay.execute("select reason from public.memory_queue_pauses")


def test_an_erased_account_leaves_no_pause(world: World) -> None:
    user = world.user()
    pause(world, user)
    world.sql("delete from auth.users where id = %s", user)
    world.services.deletions.tick("sweep")
    world.sql("update memory_deletions set purge_after = clock_timestamp() where user_id = %s", user)
    consumer = world.issuer.token(CONSUMER)
    assert world.call("POST", f"/memory-deletions/{user}/begin", consumer, {}).json()["step"] == "erase"
    report = {"step": "erase", "objects": {}, "epoch": 1}
    assert world.call("POST", f"/memory-deletions/{user}/done", consumer, report).is_success
    assert world.sql("select * from memory_queue_pauses") == []
