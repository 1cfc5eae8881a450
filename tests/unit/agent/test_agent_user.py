"""Whom agents run as: said once where it is nobody of their own, and no start at all where that would be unsafe."""

from __future__ import annotations

from typing import cast

import pytest

from consumer.bootstrap.stage_wiring import agent_user_of
from consumer.settings import ConsumerSettings, Mode, SettingsError
from service import telemetry


class Given:
    """The two settings that decide."""

    def __init__(self, mode: Mode, agent_user: tuple[int, int] | None) -> None:
        self.mode = mode
        self.agent_user = agent_user


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    monkeypatch.setattr(telemetry, "log", lambda message, **_: lines.append(message))
    return lines


def user(mode: Mode, agent_user: tuple[int, int] | None, euid: int) -> tuple[int, int] | None:
    return agent_user_of(cast(ConsumerSettings, Given(mode, agent_user)), euid)


@pytest.mark.parametrize("mode", ["cloud", "local"])
def test_root_with_a_user_for_agents(mode: Mode, logged: list[str]) -> None:
    assert user(mode, (10002, 10002), 0) == (10002, 10002)
    assert logged == []


def test_root_without_one_does_not_start_in_the_cloud() -> None:
    with pytest.raises(SettingsError, match="AGENT_USER"):
        user("cloud", None, 0)


def test_root_without_one_says_so_once_on_a_laptop(logged: list[str]) -> None:
    assert user("local", None, 0) is None
    (line,) = logged
    assert "AGENT_USER is not set" in line


@pytest.mark.parametrize("agent_user", [None, (10002, 10002)])
def test_without_the_right_to_choose_it_says_so(agent_user: tuple[int, int] | None, logged: list[str]) -> None:
    assert user("cloud", agent_user, 1000) is None
    assert "not root" in logged[0]
