"""The mutation tester: what it changes, which function that is in, and how it learns what tests reach."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path
from typing import Any, cast

import pytest

from bench import mutants
from bench.mutants import MutationPlace, places_in
from tests.tables import table

PATH = "consumer/sums.py"
TEXT = """\
LIMIT = 3


def total(values):
    def small(value):
        return value < 2

    return sum(value for value in values if not small(value))


class Box:
    @property
    @staticmethod
    def size():
        return LIMIT


def kind(value):
    match value:
        case 0:
            return None
    if value > 9:
        value = 1
    return value
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / PATH).parent.mkdir()
    (tmp_path / PATH).write_text(TEXT)
    return tmp_path


def place(line: int, change: str) -> MutationPlace:
    return next(each for each in places_in(PATH, TEXT) if (each.line, each.change) == (line, change))


def test_a_function_gets_the_mutants_code(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("consumer.sums")
    monkeypatch.setitem(sys.modules, "consumer.sums", module)
    exec(compile(TEXT, PATH, "exec"), module.__dict__)
    functions = mutants.project_functions()
    assert module.total([1, 2, 3]) == 5
    assert mutants.swap(root, place(6, "Lt to LtE"), functions)
    assert module.total([1, 2, 3]) == 3
    assert not mutants.swap(root, place(1, "3 to 4"), functions)
    assert not mutants.swap(root, place(6, "Lt to LtE"), {})


def test_a_returned_false_is_changed_to_true_alone() -> None:
    text = "def f(x):\n    return False\n    return\n    return None\n    return x\n    return 0\n"
    assert [(place.line, place.change) for place in places_in(PATH, text)] == [
        (2, "False to True"),
        (5, "returns None"),
        (6, "returns None"),
        (6, "0 to 1"),
    ]


@pytest.mark.integration
def test_no_mutant_changes_a_device() -> None:
    made = Path("/dev/made-by-a-mutant")
    done = subprocess.run([*mutants._READ_ONLY_DEVICES, "touch", str(made)], capture_output=True, check=False)
    assert done.returncode
    assert not made.exists()


@table(
    "line, change, called, notes",
    [
        # In no function: it notes while the module is imported.
        (1, "3 to 4", None, True), (15, "returns None", None, False),
        # In a function within another one.
        (6, "Lt to LtE", ("total", [1]), True), (6, "Lt to LtE", ("total", []), False),
        # In a branch that is not taken.
        (23, "1 to 2", ("kind", 9), False), (23, "1 to 2", ("kind", 10), True),
        # A pattern cannot note: the statement that it is in does.
        (20, "0 to 1", ("kind", 9), True),
    ],
)  # fmt: skip
def test_a_statement_notes_that_it_is_reached(
    line: int, change: str, called: tuple[str, object] | None, notes: bool
) -> None:
    reached: list[int] = []
    names: dict[str, Any] = {"__name__": "consumer.sums", mutants.NOTE: reached.append}
    exec(compile(mutants.noted(PATH, TEXT, {place(line, change): 7}), PATH, "exec"), names)
    if called:
        assert reached == []
        names[called[0]](called[1])
    assert (7 in reached) is notes


@table(
    "seconds, kills, chosen",
    [
        # The quickest twelve come first, and a test that killed another mutant before them.
        ({f"t{n:02}": 20 - n for n in range(15)}, {}, [f"t{n:02}" for n in [*range(3, 15), *range(3)]]),
        # The others follow as they were collected.
        (
            {"slow": 3.0, **{f"t{n:02}": 1.0 for n in range(14)}},
            {},
            [*[f"t{n:02}" for n in range(12)], "slow", "t12", "t13"],
        ),
        (
            {"slow": 3.0, **{f"t{n:02}": 1.0 for n in range(14)}},
            {"slow": 1},
            ["slow", *[f"t{n:02}" for n in range(14)]],
        ),
    ],
)
def test_the_likeliest_tests_of_a_place_run_first(
    seconds: dict[str, float], kills: dict[str, int], chosen: list[str]
) -> None:
    collected = mutants.Collected(lambda _: None)
    collected.items = [cast(pytest.Item, types.SimpleNamespace(nodeid=name)) for name in seconds]
    reaching = [mutants.MeasuredTest(name, frozenset(), each, passed=True) for name, each in seconds.items()]
    assert [item.nodeid for item in collected.chosen(reaching, kills)] == chosen
