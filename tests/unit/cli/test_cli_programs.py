"""Commands that become another program: which one, and with which options."""

from __future__ import annotations

import os
import sys

import pytest
from typer.testing import CliRunner

from consumer.cli.main import app


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("demo", "local demo"),
        ("demo --json", "local demo --json"),
        ("demo --keep", "local demo --keep"),
        ("dev", "local dev"),
        ("consumer", "consumer.entrypoints.push"),
        ("publisher", "publisher.main"),
        ("publisher --once", "publisher.main --once"),
        ("controlplane", "controlplane.main"),
        ("reader", "reader.main"),
    ],
)
def test_a_command_becomes_its_program(command: str, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    became: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(os, "execv", lambda path, arguments: became.append((path, arguments)))
    assert CliRunner().invoke(app, command.split()).exit_code == 0
    assert became == [(sys.executable, [sys.executable, "-m", *program.split()])]
