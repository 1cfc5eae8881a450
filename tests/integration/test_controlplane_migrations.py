"""Migrations: order, once each, unchanged history, two at once; schema.sql and the export make the same database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from controlplane import migrate as migrations
from controlplane import schema
from controlplane.migrate import Migration, MigrationError, migrate
from local.app import fixture

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


def test_schema_sql_is_current() -> None:
    assert schema.FILE.read_text() == schema.render(migrations.load()), "run: python -m controlplane.schema write"


def test_schema_sql_makes_the_same_database_as_the_migrations(empty_database: str, shared_database: str) -> None:
    fixture.install_app(empty_database)
    run(empty_database, schema.FILE.read_text())
    found = catalog(empty_database)
    assert len(found) > 500
    assert found == catalog(shared_database)


def test_the_files_for_the_apps_repository_do_too(empty_database: str, shared_database: str, tmp_path: Path) -> None:
    files = schema.export(migrations.load(), tmp_path, "20261127140000")
    assert files[0].name == "20261127140000_memory_runtime_pre_control_plane.sql"
    assert files == sorted(files)
    fixture.install_app(empty_database)
    for path in files:
        run(empty_database, path.read_text())
    assert catalog(empty_database) == catalog(shared_database)
    with pytest.raises(ValueError, match="stamp"):
        schema.export(migrations.load(), tmp_path, "today")


def test_migrating_twice_or_by_two_at_once_applies_each_once(empty_database: str) -> None:
    fixture.install_app(empty_database)
    with ThreadPoolExecutor(2) as pool:
        done = [future.result() for future in [pool.submit(migrate, empty_database) for _ in range(2)]]
    assert sorted(done, key=len) == [[], [m.name for m in migrations.load()]]
    assert migrate(empty_database) == []


def test_an_edited_or_missing_history_is_refused(shared_database: str) -> None:
    known = Migration("0001_pre_x.sql", "select 1")
    with pytest.raises(MigrationError, match="was changed"):
        migrations._pending([known], {known.name: "other"})
    with pytest.raises(MigrationError, match="is not here"):
        migrations._pending([], {known.name: known.sha256})
    assert migrations._pending([known], {known.name: known.sha256}) == []


def test_post_files_only_follow_what_is_there() -> None:
    for migration in migrations.load():
        assert migration.phase in {"pre", "post"}
        if migration.phase == "pre":
            words = migration.sql.lower()
            for removal in ("drop table", "drop column", "drop view", "set not null", "rename "):
                assert removal not in words, f"{migration.name} has {removal!r}: that belongs into a post file"
