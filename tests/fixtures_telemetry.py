"""What a test sees of logs and spans."""

from __future__ import annotations

import contextlib
import functools
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from service import telemetry

#: What is counted and measured: (name, value, labels).
Metrics = list[tuple[str, float, dict[str, str]]]


class Lines(logging.Handler):
    """What the service logs, as (message, fields)."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, Any]]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append((record.getMessage(), getattr(record, "fields", {})))


@contextlib.contextmanager
def _heard() -> Iterator[Lines]:
    heard, level = Lines(), telemetry.LOGGER.level
    telemetry.LOGGER.addHandler(heard)
    telemetry.LOGGER.setLevel(logging.INFO)
    try:
        yield heard
    finally:
        telemetry.LOGGER.removeHandler(heard)
        telemetry.LOGGER.setLevel(level)


@pytest.fixture
def lines() -> Iterator[Lines]:
    """From the level of information on."""
    with _heard() as heard:
        yield heard


def logs(*texts: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator for a test in which operators are told each of these texts, whatever else it checks."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def check(*args: Any, **fixtures: Any) -> None:
            with _heard() as heard:
                test(*args, **fixtures)
            assert not set(texts) - {text for text, _ in heard.seen}, "not logged"

        return check

    return decorate


@pytest.fixture
def metrics(monkeypatch: pytest.MonkeyPatch) -> Metrics:
    """What the service counts and measures from now on."""
    seen: Metrics = []

    def count(name: str, amount: float = 1, /, **labels: str) -> None:
        seen.append((name, amount, labels))

    def observe(name: str, value: float, _unit: str, /, **labels: str) -> None:
        seen.append((name, value, labels))

    monkeypatch.setattr(telemetry, "count", count)
    monkeypatch.setattr(telemetry, "gauge", count)
    monkeypatch.setattr(telemetry, "observe", observe)
    return seen


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """Of the one tracer, over a provider of the test's own: the global one can be set only once a process."""
    kept = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(telemetry, "_TRACER", provider.get_tracer("test"))
    yield kept
    provider.shutdown()
