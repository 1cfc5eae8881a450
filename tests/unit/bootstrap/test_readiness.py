"""Why an instance cannot work: said by /readyz in words that tell what to mend, never by a fault of its own."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from consumer import bootstrap
from consumer.bootstrap import readiness
from consumer.settings import ConsumerSettings
from tests.fixtures_telemetry import Lines


def reasons(run_root: Path, hermes: str = sys.executable, **changes: Any) -> list[str]:
    given = SimpleNamespace(hermes_bin=hermes, gbrain_bin="no-such-gbrain", brain="local", run_root=run_root)
    given.__dict__.update({"gbrain_template": None, **changes})
    return readiness.reasons(cast(ConsumerSettings, given))


def test_an_instance_that_has_all_it_needs_gives_none(tmp_path: Path) -> None:
    assert reasons(tmp_path / "made" / "here") == []
    assert stat.S_IMODE((tmp_path / "made" / "here").stat().st_mode) == 0o711, "tools of another user pass through it"
    assert list((tmp_path / "made" / "here").iterdir()) == [], "the probe is gone"


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert reasons(tmp_path, "/nonexistent/hermes") == ["HERMES_BIN=/nonexistent/hermes cannot be executed"]


def test_a_prepared_brain_that_is_not_there_is_named(tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "brain": "gbrain",
        "gbrain_bin": sys.executable,
        "gbrain_template": tmp_path / "none.tar.zst",
    }
    assert reasons(tmp_path, **given) == [f"GBRAIN_TEMPLATE={tmp_path}/none.tar.zst is not a file"]


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/nowhere"])
def test_a_folder_that_cannot_be_had_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("in the way")
    assert reasons(tmp_path / place) == [f"RUN_ROOT={tmp_path / place} is not writable"]


def test_a_run_that_outlives_its_deadline_ends_the_instance(monkeypatch: pytest.MonkeyPatch, lines: Lines) -> None:
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    bootstrap._end_process()
    assert codes == [70]
    assert [text for text, _ in lines.seen] == ["run outlived its deadline: ending the instance"]
