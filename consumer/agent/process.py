"""Tool: one subprocess with exactly the given environment, a time limit, bounded output, and no process left behind.

This process never waits for the tool itself, so it cannot hang with it. A supervisor process (supervisor.py) owns all
of the tool's descendants; this side only watches the clock, the guard and the pipes.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import itertools
import json
import os
import secrets
import socket
import stat
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, TypeVar

from consumer.agent.netfence import PortRelay
from consumer.agent.sandbox import Sandbox
from consumer.errors import ToolFailed
from consumer.ports import Clock, Guard, ToolResult
from service import telemetry

SUPERVISOR = Path(__file__).with_name("supervisor.py")
#: How often guard, deadline and progress are checked while a tool runs, seconds.
POLL_S = 0.1
#: A tool that ended has this long for its own children to end by themselves: gbrain closes its database then.
LINGER_S = 3.0
#: From SIGTERM to SIGKILL; Hermes needs 2.7 s to close its session.
GRACE_S = 5.0


PR_SET_DUMPABLE: Final = 4
T = TypeVar("T")


class Tail:
    """Reads a pipe to its end in a thread; keeps the last ``limit`` bytes."""

    def __init__(self, pipe: IO[bytes], limit: int) -> None:
        self.total = 0
        self._limit = limit
        self._chunks: deque[bytes] = deque()
        self._held = 0
        self._pipe = pipe
        self._thread = threading.Thread(target=self._read, name="tool-output", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self._pipe.fileno(), 65536):
                self.total += len(chunk)
                self._chunks.append(chunk)
                self._held += len(chunk)
                while self._held - len(self._chunks[0]) >= self._limit:
                    self._held -= len(self._chunks.popleft())

    def close(self, timeout_s: float = 10.0) -> bytes:
        """The tail, once the pipe has ended. Gives up after ``timeout_s`` if another process holds the pipe."""
        self._thread.join(timeout_s)
        self._pipe.close()
        return b"".join(list(self._chunks))[-self._limit :]


def hide_process() -> bool:
    """Hide this process's memory and environment from others of the same user; False if the system cannot.

    Without it any tool that runs code as this user finds the real keys in /proc. Root still can: then use a User.
    """
    try:
        return bool(ctypes.CDLL(None, use_errno=True).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)
    except (AttributeError, OSError):
        return False


@dataclass(frozen=True, slots=True)
class User:
    """The user that tools run as when this process is root. It owns only what tools may write.

    ``count``: the number of users, this one and those with the following ids. Each run of a tool uses the next, so that
    it finds nothing that the kernel keeps for the previous run's user (keys, limits).
    """

    uid: int
    gid: int
    count: int = 1

    def of_run(self, number: int) -> User:
        offset = number % self.count
        return User(self.uid + offset, self.gid + offset)

    def admit(self, cwd: Path, writable: Sequence[Path]) -> None:
        """Let the user into the folder, and make it the owner of what it may write. Links are not followed."""
        self._enter(cwd.resolve())
        inside = [path for path in writable if not path.is_symlink() and path.exists()]
        for path in inside:
            self._enter(path.parent.resolve())
        self._give(inside)

    def _give(self, places: Sequence[Path]) -> None:
        """Change the owner of files, and of a hard-linked file only if all its names are within these places.

        Otherwise an agent could link a file that it may only read.
        """
        names: dict[tuple[int, int], list[Path]] = {}
        for path in {file: None for place in places for file in _tree(place)}:
            status = path.lstat()
            if stat.S_ISDIR(status.st_mode) or status.st_nlink == 1:
                os.chown(path, self.uid, self.gid, follow_symlinks=False)
                continue
            paths = names.setdefault((status.st_dev, status.st_ino), [])
            paths.append(path)
            if len(paths) == status.st_nlink:
                os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def _enter(self, folder: Path) -> None:
        """Let the user pass through a folder. A folder open to all (/, /tmp) belongs to the machine: leave it."""
        mode = stat.S_IMODE(folder.stat().st_mode)
        if mode & 0o005 != 0o005:
            os.chown(folder, -1, self.gid)
            folder.chmod(mode | 0o050)


def _tree(path: Path) -> Iterator[Path]:
    yield path
    for where, folders, files in os.walk(path):
        for name in (*folders, *files):
            yield Path(where) / name


def _first_run() -> Iterator[int]:
    """Counts from a random start: a process restarted on its machine must not begin with the same users."""
    return itertools.count(secrets.randbelow(2**31))


@dataclass(frozen=True, slots=True)
class ProcessTool:
    """The Tool port over subprocess. ``linger_s`` and ``grace_s`` are seconds; see the module's constants.

    ``user``: the user that tools run as; None if this process may not choose (a laptop).
    """

    clock: Clock
    linger_s: float = LINGER_S
    grace_s: float = GRACE_S
    poll_s: float = POLL_S
    user: User | None = None
    #: Give each tool a network of its own (netfence.py), with nothing in it but the ports that it may reach.
    fence: bool = False
    #: Give each tool files, shared memory and processes of its own (sandbox.py); None: the machine's.
    sandbox: Sandbox | None = None
    _runs: Iterator[int] = field(default_factory=_first_run, compare=False)

    @property
    def contained(self) -> bool:
        """See ports.Tool."""
        return self.sandbox is not None

    def run(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        timeout_s: float,
        guard: Guard,
        output_bytes: int = 256 * 1024,
        progress: Callable[[], object] | None = None,
        stall_s: float | None = None,
        writable: Sequence[Path] = (),
        readable: Sequence[Path] = (),
        reach: Sequence[int] = (),
        hidden: Sequence[Path] = (),
    ) -> ToolResult:
        """See ports.Tool. ``progress`` returns a value that changes while the tool works; if it stays the same for
        ``stall_s`` seconds, the tool counts as hung.
        """
        user = self.user.of_run(next(self._runs)) if self.user else None
        if user:
            user.admit(cwd, writable)
        places = self.sandbox and self.sandbox.places(
            argv, cwd=cwd, env=env, readable=readable, writable=writable, hidden=hidden
        )
        order = {
            "linger_s": self.linger_s,
            "grace_s": self.grace_s,
            "user": f"{user.uid}:{user.gid}" if user else "-",
            "ports": list(reach) if self.fence else None,
            "places": places,
        }
        started = self.clock.monotonic()
        watch = _Watch(self.clock, argv[0], guard, started + timeout_s, progress, stall_s)
        ours, theirs = socket.socketpair()
        with ours, telemetry.span(f"run {Path(argv[0]).name}", kind="client"):
            process = self._start([json.dumps(order), *argv], cwd, env, theirs)
            assert process.stdout
            assert process.stderr
            out, err = Tail(process.stdout, output_bytes), Tail(process.stderr, output_bytes)
            relay: PortRelay | None = None
            try:
                relay = self._relay(ours, watch, len(reach))
                code = self._wait(ours, watch)
            finally:
                self._stop(ours, process)
                if relay:
                    relay.close()
                stdout, stderr = out.close(), err.close()
        if code is None or (code == 127 and stderr.startswith(b"cannot start ")):
            raise ToolFailed(f"{Path(argv[0]).name} could not be run: {_why(code, stderr)}")
        truncated = out.total > output_bytes or err.total > output_bytes
        return ToolResult(code, stdout, stderr, self.clock.monotonic() - started, truncated)

    def _start(
        self, ordered: Sequence[str], cwd: Path, env: Mapping[str, str], theirs: socket.socket
    ) -> subprocess.Popen[bytes]:
        # -I -S: the supervisor reads neither site packages nor the tool's PYTHON* variables.
        command = [sys.executable, "-I", "-S", str(SUPERVISOR), str(theirs.fileno()), *ordered]
        with theirs:
            try:
                return subprocess.Popen(
                    command,
                    cwd=cwd,
                    env=dict(env),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                )
            except (OSError, ValueError) as exc:
                raise ToolFailed(f"{Path(ordered[1]).name} cannot be started in {cwd.name}: {exc}") from exc

    def _relay(self, ours: socket.socket, watch: _Watch, wanted: int) -> PortRelay | None:
        """The relay of a fenced tool's connections; None without a fence, or if it could not be made."""
        if not self.fence:
            return None
        message, descriptors, _, _ = self._answered(ours, watch, lambda: socket.recv_fds(ours, 1, max(1, wanted)))
        relay = PortRelay([socket.socket(fileno=number) for number in descriptors])
        if message == b"N":
            relay.start()
        return relay

    def _wait(self, ours: socket.socket, watch: _Watch) -> int | None:
        """The tool's return code; None when the supervisor was killed."""
        reply = self._answered(ours, watch, lambda: ours.recv(64))
        return int(reply) if reply else None

    def _answered(self, ours: socket.socket, watch: _Watch, receive: Callable[[], T]) -> T:
        """What the supervisor sends next; meanwhile the watch may end the tool."""
        ours.settimeout(self.poll_s)
        while True:
            try:
                return receive()
            except TimeoutError:
                watch.check()

    def _stop(self, ours: socket.socket, process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(OSError):
            ours.send(b"T")
        for limit_s in (self.grace_s + 1.0, 5.0):
            try:
                process.wait(limit_s)
            except subprocess.TimeoutExpired:
                # End of file on the control socket means: kill everything at once.
                ours.close()
            else:
                return
        process.kill()
        process.wait()


def _why(code: int | None, stderr: bytes) -> str:
    """The cause without the tool's output, which may quote a user's text."""
    if code is None:
        return f"its supervisor was killed ({len(stderr)} bytes on stderr)"
    reason = stderr.decode("utf-8", "replace").strip().rpartition(": ")[2]
    system_errors = {os.strerror(number) for number in errno.errorcode}
    return f"cannot start ({reason})" if reason in system_errors else "cannot start"


@dataclass(slots=True)
class _Watch:
    """Checks everything that may end a running tool early."""

    clock: Clock
    program: str
    guard: Guard
    deadline: float
    progress: Callable[[], object] | None
    stall_s: float | None
    last: object = None
    moved_at: float = 0.0

    def check(self) -> None:
        self.guard.check()
        now = self.clock.monotonic()
        name = Path(self.program).name
        if now >= self.deadline:
            raise ToolFailed(f"{name} reached its time limit and was stopped", timed_out=True)
        if self.progress is None or self.stall_s is None:
            return
        state = self.progress()
        if state != self.last or not self.moved_at:
            self.last, self.moved_at = state, now
        elif now - self.moved_at >= self.stall_s:
            raise ToolFailed(f"{name} made no progress for {self.stall_s:.0f} s and was stopped")
