"""
Notes below the marker of a person's or project's page, and the memory that every agent starts with (CONTEXT.md).

Same notes, same bytes. All text is foreign and escaped; every note stands with its places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderers import markdown as md
from renderers.report import Cited

HEADING = "## Verified notes"
NOTICE = "Claims whose citations held when this was written; the evidence is the truth, these are its summary."
TEXT_CHARS = 600
QUOTE_CHARS = 200


@dataclass(frozen=True, slots=True)
class Line:
    """One note: foreign text, where it rests, when and by what it was made."""

    text: str
    cited: tuple[Cited, ...]
    day: str
    by: str


@dataclass(frozen=True, slots=True)
class ContextSection:
    """A part of the context: ours the heading, foreign the lines (finished by ``line``); ``more`` were left out."""

    heading: str
    lines: tuple[str, ...]
    more: int = 0


def section(lines: Sequence[Line], up: str) -> str:
    """The whole section of a page; "" without notes. ``up`` leads from the page's folder to ``brain/``."""
    if not lines:
        return ""
    return "\n\n".join([HEADING, NOTICE, "\n".join(_note(line, up) for line in lines)])


def replaced(below: str, section_text: str) -> str:
    """What stands below the marker with our section in place of the one before; other text is kept as it is."""
    before, found, rest = below.partition(HEADING + "\n")
    if not found:
        return "\n\n".join(part for part in (below.strip("\n"), section_text) if part)
    _, following, after = rest.partition("\n## ")
    kept = (before.strip("\n"), section_text, f"## {after}".strip("\n") if following else "")
    return "\n\n".join(part for part in kept if part)


def line(text: str, cited: Sequence[Cited], up: str = "") -> str:
    """One line of the context: the text and links, no quotes, so that much fits."""
    targets = {md.href(up, one.page, one.anchor): one.title for one in cited}
    links = ", ".join(md.link(title, target) for target, title in targets.items())
    return f"- {md.inline(text, TEXT_CHARS)}" + (f" ({links})" if links else "")


def context(front: dict[str, md.FrontValue], shelves: Sequence[ContextSection]) -> str:
    """The page ``CONTEXT.md``."""
    blocks = [md.heading(1, "Context"), "What memory holds ready: verified notes and findings, newest first."]
    for shelf in shelves:
        if shelf.lines:
            more = f"\n- and {shelf.more} more on their pages" if shelf.more else ""
            blocks.append(f"## {shelf.heading}\n\n" + "\n".join(shelf.lines) + more)
    return md.document(md.front_matter(front), blocks)


def contradictions(front: dict[str, md.FrontValue], lines: Sequence[str]) -> str:
    """The page ``CONTRADICTIONS.md``: every pair of places that cannot both be right, as they stand now."""
    intro = "Places that cannot both be right; each side is cited. What is settled is gone from here."
    found = "\n".join(lines) if lines else "None was found."
    return md.document(md.front_matter(front), [md.heading(1, "Contradictions"), intro, found])


def _note(note: Line, up: str) -> str:
    lines = [f"- {note.day}: {md.inline(note.text, TEXT_CHARS)} ({md.inline(note.by, 120)})"]
    for one in note.cited:
        quote = md.inline(one.quote, QUOTE_CHARS)
        lines.append(f"  - {md.link(one.title, md.href(up, one.page, one.anchor))}: \u201c{quote}\u201d")
    return "\n".join(lines)
