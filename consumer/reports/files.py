"""Writes the files of reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson


def put(path: Path, data: bytes) -> bool:
    """Write a file unless it has this content already; return whether it was written. A link at the path is replaced,
    not followed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
        return False
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    return True


def encode(document: Any) -> bytes:
    """JSON for people and tools: indented, one newline at the end."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
