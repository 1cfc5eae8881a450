"""Evidence is read-only to agents. Since they may run code, a write cannot be prevented; it is detected and undone.

Before the agent runs, every file outside its own places gets a digest; afterwards all of them are read and hashed,
since times and sizes can be forged. A file that is as hydrate wrote it is not read before the agent runs: its digest is
that of the commit, from which it can be restored. A copy of the others is kept in memory. With thousands of pages the
calls cost, not the bytes.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import zstandard

from consumer import layout
from consumer.errors import SnapshotIncomplete
from consumer.guarding import guarded
from consumer.ports import Guard
from consumer.repository import content
from consumer.repository.scan import change_time, listed, settled, stat_key
from consumer.snapshot import snapshot
from consumer.snapshot.snapshot import Entry, StatCache, StatKey

#: Places that agents and their tools may write. Skills are not among them: a skill steers the next run's agent.
OPEN: Final = (*layout.DERIVED, layout.HERMES_HOME, layout.GBRAIN_HOME, layout.AGENT_VIEW, layout.SUBAGENTS, ".agent")
CLOSED: Final = (f"{layout.HERMES_HOME}/skills", f"{layout.HERMES_HOME}/plugins", f"{layout.HERMES_HOME}/cron")
#: Hermes counts here how often it opened a skill; this steers no agent.
COUNTED: Final = f"{layout.HERMES_HOME}/skills/.usage"
#: Bytes of files kept for repair. Beyond it a change is detected, but only discarding the run undoes it.
KEPT_BYTES: Final = 512 * 1024 * 1024
#: The first bytes of those that are kept uncompressed: compressing small pages takes longer than hashing them.
PLAIN_BYTES: Final = 64 * 1024 * 1024

#: Path -> the file's bytes in the commit that was hydrated. Raises KeyError, SnapshotIncomplete, BlobUnavailable.
ReadsCommit = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Copy:
    """``data``: a file's content, compressed (zstd) if ``packed``."""

    data: bytes
    packed: bool = False

    def content(self) -> bytes:
        if not self.packed:
            return self.data
        return zstandard.ZstdDecompressor().decompress(self.data, max_output_size=KEPT_BYTES)


@dataclass(frozen=True, slots=True)
class SealBreach:
    path: str
    kind: str  # written, removed, added
    undone: bool


@dataclass(slots=True)
class Seal:
    """The state of everything an agent must not change, by path relative to the run folder.

    ``copies``: of files that are not as hydrated, up to KEPT_BYTES. ``original``: opens the commit for the others.
    ``intact``: the files that ``mend`` last read and that were as sealed, with their stat then.
    """

    root: Path
    workplace: str
    files: Mapping[str, Entry]
    copies: Mapping[str, Copy]
    original: Callable[[], ReadsCommit] | None = None
    intact: StatCache = field(default_factory=dict)

    @property
    def pages_digest(self) -> str:
        """A digest of the sealed pages' paths and contents: the same evidence gives the same digest on any machine."""
        total = hashlib.sha256()
        for path, entry in sorted(self.files.items()):
            if path.startswith(layout.BRAIN + "/"):
                total.update(f"{path}\0{entry.digest}\n".encode())
        return total.hexdigest()

    def mend(self, guard: Guard) -> tuple[SealBreach, ...]:
        """Restore changed and removed files, remove added ones; returns the action for each path.

        Raises BlobUnavailable where a file cannot be restored now, and whatever the guard raises.
        """
        root, intact = str(self.root), {}
        here = {path for path, _ in _walk(self.root, self.workplace, guard)}
        for path, sealed in self.files.items():
            key = _look(root, path, sealed, self.copies.get(path)) if path in here else None
            if key is not None:
                intact[path] = (key, sealed)
        added = [path for path in here if path not in self.files]
        changes = [SealBreach(path, "added", _remove(self.root / path)) for path in added]
        touched = [path for path in self.files if path not in intact]
        read = self.original() if self.original and not self.copies.keys() >= set(touched) else None
        for path in touched:
            data = self._content(path, read)
            if data is not None:
                _restore(self.root / path, data, self.files[path].mode)
            changes.append(SealBreach(path, "written" if path in here else "removed", data is not None))
        self.intact = settled(intact, change_time(self.root))
        return tuple(sorted(changes, key=lambda change: change.path))

    def _content(self, path: str, read: ReadsCommit | None) -> bytes | None:
        """What a sealed file contained; None: nobody has it."""
        if path in self.copies:
            return self.copies[path].content()
        try:
            data = read(path) if read else None
        except (KeyError, SnapshotIncomplete):
            return None
        # Of a file that was too large to keep, the commit may have an earlier content.
        expected = (self.files[path].size, self.files[path].digest)
        return data if data is not None and snapshot.digest_of(data) == expected else None


def take(
    root: Path,
    workplace: str,
    guard: Guard,
    hydrated: StatCache | None = None,
    original: Callable[[], ReadsCommit] | None = None,
) -> Seal:
    """Seal everything but the open places and ``workplace``, the folder of this job's own files.

    ``hydrated``: the files as hydrate left them; ``original``: opens their commit. Without it all files are read.
    """
    compressor = zstandard.ZstdCompressor(level=1)
    unchanged = hydrated if hydrated and original else {}
    files: dict[str, Entry] = {}
    copies: dict[str, Copy] = {}
    kept_bytes = 0
    for path, item in _walk(root, workplace, guard):
        key, entry = unchanged.get(path, (None, None))
        if entry is not None and key == stat_key(item.stat(follow_symlinks=False)):
            files[path] = entry
            continue
        files[path], data = _read(str(root), path)
        kept_bytes += len(data)
        packed = kept_bytes > PLAIN_BYTES
        if kept_bytes <= KEPT_BYTES:
            copies[path] = Copy(compressor.compress(data) if packed else data, packed)
    return Seal(root, workplace, files, copies, original)


def _read(root: str, path: str) -> tuple[Entry, bytes]:
    """A file's entry and content. Raises OSError, also for anything else: nothing else belongs in a workspace."""
    seen = content.read_whole(root, path)
    if seen is None:
        raise OSError(errno.EINVAL, f"{layout.unnamed(path)} is not a regular file")
    return seen


def _walk(root: Path, workplace: str, guard: Guard) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Sealed paths: everything that is not a folder."""
    special = _ancestors((*OPEN, *CLOSED, workplace))
    folders = [""]
    while folders:
        folder = folders.pop()
        # Below a folder without open or closed places, everything is as sealed as the folder.
        plain = folder not in special and not _under(folder, layout.HERMES_HOME)
        with listed(f"{root}/{folder}") as entries:
            for entry in guarded(entries, guard):
                path = f"{folder}/{entry.name}" if folder else entry.name
                # A linked folder is not walked into; it is reported like a file, and so removed.
                if entry.is_dir(follow_symlinks=False):
                    if plain or _enter(path, workplace):
                        folders.append(path)
                elif plain or _sealed(path, workplace):
                    yield path, entry


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


def _look(root: str, path: str, sealed: Entry, copy: Copy | None) -> StatKey | None:
    """The stat of a file that is as sealed; None for one that is not, or cannot be read."""
    try:
        if copy is not None and not copy.packed:
            return content.stat_if_bytes(root, path, copy.data)
        return content.read_if_same(root, path, sealed)
    except OSError:
        return None


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _restore(target: Path, data: bytes, mode: int) -> None:
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    else:
        target.unlink(missing_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    target.chmod(mode)
