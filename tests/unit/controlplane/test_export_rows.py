"""A row that cannot be sent costs itself and is named; a row of another user ends the answer."""

from __future__ import annotations

from typing import Any

import pytest

import manifests
from contract.api import BatchResponse
from controlplane import export
from controlplane.errors import ApiFault
from controlplane.export import ExportBatch
from controlplane.values import Notes, Unreadable, load_json, plain

USER = "11111111-1111-4111-8111-111111111111"
ENTRY = manifests.export_manifest().source("checklist_items")
THEN = "2026-03-01T00:00:00.000000Z"


class Unprintable:
    """A value of a type that nobody listed, and that has no text either."""

    def __str__(self) -> str:
        raise ValueError("no text")


def _row(record_id: str, value: Any, user: str = USER) -> tuple[Any, ...]:
    fields = [value if name == "title" else None for name in ENTRY.include_fields]
    return (record_id, user, THEN, THEN, "2026-03-01 00:00:00+00", False, *fields)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        pytest.param(10**5000, "data: ValueError", id="endless-number"),
        pytest.param(Unprintable(), "data: ValueError", id="no-text"),
        pytest.param("x" * 40_000_000, "data: 40,000,", id="too-large", marks=pytest.mark.properties),
    ],
)
def test_one_broken_row_of_fifty_costs_none_of_the_others(value: Any, reason: str) -> None:
    page = ExportBatch(room=100, bytes_left=1 << 20)
    for n in range(50):
        export._add(page, ENTRY, USER, _row(f"i{n}", value if n == 17 else f"Item {n}"))
    answer = BatchResponse.model_validate(page.reply({}, has_more=False))
    assert [record.record_id for record in answer.records] == [f"i{n}" for n in range(50) if n != 17]
    (refused,) = answer.refused
    assert (refused.source_key, refused.record_id) == ("checklist_items", "i17")
    assert refused.reason.startswith(reason)
    assert page.room == 50


@pytest.mark.parametrize("record_id", ["", "i" * 1025])
def test_an_id_that_no_consumer_takes_is_refused(record_id: str) -> None:
    page = ExportBatch(room=2, bytes_left=1 << 20)
    export._add(page, ENTRY, USER, _row(record_id, "x"))
    export._add(page, ENTRY, USER, _row("good", "x"))
    answer = BatchResponse.model_validate(page.reply({}, has_more=False))
    assert ([record.record_id for record in answer.records], len(answer.refused)) == (["good"], 1)
    assert page.full


def test_a_row_of_another_user_still_ends_the_answer() -> None:
    with pytest.raises(ApiFault, match="another user"):
        export._add(ExportBatch(5, 100), ENTRY, USER, _row("i", 10**5000, "99999999-9999-4999-8999-999999999999"))


def test_json_that_is_none_is_told_where_it_stood() -> None:
    assert isinstance(load_json("{not json"), Unreadable)
    notes = Notes()
    assert plain({"a": [load_json('"half'), 1]}, "f", notes) == {"a": ["[unreadable]", 1]}
    assert notes.counts == {("f", "unreadable"): 1}
