"""Pages of concepts: what the themes detector counted, above the marker; what stands below it is kept."""

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


def write(run: Run, topics: Sequence[Theme], found: Mapping[str, Page]) -> dict[str, Page]:
    """Bring the pages of concepts to what is said now; -> all pages of the brain as they then are.

    A page of ours whose theme is gone goes with it, unless somebody wrote below its marker.
    """
    after = dict(found)
    there = {pages.slug_of(renderer.path(theme.name)): theme for theme in topics}
    for slug, theme in there.items():
        after[slug] = _put(run, slug, renderer.render(_concept(theme, found), _front(run)))
    for slug, page in found.items():
        if slug not in there and slug.startswith(f"{renderer.FOLDER}/") and _ours(page):
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


def _concept(theme: Theme, found: Mapping[str, Page]) -> renderer.Concept:
    return renderer.Concept(
        name=theme.name,
        terms=theme.terms,
        sources=[source.replace("_", " ") for source in theme.sources],
        records=theme.records,
        days=theme.days,
        first=theme.first.isoformat(),
        last=theme.last.isoformat(),
        evidence=list(_evidence(theme, found)),
    )


def _evidence(theme: Theme, found: Mapping[str, Page]) -> Iterator[tuple[str, Cited]]:
    for day, citation in theme.evidence:
        one = citations.resolve(citation, found.get)
        if isinstance(one, Resolved):
            yield day.isoformat(), Cited(pages.path_of(one.page), one.anchor, one.quote, one.title)


def _front(run: Run) -> dict[str, Any]:
    # No job and no time: the page says the same until the evidence does not, and a brain need not read it again.
    return {"source_system": "cloop-memory", "user_id": run.job.user_id, "sensitivity": "private"}
