"""The one JSON encoding that is hashed, signed and compared: RFC 8785 (JCS), UTF-8, no trailing newline."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import orjson
import rfc8785

#: What orjson sorts by code point, RFC 8785 by UTF-16 unit: the same for ASCII names, the only ones taken fast.
_FAST: Final = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER
#: Data nested deeper than this goes the slow way, which has limits of its own.
_FAST_DEPTH: Final = 32
_ATOMS: Final = frozenset({str, int, bool, type(None)})


def dumps(value: Any) -> bytes:
    """Encode plain JSON data canonically.

    Integers beyond 2**53 and non-finite numbers have no canonical form; callers carry them as strings.

    Raises:
        ValueError: the value has no canonical form (rfc8785's own errors derive from it).
    """
    if _alike(value, _FAST_DEPTH):
        try:
            return orjson.dumps(value, option=_FAST)
        except orjson.JSONEncodeError:
            pass  # a lone surrogate or a long integer: let the reference say what is wrong
    return bytes(rfc8785.dumps(value))


def sha256_hex(data: bytes) -> str:
    """Lower-case hexadecimal SHA-256."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """``sha256:<hex>`` over the canonical form of plain JSON data."""
    return "sha256:" + sha256_hex(dumps(value))


def _alike(value: Any, depth: int) -> bool:
    """Whether orjson writes this exactly as RFC 8785 wants it: all but fractions and names beyond ASCII."""
    kind = type(value)
    if kind in _ATOMS:
        return True
    if depth == 0:
        return False
    if kind is dict:
        if not all(type(name) is str and name.isascii() for name in value):
            return False
        return all(type(one) in _ATOMS or _alike(one, depth - 1) for one in value.values())
    if kind is list or kind is tuple:
        return all(type(one) in _ATOMS or _alike(one, depth - 1) for one in value)
    return False
