"""The local brain's tools for agents, with GBrain's tool names and arguments.

Answers are bounded, since an agent pays for every word that it reads: a search gives snippets, ``get_page`` a section
with a way to go on, and a section that this session has returned is named and not repeated. Reading is open;
``put_page`` writes only below the derived folders, whatever the caller requests: agents never write evidence or
reports.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from consumer import layout
from consumer.agent.bounds import EVIDENCE_TYPES
from consumer.errors import ToolFailed
from consumer.evidence import pagefiles, pages, search
from consumer.evidence.search import EvidenceIndex, IndexUnusable, PageInfo, Passage, QuestionVector
from consumer.evidence.search.words import snippet, words
from consumer.ports import Embedder
from contract import derived

#: The tool that is there with either brain: GBrain's fence answers it.
EVIDENCE_SEARCH: Final = "evidence_search"
#: Slug prefixes that an agent may write to.
WRITABLE: Final = tuple(folder.removeprefix("brain/") + "/" for folder in layout.DERIVED)
#: A derived page holds notes, not a copy of the evidence.
PAGE_BYTES: Final = 64 * 1024
#: Pages in the answer of a search, and the most that may be requested.
HITS: Final = 8
MOST_HITS: Final = 20
#: The most rows in any other answer, as in GBrain.
MOST: Final = 100
#: Characters of a section in the answer of get_page: about 1,500 tokens. A sign of a script without blanks is about a
#: token by itself and counts as many.
SECTION_CHARS: Final = 6000
_WIDE_SIGN: Final = 4
#: Seconds that a search waits for the question's vector.
QUESTION_S: Final = 2.0

Arguments = Mapping[str, Any]


class ToolError(Exception):
    """A call that failed: ``code`` is GBrain's; the message says what to do instead."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(slots=True)
class ToolContext:
    """One session over the evidence index ``db`` and the folder of pages ``root``.

    ``notes``: a copy of the index that has the notes written by put_page; it exists from the first note on.
    """

    db: Path
    notes: Path
    root: Path
    #: Sections that were returned: (slug, offset) -> checksum of the page.
    returned: dict[tuple[str, int], str] = field(default_factory=dict)
    #: Embeds questions; None: words alone are searched.
    embedder: Embedder | None = None
    _open: tuple[tuple[Path, int, int], EvidenceIndex] | None = None

    def index(self) -> EvidenceIndex:
        """The index with this session's notes. Raises IndexUnusable, OSError."""
        path = self.notes if self.notes.is_file() else self.db
        status = path.stat()
        version = (path, status.st_ino, status.st_mtime_ns)
        if self._open is None or self._open[0] != version:
            self.close()
            self._open = (version, EvidenceIndex(path))
        return self._open[1]

    def vector_of(self, question: str) -> QuestionVector | None:
        """The question's vector; None without a model, and where it does not answer in time."""
        if self.embedder is None:
            return None
        try:
            (numbers,) = self.embedder.embed([question], QUESTION_S)
        except ToolFailed:
            return None
        return QuestionVector(self.embedder.model, tuple(numbers))

    def put(self, page: pages.Page, data: bytes) -> None:
        """Add a note to the copy of the index."""
        if not self.notes.is_file():
            self.notes.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.db, self.notes)
        with search.writing(self.notes) as index:
            index.put(page, pagefiles.digest(data))

    def close(self) -> None:
        if self._open is not None:
            self._open[1].close()
            self._open = None


@dataclass(frozen=True, slots=True)
class BrainTool:
    description: str
    properties: Mapping[str, Mapping[str, Any]]
    required: tuple[str, ...]
    call: Callable[[ToolContext, Arguments], Any]

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        return {"type": "object", "properties": dict(self.properties), "required": list(self.required)}


def call(brain: ToolContext, name: str, arguments: Arguments) -> tuple[Any, bool]:
    """Returns (answer, failed). A failure is an answer to the agent, with a code and what to do instead."""
    tool = TOOLS.get(name)
    if tool is None:
        return _error("unknown_tool", f"no tool {name!r}; available tools: {', '.join(TOOLS)}"), True
    try:
        return tool.call(brain, arguments), False
    except ToolError as exc:
        return _error(exc.code, str(exc)), True
    except (OSError, IndexUnusable) as exc:
        return _error("storage_error", f"the brain could not be read or written: {type(exc).__name__}"), True


def _error(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def _evidence_search(brain: ToolContext, arguments: Arguments) -> list[dict[str, Any]]:
    return _search(brain, {**arguments, "types": EVIDENCE_TYPES})


def _search(brain: ToolContext, arguments: Arguments) -> list[dict[str, Any]]:
    text = _text(arguments, "query")
    limit, offset = min(_number(arguments, "limit", HITS), MOST_HITS), _number(arguments, "offset", 0)
    by_page = brain.index().search_pages(
        text, limit=limit, offset=offset, types=_types(arguments), vector=brain.vector_of(text)
    )
    wanted = words(text)
    return [_hit(page, wanted, whole=bool(arguments.get("full"))) for page in by_page]


def _get_page(brain: ToolContext, arguments: Arguments) -> dict[str, Any]:
    slug = _slug(arguments)
    info = brain.index().page(slug)
    if info is None and arguments.get("fuzzy"):
        info = _fuzzy(brain.index().pages(), slug)
    if info is None:
        raise ToolError("page_not_found", f"no page {slug!r}: take a slug from search, query or list_pages")
    page = pages.parse(info.slug, _file(brain, info.slug).read_bytes())
    start = _start(page.body, arguments)
    if brain.returned.get((info.slug, start)) == page.checksum and not arguments.get("again"):
        return {
            "slug": info.slug,
            "title": info.title,
            "already_returned": f"this session has returned the section at offset {start}; again=true repeats it",
        }
    brain.returned[info.slug, start] = page.checksum
    end = _end(page.body, start)
    front = {name: value for name, value in page.front.items() if isinstance(value, str | int | float | bool)}
    return {
        **_row(info),
        "checksum": page.checksum,
        "frontmatter": front,
        "compiled_truth": page.body[start:end],
        "more": {"offset": end, "characters": len(page.body) - end} if end < len(page.body) else None,
    }


def _start(body: str, arguments: Arguments) -> int:
    """Where the section begins that is asked for: at an anchor, at an offset, or at the beginning."""
    anchor = arguments.get("anchor")
    if not isinstance(anchor, str) or not anchor:
        return min(_number(arguments, "offset", 0), len(body))
    places = [
        place for form in (f'id="{anchor}"', f'name="{anchor}"', f"{{#{anchor}}}") if (place := body.find(form)) >= 0
    ]
    if not places:
        raise ToolError(
            "anchor_not_found", f"the page has no anchor {anchor!r}; leave it out to read from the beginning"
        )
    return body.rfind("\n", 0, min(places)) + 1


def _end(body: str, start: int) -> int:
    """The end of the section that begins there: after as many whole lines as fit, or within a line that is too long."""
    weight, line_end = 0, start
    for place in range(start, len(body)):
        sign = body[place]
        weight += _WIDE_SIGN if sign >= "\u0e00" else 1
        if weight > SECTION_CHARS:
            return line_end if line_end > start else place
        if sign == "\n":
            line_end = place + 1
    return len(body)


def _list_pages(brain: ToolContext, arguments: Arguments) -> list[dict[str, Any]]:
    limit, offset = _number(arguments, "limit", 50), _number(arguments, "offset", 0)
    after = str(arguments.get("updated_after") or "")
    rows = brain.index().pages(
        prefix=str(arguments.get("prefix") or ""),
        type_=str(arguments.get("type") or ""),
        order=str(arguments.get("sort") or "updated_desc"),
    )
    return [_row(row) for row in rows if row.updated > after][offset : offset + limit]


def _backlinks(brain: ToolContext, arguments: Arguments) -> list[dict[str, Any]]:
    slug = _slug(arguments)
    rows = (
        {"from_slug": source, "to_slug": slug, "anchor": link.section, "context": link.text}
        for source in brain.index().linking(slug)
        for link in pages.parse(source, _file(brain, source).read_bytes()).links
        if link.target == slug
    )
    return list(islice(rows, MOST))


def _put_page(brain: ToolContext, arguments: Arguments) -> dict[str, Any]:
    slug, content = _slug(arguments), _text(arguments, "content")
    if not slug.startswith(WRITABLE):
        raise ToolError(
            "permission_denied", f"you may not write {slug!r}; write only pages below: {', '.join(WRITABLE)}"
        )
    if len(content.encode("utf-8")) > PAGE_BYTES:
        raise ToolError("invalid_params", f"content is larger than {PAGE_BYTES} bytes; link to evidence instead")
    path = _file(brain, slug)
    written = derived.replace_notes(path.read_text("utf-8") if path.is_file() else "", content)
    try:
        page = pages.parse(slug, written.encode("utf-8"))
    except pages.PageError as exc:
        raise ToolError("invalid_params", f"content {exc}") from None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(written, "utf-8")
    brain.put(page, written.encode("utf-8"))
    return {"slug": slug, "status": "created_or_updated", "checksum": page.checksum}


def _hit(page: Sequence[Passage], wanted: Sequence[str], *, whole: bool) -> dict[str, Any]:
    """A page's best passages: a snippet of the best one, or with ``whole`` the text of all of them."""
    best = page[0]
    text = {"chunk_text": "\n\n[...]\n\n".join(each.text for each in page)} if whole else {}
    return {
        "slug": best.page,
        "title": best.title,
        "type": best.type,
        "date": best.day or None,
        "anchor": best.anchor or None,
        "snippet": snippet(best.text, wanted),
        **text,
        "score": best.score,
    }


def _row(row: PageInfo) -> dict[str, Any]:
    return {
        "slug": row.slug,
        "title": row.title,
        "type": row.type,
        "effective_date": row.happened or None,
        "updated_at": row.updated or None,
    }


def _fuzzy(rows: list[PageInfo], slug: str) -> PageInfo | None:
    """The only page whose slug ends with, or else contains, the requested one; None if there are several."""
    for matches in (
        [row for row in rows if row.slug.endswith("/" + slug)],
        [row for row in rows if slug.lower() in row.slug],
    ):
        if len(matches) == 1:
            return matches[0]
    return None


def _file(brain: ToolContext, slug: str) -> Path:
    """The page's file; refuses a link that leads out of the brain."""
    path = brain.root / pages.path_of(slug)
    if not path.resolve().is_relative_to(brain.root.resolve()):
        raise ToolError("permission_denied", f"{slug!r} leads out of the brain")
    return path


def _slug(arguments: Arguments) -> str:
    slug = _text(arguments, "slug").strip().removeprefix("/").removeprefix("brain/").removesuffix(".md")
    if any(part in ("", ".", "..") for part in slug.split("/")) or "\\" in slug or not slug.isprintable():
        raise ToolError("invalid_params", "slug is a path below brain/ without .md, e.g. people/anna-1a2b3c4d")
    return slug


def _text(arguments: Arguments, name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ToolError("invalid_params", f"{name} must be a non-empty string")
    return value


def _number(arguments: Arguments, name: str, default: int) -> int:
    value = arguments.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise ToolError("invalid_params", f"{name} must be a number of at least 0")
    return int(value) if name == "offset" else min(int(value), MOST)


def _types(arguments: Arguments) -> tuple[str, ...]:
    value = arguments.get("types") or ()
    if isinstance(value, str):
        return tuple(value.split(","))
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ToolError("invalid_params", "types must be an array of page types")
    return tuple(value)


_SLUG: Final[Mapping[str, Mapping[str, Any]]] = {
    "slug": {"type": "string", "description": "Path below brain/ without .md, e.g. people/anna-1a2b3c4d"}
}
_PAGED: Final[Mapping[str, Mapping[str, Any]]] = {
    "limit": {"type": "number", "description": f"Most results (at most {MOST})"},
    "offset": {"type": "number", "description": "Results to skip"},
}
_ASKED: Final[Mapping[str, Mapping[str, Any]]] = {
    "query": {"type": "string", "description": "The words or question to search for"},
    "limit": {"type": "number", "description": f"Pages in the answer: {HITS}, or up to {MOST_HITS}"},
    "offset": {"type": "number", "description": "Pages to skip"},
    "full": {"type": "boolean", "description": "Add the whole text of each page's best passages"},
    "types": {"type": "array", "items": {"type": "string"}, "description": "Only pages of these types"},
}
_OF_EVIDENCE: Final = {name: schema for name, schema in _ASKED.items() if name != "types"}
_LINKS_IN: Final = BrainTool("Pages that link to a page, with the anchor of the place.", _SLUG, ("slug",), _backlinks)

TOOLS: Final[Mapping[str, BrainTool]] = {
    EVIDENCE_SEARCH: BrainTool(
        "A question with its names and dates -> the pages of evidence that answer it best, with snippet and anchor.",
        _OF_EVIDENCE,
        ("query",),
        _evidence_search,
    ),
    "search": BrainTool(
        "Pages that answer a question or have these words, evidence first, with a snippet and its anchor.",
        _ASKED,
        ("query",),
        _search,
    ),
    "query": BrainTool("The same as search.", _ASKED, ("query",), _search),
    "get_page": BrainTool(
        "A section of one page: about 1,500 tokens, and where it goes on. Quote from it exactly.",
        {
            **_SLUG,
            "anchor": {"type": "string", "description": "Begin at this anchor of a search hit"},
            "offset": {"type": "number", "description": "Begin here; 'more' of the section before says where"},
            "again": {"type": "boolean", "description": "Repeat a section that this session has returned"},
            "fuzzy": {"type": "boolean", "description": "Accept the end or a part of a slug"},
        },
        ("slug",),
        _get_page,
    ),
    "list_pages": BrainTool(
        "Pages, the newest first.",
        {
            "type": {"type": "string", "description": "Only pages of this type"},
            "prefix": {"type": "string", "description": "Only slugs that begin with this"},
            "sort": {"type": "string", "enum": ["updated_desc", "updated_asc", "slug"]},
            "updated_after": {"type": "string", "description": "Only pages updated after this time (RFC 3339)"},
            **_PAGED,
        },
        (),
        _list_pages,
    ),
    "get_backlinks": _LINKS_IN,
    "backlinks": _LINKS_IN,
    "put_page": BrainTool(
        f"Write notes to a derived page ({', '.join(WRITABLE)}). Evidence and reports cannot be written.",
        {**_SLUG, "content": {"type": "string", "description": "Markdown"}},
        ("slug", "content"),
        _put_page,
    ),
}
