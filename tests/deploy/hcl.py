"""Terraform files as plain data: blocks of one kind in one mapping, texts without quotes, expressions as written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import hcl2

FOLDER = Path(__file__).parent.parent.parent / "terraform"
_MARKS = {"__is_block__", "__comments__", "__inline_comments__"}


@cache
def document() -> dict[str, Any]:
    """kind -> name -> body; resources and data: kind -> type -> name -> body. Locals of all files are one mapping."""
    merged: dict[str, Any] = {}
    for path in sorted(FOLDER.glob("*.tf")):
        with path.open(encoding="utf-8") as file:
            for kind, blocks in plain(hcl2.load(file)).items():
                for block in blocks:
                    _merge(merged.setdefault(kind, {}), block, path.name)
    return merged


def text() -> str:
    """All files, one after the other."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.tf")))


def declared() -> set[str]:
    """Every resource and ``data.`` source by a look at the text alone: the parser takes seconds to be built."""
    blocks = re.findall(r'^(resource|data) "(\w+)" "(\w+)"', text(), flags=re.MULTILINE)
    return {f"{'data.' if block == 'data' else ''}{kind}.{name}" for block, kind, name in blocks}


def locals_() -> dict[str, Any]:
    values: dict[str, Any] = document()["locals"]
    return values


def resource(kind: str, name: str) -> dict[str, Any]:
    block: dict[str, Any] = document()["resource"][kind][name]
    return block


def resources() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(type, name, body) of every resource."""
    for kind, named in document()["resource"].items():
        for name, body in named.items():
            yield kind, name, body


def plain(value: Any) -> Any:
    """``"x"`` -> x, ``${x}`` -> x; a text with an expression inside keeps it. The parser's own marks are left out."""
    if isinstance(value, dict):
        return {plain(key): plain(inner) for key, inner in value.items() if key not in _MARKS}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    if not isinstance(value, str):
        return value
    if value.startswith('"') and value.endswith('"') and len(value) > 1:
        return value[1:-1]
    if value.startswith("${") and value.endswith("}"):
        return value[2:-1]
    return value


def _merge(into: dict[str, Any], block: dict[str, Any], where: str) -> None:
    for key, value in block.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value, where)
        else:
            assert key not in into, f"{where}: {key} is declared twice"
            into[key] = value
