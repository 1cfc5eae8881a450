"""Builds a tool's sandbox: a read-only machine, private temporary folders, its own processes, and no way out.

Called by the supervisor (supervisor.py) in the first process of a new PID namespace, as root or as the root of a user
namespace, before the tool starts. Imports little of the standard library and nothing else, since it runs once per tool.
Everything raises OSError.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWPID = 0x20000000
#: Files and mounts, System V and POSIX message queues, processes.
SANDBOX = CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWPID

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 0x1, 0x2, 0x4, 0x8, 0x20
MS_NOATIME, MS_NODIRATIME, MS_BIND, MS_REC, MS_PRIVATE, MS_RELATIME = 0x400, 0x800, 0x1000, 0x4000, 0x40000, 0x200000
#: A mount's options in /proc/self/mountinfo that a remount would otherwise take away.
KEPT_FLAGS = {
    "nosuid": MS_NOSUID,
    "nodev": MS_NODEV,
    "noexec": MS_NOEXEC,
    "noatime": MS_NOATIME,
    "nodiratime": MS_NODIRATIME,
    "relatime": MS_RELATIME,
}
#: mount_setattr(2), the same number on every architecture; Linux 5.12.
SYS_MOUNT_SETATTR = 442
MOUNT_ATTR_RDONLY = 0x1
AT_FDCWD, AT_RECURSIVE = -100, 0x8000

#: Folders that programs write to by name. Each is an empty tmpfs for the length of one tool.
PRIVATE = ("/tmp", "/var/tmp", "/dev/shm")
#: The most files in one private folder; a tmpfs without a limit takes memory for each.
INODES = 65_536
#: Sockets and files of the machine's services: a read-only mount does not prevent connecting to a socket.
SERVICES = ("/run",)
#: All that is below /dev, besides what this namespace has of its own. A read-only mount does not keep anybody from
#: writing to a device: disks in memory, the kernel's log and screens keep what they are given.
DEVICES = ("full", "null", "random", "tty", "urandom", "zero")
DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
    "ptmx": "pts/ptmx",
}
#: Folders of /dev that are mounted over, where the machine has them.
DEVICE_FOLDERS = ("shm", "pts", "mqueue")
PASSWD = "/etc/passwd"

PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
SECCOMP_RET_ALLOW = 0x7FFF0000
SECCOMP_RET_ERRNO = 0x00050000
BPF_LOAD, BPF_EQUAL, BPF_AT_LEAST, BPF_ANY_BIT, BPF_RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
#: Offsets in struct seccomp_data: the call's number, the architecture, the low half of its first argument.
AT_NUMBER, AT_ARCH, AT_FIRST = 0, 4, 16
#: Calls of the x32 ABI carry this bit, and so have other numbers than the ones below.
X32_BIT = 0x40000000


class Calls(NamedTuple):
    """Numbers of system calls on one kind of machine. ``arch``: its AUDIT_ARCH.

    ``refused``: add_key, request_key, keyctl, io_uring_setup, syslog, perf_event_open, bpf, userfaultfd, unshare and
    setns.
    """

    arch: int
    socket: int
    clone: int
    clone3: int
    refused: Sequence[int]


#: By the machine's name.
CALLS = {
    "x86_64": Calls(0xC000003E, 41, 56, 435, (248, 249, 250, 425, 103, 298, 321, 323, 272, 308)),
    "aarch64": Calls(0xC00000B7, 198, 220, 435, (217, 218, 219, 425, 116, 241, 280, 282, 97, 268)),
}
#: CLONE_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET: flags of clone(2).
NEW_NAMESPACES = 0x7E020000
#: AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: kinds of sockets that a network namespace contains. AF_VSOCK it does not.
FAMILIES = (1, 2, 10, 16)


class Places(NamedTuple):
    """The paths that a tool sees. All are absolute and without links, except in ``links``.

    ``hidden`` folders appear empty, like PRIVATE ones. ``readable`` and ``writable`` paths stay visible, even below
    those. ``links``: link -> target, for links that lead to them. ``size``: bytes of each private folder.
    """

    cwd: str = "/"
    hidden: Sequence[str] = ()
    readable: Sequence[str] = ()
    writable: Sequence[str] = ()
    links: Mapping[str, str] = {}
    size: int = 64 * 1024 * 1024


def enter(places: Places, user: tuple[int, int] | None) -> None:
    """Set up the mounts of this process's own mount namespace. ``user``: the tool's user, which gets a name."""
    # Otherwise these mounts would appear outside.
    _mount(None, "/", None, MS_REC | MS_PRIVATE)
    private, hidden = _folders(PRIVATE), _folders((*SERVICES, *places.hidden))
    previous = os.umask(0o022)
    shown = _cover(places, private, hidden)
    _link(places.links)
    _own_system_folders()
    if user:
        _name_user(user, private[0])
    os.umask(previous)
    for path in places.writable:
        _writable(path)
    for path in ("/dev", *hidden):
        if os.path.ismount(path) and path not in shown:
            _read_only(path)
    # The inherited working folder is the one below the covering mounts.
    os.chdir(places.cwd)


def restrict() -> None:
    """Deny this process and its children the system calls that reach beyond namespaces.

    Kernel keyrings outlive a run and may admit any user; an AF_VSOCK socket leads to the host of a virtual machine;
    io_uring makes sockets that a filter does not see; the kernel's log, its counters, BPF and page faults are shared by
    all. A process is root in a user namespace it makes, and reaches parts of the kernel that are open only to root.
    Needs no_new_privs or CAP_SYS_ADMIN.
    """
    calls = CALLS.get(os.uname().machine)
    if calls is None:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))
    program = b"".join(struct.pack("HBBI", *step) for step in _filter(calls))
    buffer = ctypes.create_string_buffer(program)
    header = struct.pack("HP", len(program) // 8, ctypes.addressof(buffer))
    if _libc().prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.create_string_buffer(header), 0, 0):
        raise _error()


def check() -> None:
    """Verify the sandbox from inside, as the tool's user."""
    processes = {name for name in os.listdir("/proc") if name.isdigit()}  # noqa: PTH208 (names are all it takes)
    if os.getpid() != 1 or processes != {"1"}:
        raise OSError(errno.EBUSY, "other processes are in sight")
    with contextlib.suppress(OSError):
        Path("/.cloop-probe").touch(exist_ok=False)
        raise SystemExit("the root folder is writable")
    for folder in _folders(PRIVATE):
        (Path(folder) / "probe").write_bytes(b"x")
    restrict()
    if (
        _libc().syscall(CALLS[os.uname().machine].refused[0], None, None, None, 0, 0) != -1
        or ctypes.get_errno() != errno.EPERM
    ):
        raise OSError(errno.EPERM, "keyrings can be reached")


# --- mounts


def _folders(paths: Iterable[str]) -> list[str]:
    """The existing folders, by their real names, each once."""
    return list(dict.fromkeys(os.path.realpath(path) for path in paths if os.path.isdir(path)))  # noqa: PTH112


def _cover(places: Places, private: Sequence[str], hidden: Sequence[str]) -> set[str]:
    """Make the machine read-only and the given folders empty, and show the named paths in them; returns these."""
    covers = {*private, *hidden}
    with contextlib.ExitStack() as stack:
        # Covered folders are reached through descriptors from here on.
        shown = {path: _held(path, stack) for path in _to_show(places, {*covers, "/dev"})}
        _read_only("/", everything=True)
        _own_devices(stack)
        # Outer folders first: a covered folder may lie in a shown one, and the reverse.
        for path in sorted({*covers, *shown}, key=len):
            if path in covers and os.path.isdir(path):  # noqa: PTH112 (else it is out of sight already)
                mode = "1777" if path in private else "0755"
                options = f"size={places.size},nr_inodes={INODES},mode={mode}"
                _mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options)
            if path in shown:
                _show(path, shown[path])
    return set(shown)


def _own_devices(stack: contextlib.ExitStack) -> None:
    """A /dev with only DEVICES, and empty folders for later mounts."""
    nodes = {f"/dev/{name}": _held(f"/dev/{name}", stack) for name in DEVICES if os.path.exists(f"/dev/{name}")}  # noqa: PTH110
    folders = [name for name in DEVICE_FOLDERS if os.path.isdir(f"/dev/{name}")]  # noqa: PTH112
    _mount("tmpfs", "/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "size=64k,nr_inodes=64,mode=0755")
    for name in folders:
        Path("/dev", name).mkdir()
    for name, target in DEVICE_LINKS.items():
        Path("/dev", name).symlink_to(target)
    for path, descriptor in nodes.items():
        _show(path, descriptor)


def _link(links: Mapping[str, str]) -> None:
    """Recreate links to shown paths that a covering mount hid."""
    for link, target in links.items():
        if not os.path.lexists(link):
            Path(link).parent.mkdir(parents=True, exist_ok=True)
            Path(link).symlink_to(target)


def _to_show(places: Places, covers: set[str]) -> list[str]:
    """The paths to mount again: all writable ones, and readable ones that a covering mount would hide."""
    shown: set[str] = set(places.writable)
    for path in sorted(set(places.readable), key=len):
        above = [other for other in (*covers, *shown) if _below(path, other)]
        if above and max(above, key=len) in covers:
            shown.add(path)
    return list(shown)


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")


def _held(path: str, stack: contextlib.ExitStack) -> int:
    descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    stack.callback(os.close, descriptor)
    return descriptor


def _show(path: str, descriptor: int) -> None:
    """Mount the descriptor's file or folder at ``path``, creating the mount point if a covering mount hid it."""
    if not os.path.lexists(path):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):  # noqa: PTH112 (a magic link)
            Path(path).mkdir()
        else:
            Path(path).touch()
    _mount(f"/proc/self/fd/{descriptor}", path, None, MS_BIND | MS_REC)


def _own_system_folders() -> None:
    """Mount this namespace's message queues, terminals and processes over the machine's."""
    flags = MS_NOSUID | MS_NOEXEC
    if os.path.isdir("/dev/mqueue"):  # noqa: PTH112
        _mount("mqueue", "/dev/mqueue", "mqueue", flags | MS_NODEV)
    if os.path.isdir("/dev/pts"):  # noqa: PTH112
        _mount("devpts", "/dev/pts", "devpts", flags, "newinstance,ptmxmode=0666,mode=0600")
    # Read-only: no tool needs to write here, and a tool that runs as root could reconfigure the kernel.
    _mount("proc", "/proc", "proc", flags | MS_NODEV | MS_RDONLY)


def _name_user(user: tuple[int, int], folder: str) -> None:
    """Add the user to the list of users: some programs fail if their user has no name."""
    users, (uid, gid) = Path(PASSWD).read_text("utf-8", "surrogateescape"), user
    if any(line.split(":")[2:3] == [str(uid)] for line in users.splitlines()):
        return
    draft = Path(folder) / "passwd"
    line = f"agent-{uid}:x:{uid}:{gid}::/nonexistent:/usr/sbin/nologin\n"
    draft.write_text(users.rstrip("\n") + "\n" + line, "utf-8", "surrogateescape")
    _mount(str(draft), PASSWD, None, MS_BIND)
    _read_only(PASSWD)
    draft.unlink()


def _read_only(path: str, *, everything: bool = False) -> None:
    """Make a mount read-only; ``everything``: with all mounts below it."""
    if not _set_attributes(path, MOUNT_ATTR_RDONLY, 0, AT_RECURSIVE if everything else 0):
        for point, flags in _mounts():
            if point == path or (everything and _below(point, path)):
                with contextlib.suppress(FileNotFoundError):  # another mount lies over it
                    _mount(None, point, None, MS_REMOUNT | MS_BIND | MS_RDONLY | flags)


def _writable(path: str) -> None:
    if not _set_attributes(path, 0, MOUNT_ATTR_RDONLY, 0):
        flags = next(flags for point, flags in reversed(list(_mounts())) if point == path)
        _mount(None, path, None, MS_REMOUNT | MS_BIND | flags)


def _set_attributes(path: str, wanted: int, unwanted: int, flags: int) -> bool:
    """False if the system has no such call."""
    attributes = struct.pack("QQQQ", wanted, unwanted, 0, 0)
    numbers = [ctypes.c_long(number) for number in (SYS_MOUNT_SETATTR, AT_FDCWD, flags, len(attributes))]
    if not _libc().syscall(*numbers[:2], os.fsencode(path), numbers[2], attributes, numbers[3]):
        return True
    if ctypes.get_errno() == errno.ENOSYS:
        return False
    raise _error(path)


def _mounts() -> Iterator[tuple[str, int]]:
    """(mount point, flags to keep) of each mount of this namespace, lowest first."""
    for line in Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape").splitlines():
        point, options = line.split(" ")[4:6]
        for escaped, character in ((r"\040", " "), (r"\011", "\t"), (r"\012", "\n"), (r"\134", "\\")):
            point = point.replace(escaped, character)
        yield point, sum(KEPT_FLAGS.get(option, 0) for option in options.split(","))


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    words = [os.fsencode(word) if word is not None else None for word in (source, target, kind)]
    data = options.encode() if options is not None else None
    if _libc().mount(*words, ctypes.c_ulong(flags), data):
        raise _error(target)


# --- calls


def _filter(calls: Calls) -> list[tuple[int, int, int, int]]:
    """A classic BPF program: (code, steps to skip if true, if false, value)."""
    # Each step: code, value, where to go if true, if false. "next" is the step after it.
    sections: dict[str, list[tuple[int, int, str, str]]] = {
        "start": [
            (BPF_LOAD, AT_ARCH, "next", "next"),
            (BPF_EQUAL, calls.arch, "next", "refuse"),
            (BPF_LOAD, AT_NUMBER, "next", "next"),
            (BPF_AT_LEAST, X32_BIT, "refuse", "next"),
            *((BPF_EQUAL, number, "refuse", "next") for number in calls.refused),
            # Its flags are in memory, which a filter cannot read. Programs fall back to clone if there is no clone3.
            (BPF_EQUAL, calls.clone3, "no such call", "next"),
            (BPF_EQUAL, calls.clone, "flags", "next"),
            (BPF_EQUAL, calls.socket, "family", "allow"),
        ],
        "flags": [
            (BPF_LOAD, AT_FIRST, "next", "next"),
            (BPF_ANY_BIT, NEW_NAMESPACES, "refuse", "allow"),
        ],
        "family": [
            (BPF_LOAD, AT_FIRST, "next", "next"),
            *((BPF_EQUAL, family, "allow", "next") for family in FAMILIES),
            (BPF_RETURN, SECCOMP_RET_ERRNO | errno.EAFNOSUPPORT, "next", "next"),
        ],
        "refuse": [(BPF_RETURN, SECCOMP_RET_ERRNO | errno.EPERM, "next", "next")],
        "no such call": [(BPF_RETURN, SECCOMP_RET_ERRNO | errno.ENOSYS, "next", "next")],
        "allow": [(BPF_RETURN, SECCOMP_RET_ALLOW, "next", "next")],
    }
    place: dict[str, int] = {}
    steps: list[tuple[int, int, str, str]] = []
    for name, section in sections.items():
        place[name] = len(steps)
        steps += section

    def skip(number: int, name: str) -> int:
        return 0 if name == "next" else place[name] - number - 1

    return [(code, skip(n, yes), skip(n, no), value) for n, (code, value, yes, no) in enumerate(steps)]


def _libc() -> Any:
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    return ctypes.CDLL(None, use_errno=True)


def _error(path: str | None = None) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number), path)
