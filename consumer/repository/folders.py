"""Remove what runs left behind, whatever its modes. Links are never followed."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from pathlib import Path


def make_writable(folder: Path) -> None:
    """Make every folder writable, so that its content can be removed (evidence is sealed, agents set any mode)."""
    folder.chmod(0o700)
    # Before each folder is entered, because ``os.walk`` silently skips one that it cannot read.
    for path, names, _files in os.walk(folder):
        for name in names:
            if not os.path.islink(inner := f"{path}/{name}"):  # noqa: PTH114 (a Path per folder costs more)
                os.chmod(inner, 0o700)  # noqa: PTH101 (as above)


def remove(path: Path) -> None:
    """Remove a file, a link or a folder with its content. Raises OSError."""
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


def foreign_attributes(path: str) -> list[str]:
    """Names of extended attributes that a former owner may have left: access lists, which outlive a change of owner and
    mode, and user attributes. Links are not followed. Raises OSError.
    """
    if sys.platform != "linux":
        return []
    try:
        names = os.listxattr(path, follow_symlinks=False)
    except OSError as exc:
        if exc.errno == errno.ENOTSUP:  # The file system has no attributes.
            return []
        raise
    return [name for name in names if name.startswith(("user.", "system.posix_"))]


def size(folder: Path) -> int:
    """Bytes on disk of all files below, without holes. Raises OSError."""
    total = 0
    for parent, _folders, files in os.walk(folder):
        total += sum(os.lstat(f"{parent}/{name}").st_blocks for name in files) * 512
    return total
