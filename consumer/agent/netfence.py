"""A tool's network: a namespace with only loopback and the ports it was given.

Other addresses have no route; other loopback ports have no listener. For a port that a tool may use, the supervisor
opens a listener inside and hands it out; PortRelay carries its connections to the same port of this machine.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SUPERVISOR: Final = Path(__file__).with_name("supervisor.py")
LOOPBACK: Final = "127.0.0.1"
CHUNK: Final = 64 * 1024
#: Timeout of a connection to the gateway on this machine, which already listens.
CONNECT_S: Final = 10.0
#: Connections of one tool at a time, with two threads each; more are closed at once. A model's clients keep about ten.
MOST: Final = 128
#: Timeout of a probe, even on a very busy machine.
PROBE_S: Final = 30.0
#: Time for the threads to notice that their sockets are closed.
STOP_S: Final = 2.0


def unavailable() -> str | None:
    """Why this process cannot give a tool its own network; None if it can. Found by trying."""
    return tried("probe-network")


def tried(probe: str) -> str | None:
    """Why the supervisor's probe of this name failed; None if it succeeded."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(SUPERVISOR), probe],
            capture_output=True,
            env={},
            stdin=subprocess.DEVNULL,
            timeout=PROBE_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as exc:
        return f"the probe could not run: {type(exc).__name__}"
    return None if done.returncode == 0 else done.stdout.decode("ascii", "replace").strip()[:80] or "the probe failed"


@dataclass(slots=True)
class PortRelay:
    """Carries connections from listeners inside a tool's network to the same ports of this machine, until ``close``."""

    listeners: Sequence[socket.socket]
    _open: set[socket.socket] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _threads: list[threading.Thread] = field(default_factory=list)
    _closed: bool = False

    def start(self) -> None:
        for listener in self.listeners:
            listener.settimeout(None)
            self._spawn(self._accept, listener)

    def close(self) -> None:
        """Cut every connection and wait for the threads. Repeatable."""
        with self._lock:
            self._closed = True
            sockets = [*self.listeners, *self._open]
        for endpoint in sockets:
            _end(endpoint)
        for thread in self._threads:
            thread.join(STOP_S)
        for endpoint in sockets:
            endpoint.close()

    def _spawn(self, work: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=work, args=args, name="tool-network", daemon=True)
        with self._lock:
            if self._closed:
                return
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            self._threads.append(thread)
            thread.start()

    def _accept(self, listener: socket.socket) -> None:
        port = listener.getsockname()[1]
        while True:
            try:
                inside, _ = listener.accept()
            except OSError:
                return
            if len(self._open) >= 2 * MOST:
                inside.close()
                continue
            try:
                outside = socket.create_connection((LOOPBACK, port), CONNECT_S)
            except OSError:
                inside.close()
                continue
            self._join(inside, outside)

    def _join(self, inside: socket.socket, outside: socket.socket) -> None:
        for endpoint in (inside, outside):
            endpoint.settimeout(None)
            # Otherwise each answer of two writes waits 40 ms for a delayed acknowledgement.
            endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._open |= {inside, outside}
        pair = _Pair(inside, outside)
        self._spawn(self._carry, pair, inside, outside)
        self._spawn(self._carry, pair, outside, inside)
        if self._closed:
            _end(inside)
            _end(outside)

    def _carry(self, pair: _Pair, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(CHUNK):
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)
        if pair.half_done():
            with self._lock:
                self._open -= {pair.inside, pair.outside}
            pair.inside.close()
            pair.outside.close()


@dataclass(slots=True)
class _Pair:
    """Two ends of one connection; the thread that finishes the second direction closes both."""

    inside: socket.socket
    outside: socket.socket
    _ended: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def half_done(self) -> bool:
        """Whether this was the second direction to end."""
        with self._lock:
            self._ended += 1
            return self._ended == 2


def _end(endpoint: socket.socket) -> None:
    """Wake every thread that waits on the socket."""
    with contextlib.suppress(OSError):
        endpoint.shutdown(socket.SHUT_RDWR)
