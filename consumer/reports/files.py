"""Writes the files of reports, and keeps a model's rulings."""

from __future__ import annotations

from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any, Final

import orjson

_APPENDED_BYTES: Final = 1024 * 1024


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


def append(path: Path, data: bytes) -> None:
    """Add to a file. A link at the path is replaced, not followed; so is a file that only somebody else can have made
    so large.
    """
    is_ours = path.is_file() and not path.is_symlink() and path.stat().st_size <= _APPENDED_BYTES
    before = path.read_bytes() if is_ours else b""
    put(path, before + data)


def encode(document: Any) -> bytes:
    """JSON for people and tools: indented, one newline at the end."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def read_rulings(path: Path, allowed: Set[str], version: str = "") -> dict[str, str]:
    """Key -> ruling as ``keep_rulings`` left them; empty where the file is absent, damaged, or of another version."""
    try:
        document = orjson.loads(path.read_bytes())
        if document.get("version", "") != version:
            return {}
        rows = document["rulings"]
        return {str(key): ruling for key, ruling in rows if isinstance(ruling, str) and ruling in allowed}
    except (OSError, orjson.JSONDecodeError, AttributeError, KeyError, TypeError, ValueError):
        return {}


def keep_rulings(
    path: Path, earlier: Mapping[str, str], latest: Mapping[str, str], most: int, version: str = ""
) -> None:
    """Write rulings, the latest last; of too many the first are dropped."""
    kept = [(key, ruling) for key, ruling in earlier.items() if key not in latest]
    stated = {"version": version} if version else {}
    put(path, encode({**stated, "rulings": [*kept, *latest.items()][-most:]}))
