"""Which rows a page of the export brings, and to whom. What the views hold is for the tests with PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, cast

import psycopg
import pytest

import manifests
from contract.api import BatchRequest
from controlplane import export_sql
from controlplane.errors import ApiFault
from controlplane.export import Exporter
from controlplane.tokens import EXPORT, JobClaims
from tests.tables import table
from tests.unit.controlplane.test_jobs import JOB, OWNER, USER, row

NOTES, TASKS = "meeting_notes", "checklist_items"
HORIZON: Final = "2026-11-27 09:00:00+00"
RUNNING: Final = row(status="running", attempt=1, owner=OWNER)


def at(minute: int) -> str:
    return f"2026-11-26 08:{minute:02}:00+00"


@dataclass
class Views:
    """A pool and its connection. ``rows``, ``gone``: by source, (minute, id) of what is there and what is not."""

    rows: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    gone: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    knows_token: bool = True
    asked: list[str] = field(default_factory=list)
    rolled_back: bool = False
    _answer: list[tuple[Any, ...]] = field(default_factory=list)

    @contextmanager
    def connection(self) -> Iterator[Views]:
        yield self

    @contextmanager
    def transaction(self, *, force_rollback: bool) -> Iterator[None]:
        self.rolled_back = force_rollback
        yield

    def cursor(self, **_: Any) -> Cursor:
        return Cursor(self)

    def execute(self, query: Any, values: Any = None) -> None:
        text = query.decode() if isinstance(query, bytes) else query.as_string(None)
        self.asked.append(text)
        if "bind(" in text:
            assert values == {"job": JOB, "jti": "token-1"}
            if not self.knows_token:
                raise psycopg.errors.InsufficientPrivilege


class Cursor(list[Any]):
    """An answer to one query."""

    adapters = cast(Any, type("Adapters", (), {"register_loader": lambda *_: None})())

    def __init__(self, views: Views) -> None:
        self.views = views

    def __enter__(self) -> Cursor:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def execute(self, query: Any, values: Any = None) -> Cursor:
        text = query.decode() if isinstance(query, bytes) else query.as_string(None)
        self.views.asked.append(text)
        if "horizon()" in text:
            self[:] = [(HORIZON,)]
        elif "least(" in text:
            self[:] = [(min(values["last"], values["horizon"]),)]
        elif "count(*)" in text:
            rows = self.views.rows.get(_source(text), [])
            self[:] = [(len(rows), 10 * len(rows))]
        else:
            is_gone = "tombstones" in text
            rows = (self.views.gone if is_gone else self.views.rows).get(_source(text), [])
            after = (values["at"], values["id"]) if "%(at)s" in text else ("", "")
            wanted = sorted((at(minute), record_id) for minute, record_id in rows if (at(minute), record_id) > after)
            width = 0 if is_gone else len(manifests.export_manifest().source(_source(text)).include_fields)
            self[:] = [
                (record_id, USER, moment, moment, moment, is_gone, *[None] * width)
                for moment, record_id in wanted[: values["limit"]]
            ]
        return self

    def fetchone(self) -> Any:
        return self[0]


def _source(text: str) -> str:
    view = re.findall(r'"memory_export"\."(\w+)"', text)[-1]
    return next(each.source_key for each in manifests.export_manifest().sources if each.view.endswith(f".{view}"))


def claims(**more: Any) -> JobClaims:
    usual = {
        "job_id": JOB,
        "user_id": USER,
        "job_type": "hourly_digest",
        "runtime_profile": "digest",
        "scope": frozenset({EXPORT}),
        "allowed_sources": frozenset({NOTES, TASKS}),
        "attempt": 1,
        "replay_id": None,
        "jti": "token-1",
    }
    return JobClaims(**{**usual, **more})


def ask(views: Views, job: dict[str, Any] = RUNNING, page_bytes: int = 1 << 20, **request: Any) -> dict[str, Any]:
    given = BatchRequest(**{"mode": "backfill", "source_keys": (NOTES, TASKS), **request})
    bearer = claims(**{} if job["job_type"] == "hourly_digest" else {"job_type": job["job_type"]})
    return Exporter(cast(Any, views), page_bytes).batch(job, bearer, given)


def ids(answer: dict[str, Any]) -> list[str]:
    return [record["record_id"] + ("-" if record["deleted"] else "") for record in answer["records"]]


def test_pages_bring_one_source_after_the_other_each_in_the_order_of_its_changes() -> None:
    views = Views({NOTES: [(3, "c"), (1, "b"), (1, "a")], TASKS: [(0, "t")]}, gone={NOTES: [(2, "x")]})
    whole = ask(views)
    assert ids(whole) == ["a", "b", "x-", "c", "t"]
    assert (whole["has_more"], whole["source_counts"]) == (False, {NOTES: 4, TASKS: 1})
    assert views.rolled_back, "an export writes nothing"
    assert "set transaction read only" in views.asked[0]
    assert "statement_timeout = 30000" in views.asked[0]
    # Of whatever size the pages are: each row once, and a finished backfill has no more.
    for limit in (1, 2, 3):
        seen: list[str] = []
        cursor: dict[str, Any] = {}
        has_more = True
        while has_more:
            page = ask(views, limit=limit, cursor=cursor)
            assert len(page["records"]) <= limit
            seen += ids(page)
            cursor, has_more = page["next_cursor"], page["has_more"]
        assert seen == ids(whole)
        assert ids(ask(views, cursor=cursor)) == []


def test_a_page_ends_with_the_record_that_fills_its_bytes() -> None:
    views = Views({NOTES: [(minute, f"n{minute}") for minute in range(5)]})
    size = ask(views)["source_bytes"][NOTES] // 5
    assert ids(ask(views, page_bytes=2 * size)) == ["n0", "n1"]
    assert ids(ask(views, page_bytes=2 * size + 1)) == ["n0", "n1", "n2"]


def test_the_next_round_begins_at_the_last_change_seen_and_not_while_a_round_is_open() -> None:
    views = Views({NOTES: [(1, "a"), (5, "b")]})
    first = ask(views, mode="incremental")
    assert ids(first) == ["a", "b"]
    views.rows[NOTES] += [(6, "c")]
    second = ask(views, mode="incremental", cursor=first["next_cursor"])
    # What has the time of the last one comes again: it may have been written after the round.
    assert ids(second) == ["b", "c"]
    assert ids(ask(views, mode="incremental", cursor=second["next_cursor"], limit=1)) == ["c"]


def test_an_inventory_counts_what_the_job_may_read_and_names_what_is_left_out() -> None:
    excluded = manifests.export_manifest().source(TASKS).exclude_fields
    answer = ask(Views({TASKS: [(1, "a"), (2, "b")]}), mode="inventory", source_keys=())
    assert (answer["source_counts"], answer["source_bytes"]) == ({NOTES: 0, TASKS: 2}, {NOTES: 0, TASKS: 20})
    assert (answer["has_more"], answer["next_cursor"], answer["records"]) == (False, {}, [])
    reasons = [(each["source_key"], each["field"], each["reason"], each["count"]) for each in answer["redactions"]]
    assert reasons == [(TASKS, name, "excluded", 2) for name in sorted(excluded)]


@table(
    ("columns", "status", "code"),
    [
        ({"status": "completed"}, 409, "job_terminal"),
        ({"status": "queued"}, 409, "job_not_running"),
        ({"attempt": 2}, 409, "attempt_stale"),
        ({"account_deleted": True}, 409, "attempt_stale"),
        ({"user_id": OWNER}, 403, "wrong_user"),
    ],
)
def test_a_job_that_does_not_run_exports_nothing(columns: dict[str, Any], status: int, code: str) -> None:
    views = Views()
    with pytest.raises(ApiFault) as caught:
        ask(views, {**RUNNING, **columns})
    assert (caught.value.status, caught.value.code, views.asked) == (status, code, [])


@table(
    ("more", "request", "status", "code"),
    [
        ({"scope": frozenset()}, {}, 403, "scope_missing"),
        ({"allowed_sources": frozenset({NOTES})}, {}, 403, "source_not_allowed"),
        ({"allowed_sources": frozenset({NOTES})}, {"mode": "inventory"}, 403, "source_not_allowed"),
        ({}, {"source_keys": ()}, 422, "invalid_request"),
        ({}, {"cursor": {"v": 2}}, 422, "cursor_invalid"),
    ],
)
def test_a_request_beyond_the_token_is_refused(
    more: dict[str, Any], request: dict[str, Any], status: int, code: str
) -> None:
    given = BatchRequest(**{"mode": "backfill", "source_keys": (NOTES, TASKS), **request})
    with pytest.raises(ApiFault) as caught:
        Exporter(cast(Any, Views())).batch(RUNNING, claims(**more), given)
    assert (caught.value.status, caught.value.code) == (status, code)


def test_a_token_that_the_database_does_not_know_is_refused() -> None:
    with pytest.raises(ApiFault) as caught:
        ask(Views(knows_token=False))
    assert (caught.value.status, caught.value.code) == (401, "token_unknown")


def test_a_view_with_a_second_table_is_asked_for_its_pages_keys_first() -> None:
    gathering = [each.source_key for each in manifests.export_manifest().sources if export_sql.gathers(each)]
    assert gathering == ["chat_sessions"]
