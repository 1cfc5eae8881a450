"""``plugin check``: what a process would load of a plugin, and what it would leave out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from consumer.cli.main import app

MANIFEST = {"name": "house style", "version": "2", "plugin_version": "gbrain-plugin-v1", "homepage": "x"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "subagents").mkdir()
    (tmp_path / "gbrain.plugin.json").write_text(json.dumps(MANIFEST))
    (tmp_path / "subagents/looker.md").write_text("---\nallowed_tools: [brain_search]\nmax_turns: 3\n---\nLook.\n")
    return tmp_path


def test_a_plugin_without_a_fault(folder: Path) -> None:
    done = CliRunner().invoke(app, ["plugin", "check", str(folder)])
    assert (done.exit_code, done.stderr) == (0, "")
    assert "house style 2: 1 subagent(s)" in done.stdout
    assert "  looker: search; at most 3 turns; the job's model" in done.stdout
    assert "unknown fields without effect: homepage" in done.stdout


def test_a_faulty_definition_is_named_and_the_others_are_shown(folder: Path) -> None:
    (folder / "subagents/shell.md").write_text("---\nallowed_tools: [shell]\n---\nLook.\n")
    done = CliRunner().invoke(app, ["plugin", "check", str(folder), "--json"])
    assert done.exit_code == 1
    document = json.loads(done.stdout)
    assert [subagent["name"] for subagent in document["subagents"]] == ["looker"]
    assert "shell" in document["faults"][0]
    assert "left out: plugin" in done.stderr


def test_a_folder_without_a_manifest(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["plugin", "check", str(tmp_path)])
    assert done.exit_code == 1
    assert "gbrain.plugin.json cannot be read" in done.stderr
