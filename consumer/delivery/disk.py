"""A full disk under its own name, whoever met it: our own write, a database in the run folder, or a tool.

Nobody below asks for room before writing, so a full disk shows as any error at any place; here it is recognised.
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
#: What our messages about tools repeat of theirs; 53100 is Postgres's disk_full.
_NAMED: Final = re.compile(r"\b(?:ENOSPC|EDQUOT|SQLSTATE 53100)\b")
#: A tool that fails with less than this left failed for it: databases write pages of 8 KiB and logs of megabytes.
_NOTHING_LEFT_BYTES: Final = 1024 * 1024
#: Exceptions of one chain that are looked at.
_MAX_CAUSES: Final = 8


@contextmanager
def named(root: Path) -> Iterator[None]:
    """Raises DiskFull instead of whatever a full disk below ``root`` made fail; all else as it comes."""
    try:
        yield
    except Exception as exc:
        found = full(exc, root)
        if found:
            raise found from exc
        raise


def full(raised: Exception, root: Path) -> DiskFull | None:
    """What this exception is if a full disk is behind it."""
    if isinstance(raised, DiskFull) or not _is_full(raised, root):
        return None
    return DiskFull(f"no room left below {root}: {_room(root)}; met as {type(raised).__name__}")


def _is_full(raised: Exception, root: Path) -> bool:
    # What is over (lock lost, cancelled) or cannot be mended stays what it is, whatever the disk does.
    if isinstance(raised, ConsumerError) and not isinstance(raised, Retryable):
        return False
    if any(_says_so(one) for one in _chain(raised)):
        return True
    if not isinstance(raised, (ToolFailed, SynthesisInvalid)):
        return False
    return bool(_NAMED.search(str(raised))) or _free_bytes(root) < _NOTHING_LEFT_BYTES


def _says_so(raised: BaseException) -> bool:
    if isinstance(raised, OSError):
        return raised.errno in _ERRNOS
    return isinstance(raised, sqlite3.Error) and getattr(raised, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL


def _chain(raised: BaseException) -> Iterator[BaseException]:
    """The exception and what caused it; what merely happened before does not count."""
    one: BaseException | None = raised
    for _ in range(_MAX_CAUSES):
        if one is None:
            return
        yield one
        one = one.__cause__


def _room(root: Path) -> str:
    try:
        usage = shutil.disk_usage(root)
    except OSError:
        return "its size cannot be told"
    return f"{usage.free} of {usage.total} bytes free"


def _free_bytes(root: Path) -> float:
    try:
        return shutil.disk_usage(root).free
    except OSError:
        return float("inf")
