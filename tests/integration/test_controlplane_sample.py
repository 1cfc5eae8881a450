"""The sample users through the export: every source, nobody else's rows, and what a morning changes."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import manifests
from contract import canonical
from contract.records import Record
from local import seed
from tests.fixtures_controlplane import BUCKET, World

SOURCES = [e.source_key for e in manifests.export_manifest().sources]
TODAY = date(2026, 11, 27)


def export(world: World, user: str, mode: str, cursor: dict[str, Any]) -> tuple[list[Record], dict[str, Any]]:
    job = world.job(user)
    token = world.token(job)
    records: list[Record] = []
    more = True
    while more:
        page = world.batch(job, token, mode=mode, cursor=cursor, source_keys=SOURCES, limit=1000).json()
        records += [Record.model_validate(r) for r in page["records"]]
        cursor, more = page["next_cursor"], page["has_more"]
    world.complete(job, token)
    return records, cursor


def test_the_sample_users(world: World) -> None:
    with world.db.transaction():
        users = seed.seed(world.db, TODAY)
    ids = [str(row["id"]) for row in world.sql("select id from auth.users order by id")]
    for user in ids:
        world.sql(
            "insert into memory_workspaces (user_id, workspace_uri) values (%s, %s) on conflict do nothing",
            user,
            f"gs://{BUCKET}/users/{user}/",
        )
    counts: dict[str, Counter[str]] = {}
    cursors: dict[str, dict[str, Any]] = {}
    for user in ids:
        records, cursors[user] = export(world, user, "backfill", {})
        assert {r.user_id for r in records} == {user}
        assert all(canonical.digest(r.data) == r.checksum for r in records)
        assert len({(r.source_key, r.record_id) for r in records}) == len(records)
        counts[user] = Counter(r.source_key for r in records if not r.deleted)
    main = max(ids, key=lambda user: counts[user].total())
    assert set(counts[main]) == set(SOURCES)
    assert counts[main].total() >= 1500
    for table in ("public.checklist_items", "social.activity_events", "msg.inbound_messages"):
        rows = world.sql(f"select count(*) as n from {table} where user_id = %s", main)
        assert counts[main][table.split(".")[1]] == rows[0]["n"]

    with world.db.transaction():
        seed.insert_changes(world.db, users, TODAY)
    changed, _ = export(world, main, "incremental", cursors[main])
    assert any(r.deleted for r in changed)
    assert any(not r.deleted for r in changed)
