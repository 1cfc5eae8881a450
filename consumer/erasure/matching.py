"""What a purge must remove: the record of a raw line, and texts that name or quote a purged record.

A text matches a purged record if it

- names it: by its mark (the end of its pages' names and anchors, see ``ports.records.Rerender``) or its id;
- titles a link with its title, where the link leads to a record that pages name by the purged one;
- quotes it: six of its words in a row, all of a shorter but distinctive text, or one very long word, in any case,
  wrapping, quoting or escaping.

Text that a remaining record or its rendered page also contains reveals nothing about the purged records, and stays.
This module selects no records: which ones are purged is decided before, by source and id.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from consumer import layout
from contract import jsonobject
from contract.records import record_digest

#: (source_key, record_id): identifies a record.
RecordKey = tuple[str, str]
#: Words in a row that make a quotation.
PHRASE_WORDS: Final = 6
#: A shorter text is distinctive only as a whole, with at least this many words and this many letters or digits: an
#: address, a title. Others ("yes", a name, a day) occur in many records.
MIN_WORDS: Final = 3
MIN_LETTERS: Final = 16
MIN_DIGITS: Final = 9
#: A single word of this length (a token, a line of an attachment) is a quotation by itself.
LONG_WORD: Final = 20
#: Shorter ids (counters, names) occur everywhere; records with such ids are found by their marks.
MIN_ID: Final = 8
MIN_NUMBER: Final = 12
REDACTED: Final = "[purged]"
#: Stores that keep deleted rows in old blocks, text of unknown structure, or digests of text that do not say which
#: records they rest on: they are deleted whole and rebuilt.
REBUILT: Final = (
    f"{layout.GBRAIN_HOME}/",
    f"{layout.HERMES_HOME}/sessions/",
    f"{layout.HERMES_HOME}/logs/",
    f"{layout.HERMES_HOME}/memories/",
    f"{layout.HERMES_HOME}/state.db",
    # Each run of a profile with a memory generates it again from statements; the agents' notes in it are lost.
    f"{layout.AGENT_MEMORY}/",
    # The brain's last input: page names, which are made of titles.
    f"{layout.MANIFESTS}/index-state.json",
    # The words of all pages. A purge builds it anew from the pages that remain.
    layout.SEARCH_INDEX,
    # A brain's own words about its pages: a line may rest on a record that it neither names nor quotes.
    f"{layout.DREAMS}/",
    layout.STANDING,
    layout.RULINGS,
    layout.DOUBTS,
    # Made anew from the records that remain.
    layout.TODAY,
    # How each rule was read: the names in a purged rule, without a mark of its record. Each report writes HOLDS anew.
    layout.HELD,
    layout.HOLDS,
    layout.AGENT_SIGHT,
    layout.UNREAD_RULES,
)

#: Scripts that are written without spaces: each character counts as a word.
_SPACELESS: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_SPACELESS}]|[^\W_{_SPACELESS}]+")
_ESCAPE: Final = re.compile(r"((?:\\u[0-9a-fA-F]{4})+)|\\[nrtbf\"/\\]")
#: Escapes in ids, which are compared character by character: also those of markdown.
_ID_ESCAPE: Final = re.compile(r"((?:\\u[0-9a-fA-F]{4})+)|\\([nrtbf])|\\")
_ENTITY: Final = re.compile(r"&(?:lt|gt|amp|quot);")
#: Invisible characters, which rendering drops in some places and keeps in others.
_UNSEEN: Final = dict.fromkeys([0xAD, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A)])
#: Characters that rendering drops from an id, replaces, or adds to it (renderers/markdown.py).
_NO_PART_OF_AN_ID: Final = _UNSEEN | dict.fromkeys(
    [*range(9), *range(0x0E, 0x1C), *range(0x7F, 0x85), *range(0x86, 0xA0), 0xFFFD, ord("`")]
)
#: A link whose target ends in a mark: its text, and the mark.
_LINKED: Final = re.compile(rb"\[((?:[^\[\]\\]|\\.){1,400})\]\([^()\s]{0,400}-([a-z2-7]{12})\)")
#: A mark follows a dash, at the end of a page's name or anchor.
_MARK: Final = re.compile(rb"-(?=([a-z2-7]{12}))")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
#: Keys of objects that make a statement or cite something. Such an object is removed as a whole, because without its
#: citations it would still make the statement. ``rests_on``: digests of records (the ledger of what was told).
_STATING: Final = frozenset({"citations", "quote", "reasons", "rests_on"})
_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
_HEADING: Final = re.compile(r"#{1,6} ")
#: Escapes of an address's punctuation in front matter (renderers/markdown.py).
_ASCII_ESCAPE: Final = re.compile(rb"\\u00([2-7][0-9a-f])")


@dataclass(slots=True)
class ErasureMatcher:
    """Finds marks, ids and words of the purged records in any bytes. Filled once, then only read."""

    marks: set[bytes] = field(default_factory=set)
    #: Longest word of an id -> the ids with it, as ``_plain`` returns them; "" -> ids without a word.
    ids: dict[str, set[str]] = field(default_factory=dict)
    #: Ids that remaining text names too.
    spared_ids: set[str] = field(default_factory=set)
    #: Mark of a record that pages name by a purged one -> the words of the titles that it had from it.
    titled: dict[bytes, set[tuple[str, ...]]] = field(default_factory=dict)
    #: Length in words -> hashes of the phrases of that length.
    phrases: dict[int, set[int]] = field(default_factory=dict)

    def add(self, record: Mapping[str, Any], mark: str) -> None:
        """Add a version of a purged record."""
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

    def add_titled(self, mark: str, title: str) -> None:
        """Add a link under a purged record's title: it leads to the record with this mark, which remains."""
        if words := tuple(words_of(title)):
            self.titled.setdefault(mark.encode(), set()).add(words)

    def spare_record(self, record: Mapping[str, Any]) -> None:
        """Exclude the texts and names of a version of a remaining record."""
        for text in (record["record_id"], *_texts(record.get("data"))):
            self.spare(text)

    def spare(self, text: str) -> None:
        """Exclude what a remaining text contains, such as a page rendered from remaining records."""
        for reading in as_written(text) | _readings(text):
            words = words_of(reading)
            self.spared_ids |= self._ids_in(reading, words)
            for length, hashes in self.phrases.items():
                if hashes:
                    hashes.difference_update(_hashes(words, length))

    def matches(self, data: bytes) -> bool:
        """Whether these bytes name or quote a purged record."""
        data = _ASCII_ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), data)
        if self.marks and any(match[1] in self.marks for match in _MARK.finditer(data)):
            return True
        if self.titled and any(self._is_titled(match) for match in _LINKED.finditer(data)):
            return True
        if not self.ids and not self.phrases:
            return False
        return any(map(self._matches_text, _readings(data.decode("utf-8", errors="replace"))))

    def _is_titled(self, link: re.Match[bytes]) -> bool:
        titles = self.titled.get(link[2], set())
        return bool(titles) and tuple(words_of(link[1].decode("utf-8", errors="replace"))) in titles

    def _matches_text(self, text: str) -> bool:
        words = words_of(text)
        return bool(self._ids_in(text, words)) or any(
            not hashes.isdisjoint(_hashes(words, length)) for length, hashes in self.phrases.items() if hashes
        )

    def names(self, path: str) -> bool:
        """Whether this path names a page of a purged record."""
        return any(match[1] in self.marks for match in _MARK.finditer(path.encode("utf-8", "surrogatepass")))

    def _ids_in(self, text: str, words: Iterable[str]) -> set[str]:
        suspects = {name for word in self.ids.keys() & {"", *words} for name in self.ids[word]} - self.spared_ids
        if not suspects:
            return suspects
        plain = _plain(text)
        return {name for name in suspects if _contains_id(name, plain)}


def rebuilt(path: str) -> bool:
    """Whether this path is in a store that is rebuilt as a whole."""
    return path.startswith(REBUILT)


def redact(path: str, data: bytes, matcher: ErasureMatcher) -> bytes | None:
    """A text made from records (a report, notes, a manifest) without what rests on purged ones; None: nothing remains.

    JSON loses statements, citations and other strings that name or quote a purged record. Markdown loses list items
    with everything indented below them, and paragraphs. Other text loses lines.
    """
    clean: bytes | None
    if path.endswith(".json"):
        clean = _json_redacted(data, matcher)
    elif path.endswith(".md"):
        clean = _markdown_redacted(data, matcher)
    else:
        clean = b"".join(line for line in data.splitlines(keepends=True) if not matcher.matches(line))
    return None if clean is None or matcher.matches(clean) else clean


def blank(line: bytes) -> bytes:
    """The replacement of a purged raw line. It has the same length, because other lines are found by their offsets."""
    mark = b'{"purged":true}'
    body = line.rstrip(b"\n")
    padded = mark.ljust(len(body)) if len(body) >= len(mark) else b"{}".ljust(len(body))
    return padded + line[len(body) :]


def record_of(line: bytes) -> dict[str, Any] | None:
    """The record of a raw line; None: it was purged, or names no record.

    A broken record without a readable id counts as none. Earlier releases wrote "" for it, which may stand for several
    records, so it can be neither selected nor suppressed; its line holds nothing of its content.
    """
    document = jsonobject.parsed(line)
    return document if document.get("source_key") and document.get("record_id") else None


def key_of(record: Mapping[str, Any]) -> RecordKey:
    return str(record["source_key"]), str(record["record_id"])


def words_of(text: str) -> list[str]:
    """The words of a text for comparison: without markup, escapes, case and invisible characters."""
    if "\\" in text:
        text = _ESCAPE.sub(_unescaped, text)
    if "&" in text:
        text = _ENTITY.sub(" ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_UNSEEN))
    return _WORD.findall(text.casefold())


def as_written(text: str) -> set[str]:
    """A text as it is, and with each backslash doubled, as in JSON, quoted YAML and markdown: ``C:\\new`` contains an
    escape in the first reading and none in the second.
    """
    return {text, text.replace("\\", "\\\\")}


def texts_of(value: Any) -> Iterator[str]:
    """Every string inside a JSON value, except the names of fields."""
    return _texts(value)


# --- matching ----------------------------------------------------------------------------------------------------


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is None:
        return " "
    return bytes.fromhex(match[1].replace("\\u", "")).decode("utf-16-be", "replace")


def _is_distinctive(record_id: str) -> bool:
    """Whether an id is distinctive enough to search for in any text: not a counter, a day or a plain word."""
    if record_id.isdecimal():
        return len(record_id) >= MIN_NUMBER
    return len(record_id) >= MIN_ID and not record_id.isalpha() and not _DAY.match(record_id)


def _longest_word(name: str) -> str:
    return max(words_of(name), key=len, default="")


def _readings(text: str) -> set[str]:
    """A text as it is, and with doubled backslashes halved, as for JSON inside JSON."""
    return {text, text.replace("\\\\", "\\")}


def _plain(text: str) -> str:
    """A text for comparison with ids: on one line, without escapes, code spans and invisible characters."""
    if "\\" in text:
        text = _ID_ESCAPE.sub(_id_unescaped, text)
    return " ".join(text.translate(_NO_PART_OF_AN_ID).replace("&lt;", "<").split())


def _id_unescaped(match: re.Match[str]) -> str:
    if match[1] is None:
        return " " if match[2] else ""
    return _unescaped(match)


def _contains_id(name: str, text: str) -> bool:
    """Whether a text contains an id by itself and not as part of a longer one."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if not _joins(text[start - 1 : start]) and not _joins(text[end : end + 1]):
            return True
        start = text.find(name, start + 1)
    return False


def _joins(character: str) -> bool:
    return bool(character) and (character.isalnum() or character in "-_")


def _own_phrases(text: str) -> Iterator[tuple[str, ...]]:
    words = words_of(text)
    if len(words) >= PHRASE_WORDS:
        yield from (tuple(words[n : n + PHRASE_WORDS]) for n in range(len(words) - PHRASE_WORDS + 1))
    elif len(words) >= MIN_WORDS and _is_distinctive_text(text):
        yield tuple(words)
    yield from ((word,) for word in words if len(word) >= LONG_WORD)


def _is_distinctive_text(text: str) -> bool:
    if sum(map(str.isalpha, text)) >= MIN_LETTERS:
        return True
    return sum(map(str.isdigit, text)) >= MIN_DIGITS and not _DAY.match(text)


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


def _json_redacted(data: bytes, matcher: ErasureMatcher) -> bytes | None:
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    return orjson.dumps(_mapped(document, matcher.matches), option=orjson.OPT_INDENT_2) + b"\n"


def _mapped(value: Any, matches: Callable[[bytes], bool]) -> Any:
    if isinstance(value, str):
        return REDACTED if matches(value.encode("utf-8", "surrogatepass")) else value
    if isinstance(value, list):
        return [_mapped(item, matches) for item in value if not _rests_on(item, matches)]
    if isinstance(value, dict):
        return {name: _mapped(item, matches) for name, item in value.items() if not matches(name.encode())}
    return value


def _rests_on(item: Any, matches: Callable[[bytes], bool]) -> bool:
    """Whether a list item is a statement or citation that names or quotes a purged record."""
    return isinstance(item, dict) and not _STATING.isdisjoint(item) and matches(orjson.dumps(item))


def _markdown_redacted(data: bytes, matcher: ErasureMatcher) -> bytes | None:
    text = data.decode("utf-8", errors="surrogateescape")
    front, body = _split_front(text)
    if matcher.matches(front.encode("utf-8", "surrogateescape")):
        return None
    parts = [_part_redacted(part, matcher) for part in _parts(body)]
    return (front + "".join(parts)).encode("utf-8", "surrogateescape")


def _split_front(text: str) -> tuple[str, str]:
    if not text.startswith("---\n"):
        return "", text
    end = text.find("\n---\n", 3)
    return ("", text) if end < 0 else (text[: end + 5], text[end + 5 :])


def _parts(body: str) -> Iterator[str]:
    """Split a text into list items with what is indented below them, paragraphs, fences and headings, each with the
    empty lines after it. Joined, the parts are the text.
    """
    part, fence = "", ""
    for line in body.splitlines(keepends=True):
        if part and not fence and _starts_part(line, part):
            yield part
            part = ""
        part += line
        marker = line.strip()[:3]
        if marker in ("```", "~~~"):
            fence = "" if marker == fence else fence or marker
    yield part


def _starts_part(line: str, part: str) -> bool:
    """Whether a line outside a fence starts a new part."""
    if not line.strip():
        return False
    indented = line[0] in " \t"
    if part.endswith("\n\n") or not part.strip():
        return not (indented and _ITEM.match(part))
    return part.startswith("#") or line.startswith("#") or (not indented and _ITEM.match(line) is not None)


def _part_redacted(part: str, matcher: ErasureMatcher) -> str:
    if not matcher.matches(part.encode("utf-8", "surrogateescape")):
        return part
    item, heading = _ITEM.match(part), _HEADING.match(part)
    opening = item[0] if item else heading[0] if heading else ""
    return f"{opening}{REDACTED}\n" + "\n" * (len(part) - len(part.rstrip("\n")) - 1)
