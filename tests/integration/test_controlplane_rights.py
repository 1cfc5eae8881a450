"""
The three documented logins have the rights that are declared, no more; and /readyz names whichever is taken away.

Each right is taken away in turn, and given back by the statement that /readyz offers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from psycopg.conninfo import make_conninfo
from psycopg.rows import dict_row

import manifests
from contract import rights
from contract.rights import Grantee, Right
from controlplane.db import Database, open_pool
from controlplane.readiness import Readiness
from local.app import fixture
from local.logins import CONTROLPLANE, OWNER, READER, RELAY, SUPERUSER
from local.postgres import Postgres
from tests.fixtures_controlplane import Issuer, World, opened_world
from tests.fixtures_postgres import as_login

VIEWS = [entry.view for entry in manifests.export_manifest().sources]
EXPORT = rights.reader(VIEWS)
GRANTEES = {CONTROLPLANE: rights.SERVICE, READER: EXPORT, RELAY: rights.PUBLISHER}
ROOT = Path(__file__).parents[2]

#: Every privilege that a role was given by name, wherever it stands.
GRANTED = """
with acl as (
  select 'schema' as kind, nspname::text as name, '' as "column", (aclexplode(nspacl)).* from pg_namespace
  union all
  select 'table', n.nspname || '.' || c.relname, '', (aclexplode(c.relacl)).*
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  union all
  select 'table', n.nspname || '.' || c.relname, a.attname, (aclexplode(a.attacl)).*
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  union all
  select 'function', n.nspname || '.' || p.proname || '(' || oidvectortypes(p.proargtypes) || ')', '',
    (aclexplode(p.proacl)).*
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
)
select lower(privilege_type) as privilege, kind, name, "column" from acl where grantee = to_regrole(%s)
"""


@pytest.fixture(scope="module")
def module_world(
    postgres: Postgres,
    template_database: str,
    issuer: Issuer,
    signing_key: ec.EllipticCurvePrivateKey,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[World]:
    """One database for the tests that take a right away and give it back."""
    with psycopg.connect(postgres.dsn(), autocommit=True) as admin:
        admin.execute(f"create database rights template {template_database}".encode())
    with opened_world(postgres.dsn("rights"), issuer, signing_key, tmp_path_factory.mktemp("keys")) as world:
        world.services.readiness.keep_s = 0
        yield world


def readyz(world: World) -> tuple[int, Any]:
    answer = world.client.get("/readyz")
    return answer.status_code, answer.json()


def lacks_of(dsn: str, login: str, grantee: Grantee, *, owner: bool = False) -> list[rights.Lack]:
    with psycopg.connect(as_login(dsn, login), row_factory=dict_row) as connection:
        return rights.lacking(connection.execute, grantee, owner=owner)


@contextmanager
def superuser(dsn: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(make_conninfo(dsn, user=SUPERUSER), autocommit=True) as connection:
        yield connection


def taken(right: Right, role: str) -> str:
    column = f" ({right.column})" if right.column else ""
    kind = "" if right.kind == "table" else right.kind
    return f"revoke {right.privilege}{column} on {kind} {right.name} from {role}"


def test_all_is_there_for_the_documented_logins(module_world: World) -> None:
    assert readyz(module_world) == (200, {"status": "ready"})
    assert lacks_of(module_world.dsn, RELAY, rights.PUBLISHER) == []


@pytest.mark.parametrize("login", GRANTEES)
def test_what_is_granted_is_what_is_declared(module_world: World, login: str) -> None:
    """A grant that nobody declared is too much, or one that /readyz would not miss."""
    granted = {Right(**row) for row in module_world.sql(GRANTED, GRANTEES[login].role)}
    assert granted == set(GRANTEES[login].rights), "contract/rights.py and the migrations disagree"
    if login != GRANTEES[login].role:
        assert module_world.sql(GRANTED, login) == [], f"{login} has rights only as a member"


@pytest.mark.parametrize(
    ("login", "right"),
    [pytest.param(login, right, id=f"{login}: {right}") for login, of in GRANTEES.items() for right in of.rights],
)
def test_a_right_that_is_taken_away_is_named_and_the_remedy_gives_it_back(
    module_world: World, login: str, right: Right
) -> None:
    world, role = module_world, GRANTEES[login].role
    if right == Right("usage", "schema", "public"):
        # PUBLIC has it as well, so that taking away the grant alone takes nothing away.
        world.sql("revoke usage on schema public from public")
    world.sql(taken(right, role))
    if login == RELAY:
        lacks = lacks_of(world.dsn, RELAY, rights.PUBLISHER)
        missing, remedies = [lack.text for lack in lacks], [lack.remedy for lack in lacks]
    else:
        status, body = readyz(world)
        assert (status, body["error"]["code"]) == (503, "rights_missing")
        missing, remedies = body["missing"], body["remedies"]
        assert str(right) in body["error"]["message"]
        assert remedies[0] in body["error"]["hint"]
    assert missing == [f"{right} (role {role})"]
    for remedy in remedies:
        world.sql(remedy)
    world.sql("grant usage on schema public to public")
    assert readyz(world) == (200, {"status": "ready"})


def policies(dsn: str) -> list[tuple[str, str, str]]:
    with psycopg.connect(dsn) as connection:
        return connection.execute(
            "select polname, polrelid::regclass::text, r::regrole::text from pg_policy, unnest(polroles) r"
            " where r = any(array['memory_service', 'memory_publisher', 'memory_export_reader']::regrole[]::oid[])"
        ).fetchall()


def test_a_policy_that_is_dropped_is_named_and_the_remedy_gives_it_back(module_world: World) -> None:
    """Found in the catalog: whichever policy a migration adds is tried here as well."""
    world, existing = module_world, policies(module_world.dsn)
    assert {role for _, _, role in existing} == {"memory_service", "memory_publisher"}
    for name, table, role in existing:
        world.sql(f"drop policy {name} on {table}")
        login = {of.role: login for login, of in GRANTEES.items()}[role]
        lacks = lacks_of(world.dsn, login, GRANTEES[login])
        assert lacks, f"nobody misses policy {name} on {table}"
        assert all(table.split(".")[-1] in lack.text and "row level security" in lack.text for lack in lacks)
        if login == CONTROLPLANE:
            assert readyz(world)[1]["missing"] == [lack.text for lack in lacks]
        [remedy] = {lack.remedy for lack in lacks}
        world.sql(remedy)
        assert lacks_of(world.dsn, login, GRANTEES[login]) == []


@pytest.mark.parametrize("login", [CONTROLPLANE, RELAY])
def test_a_login_that_is_no_member_is_told_the_one_statement_that_helps(module_world: World, login: str) -> None:
    role = GRANTEES[login].role
    module_world.sql(f"revoke {role} from {login}")
    try:
        first, *others = lacks_of(module_world.dsn, login, GRANTEES[login])
    finally:
        module_world.sql(f"grant {role} to {login}")
    assert first.text == f"membership of {login} in {role}"
    assert first.remedy == f"grant {role} to {login};"
    assert len(others) >= len(GRANTEES[login].rights) - 1
    assert lacks_of(module_world.dsn, login, GRANTEES[login]) == []


def test_a_restrictive_policy_is_named(module_world: World) -> None:
    """One of ours is dropped by the remedy; past one of the app's only an exempt owner sees."""
    module_world.sql("create policy \"The most\" on memory_jobs as restrictive using (job_type <> 'insight')")
    answer = readyz(module_world)[1]
    assert all('a restrictive policy hides some: "The most"' in text for text in answer["missing"])
    [remedy] = answer["remedies"][:1]
    assert set(answer["remedies"]) == {remedy}
    module_world.sql(remedy)
    assert readyz(module_world)[0] == 200


def test_past_a_restrictive_policy_of_the_app_only_an_exempt_owner_sees(own_world: World) -> None:
    world = own_world
    world.sql("alter table social.contacts enable row level security")
    world.sql("alter table social.contacts force row level security")
    world.sql("create policy everybody on social.contacts using (true)")
    world.sql("create policy recent on social.contacts as restrictive using (created_at > now() - interval '1 day')")
    with superuser(world.dsn) as connection:
        connection.execute(f"alter role {OWNER} nobypassrls".encode())
        try:
            world.services.readiness.keep_s = 0
            answer = readyz(world)[1]
            remedies = dict(zip(answer["missing"], answer["remedies"], strict=True))
            [remedy] = [remedy for text, remedy in remedies.items() if "social.contacts" in text]
            assert "everybody" not in remedy
            connection.execute(remedy.encode())
            assert readyz(world)[0] == 200
        finally:
            connection.execute(f"alter role {OWNER} bypassrls".encode())


def test_the_remedy_works_for_a_login_that_inherits_nothing_and_has_an_unusual_name(own_world: World) -> None:
    world = own_world
    login = "Memory-control plane"
    world.sql(f"create role \"{login}\" login noinherit password 'x' in role memory_service")
    try:
        lack = lacking_of(world.dsn, login)[0]
        assert lack.text == f'membership of "{login}" in memory_service'
        world.sql(lack.remedy)
        assert lacking_of(world.dsn, login) == []
    finally:
        world.sql(f'drop role "{login}"')


def lacking_of(dsn: str, login: str) -> list[rights.Lack]:
    with psycopg.connect(make_conninfo(dsn, user=login, password="x"), row_factory=dict_row) as connection:
        return rights.lacking(connection.execute, rights.SERVICE)


@pytest.mark.parametrize("right", rights.OWNER, ids=str)
def test_what_triggers_and_definer_functions_need_is_named_too(module_world: World, right: Right) -> None:
    with superuser(module_world.dsn) as connection:
        connection.execute(f"revoke {right.privilege} on {right.name} from {OWNER}".encode())
        # Supabase's postgres is a member of these, which have the right as well.
        connection.execute(f"revoke pg_read_all_data, service_role, authenticated from {OWNER}".encode())
        try:
            missing = readyz(module_world)[1]["missing"]
        finally:
            connection.execute(f"grant {right.privilege} on {right.name} to {OWNER}".encode())
            connection.execute(
                f"grant pg_read_all_data, service_role, authenticated to {OWNER} with admin option".encode()
            )
    assert f"{right} (role {OWNER})" in missing
    assert readyz(module_world)[0] == 200


def test_an_owner_from_whom_row_level_security_hides_rows_is_named(module_world: World) -> None:
    """Where the migrating role has no BYPASSRLS, auth.users has no row for it: a memory would be empty, silently."""
    with superuser(module_world.dsn) as connection:
        connection.execute(f"alter role {OWNER} nobypassrls".encode())
        try:
            missing = readyz(module_world)[1]["missing"]
            # Its own tables it sees, unless they are forced on their owner too.
            assert [text for text in missing if "row level security" not in text or "auth.users" not in text] == []
            assert len(missing) == 1
            module_world.sql("alter table social.contacts force row level security")
            assert any("social.contacts" in text for text in readyz(module_world)[1]["missing"])
        finally:
            connection.execute(f"alter role {OWNER} bypassrls".encode())
            module_world.sql("alter table social.contacts no force row level security")
    assert readyz(module_world)[0] == 200


def test_row_level_security_forced_on_all_of_the_apps_tables_hides_nothing_from_an_export(own_world: World) -> None:
    world = own_world
    for entry in manifests.export_manifest().sources:
        for table in entry.table_or_wrapper.replace(" ", "").split("+"):
            world.sql(f"alter table {table} force row level security")
    user = world.user()
    world.sql("insert into user_rules (user_id, rule_text) values (%s, 'Short sentences.')", user)
    job = world.job(user)
    assert len(world.batch(job, world.token(job)).json()["records"]) == 1
    assert readyz(world) == (200, {"status": "ready"})


def test_the_answer_is_kept_for_some_seconds(own_world: World) -> None:
    now = [100.0]
    asked = own_world.services.readiness
    readiness = Readiness(asked.database, asked.export, lambda: now[0])
    readiness.require()
    own_world.sql("revoke select on memory_flags from memory_service")
    now[0] += readiness.keep_s - 0.1
    readiness.require()
    now[0] += 0.1
    with pytest.raises(Exception, match=r"select on public\.memory_flags"):
        readiness.require()


def test_a_database_without_the_migrations_says_so(
    empty_database: str, issuer: Issuer, signing_key: ec.EllipticCurvePrivateKey, tmp_path: Path
) -> None:
    fixture.install_app(empty_database)
    with opened_world(empty_database, issuer, signing_key, tmp_path) as world:
        status, body = readyz(world)
    assert (status, body["error"]["code"]) == (503, "not_migrated")
    assert "table public.memory_jobs does not exist" in body["error"]["message"]
    assert body["error"]["hint"] == "run the migrations"


def test_a_login_in_the_apps_service_role_is_enough(own_world: World) -> None:
    """What docs/deploy.md said before: it inherits the grants and, unlike BYPASSRLS, the policies."""
    world = own_world
    user = world.user()
    world.sql("create role old_login login password 'x' in role service_role")
    pool = open_pool(make_conninfo(world.dsn, user="old_login", password="x"), size=1)
    try:
        database = Database(pool)
        Readiness(database, world.services.readiness.export, lambda: 0.0).require()
        with database.transaction() as tx:
            assert [str(row["user_id"]) for row in tx.rows("list_users", status=None, after=None, limit=9)] == [user]
            assert str((tx.row("user_by_email", email="ADA@example.com") or {})["id"]) == user
    finally:
        pool.close()
        world.sql("drop role old_login")


@pytest.mark.parametrize("login", GRANTEES)
def test_the_logins_are_nothing_but_logins(module_world: World, login: str) -> None:
    columns = "rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication"
    [row] = module_world.sql(f"select {columns} from pg_roles where rolname = %s", login)
    assert not any(row.values())
    assert module_world.sql("select 1 from pg_class where relowner = to_regrole(%s)", login) == []


def test_the_documents_make_the_logins_that_are_tested_here() -> None:
    statements = (ROOT / "local" / "app" / "logins.sql").read_text()
    for name in ("deploy.md", "controlplane.md"):
        [shown] = re.findall(
            r"```sql\n( *create role memory_controlplane.*?) *```", (ROOT / "docs" / name).read_text(), re.S
        )
        # In a numbered step the block is indented.
        assert dedent(shown) == statements, f"docs/{name}"


def test_row_level_security_that_is_switched_off_is_named_and_the_remedy_switches_it_on(module_world: World) -> None:
    """Signed-in users of the app may select from some of these tables; only policies keep them to their own rows."""
    world = module_world
    tables = [
        str(row["name"])
        for row in world.sql("select relname as name from pg_class where relname like 'memory\\_%%' and relkind = 'r'")
    ]
    assert "memory_jobs" in tables
    for table in tables:
        world.sql(f"alter table public.{table} disable row level security")
        status, body = readyz(world)
        assert (status, body["error"]["code"]) == (503, "rights_missing"), table
        [missing] = body["missing"]
        assert missing.startswith(f"row level security of public.{table}: it is off")
        [remedy] = body["remedies"]
        world.sql(remedy)
        assert readyz(world)[0] == 200
