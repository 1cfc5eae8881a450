"""Recognise a full disk behind any error: of our own writes, of a database in the run folder, or of a tool.

No caller checks free space before writing, so a full disk can surface as any error anywhere.
"""

from __future__ import annotations

import errno
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from consumer.errors import ConsumerError, DiskFull, Retryable, SynthesisInvalid, ToolFailed

_ERRNOS: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
#: Error names that our messages repeat from a tool's output; 53100 is Postgres's disk_full.
_NAMES: Final = re.compile(r"\b(?:ENOSPC|EDQUOT|SQLSTATE 53100)\b")
#: A tool that fails with less than this free ran out of disk: databases write 8 KiB pages and logs of megabytes.
_NOTHING_LEFT_BYTES: Final = 1024 * 1024
#: How many exceptions of one cause chain are examined.
_MAX_CAUSES: Final = 8


@contextmanager
def named(root: Path) -> Iterator[None]:
    """Raise DiskFull in place of an error that a full disk below ``root`` caused; other errors pass unchanged."""
    try:
        yield
    except Exception as exc:
        if disk_full := full(exc, root):
            raise disk_full from exc
        raise


def full(raised: Exception, root: Path) -> DiskFull | None:
    """A DiskFull error if a full disk caused this exception, else None."""
    if isinstance(raised, DiskFull) or not _is_full(raised, root):
        return None
    return DiskFull(f"no space left below {root}: {_space(root)}; raised as {type(raised).__name__}")


def _is_full(raised: Exception, root: Path) -> bool:
    # A terminal error (lock lost, cancelled) stays what it is, whatever the state of the disk.
    if isinstance(raised, ConsumerError) and not isinstance(raised, Retryable):
        return False
    if any(_names_full_disk(error) for error in _chain(raised)):
        return True
    if not isinstance(raised, (ToolFailed, SynthesisInvalid)):
        return False
    return bool(_NAMES.search(str(raised))) or _free_bytes(root) < _NOTHING_LEFT_BYTES


def _names_full_disk(raised: BaseException) -> bool:
    if isinstance(raised, OSError):
        return raised.errno in _ERRNOS
    return isinstance(raised, sqlite3.Error) and getattr(raised, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL


def _chain(raised: BaseException) -> Iterator[BaseException]:
    """The exception and its explicit causes; ``__context__`` does not count."""
    error: BaseException | None = raised
    for _ in range(_MAX_CAUSES):
        if error is None:
            return
        yield error
        error = error.__cause__


def _space(root: Path) -> str:
    try:
        usage = shutil.disk_usage(root)
    except OSError:
        return "its size is unknown"
    return f"{usage.free} of {usage.total} bytes free"


def _free_bytes(root: Path) -> float:
    try:
        return shutil.disk_usage(root).free
    except OSError:
        return float("inf")
