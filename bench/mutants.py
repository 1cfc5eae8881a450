"""Mutation testing: changes the code at random places and runs the tests that reach them.

    python -m bench.mutants [--places 100] [--seed 1] [--under consumer/reports renderers] [--near] [--jobs 2]

Works in copies of the files that git knows. A mutant is *killed* when a test fails that passes on the unchanged copy;
it *survived* when all pass. Survivors are either *equivalent* to the code, as ``bench/equivalent_mutants.toml`` says of
those that someone judged, or a hole in the tests. *Out of time*: none failed, but not all ran.

One process collects the unit and conformance tests once. Every run of these tests is a fork of it:

1. The first run measures which test reaches which place. It needs no tracer: the statements that have a place of the
   sample note it (``Noted``).
2. For each mutant, a fork gives the mutated function its new code and runs the tests that reach the place.
3. What is not in a function, or ran while its module was imported, is changed in the copy's file, and pytest starts
   anew with the test files that import the module.
4. For the survivors of both, pytest runs the tests with processes, servers and generated examples that import the
   module (not with ``--near``).

Verdicts are also written to a journal of this code and sample, so a run that is started again goes on where the last
one ended.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import contextlib
import copy
import gc
import hashlib
import inspect
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import _lru_cache_wrapper, cached_property, partial
from importlib.machinery import SourceFileLoader
from itertools import zip_longest
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from types import CodeType, FunctionType
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parent.parent
#: The product: what mutants change.
PACKAGES: Final = ("consumer", "contract", "controlplane", "publisher", "reader", "renderers", "service")
#: All top packages of the project.
TOPS: Final = (*PACKAGES, "manifests", "templates", "local", "tests", "bench")
NEAR_FOLDERS: Final = ("tests/unit/", "tests/conformance/", "tests/test_docs.py")
#: Not the end-to-end tests, which take minutes, nor those of the repository itself, which only name modules.
FOLDERS: Final = (*NEAR_FOLDERS, "tests/integration/")
NEAR: Final = "not integration and not properties and not e2e and not soak"
#: Also those that are in a folder of this name, so it is asked for by ``-k``.
FAR: Final = "(integration or properties) and not e2e and not soak"
#: A test file without these words has no test of ``FAR``.
FAR_WORDS: Final = re.compile(r"integration|properties|hypothesis")
#: Test files of this import distance are run: of what is in no function, and of what only processes reach.
FARTHEST: Final = 3
FARTHEST_UNREACHED: Final = 2
#: For all tests of a mutant in one step. A test that hangs ends sooner, by its own limit, and then kills the mutant.
NEAR_S: Final = 90
FAR_S: Final = 150
ONE_TEST_S: Final = 30
MEASURE_S: Final = 1800
#: Of a measurement, for each worker.
PARTS: Final = 4
#: Tests that run before all others: those that killed the most mutants, then those that take the least time.
FIRST: Final = 12
#: What a noted statement calls with the number of its place.
NOTE: Final = "__reached__"
_COMPARISONS: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


def mutant_of(node: ast.AST) -> tuple[str, Callable[[], ast.AST]] | None:  # noqa: C901, PLR0911 (a table of cases)
    """(what changes, what makes the node that takes the place of ``node``)."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return None  # It would only import what annotations name.
        case ast.Compare(ops=[op]) if type(op) in _COMPARISONS:
            other = _COMPARISONS[type(op)]
            change = f"{type(op).__name__} to {other.__name__}"
            return change, lambda: ast.Compare(node.left, [other()], node.comparators)
        case ast.BoolOp(op=ast.And()):
            return "and to or", lambda: ast.BoolOp(ast.Or(), node.values)
        case ast.BoolOp():
            return "or to and", lambda: ast.BoolOp(ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            return "not dropped", lambda: node.operand
        case ast.Constant(value=bool(value)):
            return f"{value} to {not value}", lambda: ast.Constant(not value)
        case ast.Constant(value=int(number)):
            return f"{number} to {number + 1}", lambda: ast.Constant(number + 1)
        case ast.If() | ast.IfExp() | ast.While():
            return "condition negated", lambda: _negated(node)
        # A caller takes None for False, and False itself is changed to True.
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and not_true(value)):
            return "returns None", lambda: ast.Return(ast.Constant(None))
        case ast.Raise():
            return "raise dropped", ast.Pass
        case ast.Expr(value=ast.Call()):
            return "call dropped", ast.Pass
    return None


def not_true(constant: ast.Constant) -> bool:
    return constant.value is None or constant.value is False


def _negated(node: ast.If | ast.IfExp | ast.While) -> ast.AST:
    other = copy.copy(node)
    other.test = ast.UnaryOp(ast.Not(), node.test)
    return other


@dataclass(frozen=True)
class MutationPlace:
    """One change of one file; ``number``: which of the file's mutants, in the order of the walk."""

    path: str
    line: int
    change: str
    number: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.change}"


class Walk(ast.NodeTransformer):
    """Visits what runs: no annotations, decorators or docstrings. With ``wanted`` it makes that one mutant."""

    def __init__(self, path: str, wanted: int | None = None) -> None:
        self.path, self.wanted = path, wanted
        self.places: list[MutationPlace] = []

    def visit(self, node: ast.AST) -> Any:
        if mutant := mutant_of(node):
            place = MutationPlace(self.path, getattr(node, "lineno", 0), mutant[0], len(self.places))
            self.places.append(place)
            if place.number == self.wanted:
                return ast.copy_location(mutant[1](), node)
        return self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        kept = {
            name: getattr(node, name) for name in ("annotation", "returns", "decorator_list") if hasattr(node, name)
        }
        for name, value in kept.items():
            setattr(node, name, [] if isinstance(value, list) else None)
        super().generic_visit(node)
        for name, value in kept.items():
            setattr(node, name, value)
        return node


class Noted(Walk):
    """Puts a call of ``NOTE`` before each statement that has one of the places; ``names``: place -> what is noted."""

    def __init__(self, path: str, names: Mapping[MutationPlace, int]) -> None:
        super().__init__(path)
        self.names = dict(names)

    def visit(self, node: ast.AST) -> Any:
        first = len(self.places)
        visited = super().visit(node)
        if not isinstance(node, ast.stmt):
            return visited
        noted = [self.names.pop(place) for place in self.places[first:] if place in self.names]
        calls = [ast.Expr(ast.Call(ast.Name(NOTE, ast.Load()), [ast.Constant(name)], [])) for name in noted]
        return [*(ast.copy_location(call, node) for call in calls), visited]


def places_in(path: str, text: str) -> list[MutationPlace]:
    walk = Walk(path)
    walk.visit(ast.parse(text))
    return walk.places


def mutated(place: MutationPlace, text: str) -> ast.Module:
    """The file with one change."""
    tree: ast.Module = Walk(place.path, place.number).visit(ast.parse(text))
    return ast.fix_missing_locations(tree)


def noted(path: str, text: str, names: Mapping[MutationPlace, int]) -> ast.Module:
    """The file whose statements note the places that they have."""
    tree: ast.Module = Noted(path, names).visit(ast.parse(text))
    return ast.fix_missing_locations(tree)


def changed_function(old: CodeType, new: CodeType) -> tuple[CodeType, CodeType] | None:
    """The one function, not within another one, in which two modules differ; None: they differ elsewhere."""
    if old.co_flags & inspect.CO_NEWLOCALS and old.co_flags & inspect.CO_OPTIMIZED:
        return old, new
    pairs = [pair for pair in zip(old.co_consts, new.co_consts, strict=False) if pair[0] != pair[1]]
    same_body = old.co_code == new.co_code and len(old.co_consts) == len(new.co_consts)
    if same_body and len(pairs) == 1 and all(isinstance(const, CodeType) for const in pairs[0]):
        return changed_function(*pairs[0])
    return None


#: (module, qualified name, first line) -> the functions of this process.
Functions = dict[tuple[str, str, int], list[FunctionType]]


def objects() -> list[object]:
    """All that Python's collector knows, also what it no longer looks at (tests/conftest.py)."""
    gc.unfreeze()
    every = gc.get_objects()
    gc.freeze()
    return every


def project_functions() -> Functions:
    """The functions of this process by module, name and first line. One look for all mutants: it takes a second."""
    functions: Functions = {}
    for each in objects():
        if isinstance(each, FunctionType) and str(each.__module__).partition(".")[0] in PACKAGES:
            code = each.__code__
            functions.setdefault((each.__module__, code.co_qualname, code.co_firstlineno), []).append(each)
    return functions


def swap(root: Path, place: MutationPlace, functions: Functions) -> bool:
    """Give the function of this process that the mutant is in the mutant's code; False: there is none such."""
    path = root / place.path
    text = path.read_text(encoding="utf-8")
    codes = changed_function(compile(text, path, "exec"), compile(mutated(place, text), path, "exec"))
    if codes is None:
        return False
    module, changed = module_name(Path(place.path)), False
    try:
        for old, new in _with_inner(*codes):
            for function in functions.get((module, old.co_qualname, old.co_firstlineno), []):
                function.__code__ = new
                changed = True
    except ValueError:  # The mutant no longer uses a variable of its class.
        return False
    return changed


def _with_inner(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """A function's two codes, and those of each function in it that differs: what it made before keeps its own."""

    def inner(code: CodeType) -> dict[tuple[str, int], CodeType]:
        codes = [const for const in code.co_consts if isinstance(const, CodeType)]
        counts = Counter((each.co_qualname, each.co_firstlineno) for each in codes)
        # Of two on one line nobody knows which is which.
        return {key: each for each in codes if counts[key := (each.co_qualname, each.co_firstlineno)] == 1}

    yield old, new
    after = inner(new)
    for key, each in inner(old).items():
        if key in after and after[key] != each:
            yield from _with_inner(each, after[key])


@dataclass
class Imports:
    """Who imports whom, read from the files below ``root``."""

    root: Path

    @cached_property
    def modules(self) -> dict[str, Path]:
        files = [path for top in TOPS for path in sorted((self.root / top).rglob("*.py"))]
        return {module_name(path.relative_to(self.root)): path for path in files}

    @cached_property
    def direct(self) -> dict[str, set[str]]:
        return {name: self._of(path) for name, path in self.modules.items()}

    def _of(self, path: Path) -> set[str]:
        """Also modules that the file names in a string, or can import by name because they lie next to it."""
        names: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import():
                    names |= {alias.name for alias in node.names}
                case ast.ImportFrom(module="importlib") if "tests" not in path.relative_to(self.root).parts:
                    names |= {module_name(other.relative_to(self.root)) for other in path.parent.glob("*.py")}
                case ast.ImportFrom(module=str(module)):
                    names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
                case ast.Constant(value=str(text)):
                    names.add(text)
        return names & self.modules.keys() - {module_name(path.relative_to(self.root))}

    def tests(self, module: str, folders: tuple[str, ...], farthest: int) -> list[str]:
        """The test files that have the module's name, those that import it, then those that import an importer, and so
        on; then those that have the package's name: tests that reach a server by fixtures import none of its modules.
        """
        seen, border = {module}, {module}
        names = {f"test_{'_'.join(module.split('.')[-parts:])}" for parts in (1, 2)}
        wanted = [name for name in self.modules if name.rpartition(".")[2] in names]
        for _ in range(farthest):
            border = {name for name, imported in self.direct.items() if imported & border} - seen
            seen |= border
            wanted += sorted(border)
        package = f"test_{module.partition('.')[0]}_"
        wanted += sorted(name for name in self.modules if name.rpartition(".")[2].startswith(package))
        files = dict.fromkeys(self.modules[name].relative_to(self.root).as_posix() for name in wanted)
        return [file for file in files if Path(file).name.startswith("test_") and file.startswith(folders)]


def module_name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


_forking: Final = threading.Lock()


def forked(work: Callable[[], Any], seconds: float) -> Any:
    """What ``work`` returns in a process of its own, with a session of its own, so that what it leaves behind ends."""
    with _forking:  # The child of another thread would keep this end of the pipe open.
        there, here = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.get_context("fork").Process(target=_answer, args=(work, here))
        process.start()
        here.close()
    try:
        if not there.poll(seconds):
            raise TimeoutError
        answer = there.recv()
    finally:
        process.join(5)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
        there.close()
    if isinstance(answer, Exception):
        raise answer
    return answer


def _answer(work: Callable[[], Any], here: Connection) -> None:
    os.setsid()
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        here.send(work())
    except Exception as exc:  # noqa: BLE001 (no mutant's doing: pytest catches what a test raises)
        here.send(RuntimeError(repr(exc)))
    os._exit(0)


@dataclass(frozen=True)
class MeasuredTest:
    """What a test did on the unchanged code."""

    name: str
    reached: frozenset[int]
    seconds: float
    passed: bool


class Collected:
    """A pytest plugin in whose place of the test loop ``work`` runs: with all tests collected, and none run.

    Statements that note a place do so here, and what shared fixtures note counts for every test that uses them.
    """

    def __init__(self, work: Callable[[Collected], None]) -> None:
        self.work = work
        self.items: list[pytest.Item] = []
        self.reached: set[int] = set()
        self.of_fixtures: dict[str, frozenset[int]] = {}
        self.failed: list[str] = []
        self.caches: list[_lru_cache_wrapper[Any]] = []
        self.unraisable = sys.unraisablehook

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:  # Tests of a file that cannot be imported would seem to reach nothing.
            raise session.Failed("not all tests were collected")
        self.items = session.items
        wrappers = [each for each in objects() if isinstance(each, _lru_cache_wrapper)]
        self.caches = [each for each in wrappers if str(each.__module__).partition(".")[0] in PACKAGES]
        # pytest keeps what it hears for the next test, and each fork would begin with it.
        self.unraisable, sys.unraisablehook = sys.unraisablehook, sys.__unraisablehook__
        self.work(self)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        if fixturedef.scope == "function":
            return (yield)
        outer = set(self.reached)
        self.reached.clear()
        try:
            return (yield)
        finally:
            known = self.of_fixtures.get(fixturedef.argname, frozenset())
            self.of_fixtures[fixturedef.argname] = known | self.reached
            self.reached |= outer

    def begin(self, temporary: Path) -> None:
        """Before the first test of a fork. ``temporary``: for ``tmp_path``; pytest empties it when the first asks."""
        factory = self.items[0].config._tmp_path_factory  # type: ignore[attr-defined]
        factory._given_basetemp, factory._basetemp = temporary, None
        # What an earlier fork left here is no test's doing.
        gc.collect()
        sys.unraisablehook = self.unraisable
        for cache in self.caches:
            cache.cache_clear()

    def first_failure(self, items: Sequence[pytest.Item]) -> str | None:
        for item, following in zip_longest(items, items[1:]):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return self.failed[0]
        return None

    def chosen(self, tests: Sequence[MeasuredTest], kills: Mapping[str, int]) -> list[pytest.Item]:
        """The likeliest first, and the others in their order, so that fixtures are made once."""
        likely = sorted(tests, key=lambda test: (-kills.get(test.name, 0) / (1 + test.seconds), test.seconds))
        names = {test.name: number >= FIRST for number, test in enumerate(likely)}
        return sorted((item for item in self.items if item.nodeid in names), key=lambda item: names[item.nodeid])

    def measured(self, items: Sequence[pytest.Item]) -> list[MeasuredTest]:
        """One run of these tests."""
        measured: list[MeasuredTest] = []
        for item, following in zip_longest(items, items[1:]):
            self.reached.clear()
            self.failed.clear()
            for cache in self.caches:  # It would hide from all tests but one what the product calls.
                cache.cache_clear()
            start = time.monotonic()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            shared = [self.of_fixtures.get(name, frozenset()) for name in getattr(item, "fixturenames", ())]
            places = frozenset(self.reached).union(*shared)
            measured.append(MeasuredTest(item.nodeid, places, time.monotonic() - start, not self.failed))
        return measured


def killer_in_memory(
    collected: Collected,
    items: Sequence[pytest.Item],
    temporary: Path,
    change: Callable[[], bool],
    tell: Callable[[str], object],
) -> tuple[bool, str | None]:
    """(whether there was a function to change, the first failure), in a process of its own."""
    ends = time.monotonic() + NEAR_S

    def failure(items: Sequence[pytest.Item], change: Callable[[], bool]) -> tuple[bool, str | None]:
        collected.begin(temporary)
        is_changed = change()
        return is_changed, collected.first_failure(items) if is_changed else None

    while True:
        try:
            is_changed, killer = forked(partial(failure, items, change), ends - time.monotonic())
        except EOFError:
            return True, "the end of the process"
        alone = [item for item in items if item.nodeid == killer]
        if not alone or forked(partial(failure, alone, lambda: True), ONE_TEST_S)[1] is None:
            return is_changed, killer
        tell(f"{killer} fails without a change, too: it kills nobody")
        items = [item for item in items if item.nodeid != killer]


SURVIVED: Final = "survived"
OUT_OF_TIME: Final = "out of time"


def is_killed(verdict: str) -> bool:
    return verdict not in (SURVIVED, OUT_OF_TIME)


@dataclass
class VerdictJournal:
    """What is judged already: a line for each step of each place."""

    path: Path

    def __post_init__(self) -> None:
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        self.verdicts: dict[tuple[str, str], str] = {
            (step, place): verdict for step, place, verdict in map(json.loads, lines)
        }

    def known(self, place: MutationPlace, steps: Iterable[str]) -> str | None:
        """The verdict of these steps; None: a step is missing that would have been done."""
        left = SURVIVED
        for step in steps:
            verdict = self.verdicts.get((step, f"{place.path} {place.number}"))
            if verdict is None or is_killed(verdict):
                return verdict
            left = OUT_OF_TIME if verdict == OUT_OF_TIME else left
        return left

    def judged(self, step: str, place: MutationPlace, judge: Callable[[], str | None]) -> str:
        key = (step, f"{place.path} {place.number}")
        if key not in self.verdicts:
            try:
                killer = judge()
                verdict = f"killed by {killer}" if killer else SURVIVED
            except TimeoutError:
                verdict = OUT_OF_TIME
            self.verdicts[key] = verdict
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*key, verdict]) + "\n")
        return self.verdicts[key]


@dataclass
class Trial:
    """Copies of the project in which mutants are tried: one that stays as it is, and one for each worker's files."""

    folder: Path
    places: list[MutationPlace]
    journal: VerdictJournal
    jobs: int
    is_near_only: bool
    tell: Callable[[str], object]

    def __post_init__(self) -> None:
        self.root = self.folder / "tree"
        self.imports = Imports(self.root)
        self.steps = ("near",) if self.is_near_only else ("near", "far")
        self.workers: SimpleQueue[Path] = SimpleQueue()
        for number in range(self.jobs):
            worker = self.folder / f"worker{number}"
            shutil.copytree(self.root, worker / "tree", symlinks=True)
            self.workers.put(worker)

    def run(self) -> None:
        """Judge all places."""
        if all(self.journal.known(place, self.steps) for place in self.places):
            return
        enter(self.root)
        collected = Collected(self._judge)
        setattr(builtins, NOTE, collected.reached.add)
        options = ["-q", "-s", "-p", "no:cacheprovider", "--timeout", str(ONE_TEST_S)]
        log = self.folder / "pytest.log"
        with self._noting(), log.open("w", encoding="utf-8") as file, contextlib.redirect_stdout(file):
            code = pytest.main([*options, "-m", NEAR, *NEAR_FOLDERS], plugins=[collected])
        if code:
            raise RuntimeError(log.read_text(encoding="utf-8"))

    @contextlib.contextmanager
    def _noting(self) -> Iterator[None]:
        """Modules that are imported now note the places; a file itself stays as it is, for what a test starts."""
        codes: dict[str, CodeType] = {}
        for path in {place.path for place in self.places}:
            names = {place: number for number, place in enumerate(self.places) if place.path == path}
            file = self.root / path
            codes[str(file)] = compile(noted(path, file.read_text(encoding="utf-8"), names), file, "exec")
        original = SourceFileLoader.get_code

        def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
            return codes.get(loader.path) or original(loader, name)

        SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
        try:
            yield
        finally:
            SourceFileLoader.get_code = original  # type: ignore[method-assign]

    def _measured(self, collected: Collected) -> list[MeasuredTest]:
        """One run of all tests, in parts, so that all workers end at about the same time."""
        start, parts = time.monotonic(), PARTS * self.jobs
        size = -(-len(collected.items) // parts)

        def part(number: int) -> list[MeasuredTest]:
            items = collected.items[number * size : (number + 1) * size]

            def work() -> list[MeasuredTest]:
                collected.begin(self.folder / f"measured{number}")
                return collected.measured(items)

            measured: list[MeasuredTest] = forked(work, MEASURE_S)
            return measured

        with ThreadPoolExecutor(self.jobs) as pool:
            tests = [test for measured in pool.map(part, range(parts)) for test in measured]
        for test in tests:
            if not test.passed:
                self.tell(f"{test.name} fails without a change, too: it kills nobody")
        self.tell(f"{len(tests)} tests measured ({time.monotonic() - start:.0f} s)")
        return tests

    def _judge(self, collected: Collected) -> None:
        at_import = frozenset(collected.reached)
        functions = project_functions()
        tests = self._measured(collected)
        kills: Counter[str] = Counter()

        def by_near_tests(number: int, worker: Path) -> str | None:
            place = self.places[number]
            items = collected.chosen([test for test in tests if number in test.reached and test.passed], kills)
            change = partial(swap, self.root, place, functions)
            is_swapped, killer = killer_in_memory(collected, items, worker / "tmp", change, self.tell)
            if killer or (is_swapped and number not in at_import):
                kills.update(filter(None, [killer]))
                return killer
            return self._killer_on_disk(place, worker, NEAR, NEAR_FOLDERS, FARTHEST)

        def by_far_tests(number: int, worker: Path) -> str | None:
            is_reached = any(number in test.reached for test in tests)
            return self._killer_on_disk(
                self.places[number], worker, FAR, FOLDERS, 1 if is_reached else FARTHEST_UNREACHED
            )

        self._step("near", range(len(self.places)), by_near_tests)
        if not self.is_near_only:
            verdicts = [self.journal.known(place, ("near",)) or "" for place in self.places]
            self._step("far", [n for n, verdict in enumerate(verdicts) if not is_killed(verdict)], by_far_tests)

    def _step(self, step: str, numbers: Iterable[int], killer_of: Callable[[int, Path], str | None]) -> None:
        def judge(number: int) -> None:
            place, worker, start = self.places[number], self.workers.get(), time.monotonic()
            verdict = self.journal.judged(step, place, lambda: killer_of(number, worker))
            self.workers.put(worker)
            self.tell(f"{step} {number}  {place}  {verdict}  ({time.monotonic() - start:.0f} s)")

        with ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(judge, numbers))

    def _killer_on_disk(
        self, place: MutationPlace, worker: Path, marks: str, folders: tuple[str, ...], farthest: int
    ) -> str | None:
        root = worker / "tree"
        files = self.imports.tests(module_name(Path(place.path)), folders, farthest)
        if marks == FAR:
            files = [file for file in files if FAR_WORDS.search(file + (root / file).read_text(encoding="utf-8"))]
        path = root / place.path
        original = path.read_text(encoding="utf-8")
        ends = time.monotonic() + (FAR_S if marks == FAR else NEAR_S)
        unsound: list[str] = []
        while files:
            path.write_text(ast.unparse(mutated(place, original)), encoding="utf-8")
            try:
                killer = _pytest(worker, [*files, *(f"--deselect={test}" for test in unsound)], marks, ends)
            finally:
                path.write_text(original, encoding="utf-8")
            if killer is None or "/" not in killer or _pytest(worker, [killer], marks, ends + ONE_TEST_S) is None:
                return killer
            self.tell(f"{killer} fails without a change, too: it kills nobody")
            unsound.append(killer)
        return None


def _pytest(worker: Path, arguments: list[str], marks: str, ends: float) -> str | None:
    """The first failure of a run of its own."""
    options = ["-q", "-x", "--tb=no", "-rfE", "-p", "no:cacheprovider", "--timeout", str(ONE_TEST_S)]
    options += ["-k" if marks == FAR else "-m", marks]
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, "--basetemp", str(worker / "tmp"), *arguments],
        cwd=worker / "tree", env={**os.environ, "PYTHONPATH": str(worker / "tree")},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=max(1, ends - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    finally:
        for number in (signal.SIGINT, signal.SIGKILL):  # The first lets tests stop their servers.
            with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(process.pid, number)
                process.wait(20)
        assert process.stdout is not None
        process.stdout.close()
    if process.returncode in (0, 5):
        return None
    failed = re.search(r"^(?:FAILED|ERROR) ([^\s\[]+)", output, re.MULTILINE)
    return failed[1] if failed else "a start of pytest"


def enter(root: Path) -> None:
    """Go into the copy: what is imported from now on, here and in what tests start, comes from there."""
    os.environ.update(CI="true", PYTHONPATH=str(root))  # CI: generated examples follow from the test alone.
    sys.path[:] = [str(root), *(path for path in sys.path if Path(path or ".").resolve() != ROOT)]
    for name in [name for name in sys.modules if name.partition(".")[0] in TOPS]:
        del sys.modules[name]
    os.chdir(root)


def sample(root: Path, seed: int, places: int, under: Sequence[str]) -> list[MutationPlace]:
    """The first places of a longer sample are those of a shorter one."""
    files = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    every: list[MutationPlace] = []
    for path in files:
        name = path.relative_to(root).as_posix()
        if name.startswith(tuple(part.partition(":")[0] for part in under)):
            every += [
                place
                for place in places_in(name, path.read_text(encoding="utf-8"))
                if f"{place}".startswith(tuple(under))
            ]
    random.Random(seed).shuffle(every)
    return every[:places]


#: A test that a mutant breaks may replace a device of the machine if it runs as root, so /dev is read-only for it.
_READ_ONLY_DEVICES: Final = (
    *("unshare", "--mount", "sh", "-c"),
    'mount --rbind /dev /dev && mount -o remount,bind,ro /dev && exec "$@"',
    "sh",
)


def protect_devices(tell: Callable[[str], object]) -> None:
    """Begin this program anew where no one can replace a device; as an ordinary user one cannot anyway."""
    if not os.access("/dev", os.W_OK):
        return
    if subprocess.run([*_READ_ONLY_DEVICES, "true"], capture_output=True, check=False).returncode:
        tell("this kernel does not let /dev be made read-only: a mutant may replace a device of this machine")
        return
    os.execvp(_READ_ONLY_DEVICES[0], [*_READ_ONLY_DEVICES, sys.executable, "-m", "bench.mutants", *sys.argv[1:]])


def copied(target: Path) -> None:
    """The files that git knows, as they are now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    for name in (".venv", ".tools"):
        (target / name).symlink_to(ROOT / name)


#: Changes without an effect: where, the statement's first line before and after, and why nobody can notice it.
EQUIVALENTS: Final = Path(__file__).with_name("equivalent_mutants.toml")


def statement(place: MutationPlace, text: str) -> tuple[str, str]:
    """The part of a line that differs, before and after the change, with some of what is around it."""
    before, after = (ast.unparse(tree).splitlines() for tree in (ast.parse(text), mutated(place, text)))
    first = next(number for number, (old, new) in enumerate(zip_longest(before, after)) if old != new)
    pair = before[first].strip(), (after[first] if len(before) == len(after) else "pass").strip()
    start = max(0, next(number for number, (old, new) in enumerate(zip_longest(*pair)) if old != new) - 60)
    return pair[0][start : start + 120], pair[1][start : start + 120]


def reasons(root: Path, places: Iterable[MutationPlace]) -> dict[MutationPlace, str]:
    """Why a change makes no difference, for those that someone judged."""
    listed = tomllib.loads(EQUIVALENTS.read_text(encoding="utf-8"))["equivalent"]
    known = {(each["path"], each["before"], each["after"]): each["reason"] for each in listed}
    keys = {place: (place.path, *statement(place, (root / place.path).read_text(encoding="utf-8"))) for place in places}
    return {place: known[key] for place, key in keys.items() if key in known}


def journal_of(root: Path, seed: int) -> Path:
    """Its name stands for the seed, the code and the tests. Documents and judgements may change."""
    digest = hashlib.sha256(str(seed).encode())
    for path in sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink()):
        if path.suffix != ".md" and path.name != EQUIVALENTS.name:
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return Path(tempfile.gettempdir()) / f"cloop-mutants-{digest.hexdigest()[:16]}.jsonl"


def main() -> int:
    """0: at least 95 of 100 were killed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--places", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--under", nargs="*", default=[""], help="only places that begin so: consumer/reports, a.py:7")
    parser.add_argument("--near", action="store_true", help="without tests of processes, servers and many cases")
    parser.add_argument("--jobs", type=int, default=2, help="how many mutants are tried at a time")
    args = parser.parse_args()
    tell = partial(print, file=sys.stdout, flush=True)
    protect_devices(tell)
    with tempfile.TemporaryDirectory(prefix="cloop-mutants-", ignore_cleanup_errors=True) as folder:
        root = Path(folder) / "tree"
        copied(root)
        places = sample(root, args.seed, args.places, args.under)
        trial = Trial(Path(folder), places, VerdictJournal(journal_of(root, args.seed)), args.jobs, args.near, tell)
        trial.run()
        verdicts = {place: trial.journal.known(place, trial.steps) or "" for place in places}
        left = [place for place in places if not is_killed(verdicts[place])]
        equivalent = reasons(root, left)
        texts = {place: statement(place, (root / place.path).read_text(encoding="utf-8")) for place in left}
    for place in sorted(left, key=lambda place: (place in equivalent, place.path, place.line)):
        before, after = texts[place]
        tell(f"{place}  {equivalent.get(place) or verdicts[place]}\n    - {before}\n    + {after}")
    killed, different = len(places) - len(left), len(places) - len(equivalent)
    late = sum(verdicts[place] == OUT_OF_TIME for place in left if place not in equivalent)
    tell(
        f"seed {args.seed}: {killed} of {different} killed ({100 * killed // max(1, different)} %),"
        f" {different - killed - late} survived, {late} out of time; {len(equivalent)} more are equivalent"
    )
    return 0 if killed * 100 >= different * 95 else 1


if __name__ == "__main__":
    sys.exit(main())
