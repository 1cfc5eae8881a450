"""A loop that the run's guard can end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from consumer.ports import Guard

T = TypeVar("T")
#: Rounds of a loop between two checks: some ten milliseconds, of which a check takes none that counts.
EVERY: Final = 256


def guarded(things: Iterable[T], guard: Guard) -> Iterator[T]:
    """These things; before the first of them and of each further ``EVERY``, the guard says whether the run may go on.

    Raises whatever the guard raises.
    """
    for number, thing in enumerate(things):
        if number % EVERY == 0:
            guard.check()
        yield thing
