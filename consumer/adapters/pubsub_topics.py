"""Do the topics stand, and does anybody listen? Asked seldom, by an operator (needs: roles/pubsub.viewer)."""

from __future__ import annotations

from collections.abc import Iterable

from consumer.core.errors import TopicUnavailable

TIMEOUT_S = 10.0


def faults_of(topics: Iterable[str]) -> tuple[str, ...]:
    """What is wrong with these topics (full names), one line each; nothing when each stands and has a subscription.

    Raises:
        TopicUnavailable: Pub/Sub cannot be asked.
    """
    # 1.5 s of import that only this question needs.
    from google.api_core.exceptions import GoogleAPIError, NotFound  # noqa: PLC0415
    from google.auth.exceptions import GoogleAuthError  # noqa: PLC0415
    from google.cloud import pubsub_v1  # noqa: PLC0415

    faults = []
    client = pubsub_v1.PublisherClient()
    try:
        for topic in topics:
            try:
                if not list(client.list_topic_subscriptions(topic=topic, timeout=TIMEOUT_S, retry=None)):
                    faults.append(f"topic {topic} has no subscription and loses what is published: make one")
            except NotFound:
                faults.append(f"topic {topic} does not exist: create it")
    except (GoogleAPIError, GoogleAuthError) as exc:
        raise TopicUnavailable(f"ask for subscriptions: {type(exc).__name__}") from exc
    finally:
        client.stop()
        client.transport.close()
    return tuple(faults)
