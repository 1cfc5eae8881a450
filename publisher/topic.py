"""The jobs topic through google-cloud-pubsub (needs: roles/pubsub.publisher on it).

PUBSUB_EMULATOR_HOST is the library's own variable.
"""

from __future__ import annotations

import concurrent.futures
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from publisher.batch import Message

#: Timeout of one request. Messages not confirmed by then stay unpublished and are retried in order.
ATTEMPT_S: Final = 10.0
#: Long enough to fill a request when thousands of rows wait, short enough to add no noticeable delay to a single one.
MAX_LATENCY_S: Final = 0.002
MAX_MESSAGES: Final = 500


@dataclass
class JobsTopic:
    """``name`` is the full name, ``projects/<project>/topics/<topic>``."""

    name: str
    timeout_s: float = ATTEMPT_S
    _client: Any = None

    def publish_all(self, messages: Sequence[Message]) -> dict[int, str]:
        """Publish in order and wait for every reply: outbox id -> message id of those confirmed."""
        client = self._connect()
        # retry=None: what is not confirmed in time stays in the outbox, which is the retry.
        futures = [
            (
                message,
                client.publish(
                    self.name,
                    message.data,
                    retry=None,
                    timeout=self.timeout_s,
                    **message.attributes,
                ),
            )
            for message in messages
        ]
        concurrent.futures.wait([future for _, future in futures], timeout=2 * self.timeout_s)
        confirmed = {message.outbox_id: future.result() for message, future in futures if _succeeded(future)}
        if messages and not confirmed:
            self.close()  # a failed channel backs off for up to two minutes; a new one connects at once
        return confirmed

    def warm(self) -> None:
        """Import the library and create the client, which would delay the first event by 1.5 s. Repeatable."""
        self._connect()

    def close(self) -> None:
        """Release the client's threads and channel."""
        client, self._client = self._client, None
        if client is not None:
            client.stop()
            client.transport.close()

    def _connect(self) -> Any:
        if self._client is None:
            # 1.5 s of import that the webhook does not need to answer; see warm.
            from google.cloud import pubsub_v1  # noqa: PLC0415

            self._client = pubsub_v1.PublisherClient(
                batch_settings=pubsub_v1.types.BatchSettings(max_latency=MAX_LATENCY_S, max_messages=MAX_MESSAGES),
            )
        return self._client


def topic_name(project: str, topic: str) -> str:
    """The full name; a full name is returned unchanged."""
    return topic if topic.startswith("projects/") else f"projects/{project}/topics/{topic}"


def _succeeded(future: Any) -> bool:
    return bool(future.done()) and future.exception() is None
