"""The brain's page files: what differs is written, what is no more is removed, and both are remembered."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path


class PageFiles:
    """Paths are relative to ``brain``. ``changed`` and ``removed`` never share a path.

    ``look``: compare with the files themselves, and not with the digests that the index remembers of them.
    """

    def __init__(self, brain: Path, *, look: bool = False) -> None:
        self._brain = brain
        self._look = look
        self._folders: dict[str, Path] = {}
        self.changed: set[str] = set()
        self.removed: set[str] = set()

    def replace(self, before: Mapping[str, bytes], pages: Mapping[str, bytes]) -> dict[str, bytes]:
        """Bring one group's files from ``before`` (path -> SHA-256) to ``pages`` (path -> text); digests as now."""
        after = {path: hashlib.sha256(data).digest() for path, data in pages.items()}
        for path in before.keys() - after.keys():
            self.remove(path)
        for path, data in pages.items():
            if before.get(path) != after[path] or self.differs(path, data):
                self.write(path, data)
        return after

    def differs(self, path: str, data: bytes) -> bool:
        """Whether the file itself is another; always False unless this was made to ``look``."""
        if not self._look:
            return False
        try:
            return (self._brain / path).read_bytes() != data
        except FileNotFoundError:
            return True

    def write(self, path: str, data: bytes) -> None:
        """A reader sees the old file or the new one. Not synced: what lasts is the commit in the bucket."""
        folder, name = self._folder(path)
        beside = folder / f".{name[:100]}.tmp"
        beside.write_bytes(data)
        beside.replace(folder / name)
        self.removed.discard(path)
        self.changed.add(path)

    def remove(self, path: str) -> None:
        """Repeatable."""
        (self._brain / path).unlink(missing_ok=True)
        self.changed.discard(path)
        self.removed.add(path)

    def text(self, path: str) -> str:
        """The file as it is; "" when there is none."""
        try:
            return (self._brain / path).read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def _folder(self, path: str) -> tuple[Path, str]:
        # One page costs less to write than its folder to make sure of.
        parent, _, name = path.rpartition("/")
        folder = self._folders.get(parent)
        if folder is None:
            folder = self._folders[parent] = self._brain / parent
            folder.mkdir(parents=True, exist_ok=True)
        return folder, name
