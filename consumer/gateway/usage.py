"""Tokens of a model's answer, read while it passes by. Keeps no content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import orjson

#: A line of a stream beyond this is no usage report; it is not kept.
LINE_BYTES: Final = 64 * 1024
#: Characters a token, where an answer broke off before it told its usage. Rather too many than none.
BYTES_A_TOKEN: Final = 4


@dataclass(frozen=True, slots=True)
class Tokens:
    """``input`` includes ``cached``."""

    input: int = 0
    cached: int = 0
    output: int = 0


def of_object(value: Any) -> Tokens | None:
    """The ``usage`` of a response or chunk; None where it has none."""
    usage = value.get("usage") if isinstance(value, dict) else None
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details") or {}
    return Tokens(
        _count(usage.get("prompt_tokens")), _count(details.get("cached_tokens")), _count(usage.get("completion_tokens"))
    )


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


class Meter:
    """Watches one answer go by: a JSON document, or server-sent events of which the last with usage counts."""

    def __init__(self, request_bytes: int, *, streamed: bool) -> None:
        self._request_bytes = request_bytes
        self._streamed = streamed
        self._buffer = bytearray()
        self._seen = 0
        self._found: Tokens | None = None

    def feed(self, chunk: bytes) -> None:
        self._seen += len(chunk)
        self._buffer += chunk
        if not self._streamed:
            return
        *lines, rest = self._buffer.split(b"\n")
        for line in lines:
            if line.startswith(b"data:") and b'"usage"' in line and len(line) <= LINE_BYTES:
                self._found = _parse(bytes(line[5:])) or self._found
        self._buffer = rest if len(rest) <= LINE_BYTES else bytearray()

    def tokens(self) -> Tokens:
        """What the provider said; an estimate from the bytes where it said nothing (an answer that broke off)."""
        if not self._streamed:
            self._found = _parse(bytes(self._buffer))
        estimate = Tokens(self._request_bytes // BYTES_A_TOKEN, 0, self._seen // BYTES_A_TOKEN if self._streamed else 0)
        return self._found or estimate


def _parse(data: bytes) -> Tokens | None:
    try:
        return of_object(orjson.loads(data))
    except orjson.JSONDecodeError:
        return None
