"""How this project's HTTP servers are run: with uvicorn, and with the same limits."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from typing import Any

import uvicorn


def configuration(app: Any, **settings: Any) -> uvicorn.Config:
    """uvicorn's configuration. ``settings``: what a server sets besides.

    Requests are parsed by h11, because the other parser keeps headers of any length, even before a token is checked.
    They are not logged: a log line must not hold a query or a token, and the platform logs requests anyway.
    """
    return uvicorn.Config(app, lifespan="off", http="h11", ws="none", access_log=False, server_header=False, **settings)


def ignore_signals() -> None:
    """uvicorn ends by raising the signal again for the previous handler, which would kill a process that ended well."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)


class AnnouncedServer(uvicorn.Server):
    """Prints a line of JSON on standard output when it accepts requests: who is ready, its process, port and URL."""

    def __init__(self, config: uvicorn.Config, name: str) -> None:
        super().__init__(config)
        self._name = name

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            host, port = sockets[0].getsockname()[:2]
            line = {"ready": self._name, "pid": os.getpid(), "port": port, "url": f"http://{host}:{port}"}
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
