"""Removing what runs left behind, whatever modes it has. Links are never followed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def make_writable(folder: Path) -> None:
    """Every folder below, so that what is in it can be removed (evidence is sealed read-only)."""
    for path, _folders, _files in os.walk(folder):
        os.chmod(path, 0o700)  # noqa: PTH101 (os.walk's own str; a Path per folder costs more than the call)


def remove(path: Path) -> None:
    """A file, a link or a whole folder. Raises OSError."""
    if path.is_dir() and not path.is_symlink():
        make_writable(path)
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def empty(root: Path) -> None:
    """Make a run folder empty again. Raises OSError."""
    if not root.exists():
        return
    root.chmod(0o700)
    for path in list(root.iterdir()):
        remove(path)


def size(folder: Path) -> int:
    """Bytes that all files below take on the disk, holes not among them. Raises OSError."""
    found = 0
    for where, _folders, files in os.walk(folder):
        found += sum(os.lstat(f"{where}/{name}").st_blocks for name in files) * 512
    return found
