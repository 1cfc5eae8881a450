"""`publisher --once`: what it prints, and its exit code."""

from __future__ import annotations

import json
from typing import Any, cast

import psycopg
import pytest

from publisher.main import once
from publisher.relay import OutboxRelay


class Round:
    """A relay whose one round publishes so many rows, or fails."""

    def __init__(self, result: int | Exception) -> None:
        self.result = result

    def once(self) -> int:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


def run(result: Any) -> int:
    return once(cast(OutboxRelay, Round(result)))


def test_a_round_prints_how_many_rows_it_published(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(3) == 0
    assert json.loads(capsys.readouterr().out) == {"published": 3}


@pytest.mark.parametrize("error", [psycopg.OperationalError("it is away"), RuntimeError("it is away")])
def test_a_round_that_fails_is_told_on_stderr(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(error) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"publisher: {type(error).__name__}: it is away\n")
