"""The parent of one tool: run as a script, it owns every process the tool leaves behind.

Being their subreaper it inherits daemons and grandchildren that left the tool's group, which a killpg would miss. Its
end of the control socket tells it what happens: a byte asks for the polite stop, end of file (the consumer died, even
by SIGKILL) kills at once. The tool's return code goes back through the same socket when nothing is left alive. Should
this process be killed itself, the kernel ends the tool with it.

With a fence the tool gets a network of its own: loopback, and on it the ports that it was given, whose listeners go out
through the control socket (netfence.py carries what comes in there).

A tool with a user of its own must not be able to stop or kill this process, or what it leaves behind would be nobody's:
this process only acts with that user's rights, and who it really is (root) is out of a tool's reach.

Imports little, since it starts once a tool: about 20 ms.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import resource
import select
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
#: Limits of a tool that runs under a user of its own: (resource, soft and hard limit).
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
#: CAP_NET_ADMIN, CAP_NET_RAW, CAP_SYS_PTRACE, CAP_SYS_ADMIN: with them root walks back out into the machine's network.
ESCAPES = (12, 13, 19, 21)
LOOPBACK = "127.0.0.1"
#: How often a stopping tool's children are looked at, seconds.
STOP_TICK_S = 0.05


def prctl(option: int, value: int) -> bool:
    """False where the system has no such call (not Linux): then only the tool's own group can be stopped."""
    try:
        return bool(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) == 0)
    except (AttributeError, OSError):
        return False


def descendants(root: int) -> list[int]:
    """Every live process below ``root``, nearest first; empty where there is no /proc."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name in parentheses may hold anything, so fields count from the last ')': state, then parent.
            fields = entry.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    found, queue = [], [root]
    while queue:
        below = children.get(queue.pop(0), [])
        found += below
        queue += below
    return found


def send(pids: list[int], group: int, signum: int) -> None:
    """Signal the tool's group and each process; those already gone are no error."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signum)
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signum)


def spawn(argv: list[str]) -> int:
    """Start the tool in a session of its own, to be killed when this process is; its pid. Raises OSError.

    It is for good the user with whose rights this process acts.
    """
    told, tell = os.pipe()
    parent, pid = os.getpid(), os.fork()
    if pid == 0:
        os.close(told)
        _become(argv, parent, tell)
    os.close(tell)
    with os.fdopen(told, "rb") as pipe:
        number = pipe.read()  # ends empty when the tool's program has taken over
    if number:
        os.waitpid(pid, 0)
        raise OSError(int(number), os.strerror(int(number)))
    return pid


def _become(argv: list[str], parent: int, tell: int) -> None:
    try:
        os.setsid()
        uid = os.geteuid()
        os.setresuid(uid, uid, uid)
        # After that: a change of user takes it back.
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == parent:  # else it was killed before that took hold
            # The environment is the one that the adapter made; the tool inherits exactly that.
            os.execvp(argv[0], argv)
    except OSError as exc:
        os.write(tell, b"%d" % (exc.errno or errno.EIO))
    finally:
        os._exit(127)


class Supervisor:
    """One tool from its start to its last descendant's end."""

    def __init__(self, control: int, linger_s: float, grace_s: float) -> None:
        self.control = control
        self.linger_s = linger_s
        self.grace_s = grace_s
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
        try:
            self.main = spawn(argv)
        except OSError as exc:
            os.write(2, f"cannot start {argv[0]}: {exc.strerror}\n".encode())
            return 127
        self._let_go_of_output()
        while self._reap():
            self._wait(wake_read)
            self._advance()
        return self.returncode if self.returncode is not None else 127

    def _let_go_of_output(self) -> None:
        # The adapter reads until end of file: only the tool and its children may hold the pipes.
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (1, 2):
            os.dup2(null, fd)
        os.close(null)

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
            send(descendants(os.getpid()), self.main, signal.SIGKILL)
        elif now >= self.term_at and self.kill_at == float("inf"):
            send(descendants(os.getpid()), self.main, signal.SIGTERM)
            self.kill_at = now + self.grace_s


def fence(ports: list[int]) -> list[socket.socket]:
    """Leave the machine's network for one of our own; listeners on these ports of its loopback. Raises OSError."""
    import fcntl  # noqa: PLC0415 (only a fenced tool pays for it)
    import socket  # noqa: PLC0415
    import struct  # noqa: PLC0415

    own_network()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
    listeners = []
    for port in ports:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.bind((LOOPBACK, port))
        listener.listen(64)
        listeners.append(listener)
    return listeners


def own_network() -> None:
    """A new network namespace; who is not root needs a user namespace around it, where it stays who it is."""
    uid, gid = os.geteuid(), os.getegid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET if uid == 0 else CLONE_NEWUSER | CLONE_NEWNET):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    if uid:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def hand_out(control: int, listeners: list[socket.socket]) -> None:
    """Give the listeners to who watches over us, before the tool starts; ours are closed."""
    import array  # noqa: PLC0415 (only a fenced tool pays for it)
    import socket  # noqa: PLC0415

    numbers = array.array("i", [one.fileno() for one in listeners])
    with socket.socket(fileno=os.dup(control)) as channel:
        channel.sendmsg([b"N"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)] if listeners else [])
    for one in listeners:
        one.close()


def probe() -> int:
    """Whether a fence can be had here: made, and tried. 0, or 1 with the reason on stdout."""
    try:
        import socket  # noqa: PLC0415 (only the probe pays for it)

        with fence([9])[0] as listener, socket.create_connection((LOOPBACK, 9), 10):
            listener.accept()[0].close()
    except (OSError, AttributeError) as exc:
        os.write(1, f"{type(exc).__name__}: {getattr(exc, 'strerror', None) or 'no such call'}".encode())
        return 1
    return 0


def confine(user: str) -> None:
    """No core file, no new rights; as ``uid:gid`` also that user's and LIMITS. ``-``: stay who we are.

    Root lends itself the user's rights only: a signal to the tool goes out with them, and none of the tool's comes in.
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


def enter(control: int, ports: list[int]) -> None:
    """Go behind the fence, or end here: a tool that was to be fenced never runs without."""
    try:
        hand_out(control, fence(ports))
    except OSError as exc:
        os.write(2, f"cannot start its network: {exc.strerror}\n".encode())
        with contextlib.suppress(OSError):
            os.write(control, b"E127\n")
        os._exit(127)
    for capability in ESCAPES:
        prctl(PR_CAPBSET_DROP, capability)


def main() -> None:
    """supervisor.py CONTROL_FD LINGER_S GRACE_S USER PORTS PROGRAM [ARG...], or supervisor.py probe-network.

    PORTS: ``-`` for no fence, else those that may be reached, as 80,443 or nothing.
    """
    if sys.argv[1] == "probe-network":
        os._exit(probe())
    control = int(sys.argv[1])
    os.set_inheritable(control, False)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    if sys.argv[5] != "-":
        enter(control, [int(port) for port in sys.argv[5].split(",") if port])
    confine(sys.argv[4])
    supervisor = Supervisor(control, float(sys.argv[2]), float(sys.argv[3]))
    code = supervisor.run(sys.argv[6:])
    with contextlib.suppress(OSError):
        os.write(control, b"%d\n" % code)


if __name__ == "__main__":
    main()
