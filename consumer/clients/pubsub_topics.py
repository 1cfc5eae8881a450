"""Do the topics stand, and are they pushed to the consumer as it wants them? Asked seldom, by an operator.

Permissions needed: pubsub.topics.get on the topics, pubsub.subscriptions.get on their subscriptions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from consumer.errors import TopicUnavailable

TIMEOUT_S = 10.0
#: An endpoint that is set by hand replaces the whole push configuration, the token's settings included.
RESTORE: Final = "restore it: `terraform apply -target=google_pubsub_subscription.push`"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a worker's settings say of pushes; empty where this machine has no worker's settings."""

    account: str = ""
    audiences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Push:
    """One subscription as it stands."""

    name: str
    path: str
    endpoint: str
    account: str
    audience: str


def faults_of(topics: Mapping[str, str], undeliverable_path: str, wanted: Wanted) -> tuple[str, ...]:
    """What is wrong, one line each; nothing when each topic stands and is pushed with a token to its path.

    ``topics``: full name -> the consumer's path that it is pushed to. What Pub/Sub gives up on goes to
    ``undeliverable_path``.

    Raises:
        TopicUnavailable: Pub/Sub cannot be asked.
    """
    # 1.5 s of import that only this question needs.
    from google.api_core.exceptions import GoogleAPIError, NotFound  # noqa: PLC0415
    from google.auth.exceptions import GoogleAuthError  # noqa: PLC0415
    from google.cloud import pubsub_v1  # noqa: PLC0415

    faults: list[str] = []
    pushes: list[_Push] = []
    left = dict(topics)
    publisher, subscriber = pubsub_v1.PublisherClient(), pubsub_v1.SubscriberClient()
    try:
        while left:
            topic, path = left.popitem()
            try:
                names = list(publisher.list_topic_subscriptions(topic=topic, timeout=TIMEOUT_S, retry=None))
            except NotFound:
                faults.append(f"topic {topic} does not exist: create it")
                continue
            if not names:
                faults.append(f"topic {topic} has no subscription and loses what is published: make one")
            for name in names:
                found = subscriber.get_subscription(subscription=name, timeout=TIMEOUT_S, retry=None)
                pushes.append(_push(found, path))
                if found.dead_letter_policy.dead_letter_topic and path != undeliverable_path:
                    left[found.dead_letter_policy.dead_letter_topic] = undeliverable_path
    except (GoogleAPIError, GoogleAuthError) as exc:
        raise TopicUnavailable(f"ask for subscriptions: {type(exc).__name__}") from exc
    finally:
        publisher.stop()
        publisher.transport.close()
        subscriber.close()
    return (*faults, *_push_faults(pushes, wanted))


def _push(found: Any, path: str) -> _Push:
    token = found.push_config.oidc_token
    endpoint = found.push_config.push_endpoint
    return _Push(found.name.rpartition("/")[2], path, endpoint, token.service_account_email, token.audience)


def _push_faults(pushes: list[_Push], wanted: Wanted) -> Iterator[str]:
    working = []
    for push in sorted(pushes, key=lambda push: push.name):
        if not push.endpoint:
            yield f"subscription {push.name} pushes nowhere, so that nothing of it is worked on: {RESTORE}"
        elif not (push.account and push.audience):
            yield f"subscription {push.name} pushes without a token, so that the consumer refuses every push: {RESTORE}"
        elif urlsplit(push.endpoint).path != push.path:
            yield f"subscription {push.name} pushes to {push.endpoint}, not to {push.path} of the consumer: {RESTORE}"
        else:
            working.append(push)
    differing = {
        "endpoint's host": {urlsplit(push.endpoint).netloc for push in working},
        "audience": {push.audience for push in working},
        "account": {push.account for push in working},
    }
    yield from (
        f"subscriptions differ in their {what} ({', '.join(sorted(values))}), and the consumer has one: {RESTORE}"
        for what, values in differing.items()
        if len(values) > 1
    )
    for push in working:
        if wanted.account and push.account != wanted.account:
            yield f"subscription {push.name} signs as {push.account}, the consumer takes {wanted.account}: {RESTORE}"
        if wanted.audiences and push.audience not in wanted.audiences:
            yield f"subscription {push.name} signs for {push.audience}, which is not in PUSH_AUDIENCES: {RESTORE}"
