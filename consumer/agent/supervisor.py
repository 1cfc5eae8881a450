"""The parent process of one tool, run as a script: it owns every process the tool leaves behind.

As their subreaper it inherits daemons and grandchildren that left the tool's group, which a killpg would miss. The
control socket gives orders: a byte asks for a graceful stop; end of file (the consumer died, even by SIGKILL) kills at
once. The tool's return code goes back through the same socket when no process is left. If this process is killed, the
kernel ends the tool with it.

With a fence the tool gets its own network: loopback with the ports it was given, whose listeners go out through the
control socket (netfence.py carries their connections).

With a sandbox it gets its own files, shared memory and processes (namespaces.py). Then this program is two processes:
one that stays outside and only waits, and the first process of the new PID namespace, which does the work above. If the
tool were that first process itself, it would ignore SIGTERM. When the first process ends, the kernel ends all others.

A tool that runs as another user must not be able to stop or kill this process, or nothing would own the processes it
leaves behind: this process only acts with that user's rights, and its real user (root) is out of the tool's reach.

Imports little, since it starts once per tool: about 20 ms.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import resource
import select
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

# A script in isolated mode sees no packages: add this one, last.
sys.path.append(str(Path(__file__).parents[2]))
from consumer.agent import namespaces

if TYPE_CHECKING:
    import socket

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
#: Limits of a tool that runs as another user: (resource, soft and hard limit).
LIMITS = (
    (resource.RLIMIT_NPROC, 512),
    (resource.RLIMIT_NOFILE, 8192),
    (resource.RLIMIT_FSIZE, 8 * 1024**3),
)
PR_SET_CHILD_SUBREAPER = 36
PR_CAPBSET_DROP = 24
CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS = 0x8914
IFF_UP = 1
#: CAP_NET_ADMIN, CAP_NET_RAW, CAP_SYS_PTRACE, CAP_SYS_ADMIN: with them root could return to the machine's network.
#: CAP_DAC_READ_SEARCH, CAP_SYS_MODULE, CAP_SYS_RAWIO, CAP_MKNOD: it reads files and disks past the mounts.
ESCAPES = (2, 12, 13, 16, 17, 19, 21, 27)
LOOPBACK = "127.0.0.1"
#: How often a stopping tool's children are checked, seconds.
STOP_TICK_S = 0.05


def prctl(option: int, value: int) -> bool:
    """False if the system has no such call (not Linux): then only the tool's own group can be stopped."""
    try:
        return bool(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) == 0)
    except (AttributeError, OSError):
        return False


def descendants(root: int) -> list[int]:
    """Every live process below ``root``, nearest first; empty if there is no /proc."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name in parentheses may hold anything, so fields count from the last ')': state, then parent.
            fields = entry.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    pids, queue = [], [root]
    while queue:
        below = children.get(queue.pop(0), [])
        pids += below
        queue += below
    return pids


def send(pids: list[int], group: int, signum: int) -> None:
    """Signal the tool's group and each process; ended processes are not an error."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signum)
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signum)


def spawn(argv: list[str], *, restricted: bool) -> int:
    """Start the tool in its own session, to be killed with this process; returns its pid. Raises OSError.

    It always runs as the user with whose rights this process acts. ``restricted``: without calls that leave a sandbox.
    """
    read_end, write_end = os.pipe()
    parent, pid = os.getpid(), os.fork()
    if pid == 0:
        os.close(read_end)
        _become(argv, parent, write_end, restricted=restricted)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        number = pipe.read()  # ends empty when the tool's program has taken over
    if number:
        os.waitpid(pid, 0)
        raise OSError(int(number), os.strerror(int(number)))
    return pid


def _become(argv: list[str], parent: int, write_end: int, *, restricted: bool) -> None:
    try:
        os.setsid()
        uid = os.geteuid()
        os.setresuid(uid, uid, uid)
        # After the change of user, which resets it.
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if restricted:
            namespaces.restrict()
        if os.getppid() == parent:  # otherwise the parent died before the death signal was set
            # The adapter made this environment; the tool inherits exactly that.
            os.execvp(argv[0], argv)
    except OSError as exc:
        os.write(write_end, b"%d" % (exc.errno or errno.EIO))
    finally:
        os._exit(127)


class Supervisor:
    """One tool from its start to its last descendant's end."""

    def __init__(self, control: int, linger_s: float, grace_s: float, *, sandboxed: bool = False) -> None:
        self.control = control
        self.linger_s = linger_s
        self.grace_s = grace_s
        self.sandboxed = sandboxed
        self.returncode: int | None = None
        self.term_at = float("inf")
        self.kill_at = float("inf")
        self.main = 0

    def run(self, argv: list[str]) -> int:
        """Return code of the tool, negative for a signal; 127 with a message when it cannot start."""
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_write, False)
        signal.set_wakeup_fd(wake_write)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, self._asked_to_end)
        try:
            self.main = spawn(argv, restricted=self.sandboxed)
        except OSError as exc:
            os.write(2, f"cannot start {argv[0]}: {exc.strerror}\n".encode())
            return 127
        mute(os.open(os.devnull, os.O_RDWR))
        while self._reap():
            self._wait(wake_read)
            self._advance()
        return self.returncode if self.returncode is not None else 127

    def _asked_to_end(self, *_: object) -> None:
        self.term_at = min(self.term_at, time.monotonic())

    def _reap(self) -> bool:
        """Collect the dead; whether any child is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.main:
                self.returncode = os.waitstatus_to_exitcode(status)
                self.term_at = min(self.term_at, time.monotonic() + self.linger_s)

    def _wait(self, wake: int) -> None:
        timeout = None if self.term_at == float("inf") else STOP_TICK_S
        watched = [wake] if self.control < 0 else [wake, self.control]
        ready, _, _ = select.select(watched, [], [], timeout)
        if wake in ready:
            os.read(wake, 512)
        if self.control in ready:
            self._obey()

    def _obey(self) -> None:
        now = time.monotonic()
        try:
            order = os.read(self.control, 1)
        except OSError:
            order = b""
        self.term_at = min(self.term_at, now)
        if not order:
            self.kill_at = now
            self.control = -1

    def _advance(self) -> None:
        now = time.monotonic()
        if now >= self.kill_at:
            self._signal(signal.SIGKILL)
        elif now >= self.term_at and self.kill_at == float("inf"):
            self._signal(signal.SIGTERM)
            self.kill_at = now + self.grace_s

    def _signal(self, signum: int) -> None:
        if self.sandboxed:
            # All processes of the namespace but this one, at once: a fork bomb cannot outrun it.
            send([-1], self.main, signum)
        else:
            send(descendants(os.getpid()), self.main, signum)


def mute(null: int) -> None:
    """Close the output: the adapter reads it to its end, so only the tool and its children may hold the pipes.

    ``null``: an open /dev/null, which is closed too.
    """
    for fd in (1, 2):
        os.dup2(null, fd)
    os.close(null)


def listen(ports: list[int]) -> list[socket.socket]:
    """Listeners on these loopback ports of this process's new network. Raises OSError."""
    import fcntl  # noqa: PLC0415 (only a fenced tool pays for it)
    import socket  # noqa: PLC0415
    import struct  # noqa: PLC0415

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
    listeners = []
    for port in ports:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.bind((LOOPBACK, port))
        listener.listen(64)
        listeners.append(listener)
    return listeners


def unshare(kinds: int) -> None:
    """Create namespaces for this process; a process that is not root needs a user namespace with its own ids, too."""
    uid, gid = os.geteuid(), os.getegid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(kinds if uid == 0 else CLONE_NEWUSER | kinds):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    if uid:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def hand_out(control: int, listeners: list[socket.socket]) -> None:
    """Send the listeners to the watching process before the tool starts, and close them here."""
    import array  # noqa: PLC0415 (only a fenced tool pays for it)
    import socket  # noqa: PLC0415

    numbers = array.array("i", [listener.fileno() for listener in listeners])
    with socket.socket(fileno=os.dup(control)) as channel:
        channel.sendmsg([b"N"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)] if listeners else [])
    for listener in listeners:
        listener.close()


def probe(name: str) -> int:
    """Make and try what ``probe-network`` or ``probe-sandbox`` names.

    Returns 0, or 1 with the reason on stdout.
    """
    try:
        if name == "probe-network":
            import socket  # noqa: PLC0415 (only this probe pays for it)

            unshare(CLONE_NEWNET)
            with listen([9])[0] as listener, socket.create_connection((LOOPBACK, 9), 10):
                listener.accept()[0].close()
        else:
            unshare(namespaces.SANDBOX)
            if child := os.fork():
                return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            namespaces.enter(namespaces.Places(), None)
            prctl(PR_SET_NO_NEW_PRIVS, 1)
            namespaces.check()
    except (OSError, AttributeError) as exc:
        os.write(1, f"{type(exc).__name__}: {getattr(exc, 'strerror', None) or 'no such call'}".encode())
        return 1
    return 0


def confine(user: str) -> None:
    """Allow no core file and no new rights. ``user``: ``uid:gid`` to act with, under LIMITS; ``-``: keep the own user.

    Root only takes on the user's rights: its signals reach the tool, but the tool's signals do not reach it.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if user != "-":
        uid, gid = map(int, user.split(":"))
        for kind, most in LIMITS:
            resource.setrlimit(kind, (most, most))
        os.setgroups([])
        os.setresgid(gid, gid, gid)
        os.seteuid(uid)
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def isolate(control: int, ports: list[int] | None, places: dict[str, Any] | None, user: str) -> None:
    """Enter the fence and the sandbox, or exit: a tool that requires them never runs without."""
    # The process that waits for listeners first reads a byte: N with listeners, E without.
    reply = b"127\n" if ports is None else b"E127\n"
    try:
        kinds = (CLONE_NEWNET if ports is not None else 0) | (namespaces.SANDBOX if places else 0)
        if kinds:
            unshare(kinds)
        if ports is not None:
            hand_out(control, listen(ports))
            reply = b"127\n"
        if places:
            become_first(control)
            uid, _, gid = user.partition(":")
            namespaces.enter(namespaces.Places(**places), (int(uid), int(gid)) if gid else None)
    except OSError as exc:
        os.write(2, f"cannot start its sandbox: {exc.strerror}\n".encode())
        with contextlib.suppress(OSError):
            os.write(control, reply)
        os._exit(127)
    if kinds:
        for capability in ESCAPES:
            prctl(PR_CAPBSET_DROP, capability)


def go_first_for_memory() -> None:
    """When memory runs out the kernel must end this process or the tool, not the consumer."""
    with contextlib.suppress(OSError):  # not Linux
        Path("/proc/self/oom_score_adj").write_text("1000")


def become_first(control: int) -> None:
    """Return as the first process of the new PID namespace; this process stays outside and waits until that one ends.

    Its end means that no process of the namespace is left. The waiting process opens no file, because the first process
    rebuilds the mounts that both see: /dev/null is missing for a moment, and then a plain file for another. Whoever has
    that file open for writing keeps /dev from becoming read-only (EBUSY).
    """
    null = os.open(os.devnull, os.O_RDWR)
    first = os.fork()
    if first == 0:
        os.close(null)
        return
    signal.signal(signal.SIGTERM, lambda *_: os.kill(first, signal.SIGTERM))
    os.close(control)
    mute(null)
    os.waitpid(first, 0)
    os._exit(0)


def main() -> None:
    """supervisor.py CONTROL_FD ORDER PROGRAM [ARG...], or supervisor.py probe-network, or supervisor.py probe-sandbox.

    ORDER is JSON: ``linger_s`` and ``grace_s``; ``user`` as uid:gid, or ``-`` for this process's own; ``ports`` of a
    tool behind a fence, or null; ``places`` of a tool in a sandbox (namespaces.Places), or null.
    """
    if sys.argv[1].startswith("probe-"):
        os._exit(probe(sys.argv[1]))
    control, order = int(sys.argv[1]), json.loads(sys.argv[2])
    os.set_inheritable(control, False)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    go_first_for_memory()  # later /proc is read-only
    sandboxed = order["places"] is not None
    isolate(control, order["ports"], order["places"], order["user"])
    confine(order["user"])
    if sandboxed:
        # After the change of user, which resets it. The process that waits outside may die, e.g. for lack of memory.
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    supervisor = Supervisor(control, order["linger_s"], order["grace_s"], sandboxed=sandboxed)
    code = supervisor.run(sys.argv[3:])
    with contextlib.suppress(OSError):
        os.write(control, b"%d\n" % code)


if __name__ == "__main__":
    main()
