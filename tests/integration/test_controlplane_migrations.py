"""Migrations: order, once each, unchanged history, two at once; schema.sql and the export make the same database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from controlplane import migrate as migrations
from controlplane import schema
from controlplane.migrate import Migration, migrate
from local.app import fixture
from tests.fixtures_controlplane import CONSUMER, Issuer, opened_world

#: Everything that a database is made of, as text: what two databases must have in common to be the same.
CATALOG = """
with here as (select c.* from pg_class c where c.relnamespace::regnamespace::text = any(%(schemas)s))
select 'column', c.oid::regclass::text, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text,
  coalesce(pg_get_expr(d.adbin, d.adrelid), '') || a.attidentity::text
from pg_attribute a join here c on c.oid = a.attrelid
left join pg_attrdef d on (d.adrelid, d.adnum) = (c.oid, a.attnum)
where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v')
union all select 'view', c.oid::regclass::text, pg_get_viewdef(c.oid), array_to_string(c.reloptions, ','), '', ''
from here c where c.relkind = 'v'
union all select 'grants', c.oid::regclass::text, c.relacl::text, c.relrowsecurity::text, '', ''
from here c where c.relkind in ('r', 'v', 'S')
union all select 'index', i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid), i.indisvalid::text, '', ''
from pg_index i join here c on c.oid = i.indrelid
union all select 'constraint', n.conrelid::regclass::text, n.conname, pg_get_constraintdef(n.oid), '', ''
from pg_constraint n where n.connamespace::regnamespace::text = any(%(schemas)s)
union all select 'function', p.oid::regprocedure::text, pg_get_functiondef(p.oid), coalesce(p.proacl::text, ''), '', ''
from pg_proc p where p.pronamespace::regnamespace::text = any(%(schemas)s)
union all select 'trigger', t.tgrelid::regclass::text, t.tgname, pg_get_triggerdef(t.oid), t.tgenabled::text, ''
from pg_trigger t where not t.tgisinternal
union all select 'policy', p.polrelid::regclass::text, p.polname, pg_get_expr(p.polqual, p.polrelid), p.polcmd::text,
  p.polroles::regrole[]::text from pg_policy p
union all select 'schema', nspname, coalesce(nspacl::text, ''), '', '', ''
from pg_namespace where nspname = any(%(schemas)s)
order by 1, 2, 3, 4, 5, 6
"""
SCHEMAS = ["public", "memory_private", "memory_export", "granola1", "social", "msg", "rules", "auth"]


def catalog(dsn: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(dsn) as connection:
        return connection.execute(CATALOG.encode(), {"schemas": SCHEMAS}).fetchall()


def run(dsn: str, script: str) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute(script.encode())


def test_schema_sql_makes_the_same_database_as_the_migrations(empty_database: str, shared_database: str) -> None:
    fixture.install_app(empty_database)
    run(empty_database, schema.FILE.read_text())
    objects = catalog(empty_database)
    assert len(objects) > 500
    assert objects == catalog(shared_database)


def test_the_files_for_the_apps_repository_do_too(empty_database: str, shared_database: str, tmp_path: Path) -> None:
    files = schema.export(migrations.load(), tmp_path, "20261127140000")
    assert files[0].name == "20261127140000_memory_runtime_pre_control_plane.sql"
    assert files == sorted(files)
    fixture.install_app(empty_database)
    for path in files:
        run(empty_database, path.read_text())
    assert catalog(empty_database) == catalog(shared_database)


def test_migrating_twice_or_by_two_at_once_applies_each_once(empty_database: str) -> None:
    fixture.install_app(empty_database)
    with ThreadPoolExecutor(2) as pool:
        done = [future.result() for future in [pool.submit(migrate, empty_database) for _ in range(2)]]
    assert sorted(done, key=len) == [[], [m.name for m in migrations.load()]]
    assert migrate(empty_database) == []


#: What older code names: columns of tables and views with their types, and functions with their results.
NAMED = """
select c.oid::regclass::text || '.' || a.attname, format_type(a.atttypid, a.atttypmod),
  c.relkind = 'r' and a.attnotnull and not a.atthasdef and a.attidentity = ''
from pg_attribute a join pg_class c on c.oid = a.attrelid
where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v')
  and c.relnamespace::regnamespace::text = any(%(s)s)
union all select p.oid::regprocedure::text, pg_get_function_result(p.oid), false
from pg_proc p where p.pronamespace::regnamespace::text = any(%(s)s)
"""


def _named(connection: psycopg.Connection[Any]) -> dict[str, tuple[str, bool]]:
    """Name -> type, and whether an insert has to give it."""
    rows = connection.execute(NAMED.encode(), {"s": SCHEMAS}).fetchall()
    return {name: (kind, required) for name, kind, required in rows}


def test_code_of_before_a_migration_goes_on_after_it(empty_database: str) -> None:
    """What it names is still there with the same type, and its inserts need no more than they gave."""
    fixture.install_app(empty_database)
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute(migrations.LEDGER.encode())
        for migration in migrations.load():
            before = _named(connection)
            migrations._apply(connection, migration)
            after = _named(connection)
            assert {name: kind for name, (kind, _) in before.items()}.items() <= {
                name: kind for name, (kind, _) in after.items()
            }.items(), migration.name
            tables = {name.rpartition(".")[0] for name in before}
            asked = {
                name for name in after.keys() - before.keys() if after[name][1] and name.rpartition(".")[0] in tables
            }
            assert asked == set(), migration.name
            tightened = {name for name in before if after[name][1] and not before[name][1]}
            assert tightened == set(), migration.name


def test_the_switch_for_new_accounts_follows_the_default_and_users_keep_their_profile(empty_database: str) -> None:
    fixture.install_app(empty_database)
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute(migrations.LEDGER.encode())
        for migration in migrations.load():
            if migration.name.endswith("_narrow_profile.sql"):
                connection.execute("insert into memory_signup (bucket, cap) values ('test-workspaces', 9)")
                connection.execute("insert into auth.users (email) values ('before@example.com')")
            migrations._apply(connection, migration)
        connection.execute("insert into auth.users (email) values ('after@example.com')")
        rows = connection.execute(
            "select email, runtime_profile from memory_workspaces join auth.users u on u.id = user_id order by email"
        ).fetchall()
    assert rows == [("after@example.com", "user-memory-prod"), ("before@example.com", "internal-full")]


def test_new_code_works_before_the_post_files(
    empty_database: str, issuer: Issuer, signing_key: ec.EllipticCurvePrivateKey, tmp_path: Path
) -> None:
    fixture.install_app(empty_database)
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute(migrations.LEDGER.encode())
        for migration in migrations.load():
            if migration.phase == "pre":
                migrations._apply(connection, migration)
    with opened_world(empty_database, issuer, signing_key, tmp_path) as world:
        user = world.user()
        world.sql("insert into public.user_rules (user_id, rule_text) values (%s, 'Short sentences.')", user)
        job = world.job(user)
        token = world.token(job)
        counted = world.batch(job, token, mode="inventory")
        assert counted.json()["source_counts"]["user_rules"] == 1
        assert [record["data"]["rule_text"] for record in world.batch(job, token).json()["records"]] == [
            "Short sentences."
        ]
        assert world.progress(job, token, stage="export").is_success
        assert world.complete(job, token).json() == {"status": "completed"}
        tick = {"kind": "hourly", "period": "2026-11-27T14", "tick_id": "t", "page": None}
        assert world.call("POST", "/memory-ticks", world.issuer.token(CONSUMER), tick).is_success
        assert world.operate("GET", "/memory-queue").is_success


def test_a_busy_table_is_given_up_and_the_next_run_goes_on(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixture.install_app(empty_database)
    migrate(empty_database)
    new = Migration(f"{len(migrations.load()) + 1:04d}_pre_new.sql", "alter table memory_jobs add column new text;")
    known = migrations.load()
    monkeypatch.setattr(migrations, "load", lambda: [*known, new])
    monkeypatch.setattr(migrations, "LOCK_TIMEOUT", "200ms")
    with psycopg.connect(empty_database) as reader:
        reader.execute("select count(*) from memory_jobs")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            migrate(empty_database)
    monkeypatch.setattr(migrations, "LOCK_TIMEOUT", "60s")
    assert migrate(empty_database) == [new.name]


def test_post_files_only_follow_what_is_there() -> None:
    for migration in migrations.load():
        assert migration.phase in {"pre", "post"}
        if migration.phase == "pre":
            words = migration.sql.lower()
            for removal in ("drop table", "drop column", "drop view", "set not null", "rename "):
                assert removal not in words, f"{migration.name} has {removal!r}: that belongs into a post file"
