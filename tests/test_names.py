"""Words of the project: one idea has one name, and one name one idea."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
PRODUCT = ("bench", "consumer", "contract", "controlplane", "local", "manifests", "publisher", "renderers", "service")
#: Each group of the command line still describes what it needs of the operations by itself.
AWAITED = {"Api", "Operations"}


def test_no_class_name_is_defined_twice() -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for package in PRODUCT:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(path.relative_to(ROOT).as_posix())
    twice = {name: where for name, where in places.items() if len(where) > 1 and name not in AWAITED}
    assert not twice, f"two ideas share a name, or one idea has two homes: {twice}"
