"""Writes the brain's page files: replaces changed pages, removes obsolete ones, and records both."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path


class PageFiles:
    """Paths are relative to ``brain``. ``changed`` and ``removed`` never share a path.

    ``look``: compare with the files themselves instead of the digests in the index.
    """

    def __init__(self, brain: Path, *, look: bool = False) -> None:
        self._brain = brain
        self._look = look
        self._folders: dict[str, Path] = {}
        self.changed: set[str] = set()
        self.removed: set[str] = set()

    def replace(self, before: Mapping[str, bytes], pages: Mapping[str, bytes]) -> dict[str, bytes]:
        """Change a group's files from ``before`` (path -> SHA-256) to ``pages`` (path -> text); -> the new digests."""
        after = {path: hashlib.sha256(data).digest() for path, data in pages.items()}
        for path in before.keys() - after.keys():
            self.remove(path)
        for path, data in pages.items():
            if before.get(path) != after[path] or self.differs(path, data):
                self.write(path, data)
        return after

    def differs(self, path: str, data: bytes) -> bool:
        """Whether the file's content differs from ``data``; always False without ``look``."""
        if not self._look:
            return False
        try:
            return (self._brain / path).read_bytes() != data
        except FileNotFoundError:
            return True

    def write(self, path: str, data: bytes) -> None:
        """Replace the file atomically. Not synced: only the commit in the bucket is durable."""
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
        """The file's text; "" where it is absent."""
        try:
            return (self._brain / path).read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def _folder(self, path: str) -> tuple[Path, str]:
        # Checking that a folder exists costs more than writing a page, so each folder is checked once.
        parent, _, name = path.rpartition("/")
        folder = self._folders.get(parent)
        if folder is None:
            folder = self._folders[parent] = self._brain / parent
            folder.mkdir(parents=True, exist_ok=True)
        return folder, name
