"""What the demo tells of a job's row: each stage once, nothing that is left over from the attempt before."""

from __future__ import annotations

from pathlib import Path

import pytest

from local.demo import Narrator, examples, shown


def narrated(*rows: tuple[str, str | None, str | None, int]) -> tuple[list[str], list[str]]:
    """(lines said, stages handed to the killer)."""
    lines: list[str] = []
    killed: list[str] = []
    narrator = Narrator(lines.append, killed.append)
    for status, substate, stage, attempt in rows:
        narrator({"status": status, "substate": substate, "stage": stage, "attempt": attempt})
    return [line.strip() for line in lines], killed


def test_each_stage_is_told_once_and_a_row_without_one_is_not() -> None:
    lines, killed = narrated(
        ("queued", None, None, 0),
        ("running", None, None, 1),
        ("running", None, "hydrate", 1),
        ("running", None, "hydrate", 1),
        ("running", None, "export", 1),
    )
    assert lines == ["running hydrate (attempt 1)", "running export (attempt 1)"]
    assert killed == ["hydrate", "hydrate", "export"]


def test_the_stage_left_over_from_the_attempt_before_is_told_when_it_is_reached_again() -> None:
    lines, _ = narrated(
        ("running", None, "synthesize", 1),
        ("queued", "retry", "synthesize", 1),
        ("running", None, "synthesize", 2),
        ("running", None, "hydrate", 2),
        ("running", None, "synthesize", 2),
    )
    assert lines == [
        "running synthesize (attempt 1)",
        "queued retry synthesize (attempt 1)",
        "running hydrate (attempt 2)",
        "running synthesize (attempt 2)",
    ]


def test_a_path_is_shown_as_one_would_type_it_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown(tmp_path / ".local" / "demo") == ".local/demo"
    assert shown(Path(".local/demo")) == ".local/demo"
    assert shown(tmp_path.parent) == str(tmp_path.parent)


def test_the_summary_repeats_a_few_findings_of_each_kind() -> None:
    loops = [{"text": f"loop {number}"} for number in range(9)]
    report = {
        "sections": {"open_loops": loops, "contradictions": [{"text": "two budgets"}], "people": [{"text": "Ann"}]}
    }
    assert examples(report) == ["loop 0", "loop 1", "loop 2", "loop 3", "two budgets"]
    assert examples({}) == []
