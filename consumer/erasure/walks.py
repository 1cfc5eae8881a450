"""A walk over the users that a tick names: one after the other, within a time limit."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from consumer.ports import Clock
from service import telemetry


def in_time(
    user_ids: Sequence[str], clock: Clock, limit_s: float, shutdown: threading.Event, unreached: str
) -> Iterator[str]:
    """The users with whom a walk may still begin: until ``limit_s`` seconds have passed, or the process is to end.

    ``unreached``: the log message for those who are left.
    """
    started_s = clock.monotonic()
    for number, user_id in enumerate(user_ids):
        if shutdown.is_set() or clock.monotonic() - started_s >= limit_s:
            telemetry.log(unreached, users=len(user_ids) - number)
            return
        yield user_id
