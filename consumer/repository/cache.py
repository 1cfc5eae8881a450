"""Objects cached on this instance between runs: by user and digest, bounded, and hashed before each use."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from contract.canonical import sha256_hex

#: The cache's folder below RUN_ROOT.
CACHE: Final = "cache"


class Cache(Protocol):
    """The cache that ``Objects`` uses."""

    def get(self, user_id: str, digest: str) -> bytes | None: ...
    def put(self, user_id: str, digest: str, data: bytes) -> None: ...


@dataclass(slots=True)
class MemoryCache:
    """The last objects read, for one command over many small files."""

    max_bytes: int = 64 << 20
    objects: OrderedDict[str, bytes] = field(default_factory=OrderedDict)

    def get(self, user_id: str, digest: str) -> bytes | None:
        del user_id  # One command serves one user.
        return self.objects.get(digest)

    def put(self, user_id: str, digest: str, data: bytes) -> None:
        del user_id
        self.objects[digest] = data
        while sum(map(len, self.objects.values())) > self.max_bytes:
            self.objects.popitem(last=False)


@dataclass(frozen=True, slots=True)
class ObjectCache:
    """Files ``folder/<user_id>/<digest>``. A disk error counts as a miss."""

    folder: Path
    #: The oldest files are deleted if the total exceeds this, or this share of the disk, since runs need the rest.
    max_bytes: int = 2 * 1024**3
    disk_share: float = 0.25

    def get(self, user_id: str, digest: str) -> bytes | None:
        """The object if it is cached and undamaged."""
        path = self.folder / user_id / digest
        try:
            data = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        if sha256_hex(data) != digest:
            path.unlink(missing_ok=True)
            return None
        return data

    def put(self, user_id: str, digest: str, data: bytes) -> None:
        folder = self.folder / user_id
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).rename(folder / digest)

    def forget(self, user_id: str) -> None:
        """Delete everything of one user, as after a purge."""
        with contextlib.suppress(OSError):
            for path in (self.folder / user_id).iterdir():
                path.unlink(missing_ok=True)

    def trim(self) -> None:
        """Delete the oldest files until the total is within the limit. Called once per run."""
        with contextlib.suppress(OSError):
            files = [(path, path.stat()) for path in self.folder.glob("*/*")]
            limit = min(self.max_bytes, int(shutil.disk_usage(self.folder).total * self.disk_share))
            excess = sum(stat.st_size for _, stat in files) - limit
            for path, stat in sorted(files, key=lambda item: item[1].st_atime_ns):
                if excess <= 0:
                    return
                path.unlink(missing_ok=True)
                excess -= stat.st_size
