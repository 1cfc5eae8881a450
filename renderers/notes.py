"""
Notes below the marker of a person's or project's page, and the memory that every agent starts with (CONTEXT.md).

The same notes give the same bytes. All text is foreign and escaped; every note cites its places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderers import markdown as md
from renderers.report import Cited

HEADING = "## Verified notes"
NOTICE = "Claims that were verified when they were written. They summarize the evidence, which decides."
TEXT_CHARS = 600
QUOTE_CHARS = 200


@dataclass(frozen=True, slots=True)
class Line:
    """One note: foreign text, its citations, its day and its author."""

    text: str
    cited: tuple[Cited, ...]
    day: str
    by: str


@dataclass(frozen=True, slots=True)
class ContextSection:
    """A part of the context. ``heading``: trusted. ``lines``: from ``line``. ``more``: the number left out."""

    heading: str
    lines: tuple[str, ...]
    more: int = 0


def section(lines: Sequence[Line], up: str) -> str:
    """A page's section of notes; "" without notes. ``up``: the path from the page's folder to ``brain/``."""
    if not lines:
        return ""
    return "\n\n".join([HEADING, NOTICE, "\n".join(_note(line, up) for line in lines)])


def replaced(below: str, section_text: str) -> str:
    """The text below the marker with this section in place of the previous one; other text stays unchanged."""
    before, heading, rest = below.partition(HEADING + "\n")
    if not heading:
        return "\n\n".join(part for part in (below.strip("\n"), section_text) if part)
    _, following, after = rest.partition("\n## ")
    kept = (before.strip("\n"), section_text, f"## {after}".strip("\n") if following else "")
    return "\n\n".join(part for part in kept if part)


def line(text: str, cited: Sequence[Cited], up: str = "") -> str:
    """One line of the context: the text and links, without quotes, to save space."""
    targets = {md.href(up, citation.page, citation.anchor): citation.title for citation in cited}
    links = ", ".join(md.link(title, target) for target, title in targets.items())
    return f"- {md.inline(text, TEXT_CHARS)}" + (f" ({links})" if links else "")


def context(front: dict[str, md.FrontValue], sections: Sequence[ContextSection]) -> str:
    """The page ``CONTEXT.md``."""
    blocks = [md.heading(1, "Context"), "Verified notes and findings of this memory, newest first."]
    for section in sections:
        if section.lines:
            more = f"\n- and {section.more} more on their pages" if section.more else ""
            blocks.append(f"## {section.heading}\n\n" + "\n".join(section.lines) + more)
    return md.document(md.front_matter(front), blocks)


def contradictions(front: dict[str, md.FrontValue], lines: Sequence[str]) -> str:
    """The page ``CONTRADICTIONS.md``: every current pair of places that cannot both be right."""
    intro = "Statements that cannot both be true, with a citation of each. Settled contradictions are not listed."
    listing = "\n".join(lines) if lines else "None was found."
    return md.document(md.front_matter(front), [md.heading(1, "Contradictions"), intro, listing])


def _note(note: Line, up: str) -> str:
    lines = [f"- {note.day}: {md.inline(note.text, TEXT_CHARS)} ({md.inline(note.by, 120)})"]
    for citation in note.cited:
        quote = md.inline(citation.quote, QUOTE_CHARS)
        lines.append(f"  - {md.link(citation.title, md.href(up, citation.page, citation.anchor))}: \u201c{quote}\u201d")
    return "\n".join(lines)
