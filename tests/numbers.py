"""The numbers that the code names, and its defaults: limits, times, weights, shares, and what holds where a caller or a
stored object says nothing. They decide what users get, and few of them show in a test's result, so they are a golden: a
review sees each one that changes. Why it has its value stands beside it in the code. Those of the rules that read are
not here: the goldens of readings show what they do.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import timedelta
from itertools import chain
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from pydantic import BaseModel

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("consumer", "contract", "controlplane", "publisher", "reader", "renderers", "service")
GOLDEN: Final = Path(__file__).parent / "golden" / "numbers.txt"
#: A constant's name, or several, at the start of a statement.
_NAMES: Final = re.compile(r"^((?:_?[A-Z][A-Z0-9_]*(?:, )?)+)(?:: [^=\n]+)? = ", re.MULTILINE)
#: Longer ones are tables, which have tests of their own.
_MEMBERS: Final = 12
_LINE: Final = 500


def write_golden() -> None:
    GOLDEN.write_text(named(), "utf-8")


def named() -> str:
    """A line for each constant, field and parameter that has a number or a switch."""
    return "".join(f"{line}\n" for package in PACKAGES for line in _of_package(ROOT / package))


def _of_package(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if path.stem == "__main__" or name.startswith("consumer.understanding"):
            continue
        module = importlib.import_module(name)
        names = _NAMES.findall(path.read_text("utf-8"))
        constants = [(constant, vars(module)[constant]) for each in names for constant in each.split(", ")]
        owners = [member for member in vars(module).values() if getattr(member, "__module__", "") == name]
        for constant, value in (*constants, *chain.from_iterable(map(_defaults, owners))):
            if _tells(value) and len(line := f"{name}.{constant} = {_shown(value)}") <= _LINE:
                yield line


def _defaults(owner: Any) -> Iterator[tuple[str, Any]]:
    """What holds for a field or a parameter that is left out."""
    if isinstance(owner, type):
        name = owner.__qualname__
        if is_dataclass(owner):
            yield from ((f"{name}.{field.name}", field.default) for field in fields(owner))
        elif issubclass(owner, BaseModel):
            yield from ((f"{name}.{field}", info.default) for field, info in owner.model_fields.items())
        else:
            yield from ((f"{name}.{field}", value) for field, value in getattr(owner, "_field_defaults", {}).items())
            yield from ((f"{name}.{field}", value) for field, value in vars(owner).items() if field[0] != "_")
        for member in (value for field, value in vars(owner).items() if not field.startswith("__")):
            yield from _defaults(getattr(member, "__func__", member)) if not isinstance(member, type) else ()
    elif isinstance(inner := inspect.unwrap(owner), FunctionType):
        for parameter in inspect.signature(inner).parameters.values():
            yield f"{inner.__qualname__}({parameter.name})", parameter.default


def _tells(value: Any) -> bool:
    """Whether it is a number or a switch, or has one."""
    members = _members(value)
    if members is not None:
        return len(members) <= _MEMBERS and any(map(_tells, members))
    return isinstance(value, (int, float, timedelta))


def _members(value: Any) -> list[Any] | None:
    if isinstance(value, Mapping):
        return [*value, *value.values()]
    if isinstance(value, (tuple, list, Set)):
        return [*value]
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in fields(value)]
    return None


def _shown(value: Any) -> str:
    """In an order of its own where the value has none."""
    if isinstance(value, Mapping):
        return ", ".join(f"{_shown(key)}: {_shown(each)}" for key, each in value.items())
    members = _members(value)
    if members is not None:
        shown = [*map(_shown, members)]
        return f"({', '.join(sorted(shown) if isinstance(value, Set) else shown)})"
    return str(value) if isinstance(value, (int, float, str, timedelta)) else type(value).__name__
