"""What runs every few seconds over the queue reads the rows that are due, and not all that wait for a later hour."""

from __future__ import annotations

import psycopg
import pytest

import controlplane.db
import publisher.outbox
from local.logins import CONTROLPLANE, RELAY
from tests.fixtures_postgres import as_login

VALUES = {"stale_s": 180, "keep_s": 3600, "limit": 100}
QUERIES = {RELAY: publisher.outbox.queries, CONTROLPLANE: controlplane.db.queries}


@pytest.mark.parametrize(
    ("login", "name", "index"),
    [
        (RELAY, "enqueue_due", "memory_jobs_retry"),
        (RELAY, "enqueue_stale", "memory_jobs_silent"),
        (CONTROLPLANE, "republish_stale", "memory_jobs_silent"),
        (CONTROLPLANE, "delete_published", "memory_outbox_published"),
        (CONTROLPLANE, "drop_old_marks", "memory_news_at"),
    ],
)
def test_an_index_finds_the_rows_that_are_due(shared_database: str, login: str, name: str, index: str) -> None:
    with psycopg.connect(as_login(shared_database, login)) as connection:
        # In an empty table, reading everything would be cheapest.
        connection.execute("set enable_seqscan = off")
        plan = [row[0].strip() for row in connection.execute(b"explain " + QUERIES[login]()[name], VALUES)]
    at = next((number for number, line in enumerate(plan) if f"{index} " in line), None)
    assert at is not None, plan
    assert plan[at + 1].startswith("Index Cond:"), plan
    assert "statement_timestamp()" in plan[at + 1], plan
