"""
Database values -> the plain JSON that is hashed and sent.

Changes and counts whatever JSON, RFC 8785 or UTF-8 cannot carry, the same way every time: numbers that a double cannot
hold become strings; NUL and lone surrogates become U+FFFD; non-finite numbers and times become text.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from controlplane.redaction import names_secret, without_secrets

#: Integers beyond this are not exact in a double (RFC 8785, section 3.2.2.3).
SAFE_INTEGER: Final = 2**53 - 1
#: RFC 8785 writes a double with an exponent from this value on.
PLAIN_DIGITS: Final = 1e21
#: Deeper JSON is cut: parsers in other languages give up at about a thousand.
MAX_DEPTH: Final = 100
#: The number of significant digits that every double keeps.
EXACT_DIGITS: Final = 15
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass
class Notes:
    """Counts of the changes in one page of one source: (field, reason) -> count."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, column: str, reason: str) -> None:
        self.counts[column, reason] += 1


class TooDeep:
    """Stands for JSON nested too deep to be parsed."""


class Unreadable:
    """Stands for text in a JSON column that is not JSON."""


def plain(value: Any, column: str, notes: Notes, depth: int = 0) -> Any:
    """One value -> plain JSON. ``column`` is the top-level field that counts are kept under."""
    if value is None or isinstance(value, bool):
        return value
    convert = _CONVERTERS.get(type(value))
    if convert is not None:
        return convert(value, column, notes)
    if isinstance(value, Unreadable):
        notes.add(column, "unreadable")
        return "[unreadable]"
    if depth >= MAX_DEPTH or isinstance(value, TooDeep):
        notes.add(column, "too_deep")
        return "[too deep]"
    return _nested(value, column, notes, depth)


def _nested(value: Any, column: str, notes: Notes, depth: int) -> Any:
    if isinstance(value, dict):
        return _object(value, column, notes, depth)
    if isinstance(value, list | tuple):
        return [plain(item, column, notes, depth + 1) for item in value]
    # For an unlisted type its text is better than a failed export.
    return _text(str(value), column, notes)


def load_json(text: str | bytes) -> Any:
    """The database's JSON -> Python without losing digits: what a double cannot hold stays a string or a Decimal."""
    try:
        return json.loads(text, parse_int=_integer_text, parse_float=Decimal)
    except RecursionError:
        return TooDeep()
    except ValueError:
        return Unreadable()


def _integer_text(digits: str) -> Any:
    # Python refuses to convert very long literals; those are beyond a double anyway.
    return int(digits) if len(digits) <= EXACT_DIGITS else _LongInteger(digits)


class _LongInteger(str):
    """The digits of an integer literal, not yet converted."""

    __slots__ = ()


def _long(value: _LongInteger, column: str, notes: Notes) -> Any:
    return _integer(int(value), column, notes) if len(value) <= 17 else str(value)


def _integer(value: int, column: str, notes: Notes) -> Any:
    return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else str(value)


def _float(value: float, column: str, notes: Notes) -> Any:
    if math.isfinite(value):
        return format(Decimal(repr(value)), "f") if _looks_whole(value) else value + 0.0
    notes.add(column, "not_finite")
    return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, "NaN")


def _decimal(value: Decimal, column: str, notes: Notes) -> Any:
    if not value.is_finite():
        return _float(math.nan if value.is_nan() else float(value), column, notes)
    if value == value.to_integral_value() and abs(value) <= SAFE_INTEGER:
        return int(value)
    nearest = float(value)
    if math.isfinite(nearest) and not _looks_whole(nearest) and Decimal(repr(nearest)) == value:
        return nearest
    return str(value)


def _looks_whole(value: float) -> bool:
    """Whether RFC 8785 writes this double without a point. It would be read as an integer that no double holds."""
    return SAFE_INTEGER < abs(value) < PLAIN_DIGITS


def _text(value: str, column: str, notes: Notes) -> str:
    if not value.isascii() and _SURROGATE.search(value):
        notes.add(column, "lone_surrogate")
        value = _SURROGATE.sub("\ufffd", value)
    if "\x00" in value:
        notes.add(column, "nul")
        value = value.replace("\x00", "\ufffd")
    value, reasons = without_secrets(value)
    for reason in reasons:
        notes.add(column, reason)
    return value


def _object(value: dict[str, Any], column: str, notes: Notes, depth: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, item in value.items():
        key = _text(name, column, notes)
        if names_secret(name) and item not in (None, "", [], {}):
            notes.add(column, "secret_name")
            result[key] = "[redacted:secret_name]"
        else:
            result[key] = plain(item, column, notes, depth + 1)
    return result


_CONVERTERS: Final[dict[type, Callable[[Any, str, Notes], Any]]] = {
    str: _text,
    int: _integer,
    float: _float,
    Decimal: _decimal,
    _LongInteger: _long,
}
