"""The mutation tester: what it changes, which function that is in, and which tests it chooses."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from bench import mutants, reached
from bench.mutants import Chosen, Measure, MutationPlace, places_in
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
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / PATH).parent.mkdir()
    (tmp_path / PATH).write_text(TEXT)
    return tmp_path


def place(line: int, change: str) -> MutationPlace:
    return next(each for each in places_in(PATH, TEXT) if (each.line, each.change) == (line, change))


@pytest.mark.parametrize(
    ("line", "change", "function"),
    [
        (1, "3 to 4", None),
        (6, "Lt to LtE", f"{PATH}:4"),
        (8, "not dropped", f"{PATH}:4"),
        # As Python counts: from the first decorator.
        (15, "returns None", f"{PATH}:12"),
    ],
)
def test_a_mutant_belongs_to_the_outermost_function(root: Path, line: int, change: str, function: str | None) -> None:
    assert mutants.function_of(root, place(line, change)) == function


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


def test_the_callers_of_a_function_are_those_of_all_processes_nearest_first(tmp_path: Path) -> None:
    rows = [
        [("import", ["a.py:1"]), ("t.py::far", ["a.py:1", "a.py:9", "b.py:1"]), ("t.py::near[x]", ["a.py:9"])],
        [("import", ["b.py:1"]), ("t.py::near[y]", ["b.py:1"]), ("t.py::other", [])],
    ]
    for number, of_process in enumerate(rows):
        lines = [json.dumps({"test": test, "functions": functions}) for test, functions in of_process]
        (tmp_path / f"{number}.jsonl").write_text("\n".join(lines))
    measure = Measure.of(tmp_path)
    assert measure.imported == {"a.py:1", "b.py:1"}
    assert measure.callers(lambda each: each == "a.py:9") == ["t.py::near", "t.py::far"]
    assert measure.callers(lambda each: each == "a.py:1") == ["t.py::far"]
    assert measure.callers(lambda each: each.startswith("c.py")) == []


@table(
    "test, is_kept",
    [
        ("a.py::test_chosen", True), ("a.py::test_chosen[row]", True), ("a.py::test_other", False),
        ("whole.py::test_unmeasured", True), ("whole.py::test_spared[row]", False), ("whole.py::test_chosen", True),
    ],
)  # fmt: skip
def test_of_a_file_only_tests_run_that_may_call_the_function(test: str, is_kept: bool) -> None:
    chosen = Chosen(
        ["a.py::test_chosen", "whole.py", "whole.py::test_chosen"],
        frozenset({"whole.py::test_spared", "whole.py::test_chosen"}),
    )
    items: list[Any] = [types.SimpleNamespace(nodeid=test)]
    chosen.pytest_collection_modifyitems(items)
    assert bool(items) is is_kept


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


def test_a_call_is_noted_once_with_the_place_of_its_function(tmp_path: Path) -> None:
    (tmp_path / "consumer").mkdir()
    path = tmp_path / PATH
    names: dict[str, Any] = {"__name__": "consumer.sums"}
    exec(compile(TEXT, str(path), "exec"), names)
    target = tmp_path / "rows.jsonl"
    plugin = reached.Reached(tmp_path, target)
    before = sys.gettrace()
    try:
        plugin.start()
        names["total"]([1, 2])
        names["total"]([3])
    finally:
        plugin.stop()
        sys.settrace(before)
    plugin._write("t.py::test", plugin.called)
    row = json.loads(target.read_text())
    assert row["test"] == "t.py::test"
    assert {f"{PATH}:4", f"{PATH}:5"} <= set(row["functions"])
    assert f"{PATH}:12" not in row["functions"]
