"""
As an attacker: with the export role, with a token of one user, with a changed token, try to get at another user's
rows or to write anything. Every attempt is listed; each must be refused by PostgreSQL or by the API.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jwt
import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from psycopg import sql

import manifests
from local.logins import RELAY
from local.postgres import Postgres
from tests.fixtures_controlplane import World
from tests.fixtures_postgres import as_login

SOURCES = [e.source_key for e in manifests.export_manifest().sources]
READER = "memory_export_reader"


@pytest.fixture
def reader(world: World, postgres: Postgres) -> Iterator[psycopg.Connection[Any]]:
    """A session that the export role opened itself, with the read-only default switched off: it may try to write."""
    name = world.dsn.rsplit("/", 1)[1]
    with psycopg.connect(postgres.dsn(name, user=READER), autocommit=True) as connection:
        connection.execute("set default_transaction_read_only = off")
        yield connection


@pytest.fixture(scope="module")
def intruder(shared_database: str, postgres: Postgres) -> Iterator[psycopg.Connection[Any]]:
    """The same over a database that all attempts share, because none may change it."""
    name = shared_database.rsplit("/", 1)[1]
    with psycopg.connect(postgres.dsn(name, user=READER), autocommit=True) as connection:
        connection.execute("set default_transaction_read_only = off")
        yield connection


def seed(world: World, user: str) -> None:
    world.sql("insert into user_rules (user_id, rule_text) values (%s, 'secret of ' || %s)", user, user)
    world.sql("insert into connections (user_id, provider, access_token) values (%s, 'x', 'canary-token')", user)


def jti(token: str) -> str:
    return str(jwt.decode(token, options={"verify_signature": False})["jti"])


def bind(reader: psycopg.Connection[Any], job: str, token: str) -> None:
    reader.execute("select memory_export.bind(%s, %s)", (job, jti(token)))


def relations(world: World) -> list[tuple[str, str]]:
    query = (
        "select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
        " where c.relkind in ('r', 'v', 'm', 'p', 'S') "
        " and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'memory_export')"
    )
    return [(row["nspname"], row["relname"]) for row in world.sql(query)]


def test_the_role_owns_nothing_and_may_select_from_the_views_only(world: World) -> None:
    assert world.sql(
        "select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolinherit from pg_roles where rolname = %s", READER
    ) == [{"rolsuper": False, "rolbypassrls": False, "rolcreaterole": False, "rolcreatedb": False, "rolinherit": False}]
    assert world.sql("select 1 from pg_class where relowner = %s::regrole", READER) == []
    assert world.sql("select 1 from pg_auth_members where member = %s::regrole", READER) == []
    granted = world.sql(
        "select table_schema, privilege_type from information_schema.role_table_grants where grantee = %s", READER
    )
    assert {(g["table_schema"], g["privilege_type"]) for g in granted} == {("memory_export", "SELECT")}


def test_no_table_of_any_schema_can_be_read(world: World, reader: psycopg.Connection[Any]) -> None:
    names = relations(world)
    assert len(names) > 30
    for schema, name in names:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            reader.execute(sql.SQL("select * from {}").format(sql.Identifier(schema, name)))


def test_no_table_or_view_can_be_written(world: World, reader: psycopg.Connection[Any]) -> None:
    views = [("memory_export", key) for key in (*SOURCES, "tombstones")]
    for schema, name in [*relations(world), *views]:
        target = sql.Identifier(schema, name)
        for statement in ("delete from {}", "truncate {}", "drop table {}", "alter table {} owner to current_user"):
            with pytest.raises(psycopg.Error) as refused:
                reader.execute(sql.SQL(statement).format(target))
            assert refused.value.sqlstate in {"42501", "42809", "55000"}, f"{statement} on {schema}.{name}"


WRITES = [
    "create table public.mine (n int)",
    "create schema mine",
    "create view memory_export.mine as select 1 as n",
    "create function memory_export.bound_user() returns uuid language sql as 'select null::uuid'",
    "create or replace function memory_export.bound_user() returns uuid language sql as 'select null::uuid'",
    "insert into memory_export.user_rules (record_id) values ('x')",
    "update memory_export.user_rules set rule_text = 'x'",
    "insert into public.memory_jobs (user_id, job_type) values (gen_random_uuid(), 'inventory')",
    "update public.memory_jobs set status = 'completed'",
    "insert into public.memory_job_tokens values ('x', gen_random_uuid(), 1, true, now() + interval '1 day')",
    "alter role memory_export_reader superuser",
    "create role mine",
    "grant postgres to memory_export_reader",
    "set role postgres",
    "set role service_role",
    "set role memory_service",
    "set role supabase_admin",
    "set session authorization postgres",
    "copy public.user_rules to '/tmp/stolen'",
    "copy (select 1) to program 'id'",
    "create extension plpython3u",
    "create trigger t after insert on public.user_rules execute function memory_private.touch()",
    "lock table public.user_rules",
    "comment on table public.user_rules is 'x'",
    "with gone as (delete from public.user_rules returning *) select * from gone",
    "explain analyze delete from public.user_rules",
    "do $$ begin execute 'delete from public.user_rules'; end $$",
    "do $$ begin execute 'set local role service_role'; end $$",
    "merge into public.user_rules t using (select 1) s on true when matched then delete",
    "insert into memory_export.tombstones (source_key) values ('x')",
    "delete from memory_private.seal",
    "insert into public.memory_audit default values",
    "update auth.users set email = 'x'",
    "alter table public.user_rules disable row level security",
    "create policy mine on public.memory_jobs using (true)",
    "drop policy own_rows on public.memory_jobs",
    "alter view memory_export.user_rules set (security_barrier = false)",
    "create rule mine as on select to public.user_rules do instead select 1",
    "create index mine on public.user_rules (id)",
    "reindex table public.user_rules",
    "cluster public.user_rules using user_rules_pkey",
    "create type public.mine as (n int)",
    "create domain public.mine as int",
    "create sequence public.mine",
    "create operator public.=== (leftarg = int, rightarg = int, function = int4eq)",
    "create cast (text as integer) with inout",
    "create publication mine for all tables",
    "create subscription mine connection 'host=127.0.0.1' publication p with (connect = false)",
    "create foreign data wrapper mine",
    "create event trigger mine on ddl_command_start execute function memory_private.touch()",
    "create language mine handler plpgsql_call_handler",
    "alter database postgres set log_statement = 'all'",
    "alter role postgres set log_statement = 'all'",
    "alter function memory_export.bind(uuid, text) owner to current_user",
    "grant select on public.user_rules to memory_export_reader",
    "grant all on schema memory_private to public",
    "alter default privileges for role postgres grant select on tables to public",
    "reassign owned by postgres to current_user",
    "drop owned by postgres",
    "set session_replication_role = replica",
    "set local request.jwt.claims = '{}'; select * from public.memory_jobs",
    "load '/tmp/evil.so'",
    "checkpoint",
]


@pytest.mark.parametrize("statement", WRITES)
def test_no_write_or_change_of_rights_succeeds(intruder: psycopg.Connection[Any], statement: str) -> None:
    with pytest.raises(psycopg.Error) as refused, intruder.transaction():
        intruder.execute(statement.encode())
    assert refused.value.sqlstate in {"42501", "55000", "0A000", "58P01", "42939"}, refused.value


FUNCTIONS = [
    "select memory_private.sealed('x')",
    "select key from memory_private.seal",
    "select memory_private.has_news(gen_random_uuid(), now())",
    "select pg_read_file('/etc/passwd')",
    "select pg_ls_dir('/')",
    "select pg_reload_conf()",
    "select pg_terminate_backend(pid) from pg_stat_activity where usename is distinct from current_user",
    "select lo_import('/etc/passwd')",
    "select auth.uid()",
    "select * from pg_authid",
    "select * from pg_stat_file('/etc/passwd')",
    "select pg_read_binary_file('/etc/passwd')",
    "select lo_export(1, '/tmp/stolen')",
    "select pg_ls_logdir()",
    "select pg_switch_wal()",
    "select pg_create_physical_replication_slot('mine')",
    "select pg_rotate_logfile()",
    "select set_config('session_replication_role', 'replica', false)",
    "select query_to_xml('select * from auth.users', true, true, '')",
    "select * from ts_stat('select to_tsvector(rule_text) from public.user_rules')",
    "select * from pg_statistic",
    "select * from pg_largeobject",
    "select * from public.user_rules for update",
    "declare c cursor for select * from auth.users",
    "select (select email from auth.users limit 1)",
    "select nextval('public.memory_outbox_id_seq')",
    "table memory_migrations.applied",
    "select * from public.memory_job_tokens",
    # Not in a transaction, where these would be refused for that alone.
    "create database mine",
    "create tablespace mine location '/tmp'",
    "alter system set log_statement = 'all'",
]


@pytest.mark.parametrize("statement", FUNCTIONS)
def test_no_dangerous_function_answers(intruder: psycopg.Connection[Any], statement: str) -> None:
    with pytest.raises(psycopg.Error) as refused:
        intruder.execute(statement.encode())
    assert refused.value.sqlstate == "42501"


def test_an_unbound_session_sees_no_row(world: World, reader: psycopg.Connection[Any]) -> None:
    seed(world, world.user())
    for key in (*SOURCES, "tombstones"):
        query = sql.SQL("select count(*) from memory_export.{}").format(sql.Identifier(key))
        assert reader.execute(query).fetchone() == (0,)


def test_naming_a_user_without_the_seal_binds_nobody(world: World, reader: psycopg.Connection[Any]) -> None:
    victim = world.user()
    seed(world, victim)
    for seal in ("", "0" * 64, "null", victim):
        with reader.transaction():
            reader.execute("select set_config('memory_export.user_id', %s, true)", (victim,))
            reader.execute("select set_config('memory_export.seal', %s, true)", (seal,))
            assert reader.execute("select count(*) from memory_export.user_rules").fetchone() == (0,)


def test_a_binding_cannot_be_stretched_to_another_user_or_transaction(
    world: World, reader: psycopg.Connection[Any]
) -> None:
    mallory, victim = world.user("mallory@example.com"), world.user("victim@example.com")
    seed(world, mallory)
    seed(world, victim)
    job = world.job(mallory)
    token = world.token(job)
    with reader.transaction():
        bind(reader, job, token)
        assert reader.execute("select distinct user_id::text from memory_export.user_rules").fetchall() == [(mallory,)]
        sealed = reader.execute("select current_setting('memory_export.seal')").fetchone()
        # The same seal under the victim's name.
        reader.execute("select set_config('memory_export.user_id', %s, true)", (victim,))
        assert reader.execute("select count(*) from memory_export.user_rules").fetchone() == (0,)
    assert sealed
    with reader.transaction():
        # The same name and seal in a later transaction.
        reader.execute("select set_config('memory_export.user_id', %s, true)", (mallory,))
        reader.execute("select set_config('memory_export.seal', %s, true)", sealed)
        assert reader.execute("select count(*) from memory_export.user_rules").fetchone() == (0,)


def test_a_binding_needs_a_live_token_of_that_very_job(world: World, reader: psycopg.Connection[Any]) -> None:
    mallory, victim = world.user("mallory@example.com"), world.user("victim@example.com")
    mine, theirs = world.job(mallory), world.job(victim)
    token = world.token(mine)
    insight = world.job(mallory, "insight")
    insight_token = world.token(insight)
    world.token(theirs)
    attempts = {
        "the victim's job with my token": (theirs, jti(token)),
        "a guessed token": (mine, "guess"),
        "the victim's job, no token": (theirs, ""),
        "an insight job, which may not export": (insight, jti(insight_token)),
    }
    for name, values in attempts.items():
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            reader.execute("select memory_export.bind(%s, %s)", values)
            pytest.fail(name)
    world.complete(mine, token)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        bind(reader, mine, token)


def test_a_leaky_function_in_a_filter_sees_no_other_user(world: World, reader: psycopg.Connection[Any]) -> None:
    mallory, victim = world.user("mallory@example.com"), world.user("victim@example.com")
    seed(world, mallory)
    seed(world, victim)
    job = world.job(mallory)
    seen: list[str] = []
    reader.add_notice_handler(lambda notice: seen.append(notice.message_primary or ""))
    token = world.token(job)
    with reader.transaction():
        bind(reader, job, token)
        # A cheap function that tells what it is given: the security barrier must run the user filter first.
        reader.execute(
            "create function pg_temp.leak(t text) returns boolean language plpgsql cost 0.0000001 as"
            " $$ begin raise notice '%', t; return true; end $$"
        )
        reader.execute("select count(*) from memory_export.user_rules where pg_temp.leak(rule_text)")
    assert seen == [f"secret of {mallory}"]


def test_api_refuses_every_token_that_is_not_exactly_right(world: World) -> None:
    mallory, victim = world.user("mallory@example.com"), world.user("victim@example.com")
    seed(world, victim)
    mine, theirs = world.job(mallory), world.job(victim)
    token = world.token(mine)
    head, body, signature = token.split(".")
    other = jwt.encode(jwt.decode(token, options={"verify_signature": False}) | {"user_id": victim}, "k" * 32)
    attempts = {
        "no token": (mine, None, 401),
        "another job in the path": (theirs, token, 403),
        "no signature": (mine, f"{head}.{body}.", 401),
        "a changed signature": (mine, f"{head}.{body}.{signature[:-4]}AAAA", 401),
        "another user's claims, signed with HMAC": (mine, other, 401),
        "a Google identity instead": (mine, world.issuer.token("consumer@test.iam.gserviceaccount.com"), 401),
    }
    for name, (job, bearer, status) in attempts.items():
        response = world.batch(job, bearer or "")
        assert response.status_code == status, name
        assert "secret of" not in response.text


def resigned(world: World, token: str, key: ec.EllipticCurvePrivateKey | str, algorithm: str, **claims: Any) -> str:
    """The token with other claims, signed by whoever calls."""
    head = jwt.get_unverified_header(token)
    body = jwt.decode(token, options={"verify_signature": False}) | claims
    return jwt.encode(body, key, algorithm=algorithm, headers={"kid": head["kid"]})


def test_claims_that_were_changed_are_believed_from_nobody_but_us(world: World) -> None:
    mallory, victim = world.user("mallory@example.com"), world.user("victim@example.com")
    seed(world, victim)
    mine, theirs = world.job(mallory), world.job(victim)
    token = world.token(mine)
    world.token(theirs)
    stranger = ec.generate_private_key(ec.SECP256R1())
    stolen: dict[str, Any] = {"sub": f"memory_job:{theirs}", "job_id": theirs, "user_id": victim}
    attempts = {
        "signed with a key of the attacker": resigned(world, token, stranger, "ES256", **stolen),
        "signed with nothing": resigned(world, token, "", "none", **stolen),
        "our key, the victim's user": resigned(world, token, world.signing_key, "ES256", user_id=victim),
        "our key, all of the victim's job": resigned(world, token, world.signing_key, "ES256", **stolen),
        "our key, over": resigned(world, token, world.signing_key, "ES256", exp=1),
        "our key, for somebody else": resigned(world, token, world.signing_key, "ES256", aud="https://other.test"),
    }
    for name, forged in attempts.items():
        for job in (mine, theirs):
            response = world.batch(job, forged)
            assert response.status_code in {401, 403}, name
            assert "secret of" not in response.text


def test_a_job_without_evidence_in_its_scope_reads_none(world: World) -> None:
    user = world.user()
    seed(world, user)
    insight = world.job(user, "insight")
    token = world.token(insight)
    wider = {"scope": ["memory_export:read", "memory_job:complete"], "allowed_sources": SOURCES}
    stranger = ec.generate_private_key(ec.SECP256R1())
    for name, bearer in {
        "as it is": token,
        "with more scope": resigned(world, token, stranger, "ES256", **wider),
        "with more scope, our key": resigned(world, token, world.signing_key, "ES256", **wider),
    }.items():
        for mode in ("backfill", "incremental", "inventory"):
            response = world.batch(insight, bearer, mode=mode)
            assert response.status_code in {401, 403}, f"{name}, {mode}"
            assert "secret of" not in response.text


def test_a_token_writes_nothing_to_another_job_and_nothing_but_progress_and_completion_to_its_own(world: World) -> None:
    mallory, victim = world.user("mallory@example.com"), world.user("victim@example.com")
    mine, theirs = world.job(mallory), world.job(victim)
    token = world.token(mine)
    world.token(theirs)
    before = world.row(theirs)
    attempts = {
        "progress of the victim's job": world.progress(theirs, token, stage="export"),
        "completion of the victim's job": world.complete(theirs, token),
        "a token for the victim's job": world.call("POST", f"/memory-jobs/{theirs}/token", token, {"attempt": 9}),
        "a tick": world.call("POST", "/memory-ticks", token, {"kind": "sweep", "period": "2026-11-27", "tick_id": "t"}),
        "a user": world.call("POST", "/memory-users", token, {"user_id": mallory}),
        "a job": world.call("POST", "/memory-jobs", token, {"user_id": victim, "job_type": "insight"}),
        "a listing": world.call("GET", f"/memory-jobs?user_id={victim}", token),
        "a look": world.call("GET", f"/memory-jobs/{theirs}", token),
        "a cancel": world.call("POST", f"/memory-jobs/{theirs}/cancel", token, {"reason": "x"}),
        "a replay": world.call("POST", f"/memory-jobs/{theirs}/replay", token, {"replay_id": mine, "reason": "x"}),
        "a user's end": world.call("DELETE", f"/memory-users/{victim}", token),
    }
    assert {
        name: response.status_code for name, response in attempts.items() if response.status_code not in {401, 403}
    } == {}
    assert world.row(theirs) == before
    assert len(world.sql("select 1 from memory_jobs")) == 2


def test_a_cursor_of_another_user_opens_nothing(world: World) -> None:
    mallory, victim = world.user("mallory@example.com"), world.user("victim@example.com")
    seed(world, mallory)
    seed(world, victim)
    theirs, mine = world.job(victim), world.job(mallory)
    cursor = world.batch(theirs, world.token(theirs), limit=1).json()["next_cursor"]
    token = world.token(mine)
    for mode in ("backfill", "incremental"):
        response = world.batch(mine, token, mode=mode, cursor=cursor)
        assert victim not in response.text
        assert {r["user_id"] for r in response.json().get("records", [])} <= {mallory}


def test_a_row_whose_user_moves_is_gone_for_the_old_one(world: World) -> None:
    ada, bob = world.user("ada@example.com"), world.user("bob@example.com")
    seed(world, ada)
    world.sql("update user_rules set user_id = %s", bob)
    for user, deleted in ((ada, [True]), (bob, [False])):
        job = world.job(user)
        records = world.batch(job, world.token(job)).json()["records"]
        assert [r["deleted"] for r in records] == deleted
        assert {r["user_id"] for r in records} == {user}


def test_signed_in_users_see_own_rows_and_write_none(world: World) -> None:
    ada, bob = world.user("ada@example.com"), world.user("bob@example.com")
    job = world.job(ada)
    world.job(bob)
    claims = sql.Literal(f'{{"sub": "{ada}", "role": "authenticated"}}')
    with psycopg.connect(world.dsn) as connection:
        connection.execute(sql.SQL("set local request.jwt.claims = {}").format(claims))
        connection.execute("set local role authenticated")
        assert [str(r[0]) for r in connection.execute("select id from memory_jobs").fetchall()] == [job]
        assert connection.execute("select count(*) from memory_workspaces").fetchone() == (1,)
    for statement in (
        "update memory_jobs set status = 'completed'",
        "delete from memory_jobs",
        "insert into memory_jobs (user_id, job_type) values (auth.uid(), 'insight')",
        "select * from memory_outbox",
        "select * from memory_tombstones",
        "select * from memory_job_tokens",
        "select * from memory_audit",
        "select * from memory_export.user_rules",
        "select * from memory_private.seal",
    ):
        for role in ("authenticated", "anon"):
            with psycopg.connect(world.dsn) as connection:
                connection.execute(sql.SQL("set local request.jwt.claims = {}").format(claims))
                connection.execute(sql.SQL("set local role {}").format(sql.Identifier(role)))
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement.encode())


def test_the_publisher_reads_jobs_and_marks_them_and_nothing_else(world: World) -> None:
    user = world.user()
    job = world.job(user)
    seed(world, user)
    allowed = [
        "select * from memory_outbox",
        "update memory_outbox set published_at = now(), message_id = '1', attempts = 1",
        "update memory_jobs set published_at = now()",
        f"insert into memory_outbox (job_id, user_id) values ('{job}', '{user}')",
    ]
    refused = [
        "update memory_jobs set status = 'completed'",
        "delete from memory_outbox",
        "select * from user_rules where true",
        "select * from memory_job_tokens",
        "select * from memory_artifacts",
        "select * from memory_workspaces",
        "select * from auth.users",
        "select * from connections",
    ]
    with psycopg.connect(as_login(world.dsn, RELAY), autocommit=True) as connection:
        for statement in allowed:
            assert connection.execute(statement.encode()).rowcount == 1
        for statement in refused:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())
