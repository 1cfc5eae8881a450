"""What the demo tells of a job's row: each stage once, nothing that is left over from the attempt before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from local import demo
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


class StackUp:
    """Stands for the embedded stack: starts nothing."""

    dsn, ready_s = "", 1.0

    def __init__(self, state: Path) -> None:
        self.state = state

    def __enter__(self) -> StackUp:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def require_free(self) -> None:
        pass

    def operator_env(self) -> dict[str, str]:
        return {}

    def my_memory(self, user_id: str) -> str:
        return f"http://127.0.0.1:8080/sign-in?code={user_id}"


PLAYED: dict[str, Any] = {
    "workspace": {"user_id": "ada", "seq": 3, "commit": "c" * 64, "files": 1, "bytes": 1},
    "citations": {"resolved": 1, "total": 1},
    "brain": "local",
    "model": "offline",
    "isolation": {"words_of_other_users_found": []},
    "examples": [],
    "copy": "workspace",
    "reports": ["brain/reports/digest/day.md"],
}


@pytest.mark.parametrize(
    ("keep", "last"),
    [
        (False, ["(the stack ends now; to open the address, run `make demo ARGS=--keep`)"]),
        (True, ["(the address works once, within ten minutes)", "held"]),
    ],
)
def test_the_demo_ends_with_the_address_of_my_memory(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    keep: bool,
    last: list[str],
) -> None:
    monkeypatch.setattr("consumer.settings.load_operator", lambda _: None)
    monkeypatch.setattr("consumer.bootstrap.operations", lambda _: None)
    monkeypatch.setattr(demo, "AppJobs", lambda _: None)
    monkeypatch.setattr(demo.Demo, "play", lambda _: PLAYED)
    # With --keep the address must be there before the stack waits for Ctrl-C.
    monkeypatch.setattr(demo, "hold", lambda _, say: say("held"))
    assert demo.run(StackUp(tmp_path / "state"), as_json=False, keep=keep) == 0  # type: ignore[arg-type]
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1 - len(last) :] == ["my memory: http://127.0.0.1:8080/sign-in?code=ada", *last]
