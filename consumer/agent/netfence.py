"""The network of a tool: a namespace of its own, in which nothing is but loopback and the ports that it was given.

Another address has no route, another loopback port has no listener. A port that a tool may use is a listener that the
supervisor opened inside; it hands the listener out, and what comes in is carried to the same port of this machine.
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
#: To the gateway on this machine; it listens already.
CONNECT_S: Final = 10.0
#: Connections of one tool at a time, with two threads each; more are closed at once. A model's clients keep about ten.
MOST: Final = 128
#: What a probe may take on a machine that is very busy.
PROBE_S: Final = 30.0
#: For its threads to see that their sockets are closed.
STOP_S: Final = 2.0


def unavailable() -> str | None:
    """Why this process can give no tool a network of its own; None when it can. Tried, not asked."""
    return tried("probe-network")


def tried(probe: str) -> str | None:
    """Why the supervisor's probe of this name failed; None when it did not."""
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
        for one in sockets:
            _end(one)
        for thread in self._threads:
            thread.join(STOP_S)
        for one in sockets:
            one.close()

    def _spawn(self, work: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=work, args=args, name="tool-network", daemon=True)
        with self._lock:
            if self._closed:
                return
            self._threads = [one for one in self._threads if one.is_alive()]
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
        for one in (inside, outside):
            one.settimeout(None)
            # Otherwise an answer of two writes waits 40 ms for a delayed acknowledgement.
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
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
    """Two ends of one connection; whoever carries the second direction to its end closes both."""

    inside: socket.socket
    outside: socket.socket
    _ended: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def half_done(self) -> bool:
        """Whether this was the second direction to end."""
        with self._lock:
            self._ended += 1
            return self._ended == 2


def _end(one: socket.socket) -> None:
    """Wake whoever waits on it, in whichever thread."""
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
