"""The sample users: enough of everything, the same every time, nothing of one user at another's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row

from local.postgres import Postgres
from local.seed import SampleUsers, insert_changes, seed
from local.seed.sample import sample_users
from manifests import export_manifest

pytestmark = pytest.mark.integration

TODAY = date(2026, 11, 27)
_TABLES = [
    table for source in export_manifest().sources for table in source.table_or_wrapper.replace(" ", "").split("+")
]


Connection = psycopg.Connection[dict[str, Any]]


@pytest.fixture(scope="module")
def seeded(postgres: Postgres, template_database: str) -> Iterator[Connection]:
    """A database with the sample users, for tests that only read."""
    name = "sample_users"
    with psycopg.connect(postgres.dsn(), autocommit=True) as admin:
        admin.execute(f"create database {name} template {template_database}")
    with psycopg.connect(postgres.dsn(name), row_factory=dict_row) as connection:
        seed(connection, TODAY)
        yield connection
    with psycopg.connect(postgres.dsn(), autocommit=True) as admin:
        admin.execute(f"drop database {name} with (force)")


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    """An app database without rows."""
    with psycopg.connect(database, row_factory=dict_row) as connection:
        yield connection


@pytest.fixture(scope="module")
def users() -> SampleUsers:
    return sample_users(TODAY)


def rows_of(connection: Connection, table: str, user_id: str) -> list[dict[str, Any]]:
    query = sql.SQL("select t.*, to_jsonb(t)::text as whole from {} t where user_id = %s order by whole")
    return connection.execute(query.format(sql.Identifier(*table.split("."))), (user_id,)).fetchall()


def texts(connection: Connection, user_id: str) -> str:
    return "\n".join(row["whole"] for table in _TABLES for row in rows_of(connection, table, user_id))


def test_main_user_has_rows_in_every_source(seeded: Connection, users: SampleUsers) -> None:
    counts = {table: len(rows_of(seeded, table, users.main.user_id)) for table in _TABLES}
    empty = [table for table, count in counts.items() if count == 0]
    assert not empty, f"local/seed gives the sample user no row in {', '.join(empty)}"
    # Messages are part of their session's record.
    assert sum(counts.values()) - counts["public.chat_messages"] >= 1500


def happened(connection: Connection, users: SampleUsers) -> set[date]:
    """Days of activity; a calendar has days to come as well."""
    rows = rows_of(connection, "social.activity_events", users.main.user_id)
    return {row["occurred_at"].date() for row in rows if row["source"] != "calendar"}


def test_main_user_has_sixty_days_and_enough_for_a_backfill(seeded: Connection, users: SampleUsers) -> None:
    days = happened(seeded, users)
    assert max(days) - min(days) >= timedelta(days=60)
    assert max(days) < TODAY
    for source in export_manifest().sources:
        if source.sufficient_at and "+" not in source.table_or_wrapper:
            rows = rows_of(seeded, source.table_or_wrapper, users.main.user_id)
            assert len(rows) >= source.sufficient_at, source.source_key


def test_the_story_is_in_the_rows(seeded: Connection, users: SampleUsers) -> None:
    text = texts(seeded, users.main.user_id)
    assert 8 <= len(users.people) <= 12
    assert 4 <= len(users.projects) <= 5
    for name in (*users.people, *users.projects, users.injection_canary, *users.secret_canaries):
        assert name in text
    for subject, claimed, other in users.contradictions:
        assert f"{subject} is on {claimed}" in text or f"{subject} is {claimed}" in text
        assert f"{subject} is on {other}" in text or f"{subject} is {other}" in text
    items = {row["title"]: row for row in rows_of(seeded, "public.checklist_items", users.main.user_id)}
    assert all(not items[title]["checked"] and items[title]["due_at"].date() > TODAY for title in users.open_loops)
    assert items[users.changed_title]["updated_at"] > items[users.changed_title]["created_at"]
    assert users.deleted_title not in items
    assert max(len(title) for title in items) > 4000


def test_the_deleted_row_left_a_tombstone(seeded: Connection, users: SampleUsers) -> None:
    rows = seeded.execute("select * from public.memory_tombstones where user_id = %s", (users.main.user_id,))
    assert len(rows.fetchall()) == 1


def test_canaries_stay_with_their_user(seeded: Connection, users: SampleUsers) -> None:
    canaries = {user.canary for user in users.all}
    assert len(canaries) == 3
    for user in users.all:
        text = texts(seeded, user.user_id)
        assert {canary for canary in canaries if canary in text} == {user.canary}


def test_same_day_same_rows(seeded: Connection, connection: Connection, users: SampleUsers) -> None:
    assert seed(connection, TODAY) == users
    for user in users.all:
        assert texts(connection, user.user_id) == texts(seeded, user.user_id)


def test_another_day_moves_every_date(connection: Connection) -> None:
    users = seed(connection, TODAY + timedelta(days=400))
    days = happened(connection, users)
    assert TODAY + timedelta(days=300) < min(days) < max(days) < TODAY + timedelta(days=400)


def test_changes_are_new_changed_and_deleted_and_come_once(connection: Connection) -> None:
    users = seed(connection, TODAY)
    connection.commit()
    before = connection.execute("select now() as now").fetchone()
    assert before
    changes = insert_changes(connection, users, TODAY)
    transcripts = rows_of(connection, "granola1.granola_transcripts", users.main.user_id)
    (meeting,) = [row for row in transcripts if row["title"] == changes["new_meeting"]]
    assert meeting["updated_at"] >= before["now"]
    items = {row["title"]: row for row in rows_of(connection, "public.checklist_items", users.main.user_id)}
    assert items[changes["checked_item"]]["checked"]
    assert items[changes["changed_item"]]["updated_at"] >= before["now"]
    drafts = {row["title"] for row in rows_of(connection, "public.agentic_drafts", users.main.user_id)}
    assert changes["deleted_draft"] not in drafts
    connection.commit()
    with pytest.raises(psycopg.errors.UniqueViolation):
        insert_changes(connection, users, TODAY)
    connection.rollback()
    with pytest.raises(psycopg.errors.UniqueViolation):
        seed(connection, TODAY)


def test_changes_need_the_sample_users(connection: Connection, users: SampleUsers) -> None:
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        insert_changes(connection, users, TODAY)
