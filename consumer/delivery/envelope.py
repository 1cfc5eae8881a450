"""Push body -> Delivery. Strict where leniency could hide a lost message, lenient where Pub/Sub itself varies."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from consumer.errors import MalformedMessage
from contract import canonical, jsonobject
from contract.event import EventError, JobEvent, TickEvent, decode_job, decode_tick

#: Pub/Sub's own limits; a larger message did not come from Pub/Sub.
MAX_ATTRIBUTES: Final = 100
MAX_ID_LENGTH: Final = 128


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message as pushed. ``attempt``: Pub/Sub's delivery count, if it sends one; failures are counted elsewhere."""

    message_id: str
    data: bytes
    attributes: Mapping[str, str] = field(default_factory=dict)
    publish_time: datetime | None = None
    attempt: int | None = None


def decode(body: bytes) -> Delivery:
    """A wrapped push body.

    Raises MalformedMessage: not JSON, no message, no id, data not in strict base64, or attributes that are not strings.
    """
    try:
        envelope = orjson.loads(body)
    except orjson.JSONDecodeError as exc:
        raise MalformedMessage(f"push body is not JSON ({len(body)} bytes): {exc}") from exc
    message = envelope.get("message") if isinstance(envelope, dict) else None
    if not isinstance(message, dict):
        raise MalformedMessage(f"push body has no message object ({len(body)} bytes)")
    return Delivery(
        message_id=_message_id(message),
        data=_data(message),
        attributes=_attributes(message),
        publish_time=_time(message),
        attempt=_attempt(envelope),
    )


def undecodable(body: bytes) -> Delivery:
    """A Delivery for a body that cannot be decoded, named so that its record is written once.

    The name is the message's id if there is one. The body's digest would not do: Pub/Sub counts the deliveries in it.
    """
    message = _message_in(body)
    try:
        return Delivery(message_id=_message_id(message), data=body, publish_time=_time_or_none(message))
    except MalformedMessage:
        return Delivery(message_id=f"body-{canonical.sha256_hex(body)[:32]}", data=body)


def _message_in(body: bytes) -> Mapping[str, Any]:
    message = jsonobject.parsed(body).get("message")
    return message if isinstance(message, dict) else {}


def _time_or_none(message: Mapping[str, Any]) -> datetime | None:
    try:
        return _time(message)
    except MalformedMessage:
        return None


def job_event(delivery: Delivery) -> JobEvent:
    """Raises MalformedMessage, which names what was expected and what arrived, without the content."""
    try:
        return decode_job(delivery.data, delivery.attributes)
    except EventError as exc:
        raise MalformedMessage(f"message {delivery.message_id}: {exc}") from exc


def tick_event(delivery: Delivery) -> tuple[TickEvent, datetime]:
    """The tick and its publish time, from which its period comes. Raises MalformedMessage."""
    try:
        tick = decode_tick(delivery.data)
    except EventError as exc:
        raise MalformedMessage(f"message {delivery.message_id}: {exc}") from exc
    if delivery.publish_time is None:
        raise MalformedMessage(f"message {delivery.message_id}: a tick without publishTime has no period")
    return tick, delivery.publish_time


def _message_id(message: Mapping[str, Any]) -> str:
    # Pub/Sub sends both spellings; other senders send one of them.
    message_id = message.get("messageId", message.get("message_id"))
    if not isinstance(message_id, str) or not 0 < len(message_id) <= MAX_ID_LENGTH:
        raise MalformedMessage("message has no messageId (a string of 1 to 128 characters)")
    snake_case_id = message.get("message_id", message_id)
    if snake_case_id != message_id:
        raise MalformedMessage("messageId and message_id differ")
    return message_id


def _data(message: Mapping[str, Any]) -> bytes:
    raw = message.get("data", "")
    if not isinstance(raw, str):
        raise MalformedMessage(f"message data is a JSON {type(raw).__name__}, expected a base64 string")
    try:
        return base64.b64decode(raw.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError) as exc:
        raise MalformedMessage(f"message data is not standard, padded base64 ({len(raw)} characters)") from exc


def _attributes(message: Mapping[str, Any]) -> dict[str, str]:
    raw = message.get("attributes")
    if raw is None:
        return {}
    if not isinstance(raw, dict) or not all(isinstance(value, str) for value in raw.values()):
        raise MalformedMessage("message attributes are not an object of strings")
    if len(raw) > MAX_ATTRIBUTES:
        raise MalformedMessage(f"message has {len(raw)} attributes, Pub/Sub allows {MAX_ATTRIBUTES}")
    return raw


def _time(message: Mapping[str, Any]) -> datetime | None:
    raw = message.get("publishTime", message.get("publish_time"))
    if raw is None:
        return None
    try:
        moment = datetime.fromisoformat(str(raw))
        if moment.tzinfo is None:
            raise MalformedMessage("message publishTime has no zone")
        # The conversion also checks: a time at the edge of the calendar may have no equivalent in UTC.
        return moment.astimezone(UTC)
    except (ValueError, OverflowError) as exc:
        raise MalformedMessage("message publishTime is not an RFC 3339 time") from exc


def _attempt(envelope: Mapping[str, Any]) -> int | None:
    raw = envelope.get("deliveryAttempt")
    return raw if isinstance(raw, int) and not isinstance(raw, bool) and raw > 0 else None
