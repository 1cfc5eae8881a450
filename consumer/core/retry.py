"""A first try that costs nothing beside the call: the machinery of repetition is asked only after a failure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def failed_first(error: Exception, act: Callable[[], T]) -> Callable[[], T]:
    """``act``, whose first try is over already and raised ``error``: it counts, and so does what it asked for."""
    first = [error]

    def again() -> T:
        if first:
            raise first.pop()
        return act()

    return again
