"""The failure that was met before the machinery was asked is the first of those that it sees."""

from __future__ import annotations

import pytest

from consumer.core.retry import failed_first


def test_the_first_try_is_not_made_again() -> None:
    calls: list[int] = []
    error = ValueError("the first")
    again = failed_first(error, lambda: calls.append(1))

    with pytest.raises(ValueError, match="the first") as raised:
        again()
    assert raised.value is error
    assert calls == []

    again()
    again()
    assert calls == [1, 1]
