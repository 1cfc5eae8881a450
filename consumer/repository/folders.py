"""Removing what runs left behind, whatever modes it has. Links are never followed."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from pathlib import Path


def make_writable(folder: Path) -> None:
    """Every folder below, so that what is in it can be removed (evidence is sealed, and agents choose any mode)."""
    folder.chmod(0o700)
    # Each before it is entered: one that may not be read is passed over in silence.
    for path, names, _files in os.walk(folder):
        for name in names:
            if not os.path.islink(inner := f"{path}/{name}"):  # noqa: PTH114 (a Path per folder costs more)
                os.chmod(inner, 0o700)  # noqa: PTH101 (as above)


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


def lent(path: str) -> list[str]:
    """Names of attributes that whoever owned a file or folder may have left on it: access lists, which outlive a
    change of owner and of mode, and notes. Links are not followed.

    Raises OSError.
    """
    if sys.platform != "linux":
        return []
    try:
        names = os.listxattr(path, follow_symlinks=False)
    except OSError as exc:
        if exc.errno == errno.ENOTSUP:  # a file system that keeps none
            return []
        raise
    return [name for name in names if name.startswith(("user.", "system.posix_"))]


def size(folder: Path) -> int:
    """Bytes that all files below take on the disk, holes not among them. Raises OSError."""
    found = 0
    for where, _folders, files in os.walk(folder):
        found += sum(os.lstat(f"{where}/{name}").st_blocks for name in files) * 512
    return found
