"""``brain prepare`` with the double of GBrain's command line, as a process of its own."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from consumer.cli.main import app

DOUBLE = Path(__file__).parents[2] / "doubles" / "gbrain.py"


@pytest.fixture
def gbrain(tmp_path: Path) -> Path:
    faults = tmp_path / "faults.json"
    faults.write_text(json.dumps({"log": str(tmp_path / "log.jsonl")}))
    binary = tmp_path / "gbrain"
    binary.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{DOUBLE}" "{faults}" "$@"\n')
    binary.chmod(0o755)
    return binary


def test_an_empty_brain_is_packed_and_said_what_it_is_for(gbrain: Path, tmp_path: Path) -> None:
    out = tmp_path / "template.tar.zst"
    done = CliRunner().invoke(app, ["brain", "prepare", str(out), "--binary", str(gbrain), "--json"])
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert document["bytes"] == out.stat().st_size > 0
    assert document["gbrain"]


def test_a_folder_that_is_not_there_is_told(gbrain: Path, tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "template.tar.zst"
    done = CliRunner().invoke(app, ["brain", "prepare", str(out), "--binary", str(gbrain)])
    assert done.exit_code == 1
    assert "is not a folder" in done.output


def test_a_folder_in_place_of_the_file_is_told(gbrain: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["brain", "prepare", str(tmp_path), "--binary", str(gbrain)])
    assert done.exit_code == 1
    assert "is a folder" in done.output


@pytest.mark.parametrize("binary", ["/nowhere/gbrain", "/bin/false"])
def test_what_is_no_gbrain_is_told_with_the_way_to_name_one(binary: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["brain", "prepare", str(tmp_path / "template.tar.zst"), "--binary", binary])
    assert done.exit_code == 1
    assert binary in done.output
    assert "GBRAIN_BIN" in done.output
    assert "dead letter" not in done.output
