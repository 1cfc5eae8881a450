"""When the relay sweeps, shows a sign of life, and counts as heard: at its intervals, and not a moment before."""

from __future__ import annotations

from typing import Any, cast

from publisher.outbox import Outbox
from publisher.relay import BEAT_S, SILENT_S, SWEEP_EVERY_S, OutboxRelay
from tests.tables import table


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class CountingOutbox:
    """Counts what the relay asks of it."""

    def __init__(self) -> None:
        self.due = self.stale = self.beats = 0

    def enqueue_due(self) -> int:
        self.due += 1
        return 0

    def enqueue_stale(self, _stale_s: float) -> int:
        self.stale += 1
        return 0

    def beat(self) -> None:
        self.beats += 1


def relay(clock: Clock) -> OutboxRelay:
    return OutboxRelay(cast(Any, None), cast(Any, None), clock, poll_s=5.0, stale_s=180.0)


@table("passed_s, sweeps", [(0.0, 1), (SWEEP_EVERY_S - 0.5, 1), (SWEEP_EVERY_S, 2), (SWEEP_EVERY_S + 0.5, 2)])
def test_a_sweep_looks_for_stale_rows_once_an_interval(passed_s: float, sweeps: int) -> None:
    clock, outbox = Clock(), CountingOutbox()
    tested = relay(clock)
    tested._enqueue(cast(Outbox, outbox))
    clock.now += passed_s
    tested._enqueue(cast(Outbox, outbox))
    assert (outbox.due, outbox.stale) == (2, sweeps)
    # The interval begins anew with each sweep.
    clock.now += SWEEP_EVERY_S
    tested._enqueue(cast(Outbox, outbox))
    assert outbox.stale == sweeps + 1


@table("passed_s, beats", [(0.0, 1), (BEAT_S - 0.5, 1), (BEAT_S, 2), (BEAT_S + 0.5, 2)])
def test_a_leading_session_shows_a_sign_of_life_once_an_interval(passed_s: float, beats: int) -> None:
    clock, outbox = Clock(), CountingOutbox()
    tested = relay(clock)
    tested._beat(cast(Outbox, outbox))
    clock.now += passed_s
    tested._beat(cast(Outbox, outbox))
    assert outbox.beats == beats


@table("passed_s, is_heard", [(0.0, True), (SILENT_S - 0.5, True), (SILENT_S, False), (SILENT_S + 0.5, False)])
def test_a_relay_is_heard_until_the_database_was_silent_too_long(passed_s: float, is_heard: bool) -> None:
    clock = Clock()
    tested = relay(clock)
    assert tested.is_heard()
    tested._beat(cast(Outbox, CountingOutbox()))
    clock.now += passed_s
    assert tested.is_heard() is is_heard
