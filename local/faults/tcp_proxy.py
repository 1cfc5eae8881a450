"""A proxy for bytes, for gRPC or anything else that is not HTTP/1.1. It can cut, refuse, stall and count."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from local.machine import HOST
from local.serving import Background

CHUNK_BYTES = 64 * 1024


@dataclass(slots=True)
class TcpProxy:
    """Its methods may be called from any thread; they return when the loop has done it."""

    upstream_host: str
    upstream_port: int
    port: int = 0
    connections: int = 0
    bytes_up: int = 0
    bytes_down: int = 0
    _refusing: bool = False
    _flowing: asyncio.Event = field(default_factory=asyncio.Event)
    _open: set[asyncio.StreamWriter] = field(default_factory=set)
    _loop: asyncio.AbstractEventLoop | None = None

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    def ready(self) -> dict[str, Any]:
        return {"port": self.port, "upstream": f"{self.upstream_host}:{self.upstream_port}"}

    def cut(self) -> None:
        """Reset every open connection, on both sides."""
        self._on_loop(self._cut)

    def refuse(self, refusing: bool = True) -> None:
        """Reset every new connection as soon as it is made; False ends that."""
        self._on_loop(lambda: setattr(self, "_refusing", refusing))

    def stall(self, stalling: bool = True) -> None:
        """Let no byte pass, in either direction, with all connections open; False lets them flow again."""
        self._on_loop(self._flowing.clear if stalling else self._flowing.set)

    def _on_loop(self, act: Any) -> None:
        assert self._loop is not None
        done = threading.Event()

        def run() -> None:
            act()
            done.set()

        self._loop.call_soon_threadsafe(run)
        done.wait()

    def _cut(self) -> None:
        for writer in list(self._open):
            _abort(writer)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        if self._refusing:
            _abort(writer)
            return
        try:
            up_reader, up_writer = await asyncio.open_connection(self.upstream_host, self.upstream_port)
        except OSError:
            _abort(writer)
            return
        self._open |= {writer, up_writer}
        try:
            await asyncio.gather(self._pump(reader, up_writer, "bytes_up"), self._pump(up_reader, writer, "bytes_down"))
        finally:
            for each in (writer, up_writer):
                self._open.discard(each)
                _abort(each)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, counter: str) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(CHUNK_BYTES):
                await self._flowing.wait()
                setattr(self, counter, getattr(self, counter) + len(data))
                writer.write(data)
                await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()
            return
        _abort(writer)


def _abort(writer: asyncio.StreamWriter) -> None:
    sock = writer.get_extra_info("socket")
    if sock is not None and not writer.transport.is_closing():
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@asynccontextmanager
async def start(upstream_host: str, upstream_port: int, port: int = 0) -> AsyncIterator[TcpProxy]:
    """Serve on loopback; port 0 takes a free one."""
    proxy = TcpProxy(upstream_host, upstream_port, _loop=asyncio.get_running_loop())
    proxy._flowing.set()
    server = await asyncio.start_server(proxy.handle, HOST, port)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        proxy._flowing.set()
        proxy._cut()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def tcp_proxy(upstream_host: str, upstream_port: int, port: int = 0) -> Background[TcpProxy]:
    """The proxy in a thread of this process: ``with tcp_proxy("127.0.0.1", 8085) as proxy``."""
    return Background(lambda: start(upstream_host, upstream_port, port))
