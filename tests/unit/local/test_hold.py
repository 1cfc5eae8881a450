"""A stack that stays up sends the cloud's ticks until somebody ends it, also after its broker was away."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest
from google.api_core.exceptions import ServiceUnavailable

from contract.event import TickKind, decode_tick
from local import cloud, stack


def held(monkeypatch: pytest.MonkeyPatch, times: Sequence[str], refused: int = -1) -> list[tuple[int, TickKind]]:
    """What a held stack publishes at these times (UTC), each with the time's number. ``refused``: the number of the
    tick at which the broker is away.
    """
    moments = [datetime.fromisoformat(time).replace(tzinfo=UTC).timestamp() for time in times]
    sent: list[tuple[int, TickKind]] = []
    tried = 0
    turn = -1

    def publish(host: str, topic: str, data: bytes, attributes: Any) -> None:
        nonlocal tried, turn
        assert topic == cloud.TICKS
        kind = decode_tick(data).kind
        turn += kind == "sweep"
        if turn == len(moments):
            os.kill(os.getpid(), signal.SIGTERM)
            raise ServiceUnavailable("it is over")
        tried += 1
        if tried - 1 == refused:
            raise ServiceUnavailable("the broker restarts")
        sent.append((turn, kind))

    monkeypatch.setattr(cloud, "publish", publish)
    monkeypatch.setattr(stack, "TICK_EVERY_S", 0.0)
    lines: list[str] = []
    fake = cast(stack.Stack, SimpleNamespace(pubsub_host="nowhere"))
    stack.hold(fake, lines.append, lambda: moments[turn])
    assert lines[-1] == "stopping"
    return sent


def test_a_stack_that_stays_up_sweeps_and_plans_at_the_hours_of_the_clouds_scheduler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = ["2026-11-29T01:59", "2026-11-29T02:00", "2026-11-29T02:59", "2026-11-29T03:29", "2026-11-29T03:30"]
    sent = held(monkeypatch, times)
    assert [turn for turn, kind in sent if kind == "sweep"] == [0, 1, 2, 3, 4]
    # The first tick stands for those of the time before.
    assert [turn for turn, kind in sent if kind == "hourly"] == [0, 1, 3]
    assert [turn for turn, kind in sent if kind == "daily"] == [0, 4]


@pytest.mark.parametrize(("refused", "missed"), [(0, "sweep"), (1, "hourly"), (2, "daily")])
def test_a_tick_that_the_broker_missed_is_sent_again(
    monkeypatch: pytest.MonkeyPatch, refused: int, missed: TickKind
) -> None:
    sent = held(monkeypatch, ["2026-11-29T02:00", "2026-11-29T02:01", "2026-11-29T02:02"], refused)
    assert (0, missed) not in sent
    assert sorted(kind for _, kind in sent if kind != "sweep") == ["daily", "hourly"]
    assert [turn for turn, kind in sent if kind == "sweep"] == ([1, 2] if missed == "sweep" else [0, 1, 2])
