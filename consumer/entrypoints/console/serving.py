"""Starts the console on this machine's loopback address and prints the link that signs in once."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import uvicorn

from consumer.entrypoints.console.app import create_app
from consumer.entrypoints.console.asking import Operations
from consumer.entrypoints.console.sessions import Link, Sessions

#: Nowhere else: sessions travel without TLS.
HOST = "127.0.0.1"
#: Seconds for open answers once Ctrl-C was pressed.
GRACEFUL_S = 3


@dataclass(frozen=True, slots=True)
class Running:
    """A console that listens. ``serve`` returns at SIGINT, or once ``server.should_exit`` is set."""

    server: uvicorn.Server
    listener: socket.socket
    sign_in: str

    def serve(self) -> None:
        # The server ends its answers first and then raises the signal again, for whoever started it.
        with suppress(KeyboardInterrupt):
            self.server.run(sockets=[self.listener])


def prepare(operations: Operations, port: int) -> Running:
    """The console on ``port`` (0: any free one). Raises OSError: the port is taken."""
    listener = socket.create_server((HOST, port))
    link = Link(operations.clock)
    app = create_app(operations, link, Sessions(secrets.token_bytes(32), operations.clock))
    config = uvicorn.Config(
        app,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACEFUL_S,
    )
    address = f"http://{HOST}:{listener.getsockname()[1]}"
    return Running(uvicorn.Server(config), listener, f"{address}/sign-in?token={link.issue()}")


def run(operations: Operations, port: int, say: Callable[[str], object]) -> None:
    """Serve until Ctrl-C. Raises OSError: the port is taken."""
    running = prepare(operations, port)
    say(f"Open this link within ten minutes; it works once:\n\n  {running.sign_in}\n\nCtrl-C ends the console.")
    running.serve()
