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
_TEXT: Final = frozenset({str})
_ATOMS: Final = frozenset({str, int, bool, type(None)})
#: From here up both write a fraction the same way; below, and from 2**53 up, exponents begin to differ.
_SMALLEST_FRACTION: Final = 1e-4
_LARGEST_WHOLE: Final = 2.0**53


class _Unlike(Exception):
    """Not among what orjson writes as RFC 8785 wants it."""


def dumps(value: Any) -> bytes:
    """Encode plain JSON data canonically.

    Integers beyond 2**53 and non-finite numbers have no canonical form; callers carry them as strings.

    Raises:
        ValueError: the value has no canonical form (rfc8785's own errors derive from it).
    """
    try:
        return orjson.dumps(_alike(value, _FAST_DEPTH), option=_FAST)
    except (_Unlike, orjson.JSONEncodeError):
        # Beside the rare: a lone surrogate or a long integer. Let the reference say what is wrong.
        return bytes(rfc8785.dumps(value))


def sha256_hex(data: bytes) -> str:
    """Lower-case hexadecimal SHA-256."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """``sha256:<hex>`` over the canonical form of plain JSON data."""
    return "sha256:" + sha256_hex(dumps(value))


def has_digest(value: Any, known: str) -> bool:
    """Whether the value's canonical form has this ``digest``, which must be known to be one of a canonical form.

    A quick no says nothing; only a yes counts.
    """
    try:
        # The same digest means the same bytes, and those were canonical: no need to look at the value itself.
        return "sha256:" + sha256_hex(orjson.dumps(value, option=_FAST)) == known
    except orjson.JSONEncodeError:
        return False


def _alike(value: Any, depth: int) -> Any:
    """The value in the form that orjson writes exactly as RFC 8785 wants it. Raises _Unlike."""
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
        return {name: _alike(one, depth - 1) for name, one in value.items()}
    if kind is list or kind is tuple:
        return value if _ATOMS.issuperset(map(type, value)) else [_alike(one, depth - 1) for one in value]
    raise _Unlike


def _number(value: float) -> float:
    """JSON has one kind of number: RFC 8785 writes 2.0 as 2."""
    size = abs(value)
    if size < _LARGEST_WHOLE and value.is_integer():
        return int(value)
    if _SMALLEST_FRACTION <= size < _LARGEST_WHOLE:
        return value
    raise _Unlike
