"""The embedded stack's use of the machine: free ports, no proxy for them, processes that end with their parent."""

from __future__ import annotations

import ctypes
import os
import secrets
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

HOST = "127.0.0.1"
LOOPBACK = (HOST, "localhost")
PR_SET_PDEATHSIG = 1
#: Lower ports are left to other programs.
FIRST_PORT = 20_000
#: The system assigns ports from here on to outgoing connections and to port 0; Linux states the range.
EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")
EPHEMERAL_FROM = 32_768

# Loaded before any fork: a child under another account may not be able to read library folders any more.
_libc = ctypes.CDLL(None)


def free_ports(count: int) -> list[int]:
    """``count`` different TCP ports of 127.0.0.1, kept for servers of this process and its children.

    Until this process ends, no other process is given one of them, whether its server runs yet or not. None is in the
    range that the system assigns: any connection could take such a port before its server starts, or while that server
    restarts.
    """
    span = range(FIRST_PORT, max(FIRST_PORT + 1000, _ephemeral_from()))
    ports: list[int] = []
    while len(ports) < count:
        keeper = socket.socket()
        try:
            keeper.bind((HOST, secrets.choice(span)))
        except OSError:
            keeper.close()
            continue
        # Bound without listening: a server that reuses addresses, as all of ours do, may bind beside it. Whoever looks
        # for a free port here binds without reuse, and is refused.
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        ports.append(int(keeper.getsockname()[1]))
        keeper.detach()  # stays open as long as this process
    return ports


def free_port() -> int:
    """One of ``free_ports``."""
    return free_ports(1)[0]


def _ephemeral_from() -> int:
    try:
        return int(EPHEMERAL.read_text().split()[0])
    except (OSError, ValueError):
        return EPHEMERAL_FROM


def direct(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that exempt 127.0.0.1 from the environment's proxy, if there is one.

    In both spellings: gRPC reads only the lower-case one, and other libraries prefer it.
    """
    current = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
    kept = [name for name in current.split(",") if name.strip() and name.strip() not in LOOPBACK]
    value = ",".join((*kept, *LOOPBACK))
    return {"NO_PROXY": value, "no_proxy": value}


def die_with_parent(number: int) -> None:
    """Ask the kernel to signal this process when the thread that started it ends. Only Linux can."""
    prctl = getattr(_libc, "prctl", None)
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, number)


def dying_with_us(number: int) -> Callable[[], None]:
    """For ``preexec_fn``: the child gets this signal when the thread that starts it ends."""
    parent = os.getpid()

    def ask() -> None:
        die_with_parent(number)
        if os.getppid() != parent:  # it ended before we could ask
            os._exit(1)

    return ask
