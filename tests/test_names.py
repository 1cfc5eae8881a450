"""Words of the project: one idea has one name, and one name one idea."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PRODUCT = (
    *("bench", "consumer", "contract", "controlplane", "local", "manifests", "publisher", "reader", "renderers"),
    "service",
)
#: They say nothing of what they hold.
EMPTY = {"one", "found", "told", "said"}
NAMED = (*PRODUCT, "tests")


def test_no_class_name_is_defined_twice() -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for package in PRODUCT:
        for path in sorted((ROOT / package).rglob("*.py")):
            for name in _names(path).classes:
                places[name].append(path.relative_to(ROOT).as_posix())
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert not twice, f"two ideas share a name, or one idea has two homes: {twice}"


def test_no_variable_has_a_name_that_says_nothing() -> None:
    """Not variables, parameters, attributes and functions alone: what is matched, caught and imported has names too."""
    places = [
        f"{path.relative_to(ROOT).as_posix()}:{line}: {name}"
        for folder in NAMED
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name, line in _names(path).empty
    ]
    assert not places, f"call it by its role (record, page, match, response): {places}"


class Names(NamedTuple):
    """``classes``: that a module defines. ``empty``: (name, line) of those it binds that say nothing."""

    classes: list[str]
    empty: list[tuple[str, int]]


@cache
def _names(path: Path) -> Names:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    classes = [node.name for node in nodes if isinstance(node, ast.ClassDef)]
    return Names(classes, [(name, line) for name, line in _bound(nodes) if name in EMPTY])


def _bound(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """(name, line) of everything that a module names itself."""
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name, node.lineno
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node.lineno
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, node.lineno
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                yield name, node.lineno
            case ast.alias(asname=str(name)):
                yield name, node.lineno
