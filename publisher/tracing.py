"""The publisher's part of a job's trace: from the row's traceparent to the message's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from publisher.batch import Row
from service import telemetry


@contextmanager
def publishing(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows, each with the traceparent of its own span, which lasts as long as the block.

    A row with an invalid traceparent stays unchanged: whether it is refused must not depend on tracing.
    """
    spans = [
        telemetry.begin(
            "publish memory_job", row.traceparent, kind="producer", job_id=row.job_id, job_type=row.job_type
        )
        for row in rows
    ]
    pairs = zip(rows, spans, strict=True)
    try:
        yield [replace(row, traceparent=_carried(row, telemetry.traceparent(span))) for row, span in pairs]
    finally:
        for span in spans:
            span.end()


def _carried(row: Row, ours: str | None) -> str | None:
    same_trace = ours is not None and (row.traceparent is None or row.traceparent[3:35] == ours[3:35])
    return ours if same_trace else row.traceparent
