"""
A report -> one markdown page below ``brain/reports/<kind>/``.

The same report gives the same bytes. Every statement about the user cites its places: a link to the page and the words
to find there. All text is foreign and escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderers import markdown as md

VERSION = 2
#: From brain/reports/<kind>/ up to brain/.
UP = "../../"
TEXT_CHARS = 2000
QUOTE_CHARS = 320


@dataclass(frozen=True, slots=True)
class Cited:
    """``page`` is a path below ``brain/`` with ``.md``."""

    page: str
    anchor: str | None
    quote: str
    title: str


@dataclass(frozen=True, slots=True)
class ReportLine:
    """``text``: foreign. ``note``: trusted, printed after it."""

    text: str
    cited: tuple[Cited, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReportPart:
    """``intro``, ``none``, rows and code are trusted. ``none``: printed if the part is otherwise empty."""

    heading: str
    items: tuple[ReportLine, ...] = ()
    intro: str = ""
    none: str = ""
    rows: Sequence[Sequence[str]] = ()
    code: str = ""


@dataclass(frozen=True, slots=True)
class ReportPage:
    title: str
    lead: str
    front: dict[str, md.FrontValue]
    parts: tuple[ReportPart, ...]


def render(report: ReportPage) -> str:
    """The page's text."""
    front = md.front_matter({"title": report.title, "type": "report", **report.front})
    blocks = [md.heading(1, report.title), report.lead]
    for part in report.parts:
        body = _part(part)
        if body:
            blocks += [f"## {part.heading}", *body]
    return md.document(front, blocks)


def _part(part: ReportPart) -> list[str]:
    blocks = [part.intro] if part.intro else []
    if part.items:
        blocks.append("\n".join(line for item in part.items for line in _item(item)))
    if part.rows:
        blocks.append(_table(part.rows))
    if part.code:
        blocks.append(f"```text\n{part.code}\n```")
    return blocks if part.items or part.rows or part.code or not part.none else [*blocks, part.none]


def _item(item: ReportLine) -> list[str]:
    note = f" ({item.note})" if item.note else ""
    lines = [f"- {md.inline(item.text, TEXT_CHARS)}{note}"]
    for cited in item.cited:
        target = md.href(UP, cited.page, cited.anchor)
        lines.append(f"  - {md.link(cited.title, target)}: \u201c{md.inline(cited.quote, QUOTE_CHARS)}\u201d")
    return lines


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *rest = rows
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rest]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
