"""The local brain's tools for agents, with GBrain's tool names, arguments and result fields.

Reading is open; ``put_page`` writes only below the derived folders, whatever the caller requests: agents never write
evidence or reports.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from consumer import layout
from consumer.agent.localbrain import search
from consumer.agent.localbrain.store import PageRow, opened
from consumer.evidence import pages
from contract import derived

#: Slug prefixes that an agent may write to.
WRITABLE: Final = tuple(folder.removeprefix("brain/") + "/" for folder in layout.DERIVED)
#: A derived page holds notes, not a copy of the evidence.
PAGE_BYTES: Final = 64 * 1024
#: The most rows in one answer, as in GBrain.
MOST: Final = 100

Arguments = Mapping[str, Any]


class ToolError(Exception):
    """A call that failed: ``code`` is GBrain's; the message says what to do instead."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The database and the folder that the tools work on."""

    db: Path
    root: Path


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


def _search(brain: ToolContext, arguments: Arguments) -> list[dict[str, Any]]:
    text, limit, offset = _text(arguments, "query"), _number(arguments, "limit", 20), _number(arguments, "offset", 0)
    with opened(brain.db) as store:
        return [_hit(hit) for hit in search.search(store, text, limit=limit, offset=offset, types=_types(arguments))]


def _query(brain: ToolContext, arguments: Arguments) -> list[dict[str, Any]]:
    text, limit, offset = _text(arguments, "query"), _number(arguments, "limit", 20), _number(arguments, "offset", 0)
    recency = str(arguments.get("recency") or "on")
    with opened(brain.db) as store:
        hits = search.query(store, text, limit=limit, offset=offset, types=_types(arguments), recency=recency)
    return [_hit(hit) for hit in hits]


def _get_page(brain: ToolContext, arguments: Arguments) -> dict[str, Any]:
    slug = _slug(arguments)
    with opened(brain.db) as store:
        row = store.page(slug)
        if row is None and arguments.get("fuzzy"):
            row = _fuzzy(store.pages(), slug)
    if row is None:
        raise ToolError("page_not_found", f"no page {slug!r}: take a slug from search, query or list_pages")
    data = _file(brain, row.slug).read_bytes()
    page = pages.parse(row.slug, data)
    answer = {**_row(row), "checksum": page.checksum, "frontmatter": dict(page.front), "compiled_truth": page.body}
    return {**answer, "content": data.decode("utf-8")} if arguments.get("include_content") else answer


def _list_pages(brain: ToolContext, arguments: Arguments) -> list[dict[str, Any]]:
    limit, offset = _number(arguments, "limit", 50), _number(arguments, "offset", 0)
    after = str(arguments.get("updated_after") or "")
    with opened(brain.db) as store:
        rows = store.pages(
            prefix=str(arguments.get("prefix") or ""),
            type_=str(arguments.get("type") or ""),
            order=str(arguments.get("sort") or "updated_desc"),
        )
    return [_row(row) for row in rows if row.updated > after][offset : offset + limit]


def _backlinks(brain: ToolContext, arguments: Arguments) -> list[dict[str, Any]]:
    with opened(brain.db) as store:
        rows = store.backlinks(_slug(arguments))
    return [
        {"from_slug": row.source, "to_slug": row.target, "anchor": row.section or None, "context": row.text}
        for row in rows
    ][:MOST]


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
    with opened(brain.db) as store:
        store.put(page)
    return {"slug": slug, "status": "created_or_updated", "checksum": page.checksum}


def _hit(hit: search.PageHit) -> dict[str, Any]:
    return {
        "slug": hit.slug,
        "title": hit.title,
        "type": hit.type,
        "anchor": hit.anchor or None,
        "heading": hit.heading,
        "chunk_text": hit.text,
        "snippet": hit.snippet,
        "score": hit.score,
    }


def _row(row: PageRow) -> dict[str, Any]:
    return {
        "slug": row.slug,
        "title": row.title,
        "type": row.type,
        "effective_date": row.happened or None,
        "updated_at": row.updated or None,
    }


def _fuzzy(rows: list[PageRow], slug: str) -> PageRow | None:
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
    **_PAGED,
    "types": {"type": "array", "items": {"type": "string"}, "description": "Only pages of these types"},
}
_LINKS_IN: Final = BrainTool("Pages that link to a page, with the anchor of the place.", _SLUG, ("slug",), _backlinks)

TOOLS: Final[Mapping[str, BrainTool]] = {
    "search": BrainTool(
        "Keyword search: names, exact words. Best chunk of each page, with its anchor.", _ASKED, ("query",), _search
    ),
    "query": BrainTool(
        "Search for a question in plain language. Best chunk of each page, with its anchor.",
        {**_ASKED, "recency": {"type": "string", "enum": ["off", "on", "strong"], "description": "Prefer newer pages"}},
        ("query",),
        _query,
    ),
    "get_page": BrainTool(
        "One page: front matter and markdown body. Quote from it exactly.",
        {
            **_SLUG,
            "fuzzy": {"type": "boolean", "description": "Accept the end or a part of a slug"},
            "include_content": {"type": "boolean", "description": "Add the whole file"},
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
