"""A reverse proxy for HTTP/1.1. It passes on the client's Host header, so the upstream's links lead back to the proxy.

Admin, on the same port, never counted: GET /_faults (rules, counts, log), POST /_faults (a rule as JSON), DELETE.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web
from multidict import CIMultiDict
from yarl import URL

from local.faults.plan import FaultPlan, Rule
from local.serving import Background, HttpSite

ADMIN = "/_faults"
#: Headers that belong to one connection, not to the message.
_HOP = frozenset({"connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"})
#: The largest body taken in; packs are smaller.
BODY_BYTES = 1 << 30


class _ConnectionCut(Exception):
    """The connection must end here, without a response."""


@dataclass(slots=True)
class HttpProxy:
    """``plan`` may be changed at any time, from any thread."""

    upstream: str
    plan: FaultPlan = field(default_factory=FaultPlan)
    url: str = ""
    session: aiohttp.ClientSession | None = None

    def ready(self) -> dict[str, Any]:
        return {"url": self.url, "port": URL(self.url).port, "upstream": self.upstream}

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if request.path == ADMIN:
            return await self._admin(request)
        body = await request.read()
        rules = self.plan.meet(request.method, request.raw_path, body)
        try:
            return await self._suffer(request, body, rules)
        except _ConnectionCut:
            _reset(request)
            raise asyncio.CancelledError from None

    async def _suffer(self, request: web.Request, body: bytes, rules: list[Rule]) -> web.StreamResponse:
        for rule in rules:
            if answer := await _before(rule):
                return answer
        answer = await self._forward(request, body)
        for rule in rules:
            await _after(rule)
        return answer

    async def _forward(self, request: web.Request, body: bytes) -> web.Response:
        assert self.session is not None
        url = URL(self.upstream.rstrip("/") + request.raw_path, encoded=True)
        headers = CIMultiDict((name, value) for name, value in request.headers.items() if name.lower() not in _HOP)
        try:
            async with self.session.request(
                request.method, url, headers=headers, data=body or None, allow_redirects=False
            ) as answer:
                data = await answer.read()
        except aiohttp.ClientError as exc:
            # The upstream is gone: end the connection, as without a proxy.
            raise _ConnectionCut from exc
        kept = CIMultiDict((name, value) for name, value in answer.headers.items() if name.lower() not in _HOP)
        if request.method == "HEAD" or answer.status in (204, 304):
            return web.Response(status=answer.status, headers=kept)
        kept.pop("content-length", None)
        return web.Response(status=answer.status, headers=kept, body=data)

    async def _admin(self, request: web.Request) -> web.Response:
        if request.method == "DELETE":
            self.plan.clear()
        elif request.method == "POST":
            try:
                self.plan.add(Rule(**await request.json()))
            except (TypeError, ValueError) as exc:
                return web.json_response({"error": str(exc)}, status=400)
        return web.json_response(self.plan.document())


async def _before(rule: Rule) -> web.Response | None:
    if rule.action == "status":
        return web.Response(status=rule.status, headers=dict(rule.headers), text="a fault was injected")
    if rule.action == "reset":
        raise _ConnectionCut
    if rule.when == "before":
        await _now(rule)
    return None


async def _after(rule: Rule) -> None:
    if rule.action == "drop_reply":
        raise _ConnectionCut
    if rule.when == "after":
        await _now(rule)


async def _now(rule: Rule) -> None:
    if rule.action == "delay":
        await asyncio.sleep(rule.delay_s)
    elif rule.action == "kill":
        os.kill(rule.pid, signal.SIGKILL)
        raise _ConnectionCut


def _reset(request: web.Request) -> None:
    """Close so that the client sees a reset, not the orderly end of an empty response."""
    transport = request.transport
    if transport is None:
        return
    sock = transport.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


@asynccontextmanager
async def start(upstream: str, port: int = 0) -> AsyncIterator[HttpProxy]:
    """Serve on loopback; port 0 takes a free one."""
    proxy = HttpProxy(upstream)
    app = web.Application(client_max_size=BODY_BYTES)
    app.router.add_route("*", "/{path:.*}", proxy.handle)
    timeout = aiohttp.ClientTimeout(total=None)
    connector = aiohttp.TCPConnector(limit=0)
    skipped = ("User-Agent", "Accept", "Accept-Encoding", "Content-Type")
    async with (
        aiohttp.ClientSession(
            connector=connector, timeout=timeout, auto_decompress=False, skip_auto_headers=skipped
        ) as proxy.session,
        HttpSite(app, port) as site,
    ):
        proxy.url = site.url
        yield proxy


def http_proxy(upstream: str, port: int = 0) -> Background[HttpProxy]:
    """The proxy in a thread of this process: ``with http_proxy(url) as proxy``."""
    return Background(lambda: start(upstream, port))
