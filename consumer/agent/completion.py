"""One chat completion through the gateway, for those of our own requests that ask once and go on without an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import httpx

from consumer.agent import answers
from consumer.ports import ModelAccess

#: Seconds until a connection stands; the gateway is on this machine.
_CONNECT_S: Final = 10.0
#: A limit of zero would be no limit.
_LEAST_S: Final = 0.01


def complete(access: ModelAccess, body: bytes, limit_s: float, complain: Callable[[str], None]) -> str | None:
    """The text of the answer; None, and a complaint that holds no content, where there is none."""
    try:
        response = httpx.post(
            f"{access.base_url}/chat/completions",
            content=body,
            headers={"authorization": f"Bearer {access.token}", "content-type": "application/json"},
            timeout=httpx.Timeout(max(limit_s, _LEAST_S), connect=_CONNECT_S),
            trust_env=False,
        )
    except httpx.HTTPError as exc:
        complain(type(exc).__name__)
        return None
    if response.status_code != httpx.codes.OK:
        complain(f"{response.status_code} {answers.error_code(response.content)}".rstrip())
        return None
    content = answers.text(response.content)
    if content is None:
        complain("no text")
    return content
