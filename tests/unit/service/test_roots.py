"""The certificates of all authorities are read once per process, whatever number of HTTP clients it has."""

from __future__ import annotations

import ast
from pathlib import Path

from service import roots

ROOT = Path(__file__).parents[3]
CLIENTS = {"httpx.Client", "httpx.AsyncClient"}


def test_clients_share_them() -> None:
    assert roots.trusted() is roots.trusted()
    assert roots.trusted().get_ca_certs()


def test_every_client_says_whom_it_trusts() -> None:
    calls = [
        (path.relative_to(ROOT).as_posix(), {keyword.arg for keyword in call.keywords})
        for part in ("consumer", "controlplane", "publisher", "reader")
        for path in sorted((ROOT / part).rglob("*.py"))
        if "httpx." in (text := path.read_text())
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call) and ast.unparse(call.func) in CLIENTS
    ]
    assert len(calls) >= 8
    assert [path for path, keywords in calls if "verify" not in keywords] == []
