"""Descriptors that are closed behind a block."""

from __future__ import annotations

import os
from pathlib import Path


class Opened:
    """``with Opened(path, flags) as handle``. Raises OSError.

    Not a generator's context: that would cost each of a workspace's thousands of files a microsecond.
    """

    __slots__ = ("_handle",)

    def __init__(self, path: str | Path, flags: int, mode: int = 0o600, *, folder: int | None = None) -> None:
        self._handle = os.open(path, flags, mode, dir_fd=folder)

    def __enter__(self) -> int:
        return self._handle

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)
