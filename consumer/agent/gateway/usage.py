"""Reads a model's answer as it passes: its tokens, and whether it is complete. Keeps no content of a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import orjson

#: A longer line of a stream is not a usage report and is not parsed.
LINE_BYTES: Final = 64 * 1024
#: A longer line of a stream is cut: an event carries a few words, or one tool call.
EVENT_BYTES: Final = 1024 * 1024
#: A longer stream is cut: an answer of 100,000 tokens, one event each, takes about 40 MiB.
STREAM_BYTES: Final = 128 * 1024 * 1024
#: A larger answer in one piece is refused: embeddings of a hundred pages take a few MiB.
ANSWER_BYTES: Final = 16 * 1024 * 1024
#: Bytes per token, for an answer that broke off before it reported its usage. A rough estimate: English has some four,
#: and a small model's vocabulary three or fewer. An answer's bytes are those of its events, far more than its words.
BYTES_A_TOKEN: Final = 4


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """``input`` includes ``cached``."""

    input: int = 0
    cached: int = 0
    output: int = 0


def of_object(value: Any) -> TokenCounts | None:
    """The ``usage`` of a response or chunk; None if it has none."""
    usage = value.get("usage") if isinstance(value, dict) else None
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return TokenCounts(_count(usage.get("prompt_tokens")), _count(cached), _count(usage.get("completion_tokens")))


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


class Meter:
    """Counts one answer. ``answers``: the answer is text, which costs by its length; vectors do not."""

    def __init__(self, request_bytes: int, *, answers: bool = True) -> None:
        self._request_bytes = request_bytes
        self._answers = answers
        self._seen = 0
        self._reported: TokenCounts | None = None

    def see(self, size: int) -> None:
        """Count ``size`` more bytes of the answer."""
        self._seen += size

    def tell(self, counts: TokenCounts | None) -> None:
        """Take the provider's own counts; the last ones count."""
        self._reported = counts or self._reported

    def tokens(self) -> TokenCounts:
        """The provider's counts; for an answer that broke off, an estimate from its bytes."""
        output = self._seen // BYTES_A_TOKEN if self._answers else 0
        return self._reported or TokenCounts(self._request_bytes // BYTES_A_TOKEN, 0, output)


class Document:
    """An answer in one piece, kept until it is complete: half an answer must not look like a short one."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._body = bytearray()

    def feed(self, chunk: bytes) -> bool:
        """Add a chunk; False when there is no more room. The excess is not kept."""
        self._meter.see(len(chunk))
        if len(self._body) + len(chunk) > ANSWER_BYTES:
            self._body = bytearray()
            return False
        self._body += chunk
        return True

    def end(self) -> bytes | None:
        """The answer; None: it is not a JSON object, so it broke off or is something else."""
        body = bytes(self._body)
        value = _parse(body)
        if not isinstance(value, dict):
            return None
        self._meter.tell(of_object(value))
        return body


class Events:
    """Server-sent events, passed on in complete lines. The last event with usage counts."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._rest = bytearray()
        self._size = 0
        self._done = False

    def feed(self, chunk: bytes) -> bytes:
        """The lines completed by this chunk. A partial line waits: after a cut it would spoil the error event."""
        self._meter.see(len(chunk))
        self._size += len(chunk)
        # Search only the new bytes and copy a partial line once: a line may come byte by byte.
        ends, newline, rest = chunk.rpartition(b"\n")
        if not newline:
            self._rest += chunk
            return b""
        complete = bytes(self._rest) + ends
        self._rest = bytearray(rest)
        for line in complete.split(b"\n"):
            self._read(line)
        return complete + newline

    @property
    def endless(self) -> bool:
        """Whether a line, or the stream, exceeds its limit."""
        return len(self._rest) > EVENT_BYTES or self._size > STREAM_BYTES

    def end(self) -> bytes | None:
        """A last line without a newline; None: the stream broke off before its done event."""
        self._read(bytes(self._rest))
        return bytes(self._rest) if self._done else None

    def _read(self, line: bytes) -> None:
        if not line.startswith(b"data:"):
            return
        data = line[5:].strip()
        if data == b"[DONE]":
            self._done = True
        elif b'"usage"' in data and len(data) <= LINE_BYTES:
            self._meter.tell(of_object(_parse(data)))


def _parse(data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
