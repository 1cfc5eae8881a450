"""Runs the embedded stack's servers: loopback only, any free port, one JSON line when ready, ending with the parent.

The same coroutine serves a process of its own (``run``) and a thread of a test (``Background``).
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from aiohttp import web

from local.machine import HOST, die_with_parent

#: The time for a server in a thread to get ready on a busy machine.
START_TIMEOUT_S = 60.0


class Ready(Protocol):
    """A server that accepts requests. ``ready``: the content of its JSON line (ports, URLs)."""

    def ready(self) -> dict[str, Any]: ...


Server = TypeVar("Server", bound=Ready)
Start = Callable[[], AbstractAsyncContextManager[Server]]


def run(name: str, start: Start[Server]) -> None:
    """Serve until SIGTERM or SIGINT, or until the parent process ends."""
    die_with_parent(signal.SIGTERM)
    _runner(_serve(name, start))


async def _serve(name: str, start: Start[Server]) -> None:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with start() as server:
        print(json.dumps({"ready": name, "pid": os.getpid(), **server.ready()}), flush=True)
        await stop.wait()


def _runner(main: Coroutine[Any, Any, None]) -> None:
    try:
        import uvloop  # noqa: PLC0415 - faster where it is installed, not needed
    except ImportError:
        asyncio.run(main)
    else:
        uvloop.run(main)


class Background(Generic[Server]):
    """A server on an event loop in a thread of this process."""

    def __init__(self, start: Start[Server]) -> None:
        self._start = start
        self._loop = asyncio.new_event_loop()
        self._up = threading.Event()
        self._down: asyncio.Event | None = None
        self._failure: BaseException | None = None
        self._server: Server | None = None
        self._thread = threading.Thread(target=self._main, name="local-server", daemon=True)

    def __enter__(self) -> Server:
        self._thread.start()
        if not self._up.wait(START_TIMEOUT_S):
            raise TimeoutError(f"the server was not ready within {START_TIMEOUT_S:g} s")
        if self._failure is not None:
            raise self._failure
        assert self._server is not None
        return self._server

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        if self._down is not None:
            self._loop.call_soon_threadsafe(self._down.set)
        self._thread.join()

    def _main(self) -> None:
        try:
            self._loop.run_until_complete(self._hold())
        except BaseException as exc:  # noqa: BLE001 - handed to the thread that waits for us
            self._failure = exc
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()
            self._up.set()

    async def _hold(self) -> None:
        self._down = asyncio.Event()
        async with self._start() as server:
            self._server = server
            self._up.set()
            await self._down.wait()


class HttpSite:
    """An aiohttp application on a loopback port."""

    def __init__(self, app: web.Application, port: int = 0) -> None:
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        self._asked = port
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, HOST, self._asked).start()
        self.port = int(self._runner.addresses[0][1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        await self._runner.cleanup()
