"""Do the tests notice when the code is wrong? Changes it at random places and runs the tests that import it.

    python -m bench.mutants [--places 100] [--seed 1] [--under consumer/reports]

Works in a copy of the files that git knows. A mutant is *killed* when a test fails that passes on the unchanged copy,
or when the tests hang; it *survived* when all pass. Survivors are either equivalent to the code or a hole in the tests.
Tests are taken by import distance: files that import the module themselves first, then those that do by others.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("consumer", "contract", "controlplane", "publisher", "renderers", "service")
#: Their behaviour is SQL's to a large part: unit tests alone say little about them.
OVER_A_DATABASE: Final = ("controlplane", "publisher")
#: Test files of this import distance are still run.
FARTHEST: Final = 3
TIMEOUT_S: Final = 900
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
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "returns None", lambda: ast.Return(ast.Constant(None))
        case ast.Raise():
            yield "raise dropped", ast.Pass
        case ast.Expr(value=ast.Call()):
            yield "call dropped", ast.Pass


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


def mutated(place: MutationPlace, text: str) -> str:
    """The file with one change; without its comments."""
    return ast.unparse(ast.fix_missing_locations(Walk(place.path, place.number).visit(ast.parse(text))))


@dataclass
class Imports:
    """Who imports whom, read from the files below ``root``."""

    root: Path

    @cached_property
    def modules(self) -> dict[str, Path]:
        tops = (*PACKAGES, "manifests", "templates", "local", "tests", "bench")
        files = [path for top in tops for path in sorted((self.root / top).rglob("*.py"))]
        return {_module(path.relative_to(self.root)): path for path in files}

    @cached_property
    def direct(self) -> dict[str, set[str]]:
        return {name: self._of(path) for name, path in self.modules.items()}

    def _of(self, path: Path) -> set[str]:
        found: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        return found & self.modules.keys()

    def tests(self, module: str) -> list[list[str]]:
        """Test files by distance from the module, the nearest first."""
        importers: dict[str, set[str]] = {}
        for name, imported in self.direct.items():
            for other in imported:
                importers.setdefault(other, set()).add(name)
        seen, border, rows = {module}, {module}, []
        for _ in range(FARTHEST):
            border = {name for one in border for name in importers.get(one, ())} - seen
            seen |= border
            files = sorted(self.modules[name].relative_to(self.root).as_posix() for name in border)
            rows.append([file for file in files if _is_wanted(file, module)])
        return [row for row in rows if row]


def _is_wanted(file: str, module: str) -> bool:
    if not Path(file).name.startswith("test_") or file.startswith(("tests/e2e", "tests/browser", "tests/deploy")):
        return False
    return not file.startswith("tests/integration") or module.startswith(OVER_A_DATABASE)


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@dataclass
class Trial:
    """A copy of the project in which one mutant at a time is tried."""

    root: Path
    #: Tests that passed on the unchanged copy.
    sound: set[str] = field(default_factory=set)

    @cached_property
    def imports(self) -> Imports:
        return Imports(self.root)

    def verdict(self, place: MutationPlace) -> str:
        """ "killed by ...", "survived ..." or "untested"."""
        rows = self.imports.tests(_module(Path(place.path)))
        if not rows:
            return "untested: no test imports it"
        path = self.root / place.path
        text = path.read_text(encoding="utf-8")
        for row in rows:
            path.write_text(mutated(place, text), encoding="utf-8")
            try:
                failed = self._first_failure(row)
            finally:
                path.write_text(text, encoding="utf-8")
            if failed and self._is_sound(failed):
                return f"killed by {failed}"
        return f"survived {sum(map(len, rows))} test files"

    def _first_failure(self, files: list[str]) -> str:
        """The test that failed first, "the files" where they could not even be collected; "": all pass."""
        chosen = ["-x", "--tb=no", "-m", "not e2e and not soak", *files]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", "120", *chosen]
        env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "CI": "true", "CASES": "0.2"}
        try:
            done = subprocess.run(
                command, cwd=self.root, env=env, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
            )
        except subprocess.TimeoutExpired:
            return "their time"
        if done.returncode in (0, 5):
            return ""
        named = re.search(r"^(?:FAILED|ERROR) (\S+::.*?)(?: - .*)?$", done.stdout, flags=re.MULTILINE)
        return named[1] if named else "their collection"

    def _is_sound(self, test: str) -> bool:
        """Does it pass without the change?"""
        if "::" in test and test not in self.sound:
            if self._first_failure([test]):
                return False
            self.sound.add(test)
        return True


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


def copied(target: Path) -> None:
    """The files that git knows, as they are now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    for name in (".venv", ".tools"):
        (target / name).symlink_to(ROOT / name)


def main(tell: Callable[[str], object] = print) -> int:
    """0: at least 95 of 100 were killed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--places", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--under", default="", help="only files whose path begins so, for example consumer/reports")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cloop-mutants-") as folder:
        root = Path(folder)
        copied(root)
        trial, killed, tried = Trial(root), 0, 0
        for place in MutationSample(asked.seed, asked.places, asked.under).of(root):
            verdict = trial.verdict(place)
            tried, killed = tried + 1, killed + verdict.startswith("killed")
            tell(f"{place}  {verdict}")
            sys.stdout.flush()
        tell(f"{killed} of {tried} killed ({100 * killed // max(1, tried)} %), seed {asked.seed}")
    return 0 if killed * 100 >= tried * 95 else 1


if __name__ == "__main__":
    sys.exit(main())
