"""Tables of docs/operations.md and docs/deploy.md that the code knows better.

``python -m tests.docs_tables`` writes them, a test holds them.

A table stands between ``<!-- table: name -->`` and ``<!-- end -->``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

import consumer.settings
import controlplane.settings
import manifests
import publisher.settings
import reader.settings
from bench import cost
from consumer.console import settings as console_settings
from service.settings import Variable

OPERATIONS: Final = Path(__file__).parent.parent / "docs" / "operations.md"
DEPLOY: Final = OPERATIONS.with_name("deploy.md")
_BLOCK: Final = re.compile(r"(<!-- table: ([a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def variables_table(variables: Iterable[Variable]) -> str:
    """One row a variable, in the code's order."""
    rows = [(f"`{v.name}`", _default(v.default), v.unit, f"`{v.example}`", v.about) for v in variables]
    return _table(("variable", "default", "unit", "example", "meaning"), rows)


def limits_table() -> str:
    """One row a limit, with its own reason."""
    text = (Path(manifests.__file__).parent / "limits.yaml").read_text()
    limits: Mapping[str, Any] = yaml.safe_load(text)["limits"]
    rows = [(f"`{name}`", f"{entry['value']}", entry["unit"], entry["why"]) for name, entry in limits.items()]
    return _table(("limit", "value", "unit", "why"), rows)


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "consumer": lambda: variables_table(consumer.settings.variables()),
    "console": lambda: variables_table(console_settings.variables()),
    "publisher": lambda: variables_table(publisher.settings.variables()),
    "controlplane": lambda: variables_table(controlplane.settings.variables()),
    "reader": lambda: variables_table(reader.settings.variables()),
    "limits": limits_table,
    "jobcosts": lambda: _table(cost.JOB_COLUMNS, cost.job_rows(cost.kept())),
    "tokencosts": lambda: _table(cost.TOKEN_COLUMNS, cost.token_rows(cost.kept())),
    "usercosts": lambda: _table(cost.MONTH_COLUMNS, cost.month_rows(cost.kept())),
}


def filled(document: str) -> str:
    """The document with every table as the code says it now. Raises KeyError for a name that no table has."""
    return _BLOCK.sub(lambda match: f"{match[1]}{TABLES[match[2]]()}{match[3]}", document)


def _default(value: str | None) -> str:
    if value is None:
        return "required"
    return f"`{value}`" if value else "none"


def _table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(columns)]
    lines.append(["---"] * len(lines[0]))
    lines += [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    for document in (OPERATIONS, DEPLOY):
        document.write_text(filled(document.read_text(encoding="utf-8")), encoding="utf-8")
