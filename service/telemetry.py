"""JSON logs in the shape Cloud Logging reads, spans, and metrics.

The OpenTelemetry SDK is set up only where OTEL_EXPORTER_OTLP_ENDPOINT is set; without it the API's no-op implementation
costs nothing and the push app starts faster. Secrets are masked in the output.

One trace reaches from the insert of a job to its completion: its traceparent stands in the job's row, travels in the
message, in the environment of an execution and in the headers of every call to the control plane. All processes use
this module; it knows nothing of the product.
"""

from __future__ import annotations

import atexit
import json
import logging
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, Literal, TextIO

from opentelemetry import metrics, trace
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

LOGGER: Final = logging.getLogger("cloop_memory")
#: What an operator should look at soon, must look at, and is called for.
WARNING: Final = logging.WARNING
ERROR: Final = logging.ERROR
CRITICAL: Final = logging.CRITICAL
_TRACER: Final = trace.get_tracer("cloop_memory")
_METER: Final = metrics.get_meter("cloop_memory")
_PROPAGATOR: Final = TraceContextTextMapPropagator()
#: A span's kind: internal work, an outgoing call, an incoming call, an outgoing message.
Kind = Literal["internal", "client", "server", "producer"]
_KINDS: Final[Mapping[str, SpanKind]] = {kind.name.lower(): kind for kind in SpanKind}
Attribute = str | int | float | bool

#: Shapes of credentials: bearer tokens, JWTs, provider keys, URLs with a password.
_SECRET_SHAPES: Final = re.compile(
    r"(?i)bearer\s+[\w.~+/=-]{8,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\bsk-[\w-]{12,}|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
)
MASK: Final = "[redacted]"
#: Of the ten seconds that Cloud Run leaves a process after SIGTERM.
FLUSH_S: Final = 2.0
#: The most exceptions of one chain that are logged.
_MAX_CAUSES: Final = 8


class Redactor:
    """Masks known secret values and anything that has the shape of a credential."""

    def __init__(self, secrets: tuple[str, ...] = ()) -> None:
        # A very short "secret" would mask ordinary words.
        self._values = sorted((s for s in secrets if len(s) >= 6), key=len, reverse=True)

    def text(self, value: str) -> str:
        for secret in self._values:
            value = value.replace(secret, MASK)
        return _SECRET_SHAPES.sub(MASK, value)

    def value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {str(k): self.value(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.value(v) for v in value]
        return value if isinstance(value, (int, float, bool, type(None))) else self.text(str(value))


class JsonFormatter(logging.Formatter):
    """One JSON object per line: severity, message, time, trace, and the record's ``fields``."""

    def __init__(self, service: str, project: str, redactor: Redactor) -> None:
        super().__init__()
        self._service, self._project, self._redactor = service, project, redactor

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "severity": record.levelname,
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "service": self._service,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        context = trace.get_current_span().get_span_context()
        if context.is_valid:
            line["logging.googleapis.com/trace"] = f"projects/{self._project}/traces/{context.trace_id:032x}"
            line["logging.googleapis.com/spanId"] = f"{context.span_id:016x}"
        if record.exc_info:
            line["stack_trace"] = _stack(record.exc_info[1])
        return json.dumps(self._redactor.value(line), ensure_ascii=False)


class PlainFormatter(logging.Formatter):
    """A line for the user of a command: severity, message, then the record's ``fields``."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        fields = ", ".join(f"{name} {value}" for name, value in getattr(record, "fields", {}).items())
        line = f"{record.levelname.lower()}: {record.getMessage()}" + (f" ({fields})" if fields else "")
        return self._redactor.text(line)


def _stack(raised: BaseException | None) -> str:
    """Places and classes of an exception and its causes, outermost first, without their texts: those may quote a
    user's text."""
    links: list[str] = []
    while raised is not None and len(links) < _MAX_CAUSES:
        places = "".join(traceback.format_tb(raised.__traceback__))
        links.append(f"{places}{type(raised).__module__}.{type(raised).__qualname__}")
        raised = raised.__cause__ or (None if raised.__suppress_context__ else raised.__context__)
    return "\ncaused by:\n".join(links)


def setup(
    service: str,
    project: str,
    *,
    export: bool = False,
    secrets: tuple[str, ...] = (),
    stream: TextIO | None = None,
) -> None:
    """Log lines to ``stream`` (default stdout); ``export``: spans and metrics to the environment's OTLP endpoint."""
    handler = logging.StreamHandler(stream or sys.stdout)
    handler.setFormatter(JsonFormatter(service, project, Redactor(secrets)))
    LOGGER.handlers[:] = [handler]
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
    if export:
        setup_export(service)


def setup_for_people(stream: TextIO | None = None) -> None:
    """Warnings and worse as lines of text to ``stream`` (default stderr): for commands run by a person."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(PlainFormatter(Redactor()))
    LOGGER.handlers[:] = [handler]
    LOGGER.setLevel(logging.WARNING)
    LOGGER.propagate = False


def setup_export(service: str) -> None:
    """Send spans and metrics to OTEL_EXPORTER_OTLP_ENDPOINT. What is still queued is sent when the process ends, for at
    most ``FLUSH_S``: a collector that is away must not use up the seconds that the platform leaves a stopped process.
    """
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter  # noqa: PLC0415 (slow import)
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
    from opentelemetry.sdk.metrics import MeterProvider  # noqa: PLC0415
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader  # noqa: PLC0415
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    resource = Resource.create({"service.name": service})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    reader = PeriodicExportingMetricReader(OTLPMetricExporter())
    meters = MeterProvider(resource=resource, metric_readers=[reader], shutdown_on_exit=False)
    metrics.set_meter_provider(meters)
    atexit.register(_Flush((provider.shutdown, meters.shutdown)).within, FLUSH_S)


class _Flush:
    """Shutdowns that wait in threads of their own, since a process that is ending may start no more."""

    def __init__(self, shutdowns: Sequence[Callable[[], None]]) -> None:
        self._ending = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(shutdown,), name="telemetry-flush", daemon=True)
            for shutdown in shutdowns
        ]
        for thread in self._threads:
            thread.start()

    def _run(self, shutdown: Callable[[], None]) -> None:
        self._ending.wait()
        shutdown()

    def within(self, seconds: float) -> None:
        """Run the shutdowns side by side, and return when they have ended or the time is over."""
        self._ending.set()
        until = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))


def log(message: str, *, level: int = logging.INFO, exc_info: BaseException | None = None, **fields: Any) -> None:
    """One structured line. Fields are ids, counts and codes; never user content."""
    LOGGER.log(level, message, extra={"fields": fields}, exc_info=exc_info)


@contextmanager
def span(
    name: str, traceparent: str | None = None, *, kind: Kind = "internal", **attributes: Attribute
) -> Iterator[Span]:
    """A span; with ``traceparent`` (W3C) it continues the trace that a message or a call carries.

    A failure is recorded by its code alone: an exception's text may quote anything.
    """
    with _TRACER.start_as_current_span(
        name,
        context=_context(traceparent),
        kind=_KINDS[kind],
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        try:
            yield current
        except BaseException as exc:
            failed(current, str(getattr(exc, "code", type(exc).__name__)))
            raise


def begin(name: str, traceparent: str | None, *, kind: Kind = "internal", **attributes: Attribute) -> Span:
    """A span that the caller ends, and that does not become the current span."""
    return _TRACER.start_span(name, context=_context(traceparent), kind=_KINDS[kind], attributes=attributes)


def past(
    name: str, traceparent: str | None, seconds: float, *, ended_at: datetime, kind: Kind, **attributes: Attribute
) -> None:
    """A span for something that has ended: it took ``seconds`` until ``ended_at``."""
    end_ns = int(ended_at.timestamp() * 1e9)
    start_ns = end_ns - int(seconds * 1e9)
    context = _context(traceparent)
    ended = _TRACER.start_span(name, context=context, kind=_KINDS[kind], attributes=attributes, start_time=start_ns)
    ended.end(end_ns)


def failed(current: Span, code: str) -> None:
    """Mark a span as failed, with an error code."""
    current.set_status(Status(StatusCode.ERROR, code))
    current.set_attribute("error.type", code)


def traceparent(of: Span | None = None) -> str | None:
    """The current span, or this one, as a W3C traceparent to send along; None outside any trace."""
    carrier: dict[str, str] = {}
    _PROPAGATOR.inject(carrier, context=set_span_in_context(of) if of else None)
    return carrier.get("traceparent")


def count(name: str, amount: float = 1, /, **labels: str) -> None:
    """Add to a counter, e.g. ``outcomes`` by outcome. Labels never name a user or a job."""
    _counter(_METER, f"cloop_memory.{name}").add(amount, labels)


def gauge(name: str, value: float, /, **labels: str) -> None:
    """The current value of something that this process has just looked at, e.g. ``withheld_jobs``."""
    _gauge(_METER, f"cloop_memory.{name}").set(value, labels)


def observe(name: str, value: float, unit: str, /, **labels: str) -> None:
    """Record one measurement in a histogram, e.g. ``stage_duration`` in s. Its exemplars link to the current trace."""
    _histogram(_METER, f"cloop_memory.{name}", unit).record(value, labels)


@cache
def _counter(meter: metrics.Meter, name: str) -> metrics.Counter:
    return meter.create_counter(name)


@cache
def _gauge(meter: metrics.Meter, name: str) -> Any:
    return meter.create_gauge(name)


@cache
def _histogram(meter: metrics.Meter, name: str, unit: str) -> metrics.Histogram:
    return meter.create_histogram(name, unit=unit)


def _context(traceparent: str | None) -> Context | None:
    return _PROPAGATOR.extract({"traceparent": traceparent}) if traceparent else None
