"""What the report of an order's step changes in its row, and the state that a user sees. The database is a double."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import manifests
from contract.orders import OrderedStep, OrderResult, StepReport
from controlplane.db import Database, Row
from controlplane.errors import ApiFault
from controlplane.orders import UserOrders
from tests.tables import table

USER = "11111111-1111-4111-8111-111111111111"
ID = "22222222-2222-4222-8222-222222222222"
AT = datetime(2026, 11, 27, 9, tzinfo=UTC)


@dataclass
class OneOrder:
    """A database with one order, or none. ``ran``: the statements that changed it."""

    row_: Row | None
    ran: list[str] = field(default_factory=list)

    @contextmanager
    def transaction(self) -> Iterator[OneOrder]:
        yield self

    def row(self, name: str, **values: Any) -> Row | None:
        if name in {"lock_order", "next_order"} or self.row_ is None:
            return self.row_
        self.ran.append(name)
        changed = {"finish_order": "done_at", "close_order": "closed_at"}
        result = {"result": values["result"].obj} if "result" in values else {}
        at = {changed[name]: AT} if name in changed else {}
        self.row_ = {**self.row_, **result, **at, "failure": values.get("failure")}
        return self.row_

    def run(self, name: str, **_values: Any) -> None:
        self.ran.append(name)


def order(kind: str = "forget", **columns: Any) -> Row:
    times = dict.fromkeys(("begun_at", "done_at", "closed_at"))
    empty = OrderResult().model_dump(mode="json")
    given = {"id": ID, "kind": kind, "ordered_at": AT, "records": 3, "head_seq": 7, "failure": None, "result": empty}
    return {**given, **times, **columns}


def reported(row: Row | None, step: Any, **fields: Any) -> tuple[Any, list[str]]:
    database = OneOrder(row)
    view = UserOrders(cast(Database, database)).done(USER, StepReport(order_id=ID, step=step, **fields))
    return view, database.ran


def test_a_purge_that_is_done_forgets_which_records_were_named() -> None:
    view, ran = reported(order(begun_at=AT), "purge", result=OrderResult(records=3, objects={"packs": 2}))
    assert ran == ["drop_order_records", "finish_order"]
    assert (view.state, view.result.objects) == ("sweeping", {"packs": 2})


def test_a_sweep_closes_the_order_and_adds_what_it_deleted() -> None:
    before = OrderResult(records=3, objects={"packs": 2, "pages": 1}).model_dump(mode="json")
    swept = OrderResult(objects={"packs": 3, "locks": 4})
    view, ran = reported(order(begun_at=AT, done_at=AT, result=before), "sweep", result=swept)
    assert ran == ["close_order"]
    assert (view.state, view.result.records) == ("closed", 3)
    assert view.result.objects == {"packs": 5, "pages": 1, "locks": 4}


@table(
    ("columns", "step"),
    [
        ({"done_at": AT}, "purge"),  # a repeat
        ({"done_at": AT}, "export"),
        ({"done_at": AT, "closed_at": AT}, "sweep"),
        ({"done_at": AT, "closed_at": AT}, "expire"),
        ({}, "sweep"),  # before its purge
        ({}, "expire"),
    ],
)
def test_a_report_out_of_turn_changes_nothing(columns: dict[str, Any], step: str) -> None:
    assert reported(order(**columns), step, failure="busy")[1] == []
    assert reported(order(**columns), step)[1] == []


def test_a_step_that_failed_is_told_and_stays_to_be_done() -> None:
    view, ran = reported(order(begun_at=AT), "purge", failure="busy")
    assert (ran, view.state, view.failure) == (["fail_order"], "forgetting", "busy")


def test_where_nothing_is_due_no_step_begins() -> None:
    assert UserOrders(cast(Database, OneOrder(None))).begin(USER) == OrderedStep()


def test_an_unknown_order_is_refused() -> None:
    try:
        reported(None, "purge")
    except ApiFault as fault:
        assert (fault.status, fault.code) == (404, "order_not_found")
    else:
        raise AssertionError("no such order")


@table(
    ("kind", "columns", "state"),
    [
        ("forget", {}, "waiting"),
        ("export", {}, "waiting"),
        ("forget", {"begun_at": AT}, "forgetting"),
        ("export", {"begun_at": AT}, "exporting"),
        ("forget", {"begun_at": AT, "done_at": AT}, "sweeping"),
        ("export", {"begun_at": AT, "done_at": AT}, "ready"),
        ("export", {"begun_at": AT, "done_at": AT, "closed_at": AT}, "closed"),
    ],
)
def test_a_user_sees_how_far_an_order_is(kind: str, columns: dict[str, Any], state: str) -> None:
    view, _ = reported(order(kind, **columns), "expire" if "closed_at" in columns else "sweep", failure="x")
    assert view.state == state
    kept = timedelta(seconds=manifests.limits()["export_kept"])
    assert view.ends_at == (AT + kept if kind == "export" and "done_at" in columns else None)
