"""Derived pages: concepts, notes below the marker of pages that claims mention, lists (``listed``), CONTRADICTIONS.md,
and CONTEXT.md.

Every agent reads CONTEXT.md first.

Text above a marker is not changed. The notes are also stored as data, so that each run can check them again and drop
those that no longer hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from consumer import layout
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.reports import concepts, evidence, listed, notes
from consumer.reports.citations import Resolved
from consumer.reports.evidence import ReportBasis
from consumer.reports.files import encode, put
from consumer.reports.listed import ListedPages
from consumer.reports.notes import Note, Notes
from consumer.reports.reporting import Content
from consumer.run import Run
from contract import derived, jsonobject
from renderers import notes as renderer
from renderers.report import Cited

NOTES: Final = f"{layout.MANIFESTS}/notes.json"
CONTRADICTIONS: Final = f"{layout.BRAIN}/CONTRADICTIONS.md"
CONTEXT: Final = f"{layout.BRAIN}/CONTEXT.md"
#: Budget of a prompt, at three characters a token, which is more than any tokenizer needs.
CONTEXT_TOKENS: Final = 12_000
CHARS_PER_TOKEN: Final = 3
#: Maximum of lines of each group, before the budget applies.
_SHELF: Final = 60


def write(
    run: Run, content: Content, basis: ReportBasis, by_slug: Mapping[str, Page], *, is_listed: bool = False
) -> ListedPages:
    """Write concepts, notes, their pages, lists, insights and the context; unchanged files are not written.

    Returns the lists and insights that differ from what the index stage wrote. ``is_listed``: it wrote them from the
    same findings, and no agent may write them, so none does.

    Notes that the user's rules hold are kept as data, and told again when the rule is gone.
    """
    by_slug = concepts.write(run, basis.findings.topics, by_slug)
    lists = ListedPages() if is_listed else listed.write(run, basis, by_slug)
    old = stored(run)
    by = f"{run.synthesized.agent} with {run.synthesized.model}, template {run.job.template_version}" if (
        run.synthesized
    ) else f"template {run.job.template_version}"  # fmt: skip
    notes_of = notes.merge(old, content, by_slug, day=evidence.day(run).isoformat(), job_id=run.job.job_id, by=by)
    told_of = {
        slug: tuple(note for note in several if not basis.withheld.of_told(note.text, note.citations))
        for slug, several in notes_of.items()
    }
    for slug in sorted({*old, *notes_of}):
        if slug in by_slug and not by_slug[slug].is_empty:
            _page(run, slug, told_of.get(slug, ()), by_slug)
    if old or notes_of:
        rows = {slug: [note.model_dump(mode="json") for note in several] for slug, several in notes_of.items()}
        put(run.root / NOTES, encode({"pages": rows}))
    put(run.root / CONTEXT, _context(run, content, told_of, by_slug).encode("utf-8"))
    page = renderer.contradictions(_front(run, "Contradictions", "contradictions"), _lines(content, "contradictions"))
    put(run.root / CONTRADICTIONS, page.encode("utf-8"))
    return lists


def stored(run: Run) -> dict[str, tuple[Note, ...]]:
    """The notes of earlier runs; empty where the file is absent or damaged."""
    return notes.parse(jsonobject.read(run.root / NOTES))


def _page(run: Run, slug: str, page_notes: Sequence[Note], by_slug: Mapping[str, Page]) -> None:
    path = run.root / layout.BRAIN / pages.path_of(slug)
    above, below = derived.split(path.read_text("utf-8"))
    if not above:
        # Rendering did not write this page: its text is an agent's own.
        return
    lines = [
        renderer.Line(note.text, _cited(notes.resolved(note, by_slug.get)), note.day, note.by)
        for note in reversed(page_notes)
    ]
    text = derived.join(above, renderer.replaced(below, renderer.section(lines, "../" * slug.count("/"))))
    put(path, text.encode("utf-8"))


def _context(run: Run, content: Content, notes_of: Notes, by_slug: Mapping[str, Page]) -> str:
    newest = sorted(
        ((note.day, slug, note) for slug, several in notes_of.items() for note in several),
        key=lambda row: (row[0], row[1], row[2].key),
        reverse=True,
    )
    facts = list(dict.fromkeys(renderer.line(n.text, _cited(notes.resolved(n, by_slug.get))) for _, _, n in newest))
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
    """As many lines of each group as fit, one of each group in turn."""
    # Reserve room for headings, front matter and the "and more" lines.
    room = budget_chars - 1000 - 80 * len(groups)
    taken: dict[str, list[str]] = {heading: [] for heading, _ in groups}
    for number in range(_SHELF):
        for heading, lines in groups:
            if number < len(lines) and len(lines[number].encode("utf-8")) + 1 <= room:
                taken[heading].append(lines[number])
                room -= len(lines[number].encode("utf-8")) + 1
    return [
        renderer.ContextSection(heading, tuple(taken[heading]), len(lines) - len(taken[heading]))
        for heading, lines in groups
    ]


def _lines(content: Content, group: str) -> list[str]:
    return [renderer.line(statement.text, _cited(statement.resolved)) for statement in content.facts[group]]


def _cited(resolved: Sequence[Resolved]) -> tuple[Cited, ...]:
    return tuple(
        Cited(pages.path_of(citation.page), citation.anchor, citation.quote, citation.title) for citation in resolved
    )
