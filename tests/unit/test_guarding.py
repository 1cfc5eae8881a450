"""A loop over many things ends soon after the run may not go on."""

from __future__ import annotations

import pytest

from consumer import guarding
from consumer.errors import CancelRequested
from tests.brains import Free


class Asked(Free):
    """Counts its questions, and says no to the ``last``."""

    def __init__(self, last: int = 0) -> None:
        self.last, self.count = last, 0

    def check(self) -> None:
        self.count += 1
        if self.count == self.last:
            raise CancelRequested("stop")


def test_the_guard_is_asked_before_the_first_and_then_once_for_each_batch() -> None:
    for length, questions in ((0, 0), (1, 1), (guarding.EVERY, 1), (guarding.EVERY + 1, 2), (2 * guarding.EVERY, 2)):
        guard = Asked()
        assert list(guarding.guarded(range(length), guard)) == list(range(length))
        assert guard.count == questions


def test_what_the_guard_raises_ends_the_loop_before_the_next_batch() -> None:
    begun: list[object] = []
    with pytest.raises(CancelRequested):
        begun += guarding.guarded(iter("ab"), Asked(last=1))
    assert begun == []
    with pytest.raises(CancelRequested):
        for thing in guarding.guarded(range(1000), Asked(last=2)):
            begun.append(thing)
    assert begun == list(range(guarding.EVERY))
