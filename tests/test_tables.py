"""A table checks every row, and its failure names each row that failed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tables import table


def failure(check: Any) -> str:
    with pytest.raises(pytest.fail.Exception) as caught:
        check()
    return str(caught.value)


def test_every_row_is_checked_after_failures_of_every_kind() -> None:
    checked = []

    @table("number", [1, 2, 3, 4, 5])
    def check(number: int) -> None:
        checked.append(number)
        if number == 1:
            raise ValueError("not the first")
        if number == 2:
            pytest.fail("not the second")
        if number == 4:
            pytest.skip("not the fourth")
        assert number != 5, "not the fifth"

    report = failure(check)
    assert checked == [1, 2, 3, 4, 5]
    assert report.splitlines()[0] == "4 of 5 rows failed: 0 (1), 1 (2), 3 (4), 4 (5)"
    for name, message in [
        ("0 (1)", "ValueError: not the first"),
        ("1 (2)", "Failed: not the second"),
        ("3 (4)", "Skipped: not the fourth"),
        ("4 (5)", "AssertionError: not the fifth"),
    ]:
        shown = report.partition(f"--- row {name}")[2].partition("--- row")[0]
        assert message in shown
        assert "in check" in shown
        assert "tables.py" not in shown.replace("test_tables.py", "")


def test_an_interrupt_ends_it_at_once() -> None:
    @table("number", [1, 2])
    def check(number: int) -> None:
        raise KeyboardInterrupt(number)

    with pytest.raises(KeyboardInterrupt, match="1"):
        check()


def test_rows_take_their_names_as_parametrize_does() -> None:
    def fails(*_values: object) -> None:
        raise ValueError("no")

    @table("a, b", [("x" * 100, 1), pytest.param(2, 3, id="two and three")])
    def named(a: object, b: object) -> None:
        fails(a, b)

    assert f": 0 ('{'x' * 79}...-1), 1 (two and three)" in failure(named).splitlines()[0]

    @table("a", [(1, 2)], ids=["a pair"])
    def single(a: object) -> None:
        assert a == (1, 2)
        fails()

    assert failure(single).splitlines()[0] == "1 of 1 rows failed: 0 (a pair)"


@pytest.fixture
def seen() -> list[tuple[int, int]]:
    return []


@table("a", [1, 2])
@table(["b"], [[3], [4]])
def pairs(a: int, b: int, seen: list[tuple[int, int]]) -> None:
    seen.append((a, b))
    assert len(seen) <= 4


test_a_table_hands_fixtures_on = pairs


def test_two_tables_are_every_pair(seen: list[tuple[int, int]]) -> None:
    pairs(seen=seen)
    assert seen == [(1, 3), (1, 4), (2, 3), (2, 4)]
    assert getattr(pairs, "rows", None) == len(seen)


@pytest.mark.parametrize(
    ("names", "rows", "ids", "message"),
    [
        ("a", [], None, "checks nothing"),
        ("a, b", [(1,)], None, "row 0 has 1 values for a, b"),
        ("a", [1, 2], ["first"], "1 ids for 2 rows"),
        ("a, c", [(1, 2)], None, "takes no c"),
        ("a", [pytest.param(1, marks=pytest.mark.integration)], None, "row 0 has marks"),
    ],
)
def test_a_table_that_would_check_less_than_it_says_is_refused(
    names: str, rows: list[Any], ids: list[str] | None, message: str
) -> None:
    def check(a: int, b: int = 0) -> None: ...

    with pytest.raises(ValueError, match=message):
        table(names, rows, ids)(check)
