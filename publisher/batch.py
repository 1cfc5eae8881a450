"""Outbox rows -> messages. Pure: the messages follow from the rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from pydantic import ValidationError

from contract.api import TERMINAL
from contract.event import JobEvent


@dataclass(frozen=True, slots=True)
class Row:
    """One unpublished outbox row and its job."""

    outbox_id: int
    job_id: str
    user_id: str
    workspace_id: str
    job_type: str
    runtime_profile: str
    template_version: str
    period: str | None
    requested_at: datetime
    status: str
    from_stage: str | None = None
    replay_id: str | None = None
    reason: str | None = None
    traceparent: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message and the outbox row that it settles.

    It has no ordering key: Pub/Sub would hold back a user's later messages while an earlier one is refused, for minutes
    after an outage. Ledger and lock decide which of a user's jobs runs first.
    """

    outbox_id: int
    job_id: str
    data: bytes
    attributes: dict[str, str]


@dataclass(frozen=True, slots=True)
class Batch:
    """``settled``: rows without a message, because their job has ended. ``refused``: (outbox id, job id) of rows that
    are not valid events; they must not stop the others, and the sweep retries them."""

    messages: tuple[Message, ...] = ()
    settled: tuple[int, ...] = ()
    refused: tuple[tuple[int, str], ...] = ()


def plan(rows: Sequence[Row]) -> Batch:
    """Turn these rows into a batch, in their order."""
    messages: list[Message] = []
    settled: list[int] = []
    refused: list[tuple[int, str]] = []
    for row in rows:
        # The consumer would only discard a wake-up for it.
        if row.status in TERMINAL:
            settled.append(row.outbox_id)
            continue
        try:
            messages.append(_message(row))
        except ValidationError:
            refused.append((row.outbox_id, row.job_id))
    return Batch(tuple(messages), tuple(settled), tuple(refused))


def _message(row: Row) -> Message:
    fields = asdict(row)
    del fields["outbox_id"], fields["status"]
    if not row.replay_id:
        fields["reason"] = None
    event = JobEvent.model_validate(fields)
    return Message(row.outbox_id, row.job_id, event.encode(), event.attributes())
