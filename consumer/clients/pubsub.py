"""Publish to one topic with google-cloud-pubsub (needs only roles/pubsub.publisher on that topic).

PUBSUB_EMULATOR_HOST is the client library's own variable. The library takes 1.5 s to import, so that happens at the
first publish, or earlier in ``warm`` while other parts start.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from consumer.errors import TopicUnavailable
from service import telemetry

#: A publish that is not confirmed by then fails; the caller still has time to record the failure.
TIMEOUT_S: Final = 10.0
#: Time limit of one request: a closed connection fails at once, but a lost reply never arrives.
ATTEMPT_S: Final = 5.0
#: Every publish waits for its reply, so batching would only add latency. (Library default: 10 ms.)
MAX_LATENCY_S: Final = 0.001


class _Transient(Exception):
    """Worth another try within the time left."""


@dataclass
class PubsubTopic:
    """``name`` is the full name, ``projects/<project>/topics/<topic>``. Thread-safe."""

    name: str
    timeout_s: float = TIMEOUT_S
    _client: Any = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def publish(self, data: bytes, attributes: Mapping[str, str]) -> str:
        retrying = Retrying(
            stop=stop_after_delay(self.timeout_s),
            wait=wait_random_exponential(multiplier=0.1, max=1.0),
            retry=retry_if_exception_type(_Transient),
            reraise=True,
        )
        with telemetry.span(f"publish {self.name.rpartition('/')[2]}", kind="producer"):
            try:
                return str(retrying(self._publish_once, data, attributes))
            except _Transient as exc:
                self.close()  # A failed channel backs off for up to two minutes; a new one connects at once.
                raise TopicUnavailable(
                    f"publish to {self.name} was not confirmed within {self.timeout_s:g} s: {exc}"
                ) from exc

    def warm(self) -> None:
        """Import the library and create the client. Repeatable; opens no connection."""
        self._connect()

    def close(self) -> None:
        """Close the client's thread and channel. The topic may be used again afterwards."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.stop()
            client.transport.close()

    def _publish_once(self, data: bytes, attributes: Mapping[str, str]) -> str:
        from google.api_core import exceptions as api  # noqa: PLC0415 - costs 0.3 s, see the module's docstring

        client = self._connect()
        try:
            # retry=None: the retries above have a deadline.
            future = client.publish(self.name, data, retry=None, timeout=ATTEMPT_S, **attributes)
            return str(future.result(timeout=ATTEMPT_S + 1))
        except (api.ServerError, api.TooManyRequests, api.Aborted, api.RetryError, TimeoutError) as exc:
            raise _Transient(type(exc).__name__) from exc
        except Exception as exc:
            # For any other error of the library (grant, name, size, credentials), the event was not published, and a
            # repeat within this call would not help.
            raise TopicUnavailable(f"publish to {self.name} failed: {type(exc).__name__}") from exc

    def _connect(self) -> Any:
        with self._lock:
            if self._client is None:
                self._client = _client()
            return self._client


def _client() -> Any:
    from google.cloud import pubsub_v1  # noqa: PLC0415 - see the module's docstring

    return pubsub_v1.PublisherClient(
        batch_settings=pubsub_v1.types.BatchSettings(max_latency=MAX_LATENCY_S),
    )
