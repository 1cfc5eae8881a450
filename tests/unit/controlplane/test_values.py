"""Values at the export's edge: canonical, deterministic, exact; whatever the database holds."""

from __future__ import annotations

import json
import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract import canonical
from controlplane.export_sql import FIRST_MOMENT, LAST_MOMENT, moment
from controlplane.values import MAX_DEPTH, SAFE_INTEGER, Notes, TooDeep, load_json, plain

TEXT = st.text(st.characters(codec=None), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.decimals() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_anything_becomes_canonical_json_and_stays_what_it_is(value: object) -> None:
    notes = Notes()
    once = plain(value, "f", notes)
    text = canonical.dumps(once)
    again = Notes()
    assert plain(json.loads(text), "f", again) == once
    assert again.counts == {} or set(again.counts) <= {("f", "secret_name")}


@given(st.integers())
def test_integers_are_numbers_exactly_where_a_double_is_exact(value: int) -> None:
    expected = value if abs(value) <= SAFE_INTEGER else str(value)
    assert plain(value, "f", Notes()) == expected
    assert plain(load_json(str(value)), "f", Notes()) == expected


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_lose_no_digit(value: Decimal) -> None:
    plain_value = plain(value, "f", Notes())
    assert Decimal(str(plain_value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_json_number_that_a_double_holds_stays_a_number(value: float) -> None:
    plain_value = plain(load_json(repr(value)), "f", Notes())
    assert isinstance(plain_value, str) == (SAFE_INTEGER < abs(value) < 1e21)
    assert Decimal(str(plain_value)) == Decimal(repr(value))


@pytest.mark.parametrize(("value", "text"), [(math.nan, "NaN"), (math.inf, "Infinity"), (-math.inf, "-Infinity")])
def test_what_is_not_finite_is_told(value: float, text: str) -> None:
    notes = Notes()
    assert plain(value, "f", notes) == text
    assert plain(Decimal(str(value)), "f", notes) == text
    assert notes.counts == {("f", "not_finite"): 2}


def test_nul_and_lone_surrogates_become_the_replacement_character() -> None:
    notes = Notes()
    assert plain({"a\x00": "x\x00\x00", "b": ["\ud800y"]}, "f", notes) == {"a\ufffd": "x\ufffd\ufffd", "b": ["\ufffdy"]}
    assert notes.counts == {("f", "nul"): 2, ("f", "lone_surrogate"): 1}


def test_deep_json_is_cut_not_fatal() -> None:
    deep = load_json("[" * (MAX_DEPTH + 5) + "]" * (MAX_DEPTH + 5))
    notes = Notes()
    assert "[too deep]" in json.dumps(plain(deep, "f", notes))
    assert isinstance(load_json("[" * 100_000 + "]" * 100_000), TooDeep)
    assert plain(TooDeep(), "f", notes) == "[too deep]"
    assert notes.counts == {("f", "too_deep"): 2}


def test_integers_longer_than_python_converts_are_kept() -> None:
    digits = "9" * 10_000
    assert plain(load_json(digits), "f", Notes()) == digits


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-27 14:03:00+00", "2026-11-27T14:03:00.000000Z"),
        ("2026-11-27 14:03:00.5+00", "2026-11-27T14:03:00.500000Z"),
        ("2026-11-27 14:03:00.123456+00", "2026-11-27T14:03:00.123456Z"),
        ("infinity", LAST_MOMENT),
        ("12026-01-01 00:00:00+00", LAST_MOMENT),
        ("-infinity", FIRST_MOMENT),
        ("0044-03-15 00:00:00+00 BC", FIRST_MOMENT),
    ],
)
def test_moments(text: str, expected: str) -> None:
    assert moment(text) == expected
