"""What a log line may say: places, classes and codes; no secret, and nothing that a user wrote."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from consumer import telemetry

SECRET = "correct-horse-battery-staple"
#: As a user might have written it, and as an exception of a library would quote it.
WRITTEN = "my diagnosis is a matter between us"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    handlers = list(telemetry.LOGGER.handlers)
    lines = io.StringIO()
    telemetry.setup("consumer", "project", secrets=(SECRET,), stream=lines)
    yield lines
    telemetry.LOGGER.handlers[:] = handlers
    telemetry.LOGGER.propagate = True


def told(stream: io.StringIO) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(stream.getvalue().splitlines()[-1])
    return line


def fails(text: str) -> None:
    try:
        dict[str, str]()[text]
    except KeyError as exc:
        raise ValueError(f"cannot parse {text!r}") from exc


def test_a_bug_is_told_by_place_and_class_without_what_it_quotes(stream: io.StringIO) -> None:
    try:
        fails(WRITTEN)
    except ValueError as exc:
        telemetry.log("bug", exc_info=exc, level=logging.ERROR)
    stack = told(stream)["stack_trace"]
    assert WRITTEN not in stream.getvalue()
    assert "builtins.ValueError" in stack
    assert "builtins.KeyError" in stack, "the cause, too"
    assert "in fails" in stack, "where"


def test_a_context_that_was_suppressed_stays_so_and_a_long_chain_ends(stream: io.StringIO) -> None:
    raised: BaseException = KeyError(0)
    for number in range(50):
        following = ValueError(number)
        following.__cause__ = raised
        raised = following
    telemetry.log("bug", exc_info=raised)
    assert 1 < told(stream)["stack_trace"].count("ValueError") <= 8
    bare = RuntimeError()
    bare.__context__, bare.__suppress_context__ = KeyError(), True
    telemetry.log("bug", exc_info=bare)
    assert "KeyError" not in told(stream)["stack_trace"]


@pytest.mark.parametrize(
    "text",
    [SECRET, f"x{SECRET}y", "Bearer abcdefghijk", "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln", "sk-abcdefghijklmnop"],
)
def test_secrets_are_masked_wherever_they_stand(stream: io.StringIO, text: str) -> None:
    telemetry.log(f"at {text}", detail=text, nested={"deep": [text]})
    assert text not in stream.getvalue()
    assert SECRET not in stream.getvalue()
    assert telemetry.MASK in told(stream)["message"]
