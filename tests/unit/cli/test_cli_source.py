"""The manifest on the command line: all of it, nothing else, and a word that is off is told."""

from __future__ import annotations

import json

from typer.testing import CliRunner

import manifests
from consumer.cli import main

SOURCES = manifests.export_manifest().sources


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(main.app, ["source", *words])
    assert result.exit_code == code, result.output
    return result.output


def test_every_source_is_listed_with_its_table_and_pages() -> None:
    text = run("list")
    for entry in SOURCES:
        (line,) = [line for line in text.splitlines() if line.startswith(f"{entry.source_key} ")]
        assert entry.table_or_wrapper in line
        assert entry.gbrain_mapping in line
    assert "wa.*" in text
    assert [source["source_key"] for source in json.loads(run("list", "--json"))["sources"]] == [
        e.source_key for e in SOURCES
    ]


def test_a_source_is_shown_with_what_leaves_and_what_never_does() -> None:
    text = run("show", "connections")
    entry = manifests.export_manifest().source("connections")
    for name in (*entry.include_fields, *entry.exclude_fields, entry.view):
        assert name in text
    assert json.loads(run("show", "connections", "--json")) == entry.model_dump(mode="json")


def test_an_unknown_source_is_told_with_those_there_are() -> None:
    assert "checklist_items" in run("show", "emails", code=3)
