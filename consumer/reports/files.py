"""Writing this stage's files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson


def put(path: Path, data: bytes) -> None:
    """Write a file of ours unless it says so already; a link that stands in its place is replaced, never followed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
        return
    path.unlink(missing_ok=True)
    path.write_bytes(data)


def encode(document: Any) -> bytes:
    """JSON for people and tools: indented, one newline at the end."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
