"""The export's order and completeness: pages of any size, equal times, late commits, deletions, every kind of value."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import manifests
from contract import canonical
from contract.records import Record
from tests.fixtures_controlplane import World

SOURCES = [e.source_key for e in manifests.export_manifest().sources]
START = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def running(world: World) -> tuple[World, str, str, str]:
    user = world.user()
    job = world.job(user)
    return world, user, job, world.token(job)


class Reader:
    """A consumer: follows cursors to the end of a round, keeps what it knows by id."""

    def __init__(self, world: World, job: str, token: str) -> None:
        self.world, self.job, self.token = world, job, token
        self.cursor: dict[str, Any] = {}
        self.known: dict[tuple[str, str], dict[str, Any]] = {}

    def round(
        self, mode: str = "incremental", sources: list[str] | None = None, limit: int = 500
    ) -> list[dict[str, Any]]:
        """Every record of one round, in order; the checksum of each is computed again."""
        records: list[dict[str, Any]] = []
        more = True
        while more:
            body = {"mode": mode, "cursor": self.cursor, "source_keys": sources or ["user_rules"], "limit": limit}
            response = self.world.batch(self.job, self.token, **body)
            assert response.status_code == 200, response.text
            page = response.json()
            assert len(page["records"]) <= limit
            assert page["next_cursor"] != self.cursor or not page["has_more"]
            self.cursor, more = page["next_cursor"], page["has_more"]
            records += page["records"]
        for record in records:
            assert canonical.digest(Record.model_validate(record).data) == record["checksum"]
            self._learn(record)
        return records

    def _learn(self, record: dict[str, Any]) -> None:
        key = (record["source_key"], record["record_id"])
        if record["deleted"]:
            self.known.pop(key, None)
        else:
            self.known[key] = record

    def texts(self) -> set[str]:
        return {record["data"]["rule_text"] for record in self.known.values()}


def add(world: World, user: str, text: str, at: datetime = START) -> str:
    query = "insert into user_rules (user_id, rule_text, updated_at) values (%s, %s, %s) returning id"
    return str(world.sql(query, user, text, at)[0]["id"])


# --- order -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 2, 7, 500])
def test_rows_of_one_instant_come_once_each_whatever_the_page(running: tuple[World, str, str, str], limit: int) -> None:
    world, user, job, token = running
    for n in range(15):
        add(world, user, f"r{n}")
    records = Reader(world, job, token).round("backfill", limit=limit)
    assert len(records) == 15
    assert [r["record_id"] for r in records] == sorted(r["record_id"] for r in records)


def test_several_sources_share_pages_and_none_is_cut(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    for n in range(5):
        add(world, user, f"r{n}")
        world.sql("insert into feedback (user_id, message) values (%s, 'm')", user)
    records = Reader(world, job, token).round("backfill", ["user_rules", "feedback", "contacts"], limit=3)
    assert [r["source_key"] for r in records] == ["user_rules"] * 5 + ["feedback"] * 5


def test_a_backfill_that_ended_stays_ended(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    add(world, user, "a")
    reader = Reader(world, job, token)
    assert len(reader.round("backfill")) == 1
    assert reader.round("backfill") == []


def test_a_page_ends_early_when_its_records_are_heavy(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    object.__setattr__(world.services.exporter, "page_bytes", 100_000)
    for n in range(10):
        add(world, user, f"{n}" + "x" * 40_000, START + timedelta(seconds=n))
    page = world.batch(job, token, limit=500).json()
    assert len(page["records"]) == 3
    assert page["has_more"] is True
    assert len(Reader(world, job, token).round("backfill")) == 10


# --- increments --------------------------------------------------------------------------------------------------


def test_an_increment_brings_changes_and_deletions(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    kept, changed, gone = (add(world, user, text) for text in ("kept", "old", "gone"))
    reader = Reader(world, job, token)
    reader.round("backfill")
    world.sql("update user_rules set rule_text = 'new' where id = %s", changed)
    world.sql("delete from user_rules where id = %s", gone)
    records = reader.round()
    assert reader.texts() == {"kept", "new"}
    tombstone = next(r for r in records if r["deleted"])
    assert (tombstone["record_id"], tombstone["data"], tombstone["record_type"]) == (gone, None, "user_rule")
    assert kept in {r["record_id"] for r in records}, "the overlap window repeats what is recent"


def test_a_row_that_comes_back_is_not_reported_gone(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    rule = add(world, user, "a")
    reader = Reader(world, job, token)
    reader.round("backfill")
    world.sql("delete from user_rules where id = %s", rule)
    world.sql("insert into user_rules (id, user_id, rule_text) values (%s, %s, 'back')", rule, user)
    assert not any(r["deleted"] for r in reader.round())
    assert reader.texts() == {"back"}


def test_a_row_that_is_only_marked_as_deleted_leaves_and_may_come_back(own_world: World) -> None:
    """As the documents tell who adds a source: out of the view, and the column named to the trigger."""
    world, user = own_world, own_world.user()
    world.sql("alter table user_rules add column deleted_at timestamptz")
    view = world.sql("select pg_get_viewdef('memory_export.user_rules'::regclass) as q")[0]["q"]
    hiding = view.replace("ORDER BY", "AND deleted_at IS NULL ORDER BY")
    world.sql(f"create or replace view memory_export.user_rules with (security_barrier) as {hiding}")
    world.sql("drop trigger memory_tombstone on user_rules")
    world.sql(
        "create trigger memory_tombstone after delete or update on user_rules for each row"
        " execute function memory_private.leave_tombstone('user_rules', 'id', 'deleted_at')"
    )
    kept, gone = add(world, user, "kept"), add(world, user, "gone")
    job = world.job(user)
    reader = Reader(world, job, world.token(job))
    reader.round("backfill")
    assert reader.texts() == {"kept", "gone"}
    world.sql("update user_rules set deleted_at = now() where id = %s", gone)
    world.sql("update user_rules set rule_text = 'kept on' where id = %s", kept)
    records = reader.round()
    assert [r["record_id"] for r in records if r["deleted"]] == [gone]
    assert reader.texts() == {"kept on"}
    world.sql("update user_rules set deleted_at = null where id = %s", gone)
    assert not any(r["deleted"] for r in reader.round())
    assert reader.texts() == {"kept on", "gone"}
    world.sql("update user_rules set deleted_at = now() where id = %s", gone)
    world.sql("delete from user_rules where id = %s", gone)
    reader.round()
    assert reader.texts() == {"kept on"}


def test_a_transaction_open_for_hours_is_not_missed(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    # The overlap window is set to nothing: only the horizon may save the row.
    manifest = manifests.export_manifest()
    reader = Reader(world, job, token)
    with psycopg.connect(world.dsn) as slow:
        slow.execute("insert into user_rules (user_id, rule_text) values (%s, 'late')", (user,))
        # Rows that commit meanwhile carry later change times, far beyond any overlap.
        far = datetime.now(UTC) + timedelta(days=2)
        add(world, user, "early", far)
        reader.round("backfill")
        assert reader.texts() == {"early"}
        assert manifest.overlap_s < timedelta(days=2).total_seconds()
        slow.commit()
    reader.round()
    assert reader.texts() == {"early", "late"}


def test_a_chat_session_changes_with_its_messages(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    session = world.sql("insert into chat_sessions (user_id, title) values (%s, 't') returning id", user)[0]["id"]
    for n in range(3):
        world.sql(
            "insert into chat_messages (session_id, user_id, role, content, created_at)"
            " values (%s, %s, 'user', %s, %s)",
            session,
            user,
            f"m{n}",
            START + timedelta(minutes=n),
        )
    reader = Reader(world, job, token)

    def contents() -> list[str]:
        reader.round(sources=["chat_sessions"])
        (record,) = reader.known.values()
        return [m["content"] for m in record["data"]["messages"]]

    assert contents() == ["m0", "m1", "m2"]
    world.sql("update chat_messages set content = 'edited' where content = 'm1'")
    assert contents() == ["m0", "edited", "m2"]
    world.sql("delete from chat_messages where content = 'm0'")
    assert contents() == ["edited", "m2"]
    other = world.sql("insert into chat_sessions (user_id, title) values (%s, 'o') returning id", user)[0]["id"]
    world.sql("update chat_messages set session_id = %s where content = 'm2'", other)
    reader.round(sources=["chat_sessions"])
    assert sorted(len(r["data"]["messages"]) for r in reader.known.values()) == [1, 1]


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("insert"), st.integers(0, 3)),
        st.tuples(st.just("update"), st.integers(0, 4)),
        st.tuples(st.just("delete"), st.integers(0, 4)),
        st.tuples(st.just("insert_late"), st.integers(0, 3)),
        st.tuples(st.just("read"), st.sampled_from([1, 2, 3, 500])),
    ),
    max_size=14,
)


class History:
    """A user's rules as they change, some in transactions that stay open to the end."""

    def __init__(self, world: World, user: str, reader: Reader) -> None:
        self.world, self.user, self.reader = world, user, reader
        self.now = world.sql("select now() as n")[0]["n"]
        self.rules: list[str] = []
        self.late: list[psycopg.Connection[Any]] = []

    def insert(self, text: str, value: int) -> None:
        self.rules.append(add(self.world, self.user, text, self.now + timedelta(milliseconds=value)))

    def update(self, text: str, value: int) -> None:
        for rule in self.rules[value : value + 1]:
            self.world.sql("update user_rules set rule_text = %s where id = %s", text, rule)

    def delete(self, text: str, value: int) -> None:
        for rule in self.rules[value : value + 1]:
            self.world.sql("delete from user_rules where id = %s", rule)
            self.rules.remove(rule)

    def insert_late(self, text: str, value: int) -> None:
        connection = psycopg.connect(self.world.dsn)
        connection.execute("insert into user_rules (user_id, rule_text) values (%s, %s)", (self.user, text))
        self.late.append(connection)

    def read(self, text: str, value: int) -> None:
        self.reader.round(limit=value)

    def end(self) -> None:
        for connection in self.late:
            connection.commit()
            connection.close()
        self.late.clear()


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(ACTIONS)
def test_any_history_is_seen_whole(running: tuple[World, str, str, str], actions: list[tuple[str, int]]) -> None:
    """Inserts, updates, deletes, late commits, equal times, any page size: the reader ends with the truth."""
    world, user, job, token = running
    world.sql("delete from user_rules")
    world.sql("delete from memory_tombstones")
    reader = Reader(world, job, token)
    history = History(world, user, reader)
    try:
        for number, (action, value) in enumerate(actions):
            getattr(history, action)(f"{action}{number}", value)
    finally:
        history.end()
    reader.round(limit=2)
    truth = {row["rule_text"] for row in world.sql("select rule_text from user_rules where user_id = %s", user)}
    assert reader.texts() == truth


def test_rows_written_while_a_round_reads_are_in_it_or_in_the_next(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    for n in range(30):
        add(world, user, f"r{n}", START + timedelta(seconds=n))

    def write() -> None:
        with psycopg.connect(world.dsn, autocommit=True) as connection:
            for n in range(30):
                connection.execute("update user_rules set rule_text = %s where rule_text = %s", (f"w{n}", f"r{n}"))

    writer = threading.Thread(target=write)
    writer.start()
    reader = Reader(world, job, token)
    reader.round("backfill", limit=3)
    writer.join()
    reader.round()
    assert reader.texts() == {f"w{n}" for n in range(30)}


# --- values ------------------------------------------------------------------------------------------------------


def test_every_source_exports_a_row_as_a_valid_record(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    rows(world, user)
    records = Reader(world, job, token).round("backfill", SOURCES)
    missing = set(SOURCES) - {r["source_key"] for r in records}
    assert not missing, f"`rows` adds no row to {', '.join(sorted(missing))} (docs/adding-a-source.md)"
    for record in records:
        entry = manifests.export_manifest().source(record["source_key"])
        assert set(record["data"]) == set(entry.include_fields)
        assert record["user_id"] == user
        assert record["record_type"] == entry.record_type
    assert "canary" not in str(records)


def rows(world: World, user: str) -> None:
    """A row in every source, with a canary in each column that must not leave."""
    event = world.sql(
        "insert into social.activity_events (user_id, source, event_type, occurred_at, raw)"
        " values (%s, 'mail', 'sent', now(), '{\"x\": \"canary\"}') returning id",
        user,
    )[0]["id"]
    contact = world.sql(
        "insert into social.contacts (user_id, display_name, enrichment_raw)"
        " values (%s, 'Bo', '\"canary\"') returning id",
        user,
    )[0]["id"]
    world.sql(
        "insert into social.event_contacts (user_id, event_id, contact_id) values (%s, %s, %s)", user, event, contact
    )
    world.sql("update user_profiles set stripe_customer_id = 'canary', phone_verification_code = 'canary'")
    for statement in (
        "user_rules (user_id, rule_text) values (%s, 'r')",
        "user_preferences (user_id, key, value) values (%s, 'focus', '{}')",
        "granola1.granola_transcripts (user_id, granola_document_id, raw_payload) values (%s, 'canary', '\"canary\"')",
        "chat_sessions (user_id, provider_thread_token) values (%s, 'canary')",
        "meeting_notes (user_id, title) values (%s, 't')",
        "msg.inbound_messages (user_id, channel, raw_payload, signature) values (%s, 'sms', '\"canary\"', 'canary')",
        "checklist_items (user_id, title, embedding_cache) values (%s, 't', '\"canary\"')",
        "checklists (user_id, checklist_date) values (%s, '2026-11-27')",
        "checklist_containers (user_id, name) values (%s, 'n')",
        "briefings (user_id, briefing_date, prompt_snapshot) values (%s, '2026-11-27', 'canary')",
        "feedback (user_id, message, user_agent) values (%s, 'm', 'canary')",
        "connections (user_id, provider, access_token, refresh_token, webhook_secret, sync_cursor, raw_credentials,"
        " account_email) values (%s, 'google', 'canary', 'canary', 'canary', 'canary', '\"canary\"', 'canary@x')",
        "heartbeat_poll_log (user_id, provider, status, cursor_after) values (%s, 'google', 'ok', 'canary')",
        "agentic_drafts (user_id, kind, provider_payload) values (%s, 'mail', '\"canary\"')",
        "checklist_action_log (user_id, action, request_id) values (%s, 'check', 'canary')",
        "msg.outbound_messages (user_id, channel, raw_request) values (%s, 'sms', '\"canary\"')",
        "msg.delivery_log (user_id, channel, status, provider_response) values (%s, 'sms', 'sent', '\"canary\"')",
        "msg.message_events (user_id, channel, event_type, raw_event) values (%s, 'sms', 'read', '\"canary\"')",
        "rules.digest_subscriptions (user_id, digest_kind, channel, schedule, unsubscribe_token)"
        " values (%s, 'daily', 'sms', '0 7 * * *', 'canary')",
    ):
        world.sql(f"insert into {statement}", user)


def test_numbers_keep_every_digit(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    world.sql(
        "insert into social.activity_events"
        " (user_id, source, event_type, occurred_at, amount, external_seq, importance)"
        " values (%s, 's', 't', now(), 12345678901234567890.1234567890, 9007199254740993, 'NaN'),"
        " (%s, 's', 't', now(), 1.5, 9007199254740991, 0.1)",
        user,
        user,
    )
    world.sql(
        """insert into user_preferences (user_id, key, value) values (%s, 'k',
           '{"big": 123456789012345678901234567890, "exact": 0.1, "long": 0.12345678901234567890, "e": 1e400,
             "n": 7}')""",
        user,
    )
    records = Reader(world, job, token).round("backfill", ["activity_events", "user_preferences"])
    values = {(r["data"]["amount"], r["data"]["external_seq"], r["data"]["importance"]) for r in records[:2]}
    assert values == {("12345678901234567890.1234567890", "9007199254740993", "NaN"), (1.5, 9007199254740991, 0.1)}
    preference = records[2]["data"]["value"]
    assert (preference["big"], preference["exact"], preference["long"], preference["n"]) == (
        "123456789012345678901234567890",
        0.1,
        "0.12345678901234567890",
        7,
    )
    assert preference["e"] == "1" + "0" * 400


def test_times_beyond_the_calendar_do_not_stop_an_export(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    world.sql(
        "insert into social.activity_events (user_id, source, event_type, occurred_at, updated_at) values"
        " (%(u)s, 's', 'a', 'infinity', 'infinity'), (%(u)s, 's', 'b', '-infinity', '-infinity'),"
        " (%(u)s, 's', 'c', '0044-03-15 BC', '0044-03-15 BC'), (%(u)s, 's', 'd', '12026-01-01', '12026-01-01')".replace(
            "%(u)s", f"'{user}'"
        )
    )
    records = Reader(world, job, token).round("backfill", ["activity_events"], limit=1)
    assert [r["data"]["event_type"] for r in records] == ["b", "c", "d", "a"]
    assert records[0]["updated_at"] == "0001-01-01T00:00:00.000000Z"
    assert records[3]["occurred_at"] == "9999-12-31T23:59:59.999999Z"


def test_secrets_are_redacted_and_counted(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    key = "sk-proj-" + "a1B2" * 8
    world.sql("insert into user_rules (user_id, rule_text) values (%s, %s)", user, f"use {key}, and {key}")
    world.sql(
        "insert into user_preferences (user_id, key, value) values (%s, 'x', %s)",
        user,
        '{"nested": [{"accessToken": "canary", "name": "ok"}], "password": "canary"}',
    )
    page = world.batch(job, token, source_keys=["user_rules", "user_preferences"]).json()
    assert key not in str(page)
    assert "canary" not in str(page)
    assert page["records"][0]["data"]["rule_text"] == "use [redacted:model_key], and [redacted:model_key]"
    assert page["redactions"] == [
        {"source_key": "user_preferences", "field": "value", "reason": "secret_name", "count": 2},
        {"source_key": "user_rules", "field": "rule_text", "reason": "model_key", "count": 2},
    ]


def test_json_that_utf8_cannot_carry_is_mended(own_world: World) -> None:
    world, user = own_world, own_world.user()
    job = world.job(user)
    token = world.token(job)
    # jsonb refuses these escapes, plain json keeps them: the app could have such a column.
    world.sql("drop view memory_export.user_preferences")
    world.sql("alter table user_preferences alter column value type json")
    world.sql(
        "create view memory_export.user_preferences as select t.id::text as record_id, t.user_id,"
        " t.created_at as occurred_at, t.updated_at as changed_at, t.key, t.value, t.created_at, t.updated_at"
        " from public.user_preferences t where t.user_id = (select memory_export.bound_user())"
    )
    world.sql("grant select on memory_export.user_preferences to memory_export_reader")
    world.sql(
        r"""insert into user_preferences (user_id, key, value) values (%s, 'x', '{"a": "x\u0000y", "b": "\ud800"}')""",
        user,
    )
    deep = "[" * 5000 + "]" * 5000
    world.sql("insert into user_preferences (user_id, key, value) values (%s, 'y', %s)", user, deep)
    page = world.batch(job, token, source_keys=["user_preferences"]).json()
    assert [r["data"]["value"] for r in page["records"]] == [{"a": "x\ufffdy", "b": "\ufffd"}, "[too deep]"]
    assert {(r["reason"], r["count"]) for r in page["redactions"]} == {
        ("nul", 1),
        ("lone_surrogate", 1),
        ("too_deep", 1),
    }


# --- inventory ---------------------------------------------------------------------------------------------------


def test_an_inventory_counts_every_allowed_source(world: World) -> None:
    user, other = world.user("ada@example.com"), world.user("bob@example.com")
    rows(world, user)
    add(world, other, "not mine")
    job = world.job(user, "inventory")
    page = world.batch(job, world.token(job), mode="inventory", source_keys=[]).json()
    assert page["records"] == []
    assert page["has_more"] is False
    assert page["source_counts"] == dict.fromkeys(SOURCES, 1)
    assert all(size > 20 for size in page["source_bytes"].values())
    excluded = {(r["source_key"], r["field"]): r["count"] for r in page["redactions"]}
    assert excluded["connections", "access_token"] == 1


def test_the_api_cannot_be_made_to_write(running: tuple[World, str, str, str]) -> None:
    world, _, job, token = running
    claims = world.services.tokens.verify(f"Bearer {token}")
    with (
        world.services.exporter._bound(claims) as connection,
        pytest.raises(psycopg.errors.ReadOnlySqlTransaction),
    ):
        connection.execute("create temp table stolen (n int)")
    assert world.batch(job, token).status_code == 200


def pages(world: World, job: str, token: str, limit: int) -> Iterator[dict[str, Any]]:
    cursor: dict[str, Any] = {}
    while True:
        page = world.batch(job, token, cursor=cursor, limit=limit).json()
        yield page
        if not page["has_more"]:
            return
        cursor = page["next_cursor"]


def test_a_cursor_asked_again_gives_the_same_page(running: tuple[World, str, str, str]) -> None:
    world, user, job, token = running
    for n in range(7):
        add(world, user, f"r{n}", START + timedelta(seconds=n // 2))
    first = [p["records"] for p in pages(world, job, token, 2)]
    second = [p["records"] for p in pages(world, job, token, 2)]
    assert first == second
