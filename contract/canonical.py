"""The one JSON encoding that is hashed, signed and compared: RFC 8785 (JCS), UTF-8, no trailing newline."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import orjson
import rfc8785

#: orjson sorts names by code point, RFC 8785 by UTF-16 unit. Both agree on ASCII names, the only ones encoded fast.
_FAST: Final = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER
#: Deeper data takes the slow path, which has its own limits.
_FAST_DEPTH: Final = 32
_TEXT: Final = frozenset({str})
_ATOMS: Final = frozenset({str, int, bool, type(None)})
#: From this value up both write a fraction the same way; below it, and from 2**53 up, exponents may differ.
_SMALLEST_FRACTION: Final = 1e-4
_LARGEST_WHOLE: Final = 2.0**53


class _Unlike(Exception):
    """orjson would not write this value as RFC 8785 requires."""


def dumps(value: Any) -> bytes:
    """Encode plain JSON data canonically.

    Integers beyond 2**53 and non-finite numbers have no canonical form; callers carry them as strings.

    Raises ValueError: the value has no canonical form (rfc8785's own errors derive from it).
    """
    try:
        return orjson.dumps(_alike(value, _FAST_DEPTH), option=_FAST)
    except (_Unlike, orjson.JSONEncodeError):
        # A rare value, or one without a canonical form (a lone surrogate, a long integer): rfc8785 encodes or refuses.
        return bytes(rfc8785.dumps(value))


def sha256_hex(data: bytes) -> str:
    """Lower-case hexadecimal SHA-256."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """``sha256:<hex>`` over the canonical form of plain JSON data."""
    return "sha256:" + sha256_hex(dumps(value))


def has_digest(value: Any, expected: str) -> bool:
    """Quick check of a value against the ``digest`` of a canonical form. False proves nothing; True is certain."""
    try:
        # The same digest means the same bytes, and those were canonical: the value itself needs no check.
        return "sha256:" + sha256_hex(orjson.dumps(value, option=_FAST)) == expected
    except orjson.JSONEncodeError:
        return False


def _alike(value: Any, depth: int) -> Any:
    """The value in a form that orjson writes exactly as RFC 8785 requires. Raises _Unlike."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is float:
        return _number(value)
    if depth == 0:
        raise _Unlike
    if kind is dict:
        if not (_TEXT.issuperset(map(type, value)) and "".join(value).isascii()):
            raise _Unlike
        if _ATOMS.issuperset(map(type, value.values())):
            return value
        return {name: _alike(item, depth - 1) for name, item in value.items()}
    if kind is list or kind is tuple:
        return value if _ATOMS.issuperset(map(type, value)) else [_alike(item, depth - 1) for item in value]
    raise _Unlike


def _number(value: float) -> float:
    """JSON has one kind of number: RFC 8785 writes 2.0 as 2."""
    size = abs(value)
    if size < _LARGEST_WHOLE and value.is_integer():
        return int(value)
    if _SMALLEST_FRACTION <= size < _LARGEST_WHOLE:
        return value
    raise _Unlike
