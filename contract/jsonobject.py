"""JSON objects that may be absent, damaged, or somebody else's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson


def parsed(data: bytes | str) -> dict[str, Any]:
    """The JSON object that this is; an empty one where it is none."""
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        return {}
    return document if isinstance(document, dict) else {}


def read(path: Path) -> dict[str, Any]:
    """The JSON object in a file; an empty one where there is none."""
    try:
        return parsed(path.read_bytes())
    except OSError:
        return {}
