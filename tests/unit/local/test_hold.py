"""A stack that stays up sends sweep ticks until somebody ends it, also after its broker was away."""

from __future__ import annotations

import os
import signal
from types import SimpleNamespace
from typing import Any, cast

import pytest
from google.api_core.exceptions import ServiceUnavailable

from local import cloud, stack


def test_a_stack_that_stays_up_sweeps_and_ends_by_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, bytes]] = []

    def publish(host: str, topic: str, data: bytes, attributes: Any) -> None:
        sent.append((topic, data))
        if len(sent) == 1:
            raise ServiceUnavailable("the broker restarts")
        if len(sent) == 3:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(cloud, "publish", publish)
    monkeypatch.setattr(stack, "TICK_EVERY_S", 0.0)
    lines: list[str] = []
    stack.hold(cast(stack.Stack, SimpleNamespace(pubsub_host="nowhere")), lines.append)
    assert {topic for topic, _ in sent} == {cloud.TICKS}
    assert all(b"sweep" in data for _, data in sent)
    assert lines[-1] == "stopping"
