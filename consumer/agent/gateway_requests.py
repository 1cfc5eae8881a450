"""
Our own requests to a job's model gateway: those of the reader, the judge, the answerer and the embedder.

Answers and error messages of a provider are content. What a failure says here holds none of it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Final, NamedTuple

import httpx

from consumer.agent import answers
from consumer.errors import ToolFailed
from consumer.ports import ModelAccess, ModelCall, ModelGateway, ModelTags
from contract.api import Usage
from service import roots

#: Paths below the gateway's base URL.
COMPLETIONS: Final = "/chat/completions"
EMBEDDINGS: Final = "/embeddings"
#: Seconds until a connection stands; the gateway is on this machine.
_CONNECT_S: Final = 10.0
#: A limit of zero would be no limit.
_LEAST_S: Final = 0.01


class GatewayResponse(NamedTuple):
    """``body``: None without an answer; then ``failure`` says why, and ``status`` is 0 if nothing came back at all.

    ``is_late``: the time for the answer ran out.
    """

    body: bytes | None
    failure: str = ""
    status: int = 0
    code: str = ""
    is_late: bool = False


class ModelAnswer(NamedTuple):
    """``text``: None without an answer. ``usage``, ``calls``: of the gateway's session, without content.

    ``is_paid``: there was an answer, with or without a text: it may have been cut. ``status``: of one that is none.
    """

    text: str | None = None
    usage: Usage = Usage()
    calls: tuple[ModelCall, ...] = ()
    is_paid: bool = False
    status: int = 0


def open_client(access: ModelAccess, connections: int = 1) -> httpx.Client:
    """A client for ``post``, for several requests. Without TLS it reads no certificates."""
    limits, secure = httpx.Limits(max_connections=connections), access.base_url.startswith("https:")
    return httpx.Client(limits=limits, trust_env=False, verify=roots.trusted() if secure else False)


def post(
    access: ModelAccess, path: str, body: bytes, limit_s: float, client: httpx.Client | None = None
) -> GatewayResponse:
    """One request with a JSON body. ``limit_s``: seconds for the answer."""
    limit_s = max(limit_s, _LEAST_S)
    try:
        with nullcontext(client) if client else open_client(access) as sender:
            response = sender.post(
                access.base_url + path,
                content=body,
                headers={"authorization": f"Bearer {access.token}", "content-type": "application/json"},
                timeout=httpx.Timeout(limit_s, connect=min(limit_s, _CONNECT_S)),
            )
    except httpx.HTTPError as exc:
        return GatewayResponse(None, type(exc).__name__, is_late=isinstance(exc, httpx.ReadTimeout))
    if response.status_code == httpx.codes.OK:
        return GatewayResponse(response.content)
    code = answers.error_code(response.content)
    return GatewayResponse(None, f"{response.status_code} {code}".rstrip(), response.status_code, code)


def ask(
    gateway: ModelGateway,
    tags: ModelTags,
    spent: Usage,
    body: bytes,
    *,
    limit_s: float,
    complain: Callable[[str], None],
) -> ModelAnswer:
    """One completion in a session of its own. Without an answer ``complain`` is called once. Raises ProviderBusy."""
    try:
        with gateway.open(tags, spent) as session:
            response = post(session.access, COMPLETIONS, body, limit_s)
        # The gateway records a call a moment after its answer: after the session it has.
        usage, calls = session.usage(), tuple(session.calls())
    except ToolFailed as exc:
        complain(str(exc))
        return ModelAnswer()
    text = answers.text(response.body) if response.body is not None else None
    if text is None:
        complain(response.failure or "no text")
    return ModelAnswer(text, usage, calls, is_paid=response.body is not None, status=response.status)
