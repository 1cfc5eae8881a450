"""Evidence is read-only to agents. They may run code, so nothing stops a write; it is found and undone afterwards.

Before the agent every file outside its own places is hashed and kept compressed in memory; afterwards all are hashed
again, since times and sizes can be forged.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import zstandard

from consumer.core import layout
from consumer.ports import Guard

#: Places where agents and their tools write by right. A skill steers the next run's agent, so it is not among them.
OPEN: Final = (*layout.DERIVED, layout.HERMES_HOME, layout.GBRAIN_HOME, ".agent")
CLOSED: Final = (f"{layout.HERMES_HOME}/skills", f"{layout.HERMES_HOME}/plugins", f"{layout.HERMES_HOME}/cron")
#: Hermes counts here how often it opened a skill; it steers nothing.
COUNTED: Final = f"{layout.HERMES_HOME}/skills/.usage"
#: Bytes of files that are kept to be put back; beyond it a change is found, but only throwing the run away undoes it.
KEPT_BYTES: Final = 512 * 1024 * 1024
#: Files between two questions to the guard.
BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Kept:
    """``data`` is the zstd-compressed content, None where the limit was reached."""

    digest: str
    mode: int
    data: bytes | None


@dataclass(frozen=True, slots=True)
class Change:
    path: str
    kind: str  # written, removed, added
    undone: bool


@dataclass(frozen=True, slots=True)
class Seal:
    """The state of everything an agent must not touch, by path relative to the run folder."""

    root: Path
    workplace: str
    files: Mapping[str, Kept]

    @property
    def pages_digest(self) -> str:
        """Of the sealed pages' paths and contents: the same evidence gives the same, on any machine."""
        total = hashlib.sha256()
        for path, kept in sorted(self.files.items()):
            if path.startswith(layout.BRAIN + "/"):
                total.update(f"{path}\0{kept.digest}\n".encode())
        return total.hexdigest()

    def mend(self, guard: Guard) -> tuple[Change, ...]:
        """Put back what was changed or removed, remove what was added; what was done about each path."""
        found = {path: _digest(self.root / path) for path in _walk(self.root, self.workplace, guard)}
        added = [path for path in found if path not in self.files]
        changes = [Change(path, "added", _remove(self.root / path)) for path in added]
        for path, kept in self.files.items():
            if found.get(path) != kept.digest:
                kind = "written" if path in found else "removed"
                changes.append(Change(path, kind, _restore(self.root, path, kept)))
        return tuple(sorted(changes, key=lambda change: change.path))


def take(root: Path, workplace: str, guard: Guard) -> Seal:
    """Seal everything but the open places and ``workplace``, the folder of this job's own files."""
    compressor = zstandard.ZstdCompressor(level=1)
    files: dict[str, Kept] = {}
    held = 0
    for path in _walk(root, workplace, guard):
        data = (root / path).read_bytes()
        held += len(data)
        kept = compressor.compress(data) if held <= KEPT_BYTES else None
        files[path] = Kept(_sha256(data), (root / path).stat().st_mode & 0o777, kept)
    return Seal(root, workplace, files)


def _walk(root: Path, workplace: str, guard: Guard) -> Iterator[str]:
    """Sealed paths: every file, link or other thing that is no folder, in a stable order."""
    count = 0
    for folder, names, entries in os.walk(root):
        here = Path(folder).relative_to(root).as_posix()
        # A linked folder is not walked into; it is reported like a file, and so removed.
        linked = [name for name in names if (Path(folder) / name).is_symlink()]
        names[:] = sorted(name for name in names if name not in linked and _enter(_join(here, name), workplace))
        for name in sorted([*entries, *linked]):
            path = _join(here, name)
            count += 1
            if count % BATCH == 0:
                guard.check()
            if _sealed(path, workplace):
                yield path


def _join(folder: str, name: str) -> str:
    return name if folder == "." else f"{folder}/{name}"


def _under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _sealed(path: str, workplace: str) -> bool:
    if any(_under(path, folder) for folder in CLOSED):
        return not path.startswith(COUNTED)
    return not any(_under(path, folder) for folder in (*OPEN, workplace))


def _enter(path: str, workplace: str) -> bool:
    return _sealed(path, workplace) or any(_under(folder, path) for folder in CLOSED)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _digest(path: Path) -> str:
    """Of a regular file's content; of nothing that a file could have, for anything else."""
    if path.is_symlink() or not path.is_file():
        return "no regular file"
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return "unreadable"


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _restore(root: Path, path: str, kept: Kept) -> bool:
    if kept.data is None:
        return False
    target = root / path
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    else:
        target.unlink(missing_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(zstandard.ZstdDecompressor().decompress(kept.data, max_output_size=KEPT_BYTES))
    target.chmod(kept.mode)
    return True
