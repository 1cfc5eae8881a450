"""A markdown page as readers of the brain see it: front matter, sections under anchors, links to other pages.

Reads any page: rendered evidence, an agent's derived page, a report. Text inside a code fence is data: it has no
headings, anchors or links.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

import yaml

from contract import canonical

_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r"(#{1,6})\s+(.*)")
_STATED_ANCHOR: Final = re.compile(r"\{#([^}\s]+)\}\Z")
_ANCHOR: Final = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"\s*>\s*(?:</a>)?")
#: Bounded, so that a page of brackets costs time in proportion to its length, not to its square.
_LINK: Final = re.compile(r"\[(?<!!\[)([^\[\]\\]*(?:\\.[^\[\]\\]*){0,60})\]\(\s*<?([^()<>\s]+)>?\s*\)")
_WIKI: Final = re.compile(r"\[\[([^\[\]|#]+)(?:#([^\[\]|]+))?(?:\|([^\[\]]*))?\]\]")
#: Front matter in the one form that renderers write it in. Possessive: no part of it can be read in two ways.
_PLAIN: Final = r"[^\"\\\n\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]*+"
_SCALAR: Final = rf"(?:\"{_PLAIN}(?:\\(?:[\"\\nt]|u00[2-7][0-9a-f]){_PLAIN})*+\"|true|false|0|-?[1-9]\d{{0,17}}+)"
_PAIR: Final = re.compile(rf"([a-z_]+): ({_SCALAR})")
_ROW: Final = rf"  - \{{[a-z_]++: {_SCALAR}(?:, [a-z_]++: {_SCALAR})*+\}}\n"
_SIMPLE: Final = re.compile(rf"(?:[a-z_]{{1,40}}+:(?: {_SCALAR}\n|\n(?:{_ROW})++))++")
_YAML_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-f]{4})|(.))")
#: A fact's line: its label and its value.
FACT: Final = re.compile(r"^- ([A-Z][A-Za-z ]{1,30}): (.+)$")
#: An escaped sign, or a code span of one word, as rendering writes addresses (renderers/markdown.py). Bounded likewise.
_ESCAPE_OR_CODE: Final = re.compile(r"\\([!-/:-@\[-`{-~])|(`{1,60}+)( ?)(\S{1,200}?)\3(?<!`)\2(?!`)")


#: Names that GBrain never imports; every brain keeps them out, so that all hold the same pages.
NEVER_IMPORTED: Final = frozenset({"readme.md", "index.md", "log.md", "schema.md", "resolver.md", "access_policy.md"})
_UNFIT_NAME: Final = re.compile(r"[\[\]\x00-\x1f\x7f]")


class PageError(ValueError):
    """The text is not a page: its front matter does not parse, or it contains bytes that markdown cannot."""


class _Loader(yaml.CSafeLoader):
    """Leaves times as text: pages write them in one format, and readers compare them as text."""

    yaml_implicit_resolvers = {  # noqa: RUF012 (PyYAML's own class-level table, never changed)
        first: [(tag, pattern) for tag, pattern in entries if tag != "tag:yaml.org,2002:timestamp"]
        for first, entries in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }


class Link(NamedTuple):
    """``target`` is a slug; ``anchor`` the fragment; ``anchor_from`` the section that the link stands in."""

    target: str
    anchor: str | None
    text: str
    section: str | None


class PageSection(NamedTuple):
    """The text below one anchor or heading, up to the next.

    ``anchor`` is the nearest one above; headings deeper than an anchor's own stand under it too. None: under no anchor.
    """

    anchor: str | None
    heading: str
    text: str


@dataclass(frozen=True)
class Page:
    """``slug`` is the path relative to ``brain/`` without ``.md``; ``checksum`` is ``sha256:<hex>`` of the file.

    ``head`` is the text of the front matter. Front matter, sections and links are parsed on first use: of most of
    the thousands of pages, callers need the name only.
    """

    slug: str
    checksum: str
    head: str
    body: str

    @cached_property
    def front(self) -> Mapping[str, Any]:
        return _front(self.head)

    @cached_property
    def title(self) -> str:
        return _title(self.front, self.body, self.slug)

    @cached_property
    def sections(self) -> tuple[PageSection, ...]:
        return tuple(sections(self.body))

    @cached_property
    def links(self) -> tuple[Link, ...]:
        return tuple(links(self.slug, self.sections))

    @cached_property
    def anchors(self) -> frozenset[str]:
        return frozenset(section.anchor for section in self.sections if section.anchor)

    @cached_property
    def worked_out(self) -> dict[Hashable, Any]:
        """What readers of this page would work out more than once, by keys of their own."""
        return {}

    @property
    def is_empty(self) -> bool:
        """Whether there is no text on it; so it is with a file that is no page."""
        return not (self.head or self.body)

    def text(self, name: str) -> str:
        """A front matter field as text, empty where it is absent."""
        value = self.front.get(name)
        return "" if value is None else str(value)


class UnreadPage(Page):
    """A page whose file is read when its text is first asked for, or its checksum where that is not known.

    ``read``: gives the content of the file of a slug. Thousands of pages share it, and few are read.

    If the file then has other content, the page takes the checksum of that content. A file that is not a page has an
    empty text, so nothing on it can be cited.
    """

    def __init__(self, slug: str, checksum: str | None, read: Callable[[str], bytes]) -> None:
        attributes = self.__dict__
        attributes["slug"], attributes["_read"] = slug, read
        if checksum is not None:
            attributes["checksum"] = checksum

    @property
    def is_read(self) -> bool:
        """Whether its file was read already."""
        return "body" in self.__dict__

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet."""
        if name not in ("checksum", "head", "body"):
            raise AttributeError(name)
        data = self._read(self.slug)
        try:
            page = parse(self.slug, data)
        except PageError:
            page = Page(self.slug, f"sha256:{canonical.sha256_hex(data)}", "", "")
        vars(self).update(checksum=page.checksum, head=page.head, body=page.body)
        return vars(self)[name]


def slug_of(path: str) -> str:
    """``people/anna.md`` -> ``people/anna``."""
    return path.removesuffix(".md")


def path_of(slug: str) -> str:
    """``people/anna`` -> ``people/anna.md``, relative to ``brain/``."""
    return f"{slug}.md"


def importable(path: str) -> bool:
    """Whether a brain imports the file at this path below ``brain/``: visible markdown, not a folder's own index."""
    if not path.endswith(".md") or path.startswith(".") or "/." in path:
        return False
    if path.rpartition("/")[2].lower() in NEVER_IMPORTED:
        return False
    # Most paths have none of these signs, which costs a fifth of the expression to see.
    return (path.isprintable() and "[" not in path and "]" not in path) or not _UNFIT_NAME.search(path)


def parse(slug: str, data: bytes) -> Page:
    """A page's bytes -> Page. Raises PageError: not UTF-8, a NUL byte, or front matter that is not a YAML mapping."""
    if b"\0" in data:
        raise PageError("holds a NUL byte")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise PageError(f"is not UTF-8 at byte {exc.start}") from None
    head, body = _cut(text)
    page = Page(slug, f"sha256:{canonical.sha256_hex(data)}", head, body)
    if head and not _SIMPLE.fullmatch(head):
        # Front matter in another form may not parse. Parse it now, so that the error shows here.
        page.text("title")
    return page


def split_front_matter(text: str) -> tuple[Mapping[str, Any], str]:
    """-> (front matter, the rest).

    Raises PageError: it does not parse or is not a mapping. The message contains no content.
    """
    head, body = _cut(text)
    return _front(head), body


def _cut(text: str) -> tuple[str, str]:
    """(text of the front matter, the rest)."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith("---\n"):
        return "", text
    end = text.find("\n---\n", 3)
    if end < 0:
        raise PageError("front matter has no end")
    return text[4 : end + 1], text[end + 5 :]


def _front(head: str) -> Mapping[str, Any]:
    if not head:
        return {}
    simple = _simple(head) if _SIMPLE.fullmatch(head) else None
    if simple is not None:
        return simple
    try:
        front = yaml.load(head, Loader=_Loader)
    except yaml.YAMLError as exc:
        mark = getattr(exc, "problem_mark", None)
        raise PageError(f"front matter is not YAML at line {mark.line + 2 if mark else '?'}") from None
    if front is None:
        front = {}
    if not isinstance(front, dict):
        raise PageError(f"front matter is a {type(front).__name__}, expected a mapping")
    return front


def _simple(head: str) -> dict[str, Any] | None:
    """Parse front matter in the renderers' form without the YAML parser, which takes ten times as long.

    None where a field occurs twice: the YAML parser decides.
    """
    front: dict[str, Any] = {}
    rows: list[dict[str, Any]] = []
    fields = 0
    for line in head.removesuffix("\n").split("\n"):
        if line.startswith(" "):
            rows.append({name: _scalar(value) for name, value in _PAIR.findall(line)})
            continue
        name, separator, value = line.partition(": ")
        if separator:
            front[name] = _scalar(value)
        else:
            front[name[:-1]] = rows = []
        fields += 1
    return front if len(front) == fields else None


def _scalar(text: str) -> str | int | bool:
    if text[0] == '"':
        return text[1:-1] if "\\" not in text else _YAML_ESCAPE.sub(_unescape, text[1:-1])
    return text == "true" if text in ("true", "false") else int(text)


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else {"n": "\n", "t": "\t"}.get(match[2], match[2])


def plain(text: str) -> str:
    """Markdown inline text without its escapes, link targets and marks of code, for people to read."""
    if "[" in text:
        text = _LINK.sub(r"\1", text)
    if "\\" not in text and "`" not in text:
        return text.replace("&lt;", "<").strip()
    parts, done = [], 0
    for match in _ESCAPE_OR_CODE.finditer(text):
        parts += [text[done : match.start()].replace("&lt;", "<"), match[1] or match[4]]
        done = match.end()
    return "".join([*parts, text[done:].replace("&lt;", "<")]).strip()


def lines(text: str) -> Iterator[tuple[str, bool]]:
    """Each line and whether it is code: inside a fence, the fence's own lines included."""
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if fence:
            yield line, True
            if match and match[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
        elif match:
            fence = match[1]
            yield line, True
        else:
            yield line, False


def _title(front: Mapping[str, Any], body: str, slug: str) -> str:
    stated = front.get("title")
    if stated is not None and str(stated).strip():
        return str(stated).strip()
    for line, code in lines(body):
        heading = None if code else _heading(line)
        if heading and heading[0] == 1:
            return plain(heading[1])
    return slug.rpartition("/")[2]


@dataclass(slots=True)
class _OpenSection:
    """The section being read. ``depth``: the level of the heading that its anchor belongs to."""

    anchor: str | None = None
    depth: int = 0
    heading: str = ""
    lines: list[str] = field(default_factory=list)

    def close(self) -> Iterator[PageSection]:
        text = "\n".join(self.lines).strip("\n")
        if self.heading or text.strip() or (self.anchor and not self.depth):
            yield PageSection(self.anchor, self.heading, text)

    def bare(self) -> bool:
        """Whether only an anchor was read so far: the next heading belongs to it."""
        return self.anchor is not None and not self.depth and not "".join(self.lines).strip()


def sections(body: str) -> Iterator[PageSection]:
    """The sections of a body, in order. ``Page.sections`` keeps them for repeated reading."""
    section = _OpenSection()
    for line, code in lines(body):
        if code or not (line.startswith("#") or "<a" in line):
            section.lines.append(line)
            continue
        anchor, level, heading, rest = _opening(line)
        if anchor is None and not level:
            section.lines.append(line)
            continue
        if anchor is None and section.bare():
            section.depth, section.heading = level, heading
            continue
        yield from section.close()
        inherited = section.anchor if anchor is None and level > section.depth > 0 else None
        depth = section.depth if inherited else level
        section = _OpenSection(anchor or inherited, depth, heading, [rest] if rest else [])
    yield from section.close()


def without(body: str, anchors: Set[str]) -> str:
    """A body without the sections that stand under these anchors; every other line stays as it is."""
    kept: list[str] = []
    section = _OpenSection()
    for line, code in lines(body):
        anchor, level, _, rest = (None, 0, "", line) if code else _opening(line)
        if anchor is None and not level:
            section.lines.append(line)
        elif anchor is None and section.bare():
            section.depth = level
        else:
            inherited = section.anchor if anchor is None and level > section.depth > 0 else None
            section = _OpenSection(anchor or inherited, section.depth if inherited else level, lines=[rest])
        if section.anchor not in anchors:
            kept.append(line)
    return "\n".join(kept)


def _opening(line: str) -> tuple[str | None, int, str, str]:
    """(anchor, heading level, heading, text left on the line); no anchor and level 0 where no section opens."""
    stated = _ANCHOR.search(line) if "<a" in line else None
    rest = _ANCHOR.sub("", line).strip() if stated else line
    if heading := _heading(rest):
        level, text, anchor = heading
        return (stated[1] if stated else anchor), level, plain(text), ""
    return (stated[1], 0, "", rest) if stated else (None, 0, "", line)


def _heading(line: str) -> tuple[int, str, str | None] | None:
    """(level, text, stated anchor) of a heading. Parsed from its end step by step: a single expression takes cubic
    time in the length of its white space."""
    match = _HEADING.match(line) if line.startswith("#") else None
    if match is None:
        return None
    text = match[2].rstrip().rstrip("#").rstrip()
    at = text.rfind("{#")
    stated = _STATED_ANCHOR.match(text, at) if at >= 0 else None
    if stated is None or not text[:at].endswith((" ", "\t")):
        return len(match[1]), text, None
    return len(match[1]), text[:at].rstrip(), stated[1]


def links(slug: str, read: Iterable[PageSection]) -> Iterator[Link]:
    """The links in these sections of a page. ``Page.links`` keeps them."""
    folder = posixpath.dirname(slug)
    for section in read:
        for line, code in lines(section.text) if "[" in section.text else ():
            if code or not ("](" in line or "[[" in line):
                continue
            for match in _LINK.finditer(line):
                target, anchor = resolve(folder, match[2])
                if target is not None:
                    yield Link(target or slug, anchor, plain(match[1]), section.anchor)
            for match in _WIKI.finditer(line) if "[[" in line else ():
                yield Link(slug_of(match[1].strip()), match[2], (match[3] or match[1]).strip(), section.anchor)


def resolve(folder: str, href: str) -> tuple[str | None, str | None]:
    """A relative link from a page in ``folder`` -> (slug, anchor).

    An empty slug means the page itself. None means no page of the brain: another scheme, file type or folder.
    """
    path, _, anchor = href.partition("#")
    if ":" in path or path.startswith("/") or (path and not path.endswith(".md")):
        return None, None
    if not path:
        return "", anchor or None
    target = posixpath.normpath(f"{folder}/{path}" if folder else path)
    return (None, None) if target.startswith("..") else (slug_of(target), anchor or None)
