"""Rows become messages: in order, as the database says, and one bad row does not stop the others."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from contract.event import decode_job
from publisher.batch import Row, plan


def row(number: int = 1, **changes: object) -> Row:
    base = Row(
        outbox_id=number,
        job_id=str(uuid.UUID(int=number)),
        user_id=str(uuid.UUID(int=1000)),
        workspace_id=str(uuid.UUID(int=2000)),
        job_type="hourly_digest",
        runtime_profile="internal-full",
        template_version="v1",
        period="2026-11-27T14",
        requested_at=datetime(2026, 11, 27, 14, 3, tzinfo=UTC),
        status="queued",
    )
    return replace(base, **changes)  # type: ignore[arg-type] # tests name fields freely


def test_a_message_is_the_rows_event() -> None:
    [message] = plan([row(traceparent=f"00-{'a' * 32}-{'b' * 16}-01")]).messages
    event = decode_job(message.data, message.attributes)
    assert (event.job_id, event.user_id, event.period) == (row().job_id, row().user_id, "2026-11-27T14")
    assert message.attributes["user_id"] == row().user_id
    assert message.attributes["traceparent"] == event.traceparent
    assert event.requested_at == row().requested_at


def test_order_is_kept() -> None:
    rows = [row(number) for number in (3, 1, 2)]
    assert [message.outbox_id for message in plan(rows).messages] == [3, 1, 2]


def test_a_replay_travels_with_its_reason() -> None:
    replay = row(replay_id=str(uuid.UUID(int=9)), from_stage="report", reason="prompt fixed")
    [message] = plan([replay]).messages
    event = decode_job(message.data, message.attributes)
    assert (event.replay_id, event.from_stage, event.reason) == (str(uuid.UUID(int=9)), "report", "prompt fixed")
    assert message.attributes["replay_id"] == event.replay_id


def test_the_same_job_has_the_same_digest_whenever_it_is_published() -> None:
    first, again = row(), row(2, job_id=row().job_id, status="running", replay_id=str(uuid.UUID(int=9)))
    digests = {decode_job(m.data, m.attributes).payload_digest for m in plan([first, again]).messages}
    assert len(digests) == 1


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled"])
def test_a_job_that_is_over_needs_no_message(status: str) -> None:
    batch = plan([row(1, status=status), row(2)])
    assert batch.settled == (1,)
    assert [message.outbox_id for message in batch.messages] == [2]


@pytest.mark.parametrize(
    "changes",
    [{"job_type": "unknown"}, {"runtime_profile": "Not A Name"}, {"period": "yesterday"}, {"from_stage": "report"}],
)
def test_a_row_that_is_no_event_is_named_and_left_out(changes: dict[str, str]) -> None:
    batch = plan([row(1, **changes), row(2)])
    assert batch.refused == ((1, row().job_id),)
    assert [message.outbox_id for message in batch.messages] == [2]
