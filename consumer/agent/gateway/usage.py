"""What passes by in a model's answer: its tokens, and whether it came to its end. Keeps no content of a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import orjson

#: A line of a stream beyond this is no usage report; it is not parsed.
LINE_BYTES: Final = 64 * 1024
#: A line of a stream beyond this is not waited for: an event carries a few words, or one tool call.
EVENT_BYTES: Final = 1024 * 1024
#: An answer in one piece beyond this is refused: embeddings of a hundred pages take a few MiB.
ANSWER_BYTES: Final = 16 * 1024 * 1024
#: Characters a token, where an answer broke off before it told its usage. Rather too many than none.
BYTES_A_TOKEN: Final = 4


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """``input`` includes ``cached``."""

    input: int = 0
    cached: int = 0
    output: int = 0


def of_object(value: Any) -> TokenCounts | None:
    """The ``usage`` of a response or chunk; None where it has none."""
    usage = value.get("usage") if isinstance(value, dict) else None
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return TokenCounts(_count(usage.get("prompt_tokens")), _count(cached), _count(usage.get("completion_tokens")))


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


class Meter:
    """Counts one answer. ``answers``: the answer is the model's words, which cost by their length; vectors do not."""

    def __init__(self, request_bytes: int, *, answers: bool = True) -> None:
        self._request_bytes = request_bytes
        self._answers = answers
        self._seen = 0
        self._found: TokenCounts | None = None

    def see(self, size: int) -> None:
        """So many more bytes of the answer came."""
        self._seen += size

    def tell(self, found: TokenCounts | None) -> None:
        """What the provider said that it counted; the last word holds."""
        self._found = found or self._found

    def tokens(self) -> TokenCounts:
        """What the provider said; an estimate from the bytes where it said nothing (an answer that broke off)."""
        output = self._seen // BYTES_A_TOKEN if self._answers else 0
        return self._found or TokenCounts(self._request_bytes // BYTES_A_TOKEN, 0, output)


class Document:
    """An answer in one piece, kept until it is whole: half of one must not look like a short one."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._body = bytearray()

    def feed(self, chunk: bytes) -> bool:
        """Whether there is room for more; what is beyond it is not kept."""
        self._meter.see(len(chunk))
        if len(self._body) + len(chunk) > ANSWER_BYTES:
            self._body = bytearray()
            return False
        self._body += chunk
        return True

    def end(self) -> bytes | None:
        """The answer; None: it is no JSON object, so it broke off or is something else."""
        body = bytes(self._body)
        value = _parse(body)
        if not isinstance(value, dict):
            return None
        self._meter.tell(of_object(value))
        return body


class Events:
    """Server-sent events, of which complete lines may pass. Of those with usage the last counts."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._rest = bytearray()
        self._done = False

    def feed(self, chunk: bytes) -> bytes:
        """The lines that are complete with this chunk. A part of a line waits: after a cut it would spoil the error."""
        self._meter.see(len(chunk))
        complete, newline, rest = bytes(self._rest + chunk).rpartition(b"\n")
        self._rest = bytearray(rest)
        for line in complete.split(b"\n"):
            self._read(line)
        return complete + newline

    @property
    def endless(self) -> bool:
        """Whether a line grows beyond what we keep of one."""
        return len(self._rest) > EVENT_BYTES

    def end(self) -> bytes | None:
        """A last line that no newline ended; None: the stream broke off before it said that it is done."""
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
