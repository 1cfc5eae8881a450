"""The one JSON encoding that is hashed, signed and compared: RFC 8785 (JCS), UTF-8, no trailing newline."""

from __future__ import annotations

import hashlib
from typing import Any

import rfc8785


def dumps(value: Any) -> bytes:
    """Encode plain JSON data canonically.

    Integers beyond 2**53 and non-finite numbers have no canonical form; callers carry them as strings.

    Raises:
        ValueError: the value has no canonical form (rfc8785's own errors derive from it).
    """
    return bytes(rfc8785.dumps(value))


def sha256_hex(data: bytes) -> str:
    """Lower-case hexadecimal SHA-256."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """``sha256:<hex>`` over the canonical form of plain JSON data."""
    return "sha256:" + sha256_hex(dumps(value))
