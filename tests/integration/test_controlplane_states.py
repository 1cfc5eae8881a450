"""The state machine as PostgreSQL enforces it, exhaustively: every status to every status, and what never changes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import psycopg
import pytest

from contract.api import TERMINAL, JobStatus
from tests import job_states

STATUSES: tuple[JobStatus, ...] = ("queued", "running", "completed", "failed", "cancelled")
USER = "11111111-1111-4111-8111-111111111111"
#: status -> those it may become without a replay; staying is always possible.
ALLOWED = {
    "queued": {"queued", "running", "completed", "failed", "cancelled"},
    "running": {"queued", "running", "completed", "failed", "cancelled"},
    "completed": {"completed"},
    "failed": {"failed"},
    "cancelled": {"cancelled"},
}


@pytest.fixture
def connection(shared_database: str) -> Iterator[psycopg.Connection[Any]]:
    """One transaction that is rolled back at the end."""
    with psycopg.connect(shared_database) as connection:
        connection.execute(
            "insert into memory_workspaces (user_id, workspace_uri) values (%s, %s)", (USER, f"gs://b/users/{USER}/")
        )
        yield connection
        connection.rollback()


def job(connection: psycopg.Connection[Any], status: str) -> str:
    row = connection.execute(
        "insert into memory_jobs (user_id, job_type, status, attempt) values (%s, 'insight', %s, 3) returning id",
        (USER, status),
    ).fetchone()
    assert row
    return str(row[0])


def allows(connection: psycopg.Connection[Any], job_id: str, change: str) -> bool:
    try:
        with connection.transaction():
            connection.execute(f"update memory_jobs set {change} where id = '{job_id}'".encode())
    except psycopg.errors.CheckViolation:
        return False
    return True


def test_every_move_by_status(connection: psycopg.Connection[Any]) -> None:
    for before, after in product(STATUSES, STATUSES):
        allowed = allows(connection, job(connection, before), f"status = '{after}'")
        assert allowed == (after in ALLOWED[before]), f"{before} -> {after}"


def test_only_a_new_replay_reopens_and_only_what_failed(connection: psycopg.Connection[Any]) -> None:
    for before in STATUSES:
        allowed = allows(connection, job(connection, before), "status = 'queued', replay_id = gen_random_uuid()")
        assert allowed == (before in {"queued", "running", "failed"}), before


def test_sql_and_the_consumers_table_agree() -> None:
    moves: tuple[job_states.Move, ...] = (
        "claim",
        "progress",
        "park",
        "retry",
        "queue",
        "complete",
        "fail",
        "cancel",
        "replay",
    )
    for before in STATUSES:
        reachable = set()
        for move in moves:
            try:
                reachable.add(job_states.advance(before, move))
            except job_states.IllegalMove:
                continue
        expected = (
            {"queued"} if before == "failed" else ALLOWED[before] - {before} if before in TERMINAL else ALLOWED[before]
        )
        assert reachable == expected, before


@pytest.mark.parametrize(
    "change",
    [
        "user_id = gen_random_uuid()",
        "job_type = 'inventory'",
        "runtime_profile = 'other'",
        "template_version = 'v9'",
        "period = '2026-11-27'",
        "requested_at = now() - interval '1 day'",
        "attempt = 2",
        "attempt = -1",
        "status = 'lost'",
        "substate = 'lost'",
        "from_stage = 'render'",
        "commit_seq = 1",
    ],
)
def test_what_never_changes_or_never_fits(connection: psycopg.Connection[Any], change: str) -> None:
    assert not allows(connection, job(connection, "running"), change)


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled"])
def test_a_result_never_changes(connection: psycopg.Connection[Any], status: str) -> None:
    done = job(connection, "running")
    assert allows(connection, done, f"status = '{status}', outcome = '{status}', commit_seq = 1, commit_digest = 'a'")
    assert not allows(connection, done, "commit_digest = 'b'")
    assert not allows(connection, done, "outcome = 'no_change'")
    assert allows(connection, done, "published_at = now()")


def test_a_planned_job_exists_once_a_period(connection: psycopg.Connection[Any]) -> None:
    query = "insert into memory_jobs (user_id, job_type, period, triggered_by) values (%s, 'insight', '2026-11-27', %s)"
    connection.execute(query, (USER, "schedule"))
    connection.execute(query, (USER, "operator"))
    with pytest.raises(psycopg.errors.UniqueViolation), connection.transaction():
        connection.execute(query, (USER, "schedule"))


def test_a_workspace_is_its_users_own_folder(connection: psycopg.Connection[Any]) -> None:
    with pytest.raises(psycopg.errors.CheckViolation), connection.transaction():
        connection.execute("update memory_workspaces set workspace_uri = 'gs://b/users/someone-else/'")
