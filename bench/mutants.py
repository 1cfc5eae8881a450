"""Mutation testing: changes the code at random places and runs the tests that import it.

    python -m bench.mutants [--places 100] [--seed 1] [--under consumer/reports] [--resume]

Works in a copy of the files that git knows. A mutant is *killed* when a test fails that passes on the unchanged copy;
it *survived* when all pass. Survivors are either equivalent to the code or a hole in the tests. *Undecided*: the tests
did not end in time.

The first phase runs, for every mutant, the unit tests that call the mutated function, those that call the fewest
others first, and the test files that import its module. Who calls what is measured: one run of the unit tests on the
unchanged copy, except those that start processes or try many cases (``bench.reached``). For a constant, the tests of
all functions of the module and of its importers run.
The second phase runs, for the survivors alone, the other unit, conformance and integration tests that import the
module, directly or not.

All test files are imported once, and each trial is a fork in which the mutated function has other code; only what is
not a function, or ran while its module was imported, is imported anew.
The copy, the measure and ``verdicts.jsonl`` stay in the temporary folder, so that ``--resume`` goes on with a run that
was stopped; ``--measured FOLDER`` takes the measure of another run of the same code.
"""

from __future__ import annotations

import argparse
import ast
import atexit
import contextlib
import copy
import gc
import inspect
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final

import pytest

from bench import reached
from bench.reached import PACKAGES

ROOT: Final = Path(__file__).parent.parent
#: All top packages of the project.
TOPS: Final = (*PACKAGES, "manifests", "templates", "local", "tests", "bench")
#: Not the end-to-end tests, which take minutes, nor those of the repository itself, which only name modules.
FOLDERS: Final = ("tests/unit/", "tests/conformance/", "tests/integration/")
NEAR_FOLDERS: Final = FOLDERS[:2]
#: What the measure leaves out: a process that a test starts is not measured, and generated cases take their time.
MEASURED: Final = "not integration and not properties and not e2e and not soak"
#: Test files of this import distance are still run.
FARTHEST: Final = 3
#: For one run of pytest. A test that hangs ends sooner, by its own limit, and then kills the mutant.
TIMEOUT_S: Final = 900
ONE_TEST_S: Final = 90
#: Test files that a trial collects before all others.
NEAREST: Final = 8
#: Processes of the run that measures.
WORKERS: Final = 2
#: Of the generated examples in the first phase (``CASES``, tests/cases.py).
FEW_CASES: Final = "0.2"
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


def mutants_of(node: ast.AST) -> Iterator[tuple[str, Callable[[], ast.AST]]]:  # noqa: C901 (a table of cases)
    """(what changes, what makes the node that takes the place of ``node``)."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in _COMPARISONS:
            other = _COMPARISONS[type(op)]
            yield (
                f"{type(op).__name__} to {other.__name__}",
                lambda: ast.Compare(node.left, [other()], node.comparators),
            )
        case ast.BoolOp(op=ast.And()):
            yield "and to or", lambda: ast.BoolOp(ast.Or(), node.values)
        case ast.BoolOp():
            yield "or to and", lambda: ast.BoolOp(ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield "not dropped", lambda: node.operand
        case ast.Constant(value=bool(value)):
            yield f"{value} to {not value}", lambda: ast.Constant(not value)
        case ast.Constant(value=int(number)):
            yield f"{number} to {number + 1}", lambda: ast.Constant(number + 1)
        case ast.If() | ast.IfExp() | ast.While():
            yield "condition negated", lambda: _negated(node)
        # A caller takes None for False, and False itself is changed to True.
        case ast.Return(value=ast.Constant(value=None | False)):
            return
        case ast.Return(value=ast.expr()):
            yield "returns None", lambda: ast.Return(ast.Constant(None))
        case ast.Raise():
            yield "raise dropped", ast.Pass
        case ast.Expr(value=ast.Call()):
            yield "call dropped", ast.Pass


def _negated(node: ast.If | ast.IfExp | ast.While) -> ast.AST:
    other = copy.copy(node)
    other.test = ast.UnaryOp(ast.Not(), node.test)
    return other


#: (module, qualified name, first line) -> the functions of this process.
Functions = dict[tuple[str, str, int], list[FunctionType]]


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

    def visit(self, node: ast.AST) -> ast.AST:
        for change, make in mutants_of(node):
            place = MutationPlace(self.path, getattr(node, "lineno", 0), change, len(self.places))
            self.places.append(place)
            if place.number == self.wanted:
                return ast.copy_location(make(), node)
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


def places_in(path: str, text: str) -> list[MutationPlace]:
    walk = Walk(path)
    walk.visit(ast.parse(text))
    return walk.places


def mutated(place: MutationPlace, text: str) -> ast.Module:
    """The file with one change."""
    tree = Walk(place.path, place.number).visit(ast.parse(text))
    assert isinstance(tree, ast.Module)
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


def changed_codes(root: Path, place: MutationPlace) -> tuple[CodeType, CodeType] | None:
    text = (root / place.path).read_text(encoding="utf-8")
    return changed_function(compile(text, place.path, "exec"), compile(mutated(place, text), place.path, "exec"))


def function_of(root: Path, place: MutationPlace) -> str | None:
    """The function that the mutant is in, as the measure names it; None: it is in none."""
    codes = changed_codes(root, place)
    return f"{place.path}:{codes[0].co_firstlineno}" if codes else None


def swap(root: Path, place: MutationPlace, functions: Functions) -> bool:
    """Give the function of this process that the mutant is in the mutant's code; False: there is none such."""
    codes = changed_codes(root, place)
    if codes is None:
        return False
    old, new = codes
    changed = functions.get((_module(Path(place.path)), old.co_qualname, old.co_firstlineno), [])
    try:
        for function in changed:
            function.__code__ = new
    except ValueError:  # The mutant no longer uses a variable of its class.
        return False
    return bool(changed)


def project_functions() -> Functions:
    """The functions of this process by module, name and first line. One look for all trials: it takes a second."""
    functions: Functions = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and str(each.__module__).partition(".")[0] in PACKAGES:
            code = each.__code__
            functions.setdefault((each.__module__, code.co_qualname, code.co_firstlineno), []).append(each)
    return functions


def forget_project() -> None:
    """The next import of each of the project's modules reads its file."""
    for name in [name for name in sys.modules if name.split(".")[0] in TOPS]:
        del sys.modules[name]


@dataclass
class Imports:
    """Who imports whom, read from the files below ``root``."""

    root: Path

    @cached_property
    def modules(self) -> dict[str, Path]:
        files = [path for top in TOPS for path in sorted((self.root / top).rglob("*.py"))]
        return {_module(path.relative_to(self.root)): path for path in files}

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
                    names |= {_module(other.relative_to(self.root)) for other in path.parent.glob("*.py")}
                case ast.ImportFrom(module=str(module)):
                    names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
                case ast.Constant(value=str(text)):
                    names.add(text)
        return names & self.modules.keys() - {_module(path.relative_to(self.root))}

    def importers(self, module: str) -> set[str]:
        return {name for name, imported in self.direct.items() if module in imported}

    def tests(self, module: str, folders: tuple[str, ...], farthest: int) -> list[str]:
        """The test files that import the module, then those that import an importer, and so on."""
        seen, border = {module}, {module}
        files: list[str] = []
        for _ in range(farthest):
            border = {name for imported in border for name in self.importers(imported)} - seen
            seen |= border
            files += map(self.file, sorted(border))
        return [file for file in files if Path(file).name.startswith("test_") and file.startswith(folders)]

    def file(self, module: str) -> str:
        return self.modules[module].relative_to(self.root).as_posix()


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@dataclass(frozen=True)
class Measure:
    """Which tests call which functions, as ``bench.reached`` wrote it. Tests have no parameters here: a mutant may have
    other ones.
    """

    #: Test -> functions as ``path:first line``.
    called: Mapping[str, frozenset[str]]
    #: Functions that modules call while they are imported.
    imported: frozenset[str]

    @classmethod
    def of(cls, folder: Path) -> Measure:
        called: dict[str, set[str]] = {}
        known: dict[str, str] = {}
        for file in sorted(folder.glob("*.jsonl")):
            for line in file.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                functions = called.setdefault(row["test"].partition("[")[0], set())
                functions |= {known.setdefault(each, each) for each in row["functions"]}
        imported = frozenset(called.pop(reached.IMPORT, ()))
        return cls({test: frozenset(functions) for test, functions in called.items()}, imported)

    @cached_property
    def functions(self) -> frozenset[str]:
        return frozenset().union(*self.called.values())

    def callers(self, functions: Callable[[str], bool]) -> list[str]:
        """The tests that call one of the functions, those that call the fewest ones first."""
        every = frozenset(filter(functions, self.functions))
        tests = [test for test, called in self.called.items() if not every.isdisjoint(called)]
        return sorted(tests, key=lambda test: (len(self.called[test]), test))


def measure(root: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    options = ["-q", "-n", str(WORKERS), "--dist", "loadgroup", "-p", "bench.reached", "-p", "no:cacheprovider"]
    subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-m", MEASURED, "tests/unit"],
        cwd=root,
        env={**os.environ, "CI": "true", reached.FOLDER: str(folder)},
        stdout=subprocess.DEVNULL,
        check=False,  # A test that fails without a change kills nobody: ``Trial.learn_unsound``.
    )


class Chosen:
    """A pytest plugin that keeps these tests, and of these files all tests but ``spared``."""

    def __init__(self, tests: Iterable[str], spared: Set[str]) -> None:
        self.tests, self.spared = frozenset(tests), spared

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self._is_kept(item.nodeid.partition("[")[0])]

    def _is_kept(self, test: str) -> bool:
        return test in self.tests or (_file(test) in self.tests and test not in self.spared)


def _file(test: str) -> str:
    return test.partition("::")[0]


class Failures:
    """A pytest plugin that notes the tests, and the files, that failed."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed:
            self.names.append(report.nodeid)


def preload(root: Path, tests: Iterable[str]) -> Functions:
    """Import pytest's plugins and these test files once: every run is a fork of this process. Returns its functions."""
    os.environ["CI"] = "true"  # Generated examples follow from the test alone.
    os.environ["CASES"] = FEW_CASES
    sys.path[:] = [str(root), *(path for path in sys.path if Path(path or ".").resolve() != ROOT)]
    forget_project()
    os.chdir(root)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", *tests])
    gc.unfreeze()
    gc.collect()
    functions = project_functions()
    gc.freeze()
    return functions


@dataclass(frozen=True)
class TrialRun:
    """What one run of pytest is asked. ``swapped``: a mutant that the files do not have, whose function gets other code
    in memory.
    """

    tests: tuple[str, ...]
    cases: str
    unsound: frozenset[str] = frozenset()
    swapped: MutationPlace | None = None
    spared: Set[str] = frozenset()
    to_the_end: bool = False

    @property
    def arguments(self) -> list[str]:
        files = list(dict.fromkeys(map(_file, self.tests)))
        skipped = [f"--deselect={test}" for test in sorted(self.unsound)]
        limits = ["--tb=short", "-m", "not e2e and not soak", "--timeout", str(ONE_TEST_S)]
        return ["-q", "-p", "no:cacheprovider", *skipped, *limits, *([] if self.to_the_end else ["-x"]), *files]


def _run_pytest(root: Path, request: TrialRun, functions: Functions, answer: Connection) -> None:
    """In a process of its own, with a session of its own, so that what tests leave behind ends with it."""
    os.setsid()
    os.chdir(root)
    if request.swapped is None:
        forget_project()
    elif not swap(root, request.swapped, functions):
        answer.send([])
        os._exit(0)
    os.environ["CASES"] = request.cases
    log = os.open("pytest.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    failures = Failures()
    code = pytest.main(request.arguments, plugins=[failures, Chosen(request.tests, request.spared)])
    answer.send([] if code in (0, 5) else failures.names or ["a start of pytest"])
    atexit._run_exitfuncs()
    os._exit(0)


@dataclass
class Trial:
    """A copy of the project in which one mutant at a time is tried."""

    root: Path
    measure: Measure
    functions: Functions = field(default_factory=dict)
    #: Tests that do not pass on the unchanged copy.
    unsound: set[str] = field(default_factory=set)
    _writes: int = 0

    @cached_property
    def imports(self) -> Imports:
        return Imports(self.root)

    def nearest(self, place: MutationPlace) -> str:
        """The verdict of the first phase."""
        function = function_of(self.root, place)
        called = self._callers(place.path, function)
        files = self.imports.tests(_module(Path(place.path)), NEAR_FOLDERS, 1)
        spared = self.measure.called.keys() - set(called) if function else frozenset[str]()
        # What ran during an import, and all that is no function, needs an import.
        ways = (place, None) if function in self.measure.imported else (place,) if function else (None,)
        requests = [TrialRun((), FEW_CASES, frozenset(self.unsound), swapped, spared) for swapped in ways]
        return self._verdict(place, [*called, *files], requests)

    def wider(self, place: MutationPlace) -> str:
        """The verdict of the second phase."""
        files = self.imports.tests(_module(Path(place.path)), FOLDERS, FARTHEST)
        return self._verdict(place, files, [TrialRun((), "1", frozenset(self.unsound))])

    def _callers(self, path: str, function: str | None) -> list[str]:
        """The tests that call the function; None: one of the module or of its importers."""
        if function:
            return self.measure.callers(lambda each: each == function)
        module = _module(Path(path))
        paths = {self.imports.file(name) for name in (module, *self.imports.importers(module))}
        return self.measure.callers(lambda each: each.partition(":")[0] in paths)

    def _verdict(self, place: MutationPlace, tests: Sequence[str], requests: Iterable[TrialRun]) -> str:
        """``tests``: tests and test files, the nearest first."""
        first = frozenset(list(dict.fromkeys(map(_file, tests)))[:NEAREST])
        chunks = [tuple(test for test in tests if (_file(test) in first) is near) for near in (True, False)]
        for request in requests:
            for chunk in filter(None, chunks):
                failed = self._confirmed(place, replace(request, tests=chunk))
                if failed is None:
                    return "undecided: out of time"
                if failed:
                    return f"killed by {failed[0]}"
        return f"survived {len(tests)} tests and files"

    def _confirmed(self, place: MutationPlace, request: TrialRun) -> list[str] | None:
        """The first failure. On a busy machine a sound test may meet its limit, so after that long it has a second try,
        without those before it.
        """
        with contextlib.nullcontext() if request.swapped else self._changed(place):
            start = time.monotonic()
            failed = self._failures(request)
            late = failed and "/" in failed[0] and time.monotonic() - start > ONE_TEST_S
            again = replace(request, tests=(failed[0].partition("[")[0],)) if failed and late else None
            return self._failures(again) if again else failed

    def learn_unsound(self, tests: Iterable[str]) -> set[str]:
        """Those of the tests, or test files, that fail on the unchanged copy. They do not run again."""
        chosen = sorted({test.partition("[")[0] for test in tests if "/" in test} - self.unsound)
        failed = set(self._failures(TrialRun(tuple(chosen), "1", to_the_end=True)) or ()) if chosen else set()
        self.unsound |= failed
        return failed

    @contextlib.contextmanager
    def _changed(self, place: MutationPlace) -> Iterator[None]:
        path, original = self.root / place.path, self._originals / place.path
        original.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, original)
        self._writes += 1
        path.write_text(ast.unparse(mutated(place, path.read_text(encoding="utf-8"))), encoding="utf-8")
        # Python knows by time and size whether its compiled file is that of the source.
        os.utime(path, (self._writes, self._writes))
        try:
            yield
        finally:
            self.restore()

    @property
    def _originals(self) -> Path:
        return self.root.parent / "original"

    def restore(self) -> None:
        """Take back the change of the last mutant, also that of a run that was killed."""
        for original in self._originals.rglob("*.py"):
            original.replace(self.root / original.relative_to(self._originals))

    def _failures(self, request: TrialRun) -> list[str] | None:
        """The tests, or the files that could not be collected, that failed; None: the run did not end in time."""
        there, here = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.get_context("fork").Process(
            target=_run_pytest, args=(self.root, request, self.functions, here)
        )
        process.start()
        here.close()
        try:
            return list(there.recv()) if there.poll(TIMEOUT_S) else None
        except EOFError:
            return ["the end of the process"]
        finally:
            process.join(5)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid or 0, signal.SIGKILL)
            process.join()


@dataclass(frozen=True)
class MutationSample:
    seed: int
    places: int
    under: str

    def of(self, root: Path) -> list[MutationPlace]:
        """In the order in which they are tried; the first places of a longer sample are those of a shorter one."""
        files = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
        every: list[MutationPlace] = []
        for path in files:
            name = path.relative_to(root).as_posix()
            if name.startswith(self.under):
                every += places_in(name, path.read_text(encoding="utf-8"))
        random.Random(self.seed).shuffle(every)
        return every[: self.places]


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


class Verdicts:
    """What was found, a line a verdict, in the order in which it was found. A later line about a place replaces."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.by_place: dict[str, dict[str, Any]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                self.by_place[row["place"]] = row

    def phase(self, place: MutationPlace) -> int:
        """The last phase that judged the place; 0: none."""
        return int(self.by_place[self._key(place)]["phase"]) if self._key(place) in self.by_place else 0

    def of(self, place: MutationPlace) -> str:
        return str(self.by_place[self._key(place)]["verdict"])

    def add(self, place: MutationPlace, phase: int, verdict: str) -> None:
        row: dict[str, Any] = {"place": self._key(place), "phase": phase, "verdict": verdict}
        self.by_place[row["place"]] = row
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    @staticmethod
    def _key(place: MutationPlace) -> str:
        return f"{place} #{place.number}"


def judge(trial: Trial, places: list[MutationPlace], verdicts: Verdicts, tell: Callable[[str], object]) -> None:
    """Both phases, but for what ``verdicts`` already has."""
    for phase, ask in ((1, trial.nearest), (2, trial.wider)):
        left = [place for place in places if verdicts.phase(place) < phase]
        if phase > 1:
            left = [place for place in left if not verdicts.of(place).startswith("killed")]
        while left:
            for number, place in enumerate(left, 1):
                start = time.monotonic()
                verdict = ask(place)
                verdicts.add(place, phase, verdict)
                tell(f"{phase}: {number}/{len(left)}  {place}  {verdict}  ({time.monotonic() - start:.0f} s)")
            # One look at the unchanged copy for all tests that failed. Who was killed by an unsound one is asked again.
            killers = {place: verdicts.of(place).removeprefix("killed by ") for place in places}
            unsound = trial.learn_unsound(killers.values())
            for name in sorted(unsound):
                tell(f"{name} fails without a change, too: it kills nobody")
            left = [place for place, killer in killers.items() if killer in unsound]


def main(tell: Callable[[str], object] = lambda line: print(line, flush=True)) -> int:
    """0: at least 95 of 100 were killed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--places", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--under", default="", help="only files whose path begins so, for example consumer/reports")
    parser.add_argument("--measured", type=Path, help="the measure of another run of the same code")
    parser.add_argument("--resume", action="store_true", help="go on with a run of this seed that was stopped")
    args = parser.parse_args()
    protect_devices(tell)
    folder = Path(tempfile.gettempdir()) / f"cloop-mutants-{os.getuid()}-{args.seed}"
    root = folder / "tree"
    if not args.resume:
        shutil.rmtree(folder, ignore_errors=True)
        copied(root)
    elif not root.exists():
        parser.error(f"--resume found no run with seed {args.seed}: {root} is missing. Start without --resume")
    measured = args.measured or folder / "reached"
    if not measured.exists():
        tell("measuring which tests call which functions")
        measure(root, measured)
    trial = Trial(root, Measure.of(measured))
    trial.restore()
    verdicts = Verdicts(folder / "verdicts.jsonl")
    places = MutationSample(args.seed, args.places, args.under).of(root)
    trial.functions = preload(root, NEAR_FOLDERS)
    judge(trial, places, verdicts, tell)
    survivors = [place for place in places if not verdicts.of(place).startswith("killed")]
    for place in survivors:
        tell(f"{place}  {verdicts.of(place)}")
    killed = len(places) - len(survivors)
    tell(f"{killed} of {len(places)} killed ({100 * killed // max(1, len(places))} %), seed {args.seed}")
    return 0 if killed * 100 >= len(places) * 95 else 1


if __name__ == "__main__":
    sys.exit(main())
