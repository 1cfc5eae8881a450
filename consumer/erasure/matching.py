"""What has to go when records are purged: whose a line is, which record a text names, whose words it repeats.

A text holds something of a purged record if it

- names it: its mark (what the names and anchors of its pages end in, see ``ports.records.Rerender``) or its id;
- repeats it: six of its words in a row, all of a shorter text that is distinctive, or one very long word, whatever
  their case, wrapping, quoting or escaping.

What a record that stays says too, or the page that is rendered of it, says nothing about the purged ones, and stays.
Nothing is ever selected here: which records are purged is decided before, by source and id.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from consumer import layout
from contract.records import record_digest

#: (source_key, record_id): what names a record.
RecordKey = tuple[str, str]
#: Words in a row that make a quotation.
PHRASE_WORDS: Final = 6
#: A shorter text is somebody's own only as a whole, with at least so many words and so many letters or digits: an
#: address, a title. Others ("yes", a name, a day) are nobody's own.
LEAST_WORDS: Final = 3
LEAST_LETTERS: Final = 16
LEAST_DIGITS: Final = 9
#: A single word of this length (a token, a line of an attachment) is a quotation by itself.
LONG_WORD: Final = 20
#: Shorter ids (counters, names) occur everywhere; records with such ids are found by their marks.
LEAST_ID: Final = 8
LEAST_NUMBER: Final = 12
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
    layout.STANDING,
)

#: Scripts that are written without spaces: a sign is a word.
_SIGN: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_SIGN}]|[^\W_{_SIGN}]+")
_ESCAPE: Final = re.compile(r"((?:\\u[0-9a-fA-F]{4})+)|\\[nrtbf\"/\\]")
#: The same for ids, which are compared sign by sign: also those of markdown.
_ID_ESCAPE: Final = re.compile(r"((?:\\u[0-9a-fA-F]{4})+)|\\([nrtbf])|\\")
_ENTITY: Final = re.compile(r"&(?:lt|gt|amp|quot);")
#: Signs that nobody sees, which rendering drops from some places and keeps in others.
_UNSEEN: Final = dict.fromkeys([0xAD, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A)])
#: What rendering drops from an id, replaces or puts into it (renderers/markdown.py).
_NO_PART_OF_AN_ID: Final = _UNSEEN | dict.fromkeys(
    [*range(9), *range(0x0E, 0x1C), *range(0x7F, 0x85), *range(0x86, 0xA0), 0xFFFD, ord("`")]
)
#: A mark stands at the end of a page's name or as an anchor, always behind a dash; in a database nothing follows it.
_MARK: Final = re.compile(rb"-(?=([a-z2-7]{12}))")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
#: Keys that only an object has which states or cites something: it goes as a whole, since without what it rests on it
#: would still say it.
_STATING: Final = frozenset({"citations", "quote", "reasons"})
_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
_HEADING: Final = re.compile(r"#{1,6} ")
#: How front matter writes the signs of an address (renderers/markdown.py).
_ASCII_ESCAPE: Final = re.compile(rb"\\u00([2-7][0-9a-f])")


@dataclass(slots=True)
class ErasureMatcher:
    """Marks, ids and words of the purged records, looked for in any bytes. Filled once, then read."""

    marks: set[bytes] = field(default_factory=set)
    #: Longest word of an id -> the ids that hold it, as ``_plain`` gives them; "" -> those without a word.
    ids: dict[str, set[str]] = field(default_factory=dict)
    #: Ids that something that stays names too.
    spared_ids: set[str] = field(default_factory=set)
    #: Length in words -> hashes of the phrases of that length.
    phrases: dict[int, set[int]] = field(default_factory=dict)

    def add(self, record: Mapping[str, Any], mark: str) -> None:
        """A version of a record that is purged."""
        self.marks.add(mark.encode())
        record_id = record["record_id"]
        for name in (record_digest(record["source_key"], record_id), *as_written(record_id)):
            plain = _plain(name)
            if _is_distinctive(plain):
                self.ids.setdefault(_longest_word(name), set()).add(plain)
        for text in _texts(record.get("data")):
            for written in as_written(text):
                for phrase in _own_phrases(written):
                    self.phrases.setdefault(len(phrase), set()).add(hash(phrase))

    def spare_record(self, record: Mapping[str, Any]) -> None:
        """A version of a record that stays: what it says or names is not looked for. Its texts one by one."""
        for text in (record["record_id"], *_texts(record.get("data"))):
            self.spare(text)

    def spare(self, text: str) -> None:
        """A text that stays whatever it says, such as a page rendered of records that stay."""
        for reading in as_written(text) | _readings(text):
            words = words_of(reading)
            self.spared_ids |= self._ids_in(reading, words)
            for length, known in self.phrases.items():
                if known:
                    known.difference_update(_hashes(words, length))

    def hit(self, data: bytes) -> bool:
        """Do these bytes hold anything of the purged records?"""
        data = _ASCII_ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), data)
        if self.marks and any(found[1] in self.marks for found in _MARK.finditer(data)):
            return True
        if not self.ids and not self.phrases:
            return False
        return any(map(self._speaks, _readings(data.decode("utf-8", errors="replace"))))

    def _speaks(self, text: str) -> bool:
        words = words_of(text)
        return bool(self._ids_in(text, words)) or any(
            not known.isdisjoint(_hashes(words, length)) for length, known in self.phrases.items() if known
        )

    def names(self, path: str) -> bool:
        """Does this path name a page of a purged record?"""
        return any(found[1] in self.marks for found in _MARK.finditer(path.encode("utf-8", "surrogatepass")))

    def _ids_in(self, text: str, words: Iterable[str]) -> set[str]:
        suspects = {name for word in self.ids.keys() & {"", *words} for name in self.ids[word]} - self.spared_ids
        if not suspects:
            return suspects
        plain = _plain(text)
        return {name for name in suspects if _stands_in(name, plain)}


def rebuilt(path: str) -> bool:
    """Does this path lie in a store that is made again as a whole?"""
    return path.startswith(REBUILT)


def redact(path: str, data: bytes, needles: ErasureMatcher) -> bytes | None:
    """A text made of records (a report, notes, a manifest) without what rests on purged ones; None: nothing stays.

    JSON loses the statements and citations that name or quote them, and other strings. Markdown loses list items with
    all that is indented below them, and paragraphs. Other text loses lines.
    """
    clean: bytes | None
    if path.endswith(".json"):
        clean = _json_redacted(data, needles)
    elif path.endswith(".md"):
        clean = _markdown_redacted(data, needles)
    else:
        clean = b"".join(line for line in data.splitlines(keepends=True) if not needles.hit(line))
    return None if clean is None or needles.hit(clean) else clean


def blank(line: bytes) -> bytes:
    """A raw line that says only that it was purged, as long as before: other lines are found by their offsets."""
    mark = b'{"purged":true}'
    body = line.rstrip(b"\n")
    padded = mark.ljust(len(body)) if len(body) >= len(mark) else b"{}".ljust(len(body))
    return padded + line[len(body) :]


def record_of(line: bytes) -> dict[str, Any] | None:
    """The record that a raw line speaks of; None: it was purged, or names no record.

    A broken record whose id could not be read has none here: earlier versions wrote "", which may be any record or
    several, so it can be neither selected nor suppressed, and nothing of its content is in the line.
    """
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    named = isinstance(document, dict) and document.get("source_key") and document.get("record_id")
    return document if named else None


def key_of(record: Mapping[str, Any]) -> RecordKey:
    return str(record["source_key"]), str(record["record_id"])


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared: without markup, escapes, case and unseen signs."""
    if "\\" in text:
        text = _ESCAPE.sub(_unescaped, text)
    if "&" in text:
        text = _ENTITY.sub(" ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_UNSEEN))
    return _WORD.findall(text.casefold())


def as_written(text: str) -> set[str]:
    """A text as it is, and with each backslash written as two, as JSON, quoted YAML and markdown do: ``C:\\new`` holds
    an escape in the one reading and none in the other.
    """
    return {text, text.replace("\\", "\\\\")}


def texts_of(value: Any) -> Iterator[str]:
    """Every string inside a JSON value, names of fields apart."""
    return _texts(value)


# --- matching ----------------------------------------------------------------------------------------------------


def _unescaped(found: re.Match[str]) -> str:
    if found[1] is None:
        return " "
    return bytes.fromhex(found[1].replace("\\u", "")).decode("utf-16-be", "replace")


def _is_distinctive(record_id: str) -> bool:
    """Whether an id can be looked for in any text: no counter, no day, no plain word."""
    if record_id.isdecimal():
        return len(record_id) >= LEAST_NUMBER
    return len(record_id) >= LEAST_ID and not record_id.isalpha() and not _DAY.match(record_id)


def _longest_word(name: str) -> str:
    return max(words_of(name), key=len, default="")


def _readings(text: str) -> set[str]:
    """A text as it is, and as text inside of JSON inside of JSON, where escapes are escaped themselves."""
    return {text, text.replace("\\\\", "\\")}


def _plain(text: str) -> str:
    """A text as ids are compared: on one line, without escapes, code spans and signs that nobody sees."""
    if "\\" in text:
        text = _ID_ESCAPE.sub(_id_unescaped, text)
    return " ".join(text.translate(_NO_PART_OF_AN_ID).replace("&lt;", "<").split())


def _id_unescaped(found: re.Match[str]) -> str:
    if found[1] is None:
        return " " if found[2] else ""
    return _unescaped(found)


def _stands_in(name: str, text: str) -> bool:
    """Whether an id stands in a text by itself and not as a part of a longer one."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if not _joins(text[start - 1 : start]) and not _joins(text[end : end + 1]):
            return True
        start = text.find(name, start + 1)
    return False


def _joins(sign: str) -> bool:
    return bool(sign) and (sign.isalnum() or sign in "-_")


def _own_phrases(text: str) -> Iterator[tuple[str, ...]]:
    words = words_of(text)
    if len(words) >= PHRASE_WORDS:
        yield from (tuple(words[n : n + PHRASE_WORDS]) for n in range(len(words) - PHRASE_WORDS + 1))
    elif len(words) >= LEAST_WORDS and _says_something(text):
        yield tuple(words)
    yield from ((word,) for word in words if len(word) >= LONG_WORD)


def _says_something(text: str) -> bool:
    if sum(map(str.isalpha, text)) >= LEAST_LETTERS:
        return True
    return sum(map(str.isdigit, text)) >= LEAST_DIGITS and not _DAY.match(text)


def _hashes(words: list[str], length: int) -> Iterator[int]:
    if length == 1:
        return (hash((word,)) for word in words if len(word) >= LONG_WORD)
    return map(hash, zip(*(words[n:] for n in range(length)), strict=False))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)


# --- redacting ---------------------------------------------------------------------------------------------------


def _json_redacted(data: bytes, needles: ErasureMatcher) -> bytes | None:
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    return orjson.dumps(_mapped(document, needles.hit), option=orjson.OPT_INDENT_2) + b"\n"


def _mapped(value: Any, hit: Callable[[bytes], bool]) -> Any:
    if isinstance(value, str):
        return REDACTED if hit(value.encode("utf-8", "surrogatepass")) else value
    if isinstance(value, list):
        return [_mapped(item, hit) for item in value if not _rests_on(item, hit)]
    if isinstance(value, dict):
        return {name: _mapped(item, hit) for name, item in value.items() if not hit(name.encode())}
    return value


def _rests_on(item: Any, hit: Callable[[bytes], bool]) -> bool:
    """Whether an item of a list is a statement or citation that names or quotes a purged record."""
    return isinstance(item, dict) and not _STATING.isdisjoint(item) and hit(orjson.dumps(item))


def _markdown_redacted(data: bytes, needles: ErasureMatcher) -> bytes | None:
    text = data.decode("utf-8", errors="surrogateescape")
    front, body = _split_front(text)
    if needles.hit(front.encode("utf-8", "surrogateescape")):
        return None
    parts = [_part_redacted(part, needles) for part in _parts(body)]
    return (front + "".join(parts)).encode("utf-8", "surrogateescape")


def _split_front(text: str) -> tuple[str, str]:
    if not text.startswith("---\n"):
        return "", text
    end = text.find("\n---\n", 3)
    return ("", text) if end < 0 else (text[: end + 5], text[end + 5 :])


def _parts(body: str) -> Iterator[str]:
    """List items with what is indented below them, paragraphs, fences and headings, each with the empty lines after it;
    joined they are the text.
    """
    part, fence = "", ""
    for line in body.splitlines(keepends=True):
        if part and not fence and _begins(line, part):
            yield part
            part = ""
        part += line
        sign = line.strip()[:3]
        if sign in ("```", "~~~"):
            fence = "" if sign == fence else fence or sign
    yield part


def _begins(line: str, part: str) -> bool:
    """Whether a line that is in no fence begins another part than the one before it."""
    if not line.strip():
        return False
    indented = line[0] in " \t"
    if part.endswith("\n\n") or not part.strip():
        return not (indented and _ITEM.match(part))
    return part.startswith("#") or line.startswith("#") or (not indented and _ITEM.match(line) is not None)


def _part_redacted(part: str, needles: ErasureMatcher) -> str:
    if not needles.hit(part.encode("utf-8", "surrogateescape")):
        return part
    item, heading = _ITEM.match(part), _HEADING.match(part)
    opening = item[0] if item else heading[0] if heading else ""
    return f"{opening}{REDACTED}\n" + "\n" * (len(part) - len(part.rstrip("\n")) - 1)
