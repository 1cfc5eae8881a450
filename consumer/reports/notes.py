"""Verified claims as notes on the pages of the people, projects, concepts, meetings and days they speak of.

Their number is bounded, and each run checks them: a note is dropped when its evidence is deleted or changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from consumer.evidence import pages
from consumer.evidence.pages import Link, Page
from consumer.reports import citations
from consumer.reports.citations import Find, Resolved
from consumer.reports.claims import TEXT_CHARS, Citation
from consumer.reports.reporting import SURE, Content, Statement
from contract import derived

#: Folders whose pages get the notes that name them.
FOLDERS: Final = ("people/", "projects/", "concepts/")
#: A note goes on the page of a meeting or a day by its cited evidence: many meetings share a title.
HELD: Final = ("meetings/", "daily/")
SOURCES: Final = "sources/"
#: Notes kept on one page; the oldest are dropped first and remain in the reports.
PER_PAGE: Final = 30
#: A shorter name is a common word.
_NAME_CHARS: Final = 3


class Note(BaseModel):
    """``day``: of its first report; ``by``: the agent, model and template."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: Annotated[str, Field(min_length=1, max_length=TEXT_CHARS)]
    day: str
    job_id: str
    by: str
    confidence: float
    citations: tuple[Citation, ...]

    @property
    def key(self) -> str:
        """The normalized text; notes with the same key are the same."""
        return citations.normalize(self.text)


Notes = Mapping[str, tuple[Note, ...]]


def parse(document: Mapping[str, Any]) -> dict[str, tuple[Note, ...]]:
    """A stored document -> notes by page; invalid parts are left out."""
    notes: dict[str, tuple[Note, ...]] = {}
    pages = document.get("pages")
    for slug, rows in pages.items() if isinstance(pages, dict) else ():
        kept = [note for note in map(_note, rows if isinstance(rows, list) else ()) if note]
        if kept:
            notes[slug] = tuple(kept)
    return notes


def merge(old: Notes, content: Content, by_slug: Mapping[str, Page], *, day: str, job_id: str, by: str) -> Notes:
    """Old notes that still hold, then this report's; newest last. Notes of deleted pages are dropped."""
    telling = list(_telling(content))
    cited_pages = {cited.page for statement in telling for cited in statement.resolved}
    names, slugs = _names(by_slug) if telling else {}, _held(by_slug, cited_pages)
    merged: dict[str, dict[str, Note]] = {}
    for slug, notes in old.items():
        if slug in by_slug and not by_slug[slug].is_empty:
            merged[slug] = {note.key: note for note in notes if _holds(note, by_slug.get)}
    for statement in telling:
        note = Note(
            text=statement.text,
            day=day,
            job_id=job_id,
            by=by,
            confidence=statement.confidence,
            citations=tuple(Citation(page=c.page, anchor=c.anchor, quote=c.quote) for c in statement.resolved),
        )
        for slug in {*about(statement.text, names), *_held_at(statement, slugs)}:
            merged.setdefault(slug, {}).setdefault(note.key, note)
    kept = {slug: tuple(notes.values())[-PER_PAGE:] for slug, notes in merged.items()}
    return {slug: notes for slug, notes in sorted(kept.items()) if notes}


def about(text: str, names: Mapping[str, str]) -> list[str]:
    """Slugs of the people, projects and concepts that a text names."""
    folded = text.casefold()
    return sorted(
        {
            slug
            for name, slug in names.items()
            if name in folded and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded)
        }
    )


def resolved(note: Note, find: Find) -> list[Resolved]:
    """The note's citations as they resolve now."""
    verdicts = [citations.resolve(citation, find) for citation in note.citations]
    return [verdict for verdict in verdicts if isinstance(verdict, Resolved)]


def _telling(content: Content) -> Iterable[Statement]:
    for statement in content.statements():
        if statement.origin == "claim" and statement.confidence >= SURE:
            yield statement


def _names(by_slug: Mapping[str, Page]) -> dict[str, str]:
    """Case-folded title -> slug, without titles that several pages share."""
    names: dict[str, list[str]] = {}
    for slug, page in by_slug.items():
        if slug.startswith(FOLDERS) and len(page.title) >= _NAME_CHARS:
            names.setdefault(page.title.casefold(), []).append(slug)
    return {name: slugs[0] for name, slugs in names.items() if len(slugs) == 1}


def _held(by_slug: Mapping[str, Page], cited: Set[str]) -> dict[tuple[str, str | None], list[str]]:
    """(page, anchor) of ``cited`` evidence -> pages of its meeting and its day, by rendering's links."""
    places: dict[tuple[str, str | None], list[str]] = {}
    if not cited:
        return places
    # A link ends in its page's name, so most pages of meetings and days need not be read.
    names = sorted({slug.rpartition("/")[2] for slug in cited})
    for slug, page in by_slug.items():
        if not slug.startswith(HELD) or not any(name in page.body for name in names):
            continue
        for link in _rendered_links(page):
            if link.target in cited and link.target.startswith(SOURCES):
                places.setdefault((link.target, link.anchor), []).append(slug)
    return places


def _rendered_links(page: Page) -> Sequence[Link]:
    """The page without the notes below its marker, which may cite anything."""
    above, below = derived.split(page.body)
    if above and not below.strip():
        return page.links
    try:
        return pages.parse(page.slug, above.encode("utf-8")).links
    except pages.PageError:
        # Agents write here too. Text that is not a page was not rendered.
        return ()


def _held_at(statement: Statement, slugs: Mapping[tuple[str, str | None], Sequence[str]]) -> list[str]:
    """The meetings and days whose evidence a statement cites."""
    keys = {key for cited in statement.resolved for key in ((cited.page, cited.anchor), (cited.page, None))}
    return sorted({slug for key in keys for slug in slugs.get(key, ())})


def _holds(note: Note, find: Find) -> bool:
    return bool(note.citations) and len(resolved(note, find)) == len(note.citations)


def _note(row: Any) -> Note | None:
    try:
        return Note.model_validate(row)
    except ValidationError:
        return None
