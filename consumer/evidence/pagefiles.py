"""The brain's page files: writing changed ones, removing obsolete ones, recording both; and telling which changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from consumer import layout
from consumer.evidence import pages
from consumer.guarding import guarded
from consumer.ports import Guard

#: 64 bits of the digest detect a change, and keep the list short that every job with changes writes.
DIGEST_CHARS: Final = 16
#: The folder of evidence pages below ``brain/``.
EVIDENCE: Final = "sources"


def digest(data: bytes) -> str:
    """The start of the SHA-256 of a page's bytes."""
    return hashlib.sha256(data).hexdigest()[:DIGEST_CHARS]


def digests(
    root: Path,
    guard: Guard,
    known: Callable[[str, os.DirEntry[str]], str] = lambda _path, _item: "",
    rendered: Mapping[str, bytes] = MappingProxyType({}),
) -> dict[str, str]:
    """The digest of every page that a brain imports, by path relative to ``brain/``, sorted.

    ``known``: gives the whole SHA-256 of a file by its path in the workspace, and "" for one that must be read.
    ``rendered``: that of all evidence pages, by path; empty where that is not known.
    """
    by_path = {path: sha256.hex()[:DIGEST_CHARS] for path, sha256 in rendered.items() if pages.importable(path)}
    files = regular_files(str(root / layout.BRAIN), rendered)
    for path, item in guarded((pair for pair in files if pages.importable(pair[0])), guard):
        sha256 = known(f"{layout.BRAIN}/{path}", item)
        by_path[path] = sha256[:DIGEST_CHARS] if sha256 else digest(Path(item.path).read_bytes())
    return dict(sorted(by_path.items()))


def regular_files(
    folder: str, rendered: Mapping[str, bytes] = MappingProxyType({})
) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """The regular files below a folder, by path relative to it: no links, no pipes. None where it is absent.

    ``rendered``: its evidence pages, as the record index names them. Then their folder is left out: only rendering
    writes there, and of thousands of pages half are evidence.
    """
    start, folders = len(folder) + 1, [folder]
    left_out = f"{folder}/{EVIDENCE}" if rendered else ""
    while folders:
        try:
            entries = os.scandir(folders.pop())
        except OSError:
            # Absent or unreadable: no page.
            continue
        with entries:
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    yield entry.path[start:], entry
                elif entry.is_dir(follow_symlinks=False) and entry.path != left_out:
                    folders.append(entry.path)


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
        beside = f"{folder}/.{name[:100]}.tmp"
        # Path objects cost as much as the write.
        with open(beside, "wb") as file:  # noqa: PTH123
            file.write(data)
        os.replace(beside, f"{folder}/{name}")  # noqa: PTH105
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
