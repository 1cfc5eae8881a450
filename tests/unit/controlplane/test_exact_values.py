"""At each bound of a number the last one that stays a number, and the first one that becomes its text."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import UUID

from controlplane.values import MAX_DEPTH, SAFE_INTEGER, Notes, Unreadable, load_json, plain
from tests.tables import table


def value_of(value: Any) -> tuple[Any, dict[Any, int]]:
    notes = Notes()
    return plain(value, "f", notes), dict(notes.counts)


@table(
    ("value", "expected"),
    [
        (SAFE_INTEGER, SAFE_INTEGER),
        (SAFE_INTEGER + 1, str(SAFE_INTEGER + 1)),
        (-SAFE_INTEGER, -SAFE_INTEGER),
        (-SAFE_INTEGER - 1, str(-SAFE_INTEGER - 1)),
        (True, True),
        (0.5, 0.5),
        (-0.0, 0.0),
        (float(SAFE_INTEGER), float(SAFE_INTEGER)),
        (float(SAFE_INTEGER + 1), f"{SAFE_INTEGER + 1}.0"),
        (1e20, "1" + "0" * 20),
        (1e21, 1e21),
        (-1e20, "-1" + "0" * 20),
        (Decimal("2.50"), 2.5),
        (Decimal("3.0"), 3),
        (Decimal(SAFE_INTEGER), SAFE_INTEGER),
        (Decimal(SAFE_INTEGER + 1), str(SAFE_INTEGER + 1)),
        (Decimal("0.1"), 0.1),
        (Decimal("0.10000000000000000001"), "0.10000000000000000001"),
        (Decimal("1e400"), "1E+400"),
        (Decimal("1e21"), 1e21),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        ((1, "a", None), [1, "a", None]),
    ],
)
def test_a_number_stays_one_where_no_digit_is_lost(value: Any, expected: Any) -> None:
    made, notes = value_of(value)
    assert (type(made), made, notes) == (type(expected), expected, {})


@table(
    ("text", "expected"),
    [
        ("12345678901234567", "12345678901234567"),
        (str(SAFE_INTEGER), SAFE_INTEGER),
        (f"-{SAFE_INTEGER}", -SAFE_INTEGER),
        (f"-{SAFE_INTEGER}0", f"-{SAFE_INTEGER}0"),
        ("00", None),
        ("1.0", 1),
        ("1.5", 1.5),
        ("NaN", "NaN"),
    ],
)
def test_a_number_of_json_is_read_with_all_its_digits(text: str, expected: Any) -> None:
    read = load_json(text)
    if expected is None:
        assert isinstance(read, Unreadable)
        return
    made, _ = value_of(read)
    assert (type(made), made) == (type(expected), expected)


@table(
    ("value", "expected", "notes"),
    [
        ({"password": "x"}, {"password": "[redacted:secret_name]"}, {("f", "secret_name"): 1}),
        ({"password": None}, {"password": None}, {}),
        ({"password": ""}, {"password": ""}, {}),
        ({"password": []}, {"password": []}, {}),
        ({"password": {}}, {"password": {}}, {}),
        ({"password": 0}, {"password": "[redacted:secret_name]"}, {("f", "secret_name"): 1}),
        ({"note": {"password": ["x"]}}, {"note": {"password": "[redacted:secret_name]"}}, {("f", "secret_name"): 1}),
    ],
)
def test_what_a_secret_is_called_hides_it(value: Any, expected: Any, notes: dict[Any, int]) -> None:
    assert value_of(value) == (expected, notes)


def test_json_is_cut_at_its_depth_in_lists_and_objects() -> None:
    for nest in (lambda inner: [inner], lambda inner: {"a": inner}):
        value: Any = 1
        for _ in range(MAX_DEPTH - 1):
            value = nest(value)
        whole, notes = value_of(value)
        assert (whole, notes) == (value, {})
        cut, notes = value_of(nest(nest(value)))
        assert notes == {("f", "too_deep"): 1}
        assert "[too deep]" in str(cut)
