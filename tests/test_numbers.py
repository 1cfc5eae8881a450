"""No number that the code names changes unseen."""

from __future__ import annotations

from tests import goldens, numbers


def test_numbers_are_those_of_the_golden() -> None:
    """Each is a decision: how long a caller waits, how much a page holds, what counts as late."""
    goldens.compare(numbers.GOLDEN, numbers.named())
