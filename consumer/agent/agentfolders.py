"""Folders that an agent could write to, whatever it did to them.

An agent may take all rights from its own files, and may nest folders deeper than a path or a recursion can be long.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from pathlib import Path


def reclaim(folder: Path) -> None:
    """Give the owner all rights to a folder and the folders below it. Follows no link. Repeatable."""
    waiting = [] if folder.is_symlink() else [str(folder)]
    while waiting:
        place = waiting.pop()
        # What cannot be reached by its path cannot be read by it, either.
        with contextlib.suppress(OSError):
            _allow(place)
            waiting += [entry.path for entry in os.scandir(place) if entry.is_dir(follow_symlinks=False)]


def remove(folder: Path) -> None:
    """Remove a folder with everything in it; of a link, only the link. Repeatable.

    Raises OSError if something cannot be removed, such as files of another user.
    """
    if folder.is_symlink() or not folder.is_dir():
        folder.unlink(missing_ok=True)
        return
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        _remove_level_by_level(folder)


def _remove_level_by_level(folder: Path) -> None:
    """Moves what is two levels down one level up, until nothing is left. No path grows long."""
    _allow(folder)
    while entries := list(os.scandir(folder)):
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                Path(entry.path).unlink()
                continue
            _allow(entry.path)
            for below in list(os.scandir(entry.path)):
                if below.is_dir(follow_symlinks=False):
                    _allow(below.path)
                    # An empty folder with a name of its own, which the moved one replaces.
                    Path(below.path).rename(tempfile.mkdtemp(dir=folder))
                else:
                    Path(below.path).unlink()
            Path(entry.path).rmdir()
    folder.rmdir()


def _allow(place: Path | str) -> None:
    path = Path(place)
    path.chmod(stat.S_IMODE(path.stat().st_mode) | stat.S_IRWXU)
