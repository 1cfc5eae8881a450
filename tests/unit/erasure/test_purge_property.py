"""Whatever is purged from whatever workspace: it is gone, nothing else is, and every commit can be restored."""

from __future__ import annotations

import pytest

from tests import erasing
from tests.cases import cases

#: Small cases; `make soak` has five thousand.
CASES = cases(200)
#: Cases in one test, so that a failure names a few seeds and not all.
TOGETHER = 10


@pytest.mark.properties
@pytest.mark.parametrize("first", range(0, CASES, TOGETHER))
def test_a_purge_takes_all_of_it_and_nothing_else(first: int) -> None:
    with erasing.in_memory():
        for seed in range(first, first + TOGETHER):
            try:
                erasing.check(seed)
            except AssertionError as exc:
                raise AssertionError(f"case {seed}: {exc}") from exc
