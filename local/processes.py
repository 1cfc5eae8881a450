"""Child processes of the embedded stack: watched, restarted as Cloud Run would, never left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from local.machine import dying_with_us

#: A watched part is restarted within a tenth of a second; one that stays down this long has failed.
_GONE_S = 3.0
_READY_S = 60.0


class PartFailed(Exception):
    """A part of the stack did not become ready; the message ends with the last lines of its log."""


@dataclass
class StackProcess:
    """One process of the stack. ``ready``: an http URL that must answer 200, or a ``host:port`` that must accept."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str]
    ready: str
    log: Path
    restart: bool = True
    process: subprocess.Popen[bytes] | None = None
    restarts: int = 0
    _stopping: bool = False
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def start(self) -> None:
        """Start the process; the caller waits with ``wait_ready``."""
        with self._lock, self.log.open("ab") as out:
            self.process = subprocess.Popen(
                self.argv,
                env=dict(self.env),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dying_with_us(signal.SIGKILL),  # noqa: PLW1509 (it takes no lock)
            )

    @property
    def pid(self) -> int:
        if self.process is None:
            raise PartFailed(f"{self.name} was not started")
        return self.process.pid

    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def is_ready(self) -> bool:
        """Whether it responds now."""
        if self.ready.startswith("http"):
            try:
                with urlopen(self.ready, timeout=2) as reply:
                    return bool(reply.status == 200)
            except (URLError, OSError):
                return False
        host, port = self.ready.rsplit(":", 1)
        try:
            socket.create_connection((host, int(port)), timeout=2).close()
        except OSError:
            return False
        return True

    def wait_ready(self) -> None:
        """Block until it answers. Raises PartFailed: it died or stayed silent."""
        deadline = time.monotonic() + _READY_S
        gone_at: float | None = None
        while not self.is_ready():
            # Asking may take seconds on a busy machine, so its absence counts from when it was first seen.
            gone_at = None if self.alive() else gone_at or time.monotonic()
            if gone_at and time.monotonic() - gone_at > _GONE_S:
                raise PartFailed(f"{self.name} exited; its log ends:\n{self.tail()}")
            if time.monotonic() > deadline:
                raise PartFailed(f"{self.name} is not ready after {_READY_S:.0f} s; its log ends:\n{self.tail()}")
            time.sleep(0.02)

    def kill(self) -> None:
        """SIGKILL, like a machine failure. The watcher starts it again."""
        os.kill(self.pid, signal.SIGKILL)

    def stop(self, timeout_s: float = 20.0) -> None:
        """SIGTERM, then SIGKILL of its whole session."""
        self._stopping = True
        with self._lock:
            process = self.process
            if process is None:
                return
            if process.poll() is None:
                process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout_s)
            _kill_session(process.pid)
            process.wait()

    def watch(self) -> None:
        """Restart it if it died; called by the stack's watcher."""
        if self._stopping or not self.restart or self.process is None or self.alive():
            return
        with self._lock:
            if self._stopping or self.alive():
                return
            _kill_session(self.process.pid)
            self.restarts += 1
            self.start()

    def tail(self) -> str:
        """The last lines of its log."""
        if not self.log.exists():
            return "(no log)"
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-15:])


class Watcher:
    """Restarts parts from one thread that lives as long as the stack (PDEATHSIG follows the starting thread)."""

    def __init__(self, parts: Sequence[StackProcess]) -> None:
        self._parts = parts
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="stack-watcher", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(0.1):
            for part in self._parts:
                part.watch()


def _kill_session(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
