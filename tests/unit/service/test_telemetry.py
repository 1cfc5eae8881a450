"""What leaves through logs, spans and metrics: one trace, our codes, and never a secret."""

from __future__ import annotations

import io
import json
import logging
import os
import socket
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from consumer.errors import ToolFailed
from service import telemetry
from tests.tables import table
from tests.waiting import PATIENCE_S

TRACE, PARENT = "a" * 32, "b" * 16
CARRIED = f"00-{TRACE}-{PARENT}-01"
KEY = "sk-canary-7f3a91c2e5d84b60a1"
#: Credentials of every shape that this system meets; none is registered as a known secret.
CANARIES = {
    "bearer": "Bearer abcdefgh12345678",
    "job token": "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJqb2IifQ.c2lnbmF0dXJlLWNhbmFyeQ",
    "provider key": KEY,
    "google key": "AIzaSyCanaryCanaryCanaryCanaryCanary12",
    "google token": "ya29.canarycanarycanarycanary",
    "database url": "postgresql://memory:hunter2-canary@db:5432/app",
}


def attributes(spans: InMemorySpanExporter) -> dict[str, Any]:
    return {span.name: span for span in spans.get_finished_spans()}


def test_a_span_continues_the_trace_that_came_and_passes_it_on(spans: InMemorySpanExporter) -> None:
    with telemetry.span("job", CARRIED, job_id="1"), telemetry.span("stage"):
        sent = telemetry.traceparent()
    job, stage = attributes(spans)["job"], attributes(spans)["stage"]
    assert f"{job.context.trace_id:032x}" == TRACE
    assert f"{job.parent.span_id:016x}" == PARENT
    assert stage.parent.span_id == job.context.span_id
    assert sent == f"00-{TRACE}-{stage.context.span_id:016x}-01"


@pytest.mark.parametrize("carried", [None, "nonsense", f"00-{'0' * 32}-{PARENT}-01", ""])
def test_a_span_without_a_trace_that_means_something_starts_one(
    spans: InMemorySpanExporter, carried: str | None
) -> None:
    with telemetry.span("job", carried):
        pass
    assert attributes(spans)["job"].parent is None


def test_without_an_sdk_the_trace_still_passes_through() -> None:
    assert telemetry.traceparent() is None
    with telemetry.span("job", CARRIED):
        assert telemetry.traceparent() == CARRIED
    begun = telemetry.begin("publish", CARRIED)
    assert telemetry.traceparent(begun) == CARRIED
    begun.end()


def test_a_failure_is_told_by_its_code_and_not_by_its_words(spans: InMemorySpanExporter) -> None:
    for name, error in (("ours", ToolFailed("said Ann")), ("bug", KeyError("said Ann"))):
        with pytest.raises(type(error)), telemetry.span(name):
            raise error
    ours, bug = attributes(spans)["ours"], attributes(spans)["bug"]
    assert (ours.status.description, bug.status.description) == ("tool_failed", "KeyError")
    assert ours.attributes["error.type"] == "tool_failed"
    assert not ours.events
    assert "Ann" not in ours.to_json() + bug.to_json()


def test_what_is_over_is_told_with_its_own_times(spans: InMemorySpanExporter) -> None:
    at = datetime(2026, 11, 27, 14, 0, 5, tzinfo=UTC)
    telemetry.past("model completions", CARRIED, 2.5, ended_at=at, kind="client", model="m")
    seen = attributes(spans)["model completions"]
    assert (seen.end_time - seen.start_time) / 1e9 == 2.5
    assert seen.end_time / 1e9 == at.timestamp()
    assert f"{seen.parent.span_id:016x}" == PARENT


def test_metrics_count_and_measure_under_one_instrument_each(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = InMemoryMetricReader()
    provider = MeterProvider([reader], shutdown_on_exit=False)
    monkeypatch.setattr(telemetry, "_METER", provider.get_meter("test"))
    for seconds in (1.0, 3.0):
        telemetry.count("outcomes", outcome="done")
        telemetry.observe("stage_duration", seconds, "s", stage="render")
    data = reader.get_metrics_data()
    assert data is not None
    metrics = {m.name: m for r in data.resource_metrics for s in r.scope_metrics for m in s.metrics}
    counted: Any
    measured: Any
    [counted] = metrics["cloop_memory.outcomes"].data.data_points
    [measured] = metrics["cloop_memory.stage_duration"].data.data_points
    assert (counted.value, dict(counted.attributes or {})) == (2, {"outcome": "done"})
    assert (measured.count, measured.sum) == (2, 4.0)
    assert metrics["cloop_memory.stage_duration"].unit == "s"
    provider.shutdown()


def test_a_measurement_within_a_trace_names_the_trace(
    spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = InMemoryMetricReader()
    provider = MeterProvider([reader], shutdown_on_exit=False)
    monkeypatch.setattr(telemetry, "_METER", provider.get_meter("test"))
    with telemetry.span("stage render", CARRIED):
        telemetry.observe("stage_duration", 2.5, "s", stage="render")
    data = reader.get_metrics_data()
    assert data is not None
    point: Any = data.resource_metrics[0].scope_metrics[0].metrics[0].data.data_points[0]
    [exemplar] = point.exemplars
    [seen] = spans.get_finished_spans()
    assert (exemplar.value, f"{exemplar.trace_id:032x}", exemplar.span_id) == (2.5, TRACE, seen.context.span_id)
    provider.shutdown()


# --- logs --------------------------------------------------------------------------------------------------------


def line(message: str, error: BaseException | None = None, **fields: Any) -> dict[str, Any]:
    """One log line as it leaves."""
    formatter = telemetry.JsonFormatter("consumer", "clo0p-test", telemetry.Redactor((KEY,)))
    info = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, message, None, info)
    record.fields = fields
    text = formatter.format(record)
    assert "\n" not in text
    parsed: dict[str, Any] = json.loads(text)
    return parsed


def test_a_line_has_the_shape_that_cloud_logging_reads(spans: InMemorySpanExporter) -> None:
    with telemetry.span("job", CARRIED):
        seen = line("done", job_id="1", seconds=2.5, nothing=None)
    assert seen["logging.googleapis.com/trace"] == f"projects/clo0p-test/traces/{TRACE}"
    assert len(seen["logging.googleapis.com/spanId"]) == 16
    assert {name: seen[name] for name in ("severity", "message", "service", "job_id", "seconds", "nothing")} == {
        "severity": "ERROR",
        "message": "done",
        "service": "consumer",
        "job_id": "1",
        "seconds": 2.5,
        "nothing": None,
    }
    assert datetime.fromisoformat(seen["time"]).tzinfo
    assert "logging.googleapis.com/trace" not in line("outside")


@table("kind", CANARIES)
def test_no_credential_leaves_wherever_it_stands(kind: str) -> None:
    canary = CANARIES[kind]
    error = RuntimeError(f"refused: {canary}!")
    seen = line(f"call with {canary}", error, plain=canary, nested={"list": [canary, {"deep": canary}]}, odd=error)
    secret = canary.removeprefix("Bearer ").removeprefix("postgresql://").split("@")[0]
    assert secret not in json.dumps(seen)
    assert telemetry.MASK in seen["message"]
    assert seen["odd"].startswith("refused: "), "the rest stays readable"
    assert "RuntimeError" in seen["stack_trace"]


@table(("causes", "links"), [(0, 1), (3, 4), (7, 8), (20, 8)])
def test_a_failure_is_told_with_its_causes_and_not_without_end(causes: int, links: int) -> None:
    error = RuntimeError("SECRETWORD")
    last: BaseException = error
    for _ in range(causes):
        last.__cause__ = ValueError("SECRETWORD")
        last = last.__cause__
    stack = line("failed", error)["stack_trace"]
    assert len(stack.split("caused by:")) == links
    assert stack.startswith("builtins.RuntimeError")
    assert "SECRETWORD" not in stack


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_known_secret_is_masked_in_any_surroundings(before: str, after: str) -> None:
    assert KEY not in telemetry.Redactor((KEY,)).text(before + KEY + after)


def test_a_secret_within_another_does_not_leave_its_rest() -> None:
    redactor = telemetry.Redactor(("secret-one", "secret-one-and-more"))
    assert redactor.text("x secret-one-and-more y") == f"x {telemetry.MASK} y"
    assert telemetry.Redactor(("abc",)).text("abc is no secret") == "abc is no secret"


def test_whoever_typed_a_command_reads_warnings_with_their_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telemetry.LOGGER, "handlers", [])
    monkeypatch.setattr(telemetry.LOGGER, "propagate", telemetry.LOGGER.propagate)
    level, stream = telemetry.LOGGER.level, io.StringIO()
    try:
        telemetry.setup_for_people(stream)
        telemetry.log("everything erased", objects=3)
        telemetry.log("suppressions repaired", user_id="u-1", copy=CANARIES["bearer"], level=logging.WARNING)
    finally:
        telemetry.LOGGER.setLevel(level)
    assert stream.getvalue() == "warning: suppressions repaired (user_id u-1, copy [redacted])\n"


def test_setup_writes_lines_to_its_stream_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    exported: list[str] = []
    monkeypatch.setattr(telemetry, "setup_export", exported.append)
    before = (telemetry.LOGGER.handlers[:], telemetry.LOGGER.level, telemetry.LOGGER.propagate)
    stream = io.StringIO()
    try:
        telemetry.setup("consumer", "p", secrets=(KEY,), stream=stream)
        telemetry.log("ready", port=1, note=f"key {KEY}")
        assert exported == []
        telemetry.setup("reader", "p", export=True, stream=io.StringIO())
        assert exported == ["reader"]
    finally:
        telemetry.LOGGER.handlers[:], telemetry.LOGGER.level, telemetry.LOGGER.propagate = before
    assert json.loads(stream.getvalue())["note"] == f"key {telemetry.MASK}"
    assert capsys.readouterr().out == ""


@pytest.mark.integration
def test_a_collector_that_stays_silent_holds_up_no_exit() -> None:
    """With the time limits of the exporters out of the way, only ours ends the process."""
    script = """
from service import telemetry
telemetry.setup_export("test")
with telemetry.span("job"):
    telemetry.count("outcomes")
print("over")
"""
    with socket.create_server(("127.0.0.1", 0)) as collector:  # the kernel accepts, and nobody answers
        environ = {
            "PATH": os.environ["PATH"],
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.getsockname()[1]}",
            "OTEL_EXPORTER_OTLP_TIMEOUT": "3600",
        }
        ended = subprocess.run(
            [sys.executable, "-c", script], check=False, env=environ, capture_output=True, timeout=PATIENCE_S
        )
    assert (ended.returncode, ended.stdout) == (0, b"over\n"), ended.stderr
