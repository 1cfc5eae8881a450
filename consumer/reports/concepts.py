"""Concept pages: the result of the themes detector, above the marker. Text below the marker is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from consumer import layout
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.reports import citations
from consumer.reports.citations import Resolved
from consumer.reports.detectors import Theme
from consumer.reports.files import put
from consumer.run import Run
from contract import derived
from renderers import concepts as renderer
from renderers.report import Cited


def write(run: Run, topics: Sequence[Theme], by_slug: Mapping[str, Page]) -> dict[str, Page]:
    """Write the concept pages of these themes. Returns all pages of the brain after that.

    The page of a theme that is gone is deleted, unless there are notes below its marker.
    """
    after = dict(by_slug)
    themes = {pages.slug_of(renderer.path(theme.name)): theme for theme in topics}
    for slug, theme in themes.items():
        after[slug] = _put(run, slug, renderer.render(_concept(theme, by_slug), _front(run)))
    for slug, page in by_slug.items():
        if slug not in themes and slug.startswith(f"{renderer.FOLDER}/") and _ours(page):
            below = derived.split(page.body)[1]
            if below.strip():
                after[slug] = _put(run, slug, renderer.gone(page.title, _front(run)))
            else:
                (run.root / layout.BRAIN / pages.path_of(slug)).unlink(missing_ok=True)
                del after[slug]
    return after


def _put(run: Run, slug: str, above: str) -> Page:
    path = run.root / layout.BRAIN / pages.path_of(slug)
    text = path.read_text("utf-8") if path.is_file() and not path.is_symlink() else ""
    data = derived.join(above, derived.notes(text)).encode("utf-8")
    put(path, data)
    return pages.parse(slug, data)


def _ours(page: Page) -> bool:
    return page.text("renderer_version").startswith(renderer.TYPE) and bool(derived.split(page.body)[0])


def _concept(theme: Theme, by_slug: Mapping[str, Page]) -> renderer.Concept:
    return renderer.Concept(
        name=theme.name,
        terms=theme.terms,
        sources=[source.replace("_", " ") for source in theme.sources],
        records=theme.records,
        days=theme.days,
        first=theme.first.isoformat(),
        last=theme.last.isoformat(),
        evidence=list(_evidence(theme, by_slug)),
    )


def _evidence(theme: Theme, by_slug: Mapping[str, Page]) -> Iterator[tuple[str, Cited]]:
    for day, citation in theme.evidence:
        verdict = citations.resolve(citation, by_slug.get)
        if isinstance(verdict, Resolved):
            yield day.isoformat(), Cited(pages.path_of(verdict.page), verdict.anchor, verdict.quote, verdict.title)


def _front(run: Run) -> dict[str, Any]:
    # No job and no time: the page changes only with the evidence, so the brain reads it again only then.
    return {"source_system": "cloop-memory", "user_id": run.job.user_id, "sensitivity": "private"}
