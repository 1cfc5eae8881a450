"""The fence around agents: had where it can be, said once where not, and where it is demanded nothing runs without."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from consumer import bootstrap
from consumer.agent import netfence, sandbox
from consumer.bootstrap import readiness
from consumer.bootstrap.stage_wiring import Fence, agent_fence
from consumer.doctor import checks
from consumer.settings import ConsumerSettings, SettingsError
from service import telemetry

REFUSED = "PermissionError: Operation not permitted"


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    monkeypatch.setattr(telemetry, "log", lambda message, **_: lines.append(message))
    return lines


def system(monkeypatch: pytest.MonkeyPatch, *, network: str | None = None, files: str | None = None) -> None:
    """A system that refuses with these words, or does not."""
    monkeypatch.setattr(netfence, "unavailable", lambda: network)
    monkeypatch.setattr(sandbox, "unavailable", lambda: files)


def fence(setting: str) -> Fence:
    return agent_fence(cast(ConsumerSettings, SimpleNamespace(agent_fence=setting)))


@pytest.mark.parametrize("setting", ["auto", "required"])
def test_where_it_can_be_had_every_tool_has_it(
    setting: str, monkeypatch: pytest.MonkeyPatch, logged: list[str]
) -> None:
    system(monkeypatch)
    assert fence(setting) == Fence(network=True, sandbox=True)
    assert logged == []


def test_a_laptop_goes_on_with_what_it_has_and_says_so_once(monkeypatch: pytest.MonkeyPatch, logged: list[str]) -> None:
    system(monkeypatch, files=REFUSED)
    assert fence("auto") == Fence(network=True, sandbox=False)
    (line,) = logged
    assert line == f"what agents and brains write to temporary folders and memory outlives a run: {REFUSED}"


def test_switched_off_it_is_not_even_tried(monkeypatch: pytest.MonkeyPatch, logged: list[str]) -> None:
    system(monkeypatch)
    assert fence("off") == Fence(network=False, sandbox=False)
    assert all(line.endswith(": AGENT_FENCE=off") for line in logged)


@pytest.mark.parametrize(("part", "refused"), [("network", {"network": REFUSED}), ("sandbox", {"files": REFUSED})])
def test_demanded_in_vain_no_tool_runs_without_and_readiness_says_why(
    part: str, refused: dict[str, str], monkeypatch: pytest.MonkeyPatch, logged: list[str], tmp_path: Path
) -> None:
    system(monkeypatch, **refused)
    chosen = fence("required")
    assert (chosen.network, chosen.sandbox) == (True, True)
    (reason,) = chosen.lacking
    assert reason == f"AGENT_FENCE=required, but this system cannot give tools their own {part}: {REFUSED}"
    assert logged == [reason]
    settings = SimpleNamespace(
        hermes_bin="/bin/sh", gbrain_bin="", brain="local", gbrain_template=None, run_root=tmp_path
    )
    assert readiness.reasons(cast(ConsumerSettings, settings), chosen.lacking) == [reason]


def test_a_job_has_no_readiness_and_does_not_start(monkeypatch: pytest.MonkeyPatch, logged: list[str]) -> None:
    system(monkeypatch, files=REFUSED)
    with pytest.raises(SettingsError, match="AGENT_FENCE=required"):
        bootstrap.consumer(cast(ConsumerSettings, SimpleNamespace(agent_fence="required")), launches=False)


@pytest.mark.parametrize(("setting", "states"), [("required", [True, False]), ("auto", [True, None]), ("off", [None])])
def test_the_diagnosis_tells_what_this_machine_gives(
    setting: str, states: list[bool | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    system(monkeypatch, files=REFUSED)
    diagnoses = list(checks._fence(cast(ConsumerSettings, SimpleNamespace(agent_fence=setting))))
    assert [finding.ok for finding in diagnoses] == states
    assert setting == "off" or REFUSED in diagnoses[1].detail
