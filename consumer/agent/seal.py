"""Evidence is read-only to agents. Since they may run code, a write cannot be prevented; it is detected and undone.

Before the agent runs, every file outside its own places is hashed and kept in memory; afterwards all are hashed again,
since times and sizes can be forged. Each file is opened once each time, without following links: with thousands of
pages the calls cost, not the bytes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import zstandard

from consumer import layout
from consumer.ports import Guard

#: Places that agents and their tools may write. Skills are not among them: a skill steers the next run's agent.
OPEN: Final = (*layout.DERIVED, layout.HERMES_HOME, layout.GBRAIN_HOME, layout.AGENT_VIEW, ".agent")
CLOSED: Final = (f"{layout.HERMES_HOME}/skills", f"{layout.HERMES_HOME}/plugins", f"{layout.HERMES_HOME}/cron")
#: Hermes counts here how often it opened a skill; this steers no agent.
COUNTED: Final = f"{layout.HERMES_HOME}/skills/.usage"
#: Bytes of files kept for repair. Beyond it a change is detected, but only discarding the run undoes it.
KEPT_BYTES: Final = 512 * 1024 * 1024
#: The first bytes of those that are kept uncompressed: compressing small pages takes longer than hashing them.
PLAIN_BYTES: Final = 64 * 1024 * 1024
#: A larger file is hashed in pieces.
WHOLE_BYTES: Final = 8 * 1024 * 1024
#: Replaces the digest of anything that is not a file with content; no file has this digest.
NO_FILE: Final = "not a regular file"
#: Files between two checks of the guard.
BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Kept:
    """``data``: the content, compressed (zstd) if ``packed``; None if the limit was reached."""

    digest: str
    mode: int
    data: bytes | None
    packed: bool = False

    def content(self) -> bytes | None:
        if self.data is None or not self.packed:
            return self.data
        return zstandard.ZstdDecompressor().decompress(self.data, max_output_size=KEPT_BYTES)


@dataclass(frozen=True, slots=True)
class SealBreach:
    path: str
    kind: str  # written, removed, added
    undone: bool


@dataclass(frozen=True, slots=True)
class Seal:
    """The state of everything an agent must not change, by path relative to the run folder."""

    root: Path
    workplace: str
    files: Mapping[str, Kept]

    @property
    def pages_digest(self) -> str:
        """A digest of the sealed pages' paths and contents: the same evidence gives the same digest on any machine."""
        total = hashlib.sha256()
        for path, kept in sorted(self.files.items()):
            if path.startswith(layout.BRAIN + "/"):
                total.update(f"{path}\0{kept.digest}\n".encode())
        return total.hexdigest()

    def mend(self, guard: Guard) -> tuple[SealBreach, ...]:
        """Restore changed and removed files, remove added ones; returns the action for each path."""
        digests = {path: _digest(f"{self.root}/{path}") for path in _walk(self.root, self.workplace, guard)}
        added = [path for path in digests if path not in self.files]
        changes = [SealBreach(path, "added", _remove(self.root / path)) for path in added]
        for path, kept in self.files.items():
            if digests.get(path) != kept.digest:
                kind = "written" if path in digests else "removed"
                changes.append(SealBreach(path, kind, _restore(self.root, path, kept)))
        return tuple(sorted(changes, key=lambda change: change.path))


def take(root: Path, workplace: str, guard: Guard) -> Seal:
    """Seal everything but the open places and ``workplace``, the folder of this job's own files."""
    compressor = zstandard.ZstdCompressor(level=1)
    files: dict[str, Kept] = {}
    kept_bytes = 0
    for path in _walk(root, workplace, guard):
        mode, data = _read(f"{root}/{path}")
        kept_bytes += len(data)
        packed = kept_bytes > PLAIN_BYTES
        kept = None if kept_bytes > KEPT_BYTES else compressor.compress(data) if packed else data
        files[path] = Kept(hashlib.sha256(data).hexdigest(), mode, kept, packed)
    return Seal(root, workplace, files)


def _read(path: str) -> tuple[int, bytes]:
    """Mode and content. Raises OSError, also for anything but a regular file: nothing else belongs in a workspace."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        status = os.fstat(descriptor)
        data = os.read(descriptor, status.st_size + 1)
        while piece := os.read(descriptor, WHOLE_BYTES) if len(data) < status.st_size else b"":
            data += piece
    finally:
        os.close(descriptor)
    return status.st_mode & 0o777, data


def _walk(root: Path, workplace: str, guard: Guard) -> Iterator[str]:
    """Sealed paths: everything that is not a folder."""
    special = _ancestors((*OPEN, *CLOSED, workplace))
    folders, count = [""], 0
    while folders:
        folder = folders.pop()
        # Below a folder without open or closed places, everything is as sealed as the folder.
        plain = folder not in special and not _under(folder, layout.HERMES_HOME)
        with os.scandir(f"{root}/{folder}" if folder else root) as entries:
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                count += 1
                if count % BATCH == 0:
                    guard.check()
                # A linked folder is not walked into; it is reported like a file, and so removed.
                if entry.is_dir(follow_symlinks=False):
                    if plain or _enter(path, workplace):
                        folders.append(path)
                elif plain or _sealed(path, workplace):
                    yield path


def _ancestors(places: Iterable[str]) -> frozenset[str]:
    """Every folder above one of these, and the root."""
    parts = [place.split("/") for place in places]
    return frozenset("/".join(names[:depth]) for names in parts for depth in range(len(names)))


def _under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _sealed(path: str, workplace: str) -> bool:
    if any(_under(path, folder) for folder in CLOSED):
        return not path.startswith(COUNTED)
    return not any(_under(path, folder) for folder in (*OPEN, workplace))


def _enter(path: str, workplace: str) -> bool:
    return _sealed(path, workplace) or any(_under(folder, path) for folder in CLOSED)


def _digest(path: str) -> str:
    """The digest of a regular file's content; NO_FILE for anything else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return "unreadable"
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return NO_FILE
        digest, total = hashlib.sha256(), 0
        # One call for most files: a byte more is asked for than they have, so that less means their end.
        size = min(status.st_size, WHOLE_BYTES) + 1
        while piece := os.read(descriptor, size):
            digest.update(piece)
            total += len(piece)
            if status.st_size <= total < size:
                break
        return digest.hexdigest()
    except OSError:
        return "unreadable"
    finally:
        os.close(descriptor)


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _restore(root: Path, path: str, kept: Kept) -> bool:
    content = kept.content()
    if content is None:
        return False
    target = root / path
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    else:
        target.unlink(missing_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    target.chmod(kept.mode)
    return True
