"""Derived pages: concepts, notes below the marker of what claims speak of, CONTRADICTIONS.md, and CONTEXT.md.

The last is what every agent reads first.

What rendering wrote above a marker stays byte for byte. The notes are kept as data beside the pages, so that each run
can check them again and drop what no longer holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from consumer import layout
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.reports import concepts, evidence, notes
from consumer.reports.citations import Resolved
from consumer.reports.detectors import Theme
from consumer.reports.files import encode, put
from consumer.reports.notes import Note, Notes
from consumer.reports.reporting import Content
from consumer.run import Run
from contract import derived
from renderers import notes as renderer
from renderers.report import Cited

NOTES: Final = f"{layout.MANIFESTS}/notes.json"
CONTRADICTIONS: Final = f"{layout.BRAIN}/CONTRADICTIONS.md"
CONTEXT: Final = f"{layout.BRAIN}/CONTEXT.md"
#: What a prompt can afford. Three characters a token is more than any tokenizer needs for such text.
CONTEXT_TOKENS: Final = 12_000
CHARS_PER_TOKEN: Final = 3
#: Lines of each shelf at most, before the budget is asked.
_SHELF: Final = 60


def write(run: Run, content: Content, topics: Sequence[Theme], found: Mapping[str, Page]) -> None:
    """Concepts, notes, the pages that carry them, and the context; files that would not change are not written."""
    found = concepts.write(run, topics, found)
    old = stored(run)
    by = f"{run.synthesized.agent} with {run.synthesized.model}, template {run.job.template_version}" if (
        run.synthesized
    ) else f"template {run.job.template_version}"  # fmt: skip
    held = notes.merge(old, content, found, day=evidence.day(run).isoformat(), job_id=run.job.job_id, by=by)
    for slug in sorted({*old, *held}):
        if slug in found and not found[slug].is_empty:
            _page(run, slug, held.get(slug, ()), found)
    if old or held:
        rows = {slug: [note.model_dump(mode="json") for note in several] for slug, several in held.items()}
        put(run.root / NOTES, encode({"pages": rows}))
    put(run.root / CONTEXT, _context(run, content, held, found).encode("utf-8"))
    page = renderer.contradictions(_front(run, "Contradictions", "contradictions"), _lines(content, "contradictions"))
    put(run.root / CONTRADICTIONS, page.encode("utf-8"))


def stored(run: Run) -> dict[str, tuple[Note, ...]]:
    """The notes of earlier runs; none where the file is absent or damaged."""
    try:
        return notes.parse(orjson.loads((run.root / NOTES).read_bytes()))
    except (OSError, orjson.JSONDecodeError):
        return {}


def _page(run: Run, slug: str, held: Sequence[Note], found: Mapping[str, Page]) -> None:
    path = run.root / layout.BRAIN / pages.path_of(slug)
    above, below = derived.split(path.read_text("utf-8"))
    if not above:
        # Nobody rendered this page: its text is an agent's own, and not ours to arrange.
        return
    lines = [
        renderer.Line(note.text, _cited(notes.resolved(note, found.get)), note.day, note.by) for note in reversed(held)
    ]
    text = derived.join(above, renderer.replaced(below, renderer.section(lines, "../" * slug.count("/"))))
    put(path, text.encode("utf-8"))


def _context(run: Run, content: Content, held: Notes, found: Mapping[str, Page]) -> str:
    newest = sorted(
        ((note.day, slug, note) for slug, several in held.items() for note in several),
        key=lambda row: (row[0], row[1], row[2].key),
        reverse=True,
    )
    facts = list(dict.fromkeys(renderer.line(n.text, _cited(notes.resolved(n, found.get))) for _, _, n in newest))
    groups = (
        ("Open loops", _lines(content, "open_loops")),
        ("Contradictions", _lines(content, "contradictions")),
        ("People", _lines(content, "people")),
        ("Projects", _lines(content, "projects")),
        ("Facts", facts),
        ("Themes", _lines(content, "themes")),
        ("Gone silent", _lines(content, "stale")),
    )
    return renderer.context(_front(run, "Context", "context"), shelves(groups, CONTEXT_TOKENS * CHARS_PER_TOKEN))


def _front(run: Run, title: str, kind: str) -> dict[str, Any]:
    at = f"{evidence.day(run)}T00:00:00Z"
    return {"title": title, "type": kind, "job_id": run.job.job_id, "updated_at": at, "sensitivity": "private"}


def shelves(groups: Sequence[tuple[str, Sequence[str]]], budget_chars: int) -> list[renderer.ContextSection]:
    """As many lines of each group as fit: round by round one of each, so that no group starves another."""
    # Headings, the front matter and the "and more" lines.
    left = budget_chars - 1000 - 80 * len(groups)
    taken: dict[str, list[str]] = {heading: [] for heading, _ in groups}
    for number in range(_SHELF):
        for heading, lines in groups:
            if number < len(lines) and len(lines[number].encode("utf-8")) + 1 <= left:
                taken[heading].append(lines[number])
                left -= len(lines[number].encode("utf-8")) + 1
    return [
        renderer.ContextSection(heading, tuple(taken[heading]), len(lines) - len(taken[heading]))
        for heading, lines in groups
    ]


def _lines(content: Content, group: str) -> list[str]:
    return [renderer.line(one.text, _cited(one.resolved)) for one in content.facts[group]]


def _cited(resolved: Sequence[Resolved]) -> tuple[Cited, ...]:
    return tuple(Cited(pages.path_of(one.page), one.anchor, one.quote, one.title) for one in resolved)
