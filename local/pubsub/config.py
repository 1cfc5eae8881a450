"""Validates topics and subscriptions: the real service's limits, defaults and field masks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import grpc
from google.pubsub_v1 import types

from local.pubsub.delivery import DeliveryPolicy

Topic = types.Topic.pb()
Subscription = types.Subscription.pb()
PubsubMessage = types.PubsubMessage.pb()

_ID = re.compile(r"[A-Za-z][A-Za-z0-9._~+%-]{2,254}")
_NAME = re.compile(r"projects/[^/]+/(topics|subscriptions)/([^/]+)")
MIN_ACK_DEADLINE_S = 10
MAX_ACK_DEADLINE_S = 600
DEFAULT_RETENTION_S = 7 * 86_400
MIN_RETENTION_S, MAX_RETENTION_S = 600, 31 * 86_400
DEFAULT_BACKOFF_S = (10.0, 600.0)
MIN_ATTEMPTS, MAX_ATTEMPTS = 5, 100
MAX_MESSAGES = 1000
MAX_REQUEST_BYTES = 10_000_000
MAX_ATTRIBUTES = 100
MAX_ATTRIBUTE_KEY_BYTES = 256
MAX_ATTRIBUTE_VALUE_BYTES = 1024
MAX_ORDERING_KEY_BYTES = 1024
#: A topic's subscriptions point here after it was deleted.
DELETED_TOPIC = "_deleted-topic_"
_IMMUTABLE = frozenset({"name", "topic", "enable_message_ordering", "filter"})
_NOT_OFFERED = ("bigquery_config", "cloud_storage_config", "message_transforms")


class PubsubRefusal(Exception):
    """A request that the real service would also refuse (or, UNIMPLEMENTED, that this server does not support)."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def invalid(message: str) -> PubsubRefusal:
    return PubsubRefusal(grpc.StatusCode.INVALID_ARGUMENT, message)


def not_found(name: str) -> PubsubRefusal:
    return PubsubRefusal(grpc.StatusCode.NOT_FOUND, f"Resource not found (resource={name.rsplit('/', 1)[-1]}).")


def already_exists(name: str) -> PubsubRefusal:
    short = name.rsplit("/", 1)[-1]
    return PubsubRefusal(grpc.StatusCode.ALREADY_EXISTS, f"Resource already exists in the project (resource={short}).")


def check_name(name: str, kind: str) -> None:
    """``projects/<project>/<kind>/<id>`` with an id as the service wants it."""
    match = _NAME.fullmatch(name)
    if match is None or match[1] != kind or not _ID.fullmatch(match[2]) or match[2].startswith("goog"):
        raise invalid(f"Invalid [{kind}] name: (name={name[:300]})")


def check_messages(messages: Iterable[Any]) -> None:
    """The messages of one publish request."""
    listed = list(messages)
    if not listed:
        raise invalid("The value for message_count is too small. You passed 0; it must be at least 1.")
    if len(listed) > MAX_MESSAGES:
        raise invalid(f"The value for message_count is too large. You passed {len(listed)}; at most {MAX_MESSAGES}.")
    for message in listed:
        _check_message(message)
    if sum(message.ByteSize() for message in listed) > MAX_REQUEST_BYTES:
        raise invalid(f"The request is larger than {MAX_REQUEST_BYTES} bytes.")


def _check_message(message: Any) -> None:
    if not message.data and not message.attributes:
        raise invalid("One or more messages in the publish request is empty: it needs data or an attribute.")
    if len(message.ordering_key.encode()) > MAX_ORDERING_KEY_BYTES:
        raise invalid(f"An ordering key is longer than {MAX_ORDERING_KEY_BYTES} bytes.")
    if len(message.attributes) > MAX_ATTRIBUTES:
        raise invalid(f"A message has more than {MAX_ATTRIBUTES} attributes.")
    for key, value in message.attributes.items():
        if not 0 < len(key.encode()) <= MAX_ATTRIBUTE_KEY_BYTES or key.startswith("goog"):
            raise invalid(f"Invalid attribute key: 1 to {MAX_ATTRIBUTE_KEY_BYTES} bytes, not starting with goog.")
        if len(value.encode()) > MAX_ATTRIBUTE_VALUE_BYTES:
            raise invalid(f"An attribute value is longer than {MAX_ATTRIBUTE_VALUE_BYTES} bytes.")


def completed(request: Any) -> Any:
    """A checked copy of a subscription with the service's defaults filled in."""
    config = Subscription()
    config.CopyFrom(request)
    _check_offered(config)
    if not config.ack_deadline_seconds:
        config.ack_deadline_seconds = MIN_ACK_DEADLINE_S
    if not MIN_ACK_DEADLINE_S <= config.ack_deadline_seconds <= MAX_ACK_DEADLINE_S:
        raise invalid(f"Invalid ack deadline: {MIN_ACK_DEADLINE_S} to {MAX_ACK_DEADLINE_S} seconds.")
    if not config.HasField("message_retention_duration"):
        config.message_retention_duration.FromSeconds(DEFAULT_RETENTION_S)
    if not MIN_RETENTION_S <= _seconds(config.message_retention_duration) <= MAX_RETENTION_S:
        raise invalid("Invalid message retention: 10 minutes to 31 days.")
    _complete_dead_letter(config)
    _check_backoff(config)
    config.state = types.Subscription.State.ACTIVE
    return config


def _check_offered(config: Any) -> None:
    if config.enable_exactly_once_delivery and config.push_config.push_endpoint:
        raise invalid("Exactly-once delivery is for pull subscriptions.")
    present = [name for name in _NOT_OFFERED if name in config.DESCRIPTOR.fields_by_name and _is_set(config, name)]
    if config.enable_exactly_once_delivery or config.filter or present:
        what = present or ["enable_exactly_once_delivery" if config.enable_exactly_once_delivery else "filter"]
        raise PubsubRefusal(grpc.StatusCode.UNIMPLEMENTED, f"{what[0]} is not offered by this local server.")


def _is_set(config: Any, name: str) -> bool:
    return any(field.name == name for field, _ in config.ListFields())


def _complete_dead_letter(config: Any) -> None:
    policy = config.dead_letter_policy
    if not policy.dead_letter_topic:
        return
    check_name(policy.dead_letter_topic, "topics")
    policy.max_delivery_attempts = policy.max_delivery_attempts or MIN_ATTEMPTS
    if not MIN_ATTEMPTS <= policy.max_delivery_attempts <= MAX_ATTEMPTS:
        raise invalid(f"max_delivery_attempts must be {MIN_ATTEMPTS} to {MAX_ATTEMPTS}.")


def _check_backoff(config: Any) -> None:
    for name in ("minimum_backoff", "maximum_backoff"):
        wanted = config.HasField("retry_policy") and config.retry_policy.HasField(name)
        if wanted and not 0 <= _seconds(getattr(config.retry_policy, name)) <= MAX_ACK_DEADLINE_S:
            raise invalid(f"retry_policy.{name} must be 0 to 600 seconds.")


def updated(current: Any, request: Any, mask: Any) -> Any:
    """``current`` with the masked fields of ``request``."""
    if not mask.paths:
        raise invalid("The update_mask is empty.")
    changed = Subscription()
    changed.CopyFrom(current)
    for path in mask.paths:
        root = path.split(".")[0]
        if root in _IMMUTABLE:
            raise invalid(f"{root} cannot be changed.")
        if root not in changed.DESCRIPTOR.fields_by_name:
            raise invalid(f"Unknown field in the update_mask: {path[:100]}.")
        if path == root:
            changed.ClearField(root)
    mask.MergeMessage(request, changed, True, True)
    return completed(changed)


def policy(config: Any) -> DeliveryPolicy:
    """The part of a completed subscription that delivery needs."""
    low: float | None = None
    high = DEFAULT_BACKOFF_S[1]
    if config.HasField("retry_policy"):
        retry = config.retry_policy
        low = _seconds(retry.minimum_backoff) if retry.HasField("minimum_backoff") else DEFAULT_BACKOFF_S[0]
        high = _seconds(retry.maximum_backoff) if retry.HasField("maximum_backoff") else DEFAULT_BACKOFF_S[1]
    dead = config.dead_letter_policy
    return DeliveryPolicy(
        ack_deadline_s=float(config.ack_deadline_seconds),
        ordered=config.enable_message_ordering,
        min_backoff_s=low,
        max_backoff_s=high,
        max_attempts=dead.max_delivery_attempts if dead.dead_letter_topic else None,
        retain_acked=config.retain_acked_messages,
    )


def retention_s(config: Any) -> float:
    return _seconds(config.message_retention_duration)


def _seconds(duration: Any) -> float:
    return float(duration.seconds + duration.nanos / 1e9)
