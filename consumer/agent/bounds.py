"""The size of GBrain's answers to an agent: what an answer says is paid for in every later request.

A search answers with a few snippets, a page comes in sections, and what was answered once is named, not repeated: the
local brain's tools do the same by themselves, with the same arguments and fields. Pure, except that it remembers what
it has let pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

SNIPPETS: Final = 8
SNIPPET_WORDS: Final = 60
#: Of one section of a page: about 1,500 tokens.
SECTION_CHARS: Final = 6_000
#: Rows of a list, and words of the text beside a link.
ROWS: Final = 30
CONTEXT_WORDS: Final = 30
_SEARCHES: Final = ("search", "query")
#: The types of pages that hold evidence. Pages about people, days and meetings repeat its words, and would stand first.
EVIDENCE_TYPES: Final = ("source",)
_LINKS: Final = ("get_backlinks", "backlinks")
#: Where the brains state a row's day, and a search result's text.
_DAYS: Final = ("day", "effective_date", "occurred_at", "happened")
_TEXTS: Final = ("snippet", "chunk_text", "text")

_SLUG: Final = {"type": "string", "description": "Path below brain/ without .md"}
_LIMIT: Final = {"type": "integer", "minimum": 1, "maximum": ROWS}
_OFFSET: Final = {"type": "integer", "minimum": 0, "description": "Results to skip"}
_QUERY: Final = {
    "query": {"type": "string"},
    "types": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Only pages of these types: evidence (source) by default, or person, project, day, meeting",
    },
    "offset": _OFFSET,
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool as an agent sees it. GBrain takes these arguments, apart from ``OURS``."""

    description: str
    properties: Mapping[str, Any]
    required: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        return {"type": "object", "properties": dict(self.properties), "required": list(self.required)}


OFFERS: Final[Mapping[str, Offer]] = {
    "search": Offer(f"Words or a question -> the best {SNIPPETS} snippets, with page and anchor.", _QUERY, ("query",)),
    "query": Offer(
        f"A question in plain language -> the best {SNIPPETS} snippets, with page and anchor.", _QUERY, ("query",)
    ),
    "get_page": Offer(
        "A section of one page: about 1,500 tokens, and where it goes on. Quote from it exactly.",
        {
            "slug": _SLUG,
            "anchor": {"type": "string", "description": "Begin at this anchor of a search hit"},
            "offset": {
                "type": "integer",
                "minimum": 0,
                "description": "Begin here; more of the section before says where",
            },
            "again": {"type": "boolean", "description": "Repeat a section that this session has returned"},
        },
        ("slug",),
    ),
    "list_pages": Offer(
        "Pages, the newest first.",
        {
            "type": {"type": "string"},
            "prefix": {"type": "string", "description": "Only slugs that begin with this"},
            "limit": _LIMIT,
            "offset": _OFFSET,
        },
    ),
    "get_backlinks": Offer("Pages that link to a page.", {"slug": _SLUG}, ("slug",)),
    "backlinks": Offer("The same as get_backlinks.", {"slug": _SLUG}, ("slug",)),
}


#: Arguments of get_page that are answered here.
OURS: Final = frozenset({"anchor", "offset", "again"})


def request(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that the brain gets: without ours, for no more results than will pass, searches for evidence."""
    asked = {name: value for name, value in arguments.items() if not (tool == "get_page" and name in OURS)}
    most = SNIPPETS if tool in _SEARCHES else ROWS if tool == "list_pages" else None
    if most is not None:
        limit = arguments.get("limit", most)
        asked["limit"] = min(limit, most) if isinstance(limit, int) and not isinstance(limit, bool) else most
    if tool in _SEARCHES and not arguments.get("types"):
        asked["types"] = list(EVIDENCE_TYPES)
    return asked


@dataclass(slots=True)
class AnswerBounds:
    """Narrows the answers of one session, in order. ``_given``: what has passed, by page and section or snippet."""

    _given: set[tuple[str, str]] = field(default_factory=set)

    def answer(self, tool: str, arguments: Mapping[str, Any], text: str) -> str:
        """A brain's answer as it passes to the agent. ``text``: JSON from the tools of ``OFFERS``.

        An answer of a form that is not known is cut to a section's length, with a note.
        """
        try:
            document = orjson.loads(text)
        except orjson.JSONDecodeError:
            return _cut(text)
        narrowed: Any = None
        if tool in _SEARCHES:
            narrowed = self._snippets(document)
        elif tool == "get_page":
            narrowed = self._section(document, arguments)
        elif tool in _LINKS:
            narrowed = _rows(document, _link)
        elif tool == "list_pages":
            narrowed = _rows(document, _listed)
        return _cut(text) if narrowed is None else orjson.dumps(narrowed).decode()

    def _snippets(self, document: Any) -> Any:
        rows = _results(document)
        if rows is None:
            return None
        snippets = []
        for row in rows[:SNIPPETS]:
            slug, words = str(row.get("slug") or row.get("page") or ""), _first(row, _TEXTS).split()
            snippet = " ".join(words[:SNIPPET_WORDS])
            shown = {"slug": slug, "title": _first(row, ("title",)), "anchor": row.get("anchor"), "day": _day(row)}
            if self._repeats(slug, snippet):
                snippets.append({"slug": slug, "anchor": row.get("anchor"), "already_returned": "this snippet"})
            else:
                cut = " …" if len(words) > SNIPPET_WORDS else ""
                snippets.append({**{name: value for name, value in shown.items() if value}, "snippet": snippet + cut})
        return snippets

    def _section(self, document: Any, arguments: Mapping[str, Any]) -> Any:
        if not isinstance(document, dict):
            return None
        body = _first(document, ("compiled_truth", "content", "body", "text"))
        if not body:
            return None
        if timeline := _first(document, ("timeline",)):
            body = f"{body}\n\n{timeline}"
        slug, start = str(document.get("slug") or arguments.get("slug")), _start(body, arguments)
        if self._repeats(slug, f"offset {start}") and arguments.get("again") is not True:
            return {
                "slug": slug,
                "already_returned": f"this session has returned the section at offset {start}; again=true repeats it",
            }
        end = _end(body, start)
        head = {"slug": slug, "title": _first(document, ("title",)), "day": _day(document)}
        more = {"more": {"offset": end, "characters": len(body) - end}} if end < len(body) else {}
        return {**{name: value for name, value in head.items() if value}, "compiled_truth": body[start:end], **more}

    def _repeats(self, slug: str, what: str) -> bool:
        """Whether this has passed before; from now on it has."""
        before = (slug, what) in self._given
        self._given.add((slug, what))
        return before


def _results(document: Any) -> list[dict[str, Any]] | None:
    """A search's rows, bare or below a key; None: another form, such as an error's."""
    rows = document.get("results") if isinstance(document, dict) else document
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return None
    return rows


def _rows(document: Any, show: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    rows = _results(document)
    if rows is None:
        return None
    shown: list[dict[str, Any]] = [show(row) for row in rows[:ROWS]]
    return [*shown, {"note": f"{len(rows) - ROWS} more; ask more narrowly"}] if len(rows) > ROWS else shown


def _link(row: dict[str, Any]) -> dict[str, Any]:
    context = " ".join(_first(row, ("context",)).split()[:CONTEXT_WORDS])
    shown = {"from_slug": row.get("from_slug"), "anchor": row.get("anchor"), "context": context}
    return {name: value for name, value in shown.items() if value}


def _listed(row: dict[str, Any]) -> dict[str, Any]:
    shown = {"slug": row.get("slug"), "title": row.get("title"), "type": row.get("type"), "day": _day(row)}
    return {name: value for name, value in shown.items() if value}


def _start(body: str, arguments: Mapping[str, Any]) -> int:
    """Where the section begins: at an anchor, if the page has it, at an offset, or at the beginning."""
    anchor, offset = arguments.get("anchor"), arguments.get("offset")
    if isinstance(anchor, str) and anchor:
        places = [body.find(form) for form in (f'id="{anchor}"', f'name="{anchor}"', f"{{#{anchor}}}")]
        return body.rfind("\n", 0, min((place for place in places if place >= 0), default=0)) + 1
    return min(offset, len(body)) if isinstance(offset, int) and offset > 0 else 0


def _end(body: str, start: int) -> int:
    """After as many whole lines as fit, or within a line that is too long."""
    if len(body) - start <= SECTION_CHARS:
        return len(body)
    line_end = body.rfind("\n", start + SECTION_CHARS // 2, start + SECTION_CHARS) + 1
    return line_end or start + SECTION_CHARS


def _day(row: Mapping[str, Any]) -> str:
    front = row.get("frontmatter")
    return (_first(row, _DAYS) or (_first(front, _DAYS) if isinstance(front, dict) else ""))[:10]


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """The first of these fields that is text and not empty."""
    return next((value for name in names if isinstance(value := row.get(name), str) and value), "")


def _cut(text: str) -> str:
    if len(text) <= SECTION_CHARS:
        return text
    return f"{text[:SECTION_CHARS]}\n[cut: {len(text) - SECTION_CHARS:,} more characters; ask more narrowly]"
