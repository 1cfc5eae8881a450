"""What has to go when records are purged: by whom a line belongs, by whose words a text speaks.

A record is found by its id, and wherever its own words stand: any six of them in a row (all of a shorter text, from
three words on), whatever their case, wrapping or quoting. Words that records which stay use too say nothing about the
purged ones, and stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from consumer.core import layout

#: Words in a row that make a quotation.
PHRASE_WORDS: Final = 6
#: Shorter texts ("yes", a name) are nobody's own.
LEAST_WORDS: Final = 3
#: Shorter ids (counters, days) occur everywhere.
LEAST_ID: Final = 8
REDACTED: Final = "[purged]"
#: Stores that keep deleted rows in old blocks, or text nobody can take apart: they go whole and are made again.
REBUILT: Final = (
    f"{layout.GBRAIN_HOME}/",
    f"{layout.HERMES_HOME}/sessions/",
    f"{layout.HERMES_HOME}/logs/",
    f"{layout.HERMES_HOME}/memories/",
    f"{layout.HERMES_HOME}/state.db",
    # What the brain was last given: names of pages, which are made of titles.
    f"{layout.MANIFESTS}/index-state.json",
)
#: Rebuilt in place; its older versions go like the others.
RECOMPUTED: Final = (layout.RENDER_INDEX,)

_WORD = re.compile(r"\w+")
_ESCAPE = re.compile(r"\\[nrtbf\"/\\]")
#: How front matter writes the signs of an address (renderers/markdown.py).
_ASCII_ESCAPE = re.compile(rb"\\u00([2-7][0-9a-f])")


@dataclass(frozen=True, slots=True)
class Selection:
    """Which records are purged: one of a source, all of a source, or everything of the user."""

    source: str | None = None
    record_id: str | None = None

    @property
    def everything(self) -> bool:
        return self.source is None

    def takes(self, record: Mapping[str, Any]) -> bool:
        if self.source not in (None, record.get("source_key")):
            return False
        return self.record_id in (None, record.get("record_id"))


@dataclass(slots=True)
class Needles:
    """Ids and phrases of the purged records, looked for in any bytes. Filled once, then read."""

    ids: set[bytes] = field(default_factory=set)
    #: length in words -> hashes of phrases of that length.
    phrases: dict[int, set[int]] = field(default_factory=dict)

    def add(self, record: Mapping[str, Any]) -> None:
        """A record that is purged."""
        if len(record["record_id"]) >= LEAST_ID:
            self.ids.add(record["record_id"].encode())
        for phrase in _phrases_of(record.get("data")):
            self.phrases.setdefault(len(phrase), set()).add(hash(phrase))

    def add_page(self, stem: str) -> None:
        """The page of a purged record alone; its name is made of the record's title."""
        self.ids.add(stem.rpartition("/")[2].encode())

    def spare(self, record: Mapping[str, Any], line: bytes) -> None:
        """A record that stays: what it says or names too is not looked for."""
        self.ids = {name for name in self.ids if name not in line}
        for phrase in _phrases_of(record.get("data"), self.phrases):
            self.phrases[len(phrase)].discard(hash(phrase))

    def hit(self, data: bytes) -> bool:
        """Do these bytes hold anything of the purged records?"""
        data = _ASCII_ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), data)
        if any(name in data for name in self.ids):
            return True
        words = _words(_ESCAPE.sub(" ", data.decode("utf-8", errors="replace")))
        return any(
            hash(tuple(words[n : n + length])) in known
            for length, known in self.phrases.items()
            if known
            for n in range(len(words) - length + 1)
        )


def rebuilt(path: str) -> bool:
    """Does this path lie in a store that is made again as a whole?"""
    return path.startswith(REBUILT)


def redact(path: str, data: bytes, needles: Needles) -> bytes | None:
    """A derived text without what the purged records said; None: nothing can be kept of it."""
    clean = _json_redacted(data, needles) if path.endswith(".json") else _lines_redacted(data, needles)
    return None if clean is None or needles.hit(clean) else clean


def blank(line: bytes) -> bytes:
    """A raw line that says only that it was purged, as long as before: other lines are found by their offsets."""
    mark = b'{"purged":true}'
    body = line.rstrip(b"\n")
    padded = mark.ljust(len(body)) if len(body) >= len(mark) else b"{}".ljust(len(body))
    return padded + line[len(body) :]


def _json_redacted(data: bytes, needles: Needles) -> bytes | None:
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    return orjson.dumps(_mapped(document, needles.hit), option=orjson.OPT_INDENT_2) + b"\n"


def _mapped(value: Any, hit: Callable[[bytes], bool]) -> Any:
    if isinstance(value, str):
        return REDACTED if hit(value.encode()) else value
    if isinstance(value, list):
        return [_mapped(item, hit) for item in value]
    if isinstance(value, dict):
        return {name: _mapped(item, hit) for name, item in value.items() if not hit(name.encode())}
    return value


def _lines_redacted(data: bytes, needles: Needles) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join(REDACTED.encode() + b"\n" if needles.hit(line) else line for line in lines)


def _phrases_of(value: Any, lengths: Iterable[int] | None = None) -> Iterator[tuple[str, ...]]:
    """Phrases of every text inside a JSON value; of these lengths, or of the text's own."""
    for text in _texts(value):
        words = _words(text)
        own = [min(PHRASE_WORDS, len(words))] if len(words) >= LEAST_WORDS else []
        for length in own if lengths is None else list(lengths):
            for n in range(len(words) - length + 1):
                yield tuple(words[n : n + length])


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
