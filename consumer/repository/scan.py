"""What is in a run folder: files and folders with their modes, without what is volatile and what no snapshot holds."""

from __future__ import annotations

import mmap
import os
import re
import stat
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from pathlib import Path
from typing import NamedTuple

from consumer.snapshot.snapshot import Entry


class StatKey(NamedTuple):
    """What changes when a file's content does, by all that the file system tells without reading."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class ScannedFile(NamedTuple):
    """One file (``stat`` set) or folder, relative to the run folder."""

    path: str
    mode: int
    stat: StatKey | None


@dataclass(slots=True)
class Scan:
    #: In order of path.
    found: list[ScannedFile] = field(default_factory=list)
    #: Links, sockets, pipes and devices: a snapshot cannot hold them, and they are not followed.
    skipped: int = 0


class Volatile:
    """The declared patterns of names that are left out (manifests/volatile.yaml).

    A pattern is matched against the whole relative path of a file or folder; ``*`` crosses slashes.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._match = re.compile("|".join(translate(pattern) for pattern in patterns) or r"(?!)").match

    def __call__(self, path: str) -> bool:
        return self._match(path) is not None


def scan(root: Path, volatile: Volatile) -> Scan:
    """Walk ``root`` without following links.

    Raises:
        OSError: a folder cannot be read.
    """
    result = Scan()
    pending = [str(root)]
    skip = len(pending[0].rstrip("/")) + 1
    while pending:
        with os.scandir(pending.pop()) as listing:
            for item in listing:
                path = item.path[skip:]
                if volatile(path):
                    continue
                kept = _found(path, item.stat(follow_symlinks=False))
                if kept is None:
                    result.skipped += 1
                    continue
                result.found.append(kept)
                if kept.stat is None:
                    pending.append(item.path)
    result.found.sort(key=lambda item: item.path)
    return result


def stat_key(status: os.stat_result) -> StatKey:
    return StatKey(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def change_time(folder: Path) -> int:
    """The file system's own time now (ns): whatever is changed later bears this or a later time."""
    with tempfile.TemporaryFile(dir=folder) as probe:
        return os.fstat(probe.fileno()).st_ctime_ns


def shows_every_write(folder: Path) -> bool:
    """Whether a stat in this folder changes with whatever is written. In memory (tmpfs) it does not: a page that was
    mapped and read is then written without a word, so an agent could change a file whose stat stays the one recorded.

    Raises OSError.
    """
    with tempfile.TemporaryFile(dir=folder) as probe:
        # Written, not only made that long: without room that is an error, and a hole that is mapped kills the process.
        probe.write(bytes(mmap.PAGESIZE))
        probe.flush()
        # Its own time may stand still within a tick of the clock; this one moves if anything moves it.
        os.utime(probe.fileno(), ns=(0, 0))
        try:
            with mmap.mmap(probe.fileno(), mmap.PAGESIZE) as view:
                view[0] = view[0] | 1
        except OSError:
            return False  # it maps nothing: what else it lacks is not known either
        return os.fstat(probe.fileno()).st_mtime_ns != 0


#: path -> (stat as last seen, entry as last hashed).
StatCache = dict[str, tuple[StatKey, Entry]]


def settled(cache: StatCache, sealed_ns: int) -> StatCache:
    """Only what can be trusted: a file as young as the seal may still change within the same tick, unseen."""
    return {path: known for path, known in cache.items() if known[0].ctime_ns < sealed_ns}


def _found(path: str, status: os.stat_result) -> ScannedFile | None:
    mode = status.st_mode & 0o777
    if stat.S_ISDIR(status.st_mode):
        return ScannedFile(path, mode, None)
    if stat.S_ISREG(status.st_mode):
        return ScannedFile(path, mode, stat_key(status))
    return None
