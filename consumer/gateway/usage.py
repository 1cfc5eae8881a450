"""Tokens of a model's answer, read while it passes by. Keeps no content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import orjson

#: A line of a stream beyond this is no usage report; it is not kept.
LINE_BYTES: Final = 64 * 1024
#: An answer in one piece beyond this is passed on and not read: embeddings of a hundred pages take a few MiB.
ANSWER_BYTES: Final = 16 * 1024 * 1024
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
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return Tokens(_count(usage.get("prompt_tokens")), _count(cached), _count(usage.get("completion_tokens")))


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


class Meter:
    """Watches one answer go by: a JSON document, or server-sent events of which the last with usage counts.

    ``answers``: what comes back is the model's words, which cost by their length; an embedding is not.
    """

    def __init__(self, request_bytes: int, *, streamed: bool, answers: bool = True) -> None:
        self._request_bytes = request_bytes
        self._streamed = streamed
        self._answers = answers
        self._buffer = bytearray()
        self._seen = 0
        self._found: Tokens | None = None

    def feed(self, chunk: bytes) -> None:
        self._seen += len(chunk)
        if not self._streamed:
            self._keep(chunk)
            return
        self._buffer += chunk
        *lines, rest = self._buffer.split(b"\n")
        for line in lines:
            if line.startswith(b"data:") and b'"usage"' in line and len(line) <= LINE_BYTES:
                self._found = _parse(bytes(line[5:])) or self._found
        self._buffer = rest if len(rest) <= LINE_BYTES else bytearray()

    def tokens(self) -> Tokens:
        """What the provider said; an estimate from the bytes where it said nothing (an answer that broke off)."""
        if not self._streamed and self._buffer:
            self._found, self._buffer = _parse(bytes(self._buffer)), bytearray()
        output = self._seen // BYTES_A_TOKEN if self._answers else 0
        return self._found or Tokens(self._request_bytes // BYTES_A_TOKEN, 0, output)

    def _keep(self, chunk: bytes) -> None:
        if self._seen <= ANSWER_BYTES:
            self._buffer += chunk
        else:
            self._buffer = bytearray()


def _parse(data: bytes) -> Tokens | None:
    try:
        return of_object(orjson.loads(data))
    except orjson.JSONDecodeError:
        return None
