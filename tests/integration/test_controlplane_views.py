"""Manifest, views, tables and API say the same; the first three are compared column by column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row

import manifests
from contract.manifest import SourceEntry
from controlplane import export_sql
from local.logins import READER
from tests.fixtures_postgres import as_login

MANIFEST = manifests.export_manifest()
ENVELOPE = {"record_id", "user_id", "occurred_at", "changed_at"}
#: The specification's section 11, all of it.
SECTION_11 = {
    *("granola_transcripts", "chat_sessions", "meeting_notes", "inbound_messages", "activity_events", "contacts"),
    *("event_contacts", "checklist_items", "checklists", "checklist_containers", "briefings", "user_profiles"),
    *("user_rules", "user_preferences", "feedback", "connections", "heartbeat_poll_log", "agentic_drafts"),
    *("checklist_action_log", "outbound_messages", "delivery_log", "message_events", "digest_subscriptions"),
}
#: Columns of the row itself that the envelope carries.
IDENTITY = {"id", "user_id"}
#: A column by which an app marks rows as deleted and keeps them.
MARK = "deleted_at"


Sql = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def catalog(shared_database: str) -> Iterator[Sql]:
    with psycopg.connect(shared_database, autocommit=True, row_factory=dict_row) as connection:
        yield lambda query, *values: connection.execute(query, values).fetchall()


def columns(catalog: Sql, relation: str) -> list[str]:
    """Its columns in order; none when there is no such relation."""
    query = (
        "select attname from pg_attribute where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped"
        " order by attnum"
    )
    return [row["attname"] for row in catalog(query, relation)]


def table_of(entry: SourceEntry) -> str:
    """The table whose rows the source's records are."""
    return entry.table_or_wrapper.split(" ")[0]


def report(entry: SourceEntry, faults: list[str]) -> str:
    """What is missing, for whoever adds a source."""
    return f"source {entry.source_key} (docs/adding-a-source.md): " + "; ".join(faults)


def test_every_source_of_the_specification_is_listed() -> None:
    assert {e.source_key for e in MANIFEST.sources} >= SECTION_11


def test_the_export_schema_has_these_views_and_no_other(catalog: Sql) -> None:
    query = "select relname from pg_class where relnamespace = 'memory_export'::regnamespace and relkind <> 'i'"
    views = {row["relname"] for row in catalog(query)} - {"tombstones"}
    wanted = {entry.view.removeprefix("memory_export.") for entry in MANIFEST.sources}
    assert not wanted - views, f"no migration makes memory_export.{', memory_export.'.join(sorted(wanted - views))}"
    assert not views - wanted, f"no entry of the manifest names these views: {', '.join(sorted(views - wanted))}"


@pytest.mark.parametrize("entry", MANIFEST.sources, ids=lambda e: e.source_key)
def test_a_view_has_the_envelope_and_exactly_the_included_fields(catalog: Sql, entry: SourceEntry) -> None:
    view_columns, wanted = set(columns(catalog, entry.view)), ENVELOPE | set(entry.include_fields)
    assert view_columns, report(entry, [f"no migration makes the view {entry.view}"])
    faults = [f"the view lacks {column}" for column in sorted(wanted - view_columns)]
    faults += [f"the view has {column}, which is not in include_fields" for column in sorted(view_columns - wanted)]
    query = (
        "select coalesce(reloptions, array[]::text[]) as options, pg_get_viewdef(oid) as says,"
        " has_table_privilege('memory_export_reader', oid, 'select') as readable from pg_class where oid = %s::regclass"
    )
    (view,) = catalog(query, entry.view)
    if view["options"] != ["security_barrier=true"]:
        faults.append("the view is not made `with (security_barrier)`")
    if not view["readable"]:
        faults.append(f"no `grant select on {entry.view} to memory_export_reader`")
    if "bound_user()" not in view["says"]:
        faults.append("the view shows rows of other users: it does not ask for memory_export.bound_user()")
    changed = re.search(r"(\w+) AS changed_at", view["says"])
    if not export_sql.gathers(entry) and (changed and changed[1]) != entry.incremental_cursor[0]:
        faults.append(f"changed_at is {changed and changed[1]}, incremental_cursor says {entry.incremental_cursor[0]}")
    if bool(entry.page.day) != bool(re.search("AT TIME ZONE [^,]+ AS occurred_at", view["says"])):
        faults.append(f"occurred_at is the midnight of a date only where page.day says which, here {entry.page.day}")
    assert not faults, report(entry, faults)


@pytest.mark.parametrize("entry", MANIFEST.sources, ids=lambda e: e.source_key)
def test_every_column_of_a_table_is_included_or_excluded_by_name(catalog: Sql, entry: SourceEntry) -> None:
    table = set(columns(catalog, table_of(entry))) - IDENTITY
    assert table, report(entry, [f"there is no table {table_of(entry)}; is it in local/app/schema.sql?"])
    aggregated = {"messages"} if entry.source_key == "chat_sessions" else set()
    included, excluded = set(entry.include_fields) - aggregated - IDENTITY, set(entry.exclude_fields)
    faults = [
        f"{column} is in neither include_fields nor exclude_fields" for column in sorted(table - included - excluded)
    ]
    faults += [f"the table has no column {column}" for column in sorted((included | excluded) - table)]
    faults += [f"{column} is in include_fields and in exclude_fields" for column in sorted(included & excluded)]
    assert not faults, report(entry, faults)


@pytest.mark.parametrize("entry", MANIFEST.sources, ids=lambda e: e.source_key)
def test_each_source_leaves_tombstones_and_has_its_index(catalog: Sql, entry: SourceEntry) -> None:
    table = table_of(entry)
    trigger = "select tgargs from pg_trigger where tgrelid = to_regclass(%s) and tgname = 'memory_tombstone'"
    triggers = catalog(trigger, table)
    assert triggers, report(entry, [f"no trigger memory_tombstone on {table}: nothing tells of deleted rows"])
    key, _, column = (argument.decode() for argument in bytes(triggers[0]["tgargs"]).split(b"\x00")[:3])
    faults = []
    if key != entry.source_key:
        faults.append(f"the trigger memory_tombstone on {table} leaves tombstones of {key!r}")
    if column != MARK and MARK in columns(catalog, table) and MARK not in entry.include_fields:
        faults.append(f"rows that {table}.{MARK} hides leave no tombstone: name it as the trigger's third argument")
    index = f"{table.split('.')[0]}.memory_export_{table.split('.')[1]}"
    valid = catalog("select indisvalid from pg_index where indexrelid = to_regclass(%s)", index)
    if valid != [{"indisvalid": True}]:
        faults.append(f"no index {index} on {table} (user_id, {entry.incremental_cursor[0]})")
    assert not faults, report(entry, faults)


#: The others choose a page by its keys first; see export_sql.live.
ONE_TABLE = [entry for entry in MANIFEST.sources if not export_sql.gathers(entry)]


@pytest.mark.parametrize("entry", ONE_TABLE, ids=lambda e: e.source_key)
def test_a_page_is_read_through_the_index_and_not_sorted_whole(shared_database: str, entry: SourceEntry) -> None:
    with psycopg.connect(as_login(shared_database, READER)) as connection:
        connection.execute(export_sql.begin(5000))
        query = export_sql.live(entry, from_start=False)
        values = {"at": "2026-11-27 12:00:00+00", "id": "x", "limit": 501}
        plan = "\n".join(row[0] for row in connection.execute(sql.SQL("explain ") + query, values))
    table = entry.table_or_wrapper.split(".")[1]
    assert f"Index Scan using memory_export_{table}" in plan, report(entry, [f"its index serves no page:\n{plan}"])
    sorts = (
        'its pages are sorted whole: order the view by change time and id collate "C", index user_id and change time'
    )
    assert "-> Sort" not in plan.replace("->  ", "-> "), report(entry, [f"{sorts}\n{plan}"])


def test_news_looks_at_every_source(catalog: Sql) -> None:
    body = catalog("select prosrc from pg_proc where oid = 'memory_private.has_news'::regproc")[0]["prosrc"]
    for entry in MANIFEST.sources:
        for table in entry.table_or_wrapper.split(" + "):
            assert f"from {table} " in body, report(entry, [f"has_news does not look at {table}: no job for its news"])


def test_no_excluded_table_or_secret_column_is_read_by_a_view(catalog: Sql) -> None:
    query = (
        "select table_schema || '.' || table_name as t from information_schema.view_table_usage where view_schema = %s"
    )
    used = {row["t"] for row in catalog(query, "memory_export")}
    assert not {t for t in used if t.startswith(("auth.", "infra.", "wa."))}
    assert not used & {"public.channel_verifications", "public.contact_form_submissions"}
    secret = "select column_name from information_schema.view_column_usage where view_schema = 'memory_export'"
    read = {row["column_name"] for row in catalog(secret)}
    for name in ("access_token", "refresh_token", "raw_payload", "webhook_secret", "sync_cursor", "raw_credentials"):
        assert name not in read
