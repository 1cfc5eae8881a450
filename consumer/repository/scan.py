"""List a run folder: files and folders with their modes, without volatile ones and those that no snapshot holds."""

from __future__ import annotations

import mmap
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import translate
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from consumer.repository.descriptors import Opened
from consumer.snapshot.snapshot import StatCache, StatKey


class ScannedFile(NamedTuple):
    """One file (``stat`` set) or folder, relative to the run folder."""

    path: str
    mode: int
    stat: StatKey | None


#: From the fields without a call of Python's: every file of a workspace has one.
_scanned: Callable[[tuple[str, int, StatKey | None]], ScannedFile] = partial(tuple.__new__, ScannedFile)


@dataclass(slots=True)
class Scan:
    #: In order of path.
    files: list[ScannedFile] = field(default_factory=list)
    #: Links, sockets, pipes and devices: a snapshot cannot hold them, and they are not followed.
    skipped: int = 0


class Volatile:
    """The declared patterns of excluded paths (manifests/volatile.yaml).

    A pattern must match the full relative path of a file or folder; ``*`` also matches slashes.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        #: A match for a path that is excluded.
        self.match = re.compile("|".join(translate(pattern) for pattern in patterns) or r"(?!)").match

    def __call__(self, path: str) -> bool:
        return self.match(path) is not None


def scan(root: Path, volatile: Volatile) -> Scan:
    """Walk ``root`` without following links. Raises OSError: a folder cannot be read."""
    result = Scan()
    is_volatile, is_file, is_folder = volatile.match, stat.S_ISREG, stat.S_ISDIR
    add = result.files.append
    pending = [""]
    while pending:
        folder = pending.pop()
        with listed(f"{root}/{folder}") as listing:
            prefix = f"{folder}/" if folder else ""
            for item in listing:
                path = prefix + item.name
                if is_volatile(path):
                    continue
                status = item.stat(follow_symlinks=False)
                mode = status.st_mode
                if is_file(mode):
                    add(_scanned((path, mode & 0o777, stat_key(status))))
                elif is_folder(mode):
                    add(_scanned((path, mode & 0o777, None)))
                    pending.append(path)
                else:
                    result.skipped += 1
    result.files.sort(key=itemgetter(0))
    return result


@contextmanager
def listed(folder: str) -> Iterator[Iterator[os.DirEntry[str]]]:
    """The entries of a folder, opened: so the stat of each needs no walk along the path, a quarter of its cost. Ask for
    it before the next entry. Links are not followed. Raises OSError.
    """
    with Opened(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW) as handle, os.scandir(handle) as entries:
        yield entries


#: From the fields without a call of Python's: every file of a workspace has one.
_stat_key: Callable[[tuple[int, int, int, int]], StatKey] = partial(tuple.__new__, StatKey)


def stat_key(status: os.stat_result) -> StatKey:
    return _stat_key((status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino))


def change_time(folder: Path) -> int:
    """The file system's current time (ns): every later change gets this time or a later one."""
    with tempfile.TemporaryFile(dir=folder) as probe:
        return os.fstat(probe.fileno()).st_ctime_ns


def shows_every_write(folder: Path) -> bool:
    """Whether every write in this folder changes the file's stat. On tmpfs it does not: a write to a page that was
    mapped and read does not show, so an agent could change a file and its stat would stay as recorded.

    Raises OSError.
    """
    with tempfile.TemporaryFile(dir=folder) as probe:
        # Written, not only truncated to this size: on a full disk a write fails, but a mapped hole kills the process.
        probe.write(bytes(mmap.PAGESIZE))
        probe.flush()
        # The current time may not advance within one clock tick; from 0, any update shows.
        os.utime(probe.fileno(), ns=(0, 0))
        try:
            with mmap.mmap(probe.fileno(), mmap.PAGESIZE) as view:
                view[0] = view[0] | 1
        except OSError:
            return False  # It cannot map files, and may lack other features too.
        return os.fstat(probe.fileno()).st_mtime_ns != 0


def settled(cache: StatCache, sealed_ns: int) -> StatCache:
    """Only trustworthy entries: a file as young as ``sealed_ns`` may still change unseen within the same clock tick."""
    return {path: recorded for path, recorded in cache.items() if recorded[0].ctime_ns < sealed_ns}
