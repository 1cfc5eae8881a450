"""Calls the provider: adds the real key, and repeats a call whose answer never began."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import httpx

from consumer.ports import ModelTags
from service.upstreams import Endpoint

#: Statuses after which the same request may succeed.
AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
ATTEMPTS: Final = 3
#: First pause in seconds, doubled each time, if the provider names none.
PAUSE_S: Final = 0.5
#: If the provider asks for a longer pause, its answer goes to the caller, which can use the job's time better.
LONGEST_PAUSE_S: Final = 20.0
#: Bytes read of an error's body, to tell a rate limit from an empty account.
ERROR_BYTES: Final = 64 * 1024
#: Seconds to wait for these bytes.
ERROR_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Upstream:
    """``key``: the provider's real key; empty: it needs none. ``sleep``: asyncio.sleep. ``tags``: headers that tell the
    provider, or a proxy in front of it, which job a call belongs to.
    """

    base_url: str
    key: str = field(repr=False)
    client: httpx.AsyncClient
    sleep: Callable[[float], Awaitable[None]]
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        """The provider's host and port, as records and metrics name it."""
        return Endpoint(self.base_url, "").host

    async def send(self, path: str, body: bytes, sent: Callable[[], None] = lambda: None) -> httpx.Response:
        """The response, its body unread if it is a success. ``sent`` is called before each request.

        Raises httpx.TransportError when no attempt reached the provider.
        """
        attempt = 1
        while True:
            sent()
            last = attempt >= ATTEMPTS
            try:
                response = await self._once(path, body)
                pause = None
                if not last and _may_help(response):
                    response = await _short(response)
                    pause = _pause(response, attempt)
            except httpx.TransportError:
                if last:
                    raise
                pause = PAUSE_S * 2 ** (attempt - 1)
            else:
                if pause is None:
                    return response
            await self.sleep(pause)
            attempt += 1

    async def _once(self, path: str, body: bytes) -> httpx.Response:
        headers = {
            **self.tags,
            **({"authorization": f"Bearer {self.key}"} if self.key else {}),
            "content-type": "application/json",
            # Usage is read from the answer's bytes, so they must not be compressed.
            "accept-encoding": "identity",
        }
        request = self.client.build_request("POST", self.base_url + path, content=body, headers=headers)
        return await self.client.send(request, stream=True)


def tag_headers(tags: ModelTags, key: str) -> dict[str, str]:
    """The headers of a job's calls. The user appears as a hash keyed with ``key``, the provider's key, so it differs by
    provider.

    Values are ASCII without control characters; a tag that is empty, or that is not allowed in a header, is left out.
    """
    values = {
        "x-memory-job": tags.job_id,
        "x-memory-job-type": tags.job_type,
        "x-memory-profile": tags.runtime_profile,
        "x-memory-template": tags.template_version,
        "x-memory-user": user_tag(tags.user_id, key),
    }
    return {name: value for name, value in values.items() if value and value.isascii() and value.isprintable()}


def user_tag(user_id: str, key: str) -> str:
    """32 hexadecimal digits that stand for a user at one provider; empty without a user or without a key."""
    if not user_id or not key:
        return ""
    return hmac.new(key.encode(), b"memory-user:" + user_id.encode(), "sha256").hexdigest()[:32]


def _may_help(response: httpx.Response) -> bool:
    """Whether the same request may succeed if repeated."""
    return response.status_code in AGAIN and response.headers.get("x-should-retry") != "false"


async def _short(response: httpx.Response) -> httpx.Response:
    """The same answer with the beginning of its body read, and its connection released."""
    if response.is_closed:
        return response
    async with contextlib.aclosing(response):
        body = await beginning(response)
    # Headers about the body's encoding and length are no longer true.
    kept = [(name, value) for name, value in response.headers.items() if not name.startswith(("content-", "transfer-"))]
    kind = [("content-type", response.headers["content-type"])] if "content-type" in response.headers else []
    return httpx.Response(response.status_code, headers=[*kept, *kind], content=body)


async def beginning(response: httpx.Response) -> bytes:
    """The beginning of an error's body, until it breaks off, ERROR_BYTES or ERROR_S."""
    body = bytearray()
    with contextlib.suppress(TimeoutError, httpx.TransportError):
        async with asyncio.timeout(ERROR_S):
            async for part in chunks(response):
                body += part
                if len(body) >= ERROR_BYTES:
                    break
    return bytes(body[:ERROR_BYTES])


async def chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    """The body as it arrives, or as it was read before."""
    if response.is_closed:
        yield response.content
        return
    async for chunk in response.aiter_raw():
        yield chunk


def _pause(response: httpx.Response, attempt: int) -> float | None:
    """Seconds until a retry makes sense; None: this response is final."""
    if b"insufficient_quota" in response.content:
        return None
    pause_s = hinted_pause_s(response.headers)
    if pause_s is None:
        return PAUSE_S * 2.0 ** (attempt - 1)
    return pause_s if pause_s <= LONGEST_PAUSE_S else None


def hinted_pause_s(headers: Mapping[str, str]) -> float | None:
    """The pause in seconds from ``retry-after-ms`` or ``retry-after``; None if the provider named none."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * scale
        except (KeyError, ValueError):
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    return None
