"""The cursor: round trip, rounds, and everything that is not one of ours."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlplane import cursors
from controlplane.cursors import Position
from controlplane.errors import ApiFault
from tests.tables import table

TIMES = st.sampled_from(
    ["2026-11-27 14:03:00+00", "2026-11-27 14:03:00.123456+00", "infinity", "0044-03-15 00:00:00+00 BC"]
)
POSITIONS = st.builds(
    Position,
    horizon=TIMES,
    at=st.none() | TIMES,
    record_id=st.text(st.characters(exclude_characters="\x00", codec="utf-8")),
    last=st.none() | TIMES,
    done=st.booleans(),
)
NOW = "2026-11-27 14:03:00+00"


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), POSITIONS))
def test_what_is_given_is_taken(positions: dict[str, Position]) -> None:
    assert cursors.parse(cursors.to_wire(positions)) == positions


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda i: st.dictionaries(st.text(), i) | st.lists(i)
    )
)
def test_anything_else_is_refused_not_run(value: Any) -> None:
    cursor = {"v": 1, "sources": {"a": value}}
    with pytest.raises(ApiFault, match="did not issue the cursor"):
        cursors.parse(cursor)


@table(
    "changes",
    [
        {"h": None},
        {"h": "yesterday"},
        {"h": NOW + "'"},
        {"h": NOW + "\n"},
        {"t": 5},
        {"t": "'; drop table x"},
        {"l": []},
        {"id": None},
        {"id": "a\x00"},
        {"done": 1},
    ],
)
def test_each_part_is_checked(changes: dict[str, Any]) -> None:
    good = Position(horizon=NOW, at=NOW, record_id="x", last=NOW).to_wire()
    cursors.parse({"v": 1, "sources": {"a": good}})
    with pytest.raises(ApiFault):
        cursors.parse({"v": 1, "sources": {"a": good | changes}})


@table("cursor", [{"v": 2, "sources": {}}, {"sources": {}}, {"v": 1}, {"v": 1, "sources": []}, {"x": 1}])
def test_other_versions_and_shapes(cursor: dict[str, Any]) -> None:
    with pytest.raises(ApiFault):
        cursors.parse(cursor)


def test_when_a_round_begins() -> None:
    open_, done = Position(NOW), Position(NOW, done=True)
    assert cursors.needs_start("backfill", None, open_round=False)
    assert not cursors.needs_start("backfill", done, open_round=False)
    assert not cursors.needs_start("incremental", open_, open_round=True)
    assert cursors.needs_start("incremental", done, open_round=False)
    # While another source of the same request still reads, one that has ended must not begin again: that never ends.
    assert not cursors.needs_start("incremental", done, open_round=True)
    assert cursors.in_round({"a": done, "b": open_}, ["a", "b"])
    assert not cursors.in_round({"a": done, "b": open_}, ["a"])
