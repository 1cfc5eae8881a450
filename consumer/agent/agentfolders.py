"""Folders that an agent could write to, whatever it did to them: an agent may take every right from its own files."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from pathlib import Path


def reclaim(folder: Path) -> None:
    """Give the owner all rights to a folder and the folders below it. Follows no link. Repeatable."""
    if folder.is_symlink() or not folder.is_dir():
        return
    with contextlib.suppress(OSError):
        folder.chmod(stat.S_IMODE(folder.stat().st_mode) | stat.S_IRWXU)
    for entry in _entries(folder):
        reclaim(entry)


def remove(folder: Path) -> None:
    """Remove a folder with everything in it; of a link, only the link. Repeatable.

    Raises OSError if something cannot be removed, such as files of another user.
    """
    if folder.is_symlink() or not folder.is_dir():
        folder.unlink(missing_ok=True)
        return
    reclaim(folder)
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(folder)


def _entries(folder: Path) -> list[Path]:
    try:
        return [Path(entry.path) for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
