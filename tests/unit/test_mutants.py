"""The mutation tester: what it changes, which function that is in, and how it learns what tests reach."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
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


def test_a_function_that_was_made_before_gets_the_mutants_code_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        "def least(low):\n    def check(value):\n        return low < value\n    return check\n\n\ncheck = least(2)\n"
    )
    (tmp_path / PATH).parent.mkdir()
    (tmp_path / PATH).write_text(text)
    module = types.ModuleType("consumer.sums")
    monkeypatch.setitem(sys.modules, "consumer.sums", module)
    exec(compile(text, PATH, "exec"), module.__dict__)
    [changed] = [each for each in places_in(PATH, text) if each.change == "Lt to LtE"]
    assert not module.check(2)
    assert mutants.swap(tmp_path, changed, mutants.project_functions())
    assert module.check(2)
    assert module.least(3)(3)


def test_what_no_function_of_the_process_has_is_not_swapped(root: Path) -> None:
    assert not mutants.swap(root, place(6, "Lt to LtE"), {})


def test_a_returned_false_is_changed_to_true_alone() -> None:
    text = "def f(x):\n    return False\n    return\n    return None\n    return x\n    return 0\n"
    assert [(place.line, place.change) for place in places_in(PATH, text)] == [
        (2, "False to True"),
        (5, "returns None"),
        (6, "returns None"),
        (6, "0 to 1"),
    ]


def test_what_only_types_need_is_no_place() -> None:
    """Its change would import a module that nothing uses."""
    text = "if TYPE_CHECKING:\n    import a\nif b:\n    import c\n"
    assert [place.line for place in places_in("a.py", text)] == [3]


def test_no_run_begins_while_a_test_file_cannot_be_imported() -> None:
    """Its tests would seem to reach nothing, and every mutant that they kill to survive."""
    collected = mutants.Collected(lambda _: pytest.fail("it ran"))
    session = types.SimpleNamespace(testsfailed=1, Failed=pytest.Session.Failed, items=[])
    with pytest.raises(pytest.Session.Failed, match="not all tests were collected"):
        collected.pytest_runtestloop(cast("pytest.Session", session))


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


@table(
    "line, change, before, after",
    [
        (6, "Lt to LtE", "return value < 2", "return value <= 2"),
        (22, "condition negated", "if value > 9:", "if not value > 9:"),
        (23, "1 to 2", "value = 1", "value = 2"),
        (1, "3 to 4", "LIMIT = 3", "LIMIT = 4"),
    ],
)
def test_a_change_is_shown_by_what_differs(line: int, change: str, before: str, after: str) -> None:
    assert mutants.statement(place(line, change), TEXT) == (before, after)


def test_of_a_long_line_the_change_is_shown_with_what_is_around_it() -> None:
    text = f"NUMBERS = [{', '.join(['100'] * 40)}, 7, {', '.join(['200'] * 40)}]\n"
    changed = next(each for each in places_in(PATH, text) if each.change == "7 to 8")
    before, after = mutants.statement(changed, text)
    assert len(before) == len(after) == 120
    assert before.replace(" 7,", " 8,") == after


def test_a_statement_that_is_dropped_is_shown_as_pass() -> None:
    text = "def f():\n    g('a\\nb',\n      1)\n    return 1\n"
    dropped = next(each for each in places_in(PATH, text) if each.change == "call dropped")
    assert mutants.statement(dropped, text) == ("g('a\\nb', 1)", "pass")


def test_a_run_that_is_started_again_judges_only_what_is_left(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    first, second, late = place(6, "Lt to LtE"), place(23, "1 to 2"), place(1, "3 to 4")

    def out_of_time() -> None:
        raise TimeoutError

    def again() -> None:
        raise AssertionError

    journal = mutants.VerdictJournal(path)
    assert journal.judged("near", first, lambda: "tests/test_a.py::test_a") == "killed by tests/test_a.py::test_a"
    assert journal.judged("near", second, lambda: None) == mutants.SURVIVED
    assert journal.judged("near", late, out_of_time) == mutants.OUT_OF_TIME
    resumed = mutants.VerdictJournal(path)
    verdicts = [resumed.judged("near", each, again) for each in (first, second, late)]
    assert [mutants.is_killed(verdict) for verdict in verdicts] == [True, False, False]
    assert verdicts[1:] == [mutants.SURVIVED, mutants.OUT_OF_TIME]
    assert resumed.known(second, ("near", "far")) is None
    assert mutants.is_killed(resumed.judged("far", second, lambda: "tests/test_b.py::test_b"))
    assert resumed.known(second, ("near", "far")) == "killed by tests/test_b.py::test_b"
    assert resumed.known(first, ("near", "far")) == "killed by tests/test_a.py::test_a", "no other step is done"
    assert resumed.judged("far", late, lambda: None) == mutants.SURVIVED
    assert resumed.known(late, ("near", "far")) == mutants.OUT_OF_TIME, "not all of its tests ran"


def test_a_change_that_someone_judged_counts_as_equivalent_wherever_its_line_is(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = root / "judged.toml"
    judged.write_text(
        f'[[equivalent]]\npath = "{PATH}"\nbefore = "return value < 2"\nafter = "return value <= 2"\nreason = "none"\n'
    )
    monkeypatch.setattr(mutants, "EQUIVALENTS", judged)
    (root / PATH).write_text(f"\n\n{TEXT}")
    places = places_in(PATH, f"\n\n{TEXT}")
    assert [(each.line, each.change) for each in mutants.reasons(root, places)] == [(8, "Lt to LtE")]


def test_the_sample_may_be_of_some_lines(root: Path) -> None:
    for path, number in {"consumer/sums.py": 13, "consumer/sums.py:6": 3, "consumer/other": 0}.items():
        assert len(mutants.sample(root, 1, 100, [path])) == number


def test_another_seed_or_code_has_another_journal_and_another_judgement_has_not(root: Path) -> None:
    journal = mutants.journal_of(root, 1)
    (root / "README.md").write_text("x")
    (root / mutants.EQUIVALENTS.name).write_text("x")
    assert mutants.journal_of(root, 1) == journal
    assert mutants.journal_of(root, 2) != journal
    (root / PATH).write_text(f"{TEXT}\n")
    assert mutants.journal_of(root, 1) != journal


def test_the_tests_of_a_module_come_by_name_then_by_distance_then_by_package(root: Path) -> None:
    files = {
        "consumer/box.py": "from consumer import sums",
        "tests/unit/test_sums.py": "",
        "tests/unit/test_a.py": "from consumer.sums import total",
        "tests/unit/test_b.py": "from consumer import box",
        "tests/integration/test_consumer_process.py": "",
        "tests/unit/test_other.py": "import json",
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    chosen = [mutants.Imports(root).tests("consumer.sums", mutants.FOLDERS, distance) for distance in (1, 2)]
    names = ["test_sums", "test_a", "test_b", "test_consumer_process"]
    assert [[Path(path).stem for path in each] for each in chosen] == [[names[0], names[1], names[3]], names]


def test_each_judged_change_is_one_that_a_run_may_draw() -> None:
    """A change of the code ends a judgement: it is made anew, or goes."""
    listed = tomllib.loads(mutants.EQUIVALENTS.read_text())["equivalent"]
    for entry in listed:
        text = (mutants.ROOT / entry["path"]).read_text()
        lines = {ast.unparse(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)}
        assert any(entry["before"].strip() in line for line in lines), entry
        assert entry["reason"]
