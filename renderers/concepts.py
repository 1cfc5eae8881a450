"""
Concepts: terms that recur over time, each on a page with the places that use it.

A page is a pure function of the counts. Notes below the marker are kept. All text is foreign and escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from contract.derived import MARKER
from renderers import derived, entities
from renderers import markdown as md
from renderers.report import Cited

VERSION: Final = 2
FOLDER: Final = "concepts"
TYPE: Final = "concept"
QUOTE_CHARS: Final = 240
GONE: Final = "No record says this any more."


@dataclass(frozen=True, slots=True)
class Concept:
    """``evidence``: (day, place), newest first, of ``records`` in all. ``days``, ``first``, ``last``: of those."""

    name: str
    terms: Sequence[str]
    sources: Sequence[str]
    records: int
    days: int
    first: str
    last: str
    evidence: Sequence[tuple[str, Cited]]


def path(name: str) -> str:
    """The concept's page below ``brain/``."""
    key = entities.identity(name)
    return f"{FOLDER}/" + "-".join(part for part in (md.slug(key), md.short_digest(TYPE, key)) if part) + ".md"


def render(concept: Concept, front: dict[str, md.FrontValue]) -> str:
    """The page above the marker, ending in the marker's line."""
    values = {**front, "title": md.one_line(concept.name), "type": TYPE, "date": concept.last}
    values["renderer_version"] = f"{TYPE}/{VERSION}"
    blocks = [md.heading(1, concept.name), _facts(concept), "## Evidence\n\n" + _evidence(concept), MARKER]
    return md.document(md.front_matter(values), blocks)


def gone(title: str, front: dict[str, md.FrontValue]) -> str:
    """The page of a concept that no record uses any more, kept for the notes below its marker."""
    values = {**front, "title": md.one_line(title), "type": TYPE, "renderer_version": f"{TYPE}/{VERSION}"}
    return md.document(md.front_matter(values), [md.heading(1, title), GONE, MARKER])


def _facts(concept: Concept) -> str:
    summary = f"{concept.records} records on {concept.days} days, {concept.first} to {concept.last}"
    lines = [md.bullet("Said", summary), md.bullet("Sources", ", ".join(concept.sources))]
    if concept.terms:
        lines.append(md.bullet("Comes with", ", ".join(md.inline(term) for term in concept.terms)))
    return "\n".join(lines)


def _evidence(concept: Concept) -> str:
    lines = []
    for day, cited in concept.evidence:
        target = md.href(derived.UP, cited.page, cited.anchor)
        quote = md.inline(cited.quote, QUOTE_CHARS)
        lines.append(f"- {day}: {md.link(cited.title, target)}: \u201c{quote}\u201d")
    if concept.records > len(concept.evidence):
        lines.append(f"- and {concept.records - len(concept.evidence)} earlier")
    return "\n".join(lines)
