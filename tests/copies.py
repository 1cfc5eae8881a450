"""Worlds of doubles that are made once and copied for each test, which costs a small part of making them."""

from __future__ import annotations

import copy
import copyreg
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

# A lock that nobody holds is as good as a new one. The doubles of a world share theirs, and a copy keeps who shares.
copyreg.pickle(type(threading.Lock()), lambda _lock: (threading.Lock, ()))
copyreg.pickle(type(threading.RLock()), lambda _lock: (threading.RLock, ()))


def copied(world: T) -> T:
    """A world of its own in the same state: objects, clocks, numbers. Doubles only: no open file, no thread."""
    return copy.deepcopy(world)


def copied_without(world: T, memo: dict[int, Any], **remade: Callable[[T], object]) -> T:
    """For ``__deepcopy__``: the attributes named in ``remade`` are made anew, from the copy of all others."""
    made = copy.copy(world)
    memo[id(world)] = made
    for name, value in vars(world).items():
        if name not in remade:
            setattr(made, name, copy.deepcopy(value, memo))
    for name, make in remade.items():
        setattr(made, name, make(made))
    return made
