"""An OpenTelemetry collector that keeps what it is sent: OTLP over HTTP, protobuf, on a free loopback port."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass(frozen=True)
class Seen:
    """One span as it came."""

    service: str
    name: str
    trace_id: str
    span_id: str
    parent_id: str
    attributes: dict[str, Any]
    failed: bool
    events: int


@dataclass
class Collector:
    """``raw``: every body, as bytes: what a canary is looked for in."""

    endpoint: str
    spans: list[Seen] = field(default_factory=list)
    metrics: set[str] = field(default_factory=set)
    raw: list[bytes] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def wait(self, until: Callable[[list[Seen]], bool], timeout_s: float = 60.0) -> list[Seen]:
        """The spans, as soon as ``until`` holds for them."""
        with self.changed:
            assert self.changed.wait_for(lambda: until(self.spans), timeout_s), sorted({s.name for s in self.spans})
            return list(self.spans)

    def take(self, path: str, body: bytes) -> None:
        with self.changed:
            self.raw.append(body)
            if path == "/v1/traces":
                self.spans += _spans(body)
            elif path == "/v1/metrics":
                self.metrics |= _metrics(body)
            self.changed.notify_all()


@contextmanager
def collector() -> Iterator[Collector]:
    """A running one."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    kept = Collector(f"http://127.0.0.1:{server.server_port}")
    server.collector = kept  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield kept
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.collector.take(self.path, body)  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def _spans(body: bytes) -> Iterator[Seen]:
    for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        service = next(a.value.string_value for a in resource.resource.attributes if a.key == "service.name")
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield Seen(
                    service,
                    span.name,
                    span.trace_id.hex(),
                    span.span_id.hex(),
                    span.parent_span_id.hex(),
                    {a.key: getattr(a.value, a.value.WhichOneof("value") or "string_value") for a in span.attributes},
                    span.status.code == 2,
                    len(span.events),
                )


def _metrics(body: bytes) -> set[str]:
    request = ExportMetricsServiceRequest.FromString(body)
    return {m.name for r in request.resource_metrics for s in r.scope_metrics for m in s.metrics}
