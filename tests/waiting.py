"""How tests wait: until something holds, and so long that on no machine anything but a fault explains the silence."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: For whatever must happen: never an expectation of speed. Less than the time limit of a test.
PATIENCE_S = 120.0
POLL_S = 0.02


def until(holds: Callable[[], T | None], what: str = "it") -> T:
    """The first value of ``holds()`` that counts as true. Raises AssertionError after ``PATIENCE_S`` seconds."""
    pause = threading.Event()
    deadline = time.monotonic() + PATIENCE_S
    while not (value := holds()):
        assert time.monotonic() < deadline, f"{what} did not happen within {PATIENCE_S:.0f} s"
        pause.wait(POLL_S)
    return value
