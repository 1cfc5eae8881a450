"""docs/controlplane.md says every setting and every code, and none that is not there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs" / "controlplane.md").read_text()


def section(title: str) -> str:
    return DOCUMENT.split(f"## {title}\n")[1].split("\n## ")[0]


def codes_raised() -> set[str]:
    """Second argument of each ApiFault(...), first of unavailable(...), and what the helpers make of theirs."""
    documented = {"invalid_request", "attempt_stale", "replay_stale"}
    things = ("job", "user", "deletion", "correction", "order", "rule", "exclusion")
    documented |= {f"{thing}_not_found" for thing in things}
    for path in (ROOT / "controlplane").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            place = {"ApiFault": 1, "unavailable": 0}.get(node.func.id)
            code = node.args[place] if place is not None else None
            if isinstance(code, ast.Constant):
                documented.add(str(code.value))
    return documented


def test_every_code_is_documented() -> None:
    named = set(re.findall(r"`([a-z_]+)`", section("Codes")))
    # These two are made from a status, not named in a call.
    assert named == codes_raised() | {"not_found", "method_not_allowed"}
