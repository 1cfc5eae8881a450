"""Run by a tool: ``plant`` leaves a secret wherever a process can, ``hunt`` looks for it, ``clear`` takes it away.

``python -c SOURCE plant SECRET [FOLDER]``: below which folder to write and look, instead of everywhere. Standard
library only, since the tool may be nobody. Prints a JSON object: what was reached, by the kind of place.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import mmap
import os
import platform
import signal
import socket
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
#: For System V keys and names of queues, sockets and keys: both runs know them.
KEY, NAME, PORT = 0x636C6F70, "cloop-planted", 45671
IPC_CREAT = 0o1000
ADD_KEY, KEYCTL = {"x86_64": (248, 250), "aarch64": (217, 219)}[platform.machine()]
USER_KEYRING, USER_SESSION_KEYRING, SESSION_KEYRING = -4, -5, -3
KEYCTL_SETPERM, KEYCTL_CLEAR, KEYCTL_GET_PERSISTENT = 5, 7, 22
IPC_RMID = 0
#: Not looked into: no files of a run are in the first two, and the others are packages' own, by the ten thousand.
PASSED_OVER = {"/proc", "/sys"}
PACKAGES = {"site-packages", "dist-packages", "node_modules", "__pycache__", ".git", "doc"}


def folders(top: str) -> Iterator[str]:
    """Every folder that this process can look into; its own too where one above may be entered but not listed."""
    for where, names, _ in (step for start in dict.fromkeys((top, os.getcwd())) for step in os.walk(start)):  # noqa: PTH109
        if where in PASSED_OVER:
            names.clear()
        names[:] = [name for name in names if name not in PACKAGES]
        yield where


def write_everywhere(secret: bytes, top: str) -> list[str]:
    """Leave a file in every folder that takes one, open for all to read, and a mark on every file that takes one."""
    done = []
    for folder in folders(top):
        path = f"{folder}/{NAME}"
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_CREAT | os.O_WRONLY, 0o666)
            os.fchmod(descriptor, 0o666)
            os.write(descriptor, secret)
            os.close(descriptor)
            done.append(path)
        with contextlib.suppress(OSError):
            done += [entry.path for entry in os.scandir(folder) if entry.name != NAME and changed(entry, secret)]
    return done


def changed(entry: os.DirEntry[str], secret: bytes) -> bool:
    """Whether a file, pipe, socket or disk lets us leave something. Terminals and the like keep nothing."""
    kind = entry.stat(follow_symlinks=False).st_mode
    if stat.S_ISDIR(kind) or stat.S_ISLNK(kind) or stat.S_ISCHR(kind) or not os.access(entry.path, os.W_OK):
        return False
    if stat.S_ISSOCK(kind):
        with socket.socket(socket.AF_UNIX) as there:
            return there.connect_ex(entry.path) == 0
    with contextlib.suppress(OSError):
        os.setxattr(entry.path, "user.cloop", secret)
    os.close(os.open(entry.path, os.O_WRONLY | os.O_NONBLOCK))
    return True


def plant_shared_memory(secret: bytes) -> bool:
    LIBC.shmat.restype = ctypes.c_void_p
    number = LIBC.shmget(KEY, 4096, IPC_CREAT | 0o666)
    if number == -1:
        return False
    place = LIBC.shmat(number, None, 0)
    ctypes.memmove(place, secret, len(secret))
    return True


def hunt_shared_memory() -> bool:
    return bool(LIBC.shmget(KEY, 0, 0) != -1)


def plant_message(secret: bytes) -> bool:
    number = LIBC.msgget(KEY, IPC_CREAT | 0o666)
    return number != -1 and LIBC.msgsnd(number, b"\1\0\0\0\0\0\0\0" + secret, len(secret), 0) == 0


def hunt_message() -> bool:
    return bool(LIBC.msgget(KEY, 0) != -1)


def plant_semaphore(_secret: bytes) -> bool:
    return bool(LIBC.semget(KEY, 8, IPC_CREAT | 0o666) != -1)


def hunt_semaphore() -> bool:
    return bool(LIBC.semget(KEY, 0, 0) != -1)


def plant_queue(secret: bytes) -> bool:
    queue = LIBC.mq_open(f"/{NAME}".encode(), os.O_CREAT | os.O_RDWR, 0o666, None)
    return queue != -1 and LIBC.mq_send(queue, secret, len(secret), 0) == 0


def hunt_queue() -> bool:
    return bool(LIBC.mq_open(f"/{NAME}".encode(), os.O_RDONLY) != -1)


def plant_posix_memory(secret: bytes) -> bool:
    library = ctypes.CDLL("librt.so.1", use_errno=True)
    descriptor = library.shm_open(f"/{NAME}-memory".encode(), os.O_CREAT | os.O_RDWR, 0o666)
    if descriptor == -1:
        return False
    os.ftruncate(descriptor, 4096)
    with mmap.mmap(descriptor, 4096) as shared:
        shared.write(secret)
    return True


def hunt_posix_memory() -> bool:
    library = ctypes.CDLL("librt.so.1", use_errno=True)
    return bool(library.shm_open(f"/{NAME}-memory".encode(), os.O_RDONLY, 0) != -1)


def plant_keys(secret: bytes) -> bool:
    """In each keyring that outlives a process, readable for everybody."""
    done = False
    rings = [USER_KEYRING, USER_SESSION_KEYRING, SESSION_KEYRING]
    rings.append(LIBC.syscall(KEYCTL, KEYCTL_GET_PERSISTENT, -1, USER_KEYRING, 0, 0))
    for ring in rings:
        key = LIBC.syscall(ADD_KEY, b"user", NAME.encode(), secret, ctypes.c_size_t(len(secret)), ring)
        if key != -1:
            LIBC.syscall(KEYCTL, KEYCTL_SETPERM, key, ctypes.c_uint(0x3F3F3F3F), 0, 0)
            done = True
    return done


def hunt_keys() -> bool:
    """By name in /proc/keys, which shows what we may look at, of whatever user."""
    with contextlib.suppress(OSError):
        return any(NAME in line for line in Path("/proc/keys").read_text().splitlines())
    return False


def plant_process(secret: bytes) -> bool:
    """A daemon of the second generation, deaf to all that can be ignored, that listens for whoever comes next."""
    ready, tell = os.pipe()
    if os.fork():
        return os.read(ready, 1) == b"x"
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    name, port = socket.socket(socket.AF_UNIX), socket.socket()
    name.bind(f"\0{NAME}")
    port.bind(("127.0.0.1", PORT))
    for server in (name, port):
        server.listen()
    held = os.open("/etc/passwd", os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    os.write(tell, b"x")
    os.closerange(0, 3)
    while True:
        name.accept()[0].send(secret)


def hunt_process() -> bool:
    """The process itself, its sockets or its lock. In a sandbox only we and the one that started us are to be seen."""
    names = {int(name) for name in os.listdir("/proc") if name.isdigit()}  # noqa: PTH208 (names are all it takes)
    for family, address in ((socket.AF_UNIX, f"\0{NAME}"), (socket.AF_INET, ("127.0.0.1", PORT))):
        with socket.socket(family) as there:
            if there.connect_ex(address) == 0:
                return True
    held = os.open("/etc/passwd", os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return bool(names - {1, os.getpid()})


def hunt_files(secret: bytes, top: str) -> list[str]:
    """Names, contents and attributes that carry it, wherever we can look."""
    leaks = []
    for folder in folders(top):
        with contextlib.suppress(OSError):
            leaks += [entry.path for entry in os.scandir(folder) if carries(entry, secret)]
    return leaks


def carries(entry: os.DirEntry[str], secret: bytes) -> bool:
    if NAME in entry.name:
        return True
    with contextlib.suppress(OSError):
        return os.getxattr(entry.path, "user.cloop") == secret
    return False


def clear() -> None:
    """What ``plant`` leaves where there is no sandbox, but for files."""
    LIBC.shmctl(LIBC.shmget(KEY, 0, 0), IPC_RMID, None)
    LIBC.msgctl(LIBC.msgget(KEY, 0), IPC_RMID, None)
    LIBC.semctl(LIBC.semget(KEY, 0, 0), 0, IPC_RMID)
    LIBC.mq_unlink(f"/{NAME}".encode())
    for ring in (USER_KEYRING, USER_SESSION_KEYRING):
        LIBC.syscall(KEYCTL, KEYCTL_CLEAR, ring, 0, 0, 0)


PLANTS: dict[str, Callable[[bytes], bool]] = {
    "System V memory": plant_shared_memory,
    "System V messages": plant_message,
    "System V semaphores": plant_semaphore,
    "POSIX queue": plant_queue,
    "POSIX memory": plant_posix_memory,
    "keyrings": plant_keys,
    "process": plant_process,
}
HUNTS: dict[str, Callable[[], bool]] = {
    "System V memory": hunt_shared_memory,
    "System V messages": hunt_message,
    "System V semaphores": hunt_semaphore,
    "POSIX queue": hunt_queue,
    "POSIX memory": hunt_posix_memory,
    "keyrings": hunt_keys,
    "process": hunt_process,
}


def main() -> None:
    command, secret, top = sys.argv[1], sys.argv[2].encode(), (sys.argv[3:] or ["/"])[0]
    results: dict[str, object] = {}
    if command == "plant":
        results = {name: plant(secret) for name, plant in PLANTS.items()}
        results["files"] = write_everywhere(secret, top)
    elif command == "hunt":
        results = {name: hunt() for name, hunt in HUNTS.items()}
        results["files"] = hunt_files(secret, top)
    else:
        clear()
    sys.stdout.write(json.dumps(results))


if __name__ == "__main__":
    main()
