"""Our triggers on the app's tables: whatever happens to our rows, the app's statement neither waits nor fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from local.logins import AUTH, SUPERUSER
from tests.fixtures_controlplane import BUCKET, CONSUMER, World

SWITCH = "insert into memory_signup (bucket, cap) values (%s, 10)"
#: The app would rather fail than wait this long; no test comes near it unless a trigger waits.
APP_TIMEOUT = "set statement_timeout = '60s'"


@contextmanager
def session(world: World, **values: str) -> Iterator[psycopg.Connection[Any]]:
    """Another session on the database, in a transaction that is rolled back at the end."""
    with psycopg.connect(make_conninfo(world.dsn, **values)) as connection:
        yield connection
        connection.rollback()


def rule(world: World, user: str) -> str:
    query = "insert into user_rules (user_id, rule_text) values (%s, 'x') returning id"
    return str(world.sql(query, user)[0]["id"])


def tombstones(world: World) -> list[str]:
    return [row["record_id"] for row in world.sql("select record_id from memory_tombstones order by record_id")]


def missed(world: World) -> list[tuple[str, str, str]]:
    rows = world.sql("select work, user_id::text, error from memory_missed order by id")
    return [(row["work"], row["user_id"], row["error"]) for row in rows]


def sweep(world: World) -> None:
    tick = {"kind": "sweep", "period": "2026-11-27T14", "tick_id": "t", "page": None}
    assert world.call("POST", "/memory-ticks", world.issuer.token(CONSUMER), tick).is_success


def sign_up(world: World, email: str = "new@example.com") -> str:
    """As Supabase's auth server does it."""
    with psycopg.connect(make_conninfo(world.dsn, user=AUTH)) as connection:
        connection.execute(APP_TIMEOUT)
        row = connection.execute("insert into users (email) values (%s) returning id", (email,)).fetchone()
    assert row is not None
    return str(row[0])


def workspaces(world: World) -> list[str]:
    return [str(row["user_id"]) for row in world.sql("select user_id from memory_workspaces")]


# --- deleted rows --------------------------------------------------------------------------------------------------


def test_a_tombstone_that_another_session_holds_is_not_waited_for_and_comes_later(world: World) -> None:
    user = world.user()
    gone = rule(world, user)
    world.sql("insert into memory_tombstones values ('user_rules', %s, %s, null, '2020-01-01')", gone, user)
    with session(world) as other:
        other.execute("select * from memory_tombstones for update")
        world.sql(APP_TIMEOUT)
        world.sql("delete from user_rules where id = %s", gone)
        assert missed(world) == [("tombstone", user, "55P03")]
    sweep(world)
    assert missed(world) == []
    assert world.sql("select 1 from memory_tombstones where record_id = %s and deleted_at > '2026-01-01'", gone)


def test_a_table_that_a_migration_holds_is_not_waited_for(world: World) -> None:
    user = world.user()
    gone = rule(world, user)
    with session(world) as migration:
        migration.execute("lock table memory_tombstones in access exclusive mode")
        world.sql(APP_TIMEOUT)
        world.sql("delete from user_rules where id = %s", gone)
    assert missed(world) == [("tombstone", user, "55P03")]
    sweep(world)
    assert tombstones(world) == [gone]


def test_rights_that_were_taken_from_the_owner_do_not_fail_the_app(own_world: World) -> None:
    world, user = own_world, own_world.user()
    gone = rule(world, user)
    world.sql("revoke all on memory_tombstones from postgres, service_role")
    world.sql("delete from user_rules where id = %s", gone)
    assert missed(world) == [("tombstone", user, "42501")]
    sweep(world)
    assert missed(world) == [("tombstone", user, "42501")], "it stays until it can be done"
    world.sql("grant select, insert, update on memory_tombstones to postgres")
    sweep(world)
    assert (missed(world), tombstones(world)) == ([], [gone])


def test_a_statement_timeout_within_our_part_ends_our_part_alone(own_world: World) -> None:
    world, user = own_world, own_world.user()
    gone = rule(world, user)
    world.sql(
        "create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(600); return new; end $$"
    )
    world.sql("create trigger slow before insert on memory_tombstones for each row execute function slow()")
    world.sql("set statement_timeout = '100ms'")
    world.sql("delete from user_rules where id = %s", gone)
    world.sql("reset statement_timeout")
    assert world.sql("select 1 from user_rules where id = %s", gone) == []
    assert missed(world) == [("tombstone", user, "57014")]


def test_where_even_the_note_fails_the_app_goes_on_with_a_warning(own_world: World) -> None:
    world, user = own_world, own_world.user()
    gone = rule(world, user)
    world.sql("drop table memory_missed")
    world.sql("drop table memory_tombstones cascade")
    warned: list[str] = []
    world.db.add_notice_handler(lambda notice: warned.append(notice.message_primary or ""))
    world.sql("delete from user_rules where id = %s", gone)
    assert world.sql("select 1 from user_rules where id = %s", gone) == []
    assert len(warned) == 1
    assert user in warned[0]


def test_an_account_that_is_deleted_leaves_no_tombstones(world: World) -> None:
    """The deletion cascades into every table of the app: what is known of the account goes by other ways."""
    gone, kept = world.user("gone@example.com"), world.user("kept@example.com")
    for user in (gone, kept):
        rule(world, user)
    with psycopg.connect(make_conninfo(world.dsn, user=AUTH)) as connection:
        connection.execute("delete from users where id = %s", (gone,))
    assert world.sql("select 1 from user_rules where user_id = %s", gone) == []
    assert tombstones(world) == []
    world.sql("delete from user_rules")
    assert len(tombstones(world)) == 1


def test_what_was_missed_of_an_account_that_is_gone_is_dropped(world: World) -> None:
    user = world.user()
    note = "insert into memory_missed (work, user_id, error) values (%s, %s, '55P03')"
    world.sql(note, "tombstone", user)
    world.sql(note, "sign_up", user)
    world.sql("delete from memory_workspaces")
    world.sql(SWITCH, BUCKET)
    world.sql("delete from auth.users")
    sweep(world)
    assert (missed(world), tombstones(world), workspaces(world)) == ([], [], [])


def test_one_failure_of_catching_up_is_no_others(world: World) -> None:
    user = world.user()
    note = "insert into memory_missed (work, user_id, details, error) values ('tombstone', %s, %s, '55P03')"
    world.sql(note, user, "{}")
    world.sql(note, user, '{"source": "user_rules", "record": "r"}')
    sweep(world)
    assert (missed(world), tombstones(world)) == ([("tombstone", user, "23502")], ["r"])
    [row] = world.sql("select tried_at from memory_missed")
    assert row["tried_at"] is not None, "the next sweep tries others first"


# --- sign-ups ------------------------------------------------------------------------------------------------------


def test_a_sign_up_does_not_wait_for_our_tables_and_the_memory_comes_with_the_next_sweep(world: World) -> None:
    world.sql(SWITCH, BUCKET)
    with session(world) as migration:
        migration.execute("lock table memory_workspaces in access exclusive mode")
        user = sign_up(world)
    assert missed(world) == [("sign_up", user, "55P03")]
    assert workspaces(world) == []
    sweep(world)
    assert (missed(world), workspaces(world)) == ([], [user])


def test_a_sign_up_by_the_auth_server_needs_no_right_of_its_own(world: World) -> None:
    world.sql(SWITCH, BUCKET)
    user = sign_up(world)
    assert (missed(world), workspaces(world)) == ([], [user])


def test_a_sign_up_outlives_a_timeout_and_rights_that_are_gone(own_world: World) -> None:
    world = own_world
    world.sql(SWITCH, BUCKET)
    world.sql("revoke all on memory_workspaces from postgres, service_role, memory_service")
    user = sign_up(world)
    assert missed(world) == [("sign_up", user, "42501")]
    world.sql("grant all on memory_workspaces to postgres")
    world.sql(
        "create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(600); return new; end $$"
    )
    world.sql("create trigger slow before insert on memory_workspaces for each row execute function slow()")
    with psycopg.connect(make_conninfo(world.dsn, user=AUTH), autocommit=True) as connection:
        connection.execute("set statement_timeout = '100ms'")
        connection.execute("insert into users (email) values ('slow@example.com')")
    assert [error for _, _, error in missed(world)] == ["42501", "57014"]
    assert len(world.sql("select 1 from auth.users")) == 2


# --- many rows, and transactions that take others into account ------------------------------------------------------


def test_a_transaction_that_was_kept_from_its_work_once_only_notes_the_rest(own_world: World) -> None:
    """5,000 rows must not wait for the same lock 5,000 times."""
    world, user = own_world, own_world.user()
    gone = sorted(rule(world, user) for _ in range(20))
    world.sql("create sequence tries")
    world.sql(
        "create function busy() returns trigger language plpgsql as"
        " $$ begin perform nextval('public.tries'); raise lock_not_available; end $$"
    )
    world.sql("create trigger busy before insert on memory_tombstones for each row execute function busy()")
    world.sql("delete from user_rules where user_id = %s", user)
    assert world.sql("select last_value from tries") == [{"last_value": 1}]
    assert missed(world) == [("tombstone", user, "55P03")] * 20
    world.sql("drop trigger busy on memory_tombstones")
    world.sql("delete from user_rules where id = %s", rule(world, user))
    assert len(tombstones(world)) == 1, "the next transaction works at once again"
    sweep(world)
    assert missed(world) == []
    assert set(gone) < set(tombstones(world))


def test_where_even_the_note_is_held_up_one_wait_and_one_warning_serve_all_rows(world: World) -> None:
    user = world.user()
    world.sql("insert into user_rules (user_id, rule_text) select %s, 'x' from generate_series(1, 20)", user)
    warned: list[str] = []
    world.db.add_notice_handler(lambda notice: warned.append(notice.message_primary or ""))
    with session(world) as migration:
        migration.execute("lock table memory_tombstones, memory_missed in access exclusive mode")
        world.sql("delete from user_rules where user_id = %s", user)
    assert world.sql("select 1 from user_rules where user_id = %s", user) == []
    assert len(warned) == 1
    assert user in warned[0]


def test_serializable_sign_ups_do_not_fail_each_other(world: World) -> None:
    """Counting the enabled users at each would make one of two concurrent commits fail."""
    world.sql(SWITCH, BUCKET)
    dsn = make_conninfo(world.dsn, user=AUTH)
    with psycopg.connect(dsn) as first, psycopg.connect(dsn) as second:
        for connection in (first, second):
            connection.isolation_level = psycopg.IsolationLevel.SERIALIZABLE
        first.execute("insert into users (email) values ('first@example.com')")
        second.execute("insert into users (email) values ('second@example.com')")
        first.commit()
        second.commit()
    assert workspaces(world) == []
    sweep(world)
    assert (len(workspaces(world)), missed(world)) == (2, [])


def test_serializable_deletions_are_noted_and_carried_out_by_the_sweep(world: World) -> None:
    user = world.user()
    gone = rule(world, user)
    with psycopg.connect(world.dsn) as app:
        app.isolation_level = psycopg.IsolationLevel.SERIALIZABLE
        app.execute("delete from user_rules where id = %s", (gone,))
    assert missed(world) == [("tombstone", user, "40001")]
    sweep(world)
    assert (missed(world), tombstones(world)) == ([], [gone])


@pytest.mark.parametrize("function", ["leave_tombstone", "enable_at_signup", "note_account_change"])
def test_no_trigger_on_the_apps_tables_may_wait(world: World, function: str) -> None:
    [row] = world.sql("select proconfig from pg_proc where proname = %s", function)
    assert "lock_timeout=1ms" in row["proconfig"]


def test_every_trigger_of_ours_on_a_table_of_the_app_is_one_of_these(world: World) -> None:
    """A trigger that is added belongs into the tests above; ``mark_news`` has its own in test_marks_of_news."""
    rows = world.sql(
        "select distinct p.proname from pg_trigger t join pg_proc p on p.oid = t.tgfoid"
        " join pg_class c on c.oid = t.tgrelid"
        " where p.pronamespace = 'memory_private'::regnamespace and c.relname not like 'memory%%'"
    )
    assert {row["proname"] for row in rows} == {
        "leave_tombstone",
        "enable_at_signup",
        "note_account_change",
        "mark_news",
    }


def test_only_the_superuser_and_the_owner_see_what_was_missed(world: World) -> None:
    with session(world, user=SUPERUSER) as connection:
        for role in ("anon", "authenticated", "service_role", "memory_controlplane", "memory_relay"):
            connection.execute(f"set role {role}".encode())
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute("select * from public.memory_missed")
            connection.execute("reset role")
