"""Detectors that need no model: changes, themes, projects. Promises, people and values come from memory
(``consumer.reports.remembered``).

Pure and deterministic. Every finding quotes the places that support it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import date

from consumer.evidence.pages import Page
from consumer.reports.detectors import changes, entities, records, themes
from consumer.reports.detectors.findings import Finding, Findings, Standing, Theme
from consumer.run import Revision

__all__ = ["Finding", "Findings", "Standing", "Theme", "count", "detect"]


def detect(
    by_slug: Mapping[str, Page],
    today: date,
    before: Mapping[str, str] | None = None,
    touched: Set[str] = frozenset(),
    counted: Standing | None = None,
    *,
    revised: Sequence[Revision] = (),
) -> Findings:
    """All findings for these pages (slug -> page).

    ``today``: the job's day. ``before``, ``touched``, ``revised``: see ``changes.find``. ``counted``: see ``count``,
    asked here when absent.
    """
    changed, counts = changes.find(by_slug, before, touched, revised)
    standing = count(by_slug, today) if counted is None else counted
    return Findings(
        changes=changed,
        projects=standing.projects,
        themes=standing.themes,
        topics=standing.topics,
        connections=standing.connections,
        counts={**counts, "records": standing.records},
    )


def count(by_slug: Mapping[str, Page], today: date) -> Standing:
    """Themes and projects. Reads every word of all pages."""
    evidence = records.of_pages(by_slug.values())
    lately, topics = themes.find(by_slug, evidence, today)
    connected = entities.connections(by_slug, evidence)
    return Standing(lately, topics, entities.projects(by_slug, evidence, today), len(evidence), connected)
