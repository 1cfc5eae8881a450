"""Access tokens of users of the embedded stack, whose issuer signs in anybody. No deployment has such an issuer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import httpx

from consumer import settings
from consumer.cli.output import fail

TIMEOUT_S: Final = 20.0
#: What only the environment file of the embedded stack sets.
ISSUER: Final = "USER_TOKEN_URL"
READER: Final = "READER_URL"


def issue(user_id: str) -> str:
    """An access token of this user. Exit code 1: there is no embedded stack, 4: it does not answer."""
    return str(_posted(_address(ISSUER), {"user_id": user_id})["token"])


def sign_in_link(user_id: str) -> str:
    """The address of this user's pages, with a code that works once. Exit codes as ``issue``."""
    headers = {"authorization": f"Bearer {issue(user_id)}"}
    return str(_posted(f"{_address(READER)}/v1/me/codes", {}, headers)["sign_in"])


def _address(name: str) -> str:
    value = settings.environment().get(name)
    if not value:
        fail(
            "only the embedded stack issues users' tokens: run `make dev` in another terminal, and add --local."
            " In a deployment, the app's sign-in issues them"
        )
    return value


def _posted(url: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    try:
        answer = httpx.post(url, json=body, headers=headers, timeout=TIMEOUT_S)
        answer.raise_for_status()
        document: dict[str, Any] = answer.json()
    except (httpx.HTTPError, ValueError) as exc:
        fail(f"{url} does not answer as the embedded stack does ({type(exc).__name__}); is `make dev` running?", code=4)
    return document
