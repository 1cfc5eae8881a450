"""The numbers that the code names: limits, times, weights and shares. They decide what users get, and few of them show
in a test's result, so they are a golden: a review sees each one that changes. Why it has its value stands beside it in
the code. Those of the rules that read are not here: the goldens of readings show what they do.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping, Set
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("consumer", "contract", "controlplane", "publisher", "reader", "renderers", "service")
GOLDEN: Final = Path(__file__).parent / "golden" / "numbers.txt"
#: A constant's name, or several, at the start of a statement.
_NAMES: Final = re.compile(r"^((?:_?[A-Z][A-Z0-9_]*(?:, )?)+)(?:: [^=\n]+)? = ", re.MULTILINE)
#: Longer ones are tables, which have tests of their own.
_MEMBERS: Final = 12


def write_golden() -> None:
    GOLDEN.write_text(named(), "utf-8")


def named() -> str:
    """A line for each constant of the code that is a number or has some."""
    return "".join(f"{line}\n" for package in PACKAGES for line in _of_package(ROOT / package))


def _of_package(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if path.stem == "__main__" or name.startswith("consumer.understanding"):
            continue
        names = _NAMES.findall(path.read_text("utf-8"))
        if not names:
            continue
        module = importlib.import_module(name)
        for constant in ", ".join(names).split(", "):
            value = vars(module)[constant]
            if _has_number(value):
                yield f"{name}.{constant} = {_shown(value)}"


def _has_number(value: Any) -> bool:
    if isinstance(value, (tuple, list, Set, Mapping)):
        members = [*value, *value.values()] if isinstance(value, Mapping) else [*value]
        return len(value) <= _MEMBERS and any(map(_has_number, members))
    return isinstance(value, (int, float, timedelta)) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    """In an order of its own where the value has none."""
    if isinstance(value, Mapping):
        return ", ".join(f"{_shown(key)}: {_shown(each)}" for key, each in value.items())
    if isinstance(value, Set):
        return ", ".join(sorted(map(_shown, value)))
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(_shown, value))})"
    is_plain = isinstance(value, (int, float, str, timedelta))
    return str(value) if is_plain else type(value).__name__
