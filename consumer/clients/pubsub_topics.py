"""Check that the topics exist and are pushed to the consumer as its settings require. Run by operators.

Permissions needed: pubsub.topics.get on the topics, pubsub.subscriptions.get on their subscriptions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import manifests
from consumer.errors import TopicUnavailable

TIMEOUT_S = 10.0
#: Setting an endpoint by hand replaces the whole push configuration, including the token's settings.
RESTORE: Final = "restore it: `terraform apply -target=google_pubsub_subscription.push`"


#: The pushes that need a dead-letter topic. A tick needs none, since the next one does its work.
JOBS_PATH: Final = "/push/jobs"


@dataclass(frozen=True, slots=True)
class ExpectedPush:
    """A worker's settings for pushes; empty where this machine has no worker's settings."""

    account: str = ""
    audiences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Push:
    """One subscription's current settings."""

    name: str
    path: str
    endpoint: str
    account: str
    audience: str


def faults_of(topics: Mapping[str, str], undeliverable_path: str, expected: ExpectedPush) -> tuple[str, ...]:
    """The faults, one line each; none if each topic exists and is pushed with a token to its path.

    ``topics``: full name -> the consumer's path for its pushes. Messages that Pub/Sub gives up on go to
    ``undeliverable_path``.

    Raises TopicUnavailable: Pub/Sub cannot be reached.
    """
    # 1.5 s of import that only this check needs.
    from google.api_core.exceptions import GoogleAPIError, NotFound  # noqa: PLC0415
    from google.auth.exceptions import GoogleAuthError  # noqa: PLC0415
    from google.cloud import pubsub_v1  # noqa: PLC0415

    faults: list[str] = []
    pushes: list[_Push] = []
    unchecked = dict(topics)
    publisher, subscriber = pubsub_v1.PublisherClient(), pubsub_v1.SubscriberClient()
    try:
        while unchecked:
            topic, path = unchecked.popitem()
            try:
                names = list(publisher.list_topic_subscriptions(topic=topic, timeout=TIMEOUT_S, retry=None))
            except NotFound:
                faults.append(f"topic {topic} does not exist: create it")
                continue
            if not names:
                faults.append(f"topic {topic} has no subscription, so published messages are lost: create one")
            for name in names:
                subscription = subscriber.get_subscription(subscription=name, timeout=TIMEOUT_S, retry=None)
                pushes.append(_push(subscription, path))
                faults += _delivery_faults(subscription, exhausts=path == JOBS_PATH)
                if subscription.dead_letter_policy.dead_letter_topic and path != undeliverable_path:
                    unchecked[subscription.dead_letter_policy.dead_letter_topic] = undeliverable_path
    except (GoogleAPIError, GoogleAuthError) as exc:
        raise TopicUnavailable(f"cannot list subscriptions: {type(exc).__name__}") from exc
    finally:
        publisher.stop()
        publisher.transport.close()
        subscriber.close()
    return (*faults, *_push_faults(pushes, expected))


def _delivery_faults(subscription: Any, *, exhausts: bool) -> Iterator[str]:
    """``exhausts``: messages that are delivered too often must go to another topic."""
    name, limits = subscription.name.rpartition("/")[2], manifests.limits()
    deadline_s = limits["push_ack_deadline"]
    if subscription.ack_deadline_seconds != deadline_s:
        yield (
            f"subscription {name} waits {subscription.ack_deadline_seconds} s for an answer, not {deadline_s} s, so a"
            f" longer job is delivered again while it runs: {RESTORE}"
        )
    kept_s, expected_s = subscription.message_retention_duration.total_seconds(), limits["outbox_keep"]
    if kept_s < expected_s:
        yield (
            f"subscription {name} keeps messages for {kept_s:.0f} s, not {expected_s} s, so a longer outage loses them:"
            f" {RESTORE}"
        )
    if not exhausts:
        return
    policy, allowed = subscription.dead_letter_policy, limits["max_delivery_attempts"]
    if not policy.dead_letter_topic:
        yield (
            f"subscription {name} has no dead-letter topic, so a message that cannot be recorded is delivered for"
            f" {expected_s // 86400} days and then lost: {RESTORE}"
        )
    elif policy.max_delivery_attempts != allowed:
        yield f"subscription {name} gives up after {policy.max_delivery_attempts} deliveries, not {allowed}: {RESTORE}"


def _push(subscription: Any, path: str) -> _Push:
    token = subscription.push_config.oidc_token
    endpoint = subscription.push_config.push_endpoint
    return _Push(subscription.name.rpartition("/")[2], path, endpoint, token.service_account_email, token.audience)


def _push_faults(pushes: list[_Push], expected: ExpectedPush) -> Iterator[str]:
    working = []
    for push in sorted(pushes, key=lambda push: push.name):
        if not push.endpoint:
            yield f"subscription {push.name} has no push endpoint, so its messages are not processed: {RESTORE}"
        elif not (push.account and push.audience):
            yield f"subscription {push.name} pushes without a token, so the consumer refuses every push: {RESTORE}"
        elif urlsplit(push.endpoint).path != push.path:
            yield f"subscription {push.name} pushes to {push.endpoint}, not to the consumer's {push.path}: {RESTORE}"
        else:
            working.append(push)
    differing = {
        "endpoint's host": {urlsplit(push.endpoint).netloc for push in working},
        "audience": {push.audience for push in working},
        "account": {push.account for push in working},
    }
    yield from (
        f"subscriptions differ in their {setting} ({', '.join(sorted(values))}), but the consumer has one: {RESTORE}"
        for setting, values in differing.items()
        if len(values) > 1
    )
    for push in working:
        if expected.account and push.account != expected.account:
            yield (
                f"subscription {push.name} signs as {push.account}, the consumer accepts {expected.account}: {RESTORE}"
            )
        if expected.audiences and push.audience not in expected.audiences:
            yield f"subscription {push.name} signs for {push.audience}, which is not in PUSH_AUDIENCES: {RESTORE}"
