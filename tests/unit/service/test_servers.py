"""Every server of the product refuses headers without end: 60 MB of them grew a process by as much."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.tables import table

ROOT = Path(__file__).parents[3]
#: h11, or the gateway's own protocol over it.
LIMITED = {"'h11'", "_AgentConnection"}
SERVERS = [
    (str(path.relative_to(ROOT)), {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords})
    for part in ("consumer", "controlplane", "publisher", "reader", "service")
    for path in sorted((ROOT / part).rglob("*.py"))
    if "uvicorn" in (text := path.read_text())
    for call in ast.walk(ast.parse(text))
    if isinstance(call, ast.Call) and ast.unparse(call.func) == "uvicorn.Config"
]


def test_two_places_configure_servers() -> None:
    assert {path for path, _ in SERVERS} == {"consumer/agent/gateway/server.py", "service/serving.py"}


@table(("path", "arguments"), SERVERS)
def test_a_server_parses_with_a_limit(path: str, arguments: dict[str | None, str]) -> None:
    assert arguments.get("http") in LIMITED, path
    assert arguments.get("ws") == "'none'", path
