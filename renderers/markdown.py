"""
Converts foreign text to markdown so that no text can break it.

Every user's string passes through ``inline`` (one escaped line) or ``fenced`` (verbatim, in a fence longer than any run
inside). Front matter strings are double-quoted YAML with escapes, so any text parses back to itself.

Many viewers make links of bare addresses (``https://``, ``www.``, ``a@b.example``, some even ``example.com``), and an
escape does not prevent it. So ``inline`` puts every word that could be one into a code span: it can be read, searched
and copied, and no click leads out of the workspace. Front matter escapes the characters that make it an address.
Pure: no clock, no locale, no environment.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Final

from renderers import visible

Scalar = str | int | bool | None
FrontValue = Scalar | Sequence[str] | Sequence[Mapping[str, Scalar]]

#: Longer titles and names are cut in headings and front matter; the body has the full text.
TITLE_CHARS: Final = 160
#: 12 base32 characters are 60 bits: two of a million ids on one day and title collide once in two million workspaces.
DIGEST_CHARS: Final = 12
SLUG_CHARS: Final = 48
#: The most code points of one visible character where a line is cut.
CHARACTER_PARTS: Final = 32

#: Characters that some programs, but not markdown, treat as line ends.
_LINE_ENDS = re.compile("\r\n|[\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
#: Control characters, lone surrogates, byte order marks, non-characters: some YAML and SQLite readers refuse them.
_UNFIT = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
_JOINER: Final = "\u200d"
#: Characters that extend the previous one: joiners, Hangul vowels and endings, skin tones, tags of subdivision flags.
_CONTINUES = re.compile("[\u200c\u200d\u1160-\u11ff\ud7b0-\ud7fb\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_FLAG_LETTERS: Final = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_BIDI = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
#: A dot or colon at the end of a word or before a digit, but never the dot of "www.".
_HARMLESS: Final = r"(?:\.(?<![Ww]{3}\.)|:)(?=[ 0-9]|\Z)"
#: Text that is already one line and needs no escape: most names, titles, states and numbers. It has no double slash;
#: other forms of addresses are checked below. Digits with a dot or bracket at the beginning may number a list.
_LETTERS = "[A-Za-z0-9,;'()?!%=+-]*+"
_WORD = rf"{_LETTERS}(?:(?:{_HARMLESS}|/(?!/)){_LETTERS})*+"
_PLAIN = re.compile(rf"(?=[A-Za-z]|[0-9]++(?![.)])){_WORD}(?: (?=[^ ]){_WORD})*+")
_ESCAPED = re.compile(
    r"[\\`*\[\]]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|~(?=~)|(?<=~)~|&(?=#?[A-Za-z0-9]+;)|(?<!\S)#|#(?!\S)"
)
#: One word. "<" is always an entity, and brackets are always escaped: this project's link parsers ignore code spans.
_RUN = re.compile(r"[^\s<\[\]]+")
#: Schemes of addresses that need no slashes.
_SCHEMES: Final = (
    "mailto",
    "xmpp",
    "tel",
    "sms",
    "sip",
    "sips",
    "magnet",
    "callto",
    "skype",
    "javascript",
    "data",
    "news",
    "urn",
)
_SCHEME = "|".join(f"(?<={scheme}:)" for scheme in _SCHEMES)
#: Each alternative begins with the character it requires, so that a search skips to the next of these.
_MARKED = rf"/(?=/)|@(?<=\S@)(?=\S)|:(?:{_SCHEME})(?=\S)|\.(?<=www\.)"
#: What some viewer treats as an address: two slashes, "@" between characters, such a scheme, "www." (also alone), and
#: what looks like a domain: a dot between a character and two letters, since lists of top-level domains differ.
_ADDRESS = re.compile(rf"{_MARKED}|\.(?<=[^\s.]\.)(?=[^\W\d_][\w-])", re.IGNORECASE)
#: The same for front matter, which has dotted table names: domains only under linkify's top-level domains.
#: An underscore after an address may end an emphasis, and then is not part of it.
_FRONT_ADDRESS = re.compile(
    rf"{_MARKED}|\.(?<=[^\s.]\.)(?=(?:[a-z]{{2}}|xn--[a-z0-9-]+|biz|com|edu|gov|net|org|pro|web|xxx|aero|asia|coop|info"
    r"|museum|name|shop|\u0440\u0444)(?!_*[^\W_]|-))",
    re.IGNORECASE,
)
#: Characters around an address that belong to the sentence.
_OPENING: Final = "({\"'>"
_CLOSING: Final = ")}\"'>.,;:!?"
#: Every address has at least one of these characters.
_YAML_ADDRESS = re.compile(r"[:@.]|/(?=/)")
_LEADING = re.compile(r"^([-+=>~:|]|\d{1,9}(?=[.)](?:\s|$)))")
_BACKTICKS = re.compile(r"`+")
#: The 1,024 pairs of base32 digits, in order: six lookups make a digest.
_BASE32_PAIRS: Final = tuple(map("".join, product("abcdefghijklmnopqrstuvwxyz234567", repeat=2)))
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
#: "<" begins a comment, and the marker of derived pages is one: front matter must not contain it. Nor a link or image,
#: since a viewer without support for front matter would show it.
_YAML_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "<": "\\u003c", "]": "\\u005d"}
#: Visible ASCII that needs no escape between double quotes and cannot be an address: as in ``_PLAIN``, and digests.
_YAML_PLAIN = re.compile(rf"(?:[ !#-\-0-9;=-?A-Z\[^-~]++|{_HARMLESS}|(?<=[0-9]):(?!/)|/(?!/)|\](?!\())*+")
_YAML_ESCAPED = re.compile('["\\\\\n\t]|<(?=!--)|\\](?=\\()')


#: Right-to-left letters.
_RTL_SIGN = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_QUOTES = "\u201c\u201d\u201e\u00ab\u00bb"
#: A quotation with such letters, or a run of such words.
_RTL = re.compile(
    rf"(?<=[{_QUOTES}])[^{_QUOTES}]*[{_RTL_SIGN}][^{_QUOTES}]*(?=[{_QUOTES}])"
    rf"|[{_RTL_SIGN}]+(?:[ .'\u2019-]{{1,2}}[{_RTL_SIGN}]+)*"
)


def clean(text: str) -> str:
    """Text with every line end as ``\\n`` and unfit characters as U+FFFD."""
    # Printable text needs no change; the check is one pass in C, and most text passes it.
    if text.replace("\n", " ").replace("\t", " ").isprintable():
        return text
    return _UNFIT.sub("\ufffd", _LINE_ENDS.sub("\n", text))


def one_line(text: str, limit: int = TITLE_CHARS) -> str:
    """Text on one line: white space collapsed, what shows nothing dropped; at most ``limit`` characters (see _cut)."""
    # Visible ASCII with single spaces is one line already.
    if len(text) <= limit and text.isascii() and text.isprintable() and "  " not in text and text.strip() == text:
        return text
    cleaned = clean(text)
    flat = " ".join((cleaned if cleaned.isascii() else visible.seen(_BIDI.sub("", cleaned))).split())
    return flat if len(flat) <= limit else flat[: _cut(flat, limit - 1)].rstrip() + "…"


def _cut(flat: str, most: int) -> int:
    """Where to cut a longer line: after a word if one ends in the second half, else between visible characters."""
    space = flat.rfind(" ", most // 2, most + 1)
    if space >= 0:
        return space
    # No readable character has more parts than that; a text of only combining marks is cut anywhere.
    return next((at for at in range(most, max(most - CHARACTER_PARTS, 0), -1) if _starts_character(flat, at)), most)


def _starts_character(text: str, at: int) -> bool:
    """Whether a visible character begins here, not an accent, a skin tone or a later part of an emoji."""
    character, before = text[at], text[at - 1]
    if before == _JOINER or _CONTINUES.match(character) or unicodedata.category(character).startswith("M"):
        return False
    # Flags are pairs of letters, counted from the start of a run.
    flags = len(text[:at]) - len(text[:at].rstrip(_FLAG_LETTERS)) if character in _FLAG_LETTERS else 0
    return flags % 2 == 0


def inline(text: str, limit: int = TITLE_CHARS) -> str:
    """One escaped line: shows the text, without markup, and starts no block."""
    if len(text) <= limit and _PLAIN.fullmatch(text):
        return text
    flat = one_line(text, limit)
    escaped = _without_links(flat) if _ADDRESS.search(flat) else _escaped(flat)
    return _LEADING.sub(lambda m: m[0] + "\\" if m[0].isdigit() else "\\" + m[0], escaped)


def isolated(line: str) -> str:
    """A finished line in which right-to-left words, and quotations that have them, are isolated: the numbers and signs
    beside them keep their order.
    """
    return line if line.isascii() else _RTL.sub("\u2068\\g<0>\u2069", line)


def _escaped(text: str) -> str:
    # To programs that ignore escapes, an escaped "<" would still look like a tag or the marker of derived pages.
    return _ESCAPED.sub(r"\\\g<0>", text).replace("<", "&lt;")


def _without_links(flat: str) -> str:
    """A line with each word that could be an address as a code span, and the rest escaped."""
    done, parts = 0, []
    for run in _RUN.finditer(flat):
        if _ADDRESS.search(run[0]):
            start, end = run.span()
            # Next to a backtick a code span would change: then the whole word becomes code.
            if "`" not in run[0]:
                start = end - len(run[0].lstrip(_OPENING))
                end = start + len(flat[start:end].rstrip(_CLOSING))
            parts += [_escaped(flat[done:start]), _code(flat[start:end])]
            done = end
    return "".join([*parts, _escaped(flat[done:])])


def _code(word: str) -> str:
    """A code span of one word, within more backticks than any run inside."""
    longest = max(map(len, _BACKTICKS.findall(word)), default=0)
    marks = "`" * (longest + 1)
    space = " " if word.startswith("`") or word.endswith("`") else ""
    return f"{marks}{space}{word}{space}{marks}"


def fenced(text: str) -> str:
    """A cleaned text in a code fence longer than any run of backticks inside; no block for an empty text."""
    body = text.strip("\n")
    if not body.strip():
        return ""
    longest = max((len(run) for run in _BACKTICKS.findall(body)), default=0) if "`" in body else 0
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{body}\n{fence}"


def heading(level: int, text: str) -> str:
    """A heading of foreign text; a text without visible characters becomes ``Untitled``."""
    return f"{'#' * level} {inline(text) or 'Untitled'}"


def anchor(name: str) -> str:
    """A link target on its own line. ``name``: trusted, [a-z0-9-]."""
    return f'<a id="{name}"></a>'


def link(text: str, target: str) -> str:
    """A link. ``text``: foreign. ``target``: a trusted path."""
    return f"[{inline(text) or 'Untitled'}]({target})"


def href(up: str, page: str, anchor: str | None) -> str:
    """The relative link to a page below ``brain/``, with its anchor if any. ``up``: the path to ``brain/``."""
    return f"{up}{page}#{anchor}" if anchor else up + page


def bullet(label: str, value: str) -> str:
    """``- label: value``. ``label``: trusted. ``value``: finished markdown."""
    return f"- {label}: {value}"


def bullets(pairs: Iterable[tuple[str, str]]) -> str:
    """A ``bullet`` of each pair that has a value."""
    return "\n".join([f"- {label}: {value}" for label, value in pairs if value])


def document(front: str, blocks: Iterable[str]) -> str:
    """Front matter and non-empty blocks, one blank line between them, one newline at the end."""
    return "\n\n".join([front, *filter(None, blocks)]) + "\n"


def front_matter(values: Mapping[str, FrontValue]) -> str:
    """YAML front matter between ``---`` lines; trusted keys, in the given order; None is left out."""
    lines = ["---"]
    for key, value in values.items():
        if value is None:
            continue
        if isinstance(value, str | int | bool):
            lines.append(f"{key}: {_scalar(value)}")
        elif value:
            lines.append(f"{key}:")
            lines += _entries(value)
        else:
            lines.append(f"{key}: []")
    lines.append("---")
    return "\n".join(lines)


def quoted(text: str) -> str:
    """A YAML double-quoted string that parses back to ``clean(text)``, without an address that a viewer would link."""
    if _YAML_PLAIN.fullmatch(text):
        return f'"{text}"'
    escaped = _YAML_ESCAPED.sub(lambda m: _YAML_ESCAPES[m[0]], clean(text))
    return '"' + (_RUN.sub(_hidden, escaped) if _FRONT_ADDRESS.search(escaped) else escaped) + '"'


def _hidden(run: re.Match[str]) -> str:
    """A word of YAML text; if it could be an address, with escapes for the characters that make it one."""
    if not _FRONT_ADDRESS.search(run[0]):
        return run[0]
    return _YAML_ADDRESS.sub(lambda m: f"\\u{ord(m[0]):04x}", run[0])


def slug(text: str, limit: int = SLUG_CHARS) -> str:
    """Lower-case ASCII letters, digits and single dashes; empty if the text has none."""
    plain = unicodedata.normalize("NFKD", text[: 4 * limit]).encode("ascii", "ignore").decode("ascii").lower()
    return _NOT_SLUG.sub("-", plain)[:limit].strip("-")


def short_digest(*parts: str) -> str:
    """12 characters [a-z2-7] that identify these strings."""
    framed: list[bytes] = []
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        framed += (len(data).to_bytes(8, "big"), data)
    bits = int.from_bytes(hashlib.sha256(b"".join(framed)).digest()[:8], "big") >> 4
    return "".join([_BASE32_PAIRS[bits >> shift & 1023] for shift in (50, 40, 30, 20, 10, 0)])


def _scalar(value: Scalar) -> str:
    if isinstance(value, str):
        return quoted(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _entries(items: Sequence[str] | Sequence[Mapping[str, Scalar]]) -> list[str]:
    """The lines of a list."""
    # One look at all texts together: nearly always none needs an escape.
    each = [(item,) if isinstance(item, str) else item.values() for item in items]
    plain = _YAML_PLAIN.fullmatch(" ".join([value for values in each for value in values if isinstance(value, str)]))
    quote = '"{}"'.format if plain else quoted
    return [f"  - {quote(item) if isinstance(item, str) else _flow(item, quote)}" for item in items]


def _flow(item: Mapping[str, Scalar], quote: Callable[[str], str]) -> str:
    values = [
        f"{key}: {quote(value) if isinstance(value, str) else _scalar(value)}"
        for key, value in item.items()
        if value is not None
    ]
    return "{" + ", ".join(values) + "}"
