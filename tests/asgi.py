"""Requests to an ASGI app in this process, without a server."""

from __future__ import annotations

import asyncio
import os
import threading
from functools import cache
from typing import Any

from httpx import ASGITransport, AsyncClient, Cookies, Request, Response


@cache
def _loop(process: int) -> asyncio.AbstractEventLoop:
    """The event loop of a process's main thread: making one costs more than most requests. No fork shares it."""
    return asyncio.new_event_loop()


class Client:
    """
    A synchronous client, which keeps cookies. The app runs in the thread that calls.

    starlette's own client starts a loop in another thread for each request, or passes every message of a request to
    such a thread, which costs more than most apps do. ``raises``: an exception that the app lets pass is raised here
    instead of a 500. Starts no lifespan.
    """

    def __init__(self, app: Any, base_url: str = "http://127.0.0.1", *, raises: bool = True, **options: Any) -> None:
        """``options``: those of ``httpx.AsyncClient``."""
        self.app = app
        transport = ASGITransport(app, raise_app_exceptions=raises)
        self._http = AsyncClient(transport=transport, base_url=base_url, trust_env=False, **options)

    @property
    def cookies(self) -> Cookies:
        return self._http.cookies

    def get(self, path: str, **request: Any) -> Response:
        return self.request("GET", path, **request)

    def post(self, path: str, **request: Any) -> Response:
        return self.request("POST", path, **request)

    def options(self, path: str, **request: Any) -> Response:
        return self.request("OPTIONS", path, **request)

    def put(self, path: str, **request: Any) -> Response:
        return self.request("PUT", path, **request)

    def build_request(self, method: str, path: str) -> Request:
        """The request that a browser with these cookies would send."""
        return self._http.build_request(method, path)

    def request(self, method: str, path: str, **request: Any) -> Response:
        exchange = self._http.request(method, path, **request)
        if threading.current_thread() is threading.main_thread():
            return _loop(os.getpid()).run_until_complete(exchange)
        return asyncio.run(exchange)
