"""Push delivery: a POST per message with an OIDC token; a window that grows on success, a backoff on failure.

As documented for the real service: 102, 200, 201, 202 and 204 ack, everything else and the ack deadline nack; the
backoff is of the whole subscription, so that one dead endpoint is not hammered; a message's own retry policy comes on
top (the longer wait counts).
"""

from __future__ import annotations

import asyncio
import json
import time
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import aiohttp
import jwt

from local.pubsub.delivery import Holder, Queue, QueuedMessage

ACKS = frozenset({102, 200, 201, 202, 204})
USER_AGENT = "APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)"
FIRST_WINDOW = 3
#: The real service's floor is 3,000 outstanding; one machine needs fewer sockets.
MAX_WINDOW = 256
MIN_BACKOFF_S = 0.1
MAX_BACKOFF_S = 60.0
#: The lease outlives the request by this much, so that the request's own timeout decides.
LEASE_GRACE_S = 1.0
#: A token is used until it has this much left.
TOKEN_MARGIN_S = 600.0


class TokenSource(Protocol):
    async def token(self, email: str, audience: str) -> str:
        """A signed ID token. Raises aiohttp.ClientError, KeyError, ValueError."""


@dataclass
class IssuedTokens:
    """Tokens from the local issuer's token endpoint, used again until shortly before they expire."""

    session: aiohttp.ClientSession
    url: str
    _kept: dict[tuple[str, str], tuple[str, float]] = field(default_factory=dict)

    async def token(self, email: str, audience: str) -> str:
        token, until = self._kept.get((email, audience), ("", 0.0))
        if token and time.time() < until:
            return token
        async with self.session.post(self.url, json={"email": email, "audience": audience}) as reply:
            reply.raise_for_status()
            token = str((await reply.json())["token"])
        exp = jwt.decode(token, options={"verify_signature": False})["exp"]
        self._kept[email, audience] = (token, exp - TOKEN_MARGIN_S)
        return token


class Backoff:
    """When the subscription may push again. Failures that were already on their way do not count twice."""

    def __init__(self, now: Callable[[], float], cap_s: float = MAX_BACKOFF_S) -> None:
        self._now = now
        self._cap_s = cap_s
        self._wait_s = 0.0
        self._until = 0.0

    def wait_s(self) -> float:
        return max(0.0, self._until - self._now())

    def failed(self) -> None:
        if self.wait_s() > 0:
            return
        self._wait_s = min(self._cap_s, self._wait_s * 2 or MIN_BACKOFF_S)
        self._until = self._now() + self._wait_s

    def succeeded(self) -> None:
        self._wait_s = self._until = 0.0


@dataclass
class Pusher:
    """Drives one push subscription until ``run`` is cancelled; requests under way still end and answer.

    ``config`` is its Subscription.
    """

    config: Any
    queue: Queue
    session: aiohttp.ClientSession
    tokens: TokenSource | None
    backoff: Backoff
    changed: Callable[[], None]
    _window: int = FIRST_WINDOW
    _requests: set[asyncio.Task[None]] = field(default_factory=set)

    async def run(self) -> None:
        wake = asyncio.Event()
        with self.queue.holding(wake.set) as holder:
            while True:
                wake.clear()
                if (wait := self.backoff.wait_s()) > 0:
                    await asyncio.sleep(wait)
                elif not self._start_some(holder):
                    await wake.wait()

    @property
    def busy(self) -> bool:
        return bool(self._requests)

    def abandon(self) -> None:
        """Drop running requests without a response: the server ends, or nobody waits for the messages any more."""
        for request in self._requests:
            request.cancel()

    def _start_some(self, holder: Holder) -> bool:
        lease_s = self.config.ack_deadline_seconds + LEASE_GRACE_S
        entries = self.queue.take(self._window - holder.out, holder, lease_s)
        for entry in entries:
            request = asyncio.create_task(self._deliver(entry))
            self._requests.add(request)
            request.add_done_callback(self._requests.discard)
        if entries:
            self.changed()
        return bool(entries)

    async def _deliver(self, entry: QueuedMessage) -> None:
        if await self._post(entry):
            self._window = min(MAX_WINDOW, self._window + 1)
            self.backoff.succeeded()
            self.queue.ack(entry.ack_id)
        else:
            self._window = max(1, self._window // 2)
            self.backoff.failed()
            self.queue.nack(entry.ack_id)
            self.changed()

    async def _post(self, entry: QueuedMessage) -> bool:
        """True: acknowledged."""
        push = self.config.push_config
        try:
            headers, body = request(self.config, entry)
            if push.oidc_token.service_account_email and self.tokens is not None:
                audience = push.oidc_token.audience or push.push_endpoint
                token = await self.tokens.token(push.oidc_token.service_account_email, audience)
                headers["authorization"] = f"Bearer {token}"
            timeout = aiohttp.ClientTimeout(total=self.config.ack_deadline_seconds)
            async with self.session.post(
                push.push_endpoint, data=body, headers=headers, allow_redirects=False, timeout=timeout
            ) as reply:
                return reply.status in ACKS
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError, KeyError):
            return False


def request(config: Any, entry: QueuedMessage) -> tuple[dict[str, str], bytes]:
    """Headers and body of one delivery, wrapped or not as the push configuration says."""
    if config.push_config.WhichOneof("wrapper") == "no_wrapper":
        metadata = config.push_config.no_wrapper.write_metadata
        return (_metadata_headers(config, entry) if metadata else {}), entry.message.data
    headers = {"content-type": "application/json", "user-agent": USER_AGENT, "accept": "application/json"}
    return headers, json.dumps(envelope(config, entry)).encode()


def envelope(config: Any, entry: QueuedMessage) -> dict[str, Any]:
    """The wrapped message, both spellings of its names; what is absent is left out."""
    message = entry.message
    published = published_text(message)
    inner: dict[str, Any] = {
        "messageId": message.message_id,
        "message_id": message.message_id,
        "publishTime": published,
        "publish_time": published,
    }
    if message.data:
        inner["data"] = b64encode(message.data).decode()
    if message.attributes:
        inner["attributes"] = dict(message.attributes)
    if message.ordering_key:
        inner["orderingKey"] = message.ordering_key
    wrapped: dict[str, Any] = {"message": inner, "subscription": config.name}
    if config.dead_letter_policy.dead_letter_topic:
        wrapped["deliveryAttempt"] = entry.attempt
    return wrapped


def published_text(message: Any) -> str:
    return f"{message.publish_time.ToDatetime().isoformat(timespec='milliseconds')}Z"


def _metadata_headers(config: Any, entry: QueuedMessage) -> dict[str, str]:
    message = entry.message
    headers = {
        **dict(message.attributes),
        "x-goog-pubsub-subscription-name": config.name,
        "x-goog-pubsub-message-id": message.message_id,
        "x-goog-pubsub-publish-time": published_text(message),
    }
    if message.ordering_key:
        headers["x-goog-pubsub-ordering-key"] = message.ordering_key
    if config.dead_letter_policy.dead_letter_topic:
        headers["x-goog-pubsub-delivery-attempt"] = str(entry.attempt)
    return headers
