"""Starts the console, by default on this machine's loopback address, and prints where to sign in."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import uvicorn

from consumer.console.app import create_app
from consumer.console.sessions import Sessions, SignInLink, secret_root
from consumer.console.sign_in import Provider
from service import serving

if TYPE_CHECKING:
    from consumer.bootstrap import Operations

#: Other addresses need a proxy that ends TLS, which the settings enforce: otherwise sessions travel unencrypted.
HOST = "127.0.0.1"
#: Seconds that open responses get after Ctrl-C.
GRACEFUL_S = 3


@dataclass(frozen=True, slots=True)
class Running:
    """A console that listens. ``serve`` returns at SIGINT, or once ``server.should_exit`` is set."""

    server: uvicorn.Server
    listener: socket.socket
    sign_in: str

    def serve(self) -> None:
        # The server finishes its responses first and then raises the signal again, for its caller.
        with suppress(KeyboardInterrupt):
            self.server.run(sockets=[self.listener])


def prepare(
    operations: Operations, port: int, *, provider: Provider | None = None, origin: str | None = None, host: str = HOST
) -> Running:
    """The console on ``port`` (0: any free one); ``provider``: operators sign in there. Raises OSError: port taken."""
    listener = socket.create_server((host, port))
    link = SignInLink(operations.clock)
    address = origin or f"http://{HOST}:{listener.getsockname()[1]}"
    sessions = Sessions(secrets.token_bytes(32), operations.clock)
    root = secret_root(address)
    app = create_app(operations, link, sessions, provider=provider, origin=address, root=root)
    config = serving.configuration(app, log_config=None, timeout_graceful_shutdown=GRACEFUL_S)
    sign_in = f"{address}/sign-in" if provider else f"{address}{root}/sign-in?token={link.issue()}"
    return Running(uvicorn.Server(config), listener, sign_in)


def run(running: Running, say: Callable[[str], object], *, by_link: bool) -> None:
    """Print its address, and serve until Ctrl-C."""
    how = "Open this link within ten minutes; it works once" if by_link else "Sign in at"
    say(f"{how}:\n\n  {running.sign_in}\n\nPress Ctrl-C to stop the console.")
    running.serve()
