"""Manifest, views, tables and API say the same; the first three are compared column by column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row

import manifests
from contract.manifest import SourceEntry
from controlplane import export_sql

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


Sql = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def catalog(shared_database: str) -> Iterator[Sql]:
    with psycopg.connect(shared_database, autocommit=True, row_factory=dict_row) as connection:
        yield lambda query, *values: connection.execute(query, values).fetchall()


def columns(catalog: Sql, relation: str) -> list[str]:
    query = (
        "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and not attisdropped"
        " order by attnum"
    )
    return [row["attname"] for row in catalog(query, relation)]


def test_every_source_of_the_specification_is_listed() -> None:
    assert {e.source_key for e in MANIFEST.sources} >= SECTION_11


def test_the_export_schema_has_these_views_and_no_other(catalog: Sql) -> None:
    query = "select relname from pg_class where relnamespace = 'memory_export'::regnamespace and relkind <> 'i'"
    found = {row["relname"] for row in catalog(query)}
    assert found == {entry.view.removeprefix("memory_export.") for entry in MANIFEST.sources} | {"tombstones"}


@pytest.mark.parametrize("entry", MANIFEST.sources, ids=lambda e: e.source_key)
def test_a_view_has_the_envelope_and_exactly_the_included_fields(catalog: Sql, entry: SourceEntry) -> None:
    assert set(columns(catalog, entry.view)) == ENVELOPE | set(entry.include_fields)
    options = catalog("select reloptions from pg_class where oid = %s::regclass", entry.view)[0]["reloptions"]
    assert options == ["security_barrier=true"]


@pytest.mark.parametrize("entry", MANIFEST.sources, ids=lambda e: e.source_key)
def test_every_column_of_a_table_is_included_or_excluded_by_name(catalog: Sql, entry: SourceEntry) -> None:
    table = set(columns(catalog, entry.table_or_wrapper.split(" ")[0]))
    aggregated = {"messages"} if entry.source_key == "chat_sessions" else set()
    named = (set(entry.include_fields) - aggregated) | set(entry.exclude_fields)
    assert table - IDENTITY == named - IDENTITY
    assert not set(entry.include_fields) & set(entry.exclude_fields)


@pytest.mark.parametrize("entry", MANIFEST.sources, ids=lambda e: e.source_key)
def test_each_source_leaves_tombstones_and_has_its_index(catalog: Sql, entry: SourceEntry) -> None:
    table = entry.table_or_wrapper.split(" ")[0]
    trigger = "select tgargs from pg_trigger where tgrelid = %s::regclass and tgname = 'memory_tombstone'"
    arguments = bytes(catalog(trigger, table)[0]["tgargs"]).split(b"\x00")
    assert arguments[0].decode() == entry.source_key
    index = f"{table.split('.')[0]}.memory_export_{table.split('.')[1]}"
    valid = catalog("select indisvalid from pg_index where indexrelid = %s::regclass", index)
    assert valid == [{"indisvalid": True}]


#: The others choose a page by its keys first; see export_sql.live.
ONE_TABLE = [entry for entry in MANIFEST.sources if not export_sql.gathers(entry)]


@pytest.mark.parametrize("entry", ONE_TABLE, ids=lambda e: e.source_key)
def test_a_page_is_read_through_the_index_and_not_sorted_whole(shared_database: str, entry: SourceEntry) -> None:
    with psycopg.connect(shared_database) as connection:
        connection.execute(export_sql.begin("memory_export_reader", 5000))
        query = export_sql.live(entry, from_start=False)
        values = {"at": "2026-11-27 12:00:00+00", "id": "x", "limit": 501}
        plan = "\n".join(row[0] for row in connection.execute(sql.SQL("explain ") + query, values))
    table = entry.table_or_wrapper.split(".")[1]
    assert f"Index Scan using memory_export_{table}" in plan
    assert "-> Sort" not in plan.replace("->  ", "-> ")


def test_news_looks_at_every_source(catalog: Sql) -> None:
    body = catalog("select prosrc from pg_proc where oid = 'memory_private.has_news'::regproc")[0]["prosrc"]
    for entry in MANIFEST.sources:
        for table in entry.table_or_wrapper.split(" + "):
            assert f"from {table} " in body, f"{table} is not looked at: its changes would plan no job"


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
