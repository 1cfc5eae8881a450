"""From the row's traceparent to the message's: with an SDK a span of our own, without one the row's, untouched."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from contract.event import decode_job
from publisher.batch import Row, plan
from publisher.tracing import publishing

TRACE = "a" * 32
CARRIED = f"00-{TRACE}-{'b' * 16}-01"
ROW = Row(
    outbox_id=1,
    job_id="aaaaaaaa-0000-4000-8000-000000000001",
    user_id="11111111-1111-4111-8111-111111111111",
    workspace_id="22222222-2222-4222-8222-222222222222",
    job_type="insight",
    runtime_profile="internal-full",
    template_version="v1",
    period=None,
    requested_at=datetime(2026, 11, 27, tzinfo=UTC),
    status="queued",
    traceparent=CARRIED,
)


def test_without_an_sdk_rows_stay_as_they_are() -> None:
    rows = [ROW, replace(ROW, outbox_id=2, traceparent=None), replace(ROW, outbox_id=3, traceparent="nonsense")]
    with publishing(rows) as traced:
        assert traced == rows


def test_each_message_carries_its_own_span_of_the_rows_trace(spans: InMemorySpanExporter) -> None:
    with publishing([ROW, replace(ROW, outbox_id=2)]) as traced:
        messages = plan(traced).messages
        assert spans.get_finished_spans() == (), "a publish lasts until its reply"
    ids = {f"{span.context.span_id:016x}" for span in spans.get_finished_spans()}
    carried = [message.attributes["traceparent"].split("-") for message in messages]
    assert {parts[1] for parts in carried} == {TRACE}
    assert {parts[2] for parts in carried} == ids
    assert len(ids) == 2


@pytest.mark.parametrize("trace", ["nonsense", f"01-{TRACE}-{'c' * 16}-01-more", f"ff-{TRACE}-{'c' * 16}-01"])
def test_a_trace_of_another_form_or_version_kills_no_job(spans: InMemorySpanExporter, trace: str) -> None:
    with publishing([replace(ROW, traceparent=trace)]) as traced:
        [message] = plan(traced).messages
    # The SDK continues the trace of a later version with a span of its own, in the version that we read.
    assert message.attributes.get("traceparent", "00-").startswith("00-")
    sent = {**json.loads(message.data), "traceparent": trace}
    event = decode_job(json.dumps(sent).encode(), {**message.attributes, "traceparent": trace})
    assert (event.job_id, event.traceparent) == (ROW.job_id, None)


def test_spans_end_when_the_publish_fails(spans: InMemorySpanExporter) -> None:
    with pytest.raises(ConnectionError), publishing([ROW]):
        raise ConnectionError
    assert len(spans.get_finished_spans()) == 1
