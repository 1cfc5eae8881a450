"""Which open memories are dropped: the idle, then the least recently asked for until the rest fits."""

from __future__ import annotations

import threading
from collections import OrderedDict
from types import SimpleNamespace
from typing import Any

from consumer.storage.memory import FakeClock
from reader.library import IDLE_S, OpenMemories
from tests.tables import table


def trimmed(costs: dict[str, int], most: int, idle: dict[str, float] | None = None) -> tuple[list[str], list[str]]:
    """(who is still open, whose memory was left)."""
    clock, left = FakeClock(), []
    now = clock.monotonic()

    def memory(user: str, cost: int) -> Any:
        asked_s = now - (idle or {}).get(user, 0.0)
        return SimpleNamespace(cost=cost, touched_s=asked_s, leave=lambda drop: left.append(user) if drop else None)

    held: Any = SimpleNamespace(
        clock=clock,
        max_bytes=most,
        _lock=threading.Lock(),
        _open=OrderedDict((user, memory(user, cost)) for user, cost in costs.items()),
        _opening={user: threading.Lock() for user in costs},
    )
    held._opening["gone"] = threading.Lock()
    held._opening["waits"] = threading.Lock()
    with held._opening["waits"]:
        OpenMemories.trim(held)
    assert set(held._opening) == {*held._open, "waits"}, "nobody else waits for one that is closed"
    return list(held._open), left


@table(
    ("most", "users", "left"),
    [
        (60, ["a", "b", "c"], []),
        (59, ["b", "c"], ["a"]),
        (50, ["b", "c"], ["a"]),
        (49, ["c"], ["a", "b"]),
        (30, ["c"], ["a", "b"]),
        (1, ["c"], ["a", "b"]),  # the one that was asked for last stays, however large
    ],
)
def test_what_was_asked_for_last_stays_and_as_many_others_as_fit(most: int, users: list[str], left: list[str]) -> None:
    assert trimmed({"a": 10, "b": 20, "c": 30}, most) == (users, left)


def test_what_nobody_asked_for_in_a_quarter_of_an_hour_is_dropped_whatever_fits() -> None:
    costs = {"a": 10, "b": 20, "c": 30}
    assert trimmed(costs, 60, {"b": IDLE_S}) == (["a", "b", "c"], [])
    assert trimmed(costs, 60, {"b": IDLE_S + 1}) == (["a", "c"], ["b"])
    assert trimmed(costs, 40, {"b": IDLE_S + 1}) == (["a", "c"], ["b"]), "its bytes are free already"
    assert trimmed(costs, 39, {"b": IDLE_S + 1}) == (["c"], ["b", "a"])
    assert trimmed(costs, 60, {"c": IDLE_S + 1}) == (["a", "b"], ["c"])
    assert trimmed({}, 1) == ([], [])
